"""setup.cfg, as setuptools reads it."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.texts.facts import ReadError
from tests.engine.texts.reading import asked, read, requirements, without

FILE = "setup.cfg"
TEXT = """[metadata]
install_requires = not-this
[options]
python_requires = >=3.7,<3.11
install_requires =
    numpy
    # torch==1
    torch>=1.7,<2  # why
setup_requires: torch==1.13
tests_require = pytest

[options.extras_require]
gpu =
    flash-attn
all = %(gpu)s
[tool:pytest]
install_requires = torch
"""


def test_what_is_asked_for() -> None:
    assert asked(TEXT, FILE) == [
        ("python", ">=3.7,<3.11"),
        ("numpy", ""),
        ("torch", "<2,>=1.7"),
        ("torch", "==1.13"),
        ("pytest", ""),
        ("flash-attn", ""),
    ]
    assert [each.name for each in requirements(TEXT, FILE) if each.optional] == [
        "pytest",
        "flash-attn",
    ]


def test_line_ends_of_windows() -> None:
    assert asked(TEXT.replace("\n", "\r\n"), FILE) == asked(TEXT, FILE)


def test_a_requirement_goes_with_its_line() -> None:
    assert without(TEXT, FILE, "flash-attn") == TEXT.replace("    flash-attn\n", "")
    assert without(TEXT, FILE, "pytest") is None


def test_comments_are_known() -> None:
    found = read(TEXT, FILE).comments
    assert [TEXT[each.start : each.end] for each in found] == ["# torch==1", "# why"]


@pytest.mark.parametrize(
    "text", ["a = 1\n", "[options]\n[", "[a]\nb\n  c\nd = %%\nnot an option\n"]
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ReadError, match="not valid INI"):
        requirements(text, FILE)
