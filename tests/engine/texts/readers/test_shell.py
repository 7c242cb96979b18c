from __future__ import annotations

import subprocess

import pytest

from neuron_migrate.engine.texts.facts import Command, Variable, VariableUse
from neuron_migrate.engine.texts.readers.shell import read, read_part


def _commands(text: str) -> list[list[str | None]]:
    facts = read(text, "run.sh").facts
    return [[word.text for word in each.words] for each in facts if isinstance(each, Command)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python -u a.py --x 1", [["python", "-u"], ["a.py", "--x", "1"]]),
        ("python -m pkg.a --x", [["python", "-m"], ["pkg.a", "--x"]]),
        ("python -c 'import a' b.py", [["python", "-c", "import a", "b.py"]]),
        ("$PY -m pkg.a", [[None, "-m"], ["pkg.a"]]),
        ("sudo -u me pip install x", [["sudo", "-u", "me"], ["pip", "install", "x"]]),
        ("timeout 5m python a.py", [["timeout", "5m"], ["python"], ["a.py"]]),
        ("command -v nvcc", [["command", "-v", "nvcc"]]),
        ("srun -N 2 torchrun a.py", [["srun", "-N", "2"], ["torchrun"], ["a.py"]]),
        ("torchrun --no-python b.sh", [["torchrun", "--no-python"], ["b.sh"]]),
        ("accelerate test a.py", [["accelerate", "test", "a.py"]]),
        ("./a.py --x", [["./a.py", "--x"]]),
        ("echo python a.py", [["echo", "python", "a.py"]]),
        ("cat <<E\npython a.py\nE\n", [["cat"]]),
        ("bash -s <<E\nls a\nE\n", [["ls", "a"], ["bash", "-s"]]),
        ("bash -c 'ls a'", [["bash", "-c", "ls a"], ["ls", "a"]]),
        ("A='--x 1'\nls $A b", [["ls", "--x", "1", "b"]]),
        ('A=(--x "1 2")\nls "${A[@]}"', [["ls", "--x", "1 2"]]),
        ("A=x\nA=y\nls $A", [["ls", "x"], ["ls", "y"]]),
        ("A='ls x'\nA+=' y'\n$A", [["ls", "x", "y"]]),
        ("A=$A\nls $A", [["ls", None]]),
        ("ls a\\ b \"$x\" $'c'", [["ls", None, None, None]]),
    ],
)
def test_commands(text: str, expected: list[list[str | None]]) -> None:
    assert _commands(text) == expected


def test_places_are_those_of_the_whole_text() -> None:
    text = "é A=1 é\nA='é --x' ; ls é $A"
    for fact in read(text, "run.sh").facts:
        for word in fact.words if isinstance(fact, Command) else ():
            assert text[word.span.start : word.span.end].strip("'") == word.text
    (inner,) = read_part("ls é x", 100).facts
    assert isinstance(inner, Command)
    assert (inner.span.start, inner.span.end) == (100, 106)


def test_variables_and_who_asks_for_them() -> None:
    facts = read('A=1 B="x $A" env C=2 ls\nexport A\nunset D\necho ${A:-3} $lower', "").facts
    given = {each.name: each.value for each in facts if isinstance(each, Variable)}
    asked = [(each.name, each.unset) for each in facts if isinstance(each, VariableUse)]
    assert given == {"A": "1", "B": None, "C": "2"}
    assert asked == [("A", False), ("A", False), ("D", True), ("A", False)]


@pytest.mark.parametrize(
    "text",
    [
        "ls $A \\\n\n",
        "ls \\",
        'for i in $A; do ls; done <<< "$B"',
        "v=${A:$N+1}",
        "ls \\\r\n a\r\n",
    ],
)
def test_good_scripts_have_no_problems(text: str) -> None:
    assert subprocess.run(["bash", "-n"], input=text.encode()).returncode == 0
    assert read(text, "run.sh").problems == []


@pytest.mark.parametrize(
    "text", ["if true; then\nls\n", "A=<folder>\nB=<x>\n", 'echo "a\nb\n', "ls )\n"]
)
def test_what_a_shell_refuses_is_a_problem(text: str) -> None:
    assert subprocess.run(["bash", "-n"], input=text.encode(), stderr=-3).returncode != 0
    assert len(read(text, "run.sh").problems) == 1


@pytest.mark.parametrize("shebang", ["#!/usr/bin/env python", "#!/bin/csh -f", "#!/usr/bin/fish"])
def test_other_languages_are_not_read(shebang: str) -> None:
    assert read(f"{shebang}\nnvidia-smi\n", "run.sh").facts == []
    assert read("#!/usr/bin/env bash\nnvidia-smi\n", "run.sh").facts != []
