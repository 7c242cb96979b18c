"""One text that is not Python: from its content to findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine import suppression
from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.declined import declines_nothing
from neuron_migrate.engine.findings import UNUSED, shown, unreadable, unused
from neuron_migrate.engine.fingerprints import marked
from neuron_migrate.engine.texts.document import Document, Report
from neuron_migrate.engine.texts.facts import Command, ReadError, Span, Variable
from neuron_migrate.engine.texts.matchers import all_matchers
from neuron_migrate.engine.texts.readers import reader_of
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.files.lines import Lines
from neuron_migrate.finding import OTHER

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.suppression import Suppressions
    from neuron_migrate.engine.texts.facts import Fact, Reading
    from neuron_migrate.finding import Finding, Target
    from neuron_migrate.selection import Selection


class TextAnalyzer:
    """The rules of a run for what is not Python, ready to look at one text after another."""

    def __init__(self, catalog: Catalog, *, target: Target, selection: Selection) -> None:
        self.catalog = catalog
        self.target: Target = target
        self.selection = selection
        self.matchers = all_matchers(catalog)

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        """The findings of a text, in its order, without those that are declined.

        Raises AnalysisError when it cannot be read.
        """
        document = self._document(text, path)
        return [] if document is None else self._findings(document, declined)

    def findings(
        self, text: str, path: str, reading: Reading, declined: Declined = declines_nothing
    ) -> list[Finding]:
        """The findings about facts that were read from a part of a text of another kind."""
        kind = kind_of(path, text[:HEAD]) or Kind.SHELL
        return self._findings(Document(path, kind, text, reading, self.target), declined)

    def _findings(self, document: Document, declined: Declined) -> list[Finding]:
        text, path = document.text, document.path
        _add_installed(document)
        self._match(document)
        lines = Lines(text)
        comments = suppression.find(
            text, lines, [(each.start, each.end) for each in document.reading.comments]
        )
        _reach_the_next_line(comments, text, lines)
        said = [
            report
            for report in document.reports
            if not comments.silence(report.rule.code, *_first_and_last(report.span, lines))
            and self.selection.allows(report.rule.code, path)
            and not declined(report.rule.code, report.span.start, report.span.end)
        ]
        findings = [
            shown(each, (each.span.start, each.span.end), lines, path, document.target)
            for each in said
        ]
        if any(comments.unused):  # what silences a finding of the other target is of use
            other = Document(path, document.kind, text, document.reading, OTHER[self.target])
            for report in self._match(other):
                comments.silence(report.rule.code, *_first_and_last(report.span, lines))
        if self.selection.allows(UNUSED, path):
            findings += unused(self.catalog, comments, lines, path)
        findings += [
            unreadable(self.catalog, path, reason, *lines.position(offset))
            for offset, reason in document.reading.problems
        ]
        findings.sort(key=lambda each: (each.line, each.column, each.code))
        return marked(findings, text)

    def _match(self, document: Document) -> list[Report]:
        for matcher in self.matchers:
            matcher.match(document)
        return document.reports

    def check(self, before: str, after: str, path: str) -> None:
        """The text after can be read as well as the one before.

        Raises AnalysisError.
        """
        old, new = self._document(before, path), self._document(after, path)
        if new is None or old is None:
            return
        if len(new.reading.problems) > len(old.reading.problems):
            offset, reason = new.reading.problems[-1]
            raise AnalysisError(reason, *Lines(after).position(offset))

    def _document(self, text: str, path: str) -> Document | None:
        kind = kind_of(path, text[:HEAD])
        reader = None if kind is None else reader_of(kind)
        if kind is None or reader is None:
            return None
        return Document(path, kind, text, _read(reader, text, path), self.target)


def _read(reader: Callable[[str, str], Reading], text: str, path: str) -> Reading:
    try:
        return reader(text, path)
    except ReadError as error:
        line, column = Lines(text).position(min(error.offset, len(text)))
        raise AnalysisError(error.reason, line, column) from error


def _add_installed(document: Document) -> None:
    """Adds what the commands of a text install to its facts."""
    started: list[Fact] = [*document.of(Command), *document.of(Variable)]
    if started:
        from neuron_migrate.engine.texts import installs

        for fact in started:
            document.reading.facts += installs.facts(fact, document.text)


def _first_and_last(span: Span, lines: Lines) -> tuple[int, int]:
    return lines.position(span.start)[0], lines.position(span.end)[0]


def _reach_the_next_line(comments: Suppressions, text: str, lines: Lines) -> None:
    """A comment alone on its line speaks of the next: some lines cannot hold one."""
    for comment in comments.comments:
        start = lines.offset(comment.line, 1)
        if not text[start : comment.start].strip():
            comment.last_line = comment.line + 1
