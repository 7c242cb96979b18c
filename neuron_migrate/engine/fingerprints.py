"""What tells a finding again after lines were inserted above it or the code was indented."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding


def marked(findings: Sequence[Finding], text: str) -> list[Finding]:
    """The findings about a text, each with the fingerprint of its lines."""
    lines = LINE_END.split(text) if findings else []
    return [
        msgspec.structs.replace(finding, fingerprint=_of(lines[slice(*_span(finding))]))
        for finding in findings
    ]


def _span(finding: Finding) -> tuple[int, int]:
    """Its lines, from 0; one that ends before the first character of a line is not on it."""
    beyond = finding.end_column == 1 and finding.end_line > finding.line
    return finding.line - 1, finding.end_line - beyond


def _of(lines: Sequence[str]) -> str:
    normalised = "\n".join(" ".join(line.split()) for line in lines)
    return blake2b(normalised.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
