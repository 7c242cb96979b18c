"""What the words of the catalog mean, and what the fixes of a rule come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.finding import Risk
from neuron_migrate.report.rule_sections import TARGETS

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule
    from site_pages.fixes import Fixes

RISKS = {
    Risk.BREAKS: "it raises, or does not start",
    Risk.WRONG: "it runs, with another result or precision, and says nothing",
    Risk.CPU: "it runs on the CPU, and says nothing",
    Risk.RECOMPILES: "it compiles again and again, about a minute each time",
    Risk.SLOW: "it runs slower than it could",
    Risk.INFO: "it does nothing on Neuron, or is worth knowing",
}
FAMILIES = {
    "device": "device placement and the `torch.cuda` API",
    "compile": "`torch.compile` and shapes",
    "huggingface": "Hugging Face: loading, pipelines, trainers, Diffusers",
    "lineage": "optimum-neuron and torch-xla, the stack before TorchNeuron",
    "distributed": "several processes and devices",
    "precision": "precision and random numbers",
    "libraries": "libraries that only exist for CUDA",
    "environment": "variables, requirements, launch lines, containers, configurations",
    "operators": "operators that do not lower, run on the CPU, or wait for the device",
    "tool": "what the tool says about itself",
}
CONFIDENCE = {
    "documented": "a public source says so",
    "unverified": "likely, not proven: check it on hardware",
}


def fix(rule: Rule, fixes: Fixes) -> str:
    """Its fixes in a few words, for each target where they differ."""
    found = {target: fixes.kinds(rule, target) for target in TARGETS}
    if len(set(found.values())) == 1:
        return found["neuron"]
    return ", ".join(f"{kinds} (`{target}`)" for target, kinds in found.items())
