"""Code that prepares data: it runs on the CPU, whatever device the model is on."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement

_CLASSES = re.compile(
    r"(?:Dataset|DataModule|DataLoader|Collat(?:or|e)\w*|Transforms?|Augment\w*|Tokenizer(?:Fast)?"
    r"|FeatureExtractor\w*|ImageProcessor\w*|VideoProcessor\w*|Processor)$"
)
_FUNCTIONS = re.compile(
    r"__getitem__|\w*collate\w*|transforms?|augment\w*|pre_?process\w*|tokenize\w*"
    r"|load_(?:audio|wav|image|mel)\w*"
)
_DATA_MODULES = ("torch.utils.data.", "torchvision.datasets.", "torchvision.transforms.")


def prepares_data(here: Here) -> bool:
    """True inside a dataset, collator or transform, by its name or its base class."""
    return any(_prepares(outer) for outer in here.piece.statement.ancestors())


def _prepares(outer: Statement) -> bool:
    node = outer.node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return bool(_FUNCTIONS.fullmatch(node.name))
    if not isinstance(node, ast.ClassDef):
        return False
    bases = [names.resolve_expression(base, outer.scope) or _last(base) for base in node.bases]
    return any(_CLASSES.search(name) for name in (node.name, *bases)) or any(
        base.startswith(_DATA_MODULES) for base in bases
    )


def _last(base: ast.expr) -> str:
    if isinstance(base, ast.Attribute):
        return base.attr
    return base.id if isinstance(base, ast.Name) else ""
