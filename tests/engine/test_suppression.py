from __future__ import annotations

import pytest

from neuron_migrate.engine import suppression
from neuron_migrate.files.lines import Lines
from tests.engine.building import DEVICE, METHOD, UNUSED, fixed, found

NONE = [
    "x = 1",
    "x = '# neuron-migrate: ignore'",
    '"""\n# noqa: NM101\n"""',
    "# noqa",
    "# noqa: E501",
    "# type: ignore[NM101]",
    "# neuron-migrate: please",
    "# neuron-migrate:",
]
MALFORMED = [
    "# neuron-migrate: ignored",
    "# neuron-migrate: ignore[]",
    "# neuron-migrate: ignore[NM1O3]",
    "# neuron-migrate: ignore[cuda-method]",
    "# neuron-migrate: ignore NM101",
    "# neuron-migrate: ignore-next-line",
    "# neuron-migrate: ignore[NM103\n# neuron-migrate: ignore-file]",
]
COMMENTS = [
    ("x  # neuron-migrate: ignore", (), False),
    ("x  #neuron-migrate:ignore", (), False),
    ("x  # neuron-migrate: ignore[NM101]", ("NM101",), False),
    ("x  # neuron-migrate: ignore[NM101, nm2] why", ("NM101", "NM2"), False),
    ("# neuron-migrate: ignore-file", (), True),
    ("# neuron-migrate: ignore-file[NM1]", ("NM1",), True),
    ("x  # noqa: NM101", ("NM101",), False),
    ("x  # NOQA:E501,NM101 and why", ("NM101",), False),
    ("x  # type: int # noqa: NM101", ("NM101",), False),
]


@pytest.mark.parametrize("text", NONE)
def test_no_suppression(text: str) -> None:
    assert suppression.find(text, Lines(text)).comments == []


@pytest.mark.parametrize(("text", "codes", "whole_file"), COMMENTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_suppression(text: str, codes: tuple[str, ...], whole_file: bool, newline: str) -> None:
    text = f"é = '\u2028'{newline}{text}{newline}"
    [comment] = suppression.find(text, Lines(text)).comments
    assert (comment.line, comment.codes, comment.whole_file) == (2, codes, whole_file)
    assert text[comment.start] == "#"


SILENCED = [
    "x.to('cuda')  # neuron-migrate: ignore",
    "x.to('cuda')  # noqa: NM101",
    "x.to('cuda')  # noqa: NM1",
    "x.to(\n    'cuda',\n)  # noqa: NM101",
    "x.to(\n    'cuda',  # noqa: NM101\n)",
    "x = '''\n'''; y = x.to('cuda')  # noqa: NM101",
]
HEARD = [
    "x.to(  # noqa: NM101\n    'cuda',\n)",
    "x.to('cuda')  # noqa: NM102",
    "# noqa: NM101\nx.to('cuda')",
    "x.to('cuda')\n# noqa: NM101",
    "y = '# noqa: NM101'; x.to('cuda')",
    "if x:  # noqa: NM101\n    x.to('cuda')",
    "@f  # noqa: NM101\ndef g():\n    x.to('cuda')",
]


@pytest.mark.parametrize("code", SILENCED)
def test_silenced(code: str) -> None:
    text = f"import torch\n{code}\n"
    assert found(text, DEVICE, UNUSED) == []
    assert fixed(text, DEVICE, UNUSED) == text


@pytest.mark.parametrize("code", HEARD)
def test_not_silenced(code: str) -> None:
    assert "NM101" in " ".join(found(f"import torch\n{code}\n", DEVICE, UNUSED))


def test_a_whole_file() -> None:
    text = "import torch\nx.to('cuda')\ny.cuda()\n# neuron-migrate: ignore-file[NM101]\n"
    assert found(text, DEVICE, METHOD) == ["3:3 NM103 safe"]


def test_one_of_two_on_a_line() -> None:
    text = "import torch\nx.cuda().to('cuda')  # noqa: NM103\n"
    assert fixed(text, DEVICE, METHOD) == text.replace("'cuda'", "'neuron'")


def test_an_unused_suppression() -> None:
    text = "import torch\nx = 1  # neuron-migrate: ignore[NM101]\ny = 2  # noqa: E501\n"
    assert found(text, DEVICE, UNUSED) == ["2:8 NM001 -"]


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_not_understood_silences_nothing(text: str) -> None:
    found = suppression.find(text, Lines(text))
    assert found.comments and all(comment.malformed for comment in found.comments)
    assert not found.silence("NM103", 1, 2)
    assert list(found.unused) == found.comments
