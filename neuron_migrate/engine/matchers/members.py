"""Classes that define ``cuda`` or ``is_cuda`` themselves: a promise that a tool does not rename."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MemberMatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Members:
    """Matches rules of kind ``member``."""

    nodes = (cst.FunctionDef,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, MemberMatch)
            self.rules.update(dict.fromkeys(rule.match.members, rule))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report the definition."""
        assert isinstance(node, cst.FunctionDef)
        rule = self.rules.get(node.name.value)
        if rule is not None and here.scope.kind == "class":
            here.report(
                rule,
                node.name,
                f"Class `{here.scope.name}` defines it.",
                not_fixed="its name is part of what the class promises",
            )

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""
