"""The texts that the editor has open, and which files they are."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from neuron_migrate.files.kinds import kind_of
from neuron_migrate.files.lines import line_starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pygls.workspace import Workspace

_NAMES = {
    "python": "untitled.py",
    "shellscript": "untitled.sh",
    "dockerfile": "Dockerfile",
    "yaml": "untitled.yaml",
    "json": "untitled.json",
    "markdown": "untitled.md",
    "restructuredtext": "untitled.rst",
    "pip-requirements": "requirements.txt",
}
"""What a text that has no name of its own is called, by its language."""


class Text(TextDocument):
    r"""A text whose lines end as the protocol says: with \n, \r\n or \r, and with nothing else."""

    @property
    def lines(self) -> Sequence[str]:
        """Each with its end; a form feed, which stands in Python files, ends none."""
        starts = line_starts(self.source)
        found = (self.source[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True))
        return tuple(line for line in found if line)


def adopt(workspace: Workspace) -> None:
    """Have every open text keep its lines as ``Text`` does."""
    for key, each in workspace.text_documents.items():
        if not isinstance(each, Text):
            workspace.text_documents[key] = Text(
                each.uri,
                source=each.source,
                version=each.version,
                language_id=each.language_id,
                position_codec=workspace.position_codec,
            )


class Place(msgspec.Struct, frozen=True):
    """Where a text belongs."""

    file: Path | None
    """None for what is not, or not yet, a file."""
    name: str
    """A name that tells its kind."""
    is_python: bool = False
    """The editor takes it for Python, whatever it is called."""


def place_of(uri: str, language: str | None) -> Place:
    """The place of a text, by its URI and by the language the editor takes it for."""
    path = to_fs_path(uri)
    python = language == "python"
    if path and "\0" not in path:
        return Place(Path(path), path, python)
    name = PurePosixPath(unquote(urlsplit(uri).path)).name.replace("\0", "")
    if kind_of(name) is None:
        name = _NAMES.get(language or "", name or "untitled")
    return Place(None, name, python)
