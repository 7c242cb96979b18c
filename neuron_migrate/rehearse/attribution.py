"""The line behind an operator, also for those that autograd runs backwards."""

from __future__ import annotations

import torch

from neuron_migrate.rehearse.lines import NOWHERE, Place
from neuron_migrate.rehearse.state import state

REMEMBERED = 1 << 18
"""Forward operators of which the line is kept for their backward; the oldest are forgotten."""

_forward: dict[int, Place] = {}
_sequence = torch._C._autograd._get_sequence_nr
_node = torch._C._current_autograd_node


def locate() -> Place:
    """The program's line; of a backward operator that of the forward operator it belongs to."""
    if state.node is not None:
        return state.node
    place, in_backward = state.recorder.lines.here()
    state.backward = in_backward
    if in_backward:
        node = _node()
        return _forward.get(node._sequence_nr(), place) if node is not None else place
    if place is NOWHERE:
        return state.place
    if torch.is_grad_enabled():
        _forward.setdefault(_sequence() - 1, place)
        if len(_forward) > REMEMBERED:
            _forget()
    return place


def _forget() -> None:
    for number in list(_forward)[: REMEMBERED // 2]:
        del _forward[number]
