"""The facts of a rehearsal speak of rules that there are."""

from __future__ import annotations

import re

from neuron_migrate.catalog import loader, rehearsal

FACTS = rehearsal.load()
CODES = {rule.code for rule in loader.load().rules}


def test_every_rule_is_in_the_catalog() -> None:
    named = {fact.rule for fact in FACTS.operators}
    named |= {code for fact in FACTS.exceptions for code in fact.rules}
    assert named <= CODES


def test_operators_are_named_without_overload() -> None:
    names = [name for fact in FACTS.operators for name in fact.names]
    assert all(re.fullmatch(r"aten::\w+", name) for name in names)


def test_operators_are_those_of_torch() -> None:
    import pytest

    torch = pytest.importorskip("torch")
    schemas = {each.name for each in torch._C._jit_get_all_schemas()}
    assert {name for fact in FACTS.operators for name in fact.names} <= schemas


def test_every_exception_has_something_to_say() -> None:
    for fact in FACTS.exceptions:
        re.compile(fact.pattern)
        assert fact.rules or fact.why


def test_sources_are_addresses() -> None:
    found = [*FACTS.memory.sources, *FACTS.compile.sources, FACTS.compile.fusion]
    found += [url for fact in FACTS.exceptions for url in fact.sources]
    assert all(url.startswith("https://") for url in found)
