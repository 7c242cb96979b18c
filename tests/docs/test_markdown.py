"""Text that looks like markup stays text."""

from __future__ import annotations

import pytest

from site_pages import markdown as md
from tests.docs.reading import kinds, links, tokens, words

HOSTILE = [
    "<script>alert(1)</script> <img src=x onerror=alert(1)> <!-- gone -->",
    "[x](javascript:alert) ![i](u) <https://a.example> [a]: https://b.example",
    "*a* **b** _c_ __d__ ~~e~~ $m$ $$n$$ {role}`x {{sub}} [^1] \\ \\* &amp; &#8203; |",
    "% a comment",
    "(target)=",
    "# a title",
    "1. one",
    "1) one",
    "+ one",
    "- one",
    "* one",
    "> quoted",
    "+++",
    "---",
    "===",
    "***",
    "| a | b |",
    ":field: text",
    ":::{note}",
    "```{eval-rst}",
    "~~~",
    "    indented",
    "[^1]: a footnote",
    "[a]: https://b.example",
    "``two`` backticks",
    "one ` alone",
]
TEXT = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "code_inline"}


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_is_what_it_says(text: str) -> None:
    page = f"before\n\n{md.prose(text)}\n"
    assert kinds(page) <= TEXT
    assert words(page) == f"before{text.strip()}"


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_in_a_cell_is_what_it_says(text: str) -> None:
    page = md.table(("Head", "Other"), [(md.prose(text), "end")])
    assert [each.content for each in tokens(page) if each.type == "inline"][2:] != []
    assert words(page) == f"HeadOther{text.strip()}end"
    assert not {"html_inline", "html_block", "link_open", "image", "em_open"} & kinds(page)


def test_code_in_backticks_is_code() -> None:
    page = md.prose("`a | b` and `<x>` of `{role}`")
    assert words(page) == "`a | b` and `<x>` of `{role}`"
    assert "code_inline" in kinds(page)
    assert words(md.table(("H",), [(page,)])) == "H`a | b` and `<x>` of `{role}`"


def test_a_code_of_a_rule_is_a_link() -> None:
    assert links(md.prose("see NM305, not `NM306` or NM3050")) == ["/rules/NM305.md"]


def test_control_characters_are_spelled_out() -> None:
    assert words(md.prose("a\x1b[31mb\u202ec")) == "a\\x1b[31mb\\u202ec"


@pytest.mark.parametrize("text", ["a`b", "`a`", "``", "a | b"])
def test_a_word_of_code(text: str) -> None:
    [code] = [each for each in tokens(md.code(text)) if each.type == "code_inline"]
    assert code.content == text


@pytest.mark.parametrize(
    "text", ["```\nout\n```", "````{note}\n````", ":force:\n---\nx", "# a\n\n\n    b", "(t)=\n%"]
)
def test_a_fence_holds_whatever_is_in_it(text: str) -> None:
    page = md.fence(text, "python") + "\n\nafter\n"
    [fence] = [each for each in tokens(page) if each.type == "fence"]
    assert fence.info == "{code-block} python"
    assert fence.content == f":force:\n\n{text}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [("only asks", "Only asks\\."), ("Done.", "Done\\."), ("", ""), ("`x` is", "`x` is.")],
)
def test_a_sentence(text: str, said: str) -> None:
    assert words(md.sentence(text)) == said.replace("\\", "")
