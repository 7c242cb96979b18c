"""What the tests of doctor share: the catalog, and ways to find a check."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from neuron_migrate.catalog import loader, machine
from neuron_migrate.doctor.packages import Distribution, Environment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.versions import Release
    from neuron_migrate.doctor.verdict import Check

FACTS = machine.load()


@cache
def catalog(sdk: str = "2.33") -> Catalog:
    return loader.load(sdk=sdk)


def release(sdk: str = "2.33") -> Release:
    found = catalog(sdk).release
    assert found is not None
    return found


def environment(
    *packages: str, python: str = "3.13.1", isolated: bool = False, cuda: str = ""
) -> Environment:
    """An environment with packages such as ``torch 2.14.0``."""
    return Environment(
        executable="/env/bin/python",
        prefix="/env",
        version=python,
        implementation="cpython",
        distributions=tuple(Distribution(*each.split(" ")) for each in packages),
        isolated=isolated,
        cuda=cuda,
    )


def verdicts(checks: Iterable[Check]) -> dict[str, str]:
    """The verdict of every check, by its name."""
    return {check.name: check.verdict.value for check in checks}


def only(checks: Iterable[Check], name: str) -> Check:
    """The one check of a name."""
    (found,) = [check for check in checks if check.name == name]
    return found
