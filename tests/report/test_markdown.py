"""The comment for a pull request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

from neuron_migrate.report import markdown
from neuron_migrate.report.listing import in_order
from neuron_migrate.report.markup import code, escaped
from neuron_migrate.report.risk import Skip, summarise
from neuron_migrate.report.risk_text import Applied
from tests.report import factory as make

if TYPE_CHECKING:
    from neuron_migrate.finding import FileResult

GITHUB_LIMIT = 65_536
HOSTILE = "a|b`c</code></details>\n# <b>x</b> *y* [z](http://e.org) _e_ ~~s~~ \\ &amp; $m$.py"


def comment(*results: FileResult, skips: list[Skip] | None = None, **given: Any) -> str:
    findings = in_order(finding for result in results for finding in result.findings)
    summary = summarise(results, skips or [])
    return markdown.render(findings, summary, target="neuron", sdk="2.33", **given)


def html(text: str) -> str:
    """As GitHub renders it, as far as tables and inline HTML go."""
    return str(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))


def test_a_comment() -> None:
    one = make.result(make.finding(path="a.py"), path="a.py")
    two = make.result(
        make.manual(path="b.ipynb", cell=2), make.note(path="b.ipynb"), path="b.ipynb"
    )
    assert (
        comment(one, two)
        == """\
### neuron-migrate

Verdict: manual: a person must act on 1 of 2 files. 2 files read, 2 with findings, 0 not analysed. \
Target `neuron`, Neuron SDK 2.33.

| risk | findings | `fix --apply` | `--unsafe` | by hand | to know |
| --- | ---: | ---: | ---: | ---: | ---: |
| breaks | 2 | 1 | - | 1 | - |
| info | 1 | - | - | - | 1 |
| total | 3 | 1 | - | 1 | 1 |

| file | verdict | findings | `fix --apply` | `--unsafe` | by hand | to know | effort by hand |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| <code>b.ipynb</code> | manual | 2 | - | - | 1 | 1 | low |
| <code>a.py</code> | auto | 1 | 1 | - | - | - | none |

<details>
<summary><code>b.ipynb</code>: 2 findings</summary>

* 3:10 **info** NM101 cuda-device-string: The device "cuda" does not exist on Trainium: torch \
raises here.
* cell 2:3:10 **breaks** NM101 cuda-device-string: The device "cuda" does not exist on Trainium: \
torch raises here. Not fixed: it is built at run time.

</details>

<details>
<summary><code>a.py</code>: 1 finding</summary>

* 3:10 **breaks** NM101 cuda-device-string \\[\\*\\]: The device "cuda" does not exist on \
Trainium: torch raises here.

</details>
"""
    )


def test_nothing_found() -> None:
    assert comment(make.result()) == (
        "### neuron-migrate\n\nVerdict: ready: reading finds nothing left to do. 1 file read, 0"
        " with findings, 0 not analysed. Target `neuron`, Neuron SDK 2.33.\n"
    )


def test_what_a_fix_has_written() -> None:
    assert "Fixed 2 findings in 1 file. neuron-migrate undo takes it back." in comment(
        make.result(make.manual()), applied=Applied(2, 1)
    )


def test_what_was_not_analysed() -> None:
    skips = [Skip("link.py", "leads nowhere"), Skip("big.py", "too large", failed=False)]
    text = comment(make.result(make.failure(), failed=True), skips=skips)
    assert "* <code>train.py</code>: line 3: cannot be parsed: invalid syntax\n" in text
    assert "* <code>link.py</code>: leads nowhere\n" in text
    assert "big.py" not in text


def test_a_path_or_a_message_is_no_markup() -> None:
    shown = html(comment(make.result(make.manual(path=HOSTILE, message=HOSTILE), path=HOSTILE)))
    text = re.sub(
        r"</?(h3|p|table|thead|tbody|tr|th|td|ul|li|strong|details|summary)\b[^>]*>", "", shown
    )
    assert set(re.findall(r"<[^>]*>", text)) == {"<code>", "</code>"}
    assert shown.count("<tr>") == 2 + 3  # the risks, and one file
    assert shown.count("</details>") == 1


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("torch.cuda.is_available", "torch.cuda.is_available"),
        ("__init__ and _x", r"\_\_init\_\_ and \_x"),
        ("call `a_b<c>` or `|`", "call `a_b<c>` or `|`"),
        ("one ` alone *b*", r"one \` alone \*b\*"),
        ("@torch.no_grad #12", "@&#8203;torch.no_grad #&#8203;12"),
        ("a < b && c", "a &lt; b &amp;&amp; c"),
        ("two\n\n# lines", "two # lines"),
    ],
)
def test_prose(text: str, safe: str) -> None:
    assert escaped(text) == safe


def test_code() -> None:
    assert code("a|<b>__.py") == r"<code>a\|&lt;b&gt;\_\_.py</code>"


@pytest.mark.parametrize(
    "message", ["word " * 60, "x" * 100_000, "\udcff" * 50_000, "|" * 50_000, "<" * 50_000]
)
@pytest.mark.parametrize("name", ["f", "f" * 3_000, "<" * 3_000])
def test_a_comment_is_never_too_long(name: str, message: str) -> None:
    results = [
        make.result(
            *(make.manual(path=f"{name}{i}.py", line=n, message=message) for n in range(1, 20)),
            make.failure(path=f"{name}{i}.py", message=message),
            path=f"{name}{i}.py",
        )
        for i in range(60)
    ]
    text = comment(*results)
    listed = text.count(" **breaks** ")
    assert len(text.encode(errors="backslashreplace")) < GITHUB_LIMIT
    assert listed <= markdown.MOST
    assert f"... and {60 * 20 - listed} more findings.\n" in text
    assert text.count("<details>") == text.count("</details>")
