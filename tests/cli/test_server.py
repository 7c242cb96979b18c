"""The command that starts the language server, where it does not start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

ERROR = "neuron-migrate: error: "


def test_without_pygls_the_command_says_what_to_install(
    cli: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    run = cli("server")
    assert (run.status, run.text) == (2, "")
    assert (
        run.err
        == "neuron-migrate: error: the server needs pygls: pip install 'neuron-migrate[server]'\n"
    )


@pytest.mark.parametrize("address", ["here", ":1", "localhost:x", "localhost:99999"])
def test_an_address_that_is_none_is_refused(cli: Runner, address: str) -> None:
    run = cli("server", "--tcp", address)
    assert (run.status, run.err) == (
        2,
        f"{ERROR}--tcp: expected HOST:PORT, got {address!r}\n",
    )
