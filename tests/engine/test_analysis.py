from __future__ import annotations

import pytest

from neuron_migrate.catalog.gates import Gate
from neuron_migrate.engine.triggers import Triggers, word_pattern
from neuron_migrate.selection import Selection
from tests.engine.building import (
    AVAILABLE,
    COMPILE,
    DEVICE,
    METHOD,
    analyzer,
    file_of,
    fixed,
    found,
)

SKIPPED = [
    "x = 1",
    "import torch\nx = torch.ones(1)",
    "'''cuda'''",
    "# torch.cuda.is_available()\nx = 1",
    "x = 'cuda_visible'; cudas = 1",
    "def f():\n    '''Doc: x.cuda()'''\n    return 1",
]
EQUAL = [
    *SKIPPED,
    "import torch\nx.cuda()",
    "import torch as th\nth.cuda.synchronize()",
    "from torch import cuda as C\nC.synchronize()",
    "from torch.cuda import synchronize as sync\nsync()",
    "import torch.cuda as tc\ntc.synchronize()",
    "import torch\nd = torch.cuda\nd.synchronize()",
    "import torch\nd = torch.cuda\ne = d\ne.synchronize()",
    "import torch\nd, e = torch.cuda, 1\nd.synchronize()",
    "import torch\nd: object = torch.cuda\nd.synchronize()",
    "import torch\nif (d := torch.cuda): d.synchronize()",
    "import torch\ndef f():\n    d = torch.cuda\n    def g():\n        d.synchronize()",
    "import torch\nclass A:\n    d = torch.cuda\n    d.synchronize()",
    "try:\n    from torch import cuda\nexcept ImportError:\n    cuda = None\ncuda.synchronize()",
    "import torch\na = 'cuda'\nb = a\nx.to(b)",
    "import torch\nif x:\n    a = 'cuda'\nelse:\n    a = 'cpu'\nx.to(a)",
    "from torch import compile as c\nc(x)\n@c\ndef f(): pass",
    "import torch\n@torch.compile\ndef f(): x.cuda()",
    "import torch\nmatch x:\n    case 'cuda': torch.cuda.synchronize()",
]


@pytest.mark.parametrize("code", SKIPPED)
def test_nothing_is_found(code: str) -> None:
    assert found(f"{code}\n") == []


@pytest.mark.parametrize("target", ["neuron", "accelerator"])
@pytest.mark.parametrize("code", EQUAL)
def test_a_skipped_statement_could_not_match(code: str, target: str) -> None:
    text = f"{code}\n"
    assert found(text, target=target) == found(text, target=target, everything=True)


@pytest.mark.parametrize(
    ("select", "ignore", "codes"),
    [
        ((), (), {"NM101", "NM103"}),
        (("NM101",), (), {"NM101"}),
        (("NM",), ("NM103",), {"NM101"}),
        (("NM1",), ("NM1",), set()),
        (("NM103",), ("NM1",), {"NM103"}),
        ((), ("NM10",), set()),
        (("NM2",), (), set()),
    ],
)
def test_the_longer_of_two_prefixes_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], codes: set[str]
) -> None:
    text = "import torch\nx.cuda().to('cuda')\n"
    lines = found(text, DEVICE, METHOD, selection=Selection(select, ignore))
    assert {each.split()[1] for each in lines} == codes


def test_findings_stand_in_source_order() -> None:
    text = "import torch\nx.cuda().to('cuda'); torch.compile(x.cuda(), device='cuda')\n"
    places = [tuple(map(int, each.split()[0].split(":"))) for each in found(text)]
    assert places == sorted(places)
    assert len(places) == 5


def test_one_analyzer_for_many_files() -> None:
    texts = [
        "from torch.cuda import synchronize\nsynchronize()\n",
        "synchronize()\n",
        "x = 'cuda'\n",
    ]
    shared = analyzer()
    for text in [*texts, *reversed(texts)]:
        assert shared.analyse(text, "a.py") == analyzer().analyse(text, "a.py")


