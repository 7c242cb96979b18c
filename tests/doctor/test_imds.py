"""The metadata service: every way in which it may answer, or not."""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.doctor.imds import instance_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def service(behave: Callable[[socket.socket, bytes, Event], None]) -> Iterator[tuple[str, int]]:
    """A service on this machine that treats every request so, until the test is over."""
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                except OSError:
                    continue
                with connection:
                    connection.settimeout(1)
                    with suppress(OSError):
                        behave(connection, connection.recv(4096), over)

        thread = Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()
        finally:
            over.set()
            thread.join()


def answer(connection: socket.socket, body: bytes, status: bytes = b"200 OK") -> None:
    head = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
    connection.sendall(head + body)


def well(connection: socket.socket, request: bytes, over: Event) -> None:
    if request.startswith(b"PUT /latest/api/token "):
        assert b"X-aws-ec2-metadata-token-ttl-seconds: 60" in request
        answer(connection, b"secret==")
    elif b"X-aws-ec2-metadata-token: secret==" in request:
        answer(connection, b"trn2.48xlarge\n")
    else:
        answer(connection, b"", b"401 Unauthorized")


def refuse(connection: socket.socket, request: bytes, over: Event) -> None:
    answer(connection, b"", b"401 Unauthorized")


def garble(connection: socket.socket, request: bytes, over: Event) -> None:
    connection.sendall(b"\x00\xff\xfe not http at all\r\n\r\n")


def wrong_token(connection: socket.socket, request: bytes, over: Event) -> None:
    answer(connection, b"a\r\nX-Injected: 1")


def page(connection: socket.socket, request: bytes, over: Event) -> None:
    answer(connection, b"<html>Sign in</html>")


def binary(connection: socket.socket, request: bytes, over: Event) -> None:
    answer(connection, b"\xff\xfe\x00")


def flood(connection: socket.socket, request: bytes, over: Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not over.is_set():
        connection.sendall(b"x" * 65536)


def hang(connection: socket.socket, request: bytes, over: Event) -> None:
    over.wait(5)


def drip(connection: socket.socket, request: bytes, over: Event) -> None:
    """A byte at a time, each before a timeout of the socket ends."""
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500:
        if over.wait(0.05):
            break
        connection.sendall(bytes([byte]))


def test_type_of_the_instance() -> None:
    with service(well) as address:
        found = instance_type(address, seconds=5)
    assert (found.instance, found.problem) == ("trn2.48xlarge", "")


@pytest.mark.parametrize(
    ("behave", "problem"),
    [
        (refuse, "status 401"),
        (garble, ""),
        (wrong_token, ""),
        (page, "no instance type"),
        (binary, ""),
        (flood, ""),
        (hang, "no answer within 0.4 seconds"),
        (drip, "no answer within 0.4 seconds"),
    ],
)
def test_other_answers(behave: Callable[[socket.socket, bytes, Event], None], problem: str) -> None:
    with service(behave) as address:
        began = time.monotonic()
        found = instance_type(address, seconds=0.4)
        assert time.monotonic() - began < 1
    assert found.instance == ""
    assert found.problem and problem in found.problem


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
    assert instance_type(address, seconds=2).problem


def test_proxies_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with service(well) as address:
        assert instance_type(address, seconds=5).instance == "trn2.48xlarge"
