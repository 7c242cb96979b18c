"""What the file says about the object a method is called on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding, Scope

TENSOR_LIBRARIES = frozenset(
    {
        "torch", "torchvision", "torchaudio", "torchtext", "transformers", "diffusers",
        "accelerate", "peft", "trl", "timm", "lightning", "pytorch_lightning", "open_clip", "clip",
        "sentence_transformers", "fairseq", "detectron2", "mmcv", "monai", "torchmetrics",
        "torch_geometric", "dgl", "kornia", "apex", "fairscale", "deepspeed", "datasets",
    }
)  # fmt: skip
"""Packages whose presence makes ``x.cuda()`` a tensor's or a module's method."""
_TENSORS = ("torch.", "transformers.", "diffusers.", "torchvision.", "peft.", "timm.")


def handles_tensors(file: File) -> bool:
    """True when the file imports torch or a library built on it."""
    return not file.roots.isdisjoint(TENSOR_LIBRARIES) or any(
        module.partition(".")[0] in TENSOR_LIBRARIES for module in file.index.star_imports
    )


def doubt(receiver: cst.BaseExpression, member: str, here: Here) -> str | None:
    """Why ``receiver`` may not be a tensor or module, or None when nothing says so."""
    owner = receiver
    if isinstance(owner, cst.Call) and isinstance(owner.func, cst.Name):
        if owner.func.value == "super":
            return _enclosing_class(member, here)
        return _own_class(owner.func.value, member, here.scope)
    if not isinstance(owner, cst.Name):
        return None
    if owner.value in {"self", "cls"}:
        return _enclosing_class(member, here)
    for binding in names.lookup(owner.value, here.scope):
        reason = _binding_doubt(binding, member)
        if reason is not None:
            return reason
    return None


def is_module(receiver: cst.BaseExpression, here: Here) -> bool:
    """True when the receiver is an imported module, so that the member is that module's."""
    found = here.resolve(receiver)
    if found is None:
        return False
    return "." not in found.path or found.path.rpartition(".")[2] in {"cuda", "numba", "utils"}


def _binding_doubt(binding: Binding, member: str) -> str | None:
    if binding.annotation is not None:
        reason = _annotation_doubt(binding.annotation, member, binding.scope)
        if reason is not None:
            return reason
    value = binding.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return _own_class(value.func.id, member, binding.scope)
    if binding.kind == "class":
        return _own_class(binding.name, member, binding.scope)
    return None


def _annotation_doubt(annotation: ast.expr, member: str, scope: Scope) -> str | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(annotation, ast.Name) and annotation.id in {"str", "int", "float", "bool"}:
        return f"it is annotated as {annotation.id}"
    if isinstance(annotation, ast.Name):
        reason = _own_class(annotation.id, member, scope)
        if reason is not None:
            return reason
    path = names.resolve_expression(annotation, scope)
    if path and path.partition(".")[0] in {"numpy", "pandas", "jax", "tensorflow", "cupy"}:
        return f"it is annotated as {path}"
    return None


def _own_class(name: str, member: str, scope: Scope) -> str | None:
    """A class of this file that defines the member itself."""
    for binding in names.lookup(name, scope):
        node = binding.statement.node
        if isinstance(node, ast.ClassDef) and member in _members(node):
            return f"class {node.name} defines its own `{member}`"
    return None


def _enclosing_class(member: str, here: Here) -> str | None:
    for outer in here.piece.statement.ancestors():
        if isinstance(outer.node, ast.ClassDef):
            if member in _members(outer.node):
                return f"class {outer.node.name} defines its own `{member}`"
            return None
    return None


def _members(node: ast.ClassDef) -> Iterator[str]:
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield item.name
        elif isinstance(item, ast.Assign):
            yield from (each.id for each in item.targets if isinstance(each, ast.Name))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            yield item.target.id
