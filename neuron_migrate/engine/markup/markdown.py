"""The fences of Markdown, as CommonMark, MyST, mkdocs and the builder of Hugging Face have them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from neuron_migrate.engine.markup import rst
from neuron_migrate.engine.markup.languages import directive_of, language_in, language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from neuron_migrate.engine.markup.lines import Line

_OPTION = re.compile(r":[\w-]+:")
_DEEPEST = 20
"""Directives within directives; what is nested deeper was not written by a person."""


def blocks(lines: Sequence[Line], depth: int = 0) -> Iterator[tuple[str, Sequence[Line]]]:
    """The language of every fence and the lines in it, in the order of the document."""
    text = "\n".join(line.text for line in lines)
    for token in _parser().parse(text):
        inner = _inner(token, lines)
        if inner is None:
            continue
        directive = directive_of(token.info)
        if directive is None:
            yield language_of(token.info), inner
        elif directive[0] == "eval-rst":
            yield from rst.blocks(inner)
        elif (language := language_in(*directive)) is not None:
            yield language, _without_options(inner)
        elif language_of(token.info) in {"python", "bash"}:  # those of Quarto run
            yield language_of(token.info), inner
        elif depth < _DEEPEST:
            yield from blocks(inner, depth + 1)


@cache
def _parser() -> MarkdownIt:
    """One that looks at blocks only.

    Code inside of HTML tags and of admonitions, which are indented, is code here too: neither
    blocks of HTML nor those that indentation makes are looked for.
    """
    rules = ["html_block", "code", "reference", "lheading", "table"]
    return MarkdownIt("commonmark").disable(rules, True).disable(["inline"])


def _inner(token: Token, lines: Sequence[Line]) -> Sequence[Line] | None:
    """The lines in a fence without what they stand in; None where that is not to be seen."""
    if token.type != "fence" or token.map is None:
        return None
    texts = token.content.split("\n")
    texts = texts if texts[-1] else texts[:-1]
    found = []
    for line, text in zip(lines[token.map[0] + 1 :], texts, strict=False):
        if not line.text.endswith(text):  # a tab that is indentation in part
            return None
        found.append(line.cut(len(line.text) - len(text)))
    return found


def _without_options(lines: Sequence[Line]) -> Sequence[Line]:
    """The code of a directive, without the options above it."""
    if lines and lines[0].text.startswith("---"):
        ends = [n for n, each in enumerate(lines) if n and each.text.startswith("---")]
        return lines[ends[0] + 1 :] if ends else lines
    options = 0
    while options < len(lines) and _OPTION.match(lines[options].text):
        options += 1
    return lines[options:]
