"""From a replaced node to the smallest edits of the original text, and from edits to new text."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.engine.pieces import Piece

_WITH_BLANKS = (
    cst.BaseParenthesizableWhitespace,
    cst.BaseBinaryOp,
    cst.BaseBooleanOp,
    cst.BaseCompOp,
    cst.BaseUnaryOp,
    cst.BaseAugOp,
    cst.AssignEqual,
    cst.Colon,
    cst.Comma,
    cst.Dot,
    cst.MaybeSentinel,
)
"""Nodes whose code holds the blanks around them, which their spans do not."""


def node_edits(piece: Piece, old: cst.CSTNode, new: cst.CSTNode) -> list[Edit]:
    """The edits that turn ``old``, a node of the piece, into ``new``."""
    if old is new:
        return []
    if type(old) is not type(new):
        return [_replacement(piece, old, new)]
    edits: list[Edit] = []
    for name in type(old).__dataclass_fields__:
        before, after = getattr(old, name), getattr(new, name)
        if before is after or (not _holds_nodes(before) and before == after):
            continue
        if isinstance(before, cst.CSTNode) and isinstance(after, cst.CSTNode):
            if not before.deep_equals(after):
                if not _has_span(before):
                    return [_replacement(piece, old, new)]
                edits.extend(node_edits(piece, before, after))
        elif isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
            inner = _sequence_edits(piece, old, before, after)
            if inner is None:
                return [_replacement(piece, old, new)]
            edits.extend(inner)
        else:
            return [_replacement(piece, old, new)]
    return edits


def in_parentheses_of(old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    """``new`` in the parentheses around ``old``, which stay."""
    if not getattr(old, "lpar", ()) or bool(getattr(new, "lpar", ())):
        return new
    return new.with_changes(lpar=old.lpar, rpar=old.rpar)  # type: ignore[attr-defined]


def loses_comment(old: cst.CSTNode, new: cst.CSTNode | None) -> bool:
    """True when a comment inside ``old`` is not in ``new``."""
    kept = {id(comment) for comment in _comments(new)} if new is not None else set()
    return any(id(comment) not in kept for comment in _comments(old))


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    parts: list[str] = []
    position = 0
    for edit in sorted(set(edits)):
        parts.append(text[position : edit.start])
        parts.append(edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


class Taken:
    """Edits already chosen, none of which touches the text of another."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def take(self, edits: Sequence[Edit]) -> bool:
        """Add edits unless one of them touches what another, different edit changes."""
        if any(self._touches(edit) for edit in edits):
            return False
        for edit in edits:
            if not self._has(edit):
                insort(self._edits, edit)
        return True

    def _has(self, edit: Edit) -> bool:
        place = bisect_left(self._edits, edit)
        return place < len(self._edits) and self._edits[place] == edit

    def _touches(self, edit: Edit) -> bool:
        if self._has(edit):
            return False
        place = bisect_left(self._edits, edit)
        around = self._edits[max(place - 2, 0) : place + 2]
        return any(_overlap(edit, other) for other in around)


def _overlap(one: Edit, other: Edit) -> bool:
    if one.start == other.start:
        return (one.end > one.start) == (other.end > other.start)
    return one.start < other.end and other.start < one.end


def _sequence_edits(
    piece: Piece, owner: cst.CSTNode, before: Sequence[object], after: Sequence[object]
) -> list[Edit] | None:
    """Edits between two lists of nodes, or None when the whole owner must be replaced."""
    if len(before) == len(after):
        edits: list[Edit] = []
        for old, new in zip(before, after, strict=True):
            if not isinstance(old, cst.CSTNode) or not isinstance(new, cst.CSTNode):
                return None
            edits.extend(node_edits(piece, old, new))
        return edits
    head = 0
    while head < min(len(before), len(after)) and before[head] is after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] is after[-1 - tail]:
        tail += 1
    old_part = [item for item in before[head : len(before) - tail] if isinstance(item, cst.CSTNode)]
    new_part = [item for item in after[head : len(after) - tail] if isinstance(item, cst.CSTNode)]
    if not old_part:
        place = _gap(piece, owner, before, head)
        if not new_part or place is None:
            return None
        return [Edit(place, place, "".join(_code(piece, item) for item in new_part))]
    start = piece.span(old_part[0])[0]
    end = piece.span(old_part[-1])[0] + len(_code(piece, old_part[-1]))
    new_text = "".join(_code(piece, item) for item in new_part)
    old_text = "".join(_code(piece, item) for item in old_part)
    common = 0
    while common < min(len(old_text), len(new_text)) and old_text[common] == new_text[common]:
        common += 1
    return [Edit(start + common, end, new_text[common:])]


def _gap(piece: Piece, owner: cst.CSTNode, before: Sequence[object], head: int) -> int | None:
    """The offset between two items of a list; for an empty one only a call's is known."""
    if head:
        previous = before[head - 1]
        assert isinstance(previous, cst.CSTNode)
        return piece.span(previous)[0] + len(_code(piece, previous))
    if before:
        first = before[0]
        assert isinstance(first, cst.CSTNode)
        return piece.span(first)[0]
    return piece.span(owner)[1] - 1 if isinstance(owner, cst.Call) else None


def _replacement(piece: Piece, old: cst.CSTNode, new: cst.CSTNode) -> Edit:
    start, end = piece.span(old)
    if isinstance(old, (cst.Arg, cst.ImportAlias)):
        # Its code holds the comma after it, which its span does not.
        end = start + len(_code(piece, old))
    return Edit(start, end, _code(piece, _without_parentheses(new, old)))


def _without_parentheses(new: cst.CSTNode, old: cst.CSTNode) -> cst.CSTNode:
    """``new`` without as many parentheses as stand around ``old``: a span does not hold them."""
    count = len(getattr(old, "lpar", ()))
    if not count or not getattr(new, "lpar", ()):
        return new
    return new.with_changes(lpar=new.lpar[count:], rpar=new.rpar[: len(new.rpar) - count])  # type: ignore[attr-defined]


def _code(piece: Piece, node: cst.CSTNode) -> str:
    return piece.module.code_for_node(node)


def _has_span(node: cst.CSTNode) -> bool:
    return not isinstance(node, _WITH_BLANKS)


def _holds_nodes(value: object) -> bool:
    return isinstance(value, (cst.CSTNode, list, tuple))


def _comments(node: cst.CSTNode) -> Iterator[cst.Comment]:
    if isinstance(node, cst.Comment):
        yield node
    for child in node.children:
        yield from _comments(child)
