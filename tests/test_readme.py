"""Everything the README and the documentation show is what the tool prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import typer

from neuron_migrate.cli.app import app
from neuron_migrate.cli.options import OutputFormat
from tests import readme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHOWING = [page for page in readme.pages() if readme.blocks(page.read_text("utf-8"))]
_COMMAND = re.compile(r"neuron-migrate ([a-z]+)((?: +[^\s`|&;#]+)*)")


def _name(page: Path) -> str:
    return page.name


@pytest.mark.parametrize("page", _SHOWING, ids=_name)
def test_console_blocks_show_what_their_commands_print(page: Path) -> None:
    text = page.read_text("utf-8")
    assert readme.run(text) == text


def test_the_pages_show_something() -> None:
    assert len(readme.blocks(readme.README.read_text("utf-8"))) >= 1
    assert len(_SHOWING) >= 5


@pytest.mark.parametrize("page", readme.pages(), ids=_name)
def test_the_commands_named_have_their_options(page: Path) -> None:
    known = _options()
    unknown = [
        f"{command} {option}"
        for command, option in _named(page.read_text("utf-8"))
        if option not in known.get(command, {option})
    ]
    assert not unknown


def test_links_of_the_readme_lead_to_files() -> None:
    links = re.findall(r"\]\(((?!https:)[^)#]+)", readme.README.read_text("utf-8"))
    assert len(links) >= 5
    assert [link for link in links if not (readme.ROOT / link).is_file()] == []


def test_every_output_format_is_described() -> None:
    text = (readme.ROOT / "docs/outputs.md").read_text("utf-8")
    assert [each for each in OutputFormat if f"| `{each.value}` |" not in text] == []


def test_every_command_has_its_exit_status() -> None:
    text = (readme.ROOT / "docs/exit-status.md").read_text("utf-8")
    assert [name for name in _options() if f"`{name}`" not in text] == []


def _named(text: str) -> Iterator[tuple[str, str]]:
    for command, words in _COMMAND.findall(text):
        yield from ((command, word) for word in words.split() if word.startswith("--"))


def _options() -> dict[str, set[str]]:
    """The options of each command, those of the commands inside it included."""
    top: Any = typer.main.get_command(app)
    return {name: set(_words(command)) for name, command in top.commands.items()}


def _words(command: Any) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for inner in getattr(command, "commands", {}).values():
        yield from _words(inner)
