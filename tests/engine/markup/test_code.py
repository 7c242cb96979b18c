"""Edits of code as edits of the document it stands in."""

from __future__ import annotations

from neuron_migrate.engine import edits
from neuron_migrate.engine.markup.blocks import read
from neuron_migrate.engine.markup.code import Code
from neuron_migrate.finding import Edit


def edited(document: str, old: str, new: str, *, assumed: str = "") -> str | None:
    """The document after ``old`` in its code became ``new``; None when that cannot be."""
    newline = "\r\n" if "\r\n" in document else "\n"
    code = Code([*read(document, "README.md")], newline, assumed)
    start = code.text.index(old)
    edit = code.translated(Edit(start, start + len(old), new))
    return None if edit is None else edits.apply(document, [edit])


def added(document: str, before: str, new: str) -> str | None:
    """The document after ``new`` was added before a piece of its code."""
    code = Code([*read(document, "README.md")], "\n")
    place = code.text.index(before)
    edit = code.translated(Edit(place, place, new))
    return None if edit is None else edits.apply(document, [edit])


QUOTED = "> - ```py\n>   a\n>\n>   b\n>   ```\n"


def test_a_word() -> None:
    assert edited(QUOTED, "b", "c") == QUOTED.replace("b", "c")


def test_a_line_that_goes_takes_its_margin() -> None:
    assert edited(QUOTED, "b\n", "") == "> - ```py\n>   a\n>\n>   ```\n"


def test_the_last_line_of_a_document() -> None:
    assert edited("```py\na\nb", "b\n", "") == "```py\na\n"


def test_new_lines_get_the_margin() -> None:
    assert edited(QUOTED, "b", "c(\n    d\n\n)") == (
        "> - ```py\n>   a\n>\n>   c(\n>       d\n>\n>   )\n>   ```\n"
    )
    assert added(QUOTED, "a", "x\ny\n") == ("> - ```py\n>   x\n>   y\n>   a\n>\n>   b\n>   ```\n")


def test_lines_that_become_others() -> None:
    assert edited("  ```py\n  a\n  b\n  ```\n", "a\nb\n", "c\nd\n") == (
        "  ```py\n  c\n  d\n  ```\n"
    )


def test_lines_that_are_joined() -> None:
    assert edited("  ```py\n  a\n  b\n  ```\n", "\nb", "; b") == "  ```py\n  a; b\n  ```\n"


def test_line_ends_are_those_of_the_document() -> None:
    assert edited("```py\r\na\r\n```\r\n", "a", "b\nc") == "```py\r\nb\r\nc\r\n```\r\n"


def test_a_line_after_the_last_one() -> None:
    code = Code([*read("```py\na\n```\n", "README.md")], "\n")
    assert code.translated(Edit(2, 2, "b\n")) == Edit(8, 8, "b\n")
    code = Code([*read("```py\na", "README.md")], "\n")
    assert code.translated(Edit(2, 2, "b\n")) == Edit(7, 7, "\nb")


def test_not_over_two_blocks() -> None:
    assert edited("```py\na\n```\n\n```py\nb\n```\n", "a\n\nb", "c") is None


def test_a_line_that_the_document_leaves_out() -> None:
    text = "```py\na\n```\n"
    assert edited(text, "import torch", "import b", assumed="import torch") is None
    assert edited(text, "a", "b", assumed="import torch") == "```py\nb\n```\n"


SESSION = "```py\n>>> a\n1\n>>> if b:\n...     c\n```\n"


def test_sessions() -> None:
    assert edited(SESSION, "c", "d") == SESSION.replace("c\n", "d\n")
    assert edited(SESSION, "a\n", "") == SESSION.replace(">>> a\n", "")
    assert added(SESSION, "if", "x\n\ny\n") == SESSION.replace(">>> if", ">>> x\n>>> y\n>>> if")


def test_what_a_session_cannot_show() -> None:
    assert edited(SESSION, "a", "a(\n    b\n)") is None
    assert edited(SESSION, "a\nif", "if") is None
