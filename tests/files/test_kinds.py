from __future__ import annotations

import pytest

from neuron_migrate.files.kinds import Kind, kind_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("train.py", Kind.PYTHON),
        ("a/b.pyi", Kind.PYTHON),
        ("nb.ipynb", Kind.NOTEBOOK),
        ("requirements.txt", Kind.REQUIREMENTS),
        ("requirements-dev.txt", Kind.REQUIREMENTS),
        ("dev_requirements.in", Kind.REQUIREMENTS),
        ("requirements/gpu.txt", Kind.REQUIREMENTS),
        ("constraints.txt", Kind.REQUIREMENTS),
        ("notes.txt", None),
        ("pyproject.toml", Kind.TOML),
        ("Cargo.toml", None),
        ("setup.cfg", Kind.INI),
        ("Dockerfile", Kind.DOCKERFILE),
        ("docker/Dockerfile.gpu", Kind.DOCKERFILE),
        ("train.Dockerfile", Kind.DOCKERFILE),
        ("environment.yml", Kind.YAML),
        (".github/workflows/ci.yaml", Kind.YAML),
        ("ds_config.json", Kind.JSON),
        ("launch.sh", Kind.SHELL),
        ("job.slurm", Kind.SHELL),
        ("README.md", Kind.MARKUP),
        ("guide.mdx", Kind.MARKUP),
        ("LICENSE", None),
    ],
)
def test_by_name(path: str, kind: Kind | None) -> None:
    assert kind_of(path) is kind


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("#!/usr/bin/env python3\n", Kind.PYTHON),
        ("#!/bin/bash -e\n", Kind.SHELL),
        ("#!/usr/bin/env ruby\n", None),
        ("import torch\n", None),
    ],
)
def test_by_shebang(head: str, kind: Kind | None) -> None:
    assert kind_of("bin/run", head) is kind
