"""A module used as a value: ``backend = torch.cuda``, a default, ``getattr(torch, "cuda")``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import conditions, names
from neuron_migrate.engine.here import Here
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.index import Scope
    from neuron_migrate.engine.matchers.names.uses import Known, Use
    from neuron_migrate.finding import Safety

_QUESTIONS = frozenset({"hasattr", "getattr"})
_PATCHES = frozenset({"object", "setattr", "delattr"})
_HANDED_ON = "it is handed on, so what is done with it cannot be followed"
_Read = tuple[Here, cst.BaseExpression]


def report(use: Use, known: Mapping[str, Known]) -> Draft:
    """Report the module, renamed when every use through it is found under the same name there."""
    here, replacement, entry = use.here, use.replacement, use.known.entry
    reads, reason = _reads(use)
    if reason is None:
        reason = _unmoved(use, reads, known)
    if reason is None and replacement is not None:
        new, imports = here.build(replacement)
        text = f"`{entry.name}` becomes `{replacement}`."
        changes = [(use.node, new)]
        safety = _safety(use, reads, known)
        return here.report(
            use.known.rule, use.node, text, changes=changes, extra=imports, safety=safety
        )
    return here.report(use.known.rule, use.node, entry.note, not_fixed=reason, risk=_risk(use))


def moved(path: str, uses: list[Use]) -> str | None:
    """Where a module moved to, when every use of it moved there under its old name."""
    homes: set[str] = set()
    for use in uses:
        template = use.replacement
        rest = use.known.entry.name.removeprefix(path)
        if not rest or template is None or not use.rewrite.named or not template.endswith(rest):
            return None
        homes.add(template[: len(template) - len(rest)])
    return homes.pop() if len(homes) == 1 else None


def _reads(use: Use) -> tuple[list[_Read], str | None]:
    """Where the module is read from the name it is given to; a reason when that cannot be seen."""
    if isinstance(use.here.parent(use.node), cst.Attribute):
        return [(use.here, use.node)], None
    target = _target(use)
    if target is None:
        return [], _HANDED_ON
    name, scope = target
    if len(scope.bindings.get(name, ())) != 1:
        return [], f"`{name}` is given other values too"
    file = use.here.file
    reads: list[_Read] = [(Here(file, piece), node) for piece, node in file.uses(name, scope)]
    if scope.kind == "class" or not reads:
        return [], "no use of it can be seen in this file"
    return reads, None


def _unmoved(use: Use, reads: list[_Read], known: Mapping[str, Known]) -> str | None:
    """Why some use of the module does not find the same name in the replacement."""
    entry, replacement = use.known.entry, use.replacement
    if replacement is None:
        return "the module has no counterpart"
    # A call such as `torch.get_device_module()` gives the module whose names `neuron` has.
    by_name = "(" in replacement or use.here.target == "neuron"
    home = entry.neuron if by_name else replacement
    for here, node in reads:
        trail = ".".join(_trail(here, node))
        if not trail:
            return _HANDED_ON
        member = known.get(f"{entry.name}.{trail}")
        found = member and (member.entry.neuron if by_name else member.entry.accelerator)
        if found != f"{home}.{trail}":
            return f"`{trail}` is not known to be found under that name there"
    return None


def _safety(use: Use, reads: list[_Read], known: Mapping[str, Known]) -> Safety:
    """Unsafe when a call through the module raises without an accelerator."""
    if use.here.target == "neuron":
        return "safe"
    for here, node in reads:
        member = known[f"{use.known.entry.name}.{'.'.join(_trail(here, node))}"]
        if member.entry.needs_accelerator and not conditions.under_device_test(here, node):
            return "unsafe"
    return "safe"


def _trail(here: Here, node: cst.CSTNode) -> Iterator[str]:
    """The attributes that are read from a node, in order."""
    parent = here.parent(node)
    while isinstance(parent, cst.Attribute) and parent.value is node:
        yield parent.attr.value
        node, parent = parent, here.parent(parent)


def _target(use: Use) -> tuple[str, Scope] | None:
    """The name that the module is given to, and where that is bound."""
    here = use.here
    parent = here.parent(use.node)
    target: cst.CSTNode | None = None
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        target = parent.targets[0].target
    elif isinstance(parent, cst.AnnAssign):
        target = parent.target
    elif isinstance(parent, cst.Param) and parent.default is use.node:
        return _parameter(here, parent.name.value)
    if not isinstance(target, cst.Name):
        return None
    bindings = names.lookup(target.value, here.scope)
    return (target.value, bindings[0].scope) if bindings else None


def _parameter(here: Here, name: str) -> tuple[str, Scope] | None:
    """The scope of the function whose header this is."""
    node = here.piece.statement.node
    for statement in here.file.index.statements:
        if statement.scope.node is node and name in statement.scope.bindings:
            return name, statement.scope
    return None


def _risk(use: Use) -> Risk | None:
    """``hasattr(torch.cuda, …)`` raises nothing, ``patch.object(torch.cuda, …)`` misses its aim."""
    arg = use.here.parent(use.node)
    call = use.here.parent(arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return use.known.entry.risk
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    leaf = name.value if isinstance(name, cst.Name) else ""
    if leaf in _QUESTIONS:
        return Risk.INFO
    return Risk.WRONG if leaf in _PATCHES else use.known.entry.risk
