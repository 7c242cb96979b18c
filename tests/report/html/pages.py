"""Pages for the tests, and a strict look at them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import html5lib

from neuron_migrate.catalog.patterns import NamesMatch
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.finding import Edit, FileResult, Finding, Risk, Shapes
from neuron_migrate.report.html.code import Text
from neuron_migrate.report.html.page import Report, render
from neuron_migrate.report.listing import listed
from neuron_migrate.report.risk import Skip, summarise
from tests.report import factory as make

if TYPE_CHECKING:
    from collections.abc import Sequence

CODE = 'import torch\n\nx = torch.device("cuda")\ny = x\n'
FIXED = CODE.replace("cuda", "neuron")
SOURCE = "https://example.org/facts"


def rule(code: str, **given: Any) -> Rule:
    facts: dict[str, Any] = {
        "name": "some-rule",
        "summary": "What is `found`.",
        "risk": Risk.BREAKS,
        "confidence": "documented",
        "effort": "low",
        "why": "One reason.\n\nAnother.",
        "fix_safety": "Safe.",
        "sources": (SOURCE,),
        "sdk": "2.33",
        "triggers": ("cuda",),
        "match": NamesMatch(names=()),
        "family": "device",
    }
    return Rule(code=code, **{**facts, **given})


def edit(text: str, old: str, new: str) -> tuple[Edit, ...]:
    """The edit that replaces the first of its kind."""
    start = text.index(old)
    return (Edit(start, start + len(old), new),)


def fixed(**given: Any) -> Finding:
    """A finding in CODE, with its fix."""
    edits = edit(CODE, '"cuda"', '"neuron"')
    return make.finding(**{"column": 18, "end_column": 24, "edits": edits} | given)


def page(
    *results: FileResult,
    texts: dict[str, Text] | None = None,
    skipped: tuple[Skip, ...] = (),
    fixed: Sequence[Finding] | None = None,
) -> str:
    findings = listed(results, show_advice=True)
    codes = {finding.code for finding in (*findings, *(fixed or ()))}
    return render(
        Report(
            findings=findings,
            summary=summarise(results, skipped),
            texts=texts or {},
            rules={code: rule(code) for code in codes},
            target="neuron",
            sdk="2.33",
            fixed=fixed,
        )
    )


def everything() -> str:
    """A page with something in every part."""
    long = make.advice(path="lib/b.py", shapes=Shapes(at_most=500, in_buckets=4))
    open_ = make.advice(path="lib/b.py", line=9, shapes=Shapes())
    return page(
        make.result(fixed(), make.unsafe(), make.manual(), make.note()),
        make.result(long, open_, make.blocker(path="lib/b.py"), path="lib/b.py"),
        make.result(make.failure(path="c.py"), path="c.py", failed=True),
        texts={"train.py": Text(CODE, FIXED)},
        skipped=(Skip("gone.py", "leads nowhere"), Skip("big.py", "is generated", False)),
    )


def parsed(text: str) -> Any:
    """The tree of a page that an HTML parser has no complaint about."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(text)


def data(text: str) -> Any:
    """What a page holds of the code."""
    return json.loads(parsed(text).find(".//script[@id='code']").text)


def rows(text: str) -> list[Any]:
    """The code of the files of a page: ``(before, after)``, or the place of findings."""
    shown = [part for parts in data(text)["files"] for part in parts or () if not part.get("fold")]
    return [_row(row) for part in shown for row in part["rows"]]


def _row(row: Any) -> Any:
    if isinstance(row, dict):
        return row
    return (plain(row[1]), plain(row[3])) if len(row) == 4 else (plain(row[2]),) * 2


def plain(line: Any) -> str | None:
    """A line without its marks."""
    return line if line is None or isinstance(line, str) else "".join(run[1] for run in line)
