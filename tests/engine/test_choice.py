"""Choosing among fixes: all of them is what ``fix`` does, none is nothing, some hold together."""

from __future__ import annotations

import ast
import builtins
import json
import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.engine.analysis import parse
from neuron_migrate.engine.choice import Answer, groups
from neuron_migrate.files import source
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.finding import Edit
from tests import oracles
from tests.cases import TARGETS, Case, Run, discover, run
from tests.choosing import Person, Scripted, chosen
from tests.engine.test_fixpoint import made

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.finding import Finding, Target

Y, N, U, S = Answer.YES, Answer.NO, Answer.UNDO, Answer.NO_MORE
CASES = discover()
every_case = pytest.mark.parametrize("case", CASES, ids=str)
ON_SUBSETS = (
    oracles.parses,
    oracles.keeps_comments,
    oracles.keeps_line_ends,
    oracles.keeps_the_text_of_documents,
)


def _text(case: Case, target: Target) -> str | None:
    """The text of a case that has anything to fix."""
    done = run(case.before, target, path=case.path)
    return done.before.text if done.fixed.text != done.before.text else None


@every_case
def test_all_is_what_fix_does_and_nothing_is_nothing(case: Case) -> None:
    for target in TARGETS:
        text = _text(case, target)
        if text is None:
            continue
        yes, choice = chosen(text, target, case.path, Person(lambda findings: True))
        assert source.decode(case.before).encode(yes.text) == case.after(target)
        assert yes == run(case.before, target, path=case.path).fixed
        assert not choice.declined
        no, choice = chosen(text, target, case.path, Scripted([S]))
        assert (no.text, no.applied, choice.accepted) == (text, 0, [])


@every_case
def test_some(case: Case) -> None:
    target = TARGETS[len(str(case)) % 2]
    text = _text(case, target)
    if text is None:
        return
    done, choice = chosen(text, target, case.path, Person(_at_random(str(case))))
    again = run(source.decode(case.before).encode(done.text), target, path=case.path)
    shown = Run(source.decode(case.before), case.path, target, False, done, again.passes)
    assert [fault for oracle in ON_SUBSETS for fault in oracle(shown)] == []
    if kind_of(case.path) is Kind.PYTHON and again.passes:
        whole = run(case.before, target, path=case.path).fixed.text
        assert _unbound(done.text) <= _unbound(text) | _unbound(whole)
    codes = {each.code for each in choice.declined}
    asking = Person(lambda findings: not codes & {each.code for each in findings})
    assert chosen(done.text, target, case.path, asking)[0].text == done.text
    assert not any(yes for _, yes in asking.offers)


def _at_random(seed: str) -> Callable[[Sequence[Finding]], bool]:
    numbers = random.Random(seed)
    answers: dict[tuple[str, ...], bool] = {}

    def says(findings: Sequence[Finding]) -> bool:
        key = tuple(each.code for each in findings)
        return answers.setdefault(key, numbers.random() < 0.6)

    return says


def _unbound(text: str) -> set[str]:
    """The names that are read and bound nowhere in a module."""
    bound, read = set(dir(builtins)), set()
    for node in ast.walk(parse(text)[0]):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
    return read - bound


GUARD = """\
import torch
if torch.cuda.is_available():
    model.cuda()
    torch.cuda.synchronize()
x = torch.ones(1, device="cuda")
"""
IMPORT = "from torch.cuda.amp import autocast\nwith autocast():\n    y = f(x)\n"


def answered(text: str, *answers: Answer, path: str = "a.py", unsafe: bool = False) -> str:
    return chosen(text, "neuron", path, Scripted(answers), unsafe=unsafe)[0].text


def test_a_declined_test_keeps_what_it_guards() -> None:
    asking = Scripted([N])
    done, choice = chosen(GUARD, "neuron", "a.py", asking)
    assert done.text == GUARD.replace('device="cuda"', 'device="neuron"')
    assert [each.code for each in asking.told] == ["NM103", "NM108"]
    assert [each.code for each in choice.declined] == ["NM105", "NM103", "NM108"]


def test_a_test_that_would_switch_on_what_was_declined_stays() -> None:
    asking = Scripted([Y, N])
    done, choice = chosen(GUARD, "neuron", "a.py", asking)
    assert done.text == GUARD.replace('device="cuda"', 'device="neuron"')
    assert [each.code for each in asking.told] == ["NM105", "NM108"]
    assert [each.code for each in choice.accepted] == ["NM101"]


def test_a_test_and_what_stands_in_its_statement_are_one_offer() -> None:
    asking = Scripted([N])
    text = 'import torch\nx = y.to("cuda" if torch.cuda.is_available() else "cpu")\n'
    assert chosen(text, "neuron", "a.py", asking)[0].text == text
    assert [[each.code for each in offer.findings] for offer in asking.offers] == [
        ["NM101", "NM105"]
    ]


def test_an_import_is_asked_about_after_its_uses_and_stays_with_them() -> None:
    asking = Scripted([N])
    assert chosen(IMPORT, "neuron", "a.py", asking)[0].text == IMPORT
    assert [(each.line, each.code) for each in asking.told] == [(1, "NM601")]
    asking = Scripted([Y, N])
    fixed = chosen(IMPORT, "neuron", "a.py", asking)[0].text
    assert [offer.findings[0].line for offer in asking.offers] == [2, 1]
    assert fixed.startswith("import torch\nfrom torch.cuda.amp import autocast\nwith torch.auto")


