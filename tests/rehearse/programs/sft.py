"""TRL: supervised fine-tuning, with and without LoRA."""
import argparse
import tempfile

from datasets import Dataset
from peft import LoraConfig
from trl import SFTConfig, SFTTrainer

from tiny import model, texts, tokenizer

parser = argparse.ArgumentParser()
parser.add_argument("--lora", action="store_true")
parser.add_argument("--bf16", action="store_true")
arguments = parser.parse_args()

trainer = SFTTrainer(
    model=model().cuda(),
    args=SFTConfig(
        tempfile.mkdtemp(), per_device_train_batch_size=4, max_steps=4, logging_steps=1,
        max_length=128, pad_to_multiple_of=128, report_to="none", seed=1, bf16=arguments.bf16, learning_rate=1e-3,
        gradient_checkpointing=True, disable_tqdm=True, dataset_num_proc=1,
        eval_strategy="steps", eval_steps=2,
    ),
    train_dataset=Dataset.from_dict({"text": texts(16)}),
    eval_dataset=Dataset.from_dict({"text": texts(4)}),
    processing_class=tokenizer(),
    peft_config=LoraConfig(r=4, target_modules=["q_proj", "v_proj"]) if arguments.lora else None,
)
trainer.train()
print("losses", [entry["loss"] for entry in trainer.state.log_history if "loss" in entry])
trainer.save_model()
print("where", trainer.model.device.type)
