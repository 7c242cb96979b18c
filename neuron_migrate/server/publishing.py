"""Telling the editor what is found: when it asks, or on our own."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from neuron_migrate.server.diagnostics import diagnostic

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from neuron_migrate.server.session import Checked, Session

_PAUSE = 0.2
"""Seconds without a change after which a text is looked at."""
_log = logging.getLogger(__name__)


class Publisher:
    """Sends what is found in each open text, to editors that do not ask for it themselves."""

    def __init__(self, server: LanguageServer, session: Session) -> None:
        self._server = server
        self._session = session
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._shown: dict[str, set[str]] = {}
        """The URIs of the texts that findings are shown in, by what they were looked at with."""

    @property
    def _asks(self) -> bool:
        texts = self._server.client_capabilities.text_document
        return texts is not None and texts.diagnostic is not None

    def publish(self, uri: str, *, at_once: bool = False) -> None:
        """Look at a text that has changed; a change before that puts it off."""
        now = self._session.snapshot(uri)
        if now is None or self._asks:
            return
        if waiting := self._waiting.pop(now.key, None):
            waiting.cancel()
        pause = 0.0 if at_once else _PAUSE
        self._waiting[now.key] = asyncio.create_task(self._publish(now.key, pause))

    def clear(self, key: str) -> None:
        """Take back what is shown of a text that was closed."""
        if waiting := self._waiting.pop(key, None):
            waiting.cancel()
        for uri in sorted(self._shown.pop(key, ())):
            self._send(uri, None, [])

    def refresh(self, keys: list[str]) -> None:
        """Look at everything again, as the configuration has changed."""
        for key in keys:
            self.publish(key, at_once=True)
        workspace = self._server.client_capabilities.workspace
        can = workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        if self._asks and can:
            self._server.workspace_diagnostic_refresh(None)

    async def report(
        self, params: types.DocumentDiagnosticParams
    ) -> types.DocumentDiagnosticReport:
        """The answer to an editor that asks."""
        uri = params.text_document.uri
        checked = await self._session.checked(uri)
        if checked is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        if params.previous_result_id == checked.result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=checked.result_id)
        return types.RelatedFullDocumentDiagnosticReport(
            items=diagnostics_of(checked, uri), result_id=checked.result_id
        )

    async def _publish(self, key: str, pause: float) -> None:
        try:
            await asyncio.sleep(pause)
            checked = await self._session.checked(key)
            if checked is not None and checked.snapshot == self._session.snapshot(key):
                self._show(checked)
        except Exception:
            _log.exception("the findings of %s could not be sent", key)

    def _show(self, checked: Checked) -> None:
        views = {view.uri: view.version for view in checked.snapshot.views}
        before = self._shown.get(checked.snapshot.key, set())
        self._shown[checked.snapshot.key] = set(views)
        for uri in sorted(before - set(views)):
            self._send(uri, None, [])
        for uri, version in views.items():
            self._send(uri, version, diagnostics_of(checked, uri))

    def _send(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=found)
        )


def diagnostics_of(checked: Checked, uri: str) -> list[types.Diagnostic]:
    """What is found in one of the texts that the editor shows."""
    catalog = checked.project.migrator.catalog
    return [diagnostic(spot, catalog) for spot in checked.spots if spot.view.uri == uri]
