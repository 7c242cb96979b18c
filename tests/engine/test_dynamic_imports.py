"""Calls that import a module by its name."""

from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine.dynamic_imports import imported


@pytest.mark.parametrize(
    ("call", "modules"),
    [
        ('importlib.import_module("apex")', ["apex"]),
        ('import_module("flash_attn.ops")', ["flash_attn.ops"]),
        ('__import__("apex")', ["apex"]),
        ('pytest.importorskip("vllm", minversion="0.6")', ["vllm"]),
        ('lazy_import("xformers")', ["xformers"]),
        ('LazyLoader("xops", globals(), "xformers.ops")', ["xops", "xformers.ops"]),
        ('optional_import("triton")', ["triton"]),
        ('import_or_none(name="triton")', ["triton"]),
        ("importlib.import_module(name)", []),
        ('importlib.import_module(f"{name}.ops")', []),
        ('importlib.import_module("../apex")', []),
        ('importlib.util.find_spec("apex")', []),
        ('print("apex")', []),
    ],
)
def test_the_modules_of_a_call(call: str, modules: list[str]) -> None:
    node = cst.parse_expression(call)
    assert isinstance(node, cst.Call)
    assert imported(node) == modules
