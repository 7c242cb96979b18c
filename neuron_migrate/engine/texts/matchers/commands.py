"""Programs that a text starts and that are not on a Trainium host, such as ``nvidia-smi``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import CommandMatch
from neuron_migrate.engine.texts.facts import Command
from neuron_migrate.engine.texts.programs import base

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document


class Commands:
    """Matches rules of kind ``command``."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, CommandMatch)
            # What a program is told decides there; for command lines launcher rules say that.
            if rule.match.text:
                continue
            self.rules.update(dict.fromkeys(rule.match.programs, rule))

    def match(self, document: Document) -> None:
        """Report every command that starts one of the programs, unless a launcher rule did."""
        told = {report.span.start for report in document.reports}
        for command in document.of(Command):
            rule = self.rules.get(base(command.words[0]) or "")
            if rule is not None and command.words[0].span.start not in told:
                document.report(rule, command.words[0].span, f"`{base(command.words[0])}`.")
