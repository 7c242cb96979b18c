"""What a report leaves out because it is not new."""

from __future__ import annotations

import msgspec

from neuron_migrate.report.layout import counted, item, section


class Known(msgspec.Struct, frozen=True):
    """How a run compares with a baseline."""

    file: str
    known: int
    gone: int
    """Entries of the baseline for which nothing is found any more."""
    written: bool = False
    """Whether it is this run that wrote it."""


class Share(msgspec.Struct, frozen=True):
    """The part that one run has in reading a project."""

    index: int
    """From 1."""
    of: int
    others: int
    """How many files the other runs read."""


class Since(msgspec.Struct, frozen=True):
    """What the findings of a run are new since, and in which files; all where nothing is said."""

    baseline: Known | None = None
    revision: str = ""
    """The revision of git that lines have changed since; empty when all lines count."""
    elsewhere: int = 0
    """Findings on other lines of the files that have changed since."""
    share: Share | None = None
    """Which files were to be read at all; None when it is all of them."""

    def __bool__(self) -> bool:
        return self.baseline is not None or bool(self.revision)


def lines(since: Since) -> list[str]:
    """The section of the risk report."""
    told = _baseline(since.baseline) if since.baseline else []
    if since.revision:
        told.append(
            f"Files and lines that have not changed since {since.revision}:"
            f" {counted(since.elsewhere, 'finding')} in changed files."
        )
    if since.share:
        told.append(_share(since.share))
    return section("Not shown", [line for text in told for line in item(text)])


def document(since: Since) -> dict[str, object]:
    """The keys that such a run adds to the JSON document."""
    keys: dict[str, object] = {}
    if since.baseline:
        known = since.baseline
        keys["baseline"] = {"file": known.file, "known": known.known, "gone": known.gone}
    if since.revision:
        keys["diff_base"] = {"revision": since.revision, "unchanged": since.elsewhere}
    if since.share:
        keys["shard"] = {"index": since.share.index, "of": since.share.of}
    return keys


def _baseline(known: Known) -> list[str]:
    verb = "now in" if known.written else "known from"
    told = [f"{counted(known.known, 'finding')} {verb} the baseline {known.file}."]
    if known.gone:
        told.append(
            f"{counted(known.gone, 'entry', 'entries')} of the baseline {_are(known.gone)} gone:"
            " when nothing new is left, write it again with --write-baseline."
        )
    return told


def _share(share: Share) -> str:
    others = counted(share.others, "file")
    return f"{others} of other shards; this is {share.index}/{share.of}."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
