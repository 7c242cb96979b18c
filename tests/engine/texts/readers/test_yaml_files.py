"""YAML and JSON that is broken, deep, large or made to harm."""

from __future__ import annotations

import time

import pytest

from neuron_migrate.engine.analysis import AnalysisError
from tests.cases import analyzer

NESTED = "device: cuda\n" + "a: &a [b, b]\n"
BOMB = NESTED + "".join(
    f"k{level}: &k{level} [{', '.join([f'*k{level - 1}' if level else '*a'] * 9)}]\n"
    for level in range(20)
)
MERGES = "a: &a {device: cuda}\n" + "".join(
    f"k{level}: &k{level}\n  <<: [{', '.join([f'*k{level - 1}' if level else '*a'] * 9)}]\n"
    for level in range(20)
)
DEEP = "".join(" " * level + f"a{level}:\n" for level in range(900))
VALUES = "[1," * 900 + "1" + "]" * 900
BROKEN = {
    "a tab": ("a:\n\tdevice: cuda\n", "a.yaml", 2),
    "an open list": ("device: [cuda\nb: c", "a.yaml", 2),
    "no such anchor": ("device: cuda\nb: *nope\n", "a.yaml", 2),
    "a control character": ('device: cuda\nb: "\x07"\n', "a.yaml", 2),
    "deep lists": ("device: cuda\na: " + "[" * 20_000, "a.yaml", 2),
    "deep mappings": (f"device: cuda\n{DEEP}", "a.yaml", 202),
    "no template of YAML": ("{% if x %}\ndevice: : cuda\n", "a.yaml", 2),
    "JSON without a value": ('{"device": "cuda",\n "a": }', "a.json", 2),
    "deep JSON": ('{"device": "cuda", "a": ' + "[" * 100_000, "a.json", 1),
    "deep JSON with values": ('{"device": "cuda", "a": ' + VALUES + "}", "a.json", 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "path", "line"), BROKEN.values(), ids=BROKEN)
def test_broken_files_are_named_with_the_line(text: str, path: str, line: int) -> None:
    started = time.monotonic()
    with pytest.raises(AnalysisError) as raised:
        analyzer("neuron").analyse(text, path)
    assert raised.value.line == line
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("text", [BOMB, MERGES], ids=["aliases", "merges"])
def test_aliases_are_not_copied_out(text: str) -> None:
    started = time.monotonic()
    [finding] = analyzer("neuron").analyse(text, "a.yaml")
    assert finding.code == "NM868"
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    "text",
    [
        "a: &a\n  <<: *a\n  device: cuda\n",
        "a: &a [*a, {device: cuda}]\n",
        "services: &s\n  device: cuda\n  x: *s\n",
    ],
)
def test_a_node_may_hold_itself(text: str) -> None:
    assert [each.code for each in analyzer("neuron").analyse(text, "a.yaml")] == ["NM868"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"device": "cuda"}\n{"device": "cuda"}\n', "data.json"),
        ('[{"device": "cuda"}]', "data.json"),
        ('{"device": "cuda", "text": "' + "a" * 400_000 + '"}', "vocab.json"),
        ("cuda", "a.yaml"),
        ("# device: cuda\n", "a.yaml"),
        ("- device: cuda\n", "list.yaml"),
    ],
)
def test_data_is_no_configuration(text: str, path: str) -> None:
    assert not analyzer("neuron").analyse(text, path)


def test_every_document_of_a_file_is_read() -> None:
    text = "%YAML 1.1\n---\ndevice: cuda\n---\n- a\n---\ndevice: !!str cuda\n...\n"
    assert [each.line for each in analyzer("neuron").analyse(text, "a.yaml")] == [3, 7]


def test_a_comment_suppresses_and_a_text_does_not() -> None:
    text = 'device: cuda  # noqa: NM868\nb: {device: cuda, c: "# noqa: NM868"}\n'
    assert [each.line for each in analyzer("neuron").analyse(text, "a.yaml")] == [2]
