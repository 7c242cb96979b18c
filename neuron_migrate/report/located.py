"""Findings with their place in the file itself: what formats for other programs need."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding


class Region(msgspec.Struct, frozen=True):
    """A part of a file: 1-based, in characters, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Replacement(msgspec.Struct, frozen=True):
    """What a fix puts in the place of a region."""

    region: Region
    text: str


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, and where it stands in the file: for a notebook, in its JSON."""

    finding: Finding
    region: Region
    line: str = ""
    """The text of the line the finding begins on; empty where it could not be read again."""
    replacements: tuple[Replacement, ...] = ()


def fingerprints(findings: Sequence[Located]) -> list[str]:
    """A stable name for each finding, which outlives that its line moves or is indented.

    It is made of the path, the code, the text of the line (the message, where that is unknown)
    and, for those that have all this in common, their order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    names = []
    for each in findings:
        finding = each.finding
        said = " ".join(each.line.split()) or finding.message
        key = (finding.path, finding.code, said)
        names.append(_digest(*key, str(seen[key])))
        seen[key] += 1
    return names


def full_message(finding: Finding) -> str:
    """The message in one line, with the reason why there is no fix."""
    parts = [finding.message]
    if finding.not_fixed and finding.not_fixed not in finding.message:
        parts.append(f"Not fixed: {finding.not_fixed.rstrip('.')}.")
    return " ".join(" ".join(parts).split())


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]
