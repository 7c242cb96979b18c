from __future__ import annotations

from typing import Any

import pytest

from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.finding import Risk
from neuron_migrate.parts.merging import merged
from neuron_migrate.report.since import Known, Since
from tests.parts.building import named
from tests.report import factory as make
from tests.report.html.pages import rule

ONE, TWO = Shard(1, 2), Shard(2, 2)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("target", "accelerator", 'target "neuron" and "accelerator"'),
        ("sdk", "2.32", 'sdk "2.33" and "2.32"'),
        ("select", ("NM1",), 'select [] and ["NM1"]'),
        ("per_file_ignores", {"a": ("NM1",)}, 'per-file-ignores {} and {"a":["NM1"]}'),
        ("fail_on", Risk.INFO, 'fail-on "cpu" and "info"'),
        ("diff_base", ("main", "ab"), 'diff-base [] and ["main","ab"]'),
        ("python", "3.12", 'python "3.11" and "3.12"'),
        ("rules", "z", "the rules are not the same"),
        ("baseline", "z", "the baseline is not the same"),
        ("files", "z", "other files were found"),
    ],
)
def test_shards_of_other_choices_are_refused(key: str, value: Any, words: str) -> None:
    parts = [named("a.json", shard=ONE), named("b.json", shard=TWO, **{key: value})]
    with pytest.raises(UsageError) as caught:
        merged(parts)
    assert str(caught.value).startswith(f"a.json and b.json do not fit: {words}")


@pytest.mark.parametrize(
    ("shards", "words"),
    [
        ([ONE], "missing: shard 2/2"),
        ([Shard(2, 4)], "missing: shard 1/4, 3/4, 4/4"),
        ([ONE, ONE, TWO], "0.json and 1.json are both shard 1/2"),
        ([ONE, Shard(2, 3)], "0.json is shard 1/2 and 1.json is shard 2/3"),
        ([Shard(), Shard()], "both shard 1/1; parts of several repositories need names"),
    ],
)
def test_what_is_no_whole_is_refused(shards: list[Shard], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        merged([named(f"{i}.json", shard=shard) for i, shard in enumerate(shards)])
    assert words in str(caught.value)


def test_a_file_has_one_reader() -> None:
    with pytest.raises(UsageError, match=r"1\.json and 2\.json both have a\.py"):
        merged(
            [
                named("1.json", make.result(path="a.py"), shard=ONE),
                named("2.json", make.result(path="a.py"), shard=TWO),
            ]
        )


def test_each_repository_is_whole_for_itself() -> None:
    parts = [named("a.json", name="api"), named("w.json", name="web", shard=ONE)]
    with pytest.raises(UsageError, match="missing: shard 2/2 of web"):
        merged(parts)


def test_repositories_may_choose_for_themselves_what_a_report_does_not_say() -> None:
    web = {"select": ("NM1",), "rules": "z", "files": "y", "python": "3.12"}
    merged([named("a.json", name="api"), named("w.json", name="web", **web)])
    with pytest.raises(UsageError, match=r'sdk "2.33" and "2.32"'):
        merged([named("a.json", name="api"), named("w.json", name="web", sdk="2.32")])


def test_one_code_has_one_meaning() -> None:
    own = {name: (rule("NM999", why=name),) for name in ("api", "web")}
    parts = [named(f"{name}.json", name=name, own=rules) for name, rules in own.items()]
    with pytest.raises(UsageError, match=r"api\.json and web\.json have different rules NM999"):
        merged(parts)


def test_paths_are_those_in_the_folder_of_their_repository() -> None:
    results = [make.result(make.finding(path=path), path=path) for path in ("a.py", "/b.py")]
    whole = merged([named("a.json", *results, name="org/api")])
    assert [each.result.path for each in whole.files] == ["org/api/a.py", "/b.py"]
    assert [each.result.findings[0].path for each in whole.files] == ["org/api/a.py", "/b.py"]


def test_repositories_each_have_their_baseline() -> None:
    api = Since(Known("known.json", 1, 2), "main", 3)
    web = Since(Known("/w.json", 4, 5), "dev", 6)
    bare = Since()
    whole = merged(
        [
            named("a", name="api", since=api),
            named("b", name="web", since=web),
            named("c", name="x", since=bare),
        ]
    )
    assert whole.since == Since(Known("api/known.json, /w.json", 5, 7), "main, dev", 9)
