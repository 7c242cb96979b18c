"""What shells offer where a rule or a release is asked for: fast, so names of files, not rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Offer = tuple[str, str]
"""A word, and what a shell that can says beside it."""


def rules(incomplete: str) -> list[Offer]:
    """Codes of the built-in rules; names where a name was begun."""
    named = incomplete[:1].islower()
    return [(name, code) if named else (code, name) for code, name in _rules()]


def selections(incomplete: str) -> list[Offer]:
    """Families, then the codes of one that was begun, after what is there up to a comma."""
    from neuron_migrate.catalog.loader import FAMILIES

    head, comma, begun = incomplete.rpartition(",")
    families = [(f"NM{digit}", family) for digit, family in FAMILIES.items()]
    offers = families if len(begun) < len("NM1") else _rules()
    return [(f"{head}{comma}{code}", said) for code, said in offers]


def releases() -> list[Offer]:
    """The releases of the Neuron SDK that are known."""
    from neuron_migrate.catalog import loader

    return [(each.sdk, "") for each in loader.releases()]


def _rules() -> Iterator[Offer]:
    from neuron_migrate.catalog.loader import folder

    for file in sorted(folder().glob("*/NM*.toml"), key=lambda file: file.name):
        code, _, name = file.stem.partition("-")
        yield code, name
