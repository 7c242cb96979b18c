"""The programs that the fixtures and the examples of the rules hold, before and after `fix`."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cases import TARGETS, catalog, discover

FAMILIES = ("device", "compile", "precision")
LIST = Path(__file__).parent / "not-run.txt"
KINDS = {
    "NameError": "fragment",
    "ModuleNotFoundError": "library",
    "ImportError": "library",
    "FileNotFoundError": "data",
}
"""What an exception says of why a text is no program that can run here."""
Texts = dict[str, str]


def programs() -> tuple[Texts, Texts]:
    """The texts after, by case and target, and the texts before, by case."""
    after: Texts = {}
    before: Texts = {}
    for case in (each for family in FAMILIES for each in discover(family)):
        for target in TARGETS:
            if case.name == "py" and case.expected(target).exists():
                after[f"{case} {target}"] = case.after(target).decode()
                before[str(case)] = case.before.decode()
    for rule in catalog().rules:
        for number, example in enumerate(rule.examples if rule.family in FAMILIES else (), 1):
            for target in TARGETS:
                text = getattr(example, target)
                if text is not None and example.path.endswith(".py"):
                    after[f"{rule.code}/{number} {target}"] = text
                    before[f"{rule.code}/{number}"] = example.before
    return after, before


def results(after: Texts, before: Texts) -> tuple[dict[str, Any], dict[str, Any]]:
    """What became of them: after on the device, before on the CPU."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.rehearse.programs", mode],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True,
        )
        for mode in ("device", "cpu")
    ]  # fmt: skip
    for process, texts in zip(processes, (after, before), strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps(texts))
        process.stdin.close()
        process.stdin = None
    ran = [json.loads(process.communicate()[0]) for process in processes]
    return ran[0], ran[1]


def reason(result: dict[str, Any]) -> str:
    """One word for why a program did not run; empty when it did."""
    error = str(result.get("error", ""))
    kind, _, message = error.partition(": ")
    if "CUDA" in message or "cuda" in message:
        return "cuda"
    return KINDS.get(kind, error and kind)


def differing(after: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """The names that both texts leave with other numbers."""
    ours, theirs = after["values"], before["values"]
    return [
        name
        for name in ours.keys() & theirs.keys()
        if len(ours[name]) != len(theirs[name])
        or not all(map(_close, ours[name], theirs[name]))
    ]


def _close(ours: float, theirs: float) -> bool:
    both = math.isnan(ours) and math.isnan(theirs)
    return both or math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=1e-8)
