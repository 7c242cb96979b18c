"""The differences between what two runs printed and saved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.rehearsal import launch
from neuron_migrate.rehearsal.lines import Line, lines
from neuron_migrate.rehearsal.model import Difference, Saved

if TYPE_CHECKING:
    from neuron_migrate.rehearsal.observed import Observed

Key = tuple[str, str, int, int]
"""Where, the words of the line, which of the lines with these words, which number in it."""
_SMALL = 1e-3
"""Times the tolerance: numbers no further apart than this are equal near zero."""


class Contrast(msgspec.Struct, kw_only=True):
    """Two runs side by side."""

    numbers: int = 0
    aside: int = 0
    differing: dict[Key, Difference] = msgspec.field(default_factory=dict)
    unmatched: dict[Key, str] = msgspec.field(default_factory=dict)
    saved: list[Saved] = msgspec.field(default_factory=list)

    def without(self, noise: Contrast) -> int:
        """Leave out what is different in two runs on the CPU too; how much that is."""
        before = len(self.differing) + len(self.unmatched)
        self.differing = {k: v for k, v in self.differing.items() if k not in noise.differing}
        lines = {key[:2] for key in noise.unmatched}
        self.unmatched = {k: v for k, v in self.unmatched.items() if k[:2] not in lines}
        return before - len(self.differing) - len(self.unmatched)


class Pair(msgspec.Struct):
    """A tensor that differs."""

    key: str
    found: str
    expected: str
    numbers: int


class Answer(msgspec.Struct):
    """What `rehearse.tensors` says of two files."""

    numbers: int = 0
    differing: list[Pair] = msgspec.field(default_factory=list)
    error: str = ""
    other: str = ""


def contrast(found: Observed, expected: Observed, tolerance: float, python: str) -> Contrast:
    """Compare standard output, standard error and the files of two runs."""
    made = Contrast()
    for stream in ("stdout", "stderr"):
        _texts(made, stream, found, expected, tolerance)
    both = [name for name in found.files if name in expected.files]
    tensors = [name for name in both if found.kind(name) == "tensors"]
    for name in both:
        if name not in tensors:
            made.saved.append(_file(made, name, found, expected, tolerance))
    for name, answer in zip(
        tensors, _answers(tensors, found, expected, tolerance, python), strict=True
    ):
        made.saved.append(_tensors(made, name, answer))
    for names, others, status in (
        (found.files, expected.files, "device-only"),
        (expected.files, found.files, "cpu-only"),
    ):
        for name in names:
            if name not in others:
                made.saved.append(Saved(path=name, status=status))  # type: ignore[arg-type]
    return made


def close(found: float, expected: float, tolerance: float) -> bool:
    """Whether two numbers are equal as far as the tolerance goes."""
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance * _SMALL)


def _texts(
    made: Contrast, where: str, found: Observed, expected: Observed, tolerance: float
) -> None:
    theirs = _by_words(expected.text_of(where).replace(str(expected.folder), str(found.folder)))
    for key, line in _by_words(found.text_of(where)).items():
        other = theirs.pop(key, None)
        if other is not None:
            _line(made, where, line, other, tolerance)
        elif _counts(line) and where != "stderr":
            made.unmatched[(where, *key, 0)] = f"+{line.text}"
    for key, line in theirs.items():
        if _counts(line) and where != "stderr":
            made.unmatched[(where, *key, 0)] = f"-{line.text}"


def _by_words(text: str) -> dict[tuple[str, int], Line]:
    return {(line.words, line.occurrence): line for line in lines(text)}


def _counts(line: Line) -> bool:
    return any(not number.aside for number in line.numbers)


def _line(made: Contrast, where: str, line: Line, other: Line, tolerance: float) -> None:
    for position, (ours, theirs) in enumerate(zip(line.numbers, other.numbers, strict=True)):
        if ours.aside or theirs.aside:
            made.aside += 1
            continue
        made.numbers += 1
        if ours.text != theirs.text and not close(ours.value, theirs.value, tolerance):
            made.differing[where, line.words, line.occurrence, position] = Difference(
                where=where, line=line.number, text=line.text,
                found=ours.text, expected=theirs.text, numbers=1,
            )  # fmt: skip


def _file(
    made: Contrast, name: str, found: Observed, expected: Observed, tolerance: float
) -> Saved:
    if (found.folder / name).read_bytes() == (expected.folder / name).read_bytes():
        return Saved(path=name, status="equal")
    if found.kind(name) == "bytes" or expected.kind(name) == "bytes":
        return Saved(path=name, status="not-compared", why="other bytes, of an unknown kind")
    numbers, differing, unmatched = made.numbers, len(made.differing), len(made.unmatched)
    _texts(made, name, found, expected, tolerance)
    equal = (differing, unmatched) == (len(made.differing), len(made.unmatched))
    status = "equal" if equal else "differs"
    return Saved(path=name, status=status, numbers=made.numbers - numbers)  # type: ignore[arg-type]


def _answers(
    names: list[str], found: Observed, expected: Observed, tolerance: float, python: str
) -> list[Answer]:
    """Let the interpreter that has torch read the files."""
    if not names:
        return []
    pairs = [[str(run.folder / name) for run in (found, expected)] for name in names]
    request = msgspec.json.encode({"pairs": pairs, "tolerance": tolerance})
    answers = launch.ask(python, "neuron_migrate.rehearse.tensors", request)
    if answers is None:
        return [Answer(error="cannot be read")] * len(names)
    return msgspec.json.decode(answers, type=list[Answer])


def _tensors(made: Contrast, name: str, answer: Answer) -> Saved:
    if answer.error:
        return Saved(path=name, status="not-compared", why=answer.error)
    if answer.other:
        return Saved(path=name, status="differs", why=answer.other)
    made.numbers += answer.numbers
    for each in answer.differing:
        made.differing[name, each.key, 0, 0] = Difference(
            where=name, line=None, text=each.key,
            found=each.found, expected=each.expected, numbers=each.numbers,
        )  # fmt: skip
    status = "differs" if answer.differing else "equal"
    return Saved(path=name, status=status, numbers=answer.numbers)  # type: ignore[arg-type]
