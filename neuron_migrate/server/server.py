"""The server: which messages it answers, and how it starts and ends."""

from __future__ import annotations

import logging
import sys
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from neuron_migrate import __version__
from neuron_migrate.errors import UsageError
from neuron_migrate.server import options
from neuron_migrate.server.actions import KINDS, Actions
from neuron_migrate.server.documents import adopt
from neuron_migrate.server.hover import explained
from neuron_migrate.server.protocol import Protocol
from neuron_migrate.server.publishing import Publisher
from neuron_migrate.server.session import Session

_log = logging.getLogger(__name__)
_CELLS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(
            cells=[types.NotebookCellLanguage(language="python")],
            notebook="jupyter-notebook",
        )
    ],
    save=False,
)
COMMAND = "neuronMigrate.fixAll"


class Server(LanguageServer):
    """A language server with its session."""

    def __init__(self) -> None:
        super().__init__(
            "neuron-migrate",
            __version__,
            notebook_document_sync=_CELLS,
            protocol_cls=Protocol,
        )
        self.session = Session(self)
        self.publisher = Publisher(self, self.session)
        self.ended = False
        """Whether the editor said that it was done."""

    @property
    def actions(self) -> Actions:
        """The code actions as the editor can take them."""
        return Actions(self.session, self.client_capabilities)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Keep what goes wrong in the log: an editor would show it to a person."""
        _log.error("%s: %s", getattr(source, "__name__", source), error)


def serve(tcp: tuple[str, int] | None) -> int:
    """Talk to one editor until it ends; the exit status."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    server = create()
    try:
        if tcp is None:
            server.start_io()
        else:
            server.start_tcp(*tcp)
    finally:
        server.session.close()
    return 0 if server.ended else 1


def create() -> Server:
    """A server that answers."""
    server = Server()
    _follow_texts(server)
    _follow_notebooks(server)
    _follow_configurations(server)
    _answer(server)
    return server


def _follow_texts(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        adopt(server.workspace)
        server.publisher.publish(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.publisher.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        if params.text_document.uri.endswith(".toml"):
            server.publisher.refresh(server.session.reload())
        else:
            server.session.retry(params.text_document.uri)
            server.publisher.publish(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.session.forget(params.text_document.uri)
        server.publisher.clear(params.text_document.uri)


def _follow_notebooks(server: Server) -> None:
    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenNotebookDocumentParams) -> None:
        adopt(server.workspace)
        server.publisher.publish(params.notebook_document.uri, at_once=True)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeNotebookDocumentParams) -> None:
        adopt(server.workspace)
        server.publisher.publish(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.session.forget(params.notebook_document.uri)
        server.publisher.clear(params.notebook_document.uri)


def _follow_configurations(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        try:
            server.session.projects.options = options.read(params.initialization_options)
        except UsageError as error:
            server.session.say(str(error))

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        server.session.crew.begin()
        await _watch(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def chosen(params: types.DidChangeConfigurationParams) -> None:
        server.publisher.refresh(server.session.reload())

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def written(params: types.DidChangeWatchedFilesParams) -> None:
        server.publisher.refresh(server.session.reload())

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def moved(params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.publisher.refresh(server.session.reload())

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        server.ended = True


async def _watch(server: Server) -> None:
    """Ask to be told of configurations, and of rules, that are written."""
    workspace = server.client_capabilities.workspace
    watching = workspace and workspace.did_change_watched_files
    if not watching or not watching.dynamic_registration:
        return
    watchers = types.DidChangeWatchedFilesRegistrationOptions(
        watchers=[types.FileSystemWatcher(glob_pattern="**/*.toml")]
    )
    registration = types.Registration(
        id="configurations",
        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        register_options=watchers,
    )
    await server.client_register_capability_async(types.RegistrationParams([registration]))


def _answer(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(
            inter_file_dependencies=False, workspace_diagnostics=False, identifier="neuron-migrate"
        ),
    )
    async def diagnostic(
        params: types.DocumentDiagnosticParams,
    ) -> types.DocumentDiagnosticReport:
        return await server.publisher.report(params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        checked = await server.session.checked(params.text_document.uri)
        for spot in checked.spots if checked else ():
            here = spot.view.uri == params.text_document.uri
            if here and spot.range.start <= params.position <= spot.range.end:
                assert checked is not None
                rule = checked.project.migrator.catalog.rule(spot.finding.code)
                if rule is not None:
                    said = types.MarkupContent(types.MarkupKind.Markdown, explained(rule))
                    return types.Hover(said, spot.range)
        return None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=KINDS, resolve_provider=True),
    )
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.actions.offered(params)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(action: types.CodeAction) -> types.CodeAction:
        return await server.actions.resolved(action)

    @server.command(COMMAND)
    async def fix_all(uri: Any) -> None:
        edit = await server.actions.edit_of_all(str(uri), None)
        if edit is not None:
            await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit))
