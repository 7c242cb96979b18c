"""The comment that silences one finding, where the kind of file can hold one."""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.engine import suppression
from neuron_migrate.engine.edits import apply
from neuron_migrate.engine.findings import UNUSED
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.files.lines import Lines
from neuron_migrate.finding import Edit
from neuron_migrate.report.listing import FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.api import Migrator
    from neuron_migrate.finding import Finding

_WITHOUT_COMMENTS = frozenset({Kind.JSON, Kind.NOTEBOOK, Kind.MARKUP})
_ABOVE_ONLY = frozenset({Kind.DOCKERFILE, Kind.INI})
"""Kinds in which what follows on a line is no comment."""
_NO_RULE = "NM099"


def silencing(migrator: Migrator, text: str, path: str, finding: Finding) -> Edit | None:
    """The edit that silences a finding, and no other but of its code; None where there is none."""
    kind = kind_of(path, text[:HEAD]) or Kind.PYTHON
    if kind in _WITHOUT_COMMENTS or finding.code in (FAILED, UNUSED) or finding.cell:
        return None
    everything = _everything(migrator)
    candidates = _in_python if kind is Kind.PYTHON else _in_text
    for edit in candidates(text.removeprefix("\ufeff"), kind, finding, finding.code):
        if _silences(migrator, text, path, edit, finding) and (
            kind is Kind.PYTHON or _is_comment(everything, text, path, edit, finding.code)
        ):
            return edit
    return None


def _silences(migrator: Migrator, text: str, path: str, edit: Edit, finding: Finding) -> bool:
    before = migrator.check_text(text, path)
    after = migrator.check_text(apply(text.removeprefix("\ufeff"), [edit]), path)
    gone = Counter(each.code for each in before.findings)
    gone.subtract(each.code for each in after.findings)
    return not after.failed and finding.code in set(+gone) <= {finding.code, UNUSED} and not -gone


def _is_comment(everything: Migrator, text: str, path: str, edit: Edit, code: str) -> bool:
    """Whether the edit adds nothing but a comment: with the code of no rule it changes nothing."""
    other = Edit(edit.start, edit.end, edit.text.replace(code, _NO_RULE))
    before = everything.check_text(text, path)
    after = everything.check_text(apply(text.removeprefix("\ufeff"), [other]), path)
    added = Counter(each.code for each in after.findings)
    added.subtract(each.code for each in before.findings)
    return _NO_RULE not in edit.text and +added <= Counter([UNUSED]) and not -added


def _everything(migrator: Migrator) -> Migrator:
    settings = msgspec.structs.replace(
        migrator.settings, select=(), ignore=(), extend_select=(), per_file_ignores={}
    )
    return msgspec.structs.replace(migrator, settings=settings)


def _in_python(text: str, kind: Kind, finding: Finding, code: str) -> Iterator[Edit]:
    """Behind the first line of the finding that does not end within a string, or is continued."""
    del kind
    lines = Lines(text)
    for token in _line_ends(text):
        line, column = token.start
        if line >= finding.line:
            place = lines.offset(line, column + 1)
            yield _extended(text, lines, line, code) or _appended(text, place, code)
            if token.type == tokenize.NEWLINE:
                return


def _line_ends(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type in (tokenize.NEWLINE, tokenize.NL):
                yield token
    except (tokenize.TokenError, SyntaxError):
        return


def _in_text(text: str, kind: Kind, finding: Finding, code: str) -> Iterator[Edit]:
    """Behind the line of the finding, then on a line of its own above it.

    Nothing may stand behind a backslash; only in a Dockerfile may a comment follow one.
    """
    lines = Lines(text)
    start, after = lines.offset(finding.line, 1), lines.next_line(finding.line)
    content = text[start:after].rstrip("\r\n")
    if kind not in _ABOVE_ONLY and not content.endswith("\\"):
        place = start + len(content)
        yield _extended(text, lines, finding.line, code) or _appended(text, place, code)
    indent = content[: len(content) - len(content.lstrip())]
    if kind is Kind.DOCKERFILE or not text[:start].rstrip("\r\n").endswith("\\"):
        yield Edit(start, start, f"{indent}{_comment(code)}{lines.newline}")


def _extended(text: str, lines: Lines, line: int, code: str) -> Edit | None:
    """One more code in a comment of the line that names some."""
    for comment in suppression.find(text, lines).comments:
        close = text.find("]", comment.start, comment.end)
        if comment.line == line and comment.codes and not comment.whole_file and close > 0:
            return Edit(close, close, f", {code}")
    return None


def _appended(text: str, place: int, code: str) -> Edit:
    line = text[:place].rpartition("\n")[2]
    blanks = "" if not line.strip() else "  "
    return Edit(place, place, f"{blanks}{_comment(code)}")


def _comment(code: str) -> str:
    return f"# neuron-migrate: ignore[{code}]"
