"""A generated page as MyST reads it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

if TYPE_CHECKING:
    from collections.abc import Iterator


def tokens(page: str) -> Iterator[Any]:
    """Every token, those inside paragraphs, headings and cells included."""
    reader = create_md_parser(MdParserConfig(enable_extensions={"fieldlist"}), DocutilsRenderer)
    for token in reader.parse(page):
        yield token
        yield from token.children or ()


def kinds(page: str) -> set[str]:
    """What markup there is."""
    return {token.type for token in tokens(page)}


def words(page: str) -> str:
    """What a reader sees of the prose, code in it in backticks."""
    shown = {"text": "{}", "code_inline": "`{}`", "text_special": "{}"}
    parts = [shown[each.type].format(each.content) for each in tokens(page) if each.type in shown]
    return "".join(parts)


def links(page: str) -> list[str]:
    """Where it leads, in order."""
    return [str(each.attrs["href"]) for each in tokens(page) if each.type == "link_open"]


def codes(page: str) -> list[str]:
    """The rules it leads to, in order."""
    return [code for link in links(page) for code in re.findall(r"\bNM\d{3}(?=\.md$)", link)]
