"""A fixed configuration holds the same data, but for what the edits say.

With NEURON_MIGRATE_CORPUS set to a folder of real code, its YAML and JSON go through it too.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from neuron_migrate.engine.texts.nodes import Mapping, Scalar
from neuron_migrate.engine.texts.readers.yaml_tree import documents
from neuron_migrate.engine.triggers import Triggers
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.source import SourceError
from tests.cases import TARGETS, Case, catalog, discover, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.texts.nodes import Node
    from neuron_migrate.finding import Target

CASES = [each for each in discover("environment") if kind_of(each.path) in {Kind.YAML, Kind.JSON}]
CORPUS = os.environ.get("NEURON_MIGRATE_CORPUS")


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_only_what_is_edited_differs(case: Case, target: Target, unsafe: bool) -> None:
    assert not _fault(case.before, case.path, target, unsafe=unsafe)


@pytest.mark.skipif(CORPUS is None, reason="NEURON_MIGRATE_CORPUS names no folder of real code")
@pytest.mark.parametrize("target", TARGETS)
def test_only_what_is_edited_differs_in_real_files(target: Target) -> None:
    words = Triggers(catalog().text_gates)
    for file in sorted(Path(CORPUS or "").rglob("*")):
        if kind_of(file.name) not in {Kind.YAML, Kind.JSON} or not file.is_file():
            continue
        data = file.read_bytes()
        if words.occur(data):
            assert not _fault(data, file.name, target, unsafe=True), file


def _fault(before: bytes, path: str, target: Target, *, unsafe: bool) -> str:
    try:
        done = run(before, target, unsafe=unsafe, path=path)
    except SourceError:
        return ""
    if done.fixed.text == done.before.text or "{%" in done.before.text:
        return ""
    old, new = _data(done.before.text, path), _data(done.fixed.text, path)
    edits = sum(len(each.edits) for step in done.passes for each in step.findings)
    return "" if (old - new).total() <= edits and (new - old).total() <= edits else "it differs"


def _data(text: str, path: str) -> Counter[str]:
    """Every value with the keys that lead to it."""
    if kind_of(path) is Kind.JSON:
        try:
            return Counter(_leaves(json.loads(text), ""))
        except ValueError:
            return Counter()
    if "{{" in text:
        return Counter()
    return Counter(leaf for root in documents(text) for leaf in _of(root, "", set()))


def _leaves(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, f"{path}/*")
    else:
        yield f"{path}={value!r}"


def _of(node: Node, path: str, seen: set[int]) -> Iterator[str]:
    """Those of a tree, of what an alias refers to once."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, Scalar):
        yield f"{path}={node.text}"
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _of(value, f"{path}/{key.text}", seen)
    else:
        for value in node.items:
            yield from _of(value, f"{path}/*", seen)
