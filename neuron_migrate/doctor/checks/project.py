"""Whether what a project declares goes with a release of the SDK."""

from __future__ import annotations

import shlex
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.doctor.checks.advice import PLUGIN
from neuron_migrate.doctor.verdict import Check, Verdict
from neuron_migrate.engine.texts.facts import PackageIndex, Requirement
from neuron_migrate.engine.texts.markers import may_hold
from neuron_migrate.engine.texts.versions import meet, series
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.machine import MachineFacts
    from neuron_migrate.catalog.versions import Package, Release
    from neuron_migrate.doctor.project import Declaration, Project
    from neuron_migrate.finding import Finding

    _Asked = tuple[Declaration, Requirement]

_check = partial(Check, section="project")
_SHOWN = 3


def checks(
    project: Project, catalog: Catalog, release: Release, facts: MachineFacts
) -> Iterator[Check]:
    """What there is to say about the declarations."""
    for path, reason in project.unread:
        yield _check(name="unread", seen=path, verdict=Verdict.UNKNOWN, means=f"Not read: {reason}")
    if not project.declarations:
        yield _nothing()
    found: dict[tuple[str, str], list[Declaration]] = {}
    for each in project.declarations:
        if each.finding is not None:
            said = each.finding.message if _is_serious(each.finding) else ""
            found.setdefault((each.finding.code, said), []).append(each)
    for declared in found.values():
        yield _found(declared, catalog)
    fine = [each for each in project.declarations if each.finding is None]
    asked = [(each, each.fact) for each in fine if isinstance(each.fact, Requirement)]
    python = release.versions("python")
    here = [(each, fact) for each, fact in asked if may_hold(fact.marker, python)]
    yield from _family(here, release, facts)
    for package in release.packages:
        yield from _allowed(package, here, release)


def _nothing() -> Check:
    return _check(
        name="declarations",
        seen="no declared dependencies",
        verdict=Verdict.UNKNOWN,
        means="They are looked for in requirements files, pyproject.toml, Pipfile, setup.cfg and"
        " environments of conda.",
    )


def _found(declared: Sequence[Declaration], catalog: Catalog) -> Check:
    """What a rule says about one or more places; of what is only a note, the first speaks."""
    finding = declared[0].finding
    assert finding is not None, "they were gathered by what is said about them"
    rule = catalog.rule(finding.code)
    paths = sorted({each.finding.path for each in declared if each.finding})
    only = f"--select {finding.code} {shlex.join(paths)}"
    fix = {
        "safe": f"neuron-migrate fix --apply {only}",
        "unsafe": f"neuron-migrate fix --apply --unsafe {only}",
    }
    return _check(
        name=finding.code,
        seen=_places(declared),
        verdict=Verdict.PROBLEM if _is_serious(finding) else Verdict.NOTE,
        means=finding.message,
        fix=fix.get(finding.fix or "", ""),
        sources=rule.sources if rule else (),
    )


def _is_serious(finding: Finding) -> bool:
    return finding.risk.rank <= Risk.CPU.rank and not finding.advice


def _family(asked: Sequence[_Asked], release: Release, facts: MachineFacts) -> Iterator[Check]:
    """Files that ask for a torch and a torch-neuronx that are not made for each other."""
    minors = list(series(release.versions("torch")))
    for path, group in groupby(asked, key=lambda each: each[0].path):
        by_name = {fact.name: fact for _, fact in group}
        torch, plugin = by_name.get("torch"), by_name.get(PLUGIN)
        if torch is None or plugin is None or torch.url or plugin.url or not minors:
            continue
        both = (torch.specifier, plugin.specifier)
        if not any(all(meet(each, f"=={minor}.*") for each in both) for minor in minors):
            yield _check(
                name="family",
                seen=f"{torch.text} with {plugin.text} in {path}",
                verdict=Verdict.PROBLEM,
                means="A torch-neuronx is built for one minor release of torch, the one it is"
                " named after.",
                fix=f"Ask for the same minor release of both: {' or '.join(minors)}.",
                sources=(facts.sources.family,),
            )


def _allowed(package: Package, asked: Sequence[_Asked], release: Release) -> Iterator[Check]:
    """Where a package is asked for in versions that go."""
    by_text: dict[str, list[_Asked]] = {}
    for each in asked:
        if each[1].name == package.name:
            by_text.setdefault(each[1].text, []).append(each)
    name = package.name.replace("python", "Python")
    goes = f"Neuron SDK {release.sdk} goes with {name} {package.versions}."
    for places in by_text.values():
        fact = places[0][1]
        says = partial(_check, name=package.name, seen=_places([each for each, _ in places]))
        says = partial(says, sources=package.sources)
        if fact.url:
            means = f"{goes} Which version the address gives is not known."
            yield says(verdict=Verdict.UNKNOWN, means=means)
        elif meet(fact.specifier, package.versions):
            yield says(verdict=Verdict.OK, means=goes)
        else:
            means = f"{goes} A comment in the file silences what would be said."
            yield says(verdict=Verdict.NOTE, means=means)


def _places(declared: Sequence[Declaration]) -> str:
    """``torch==2.13 in a.txt:1, b.txt:4 and 2 more``."""
    places: list[str] = []
    last = ""
    for each in declared[:_SHOWN]:
        text = _text(each.fact)
        place = f"{each.path}:{each.line}"
        places.append(place if text == last else f"{text} in {place}")
        last = text
    more = f" and {len(declared) - _SHOWN} more" if len(declared) > _SHOWN else ""
    return f"{', '.join(places)}{more}"


def _text(fact: Requirement | PackageIndex) -> str:
    """What is written; a requirement of Python is often a version alone."""
    if isinstance(fact, PackageIndex):
        return fact.url
    bare = fact.name == "python" and "python" not in fact.text
    return f"Python {fact.text}" if bare else fact.text
