"""Which code of a document is read, and where it stands."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.markup.blocks import read
from neuron_migrate.files.kinds import Kind


def blocks(text: str, path: str = "README.md") -> list[tuple[Kind, str]]:
    """The kind and the code of every block; each line stands where it says."""
    found = []
    for block in read(text, path):
        for line in block.lines:
            assert text[line.start : line.start + len(line.text)] == line.text
            assert text[line.first : line.start] == line.margin
            assert line.first == 0 or text[line.first - 1] in "\r\n"
        found.append((block.kind, "\n".join(line.text for line in block.lines)))
    return found


@pytest.mark.parametrize(
    ("language", "kind"),
    [
        ("python", Kind.PYTHON),
        ("Python", Kind.PYTHON),
        ("py", Kind.PYTHON),
        ("python3 linenums=1", Kind.PYTHON),
        ("{python}", Kind.PYTHON),
        ("{.py .numberLines}", Kind.PYTHON),
        ("{code-block} python", Kind.PYTHON),
        ("{code-cell} ipython3", Kind.PYTHON),
        ("{testcode}", Kind.PYTHON),
        ("bash", Kind.SHELL),
        ("console", Kind.SHELL),
        ("dockerfile", Kind.DOCKERFILE),
        ("yml", Kind.YAML),
        ("json", Kind.JSON),
        ("toml", Kind.TOML),
        ("requirements.txt", Kind.REQUIREMENTS),
    ],
)
def test_languages(language: str, kind: Kind) -> None:
    assert blocks(f"```{language}\nx\n```\n") == [(kind, "x")]


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```\n",
        "```text\nx\n```\n",
        "```diff\nx\n```\n",
        "```{r}\nx\n```\n",
        "```{code-block}\nx\n```\n",
        "````markdown\n```py\nx\n```\n````\n",
        "```py\n```\n",
        "```py\n\n```\n",
        "`py x`\n",
        "```py x``` is a line\n",
        "    x\n",
        "",
    ],
)
def test_what_is_not_read(text: str) -> None:
    assert blocks(text) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("~~~py\nx\n~~~\n", "x"),
        ("`````py\n```\n`````\n", "```"),
        ("```py\nx", "x"),
        ("- a\n\n  ```py\n  if x:\n      y\n  ```\n", "if x:\n    y"),
        ("1. - ```py\n     x\n     ```\n", "x"),
        ("> ```py\n> x\n>\n> y\n> ```\n", "x\n\ny"),
        ("> - > ```py\n>   > x\n>   > ```\n", "x"),
        ("!!! note\n\n    ```py\n    x\n    ```\n", "x"),
        ("<hfoption>\n```py\nx\n```\n</hfoption>\n", "x"),
        ("```py\n\n    x\n      y\n\n```\n", "x\n  y"),
        ("```py\r\nx\r\ny\r\n```\r\n", "x\ny"),
        ("```py\n\tx\n\ty\n```\n", "x\ny"),
        ("```{code-block} py\n:linenos:\n\nx\n```\n", "x"),
        ("```{code-cell} python\n---\ntags: []\n---\nx\n```\n", "x"),
        ("````{note}\n```py\nx\n```\n````\n", "x"),
        ("````{tab-item} A\n> ```py\n> x\n> ```\n````\n", "x"),
        ("```{eval-rst}\n.. code:: py\n\n   x\n```\n", "x"),
    ],
)
def test_where_code_stands_in_markdown(text: str, code: str) -> None:
    assert blocks(text) == [(Kind.PYTHON, code)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (".. code-block:: python\n\n   x\n\n     y\n\nText\n", "x\n\n  y"),
        (".. code:: py\n   :number-lines:\n\n   x\n", "x"),
        (".. sourcecode:: python\n\n   x", "x"),
        (".. note::\n\n   .. code:: python\n\n      x\n", "x"),
        ("* .. code:: python\n\n     x\n", "x"),
        (".. code-block::\n\n   x\n", "x"),
        (".. testcode::\n\n   x\n", "x"),
        ("Example::\n\n    x\n\nText\n", "x"),
        ("   Example::\n\n      x\n\n   Text\n", "x"),
        ("Text\n\n>>> x\n1\n\nText\n", "x"),
    ],
)
def test_where_code_stands_in_rst(text: str, code: str) -> None:
    assert blocks(text, "a.rst") == [(Kind.PYTHON, code)]


@pytest.mark.parametrize(
    "text",
    [
        ".. code-block:: text\n\n   x\n",
        ".. parsed-literal::\n\n   x::\n\n     y\n",
        ".. math::\n\n   x\n",
        ".. highlight:: none\n\nText::\n\n    x\n",
        "```py\nx\n```\n",
        "Text ::\nx\n",
    ],
)
def test_what_is_not_read_in_rst(text: str) -> None:
    assert blocks(text, "a.rst") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```py\n>>> if x:\n...     y\n...\n1\n>>> z\n```\n", (Kind.PYTHON, "if x:\n    y\n\nz")),
        ("```pycon\n>>> x\n```\n", (Kind.PYTHON, "x")),
        ("```console\n$ a \\\n>   b\nc\n$ d\n```\n", (Kind.SHELL, "a \\\n  b\nd")),
        ("```bash\n(env) $ a\nb\n```\n", (Kind.SHELL, "a")),
        ("```bash\n# first\n% a\nb\n```\n", (Kind.SHELL, "a")),
        ("```bash\na\n$ b\n```\n", (Kind.SHELL, "a\n$ b")),
    ],
)
def test_sessions(text: str, expected: tuple[Kind, str]) -> None:
    assert blocks(text) == [expected]
