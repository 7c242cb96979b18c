"""What a condition around an import asks for."""

from __future__ import annotations

import ast

import pytest

from neuron_migrate.engine.availability import asked


@pytest.mark.parametrize(
    ("test", "holds", "expected"),
    [
        ("TYPE_CHECKING", True, "types"),
        ("TYPE_CHECKING or SLOW_IMPORT", True, "types"),
        ("not TYPE_CHECKING", True, None),
        ("TYPE_CHECKING", False, None),
        ("False", True, "never"),
        ("True", True, None),
        ("is_triton_available()", True, "package"),
        ("is_triton_available()", False, None),
        ("not is_triton_available()", False, "package"),
        ("find_spec('apex') is not None", True, "package"),
        ("find_spec('apex') is None", True, None),
        ("find_spec('apex') is None", False, "package"),
        ("HAS_APEX", True, "package"),
        ("is_torch_available()", True, None),
        ("is_torch_available() and is_apex_available()", True, "package"),
        ("torch.cuda.is_available()", True, "device"),
        ("not torch.cuda.is_available()", True, None),
        ("device.type == 'cuda'", True, "device"),
        ("device.type != 'cuda'", False, "device"),
        ("torch.version.cuda is not None", True, "device"),
        ("__name__ == '__main__'", True, None),
        ("cls.__name__ in EIGHT_BIT", True, "option"),
        ("sys.version_info >= (3, 10)", True, None),
        ("sys.platform == 'win32'", True, "option"),
        ("sys.platform != 'win32'", True, None),
        ("sys.platform == 'linux'", True, None),
        ("args.apex", True, "option"),
        ("args.apex", False, "option"),
    ],
)
def test_a_condition(test: str, holds: bool, expected: str | None) -> None:
    assert asked(ast.parse(test, mode="eval").body, holds=holds) == expected
