"""What the types of a rule cannot say: values are literals, replacements are expressions."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import (
    CallMatch,
    GoneMatch,
    ImportMatch,
    MethodMatch,
    MovedMatch,
    NamesMatch,
    PropertyMatch,
    TextMatch,
    ValueMatch,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.patterns import Hold, Match
    from neuron_migrate.catalog.text_patterns import FactMatch

_PLACEHOLDER = re.compile(r"\{\w+\}")
_TEMPLATES = ("neuron", "accelerator", "accelerator_value", "accelerator_compared")


def faults(match: Match | FactMatch) -> Iterator[tuple[str, str]]:
    """Keys of the ``[match]`` table that hold something else than they must, and what they must."""
    if isinstance(match, ValueMatch):
        for value in match.values:
            if not _is_literal(value):
                yield "match.values", f"Python literals such as \"'cuda'\", not {value!r}"
    for hold in _holds(match):
        if not _is_pattern(hold.text):
            yield "holds.text", f"a regular expression, not {hold.text!r}"
    if isinstance(match, (CallMatch, MethodMatch, MovedMatch, PropertyMatch, ValueMatch)):
        yield from _templates(match, "match")
    if isinstance(match, NamesMatch):
        for entry in match.names:
            yield from _templates(entry, f"match.names ({entry.name})")
    if isinstance(match, ImportMatch):
        for library in match.libraries:
            if not library.instead and not match.instead:
                yield f"match.libraries ({library.package}).instead", "the way out"
    if isinstance(match, MovedMatch):
        yield from _moved(match)
    if isinstance(match, GoneMatch):
        for name in match.names:
            for form in (name, *name.forms):
                yield from _templates(form, f"match.names ({name.name})")
    if isinstance(match, TextMatch) and not _is_pattern(match.text):
        yield "match.text", f"a regular expression, not {match.text!r}"
    if isinstance(match, CallMatch):
        for change in match.arguments:
            key = f"match.arguments ({change.name})"
            if change.action in {"set", "add", "rename"} and change.to is None:
                yield f"{key}.to", f"a value, as the action is {change.action!r}"
            elif change.to is not None and not _is_expression(change.to):
                yield f"{key}.to", f"a Python expression, not {change.to!r}"


def _moved(match: MovedMatch) -> Iterator[tuple[str, str]]:
    for added in match.adds:
        yield from _templates(added, f"match.adds ({added.name})")
    for argument in match.arguments:
        key = f"match.arguments ({argument.names[0]})"
        for source, template in argument.becomes.items():
            if not _is_literal(source):
                yield f"{key}.becomes", f"Python literals as keys, not {source!r}"
            if not _is_expression(template):
                yield f"{key}.becomes", f"a Python expression, not {template!r}"


def _templates(owner: object, key: str) -> Iterator[tuple[str, str]]:
    for name in _TEMPLATES:
        template = getattr(owner, name, None)
        if template is not None and not _is_expression(template):
            yield f"{key}.{name}", f"a Python expression, not {template!r}"


def _holds(match: Match | FactMatch) -> Iterator[Hold]:
    if isinstance(match, NamesMatch):
        yield from (hold for entry in match.names for hold in entry.holds)
    elif isinstance(match, CallMatch):
        yield from match.holds


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _is_literal(source: str) -> bool:
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False
    return True


def _is_expression(template: str) -> bool:
    try:
        ast.parse(_PLACEHOLDER.sub("_", template).strip(), mode="eval")
    except SyntaxError:
        return False
    return True
