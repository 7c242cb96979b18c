"""Without a torch that the device knows there is one clear line."""

from __future__ import annotations

import importlib.metadata

import pytest

from neuron_migrate.errors import UsageError
from neuron_migrate.rehearse.requirement import require_torch


def test_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(UsageError, match=r"neuron-migrate\[rehearse\]"):
        require_torch()


@pytest.mark.parametrize("version", ["2.10.1", "2.16.0", "1.13.1+cu117"])
def test_an_unknown_torch(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: version)
    with pytest.raises(UsageError, match=r"2\.11 to 2\.15"):
        require_torch()


@pytest.mark.parametrize("version", ["2.11.0", "2.13.0+cpu", "2.15.2"])
def test_a_known_torch(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda _: version)
    assert str(require_torch()) == version
