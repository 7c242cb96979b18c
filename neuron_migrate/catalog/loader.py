"""Reading the catalog: the rules that come with the package and the user's own."""

from __future__ import annotations

import re
import sys
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from neuron_migrate.catalog import checks, shapes, versions
from neuron_migrate.catalog.gates import Gate, gates
from neuron_migrate.catalog.schema import Rule, is_for_text, is_for_text_only
from neuron_migrate.catalog.versions import Release, Version
from neuron_migrate.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from neuron_migrate.files.kinds import Kind

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
    """The rules of a run, by code, as they hold in one release of the Neuron SDK."""

    def __init__(
        self, rules: Iterable[Rule], releases: Sequence[Release] = (), sdk: str = ""
    ) -> None:
        self._rules = {rule.code: rule for rule in sorted(rules, key=lambda rule: rule.code)}
        self.releases = tuple(sorted(releases, key=lambda each: versions.number(each.sdk)))
        self._sdk = sdk

    @cached_property
    def fingerprint(self) -> bytes:
        """A digest of everything the rules say."""
        said = msgspec.msgpack.encode((self.rules, self.release))
        return blake2b(said, digest_size=16).digest()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the codes."""
        return tuple(self._rules.values())

    def rule(self, code: str) -> Rule | None:
        """The rule of a code, if there is one."""
        return self._rules.get(code)

    @cached_property
    def sdk(self) -> str:
        """The release the rules hold for: the chosen one, else the newest one was checked for."""
        return self._sdk or max((rule.sdk for rule in self.rules), key=versions.number, default="")

    @cached_property
    def release(self) -> Release | None:
        """What is known of that release."""
        return next((each for each in self.releases if each.sdk == self.sdk), None)

    def at(self, sdk: str) -> Catalog:
        """The rules as they hold in a release such as ``2.33`` or ``2.33.1``.

        Raises UsageError for a release the catalog knows nothing of.
        """
        known = [each.sdk for each in self.releases]
        release = versions.release(sdk)
        if release not in known:
            raise UsageError(f"sdk: {sdk!r} is not a release that is known: {', '.join(known)}")
        return Catalog(versions.at(self.rules, release), self.releases, release)

    @cached_property
    def gates(self) -> tuple[Gate, ...]:
        """The words without which no rule can fire in Python."""
        return gates(rule for rule in self.rules if not is_for_text_only(rule))

    @cached_property
    def text_gates(self) -> tuple[Gate, ...]:
        """The words without which no rule can fire in a text that is not Python."""
        words = (word for rule in self.rules if is_for_text(rule) for word in rule.triggers)
        return (Gate(frozenset(), frozenset(words)),)

    def gates_of(self, kind: Kind) -> tuple[Gate, ...]:
        """The words without which no rule can fire in a file of this kind."""
        python = self.gates if kind.has_python else ()
        return (*python, *(self.text_gates if kind.has_text else ()))


def load(extra: Sequence[Path] = (), sdk: str = "", *, cached: bool = False) -> Catalog:
    """The built-in catalog and the rules in ``extra`` (files or folders), as they hold in ``sdk``.

    ``cached`` lets the built-in ones come from the user's cache folder, and puts them there.
    Raises UsageError naming file, key and what is expected when a rule is malformed, when two
    rules share a code, and for a release the catalog knows nothing of.
    """
    origin: dict[str, Path] = {}
    rules: list[Rule] = []
    own = ((file, read(file)) for each in extra for file in _toml_files(each))
    for path, rule in chain(_built_in(cached), own):
        if rule.code in origin:
            raise UsageError(f"{path}: code {rule.code} is taken by {origin[rule.code]}")
        origin[rule.code] = path
        rules.append(rule)
    for rule in rules:
        named = getattr(rule.match, "of", None)
        if named is not None and named not in origin:
            path = origin[rule.code]
            raise UsageError(f"{path}: match.of: expected a rule's code, not {named!r}")
    catalog = Catalog(rules, releases())
    return catalog.at(sdk) if sdk else catalog


def _built_in(cached: bool) -> Iterator[tuple[Path, Rule]]:
    """The rules of the package with their files."""
    files = {path: _content(path) for path in sorted(folder().glob("*/*.toml"))}
    rules = _known(files) if cached else _rules(files)
    return zip(files, rules, strict=True)


def _known(files: Mapping[Path, bytes]) -> tuple[Rule, ...]:
    """The rules of the files, from an earlier run where nothing has changed since."""
    from neuron_migrate.catalog import kept

    key = kept.key({f"{path.parent.name}/{path.name}": data for path, data in files.items()})
    rules = kept.load(key)
    if rules is None:
        rules = _rules(files)
        kept.store(key, rules)
    return rules


def _rules(files: Mapping[Path, bytes]) -> tuple[Rule, ...]:
    return tuple(_rule(path, data) for path, data in files.items())


def releases() -> tuple[Release, ...]:
    """The releases of the Neuron SDK that rules can tell apart."""
    table = tomllib.loads((folder() / "releases.toml").read_text(encoding="utf-8"))
    return msgspec.convert(table["releases"], tuple[Release, ...])


def folder() -> Path:
    """Where the built-in rules are: inside an installed package, beside it in a checkout."""
    inside = _PACKAGE / "rules"
    return inside if inside.is_dir() else _PACKAGE.parent / "rules"


def read(path: Path) -> Rule:
    """One rule file.

    Raises UsageError when it cannot be read, is not TOML or is not a rule.
    """
    return _rule(path, _content(path))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot read the rule: {error}") from error


def _rule(path: Path, data: bytes) -> Rule:
    try:
        table = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
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
        "sources": all(map(_is_address, _sources(rule))) or "https:// URLs",
        "versions": all(map(_is_span, rule.versions)) or "a release such as '2.33'",
        "disputed": len(rule.disputed) != 1 or "claims of two sources at least",
        "confidence": bool(rule.sources)
        or rule.confidence != "documented"
        or "'unverified', as there is no source",
    }
    table = [*checks.faults(rule.match), *shapes.faults(rule.shapes)]
    for key, expected in [*problems.items(), *table]:
        if expected is not True:
            raise UsageError(f"{path}: {key}: expected {expected}")


def _sources(rule: Rule) -> list[str]:
    """Every address the rule names."""
    claimed = [claim.source for claim in rule.disputed]
    return [*rule.sources, *claimed, *(url for each in rule.versions for url in each.sources)]


def _is_span(version: Version) -> bool:
    bounds = [bound for bound in (version.since, version.until) if bound]
    return bool(bounds) and all(re.fullmatch(r"\d+\.\d+", bound) for bound in bounds)


def _is_address(source: str) -> bool:
    parts = urlsplit(source)
    return parts.scheme == "https" and "." in parts.netloc and not re.search(r"[\s<>\"]", source)


def _toml_files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"{path}: no such rule file or folder")
    return sorted(file for file in path.rglob("*.toml") if file.is_file())
