from __future__ import annotations

import pytest

from neuron_migrate.engine.tokens import TokenError, tokens


def words(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("x = 1\n", ["x", "=", "1", "\n"]),
        ("f(\n  a,  # why\n)\r\n", ["f", "(", "a", ",", ")", "\r\n"]),
        ("a \\\n  + b\r", ["a", "+", "b", "\r"]),
        ("a \\\r\n  + b", ["a", "+", "b"]),
        ("\x0cx\t=\x0c1", ["x", "=", "1"]),
        ("r'\\'' + x", ["r'\\''", "+", "x"]),
        ("'a\\\n b' b", ["'a\\\n b'", "b"]),
        ("'a\\\r\n b' b", ["'a\\\r\n b'", "b"]),
        ('"""a " \'\n""" b', ['"""a " \'\n"""', "b"]),
        ("'# no' # yes", ["'# no'"]),
        ("Rb'x' bR'y' u'z'", ["Rb'x'", "bR'y'", "u'z'"]),
        ("'\u2028é' é", ["'\u2028é'", "é"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("f'a'", []),
        ("f'{{a}}'", []),
        ("f'{a}{b!r}{c:>3}'", ["a", "b!r", "c:>3"]),
        ('f"{d["a"]}"', ['d["a"]']),
        ("f'{a:{b}.{c}}'", ["a:{b}.{c}"]),
        ("f'{a != b}'", ["a != b"]),
        ("f'{a=!s}'", ["a=!s"]),
        ("f'{ {1: 2}[1] }'", [" {1: 2}[1] "]),
        ("f'{(lambda x: x)(1)}'", ["(lambda x: x)(1)"]),
        ("f'{a:%H:%M}'", ["a:%H:%M"]),
        ("f'\\{a}'", ["a"]),
        ("f'\\N{DASH}{a}'", ["a"]),
        ("rf'\\N{a}'", ["a"]),
        ("f'''{\n a # }\n}'''", ["\n a # }\n"]),
        ('f"{f"{f"{a}"}"}"', ['f"{f"{a}"}"']),
        ("f'a\\\r\n{b}'", ["b"]),
        ("t'{a}' Rt'{b}'", ["a"]),
    ],
)
def test_replacement_fields(text: str, fields: list[str]) -> None:
    token = next(tokens(text))
    assert token.kind == "template"
    assert [text[start:end] for start, end in token.fields] == fields


@pytest.mark.parametrize(
    "text", ["'a", "'a\n'", '"""a"', "f'{a", "f'{a'", "f'a\n'", "f'{a:", "f'\\N{"]
)
def test_what_does_not_end(text: str) -> None:
    with pytest.raises(TokenError):
        list(tokens(text))
