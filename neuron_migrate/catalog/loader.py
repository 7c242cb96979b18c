"""Reading the catalog: the rules that come with the package and the user's own."""

from __future__ import annotations

import re
import sys
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.catalog import checks
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PACKAGE = Path(__file__).resolve().parent.parent
_CODE = re.compile(r"NM\d{3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
FAMILIES = {
    "1": "device",
    "2": "compile",
    "3": "huggingface",
    "4": "lineage",
    "5": "distributed",
    "6": "precision",
    "7": "libraries",
    "8": "environment",
    "9": "operators",
    "0": "tool",
}
"""Family by the hundreds of a code."""


class Catalog:
    """The rules of a run, by code."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = {rule.code: rule for rule in sorted(rules, key=lambda rule: rule.code)}

    @cached_property
    def fingerprint(self) -> bytes:
        """A digest of everything the rules say."""
        return blake2b(msgspec.msgpack.encode(self.rules), digest_size=16).digest()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the codes."""
        return tuple(self._rules.values())

    def rule(self, code: str) -> Rule | None:
        """The rule of a code, if there is one."""
        return self._rules.get(code)

    @cached_property
    def sdk(self) -> str:
        """The newest Neuron SDK release that a rule was checked against."""
        return max((rule.sdk for rule in self.rules), key=_version, default="")

    @cached_property
    def triggers(self) -> frozenset[str]:
        """The words without which no rule can fire."""
        return frozenset(word for rule in self.rules for word in rule.triggers)


def load(extra: Sequence[Path] = ()) -> Catalog:
    """The built-in catalog and the rules in ``extra`` (files or folders).

    Raises UsageError naming file, key and what is expected when a rule is malformed, and when two
    rules share a code.
    """
    origin: dict[str, Path] = {}
    rules: list[Rule] = []
    for path in [*_toml_files(folder()), *(file for each in extra for file in _toml_files(each))]:
        rule = read(path)
        if rule.code in origin:
            raise UsageError(f"{path}: code {rule.code} is taken by {origin[rule.code]}")
        origin[rule.code] = path
        rules.append(rule)
    for rule in rules:
        named = getattr(rule.match, "of", None)
        if named is not None and named not in origin:
            path = origin[rule.code]
            raise UsageError(f"{path}: match.of: expected a rule's code, not {named!r}")
    return Catalog(rules)


def folder() -> Path:
    """Where the built-in rules are: inside an installed package, beside it in a checkout."""
    inside = _PACKAGE / "rules"
    return inside if inside.is_dir() else _PACKAGE.parent / "rules"


def read(path: Path) -> Rule:
    """One rule file.

    Raises UsageError when it cannot be read, is not TOML or is not a rule.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot read the rule: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from error
    try:
        rule = msgspec.convert(table, Rule)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}") from error
    _check(rule, path)
    return msgspec.structs.replace(rule, family=FAMILIES[rule.code[2]])


def _check(rule: Rule, path: Path) -> None:
    """What the types cannot say."""
    problems = {
        "code": bool(_CODE.fullmatch(rule.code)) or "NM and three digits",
        "name": bool(_NAME.fullmatch(rule.name)) or "kebab-case, such as cuda-device-string",
        "triggers": (bool(rule.triggers) and all(rule.triggers))
        or "at least one word, and none empty",
        "sources": all(source.startswith("https://") for source in rule.sources) or "https:// URLs",
        "confidence": bool(rule.sources)
        or rule.confidence != "documented"
        or "'unverified', as there is no source",
    }
    for key, expected in [*problems.items(), *checks.faults(rule.match)]:
        if expected is not True:
            raise UsageError(f"{path}: {key}: expected {expected}")


def _toml_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"{path}: no such rule file or folder")
    return sorted(file for file in path.rglob("*.toml") if file.is_file())


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))
