from __future__ import annotations

import time

import pytest

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks.magics import plain
from neuron_migrate.files.lines import Lines

PYTHON = {
    "!ls": "0  ",
    "! ls -l": "0      ",
    "x = !ls": "x = 0  ",
    "x, y = %sx ls": "x, y = 0     ",
    "%cd ..": "0     ",
    "%time x = f()": "0    ;x = f()",
    "%timeit -n 10 -r3 f()": "0                ;f()",
    "%time f(1,\n  2)": "0    ;f(1,\n  2)",
    "%time for x in y: pass": "0                     ",
    "%timeit x y": "0          ",
    "f.a?": "0   ",
    "??f": "0  ",
    "if x:\n    !ls\nelse:\n    %cd a": "if x:\n    0  \nelse:\n    0    ",
    "!a \\\n  --b 0x \\\n  c\nx": "0   \\\n         \\\n   \nx".replace("\\", " "),
    "!a \\\r\n  b\r\nx\r\n": "0   \r\n   \r\nx\r\n",
    "pip install a": "0            ",
    "pip = 5\ncd - x\n!a": "pip = 5\ncd - x\n0 ",
    "%%time\nx": "0     \nx",
    "\n# a\n%%capture out\n!ls\nx": "\n# a\n0            \n0  \nx",
    "%%bash\nls": "0     \n  ",
    "%%unknown\n<b>": "0        \n   ",
    "%%unknown\nx": "0        \nx",
    "s = '''\n!ls\n'''\n!ls": "s = '''\n!ls\n'''\n0  ",
    "x = (1\n % 2)\n!a": "x = (1\n % 2)\n0 ",
    "x = 1 \\\n % 2\n!a": "x = 1 \\\n % 2\n0 ",
    "!echo don't (\nx = f'{a[\"b\"]}'": "0           \nx = f'{a[\"b\"]}'",
    "'a=%s' % x\n!a": "'a=%s' % x\n0 ",
    "f(a=1)\nx: int = !a": "f(a=1)\nx: int = 0 ",
}


@pytest.mark.parametrize(("source", "python"), PYTHON.items())
def test_what_only_ipython_reads_is_blank(source: str, python: str) -> None:
    found = plain(source).text
    assert [line.rstrip(" ") for line in found.split("\n")] == [
        line.rstrip(" ") for line in python.split("\n")
    ]
    assert len(found) == len(source)
    assert Lines(found).position(len(found)) == Lines(source).position(len(source))


@pytest.mark.parametrize(
    "source", ["x y", "!ls\nx y", "%%time\nx y", "(\n!ls", "'''\n!ls", "for x in y:\n!ls", "1 +?x"]
)
def test_what_is_no_python_even_so(source: str) -> None:
    with pytest.raises(AnalysisError):
        plain(source)


def test_the_commands_and_the_magics() -> None:
    source = "!a b\nx = !c\n%sx d\n!!e\n%env A=1\n%time f()\npip install g\n"
    found = plain(source)
    assert [source[each.start : each.end] for each in found.shell] == ["a b", "c", "d", "e"]
    assert [source[each.start : each.end] for each in found.lines] == ["env A=1", "pip install g"]


@pytest.mark.parametrize("first", ["%%bash", "%%sh -e", "%%script bash", "%%script env zsh", "%%!"])
def test_a_cell_of_shell_code(first: str) -> None:
    source = f"{first}\nls\n"
    found = plain(source)
    assert not found.python
    assert [source[each.start : each.end] for each in found.shell] == ["\nls\n"]


@pytest.mark.parametrize("first", ["%%html", "%%writefile a.py", "%%script false", "%%script perl"])
def test_a_cell_of_something_else(first: str) -> None:
    found = plain(f"{first}\nls\n")
    assert not found.python
    assert not found.shell


@pytest.mark.parametrize("line", ["\r\n", "# a\r\n", "!ls\n", "x = !ls \\\n\n", "pip install a\n"])
def test_many_lines_take_no_time(line: str) -> None:
    started = time.monotonic()
    plain(line * 2000 + "!ls")
    assert time.monotonic() - started < 10
