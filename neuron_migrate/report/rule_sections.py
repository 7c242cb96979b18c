"""What there is to say about a rule, in sections that each formatter lays out in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.schema import Example, Rule
    from neuron_migrate.catalog.versions import Version
    from neuron_migrate.finding import Target

REASONS = frozenset({"Why", "Fix safety", "The sources disagree", "Sources"})
"""The titles of what a person wants to know before a fix is made."""
TARGETS: tuple[Target, ...] = ("neuron", "accelerator")


class Prose(msgspec.Struct, frozen=True):
    """Paragraphs, with code in backticks."""

    text: str


class Item(msgspec.Struct, frozen=True):
    """An entry of a list; it may be nothing but its sources."""

    text: str
    sources: tuple[str, ...] = ()


class Code(msgspec.Struct, frozen=True):
    """Code that stays as it is, in a file of that name."""

    text: str
    path: str


class Change(msgspec.Struct, frozen=True):
    """Code before, and what it becomes for the targets that rewrite it."""

    before: str
    after: dict[Target, str]
    unsafe: bool
    path: str


class Section(msgspec.Struct, frozen=True):
    """Something about the rule, under a fixed title."""

    title: str
    parts: tuple[Prose | Item | Code | Change, ...]
    note: str = ""
    """What the title does not say about this one of several."""


def sections(rule: Rule) -> Iterator[Section]:
    """Everything but the summary, in the order of a page."""
    yield Section("Why", (Prose(rule.why),))
    yield Section("Fix safety", (Prose(rule.fix_safety),))
    if rule.not_fixed and rule.not_fixed not in rule.fix_safety:
        yield Section("Not fixed", (Prose(f"Left to a person: {rule.not_fixed.rstrip('.')}."),))
    if rule.disputed:
        claims = (Item(f"{each.who} says {each.says}", (each.source,)) for each in rule.disputed)
        yield Section("The sources disagree", tuple(claims))
    if rule.versions:
        yield Section("Other SDK releases", tuple(map(_version, rule.versions)))
    for example in rule.examples:
        yield Section("Example", (_change(example),), example.note)
    for untouched in rule.untouched:
        code = Code(untouched.code, untouched.path)
        yield Section("Left alone", (code,), untouched.note)
    if rule.sources:
        yield Section("Sources", tuple(Item("", (source,)) for source in rule.sources))


def _version(version: Version) -> Item:
    """In which releases the rule is another one, and what it says there."""
    since = f"from {version.since}" if version.since else ""
    until = f"before {version.until}" if version.until else ""
    risk = f"risk {version.risk.value}." if version.risk else ""
    said = (risk, version.summary, version.why) if version.holds else ("the rule does not hold.",)
    span = " and ".join(filter(None, (since, until)))
    return Item(f"{span}: {' '.join(part.strip() for part in said if part)}", version.sources)


def _change(example: Example) -> Change:
    after = {target: getattr(example, target) for target in TARGETS}
    written = {target: text for target, text in after.items() if text is not None}
    return Change(example.before, written, example.unsafe, example.path)
