"""One file: from its text to findings."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.engine import guards, lowering, removal, suppression, ties
from neuron_migrate.engine.candidates import Candidates
from neuron_migrate.engine.declined import declines_nothing
from neuron_migrate.engine.file import File
from neuron_migrate.engine.findings import UNUSED, shown, unreadable, unused
from neuron_migrate.engine.fingerprints import marked
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.index import build
from neuron_migrate.engine.matching import dispatch
from neuron_migrate.files.lines import Lines
from neuron_migrate.finding import OTHER
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import libcst as cst

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.candidates import Chosen
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.matching import Matcher
    from neuron_migrate.engine.suppression import Suppressions
    from neuron_migrate.finding import Finding, Target

_RECURSION_LIMIT = 20_000


class AnalysisError(Exception):
    """A file that cannot be analysed: ``reason`` at ``line`` and ``column`` (1-based)."""

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


class Analyzer:
    """The rules of a run, ready to look at one text after another."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        target: Target,
        selection: Selection | None = None,
        everything: bool = False,
    ) -> None:
        # libcst builds code by recursion; chained calls go deeper than Python's default allows.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
        self.catalog = catalog
        self.target: Target = target
        self.selection = selection or Selection()
        self.everything = everything
        """Look at every statement, not only at those that hold a trigger word (for tests)."""
        self._prepare()

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        """The findings of a text, in source order, without those that are declined.

        Raises AnalysisError when it cannot be parsed.
        """
        tree, read = parse(text)
        lines = Lines(read)
        index = build(tree, lines, text)
        comments = suppression.find(text, lines)

        def allows(draft: Draft) -> bool:
            silenced = _silenced(draft, comments, lines)
            return self.selection.allows(draft.rule.code, path) and not silenced

        file = File(text, path, lines, index, self.target, allows, declined)
        self._match(file)
        if any(comments.unused):  # what silences a finding of the other target is of use
            self._match(File(text, path, lines, index, OTHER[self.target], allows))
        guards.doubt_where_neuron_is_known(file)
        guards.keep_cuda_guards(file)
        guards.keep_arguments(file)
        guards.drop_unsupported(file)
        removal.fill_in(file)
        ties.tie_values_to_comparisons(file)
        findings = [*_findings(file, path)]
        if self.selection.allows(UNUSED, path):
            findings += unused(self.catalog, comments, lines, path)
        findings += [self._unreadable(file, path, *problem) for problem in file.problems]
        findings.sort(key=lambda finding: (finding.line, finding.column, finding.code))
        return marked(findings, text)

    def check(self, before: str, after: str, path: str) -> None:
        """The text after is valid, and asks for no newer Python than the one before.

        Raises AnalysisError.
        """
        del path
        _, read = parse(after)
        if read != after and parse(before)[1] == before:
            raise AnalysisError("it needs a newer Python than the file did")

    def _prepare(self) -> None:
        from neuron_migrate.engine.matchers import all_matchers

        made = all_matchers(self.catalog)
        self.matchers: list[Matcher] = [matcher for matcher, _ in made]
        self.tables: dict[Chosen, Mapping[type[cst.CSTNode], list[Matcher]]] = {}
        self.every: Chosen = frozenset(range(len(made)))
        self.candidates = Candidates(self.catalog, [words for _, words in made])

    def _match(self, file: File) -> None:
        try:
            self._match_all(file)
        except BaseException:
            self._prepare()  # the matchers still hold what they noted of this file
            raise

    def _match_all(self, file: File) -> None:
        if self.everything:
            self._look(file, dict.fromkeys(file.index.statements, self.every), None)
        else:
            holding, statements = self.candidates.of(file)
            self._look(file, statements, holding)
        for matcher in self.matchers:
            matcher.finish(file)

    def _look(
        self,
        file: File,
        statements: Mapping[Statement, Chosen],
        holding: Sequence[int] | None,
    ) -> None:
        for statement, chosen in statements.items():
            table = self._table(chosen)
            for piece in file.pieces(statement, holding):
                here = Here(file, piece)
                for node in piece.nodes:
                    for matcher in table.get(type(node), ()):
                        matcher.match(node, here)

    def _table(self, chosen: Chosen) -> Mapping[type[cst.CSTNode], list[Matcher]]:
        """Which of some matchers want which kind of node."""
        if chosen not in self.tables:
            self.tables[chosen] = dispatch(self.matchers[number] for number in sorted(chosen))
        return self.tables[chosen]

    def _unreadable(self, file: File, path: str, statement: Statement, reason: str) -> Finding:
        line, column = file.lines.position(file.lines.byte_offset(*statement.start))
        return unreadable(self.catalog, path, reason, line, column)


def parse(text: str) -> tuple[ast.Module, str]:
    """The ``ast`` of a text, and the text it was read from.

    That is another one, of the same length and lines, where the syntax of the text is newer than
    the running Python's. Raises AnalysisError.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.parse(text), text
            except SyntaxError:
                lowered = lowering.lower(text)
                if lowered is None:
                    raise
                return ast.parse(lowered), lowered
    except SyntaxError as error:
        column = max(error.offset or 1, 1)
        raise AnalysisError(f"syntax error: {error.msg}", error.lineno or 1, column) from error
    except (RecursionError, MemoryError) as error:
        raise AnalysisError("the file is nested too deeply to be parsed") from error
    except ValueError as error:
        raise AnalysisError(str(error)) from error


def _findings(file: File, path: str) -> Iterator[Finding]:
    for draft in file.drafts:
        if not draft.hidden:
            said = shown(draft, (draft.start, draft.end), file.lines, path, file.target)
            yield msgspec.structs.replace(
                said,
                advice=draft.advice,
                rests=bool(draft.needs),
                ties=tuple(sorted(draft.ties)) if draft.fix else (),
                shapes=draft.shapes,
            )


def _silenced(draft: Draft, comments: Suppressions, lines: Lines) -> bool:
    if not comments.comments:
        return False
    first = lines.position(draft.start)[0]
    last = lines.position(draft.end)[0]
    node = draft.statement.node
    if not hasattr(node, "body"):
        last = max(last, getattr(node, "end_lineno", last))
    return comments.silence(draft.rule.code, first, last)
