"""Transformers' Trainer: evaluation, checkpoints, resuming, bf16, gradient checkpointing."""
import argparse
import shutil

import torch
from datasets import Dataset
from transformers import DataCollatorForLanguageModeling, Trainer, TrainingArguments, set_seed

from tiny import model, texts, tokenizer

parser = argparse.ArgumentParser()
parser.add_argument("--output", default="out")
parser.add_argument("--bf16", action="store_true")
arguments = parser.parse_args()

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("device", device.type)
shutil.rmtree(arguments.output, ignore_errors=True)
set_seed(1)
tok = tokenizer()
data = Dataset.from_dict({"text": texts(32)})
data = data.map(lambda rows: tok(rows["text"], truncation=True), batched=True, remove_columns="text")


def build(**options):
    return Trainer(
        model=model().to(device),
        args=TrainingArguments(
            arguments.output, per_device_train_batch_size=4, num_train_epochs=2, logging_steps=1,
            save_steps=6, eval_strategy="steps", eval_steps=4, report_to="none", seed=3,
            bf16=arguments.bf16, gradient_checkpointing=True, learning_rate=1e-3, warmup_steps=2,
            torch_compile=False, disable_tqdm=True, dataloader_pin_memory=True, **options,
        ),
        train_dataset=data,
        eval_dataset=data.select(range(8)),
        data_collator=DataCollatorForLanguageModeling(tok, mlm=False),
    )


trainer = build()
trainer.train()
print("evaluation", trainer.evaluate()["eval_loss"])
losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
print("losses", losses)
trainer.save_model(arguments.output + "/final")

resumed = build()
resumed.train(resume_from_checkpoint=arguments.output + "/checkpoint-12")
again = [entry["loss"] for entry in resumed.state.log_history if "loss" in entry]
print("resumed", again)
print("where", next(resumed.model.parameters()).device.type)
