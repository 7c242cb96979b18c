"""What the language that a block of a document names says about its code."""

from __future__ import annotations

import re

from neuron_migrate.files.kinds import Kind

_KINDS = {
    Kind.PYTHON: "python python3 py py3 pycon pycon3 python-console doctest ipython ipython3",
    Kind.SHELL: "bash sh shell zsh console shell-session shellsession sh-session",
    Kind.DOCKERFILE: "dockerfile docker containerfile",
    Kind.YAML: "yaml yml",
    Kind.JSON: "json",
    Kind.TOML: "toml",
    Kind.REQUIREMENTS: "requirements requirements.txt pip-requirements",
}
_BY_NAME = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_INFO = re.compile(r"\{?\.?([\w.+-]+)")
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}[ \t]*([\w.+-]*)")

DIRECTIVES = frozenset({"code-block", "code", "sourcecode", "code-cell"})
"""Directives of Sphinx whose argument is the language of the code in them."""
PYTHON_DIRECTIVES = frozenset({"testcode", "testsetup", "doctest", "ipython"})
"""Those whose code is Python."""


def kind_of_language(language: str) -> Kind | None:
    """The kind of file that code in a language is; None for one that is not read."""
    return _BY_NAME.get(language.lower())


def language_of(info: str) -> str:
    """The language that the line which opens a fence names: ``py``, ``{.python}``, ``{r}``."""
    match = _INFO.match(info.strip())
    return match[1] if match else ""


def directive_of(info: str) -> tuple[str, str] | None:
    """The directive that a fence of MyST is, and its first argument: ``{code-block} python``."""
    match = _DIRECTIVE.match(info.strip())
    return (match[1], match[2]) if match else None


def language_in(directive: str, argument: str, otherwise: str = "") -> str | None:
    """The language of a directive's code; None for a directive that holds none."""
    if directive in PYTHON_DIRECTIVES:
        return "python"
    return argument or otherwise if directive in DIRECTIVES else None
