"""TRL: direct preference optimisation of pairs of texts."""
import tempfile

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from tiny import model, texts, tokenizer

rows = texts(24)
trainer = DPOTrainer(
    model=model(),
    ref_model=model(),
    args=DPOConfig(
        tempfile.mkdtemp(), per_device_train_batch_size=4, max_steps=3, logging_steps=1,
        pad_to_multiple_of=128, report_to="none", seed=1, bf16=True, learning_rate=1e-3, disable_tqdm=True,
        gradient_checkpointing=False,
    ),
    train_dataset=Dataset.from_dict(
        {"prompt": rows[:8], "chosen": [" " + r for r in rows[8:16]], "rejected": [" " + r for r in rows[16:]]}
    ),
    processing_class=tokenizer(),
)
trainer.train()
print("losses", [entry["loss"] for entry in trainer.state.log_history if "loss" in entry])
print("where", trainer.model.device.type)
