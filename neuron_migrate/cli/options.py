"""The options that commands share, and what they and the configuration come to."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from neuron_migrate.cli import completion
from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.finding import Risk
from neuron_migrate.settings import OutputFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.settings import Settings


class TargetName(str, Enum):
    NEURON = "neuron"
    ACCELERATOR = "accelerator"


LISTINGS = (OutputFormat.TEXT, OutputFormat.CONCISE)
"""Findings for a person to read, then the diff and the report; the others are documents."""


class Color(str, Enum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


Codes = list[str] | None
PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATHS",
        help="Files and folders; - reads standard input. [default: .]",
        readable=False,  # what cannot be read is a finding of its own, and the others go on
    ),
]
TargetOption = Annotated[
    TargetName | None, typer.Option("--target", help="What the fixed code is written for.")
]
SdkOption = Annotated[
    str | None,
    typer.Option(
        "--sdk",
        metavar="VERSION",
        autocompletion=completion.releases,
        help="The Neuron SDK release. [default: the newest]",
    ),
]
SelectOption = Annotated[
    Codes,
    typer.Option(
        "--select",
        metavar="CODES",
        autocompletion=completion.selections,
        help="Report these codes or prefixes only.",
    ),
]
IgnoreOption = Annotated[
    Codes,
    typer.Option(
        "--ignore",
        metavar="CODES",
        autocompletion=completion.selections,
        help="Do not report these codes or prefixes.",
    ),
]
ExtendSelectOption = Annotated[
    Codes,
    typer.Option(
        "--extend-select",
        metavar="CODES",
        autocompletion=completion.selections,
        help="Report these codes as well.",
    ),
]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="GLOB", help="Skip what matches, as in .gitignore."),
]
ForceExcludeOption = Annotated[
    bool, typer.Option("--force-exclude", help="Exclude files that are named as well.")
]
IncludeDocsOption = Annotated[
    bool | None,
    typer.Option("--include-docs/--no-include-docs", help="Also code in Markdown and reST."),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Report only what this file does not hold."),
]
WriteBaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--write-baseline", metavar="FILE", help="Write all findings into this file: now known."
    ),
]
DiffBaseOption = Annotated[
    str | None,
    typer.Option(
        "--diff-base", metavar="REV", help="Only lines changed since leaving this git revision."
    ),
]
ShardOption = Annotated[
    Shard | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        parser=Shard.parse,
        help="Read only the I-th of N shares of the files.",
    ),
]
WritePartOption = Annotated[
    Path | None,
    typer.Option(
        "--write-part", metavar="FILE", help="Write what is found, with code, for report merge."
    ),
]
FailOnOption = Annotated[
    Risk | None,
    typer.Option("--fail-on", help="Exit 1 for findings of this risk or worse. [default: cpu]"),
]
ShowAdviceOption = Annotated[
    bool | None,
    typer.Option("--show-advice/--no-show-advice", help="List advice, not only its count."),
]
FormatOption = Annotated[
    OutputFormat | None,
    typer.Option("--output-format", help="How to print. [default: text]"),
]
RehearsalOption = Annotated[
    Path | None,
    typer.Option(
        "--rehearsal",
        metavar="DIR",
        help="Show in the HTML report what rehearse --keep-recording left here.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Print into this file instead."),
]
ExitZeroOption = Annotated[
    bool, typer.Option("--exit-zero", help="Exit 0 despite findings, if every file was analysed.")
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 means one per core."),
]
NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Analyse every file anew.")]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Use this configuration file."),
]
StdinFilenameOption = Annotated[
    str | None,
    typer.Option("--stdin-filename", metavar="PATH", help="The name of what - reads."),
]
ColorOption = Annotated[Color, typer.Option("--color", help="When to use colour.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Findings only, no report.")]

NoColorOption = Annotated[bool, typer.Option("--no-color", help="The same as --color never.")]
ShowSettingsOption = Annotated[
    bool,
    typer.Option("--show-settings", help="Print each setting and who decides it; read no code."),
]
StatisticsOption = Annotated[
    bool, typer.Option("--statistics", help="List how many findings each rule has, not each.")
]

ApplyOption = Annotated[bool, typer.Option("--apply", help="Write the files; undo reverts.")]
InteractiveOption = Annotated[
    bool, typer.Option("--interactive", "-i", help="Ask about each fix, then write those accepted.")
]
UnsafeOption = Annotated[
    bool | None,
    typer.Option("--unsafe/--no-unsafe", help="Also what changes behaviour: read that diff."),
]
PatchOption = Annotated[
    Path | None, typer.Option("--patch", metavar="FILE", help="Write the diff into this file.")
]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The command line of a check, a fix or a merge; None leaves the configuration's word."""

    paths: list[Path] | None = None
    target: TargetName | None = None
    sdk: str | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    extend_select: list[str] | None = None
    exclude: list[str] | None = None
    include_docs: bool | None = None
    fail_on: Risk | None
    show_advice: bool | None
    output_format: OutputFormat | None
    output: Path | None
    exit_zero: bool
    jobs: int | None = None
    no_cache: bool = False
    config: Path | None = None
    stdin_filename: str | None = None
    color: Color
    quiet: bool
    force_exclude: bool = False
    apply: bool = False
    interactive: bool = False
    unsafe: bool | None = None
    patch: Path | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    diff_base: str | None = None
    shard: Shard | None = None
    write_part: Path | None = None
    no_color: bool = False
    show_settings: bool = False
    statistics: bool = False
    rehearsal: Path | None = None

    @property
    def stdin(self) -> bool:
        """Whether the code comes from standard input."""
        return self.paths == [Path("-")]


def given(options: Options) -> dict[str, object]:
    """The settings that the command line decides."""
    values = {
        "target": options.target and options.target.value,
        "sdk": options.sdk,
        "select": codes("--select", options.select),
        "ignore": codes("--ignore", options.ignore),
        "extend_select": codes("--extend-select", options.extend_select),
        "exclude": tuple(options.exclude) if options.exclude else None,
        "force_exclude": options.force_exclude or None,
        "include_docs": options.include_docs,
        "fail_on": options.fail_on,
        "show_advice": options.show_advice,
        "unsafe": options.unsafe,
        "output_format": options.output_format,
        "baseline": options.baseline and options.baseline.absolute(),
        "jobs": options.jobs,
        "cache": False if options.no_cache else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def merged(options: Options, settings: Settings) -> Settings:
    """The configuration with the command line on top."""
    return msgspec.structs.replace(settings, **given(options))


def codes(option: str, values: Sequence[str] | None) -> tuple[str, ...] | None:
    """Codes given comma-separated, repeatedly, or both; None when the option is not used."""
    if not values:  # typer gives [] for an option that is not there
        return None
    words = [word.strip().upper() for value in values for word in value.split(",")]
    if not any(words):
        raise UsageError(f"{option} names no code")
    return tuple(word for word in words if word)
