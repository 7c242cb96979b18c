"""One reference to a known name, and what is written in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import NamesMatch
from neuron_migrate.engine import conditions, holds
from neuron_migrate.engine.matchers.names import repeats
from neuron_migrate.engine.matchers.names.rewrites import Rewrite, Rewriter, called

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import Hold, NameEntry
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Safety, Target

_PLACEHOLDER = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Known:
    """A name of the catalog and the rule it stands in."""

    rule: Rule
    entry: NameEntry

    def replacement(self, target: Target) -> str | None:
        """What to write instead, if anything."""
        return self.entry.neuron if target == "neuron" else self.entry.accelerator


@dataclass(frozen=True, eq=False)
class Use:
    """One reference to a known name."""

    here: Here
    node: cst.BaseExpression
    known: Known

    @property
    def replacement(self) -> str | None:
        """What to write instead, if anything."""
        entry, here = self.known.entry, self.here
        cautious = entry.accelerator_value if here.target == "accelerator" else None
        if cautious is not None and not conditions.under_device_test(here, self.node):
            return cautious
        return self.known.replacement(here.target)

    @property
    def safety(self) -> Safety:
        """Whether the replacement may raise where the original did not."""
        entry, here = self.known.entry, self.here
        if self.rewrite.doubtful or self._hold is not None:
            return "unsafe"
        if here.target == "accelerator":
            if self._may_raise():
                return "unsafe"
            return entry.accelerator_safety or entry.safety
        return entry.safety

    def report(self) -> Draft:
        """Report the use, rewritten where it stands."""
        here, entry, rule = self.here, self.known.entry, self.known.rule
        if self._repeats():
            text = f"The call beside it does the same as `{entry.name}`."
            draft = here.report_removal(rule, self.node, text)
            draft.risk = entry.risk or draft.risk
            return draft
        if entry.dropped == here.target and self._is_statement():
            text = message(entry, None, here.target, written=False)
            return here.report_removal(rule, self.node, text)
        rewrite = self.rewrite
        draft = here.report(
            rule,
            self.node,
            message(entry, self.replacement, here.target, written=rewrite.new is not None),
            changes=[(rewrite.old, rewrite.new)] if rewrite.new is not None else (),
            extra=rewrite.imports,
            safety=self.safety,
            not_fixed=rewrite.reason or self._why_unsafe(),
            risk=entry.risk,
            confidence=entry.confidence,
        )
        assert isinstance(rule.match, NamesMatch)
        draft.cuda_only = rule.match.cuda_only
        if entry.test:
            draft.test = (here.piece, self.node)
        return draft

    @cached_property
    def rewrite(self) -> Rewrite:
        """The nodes to exchange."""
        hold = self._hold
        if hold is not None and not hold.unsafe and self._call() is not None:
            return Rewrite(self.node, reason=hold.reason)
        return Rewriter(self.here, self.node, self.known.entry).rewrite(self.replacement)

    @cached_property
    def _hold(self) -> Hold | None:
        """What in the file speaks against the rewrite."""
        return holds.strongest(self.known.entry.holds, self.here)

    def _call(self) -> cst.Call | None:
        return called(self.here, self.node)

    def _is_statement(self) -> bool:
        call = self._call()
        return call is not None and isinstance(self.here.parent(call), cst.Expr)

    def _may_raise(self) -> bool:
        """True when the accelerator form fails on a machine without one, as this did not."""
        entry = self.known.entry
        if not entry.needs_accelerator or (entry.uncalled and self._call() is None):
            return False
        return not conditions.under_device_test(self.here, self.node)

    def _repeats(self) -> bool:
        call, template = self._call(), self.replacement
        if not self.known.entry.repeats or template is None or call is None:
            return False
        return repeats.stands_beside(template, call, self.here)

    def _why_unsafe(self) -> str | None:
        if self.safety == "safe" or self.rewrite.new is None:
            return None
        if self._hold is not None:
            return self._hold.reason
        if self.here.target == "accelerator" and self._may_raise():
            return "it raises on a machine without an accelerator, and no test is around it"
        return None


def message(entry: NameEntry, replacement: str | None, target: Target, *, written: bool) -> str:
    """What to say about a name."""
    note = entry.note
    form = _PLACEHOLDER.sub("…", replacement.replace("{args}, ", "")) if replacement else ""
    if replacement is not None and written:
        what = f"`{entry.name}` becomes `{form}`"
    elif target == "accelerator" and replacement is None and entry.neuron is not None:
        what = f"`{entry.name}` has no device-neutral form, only `{entry.neuron}`"
    elif note:
        return f"`{entry.name}`: {note}"
    elif replacement is not None:
        what = f"`{entry.name}` is `{form}` there"
    else:
        what = f"`{entry.name}` has no known Neuron equivalent"
    return f"{what}: {note}" if note else f"{what}."
