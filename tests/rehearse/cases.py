"""The programs that the fixtures and the examples of the rules hold, before and after `fix`.

    python -m tests.rehearse.cases

writes not-equal.txt, the list of those that cannot run here or do not give equal numbers, anew.
"""

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
LIST = Path(__file__).parent / "not-equal.txt"
KINDS = {
    "NameError": "fragment",
    "ModuleNotFoundError": "library",
    "ImportError": "library",
    "FileNotFoundError": "data",
    "InvalidBackend": "backend",
}
"""What an exception says of why a text is no program that can run here."""
EXACT, ROUNDED = 1e-5, 2e-2
"""Relative tolerances: for what computes alike, and for float16 that became bfloat16."""
MEMORY = frozenset({"peak", "sizes()"})
"""Names of counters of memory, which the CPU does not have."""
Texts = dict[str, str]
Numbers = dict[str, list[float]]


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


def verdicts() -> dict[str, str]:
    """Of each program after `fix`: `equal`, or in one word why it is not known to be."""
    after, before = programs()
    ours, theirs = results(after, before)
    return {name: _verdict(result, theirs[name.split()[0]]) for name, result in ours.items()}


def _verdict(after: dict[str, Any], before: dict[str, Any]) -> str:
    why = reason(after) or (reason(before) and f"before-{reason(before)}")
    if why:
        return why
    ours, theirs = after["values"], before["values"]
    shared = ours.keys() & theirs.keys()
    for verdict, tolerance in (("equal", EXACT), ("rounding", ROUNDED)):
        if all(_close(ours[name], theirs[name], tolerance) for name in shared):
            return verdict
    return "memory" if _differing(ours, theirs) <= MEMORY else "differs"


def reason(result: dict[str, Any]) -> str:
    """One word for why a program did not run; empty when it did."""
    error = str(result.get("error", ""))
    kind, _, message = error.partition(": ")
    if "CUDA" in message or "cuda" in message:
        return "cuda"
    return KINDS.get(kind, error and kind)


def _differing(ours: Numbers, theirs: Numbers) -> set[str]:
    return {
        name for name in ours.keys() & theirs.keys() if not _close(ours[name], theirs[name], EXACT)
    }


def _close(ours: list[float], theirs: list[float], tolerance: float) -> bool:
    return len(ours) == len(theirs) and all(
        (math.isnan(a) and math.isnan(b))
        or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance / 10)
        for a, b in zip(ours, theirs, strict=True)
    )


def listed(found: dict[str, str]) -> str:
    """The programs that are not known to be equal, as the checked-in list has them."""
    rest = sorted((name, verdict) for name, verdict in found.items() if verdict != "equal")
    return "".join(f"{name}: {verdict}\n" for name, verdict in rest)


if __name__ == "__main__":
    LIST.write_text(listed(verdicts()))
