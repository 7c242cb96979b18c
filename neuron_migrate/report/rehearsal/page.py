"""A rehearsal as HTML: a page of its own, or a section of another one."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from neuron_migrate import __version__
from neuron_migrate.report.layout import counted, one_line
from neuron_migrate.report.rehearsal import words

if TYPE_CHECKING:
    from neuron_migrate.rehearsal.model import Rehearsal

_PACKAGE = "neuron_migrate.report.rehearsal"
_MOST = 200
"""Rows of a table; the rest is counted."""


def render(rehearsal: Rehearsal, *, sdk: str) -> str:
    """One file that loads nothing and links to nothing but sources."""
    sheet = _sheet("frame.css") + style()
    digest = b64encode(sha256(sheet.encode()).digest()).decode()
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            rehearsal=rehearsal,
            sdk=sdk,
            version=__version__,
            style=sheet,
            policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none';"
            " form-action 'none'",
        )
    )


def section(rehearsal: Rehearsal, *, sdk: str) -> Markup:
    """What stands in the page, under a heading of the second level, for a page with ``style``."""
    template = _environment().get_template("section.html.j2")
    return Markup(template.render(rehearsal=rehearsal, sdk=sdk))


def style() -> Markup:
    """The style sheet of the section, which leaves the rest of a page alone."""
    return _sheet("rehearsal.css")


@cache
def _sheet(name: str) -> Markup:
    """A style sheet of ours, so nothing in it is escaped."""
    return Markup((files(_PACKAGE) / "templates" / name).read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(_PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(counted=counted, words=words, most=_MOST)
    return environment


def _shown(value: object) -> object:
    """Text with its control characters spelled out; what is markup already stays."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value
