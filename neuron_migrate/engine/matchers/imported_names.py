"""Known names that reach their uses through an import alias or a variable.

An import is given another source when every use of it moves there under the same name
(``from torch.cuda import synchronize``); otherwise the uses are rewritten and the import goes.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names
from neuron_migrate.finding import Edit, Risk, Safety

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from neuron_migrate.engine.context import File, Here
    from neuron_migrate.engine.index import Binding
    from neuron_migrate.engine.matchers.names import Known, Use


@dataclass(frozen=True, slots=True, eq=False)
class _Import:
    """One name of an import statement."""

    here: Here
    statement: cst.ImportFrom | cst.Import
    alias: cst.ImportAlias
    path: str
    local: str
    binding: Binding

    @property
    def siblings(self) -> list[cst.ImportAlias]:
        """All names of the statement."""
        names = self.statement.names
        return [] if isinstance(names, cst.ImportStar) else list(names)


class Aliases:
    """The aliases of one file and what goes through them."""

    def __init__(self, known: Mapping[str, Known], parents: Set[str]) -> None:
        self.known = known
        self.parents = parents
        self.reset()

    def reset(self) -> None:
        """Forget the file."""
        self.uses: dict[Binding, list[Use]] = {}
        self.imports: list[_Import] = []
        self.modules: list[Use] = []

    def note_use(self, binding: Binding, use: Use) -> None:
        """A known name is reached through this binding."""
        self.uses.setdefault(binding, []).append(use)

    def note_module(self, use: Use) -> None:
        """A module such as ``torch.cuda`` is used as a value."""
        self.modules.append(use)

    def note_import(self, node: cst.ImportFrom | cst.Import, here: Here) -> None:
        """Known names and modules are imported."""
        if isinstance(node.names, cst.ImportStar) or getattr(node, "relative", ()):
            return
        prefix = f"{dotted(node.module)}." if isinstance(node, cst.ImportFrom) else ""
        for alias in node.names:
            path = prefix + dotted(alias.name)
            if not prefix and alias.asname is None:
                continue
            if path in self.known or path in self.parents:
                local = dotted(alias.asname.name if alias.asname else alias.name)
                for binding in names.lookup(local, here.scope):
                    if binding.statement is here.piece.statement:
                        self.imports.append(_Import(here, node, alias, path, local, binding))

    def decide(self, file: File) -> None:
        """Report everything noted, and forget it."""
        imports, modules = self.imports, self.modules
        homes = {id(each): self._home(each) for each in imports}
        doubtful = {
            id(each.statement)
            for each in imports
            if any(use.safety == "unsafe" for use in self.uses.get(each.binding, ()))
        }
        for each in imports:
            uses = self.uses.pop(each.binding, [])
            if _guarded(each):
                self._report_guarded(each)
            elif (home := homes[id(each)]) is not None:
                peers = [homes[id(other)] for other in imports if other.statement is each.statement]
                safety: Safety = "unsafe" if id(each.statement) in doubtful else "safe"
                self._rename(each, home, uses, peers, safety)
            else:
                self._rewrite_uses(file, each, uses)
        for module in modules:
            self._decide_module(module)
        for uses in self.uses.values():
            for use in uses:
                if use.replacement is None:
                    use.report()
        self.reset()

    def _home(self, each: _Import) -> str | None:
        """The path to import instead under the same local name, if the uses allow one."""
        uses = self.uses.get(each.binding, [])
        known = self.known.get(each.path)
        if known is None or known.entry.module:
            return _moved_module(each.path, uses)
        if any(use.known is not known for use in uses):
            return None
        replacement = known.replacement(each.here.target)
        if replacement is None:
            return None
        if "(" not in replacement:
            return replacement
        return known.entry.moved if not uses and _kept(each) else None

    def _rename(
        self,
        each: _Import,
        home: str,
        uses: list[Use],
        peers: list[str | None],
        safety: Safety,
    ) -> None:
        known = uses[0].known if uses else self.known[each.path]
        new, extra = _imported_from(each, home, peers)
        each.here.report(
            known.rule,
            each.alias,
            f"`{each.path}` becomes `{home}`.",
            changes=[(each.statement, new)],
            extra=extra,
            safety=safety,
            risk=known.entry.risk,
            confidence=known.entry.confidence,
        )

    def _rewrite_uses(self, file: File, each: _Import, uses: list[Use]) -> None:
        drafts = [use.report() for use in uses]
        known = uses[0].known if uses else self.known.get(each.path)
        if known is None or known.replacement(each.here.target) is None or _kept(each):
            return
        if any(draft.fix != "safe" for draft in drafts) or _used_elsewhere(file, each, uses):
            return
        text = f"`{each.local}` is no longer used once its uses are rewritten."
        kept = [alias for alias in each.siblings if alias is not each.alias]
        if not kept:
            each.here.report_removal(known.rule, each.alias, text)
            return
        kept[-1] = kept[-1].with_changes(comma=each.siblings[-1].comma)
        changed = each.statement.with_changes(names=kept)
        each.here.report(known.rule, each.alias, text, changes=[(each.statement, changed)])

    def _report_guarded(self, each: _Import) -> None:
        known = self.known.get(each.path)
        if known is not None:
            draft = each.here.report(
                known.rule,
                each.alias,
                f"`{each.path}` is imported with a fallback beside it.",
                not_fixed="the import is guarded: which of the two is used shows at run time",
                risk=Risk.INFO,
            )
            draft.advice = True

    def _decide_module(self, use: Use) -> None:
        """``dev = torch.cuda`` is renamed when every use of the variable moves with it."""
        here, replacement = use.here, use.replacement
        binding = _assigned(use)
        uses = self.uses.get(binding, []) if binding else []
        moved = _moved_module(use.known.entry.name, uses)
        if replacement is None or moved is None or moved != replacement:
            here.report(
                use.known.rule,
                use.node,
                not_fixed="not every use of the module can be followed and moved",
            )
            return
        new, extra = here.build(replacement)
        here.report(use.known.rule, use.node, changes=[(use.node, new)], extra=extra)


def dotted(node: cst.CSTNode | None) -> str:
    """The text of a dotted name; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _assigned(use: Use) -> Binding | None:
    parent = use.here.parent(use.node)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return None
    target = parent.targets[0].target
    if not isinstance(target, cst.Name):
        return None
    bindings = names.lookup(target.value, use.here.scope)
    return bindings[0] if len(bindings) == 1 else None


