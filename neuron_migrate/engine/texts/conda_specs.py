"""Packages as conda writes them: ``pytorch::pytorch=2.1=py39_cuda11.8``, ``numpy>=1.20``."""

from __future__ import annotations

import re

from packaging.utils import canonicalize_name

from neuron_migrate.engine.texts import versions
from neuron_migrate.engine.texts.facts import Requirement, Span

_SPECIFIER = re.compile(
    r"(?:[\w./-]+::)?(?P<name>[A-Za-z0-9_.-]+)(?P<versions>\s*[=<>!~\[\s].*)?", re.DOTALL
)
_NAMES = {"pytorch": "torch", "pytorch-gpu": "torch"}
"""Packages that conda gives another name than pip."""


def requirement(text: str, start: int) -> Requirement | None:
    """What a text that stands at ``start`` of the file asks for; None when it asks for nothing."""
    start += len(text) - len(text.lstrip())
    match = _SPECIFIER.fullmatch(text.strip())
    if match is None:
        return None
    specifier, build = versions.conda(match["versions"] or "")
    name = canonicalize_name(match["name"])
    return Requirement(
        _NAMES.get(name, name),
        match[0],
        Span(start, start + len(match[0])),
        Span(start + match.start("name"), start + match.end("name")),
        specifier=specifier,
        build=build,
    )
