"""The configuration: [tool.neuron-migrate] in pyproject.toml, or neuron-migrate.toml."""

from __future__ import annotations

import difflib
import os
import re
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_type_hints

import msgspec
from msgspec import Meta

from neuron_migrate.errors import UsageError
from neuron_migrate.files.lines import Lines
from neuron_migrate.files.source import SourceError, read
from neuron_migrate.finding import Risk, Target
from neuron_migrate.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path

_TOOL = "neuron-migrate"
_OWN_FILE = "neuron-migrate.toml"
_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")
_Code = Annotated[str, Meta(pattern=r"^NM[0-9]{0,3}\Z")]
_Codes = Annotated[tuple[_Code, ...], Meta(description='a list of codes such as "NM1" or "NM101"')]
_Strings = Annotated[tuple[str, ...], Meta(description="a list of strings")]
_Bool = Annotated[bool, Meta(description="true or false")]


class Table(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """What the table may hold; each description ends the sentence "expected ..."."""

    target: Annotated[Target, Meta(description='"neuron" or "accelerator"')] = "neuron"
    sdk: Annotated[str, Meta(description='a Neuron SDK release such as "2.33"')] = ""
    select: _Codes = ()
    ignore: _Codes = ()
    extend_select: _Codes = ()
    exclude: _Strings = ()
    extend: Annotated[str | None, Meta(description="the path of another configuration")] = None
    """A configuration whose keys hold where this one does not give them."""
    per_file_ignores: Annotated[
        dict[str, tuple[_Code, ...]],
        Meta(description="a table with a list of codes for each pattern of paths"),
    ] = {}
    force_exclude: _Bool = False
    include_docs: _Bool = False
    baseline: Annotated[str | None, Meta(description="the path of a baseline")] = None
    rules: _Strings = ()
    fail_on: Annotated[Risk, Meta(description="one of " + ", ".join(Risk))] = Risk.CPU
    show_advice: _Bool = False
    jobs: Annotated[int, Meta(ge=0, le=1024, description="a whole number from 0 to 1024")] = 0
    cache: _Bool = True


class Loaded(msgspec.Struct, frozen=True):
    """A configuration."""

    settings: Settings
    file: Path | None
    """Where it begins; None when there is none."""
    origins: dict[str, Path]
    """The file, this one or one that it extends, that decides a setting, by its name."""


def load(config: Path | None, start: Path) -> tuple[Settings, Path | None]:
    """The settings of a configuration file, and that file; see ``trace``."""
    found = trace(config, start)
    return found.settings, found.file


def trace(config: Path | None, start: Path) -> Loaded:
    """The settings of a configuration file, and where each comes from.

    Without ``config`` it is the nearest one in the folder ``start`` or above it; there may be none.
    Raises UsageError, naming file and key, for whatever the file may not say.
    """
    file, table = _explicit(config) if config else _nearest(start)
    if file is None:
        return Loaded(Settings(root=start.resolve()), None, {})
    values, origins = _values(file, table, (file.resolve(),))
    return Loaded(Settings(root=file.parent.resolve(), **values), file, origins)


def _values(
    file: Path, table: dict[str, Any], chain: tuple[Path, ...]
) -> tuple[dict[str, Any], dict[str, Path]]:
    """What a file says, over what the one it extends says, and which of them said it."""
    checked, own = _checked(file, table)
    if checked.extend is None:
        return own, dict.fromkeys(own, file)
    base = (file.parent.resolve() / checked.extend).resolve()
    if base in chain:
        circle = " extends ".join(str(each) for each in (*chain[chain.index(base) :], base))
        raise UsageError(f"{file}: {_key(file, 'extend')}: a circle: {circle}")
    values, origins = _values(base, _explicit(base)[1], (*chain, base))
    return values | own, origins | dict.fromkeys(own, file)


def _checked(file: Path, table: dict[str, Any]) -> tuple[Table, dict[str, Any]]:
    """A table, and the settings it gives: relative paths are relative to its file."""
    known = {field.encode_name: field.name for field in msgspec.structs.fields(Table)}
    for key in table:
        if key not in known:
            raise UsageError(f"{file}: unknown key {_key(file, key)}; {_closest(key, list(known))}")
    try:
        checked = msgspec.convert(table, Table)
    except msgspec.ValidationError as error:
        _refuse(file, table, known, str(error))
    folder = file.parent.resolve()
    values = {known[key]: getattr(checked, known[key]) for key in table if key != "extend"}
    if "rules" in values:
        values["rules"] = tuple(folder / rule for rule in checked.rules)
    if checked.baseline is not None:
        values["baseline"] = folder / checked.baseline
    return checked, values


def _explicit(config: Path) -> tuple[Path, dict[str, Any]]:
    table = _table(config, _parse(config, _text(config)))
    if table is None:
        raise UsageError(f"{config}: no [tool.{_TOOL}] table")
    return config, table


def _nearest(start: Path) -> tuple[Path | None, dict[str, Any]]:
    folder = start.resolve()
    for place in (folder, *folder.parents):
        for file in (place / _OWN_FILE, place / "pyproject.toml"):
            if os.path.isfile(file):  # noqa: PTH113 - Path.is_file raises on a forbidden folder
                text = _text(file)
                # Most projects do not mention the tool; their file need not even be valid.
                if file.name == _OWN_FILE or _TOOL in text:
                    table = _table(file, _parse(file, text))
                    if table is not None:
                        return file, table
    return None, {}


def _text(file: Path) -> str:
    try:
        return read(file).decode("utf-8-sig")
    except SourceError as error:
        raise UsageError(f"{file}: {error.reason}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not valid UTF-8 at offset {error.start}") from error


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # an absurdly long number is not a TOMLDecodeError
        message = str(error).removesuffix(" (at end of document)")
        line, column = Lines(text).position(len(text))
        if place := _AT.search(message):
            message = message[: place.start()]
            line, column = int(place[1]), int(place[2])
        raise UsageError(f"{file}:{line}:{column}: {message}") from error
    except RecursionError as error:
        raise UsageError(f"{file}: nested too deeply") from error


def _table(file: Path, document: dict[str, Any]) -> dict[str, Any] | None:
    if file.name != "pyproject.toml":
        return document
    tools = document.get("tool")
    table = tools.get(_TOOL) if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{file}: tool.{_TOOL}: expected a table")
    return table


def _key(file: Path, key: str) -> str:
    return f"tool.{_TOOL}.{key}" if file.name == "pyproject.toml" else key


def _closest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key.replace("_", "-"), known, n=1)
    return f"did you mean {close[0]}?" if close else f"the keys are {', '.join(known)}"


def _refuse(file: Path, table: dict[str, Any], known: dict[str, str], message: str) -> NoReturn:
    place = re.search(r"`\$\.([a-z-]+)", message)
    if place is None:
        raise UsageError(f"{file}: {message}")
    key = place[1]
    expected = get_type_hints(Table, include_extras=True)[known[key]].__metadata__[-1].description
    value = msgspec.json.encode(table[key]).decode()
    raise UsageError(f"{file}: {_key(file, key)}: expected {expected}, got {value[:60]}")
