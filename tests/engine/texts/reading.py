"""Facts of a text in the words of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.texts import installs
from neuron_migrate.engine.texts.facts import PackageIndex, Requirement
from neuron_migrate.engine.texts.readers import reader_of
from neuron_migrate.files.kinds import kind_of

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.facts import Reading


def read(text: str, path: str) -> Reading:
    """The facts of a text under a name, with what its commands install."""
    kind = kind_of(path)
    reader = None if kind is None else reader_of(kind)
    assert reader is not None
    reading = reader(text, path)
    reading.facts += [found for fact in reading.facts for found in installs.facts(fact, text)]
    return reading


def requirements(text: str, path: str) -> list[Requirement]:
    """What a text asks for; each stands where it says."""
    found = [fact for fact in read(text, path).facts if isinstance(fact, Requirement)]
    for each in found:
        if each.name_span is not None:
            name = text[each.name_span.start : each.name_span.end]
            assert name.lower().replace("_", "-").replace("pytorch", "torch").startswith(each.name)
    return found


def asked(text: str, path: str) -> list[tuple[str, str]]:
    """Names and specifiers."""
    return [(each.name, each.specifier) for each in requirements(text, path)]


def indexes(text: str, path: str) -> list[str]:
    """The package indexes, each as it stands in the text."""
    found = [fact for fact in read(text, path).facts if isinstance(fact, PackageIndex)]
    assert all(text[each.span.start : each.span.end] == each.url for each in found)
    return [each.url for each in found]


def without(text: str, path: str, name: str) -> str | None:
    """The text when a requirement is taken out; None where it cannot be."""
    [found] = [each for each in requirements(text, path) if each.name == name]
    if found.removal is None:
        return None
    return text[: found.removal.start] + text[found.removal.end :]
