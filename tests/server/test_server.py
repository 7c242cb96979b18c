"""Conversations over stdio with the server as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types

from neuron_migrate.api import Migrator, Settings
from tests.cli.test_app import environment
from tests.server.editor import Editor, capabilities, editing, talk

CUDA = 'import torch\n\nmodel = torch.nn.Linear(2, 2).to("cuda")\nx = torch.ones(2).cuda()\n'
WHOLE = types.Range(types.Position(0, 0), types.Position(999, 0))


def by_title(actions: list[types.CodeAction], start: str) -> types.CodeAction:
    [found] = [each for each in actions if each.title.startswith(start)]
    return found


def fixed(text: str, name: str = "a.py") -> str:
    return Migrator.of(Settings(root=Path())).fix_text(text, name).fixed or text


def test_findings_are_shown_explained_and_fixed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editing(tmp_path, able=capabilities()) as editor:
            uri = editor.uri("a file 50%.py")
            editor.open(uri, CUDA)
            found = await editor.diagnostics(uri)
            assert [each.code for each in found] == ["NM101", "NM103"]
            first = found[0]
            assert editor.marked(CUDA, first.range) == '"cuda"'
            assert (first.source, first.severity) == (
                "neuron-migrate",
                types.DiagnosticSeverity.Error,
            )
            assert first.code_description is not None
            assert first.code_description.href.startswith("https://")

            hover = await editor.client.text_document_hover_async(
                types.HoverParams(types.TextDocumentIdentifier(uri), first.range.end)
            )
            assert isinstance(hover.contents, types.MarkupContent)
            assert "**Fix safety**" in hover.contents.value
            nothing = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
            assert await editor.client.text_document_hover_async(nothing) is None

            actions = await editor.actions(uri, first.range)
            one = by_title(actions, "Fix NM101")
            assert one.is_preferred
            editor.apply(one.edit)
            assert editor.texts[uri] == CUDA.replace('"cuda"', '"neuron"')

            editor.texts[uri] = CUDA
            [everything] = await editor.actions(uri, WHOLE, "source.fixAll")
            assert everything.kind == "source.fixAll.neuronMigrate"
            editor.apply(everything.edit)
            assert editor.texts[uri] == fixed(CUDA)

            editor.texts[uri] = CUDA
            await editor.client.workspace_execute_command_async(
                types.ExecuteCommandParams("neuronMigrate.fixAll", [uri])
            )
            assert editor.texts[uri] == fixed(CUDA)

            close = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
            editor.client.text_document_did_close(close)
            editor.versions[uri] = None
            assert await editor.diagnostics(uri) == []

    talk(scenario())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_are_in_the_units_agreed_on(tmp_path: Path, encoding: str) -> None:
    text = '"😀é"; import torch\r\n\x0c\r\nif 1:\r\n\ty = "😀", torch.ones(1, device=\'cuda\')\r\n'

    async def scenario() -> None:
        able = capabilities(encodings=(encoding,))
        async with editing(tmp_path, able=able, encoding=encoding) as editor:
            uri = editor.uri("a.py")
            editor.open(uri, text)
            [found] = await editor.diagnostics(uri)
            assert editor.marked(text, found.range) == "'cuda'"
            # Typed before the finding, on its line: all that follows moves.
            place = text.index("torch.ones")
            editor.change(uri, place, place, "'😀😀', ")
            [found] = await editor.diagnostics(uri)
            assert editor.marked(editor.texts[uri], found.range) == "'cuda'"
            actions = await editor.actions(uri, found.range)
            editor.apply(by_title(actions, "Fix NM101").edit)
            assert "device='neuron'" in editor.texts[uri]
            editor.change(uri, 0, len(editor.texts[uri]), "")
            assert await editor.diagnostics(uri) == []

    talk(scenario())


def test_comments_and_configurations_silence(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.neuron-migrate]\nexclude = ["old/"]\n')
    config = tmp_path / "pyproject.toml"

    async def scenario() -> None:
        async with editing(tmp_path, able=capabilities()) as editor:
            [watch] = (await editor.registered.get()).registrations
            assert watch.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            uri, old = editor.uri("a.py"), editor.uri("old/a.py")
            editor.open(old, CUDA)
            assert await editor.diagnostics(old) == []
            editor.open(uri, CUDA)
            [first, _] = await editor.diagnostics(uri)
            actions = await editor.actions(uri, first.range)
            editor.apply(by_title(actions, "Silence NM101").edit)
            silenced = editor.texts[uri]
            assert '.to("cuda")  # neuron-migrate: ignore[NM101]\n' in silenced
            editor.texts[uri] = CUDA
            editor.change(uri, 0, len(CUDA), silenced)
            assert len(await editor.diagnostics(uri)) == 1

            config.write_text('[tool.neuron-migrate]\nignore = ["NM1"]\n')
            _written(editor, config)
            assert await editor.diagnostics(uri) == []
            config.write_text("[tool.neuron-migrate]\nignore = 1\n")
            _written(editor, config)
            assert await editor.diagnostics(uri) == []
            message = await editor.messages.get()
            assert message.type == types.MessageType.Error
            assert "pyproject.toml: tool.neuron-migrate.ignore: expected" in message.message
            config.write_text("[tool.neuron-migrate]\n")
            _written(editor, config)
            assert len(await editor.diagnostics(uri)) == 1
            assert editor.messages.empty()

    talk(scenario())


def _written(editor: Editor, file: Path) -> None:
    event = types.FileEvent(file.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


def test_an_editor_that_asks_is_answered(tmp_path: Path) -> None:
    async def scenario() -> None:
        options = {"target": "accelerator", "select": ["NM101"], "showAdvice": True}
        async with editing(tmp_path, able=capabilities(pull=True), options=options) as editor:
            uri = editor.uri("a.py")
            editor.open(uri, CUDA)
            asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
            report = await editor.client.text_document_diagnostic_async(asked)
            assert {each.code for each in report.items} == {"NM101"}
            asked.previous_result_id = report.result_id
            again = await editor.client.text_document_diagnostic_async(asked)
            assert again.kind == types.DocumentDiagnosticReportKind.Unchanged
            actions = await editor.actions(uri, report.items[0].range, "quickfix")
            editor.apply(by_title(actions, "Fix NM101").edit)
            assert "accelerator" in editor.texts[uri]
            assert editor.published.empty()

    talk(scenario())


def test_the_cells_of_a_notebook_are_one_program(tmp_path: Path) -> None:
    cells = ['import torch\nd = "\\t😀"', "# a heading", 'x = torch.ones(2).to("cuda")']

    async def scenario() -> None:
        async with editing(tmp_path, able=capabilities()) as editor:
            names = [f"vscode-notebook-cell:{tmp_path}/n.ipynb#W{n}" for n in range(3)]
            kinds = [types.NotebookCellKind.Code, types.NotebookCellKind.Markup] * 2
            for name, text in zip(names, cells, strict=True):
                editor.texts[name], editor.versions[name] = text, 1
            items = [
                types.TextDocumentItem(name, "python" if kind.value == 2 else "markdown", 1, text)
                for name, kind, text in zip(names, kinds, cells, strict=False)
            ]
            listed = [
                types.NotebookCell(kind=kind, document=name)
                for kind, name in zip(kinds, names, strict=False)
            ]
            notebook = types.NotebookDocument(editor.uri("n.ipynb"), "jupyter-notebook", 1, listed)
            editor.client.notebook_document_did_open(
                types.DidOpenNotebookDocumentParams(notebook, items)
            )
            assert await editor.diagnostics(names[0]) == []
            [found] = await editor.diagnostics(names[2])
            assert editor.marked(cells[2], found.range) == '"cuda"'
            actions = await editor.actions(names[2], found.range)
            assert not [each for each in actions if each.title.startswith("Silence")]
            editor.apply(by_title(actions, "Fix NM101").edit)
            assert editor.texts[names[2]] == cells[2].replace("cuda", "neuron")
            editor.texts[names[2]] = cells[2]
            [everything] = await editor.actions(names[0], WHOLE, "source.fixAll")
            editor.apply(everything.edit)
            assert [editor.texts[name] for name in names] == [
                *cells[:2],
                cells[2].replace("cuda", "neuron"),
            ]

    talk(scenario())


def test_nothing_that_is_asked_ends_the_server(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()

    async def scenario() -> None:
        async with editing(tmp_path, able=capabilities(), options={"target": 1}) as editor:
            assert "initializationOptions" in (await editor.messages.get()).message
            (tmp_path / "gone").rmdir()
            for uri in (
                editor.uri("gone/a.py"),
                "untitled:Untitled-1",
                "file:///C%3A/code/a.py",
                "file://server/share/a.py",
                "file:///a%00b.py",
                "git:/a.py?x",
            ):
                editor.open(uri, CUDA)
                assert len(await editor.diagnostics(uri)) == 2, uri
            broken = editor.uri("broken.py")
            editor.open(broken, "import torch\nx = torch.cuda(\n")
            assert [each.code for each in await editor.diagnostics(broken)] == ["NM000"]
            other = editor.uri("notes.txt")
            editor.open(other, "torch.cuda", "plaintext")
            assert await editor.diagnostics(other) == []
            empty = editor.uri("empty.ipynb")
            editor.open(empty, "", "json")
            assert [each.code for each in await editor.diagnostics(empty)] in ([], ["NM000"])
            unknown = types.TextDocumentIdentifier("file:///never/opened.py")
            assert await editor.actions(unknown.uri, WHOLE) == []
            client = editor.client
            assert (
                await client.text_document_hover_async(
                    types.HoverParams(unknown, types.Position(9, 9))
                )
                is None
            )
            client.text_document_did_close(types.DidCloseTextDocumentParams(unknown))
            client.protocol.notify("textDocument/didOpen", {"nonsense": True})
            with pytest.raises(Exception, match="nothing/known"):
                await client.protocol.send_request_async("nothing/known", {})
            assert editor.messages.empty()

    talk(scenario())


def test_settings_that_change_are_no_error(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editing(tmp_path, able=capabilities()) as editor:
            uri = editor.uri("a.py")
            editor.open(uri, CUDA)
            assert len(await editor.diagnostics(uri)) == 2
            (tmp_path / "neuron-migrate.toml").write_text('ignore = ["NM1"]\n')
            for settings in (None, {}, {"neuron-migrate": {"ignore": 1}}, [1]):
                editor.client.workspace_did_change_configuration(
                    types.DidChangeConfigurationParams(settings=settings)
                )
            while await editor.diagnostics(uri):
                pass
        assert b"unknown method" not in editor.errors

    talk(scenario())


@pytest.mark.parametrize("said", [b"", b"Content-Length: 2\r\n\r\n{}"])
def test_an_editor_that_just_goes_away_is_no_success(tmp_path: Path, said: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "neuron_migrate", "server"],
        input=said,
        capture_output=True,
        env=environment(),
        cwd=tmp_path,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(
    "params",
    [
        None,
        {"textDocument": 5, "position": "x"},
        {"textDocument": {"uri": "file:///a.py"}, "position": {"line": -1, "character": 0}},
    ],
)
def test_a_request_with_wrong_parameters_is_answered(tmp_path: Path, params: object) -> None:
    wrong = {"id": "wrong", "method": "textDocument/hover", "params": params}
    answer = _answers(tmp_path, _INITIALIZE, wrong, _SHUTDOWN)["wrong"]
    assert answer["error"]["code"] < 0
    assert "result" not in answer


@pytest.mark.parametrize("method", ["textDocument/hover", "nothing/known", "shutdown"])
def test_a_request_after_the_end_is_invalid(tmp_path: Path, method: str) -> None:
    late = {"id": 9, "method": method, "params": _HERE if "/hover" in method else None}
    said = _answers(tmp_path, _INITIALIZE, _SHUTDOWN, late)
    assert said[3] == {"jsonrpc": "2.0", "id": 3, "result": None}
    assert said[9]["error"]["code"] == -32600


def test_a_request_before_the_beginning_is_refused(tmp_path: Path) -> None:
    early = {"id": 0, "method": "textDocument/hover", "params": _HERE}
    said = _answers(
        tmp_path, early, _INITIALIZE, {"method": "initialized", "params": {}}, _SHUTDOWN
    )
    assert said[0]["error"]["code"] == -32002
    assert "capabilities" in said[1]["result"]


_HERE = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
_INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
_SHUTDOWN = {"id": 3, "method": "shutdown"}


def _answers(folder: Path, *asked: dict[str, Any]) -> dict[Any, Any]:
    """What a server says to some messages and ``exit``, by the id of the message."""
    messages = [*asked, {"method": "exit"}]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}).encode() for each in messages]
    done = subprocess.run(
        [sys.executable, "-m", "neuron_migrate", "server"],
        input=b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies),
        capture_output=True,
        env=environment(),
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == 0
    said = [json.loads(each[each.index(b"{") :]) for each in done.stdout.split(b"Content-L")[1:]]
    return {each["id"]: each for each in said if "id" in each}
