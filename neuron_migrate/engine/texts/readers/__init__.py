"""One module per kind of file: its text read into facts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from neuron_migrate.files.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.engine.texts.facts import Reading

_MODULES = {
    Kind.REQUIREMENTS: "requirements",
    Kind.TOML: "project_toml",
    Kind.INI: "setup_cfg",
    Kind.SHELL: "shell",
    Kind.DOCKERFILE: "dockerfile",
    Kind.YAML: "yaml_files",
    Kind.JSON: "json_files",
}


def reader_of(kind: Kind) -> Callable[[str, str], Reading] | None:
    """The function that reads a text, given its path; each is imported when it is needed."""
    if kind not in _MODULES:
        return None
    module = import_module(f"{__name__}.{_MODULES[kind]}")
    return cast("Callable[[str, str], Reading]", module.read)
