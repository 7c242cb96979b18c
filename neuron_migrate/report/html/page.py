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
from neuron_migrate.report import exposure, risk_text, since
from neuron_migrate.report.html import code, tree
from neuron_migrate.report.html.code import Place
from neuron_migrate.report.layout import counted, one_line
from neuron_migrate.report.listing import in_order, place
from neuron_migrate.report.rehearsal import page as rehearsals
from neuron_migrate.report.risk import kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding, Target
    from neuron_migrate.rehearsal.model import Rehearsal
    from neuron_migrate.report.html.code import Text
    from neuron_migrate.report.risk import Summary
    from neuron_migrate.report.risk_text import Applied

_PACKAGE = "neuron_migrate.report.html"
_KINDS = {
    "fixed": "fixed",
    "safe": "fix --apply",
    "unsafe": "--unsafe",
    "by_hand": "by hand",
    "note": "to know",
    "advice": "advice",
}
_STYLES = ("style/page.css", "style/findings.css", "style/narrow.css")
_SCRIPTS = (
    "script/dom.js",
    "script/theme.js",
    "script/tree.js",
    "script/code.js",
    "script/filters.js",
    "script/places.js",
    "script/print.js",
)
"""In the order in which they need each other."""
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
    texts: Mapping[str, Text]
    """Each file before and after the fixes, by path; without them no code is shown."""
    rules: Mapping[str, Rule]
    """By code."""
    target: Target
    sdk: str
    unsafe: bool = False
    """Whether unsafe fixes are among those of the texts after."""
    applied: Applied | None = None
    fixed: Sequence[Finding] | None = None
    """Those that fixes have resolved; they describe the texts before, and ``findings`` the texts
    after. None while nothing is fixed: then ``findings`` describe the texts before.
    """
    rehearsal: Rehearsal | None = None
    """What running the program on a simulated device showed; None where it was not run."""


def render(report: Report) -> str:
    """The document; it loads nothing and links to nothing but the sources of the rules."""
    summary = report.summary
    places = _places(report)
    rows = tree.rows(summary.rows)
    by_path = groupby(places, key=lambda each: each.finding.path)
    listed = [(path, [*group]) for path, group in by_path]
    style, script = _assets(_STYLES), _assets(_SCRIPTS)
    shown = None
    if report.rehearsal is not None:
        shown = rehearsals.section(report.rehearsal, sdk=report.sdk)
        style += rehearsals.style()
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
            since=since.told(summary.since),
            verdict=risk_text.meaning(summary),
            read=risk_text.read(summary),
            applied=risk_text.applied(report.applied) if report.applied else "",
            remainder=risk_text.remainder(summary.counts),
            unverified=risk_text.unverified(summary.unverified),
            limits=risk_text.LIMITS,
            rehearsal=shown,
            numbers={id(each.finding): each.number for each in places},
            places=places,
            files=listed,
            anchors={path: number for number, (path, _) in enumerate(listed)},
            verdicts={row.path: row.verdict for row in summary.rows},
            tree=rows,
            folders=tree.folders(path for path, _ in listed),
            by_risk={risk.value: counts for risk, counts in summary.by_risk.items()},
            rules=_rules(report),
            tallies=_tallies(places),
            open=len(places) <= _MANY,
            folded=len(rows) > _TALL,
            data=Markup(code.block(listed, report.texts)),
        )
    )


def _places(report: Report) -> list[Place]:
    """What is left and what is fixed, in the order of the code."""
    done = report.fixed or ()
    fixed = {id(each) for each in done}
    return [
        Place(
            number=number,
            finding=each,
            kind="fixed" if id(each) in fixed else _kind(each),
            resolved=id(each) in fixed or _resolved(report, each),
            after=report.fixed is not None and id(each) not in fixed,
        )
        for number, each in enumerate(in_order([*report.findings, *done]))
    ]


def _kind(finding: Finding) -> str:
    return "advice" if finding.advice else kind(finding)


def _resolved(report: Report, finding: Finding) -> bool:
    """Whether the fix is one of those that the texts after have; what is left after them is not."""
    permitted = finding.fix == "safe" or (report.unsafe and finding.fix == "unsafe")
    return permitted and report.fixed is None


def _rules(report: Report) -> list[Rule]:
    """The rules that the page speaks of."""
    codes = {each.code for each in (*report.findings, *(report.fixed or ()))} | {
        *report.summary.advice
    }
    return [report.rules[each] for each in sorted(codes) if each in report.rules]


def _tallies(places: Sequence[Place]) -> dict[str, dict[str, int]]:
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
def _assets(names: tuple[str, ...]) -> Markup:
    """Files that the page holds as they are: ours, so nothing in them is escaped."""
    folder = files(_PACKAGE) / "templates"
    return Markup("".join((folder / name).read_text(encoding="utf-8") for name in names))


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
