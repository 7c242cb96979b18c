"""What a rule file may say. The structs are the schema: unknown or mistyped keys are refused."""

from __future__ import annotations

import msgspec

from neuron_migrate.catalog.patterns import CommandMatch, Match, VariableMatch
from neuron_migrate.catalog.shapes import ShapeCount
from neuron_migrate.catalog.text_patterns import TEXT_ONLY, FactMatch
from neuron_migrate.catalog.versions import Claim, Version
from neuron_migrate.finding import Confidence, Effort, Risk


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A piece of code and what the rule makes of it; executed as a test, printed by ``explain``."""

    before: str
    neuron: str | None = None
    """The text after ``fix`` for the neuron target; None when nothing is rewritten."""
    accelerator: str | None = None
    """The same for the accelerator target."""
    unsafe: bool = False
    """True when the texts after are what ``fix --unsafe`` gives."""
    note: str = ""
    path: str = "example.py"
    """The name of the file, where it is not Python."""


class Untouched(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Code that looks alike and in which the rule must not fire."""

    code: str
    note: str = ""
    path: str = "example.py"


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rule of the catalog: facts about TorchNeuron and the pattern that asks for them."""

    code: str
    """NMnnn; the hundreds give the family."""
    name: str
    """kebab-case."""
    summary: str
    """One line: what is found and what happens if it is left. Starts the finding's message."""
    risk: Risk
    confidence: Confidence
    effort: Effort
    """What the part that is not rewritten costs a person."""
    why: str
    fix_safety: str
    """When the fix is safe, when it is unsafe, and when there is none."""
    sources: tuple[str, ...]
    sdk: str
    """The Neuron SDK release the facts were checked against."""
    triggers: tuple[str, ...]
    """Words one of which a file must hold for the rule to be able to fire."""
    match: Match | FactMatch
    disputed: tuple[Claim, ...] = ()
    """Sources that contradict each other; every finding says so and tells what each claims."""
    versions: tuple[Version, ...] = ()
    """Releases of the SDK in which the rule says something else, or nothing."""
    not_fixed: str = ""
    """Why what the rule does not rewrite is left to a person."""
    blocked: bool = False
    advice: bool = False
    shapes: ShapeCount | None = None
    """How many input shapes what it finds can make; without it the rule is not about shapes."""
    examples: tuple[Example, ...] = ()
    untouched: tuple[Untouched, ...] = ()
    family: str = ""
    """The folder the file stands in; filled by the loader."""


def is_for_text(rule: Rule) -> bool:
    """Whether a rule can speak about what is not Python."""
    return isinstance(rule.match, (*TEXT_ONLY, VariableMatch, CommandMatch))


def is_for_text_only(rule: Rule) -> bool:
    """Whether a rule can speak about nothing else."""
    return isinstance(rule.match, TEXT_ONLY)
