"""The lineage rules against the packages they speak about: no public name is left out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog.patterns import GoneMatch, VariableMatch
from neuron_migrate.engine import templates
from tests.cases import catalog, run
from tests.catalog import xla_names

if TYPE_CHECKING:
    from collections.abc import Iterator

GONE = [rule.match for rule in catalog().rules if isinstance(rule.match, GoneMatch)]
ENTRIES = {entry.name: entry for match in GONE for entry in match.names}
PACKAGES = {package for match in GONE for package in match.packages}
VARIABLES = {
    name
    for rule in catalog().rules
    if isinstance(rule.match, VariableMatch)
    for name in rule.match.names
}
PUBLIC = xla_names.read()
WELL_KNOWN = (
    "torch_xla.core.xla_model", "torch_xla.runtime", "torch_xla.distributed.parallel_loader",
    "torch_xla.distributed.xla_multiprocessing", "torch_xla.amp.autocast_mode",
)  # fmt: skip
PLUMBING = {
    "torch_xla.core.xla_model.XLA_LIB",
    "torch_xla.distributed.parallel_loader.PerDeviceLoader",
    "torch_xla.distributed.parallel_loader.PerDeviceQueue",
    "torch_xla.runtime.FN",
    "torch_xla.runtime.R",
    "torch_xla.logger",
    "torch_xla.xla_device_count",
}
"""What users do not reach for: the entry of the module answers."""
BY_NAME = [
    name
    for name in PUBLIC
    if (name.rpartition(".")[0] in WELL_KNOWN or name.count(".") == 1) and name not in PLUMBING
]
LINEAGE = Path(__file__).with_name("lineage_names.txt").read_text(encoding="utf-8").split()
SETTINGS = (
    "XLA_USE_BF16", "XLA_DOWNCAST_BF16", "PJRT_DEVICE", "NEURON_USE_VANILLA_TORCH_XLA",
    "XLA_IR_DEBUG", "XLA_HLO_DEBUG", "NEURON_EXTRACT_GRAPHS_ONLY",
    "NEURON_NUM_RECENT_MODELS_TO_KEEP", "NEURON_FUSE_SOFTMAX",
    "NEURON_TRANSFER_WITH_STATIC_RING_OPS", "NEURON_COMPILE_CACHE_URL",
    "NEURON_RT_STOCHASTIC_ROUNDING_EN", "XLA_USE_SPMD",
)  # fmt: skip
KEPT = ("NEURON_CC_FLAGS", "NEURON_RT_NUM_CORES", "NEURON_RT_VISIBLE_CORES")
NATIVE = (
    "nki_op", "wrap_nki", "get_fallback_ops", "get_executed_ops", "clear_op_tracking",
    "synchronize", "Stream", "stream", "profiling", "get_dynamo_metrics",
    "reset_dynamo_metrics",
)  # fmt: skip


def _outwards(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def test_torch_xla_is_looked_at() -> None:
    assert len(PUBLIC) > 400
    assert {"torch_xla.core.xla_model.all_reduce", "torch_xla.sync"} <= set(PUBLIC)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_name_that_people_use_has_an_entry(name: str) -> None:
    assert name in ENTRIES


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_of_torch_xla_is_answered(name: str) -> None:
    """Its own entry or that of its module says what to do; the whole package is not enough."""
    assert any(each in ENTRIES for each in _outwards(name))
    assert any(each in PACKAGES for each in _outwards(name))


@pytest.mark.parametrize("name", LINEAGE)
def test_every_name_of_the_older_packages_is_answered(name: str) -> None:
    assert any(each in ENTRIES or each in PACKAGES for each in _outwards(name))


@pytest.mark.parametrize("name", SETTINGS)
def test_every_variable_of_the_lineage_is_known(name: str) -> None:
    assert name in VARIABLES


@pytest.mark.parametrize("name", KEPT)
def test_a_variable_that_keeps_its_meaning_is_left_alone(name: str) -> None:
    text = f'import os\nos.environ["{name}"] = "1"\n'
    assert not run(text.encode(), "neuron").first


@pytest.mark.parametrize("name", NATIVE)
def test_names_of_the_native_package_are_left_alone(name: str) -> None:
    for text in (
        f"import torch_neuronx\nprint(torch_neuronx.{name})\n",
        f"from torch_neuronx import {name}\nprint({name})\n",
    ):
        assert not run(text.encode(), "neuron").first


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_an_entry_says_what_to_do_and_its_templates_parse(name: str) -> None:
    entry = ENTRIES[name]
    assert entry.note
    for form in (entry, *entry.forms):
        for template in filter(None, (form.neuron, form.accelerator, form.under)):
            templates.parse(template)
