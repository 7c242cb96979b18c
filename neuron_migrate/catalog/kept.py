"""The built-in rules as an earlier run has read them: reading TOML takes most of a short run."""

from __future__ import annotations

import contextlib
import os
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

from neuron_migrate import __version__
from neuron_migrate.catalog.schema import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_DIGEST = 16
_decode = msgspec.msgpack.Decoder(tuple[Rule, ...]).decode


def key(files: Mapping[str, bytes]) -> bytes:
    """What decides how rules are read: their files, by name, and the code that reads them."""
    digest = blake2b(digest_size=_DIGEST)
    for name, data in (*files.items(), *_code()):
        digest.update(b"%s\0%d\0" % (name.encode(), len(data)))
        digest.update(data)
    return digest.digest()


def load(key: bytes) -> tuple[Rule, ...] | None:
    """The rules that were stored under the key, in that order; None when there are none."""
    try:
        data = _file().read_bytes()
    except OSError:
        return None
    head, said, body = data[:_DIGEST], data[_DIGEST : 2 * _DIGEST], data[2 * _DIGEST :]
    # A disk that filled up may have cut the file off where it still decodes.
    if head != key or said != _digest(body):
        return None
    try:
        return _decode(body)
    except msgspec.MsgspecError:
        return None


def store(key: bytes, rules: Iterable[Rule]) -> None:
    """Keep rules in the user's cache folder; where that cannot be written nothing is kept."""
    body = msgspec.msgpack.encode(tuple(rules))
    file = _file()
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(key + _digest(body) + body)
        temporary.replace(file)
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)


def _file() -> Path:
    folder = Path(platformdirs.user_cache_dir("neuron-migrate"))
    return folder / f"{__version__}.rules"


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=_DIGEST).digest()


def _code() -> list[tuple[str, bytes]]:
    folder = Path(__file__).parent
    modules = sorted(folder.rglob("*.py"))
    return [(module.relative_to(folder).as_posix(), module.read_bytes()) for module in modules]
