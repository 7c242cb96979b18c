"""pyproject.toml and Pipfile, as packaging, Poetry, uv, PDM and Pipenv read them."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.texts.facts import ReadError
from tests.engine.texts.reading import asked, indexes, requirements, without

FILE = "pyproject.toml"


@pytest.mark.parametrize(
    ("text", "optional"),
    [
        ('[project]\ndependencies = ["torch==2.1"]', False),
        ('[build-system]\nrequires = ["torch==2.1"]', False),
        ('project.dependencies = ["torch==2.1"]', False),
        ('[tool.uv]\noverride-dependencies = ["torch==2.1"]', False),
        ('[project.optional-dependencies]\ngpu = ["torch==2.1"]', True),
        ('[dependency-groups]\ndev = [{include-group = "a"}, "torch==2.1"]', True),
        ('[tool.uv]\ndev-dependencies = ["torch==2.1"]', True),
        ('[tool.pdm.dev-dependencies]\ntest = ["torch==2.1"]', True),
        ('[tool.hatch.envs.test]\nextra-dependencies = ["torch==2.1"]', True),
        ('[tool.poetry.dependencies]\ntorch = "==2.1"', False),
        ('[tool.poetry.dependencies]\ntorch = "2.1"', False),
        ('[tool.poetry.dependencies]\ntorch = {version = "2.1", source = "a"}', False),
        ('[tool.poetry.dependencies.torch]\nversion = "2.1"\nsource = "a"', False),
        ('[tool.poetry.dependencies]\ntorch = {version = "2.1", optional = true}', True),
        ('[tool.poetry.dev-dependencies]\ntorch = "2.1"', True),
        ('[tool.poetry.group.dev.dependencies]\ntorch = "2.1"', True),
    ],
)
def test_what_is_asked_for(text: str, optional: bool) -> None:
    [found] = requirements(text, FILE)
    assert (found.name, found.specifier) == ("torch", "==2.1")
    assert found.optional == optional


@pytest.mark.parametrize(
    "text",
    [
        '[tool.ruff]\nselect = ["torch==2.1"]',
        '[project]\nname = "torch"\nkeywords = ["torch"]',
        '[tool.uv.sources]\ntorch = { index = "a" }',
        '[tool.poetry.extras]\na = ["torch"]',
        "",
    ],
)
def test_what_is_not(text: str) -> None:
    assert asked(text, FILE) == []


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('[project]\nrequires-python = ">=3.8,<3.12"', FILE, "<3.12,>=3.8"),
        ('[tool.poetry.dependencies]\npython = "^3.9"', FILE, "<4,>=3.9"),
        ('[requires]\npython_version = "3.9"', "Pipfile", "==3.9.*"),
    ],
)
def test_python(text: str, path: str, expected: str) -> None:
    assert asked(text, path) == [("python", expected)]


def test_pipfile() -> None:
    text = '[packages]\ntorch = {version = "==2.0.1+cu117", index = "a"}\nfaiss-gpu = "*"\n'
    torch, faiss = requirements(text, "Pipfile")
    assert (torch.specifier, torch.build) == ("==2.0.1+cu117", "cu117")
    assert (faiss.name, faiss.specifier, faiss.optional) == ("faiss-gpu", "", False)
    assert without(text, "Pipfile", "faiss-gpu") == text.replace('faiss-gpu = "*"\n', "")


def test_what_an_extra_of_poetry_names_stays() -> None:
    text = '[tool.poetry.dependencies]\na = "1"\nb = "1"\n[tool.poetry.extras]\nx = ["a"]\n'
    assert without(text, FILE, "a") is None
    assert without(text, FILE, "b") == text.replace('b = "1"\n', "")


def test_indexes() -> None:
    text = (
        '[[tool.uv.index]]\nname = "a"\nurl = "https://a.org"\n'
        '[[tool.poetry.source]]\nurl = "https://b.org"\n[[tool.pdm.source]]\nurl = "https://c.org"\n'
        '[tool.uv]\nextra-index-url = ["https://d.org"]\n'
    )
    assert indexes(text, FILE) == [f"https://{each}.org" for each in "abcd"]


def test_an_escaped_requirement_keeps_its_versions() -> None:
    [found] = requirements('[project]\ndependencies = ["torch\\u003d=2.1"]', FILE)
    assert found.specifier == "==2.1"
    assert found.specifier_span is None


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(ReadError, match="not valid TOML"):
        requirements("[project", FILE)
