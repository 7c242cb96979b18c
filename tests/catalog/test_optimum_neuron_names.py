"""The table of optimum-neuron: no public name is missing, and what it writes exists."""

from __future__ import annotations

import pytest

from neuron_migrate.catalog.patterns import GoneMatch, MovedMatch
from tests.cases import catalog
from tests.catalog.names import moved, read

OLD = read("optimum_neuron.txt")
NEW = read("replacements.txt")
MOVED = {
    f"{home}.{name.name}": (match, name)
    for match in moved()
    for name in match.names
    for home in name.homes or match.homes
}
GONE = [rule.match for rule in catalog().rules if isinstance(rule.match, GoneMatch)]
NAMED = {entry.name for match in GONE for entry in match.names}
PACKAGES = {package for match in GONE for package in match.packages} - {"optimum.neuron"}
"""Packages with a way out of their own; that of all of optimum-neuron says too little."""
TARGETS = sorted({name.to for match in moved() for name in match.names})
CALLED = sorted(path for path, (match, _) in MOVED.items() if match.called and OLD.get(path))


def test_the_lists_are_whole() -> None:
    assert len(OLD) > 600
    assert {"optimum.neuron.NeuronTrainer", "optimum.neuron.trainers.NeuronSFTConfig"} <= set(OLD)
    assert "zero_1" in OLD["optimum.neuron.trainers.training_args.NeuronTrainingArguments"]


@pytest.mark.parametrize("name", sorted(OLD))
def test_every_public_name_is_in_the_catalog(name: str) -> None:
    parts = name.split(".")
    above = {".".join(parts[:length]) for length in range(1, len(parts))}
    assert name in MOVED or name in NAMED or above & PACKAGES


@pytest.mark.parametrize("name", TARGETS)
def test_replacements_exist(name: str) -> None:
    assert name in NEW, "python -m tests.catalog.names looks it up"


@pytest.mark.parametrize("path", CALLED)
def test_every_argument_has_a_place(path: str) -> None:
    """What the old call takes the new one takes too, or the catalog says what becomes of it."""
    match, name = MOVED[path]
    spoken = {each for argument in match.arguments for each in argument.names}
    assert OLD[path] - NEW[name.to] - {"args", "kwargs"} <= spoken


@pytest.mark.parametrize(
    "match", [each for each in moved() if each.called], ids=lambda each: each.names[0].name
)
def test_arguments_that_are_written_exist(match: MovedMatch) -> None:
    known = {each for name in match.names for each in NEW[name.to]}
    written = {argument.to for argument in match.arguments if argument.to}
    assert written | {added.name for added in match.adds} <= known
