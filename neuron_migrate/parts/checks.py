"""Whether parts belong together; each check raises UsageError with the files that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.parts.named import Named

_REASONS = {
    "files": "other files were found; check the same PATHS of one commit, and keep parts out of it",
    "rules": "the rules are not the same",
    "baseline": "the baseline is not the same",
}


def complete(parts: Sequence[Named]) -> None:
    """Every shard of a run is there, once."""
    first = parts[0]
    of = first.part.shard.of
    seen: dict[int, str] = {}
    for each in parts:
        shard = each.part.shard
        if shard.of != of:
            raise UsageError(
                f"{first.source} is shard {first.part.shard} and {each.source} is shard {shard}:"
                " they are not of one run"
            )
        if shard.index in seen:
            raise UsageError(
                f"{seen[shard.index]} and {each.source} are both shard {shard}; parts of several"
                " repositories need names, NAME=FILE"
            )
        seen[shard.index] = each.source
    missing = [f"{index}/{of}" for index in range(1, of + 1) if index not in seen]
    if missing:
        name = f" of {first.name}" if first.name else ""
        raise UsageError(f"missing: shard {', '.join(missing)}{name}")


def agree(parts: Sequence[Named], keys: Iterable[str]) -> None:
    """The same was asked of all, as far as some choices go."""
    first = parts[0]
    for key in keys:
        value = getattr(first.part.choices, key)
        for each in parts:
            other = getattr(each.part.choices, key)
            if other != value:
                reason = _REASONS.get(key) or f"{_name(key)} {_shown(value)} and {_shown(other)}"
                raise UsageError(f"{first.source} and {each.source} do not fit: {reason}")


def disjoint(parts: Sequence[Named]) -> None:
    """No two of them have read the same file."""
    seen: dict[str, Named] = {}
    for each in parts:
        for file in each.part.files:
            other = seen.setdefault(file.result.path, each)
            if other is not each:
                raise UsageError(f"{other.source} and {each.source} both have {file.result.path}")


def _name(key: str) -> str:
    return key.replace("_", "-")


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
