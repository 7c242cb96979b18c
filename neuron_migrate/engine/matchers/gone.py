"""Packages that the native stack does not have: their imports, and the uses of what they hold."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GoneMatch, GoneName
from neuron_migrate.engine import names, removal, templates
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.matchers.import_lines import dotted
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, File, Here
    from neuron_migrate.engine.index import Binding, Statement
    from neuron_migrate.finding import Safety


@dataclass(frozen=True, slots=True, eq=False)
class _Import:
    """One name of an import statement, from a package that is gone."""

    rule: Rule
    here: Here
    node: cst.Import | cst.ImportFrom
    alias: cst.ImportAlias
    path: str
    local: str
    binding: Binding


@dataclass(frozen=True, slots=True, eq=False)
class _Use:
    """A reference to something in such a package."""

    here: Here
    node: cst.BaseExpression
    path: str
    known: tuple[Rule, GoneName] | None


@dataclass(slots=True)
class _Seen:
    """What the file holds so far."""

    imports: list[_Import] = field(default_factory=list)
    uses: dict[Binding, list[_Use]] = field(default_factory=dict)


class Gone:
    """Matches rules of kind ``gone``."""

    nodes = (cst.Import, cst.ImportFrom, cst.Attribute, cst.Name)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.packages: dict[str, Rule] = {}
        self.known: dict[str, tuple[Rule, GoneName]] = {}
        for rule in rules:
            assert isinstance(rule.match, GoneMatch)
            self.packages.update(dict.fromkeys(rule.match.packages, rule))
            self.known.update((entry.name, (rule, entry)) for entry in rule.match.names)
        self.roots = {path.partition(".")[0] for path in (*self.packages, *self.known)}
        self.seen = _Seen()

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note an import or a use."""
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            self._import(node, here)
        elif isinstance(node, (cst.Attribute, cst.Name)):
            self._use(node, here)

    def finish(self, file: File) -> None:
        """Report the uses, then the imports with what is left of them."""
        seen, self.seen = self.seen, _Seen()
        guarded = {each.binding for each in seen.imports if _is_guarded(each.here.piece.statement)}
        reported: dict[Binding, list[Draft]] = {}
        left: dict[Binding, list[str]] = {}
        for binding, uses in seen.uses.items():
            if binding in guarded or _is_guarded(binding.statement):
                continue
            # Code that imports it on demand may serve other XLA devices beside Neuron.
            safety: Safety = "safe" if fallback(binding.statement) is None else "unsafe"
            for use in uses:
                if use.known is None:
                    left.setdefault(binding, []).append(use.path)
                else:
                    draft = _report_use(use, use.known, safety)
                    reported.setdefault(binding, []).append(draft)
        done: set[int] = set()
        for each in seen.imports:
            if id(each.node) not in done:
                done.add(id(each.node))
                together = [other for other in seen.imports if other.node is each.node]
                _ImportReport(file, together, reported, left).report()

    def _import(self, node: cst.Import | cst.ImportFrom, here: Here) -> None:
        if isinstance(node, cst.ImportFrom) and (node.relative or node.module is None):
            return
        if isinstance(node.names, cst.ImportStar):
            rule = self._package(dotted(node.module)) if isinstance(node, cst.ImportFrom) else None
            if rule is not None:
                here.report(
                    rule, node, _instead(rule), not_fixed="which names are meant is not seen"
                )
            return
        prefix = f"{dotted(node.module)}." if isinstance(node, cst.ImportFrom) else ""
        for alias in node.names:
            path = prefix + dotted(alias.name)
            rule = self._package(path)
            if rule is None or alias in here.file.claimed:
                continue
            local = dotted(alias.asname.name) if alias.asname else dotted(alias.name)
            local = local.partition(".")[0]
            for binding in names.lookup(local, here.scope):
                if binding.statement is here.piece.statement:
                    self.seen.imports.append(_Import(rule, here, node, alias, path, local, binding))
                    break

    def _use(self, node: cst.Attribute | cst.Name, here: Here) -> None:
        parent = here.parent(node)
        if isinstance(parent, (cst.Attribute, cst.ImportAlias, cst.ImportFrom, cst.AsName)):
            return
        if isinstance(parent, (cst.Arg, cst.Param)) and node is not getattr(parent, "value", None):
            return
        found = here.resolve(node)
        if found is None or found.binding is None:
            return
        if found.path.partition(".")[0] not in self.roots or here.is_claimed(node):
            return
        reference, path = _longest(node, found.path, self.known)
        known = self.known.get(path)
        if known is None and self._package(found.path) is None:
            return
        use = _Use(here, reference, found.path if known is None else path, known)
        self.seen.uses.setdefault(found.binding, []).append(use)

    def _package(self, path: str) -> Rule | None:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            rule = self.packages.get(".".join(parts[:length]))
            if rule is not None:
                return rule
        return None


