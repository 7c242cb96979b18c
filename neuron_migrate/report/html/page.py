"""The page: everything a run found, in one file."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from neuron_migrate import __version__
from neuron_migrate.finding import BUCKET, Risk
from neuron_migrate.report import exposure, risk_text
from neuron_migrate.report.html import code, tree
from neuron_migrate.report.layout import counted, one_line
from neuron_migrate.report.listing import place
from neuron_migrate.report.risk import kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding, Target
    from neuron_migrate.report.risk import Summary
    from neuron_migrate.report.risk_text import Applied

_PACKAGE = "neuron_migrate.report.html"
_KINDS = {
    "safe": "fix --apply",
    "unsafe": "--unsafe",
    "by_hand": "by hand",
    "note": "to know",
    "advice": "advice",
}
_NAMES = re.compile("`([^`]+)`")
_MANY = 300
"""More findings than this are folded away at first."""

_TALL = 60
"""A tree with more rows than this is closed at first."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page is made of."""

    findings: Sequence[Finding]
    """Those to list, in order."""
    summary: Summary
    code: Sequence[code.Entry]
    """The code to show for each of them."""
    rules: Mapping[str, Rule]
    """By code."""
    target: Target
    sdk: str
    applied: Applied | None = None


class _Place(msgspec.Struct, frozen=True):
    """A finding and its number, by which the page knows it."""

    number: int
    finding: Finding
    kind: str


def render(report: Report) -> str:
    """The document; it loads nothing and links to nothing but the sources of the rules."""
    summary, found = report.summary, report.findings
    places = [_Place(number, each, _kind(each)) for number, each in enumerate(found)]
    rows = tree.rows(summary.rows)
    by_path = groupby(places, key=lambda each: each.finding.path)
    style, script = _asset("report.css"), _asset("report.js")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            summary=summary,
            version=__version__,
            style=style,
            script=script,
            policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)};"
            " base-uri 'none'; form-action 'none'",
            verdict=risk_text.meaning(summary),
            read=risk_text.read(summary),
            applied=risk_text.applied(report.applied) if report.applied else "",
            remainder=risk_text.remainder(summary.counts),
            unverified=risk_text.unverified(summary.unverified),
            limits=risk_text.LIMITS,
            numbers={id(each): number for number, each in enumerate(found)},
            files=[(path, [*group]) for path, group in by_path],
            anchors={path: number for number, path in enumerate(_paths(found))},
            verdicts={row.path: row.verdict for row in summary.rows},
            tree=rows,
            folders=[row.path for row in rows if row.folder],
            by_risk={risk.value: counts for risk, counts in summary.by_risk.items()},
            rules=_rules(report),
            tallies=_tallies(places),
            open=len(found) <= _MANY,
            folded=len(rows) > _TALL,
            data=Markup(code.block(report.code)),
        )
    )


def _kind(finding: Finding) -> str:
    return "advice" if finding.advice else kind(finding)


def _paths(found: Sequence[Finding]) -> Iterator[str]:
    yield from dict.fromkeys(finding.path for finding in found)


def _rules(report: Report) -> list[Rule]:
    """The rules that the page speaks of."""
    codes = {finding.code for finding in report.findings} | {*report.summary.advice}
    return [report.rules[each] for each in sorted(codes) if each in report.rules]


def _tallies(places: Sequence[_Place]) -> dict[str, dict[str, int]]:
    """How many findings each choice of a filter leaves, in the order it is offered."""
    orders = {
        "risk": [risk.value for risk in Risk],
        "family": sorted({each.finding.family for each in places}),
        "kind": [*_KINDS],
    }
    values = {
        "risk": [each.finding.risk.value for each in places],
        "family": [each.finding.family for each in places],
        "kind": [each.kind for each in places],
    }
    counts = {
        name: {choice: values[name].count(choice) for choice in order}
        for name, order in orders.items()
    }
    return {name: {k: v for k, v in each.items() if v} for name, each in counts.items()}


@cache
def _asset(name: str) -> Markup:
    """A file that the page holds as it is: ours, so nothing in it is escaped."""
    return Markup((files(_PACKAGE) / "templates" / name).read_text(encoding="utf-8"))


def _hash(asset: str) -> str:
    """What lets a browser run or apply this one and nothing else."""
    return f"'sha256-{b64encode(sha256(asset.encode()).digest()).decode()}'"


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
    environment.globals.update(
        bucket=BUCKET, counted=counted, exposure=exposure, id=id, kinds=_KINDS, place=place
    )
    environment.filters.update(paragraphs=_paragraphs, prose=_prose)
    return environment


def _shown(value: object) -> object:
    """Text with its control characters spelled out; what is markup already stays."""
    return one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str) -> Markup:
    """Text in which names between backticks are code."""
    return Markup(_NAMES.sub(r"<code>\1</code>", str(escape(one_line(text)))))


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.strip().split("\n\n")]
