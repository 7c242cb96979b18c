"""One module per kind of pattern that a rule can match in what is not Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.matchers.commands import Commands
from neuron_migrate.engine.texts.matchers.configurations import Configurations
from neuron_migrate.engine.texts.matchers.images import Images
from neuron_migrate.engine.texts.matchers.launchers import Launchers
from neuron_migrate.engine.texts.matchers.package_indexes import PackageIndexes
from neuron_migrate.engine.texts.matchers.requirements import Requirements
from neuron_migrate.engine.texts.matchers.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.versions import Release
    from neuron_migrate.engine.texts.matching import TextMatcher

_KINDS: dict[str, Callable[[list[Rule]], TextMatcher]] = {
    "config": Configurations,
    "image": Images,
    "launcher": Launchers,
    "command": Commands,  # after the launchers: it says nothing about what they spoke of
    "package-index": PackageIndexes,
    "variable": Variables,
}
_BY_RELEASE: dict[str, Callable[[list[Rule], Release | None], TextMatcher]] = {
    "requirement": Requirements,
}
"""Those that speak about what a release of the SDK goes with."""


def all_matchers(catalog: Catalog) -> list[TextMatcher]:
    """A matcher for every kind of pattern that the catalog uses."""
    rules = {
        kind: [rule for rule in catalog.rules if rule.match.__struct_config__.tag == kind]
        for kind in (*_KINDS, *_BY_RELEASE)
    }
    matchers = [make(rules[kind]) for kind, make in _KINDS.items() if rules[kind]]
    by_release = [
        make(rules[kind], catalog.release) for kind, make in _BY_RELEASE.items() if rules[kind]
    ]
    return [*matchers, *by_release]
