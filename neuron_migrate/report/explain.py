"""One rule as ``explain`` prints it: what it finds, why, how sure, and before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.layout import item, paragraph
from neuron_migrate.report.rule_sections import (
    REASONS,
    Change,
    Code,
    Item,
    Prose,
    Section,
    sections,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule


def render(rule: Rule) -> str:
    """The rule as a plain text page with fixed headings."""
    return _page(rule, sections(rule))


def reasons(rule: Rule) -> str:
    """What a person needs who is asked about a fix: why, how safe it is, and who says so."""
    asked = (each for each in sections(rule) if each.title in REASONS)
    return _page(rule, asked)


def _page(rule: Rule, shown: Iterable[Section]) -> str:
    parts = (_head(rule), *map(_section, shown))
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in parts)


def _head(rule: Rule) -> list[str]:
    facts = f"risk {rule.risk.value}, {rule.confidence}, effort by hand {rule.effort}"
    kinds = [word for word, on in (("advice", rule.advice), ("blocks", rule.blocked)) if on]
    return [
        f"{rule.code} {rule.name} ({rule.family})",
        *paragraph(rule.summary),
        ", ".join((facts, *kinds, f"checked against Neuron SDK {rule.sdk}")),
    ]


def _section(section: Section) -> list[str]:
    title, note = section.title, section.note
    head = paragraph(f"{title}: {note}" if note.strip() else title)
    return [*head, *(line for part in section.parts for line in _part(part))]


def _part(part: Prose | Item | Code | Change) -> list[str]:
    if isinstance(part, Prose):
        return _prose(part.text)
    if isinstance(part, Item):
        return _item(part)
    return _code(part.text) if isinstance(part, Code) else _change(part)


def _item(entry: Item) -> list[str]:
    urls = ", ".join(entry.sources)
    if not entry.text:
        return [f"  {urls}"]
    return item(f"{entry.text} ({urls})" if urls else entry.text)


def _change(change: Change) -> list[str]:
    how = ", with --unsafe" if change.unsafe else ""
    lines = [
        line
        for target, after in change.after.items()
        for line in (f"  after (--target {target}{how})", *_code(after))
    ]
    return ["  before", *_code(change.before), *(lines or ["  reported, not rewritten"])]


def _prose(text: str) -> list[str]:
    """Paragraphs stay apart, the lines of one are joined."""
    parts = [paragraph(part, first="  ", rest="  ") for part in text.strip().split("\n\n")]
    return [line for part in parts for line in ("", *part)][1:]


def _code(code: str) -> list[str]:
    return [f"      {line}".rstrip() for line in code.strip("\n").split("\n")]
