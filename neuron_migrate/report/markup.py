"""Text in Markdown as GitHub and GitLab read it, with nothing taken for markup but code."""

from __future__ import annotations

import html
import re

from neuron_migrate.report.layout import one_line

_MARKUP = re.compile(r"[\\`*\[\]~|$]|(?<![^\W_])_|_(?![^\W_])")
_CODE = re.compile(r"((?<!`)`[^`]+`(?!`))")
_REFERENCE = re.compile(r"[@#](?=\w)")
_BREAK = "&#8203;"
"""A space of no width: without it a decorator notifies whoever has its name."""


def escaped(text: str) -> str:
    """Prose in one line: no HTML, no mention of a person or an issue, no markup but code."""
    parts = _CODE.split(one_line(" ".join(text.split())))
    return "".join(part if index % 2 else _prose(part) for index, part in enumerate(parts))


def code(text: str) -> str:
    """A name or a path, to the character."""
    plain = html.escape(one_line(text), quote=False)
    return f"<code>{_MARKUP.sub(_escape, plain)}</code>"


def html_code(text: str) -> str:
    """The same where Markdown is not read, such as in a summary of details."""
    return f"<code>{html.escape(one_line(text), quote=False)}</code>"


def _prose(text: str) -> str:
    plain = _MARKUP.sub(_escape, html.escape(text, quote=False))
    return _REFERENCE.sub(lambda match: match[0] + _BREAK, plain)


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]
