"""Kinds of configuration, told by the keys that only they have."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.nodes import Mapping, Sequence, items, scalar

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.nodes import Node

UNKNOWN = "\ue000"
"""Stands in the text of a scalar for each character of what a template fills in."""
OTHER = "other"
_ACCELERATE = frozenset(
    {"mixed_precision", "num_processes", "num_machines", "machine_rank", "dynamo_config",
     "fsdp_config", "deepspeed_config", "main_training_function", "downcast_bf16"}
)  # fmt: skip
_DEEPSPEED = frozenset(
    {"zero_optimization", "train_micro_batch_size_per_gpu", "zero_allow_untested_optimizer"}
)
_TRAINER = frozenset({"per_device_train_batch_size", "per_device_eval_batch_size"})
_AXOLOTL = frozenset({"micro_batch_size", "sequence_len", "adapter", "sample_packing"})
_LIGHTNING = frozenset(
    {"accelerator", "devices", "gpus", "max_epochs", "max_steps", "num_nodes", "strategy",
     "precision", "check_val_every_n_epoch", "log_every_n_steps", "gradient_clip_val"}
)  # fmt: skip
_BOOSTING = frozenset(
    {"tree_method", "booster", "boosting_type", "colsample_bytree", "min_child_weight",
     "n_estimators", "num_boost_round", "num_leaves"}
)  # fmt: skip
_GITLAB = frozenset({"script", "before_script", "after_script"})


def of_document(root: Mapping, path: str) -> str:
    """The kind of a whole document; ``other`` where its parts are to tell."""
    keys = root.keys()
    if PurePosixPath(path).name in {"devcontainer.json", ".devcontainer.json"}:
        return "devcontainer"
    if {"apiVersion", "kind"} <= keys:
        return "kubernetes"
    if "services" in keys and any(
        isinstance(each, Mapping) and {"image", "build", "command", "environment"} & each.keys()
        for each in _values(root.get("services"))
    ):
        return "compose"
    if _is_workflow(root, path):
        return "workflow"
    if scalar(root.get("run")) and keys & {"resources", "image", "setup", "env", "envs"}:
        return "task"
    if "type" in keys and "commands" in keys and isinstance(root.get("commands"), Sequence):
        return "task"
    return OTHER


def of_mapping(mapping: Mapping, key: str) -> str:
    """The kind of configuration that begins with a mapping; empty where none does."""
    keys = mapping.keys()
    if "compute_environment" in keys or ("distributed_type" in keys and keys & _ACCELERATE):
        return "accelerate"
    if keys & _DEEPSPEED or ("train_batch_size" in keys and _is_engine(mapping)):
        return "deepspeed"
    if keys & _TRAINER:
        return "trainer"
    if "base_model" in keys and keys & _AXOLOTL:
        return "axolotl"
    if (key == "trainer" and keys & _LIGHTNING) or {"accelerator", "devices"} <= keys:
        return "lightning"
    return "boosting" if keys & _BOOSTING else ""


def _is_engine(mapping: Mapping) -> bool:
    """Whether precision is a mapping of its own, as DeepSpeed has it."""
    return any(
        isinstance(part := mapping.get(name), Mapping) and part.get("enabled") is not None
        for name in ("fp16", "bf16")
    )


def _is_workflow(root: Mapping, path: str) -> bool:
    keys = root.keys()
    if keys & {"jobs", "workflows"} or (keys & {"stages", "pool"} and "steps" in keys):
        return any(isinstance(each, Mapping) for each in _values(root.get("jobs")))
    runs = root.get("runs")
    if isinstance(runs, Mapping) and runs.get("steps") is not None:
        return True
    if PurePosixPath(path).name.startswith(("azure-pipelines", ".gitlab-ci", "buildspec")):
        return True
    return any(isinstance(each, Mapping) and _GITLAB & each.keys() for each in _values(root))


def _values(node: Node | None) -> list[Node]:
    if isinstance(node, Mapping):
        return [value for _, value in node.merged().values()]
    return items(node)


def is_known(text: str) -> bool:
    """Whether a scalar says what it stands for: no template, no reference."""
    return UNKNOWN not in text and "$" not in text
