"""Asks a language model a question, on a GPU when there is one."""

import os

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

NAME = os.environ.get("MODEL", "Qwen/Qwen3-0.6B")
device = "cuda" if torch.cuda.is_available() else "cpu"

tokenizer = AutoTokenizer.from_pretrained(NAME)
model = AutoModelForCausalLM.from_pretrained(NAME, dtype=torch.bfloat16, device_map="auto")
inputs = tokenizer("Why is the sky blue?", return_tensors="pt").to(device)
print(tokenizer.decode(model.generate(**inputs, max_new_tokens=64)[0]))
