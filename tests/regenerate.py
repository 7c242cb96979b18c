"""Writes the expected files of the fixtures anew: ``python -m tests.regenerate [family[/case]]``.

For every case it runs ``fix`` for both targets and writes ``neuron.py``, ``accelerator.py`` (a file
that would equal ``before.py`` is removed) and ``findings.txt`` (removed when nothing is found), and
prints what changed as a diff. The diff is to be read: what it shows becomes what is expected.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from neuron_migrate.report.diff import unified
from tests.cases import FIXTURES, TARGETS, discover, listed, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.cases import Case


def main(arguments: Sequence[str]) -> int:
    """Write the expected files of the cases named by the arguments, or of all."""
    cases = [case for under in arguments or [""] for case in discover(under)]
    if not cases:
        print(f"no case: {', '.join(arguments) or FIXTURES}", file=sys.stderr)
        return 2
    changed = sum(_regenerate(case) for case in cases)
    print(f"{len(cases)} cases, {changed} expected files changed")
    return 0


def _regenerate(case: Case) -> int:
    """How many expected files of a case are new, different or gone."""
    changed = 0
    for target in TARGETS:
        after = run(case.before, target, path=case.path).after
        changed += _write(case.expected(target), after, absent=case.before)
    golden = listed(run(case.before, "neuron", path=case.path).first).encode()
    return changed + _write(case.folder / "findings.txt", golden, absent=b"")


def _write(file: Path, content: bytes, *, absent: bytes) -> bool:
    """Make a file hold ``content``, or be absent when that says the same; True if it changed."""
    before = file.read_bytes() if file.exists() else absent
    if content == absent:
        file.unlink(missing_ok=True)
    else:
        file.write_bytes(content)
    name = file.relative_to(FIXTURES).as_posix()
    sys.stdout.write(unified(name, before, content).decode("utf-8", "backslashreplace"))
    return before != content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
