"""The new value in the spelling of the old one: quotes, prefix, index and format stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import templates

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.matchers.values.literals import Literal
    from neuron_migrate.finding import Edit


def replaced(
    literal: Literal, template: str, here: Here, *, whole: bool
) -> tuple[cst.BaseExpression, list[Edit]]:
    """What stands where the literal stood, and the imports it needs."""
    old = literal.node
    made, needed = here.build(template, quote=_inner_quote(literal, template))
    if whole:
        return made, needed
    if literal.part and isinstance(old, cst.SimpleString):
        return _with_part(old, literal.word, made), needed
    if isinstance(old, cst.SimpleString):
        rest = old.raw_value.removeprefix(literal.word)
        if isinstance(made, cst.SimpleString):
            text = f"{old.prefix}{old.quote}{made.raw_value}{rest}{old.quote}"
            return old.with_changes(value=text), needed
        if not rest:
            return templates.parenthesize_for(made, old, here.parent(old)), needed
        escaped = rest.replace("{", "{{").replace("}", "}}")
        text = f"f{old.quote}{{{here.source(made)}}}{escaped}{old.quote}"
        return cst.parse_expression(text), needed
    if isinstance(old, cst.FormattedString):
        first = old.parts[0]
        assert isinstance(first, cst.FormattedStringText)
        rest = first.value.removeprefix(literal.word)
        if isinstance(made, cst.SimpleString):
            start = first.with_changes(value=made.raw_value + rest)
            return old.with_changes(parts=[start, *old.parts[1:]]), needed
        parts = [cst.FormattedStringExpression(made), first.with_changes(value=rest)]
        return old.with_changes(parts=[*parts, *old.parts[1:]]), needed
    return templates.parenthesize_for(made, old, here.parent(old)), needed


def _with_part(
    old: cst.SimpleString, word: str, made: cst.BaseExpression
) -> cst.SimpleString | cst.FormattedString:
    """A comma-separated string with one of its values replaced."""
    before, _, after = f",{old.raw_value},".partition(f",{word},")
    head, tail = f"{before},".lstrip(","), f",{after}".rstrip(",")
    if isinstance(made, cst.SimpleString):
        return old.with_changes(
            value=f"{old.prefix}{old.quote}{head}{made.raw_value}{tail}{old.quote}"
        )
    assert isinstance(made, cst.FormattedString)
    texts = [cst.FormattedStringText(each) for each in (head, tail)]
    parts = [each for each in (texts[0], *made.parts, texts[1]) if getattr(each, "value", "x")]
    return made.with_changes(start=f"f{old.quote}", end=old.quote, parts=parts)


def _inner_quote(literal: Literal, template: str) -> str | None:
    """The other quotes, where the replacement ends up inside an f-string of the old ones."""
    old = literal.node
    plain = template[:1] in {"'", '"'}
    if plain or not literal.indexed:
        return None
    if isinstance(old, cst.SimpleString):
        return "'" if '"' in old.quote else '"'
    if isinstance(old, cst.FormattedString):
        return "'" if '"' in old.start else '"'
    return None
