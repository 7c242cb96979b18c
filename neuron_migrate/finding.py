"""What the engine finds: the values that travel from the rules to reports and to the disk."""

from __future__ import annotations

from enum import Enum
from typing import Literal

import msgspec

Confidence = Literal["documented", "unverified"]
Safety = Literal["safe", "unsafe"]
Effort = Literal["none", "low", "medium", "high"]
Target = Literal["neuron", "accelerator"]

OTHER: dict[Target, Target] = {"neuron": "accelerator", "accelerator": "neuron"}


class Risk(str, Enum):
    """What happens when a finding is left, worst first."""

    BREAKS = "breaks"
    WRONG = "wrong"
    CPU = "cpu"
    RECOMPILES = "recompiles"
    SLOW = "slow"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst risk; larger is milder."""
        return _RANK[self]


_RANK = {risk: rank for rank, risk in enumerate(Risk)}


class Edit(msgspec.Struct, frozen=True, order=True):
    """Replace the characters ``start`` to ``end`` (offsets into the decoded text) by ``text``."""

    start: int
    end: int
    text: str


BUCKET = 128
"""The multiple that lengths are best padded to: what TRL takes on Neuron."""


class Shapes(msgspec.Struct, frozen=True, kw_only=True):
    """How many input shapes one place in the code can make, each of them compiled on its own."""

    at_most: int | None = None
    """None where no bound can be read."""
    in_buckets: int | None = None
    """The same if lengths were padded to multiples of ``BUCKET``."""
    per: str = ""
    """What they are counted for each of, such as a length of the prompt."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One place in one file that a rule has something to say about.

    Lines and columns are 1-based and count characters; the end is exclusive.
    ``edits`` are offsets into the decoded text of the file and are empty when ``fix`` is None.
    """

    code: str
    name: str
    family: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    risk: Risk
    confidence: Confidence
    cell: int | None = None
    fix: Safety | None = None
    not_fixed: str | None = None
    """Why there is no fix; None when there is one."""
    effort: Effort = "none"
    """What the manual work costs a person when the finding is not fixed."""
    blocked: bool = False
    """True when what the code depends on has no Neuron path at all."""
    advice: bool = False
    """True when static reading cannot prove it: counted always, listed with --show-advice only."""
    edits: tuple[Edit, ...] = ()
    shapes: Shapes | None = None
    """How many input shapes it makes; None where it is not about shapes."""
    span: tuple[int, int] = (0, 0)
    """Where it stands in the decoded text of the file: offsets, as those of edits."""
    ties: tuple[int, ...] = ()
    """Findings of a file that have one of these numbers in common hold only together."""
    rests: bool = False
    """True when the fix holds only with those of other findings, such as an import that goes."""
    fingerprint: str = ""
    """A hash of the lines it is on, however indented; empty where they are not known."""


class FileResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gave.

    ``findings`` describe the file as it was read. In a fix run ``fixed`` is the text after every
    permitted edit (None when nothing changes) and ``left`` describes that text.
    ``failed`` says that the file was not analysed; the NM000 finding in ``findings`` says why.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    fixed: str | None = None
    left: tuple[Finding, ...] = ()
    applied: int = 0
    """How many findings the edits in ``fixed`` resolve."""
    failed: bool = False
