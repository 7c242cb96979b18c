"""What a file is, by its name: how it is read, and which rules can speak about it."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import PurePosixPath


class Kind(str, Enum):
    """A kind of file that is read."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    REQUIREMENTS = "requirements"
    TOML = "toml"
    INI = "ini"
    SHELL = "shell"
    DOCKERFILE = "dockerfile"
    YAML = "yaml"
    JSON = "json"
    MARKUP = "markup"
    """Markdown and reStructuredText, whose code fences are read on request."""

    @property
    def has_python(self) -> bool:
        """Whether its code goes through the rules for Python."""
        return self in _WITH_PYTHON

    @property
    def has_text(self) -> bool:
        """Whether it goes through the rules for what is not Python."""
        return self is not Kind.PYTHON


_WITH_PYTHON = frozenset({Kind.PYTHON, Kind.NOTEBOOK, Kind.MARKUP})
_SUFFIXES = {
    ".py": Kind.PYTHON,
    ".pyi": Kind.PYTHON,
    ".ipynb": Kind.NOTEBOOK,
    ".sh": Kind.SHELL,
    ".bash": Kind.SHELL,
    ".slurm": Kind.SHELL,
    ".sbatch": Kind.SHELL,
    ".yaml": Kind.YAML,
    ".yml": Kind.YAML,
    ".json": Kind.JSON,
    ".md": Kind.MARKUP,
    ".mdx": Kind.MARKUP,
    ".markdown": Kind.MARKUP,
    ".rst": Kind.MARKUP,
    ".dockerfile": Kind.DOCKERFILE,
}
_NAMES = {
    "pyproject.toml": Kind.TOML,
    "pipfile": Kind.TOML,
    "setup.cfg": Kind.INI,
    "dockerfile": Kind.DOCKERFILE,
    "containerfile": Kind.DOCKERFILE,
}
_PYTHON_SHEBANG = re.compile(r"\b(?:python|pypy)[0-9.]*(?:\s|$)")
_SHELL_SHEBANG = re.compile(r"\b(?:ba|da|k|z)?sh(?:\s|$)")
_REQUIREMENTS = re.compile(r".*(requirement|constraint)s?.*\.(txt|in)", re.IGNORECASE)
_DOCKERFILE = re.compile(r"(docker|container)file[._-].+", re.IGNORECASE)


HEAD = 256
"""Characters of a text that its shebang is looked for in."""


def kind_of(path: str, head: str = "") -> Kind | None:
    """The kind of a file, by its name and folder, else by the shebang its text begins with.

    None for what is not read.
    """
    return _by_name(path) or _by_shebang(head[:HEAD])


def _by_shebang(head: str) -> Kind | None:
    if not head.startswith("#!"):
        return None
    first = head.partition("\n")[0]
    if _PYTHON_SHEBANG.search(first):
        return Kind.PYTHON
    return Kind.SHELL if _SHELL_SHEBANG.search(first) else None


def _by_name(path: str) -> Kind | None:
    pure = PurePosixPath(path)
    name = pure.name.lower()
    if name in _NAMES:
        return _NAMES[name]
    if _REQUIREMENTS.fullmatch(name) or _is_requirements_folder(pure):
        return Kind.REQUIREMENTS
    found = _SUFFIXES.get(pure.suffix.lower())
    if found is None and _DOCKERFILE.fullmatch(name):
        return Kind.DOCKERFILE
    return found


def _is_requirements_folder(path: PurePosixPath) -> bool:
    """``requirements/base.txt``."""
    return path.suffix in {".txt", ".in"} and path.parent.name.lower() == "requirements"
