"""The value of an expression that is a literal."""

from __future__ import annotations

import ast
from functools import lru_cache


class NotLiteralError(ValueError):
    """An expression is not a literal."""


@lru_cache(maxsize=4096)
def evaluate(source: str) -> object:
    """The value of a literal, given as source.

    Raises NotLiteralError for every other expression.
    """
    try:
        value: object = ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise NotLiteralError(source) from error
    return value


@lru_cache(maxsize=4096)
def is_literal(source: str) -> bool:
    """True when the expression is a literal."""
    try:
        evaluate(source)
    except NotLiteralError:
        return False
    return True


@lru_cache(maxsize=4096)
def normal(source: str) -> str:
    """A literal by its value, however it is written; everything else by its text."""
    return repr(evaluate(source)) if is_literal(source) else source
