"""Files, nodes and small catalogs for the tests of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst
import msgspec

from neuron_migrate.catalog.loader import FAMILIES, Catalog
from neuron_migrate.catalog.schema import Rule
from neuron_migrate.engine.analysis import Analyzer, parse
from neuron_migrate.engine.file import File
from neuron_migrate.engine.fixpoint import fix
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.index import build
from neuron_migrate.files.lines import Lines

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Index, Scope, Statement
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.finding import Target

DEVICE = {
    "code": "NM101",
    "triggers": ["cuda"],
    "match": {
        "kind": "value",
        "values": ["'cuda'"],
        "functions": [".to", "torch.device:0"],
        "keywords": ["device"],
        "words": ["device"],
        "neuron": "'neuron'",
        "accelerator": "torch.accelerator.current_accelerator().type",
    },
}
METHOD = {
    "code": "NM103",
    "triggers": ["cuda"],
    "match": {
        "kind": "cuda-method",
        "method": "cuda",
        "neuron": "'neuron'",
        "accelerator": "torch.accelerator.current_accelerator()",
        "indexed_neuron": "neuron",
        "indexed_accelerator": "to",
    },
}
AVAILABLE = {
    "code": "NM105",
    "triggers": ["cuda"],
    "match": {
        "kind": "names",
        "names": [
            {
                "name": "torch.cuda.is_available",
                "neuron": 'hasattr(torch, "neuron") and torch.neuron.is_available()',
                "accelerator": "torch.accelerator.is_available()",
                "test": True,
            },
            {
                "name": "torch.cuda.synchronize",
                "neuron": "torch.neuron.synchronize",
                "accelerator": "torch.accelerator.synchronize",
                "needs_accelerator": True,
            },
        ],
    },
}
GRAPHS = {
    "code": "NM106",
    "triggers": ["CUDAGraph"],
    "match": {"kind": "names", "cuda_only": True, "names": [{"name": "torch.cuda.CUDAGraph"}]},
}
MARK = {
    "code": "NM401",
    "triggers": ["mark_step"],
    "match": {"kind": "call", "functions": ["torch_xla.mark_step"], "drop": True},
}
COMPILE = {
    "code": "NM201",
    "triggers": ["compile"],
    "match": {
        "kind": "call",
        "functions": ["torch.compile"],
        "arguments": [
            {"name": "mode", "action": "remove"},
            {"name": "backend", "action": "add", "to": "'neuron'"},
        ],
    },
}
UNUSED = {"code": "NM001", "triggers": ["noqa"], "match": {"kind": "tool"}}
RULES = (UNUSED, DEVICE, METHOD, AVAILABLE, GRAPHS, COMPILE, MARK)


def rule(**given: Any) -> Rule:
    """A rule with only what matters for a test."""
    code = given.get("code", "NM101")
    defaults = {
        "code": code,
        "name": "some-rule",
        "summary": "Something.",
        "risk": "breaks",
        "confidence": "documented",
        "effort": "low",
        "why": "",
        "fix_safety": "",
        "sources": ["https://example.org"],
        "sdk": "2.33",
        "triggers": ["cuda"],
        "match": {"kind": "tool"},
        "family": FAMILIES[code[2]],
    }
    return msgspec.convert({**defaults, **given}, Rule)


def analyzer(*rules: dict[str, Any], target: Target = "neuron", **options: Any) -> Analyzer:
    """An analyzer for a few rules; for all of this module without any."""
    return Analyzer(Catalog(rule(**each) for each in rules or RULES), target=target, **options)


def fixed(
    text: str, *rules: dict[str, Any], target: Target = "neuron", unsafe: bool = False
) -> str:
    """The text after ``fix``."""
    return fix(analyzer(*rules, target=target), text, "a.py", unsafe=unsafe).text


def found(text: str, *rules: dict[str, Any], **options: Any) -> list[str]:
    """The findings of a text as ``line:column CODE fix``."""
    return [
        f"{each.line}:{each.column} {each.code} {each.fix or '-'}"
        for each in analyzer(*rules, **options).analyse(text, "a.py")
    ]


def index_of(text: str) -> Index:
    """The index of a text."""
    tree, read = parse(text)
    return build(tree, Lines(read), text)


def file_of(text: str, target: Target = "neuron") -> File:
    """A file under analysis."""
    index = index_of(text)
    return File(text, "a.py", index.lines, index, target)


def scope_of(index: Index, name: str = "") -> Scope:
    """The scope of the function or class of a name; the module's without one."""
    if not name:
        return index.module
    return next(each.scope for each in index.statements if each.scope.name == name)


def statement_at(index: Index, line: int) -> Statement:
    """The first statement that starts on a line."""
    return next(each for each in index.statements if each.start[0] == line)


def pieces_of(text: str) -> list[Piece]:
    """Every piece of a text."""
    file = file_of(text)
    return [piece for statement in file.index.statements for piece in file.pieces(statement)]


def spot(
    text: str, source: str, target: Target = "neuron", nth: int = 0
) -> tuple[cst.CSTNode, Here]:
    """The outermost expression that is written so, and where it stands."""
    file = file_of(text, target)
    nodes = [
        (node, here)
        for statement in file.index.statements
        for piece in file.pieces(statement)
        for here in [Here(file, piece)]
        for node in piece.nodes
        if isinstance(node, cst.BaseExpression) and text[slice(*piece.span(node))] == source
    ]
    return nodes[nth]
