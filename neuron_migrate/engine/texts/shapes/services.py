"""What services, jobs and steps of a workflow start: their images, variables and commands."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine.texts.facts import Span, VariableUse
from neuron_migrate.engine.texts.nodes import Mapping, Scalar, Sequence, items, mappings, scalar
from neuron_migrate.engine.texts.programs import base, programs
from neuron_migrate.engine.texts.readers.images import image, images_of
from neuron_migrate.engine.texts.readers.shell import read_part
from neuron_migrate.engine.texts.readers.shell_words import handed_on
from neuron_migrate.engine.texts.scalars import part
from neuron_migrate.engine.texts.shapes import variables
from neuron_migrate.engine.texts.shapes.kinds import OTHER, UNKNOWN
from neuron_migrate.engine.texts.shapes.words import Listed, words_of

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.facts import Fact, Reading, Word
    from neuron_migrate.engine.texts.nodes import Node


class _Keys(NamedTuple):
    """Which keys of a kind of document hold what."""

    shell: frozenset[str] = frozenset()
    """Code for a shell, or a list of such."""
    words: tuple[str, ...] = ()
    """Words of one command line; those of a later key go on where the one before ends."""
    variables: frozenset[str] = frozenset()
    images: frozenset[str] = frozenset()
    uses: str = ""
    """How a value refers to a variable."""


KINDS = {
    "workflow": _Keys(
        shell=frozenset(
            {"run", "script", "before_script", "after_script", "command", "commands", "bash"}
        ),
        variables=frozenset({"env", "environment", "variables"}),
        images=frozenset({"image", "container"}),
        uses=r"\benv\.([A-Z][A-Z0-9_]*)",
    ),
    "compose": _Keys(
        words=("entrypoint", "command"),
        variables=frozenset({"environment"}),
        images=frozenset({"image"}),
        uses=r"(?<!\$)\$\{?([A-Z][A-Z0-9_]*)",
    ),
    "kubernetes": _Keys(
        words=("command", "args"),
        variables=frozenset({"env"}),
        images=frozenset({"image"}),
        uses=r"\$\(([A-Z][A-Z0-9_]*)\)",
    ),
    "task": _Keys(
        shell=frozenset({"run", "setup", "commands"}),
        variables=frozenset({"env", "envs"}),
        images=frozenset({"image"}),
    ),
    "devcontainer": _Keys(
        shell=frozenset({"onCreateCommand", "postCreateCommand", "postStartCommand"}),
        variables=frozenset({"containerEnv", "remoteEnv"}),
        images=frozenset({"image"}),
    ),
    OTHER: _Keys(variables=frozenset({"env_vars"}), images=frozenset({"image_uri"})),
}  # fmt: skip
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_CODE_OPTION = re.compile(r"-[a-z]*c")
_FILLED_IN = re.compile(rf"\$\{{\{{.*?\}}\}}|<<.{{2,60}}?>>|{UNKNOWN}{{4,}}", re.DOTALL)
"""What is put into a script before a shell reads it."""


class Started:
    """A document on the way to the facts about what it starts."""

    def __init__(self, source: str, kind: str, reading: Reading) -> None:
        self._source = source
        self._keys = KINDS[kind]
        self._in_lines = kind != "compose"
        self._reading = reading
        self._seen: set[Fact] = set()

    def read(self, root: Mapping) -> None:
        """Add the facts of all services, jobs and steps."""
        foreign: set[int] = set()
        for mapping in mappings(root):
            inputs = mapping.get("with")
            if isinstance(inputs, Mapping):
                foreign.add(id(inputs))
            if id(mapping) not in foreign:
                self._mapping(mapping)
        if self._keys.uses:
            self._uses(root, re.compile(self._keys.uses))

    def _mapping(self, mapping: Mapping) -> None:
        for key, value in mapping.entries:
            if key.text in self._keys.variables:
                self._add(*variables.variables(value, self._source))
            elif key.text in self._keys.images:
                self._image(value)
            elif key.text in self._keys.shell and not _is_other_language(mapping):
                for each in items(value):
                    self._shell(each)
        self._words(mapping)

    def _image(self, value: Node) -> None:
        if isinstance(value, Mapping):
            value = value.get("name") or value
        if isinstance(value, Scalar) and value.text and value.style not in {"|", ">"}:
            found = image(value.text.replace(UNKNOWN, "$"), value.inner)
            if found is not None:
                self._add(found)

    def _shell(self, value: Node) -> None:
        code = part(value, self._source) if isinstance(value, Scalar) else None
        if code is not None:
            masked = _FILLED_IN.sub(_reference, code.text)
            masked = masked if self._in_lines else masked.replace("\n", " ")
            found, before = read_part(masked), len(self._reading.facts)
            code.include(found, self._reading)
            added = self._reading.facts[before:]
            del self._reading.facts[before:]
            self._add(*added)

    def _words(self, mapping: Mapping) -> None:
        """The words of a command line in a list."""
        listed: list[Listed] = []
        for key in self._keys.words:
            value = mapping.get(key)
            if isinstance(value, Scalar):
                self._shell(value)
            elif isinstance(value, Sequence):
                listed += words_of(value, self._source)
        words = [each.word for each in listed]
        if not words or (words[0].text or "-").startswith("-"):
            return
        for program in programs(words):
            name = base(program.words[0])
            self._add(program, *handed_on(program.words, name, self._text), *images_of(words, name))
            if name in _SHELLS:
                self._code_of(program.words, listed)

    def _code_of(self, words: tuple[Word, ...], listed: list[Listed]) -> None:
        """The script after ``bash -c``."""
        for option, code in pairwise(words):
            if option.text and _CODE_OPTION.fullmatch(option.text):
                for each in listed:
                    if each.word == code:
                        self._shell(each.scalar)
                return

    def _uses(self, root: Node, pattern: re.Pattern[str]) -> None:
        for mapping in mappings(root):
            for _, value in mapping.entries:
                for each in items(value):
                    if isinstance(each, Scalar):
                        self._uses_in(each.place, pattern)

    def _uses_in(self, place: Span, pattern: re.Pattern[str]) -> None:
        for match in pattern.finditer(self._source, place.start, place.end):
            self._add(VariableUse(match[1], Span(match.start(1), match.end(1))))

    def _add(self, *facts: Fact) -> None:
        for fact in facts:
            if fact not in self._seen:
                self._seen.add(fact)
                self._reading.facts.append(fact)

    def _text(self, span: Span) -> str:
        return self._source[span.start : span.end]


def _is_other_language(step: Mapping) -> bool:
    shell = scalar(step.get("shell"))
    return bool(shell) and str(shell).split()[0] not in _SHELLS


def _reference(match: re.Match[str]) -> str:
    """A variable of the same length: it stands for what is not known."""
    return "${" + "_" * (len(match[0]) - 3) + "}"
