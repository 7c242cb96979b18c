"""How a program survives without a package that it imports."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Statement

_CAUGHT = ("ImportError", "ModuleNotFound", "id='Exception'", "attr='Exception'")
_ASKS = re.compile(r"available|find_spec|installed|\bhas_|\bHAS_|\bHAVE_|exists", re.IGNORECASE)
_ASKS_DEVICE = re.compile(
    r"\b(cuda|accelerator)\b.*(is_available|device_count)|is_cuda|==\s*['\"]cuda"
)


@dataclass(frozen=True, slots=True)
class Fallback:
    """Why a failing import does not end the program."""

    how: str
    """Completes "The import is …"."""
    certain: bool
    """True when the program goes on without the package; False when an option decides."""
    device: bool = False
    """True when it hangs on whether a CUDA device is there."""
    option: bool = False
    """True when a condition decides whether the package is asked for at all."""


def fallback(statement: Statement) -> Fallback | None:
    """How the program survives when an import fails, or None when it does not."""
    inner = statement
    for outer in statement.ancestors():
        found = _from(outer.node, inner)
        if found is not None:
            return found
        inner = outer
    return None


def _from(node: ast.AST, inner: Statement) -> Fallback | None:
    if isinstance(node, ast.Try) and inner.block == "body" and _survives(node):
        return Fallback("guarded by try/except", True)
    if isinstance(node, ast.ExceptHandler):
        return Fallback("itself the fallback of another import", True)
    if isinstance(node, ast.With) and "suppress" in ast.dump(node.items[0].context_expr):
        return Fallback("guarded by contextlib.suppress", True)
    if isinstance(node, ast.If):
        return _from_test(ast.unparse(node.test), node)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return Fallback(f"made only when `{node.name}` runs", False)
    return None


def _from_test(test: str, node: ast.If) -> Fallback | None:
    if "TYPE_CHECKING" in test:
        return Fallback("for type checkers only", True)
    if _ASKS_DEVICE.search(test):
        return Fallback("behind an availability check", True, device=True)
    if _ASKS.search(test):
        return Fallback("behind an availability check", True)
    if "__name__" in test:
        return None
    return Fallback(f"made only when `{test}` holds", False, option=True)


def _survives(node: ast.Try) -> bool:
    """True when a failing import is caught and not raised again."""
    for handler in node.handlers:
        caught = ast.dump(handler.type) if handler.type is not None else "ImportError"
        if any(name in caught for name in _CAUGHT):
            return not any(isinstance(each, ast.Raise) or _exits(each) for each in handler.body)
    return False


def _exits(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and bool(
        re.fullmatch(r"(sys\.)?exit\(.*\)|quit\(.*\)", ast.unparse(node), re.DOTALL)
    )
