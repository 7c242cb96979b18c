"""Import statements of packages that are gone: removed when nothing needs them, else reported."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GoneMatch
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.matchers.gone.uses import goes
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.fallbacks import Fallback
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding, Statement


_ASKS = re.compile(
    r"\b\w*(xla|tpu|neuron)\w*_(available|greater)|\bhas_(torch_)?xla\b"
    r"|find_spec\(\s*['\"](torch_xla|torch_neuronx?|neuronx\w*|optimum\.neuron)\b",
    re.IGNORECASE,
)


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
    note: str
    """What is said about it."""


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
        found = way_around(here.piece.statement, self.file)
        if found is not None:
            text = f"{self._said(self.names)} The import is {found.how}."
            reason = f"the import is {found.how}"
            here.report(rule, self._anchor, text, risk=Risk.INFO, not_fixed=reason)
            return
        kept = [each for each in self.names if not self._is_free(each)]
        aliases = first.node.names
        if kept or isinstance(aliases, cst.ImportStar) or len(aliases) > len(self.names):
            text = self._said(kept or self.names) + self._leftovers() + self._when()
            here.report(rule, self._anchor, text, not_fixed="what replaces it is a decision")
            return
        text = "Nothing needs the import once its uses are rewritten."
        draft = here.report_removal(rule, self._anchor, text)
        draft.needs += [use for each in self.names for use in self.reported.get(each.binding, ())]

    @property
    def _registers(self) -> bool:
        match = self.names[0].rule.match
        return isinstance(match, GoneMatch) and match.registers

    @property
    def _anchor(self) -> cst.CSTNode:
        first = self.names[0]
        return first.alias if len(self.names) == 1 else first.node

    def _is_free(self, each: GoneImport) -> bool:
        """True when every use of the name is rewritten, or there is none."""
        if (
            self._registers
            or self.file.is_package
            or re.search(rf"(['\"]){re.escape(each.local)}\1", self.file.text)
        ):
            return False
        drafts = self.reported.get(each.binding, [])
        if self.left.get(each.binding) or not all(goes(self.file, draft) for draft in drafts):
            return False
        starts = sum(1 for _ in self.file.uses(each.local, each.binding.scope))
        return starts <= len(drafts)

    @staticmethod
    def _said(kept: list[GoneImport]) -> str:
        """The names that stay, those of which the same is said together."""
        paths: dict[str, list[str]] = {}
        for each in kept:
            paths.setdefault(each.note, []).append(f"`{each.path}`")
        return " ".join(f"{', '.join(each)}: {note}" for note, each in paths.items())

    def _leftovers(self) -> str:
        paths = [path for each in self.names for path in self.left.get(each.binding, ())]
        found = ", ".join(f"`{path}`" for path in dict.fromkeys(paths))
        return f" Used here: {found}." if found else ""

    def _when(self) -> str:
        """When the import is made, where that is not at once."""
        found = fallback(self.names[0].here.piece.statement)
        return f" The import is {found.how}." if found is not None else ""


def way_around(statement: Statement, file: File) -> Fallback | None:
    """How the program does without what an import brings, or None when it does not.

    What is imported on demand counts where the file asks whether such a device is there: then it
    is one of several that the program serves.
    """
    found = fallback(statement)
    if found is None or found.certain:
        return found
    asked = _ASKS.search(file.code)
    if asked is None:
        return None
    return replace(found, how=f"{found.how}, and `{asked.group()}` asks for such a device")


def instead(rule: Rule) -> str:
    """The way out, from the rule."""
    assert isinstance(rule.match, GoneMatch)
    return rule.match.instead
