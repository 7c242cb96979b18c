"""How many input shapes a place can make, read off its arguments."""

from __future__ import annotations

import pytest

from neuron_migrate.catalog.shapes import ShapeCount, faults
from neuron_migrate.engine import shapes
from neuron_migrate.finding import Finding, Shapes
from tests.cases import analysed
from tests.engine.building import spot

LENGTHS = ShapeCount(at_most=("size", "longest:1"), given=("cut=True",), step="step")


@pytest.mark.parametrize(
    ("call", "at_most", "in_buckets"),
    [
        ("f(x, size=512, cut=True)", 512, 4),
        ("f(x, size=512, cut=True, step=64)", 8, 4),
        ("f(x, size=500, cut=True, step=64)", 8, 4),
        ("f(x, size=512, cut=True, step=256)", 2, 2),
        ("f(x, 100, cut=True)", 100, 1),
        ("f(x, 100, size=512, cut=True)", 512, 4),
        ("f(x, size=2 * 64, cut=True)", 128, 1),
        ("f(x, size=n, cut=True)", None, None),
        ("f(x, size=512)", None, None),
        ("f(x, cut=True)", None, None),
        ("f(x, size=None, cut=True)", None, None),
        ("f(x, size=0, cut=True)", None, None),
        ("f(x, size=512, cut=True, step=None)", 512, 4),
        ("f(x, size=512, cut=True, step=step)", 512, 4),
        ("f(x, size=True, cut=True)", None, None),
        ("f(x, size=480_000, cut=True)", None, None),
    ],
)
def test_lengths(call: str, at_most: int | None, in_buckets: int | None) -> None:
    node, here = spot(f"{call}\n", call)
    assert shapes.count(LENGTHS, node, here) == Shapes(at_most=at_most, in_buckets=in_buckets)


@pytest.mark.parametrize(
    ("before", "at_most"),
    [
        pytest.param("n = 512\n", 512, id="a module's constant"),
        pytest.param("m = 256\nn = m * 2\n", 512, id="another's double"),
        pytest.param("n = 512\nn = 256\n", None, id="one of two"),
        pytest.param("n = 512\nn += 1\n", None, id="counted up"),
        pytest.param("n = load()\n", None, id="from a call"),
        pytest.param("for n in (1, 2):\n    pass\n", None, id="a loop's variable"),
        pytest.param("from settings import n\n", None, id="imported"),
    ],
)
def test_a_number_may_have_a_name(before: str, at_most: int | None) -> None:
    node, here = spot(f"{before}f(x, size=n, cut=True)\n", "f(x, size=n, cut=True)")
    assert shapes.count(LENGTHS, node, here).at_most == at_most


def test_a_parameter_is_not_its_default() -> None:
    node, here = spot("def g(n=8):\n    f(x, size=n, cut=True)\n", "f(x, size=n, cut=True)")
    assert shapes.count(LENGTHS, node, here).at_most is None


def test_a_number_that_is_always_the_same() -> None:
    node, here = spot("f(x)\n", "f(x)")
    count = ShapeCount(always=2, per="epoch")
    assert shapes.count(count, node, here) == Shapes(at_most=2, in_buckets=2, per="epoch")


def test_what_is_no_call_has_no_bound() -> None:
    node, here = spot("x = y\n", "y")
    assert shapes.count(LENGTHS, node, here) == Shapes()


@pytest.mark.parametrize(
    ("count", "key"),
    [
        (None, None),
        (ShapeCount(), None),
        (ShapeCount(at_most=("max_length:3",), step="pad"), None),
        (ShapeCount(always=0), "shapes.always"),
        (ShapeCount(always=2, at_most=("n",)), "shapes.always"),
        (ShapeCount(at_most=("n=2",)), "shapes"),
        (ShapeCount(step="a b"), "shapes"),
    ],
)
def test_a_malformed_table_is_refused(count: ShapeCount | None, key: str | None) -> None:
    assert [fault[0] for fault in faults(count)] == ([key] if key else [])


TOKENIZER = "def f(tokenizer, x):\n    return tokenizer(x, {})\n"
LOOP = """import torch
STEPS = 64
def f(x, y):
    for _ in range({}):
        x = torch.cat([x, y])
"""


@pytest.mark.parametrize(
    ("text", "code", "at_most", "in_buckets"),
    [
        (
            TOKENIZER.format("padding=True, truncation=True, max_length=512"),
            "NM226",
            512,
            4,
        ),
        (
            TOKENIZER.format(
                "padding=True, truncation=True, max_length=512, pad_to_multiple_of=32"
            ),
            "NM226",
            16,
            4,
        ),
        (TOKENIZER.format("padding=True, max_length=512"), "NM226", None, None),
        (
            "from torch.utils.data import DataLoader\nx = DataLoader(d, batch_size=4)\n",
            "NM221",
            2,
            2,
        ),
        (
            "import transformers\ny = model.generate(x, max_new_tokens=256)\n",
            "NM358",
            256,
            2,
        ),
        ("import transformers\ny = model.generate(x)\n", "NM358", None, None),
        (LOOP.format("STEPS"), "NM230", 64, 64),
        (LOOP.format("2, 10"), "NM230", 8, 8),
        (LOOP.format("y"), "NM230", None, None),
        ("import torch\ny = torch.nonzero(x)\n", "NM222", None, None),
    ],
)
def test_the_catalog_counts(
    text: str, code: str, at_most: int | None, in_buckets: int | None
) -> None:
    found = _finding(text, code).shapes
    assert found is not None
    assert (found.at_most, found.in_buckets) == (at_most, in_buckets)


def test_other_findings_are_not_about_shapes() -> None:
    assert _finding("import torch\nx = torch.ones(1).cuda()\n", "NM103").shapes is None


def _finding(text: str, code: str) -> Finding:
    return next(each for each in analysed(text, "neuron") if each.code == code)
