"""What a condition around an import asks for: a package, a device, or something else."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Asked = Literal["types", "device", "package", "never", "option"]

_PACKAGE = re.compile(
    r"available|find_spec|importorskip|installed|\bhas_|\bhave_|_exists\(", re.IGNORECASE
)
_DEVICE = re.compile(
    r"\b(cuda|accelerator)\b.*(is_available|device_count)|is_cuda|==\s*['\"]cuda"
    r"|\bversion\.(cuda|hip)\b|device_capability|\bis_(nvidia|rocm|hip)\b"
)
_ALWAYS_THERE = re.compile(
    r"\bis_(torch|transformers|accelerate|peft|diffusers|datasets|safetensors|numpy|tokenizers|trl)"
    r"_available\b"
)
"""Packages that a Neuron host has like any other: to ask for them guards nothing else."""
_NEUTRAL = re.compile(
    r"(?<![\w.])__name__|version_info|torch_version|TORCH_VERSION|__version__|Version\("
)
_SYSTEM = re.compile(r"sys\.platform|os\.name|platform\.|is_windows|is_mac", re.IGNORECASE)
_OTHER_SYSTEM = re.compile(r"win|['\"]nt['\"]|darwin|mac", re.IGNORECASE)
_ORDER: tuple[Asked, ...] = ("types", "never", "device", "package", "option")


def asked(test: ast.expr, *, holds: bool) -> Asked | None:
    """What must be there where a condition holds, or does not; None when it says nothing."""
    found = {_about(ast.unparse(atom), positive) for atom, positive in _atoms(test, holds)}
    return next((each for each in _ORDER if each in found), None)


def _atoms(test: ast.expr, positive: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The single questions of a condition, each with whether it is answered by yes."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _atoms(test.operand, not positive)
    elif isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _atoms(value, positive)
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.Eq)):
        nothing = _is_constant(test.comparators[0], None, False)
        yield test, positive != nothing
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
        nothing = _is_constant(test.comparators[0], None, False)
        yield test, positive == nothing
    else:
        yield test, positive


def _about(text: str, positive: bool) -> Asked | None:
    if "TYPE_CHECKING" in text:
        return "types" if positive else None
    if text in {"False", "0"}:
        return "never" if positive else None
    if text in {"True", "1"} or _NEUTRAL.search(text) or _ALWAYS_THERE.search(text):
        return None
    if _DEVICE.search(text) or re.search(r"!=\s*['\"]cuda", text):
        return "device" if positive else None
    if _SYSTEM.search(text):
        return "option" if bool(_OTHER_SYSTEM.search(text)) == positive else None
    if _PACKAGE.search(text):
        return "package" if positive else None
    return "option"


def _is_constant(node: ast.expr, *values: object) -> bool:
    return isinstance(node, ast.Constant) and any(node.value is value for value in values)
