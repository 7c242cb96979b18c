"""What stands around a call, and with it in the file, and speaks against a finding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import moved, names, on_device
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.roles import Part

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import CallMatch
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding


def allow(pattern: CallMatch, call: cst.Call, here: Here) -> bool:
    """False where the pattern names something that the call's surroundings show."""
    beside = pattern.unless_beside
    return not (
        (pattern.not_passed_on and _is_passed_on(call, here))
        or (pattern.not_on and _is_on(pattern.not_on, call))
        or (pattern.used and isinstance(here.parent(call), cst.Expr))
        or (pattern.on and not _plays_part(pattern, call, here))
        or (pattern.not_given_to and _is_given_to(pattern.not_given_to, call, here))
        or (beside is not None and re.search(beside, here.file.text))
        or (pattern.moved and not moved.to_model(call, here))
        or (pattern.before_move and on_device.moved_later(call, here) is None)
        or (pattern.of_moved and not on_device.is_used(call, here))
    )


def _is_passed_on(call: cst.Call, here: Here) -> bool:
    """True when the call has the ``**kwargs`` that the function around it was given."""
    passed = [each.value for each in call.args if each.star == "**"]
    return any(
        _is_last_parameter(binding)
        for value in passed
        if isinstance(value, cst.Name)
        for binding in names.lookup(value.value, here.scope)
    )


def _is_last_parameter(binding: Binding) -> bool:
    parameters = getattr(binding.statement.node, "args", None)
    last = getattr(parameters, "kwarg", None)
    return binding.kind == "parameter" and last is not None and last.arg == binding.name


def _is_on(words: tuple[str, ...], call: cst.Call) -> bool:
    """True when one of the words is in the name of the object whose method is called."""
    owner = last_name(call.func.value).lower() if isinstance(call.func, cst.Attribute) else ""
    return not set(words).isdisjoint(owner.split("_"))


def _plays_part(pattern: CallMatch, call: cst.Call, here: Here) -> bool:
    """True when the object whose method is called is what the rule speaks about."""
    part = Part(pattern.on, pattern.requires)
    return isinstance(call.func, cst.Attribute) and part.is_played_by(call.func.value, here)


def _is_given_to(targets: tuple[str, ...], call: cst.Call, here: Here) -> bool:
    """True when the statement gives the call's value, or a part of it, to one of the names."""
    return any(
        isinstance(outer, cst.Assign)
        and any(last_name(each.target) in targets for each in outer.targets)
        for outer in here.ancestors(call)
    )
