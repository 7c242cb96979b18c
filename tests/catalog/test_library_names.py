"""Every library of the catalog: found by each of its names, with a way out, ranked by its guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog.loader import Catalog
from neuron_migrate.catalog.patterns import ImportMatch
from neuron_migrate.engine.analysis import Analyzer
from neuron_migrate.finding import Risk
from tests.cases import analysed, catalog

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import Library
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding

EXPECTED = {
    "amp_C",
    "apex",
    "aqlm",
    "auto_gptq",
    "awq",
    "bitsandbytes",
    "causal_conv1d",
    "colossalai",
    "cuda.bindings",
    "cuda.core",
    "cudf",
    "cugraph",
    "cuml",
    "cupy",
    "cutlass",
    "dask_cuda",
    "dask_cudf",
    "deep_ep",
    "deep_gemm",
    "deepspeed",
    "detectron2",
    "eetq",
    "exllama",
    "exllamav2",
    "exllamav3",
    "fla",
    "flash_attn",
    "flash_attn_interface",
    "flashinfer",
    "gptqmodel",
    "gpustat",
    "GPUtil",
    "grouped_gemm",
    "gsplat",
    "horovod",
    "hqq",
    "kaolin",
    "liger_kernel",
    "lmdeploy",
    "mamba_ssm",
    "megablocks",
    "megatron",
    "MinkowskiEngine",
    "modelopt",
    "natten",
    "nemo",
    "nerfacc",
    "numba.cuda",
    "nvdiffrast",
    "nvidia.dali",
    "nvitop",
    "py3nvml",
    "pycuda",
    "pynvml",
    "pytorch3d",
    "rmm",
    "sageattention",
    "sglang",
    "smdistributed",
    "spconv",
    "tensorrt",
    "tensorrt_llm",
    "tinycudann",
    "torch_scatter",
    "torch_sparse",
    "torch_tensorrt",
    "torchao",
    "transformer_engine",
    "triton",
    "unsloth",
    "vllm",
    "vptq",
    "xformers",
}
"""The libraries that users name; the catalog knows more."""
ENTRIES = [
    pytest.param(rule, library, name, id=name)
    for rule in catalog().rules
    if isinstance(rule.match, ImportMatch)
    for library in rule.match.libraries
    for name in (library.package, *library.also)
]
GUARDS = {
    "try": "try:\n    import {name}\nexcept ImportError:\n    pass\n",
    "check": "if is_package_available('{name}'):\n    import {name}\n",
    "types": "if TYPE_CHECKING:\n    import {name}\n",
    "option": "if args.fast:\n    import {name}\n",
    "skip": "vendor = pytest.importorskip('{name}')\n",
    "import-module": (
        "try:\n    import importlib\n    lib = importlib.import_module('{name}')\n"
        "except ImportError:\n    lib = None\n"
    ),
}

every_name = pytest.mark.parametrize(("rule", "library", "name"), ENTRIES)


def found(rule: Rule, text: str) -> Finding:
    """The one finding of a rule in a text."""
    (finding,) = Analyzer(Catalog([rule]), target="neuron").analyse(text, "a.py")
    return finding


def test_the_libraries_that_users_name_are_known() -> None:
    assert {entry.values[2] for entry in ENTRIES} >= EXPECTED


def test_no_name_is_given_twice() -> None:
    names = [entry.values[2] for entry in ENTRIES]
    assert len(names) == len(set(names))


@every_name
def test_a_plain_import_has_the_risk_and_the_way_out(
    rule: Rule, library: Library, name: str
) -> None:
    assert isinstance(rule.match, ImportMatch)
    finding = found(rule, f"import {name}\n")
    assert finding.code == rule.code
    assert finding.risk is (library.risk or rule.risk)
    assert finding.blocked == rule.blocked
    assert (library.instead or rule.match.instead) in finding.message


@every_name
def test_other_forms_are_found_too(rule: Rule, library: Library, name: str) -> None:
    module, _, leaf = name.rpartition(".")
    inside = library.submodules[0] if library.submodules else "inner"
    forms = [
        f"import {name} as lib\n",
        f"from {name} import {inside}\n",
        f"from {name}.{inside} import anything\n",
        f"import importlib\nlib = importlib.import_module('{name}')\n",
        *([f"from {module} import {leaf}\n"] if module else []),
    ]
    for text in forms:
        assert found(rule, text).risk is (library.risk or rule.risk), text


@every_name
def test_a_guarded_import_is_information(rule: Rule, library: Library, name: str) -> None:
    for guard, text in GUARDS.items():
        finding = found(rule, text.format(name=name))
        assert finding.risk is Risk.INFO, guard
        assert not finding.blocked, guard


@every_name
def test_an_import_in_a_function_blocks_nothing(rule: Rule, library: Library, name: str) -> None:
    finding = found(rule, f"def run():\n    import {name}\n")
    assert finding.risk is (library.risk or rule.risk)
    assert not finding.blocked


@every_name
def test_a_module_of_the_project_is_left_alone(rule: Rule, library: Library, name: str) -> None:
    relative = f"from .{name} import anything\n"
    assert not Analyzer(Catalog([rule]), target="neuron").analyse(relative, "a.py")


def test_a_library_with_a_build_for_the_cpu_is_only_advice() -> None:
    found = analysed("from detectron2.engine import launch\nimport torch_scatter\n", "neuron")
    assert [(each.code, each.advice) for each in found] == [("NM732", True), ("NM732", True)]