def test_a_statement_that_libcst_cannot_take_is_named() -> None:
    text = "import torch\né = 1; x = f'{y.cuda()!r }'\nz.cuda()\n"
    assert found(text, METHOD) == ["2:8 NM000 -", "3:3 NM103 safe"]
    assert fixed(text, METHOD) == text.replace("z.cuda()", 'z.to("neuron")')


def test_a_comment_inside_makes_a_fix_unsafe() -> None:
    text = (
        "import torch\nx = torch.compile(y, mode='a')\n"
        "z = torch.compile(\n    y,\n    mode='a',  # why\n    name='b',\n)\n"
    )
    assert found(text, COMPILE) == ["2:5 NM201 safe", "3:5 NM201 unsafe"]


def test_quotes_of_the_statement_or_else_of_the_file() -> None:
    text = "import torch\na = 'x', 'y'\nb.cuda()\nc.cuda()[\"z\"]\n"
    assert fixed(text, METHOD) == (
        "import torch\na = 'x', 'y'\nb.to('neuron')\nc.to(\"neuron\")[\"z\"]\n"
    )


def test_a_missing_import_is_added_once() -> None:
    text = "from torch.cuda import is_available\nif is_available(): x\nif is_available(): y\n"
    assert fixed(text, AVAILABLE).count("import torch\n") == 1


@pytest.mark.parametrize(
    ("text", "hit"),
    [
        ("cuda", True),
        ("x.cuda()", True),
        ("'cuda:0'", True),
        ("cuda_x", False),
        ("xcuda", False),
        ("mark-step", True),
        ("", False),
    ],
)
def test_trigger_words(text: str, hit: bool) -> None:
    words = frozenset({"cuda", "mark-step"})
    assert bool(word_pattern(words).search(text)) is hit
    assert Triggers([Gate(frozenset(), words)]).occur(text.encode()) is hit


def test_the_bytes_of_a_file_show_its_suppressions() -> None:
    assert Triggers([Gate(frozenset(), frozenset({"cuda"}))]).occur(b"x  # noqa: NM101")


def test_words_that_only_matter_where_a_package_is_imported() -> None:
    triggers = Triggers([Gate(frozenset({"optimum"}), frozenset({"torch_dtype", "pipeline("}))])
    assert not triggers.occur(b"f(torch_dtype=x); pipeline()")
    assert triggers.occur(b"import optimum\nf(torch_dtype=x)")
    text = "import optimum; f(torch_dtype=x); from a import pipeline as p"
    assert triggers.in_text(text, frozenset({"a"})) == (frozenset(), frozenset())
    words, names = triggers.in_text(text, frozenset({"a", "optimum"}))
    assert triggers.in_text(text, None) == (words, names)
    assert words == {"torch_dtype"}
    assert names == {"torch_dtype", "pipeline"}


def test_an_import_without_a_trigger_word_that_a_use_goes_through() -> None:
    rule = {
        "code": "NM105",
        "triggers": ["is_nccl_available"],
        "match": {
            "kind": "names",
            "names": [{"name": "torch.distributed.is_nccl_available", "neuron": "torch.f()"}],
        },
    }
    text = "import torch\nimport torch.distributed as dist\nx = dist.is_nccl_available()\n"
    assert found(text, rule) == found(text, rule, everything=True)


def test_a_trigger_between_slashes_is_a_regular_expression() -> None:
    words = frozenset({"cuda", r"/\[[^]]*==/"})
    assert word_pattern(words).search("x[a == b]")
    assert word_pattern(words).search("torch.cuda")
    assert not word_pattern(words).search("x[a] == b")
    assert Triggers([Gate(frozenset(), words)]).occur(b"x[a == b]")


def test_only_the_fragments_that_hold_a_trigger_are_parsed() -> None:
    text = "import torch\n\n@torch.compile\ndef f(a=1):\n    pass\n"
    file = file_of(text)
    statement = file.index.statements[1]
    (decorator,) = file.pieces(statement, [text.index("compile")])
    assert decorator.source.startswith("@torch.compile")
    both = file.pieces(statement)
    assert len(both) == 2
    assert both[0] is decorator
