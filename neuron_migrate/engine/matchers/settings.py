"""Assignments to the configuration variables of libraries."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import Setting, SettingMatch
from neuron_migrate.engine import literals
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Settings:
    """Matches rules of kind ``setting``."""

    nodes = (cst.Assign, cst.Call)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.settings: list[tuple[Setting, Rule]] = []
        for rule in rules:
            assert isinstance(rule.match, SettingMatch)
            self.settings += [(setting, rule) for setting in rule.match.settings]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report the settings that a statement makes."""
        if isinstance(node, cst.Assign):
            for target in node.targets:
                if isinstance(target.target, cst.Attribute):
                    self._report(here.path(target.target), node.value, target.target, here)
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            config = here.path(node.func.value) if node.func.attr.value == "patch" else ""
            for name, value in _patched(node) if config else ():
                self._report(f"{config}.{name}", value, node.func, here)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _report(self, path: str, value: cst.BaseExpression, node: cst.CSTNode, here: Here) -> None:
        for setting, rule in self.settings if path else ():
            if not fnmatchcase(path, setting.name) or not _concerns(setting, value, here):
                continue
            text = f"`{path}`: {setting.note}"
            here.report(rule, node, text, risk=setting.risk, confidence=setting.confidence)
            return


def _concerns(setting: Setting, value: cst.BaseExpression, here: Here) -> bool:
    given = literals.normal(here.source(value))
    return not setting.values or given in map(literals.normal, setting.values)


def _patched(call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What ``config.patch`` sets: by keyword, by name and value, or by a dict."""
    first = call.args[0].value if call.args else None
    name = string_value(first)
    if name is not None and len(call.args) > 1:
        yield name, call.args[1].value
    elif isinstance(first, cst.Dict):
        for element in first.elements:
            if isinstance(element, cst.DictElement):
                yield string_value(element.key) or "", element.value
    yield from ((arg.keyword.value, arg.value) for arg in call.args if arg.keyword)
