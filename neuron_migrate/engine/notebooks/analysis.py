"""A notebook: from its JSON to findings, with the edits of the JSON that fix them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.engine import suppression
from neuron_migrate.engine.declined import declines_nothing, placed_by
from neuron_migrate.engine.findings import UNUSED, unreadable
from neuron_migrate.engine.notebooks.module import Module
from neuron_migrate.engine.texts.facts import Reading, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.analysis import Analyzer
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.texts.analysis import TextAnalyzer
    from neuron_migrate.finding import Finding

_NOT_IN_A_CELL = "the fix reaches over more than one cell, or over what only IPython reads"


class NotebookAnalyzer:
    """The rules of a run, ready to look at one notebook after another."""

    def __init__(self, catalog: Catalog, python: Analyzer, texts: TextAnalyzer) -> None:
        self._catalog = catalog
        self._python = python
        self._texts = texts

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        """The findings of a notebook, by cell and line, without those that are declined.

        Raises AnalysisError for what is no notebook.
        """
        module = Module(text)
        found = self._found(module, path, placed_by(module.place, declined))
        lines_at = {e.start for each in found for e in each.edits if e.start == e.end}
        placed = [self._placed(each, module, lines_at) for each in found]
        placed += self._unread(module, path)
        return sorted(placed, key=lambda each: (each.cell or 0, each.line, each.column, each.code))

    def check(self, before: str, after: str, path: str) -> None:
        """Every cell that was Python is Python after.

        Raises AnalysisError.
        """
        old, new = Module(before), Module(after)
        broken = [each.problem for each in new.cells if each.problem is not None]
        if len(broken) > sum(each.problem is not None for each in old.cells):
            raise broken[-1]
        self._python.check(old.python, new.python, path)

    def _found(self, module: Module, path: str, declined: Declined) -> list[Finding]:
        """What is found in the Python and in the rest; a comment may speak of both."""
        comments = suppression.find(module.python, module.lines).comments
        spans = [Span(each.start, each.end) for each in comments]
        reading = Reading([*module.shell.facts], [*module.shell.comments, *spans])
        python = self._python.analyse(module.python, path, declined)
        texts = self._texts.findings(module.source, path, reading, declined)
        shared = {module.lines.position(each.start) for each in comments}
        unused = _unused(python) & _unused(texts)
        return [
            *(
                self._within_python(each, module)
                for each in python
                if each.code != UNUSED or _place(each) in unused
            ),
            *(each for each in texts if each.code != UNUSED or _place(each) not in shared),
        ]

    def _within_python(self, finding: Finding, module: Module) -> Finding:
        return self._unfixed(finding) if any(map(module.hides, finding.edits)) else finding

    def _placed(self, finding: Finding, module: Module, lines_at: set[int]) -> Finding:
        """A finding about the module as one about its cell."""
        each = module.at(module.lines.offset(finding.line, finding.column))
        above = module.lines.position(each.start)[0] - 1
        edits = module.translated(finding.edits, lines_at)
        return msgspec.structs.replace(
            finding if edits is not None else self._unfixed(finding),
            cell=each.cell.number,
            line=finding.line - above,
            end_line=finding.end_line - above,
            edits=edits or (),
            span=(module.place(finding.span[0]), module.place(finding.span[1])),
        )

    def _unfixed(self, finding: Finding) -> Finding:
        rule = self._catalog.rule(finding.code)
        effort = rule.effort if rule else finding.effort
        return msgspec.structs.replace(
            finding, fix=None, edits=(), not_fixed=_NOT_IN_A_CELL, effort=effort
        )

    def _unread(self, module: Module, path: str) -> Iterator[Finding]:
        """The cells that are no Python."""
        for each in module.cells:
            if each.problem is not None:
                reason, line, column = each.problem.reason, each.problem.line, each.problem.column
                finding = unreadable(self._catalog, path, f"the cell has a {reason}", line, column)
                yield msgspec.structs.replace(finding, cell=each.cell.number)


def _unused(findings: list[Finding]) -> set[tuple[int, int]]:
    """Where comments stand that silence nothing."""
    return {_place(each) for each in findings if each.code == UNUSED}


def _place(finding: Finding) -> tuple[int, int]:
    return finding.line, finding.column
