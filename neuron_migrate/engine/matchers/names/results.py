"""What a program reads from what a call gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.here import Here


def attributes_read(call: cst.Call, here: Here) -> Iterator[str]:
    """The attributes that are read from the result, also by way of a variable that it is given."""
    outer = here.parent(call)
    if isinstance(outer, cst.Attribute):
        yield outer.attr.value
    for name in _variables(outer):
        for binding in names.lookup(name, here.scope)[:1]:
            for piece, node in here.file.uses(name, binding.scope):
                reader = piece.parents.get(node)
                if isinstance(reader, cst.Attribute) and reader.value is node:
                    yield reader.attr.value


def _variables(parent: cst.CSTNode | None) -> list[str]:
    """The names that an assignment of the result gives it."""
    targets: list[cst.BaseExpression] = []
    if isinstance(parent, cst.Assign):
        targets = [each.target for each in parent.targets]
    elif isinstance(parent, (cst.AnnAssign, cst.NamedExpr)):
        targets = [parent.target]
    return [target.value for target in targets if isinstance(target, cst.Name)]
