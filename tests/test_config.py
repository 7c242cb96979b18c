from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.config import load, trace
from neuron_migrate.errors import UsageError
from neuron_migrate.finding import Risk
from neuron_migrate.settings import OutputFormat, Settings
from tests import schema

if TYPE_CHECKING:
    from collections.abc import Callable

FULL = """
target = "accelerator"
select = ["NM1", "NM203"]
ignore = ["NM"]
extend-select = ["NM90"]
exclude = ["vendor/", "!keep.py"]
rules = ["ci/rules", "/shared/rule.toml"]
fail-on = "slow"
unsafe = true
output-format = "concise"
show-advice = true
jobs = 3
cache = false
"""


def own(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "neuron-migrate.toml"
    file.write_text(text)
    return file


def project(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text(text)
    return file


def mistake(config: Path) -> str:
    with pytest.raises(UsageError) as caught:
        load(config, config.parent)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(config))
    return message[len(str(config)) :]


def test_without_configuration(tmp_path: Path) -> None:
    assert load(None, tmp_path) == (Settings(root=tmp_path), None)


@pytest.mark.parametrize("write", [own, project], ids=["own", "pyproject"])
def test_every_key(tmp_path: Path, write: Callable[[Path, str], Path]) -> None:
    file = write(tmp_path, FULL if write is own else "[tool.neuron-migrate]" + FULL)
    expected = Settings(
        root=tmp_path,
        target="accelerator",
        select=("NM1", "NM203"),
        ignore=("NM",),
        extend_select=("NM90",),
        exclude=("vendor/", "!keep.py"),
        rules=(tmp_path / "ci/rules", Path("/shared/rule.toml")),
        fail_on=Risk.SLOW,
        show_advice=True,
        unsafe=True,
        output_format=OutputFormat.CONCISE,
        jobs=3,
        cache=False,
    )
    assert load(None, tmp_path) == (expected, file)


@pytest.mark.parametrize("text", ["", "# nothing\n", "\ufeffjobs = 0\r\n"])
def test_what_is_not_said_is_the_default(tmp_path: Path, text: str) -> None:
    file = own(tmp_path, text)
    assert load(None, tmp_path) == (Settings(root=tmp_path), file)


def test_the_nearest_wins_and_the_own_file_before_pyproject(tmp_path: Path) -> None:
    start = tmp_path / "a/b/c"
    start.mkdir(parents=True)
    files = [project(tmp_path, "[tool.neuron-migrate]\njobs = 1")]
    assert load(None, start)[1] == files[-1]
    files.append(own(tmp_path, "jobs = 2"))
    assert load(None, start)[1] == files[-1]
    files.append(project(tmp_path / "a", "[tool.neuron-migrate]\njobs = 3"))
    settings, file = load(None, start)
    assert (settings.jobs, settings.root, file) == (3, tmp_path / "a", files[-1])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[tool.black]\n", id="other-tools"),
        pytest.param("tool = 3 # neuron-migrate\n", id="odd-tool"),
        pytest.param("this is { not toml", id="malformed-and-not-about-us"),
        pytest.param("[project]\ndependencies = ['neuron-migrate']\n", id="mentioned"),
    ],
)
def test_a_pyproject_without_the_table_is_passed_over(tmp_path: Path, text: str) -> None:
    file = own(tmp_path, "jobs = 7")
    project(tmp_path / "inner", text)
    assert load(None, tmp_path / "inner")[1] == file


def test_a_folder_named_like_a_configuration_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "neuron-migrate.toml").mkdir()
    (tmp_path / "pyproject.toml").mkdir()
    assert load(None, tmp_path) == (Settings(root=tmp_path), None)


def test_a_named_configuration_is_the_only_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(tmp_path, "jobs = 1")
    file = tmp_path / "ci/strict.toml"
    file.parent.mkdir()
    file.write_text('rules = ["rules"]\n')
    expected = Settings(root=tmp_path / "ci", rules=(tmp_path / "ci/rules",))
    assert load(file, tmp_path) == (expected, file)
    monkeypatch.chdir(tmp_path)
    assert load(Path("ci/strict.toml"), tmp_path) == (expected, Path("ci/strict.toml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('target = "cuda"', 'target: expected "neuron" or "accelerator", got "cuda"'),
        ('select = "NM1"', 'select: expected a list of codes such as "NM1" or "NM101", got "NM1"'),
        ('ignore = ["NM1", "E501"]', 'ignore: expected a list of codes such as "NM1" or "NM101"'),
        ('extend-select = ["NM1234"]', "extend-select: expected a list of codes"),
        ('select = ["nm1"]', "select: expected a list of codes"),
        ('select = ["NM1\\n"]', "select: expected a list of codes"),
        ("exclude = [1]", "exclude: expected a list of strings, got [1]"),
        ("exclude = [1979-05-27]", 'exclude: expected a list of strings, got ["1979-05-27"]'),
        ("rules = {}", "rules: expected a list of strings, got {}"),
        ('fail-on = "bad"', "expected one of breaks, wrong, cpu, recompiles, slow, info"),
        ("jobs = -1", "jobs: expected a whole number from 0 to 1024, got -1"),
        ("jobs = true", "jobs: expected a whole number from 0 to 1024, got true"),
        ('cache = "no"', 'cache: expected true or false, got "no"'),
        ("show-advice = 1", "show-advice: expected true or false, got 1"),
    ],
)
def test_a_wrong_value(tmp_path: Path, text: str, message: str) -> None:
    assert message in mistake(own(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail_on = 'cpu'", ": unknown key fail_on; did you mean fail-on?"),
        ("targets = 'neuron'", ": unknown key targets; did you mean target?"),
        ("apply = true", ": unknown key apply; the keys are target, sdk, select, ignore,"),
        ("[tool.neuron-migrate]\njobs = 1", ": unknown key tool; the keys are"),
    ],
)
def test_an_unknown_key(tmp_path: Path, text: str, message: str) -> None:
    assert mistake(own(tmp_path, text)).startswith(message)


