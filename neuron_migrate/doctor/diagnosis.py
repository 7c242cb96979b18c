"""From a machine and a project to what doctor says about them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from neuron_migrate.catalog import machine as machine_facts
from neuron_migrate.catalog.versions import Release
from neuron_migrate.doctor import imds, machine, packages, project
from neuron_migrate.doctor.checks import machine as of_machine
from neuron_migrate.doctor.checks import packages as of_packages
from neuron_migrate.doctor.checks import project as of_project
from neuron_migrate.doctor.checks import variables as of_variables
from neuron_migrate.doctor.verdict import Check, Diagnosis, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.settings import Settings


def diagnose(
    paths: Sequence[Path], catalog: Catalog, settings: Settings, *, python: str | None, ask: bool
) -> Diagnosis:
    """Look at everything; ``ask`` lets the metadata service of EC2 be asked.

    Raises UsageError for a path that is not there and for an interpreter that cannot be asked.
    """
    facts = machine_facts.load()
    release = catalog.release or Release(sdk=catalog.sdk, date="", stage="", sources=())
    environment = packages.look(python)
    here = machine.look(instance=imds.instance_type() if ask else None)
    declared = project.look(paths, catalog, settings)
    installed = {each.name.lower() for each in environment.distributions}
    return Diagnosis(
        sdk=release.sdk,
        stage=release.stage,
        date=release.date,
        python=environment.executable,
        chosen=environment.chosen,
        checks=(
            *of_machine.checks(here, release, facts.sources),
            *_matrix(release),
            *of_packages.checks(environment, catalog, release, facts, on_neuron=bool(here.devices)),
            *of_variables.checks(dict(os.environ), catalog, facts, installed),
            *of_project.checks(declared, catalog, release, facts),
        ),
    )


def _matrix(release: Release) -> Iterator[Check]:
    if not release.packages:
        yield Check(
            section="packages",
            name="matrix",
            seen=f"versions that Neuron SDK {release.sdk} goes with",
            verdict=Verdict.UNKNOWN,
            means="The catalog does not know them: no public document that it rests on tells them.",
            sources=release.sources,
        )
