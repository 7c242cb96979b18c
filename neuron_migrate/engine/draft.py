"""A finding in the making."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.finding import Confidence, Edit, Risk, Safety, Shapes


@dataclass(slots=True, eq=False)
class Draft:
    """A finding in the making: phases after the matchers may still take its fix away."""

    rule: Rule
    statement: Statement
    start: int
    end: int
    message: str
    risk: Risk
    confidence: Confidence
    edits: list[Edit] = field(default_factory=list)
    fix: Safety | None = None
    not_fixed: str | None = None
    advice: bool = False
    cuda_only: bool = False
    """Code that a renamed availability guard must not switch on."""
    neutral: bool = False
    """Code that runs on Neuron too, for all that is said about it: no reason to keep a guard."""
    test: tuple[Piece, cst.CSTNode] | None = None
    """The node in a condition whose meaning the fix changes: an availability test or comparison."""
    removes: Statement | None = None
    """The statement that the fix removes."""
    unclear: bool = False
    """A device string that nothing says the use of: it stays what it is."""
    extends: bool = False
    """The fix adds a Neuron entry to a list of several vendors."""
    argument_of: int | None = None
    """Offset of the torch.cuda function that the node is an argument of."""
    needs: list[Draft] = field(default_factory=list)
    """Findings whose fixes this one rests on: it goes when one of them loses its fix."""
    blocked: bool = False
    """Without a person's work there is no way to Neuron from here."""
    hidden: bool = False
    """Not selected or suppressed: never shown, never fixed."""
    withheld: Safety | None = None
    """The fix that a hidden finding would have."""
    declined: bool = False
    """Hidden because a person wants it left: what rests on it, or would switch it on, stays too."""
    ties: set[int] = field(default_factory=set)
    """Fixes that have one of these offsets in common hold only together."""
    shapes: Shapes | None = None
    """How many input shapes the place makes, where the rule is about them."""

    @property
    def goes(self) -> bool:
        """Whether what is found is gone in the end: fixed, or taken for it as it is hidden."""
        return bool(self.fix or (self.withheld and not self.declined))


def tie(*drafts: Draft) -> None:
    """Say that fixes hold only together."""
    for draft in drafts:
        draft.ties.add(drafts[0].start)
