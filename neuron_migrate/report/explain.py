"""One rule as ``explain`` prints it: what it finds, why, how sure, and before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.layout import item, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.schema import Example, Rule
    from neuron_migrate.catalog.versions import Version

_TARGETS = ("neuron", "accelerator")


def render(rule: Rule) -> str:
    """The rule as a plain text page with fixed headings."""
    sections = (_head(rule), *_sections(rule))
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections)


def reasons(rule: Rule) -> str:
    """What a person needs who is asked about a fix: why, how safe it is, and who says so."""
    sections = (_head(rule), *_reasons(rule), *_sources(rule))
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections)


def _head(rule: Rule) -> list[str]:
    facts = f"risk {rule.risk.value}, {rule.confidence}, effort by hand {rule.effort}"
    kinds = [word for word, on in (("advice", rule.advice), ("blocks", rule.blocked)) if on]
    return [
        f"{rule.code} {rule.name} ({rule.family})",
        *paragraph(rule.summary),
        ", ".join((facts, *kinds, f"checked against Neuron SDK {rule.sdk}")),
    ]


def _sections(rule: Rule) -> Iterator[list[str]]:
    yield from _reasons(rule)
    if rule.versions:
        yield ["Other SDK releases", *(line for each in rule.versions for line in _version(each))]
    for example in rule.examples:
        yield _example(example)
    for untouched in rule.untouched:
        yield [*_titled("Left alone", untouched.note), *_code(untouched.code)]
    yield from _sources(rule)


def _reasons(rule: Rule) -> Iterator[list[str]]:
    yield ["Why", *_prose(rule.why)]
    yield ["Fix safety", *_prose(rule.fix_safety)]
    if rule.disputed:
        claims = [item(f"{each.who} says {each.says} ({each.source})") for each in rule.disputed]
        yield ["The sources disagree", *(line for lines in claims for line in lines)]


def _sources(rule: Rule) -> Iterator[list[str]]:
    if rule.sources:
        yield ["Sources", *(f"  {source}" for source in rule.sources)]


def _version(version: Version) -> list[str]:
    """In which releases the rule is another one, and what it says there."""
    since = f"from {version.since}" if version.since else ""
    until = f"before {version.until}" if version.until else ""
    risk = f"risk {version.risk.value}." if version.risk else ""
    said = (risk, version.summary, version.why) if version.holds else ("the rule does not hold.",)
    span = " and ".join(filter(None, (since, until)))
    return item(f"{span}: {' '.join(part.strip() for part in said if part)}")


def _example(example: Example) -> list[str]:
    how = ", with --unsafe" if example.unsafe else ""
    afters = {target: getattr(example, target) for target in _TARGETS}
    lines = [
        line
        for target, after in afters.items()
        if after is not None
        for line in (f"  after (--target {target}{how})", *_code(after))
    ]
    before = [*_titled("Example", example.note), "  before", *_code(example.before)]
    return [*before, *(lines or ["  reported, not rewritten"])]


def _titled(title: str, note: str) -> list[str]:
    return paragraph(f"{title}: {note}" if note.strip() else title)


def _prose(text: str) -> list[str]:
    """Paragraphs stay apart, the lines of one are joined."""
    parts = [paragraph(part, first="  ", rest="  ") for part in text.strip().split("\n\n")]
    return [line for part in parts for line in ("", *part)][1:]


def _code(code: str) -> list[str]:
    return [f"      {line}".rstrip() for line in code.strip("\n").split("\n")]
