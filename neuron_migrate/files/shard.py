"""One of several runs that share the files of a project among them.

A hash of its relative path decides where a file goes: a new file moves no other one, so that what
each run keeps from the last one stays of use, and no run has to look at what the others read.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITTEN = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


class Shard(msgspec.Struct, frozen=True, order=True):
    """The ``index``-th, from 1, of ``of`` shares."""

    index: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Shard:
        """The shard that ``2/4`` names; raises UsageError for what names none."""
        match = _WRITTEN.fullmatch(text.strip())
        shard = cls(*map(int, match.groups())) if match else None
        if shard is None or shard.index > shard.of:
            raise UsageError(f"--shard: expected I/N, such as 2/4 for the second of 4: {text!r}")
        return shard

    def holds(self, path: str) -> bool:
        """Whether a path, relative to the root and with slashes, belongs to this one."""
        return self.of == 1 or _number(path) % self.of == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"


def digest(paths: Iterable[str]) -> str:
    """What tells whether two runs found the same paths."""
    joined = b"\0".join(map(os.fsencode, paths))
    return blake2b(joined, digest_size=16).hexdigest()


def _number(path: str) -> int:
    return int.from_bytes(blake2b(os.fsencode(path), digest_size=8).digest(), "big")
