"""The environment of an interpreter: its version and what is installed in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from neuron_migrate.doctor import probe
from neuron_migrate.errors import UsageError

_SECONDS = 30
_ISOLATED = ("pipx_metadata.json", "uv-receipt.toml")
"""What pipx and ``uv tool`` leave in the environments they make for one program."""
_ACTIVE = ("VIRTUAL_ENV", "CONDA_PREFIX")


class Distribution(msgspec.Struct, frozen=True, array_like=True):
    """An installed distribution."""

    name: str
    version: str


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """An interpreter and what it would import."""

    executable: str
    prefix: str
    version: str
    implementation: str
    distributions: tuple[Distribution, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Folders of distributions that say no name or no version."""
    cuda: str = ""
    """The CUDA that the installed torch was built for."""
    chosen: str = ""
    """Why this interpreter."""
    isolated: bool = False
    """It was made for neuron-migrate alone, and says nothing about a project."""


def look(python: str | None) -> Environment:
    """The environment of the interpreter that is named, else of the one a project would use.

    That is the running one, or, where neuron-migrate has one to itself, the one that is active.
    Raises UsageError when an interpreter that is named cannot be asked.
    """
    if python is not None:
        return msgspec.structs.replace(
            _ask(_interpreter(python) or python), chosen="named by --python"
        )
    own = msgspec.convert(probe.look(), Environment)
    variable, active = _active(own.prefix)
    if not any(Path(own.prefix, name).is_file() for name in _ISOLATED):
        other = f'; --python "${variable}" looks at the active environment' if active else ""
        return msgspec.structs.replace(own, chosen=f"it runs neuron-migrate{other}")
    if active:
        chosen = f"{variable} is active; neuron-migrate has an environment to itself"
        return msgspec.structs.replace(_ask(active), chosen=chosen)
    chosen = "it was made for neuron-migrate alone; no other environment is active"
    return msgspec.structs.replace(own, chosen=chosen, isolated=True)


def _active(own: str) -> tuple[str, str]:
    """The variable that tells of another environment that is active, and its interpreter."""
    for variable in _ACTIVE:
        prefix = os.environ.get(variable, "")
        if prefix and os.path.realpath(prefix) != os.path.realpath(own):
            found = _interpreter(prefix)
            if found:
                return variable, found
    return "", ""


def _interpreter(prefix: str) -> str:
    """The interpreter of an environment; empty where there is none."""
    candidates = [Path(prefix, "bin/python"), Path(prefix, "Scripts/python.exe")]
    candidates.append(Path(prefix, "python.exe"))
    return next((str(each) for each in candidates if prefix and each.is_file()), "")


def _ask(python: str) -> Environment:
    """Lets an interpreter look at itself, from a folder that holds no modules to import."""
    code = Path(probe.__file__).read_text(encoding="utf-8")
    bare = Path(python).name == python  # one that the PATH leads to
    program = python if bare else Path(python).expanduser().absolute()
    try:
        run = subprocess.run(
            [program, "-c", code],
            capture_output=True,
            timeout=_SECONDS,
            cwd=Path(sys.prefix).anchor,
            check=True,
        )
        found = json.loads(run.stdout.decode("utf-8", "replace").splitlines()[-1])
        return msgspec.convert(found, Environment)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1] if said else f"it ended with status {error.returncode}"
    except subprocess.TimeoutExpired:
        reason = f"it did not answer within {_SECONDS} seconds"
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, IndexError, msgspec.ValidationError):
        reason = "it did not answer as a Python interpreter would"
    raise UsageError(f"cannot look into the packages of {python!r}: {reason}")
