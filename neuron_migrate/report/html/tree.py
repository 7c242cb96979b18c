"""The folders and files of the findings, with what is left in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.risk import EFFORTS, VERDICTS, Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.finding import Effort
    from neuron_migrate.report.risk import FileRow, Verdict


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A folder or a file; what a folder holds follows it, one level deeper."""

    name: str
    path: str
    folder: bool
    depth: int
    files: int
    verdict: Verdict
    counts: Counts
    effort: Effort


class _Folder:
    def __init__(self) -> None:
        self.folders: dict[str, _Folder] = {}
        self.files: list[FileRow] = []


def rows(files: Iterable[FileRow]) -> list[Row]:
    """The tree from the top, folders before files; a folder with nothing beside one is joined."""
    top = _Folder()
    for file in files:
        folder = top
        for name in file.path.split("/")[:-1]:
            folder = folder.folders.setdefault(name, _Folder())
        folder.files.append(file)
    return [*_inside(top, "", 0)]


def folders(paths: Iterable[str]) -> list[str]:
    """The folders of files, each with all that are around it and a slash at its end."""
    found = {path[: at + 1] for path in paths for at, sign in enumerate(path) if sign == "/"}
    return sorted(found - {"/"})


def _inside(folder: _Folder, path: str, depth: int) -> Iterator[Row]:
    for name, child in sorted(folder.folders.items()):
        while len(child.folders) == 1 and not child.files:
            [(inner, child)] = child.folders.items()
            name = f"{name}/{inner}"
        yield _folder_row(f"{name}/", f"{path}{name}/", child, depth)
        yield from _inside(child, f"{path}{name}/", depth + 1)
    for file in sorted(folder.files, key=lambda file: file.path):
        yield Row(
            name=file.path.rpartition("/")[2],
            path=file.path,
            folder=False,
            depth=depth,
            files=1,
            verdict=file.verdict,
            counts=file.counts,
            effort=file.effort,
        )


def _folder_row(name: str, path: str, folder: _Folder, depth: int) -> Row:
    files = [*_all(folder)]
    return Row(
        name=name,
        path=path,
        folder=True,
        depth=depth,
        files=len(files),
        verdict=max((file.verdict for file in files), key=VERDICTS.index),
        counts=Counts.sum(file.counts for file in files),
        effort=max((file.effort for file in files), key=EFFORTS.index),
    )


def _all(folder: _Folder) -> Iterator[FileRow]:
    yield from folder.files
    for child in folder.folders.values():
        yield from _all(child)
