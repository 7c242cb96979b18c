from __future__ import annotations

import pytest

from neuron_migrate.engine.texts.facts import Command, Image, Variable
from neuron_migrate.engine.texts.readers.dockerfile import read


def _images(text: str) -> list[tuple[str, str]]:
    facts = read(text, "Dockerfile").facts
    return [(each.name, each.tag) for each in facts if isinstance(each, Image)]


def _commands(text: str) -> list[list[str | None]]:
    facts = read(text, "Dockerfile").facts
    return [[word.text for word in each.words] for each in facts if isinstance(each, Command)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM a/b:1", [("a/b", "1")]),
        ("from --platform=$P localhost:5000/a:1-x AS b\nFROM b", [("localhost:5000/a", "1-x")]),
        ("FROM a@sha256:0123", [("a", "")]),
        ("ARG V=2\nARG N=a/b\nFROM ${N}:$V-x", [("a/b", "2-x")]),
        ("ARG V\nFROM a:${V:-3}", [("a", "3")]),
        ("FROM a:$V", [("a", "$V")]),
        ("FROM scratch\nCOPY --from=x/y:1 /a /b\nCOPY --from=0 /a /b", [("x/y", "1")]),
    ],
)
def test_images(text: str, expected: list[tuple[str, str]]) -> None:
    assert _images(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RUN ls a && ls b", [["ls", "a"], ["ls", "b"]]),
        ("RUN ls \\\n # c\n\n  a\n", [["ls", "a"]]),
        ("RUN ls \\  \n  a", [["ls", "a"]]),
        ("# escape=`\nRUN ls `\r\n a\r\n", [["ls", "a"]]),
        ("RUN --mount=type=cache,rw \\\n ls a", [["ls", "a"]]),
        ("RUN <<E\nls a\nE\nRUN ls b", [["ls", "a"], ["ls", "b"]]),
        ("RUN <<E python\nls a\nE", []),
        ("RUN bash <<-E\n\tls a\n\tE\nCMD x", [["ls", "a"], ["bash"], ["x"]]),
        ("COPY <<E /x\nls a\nE", []),
        ('CMD ["torchrun", "a.py"]', [["torchrun"], ["a.py"]]),
        ("ONBUILD RUN ls a", [["ls", "a"]]),
        ("HEALTHCHECK --interval=5m CMD ls a", [["ls", "a"]]),
        ("HEALTHCHECK NONE", []),
        ('LABEL a=1 \\\n# c\n b=2\nSHELL ["x"]', []),
    ],
)
def test_commands(text: str, expected: list[list[str | None]]) -> None:
    assert _commands(text) == expected
    assert read(text, "Dockerfile").problems == []


def test_variables_have_their_places() -> None:
    text = "ENV A=1 B=\"2 é\" \\\n # A=5\n C='$x' D=$x\nENV E some A=1\nARG F\nARG G=3"
    facts = [each for each in read(text, "Dockerfile").facts if isinstance(each, Variable)]
    assert [(each.name, each.value) for each in facts] == [
        ("A", "1"), ("B", "2 é"), ("C", "$x"), ("D", None), ("E", "some A=1"), ("G", "3"),
    ]  # fmt: skip
    for each in facts:
        assert text[each.name_span.start : each.name_span.end] == each.name


@pytest.mark.parametrize("text", ["{% if x %}\nFROM a\n", "hello world\nFROM a\n"])
def test_what_is_no_instruction_is_a_problem(text: str) -> None:
    reading = read(text, "Dockerfile")
    assert len(reading.problems) == 1
    assert reading.facts


def test_what_docker_ignores_is_no_dockerfile() -> None:
    assert read("*.pyc\n", "Dockerfile.dockerignore").problems == []
