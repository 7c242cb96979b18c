"""The table of torch.cuda against an installed torch: nothing public is missing or made up."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import warnings
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog.patterns import LegacyTensorMatch, NamesMatch
from neuron_migrate.engine import templates
from tests.cases import catalog

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator

    from neuron_migrate.catalog.patterns import NameEntry

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch = pytest.importorskip("torch")

PLUMBING = {"TYPE_CHECKING", "m"}
"""What modules of torch happen to hold and nobody uses from there."""
ROOTS = ("torch.cuda", "torch.backends.cuda", "torch.backends.cudnn")
ENTRIES = {
    entry.name: entry
    for rule in catalog().rules
    if isinstance(rule.match, NamesMatch)
    for entry in rule.match.names
}
TYPES = {
    name: dtype
    for rule in catalog().rules
    if isinstance(rule.match, LegacyTensorMatch)
    for name, dtype in rule.match.types.items()
}
OURS = {name: entry for name, entry in ENTRIES.items() if name.startswith("torch.")}
NEURON = re.compile(r"\btorch\.neuron\b")
DOTTED = re.compile(r"torch(?:\.\w+)+")


def _modules(root: str) -> Iterator[types.ModuleType]:
    module = importlib.import_module(root)
    yield module
    for info in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not info.name.startswith("_"):
            yield from _modules(f"{root}.{info.name}")


def _public(module: types.ModuleType) -> Iterator[str]:
    listed = set(getattr(module, "__all__", ()))
    seen = {name for name in dir(module) if not name.startswith("_")} - PLUMBING
    for name in sorted(listed | seen):
        if name in listed or _is_its_own(getattr(module, name), module):
            yield f"{module.__name__}.{name}"


def _is_its_own(value: object, module: types.ModuleType) -> bool:
    """False for what a module only imports for itself."""
    if inspect.ismodule(value):
        return value.__name__.startswith(ROOTS) and value is not module and _is_named(value)
    home = getattr(value, "__module__", None)
    if home is None:
        return isinstance(value, (bool, dict, list))
    return home.startswith((*ROOTS, "torch._C", "torch.cuda"))


def _is_named(module: types.ModuleType) -> bool:
    return all(not part.startswith("_") for part in module.__name__.split("."))


PUBLIC = sorted({name for root in ROOTS for module in _modules(root) for name in _public(module)})


def test_torch_is_looked_at() -> None:
    assert len(PUBLIC) > 250
    assert {"torch.cuda.memory.empty_cache", "torch.backends.cudnn.rnn"} & set(PUBLIC)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_in_the_catalog(name: str) -> None:
    assert name in ENTRIES or name in TYPES


@pytest.mark.parametrize("name", sorted(OURS))
def test_replacements_parse_and_exist(name: str) -> None:
    for template in _replacements(OURS[name]):
        templates.parse(template)
        for path in DOTTED.findall(template):
            if not NEURON.match(path):
                assert _exists(path), f"{name} becomes {path}, which torch does not have"


@pytest.mark.parametrize(("name", "dtype"), sorted(TYPES.items()))
def test_legacy_types_and_their_dtypes_exist(name: str, dtype: str) -> None:
    assert _exists(name)
    assert isinstance(_value(dtype), torch.dtype)


@pytest.mark.parametrize("name", sorted(OURS))
def test_positional_replacements_take_a_device_first(name: str) -> None:
    entry = OURS[name]
    accelerator = entry.accelerator or ""
    if not entry.positional or not accelerator.startswith("torch.accelerator."):
        return
    parameters = list(inspect.signature(_value(accelerator)).parameters.values())
    assert len(parameters) <= 1 or parameters[0].kind is parameters[0].POSITIONAL_ONLY


@pytest.mark.parametrize("name", sorted(OURS))
def test_what_raises_without_an_accelerator_is_marked(name: str) -> None:
    """Functions of torch.accelerator that a machine without one answers are the exception."""
    entry = OURS[name]
    answers = ("is_available", "device_count", "current_accelerator")
    form = entry.accelerator or ""
    if form.startswith("torch.accelerator.") and not form.rstrip("()").endswith(answers):
        assert entry.needs_accelerator or entry.module


def _replacements(entry: NameEntry) -> Iterator[str]:
    for template in (entry.neuron, entry.accelerator, entry.uncalled, entry.moved):
        if template:
            yield template


def _exists(path: str) -> bool:
    try:
        _value(path)
    except AttributeError:
        return False
    return True


def _value(path: str) -> object:
    value: object = torch
    for part in path.split(".")[1:]:
        if inspect.ismodule(value) and not hasattr(value, part):
            _import(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def _import(path: str) -> None:
    try:
        importlib.import_module(path)
    except ImportError as error:
        raise AttributeError(path) from error
