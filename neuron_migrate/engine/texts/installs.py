"""What commands install: the packages and indexes that pip, uv, conda and the like are given."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts import conda_specs, options
from neuron_migrate.engine.texts.facts import Command, PackageIndex, Requirement, Span, Variable
from neuron_migrate.engine.texts.options import Argument
from neuron_migrate.engine.texts.pep508 import requirement
from neuron_migrate.engine.texts.programs import base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_migrate.engine.texts.facts import Fact, Word

_PIP = re.compile(r"pip\d?(\.\d+)?")
_CONDA = {"conda", "mamba", "micromamba"}
_VERBS = {
    "pip": {"install", "download", "wheel"},
    "uv": {"add"},
    "poetry": {"add"},
    "pdm": {"add"},
    "pipenv": {"install"},
    "conda": {"install", "create", "update"},
}
_VARIABLES = {
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_EXTRA_INDEX_URL",
    "UV_FIND_LINKS",
    "UV_INDEX",
    "UV_INDEX_URL",
}
_CONFIGURED = re.compile(r"(global|install|site|user)\.(extra-)?(index-url|find-links)")


def facts(fact: Fact, text: str) -> Iterator[Requirement | PackageIndex]:
    """What a command installs and from where, or the index that a variable names."""
    if isinstance(fact, Variable):
        if fact.name in _VARIABLES and fact.value and fact.value_span:
            yield PackageIndex(fact.value, _without_quotes(fact.value_span, text))
    elif isinstance(fact, Command):
        manager, rest = _manager(fact.words)
        if manager:
            yield from _installed(manager, rest, fact, text)


def _manager(words: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """The package manager that a command starts, and what it is given."""
    program = (base(words[0]) or "").removesuffix(".exe")
    if _PIP.fullmatch(program):
        return "pip", words[1:]
    if program == "uv" and len(words) > 1 and _text(words[1]) == "pip":
        return "pip", words[2:]
    if program in _CONDA:
        return "conda", words[1:]
    return (program, words[1:]) if program in _VERBS else ("", ())


def _installed(
    manager: str, words: Sequence[Word], command: Command, text: str
) -> Iterator[Requirement | PackageIndex]:
    verb = next(
        (index for index, word in enumerate(words) if not _text(word).startswith("-")), None
    )
    if verb is None:
        return
    if manager == "pip" and [_text(each) for each in words[verb : verb + 2]] == ["config", "set"]:
        yield from _configured(words[verb + 2 :], text)
    if _text(words[verb]) not in _VERBS[manager]:
        return
    arguments = [_argument(word, text) for word in words[verb + 1 :]]
    given = options.read(arguments, conda=manager == "conda")
    read: Callable[[str, int], Requirement | None]
    read = conda_specs.requirement if manager == "conda" else requirement
    found = [(each, read(each.text, each.span.start)) for each in given.packages]
    names = tuple(asked.name for _, asked in found if asked is not None)
    yield from given.indexes
    yield from (replace(each, serves=names) for each in given.exclusive)
    alone = given.other or any(asked is None for _, asked in found)
    for argument, asked in found:
        if asked is not None:
            whole = None if argument.editable else _removal(argument, command, text)
            yield _placed(asked, argument, whole, None if alone else command.span)


def _placed(
    found: Requirement, argument: Argument, removal: Span | None, among: Span | None
) -> Requirement:
    found = replace(found, removal=removal, among=among)
    if argument.span.end - argument.span.start == len(argument.text):
        return found
    return replace(found, span=argument.whole, name_span=None, specifier_span=None)


def _removal(argument: Argument, command: Command, text: str) -> Span | None:
    """The word with the blanks before the next, or before it where it is the last."""
    places = [word.span for word in command.words]
    index = places.index(argument.whole)
    last = index + 1 == len(places)
    gap = Span(places[index - 1].end, argument.whole.start)
    if not last:
        gap = Span(argument.whole.end, places[index + 1].start)
    if text[gap.start : gap.end].strip(" \t\r\n\\"):
        return None
    return Span(min(gap.start, argument.whole.start), max(gap.end, argument.whole.end))


def _configured(words: Sequence[Word], text: str) -> Iterator[PackageIndex]:
    """``pip config set global.extra-index-url …``."""
    if len(words) > 1 and _CONFIGURED.fullmatch(_text(words[0])):
        argument = _argument(words[1], text)
        yield PackageIndex(argument.text, argument.span)


def _argument(word: Word, text: str) -> Argument:
    """A word that holds a variable stands for its source: an address may show what it is."""
    span = _without_quotes(word.span, text)
    value = text[span.start : span.end] if word.text is None else word.text
    return Argument(value, span, word.span)


def _without_quotes(span: Span, text: str) -> Span:
    quoted = span.end - span.start > 1 and text[span.start] in {'"', "'"}
    if quoted and text[span.end - 1] == text[span.start]:
        return Span(span.start + 1, span.end - 1)
    return span


def _text(word: Word) -> str:
    return word.text or ""
