from __future__ import annotations

import json

import pytest

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks.cells import read, sources
from tests.engine.notebooks.building import document

NONE = {
    "": "not valid JSON: Expecting value",
    "{": "not valid JSON: Expecting property name enclosed in double quotes",
    "null": "it has no nbformat",
    "[]": "it has no nbformat",
    '{"cells": []}': "it has no nbformat",
    '{"nbformat": 2}': "nbformat 2 is not one that is read",
    "[" * 200_000: "nested too deeply",
    '{"nbformat": ' + "9" * 5000 + "}": "not valid JSON",
}


@pytest.mark.parametrize(("text", "reason"), NONE.items(), ids=NONE.values())
def test_what_is_no_notebook(text: str, reason: str) -> None:
    with pytest.raises(AnalysisError, match=reason):
        read(text)


def test_a_truncated_notebook_says_where_it_ends() -> None:
    whole = json.dumps(json.loads(document("a\n", "b")), indent=1)
    for end in range(len(whole)):
        with pytest.raises(AnalysisError, match="not valid JSON") as caught:
            read(whole[:end])
        assert caught.value.line <= whole.count("\n", 0, end) + 1


@pytest.mark.parametrize(
    "cells",
    ["null", "{}", '"a"', '[1, null, "a", []]', '[{"cell_type": "code"}]', '[{"source": "a"}]']
    + [f'[{{"cell_type": "code", "source": {each}}}]' for each in ("null", "1", "[1]", "{}")],
)
def test_what_holds_no_code(cells: str) -> None:
    assert read(f'{{"nbformat": 4, "cells": {cells}}}') == []


def test_the_number_counts_every_cell() -> None:
    cells = [{"cell_type": kind, "source": kind} for kind in ("markdown", "code", "raw", "code")]
    assert [*sources(json.dumps({"nbformat": 4, "cells": cells}))] == [2, 4]


def test_of_a_key_that_comes_twice_the_last_one_counts() -> None:
    cell = '{"cell_type": "code", "source": "a", "source": ["b"]}'
    text = f'{{"cells": [], "nbformat": 3, "cells": [{cell}], "nbformat": 4}}'
    [found] = read(text)
    assert found.source == "b"
    assert text[found.span.start : found.span.end] == '["b"]'


def test_json_that_only_python_reads() -> None:
    text = document("a", metadata={"x": float("nan"), "y": float("-inf")})
    assert sources(text) == {1: "a"}


LANGUAGES = [
    ({"language_info": {"name": "python"}, "kernelspec": {"language": "R"}}, True),
    ({"language_info": {"name": "julia"}}, False),
    ({"language_info": {"name": ""}, "kernelspec": {"name": "python3"}}, True),
    ({"kernelspec": {"language": "scala"}}, False),
    ({"kernelspec": {"name": "julia-1.9"}}, False),
    ({"kernelspec": {"name": "ir"}}, False),
    ({"kernelspec": {"name": "conda_pytorch_p310"}}, True),
    ({"kernelspec": None}, True),
]


@pytest.mark.parametrize(("metadata", "python"), LANGUAGES)
def test_only_python_is_read(metadata: dict[str, object], python: bool) -> None:
    assert bool(read(document("a", metadata=metadata))) is python


def test_places_in_any_formatting() -> None:
    value = json.loads(document("é😀\n", ["b", "c"]))
    for indent in (None, 1, "\t"):
        for ascii_only in (True, False):
            text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
            for part in (part for cell in read(text) for part in cell.parts):
                assert json.loads(text[part.span.start : part.span.end]) == part.text
