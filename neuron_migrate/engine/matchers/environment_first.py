"""Calls before which the program must have set an environment variable."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import EnvironmentMatch
from neuron_migrate.engine.imports import call_after_imports

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class EnvironmentFirst:
    """Matches rules of kind ``environment-first``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.kinds: list[tuple[Rule, EnvironmentMatch, frozenset[str]]] = []
        for rule in rules:
            assert isinstance(rule.match, EnvironmentMatch)
            leaves = frozenset(each.rpartition(".")[2] for each in rule.match.functions)
            self.kinds.append((rule, rule.match, leaves))
        self.calls: dict[str, list[tuple[Here, cst.Call]]] = {}

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note a call that needs the variable."""
        assert isinstance(node, cst.Call)
        for rule, pattern, leaves in self.kinds:
            path = here.path(node.func)
            if path.rpartition(".")[2] in leaves and _needs_it(path, pattern):
                self.calls.setdefault(rule.code, []).append((here, node))

    def finish(self, file: File) -> None:
        """Report the first call, unless the file sets the variable itself."""
        for rule, pattern, _ in self.kinds:
            calls = self.calls.pop(rule.code, [])
            if calls and not file.is_stub and not _is_set(pattern.variable, file.text):
                _report(rule, pattern, calls, file)


def _report(
    rule: Rule, pattern: EnvironmentMatch, calls: list[tuple[Here, cst.Call]], file: File
) -> None:
    here, first = min(calls, key=lambda call: call[0].piece.span(call[1])[0])
    at_import = [each.piece.statement.start[0] for each, _ in calls if each.scope.kind == "module"]
    draft = here.report(rule, first.func)
    if draft.hidden:
        return
    quote = file.quote
    call = f"environ.setdefault({quote}{pattern.variable}{quote}, {quote}{pattern.value}{quote})"
    before = min(at_import, default=None)
    draft.edits = call_after_imports(file.index, file.text, "os", call, before)
    draft.fix = "safe"


def _needs_it(path: str, pattern: EnvironmentMatch) -> bool:
    if any(fnmatchcase(path, each) for each in pattern.unless):
        return False
    return any(fnmatchcase(path, each) for each in pattern.functions)


def _is_set(variable: str, text: str) -> bool:
    """True when the variable is named outside a comment."""
    return re.search(rf"^[^#\n]*\b{re.escape(variable)}\b", text, re.MULTILINE) is not None