def _guarded(each: _Import) -> bool:
    """True when the import may fail by design, or another one gives the same name."""
    others = names.lookup(each.local, each.here.scope)
    if len({other.target for other in others if other.kind == "import"}) > 1:
        return True
    for outer in each.binding.statement.ancestors():
        if isinstance(outer.node, ast.ExceptHandler):
            return True
        if isinstance(outer.node, ast.Try) and outer.node.handlers:
            return len(others) > 1
    return False


def _moved_module(path: str, uses: list[Use]) -> str | None:
    """Where a module moved to, when every use of it moved there under its old name."""
    homes: set[str] = set()
    for use in uses:
        template = use.replacement
        rest = use.known.entry.name.removeprefix(path)
        if template is None or "(" in template or not template.endswith(rest):
            return None
        homes.add(template[: len(template) - len(rest)])
    return homes.pop() if len(homes) == 1 else None


def _imported_from(
    each: _Import, home: str, peers: list[str | None]
) -> tuple[cst.CSTNode, list[Edit]]:
    """The import statement with one name taken from ``home``, and a line to add if it must part."""
    if isinstance(each.statement, cst.Import):
        return _with_alias(each, each.alias.with_changes(name=_chain(home))), []
    module, _, leaf = home.rpartition(".")
    asname = each.alias.asname
    if asname is None and leaf != each.local:
        asname = cst.AsName(name=cst.Name(each.local))
    alias = each.alias.with_changes(name=cst.Name(leaf), asname=asname)
    if module == dotted(each.statement.module):
        return _with_alias(each, alias), []
    together = len(peers) == len(each.siblings) and all(
        peer is not None and peer.rpartition(".")[0] == module for peer in peers
    )
    if together:
        return _with_alias(each, alias).with_changes(module=_chain(module)), []
    kept = [other for other in each.siblings if other is not each.alias]
    kept[-1] = kept[-1].with_changes(comma=each.siblings[-1].comma)
    line = each.here.source(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT))
    return each.statement.with_changes(names=kept), [_line_after(each, f"from {module} import {line}")]


def _line_after(each: _Import, line: str) -> Edit:
    file, statement = each.here.file, each.here.piece.statement
    place = file.lines.next_line(getattr(statement.node, "end_lineno", statement.start[0]))
    start = file.lines.offset(statement.start[0], 1)
    indentation = file.text[start : each.here.piece.start]
    return Edit(place, place, f"{indentation}{line}{file.lines.newline}")


def _with_alias(each: _Import, new: cst.ImportAlias) -> cst.CSTNode:
    return each.statement.with_changes(
        names=[new if alias is each.alias else alias for alias in each.siblings]
    )


def _kept(each: _Import) -> bool:
    """True when the name is part of what the module offers, or stands in a string annotation."""
    file = each.here.file
    quoted = re.search(rf"(['\"]){re.escape(each.local)}\1", file.text)
    return bool(quoted) or file.is_package


def _used_elsewhere(file: File, each: _Import, uses: list[Use]) -> bool:
    known = {id(_root(use.node)) for use in uses}
    return any(id(node) not in known for _, node in file.uses(each.local, each.binding.scope))


def _root(node: cst.BaseExpression) -> cst.BaseExpression:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node


def _chain(path: str) -> cst.Attribute | cst.Name:
    node = cst.parse_expression(path)
    assert isinstance(node, (cst.Attribute, cst.Name))
    return node
