"""Dockerfiles: the images they build on, the variables they set, the commands they run."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Reading, Span, Variable, Word
from neuron_migrate.engine.texts.programs import base, programs
from neuron_migrate.engine.texts.readers.docker_instructions import instructions
from neuron_migrate.engine.texts.readers.images import image
from neuron_migrate.engine.texts.readers.shell import read_part
from neuron_migrate.engine.texts.readers.shell_words import handed_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neuron_migrate.engine.texts.facts import Fact
    from neuron_migrate.engine.texts.readers.docker_instructions import Instruction

_SPACE = r"(?:\s|\\\r?\n)"
_FLAGS = re.compile(rf"{_SPACE}*(?:--[\w-]+(?:=\S+)?{_SPACE}+)*")
_PAIR = re.compile(
    r"(?P<name>\w+)=(?P<value>(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|\\[^\r\n]|[^\s\"'\\])*)", re.DOTALL
)
_OLD_PAIR = re.compile(r"(?P<name>\w+)[ \t]+(?P<value>\S[^\r\n]*?)\s*\Z")
_REFERENCE = re.compile(r"\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_FROM = re.compile(r"(\S+)(?:\s+as\s+(\S+))?", re.IGNORECASE)
_COPY_FROM = re.compile(r"--from=(\S+)")
_KNOWN = frozenset(
    {
        "add",
        "arg",
        "cmd",
        "copy",
        "entrypoint",
        "env",
        "expose",
        "from",
        "healthcheck",
        "label",
        "maintainer",
        "onbuild",
        "run",
        "shell",
        "stopsignal",
        "user",
        "volume",
        "workdir",
    }
)  # fmt: skip


def read(text: str, path: str) -> Reading:
    """The facts of a Dockerfile."""
    reading = Reading()
    if path.lower().endswith("ignore"):
        return reading
    return _Dockerfile(text, reading).reading


class _Dockerfile:
    """One Dockerfile on the way to its facts."""

    def __init__(self, text: str, reading: Reading) -> None:
        self._text = text
        self.reading = reading
        self._arguments: dict[str, str] = {}
        self._stages: set[str] = set()
        self._readers: dict[str, Callable[[Instruction], None]] = {
            "from": self._from, "copy": self._copy, "env": self._env, "arg": self._env,
            "run": self._run, "cmd": self._run, "entrypoint": self._run,
            "healthcheck": self._nested, "onbuild": self._nested,
        }  # fmt: skip
        for instruction in instructions(text, reading.comments):
            self._read(instruction)

    def _read(self, instruction: Instruction) -> None:
        word = instruction.keyword.lower()
        if word in self._readers:
            self._readers[word](instruction)
        elif word not in _KNOWN and not self.reading.problems:
            reason = f"{instruction.keyword[:40]!r} is no instruction of a Dockerfile"
            self.reading.problems.append((instruction.start, reason))

    def _nested(self, instruction: Instruction) -> None:
        """``ONBUILD RUN …`` and ``HEALTHCHECK --interval=5m CMD …``."""
        inner = instruction.inner(_FLAGS)
        if inner is not None and inner.keyword.lower() != "none":
            self._read(inner)

    def _from(self, instruction: Instruction) -> None:
        match = _FROM.match(instruction.code, _after_flags(instruction))
        if match is None:
            return
        if match[1].lower() not in self._stages:
            self._image(match[1], instruction.start + match.start(1))
        if match[2]:
            self._stages.add(match[2].lower())

    def _copy(self, instruction: Instruction) -> None:
        match = _COPY_FROM.search(instruction.code, 0, _after_flags(instruction))
        if match and match[1].lower() not in self._stages and not match[1].isdigit():
            self._image(match[1], instruction.start + match.start(1))

    def _image(self, source: str, start: int) -> None:
        found = image(_REFERENCE.sub(self._value, source), Span(start, start + len(source)))
        if found is not None and found.name != "scratch":
            self.reading.facts.append(found)

    def _value(self, match: re.Match[str]) -> str:
        return self._arguments.get(match[1] or match[3]) or match[2] or match[0]

    def _env(self, instruction: Instruction) -> None:
        code, at = instruction.code, instruction.arguments
        matches = list(_PAIR.finditer(code, at))
        if not matches or code[at : matches[0].start()].strip(" \t\r\n\\"):
            old = _OLD_PAIR.match(code, at) if instruction.keyword.lower() == "env" else None
            matches = [old] if old else []
        for match in matches:
            fact = _variable(match, instruction.start)
            if instruction.keyword.lower() == "arg":
                self._arguments[fact.name] = fact.value or ""
            self.reading.facts.append(fact)

    def _run(self, instruction: Instruction) -> None:
        at = _after_flags(instruction) if instruction.keyword.lower() == "run" else None
        at = instruction.arguments if at is None else at
        code = instruction.code[at:]
        words = _exec_form(code, instruction.start + at)
        if words:
            self.reading.facts += self._started(words)
        elif instruction.heredoc is not None and not code[: instruction.heredoc[0] - at].strip():
            _, start, end, interpreter = instruction.heredoc
            if interpreter in {"", "bash", "sh"}:
                self._shell(self._text[start:end], start)
        elif not words:
            self._shell(code, instruction.start + at)

    def _shell(self, code: str, start: int) -> None:
        if code.startswith("#!") and "sh" not in code.partition("\n")[0]:
            return
        inner = read_part(code, start)
        self.reading.facts += inner.facts
        self.reading.comments += inner.comments
        if code.count("<<") < 2:  # the grammar knows one heredoc to a line
            self.reading.problems += inner.problems

    def _started(self, words: list[Word]) -> Iterator[Fact]:
        for program in programs(words):
            yield program
            yield from handed_on(program.words, base(program.words[0]), self._source)

    def _source(self, span: Span) -> str:
        return self._text[span.start : span.end]


def _after_flags(instruction: Instruction) -> int:
    match = _FLAGS.match(instruction.code, instruction.arguments)
    return match.end() if match is not None else instruction.arguments


def _exec_form(code: str, start: int) -> list[Word]:
    """The words of ``["torchrun", "train.py"]``; none where the code is for a shell."""
    if not code.lstrip().startswith("["):
        return []
    try:
        words = json.loads(re.sub(r"\\\r?\n", "", code))
    except (ValueError, RecursionError):
        return []
    places = list(_STRING.finditer(code))
    if not isinstance(words, list) or len(words) != len(places):
        return []
    return [
        Word(word if isinstance(word, str) else None, Span(start + at.start(), start + at.end()))
        for word, at in zip(words, places, strict=True)
    ]


def _variable(match: re.Match[str], start: int) -> Variable:
    value = match["value"]
    shown: str | None = (
        value[1:-1] if value[:1] in {"'", '"'} and value[:1] == value[-1:] else value
    )
    if value[:1] != "'" and shown is not None and ("$" in shown or "\\" in shown):
        shown = None
    return Variable(
        match["name"],
        shown,
        Span(start + match.start(), start + match.end("value")),
        Span(start + match.start("name"), start + match.end("name")),
        Span(start + match.start("value"), start + match.end("value")),
    )
