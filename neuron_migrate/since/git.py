"""Asking git, without letting the repository choose what else is run."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "-M")
_ONLY_CHANGES = ("--text", "-U0", "--inter-hunk-context=0")
_SUBMODULE = "160000 "
# What git sets for its hooks, true of one folder only.
_OF_A_HOOK = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


def top_of(folder: Path) -> str:
    """The folder of the repository that a folder is in; raises UsageError outside of any."""
    return os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n"))


def base_of(top: Path, revision: str) -> str:
    """The commit at which HEAD and a revision parted; raises UsageError when there is none."""
    unknown = f"--diff-base: {revision!r} is not a revision of {top}"
    if revision.startswith("-"):  # an option to git
        raise UsageError(unknown)
    try:
        commit = _git(top, "rev-parse", "--verify", f"{revision}^{{commit}}").decode().strip()
    except UsageError as error:
        raise UsageError(f"{unknown}{_remedy(top)}") from error
    try:
        return _git(top, "merge-base", commit, "HEAD").decode().split()[0]
    except UsageError as error:
        apart = f"--diff-base: {revision!r} and HEAD have no commit in common in {top}"
        raise UsageError(f"{apart}{_remedy(top)}") from error


def _remedy(top: Path) -> str:
    """What to do about history that was not fetched; nothing where all of it is there."""
    if _git(top, "rev-parse", "--is-shallow-repository").strip() != b"true":
        return ""
    return (
        "; it is a shallow clone: git fetch --unshallow, or in CI fetch-depth: 0 (GitHub),"
        " GIT_DEPTH: 0 (GitLab)"
    )


def base_of_submodule(top: Path, base: str, name: str) -> str | None:
    """The commit of a submodule that a commit has recorded; None when it was not there."""
    try:
        return _git(top, "rev-parse", "--verify", "--quiet", f"{base}:{name}").decode().strip()
    except UsageError:
        return None


def changed(top: Path, base: str) -> dict[str, str | None]:
    """The tracked files that differ from a commit, each with its name there, None if it is new.

    Raises UsageError when the commit is not there, as in a submodule that is not fetched whole.
    """
    try:
        _git(top, "cat-file", "-e", f"{base}^{{commit}}")
    except UsageError as error:
        raise UsageError(
            f"--diff-base: {top} has no commit {base}: git -C {top} fetch origin {base}"
        ) from error
    fields = iter(_names(_git(top, "diff", *_PLAIN, "--name-status", "-z", base, "--")))
    found: dict[str, str | None] = {}
    for status in fields:
        name = next(fields)
        if status[0] in "RC":
            found[next(fields)] = name
        elif status[0] != "D":
            found[name] = None if status[0] == "A" else name
    return found


def tracked(top: Path) -> dict[str, bool]:
    """The files that git knows; true for a submodule."""
    rows = (row.partition("\t") for row in _names(_git(top, "ls-files", "--stage", "-z")))
    return {name: facts.startswith(_SUBMODULE) for facts, _, name in rows}


def new_lines(top: Path, base: str, names: tuple[str, ...]) -> list[tuple[int, int]]:
    """First and last of each run of lines that one file, by its names then and now, has gained."""
    paths = (f":(top,literal){name}" for name in names)
    rows = iter(_git(top, "diff", *_PLAIN, *_ONLY_CHANGES, base, "--", *paths).split(b"\n"))
    found = []
    for row in rows:
        if hunk := _HUNK.match(row):
            removed, start, added = (1 if n is None else int(n) for n in hunk.groups())
            if added:
                found.append((start, start + added - 1))
            for _ in range(removed + added):  # what they hold can look like a hunk
                next(rows)
    return found


def content(top: Path, base: str, name: str) -> bytes:
    """A file as it is in a commit."""
    return _git(top, "cat-file", "blob", f"{base}:{name}")


def _names(listing: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listing.split(b"\0") if name]


def _git(folder: Path, *arguments: str) -> bytes:
    """What a git command prints; raises UsageError with what git says when it fails."""
    kept = {name: value for name, value in os.environ.items() if name not in _OF_A_HOOK}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *arguments],
            capture_output=True,
            check=False,
            env={**kept, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise UsageError(f"--diff-base: cannot run git: {error.strerror}") from error
    if done.returncode:
        told = done.stderr.decode(errors="backslashreplace").strip().splitlines() or ["git failed"]
        raise UsageError(f"--diff-base: {folder}: {told[0].removeprefix('fatal: ')}")
    return done.stdout
