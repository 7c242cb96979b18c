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
            "guarded by contextlib.suppress",
            id="suppress",
        ),
        pytest.param("if TYPE_CHECKING:\n    import apex\n", "for type checkers only", id="types"),
        pytest.param(
            "if is_apex_available():\n    import apex\n", "behind an availability check", id="asks"
        ),
        pytest.param("if HAS_APEX:\n    import apex\n", "behind an availability check", id="flag"),
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
    ],
)
def test_an_option_decides(text: str, how: str) -> None:
    assert found(text) == (how, False, False)
