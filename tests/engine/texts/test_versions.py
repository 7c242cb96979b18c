"""Specifiers of package managers, and whether two sets of versions meet."""

from __future__ import annotations

import pytest
from packaging.specifiers import SpecifierSet

from neuron_migrate.engine.texts import versions

SUPPORTED = ">=2.13,<2.15"


@pytest.mark.parametrize(
    "asked",
    [
        "",
        ">=1.7",
        "==2.14.*",
        "==2.14.0",
        "==2.13",
        "~=2.0",
        "~=2.13",
        "<=2.13",
        "!=2.13",
        ">2.14",
        ">2.13,<2.13.1",
        "!=2.13.*",
        "==2.14.0.dev1",
        "==2.14.0+cu126",
        "===2.0",
        "not versions",
        ">=2.13.1,<2.13.2",
    ],
)
def test_versions_that_meet(asked: str) -> None:
    assert versions.meet(asked, SUPPORTED)


@pytest.mark.parametrize(
    "asked",
    [
        "==2.4.0+cu121",
        "<2",
        "~=2.12.1",
        "!=2.13.*,!=2.14.*",
        ">=2.15",
        "<2.13",
        "==2.1.*",
        "~=1.13",
        ">2.12,<2.13",
        "==2.15.0.dev1",
        ">=2,<2.13",
    ],
)
def test_versions_that_do_not_meet(asked: str) -> None:
    assert not versions.meet(asked, SUPPORTED)


@pytest.mark.parametrize("first", [">=2.1,<2.3", "~=2.2", "<2.2.2", "==2.2.1", "!=2.2", ">2.3"])
@pytest.mark.parametrize("other", ["==2.2.*", ">=2.3", "<2", "~=2.2.1", ">2.2,<2.2.2", "!=2.2.*"])
def test_meeting_is_what_trying_out_finds(first: str, other: str) -> None:
    both = SpecifierSet(first) & SpecifierSet(other)
    tried = [
        f"{major}.{minor}.{patch}" for major in range(4) for minor in range(6) for patch in range(6)
    ]
    if any(both.contains(each) for each in tried):
        assert versions.meet(first, other)
    assert versions.meet(first, other) == versions.meet(other, first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("^2.1", ">=2.1,<3"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0", ">=0.0,<0.1"),
        ("~2.1", ">=2.1,<2.2"),
        ("~2", ">=2,<3"),
        ("2.1", "==2.1"),
        ("2.*", "==2.*"),
        ("*", ""),
        (">=2,<3", ">=2,<3"),
        ("^2.1 || ^3", ""),
        ("~=2.1", "~=2.1"),
        ("1.2.3+cu121", "==1.2.3+cu121"),
        ("latest", ""),
    ],
)
def test_poetry(text: str, expected: str) -> None:
    assert SpecifierSet(versions.poetry(text)) == SpecifierSet(expected)


@pytest.mark.parametrize(
    ("text", "expected", "build"),
    [
        ("=2.1", "==2.1.*", ""),
        ("==2.1", "==2.1", ""),
        ("2.1.*", "==2.1.*", ""),
        (">=2,<3", ">=2,<3", ""),
        ("=2.1=py39_cuda11.8", "==2.1", "py39_cuda11.8"),
        ("1.1|1.2", "", ""),
        ("*", "", ""),
        ("[version='>=2']", "", ""),
        (" >=2 ", ">=2", ""),
        ("", "", ""),
    ],
)
def test_conda(text: str, expected: str, build: str) -> None:
    specifier, found = versions.conda(text)
    assert SpecifierSet(specifier) == SpecifierSet(expected)
    assert found == build
