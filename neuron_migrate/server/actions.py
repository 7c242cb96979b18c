"""Quick fixes and fix-all, as code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from neuron_migrate.engine.notebooks.cells import sources
from neuron_migrate.server.changes import between
from neuron_migrate.server.diagnostics import diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.server.jobs import Proposal
    from neuron_migrate.server.session import Checked, Session
    from neuron_migrate.server.spots import Edits, Spot

FIX_ALL = types.CodeActionKind.SourceFixAll.value + ".neuronMigrate"
KINDS = [types.CodeActionKind.QuickFix.value, FIX_ALL]


class Actions:
    """What the editor can do about findings.

    The fixes of a whole file are made when one is chosen, where the editor can wait for that.
    """

    def __init__(self, session: Session, capabilities: types.ClientCapabilities) -> None:
        self._session = session
        texts, workspace = capabilities.text_document, capabilities.workspace
        resolves = texts and texts.code_action and texts.code_action.resolve_support
        self._waits = bool(resolves and "edit" in resolves.properties)
        edits = workspace and workspace.workspace_edit
        self._versioned = bool(edits and edits.document_changes)

    async def offered(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The actions for a range of a text."""
        uri, only = params.text_document.uri, params.context.only
        checked = await self._session.checked(uri)
        if checked is None:
            return []
        found: list[types.CodeAction] = []
        if _wanted(types.CodeActionKind.QuickFix.value, only):
            found += await self._quick_fixes(checked, uri, params.range)
        if _wanted(FIX_ALL, only) and any(_is_permitted(each, checked) for each in checked.spots):
            found.append(self._fix_all(checked, uri))
        if not self._waits:
            found = [each if each.edit else await self.resolved(each) for each in found]
        return [each for each in found if each.edit or self._waits]

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """An action with its edit; without one when nothing is left to do."""
        data = action.data if isinstance(action.data, dict) else {}
        uri, code = data.get("uri"), data.get("code")
        if action.edit is None and isinstance(uri, str):
            action.edit = await self.edit_of_all(uri, code if isinstance(code, str) else None)
        return action

    async def edit_of_all(self, uri: str, code: str | None) -> types.WorkspaceEdit | None:
        """Every permitted fix of a text, or those of one rule; None when there is none."""
        checked = await self._session.checked(uri)
        if checked is None:
            return None
        result = await self._session.fixed(checked, code)
        if result.fixed is None:
            return None
        return self._edit(checked, self._differences(checked, result.fixed))

    async def _quick_fixes(
        self, checked: Checked, uri: str, within: types.Range
    ) -> list[types.CodeAction]:
        places = [
            number
            for number, spot in enumerate(checked.spots)
            if spot.view.uri == uri and _touch(spot.range, within)
        ]
        proposals = await self._session.proposals(checked, places)
        chosen = [(checked.spots[each], made) for each, made in zip(places, proposals, strict=True)]
        found = [
            action for spot, made in chosen for action in self._of_finding(checked, spot, made)
        ]
        codes = sorted({s.finding.code for s, _ in chosen if _is_permitted(s, checked)})
        return [*found, *(self._fix_code(uri, code) for code in codes)]

    def _of_finding(
        self, checked: Checked, spot: Spot, made: Proposal
    ) -> Iterator[types.CodeAction]:
        finding, spots = spot.finding, self._session.spots(checked.snapshot)
        shown = [diagnostic(spot, checked.project.migrator.catalog)]
        if made.is_fixable:
            safe = finding.fix == "safe"
            yield types.CodeAction(
                title=f"Fix {finding.code} ({finding.name})" + ("" if safe else ", unsafe"),
                kind=types.CodeActionKind.QuickFix,
                diagnostics=shown,
                is_preferred=safe or None,
                edit=self._edit(checked, spots.edits(finding.edits)),
            )
        if made.silencing is not None:
            yield types.CodeAction(
                title=f"Silence {finding.code} on this line",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=shown,
                edit=self._edit(checked, spots.edits([made.silencing])),
            )

    def _fix_code(self, uri: str, code: str) -> types.CodeAction:
        return types.CodeAction(
            title=f"Fix all {code} in this file",
            kind=types.CodeActionKind.QuickFix,
            data={"uri": uri, "code": code},
        )

    def _fix_all(self, checked: Checked, uri: str) -> types.CodeAction:
        unsafe = checked.project.migrator.settings.unsafe
        which = "findings, also unsafely," if unsafe else "safe findings"
        return types.CodeAction(
            title=f"neuron-migrate: fix all {which} in this file", kind=FIX_ALL, data={"uri": uri}
        )

    def _differences(self, checked: Checked, fixed: str) -> Edits:
        """The edits that turn what is shown into a fixed text."""
        now = checked.snapshot
        if not now.views[0].cell:
            before = now.text.removeprefix("\ufeff")
            return self._session.spots(now).edits(between(before, fixed))
        cells = sources(fixed)
        spots = self._session.spots(now)
        return {
            view.uri: spots.in_view(view, between(view.text, cells[view.cell]))
            for view in now.views
            if view.cell in cells and cells[view.cell] != view.text
        }

    def _edit(self, checked: Checked, edits: Edits) -> types.WorkspaceEdit:
        if not self._versioned:
            return types.WorkspaceEdit(changes=edits)
        versions = {view.uri: view.version for view in checked.snapshot.views}
        return types.WorkspaceEdit(
            document_changes=[
                types.TextDocumentEdit(
                    types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=versions[uri]),
                    each,
                )
                for uri, each in edits.items()
            ]
        )


def _is_permitted(spot: Spot, checked: Checked) -> bool:
    fix = spot.finding.fix
    return fix == "safe" or (fix == "unsafe" and checked.project.migrator.settings.unsafe)


def _wanted(kind: str, only: object) -> bool:
    """Whether a kind of action, or one that it is a part of, is asked for."""
    if not isinstance(only, (list, tuple)) or not only:
        return True
    asked = [str(getattr(each, "value", each)) for each in only]
    return any(kind == each or kind.startswith(each + ".") or not each for each in asked)


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
