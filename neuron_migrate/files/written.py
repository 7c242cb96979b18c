"""What neuron-migrate itself writes: kept in a project, it is not one of its configurations."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEAD = 512
"""Bytes within which each document says what it is."""
_JSON = re.compile(
    rb"""\s*(?:
        \{"part":\d+,"version":                            # check --write-part
      | \{\s*"schema":\s*\d+,\s*(?:
            "findings":\s*\[                               # check --write-baseline
          | "tool":\s*\{\s*"name":\s*"neuron-migrate"      # check and doctor, as json
          | "sdk":\s*"[^"]*",\s*"rules":                   # rules, as json
          | "settings":                                    # --show-settings, as json
        )
      | \{\s*"\$schema":\s*"[^"]*sarif.*"name":\s*"neuron-migrate"
      | \[\s*\{\s*"description":\s*"NM\d{3}:               # gitlab
      | \[\s*\]\s*\Z                                       # gitlab, of no finding
    )""",
    re.VERBOSE | re.DOTALL,
)
_FORMS: Mapping[Kind | None, re.Pattern[bytes]] = {
    Kind.JSON: _JSON,
    Kind.MARKUP: re.compile(rb"### neuron-migrate\n"),
}


def is_own(path: str, kind: Kind | None) -> bool:
    """Whether a file of a kind is a part, a baseline or a report, by how it begins."""
    form = _FORMS.get(kind)
    if form is None:
        return False
    try:
        return form.match(read(Path(path), _HEAD)) is not None
    except SourceError:
        return False  # who reads all of it says why not


def is_code(path: Path) -> bool:
    """Whether a file is of a kind that is read, and of none that documents are written in."""
    kind = kind_of(path.absolute().as_posix())
    return kind is not None and kind not in _FORMS
