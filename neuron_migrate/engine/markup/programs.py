"""Which blocks of Python make one program: a document may hold several."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from neuron_migrate.engine.analysis import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_Block = TypeVar("_Block")
_BUILT_IN = frozenset(dir(builtins))
_EVERYTHING = "*"
_ASSUMED = "torch"


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of a block."""

    bound: frozenset[str]
    free: frozenset[str]
    """Those it asks for and does not bind."""
    imports: bool


def assumed(codes: Iterable[str]) -> str:
    """The import that a program leaves to its reader: fragments speak of ``torch`` without one."""
    names = [_names(code) for code in codes]
    asks = any(_ASSUMED in each.free for each in names)
    return "" if not asks or any(_ASSUMED in each.bound for each in names) else "import torch"


def programs(blocks: Sequence[tuple[_Block, str]]) -> list[list[_Block]]:
    """Blocks, each with its code, by program, in the order of the document.

    The reader of a document has read what stands above, so the blocks are one program; but one that
    has imports begins another, if no block from there on rests on what stands above it.
    """
    names = [_names(code) for _, code in blocks]
    found: list[list[_Block]] = []
    begun = 0
    for number, (block, _) in enumerate(blocks):
        if not found or _begins(number, begun, names):
            found.append([])
            begun = number
        found[-1].append(block)
    return found


def _begins(number: int, begun: int, names: Sequence[_Names]) -> bool:
    if not names[number].imports:
        return False
    above = frozenset[str]().union(*(each.bound for each in names[begun:number]))
    if _EVERYTHING in above:
        return False
    bound: set[str] = set()
    for each in names[number:]:
        if (each.free - bound) & above:
            return False
        bound |= each.bound
    return True


def _names(code: str) -> _Names:
    bound: set[str] = set()
    read: set[str] = set()
    imports = False
    for node in ast.walk(parse(code)[0]):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            imports = True
            bound.update(each.asname or each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
    return _Names(frozenset(bound), frozenset(read - bound - _BUILT_IN), imports)
