"""Whether what is installed goes with a release of the SDK, and with what else is installed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from neuron_migrate.doctor.checks.advice import PLUGIN, install, minor
from neuron_migrate.doctor.checks.installed import Installed
from neuron_migrate.doctor.verdict import Check, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.machine import MachineFacts
    from neuron_migrate.catalog.versions import Release
    from neuron_migrate.doctor.packages import Environment

_check = partial(Check, section="packages")
_NEEDED = ("torch", PLUGIN)


def checks(
    environment: Environment,
    catalog: Catalog,
    release: Release,
    facts: MachineFacts,
    *,
    on_neuron: bool,
) -> Iterator[Check]:
    """What there is to say about the packages; ``on_neuron`` says that they are to run here."""
    if environment.isolated:
        yield _isolated(environment)
    installed = Installed(environment, catalog, release, facts)
    yield from installed.python()
    for name in _NEEDED:
        if name not in installed.versions:
            needed = on_neuron and not environment.isolated
            yield _missing(name, installed.install(name), facts, needed=needed)
    yield from installed.checks()
    yield from _family(installed.versions, release, facts)
    yield from _cuda(environment, installed.versions, facts)
    if environment.unreadable:
        yield _unreadable(environment)


def _isolated(environment: Environment) -> Check:
    return _check(
        name="environment",
        seen=f"packages of {environment.executable}",
        verdict=Verdict.NOTE,
        means="This environment was made for neuron-migrate alone, by pipx or uv: it says nothing"
        " about the one that your code runs in.",
        fix="Name its interpreter, or its folder: --python .venv",
    )


def _missing(name: str, fix: str, facts: MachineFacts, *, needed: bool) -> Check:
    means = (
        "Without it there is no device `neuron`."
        if needed
        else "Which one the code will run with cannot be known here."
    )
    return _check(
        name=name,
        seen=f"{name} is not installed",
        verdict=Verdict.PROBLEM if needed else Verdict.UNKNOWN,
        means=means,
        fix=fix,
        sources=(facts.sources.torch,),
    )


def _family(versions: dict[str, str], release: Release, facts: MachineFacts) -> Iterator[Check]:
    """Whether torch and torch-neuronx are made for each other, where both may be right alone."""
    torch, neuron = (minor(versions.get(name, "")) for name in _NEEDED)
    if not torch or not neuron or versions[PLUGIN] == facts.placeholder.version:
        return
    seen = f"torch {versions['torch']} with torch-neuronx {versions['torch-neuronx']}"
    says = partial(_check, name="family", seen=seen, sources=(facts.sources.family,))
    if torch == neuron:
        yield says(verdict=Verdict.OK)
        return
    means = "A torch-neuronx is built for one minor release of torch, the one it is named after."
    fix = install(PLUGIN, release, facts, torch=versions["torch"])
    yield says(verdict=Verdict.PROBLEM, means=means, fix=fix)


def _cuda(
    environment: Environment, versions: dict[str, str], facts: MachineFacts
) -> Iterator[Check]:
    version = versions.get("torch", "")
    built = environment.cuda or ("" if "+cu" not in version else version.partition("+cu")[2])
    if built:
        yield _check(
            name="cuda-build",
            seen=f"torch {version} is built for CUDA {built}",
            verdict=Verdict.NOTE,
            means="The Neuron plugin has been seen beside such a build. `torch.version.cuda` and"
            " `torch.backends.cudnn` then say nothing about the hardware.",
            fix="AWS installs TorchNeuron with the CPU build of torch.",
            sources=(facts.sources.torch, facts.sources.cuda_build),
        )


def _unreadable(environment: Environment) -> Check:
    return _check(
        name="unreadable",
        seen=f"{len(environment.unreadable)} without name or version:"
        f" {', '.join(environment.unreadable[:3])}",
        verdict=Verdict.UNKNOWN,
        means="What such a folder holds is not known; an installation that was broken off leaves"
        " one.",
    )
