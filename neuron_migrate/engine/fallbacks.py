"""How a program survives without a package that it imports."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine import availability

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from neuron_migrate.engine.availability import Asked
    from neuron_migrate.engine.index import Statement

_ANY_ERROR = ("id='Exception'", "attr='Exception'", "BaseException")
IMPORT_ERRORS = ("ImportError", "ModuleNotFound", *_ANY_ERROR)
"""What an ``except`` clause says that catches a failing import, as ``ast.dump`` writes it."""
HOST_ERRORS = ("FileNotFoundError", "OSError", "EnvironmentError", "IOError", *_ANY_ERROR)
"""The same for a program or a shared library that the host does not have."""
_WITHOUT = re.compile(r"suppress|optional|lazy|try_import|ignore_import|raises\(")
_SKIPS = re.compile(r"skip|require|available", re.IGNORECASE)
_EXITS = re.compile(r"(sys\.|os\.)?_?exit\(.*\)|quit\(.*\)|pytest\.fail\(.*\)", re.DOTALL)


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


_HOW: dict[Asked, Fallback] = {
    "types": Fallback("for type checkers only", True),
    "never": Fallback("under a condition that never holds", True),
    "device": Fallback("behind an availability check", True, device=True),
    "package": Fallback("behind an availability check", True),
}
_SKIPPED = Fallback("in a test that is skipped without the package", True)


def fallback(
    statement: Statement,
    gone: Callable[[str], bool] = lambda module: False,
    errors: tuple[str, ...] = IMPORT_ERRORS,
) -> Fallback | None:
    """How the program survives when an import fails, or None when it does not.

    ``gone`` says of a module that it cannot be imported on a Neuron host either; with other
    ``errors`` the question is about a statement that fails with one of them.
    """
    inner = statement
    roots = {module.partition(".")[0] for module in _imported([statement.node])}
    for outer in [*statement.ancestors(), None]:
        found = _from_earlier(inner, roots)
        if found is None and outer is not None:
            found = _from(outer, inner, gone, errors)
        if found is not None or outer is None:
            return found
        inner = outer
    return None


def _from(
    outer: Statement, inner: Statement, gone: Callable[[str], bool], errors: tuple[str, ...]
) -> Fallback | None:
    node = outer.node
    if isinstance(node, ast.Try):
        about = inner.block == "body" or (inner.block == "orelse" and _asks(node.body))
        guarded = about and _survives(node, gone, errors)
        return Fallback("guarded by try/except", True) if guarded else None
    if isinstance(node, ast.ExceptHandler):
        return _from_handler(outer, gone)
    if isinstance(node, ast.With) and any(_WITHOUT.search(ast.unparse(i)) for i in node.items):
        what = ast.unparse(node.items[0].context_expr).partition("(")[0]
        return Fallback(f"guarded by {what}", True)
    if isinstance(node, ast.If):
        return _from_test(node.test, holds=inner.block == "body")
    if isinstance(node, ast.match_case):
        return Fallback("made only in one case", False, option=True)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        skipped = any(_is_skipped(each) for each in (outer, *outer.ancestors()))
        return _SKIPPED if skipped else Fallback(f"made only when `{node.name}` runs", False)
    return None


def _from_test(test: ast.expr, *, holds: bool) -> Fallback | None:
    asked = availability.asked(test, holds=holds)
    if asked == "option":
        when = "only when" if holds else "unless"
        return Fallback(f"made {when} `{ast.unparse(test)}` holds", False, option=True)
    return _HOW[asked] if asked is not None else None


def _from_handler(handler: Statement, gone: Callable[[str], bool]) -> Fallback | None:
    """What an ``except`` clause imports is needed when what the ``try`` imports is gone too."""
    tried = handler.parent.node if handler.parent is not None else None
    if isinstance(tried, ast.Try) and any(gone(each) for each in _imported(tried.body)):
        return None
    return Fallback("itself the fallback of another import", True)


def _from_earlier(statement: Statement, roots: AbstractSet[str]) -> Fallback | None:
    """What stands before a statement and is not passed without the package."""
    for earlier in statement.siblings:
        if earlier is statement:
            return None
        node = earlier.node
        if isinstance(node, ast.If) and not node.orelse and _leaves(node.body[-1]):
            asked = availability.asked(node.test, holds=False)
            if asked is not None and asked != "option":
                return _HOW[asked]
        if isinstance(node, (ast.Expr, ast.Assign)) and _skipped_without(node.value) in roots:
            return _SKIPPED
    return None


def _survives(
    node: ast.Try, gone: Callable[[str], bool], errors: tuple[str, ...] = IMPORT_ERRORS
) -> bool:
    """True when a failing import is caught and the program goes on."""
    for handler in node.handlers:
        caught = ast.dump(handler.type) if handler.type is not None else errors[0]
        if any(name in caught for name in errors) or _asks_by_raising(node, handler):
            return not any(_ends(each, gone) for each in handler.body)
    return False


def _ends(node: ast.stmt, gone: Callable[[str], bool]) -> bool:
    """True for a statement that the program does not go on after."""
    if isinstance(node, ast.Raise):
        return not (node.exc is not None and "Skip" in ast.unparse(node.exc))
    if isinstance(node, ast.Expr):
        return bool(_EXITS.fullmatch(ast.unparse(node)))
    if isinstance(node, ast.If):
        branches = (node.body, node.orelse)
        return all(any(_ends(each, gone) for each in branch) for branch in branches)
    if isinstance(node, ast.Try):
        return not _survives(node, gone) and any(gone(each) for each in _imported(node.body))
    return any(gone(each) for each in _imported([node]))


def _imported(body: Iterable[ast.AST]) -> list[str]:
    """The modules that a block imports, whatever happens before."""
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def _asks(body: Iterable[ast.stmt]) -> bool:
    """True for the body of a ``try`` that fails where a package is missing."""
    kinds = (ast.Import, ast.ImportFrom, ast.Raise)
    return any(isinstance(each, kinds) for node in body for each in ast.walk(node))


def _asks_by_raising(node: ast.Try, handler: ast.ExceptHandler) -> bool:
    """``if not is_x_available(): raise Missing`` with an ``except Missing`` below it."""
    raised = [each for stmt in node.body for each in ast.walk(stmt) if isinstance(each, ast.Raise)]
    caught = ast.unparse(handler.type) if handler.type is not None else ""
    return any(each.exc is not None and caught in ast.unparse(each.exc) for each in raised)


def _leaves(node: ast.stmt) -> bool:
    """True for a statement that skips the rest without ending the program."""
    if isinstance(node, ast.Raise):
        return node.exc is not None and "Skip" in ast.unparse(node.exc)
    if isinstance(node, ast.Expr):
        return _is_call(node.value, "skip") or _is_call(node.value, "skipTest")
    return isinstance(node, (ast.Return, ast.Continue, ast.Break))


def _skipped_without(node: ast.expr) -> str | None:
    """The package that ``pytest.importorskip`` asks for."""
    if not (isinstance(node, ast.Call) and _is_call(node, "importorskip") and node.args):
        return None
    name = node.args[0]
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return name.value.partition(".")[0]
    return None


def _is_call(node: ast.expr, name: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    func = node.func
    return getattr(func, "attr", getattr(func, "id", "")) == name


def _is_skipped(statement: Statement) -> bool:
    """True for a function or class with a decorator that asks for the package."""
    node = statement.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    return any(_SKIPS.search(ast.unparse(each)) for each in node.decorator_list)
