"""Programs that replace functions of a module: ``torch.cuda.is_available = …``, ``mock.patch``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import PatchMatch
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here

_SETTERS = frozenset({"patch", "setattr", "object", "dict", "delattr"})


class Patches:
    """Matches rules of kind ``patch``."""

    nodes = (cst.AssignTarget, cst.SimpleString)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: list[tuple[str, Rule]] = []
        for rule in rules:
            assert isinstance(rule.match, PatchMatch)
            self.rules.append((rule.match.module, rule))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report an assignment to a function of the module, or a patch that names one."""
        if isinstance(node, cst.AssignTarget):
            path = here.path(node.target) if isinstance(node.target, cst.Attribute) else ""
        else:
            path = string_value(node) or ""
            if not self._is_patched(node, here):
                return
        for module, rule in self.rules:
            if path.startswith(f"{module}."):
                here.report(
                    rule,
                    node,
                    f"`{path}` is replaced.",
                    not_fixed="a renamed patch may hide Neuron",
                )

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _is_patched(self, node: cst.CSTNode, here: Here) -> bool:
        arg = here.parent(node)
        call = here.parent(arg) if isinstance(arg, cst.Arg) else None
        if not isinstance(call, cst.Call):
            return False
        func = call.func
        name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
        return name in _SETTERS
