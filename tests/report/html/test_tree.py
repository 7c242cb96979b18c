"""The tree of folders and files."""

from __future__ import annotations

import pytest

from neuron_migrate.report.html import tree
from neuron_migrate.report.risk import Counts, FileRow


def row(path: str, **given: object) -> FileRow:
    facts = {"verdict": "auto", "counts": Counts(safe=1), "effort": "none"}
    return FileRow(path=path, **{**facts, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        ([], []),
        (["a.py"], ["a.py"]),
        (["b/x.py", "a.py"], ["b/", " x.py", "a.py"]),
        (["a/b/c/x.py", "a/b/c/y.py"], ["a/b/c/", " x.py", " y.py"]),
        (["a/b/x.py", "a/c/y.py"], ["a/", " b/", "  x.py", " c/", "  y.py"]),
        (["a/x.py", "a/b/y.py"], ["a/", " b/", "  y.py", " x.py"]),
        (["/srv/x.py", "../y.py"], ["/srv/", " x.py", "../", " y.py"]),
    ],
)
def test_rows(paths: list[str], shown: list[str]) -> None:
    assert [" " * each.depth + each.name for each in tree.rows(map(row, paths))] == shown


def test_a_folder_is_as_bad_as_the_worst_in_it() -> None:
    worst = row("a/b/y.py", verdict="blocked", counts=Counts(by_hand=2), effort="high")
    folder = tree.rows([row("a/x.py"), worst])[0]
    assert (folder.path, folder.files) == ("a/", 2)
    assert (folder.verdict, folder.effort) == ("blocked", "high")
    assert folder.counts == Counts(safe=1, by_hand=2)
