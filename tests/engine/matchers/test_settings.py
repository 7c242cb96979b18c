"""Assignments to configuration variables, in the forms libraries offer."""

from __future__ import annotations

import pytest

from tests.engine.building import found

RULE = {
    "code": "NM205",
    "triggers": ["_dynamo"],
    "match": {
        "kind": "setting",
        "settings": [
            {"name": "torch._dynamo.config.dynamic", "values": ["True"], "note": "no."},
            {"name": "torch._dynamo.config.*_limit", "note": "slow."},
        ],
    },
}
SETS = [
    "torch._dynamo.config.dynamic = True",
    "torch._dynamo.config.cache_limit = 8",
    "torch._dynamo.config.cache_limit = n",
    "c = torch._dynamo.config\nc.dynamic = True",
    "torch._dynamo.config.patch(dynamic=True)",
    "torch._dynamo.config.patch('dynamic', True)",
    "torch._dynamo.config.patch({'dynamic': True})",
]
LEAVES = [
    "torch._dynamo.config.dynamic = False",
    "torch._dynamo.config.dynamic = flag",
    "torch._dynamo.config.verbose = True",
    "print(torch._dynamo.config.dynamic)",
    "mock.patch('torch._dynamo.config.dynamic', True)",
    "torch._dynamo.config.patch(dynamic=False)",
]


@pytest.mark.parametrize("text", SETS)
def test_is_reported(text: str) -> None:
    assert len(found(f"import torch\n{text}\n", RULE)) == 1


@pytest.mark.parametrize("text", LEAVES)
def test_is_left_alone(text: str) -> None:
    assert found(f"import torch\n{text}\n", RULE) == []
