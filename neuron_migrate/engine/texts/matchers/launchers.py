"""Command lines: the programs that are started, and the options they are given."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.catalog.text_patterns import LauncherMatch
from neuron_migrate.engine.texts.facts import Command
from neuron_migrate.engine.texts.matchers.option_changes import SHARED, drop, react
from neuron_migrate.engine.texts.matchers.options import Option, normal, options
from neuron_migrate.engine.texts.programs import base
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document
    from neuron_migrate.engine.texts.facts import Span


class Launchers:
    """Matches rules of kind ``launcher``."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, LauncherMatch)]

    def match(self, document: Document) -> None:
        """Report what the rules know of every command; of one place once."""
        seen: set[tuple[str, Span]] = set()
        for command in document.of(Command):
            given: list[Option] | None = None
            name = base(command.words[0])
            for rule, pattern in self.rules if name is not None else ():
                if not _is_started(pattern, command, name or ""):
                    continue
                if given is None:
                    given = list(options(command, document.source))
                if not pattern.beside or any(
                    option.name in map(normal, pattern.beside) for option in given
                ):
                    _match(rule, pattern, command, given, document, seen)


def _match(
    rule: Rule,
    pattern: LauncherMatch,
    command: Command,
    given: Sequence[Option],
    document: Document,
    seen: set[tuple[str, Span]],
) -> None:
    if not pattern.options or any(_begins(command, each) for each in pattern.always):
        if (rule.code, command.words[0].span) not in seen:
            seen.add((rule.code, command.words[0].span))
            _whole(rule, pattern, command, given, document)
        return
    for option in given:
        for change in pattern.options:
            if react(rule, change, option, given, document, seen):
                break


def _is_started(pattern: LauncherMatch, command: Command, name: str) -> bool:
    if command.script and pattern.scripts:
        path = command.words[0].text or ""
        return any(fnmatchcase(name, each) or fnmatchcase(path, each) for each in pattern.scripts)
    return any(_begins(command, each) for each in (*pattern.programs, *pattern.always))


def _begins(command: Command, program: str) -> bool:
    first, *others = program.split()
    name = base(command.words[0]) or ""
    if name != first and not ("*" in first and fnmatchcase(name, first)):
        return False
    return [word.text for word in command.words[1 : len(others) + 1]] == others


def _whole(
    rule: Rule,
    pattern: LauncherMatch,
    command: Command,
    given: Sequence[Option],
    document: Document,
) -> None:
    first = command.words[0]
    text = pattern.instead
    if pattern.to is None:
        document.report(rule, first.span, text)
    elif pattern.to == "" and _is_apart(command, document):
        assert command.removal is not None
        edits = [Edit(command.removal.start, command.removal.end, "")]
        document.report(rule, first.span, text, edits=edits, safety=pattern.safety)
    elif pattern.to and pattern.to_beside:
        needed = [each for each in given if each.name == normal(pattern.to_beside)]
        edits = [Edit(first.span.start, first.span.end, pattern.to)] if needed else []
        edits += [edit for each in needed for edit in drop(each, document, flag=True)]
        shared = edits and (first.shared or any(each.shared for each in needed))
        document.report(
            rule,
            first.span,
            text,
            edits=edits,
            safety="unsafe" if shared else pattern.safety,
            not_fixed=SHARED if shared else None,
        )
    else:
        document.report(rule, first.span, text)


def _is_apart(command: Command, document: Document) -> bool:
    """Whether nothing but blanks stands between a program and the one it starts."""
    if command.removal is None:
        return False
    gap = document.text[command.span.end : command.removal.end]
    return command.span.end < command.removal.end and not gap.replace("\\", "").strip()
