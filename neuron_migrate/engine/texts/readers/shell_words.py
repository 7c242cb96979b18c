"""Words of shell code: what they stand for, as far as that is written out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Span, Variable, VariableUse, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from neuron_migrate.engine.texts.trees import Tree

_CONTINUATION = re.compile(r"\\\r?\n")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_HANDED_ON = re.compile(r"(-e|--env|-x)(?:=?)(.*)", re.DOTALL)
_WITH_ENVIRONMENT = {
    "docker": "-e", "nvidia-docker": "-e", "podman": "-e", "mpirun": "-x", "mpiexec": "-x",
}  # fmt: skip
"""Programs with an option that sets a variable for what they start."""


def literal(node: Node, tree: Tree) -> str | None:
    """What a word stands for; None when that shows at run time."""
    source = tree.source(node)
    if node.type in {"word", "number"}:
        plain = _CONTINUATION.sub("", source)
        return None if "\\" in plain else plain
    if node.type == "raw_string":
        return source[1:-1]
    if node.type == "string" and all(
        child.type in {'"', "string_content"} for child in node.children
    ):
        plain = _CONTINUATION.sub("", source[1:-1])
        return None if "\\" in plain else plain
    if node.type == "concatenation":
        parts = [literal(child, tree) for child in node.children]
        return None if None in parts else "".join(part or "" for part in parts)
    return None


def handed_on(
    words: Sequence[Word], name: str | None, source: Callable[[Span], str]
) -> Iterator[Variable | VariableUse]:
    """The variables that a command sets for what it starts: ``env A=1``, ``docker run -e A=1``."""
    if name in {"env", "sudo"}:
        for word in words[1:]:
            yield from _assigned(word, word.text, source(word.span))
    option = _WITH_ENVIRONMENT.get(name or "")
    for at, word in enumerate(words if option else ()):
        match = _HANDED_ON.fullmatch(word.text or "")
        if match is None or match[1] not in {option, "--env"}:
            continue
        if match[2]:
            yield from _assigned(word, match[2], source(word.span))
        elif at + 1 < len(words):
            following = words[at + 1]
            yield from _assigned(following, following.text, source(following.span))
            if following.text is not None and following.text.isidentifier():
                yield VariableUse(following.text, following.span)


def _assigned(word: Word, assignment: str | None, source: str) -> Iterator[Variable]:
    """The variable that a word sets; one whose value shows at run time is known by its source."""
    match = _ASSIGNMENT.fullmatch(assignment if assignment is not None else source.strip("\"'"))
    if match is None:
        return
    start = word.span.start + source.find(f"{match[1]}=")
    value = start + len(match[1]) + 1
    end = word.span.end - (source[-1] in "\"'" and source[0] == source[-1])
    yield Variable(
        match[1],
        None if assignment is None else match[2],
        Span(start, end),
        Span(start, start + len(match[1])),
        Span(value, end),
    )
