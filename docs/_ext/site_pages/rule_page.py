"""The page of a rule: the same headings on every one of them."""

from __future__ import annotations

import difflib
from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.report.rule_sections import TARGETS, Change, Code, Item, Prose, sections
from site_pages import markdown as md
from site_pages import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.report.rule_sections import Section
    from site_pages.fixes import Fixes

# Furo draws the whole tree beside every page: with a leaf for each rule it would drown it.
_ORPHAN = "---\norphan: true\n---\n\n"
_LANGUAGES = {Kind.PYTHON: "python", Kind.SHELL: "bash", Kind.DOCKERFILE: "docker"}
_SUFFIXES = {"toml": "toml", "yml": "yaml", "yaml": "yaml", "json": "json", "cfg": "ini"}
_TITLES = {
    "Why": "Why it matters",
    "Other SDK releases": "In other SDK releases",
    "Example": "Examples",
    "Left alone": "What is left alone",
}


def render(rule: Rule, fixes: Fixes) -> str:
    """The page, without a place in the tree: the pages of families and risks lead to it."""
    groups = groupby(sections(rule), key=lambda section: section.title)
    parts = {title: _group(rule, fixes, title, list(group)) for title, group in groups}
    sources = parts.pop("Sources", "")
    above = f"[Rules](index.md) / [{rule.family}]({rule.family}.md)"
    said = (_facts(rule, fixes), *parts.values(), _silence(rule), sources)
    title = f"{rule.code} {md.prose(rule.name)}"
    return _ORPHAN + md.page(title, above, md.prose(rule.summary), *said)


def _facts(rule: Rule, fixes: Fixes) -> str:
    facts = {"Risk": f"[{rule.risk.value}](by-risk.md#{rule.risk.value})"}
    if rule.family != "tool":  # what the tool says about itself has no fix and nothing to verify
        left = "; part of what it finds is left to a person" if fixes.some_left(rule) else ""
        facts["Risk"] += f" ({words.RISKS[rule.risk]})"
        facts["Fix"] = words.fix(rule, fixes) + left
        facts["Confidence"] = f"{rule.confidence} ({words.CONFIDENCE[rule.confidence]})"
        facts["Effort by hand"] = f"{rule.effort}, for what is not fixed"
        facts["Checked against"] = f"Neuron SDK {md.prose(rule.sdk)}"
    if rule.advice:
        facts["Advice"] = "reading cannot prove it: counted, listed with `--show-advice`"
    if rule.blocked:
        facts["Blocks"] = "what the code depends on has no way onto Neuron"
    return "\n".join(f":{name}: {said}" for name, said in facts.items())


def _group(rule: Rule, fixes: Fixes, title: str, group: list[Section]) -> str:
    """All sections of one title; several examples are numbered."""
    parts = [f"## {_TITLES.get(title, title)}"]
    for number, section in enumerate(group, 1):
        count = f"**Example {number}.** " if title == "Example" and len(group) > 1 else ""
        parts.append(f"{count}{md.sentence(section.note)}".strip())
        parts.append(md.bullets(_item(each) for each in section.parts if isinstance(each, Item)))
        for part in section.parts:
            if isinstance(part, Change):
                parts += _changed(rule, fixes, part)
            elif not isinstance(part, Item):
                parts.append(_block(part))
    return "\n\n".join(filter(None, parts))


def _item(item: Item) -> str:
    urls = ", ".join(f"<{source}>" for source in item.sources)
    said = md.prose(item.text[:1].upper() + item.text[1:])
    return f"{said} ({urls})" if said and urls else said or urls


def _block(part: Prose | Code) -> str:
    return md.paragraphs(part.text) if isinstance(part, Prose) else _code(part.text, part.path)


def _code(text: str, path: str) -> str:
    named = "" if kind_of(path) is Kind.PYTHON else f"In {md.code(path)}:\n\n"
    return named + md.fence(text, language(path))


def _changed(rule: Rule, fixes: Fixes, change: Change) -> Iterator[str]:
    """A diff for each target, or one for both where they agree."""
    reasons = "; ".join(fixes.reasons(rule, change.before))
    if not change.after:
        yield _code(change.before, change.path)
        yield f"Reported, not rewritten{': ' if reasons else ''}{md.prose(reasons)}."
        return
    if not fixes.rewrites(rule, change.before):
        yield "Reported, not rewritten. What other rules make of it:"
    named = "" if kind_of(change.path) is Kind.PYTHON else f" in {md.code(change.path)}"
    how = " and `--unsafe`" if change.unsafe else ""
    same = set(change.after) == set(TARGETS) and len(set(change.after.values())) == 1
    for target, after in list(change.after.items())[: 1 if same else None]:
        yield f"With {'either target' if same else f'`--target {target}`'}{how}{named}:"
        yield md.fence(diff(change.before, after), "diff")
    for target in (target for target in TARGETS if target not in change.after):
        yield f"With `--target {target}` this code is not rewritten."


def diff(before: str, after: str) -> str:
    """All lines, those that change marked."""
    old, new = (text.strip("\n").split("\n") for text in (before, after))
    lines = difflib.unified_diff(old, new, n=len(old) + len(new), lineterm="")
    return "\n".join(list(lines)[3:])


def language(path: str) -> str:
    """The lexer of a file, by its name."""
    suffix = path.rpartition(".")[2]
    return _SUFFIXES.get(suffix) or _LANGUAGES.get(kind_of(path) or Kind.MARKUP, "text")


def _silence(rule: Rule) -> str:
    if rule.family == "tool":
        return ""
    comment = md.code(f"# neuron-migrate: ignore[{rule.code}]")
    line = (
        f"For one line, with the comment {comment} on it; in a file that is not Python the comment "
        "may also stand alone on the line before. For a project:"
    )
    files = (
        "For some files see `per-file-ignores` in the [configuration]"
        "(../reference/configuration.md)."
    )
    setting = md.fence(f'[tool.neuron-migrate]\nignore = ["{rule.code}"]', "toml")
    return "\n\n".join(("## How to silence it", line, setting, files))
