"""Known names that reach their uses through an import alias or a variable.

An import is given another source when every use of it moves there under the same name
(``from torch.cuda import synchronize``); otherwise the uses are rewritten and the import goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import import_lines
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.imports import local_root
from neuron_migrate.engine.matchers.names import import_changes, module_values
from neuron_migrate.engine.matchers.names.import_changes import Fate
from neuron_migrate.finding import Risk, Safety

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.import_lines import Import
    from neuron_migrate.engine.index import Binding
    from neuron_migrate.engine.matchers.names.uses import Known, Use


class Aliases:
    """The aliases of one file and what goes through them."""

    def __init__(self, known: Mapping[str, Known], parents: AbstractSet[str]) -> None:
        self.known = known
        self.parents = parents
        self.reset()

    def reset(self) -> None:
        """Forget the file."""
        self.uses: dict[Binding, list[Use]] = {}
        self.imports: list[Import] = []
        self.modules: list[Use] = []
        self.direct: list[tuple[str, Draft | None]] = []

    def note_use(self, binding: Binding, use: Use) -> None:
        """A known name is reached through this binding."""
        self.uses.setdefault(binding, []).append(use)

    def note_module(self, use: Use) -> None:
        """A module such as ``torch.cuda`` is used as a value."""
        self.modules.append(use)

    def note_direct(self, path: str, draft: Draft) -> None:
        """A known name is written out in full."""
        self.direct.append((path, draft))

    def note_other(self, path: str) -> None:
        """A name is written out in full that another kind of rule speaks about."""
        self.direct.append((path, None))

    def note_import(self, node: cst.ImportFrom | cst.Import, here: Here) -> None:
        """Known names and modules are imported."""
        for each in import_lines.imports(node, here):
            if each.path in self.known or each.path in self.parents:
                self.imports.append(each)

    def decide(self, file: File) -> None:
        """Report everything noted, and forget it."""
        self._note_other_imports(file)
        fates: dict[int, list[Fate]] = {}
        for each in self.imports:
            fate = self._plain(each) if each.plain else self._fate(file, each)
            if fate is not None:
                fates.setdefault(id(each.statement), []).append(fate)
        for together in fates.values():
            import_changes.change(together)
        for module in self.modules:
            self.note_direct(module.known.entry.name, module_values.report(module, self.known))
        for binding, uses in self.uses.items():
            for use in uses:
                if use.replacement is None or binding.kind == "import":
                    use.report()
        self.reset()

    def _note_other_imports(self, file: File) -> None:
        """The imports that uses go through although no trigger word stands in them."""
        noted = {each.here.piece.statement for each in self.imports}
        wanted = [binding.statement for binding in self.uses if binding.kind == "import"]
        for statement in dict.fromkeys(wanted):
            for piece in file.pieces(statement) if statement not in noted else ():
                for node in piece.nodes:
                    if isinstance(node, (cst.ImportFrom, cst.Import)):
                        self.note_import(node, Here(file, piece))

    def _fate(self, file: File, each: Import) -> Fate | None:
        """What becomes of an imported name; its uses are reported when they change themselves."""
        uses = self.uses.pop(each.binding, [])
        if each.guarded:
            self._report_guarded(each)
            return None
        home = self._home(each, uses)
        if home is not None:
            known = uses[0].known if uses else self.known[each.path]
            unsafe = any(use.safety == "unsafe" for use in uses)
            text = f"`{each.path}` becomes `{home}`."
            safety: Safety = "unsafe" if unsafe else "safe"
            return _fate(each, known, text, home, [], safety)
        return self._superfluous(file, each, uses)

    def _home(self, each: Import, uses: list[Use]) -> str | None:
        """The path to import instead under the same local name, if the uses allow one."""
        known = self.known.get(each.path)
        if known is None or known.entry.module:
            return module_values.moved(each.path, uses)
        if any(use.known is not known for use in uses):
            return None
        replacement = known.replacement(each.here.target)
        if replacement is None:
            return None
        if "(" not in replacement and "{" not in replacement:
            return replacement if all(use.rewrite.named for use in uses) else None
        return known.entry.moved if not uses and each.kept else None

    def _superfluous(self, file: File, each: Import, uses: list[Use]) -> Fate | None:
        """Report the uses; the import goes when nothing is left of them."""
        drafts = [self._report_use(use) for use in uses]
        known = uses[0].known if uses else self.known.get(each.path)
        if known is None:
            return None
        if not uses:
            self._report_unused(file, each, known)
            return None
        if each.kept or any(draft.fix is None for draft in drafts):
            return None
        nodes = [use.node for use in uses]
        if any(use.rewrite.local for use in uses) or import_changes.used_elsewhere(each, nodes):
            return None
        safety: Safety = "safe" if all(draft.fix == "safe" for draft in drafts) else "unsafe"
        text = f"`{each.local}` is no longer used once its uses are rewritten."
        return _fate(each, known, text, None, drafts, safety)

    def _report_use(self, use: Use) -> Draft:
        if use.known.entry.module:
            return module_values.report(use, self.known)
        return use.report()

    def _report_unused(self, file: File, each: Import, known: Known) -> None:
        """A name that is imported for others, or for nothing."""
        if known.entry.module or import_changes.used_elsewhere(each, []):
            return
        entry = known.entry
        draft = each.here.report(
            known.rule,
            each.alias,
            f"`{each.path}` is imported and not used here. {entry.note}".rstrip(),
            not_fixed="other modules may import it from here",
            risk=Risk.INFO,
            confidence=entry.confidence,
        )
        draft.advice = True

    def _report_guarded(self, each: Import) -> None:
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

    def _plain(self, each: Import) -> Fate | None:
        """``import torch.cuda`` goes when every name under it is written otherwise."""
        drafts = list(self._under(each.path))
        known = self.known.get(each.path)
        if known is None or not drafts or each.here.file.is_package or self.modules:
            return None
        if any(draft is None or draft.fix != "safe" for draft in drafts):
            return None
        root = each.path.partition(".")[0]
        text = f"Nothing of `{each.path}` is used once its names are rewritten."
        given = [draft for draft in drafts if draft is not None]
        others = {id(other.statement) for other in each.binding.scope.bindings[root]}
        home = None if len(others) > 1 and local_root(root, each.here.scope) else root
        return _fate(each, known, text, home, given, "safe")

    def _under(self, path: str) -> Iterator[Draft | None]:
        return (draft for known, draft in self.direct if known.startswith(f"{path}."))


def _fate(
    each: Import,
    known: Known,
    message: str,
    home: str | None,
    drafts: list[Draft],
    safety: Safety,
) -> Fate:
    entry = known.entry
    return Fate(each, known.rule, message, home, drafts, safety, entry.risk, entry.confidence)
