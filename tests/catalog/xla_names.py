"""Writes the public names of torch_xla: ``python -m tests.catalog.xla_names WHEEL``.

The wheel is what ``pip download --no-deps --only-binary :all: --python-version 3.11 --platform
manylinux_2_28_x86_64 torch_xla==2.9.0`` brings; it is read with ``ast``, never imported.
"""

from __future__ import annotations

import ast
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = Path(__file__).with_name("xla_names.txt")


def main(arguments: list[str]) -> int:
    """Write the names that the wheel defines."""
    with zipfile.ZipFile(arguments[0]) as wheel:
        files = [name for name in wheel.namelist() if name.startswith("torch_xla/")]
        modules = {_module(name): wheel.read(name).decode() for name in files if _is_public(name)}
    names = {
        f"{module}.{name}" for module, text in modules.items() for name in _public(ast.parse(text))
    }
    # `from .torch_xla import *` is how the package gets what the module of its own name defines.
    names = {name.replace("torch_xla.torch_xla.", "torch_xla.", 1) for name in names}
    NAMES.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
    print(f"{len(names)} names of {len(modules)} modules")
    return 0


def read() -> tuple[str, ...]:
    """The names, as they were written."""
    return tuple(NAMES.read_text(encoding="utf-8").split())


def _is_public(name: str) -> bool:
    parts = name.removesuffix("__init__.py").removesuffix(".py").strip("/").split("/")
    return name.endswith(".py") and not any(
        part.startswith("_") or part in {"test", "csrc"} for part in parts
    )


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _public(tree: ast.Module) -> Iterator[str]:
    """Functions, classes and constants that a module defines at its top level."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [each.id for each in node.targets if isinstance(each, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
