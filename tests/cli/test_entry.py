"""The command before there is one to speak of."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from neuron_migrate import __main__


def test_an_interrupted_import_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    import_ = builtins.__import__

    def interrupted(name: str, *given: Any) -> Any:
        if name == "neuron_migrate.cli":
            raise KeyboardInterrupt
        return import_(name, *given)

    monkeypatch.setattr(builtins, "__import__", interrupted)
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    assert ended.value.code == 130
