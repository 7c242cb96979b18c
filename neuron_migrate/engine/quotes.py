"""Quotes of new strings inside f-strings: before Python 3.12 they must not be those around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.templates import requote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OTHER = {"'": '"', '"': "'"}


class QuoteError(Exception):
    """No kind of quotes is left for a string."""


def fit(new: cst.CSTNode, old: cst.CSTNode, around: Iterable[cst.CSTNode]) -> cst.CSTNode:
    """``new`` with its own strings in other quotes than the f-strings they stand in.

    Raises QuoteError where both kinds are taken.
    """
    outer = frozenset(node.quote for node in around if isinstance(node, cst.FormattedString))
    kept = list(_strings(old))
    if any(_clashes(string.quote, outer) for string in kept):
        return new  # the file is for 3.12 or later
    return _fitted(new, outer, {id(string) for string in kept})


def _fitted(node: cst.CSTNode, outer: frozenset[str], kept: set[int]) -> cst.CSTNode:
    """Only what changes is made anew: edits and lost comments are told by identity."""
    if isinstance(node, cst.SimpleString):
        return node if id(node) in kept else _requoted(node, outer)
    if isinstance(node, cst.FormattedString):
        outer = outer | {node.quote}
    changes: dict[str, object] = {}
    for name in type(node).__dataclass_fields__:
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            fitted = _fitted(value, outer, kept)
            if fitted is not value:
                changes[name] = fitted
        elif isinstance(value, (list, tuple)):
            items = [
                _fitted(item, outer, kept) if isinstance(item, cst.CSTNode) else item
                for item in value
            ]
            if any(item is not before for item, before in zip(items, value, strict=True)):
                changes[name] = items
    return node.with_changes(**changes) if changes else node


def _requoted(node: cst.SimpleString, outer: frozenset[str]) -> cst.SimpleString:
    if not _clashes(node.quote, outer):
        return node
    other = _OTHER[node.quote[0]]
    changed = requote(node, other)
    if changed.quote != other or _clashes(other, outer):
        raise QuoteError
    return changed


def _clashes(quote: str, outer: frozenset[str]) -> bool:
    return quote in outer or quote[0] in outer


def _strings(node: cst.CSTNode) -> Iterator[cst.SimpleString]:
    if isinstance(node, cst.SimpleString):
        yield node
    for child in node.children:
        yield from _strings(child)
