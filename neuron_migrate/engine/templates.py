"""Replacement code written in the catalog, as nodes in the style of the file.

A template is a Python expression. ``{args}`` stands for the arguments of the call it replaces,
``{0}`` for one of them, ``{self}`` for the object a method is called on.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MARK = "__neuron_migrate_{}"
_PRECEDENCE: tuple[tuple[type[cst.CSTNode], ...], ...] = (
    (cst.NamedExpr, cst.Yield),
    (cst.Lambda,),
    (cst.IfExp,),
    (cst.BooleanOperation,),
    (cst.Comparison,),
    (cst.BinaryOperation, cst.UnaryOperation),
    (cst.Await,),
)
_NOT = 4
_ATOM = len(_PRECEDENCE)


@cache
def parse(template: str) -> cst.BaseExpression:
    """The expression of a template, its placeholders as names.

    Raises ValueError when it is not an expression.
    """
    source = _PLACEHOLDER.sub(lambda found: _MARK.format(found.group(1)), template)
    try:
        return cst.parse_expression(source)
    except cst.ParserSyntaxError as error:
        raise ValueError(f"not a Python expression: {template!r}") from error


def build(
    template: str,
    *,
    quote: str,
    root: Callable[[str], str],
    nodes: Mapping[str, cst.BaseExpression] | None = None,
    args: list[cst.Arg] | None = None,
) -> cst.BaseExpression:
    """Fill a template: names of modules as the file calls them, quotes as the file writes them."""
    filled = parse(template).visit(_Filler(quote, root, nodes or {}, args or []))
    assert isinstance(filled, cst.BaseExpression)
    return filled


def parenthesize_for(
    new: cst.BaseExpression, old: cst.CSTNode, parent: cst.CSTNode | None
) -> cst.BaseExpression:
    """``new`` with parentheses when it binds weaker than the place of ``old`` asks for."""
    if getattr(old, "lpar", ()) or new.lpar or not _needs_parentheses(new, old, parent):
        return new
    return new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def requote(literal: cst.SimpleString, quote: str) -> cst.SimpleString:
    """The same plain string with the other quotes, where that changes nothing else."""
    inner = literal.raw_value
    if literal.quote == quote or quote in inner or "\\" in inner or len(literal.quote) != 1:
        return literal
    return literal.with_changes(value=f"{literal.prefix}{quote}{inner}{quote}")


def _needs_parentheses(
    new: cst.BaseExpression, old: cst.CSTNode, parent: cst.CSTNode | None
) -> bool:
    own = _precedence(new)
    if isinstance(parent, (cst.Attribute, cst.Call, cst.Subscript)):
        return own < _ATOM and getattr(parent, "value", getattr(parent, "func", None)) is old
    if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
        # `not a == b` is right, but people read the parentheses more easily than the grammar.
        return own <= _NOT
    if isinstance(parent, cst.ComparisonTarget):
        return own <= 4
    if isinstance(parent, cst.BooleanOperation):
        return own < 3 or (own == 3 and _operator(new) != _operator(parent))
    if isinstance(parent, cst.IfExp):
        return own < 2 or (own == 2 and parent.orelse is not old)
    if isinstance(parent, (cst.Comparison, cst.BinaryOperation, cst.UnaryOperation, cst.Await)):
        return own <= _precedence(parent)
    if isinstance(parent, cst.Arg) and parent.star:
        return own < 5
    if isinstance(parent, (cst.StarredElement, cst.StarredDictElement)):
        return own < 5
    return isinstance(parent, (cst.CompFor, cst.CompIf)) and own <= 2


def _operator(node: cst.CSTNode) -> type | None:
    return type(node.operator) if isinstance(node, cst.BooleanOperation) else None


def _precedence(node: cst.CSTNode) -> int:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return 3
    return next((rank for rank, kinds in enumerate(_PRECEDENCE) if isinstance(node, kinds)), _ATOM)


class _Filler(cst.CSTTransformer):
    def __init__(
        self,
        quote: str,
        root: Callable[[str], str],
        nodes: Mapping[str, cst.BaseExpression],
        args: list[cst.Arg],
    ) -> None:
        super().__init__()
        self.quote = quote
        self.root = root
        self.nodes = nodes
        self.args = args

    def leave_SimpleString(  # noqa: N802
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.BaseExpression:
        return requote(updated_node, self.quote)

    def leave_Call(  # noqa: N802
        self, original_node: cst.Call, updated_node: cst.Call
    ) -> cst.BaseExpression:
        spread: list[cst.Arg] = []
        for arg in updated_node.args:
            if isinstance(arg.value, cst.Name) and arg.value.value == _MARK.format("args"):
                spread.extend(self.args)
            else:
                spread.append(arg)
        if (
            spread
            and updated_node.args
            and spread[-1] is not updated_node.args[-1]
            and not self.args
        ):
            spread[-1] = spread[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(args=_joined(spread))

    def leave_Attribute(  # noqa: N802
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_Name(  # noqa: N802
        self, original_node: cst.Name, updated_node: cst.Name
    ) -> cst.BaseExpression:
        name = updated_node.value
        if not name.startswith(_MARK.format("")):
            return updated_node.with_changes(value=self.root(name))
        return self.nodes.get(name.removeprefix(_MARK.format("")), updated_node)


def _joined(args: list[cst.Arg]) -> list[cst.Arg]:
    """Commas between all arguments, where the mixture of two calls has left one out."""
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return [
        arg
        if isinstance(arg.comma, cst.Comma) or arg is args[-1]
        else arg.with_changes(comma=comma)
        for arg in args
    ]
