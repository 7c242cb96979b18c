"""An editor for tests: it starts the server as a process and keeps the texts as an editor does."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from pygls.workspace import PositionCodec

from neuron_migrate.files.lines import line_starts
from tests.cli.test_app import environment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

PATIENCE = 120
"""Seconds after which a test gives up."""


class Editor:
    """One conversation."""

    def __init__(self, folder: Path, encoding: str) -> None:
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[types.ShowMessageParams] = asyncio.Queue()
        self.registered: asyncio.Queue[types.RegistrationParams] = asyncio.Queue()
        self.errors = b""
        self.codec = PositionCodec(encoding)
        self._listen()

    def _listen(self) -> None:
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.put_nowait(params)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered.put_nowait(params)

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.apply(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, uri: str, text: str, language: str = "python") -> None:
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, uri: str, start: int, end: int, new: str) -> None:
        """Replace the characters between two offsets."""
        text = self.texts[uri]
        self.versions[uri] += 1
        span = types.Range(self.position(text, start), self.position(text, end))
        self.texts[uri] = text[:start] + new + text[end:]
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri]),
                [types.TextDocumentContentChangePartial(range=span, text=new)],
            )
        )

    async def diagnostics(self, uri: str, version: int | None = None) -> list[types.Diagnostic]:
        """What is published for the text as it is now, or for a version of it."""
        wanted = self.versions.get(uri) if version is None else version
        while True:
            said = await self.published.get()
            if said.uri == uri and said.version == wanted:
                return list(said.diagnostics)

    async def actions(self, uri: str, at: types.Range, *only: str) -> list[types.CodeAction]:
        """The actions in a range, with their edits."""
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), at, types.CodeActionContext([], only or None)
            )
        )
        return [
            each if each.edit else await self.client.code_action_resolve_async(each)
            for each in found or ()
            if isinstance(each, types.CodeAction)
        ]

    def position(self, text: str, offset: int) -> types.Position:
        starts = line_starts(text[:offset])
        return types.Position(
            len(starts) - 1, self.codec.client_num_units(text[starts[-1] : offset])
        )

    def offset(self, text: str, position: types.Position) -> int:
        start = line_starts(text)[position.line]
        column = 0
        while self.codec.client_num_units(text[start : start + column]) < position.character:
            column += 1
        return start + column

    def marked(self, text: str, span: types.Range) -> str:
        return text[self.offset(text, span.start) : self.offset(text, span.end)]

    def apply(self, edit: types.WorkspaceEdit | None) -> None:
        """Change the texts, but do not tell the server."""
        assert edit is not None
        for each in edit.document_changes or ():
            assert isinstance(each, types.TextDocumentEdit)
            assert each.text_document.version == self.versions[each.text_document.uri]
            self._apply(each.text_document.uri, each.edits)
        for uri, edits in (edit.changes or {}).items():
            self._apply(uri, edits)

    def _apply(self, uri: str, edits: Any) -> None:
        text = self.texts[uri]
        for each in sorted(edits, key=lambda edit: edit.range.start, reverse=True):
            start, end = self.offset(text, each.range.start), self.offset(text, each.range.end)
            text = text[:start] + each.new_text + text[end:]
        self.texts[uri] = text

    async def end(self) -> int:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        return await self.client._server.wait()  # type: ignore[union-attr]


def capabilities(*, pull: bool = False, encodings: tuple[str, ...] = ()) -> Any:
    """What a full editor says that it can do."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings or None),
        notebook_document=types.NotebookDocumentClientCapabilities(
            types.NotebookDocumentSyncClientCapabilities()
        ),
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities() if pull else None,
            code_action=types.CodeActionClientCapabilities(
                resolve_support=types.ClientCodeActionResolveOptions(properties=["edit"])
            ),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True
            ),
        ),
    )


@asynccontextmanager
async def editing(
    folder: Path, *, able: Any = None, options: Any = None, encoding: str = "utf-16"
) -> AsyncIterator[Editor]:
    """An editor in a folder, with a server that ends well."""
    editor = Editor(folder, encoding)
    await editor.client.start_io(
        sys.executable, "-m", "neuron_migrate", "server", "--stdio", env=environment(), cwd=folder
    )
    root = types.WorkspaceFolder(folder.as_uri(), folder.name)
    params = types.InitializeParams(
        capabilities=able or types.ClientCapabilities(),
        workspace_folders=[root],
        initialization_options=options,
    )
    editor.initialized = await editor.client.initialize_async(params)
    editor.client.initialized(types.InitializedParams())
    yield editor
    server = editor.client._server
    assert server is not None
    assert server.stderr is not None
    assert await editor.end() == 0
    editor.errors = await server.stderr.read()
    assert b"Traceback" not in editor.errors, editor.errors.decode()


def talk(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a conversation."""
    asyncio.run(asyncio.wait_for(scenario, PATIENCE))
