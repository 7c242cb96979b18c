from __future__ import annotations

import pytest

from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard, digest

PATHS = [f"{folder}/{number}.py" for folder in ("a", "../b", "é", "\udcff") for number in range(99)]
HOMES = {"train.py": 3, "src/model.py": 3, "../other/run.sh": 2, "Dockerfile": 3}


@pytest.mark.parametrize("text", ["1/1", "2/4", " 4/4 "])
def test_what_names_a_shard(text: str) -> None:
    assert str(Shard.parse(text)) == text.strip()


@pytest.mark.parametrize("text", ["", "2", "0/4", "5/4", "1/0", "-1/4", "a/b", "1/2/3", "\u0661/2"])
def test_what_names_none(text: str) -> None:
    with pytest.raises(UsageError, match="--shard: expected I/N"):
        Shard.parse(text)


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_every_path_is_in_one_shard(of: int) -> None:
    shards = [Shard(index, of) for index in range(1, of + 1)]
    held = [sum(shard.holds(path) for shard in shards) for path in PATHS]
    assert held == [1] * len(PATHS)
    assert min(sum(map(shard.holds, PATHS)) for shard in shards) > len(PATHS) / of / 2


def test_jobs_on_other_machines_agree_on_where_a_path_goes() -> None:
    homes = {name: next(i for i in range(1, 5) if Shard(i, 4).holds(name)) for name in HOMES}
    assert homes == HOMES


def test_other_paths_have_another_digest() -> None:
    assert len({digest(["a", "b"]), digest(["ab"]), digest(["a"]), digest([])}) == 4
