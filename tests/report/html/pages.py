"""Pages for the tests, and a strict look at them."""

from __future__ import annotations

from typing import Any

import html5lib

from neuron_migrate.catalog.patterns import NamesMatch
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.finding import Edit, FileResult, Finding, Risk, Shapes
from neuron_migrate.report.html.code import entries
from neuron_migrate.report.html.page import Report, render
from neuron_migrate.report.listing import listed
from neuron_migrate.report.risk import Skip, summarise
from tests.report import factory as make

CODE = 'import torch\n\nx = torch.device("cuda")\ny = x\n'
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


def fixed(**given: Any) -> Finding:
    """A finding in CODE, with its fix."""
    start = CODE.index('"cuda"')
    edits = (Edit(start, start + 6, '"neuron"'),)
    return make.finding(**{"column": 18, "end_column": 24, "edits": edits} | given)


def page(
    *results: FileResult, texts: dict[str, str] | None = None, skipped: tuple[Skip, ...] = ()
) -> str:
    findings = listed(results, show_advice=True)
    codes = {finding.code for finding in findings}
    return render(
        Report(
            findings=findings,
            summary=summarise(results, skipped),
            code=entries(findings, texts or {}),
            rules={code: rule(code) for code in codes},
            target="neuron",
            sdk="2.33",
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
        texts={"train.py": CODE},
        skipped=(Skip("gone.py", "leads nowhere"), Skip("big.py", "is generated", False)),
    )


def parsed(text: str) -> Any:
    """The tree of a page that an HTML parser has no complaint about."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(text)
