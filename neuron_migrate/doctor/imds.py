"""The instance metadata service of EC2: asked on request only, and never waited for long."""

from __future__ import annotations

import http.client
import re
from queue import Empty, SimpleQueue
from threading import Thread

import msgspec

ADDRESS = ("169.254.169.254", 80)
"""Link-local: what answers there is the host itself."""
SECONDS = 2.0
_TOKEN = "/latest/api/token"
_TYPE = "/latest/meta-data/instance-type"
_LIFETIME = {"X-aws-ec2-metadata-token-ttl-seconds": "60"}
_INSTANCE = re.compile(r"[a-z][a-z0-9-]{0,30}\.[a-z0-9-]{1,30}")
_MOST = 1024


class Answer(msgspec.Struct, frozen=True):
    """The type of the instance, or why it is not known."""

    instance: str = ""
    problem: str = ""


class _RefusedError(Exception):
    """An answer that is none."""


def instance_type(address: tuple[str, int] = ADDRESS, seconds: float = SECONDS) -> Answer:
    """What the service says, within the time; proxies are not asked.

    A service that answers drop by drop resets every timeout of a socket, so the clock is kept here.
    """
    answers: SimpleQueue[Answer] = SimpleQueue()
    Thread(target=lambda: answers.put(_ask(address, seconds)), daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except Empty:
        return Answer(problem=f"no answer within {seconds:g} seconds")


def _ask(address: tuple[str, int], seconds: float) -> Answer:
    try:
        token = _request(address, seconds, "PUT", _TOKEN, _LIFETIME)
        header = {"X-aws-ec2-metadata-token": token}
        instance = _request(address, seconds, "GET", _TYPE, header)
    except TimeoutError:
        return Answer(problem=f"no answer within {seconds:g} seconds")
    except (OSError, http.client.HTTPException, ValueError, _RefusedError) as error:
        return Answer(problem=str(error) or type(error).__name__)
    if not _INSTANCE.fullmatch(instance):
        return Answer(problem="it answered with something that is no instance type")
    return Answer(instance=instance)


def _request(
    address: tuple[str, int], seconds: float, method: str, path: str, headers: dict[str, str]
) -> str:
    connection = http.client.HTTPConnection(*address, timeout=seconds)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        body = response.read(_MOST)
    finally:
        connection.close()
    if response.status != http.client.OK:
        raise _RefusedError(f"it answered {method} {path} with status {response.status}")
    return body.decode("ascii").strip()
