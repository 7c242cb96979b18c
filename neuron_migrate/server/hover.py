"""What ``explain`` says about a rule, as Markdown."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from neuron_migrate.report.layout import one_line
from neuron_migrate.report.rule_sections import Change, Code, Item, Prose, Section, sections

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule

_LANGUAGES = {".py": "python", ".sh": "sh", ".yaml": "yaml", ".json": "json", ".toml": "toml"}


def explained(rule: Rule) -> str:
    """The whole page of a rule."""
    facts = f"risk {rule.risk.value}, {rule.confidence}, checked against Neuron SDK {rule.sdk}"
    head = f"**{rule.code}** {_words(rule.name)} ({facts})"
    return "\n\n".join((head, _words(rule.summary), *map(_section, sections(rule))))


def _section(section: Section) -> str:
    title = f"**{section.title}**" + (f": {_words(section.note)}" if section.note else "")
    between = "\n" if all(isinstance(part, Item) for part in section.parts) else "\n\n"
    return f"{title}\n\n{between.join(map(_part, section.parts))}"


def _part(part: Prose | Item | Code | Change) -> str:
    if isinstance(part, Prose):
        return "\n\n".join(map(_words, part.text.strip().split("\n\n")))
    if isinstance(part, Item):
        words = [_words(part.text)] if part.text else []
        return "* " + " ".join([*words, *(f"<{source}>" for source in part.sources)])
    return _fenced(part.text, part.path) if isinstance(part, Code) else _change(part)


def _change(change: Change) -> str:
    how = ", with --unsafe" if change.unsafe else ""
    afters = [
        f"after (target {target}{how})\n\n{_fenced(text, change.path)}"
        for target, text in change.after.items()
    ]
    before = _fenced(change.before, change.path)
    return "\n\n".join((before, *(afters or ["reported, not rewritten"])))


def _fenced(code: str, path: str) -> str:
    fence = "```" if "```" not in code else "~~~~"
    language = _LANGUAGES.get(PurePosixPath(path).suffix, "")
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _words(text: str) -> str:
    """In one line; not escaped, as some editors show Markdown as it is written."""
    return one_line(" ".join(text.split()))
