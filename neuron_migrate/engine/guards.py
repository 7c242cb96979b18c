"""Guards carry meaning: a renamed availability test must not switch on CUDA-only code.

When what a condition guards needs something with no Neuron form, the condition and all under it
stay as they are, and the condition is reported.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.pieces import Piece


_CUDA_ONLY = re.compile(
    r"triton|flash|version\.cuda|xformers|apex|bitsandbytes|\bbnb|megatron|nvidia|nvml|nvlink|cudnn|cublas"
    r"|cutlass|tensorrt|fp8|fp4|capability|p2p|\bhip\b|rocm|(?:check|supports?|has)_cuda_[a-z]",
    re.IGNORECASE,
)
"""Words beside a test that say what it is really about."""
_KNOWS_NEURON = re.compile(r"\bis_(?:torch_)?neuron(?:core|x)?_available\b|\bMULTI_NEURON\b")
_DOUBTED = frozenset({"device", "distributed", "precision"})


def doubt_where_neuron_is_known(file: File) -> None:
    """A library that asks for Neuron by itself means CUDA where it says CUDA."""
    if not _KNOWS_NEURON.search(file.text):
        return
    for draft in file.drafts:
        if draft.fix == "safe" and draft.rule.family in _DOUBTED:
            draft.fix = "unsafe"
            draft.not_fixed = (
                "the file has code for Neuron already: this may be meant for CUDA alone"
            )


def keep_cuda_guards(file: File) -> None:
    """Take the fixes away from guards of CUDA-only code, and the findings under them."""
    for guard in [draft for draft in file.drafts if draft.test is not None and draft.fix]:
        assert guard.test is not None
        word = _CUDA_ONLY.search(_beside(*guard.test))
        if word is not None:
            guard.fix, guard.edits = None, []
            guard.not_fixed = f"it is tested together with `{word.group()}`, which is CUDA's"
            guard.risk, guard.message = Risk.INFO, guard.rule.summary
            continue
        for start, end in _guarded(file, *guard.test):
            inside = [draft for draft in file.drafts if start <= draft.start < end]
            needs_cuda = [draft for draft in inside if _needs_cuda(draft) and draft is not guard]
            if not needs_cuda:
                continue
            line = file.lines.position(needs_cuda[0].start)[0]
            guard.fix, guard.edits, guard.message = None, [], guard.rule.summary
            guard.not_fixed = (
                f"renaming the test would switch on CUDA-only code (line {line}: "
                f"{needs_cuda[0].rule.code})"
            )
            gone = {id(draft) for draft in inside}
            file.drafts = [draft for draft in file.drafts if id(draft) not in gone]


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
            if function != "safe":
                draft.fix, draft.not_fixed = function, "the torch.cuda call around it is not fixed"
                draft.edits = draft.edits if function else []


def _needs_cuda(draft: Draft) -> bool:
    if draft.fix or draft.withheld or draft.neutral:
        return False
    return draft.cuda_only or (draft.risk is Risk.BREAKS and not draft.advice)


def _guarded(file: File, piece: Piece, test: cst.CSTNode) -> Iterator[tuple[int, int]]:
    """The stretches of text that run only when the device is there."""
    positive = True
    child = test
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
            positive = not positive
        elif isinstance(parent, cst.Comparison):
            positive = positive and not _negated(parent)
        elif isinstance(parent, cst.BooleanOperation) and child is parent.left:
            if positive == isinstance(parent.operator, cst.And):
                yield piece.span(parent.right)
        elif isinstance(parent, cst.IfExp) and child is parent.test:
            yield piece.span(parent.body if positive else parent.orelse)
            return
        child = parent
    yield from _guarded_statements(file, piece.statement, positive=positive)


def _beside(piece: Piece, test: cst.CSTNode) -> str:
    """What is asked together with a test, and what an assertion says when it fails."""
    parts: list[str] = []
    child = test
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.BooleanOperation) and isinstance(parent.operator, cst.And):
            other = parent.left if child is parent.right else parent.right
            parts.append(piece.module.code_for_node(other))
        elif isinstance(parent, cst.Assert) and parent.msg is not None:
            parts.append(piece.module.code_for_node(parent.msg))
        child = parent
    return " ".join(parts)


def _negated(comparison: cst.Comparison) -> bool:
    kinds = (cst.NotEqual, cst.NotIn, cst.IsNot)
    return any(isinstance(target.operator, kinds) for target in comparison.comparisons)


def _guarded_statements(
    file: File, statement: Statement, *, positive: bool
) -> Iterator[tuple[int, int]]:
    node = statement.node
    if isinstance(node, ast.match_case):
        yield _extent(file, node.body)
    if not isinstance(node, (ast.If, ast.While)):
        return
    if positive:
        yield _extent(file, node.body)
        return
    if node.orelse:
        yield _extent(file, node.orelse)
    if isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break)):
        place = next(i for i, each in enumerate(statement.siblings) if each is statement)
        after = [each.node for each in statement.siblings[place + 1 :]]
        if after and isinstance(statement.scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _extent(file, [each for each in after if isinstance(each, ast.stmt)])


def _extent(file: File, block: Sequence[ast.stmt]) -> tuple[int, int]:
    first, last = block[0], block[-1]
    start = file.lines.byte_offset(first.lineno, first.col_offset)
    end_line, end_column = last.end_lineno or last.lineno, last.end_col_offset or 0
    return start, file.lines.byte_offset(end_line, end_column)
