"""Rules that were read before stand for the same files, and for nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import kept, loader

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.catalog.schema import Rule


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file rules are kept in, which is not there yet."""
    folder = tmp_path / "cache"
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(folder))
    return kept._file()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the rule files that were parsed."""
    seen: list[str] = []
    original = loader._rule

    def rule(path: Path, data: bytes) -> Rule:
        seen.append(path.name)
        return original(path, data)

    monkeypatch.setattr(loader, "_rule", rule)
    return seen


def test_rules_are_parsed_once(parsed: list[str], cache: Path) -> None:
    first = loader.load(cached=True)
    assert len(parsed) == len(first.rules)
    second = loader.load(cached=True)
    assert len(parsed) == len(first.rules)
    assert (second.rules, second.fingerprint) == (first.rules, first.fingerprint)
    assert [each.name for each in cache.parent.iterdir()] == [cache.name]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:10], id="no head"),
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(lambda data: data[:-1] + bytes([data[-1] ^ 1]), id="flipped"),
    ],
)
def test_a_damaged_file_is_read_anew(parsed: list[str], cache: Path, damage: object) -> None:
    rules = loader.load(cached=True).rules
    data = cache.read_bytes()
    assert callable(damage)
    cache.write_bytes(damage(data))
    parsed.clear()
    assert loader.load(cached=True).rules == rules
    assert len(parsed) == len(rules)
    assert cache.read_bytes() == data


def test_where_nothing_can_be_kept(parsed: list[str], cache: Path) -> None:
    cache.parent.parent.joinpath("cache").write_bytes(b"")  # a file where the folder would be
    assert loader.load(cached=True).rules == loader.load(cached=True).rules
    assert len(parsed) == len(set(parsed)) * 2


def test_nothing_is_kept_unasked(cache: Path) -> None:
    loader.load()
    assert not cache.parent.exists()


def test_every_change_of_a_file_makes_another_key() -> None:
    keys = [
        kept.key({"a": b"1", "b": b"2"}),
        kept.key({"a": b"1", "b": b"3"}),
        kept.key({"a": b"1", "c": b"2"}),
        kept.key({"a": b"1"}),
        kept.key({"a": b"", "1b": b"2"}),
        kept.key({"b": b"2", "a": b"1"}),
    ]
    assert len(set(keys)) == len(keys)


def test_what_reads_rules_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    now = kept.key({})
    assert "schema.py" in dict(kept._code())
    monkeypatch.setattr(kept, "_code", lambda: [("schema.py", b"")])
    assert kept.key({}) != now


def test_another_key_finds_nothing(cache: Path) -> None:
    kept.store(kept.key({}), ())
    assert kept.load(kept.key({})) == ()
    assert kept.load(os.urandom(16)) is None
