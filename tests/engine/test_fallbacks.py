"""How a program survives without a package that it imports."""

from __future__ import annotations

import ast

import pytest

from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.index import build
from neuron_migrate.files.lines import Lines


def found(text: str) -> tuple[str, bool, bool] | None:
    """The fallback of the first import in a text."""
    index = build(ast.parse(text), Lines(text), text)
    statement = next(
        each for each in index.statements if isinstance(each.node, (ast.Import, ast.ImportFrom))
    )
    result = fallback(statement)
    return (result.how, result.certain, result.device) if result else None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import apex\n", id="plain"),
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    raise RuntimeError\n", id="raises-anew"
        ),
        pytest.param("try:\n    import apex\nexcept ImportError:\n    sys.exit(1)\n", id="exits"),
        pytest.param("try:\n    import apex\nexcept KeyError:\n    pass\n", id="other-error"),
        pytest.param("try:\n    import apex\nfinally:\n    pass\n", id="finally-only"),
        pytest.param('if __name__ == "__main__":\n    import apex\n', id="main"),
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    if a:\n        raise\n"
            "    else:\n        sys.exit()\n",
            id="ends-either-way",
        ),
        pytest.param("if is_npu():\n    pass\nimport apex\n", id="something-before"),
        pytest.param(
            "if is_npu_available():\n    pass\nelse:\n    import apex\n", id="for-another-device"
        ),
        pytest.param(
            'pytest.importorskip("triton")\nimport apex\n', id="skipped-for-another-package"
        ),
    ],
)
def test_ends_with_the_import(text: str) -> None:
    assert found(text) is None


@pytest.mark.parametrize(
    ("text", "how"),
    [
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    apex = None\n",
            "guarded by try/except",
            id="import-error",
        ),
        pytest.param(
            "try:\n    import apex\nexcept (OSError, ImportError):\n    pass\n",
            "guarded by try/except",
            id="several-errors",
        ),
        pytest.param(
            "try:\n    import apex\nexcept Exception:\n    pass\n",
            "guarded by try/except",
            id="any-exception",
        ),
        pytest.param(
            "try:\n    pass\nexcept ImportError:\n    import apex\n",
            "itself the fallback of another import",
            id="handler",
        ),
        pytest.param(
            "with suppress(ImportError):\n    import apex\n",
            "guarded by suppress",
            id="suppress",
        ),
        pytest.param("if TYPE_CHECKING:\n    import apex\n", "for type checkers only", id="types"),
        pytest.param(
            "if is_apex_available():\n    import apex\n", "behind an availability check", id="asks"
        ),
        pytest.param("if HAS_APEX:\n    import apex\n", "behind an availability check", id="flag"),
        pytest.param(
            "try:\n    import_it()\n    raise Missing\nexcept Missing:\n    pass\n"
            "else:\n    import apex\n",
            "guarded by try/except",
            id="else-of-try",
        ),
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    raise unittest.SkipTest\n",
            "guarded by try/except",
            id="skips",
        ),
        pytest.param(
            "def f():\n    if not HAS_APEX:\n        return\n    import apex\n",
            "behind an availability check",
            id="left-before",
        ),
        pytest.param(
            'pytest.importorskip("apex")\nimport apex\n',
            "in a test that is skipped without the package",
            id="importorskip",
        ),
        pytest.param(
            "@require_apex\ndef test_it():\n    import apex\n",
            "in a test that is skipped without the package",
            id="decorator",
        ),
        pytest.param(
            "@skipUnless(HAS_APEX)\nclass T:\n    def test_it(self):\n        import apex\n",
            "in a test that is skipped without the package",
            id="class-decorator",
        ),
    ],
)
def test_goes_on_without(text: str, how: str) -> None:
    assert found(text) == (how, True, False)


def test_device_test_is_told_apart() -> None:
    text = "if torch.cuda.is_available():\n    import apex\n"
    assert found(text) == ("behind an availability check", True, True)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        pytest.param("def f():\n    import apex\n", "made only when `f` runs", id="function"),
        pytest.param(
            "if args.apex:\n    import apex\n", "made only when `args.apex` holds", id="option"
        ),
        pytest.param(
            "if args.native:\n    pass\nelse:\n    import apex\n",
            "made unless `args.native` holds",
            id="else-of-option",
        ),
    ],
)
def test_an_option_decides(text: str, how: str) -> None:
    assert found(text) == (how, False, False)


@pytest.mark.parametrize(
    ("text", "survives"),
    [
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    import cupy\n", False, id="both"
        ),
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    try:\n        import cupy\n"
            "    except ImportError:\n        cupy = None\n",
            True,
            id="neither",
        ),
        pytest.param(
            "try:\n    import apex\nexcept ImportError:\n    import torch\n", True, id="one"
        ),
    ],
)
def test_a_fallback_that_is_gone_too(text: str, survives: bool) -> None:
    index = build(ast.parse(text), Lines(text), text)
    first = next(each for each in index.statements if isinstance(each.node, ast.Import))
    result = fallback(first, lambda module: module in {"apex", "cupy"})
    assert (result is not None) == survives
