"""From a text and what it becomes to edits that leave the lines between them alone."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import accumulate

from neuron_migrate.files.lines import line_starts
from neuron_migrate.finding import Edit


def between(before: str, after: str) -> list[Edit]:
    """Edits of whole lines."""
    old, new = _lines(before), _lines(after)
    starts = list(accumulate(map(len, old), initial=0))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [
        Edit(starts[a], starts[b], "".join(new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _lines(text: str) -> list[str]:
    starts = line_starts(text)
    return [text[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]
