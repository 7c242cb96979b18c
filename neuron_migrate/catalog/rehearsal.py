"""Facts that a rehearsal goes by: support of operators, memory of a core, what exceptions mean."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal

import msgspec

from neuron_migrate.catalog import loader

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Sequence

Support = Literal["runs", "falls_back", "fails", "unknown"]


class OperatorFact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the sources of a rule say about some operators."""

    names: tuple[str, ...]
    """ATen names without the overload: ``aten::topk``."""
    dtypes: tuple[str, ...] = ()
    """Only with an operand of these, without ``torch.``; none: with any."""
    operands: tuple[int, ...] = ()
    """The tensor operands whose dtype counts; none: every one."""
    compiled: Support = "unknown"
    """In a graph of torch.compile."""
    eager: Support = "unknown"
    rule: str
    """The code of the rule that has the why and the sources."""

    def support(self, name: str, dtypes: Sequence[str], compiled: bool) -> Support:
        """What the sources say of a call by its bare name and the dtypes of its operands."""
        chosen = (
            [dtypes[at] for at in self.operands if at < len(dtypes)] if self.operands else dtypes
        )
        if name not in self.names or (self.dtypes and not set(chosen) & set(self.dtypes)):
            return "unknown"
        return self.compiled if compiled else self.eager


class MemoryFact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The memory of one logical core."""

    bytes: int
    why: str
    sources: tuple[str, ...]


class CompileFact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a compilation costs, and where it is written that eager operators may be fused."""

    seconds: tuple[int, int]
    """From, to."""
    why: str
    sources: tuple[str, ...]
    fusion: str


class ExceptionFact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a message that a program fails with means on Neuron."""

    pattern: str
    """A regular expression, searched for in the message."""
    rules: tuple[str, ...] = ()
    """The codes of the rules that explain it, likeliest first."""
    why: str = ""
    sources: tuple[str, ...] = ()


class RehearsalFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole of it."""

    memory: MemoryFact
    compile: CompileFact
    exceptions: tuple[ExceptionFact, ...]
    operators: tuple[OperatorFact, ...] = ()


def load() -> RehearsalFacts:
    """The facts that come with the rules."""
    tables = _table("rehearsal.toml") | _table("operators.toml")
    return msgspec.convert(tables, RehearsalFacts)


def _table(name: str) -> dict[str, object]:
    return tomllib.loads((loader.folder() / name).read_text(encoding="utf-8"))
