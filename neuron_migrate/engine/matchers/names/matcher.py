"""References to public names that are called something else on Neuron, or have no equal there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import NameEntry, NamesMatch
from neuron_migrate.engine.matchers.names.imported import Aliases
from neuron_migrate.engine.matchers.names.uses import Known, Use
from neuron_migrate.engine.meaning import string_value
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Names:
    """Matches rules of kind ``names``."""

    nodes = (cst.Attribute, cst.Name, cst.ImportFrom, cst.Import, cst.Call)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, Known] = {}
        self.modules: dict[str, Rule] = {}
        self.prefixes: list[tuple[str, Rule]] = []
        self.elsewhere: set[str] = set()
        for rule in rules:
            assert isinstance(rule.match, NamesMatch)
            self.known.update((entry.name, Known(rule, entry)) for entry in rule.match.names)
            self.modules.update(dict.fromkeys(rule.match.modules, rule))
            self.prefixes += [(prefix, rule) for prefix in rule.match.prefixes]
            self.elsewhere.update(rule.match.elsewhere)
        self.parents = {name.rpartition(".")[0] for name in self.known} | set(self.modules)
        self.aliases = Aliases(self.known, _seen_modules(self.known.values(), self.modules))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a reference, or note it when it goes through an alias."""
        if isinstance(node, (cst.ImportFrom, cst.Import)):
            self.aliases.note_import(node, here)
            if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
                self._star(node, here)
        elif isinstance(node, cst.Call):
            self._looked_up(node, here)
        elif isinstance(node, (cst.Attribute, cst.Name)) and _is_reference(node, here):
            self._reference(node, here)

    def finish(self, file: File) -> None:
        """Decide about the names that go through an import alias or a variable."""
        self.aliases.decide(file)

    def _reference(self, node: cst.Attribute | cst.Name, here: Here) -> None:
        found = here.resolve(node)
        if found is None:
            return
        reference: cst.BaseExpression = node
        path = found.path
        known = self._lookup(path)
        while known is None and isinstance(reference, cst.Attribute) and path not in self.elsewhere:
            reference, path = reference.value, path.rpartition(".")[0]
            known = self._lookup(path)
        if path in self.elsewhere:
            self.aliases.note_other(path)
        if known is None or _is_patched(reference, here, path) or here.is_claimed(reference):
            return
        use = Use(here, reference, known)
        direct = found.binding is None or found.binding.target == path.partition(".")[0]
        if known.entry.module and direct:
            self.aliases.note_module(use)
        elif direct or found.binding is None:
            self.aliases.note_direct(path, use.report())
        else:
            self.aliases.note_use(found.binding, use)

    def _looked_up(self, call: cst.Call, here: Here) -> None:
        """``getattr(torch, "cuda")`` is another way to write ``torch.cuda``."""
        if not isinstance(call.func, cst.Name) or call.func.value != "getattr":
            return
        if len(call.args) not in (2, 3) or here.is_claimed(call):
            return
        module, name = here.path(call.args[0].value), string_value(call.args[1].value)
        known = self._lookup(f"{module}.{name}") if module and name else None
        if known is None:
            return
        here.file.claimed.add(call)
        if known.entry.module:
            self.aliases.note_module(Use(here, call, known))
        elif len(call.args) == 3:
            here.report(
                known.rule,
                call,
                f"`{known.entry.name}` is looked up, with a default.",
                not_fixed="the program is prepared for the name to be missing",
                risk=Risk.INFO,
                confidence=known.entry.confidence,
            )
        else:
            self.aliases.note_direct(known.entry.name, Use(here, call, known).report())

    def _star(self, node: cst.ImportFrom, here: Here) -> None:
        path = here.source(node.module) if node.module is not None and not node.relative else ""
        rule = self.modules.get(path)
        if rule is not None:
            text = f"Everything in `{path}` is imported."
            here.report(rule, node, text, not_fixed="which names are meant cannot be seen")

    def _lookup(self, path: str) -> Known | None:
        known = self.known.get(path)
        if known is not None or path in self.parents or path in self.elsewhere:
            return known
        rule = self.modules.get(path.rpartition(".")[0])
        if rule is None:
            rule = next((rule for prefix, rule in self.prefixes if path.startswith(prefix)), None)
        return Known(rule, NameEntry(name=path)) if rule is not None else None


def _seen_modules(known: Iterable[Known], modules: Mapping[str, Rule]) -> frozenset[str]:
    """The modules of known names an import of which holds a trigger, so that it is looked at."""
    owners = [(each.entry.name.rpartition(".")[0], each.rule) for each in known]
    return frozenset(
        module
        for module, rule in [*owners, *modules.items()]
        if not set(module.split(".")).isdisjoint(rule.triggers)
    )


def _is_reference(node: cst.Attribute | cst.Name, here: Here) -> bool:
    """True for the whole of an attribute chain that is read or assigned."""
    parent = here.parent(node)
    if isinstance(parent, (cst.Attribute, cst.ImportAlias, cst.ImportFrom, cst.AsName)):
        return False
    if isinstance(parent, (cst.Arg, cst.Param, cst.FunctionDef, cst.ClassDef, cst.NameItem)):
        names = (getattr(parent, "keyword", None), getattr(parent, "name", None))
        return node not in names
    return not (isinstance(node, cst.Name) and isinstance(parent, cst.AssignTarget))


def _is_patched(node: cst.CSTNode, here: Here, path: str) -> bool:
    """True when the program replaces the name itself; another rule speaks about that."""
    parent = here.parent(node)
    assigned = isinstance(parent, (cst.AssignTarget, cst.Del)) or (
        isinstance(parent, cst.AnnAssign) and parent.target is node
    )
    return assigned and path.startswith("torch.cuda")
