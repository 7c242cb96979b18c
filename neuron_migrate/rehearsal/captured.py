"""What a program printed, kept while it is shown."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

_BLOCK = 1 << 16


class Captured:
    """Standard output and error of a process; `shown` says whether ours have them too."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._streams: dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}

    def text(self, stream: str) -> str:
        """All of `stdout` or `stderr`."""
        return self._streams[stream].decode(errors="backslashreplace")

    @contextmanager
    def follow(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """Read both streams of a process until they end."""
        readers = [
            threading.Thread(target=self._read, args=(name, getattr(process, name)), daemon=True)
            for name in self._streams
        ]
        for reader in readers:
            reader.start()
        yield
        for reader in readers:
            reader.join()

    def _read(self, name: str, source: IO[bytes]) -> None:
        target = getattr(sys, name) if self._shown else None
        while block := source.read1(_BLOCK):  # type: ignore[attr-defined]
            self._streams[name] += block
            if target is not None:
                try:
                    target.buffer.write(block)
                    target.buffer.flush()
                except BrokenPipeError:
                    target = None
