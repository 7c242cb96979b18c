"""Where the words go: standard streams and files, without crashing on what the words are."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def encoded(text: str, stream: TextIO | None = None) -> bytes:
    """The text for a stream (a file: UTF-8); what it cannot hold, an odd name, is spelled out."""
    return text.encode(getattr(stream, "encoding", None) or "utf-8", "backslashreplace")


def emit(content: bytes, stream: TextIO | None) -> None:
    """Write to a standard stream; a reader that went away (``| head``) wants no more."""
    if stream is None or not content:
        return
    try:
        stream.flush()
        stream.buffer.write(content)
        stream.buffer.flush()
    except BrokenPipeError:
        silence(stream)


def show(text: str) -> None:
    """Print a document on standard output."""
    emit(encoded(text, sys.stdout), sys.stdout)


def say(message: str) -> None:
    """One line on standard error."""
    line = " ".join(message.split())
    emit(encoded(f"neuron-migrate: {line}\n", sys.stderr), sys.stderr)


def silence(stream: TextIO) -> None:
    """Let the interpreter's flush at exit go nowhere instead of failing once more."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, stream.fileno())
    os.close(sink)


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def wants_color(choice: str, stream: TextIO | None) -> bool:
    """What ``--color`` asks for; ``auto`` means a terminal whose user did not set NO_COLOR."""
    if choice != "auto":
        return choice == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_terminal(stream) and not plain


def write_file(path: Path, content: bytes) -> None:
    """Put a report in place at once: a reader sees the old one or the new one, never a part."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a device or a pipe: there is nothing to replace
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o7777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
