"""The colours and the motion of the page, as its style sheet says them."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product

import pytest

STYLE = "".join(
    each.read_text(encoding="utf-8")
    for each in (files("neuron_migrate.report.html") / "templates" / "style").iterdir()
)
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)
}
TONES = ("red", "amber", "green", "blue", "violet", "grey")
ON_PAGE = [*product(("text", "quiet", "link", *TONES), ("page", "card"))]
ON_CODE = [("text", each) for each in ("added", "removed", "added-part", "removed-part")]


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_as_defined() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert 4.5 < contrast("#767676", "#ffffff") < 4.6


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), [*ON_PAGE, *ON_CODE])
def test_text_can_be_read(text: str, ground: str, scheme: int) -> None:
    assert contrast(COLOURS[text][scheme], COLOURS[ground][scheme]) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "added", "removed", "removed-part", "added-part"])
def test_what_is_found_can_be_seen(ground: str, scheme: int) -> None:
    """A line under the code has to reach what WCAG 2 asks of graphics."""
    assert contrast(COLOURS["mark"][scheme], COLOURS[ground][scheme]) >= 3


def test_every_colour_is_one_of_these() -> None:
    rest = re.sub(r"light-dark\([^)]*\)", "", STYLE)
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", rest)
    assert {*re.findall(r"var\(--([\w-]+)\)", STYLE)} <= {*COLOURS, "tone"}


def test_nothing_moves() -> None:
    """So there is nothing for prefers-reduced-motion to stop."""
    assert not re.search(r"transition|animation|scroll-behavior|@keyframes", STYLE)
