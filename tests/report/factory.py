"""Findings for the tests of the formatters."""

from __future__ import annotations

from typing import Any

from neuron_migrate.finding import FileResult, Finding, Risk

MESSAGE = 'The device "cuda" does not exist on Trainium: torch raises here.'


def finding(**given: Any) -> Finding:
    defaults: dict[str, Any] = {
        "code": "NM101",
        "name": "cuda-device-string",
        "family": "device",
        "path": "train.py",
        "line": 3,
        "column": 10,
        "end_line": 3,
        "end_column": 16,
        "message": MESSAGE,
        "risk": Risk.BREAKS,
        "confidence": "documented",
        "fix": "safe",
    }
    return Finding(**{**defaults, **given})


def manual(**given: Any) -> Finding:
    return finding(**{"fix": None, "not_fixed": "it is built at run time", "effort": "low"} | given)


def unsafe(**given: Any) -> Finding:
    return finding(**{"fix": "unsafe", "risk": Risk.CPU, "effort": "low"} | given)


def blocker(**given: Any) -> Finding:
    rule = {"code": "NM701", "name": "cuda-extension", "family": "libraries", "effort": "high"}
    return manual(**rule | {"blocked": True} | given)


def note(**given: Any) -> Finding:
    return finding(**{"fix": None, "risk": Risk.INFO} | given)


def advice(**given: Any) -> Finding:
    rule = {"code": "NM210", "name": "boolean-mask", "family": "compile", "fix": None}
    return finding(**rule | {"risk": Risk.RECOMPILES, "advice": True} | given)


def failure(**given: Any) -> Finding:
    rule = {"code": "NM000", "name": "not-analysed", "family": "tool", "fix": None}
    return finding(**rule | {"message": "cannot be parsed: invalid syntax"} | given)


def result(*findings: Finding, path: str = "train.py", **given: Any) -> FileResult:
    return FileResult(path=path, findings=findings, **given)
