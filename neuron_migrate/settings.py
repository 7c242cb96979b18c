"""What one run was asked to do."""

from __future__ import annotations

from pathlib import Path

import msgspec

from neuron_migrate.finding import Risk, Target


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every choice that changes findings or fixes; the command line overrides the configuration."""

    root: Path
    """Reported paths are relative to this folder: that of the configuration, or the working one."""
    target: Target = "neuron"
    sdk: str = ""
    """The Neuron SDK release the code is for; empty means the newest."""
    select: tuple[str, ...] = ()
    """Code prefixes to report (``NM1``, ``NM101``); empty means all."""
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    """Codes to ignore in the files that a gitignore-style pattern, from the root, matches."""
    exclude: tuple[str, ...] = ()
    """gitignore-style patterns, added to what .gitignore and the built-in list exclude."""
    force_exclude: bool = False
    """Exclude files that are named as well."""
    include_docs: bool = False
    """Read the code fences of Markdown and reStructuredText too."""
    rules: tuple[Path, ...] = ()
    """Folders or files of the user's own rules."""
    baseline: Path | None = None
    """The file with the findings that a check need not report."""
    fail_on: Risk = Risk.CPU
    show_advice: bool = False
    unsafe: bool = False
    jobs: int = 0
    """Worker processes; 0 means one per core."""
    cache: bool = True
    """Keep what was found, and answer from it for files that did not change."""
