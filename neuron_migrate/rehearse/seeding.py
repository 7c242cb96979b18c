"""Starts all random numbers of a process from one seed, so that two runs can be compared."""

from __future__ import annotations

import os
import random
import sys

SEED = "NEURON_MIGRATE_REHEARSE_SEED"


def seed() -> None:
    """Seed Python, torch and NumPy with the number in the environment, if there is one."""
    value = os.environ.get(SEED, "")
    if not value:
        return
    import torch

    random.seed(int(value))
    torch.default_generator.manual_seed(int(value))
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(int(value))
