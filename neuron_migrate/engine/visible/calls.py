"""What a call gives: of a function of torch, or of a method of a tensor."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine import names
from neuron_migrate.engine.visible import results
from neuron_migrate.engine.visible.values import INTEGERS, Place, Value, dtype_of, together

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.visible.reader import Reader

_MODULES = frozenset({"torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft"})
_SIZES = frozenset({"len", "int", "round"})
_COUNTS = frozenset({"numel", "dim", "size"})
_OTHER_DEFAULT = re.compile(r"set_default_(?:device|tensor_type)|with[^\n:]*\btorch\.device\(")
_DEVICE = re.compile(r"device|\bdev\b|rank|gpu|cuda|neuron", re.IGNORECASE)
_OF_NUMBERS = {"int": "int64", "float": "float32", "complex": "complex64"}
_INTEGER = Value(frozenset({"int"}))
_WHOLE = INTEGERS | {"bool"}


def value(reader: Reader, call: ast.Call, at: Statement) -> Value | None:
    """The tensor or number that a call gives, or None when it is not known to give one."""
    func = call.func
    if isinstance(func, ast.Name) and func.id in _SIZES and not names.lookup(func.id, at.scope):
        return _INTEGER
    path = names.resolve_expression(func, at.scope) or ""
    if path:
        return _function(reader, path, call, at) if path.startswith("torch.") else None
    return _method(reader, func, call, at) if isinstance(func, ast.Attribute) else None


def one_of_pair(reader: Reader, node: ast.expr, index: int, at: Statement) -> Value | None:
    """The values or the indices of ``x.topk(5)``, where the expression is such a call."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or index > 1:
        return None
    path = names.resolve_expression(node.func, at.scope) or ""
    if node.func.attr not in results.PAIRS or (path and not path.startswith("torch.")):
        return None
    operand: ast.expr | None = node.func.value
    if path:
        operand = node.args[0] if node.args else None
    known = reader.read(operand, at) if operand is not None else None
    certain = node.func.attr in results.OF_TENSORS_ONLY or _has_dimension(node)
    if known is None and not path and not certain:
        return None
    known = known or Value()
    return known.of("int64") if index else known


def _function(reader: Reader, path: str, call: ast.Call, at: Statement) -> Value | None:
    module, _, name = path.rpartition(".")
    if name in results.LEGACY:
        place: Place = "cpu" if module == "torch" else "device"
        return Value(frozenset({results.LEGACY[name]}), place)
    if module not in _MODULES or name in results.NO_TENSORS or not name[:1].islower():
        return None
    if name in results.MAKERS:
        return _made(reader, call, at, Value(frozenset({results.MAKERS[name]})))
    if name == "from_numpy":
        return Value(place="cpu")
    if name in results.FILLERS:
        return _filled(reader, name, call, at)
    operands = [reader.read_one_of(each, at) for each in call.args]
    known = [each for each in operands if each is not None]
    first = operands[0] if operands and operands[0] is not None else Value()
    if name in results.LIKE:
        return _made(reader, call, at, first, like=True)
    return _result(name, call, first.at(together(known)) if known else first)


def _method(reader: Reader, func: ast.Attribute, call: ast.Call, at: Statement) -> Value | None:
    name = func.attr
    if name in _COUNTS:
        return _INTEGER if name != "size" or call.args else None
    owner = reader.read(func.value, at)
    if owner is not None and not owner.is_tensor:
        return None
    if name in results.CASTS and not call.args:
        return (owner or Value()).of(results.CASTS[name])
    if name in {"to", "type"} or (name == "view" and _names_dtype(call, at)):
        return _converted(owner, call, at)
    if name in results.MOVES:
        return (owner or Value()).at("cpu" if name == "cpu" else "device")
    if owner is None:
        if name not in results.OF_TENSORS_ONLY and not _has_dimension(call):
            return None
        owner = Value()
    if name == "type_as":
        other = reader.read(call.args[0], at) if call.args else None
        return other or Value()
    if name in results.NEW:
        return _made(reader, call, at, owner, like=True)
    return _result(name, call, owner)


def _converted(owner: Value | None, call: ast.Call, at: Statement) -> Value | None:
    """``x.to(…)``: a dtype, a device, or what only a person can tell."""
    for given in (*call.args, *(each.value for each in call.keywords)):
        text = ast.unparse(given)
        path = names.resolve_expression(given, at.scope) or ""
        dtype = dtype_of(path) or results.LEGACY.get(path.rpartition(".")[2])
        if dtype is not None:
            owner = (owner or Value()).of(dtype)
        elif isinstance(given, ast.Constant) and given.value is None:
            continue
        elif "cpu" in text:
            owner = (owner or Value()).at("cpu")
        elif owner is not None and (_DEVICE.search(text) or isinstance(given, ast.Constant)):
            owner = owner.at("device")
        elif owner is not None:
            owner = Value()
    return owner


def _made(
    reader: Reader, call: ast.Call, at: Statement, made: Value, *, like: bool = False
) -> Value:
    """A new tensor: ``dtype`` and ``device`` decide, where they are given."""
    given = {each.arg: each.value for each in call.keywords}
    if None in given:
        return Value()
    if "dtype" in given and ast.unparse(given["dtype"]) != "None":
        dtype = dtype_of(names.resolve_expression(given["dtype"], at.scope) or "")
        made = made.of(dtype) if dtype else made.of()
    if "device" in given:
        return made.at("cpu" if "cpu" in ast.unparse(given["device"]) else "device")
    if like or _OTHER_DEFAULT.search(reader.file.text):
        return made
    return made.at("cpu")


def _filled(reader: Reader, name: str, call: ast.Call, at: Statement) -> Value:
    """A tensor of the values it is given."""
    filling = call.args if name == "arange" else call.args[results.FILLERS[name] :][:1]
    values = [reader.read_one_of(each, at) for each in filling]
    known = [each for each in values if each is not None]
    if not known or len(known) < len(values):
        return _made(reader, call, at, Value())
    found = {_OF_NUMBERS.get(each, each) for filled in known for each in filled.dtypes}
    if not found <= INTEGERS:
        found -= INTEGERS
    return _made(reader, call, at, Value(frozenset(found)))


def _result(name: str, call: ast.Call, operand: Value) -> Value | None:
    """What a function or method gives, by its name and its first operand."""
    if name in results.INDICES:
        return operand.of("int64")
    if name in results.TESTS:
        return operand.of("bool")
    if name in results.PAIRS:
        return None if _has_dimension(call) or call.args[1:] else operand
    if name in results.SAME:
        return operand
    if name in results.SUMS:
        if any(each.arg == "dtype" for each in call.keywords):
            return operand.of()
        return operand.of("int64") if operand.is_one_of(_WHOLE) else operand
    if name in results.FLOATING:
        return operand.of("float32") if operand.is_one_of(_WHOLE) else operand
    return None if name in results.LEAVES else operand.of()


def _names_dtype(call: ast.Call, at: Statement) -> bool:
    return any(
        dtype_of(names.resolve_expression(each, at.scope) or "") is not None for each in call.args
    )


def _has_dimension(call: ast.Call) -> bool:
    return any(each.arg in {"dim", "keepdim"} for each in call.keywords)
