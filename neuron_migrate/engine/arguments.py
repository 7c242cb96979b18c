"""Arguments of a call: found, added, replaced and removed in the style of the call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Sequence


def last_name(node: cst.BaseExpression) -> str:
    """The last name of a called chain: ``c`` of ``a.b.c``; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def keyword(call: cst.Call, name: str) -> cst.Arg | None:
    """The argument given under this keyword."""
    return next((arg for arg in call.args if arg.keyword and arg.keyword.value == name), None)


def positional(call: cst.Call, position: int) -> cst.Arg | None:
    """The argument at this position (0-based), or None when a star may stand before it."""
    for index, arg in enumerate(call.args):
        if arg.star or arg.keyword:
            return None
        if index == position:
            return arg
    return None


def find(call: cst.Call, name: str, position: int | None = None) -> cst.Arg | None:
    """An argument by keyword, or by position where one is known."""
    found = keyword(call, name)
    if found is None and position is not None:
        found = positional(call, position)
    return found


def has_splat(call: cst.Call) -> bool:
    """True when ``*args`` or ``**kwargs`` may carry more arguments than are written."""
    return any(arg.star for arg in call.args)


def add(
    args: Sequence[cst.Arg], name: str, value: cst.BaseExpression, call: cst.Call
) -> list[cst.Arg]:
    """``args`` with one more keyword at the end, spaced as the others are."""
    new = cst.Arg(
        value=value,
        keyword=cst.Name(name),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    if not args:
        return [new]
    *head, last = args
    if isinstance(last.value, cst.GeneratorExp) and not last.value.lpar:
        last = last.with_changes(value=_parenthesized(last.value))
    separator = _separator(args, call)
    if isinstance(last.comma, cst.Comma) and _comment(last.comma.whitespace_after):
        between, after = _around_comment(last.comma, call)
        return [*head, last.with_changes(comma=between), new.with_changes(comma=after)]
    if isinstance(last.comma, cst.Comma):
        new = new.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        return [*head, last.with_changes(comma=separator), new]
    new = new.with_changes(whitespace_after_arg=last.whitespace_after_arg)
    last = last.with_changes(comma=separator, whitespace_after_arg=cst.SimpleWhitespace(""))
    return [*head, last, new]


def remove(args: Sequence[cst.Arg], gone: cst.Arg) -> list[cst.Arg]:
    """``args`` without one; what stood after the last argument stays there."""
    place = next(index for index, arg in enumerate(args) if arg is gone)
    rest = [arg for arg in args if arg is not gone]
    if rest and place == len(rest):
        rest[-1] = rest[-1].with_changes(
            comma=gone.comma, whitespace_after_arg=gone.whitespace_after_arg
        )
    return rest


def _parenthesized(generator: cst.GeneratorExp) -> cst.GeneratorExp:
    """A generator may stand in a call without parentheses only while it stands there alone."""
    return generator.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def separator(call: cst.Call) -> cst.Comma:
    """The comma between two arguments, as the call writes it."""
    return _separator(call.args, call)


def _around_comment(comma: cst.Comma, call: cst.Call) -> tuple[cst.Comma, cst.Comma]:
    """The commas before and after an argument on a line of its own, below a comment."""
    space = comma.whitespace_after
    assert isinstance(space, cst.ParenthesizedWhitespace)
    before = call.whitespace_before_args
    between = space
    if isinstance(before, cst.ParenthesizedWhitespace):
        between = space.with_changes(indent=before.indent, last_line=before.last_line)
    blank = space.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
    after = space.with_changes(first_line=blank, empty_lines=[])
    return comma.with_changes(whitespace_after=between), comma.with_changes(whitespace_after=after)


def _separator(args: Sequence[cst.Arg], call: cst.Call) -> cst.Comma:
    """The comma between two arguments, as the call writes it."""
    given = args if len(args) > 1 else call.args
    before = given[-2].comma if len(given) > 1 else None
    if isinstance(before, cst.Comma) and not _comment(before.whitespace_after):
        return before
    if _on_own_line(call) and not _comment(call.whitespace_before_args):
        return cst.Comma(whitespace_after=call.whitespace_before_args)
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _on_own_line(call: cst.Call) -> bool:
    return isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace)


def _comment(whitespace: cst.BaseParenthesizableWhitespace) -> bool:
    return isinstance(whitespace, cst.ParenthesizedWhitespace) and (
        whitespace.first_line.comment is not None
        or any(line.comment is not None for line in whitespace.empty_lines)
    )
