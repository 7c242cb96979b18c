"""A tensor or a number, as far as the text shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Place = Literal["cpu", "device", "unknown"]

INTEGERS = frozenset({"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"})
FLOATS = frozenset({"float16", "bfloat16", "float32", "float64"})
COMPLEX = frozenset({"complex32", "complex64", "complex128"})
DTYPES = INTEGERS | FLOATS | COMPLEX | {"bool"}
NUMBERS = frozenset({"int", "float", "complex"})
"""Types of Python's own numbers."""
ALIASES = {
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "chalf": "complex32",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
"""Other names that torch has for a dtype."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression gives: a tensor, or one of Python's numbers."""

    dtypes: frozenset[str] = frozenset()
    """All that it may be; empty when the text does not say."""
    place: Place = "unknown"
    """Where a tensor is."""

    @property
    def is_tensor(self) -> bool:
        """False for one of Python's own numbers."""
        return not self.dtypes or self.dtypes.isdisjoint(NUMBERS)

    def is_one_of(self, dtypes: Iterable[str]) -> bool:
        """True when the dtype is known and among these."""
        return bool(self.dtypes) and self.dtypes.issubset(dtypes)

    def of(self, *dtypes: str) -> Value:
        """The same with another dtype; none for an unknown one."""
        return replace(self, dtypes=frozenset(dtypes))

    def at(self, place: Place) -> Value:
        """The same in another place."""
        return replace(self, place=place)


def dtype_of(path: str) -> str | None:
    """The dtype a dotted path stands for: ``torch.long`` is ``int64``."""
    module, _, name = path.rpartition(".")
    name = ALIASES.get(name, name)
    return name if module == "torch" and name in DTYPES else None


def either(values: Iterable[Value]) -> Value:
    """What one of several values may be; where one of the dtypes is unknown, all is unknown."""
    every = list(values)
    known = all(value.dtypes for value in every)
    places = {value.place for value in every}
    return Value(
        frozenset().union(*(value.dtypes for value in every)) if known else frozenset(),
        places.pop() if len(places) == 1 else "unknown",
    )


def together(values: Iterable[Value]) -> Place:
    """Where the result of an operator on several tensors is."""
    places = {value.place for value in values if value.is_tensor}
    if "device" in places:
        return "device"
    return "cpu" if places == {"cpu"} else "unknown"
