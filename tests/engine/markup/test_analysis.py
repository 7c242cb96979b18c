"""Findings of documents."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.report.listing import place
from tests.cases import analyzer, run


def found(text: str) -> list[str]:
    findings = analyzer("neuron").analyse(text, "README.md")
    return [f"{place(each)} {each.code} {each.fix or '-'}" for each in findings]


def fixed(text: str) -> str:
    return run(text.encode(), "neuron", path="README.md").after.decode()


def test_places_are_those_of_the_document() -> None:
    text = '# A\n\n- a\n\n  ```py\n  import torch\n  x.to("cuda")\n  ```\n'
    assert found(text) == ["7:8 NM101 safe"]


@pytest.mark.parametrize(
    "code",
    ["x.to('cuda'", "x.to('cuda') <or so>", "1: x.to('cuda')", "class A:", "\0x.to('cuda')"],
)
def test_what_is_not_python_is_passed_over(code: str) -> None:
    text = f"```py\n{code}\n```\n\n```py\nx.to('cuda')\n```\n"
    assert found(text) == [f"{text.count(chr(10)) - 1}:6 NM101 safe"]


@pytest.mark.parametrize("language", ["json", "yaml", "toml", "requirements", "dockerfile", "sh"])
def test_what_cannot_be_read_in_another_language(language: str) -> None:
    assert found(f"```{language}\n{{ device: cuda\n  <- ((\n```\n") == []


def test_an_ellipsis_stands_for_more_arguments() -> None:
    text = '```py\nm = Model(device="cuda", ...)\nn = f(\n    device="cuda",\n    ...\n)\n```\n'
    assert fixed(text) == text.replace("cuda", "neuron")


def test_an_ellipsis_stays_in_what_is_moved() -> None:
    text = "```py\nimport torch\nx = torch.cuda.FloatTensor(size=3, ...)\n```\n"
    assert "**_" not in fixed(text)


def test_a_fragment_that_does_not_import_torch() -> None:
    text = '```py\ndevice = "cuda" if torch.cuda.is_available() else "cpu"\n```\n'
    assert fixed(text) == text.replace('"cuda" if torch.cuda', '"neuron" if torch.neuron').replace(
        "torch.neuron.is", 'hasattr(torch, "neuron") and torch.neuron.is'
    )


def test_a_fix_that_spoils_a_block_is_refused() -> None:
    before = "```py\nx\n```\n"
    with pytest.raises(AnalysisError, match="no longer what it was"):
        analyzer("neuron").check(before, before.replace("x", "x ("), "README.md")
    analyzer("neuron").check(before, before.replace("x", "y"), "README.md")


def test_a_fix_that_spoils_another_language_is_refused() -> None:
    before = "```json\n{}\n```\n"
    with pytest.raises(AnalysisError):
        analyzer("neuron").check(before, before.replace("{}", "{"), "README.md")
    analyzer("neuron").check("```json\n{\n```\n", "```json\n[\n```\n", "README.md")
