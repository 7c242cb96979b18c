"""A document: from its blocks of code to findings, with the edits of the document that fix them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.declined import declines_nothing, placed_by
from neuron_migrate.engine.markup.document import Document
from neuron_migrate.engine.markup.python import UNPACKED
from neuron_migrate.files.kinds import Kind
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.analysis import Analyzer
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.markup.code import Code
    from neuron_migrate.engine.texts.analysis import TextAnalyzer
    from neuron_migrate.finding import Finding

_NAMES = {
    Kind.SHELL: "block.sh",
    Kind.DOCKERFILE: "Dockerfile",
    Kind.YAML: "block.yaml",
    Kind.JSON: "block.json",
    Kind.TOML: "pyproject.toml",
    Kind.REQUIREMENTS: "requirements.txt",
}
"""The names that blocks are read under."""
_NOT_SHOWN = "the fix adds or moves lines in a session, or reaches over more than one block"


class MarkupAnalyzer:
    """The rules of a run, ready to look at one document after another."""

    def __init__(self, catalog: Catalog, python: Analyzer, texts: TextAnalyzer) -> None:
        self._catalog = catalog
        self._python = python
        self._texts = texts

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        """The findings of a document, in its order, without those that are declined.

        What cannot be read is passed over: documents hold fragments.
        """
        document = Document(text, path)
        found = [
            self._placed(each, code, document)
            for code, findings in self._found(document, declined)
            for each in findings
            if each.code != "NM000"
        ]
        return sorted(found, key=lambda each: (each.line, each.column, each.code))

    def check(self, before: str, after: str, path: str) -> None:
        """Every block that could be read can be read after.

        Raises AnalysisError.
        """
        old, new = Document(before, path), Document(after, path)
        if [len(old.texts), old.understood] != [len(new.texts), new.understood]:
            raise AnalysisError("a block of code is no longer what it was")
        for (kind, one), (_, other) in zip(old.texts, new.texts, strict=True):
            if self._can_be_read(one.text, _NAMES[kind]):
                self._texts.check(one.text, other.text, _NAMES[kind])

    def _found(
        self, document: Document, declined: Declined
    ) -> Iterator[tuple[Code, list[Finding]]]:
        path = document.path
        for each in document.programs:
            here = placed_by(each.code.place, declined)
            yield each.code, self._python.analyse(each.python, path, here)
            yield each.code, self._texts.findings(each.code.text, path, each.shell, here)
        for kind, code in document.texts:
            here = placed_by(code.place, declined)
            try:
                yield code, self._texts.analyse(code.text, _NAMES[kind], here)
            except AnalysisError:
                continue

    def _can_be_read(self, text: str, name: str) -> bool:
        try:
            self._texts.check(text, text, name)
        except AnalysisError:
            return False
        return True

    def _placed(self, finding: Finding, code: Code, document: Document) -> Finding:
        """A finding about code as one about the document."""
        start = code.offset(finding.line, finding.column)
        end = max(start, code.offset(finding.end_line, finding.end_column))
        line, column = document.lines.position(start)
        end_line, end_column = document.lines.position(end)
        placed = msgspec.structs.replace(
            finding,
            path=document.path,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            span=(code.place(finding.span[0]), code.place(finding.span[1])),
        )
        edits = [self._edit(each, code, document) for each in finding.edits]
        if None in edits:
            return self._unfixed(placed)
        known = {each for each in edits if each and (each.text or each.start < each.end)}
        if finding.edits and not known:
            return self._unfixed(placed)
        return msgspec.structs.replace(placed, edits=tuple(sorted(known)))

    def _edit(self, edit: Edit, code: Code, document: Document) -> Edit | None:
        if UNPACKED in edit.text and UNPACKED not in document.text:
            edit = Edit(edit.start, edit.end, edit.text.replace(UNPACKED, "..."))
        return code.translated(edit)

    def _unfixed(self, finding: Finding) -> Finding:
        rule = self._catalog.rule(finding.code)
        return msgspec.structs.replace(
            finding,
            fix=None,
            edits=(),
            not_fixed=_NOT_SHOWN,
            effort=rule.effort if rule else "low",
        )
