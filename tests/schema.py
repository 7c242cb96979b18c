"""The JSON schema of the configuration, for editors.

    python -m tests.schema

writes docs/schema/neuron-migrate.json from what the configuration accepts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from neuron_migrate.config import Table

FILE = Path(__file__).parent.parent / "docs/schema/neuron-migrate.json"


def made() -> str:
    """The schema, with the table itself at the top."""
    (reference,), parts = msgspec.json.schema_components([Table])
    table: dict[str, Any] = parts.pop(reference["$ref"].rpartition("/")[2])
    table["title"] = "neuron-migrate"
    table["description"] = "[tool.neuron-migrate] in pyproject.toml, or neuron-migrate.toml"
    defined = {"$defs": parts} if parts else {}
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", **table, **defined}
    # \Z is Python's end of a text; that of JavaScript is $.
    return json.dumps(document, indent=2).replace("\\\\Z", "$") + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(made())
