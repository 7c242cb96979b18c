"""Compares the numbers in files that two runs saved: `python -m neuron_migrate.rehearse.tensors`.

Reads a Request as JSON from standard input and prints an Answer for each pair of files. What is
loaded was written by the program a moment ago: a pickle can do no more than the program did.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator


class Request(msgspec.Struct):
    """Pairs of files, the first of each of the run on the device, and the relative tolerance."""

    pairs: list[tuple[str, str]]
    tolerance: float


class Differing(msgspec.Struct):
    """The first number of a tensor that differs, where it is, and how many do."""

    key: str
    found: str
    expected: str
    numbers: int


class Answer(msgspec.Struct):
    """What two files have in common.

    `error` says why they could not be compared, `other` how they are built differently.
    """

    numbers: int = 0
    differing: list[Differing] = msgspec.field(default_factory=list)
    error: str = ""
    other: str = ""


def answer(found: Path, expected: Path, tolerance: float) -> Answer:
    """Compare two files."""
    try:
        ours, theirs = (dict(_flat(load(path), "")) for path in (found, expected))
    except Exception as error:
        return Answer(error=f"cannot be read: {type(error).__name__}")
    if ours.keys() != theirs.keys():
        return Answer(other="holds other names: " + ", ".join(sorted(ours.keys() ^ theirs)[:3]))
    made = Answer()
    for key, tensor in ours.items():
        other = theirs[key]
        if tensor.shape != other.shape:
            shapes = f"{tuple(tensor.shape)} and {tuple(other.shape)}"
            return Answer(other=f"{key} has the shapes {shapes}")
        made.numbers += tensor.numel()
        if differing := _differing(key, tensor, other, tolerance):
            made.differing.append(differing)
    return made


def load(path: Path) -> Any:
    """What a file of torch, NumPy or safetensors holds."""
    if path.suffix == ".safetensors":
        return import_module("safetensors.torch").load_file(path)
    if path.suffix in (".npy", ".npz"):
        numpy = import_module("numpy")
        loaded = numpy.load(path, allow_pickle=False)
        return {name: loaded[name] for name in loaded} if path.suffix == ".npz" else loaded
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except Exception:
        return torch.load(path, map_location="cpu", weights_only=False)


def _flat(value: Any, key: str) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors and numbers in a value; a compiled module's names are those of the module."""
    if isinstance(value, torch.Tensor):
        yield key or "value", value.detach().to_dense()
    elif isinstance(value, (bool, int, float, complex)):
        yield key or "value", torch.tensor(value)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _flat(item, f"{key}.{name}".removeprefix(".").replace("_orig_mod.", ""))
    elif isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            yield from _flat(item, f"{key}[{position}]")
    elif type(value).__module__ == "numpy":
        yield key or "value", torch.as_tensor(value)


def _differing(
    key: str, tensor: torch.Tensor, other: torch.Tensor, tolerance: float
) -> Differing | None:
    ours, theirs = _wide(tensor), _wide(other)
    far = ~torch.isclose(ours, theirs, rtol=tolerance, atol=tolerance * 1e-3, equal_nan=True)
    if not far.any():
        return None
    place = int(far.flatten().nonzero()[0])
    found, expected = (f"{float(each.flatten()[place]):.9g}" for each in (ours, theirs))
    return Differing(key, found, expected, int(far.sum()))


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    tensor = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return tensor.double()


def main() -> None:
    """Answer the request on standard input."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    answers = [answer(Path(a), Path(b), request.tolerance) for a, b in request.pairs]
    sys.stdout.buffer.write(msgspec.json.encode(answers))


if __name__ == "__main__":
    main()