def test_a_name_that_moved_takes_its_uses_along() -> None:
    text = (
        "from optimum.neuron import NeuronTrainingArguments\n"
        'args = NeuronTrainingArguments(output_dir="x")\n'
    )
    asking = Scripted([N])
    assert chosen(text, "neuron", "a.py", asking, unsafe=True)[0].text == text
    assert [len(offer.findings) for offer in asking.offers] == [2]


def test_a_variable_is_set_and_asked_for_under_one_name() -> None:
    text = (
        "import os\n"
        'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"\n'
        'n = os.environ["CUDA_VISIBLE_DEVICES"]\n'
    )
    asking = Scripted([N])
    assert chosen(text, "neuron", "a.py", asking)[0].text == text
    assert [len(offer.findings) for offer in asking.offers] == [2]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ('device = "cuda"\n', 'if device == "cuda":\n    print(1)\n'),
        ('args.device = "cuda"\n', 'kind = 1 if "cuda" in args.device else 0\n'),
        ('parser.add_argument("--device", default="cuda")\n', 'x = args.device == "cuda"\n'),
    ],
)
def test_a_device_is_named_and_compared_as_one(given: str, asked: str) -> None:
    text = f"import torch\n{given}{asked}x = torch.ones(1, device=device)\n"
    asking = Scripted([N])
    assert chosen(text, "neuron", "a.py", asking)[0].text == text
    assert [[each.line for each in offer.findings] for offer in asking.offers] == [[2, 3]]


def test_the_argument_goes_with_its_function() -> None:
    text = 'import torch\ntorch.cuda.set_device("cuda:0")\n'
    asking = Scripted([N])
    assert chosen(text, "neuron", "a.py", asking)[0].text == text
    assert len(asking.offers) == 1


def test_an_answer_may_be_taken_back() -> None:
    text = 'import torch\na.to("cuda")\nb.to("cuda")\n'
    assert answered(text, N, U, Y, N) == text.replace('a.to("cuda")', 'a.to("neuron")')
    asking = Scripted([N, U])
    chosen(text, "neuron", "a.py", asking)
    assert [(o.findings[0].line, o.first) for o in asking.offers] == [
        (2, True), (3, False), (2, True), (3, False),
    ]  # fmt: skip


def test_the_rest_of_a_file_may_be_left() -> None:
    text = 'import torch\na.to("cuda")\nb.to("cuda")\nc.to("cuda")\n'
    asking = Scripted([Y, S])
    done, choice = chosen(text, "neuron", "a.py", asking)
    assert done.text == text.replace('a.to("cuda")', 'a.to("neuron")')
    assert (len(asking.offers), len(choice.declined)) == (2, 2)


def test_an_offer_shows_what_was_accepted_before() -> None:
    asking = Scripted([Y, N])
    chosen('import torch\nx = a.to("cuda") + b.to("cuda")\n', "neuron", "a.py", asking)
    second = asking.offers[1]
    assert second.before.endswith('a.to("neuron") + b.to("cuda")\n')
    assert second.after.endswith('a.to("neuron") + b.to("neuron")\n')


def test_unsafe_fixes_are_offered_when_asked_for() -> None:
    text = IMPORT.replace("autocast\n", "autocast  # for speed\n", 1)
    kinds = []
    for unsafe in (False, True):
        asking = Scripted([])
        chosen(text, "neuron", "a.py", asking, unsafe=unsafe)
        kinds.append([each.fix for o in asking.offers for each in o.findings])
    assert kinds == [["safe"], ["safe", "unsafe"]]


def test_what_is_declined_stays_declined_in_later_passes() -> None:
    """Two fixes of one call: the second can only be made when the first is."""
    text = 'import torch\nx = torch.compile(m, mode="max-autotune").to("cuda")\n'
    for answers in ((N, Y), (Y, N)):
        asking = Scripted(answers)
        chosen(text, "neuron", "a.py", asking)
        codes = Counter(code for o in asking.offers for code in {e.code for e in o.findings})
        assert set(codes.values()) == {1}


def test_a_notebook_keeps_what_is_declined_where_it_stands() -> None:
    lines = ["import torch\n", 'x = a.to("cuda")\n', "y = b.cuda()\n", 'z = c.to("cuda")']
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": lines}
    text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    asking = Scripted([Y, Y, N])
    done, _ = chosen(text, "neuron", "a.ipynb", asking)
    assert [(each.cell, each.line) for o in asking.offers for each in o.findings] == [
        (1, 2), (1, 3), (1, 4),
    ]  # fmt: skip
    assert json.loads(done.text)["cells"][0]["source"][1:] == [
        'x = a.to("neuron")\n', 'y = b.to("neuron")\n', 'z = c.to("cuda")',
    ]  # fmt: skip


def test_groups_share_what_they_replace_and_not_what_they_add() -> None:
    line, same = Edit(0, 0, "import os\n"), Edit(3, 5, "x")
    one, other = made(line, Edit(6, 7, "y")), made(line, Edit(8, 9, "z"), code="NM102")
    assert groups([one, other]) == [(one,), (other,)]
    third, fourth = made(same, code="NM103"), made(same, code="NM104")
    assert groups([one, third, other, fourth]) == [(one,), (third, fourth), (other,)]
