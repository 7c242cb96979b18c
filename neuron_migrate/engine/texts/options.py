"""The options of package managers: what takes a value, and which values are package indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine.texts.facts import PackageIndex, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INDEX = {
    "-f",
    "-i",
    "--default-index",
    "--extra-index-url",
    "--find-links",
    "--index",
    "--index-url",
    "--pypi-mirror",
    "--source",
}
_EXCLUSIVE = {"-i", "--default-index", "--index-url"}
_CHANNEL = {"-c", "--channel"}
_PIP = {
    "--abi", "--build-option", "--cache-dir", "--cert", "--client-cert", "--config-setting",
    "--config-settings", "--constraint", "--constraints", "--dest", "--directory",
    "--exists-action", "--extra", "--extras", "--global-option", "--group", "--hash",
    "--implementation", "--install-option", "--log", "--no-binary", "--only-binary", "--override",
    "--platform", "--prefix", "--progress-bar", "--project", "--proxy", "--python",
    "--python-version", "--report", "--requirement", "--requirements", "--resolution",
    "--retries", "--root", "--src", "--target", "--timeout", "--torch-backend", "--trusted-host",
    "--upgrade-strategy", "-C", "-E", "-G", "-c", "-d", "-p", "-r", "-t",
}  # fmt: skip
_CONDA = {"-f", "-n", "-p", "-r", "--file", "--name", "--prefix", "--root-prefix", "--solver"}
_EDITABLE = {"-e", "--editable", "--with", "--with-editable"}


class Argument(NamedTuple):
    """An argument of a command, or of a line that is written like one."""

    text: str
    """Without quotes."""
    span: Span
    """Of that text."""
    whole: Span
    """With its quotes."""
    editable: bool = False
    """It follows ``-e`` or the like, without which it cannot stand."""


class Given(NamedTuple):
    """What a package manager is given."""

    packages: list[Argument]
    indexes: list[PackageIndex]
    exclusive: list[PackageIndex]
    """Those that take the place of the usual one."""
    hashed: bool
    other: bool
    """Files, folders or projects beside the packages."""


def read(arguments: Iterable[Argument], *, conda: bool = False) -> Given:
    """The packages and the indexes among arguments."""
    given = Given([], [], [], hashed=False, other=False)
    rest = iter(arguments)
    for argument in rest:
        if not argument.text.startswith("-") or argument.text == "-":
            given.packages.append(argument)
            continue
        name, value = _option(argument, rest, conda=conda)
        if name in (_CHANNEL if conda else _INDEX) and value is not None:
            kept = given.exclusive if name in _EXCLUSIVE else given.indexes
            kept.append(PackageIndex(value.text, value.span))
        elif name in _EDITABLE and value is not None and not conda:
            given.packages.append(value._replace(editable=True))
        elif name == "--hash":
            given = given._replace(hashed=True)
        elif name in {"-r", "--requirement", "--requirements", "--file", "--group"}:
            given = given._replace(other=True)
    return given


def _option(
    argument: Argument, rest: Iterator[Argument], *, conda: bool
) -> tuple[str, Argument | None]:
    """An option with its value: ``--name value``, ``--name=value``, ``-xvalue``."""
    name, equals, _ = argument.text.partition("=")
    if equals and name.startswith("--"):
        return name, _tail(argument, len(name) + 1)
    taking = (_CONDA | _CHANNEL) if conda else (_INDEX | _PIP | _EDITABLE)
    if argument.text in taking:
        return argument.text, next(rest, None)
    short = argument.text[:2]
    if not argument.text.startswith("--") and short in taking:
        return short, _tail(argument, 2)
    return argument.text, None


def _tail(argument: Argument, length: int) -> Argument:
    """What follows the name of an option in the same word."""
    text, skipped = argument.text[length:], length
    if text[:1] in {'"', "'"} and text[-1:] == text[:1] and len(text) > 1:
        text, skipped = text[1:-1], length + 1
    start = argument.span.start + skipped
    return Argument(text, Span(start, start + len(text)), argument.whole)
