"""A saved model is loaded onto the device, generates, and serves a pipeline."""
import tempfile

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, pipeline

from tiny import model, tokenizer

folder = tempfile.mkdtemp()
model().save_pretrained(folder)
tokenizer().save_pretrained(folder)

tok = AutoTokenizer.from_pretrained(folder)
loaded = AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.float32, device_map="cuda")
print("where", loaded.device.type)
inputs = tok(["the cat", "a dog sees"], return_tensors="pt", padding=True).to("cuda")
greedy = loaded.generate(**inputs, max_new_tokens=8, do_sample=False)
print("greedy", greedy.tolist())
torch.manual_seed(4)
sampled = loaded.generate(**inputs, max_new_tokens=8, do_sample=True, top_k=5, temperature=0.8)
print("sampled", sampled.cpu().numpy().tolist())
beams = loaded.generate(**inputs, max_new_tokens=5, num_beams=3)
print("beams", beams.tolist())

generator = pipeline("text-generation", model=folder, tokenizer=tok, device=0)
print("where", generator.model.device.type)
print("text", generator("the bird", max_new_tokens=6, do_sample=False)[0]["generated_text"])
halved = pipeline("text-generation", model=loaded.to(torch.bfloat16), tokenizer=tok)
print("text", halved("a tree", max_new_tokens=6, do_sample=False)[0]["generated_text"])
