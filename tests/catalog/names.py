"""Collects what libraries offer, for the tests of the catalog: ``python -m tests.catalog.names``.

It downloads optimum-neuron and the libraries that take its place from the package index, by name,
and writes ``optimum_neuron.txt`` (every public class and function, with its parameters) and
``replacements.txt`` (the same for what the catalog writes instead). Nothing is installed or run.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import MovedMatch
from tests.cases import catalog

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
OLD = "optimum-neuron==0.4.5"
NEW = (
    "accelerate==1.15.0",
    "diffusers==0.42.1",
    "peft==0.21.2",
    "sentence-transformers==6.2.0",
    "transformers==5.24.0",
    "trl==1.16.0",
)
Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def main() -> None:
    """Write both files."""
    with TemporaryDirectory() as folder:
        old, new = Path(folder, "old"), Path(folder, "new")
        _unpack(old, OLD)
        for package in NEW:
            _unpack(new, package)
        modules = [*old.glob("optimum/neuron/**/*.py"), *old.glob("optimum/exporters/**/*.py")]
        offered = {name: line for path in modules for name, line in _public(path, old)}
        _write("optimum_neuron.txt", OLD, offered.values())
        wanted = sorted({name.to for match in moved() for name in match.names})
        _write("replacements.txt", ", ".join(NEW), [_described(path, new) for path in wanted])


def moved() -> list[MovedMatch]:
    """What the catalog says about names of optimum-neuron that moved."""
    matches = [rule.match for rule in catalog().rules if isinstance(rule.match, MovedMatch)]
    return [match for match in matches if match.homes[0].startswith("optimum.")]


def read(file: str) -> dict[str, frozenset[str]]:
    """The parameters by name, from one of the files."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    entries = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {name.rstrip(":"): frozenset(given.split()) for name, _, given in entries}


def _unpack(folder: Path, package: str) -> None:
    options = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.11", "-q"]
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(folder), package]
    subprocess.run(command, check=True)
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
        wheel.unlink()


def _public(path: Path, root: Path) -> Iterator[tuple[str, str]]:
    """The classes and functions that a module defines, or hands on from the modules below it."""
    parts = path.relative_to(root).with_suffix("").parts
    module = ".".join(part for part in parts if part != "__init__")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Definition) and node.col_offset == 0:
            if not node.name.startswith("_"):
                yield f"{module}.{node.name}", _line(f"{module}.{node.name}", node, root)
        elif isinstance(node, ast.ImportFrom) and node.level and parts[-1] == "__init__":
            for alias in node.names:
                if re.match(r"[A-Za-z]+[a-z]", alias.name) and not alias.name.islower():
                    yield f"{module}.{alias.name}", f"{module}.{alias.name}:"


def _described(path: str, root: Path) -> str:
    """A name that a library exports, with its parameters."""
    package, module, leaf = path.partition(".")[0], *path.rpartition(".")[::2]
    node = _definition(leaf, root / package)
    own = Path(root, *module.split(".")).with_suffix(".py")
    files = [file for file in _texts(root / package) if file.name == "__init__.py" or file == own]
    offering = [file for file in files if _holds(leaf, _texts(root / package)[file])]
    if node is None or not (offering or leaf in _listed(root / package)):
        raise SystemExit(f"{package} has no {path}")
    return _line(path, node, root / package)


def _holds(leaf: str, text: str) -> bool:
    return re.search(rf"\b{leaf}\b", text) is not None


@cache
def _texts(folder: Path) -> dict[Path, str]:
    return {file: file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py"))}


@cache
def _listed(folder: Path) -> frozenset[str]:
    """The names that modules list as theirs: packages that load lazily offer those."""
    lists = (re.findall(r"__all__ = \[([^]]*)\]", text) for text in _texts(folder).values())
    return frozenset(name for found in lists for text in found for name in re.findall(r"\w+", text))


@cache
def _files_by_definition(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in _texts(folder).values():
        for name in re.findall(r"^(?:class|def) (\w+)", text, re.MULTILINE):
            found.setdefault(name, text)
    return found


@cache
def _definition(leaf: str, folder: Path) -> Definition | None:
    text = _files_by_definition(folder).get(leaf, "")
    nodes = (node for node in ast.parse(text).body if isinstance(node, Definition))
    return next((node for node in nodes if node.name == leaf), None)


def _line(path: str, node: Definition, root: Path) -> str:
    return f"{path}: {' '.join(dict.fromkeys(_parameters(node, root)))}".rstrip()


def _parameters(node: Definition, root: Path) -> Iterator[str]:
    """What a function takes, or the constructor of a class: also through its bases."""
    if not isinstance(node, ast.ClassDef):
        given = node.args
        yield from (arg.arg for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs])
        return
    for inner in node.body:
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            yield inner.target.id
        elif isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
            yield from (name for name in _parameters(inner, root) if name != "self")
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id.endswith(("Config", "Arguments")):
            found = _definition(base.id, root.parent)
            yield from _parameters(found, root) if found is not None else ()


def _write(file: str, source: str, lines: object) -> None:
    assert not isinstance(lines, str)
    header = f"# From {source}; written by python -m tests.catalog.names\n"
    text = "".join(f"{line}\n" for line in sorted(set(lines)))  # type: ignore[call-overload]
    (HERE / file).write_text(header + text, encoding="utf-8")


if __name__ == "__main__":
    main()
