"""Tensor types that name a device and a dtype: ``torch.cuda.FloatTensor`` and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import LegacyTensorMatch
from neuron_migrate.engine import import_lines
from neuron_migrate.engine.matchers.legacy_tensors.types import LegacyType
from neuron_migrate.engine.matchers.names import import_changes
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.import_lines import Import
    from neuron_migrate.engine.index import Binding


class LegacyTensors:
    """Matches rules of kind ``legacy-tensor``."""

    nodes = (cst.Attribute, cst.Name, cst.SimpleString, cst.ImportFrom)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.types: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, LegacyTensorMatch)
            self.types.update(dict.fromkeys(rule.match.types, rule))
        self.reset()

    def reset(self) -> None:
        """Forget the file."""
        self.imports: list[Import] = []
        self.uses: dict[Binding, list[tuple[cst.BaseExpression, Draft | None]]] = {}

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report such a type, or a string that names one."""
        if isinstance(node, cst.ImportFrom):
            found = import_lines.imports(node, here)
            self.imports += [each for each in found if each.path in self.types]
        elif isinstance(node, cst.SimpleString):
            path = string_value(node) or ""
            if path in self.types:
                self._report(node, path, here)
        elif isinstance(node, (cst.Attribute, cst.Name)) and _is_read(node, here):
            resolved = here.resolve(node)
            if resolved is not None and resolved.path in self.types:
                draft = self._report(node, resolved.path, here)
                if resolved.binding is not None:
                    self.uses.setdefault(resolved.binding, []).append((node, draft))

    def finish(self, file: File) -> None:
        """An import goes when nothing is left of its uses."""
        fates: dict[int, list[import_changes.Fate]] = {}
        for each in self.imports:
            uses = self.uses.get(each.binding, [])
            drafts = [draft for _, draft in uses if draft is not None and draft.fix == "safe"]
            if not uses or len(drafts) < len(uses) or each.kept or each.guarded:
                continue
            if not import_changes.used_elsewhere(each, [node for node, _ in uses]):
                text = f"`{each.local}` is no longer used once its uses are rewritten."
                rule = self.types[each.path]
                fate = import_changes.Fate(each, rule, text, None, drafts)
                fates.setdefault(id(each.statement), []).append(fate)
        for together in fates.values():
            import_changes.change(together)
        self.reset()

    def _report(self, node: cst.BaseExpression, path: str, here: Here) -> Draft | None:
        rule = self.types[path]
        assert isinstance(rule.match, LegacyTensorMatch)
        return LegacyType(rule, rule.match, node, path, here).report()


def _is_read(node: cst.Attribute | cst.Name, here: Here) -> bool:
    parent = here.parent(node)
    if isinstance(parent, (cst.Attribute, cst.ImportAlias, cst.ImportFrom, cst.AsName)):
        return False
    if isinstance(parent, (cst.Arg, cst.Param, cst.FunctionDef, cst.ClassDef, cst.NameItem)):
        return node not in (getattr(parent, "keyword", None), getattr(parent, "name", None))
    return not isinstance(parent, (cst.AssignTarget, cst.Del))
