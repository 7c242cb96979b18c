"""Environments of conda."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.texts.facts import ReadError
from tests.engine.texts.reading import asked, indexes, requirements, without

FILE = "environment.yml"
TEXT = """name: a
channels: [pytorch, nvidia]
dependencies:
  - python=3.10
  - pytorch::pytorch=2.1.0=py3.10_cuda12.1_cudnn8
  - "cupy>=12"  # arrays
  - pip
  - pip:
    - --extra-index-url https://a.org
    - -r requirements.txt
    - torch==2.1.0+cu121; os_name == "posix"
"""


def test_what_is_asked_for() -> None:
    assert asked(TEXT, FILE) == [
        ("python", "==3.10.*"),
        ("torch", "==2.1.0"),
        ("cupy", ">=12"),
        ("pip", ""),
        ("torch", "==2.1.0+cu121"),
    ]
    builds = [each.build for each in requirements(TEXT, FILE) if each.name == "torch"]
    assert builds == ["py3.10_cuda12.1_cudnn8", "cu121"]


def test_indexes_and_channels() -> None:
    assert indexes(TEXT, FILE) == ["pytorch", "nvidia", "https://a.org"]


def test_an_item_goes_with_its_line() -> None:
    assert without(TEXT, FILE, "cupy") == TEXT.replace('  - "cupy>=12"  # arrays\n', "")
    assert without("dependencies:\n  [a, b]\n", FILE, "a") is None
    assert without("dependencies:\n- a\n- b", FILE, "b") == "dependencies:\n- a\n"


def test_every_document_of_a_file_is_read() -> None:
    text = "dependencies:\n- a\n---\ndependencies:\n- b=1\n"
    assert asked(text, FILE) == [("a", ""), ("b", "==1.*")]


def test_versions_of_conda_have_no_place_for_those_of_pip() -> None:
    by_conda, by_pip = (each for each in requirements(TEXT, FILE) if each.name == "torch")
    assert by_conda.specifier_span is None
    assert by_pip.specifier_span is not None


@pytest.mark.parametrize(
    "text", ["a: 1\n", "dependencies: 3\n", "jobs:\n  dependencies:\n    - torch\n", ""]
)
def test_other_files_ask_for_nothing(text: str) -> None:
    assert asked(text, FILE) == []


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(ReadError):
        requirements("dependencies:\n  - a\n b: [\n", FILE)
