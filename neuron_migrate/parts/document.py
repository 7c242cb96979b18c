"""The file that holds a part: all that any report says of it, so that nothing is read again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from neuron_migrate import __version__
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.files.source import SourceError, read
from neuron_migrate.finding import FileResult, Finding, Risk, Target
from neuron_migrate.report.located import Located, Region, Replacement
from neuron_migrate.report.risk import Skip
from neuron_migrate.report.since import Since

if TYPE_CHECKING:
    from pathlib import Path

_REMEDY = "make it with check --write-part"


class Evidence(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What reports show of the file that a finding is in."""

    region: Region
    line: str = ""
    replacements: tuple[Replacement, ...] = ()
    code: dict[str, Any] = {}
    """What the page shows of it."""

    def located(self, finding: Finding) -> Located:
        """The finding with its place."""
        return Located(
            finding=finding, region=self.region, line=self.line, replacements=self.replacements
        )


class File(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that was read."""

    result: FileResult
    evidence: tuple[Evidence, ...] = ()
    """For each of the findings."""


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """A path that was not read."""

    rank: int
    """Its place among those of all shards."""
    skip: Skip


class Choices(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """What shards of one run have in common."""

    target: Target
    sdk: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    per_file_ignores: dict[str, tuple[str, ...]]
    exclude: tuple[str, ...]
    force_exclude: bool
    include_docs: bool
    fail_on: Risk
    show_advice: bool
    rules: str
    """A digest of the catalog."""
    baseline: str
    """A digest; empty without one."""
    diff_base: tuple[str, ...]
    """The revision and the commits it led to."""
    python: str
    """The version that ran: it reads code by its own grammar."""
    files: str
    """A digest of the paths that were found, whichever shard reads them."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one run found."""

    part: Literal[1] = 1
    version: str = __version__
    shard: Shard
    choices: Choices
    since: Since
    rules: tuple[Rule, ...]
    """Those that the findings are of."""
    files: tuple[File, ...]
    skipped: tuple[Skipped, ...]


def encoded(part: Part) -> bytes:
    """The content of the file, in ASCII so that any path survives."""
    return (json.dumps(msgspec.to_builtins(part), separators=(",", ":")) + "\n").encode()


def load(file: Path) -> Part:
    """The part in a file; raises UsageError for what is none, or that of another version."""
    try:
        document = json.loads(read(file))
    except SourceError as error:
        raise UsageError(f"{file}: {error.reason}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON, so not a part of a report; {_REMEDY}") from error
    if not isinstance(document, dict) or "part" not in document:
        raise UsageError(f"{file}: JSON, but not a part of a report; {_REMEDY}")
    if document.get("version") != __version__:
        raise UsageError(
            f"{file}: written by neuron-migrate {document.get('version')}, and this is"
            f" {__version__}; {_REMEDY} of this version"
        )
    return _converted(file, document)


def _converted(file: Path, document: dict[str, object]) -> Part:
    try:
        part = msgspec.convert(document, Part)
    except msgspec.ValidationError as error:
        reason = str(error).replace("`", "").replace("$", "the file")
        raise UsageError(f"{file}: a damaged part of a report ({reason}); {_REMEDY}") from error
    if any(len(each.evidence) != len(each.result.findings) for each in part.files):
        raise UsageError(f"{file}: a damaged part of a report; {_REMEDY}")
    return part
