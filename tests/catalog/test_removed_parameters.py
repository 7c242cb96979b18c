"""Every parameter that a Hugging Face class lost on the way to Neuron has an entry in a rule."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase

import pytest

from neuron_migrate.catalog.patterns import CallMatch
from tests.cases import catalog
from tests.catalog.removed_parameters import CLASSES, FILE

TABLE: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
LOST = [(path, name) for path, names in TABLE.items() for name in names]


def test_every_class_was_looked_at() -> None:
    assert TABLE.keys() == CLASSES.keys()
    assert len(LOST) > 50


@pytest.mark.parametrize(("path", "name"), LOST)
def test_a_lost_parameter_has_an_entry(path: str, name: str) -> None:
    assert any(
        change.name == name
        for rule in catalog().rules
        if isinstance(rule.match, CallMatch)
        and any(fnmatchcase(path, function) for function in rule.match.functions)
        for change in rule.match.arguments
    )
