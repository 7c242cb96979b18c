"""Of what a run finds, only the files of its shard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.relative import relative
from neuron_migrate.files.shard import Shard, digest
from neuron_migrate.report.since import Share

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.files.discovery import Discovery


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """What one run has to read, and what it knows of the others."""

    mine: Discovery
    shard: Shard
    others: int
    """Files that are left to the other shards."""
    ranks: tuple[int, ...]
    """For each path that was skipped, its place among those of all shards."""
    paths: str
    """What tells that another run has found the same."""

    @classmethod
    def of(cls, found: Discovery, shard: Shard, root: Path) -> Sharing:
        """The share that a shard has in what was found."""
        from neuron_migrate.files.discovery import Discovery  # gitignore patterns take a while

        names = [relative(file, root) for file in found.files]
        passed = [relative(each.path, root) for each in found.skipped]
        files = [file for file, name in zip(found.files, names, strict=True) if shard.holds(name)]
        ranks = [rank for rank, name in enumerate(passed) if shard.holds(name)]
        return cls(
            mine=Discovery(tuple(files), tuple(found.skipped[rank] for rank in ranks)),
            shard=shard,
            others=len(found.files) - len(files),
            ranks=tuple(ranks),
            paths=digest([*names, "", *passed]),
        )

    def told(self) -> Share | None:
        """What a report says of it; nothing where there are no others."""
        index, of = self.shard.index, self.shard.of
        return Share(index, of, self.others) if of > 1 else None
