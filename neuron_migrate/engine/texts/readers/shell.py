"""Shell scripts: the variables they set and the commands they run."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Command, Reading, Span, Variable, VariableUse, Word
from neuron_migrate.engine.texts.programs import base, programs
from neuron_migrate.engine.texts.readers.images import RUNS_IMAGES, images_of
from neuron_migrate.engine.texts.readers.shell_nodes import is_problem, is_use
from neuron_migrate.engine.texts.readers.shell_variables import Bindings, words_of
from neuron_migrate.engine.texts.readers.shell_words import handed_on, literal
from neuron_migrate.engine.texts.trees import Tree, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from neuron_migrate.engine.texts.facts import Fact

_OTHER_LANGUAGE = re.compile(r"#!(?!.*\b(?:ba|da|k|z|a)?sh(?:\s|$))")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "sbatch"})
_CODE_OPTION = re.compile(r"-[a-z]*c")
_DIRECTIVE = re.compile(r"#SBATCH[ \t]+(.*)")
_WORD = re.compile(r"\S+")
_ENVIRONMENT = re.compile(r"[A-Z][A-Z0-9_]*")
_CR = re.compile(r"(\\?)\r\n")


def read(text: str, path: str) -> Reading:
    """The facts of a script."""
    del path
    if _OTHER_LANGUAGE.match(text):
        return Reading()
    reading = read_part(text)
    reading.facts += _directives(text, reading.comments)
    return reading


def read_part(text: str, start: int = 0) -> Reading:
    """The facts of shell code that stands at ``start`` in a file of another kind."""
    unix = _CR.sub(lambda match: " \\\n" if match[1] else " \n", text)
    return _Script(unix, start).reading


class _Script:
    """One piece of shell code on the way to its facts."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._start = start
        self._tree = Tree(text, "bash", start)
        self._bindings = Bindings(text)
        self.reading = Reading()
        commands: list[Node] = []
        for node in walk(self._tree.root):
            self._visit(node, commands)
        seen: set[Fact] = set()
        for command in commands:
            for fact in self._started(command):
                if fact not in seen:
                    seen.add(fact)
                    self.reading.facts.append(fact)

    def _visit(self, node: Node, commands: list[Node]) -> None:
        kind, tree = node.type, self._tree
        if kind == "comment":
            self.reading.comments.append(tree.span(node))
        elif kind == "variable_assignment":
            self._assignment(node)
        elif kind == "command":
            commands.append(node)
        elif kind == "variable_name" and is_use(node):
            name = tree.source(node)
            if _ENVIRONMENT.fullmatch(name):
                unset = node.parent is not None and node.parent.type == "unset_command"
                self.reading.facts.append(VariableUse(name, tree.span(node), unset))
        elif kind == "heredoc_body" and _is_for_shell(node, tree):
            self._include(tree.source(node), tree.span(node).start)
        elif not self.reading.problems and is_problem(node, tree):
            self.reading.problems.append((tree.span(node).start, "not valid shell code"))

    def _assignment(self, node: Node) -> None:
        tree = self._tree
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        text = "" if value is None else literal(value, tree)
        place = None if value is None else tree.span(value)
        if value is not None:
            append = any(child.type == "+=" for child in node.children)
            self._bindings.add(tree.source(name), value, tree, append=append)
        self.reading.facts.append(
            Variable(tree.source(name), text, tree.span(node), tree.span(name), place)
        )

    def _started(self, command: Node) -> Iterator[Fact]:
        for words in self._bindings.lines(words_of(command), self._tree):
            for program in programs(words):
                yield program
                name = base(program.words[0])
                yield from handed_on(program.words, name, self._source)
                yield from images_of(words if name in RUNS_IMAGES else (), name)
                if name in _SHELLS:
                    self._code_of(program.words)

    def _source(self, span: Span) -> str:
        return self._text[span.start - self._start : span.end - self._start]

    def _code_of(self, words: Sequence[Word]) -> None:
        """``bash -c "…"``."""
        for option, code in pairwise(words):
            if option.text and _CODE_OPTION.fullmatch(option.text):
                source = self._source(code.span)
                if source[:1] in {"'", '"'} and "\\" not in source.replace("\\\n", ""):
                    self._include(source[1:-1], code.span.start + 1)
                return

    def _include(self, code: str, start: int) -> None:
        inner = _Script(code, start).reading
        self.reading.facts += inner.facts
        self.reading.comments += inner.comments


def _is_for_shell(heredoc: Node, tree: Tree) -> bool:
    """``bash <<EOF``, and not ``cat <<EOF`` or ``bash script.sh <<EOF``."""
    statement = heredoc.parent.parent if heredoc.parent is not None else None
    command = None if statement is None else statement.child_by_field_name("body")
    if command is None or command.type != "command":
        return False
    words = [Word(literal(each, tree), tree.span(each)) for each in words_of(command)]
    *_, last = programs(words)
    return base(last.words[0]) in _SHELLS and all(
        word.text is not None and word.text.startswith("-") for word in last.words[1:]
    )


def _directives(text: str, comments: list[Span]) -> Iterator[Command]:
    """What a script asks of Slurm, as if it were said on the command line."""
    for span in comments:
        match = _DIRECTIVE.match(text, span.start, span.end)
        if match is None:
            continue
        words = [Word("sbatch", Span(span.start, span.start + len("#SBATCH")))]
        for each in _WORD.finditer(match[1]):
            if each[0].startswith("#"):
                break
            place = match.start(1) + each.start()
            words.append(Word(each[0], Span(place, place + len(each[0]))))
        yield Command(tuple(words), Span(span.start, words[-1].span.end))
