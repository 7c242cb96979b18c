"""Import statements of packages that are gone: removed when nothing needs them, else reported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GoneMatch
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.matchers.gone.uses import goes
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding


@dataclass(frozen=True, slots=True, eq=False)
class GoneImport:
    """One name of an import statement, from a package that is gone."""

    rule: Rule
    here: Here
    node: cst.Import | cst.ImportFrom
    alias: cst.ImportAlias
    path: str
    local: str
    binding: Binding


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What to say about one import statement."""

    file: File
    names: list[GoneImport]
    reported: dict[Binding, list[Draft]]
    left: dict[Binding, list[str]]

    def report(self) -> None:
        """Report it: removed when nothing needs it any more, else with the way out."""
        first = self.names[0]
        here, rule = first.here, first.rule
        found = fallback(here.piece.statement)
        if found is not None and found.certain:
            text = f"{instead(rule)} The import is {found.how}."
            reason = f"the import is {found.how}"
            here.report(rule, self._anchor, text, risk=Risk.INFO, not_fixed=reason)
            return
        kept = [each for each in self.names if not self._is_free(each)]
        aliases = first.node.names
        if kept or isinstance(aliases, cst.ImportStar) or len(aliases) > len(self.names):
            paths = ", ".join(f"`{each.path}`" for each in kept or self.names)
            text = f"{paths}: {instead(rule)}{self._leftovers()}"
            here.report(rule, self._anchor, text, not_fixed="what replaces it is a decision")
            return
        text = "Nothing needs the import once its uses are rewritten."
        draft = here.report_removal(rule, self._anchor, text)
        draft.needs += [use for each in self.names for use in self.reported.get(each.binding, ())]

    @property
    def _anchor(self) -> cst.CSTNode:
        first = self.names[0]
        return first.alias if len(self.names) == 1 else first.node

    def _is_free(self, each: GoneImport) -> bool:
        """True when every use of the name is rewritten, or there is none."""
        if self.file.is_package or re.search(rf"(['\"]){re.escape(each.local)}\1", self.file.text):
            return False
        drafts = self.reported.get(each.binding, [])
        if self.left.get(each.binding) or not all(goes(self.file, draft) for draft in drafts):
            return False
        starts = sum(1 for _ in self.file.uses(each.local, each.binding.scope))
        return starts <= len(drafts)

    def _leftovers(self) -> str:
        paths = [path for each in self.names for path in self.left.get(each.binding, ())]
        found = ", ".join(f"`{path}`" for path in dict.fromkeys(paths))
        return f" Used here: {found}." if found else ""


def instead(rule: Rule) -> str:
    """The way out, from the rule."""
    assert isinstance(rule.match, GoneMatch)
    return rule.match.instead
