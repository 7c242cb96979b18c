"""The checker of a built site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from site_pages import links

if TYPE_CHECKING:
    from pathlib import Path


def site(folder: Path, body: str) -> list[str]:
    (folder / "sub").mkdir()
    (folder / "sub/b.html").write_text('<h1 id="top">b</h1>')
    (folder / "style.css").write_text("")
    (folder / "a.html").write_text(f'<p id="here">{body}</p>')
    return links.faults(folder)


def test_links_that_lead_somewhere(tmp_path: Path) -> None:
    body = (
        '<a href="sub/b.html">1</a><a href="sub/b.html#top">2</a><a href="#here">3</a>'
        '<a href="https://a.example/x#y">4</a><link href="style.css?v=1"><img src="data:,">'
        '<a href="">5</a>'
    )
    assert site(tmp_path, body) == []


def test_links_that_do_not(tmp_path: Path) -> None:
    body = '<a href="c.html">1</a><a href="sub/b.html#no">2</a><a href="#no">3</a><img src="x.png">'
    assert site(tmp_path, body) == [
        "a.html: c.html",
        "a.html: sub/b.html#no",
        "a.html: #no",
        "a.html: x.png",
    ]


def test_an_anchor_that_is_there_twice(tmp_path: Path) -> None:
    assert site(tmp_path, '<b id="x"></b><b id="x"></b>') == ["a.html: #x twice"]
