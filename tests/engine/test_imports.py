from __future__ import annotations

import pytest

from neuron_migrate.engine import edits, imports
from tests.engine.building import index_of, scope_of

INSERTED = [
    ("", "import os\n"),
    ("x = 1\n", "import os\nx = 1\n"),
    ("x = 1", "import os\nx = 1"),
    ("'Doc.'", "'Doc.'\nimport os"),
    ("import torch\nx = 1\n", "import torch\nimport os\nx = 1\n"),
    ("import torch", "import torch\nimport os"),
    ("import a\nimport b\nfrom c import d\n", "import a\nimport b\nimport os\nfrom c import d\n"),
    ("from a import b\nx = 1\n", "import os\nfrom a import b\nx = 1\n"),
    ("from a import b\nimport c\nx\n", "from a import b\nimport c\nimport os\nx\n"),
    (
        "#!/usr/bin/env python\n# coding: utf-8\nx = 1\n",
        "#!/usr/bin/env python\n# coding: utf-8\nimport os\nx = 1\n",
    ),
    ("# License.\n\nx = 1\n", "# License.\n\nimport os\nx = 1\n"),
    ("'''Doc.'''\nx = 1\n", "'''Doc.'''\nimport os\nx = 1\n"),
    ("'''Doc.\n\nMore.\n'''\nx = 1\n", "'''Doc.\n\nMore.\n'''\nimport os\nx = 1\n"),
    (
        "from __future__ import annotations\nx = 1\n",
        "from __future__ import annotations\nimport os\nx = 1\n",
    ),
    (
        "#!/bin/python\n'''Doc.'''\nfrom __future__ import annotations\n\nimport b\n",
        "#!/bin/python\n'''Doc.'''\nfrom __future__ import annotations\n\nimport b\nimport os\n",
    ),
    ("'''Doc.'''\n", "'''Doc.'''\nimport os\n"),
    (
        "'''Doc.'''\nfrom __future__ import annotations\n",
        "'''Doc.'''\nfrom __future__ import annotations\nimport os\n",
    ),
    (
        "from a import (\n    b,\n    c,\n)\nx\n",
        "import os\nfrom a import (\n    b,\n    c,\n)\nx\n",
    ),
    ("import a, \\\n    b\nx\n", "import a, \\\n    b\nimport os\nx\n"),
    ("import a  # why\nx\n", "import a  # why\nimport os\nx\n"),
    ("def f():\n    import a\n", "import os\ndef f():\n    import a\n"),
    ("@a\ndef f(): pass\n", "import os\n@a\ndef f(): pass\n"),
    ("x = 1\ndef f(): pass\nimport a\n", "import os\nx = 1\ndef f(): pass\nimport a\n"),
    (
        "try:\n    import a\nexcept ImportError:\n    a = None\n",
        "import os\ntry:\n    import a\nexcept ImportError:\n    a = None\n",
    ),
    ("import a; x = 1\ny\n", "import a; x = 1\nimport os\ny\n"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize(("text", "expected"), INSERTED, ids=[text for text, _ in INSERTED])
def test_insertion(text: str, expected: str, newline: str) -> None:
    text = text.replace("\n", newline)
    edit = imports.insertion(index_of(text), text, "import os")
    dominant = newline if newline in text else "\n"
    found = edits.apply(text, [edit])
    assert found.replace(dominant, "\n") == expected
    compile(found, "a.py", "exec", dont_inherit=True)


@pytest.mark.parametrize(
    ("text", "scope", "expected"),
    [
        ("import torch", "", "torch"),
        ("import torch as th", "", "th"),
        ("import torch.cuda", "", "torch"),
        ("import torch.cuda as tc", "", None),
        ("from torch import cuda", "", None),
        ("def f():\n    import torch", "f", "torch"),
        ("def f():\n    import torch", "", None),
        ("import torch\ndef f():\n    x = 1", "f", "torch"),
        ("import torch\ndef f(torch): pass\n", "f", None),
        ("import torch\ntorch = f()", "", None),
        ("x = 1", "", None),
    ],
)
def test_local_root(text: str, scope: str, expected: str | None) -> None:
    index = index_of(text)
    try:
        where = scope_of(index, scope)
    except StopIteration:
        where = index.module
    assert imports.local_root("torch", where) == expected
