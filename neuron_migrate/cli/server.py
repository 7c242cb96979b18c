"""``neuron-migrate server``: findings and fixes in editors."""

from __future__ import annotations

from typing import Annotated

import typer


def server(
    tcp: Annotated[
        str | None,
        typer.Option(
            "--tcp", metavar="HOST:PORT", help="Wait there for an editor. [default: stdio]"
        ),
    ] = None,
    stdio: Annotated[bool, typer.Option("--stdio", hidden=True)] = False,
) -> None:
    """Start a language server, for editors (needs the extra `server`)."""
    del stdio  # the default, which some editors ask for by name
    address = None if tcp is None else _address(tcp)
    raise typer.Exit(_serve(address))


def _address(tcp: str) -> tuple[str, int]:
    from neuron_migrate.errors import UsageError

    host, _, port = tcp.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"--tcp: expected HOST:PORT, got {tcp!r}")
    return host, int(port)


def _serve(address: tuple[str, int] | None) -> int:
    from importlib.util import find_spec

    from neuron_migrate.errors import UsageError

    if find_spec("pygls") is None:
        raise UsageError("the server needs pygls: pip install 'neuron-migrate[server]'")
    from neuron_migrate.server.server import serve

    return serve(address)
