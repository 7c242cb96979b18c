"""Guards carry meaning: a renamed availability test must not switch on CUDA-only code.

When what a condition guards needs something with no Neuron form, the condition and all under it
stay as they are, and the condition is reported.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine import guarded, kept_values
from neuron_migrate.engine.draft import tie
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File


_CUDA_ONLY = re.compile(
    r"triton|flash|version\.cuda|xformers|apex|bitsandbytes|\bbnb|megatron|nvidia|nvml|nvlink|nccl"
    r"|cudnn|cublas|cutlass|tensorrt|vllm|fp8|fp4|int4|capability|p2p|\bnuma\b|\bhip\b|rocm"
    r"|(?:check|supports?|has)_cuda_[a-z]",
    re.IGNORECASE,
)
"""Words beside a test that say what it is really about."""
_KNOWS_NEURON = re.compile(r"\bis_(?:torch_)?neuron(?:core|x)?_available\b|\bMULTI_NEURON\b")
_DOUBTED = frozenset({"device", "distributed", "precision"})
_HARMFUL = frozenset({Risk.BREAKS, Risk.WRONG, Risk.CPU})


def doubt_where_neuron_is_known(file: File) -> None:
    """A library that asks for Neuron by itself means CUDA where it says CUDA."""
    if not _KNOWS_NEURON.search(file.text):
        return
    for draft in file.drafts:
        if draft.fix == "safe" and draft.rule.family in _DOUBTED:
            _doubt(draft, "the file has code for Neuron already: this may be meant for CUDA alone")


def keep_cuda_guards(file: File) -> None:
    """Take the fixes away from guards of CUDA-only code, and the findings under them."""
    for guard in [draft for draft in file.drafts if _guards_cuda(draft)]:
        assert guard.test is not None
        inside = _inside(file, guarded.stretches(file, *guard.test), guard)
        word = _CUDA_ONLY.search(guarded.beside(*guard.test))
        needs_cuda = next((draft for draft in inside if _needs_cuda(draft)), None)
        doubtful = next((draft for draft in inside if _may_stay(draft)), None)
        if word is not None:
            _hold(file, guard, inside, f"it is tested together with `{word.group()}`")
        elif needs_cuda is not None:
            what = "unfixed" if needs_cuda.rule.family == "lineage" else "CUDA-only"
            place = _place(file, needs_cuda)
            _hold(file, guard, inside, f"renaming the test would switch on {what} code ({place})")
        elif doubtful is not None and guard.fix == "safe":
            _doubt(guard, f"what it guards is not fixed either ({_place(file, doubtful)})")
        else:
            tie(guard, *(draft for draft in inside if draft.statement is guard.statement))
            _look_at_stored(file, guard)
    for guard in [draft for draft in file.drafts if draft.declined and draft.test is not None]:
        if guard.test is not None and guard.rule.family != "lineage":
            _leave(file, _inside(file, guarded.stretches(file, *guard.test), guard))
    _share_fate(file)
    _keep_users(file)


def drop_unsupported(file: File) -> None:
    """Take away findings whose fix rests on another one that has lost its own."""
    fixes = {id(draft): draft.fix for draft in file.drafts if draft.fix}
    file.drafts = [
        draft
        for draft in file.drafts
        if all(fixes.get(id(needed)) in {"safe", draft.fix} for needed in draft.needs)
    ]


def keep_arguments(file: File) -> None:
    """The argument of a torch.cuda function stays when the function does."""
    fixes = {draft.start: draft.fix for draft in file.drafts if draft.argument_of is None}
    for draft in file.drafts:
        if draft.argument_of is not None and draft.fix == "safe":
            function = fixes.get(draft.argument_of)
            tie(draft, *(each for each in file.drafts if each.start == draft.argument_of))
            if function != "safe":
                draft.fix, draft.not_fixed = function, "the torch.cuda call around it is not fixed"
                draft.edits = draft.edits if function else []


def _look_at_stored(file: File, guard: Draft) -> None:
    """A test that a name keeps, or a function returns, may switch on code elsewhere."""
    assert guard.test is not None
    if guard.fix != "safe":
        return
    inside = _inside(file, guarded.stored(file, *guard.test), guard)
    found = next((draft for draft in inside if _needs_cuda(draft)), None)
    if found is None and isinstance(guard.statement.node, ast.Return):
        found = next((draft for draft in file.drafts if _is_kernel(draft)), None)
    if found is not None:
        _doubt(guard, f"the test may switch on CUDA-only code elsewhere ({_place(file, found)})")


def _share_fate(file: File) -> None:
    """The tests of one ``and`` or ``or`` are renamed together, or not at all."""
    for guard in [draft for draft in file.drafts if _guards_cuda(draft)]:
        assert guard.test is not None
        whole = guarded.conjunction(*guard.test)
        if whole is None:
            continue
        start, end = guard.test[0].span(whole)
        for other in file.drafts:
            if start <= other.start < end and other is not guard and _is_left(other):
                _hold(file, guard, [], f"the test beside it stays ({_place(file, other)})")
                break
            if start <= other.start < end and other.test is not None:
                tie(guard, other)


def _keep_users(file: File) -> None:
    """A test stays, or is doubted, with the one that sets what its code uses."""
    users = [draft for draft in file.drafts if _guards_cuda(draft)]
    tests = [draft for draft in file.drafts if draft.test is not None and draft.fix != "safe"]
    for guard in users if tests else []:
        kept = [test for test in tests if test.fix is None and not test.goes]
        value = kept_values.used(file, kept, guard)
        if value is not None:
            assert guard.test is not None
            inside = _inside(file, guarded.stretches(file, *guard.test), guard)
            reason = f"it leads to `{value.name}`, which only a CUDA test that stays sets"
            _hold(file, guard, inside, reason)
            _keep_users(file)  # what this one sets may be used under another
            return
        value = kept_values.used(file, tests, guard) if guard.fix == "safe" else None
        if value is not None:
            _doubt(guard, f"it leads to `{value.name}`, which only a test that may stay sets")


def _guards_cuda(draft: Draft) -> bool:
    """A test that is renamed, save one for an XLA device: its code has no other device to go to."""
    return draft.test is not None and draft.fix is not None and draft.rule.family != "lineage"


def _is_left(draft: Draft) -> bool:
    """A finding about torch.cuda that keeps its condition a CUDA condition."""
    asks = draft.test is not None or draft.rule.match.__struct_config__.tag == "names"
    return asks and not draft.goes and draft.rule.family in _DOUBTED


def _hold(file: File, guard: Draft, inside: list[Draft], reason: str) -> None:
    guard.fix, guard.edits, guard.message = None, [], guard.rule.summary
    guard.not_fixed = reason
    if not any(draft.fix and draft.risk in _HARMFUL for draft in inside):
        guard.risk = Risk.INFO  # what is skipped on Neuron is CUDA's own business
    _leave(file, inside)


def _leave(file: File, inside: list[Draft]) -> None:
    gone = {id(draft) for draft in inside}
    file.drafts = [draft for draft in file.drafts if id(draft) not in gone]


def _doubt(draft: Draft, reason: str) -> None:
    draft.fix, draft.not_fixed = "unsafe", reason


def _inside(file: File, stretches: Iterable[tuple[int, int]], guard: Draft) -> list[Draft]:
    spans = list(stretches)
    return [
        draft
        for draft in file.drafts
        if draft is not guard and any(start <= draft.start < end for start, end in spans)
    ]


def _needs_cuda(draft: Draft) -> bool:
    if draft.unclear:
        return True
    if draft.goes or draft.neutral:
        return False
    harmful = draft.risk is Risk.BREAKS or draft.rule.family == "libraries"
    return draft.cuda_only or (harmful and not draft.advice)


def _may_stay(draft: Draft) -> bool:
    return draft.fix == "unsafe" and draft.risk in _HARMFUL and not draft.advice


def _is_kernel(draft: Draft) -> bool:
    """A library of CUDA kernels that the file does not do without."""
    return draft.rule.family == "libraries" and draft.risk is Risk.BREAKS


def _place(file: File, draft: Draft) -> str:
    return f"line {file.lines.position(draft.start)[0]}: {draft.rule.code}"
