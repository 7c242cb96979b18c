"""Whether a release of the SDK runs on this machine."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from neuron_migrate.doctor.machine import TOOLS, TOOLS_FOLDER
from neuron_migrate.doctor.verdict import Check, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.catalog.machine import Sources
    from neuron_migrate.catalog.versions import Platform, Release
    from neuron_migrate.doctor.machine import Machine

_check = partial(Check, section="machine")


def checks(machine: Machine, release: Release, sources: Sources) -> Iterator[Check]:
    """What there is to say about the machine."""
    yield _kind(machine, sources)
    if machine.system == "Linux":
        yield _system(machine, release)
    yield _instance(machine, release, sources)
    yield _devices(machine, release, sources)
    yield _tools(machine, sources)


def _kind(machine: Machine, sources: Sources) -> Check:
    seen = f"{machine.system} {machine.architecture}"
    says = partial(_check, name="architecture", seen=seen, sources=(sources.architecture,))
    if machine.system == "Linux" and machine.architecture in {"x86_64", "amd64"}:
        return says(verdict=Verdict.OK)
    means = "The wheels of torch-neuronx are for Linux on x86_64: nothing of it runs here."
    fix = "Change and check the code here, and run it on a Trn2 or Trn3 instance."
    return says(verdict=Verdict.PROBLEM, means=means, fix=fix)


def _system(machine: Machine, release: Release) -> Check:
    says = partial(_check, name="system", seen=machine.distribution or "Linux of an unknown name")
    if not machine.distribution:
        return says(verdict=Verdict.UNKNOWN, means="There is no /etc/os-release.")
    if not release.systems:
        return says(verdict=Verdict.UNKNOWN, means=_unlisted(release), sources=release.sources)
    for each in release.systems:
        if each.name == machine.distribution:
            return _listed(says, each)
    return says(
        verdict=Verdict.PROBLEM,
        means=f"TorchNeuron of Neuron SDK {release.sdk} runs on {_names(release.systems, 'and')}.",
        fix=f"Use {_names(release.systems, 'or')}, such as a DLAMI or a container of AWS.",
        sources=release.systems[0].sources,
    )


def _listed(says: partial[Check], platform: Platform) -> Check:
    """What the matrix says about a platform that it names."""
    verdict = Verdict.OK if platform.supported else Verdict.PROBLEM
    means = ""
    if platform.disputed:
        means = "The sources do not agree about it."
        verdict = Verdict.OK if platform.supported else Verdict.UNKNOWN
    return says(
        verdict=verdict,
        means=means,
        fix=platform.note,
        sources=platform.sources,
        disputed=platform.disputed,
    )


def _instance(machine: Machine, release: Release, sources: Sources) -> Check:
    answer = machine.instance
    if answer is None or not answer.instance:
        asked = "not asked" if answer is None else "no answer that could be used"
        reason = "--imds asks the metadata service of EC2." if answer is None else answer.problem
        source = (sources.metadata,)
        says = partial(_check, name="instance", seen=f"EC2 instance type: {asked}", sources=source)
        return says(verdict=Verdict.UNKNOWN, means=_sentence(reason))
    says = partial(_check, name="instance", seen=f"EC2 instance type: {answer.instance}")
    if not release.instances:
        return says(verdict=Verdict.UNKNOWN, means=_unlisted(release), sources=release.sources)
    for each in release.instances:
        if answer.instance.startswith(each.name):  # trn2u.48xlarge is one of trn2
            return _listed(says, each)
    return says(
        verdict=Verdict.PROBLEM,
        means=f"TorchNeuron runs on instances of {_names(release.instances, 'and')}.",
        fix=f"Run the code on an instance of {_names(release.instances, 'or')}.",
        sources=release.instances[0].sources,
    )


def _devices(machine: Machine, release: Release, sources: Sources) -> Check:
    source = (sources.devices,)
    if machine.devices:
        count = len(machine.devices)
        seen = f"Neuron devices: {count} (/dev/{machine.devices[0]} and on)"
        return _check(name="devices", seen=seen, verdict=Verdict.OK, sources=source)
    says = partial(_check, name="devices", seen="no /dev/neuron* devices", sources=source)
    if _is_trainium(machine, release):
        means = "The instance has Trainium, but no device of it can be seen."
        fix = "Load the driver (aws-neuronx-dkms); hand the devices to a container (--device)."
        return says(verdict=Verdict.PROBLEM, means=means, fix=fix)
    means = "No Trainium, no driver, or a container that was given no device: code can be changed"
    return says(verdict=Verdict.UNKNOWN, means=f"{means} and checked here, not run on Neuron.")


def _is_trainium(machine: Machine, release: Release) -> bool:
    instance = machine.instance.instance if machine.instance else ""
    return any(each.supported and instance.startswith(each.name) for each in release.instances)


def _tools(machine: Machine, sources: Sources) -> Check:
    source = (sources.tools,)
    if set(machine.tools) == set(TOOLS):
        seen = f"{' and '.join(TOOLS)} on PATH"
        return _check(name="tools", seen=seen, verdict=Verdict.OK, sources=source)
    missing = " and ".join(tool for tool in TOOLS if tool not in machine.tools)
    says = partial(_check, name="tools", seen=f"not on PATH: {missing}", sources=source)
    if machine.hidden_tools:
        means = f"/{TOOLS_FOLDER.as_posix()} has them, and is not on PATH."
        fix = f"export PATH=/{TOOLS_FOLDER.as_posix()}:$PATH"
        return says(verdict=Verdict.NOTE, means=means, fix=fix)
    means = "They list the devices and show the load; programs run without them."
    if machine.devices:
        return says(verdict=Verdict.NOTE, means=means, fix="Install aws-neuronx-tools.")
    return says(verdict=Verdict.UNKNOWN, means=means)


def _names(platforms: Sequence[Platform], word: str) -> str:
    return f" {word} ".join(sorted(each.name for each in platforms if each.supported))


def _unlisted(release: Release) -> str:
    return f"The catalog does not know what Neuron SDK {release.sdk} supports."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
