"""Runs many small programs in one process: each in a fork of it, as importing torch takes long.

    python -m tests.rehearse.programs device|cpu < programs.json

reads a mapping of names to source texts and prints what became of each: the numbers that it left
in its names and that its functions return, or what it raised.
"""

from __future__ import annotations

import builtins
import gc
import inspect
import io
import json
import os
import signal
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import torch._dynamo

from tests.rehearse import prelude

ONLY = frozenset({"torch", "tests", "neuron_migrate", *sys.stdlib_module_names})
"""What programs may import, whatever else is installed where the tests run."""
SECONDS = 20
Values = dict[str, list[float]]


def _import(name: str, *args: Any, **kwargs: Any) -> Any:
    """The import of a program, which finds what every machine has."""
    if name.partition(".")[0] not in ONLY:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return builtins.__import__(name, *args, **kwargs)


def main() -> None:
    """Run all programs."""
    with TemporaryDirectory() as folder:
        _run_all(sys.argv[1] == "device", Path(folder))


def _run_all(on_device: bool, folder: Path) -> None:
    if on_device:
        from neuron_migrate.rehearse import backend, plugin

        plugin.announce(folder, 2)
        plugin.announce_to_spawned(folder)
        backend.install(2)
        # What a first compilation imports is then there in every fork.
        torch.compile(torch.neg, backend="neuron", dynamic=False)(torch.ones(1, device="neuron"))
    else:
        from neuron_migrate.rehearse import hosted

        hosted.install(2)
    programs: dict[str, str] = json.load(sys.stdin)
    device = "neuron" if on_device else "cuda"
    gc.freeze()
    results = {source: _forked(source, device) for source in dict.fromkeys(programs.values())}
    json.dump({name: results[source] for name, source in programs.items()}, sys.stdout)


def _forked(source: str, device: str) -> dict[str, Any]:
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        signal.alarm(SECONDS)
        try:
            with os.fdopen(writing, "w") as pipe:
                json.dump(_run(source, device), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    _, status = os.waitpid(process, 0)
    if not answer:
        return {"error": f"Killed: status {status}"}
    return dict(json.loads(answer))


def _run(source: str, device: str) -> dict[str, Any]:
    """What the program leaves; with its data on the host if it moves them itself."""
    first = _run_on(device, source)
    if "same device" in first.get("error", "") or "not of type" in first.get("error", ""):
        return _run_on("cpu", source)
    return first


def _run_on(device: str, source: str) -> dict[str, Any]:
    torch._C._set_deterministic_algorithms(True, warn_only=True)
    given = prelude.names(device)
    module = types.ModuleType("__main__")
    module.__dict__.update(given)
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    sys.modules["__main__"] = module
    torch.manual_seed(0)
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(compile(source, "program.py", "exec"), module.__dict__)
            values = _values(module.__dict__, given)
            values |= _called(module, given)
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"values": values}


def _called(module: types.ModuleType, given: dict[str, Any]) -> Values:
    """What functions return whose parameters all have a name that is given or a default."""
    values: Values = {}
    for name, function in list(module.__dict__.items()):
        if not inspect.isfunction(function) or function.__code__.co_filename != "program.py":
            continue
        taken = _arguments(function, given)
        if taken is not None:
            torch.manual_seed(0)
            values |= _values(
                {f"{name}()": function(**taken), f"{name}() draws": torch.rand(2)}, {}
            )
    return values


def _arguments(function: Any, given: dict[str, Any]) -> dict[str, Any] | None:
    taken = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in given:
            taken[name] = given[name]
        elif parameter.default is inspect.Parameter.empty:
            return None
    return taken


def _values(found: dict[str, Any], given: dict[str, Any]) -> Values:
    """The numbers of each name, also of what is given and may have been trained."""
    values: Values = {}
    for name, value in found.items():
        if name.startswith("__") or isinstance(value, (type, types.ModuleType)):
            continue
        numbers = _numbers(value)
        if numbers:
            values[name] = numbers
    return values


def _numbers(value: Any) -> list[float]:
    if isinstance(value, torch.Tensor):
        dense = value.detach().cpu()
        flat = torch.view_as_real(dense) if dense.is_complex() else dense
        return [float(number) for number in flat.double().flatten().tolist()]
    if isinstance(value, torch.nn.Module):
        return [number for each in value.state_dict().values() for number in _numbers(each)]
    if isinstance(value, (int, float)):
        return [float(value)]
    if isinstance(value, (list, tuple)):
        return [number for each in value for number in _numbers(each)]
    if isinstance(value, dict):
        return [number for each in value.values() for number in _numbers(each)]
    return []


if __name__ == "__main__":
    main()
