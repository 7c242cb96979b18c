"""How long a check takes, in terms of a loop that only calls ``ast.parse`` on the same files.

    python benchmarks/speed.py FOLDER [--rounds N]

Prints medians and ratios of one run: ``cold`` starts without a cache, ``warm`` with the one that
the cold run left; memory is the largest single process. The loop runs in one process.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LOOP = """
import ast, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
for path in Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        pass
"""


def main() -> None:
    """Run the rounds and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    times: dict[str, list[float]] = {"ast.parse": [], "cold": [], "warm": []}
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as cache:
            times["ast.parse"].append(_seconds([sys.executable, "-c", LOOP, str(folder)], cache))
            for name in ("cold", "warm"):
                times[name].append(_seconds(_check(folder), cache))
    _report(folder, times)


def _check(folder: Path) -> list[str]:
    return [sys.executable, "-m", "neuron_migrate", "check", "--exit-zero", str(folder)]


def _seconds(command: list[str], cache: str) -> float:
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _report(folder: Path, times: dict[str, list[float]]) -> None:
    files = list(folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"{len(files)} files, {lines} lines, {os.cpu_count()} cores, {len(times['cold'])} rounds")
    for name, median in medians.items():
        ratio = median / medians["ast.parse"]
        spread = f"{min(times[name]):.2f}-{max(times[name]):.2f}"
        print(f"{name:>10}: median {median:6.2f} s ({spread}), {ratio:.2f} x ast.parse")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
