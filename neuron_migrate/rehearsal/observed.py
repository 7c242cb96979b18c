"""What a run left to compare: the text it printed, and the files it wrote."""

from __future__ import annotations

import zipfile
from pathlib import Path  # noqa: TC003 - msgspec reads it

import msgspec

_TENSORS = frozenset({".pt", ".pth", ".ckpt", ".safetensors", ".npy", ".npz"})


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """One run; `files` are relative to `folder`."""

    status: int
    stdout: str
    stderr: str
    folder: Path
    files: tuple[str, ...]

    def text_of(self, name: str) -> str:
        """A text file, or what stands under ``stdout`` and ``stderr``."""
        if name in ("stdout", "stderr"):
            return str(getattr(self, name))
        return (self.folder / name).read_text(encoding="utf-8")

    def kind(self, name: str) -> str:
        """`tensors`, `text`, or `bytes` for what is neither."""
        path = self.folder / name
        if path.suffix in _TENSORS or _is_of_torch(path):
            return "tensors"
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return "bytes"
        return "bytes" if "\0" in text else "text"


def _is_of_torch(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return any(name.endswith("/data.pkl") for name in archive.namelist())
