"""What must hold of every rewrite, whatever the rules: each oracle yields the faults it sees."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.notebooks.cells import sources
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.lines import LINE_END, Lines
from neuron_migrate.report.listing import place
from tests.cases import analysed, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.finding import Edit, Finding
    from tests.cases import Run

_FENCE = re.compile(r"[\s>]*(?:\d+[.)]\s+)?(`{3,}|~{3,})([^`]*)$")


def parses(run: Run) -> Iterator[str]:
    """The text after is Python, and asks for no newer one than the text before."""
    if not run.passes or not _is_all_python(run):
        return
    if not _is_python(run.fixed.text):
        yield "the text after does not parse"
    elif _is_read(run.before.text) and not _is_read(run.fixed.text):
        yield "the text after needs a newer Python"


def changes_only_reported_spans(run: Run) -> Iterator[str]:
    """From one pass to the next, only the spans of permitted edits differ, and as they say."""
    for before, after in pairwise(run.passes):
        permitted = [each for each in before.findings if _permitted(each, run)]
        for each in permitted:
            own = sorted(each.edits)
            if any(one.end > other.start for one, other in pairwise(own)):
                yield f"{each.code} at line {each.line} has edits that overlap"
        pattern = _may_become(before.text, {edit for each in permitted for edit in each.edits})
        if not re.fullmatch(pattern, after.text, re.DOTALL):
            yield "something changed outside the reported edits"
    if run.passes and run.passes[-1].text != run.fixed.text:
        yield "the text after is not the last one that was analysed"


def keeps_comments(run: Run) -> Iterator[str]:
    """A safe fix loses, changes and makes up no comment."""
    if not run.unsafe and run.passes and _is_all_python(run) and run.fixed.text != run.before.text:
        before, after = _comments(run.before.text), _comments(run.fixed.text)
        if before != after:
            yield f"comments lost: {before - after}, made up: {after - before}"


def keeps_line_ends(run: Run) -> Iterator[str]:
    """A new line ends as most lines of the file do; no other line's end changes."""
    dominant = Lines(run.before.text).newline
    before = Counter(LINE_END.findall(run.before.text))
    after = Counter(LINE_END.findall(run.fixed.text))
    for kind in {"\n", "\r\n", "\r"} - {dominant}:
        if after[kind] > before[kind]:
            yield f"more lines end in {kind!r}, which is not the file's style"


def is_stable(run: Run) -> Iterator[str]:
    """A second fix changes nothing, and a check afterwards reports nothing left to fix."""
    again = _again(run)
    if again.fixed.text != run.fixed.text:
        yield "a second fix changes the text again"
    if again.first != run.fixed.left:
        yield "a second run finds something else than what the first said is left"
    for finding in again.first:
        if _permitted(finding, run):
            yield f"{finding.code} at line {finding.line} is left although it has a fix"


def explains_itself(run: Run) -> Iterator[str]:
    """A finding has a fix with edits, or says why it has none; it stands in the text."""
    whole, cells = Lines(run.before.text), _cells(run)
    for each in run.first:
        where = f"{each.code} at {place(each)}"
        lines = whole if each.cell is None else cells[each.cell]
        if (each.fix is None) != (not each.edits):
            yield f"{where} has fix {each.fix} and {len(each.edits)} edits"
        if each.fix != "safe" and not each.not_fixed:
            yield f"{where} does not say why it is not fixed"
        start = lines.offset(each.line, each.column)
        if start > lines.offset(each.end_line, each.end_column):
            yield f"{where} ends before it starts"


def skips_only_what_cannot_match(run: Run) -> Iterator[str]:
    """Parsing every statement finds what parsing those with a trigger word finds."""
    if not run.passes or not _is_all_python(run):
        return
    found = analysed(run.before.text, run.target, run.path, everything=True)
    if found != run.first:
        yield f"parsing everything differs: {_difference(found, run.first)}"


def keeps_the_text_of_documents(run: Run) -> Iterator[str]:
    """Nothing but the insides of fences changes in Markdown, and only what is indented in reST."""
    if kind_of(run.path) is not Kind.MARKUP:
        return
    prose = _indented_out if run.path.endswith(".rst") else _fences_out
    if prose(run.before.text) != prose(run.fixed.text):
        yield "text that is not code changed"


ORACLES = (
    parses,
    keeps_the_text_of_documents,
    changes_only_reported_spans,
    keeps_comments,
    keeps_line_ends,
    is_stable,
    explains_itself,
    skips_only_what_cannot_match,
)


def faults(run: Run) -> list[str]:
    """What is wrong with a run, by any oracle."""
    return [f"{oracle.__name__}: {fault}" for oracle in ORACLES for fault in oracle(run)]


def _fences_out(text: str) -> list[str]:
    kept, fence = [], ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if not fence or (mark and mark[1].startswith(fence) and not mark[2].strip()):
            kept.append(line)
            fence = mark[1] if mark and not fence else ""
    return kept


def _indented_out(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith((" ", ">>>"))]


def _permitted(finding: Finding, run: Run) -> bool:
    return finding.fix == "safe" or (finding.fix == "unsafe" and run.unsafe)


def _may_become(text: str, edits: set[Edit]) -> str:
    """A pattern for the texts that some of the edits can give, and no other."""
    parts: list[str] = []
    position = 0
    for group in _clusters(sorted(edits)):
        start, end = group[0].start, max(edit.end for edit in group)
        parts.append(re.escape(text[position:start]))
        old = re.escape(text[start:end])
        if len(group) == 1:
            parts.append(f"(?:{old}|{re.escape(group[0].text)})")
        elif start == end:
            parts.append("".join(f"(?:{re.escape(edit.text)})?" for edit in group))
        else:
            parts.append(".*?")
        position = end
    return "".join([*parts, re.escape(text[position:])])


def _clusters(edits: list[Edit]) -> list[list[Edit]]:
    """Edits that touch each other, together: of those, ``fix`` may take some or others."""
    clusters: list[list[Edit]] = []
    end = -1
    for edit in edits:
        if clusters and (edit.start < end or edit.start == clusters[-1][-1].start):
            clusters[-1].append(edit)
        else:
            clusters.append([edit])
            end = edit.end
        end = max(end, edit.end)
    return clusters


def _cells(run: Run) -> dict[int, Lines]:
    """The lines of the code cells, where it is a notebook that can be read."""
    if kind_of(run.path) is not Kind.NOTEBOOK or not run.passes:
        return {}
    return {number: Lines(code) for number, code in sources(run.before.text).items()}


def _is_all_python(run: Run) -> bool:
    return kind_of(run.path) is Kind.PYTHON


def _again(done: Run) -> Run:
    return run(done.after, done.target, unsafe=done.unsafe, path=done.path)


def _comments(text: str) -> Counter[str]:
    """As libcst sees them: this Python's tokenizer cannot read newer syntax and lone returns."""
    found: Counter[str] = Counter()
    stack: list[cst.CSTNode] = [cst.parse_module(text)]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Comment):
            found[node.value] += 1
        stack.extend(node.children)
    return found


def _is_python(text: str) -> bool:
    """For this interpreter, or at least for libcst."""
    try:
        return _is_read(text) or bool(cst.parse_module(text))
    except cst.ParserSyntaxError:
        return False


def _is_read(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError:
        return False
    return True


def _difference(found: tuple[Finding, ...], expected: tuple[Finding, ...]) -> str:
    more = [f"+{each.line}:{each.column} {each.code}" for each in found if each not in expected]
    less = [f"-{each.line}:{each.column} {each.code}" for each in expected if each not in found]
    return ", ".join([*more, *less]) or "another order"
