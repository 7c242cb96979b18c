"""What is installed beside an interpreter, as JSON on the last line of standard output.

The text of this module is handed to other interpreters too: it needs nothing but the standard
library, and imports nothing of what it looks at.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path

CUDA = re.compile(r"^cuda\b[^=\n]*=\s*['\"]([\d.]+)['\"]", re.MULTILINE)


def look() -> dict[str, object]:
    """The interpreter and its distributions; the first of a name is the one that is imported."""
    found: dict[str, list[str]] = {}
    unreadable: list[str] = []
    cuda = ""
    for distribution in distributions():
        name, version = _named(distribution)
        if not name or not version:
            unreadable.append(str(getattr(distribution, "_path", "")))
            continue
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key == "torch" and key not in found:
            cuda = _cuda(distribution)
        found.setdefault(key, [name, version])
    return {
        "executable": sys.executable,
        "prefix": sys.prefix,
        "version": ".".join(map(str, sys.version_info[:3])),
        "implementation": sys.implementation.name,
        "distributions": sorted(found.values()),
        "unreadable": sorted(filter(None, unreadable)),
        "cuda": cuda,
    }


def _named(distribution: Distribution) -> tuple[str, str]:
    try:
        return distribution.metadata["Name"] or "", distribution.version or ""
    except Exception:  # a folder that was left half-removed raises whatever it likes
        return "", ""


def _cuda(distribution: Distribution) -> str:
    """The CUDA that a torch was built for, as the text of its torch/version.py says."""
    try:
        text = Path(str(distribution.locate_file("torch/version.py"))).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    match = CUDA.search(text)
    return match[1] if match else ""


if __name__ == "__main__":
    print("\n" + json.dumps(look()))
