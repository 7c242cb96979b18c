"""The facts of doctor, which no rule's examples execute."""

from __future__ import annotations

from neuron_migrate.catalog import loader, machine


def _addresses() -> list[str]:
    facts = machine.load()
    places = [each for release in loader.releases() for each in release.systems]
    places += [each for release in loader.releases() for each in release.instances]
    return [
        *(source for each in facts.variables for source in each.sources),
        *(each.source for each in facts.known),
        *(source for each in facts.undated for source in each.sources),
        *(getattr(facts.sources, name) for name in facts.sources.__struct_fields__),
        *(source for each in places for source in each.sources),
        *(claim.source for each in places for claim in each.disputed),
        facts.index.address,
    ]


def test_sources_are_addresses() -> None:
    assert [each for each in _addresses() if not each.startswith("https://")] == []


def test_rules_that_are_named_exist() -> None:
    known = {rule.code for rule in loader.load().rules}
    assert set(machine.load().harmful) <= known


def test_a_platform_that_is_in_doubt_says_why() -> None:
    for release in loader.releases():
        for each in (*release.systems, *release.instances):
            assert each.supported or each.note
            assert len(each.disputed) != 1


def test_a_variable_is_advised_for_some_value() -> None:
    for advice in machine.load().variables:
        assert bool(advice.values) != bool(advice.unless)
