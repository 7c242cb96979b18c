"""Which parameters the Hugging Face classes lost between the release that optimum-neuron pins and
the one that knows Neuron.

The list is made from two folders of unpacked wheels, and checked in:

    pip install --no-deps --target old transformers==4.57.1 trl==0.24.0 accelerate==0.20.3
    pip install --no-deps --target new transformers==5.24.0 trl==1.16.0 accelerate==1.15.0
    python -m tests.catalog.removed_parameters old new
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

CLASSES = {
    "transformers.TrainingArguments": "transformers/training_args.py",
    "transformers.Seq2SeqTrainingArguments": "transformers/training_args_seq2seq.py",
    "transformers.Trainer": "transformers/trainer.py",
    "trl.SFTConfig": "trl/trainer/sft_config.py",
    "trl.SFTTrainer": "trl/trainer/sft_trainer.py",
    "trl.DPOConfig": "trl/trainer/dpo_config.py",
    "trl.GRPOConfig": "trl/trainer/grpo_config.py",
    "trl.KTOConfig": "trl/trainer/kto_config.py",
    "trl.RewardConfig": "trl/trainer/reward_config.py",
    "accelerate.Accelerator": "accelerate/accelerator.py",
}
FILE = Path(__file__).with_suffix(".json")


def parameters(name: str, file: Path) -> set[str]:
    """What the constructor of a class takes, without what it inherits from another module."""
    found: set[str] = set()
    classes = {
        node.name: node
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    for item in classes[name].body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            arguments = item.args
            given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            return {argument.arg for argument in given if argument.arg != "self"}
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found.add(item.target.id)
    return found


def removed(old: Path, new: Path) -> dict[str, list[str]]:
    """The parameters that each class lost."""
    table: dict[str, list[str]] = {}
    for path, file in CLASSES.items():
        name = path.rpartition(".")[2]
        before, after = parameters(name, old / file), parameters(name, new / file)
        inherited = set(table.get("transformers.TrainingArguments", ()))
        table[path] = sorted(before - after - inherited - _moved_up(new))
    return table


def _moved_up(new: Path) -> set[str]:
    """What the configurations of TRL inherit, so that they need not name it themselves."""
    base = parameters("_BaseConfig", new / "trl/trainer/base_config.py")
    return base | parameters("TrainingArguments", new / CLASSES["transformers.TrainingArguments"])


if __name__ == "__main__":
    table = removed(Path(sys.argv[1]), Path(sys.argv[2]))
    FILE.write_text(json.dumps(table, indent=2) + "\n", encoding="utf-8")
