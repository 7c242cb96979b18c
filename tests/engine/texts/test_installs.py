"""What commands install."""

from __future__ import annotations

import pytest

from tests.engine.texts.reading import asked, indexes, requirements, without

FILE = "install.sh"


@pytest.mark.parametrize(
    "command",
    [
        "pip install 'torch==2.1'",
        "pip3.11 --no-cache-dir install -q torch==2.1",
        "python3 -m pip install -U torch==2.1",
        "sudo -H /usr/bin/pip install torch==2.1",
        "uv pip install --system torch==2.1",
        "uv add torch==2.1",
        "poetry add torch==2.1",
        "pipenv install torch==2.1",
        "pip download -d wheels --python-version 3.10 torch==2.1",
        "conda run -n a pip install torch==2.1",
        "pip install --extra-index-url https://a.org torch==2.1 -r requirements.txt",
        "conda install -y -n a -c nvidia torch==2.1",
        "micromamba install -p /opt/a torch==2.1",
        "X=1 pip install torch==2.1 2>&1 | tee log",
        "if ! pip install torch==2.1; then exit 1; fi",
    ],
)
def test_what_is_installed(command: str) -> None:
    assert asked(command + "\n", FILE) == [("torch", "==2.1")]


@pytest.mark.parametrize(
    "command",
    [
        "pip uninstall -y torch",
        "pip show torch",
        "echo pip install torch",
        "# pip install torch",
        "pip install -r requirements.txt -c constraints.txt .",
        "conda activate torch",
        "apt-get install -y torch",
        "pip install $PACKAGES",
        "cat <<EOF\npip install torch\nEOF",
    ],
)
def test_what_is_not(command: str) -> None:
    assert asked(command + "\n", FILE) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip install a --index-url=https://a.org/cu121", ["https://a.org/cu121"]),
        ('pip install a -i "https://a.org"', ["https://a.org"]),
        ('pip install a --find-links="https://a.org/$X"', ["https://a.org/$X"]),
        ("pip config set global.extra-index-url https://a.org", ["https://a.org"]),
        ("export PIP_EXTRA_INDEX_URL='https://a.org'", ["https://a.org"]),
        ("conda install a -c pytorch -c nvidia", ["pytorch", "nvidia"]),
        ("curl https://a.org", []),
    ],
)
def test_indexes(command: str, expected: list[str]) -> None:
    assert indexes(command + "\n", FILE) == expected


@pytest.mark.parametrize(
    ("command", "name", "expected"),
    [
        ("pip install a b c", "a", "pip install b c"),
        ("pip install a b c", "c", "pip install a b"),
        ("pip install a \\\n  'b>=1' \\\n  c", "b", "pip install a \\\n  c"),
        ("pip install a \\\n  b", "b", "pip install a"),
        ("pip install a b > log", "b", "pip install a > log"),
        ("pip install -e git+https://github.com/x/b a", "b", None),
    ],
)
def test_a_word_goes(command: str, name: str, expected: str | None) -> None:
    assert without(command, FILE, name) == expected


def test_words_of_a_list_stay() -> None:
    assert without('FROM a\nRUN ["pip", "install", "a", "b"]\n', "Dockerfile", "a") is None


def test_a_command_needs_something_to_install() -> None:
    [alone] = requirements("pip install a\n", FILE)
    assert alone.among is not None
    [beside] = requirements("pip install -r b.txt a\n", FILE)
    assert beside.among is None


def test_an_index_that_is_the_only_one_knows_what_it_serves() -> None:
    from neuron_migrate.engine.texts.facts import PackageIndex
    from tests.engine.texts.reading import read

    text = "pip install a b -i https://a.org --extra-index-url https://b.org\n"
    found = [each for each in read(text, FILE).facts if isinstance(each, PackageIndex)]
    assert {each.url: each.serves for each in found} == {
        "https://a.org": ("a", "b"),
        "https://b.org": (),
    }