@dataclass(frozen=True, slots=True)
class _ImportReport:
    """What to say about one import statement."""

    file: File
    names: list[_Import]
    reported: dict[Binding, list[Draft]]
    left: dict[Binding, list[str]]

    def report(self) -> None:
        """Report it: removed when nothing needs it any more, else with the way out."""
        first = self.names[0]
        here, rule = first.here, first.rule
        found = fallback(here.piece.statement)
        anchor = first.alias if len(self.names) == 1 else first.node
        if found is not None and found.certain:
            text = f"{_instead(rule)} The import is {found.how}."
            here.report(rule, anchor, text, risk=Risk.INFO, not_fixed=f"the import is {found.how}")
            return
        kept = [each for each in self.names if not self._is_free(each)]
        aliases = first.node.names
        if kept or isinstance(aliases, cst.ImportStar) or len(aliases) > len(self.names):
            paths = ", ".join(f"`{each.path}`" for each in kept or self.names)
            here.report(
                rule,
                anchor,
                f"{paths}: {_instead(rule)}{self._leftovers()}",
                not_fixed="what replaces it is a decision",
            )
            return
        draft = here.report_removal(
            rule, anchor, "Nothing needs the import once its uses are rewritten."
        )
        draft.needs += [use for each in self.names for use in self.reported.get(each.binding, ())]

    def _is_free(self, each: _Import) -> bool:
        """True when every use of the name is rewritten, or there is none."""
        if self.file.is_package or re.search(rf"(['\"]){re.escape(each.local)}\1", self.file.text):
            return False
        drafts = self.reported.get(each.binding, [])
        if self.left.get(each.binding) or not all(_goes(self.file, draft) for draft in drafts):
            return False
        starts = sum(1 for _ in self.file.uses(each.local, each.binding.scope))
        return starts <= len(drafts)

    def _leftovers(self) -> str:
        paths = [path for each in self.names for path in self.left.get(each.binding, ())]
        found = ", ".join(f"`{path}`" for path in dict.fromkeys(paths))
        return f" Used here: {found}." if found else ""


def _goes(file: File, draft: Draft) -> bool:
    """True when the fix of a use is sure to be applied."""
    if draft.removes is not None and removal.has_comment(file, draft.removes):
        return False
    return draft.fix == "safe"


def _report_use(use: _Use, known: tuple[Rule, GoneName], safety: Safety) -> Draft:
    rule, entry = known
    here = use.here
    template = entry.neuron if here.target == "neuron" else entry.accelerator
    text = f"`{entry.name}`: {entry.note}" if entry.note else f"`{entry.name}`."
    reason = _why_not(entry, here)
    call = here.parent(use.node)
    if not (isinstance(call, cst.Call) and call.func is use.node):
        call = None
    if entry.drop and call is not None and not call.args and reason is None:
        if isinstance(here.parent(call), cst.Expr):
            return here.report_removal(rule, use.node, text, safety=safety)
        reason = "its value is used"
    if template is None or reason is not None:
        return here.report(rule, use.node, text, not_fixed=reason)
    if "(" not in template:
        new, needed = here.build(template)
        change = (use.node, new)
        return here.report(rule, use.node, text, changes=[change], extra=needed, safety=safety)
    if call is None:
        return here.report(rule, use.node, text, not_fixed="it is not called here")
    args = list(call.args)
    wanted = set(re.findall(r"\{(\d+)\}", template))
    if len(args) > len(wanted) or any(arg.star or arg.keyword for arg in args):
        return here.report(rule, use.node, text, not_fixed="its arguments have no place there")
    if len(args) < len(wanted):
        return here.report(rule, use.node, text, not_fixed="an argument is missing")
    nodes = {str(index): _atom(arg.value) for index, arg in enumerate(args)}
    new, needed = here.build(template, nodes=nodes)
    new = templates.parenthesize_for(new, call, here.parent(call))
    return here.report(rule, use.node, text, changes=[(call, new)], extra=needed, safety=safety)


def _why_not(entry: GoneName, here: Here) -> str | None:
    """Why the file is no place for the rewrite."""
    text = here.file.text
    beside = next((word for word in entry.unless_beside if _has(word, text)), None)
    if beside is not None:
        return f"`{beside}` in the file says that several processes take part"
    if entry.only_beside and not any(_has(word, text) for word in entry.only_beside):
        return "nothing in the file says that there is a process group"
    return None


def _has(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


def _atom(node: cst.BaseExpression) -> cst.BaseExpression:
    """The node, in parentheses unless an attribute can follow it as it is."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _longest(
    node: cst.BaseExpression, path: str, known: dict[str, tuple[Rule, GoneName]]
) -> tuple[cst.BaseExpression, str]:
    """The longest part of an attribute chain that the catalog knows, or all of it."""
    part: cst.BaseExpression = node
    name = path
    while name not in known and isinstance(part, cst.Attribute):
        part, name = part.value, name.rpartition(".")[0]
    return (part, name) if name in known else (node, path)


def _is_guarded(statement: Statement) -> bool:
    found = (
        fallback(statement) if isinstance(statement.node, (ast.Import, ast.ImportFrom)) else None
    )
    return found is not None and found.certain


def _instead(rule: Rule) -> str:
    assert isinstance(rule.match, GoneMatch)
    return rule.match.instead
