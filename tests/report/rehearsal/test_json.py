"""The published schema, against what is really written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate.report.rehearsal import json as json_format
from tests.rehearsal import schema
from tests.rehearsal.factory import everything, rehearsal
from tests.report import schemas

SCHEMA = json.loads(schema.FILE.read_text(encoding="utf-8"))


def document() -> Any:
    return json.loads(json_format.render(everything(), sdk="2.33"))


def test_the_schema_is_that_of_the_structs() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == schema.made()


def test_what_is_written_is_valid() -> None:
    assert schemas.problems(document(), SCHEMA) == []
    killed = json.loads(json_format.render(rehearsal(status=-9), sdk="2.33"))
    assert schemas.problems(killed, SCHEMA) == []


def test_every_key_is_described() -> None:
    written = document()
    assert list(written) == list(SCHEMA["properties"]) == SCHEMA["required"]
    assert all(written[name] for name in ("transfers", "waits", "operators", "dtypes", "notes"))


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [("outcome", "ending", "bad"), ("bill", "padded", "1"), ("memory", "cores", None)],
)
def test_the_schema_refuses_what_is_not_the_format(part: str, key: str, value: object) -> None:
    written = document()
    written[part][key] = value
    assert schemas.problems(written, SCHEMA)
