"""References to public names that are called something else on Neuron, or have no equal there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import NameEntry, NamesMatch
from neuron_migrate.engine import conditions, templates
from neuron_migrate.engine.matchers.imported_names import Aliases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, File, Here
    from neuron_migrate.finding import Edit, Safety, Target


@dataclass(frozen=True, slots=True)
class Known:
    """A name of the catalog and the rule it stands in."""

    rule: Rule
    entry: NameEntry

    def replacement(self, target: Target) -> str | None:
        """What to write instead, if anything."""
        return self.entry.neuron if target == "neuron" else self.entry.accelerator


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """One reference to a known name."""

    here: Here
    node: cst.BaseExpression
    known: Known

    @property
    def replacement(self) -> str | None:
        """What to write instead, if anything."""
        return self.known.replacement(self.here.target)

    @property
    def safety(self) -> Safety:
        """Whether the replacement may raise where the original did not."""
        entry, here = self.known.entry, self.here
        if entry.needs_accelerator and here.target == "accelerator":
            if not conditions.under_device_test(here, self.node):
                return "unsafe"
        return entry.safety

    def report(self) -> Draft:
        """Report the use, rewritten where it stands."""
        here, entry, rule = self.here, self.known.entry, self.known.rule
        template = self.replacement
        reason = None
        changes: list[tuple[cst.CSTNode, cst.CSTNode]] = []
        needed: list[Edit] = []
        if template is not None:
            old, args, reason = self._site(template)
            if reason is None:
                numbered = {str(index): arg.value for index, arg in enumerate(args)}
                new, needed = here.build(template, args=args, nodes=numbered)
                new = templates.parenthesize_for(new, old, here.parent(old))
                changes = [(old, new)]
        draft = here.report(
            rule,
            self.node,
            message(entry, template),
            changes=changes,
            extra=needed,
            safety=self.safety,
            not_fixed=reason,
            risk=entry.risk,
            confidence=entry.confidence,
        )
        assert isinstance(rule.match, NamesMatch)
        draft.cuda_only = rule.match.cuda_only
        if entry.test:
            draft.test = (here.piece, self.node)
        return draft

    def _site(self, template: str) -> tuple[cst.BaseExpression, list[cst.Arg], str | None]:
        """The node to replace, the arguments it carries, and why it cannot be if it cannot."""
        if "(" not in template:
            return self.node, [], None
        parent = self.here.parent(self.node)
        if not isinstance(parent, cst.Call) or parent.func is not self.node:
            return self.node, [], "it is not called here, and no single name can stand for it"
        args = list(parent.args)
        wanted = [int(number) for number in re.findall(r"\{(\d+)\}", template)]
        if any(index >= len(args) or args[index].star or args[index].keyword for index in wanted):
            return parent, args, "its arguments are not given by position"
        if "{args}" not in template and len(args) > len(wanted):
            return parent, args, "its arguments have no place in the replacement"
        return parent, args, None


class Names:
    """Matches rules of kind ``names``."""

    nodes = (cst.Attribute, cst.Name, cst.ImportFrom, cst.Import)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, Known] = {}
        self.modules: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, NamesMatch)
            self.known.update((entry.name, Known(rule, entry)) for entry in rule.match.names)
            self.modules.update(dict.fromkeys(rule.match.modules, rule))
        self.parents = {name.rpartition(".")[0] for name in self.known} | set(self.modules)
        self.aliases = Aliases(self.known, self.parents)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a reference, or note it when it goes through an alias."""
        if isinstance(node, (cst.ImportFrom, cst.Import)):
            self.aliases.note_import(node, here)
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
        while known is None and isinstance(reference, cst.Attribute):
            reference, path = reference.value, path.rpartition(".")[0]
            known = self._lookup(path)
        if known is None or _is_patched(reference, here, path):
            return
        use = Use(here, reference, known)
        direct = found.binding is None or found.binding.target == path.partition(".")[0]
        if known.entry.module and direct:
            self.aliases.note_module(use)
        elif direct or found.binding is None:
            use.report()
        else:
            self.aliases.note_use(found.binding, use)

    def _lookup(self, path: str) -> Known | None:
        known = self.known.get(path)
        if known is None and path not in self.parents:
            rule = self.modules.get(path.rpartition(".")[0])
            if rule is not None:
                return Known(rule, NameEntry(name=path))
        return known


def message(entry: NameEntry, replacement: str | None) -> str:
    """What to say about a name."""
    if replacement is None:
        what = f"`{entry.name}` has no Neuron equivalent"
    else:
        what = f"`{entry.name}` becomes `{replacement.replace('{args}', '…')}`"
    return f"{what}: {entry.note}" if entry.note else f"{what}."


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


