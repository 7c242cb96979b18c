"""Rules about requirements: what they fit, and which of their fixes are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.engine.kinds import AnyKind
from tests.cases import catalog, run

if TYPE_CHECKING:
    from neuron_migrate.finding import Finding

FILE = "requirements.txt"


def found(text: str, path: str = FILE, *, sdk: str = "") -> list[Finding]:
    rules = loader.load(sdk=sdk) if sdk else catalog()
    return AnyKind(rules, target="neuron").analyse(text, path)


def codes(text: str, path: str = FILE) -> list[str]:
    return [each.code for each in found(text, path)]


def fixed(text: str, path: str = FILE, *, unsafe: bool = True) -> str:
    return run(text.encode(), "neuron", unsafe=unsafe, path=path).after.decode()


@pytest.mark.parametrize(
    ("marker", "code"),
    [
        ("sys_platform == 'linux'", ["NM820"]),
        ("sys_platform == 'win32'", []),
        ("platform_machine == 'aarch64'", []),
        ("python_version < '3.12'", []),
        ("python_version < '3.13'", ["NM820"]),
        ("python_full_version >= '3.14'", ["NM820"]),
        ("extra == 'gpu'", ["NM820"]),
    ],
)
def test_only_what_is_installed_where_neuron_is(marker: str, code: list[str]) -> None:
    assert codes(f"flash-attn; {marker}\n") == code


def test_the_release_says_which_versions_are_supported() -> None:
    assert [each.code for each in found("torch==2.9\n", sdk="2.33")] == ["NM836"]
    assert found("torch==2.9\n", sdk="2.31") == []


def test_every_package_of_a_release_has_versions_and_sources() -> None:
    for release in catalog().releases:
        for package in release.packages:
            assert release.versions(package.name) == package.versions
            assert all(url.startswith("https://") for url in package.sources)
    release = catalog().releases[-1]
    assert catalog().release == release
    assert release.versions("torch") == ">=2.13,<2.15"
    assert release.versions("numpy") == ""


def test_a_lost_comment_makes_a_fix_unsafe() -> None:
    [plain] = found("nvidia-nccl-cu12\n")
    [commented] = found("nvidia-nccl-cu12  # pinned\n")
    assert (plain.fix, commented.fix) == ("safe", "unsafe")
    assert commented.not_fixed == "a comment would go with it"


def test_what_is_optional_breaks_nothing() -> None:
    text = '[project]\nname = "a"\ndependencies = ["vllm"]\noptional-dependencies.a = ["vllm"]\n'
    assert [each.risk.value for each in found(text, "pyproject.toml")] == ["breaks", "info"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("pip install nvidia-nccl-cu12 nvidia-cublas-cu12\n", "a.sh"),
        (
            "dependencies:\n- pip:\n  - nvidia-nccl-cu12\n  - nvidia-cublas-cu12\n",
            "environment.yml",
        ),
    ],
)
def test_a_command_or_a_list_is_not_emptied(text: str, path: str) -> None:
    assert fixed(text, path) == text


def test_a_list_that_may_be_empty_is() -> None:
    text = '[project]\ndependencies = ["nvidia-nccl-cu12", "nvidia-cublas-cu12"]\n'
    assert fixed(text, "pyproject.toml", unsafe=False) == "[project]\ndependencies = []\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("faiss-gpu\n", "faiss-cpu\n"),
        ("faiss_gpu [x] >= 1.7 ; os_name=='posix'\n", "faiss-cpu [x] >= 1.7 ; os_name=='posix'\n"),
        ("faiss-gpu==1.7.2\n", None),
        ("faiss-gpu\nfaiss-cpu\n", None),
        ("faiss-gpu @ https://a.org/x.tar.gz\n", None),
        ("torch == 2.4.0+cu121 ; os_name=='posix'\n", "torch ==2.14.0 ; os_name=='posix'\n"),
        ("torch==2.4.0+cu121\ntorchvision==0.19\n", None),
        ("torch==2.4.0+cu121\ntorchvision\n", "torch==2.14.0\ntorchvision\n"),
        ("torch==${V}+cu121\n", None),
        ("torch @ https://a.org/torch-2.4.0+cu121-cp310-cp310-linux_x86_64.whl\n", None),
        ("torch==2.14.0 --hash=sha256:aa\nnvidia-nccl-cu12==2 --hash=sha256:aa\n", None),
    ],
)
def test_other_names_and_versions(text: str, after: str | None) -> None:
    assert fixed(text) == (text if after is None else after)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("--extra-index-url https://download.pytorch.org/whl/cu121/\ntorch\n", "whl/cpu/"),
        ("--extra-index-url https://download.pytorch.org/whl/cu121\ntorch==2.4+cu121\n", None),
        ("--extra-index-url https://download.pytorch.org/whl/cu121/torch/\n", None),
    ],
)
def test_an_index_changes_alone(text: str, after: str | None) -> None:
    result = fixed(text, unsafe=False)
    assert (after in result) if after else result == text


def test_an_index_that_others_need_stays() -> None:
    text = "pip install mslk -i https://download.pytorch.org/whl/cu128\n"
    assert fixed(text, "a.sh") == text
    text = text.replace("mslk", "torch")
    assert fixed(text, "a.sh") == text.replace("cu128", "cpu")


def test_the_placeholder_of_pypi() -> None:
    assert codes("torch-neuronx\n") == ["NM833"]
    assert codes("torch-neuronx>=2.13.3\n") == []
    assert codes("torch-neuronx<2\n") == ["NM832"]
    index = "--extra-index-url https://pip.repos.neuron.amazonaws.com\n"
    assert codes(index + "torch-neuronx\n") == []
