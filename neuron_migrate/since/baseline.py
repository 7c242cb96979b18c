"""A baseline: the findings a project knows, kept in a file, so that a run reports the new ones."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.files.source import SourceError, read
from neuron_migrate.report.listing import FAILED, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.selection import Selection

SCHEMA = 1
_KEYS = ("path", "code", "fingerprint", "occurrence")


class Entry(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A known finding: nothing in it changes when lines are inserted above it."""

    path: str
    """Relative to the folder of the baseline."""
    code: str
    fingerprint: str
    occurrence: int
    """Which one, from 1, of those that have all else in common."""


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal[1]
    findings: list[Entry]


class Compared(msgspec.Struct, frozen=True):
    """A run held against a baseline."""

    results: list[FileResult]
    """With the new findings only."""
    known: int
    gone: int
    """Entries for which the run looked and found nothing."""


class Baseline:
    """The findings that a file holds, or will hold."""

    def __init__(self, file: Path, root: Path, entries: Iterable[Entry]) -> None:
        self.file = file
        self._root = os.path.realpath(root)
        self._folder = os.path.realpath(file.parent)
        self._entries = frozenset(entries)

    @classmethod
    def read(cls, file: Path, root: Path) -> Baseline:
        """The baseline in a file; raises UsageError for what is none."""
        try:
            document = json.loads(read(file).decode("utf-8-sig"))
            entries = msgspec.convert(document, _Document).findings
        except SourceError as error:
            raise UsageError(f"baseline {file}: {error.reason}") from error
        except (ValueError, RecursionError) as error:  # also what is not UTF-8, JSON or a baseline
            reason = str(error).replace("`", "").replace("$", "the file")
            raise UsageError(
                f"baseline {file}: not a baseline of schema {SCHEMA} ({reason}); write it again"
                " with --write-baseline"
            ) from error
        return cls(file, root, entries)

    @classmethod
    def of(cls, results: Sequence[FileResult], file: Path, root: Path) -> Baseline:
        """What a run found, advice that it does not list included; files not analysed are not."""
        made = cls(file, root, ())
        every = [entry for result in results for _, entry in made._numbered(result)]
        return cls(file, root, every)

    def __len__(self) -> int:
        return len(self._entries)

    def document(self) -> bytes:
        """The file: sorted, an entry to a line, so that its diffs are short."""
        lines = ",\n".join(f"    {_line(entry)}" for entry in sorted(self._entries))
        findings = f"[\n{lines}\n  ]" if lines else "[]"
        return f'{{\n  "schema": {SCHEMA},\n  "findings": {findings}\n}}\n'.encode()

    def compare(
        self,
        results: Sequence[FileResult],
        selection: Selection,
        shard: Shard = Shard(),  # noqa: B008 - it is frozen
    ) -> Compared:
        """What is new; only what the run looked for can be gone.

        Each entry of a file that does not exist any more is gone for one shard only.
        """
        seen: set[Entry] = set()
        new = []
        for result in results:
            entries = self._numbered(result)
            known = {id(finding) for finding, entry in entries if entry in self._entries}
            left = tuple(each for each in result.findings if id(each) not in known)
            new.append(msgspec.structs.replace(result, findings=left))
            seen.update(entry for _, entry in entries)
        read = {self._shown(result.path): result.path for result in results if not result.failed}
        gone = [e for e in self._entries - seen if self._looked_for(e, read, selection, shard)]
        return Compared(new, len(self._entries & seen), len(gone))

    def _numbered(self, result: FileResult) -> list[tuple[Finding, Entry]]:
        path = self._shown(result.path)
        count: Counter[tuple[str, str]] = Counter()
        numbered = []
        for finding in in_order(result.findings):
            if finding.code != FAILED:
                key = finding.code, finding.fingerprint
                count[key] += 1
                numbered.append((finding, Entry(path, *key, count[key])))
        return numbered

    def _shown(self, path: str) -> str:
        """The path of a finding, as entries give it."""
        full = os.path.join(self._root, path)  # noqa: PTH118 - faster, and there are many
        return os.path.relpath(full, self._folder).replace(os.sep, "/")

    def _looked_for(
        self, entry: Entry, read: dict[str, str], selection: Selection, shard: Shard
    ) -> bool:
        exists = os.path.lexists(Path(self._folder, entry.path))
        looked_at = entry.path in read or (not exists and shard.holds(entry.path))
        return looked_at and selection.allows(entry.code, read.get(entry.path, entry.path))


def _line(entry: Entry) -> str:
    return json.dumps({key: getattr(entry, key) for key in _KEYS})
