"""What changes with the target and with the release of the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.rule_sections import TARGETS, sections
from site_pages import markdown as md

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Example, Rule
    from neuron_migrate.catalog.versions import Platform, Release
    from neuron_migrate.finding import Target
    from site_pages.fixes import Fixes


def by_target(rules: Iterable[Rule], fixes: Fixes) -> str:
    """Every rule whose examples show another result for each target."""
    rows = [(rule, example) for rule in rules if (example := _differing(rule, fixes)) is not None]
    entries = "\n".join(_entry(rule, example) for rule, example in rows)
    return md.page(
        "What changes per target",
        "`--target neuron`, the default, writes explicit Neuron code. `--target accelerator` "
        "writes code for CUDA, Neuron and CPU machines; "
        "[Portable code](../guides/portable-code.md) says when to choose which.",
        f"These {len(rows)} rules write something else for each. The lines are what the first "
        "differing example of the rule gets; the rest write the same for both, or only report.",
        "````{list-table}\n:header-rows: 1\n:widths: 20 40 40\n:class: targets\n\n"
        "* - Rule\n  - `--target neuron`\n  - `--target accelerator`\n"
        f"{entries}\n````",
    )


def _differing(rule: Rule, fixes: Fixes) -> Example | None:
    examples = (each for each in rule.examples if each.neuron != each.accelerator)
    return next((each for each in examples if fixes.rewrites(rule, each.before)), None)


def _entry(rule: Rule, example: Example) -> str:
    cells = (_written(example, target) for target in TARGETS)
    name = f"[{rule.code}]({rule.code}.md) {md.prose(rule.name)}"
    return "\n".join((f"* - {name}", *(f"  - {cell}" for cell in cells)))


def _written(example: Example, target: Target) -> str:
    """The lines that only this target writes; what takes ``--unsafe`` says so."""
    text = getattr(example, target)
    if text is None:
        return "not rewritten"
    other = getattr(example, TARGETS[1 - TARGETS.index(target)])
    known = set((example.before if other is None else other).split("\n"))
    lines = [line.strip() for line in text.split("\n") if line not in known]
    said = "\n\n    ".join(filter(None, map(md.code, lines))) or "a line less"
    return f"{said}\n\n    (with `--unsafe`)" if example.unsafe else said


def by_release(catalog: Catalog) -> str:
    """The releases the catalog tells apart, and what is different in each."""
    rules = [rule for rule in catalog.rules if rule.versions]
    rows = [
        (md.prose(each.sdk), each.date, md.prose(each.stage), _links(each.sources))
        for each in reversed(catalog.releases)
    ]
    return md.page(
        "What changes per SDK release",
        f"`--sdk VERSION`, or `sdk` in the configuration, reads the code for one of these releases "
        f"of the Neuron SDK; without it, for {catalog.sdk}.",
        md.table(("SDK", "Released", "TorchNeuron", "Sources"), rows),
        "## Rules that say something else",
        md.bullets(_versions(rule) for rule in rules),
        *(_release(each) for each in reversed(catalog.releases)),
    )


def _versions(rule: Rule) -> str:
    [section] = (each for each in sections(rule) if each.title == "Other SDK releases")
    said = " ".join(md.prose(getattr(part, "text", "")) for part in section.parts)
    return f"[{rule.code}]({rule.code}.md) {md.prose(rule.name)}, {said}"


def _release(release: Release) -> str:
    """What ``doctor`` holds a machine and a project against."""
    packages = [
        (md.code(each.name), md.code(each.versions), _links(each.sources))
        for each in release.packages
    ]
    platforms = [*_platforms("system", release.systems), *_platforms("instance", release.instances)]
    if not packages and not platforms:
        return ""
    return "\n\n".join(
        (
            f"## What SDK {md.prose(release.sdk)} supports",
            "What `doctor` holds a machine and a project against.",
            *([md.table(("Package", "Versions", "Sources"), packages)] if packages else []),
            *([md.table(("Kind", "Name", "Supported", "Sources"), platforms)] if platforms else []),
        )
    )


def _platforms(kind: str, platforms: Iterable[Platform]) -> Iterator[tuple[str, ...]]:
    for each in platforms:
        answer = "Yes" if each.supported else "No"
        doubt = ", but the sources disagree" if each.disputed else ""
        said = f"{answer}{doubt}. {md.prose(each.note)}".strip()
        claimed = tuple(claim.source for claim in each.disputed)
        yield kind, md.prose(each.name), said, _links((*each.sources, *claimed))


def _links(sources: Iterable[str]) -> str:
    """Numbers, as the addresses would make the table very wide."""
    return ", ".join(f"[{place}](<{url}>)" for place, url in enumerate(sources, 1))