def test_keys_of_pyproject_are_named_in_full(tmp_path: Path) -> None:
    file = project(tmp_path, "[tool.neuron-migrate]\nselct = []")
    assert mistake(file) == ": unknown key tool.neuron-migrate.selct; did you mean select?"
    file = project(tmp_path, "[tool.neuron-migrate]\njobs = '2'")
    assert mistake(file).startswith(": tool.neuron-migrate.jobs: expected a whole number")
    assert mistake(project(tmp_path, "[tool]\nneuron-migrate = 1")) == (
        ": tool.neuron-migrate: expected a table"
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("jobs = 1\ntarget = oops\n", ":2:10: "),
        ("= 3", ":1:1: "),
        ("select = [\n", ":2:1: "),
        ("a = 1\na = 2\n", ":2:6: "),
    ],
)
def test_malformed_toml(tmp_path: Path, text: str, place: str) -> None:
    message = mistake(own(tmp_path, text))
    assert message.startswith(place)
    assert "(at " not in message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"jobs = 1 # \xff", ": not valid UTF-8 at offset 11", id="latin-1"),
        pytest.param(b"a = " + b"[" * 100_000, ": nested too deeply", id="nested"),
        pytest.param(b"jobs = " + b"9" * 10_000, "", id="endless-number"),
        pytest.param(b"jobs = 99999999999999999999999", ": jobs: expected", id="big-number"),
    ],
)
def test_absurd_bytes(tmp_path: Path, data: bytes, message: str) -> None:
    file = own(tmp_path, "")
    file.write_bytes(data)
    assert mistake(file).startswith(message)


def test_a_named_configuration_that_is_not_there(tmp_path: Path) -> None:
    assert mistake(tmp_path / "x.toml") == ": cannot read: No such file or directory"
    os.mkfifo(tmp_path / "pipe.toml")
    assert mistake(tmp_path / "pipe.toml") == ": cannot read: not a regular file"
    assert mistake(project(tmp_path, "[tool.black]")) == ": no [tool.neuron-migrate] table"


def test_paths_are_relative_to_the_file_that_says_them(tmp_path: Path) -> None:
    base = own(tmp_path / "shared", 'rules = ["rules"]\nbaseline = "known.json"\njobs = 1\n')
    file = own(tmp_path / "a", 'extend = "../shared/neuron-migrate.toml"\njobs = 2\n')
    found = trace(None, tmp_path / "a")
    assert found.settings == Settings(
        root=tmp_path / "a",
        rules=(tmp_path / "shared/rules",),
        baseline=tmp_path / "shared/known.json",
        jobs=2,
    )
    assert found.origins == {"rules": base, "baseline": base, "jobs": file}


def test_what_a_file_says_replaces_what_it_extends(tmp_path: Path) -> None:
    own(tmp_path, 'select = ["NM1"]\nignore = ["NM2"]\nper-file-ignores = {"a.py" = ["NM1"]}\n')
    file = own(
        tmp_path / "a",
        'extend = "../neuron-migrate.toml"\nselect = []\nper-file-ignores = {"b.py" = ["NM9"]}\n',
    )
    settings = load(file, tmp_path)[0]
    assert (settings.select, settings.ignore) == ((), ("NM2",))
    assert settings.per_file_ignores == {"b.py": ("NM9",)}


def test_the_table_of_a_pyproject_is_extended(tmp_path: Path) -> None:
    project(tmp_path, "[tool.neuron-migrate]\njobs = 5\nforce-exclude = true\n")
    settings = load(own(tmp_path / "a", 'extend = "../pyproject.toml"'), tmp_path)[0]
    assert (settings.jobs, settings.force_exclude) == (5, True)


@pytest.mark.parametrize("circle", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_circle_is_a_mistake(tmp_path: Path, circle: list[str]) -> None:
    for name, after in zip(circle, [*circle[1:], circle[0]], strict=True):
        (tmp_path / f"{name}.toml").write_text(f'extend = "{after}.toml"\n')
    with pytest.raises(UsageError) as caught:
        load(tmp_path / "a.toml", tmp_path)
    assert f"extend: a circle: {tmp_path}/a.toml extends" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('extend = "missing.toml"', "missing.toml: cannot read: No such file or directory"),
        ("extend = 1", "extend: expected the path of another configuration, got 1"),
        ("baseline = []", "baseline: expected the path of a baseline, got []"),
        ('per-file-ignores = ["a"]', "per-file-ignores: expected a table with a list of codes"),
        ('per-file-ignores = {"a" = "NM1"}', "per-file-ignores: expected a table"),
        ('per-file-ignores = {"a" = ["E501"]}', "per-file-ignores: expected a table"),
    ],
)
def test_a_wrong_value_of_a_newer_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(own(tmp_path, text), tmp_path)
    assert message in str(caught.value)


def test_the_schema_for_editors_is_current() -> None:
    assert schema.FILE.read_text() == schema.made()
