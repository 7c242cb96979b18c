"""Fine-tune a causal language model on one GPU, or on several with torchrun."""

import argparse
import os

import torch
import torch.distributed as dist
from torch.cuda.amp import GradScaler, autocast
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, AutoTokenizer


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="Qwen/Qwen3-0.6B")
    parser.add_argument("--device", default="cuda", help="cuda or cpu")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch-size", type=int, default=8)
    return parser.parse_args()


def setup(args):
    if "LOCAL_RANK" not in os.environ:
        return torch.device(args.device if torch.cuda.is_available() else "cpu")
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group(backend="nccl")
    torch.cuda.set_device(local_rank)
    return torch.device(f"cuda:{local_rank}")


def main():
    args = parse_args()
    device = setup(args)
    torch.cuda.manual_seed_all(0)
    torch.backends.cudnn.benchmark = True

    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForCausalLM.from_pretrained(
        args.model,
        attn_implementation="flash_attention_2",
        device_map="auto",
    )
    model = torch.compile(model, mode="max-autotune")
    if dist.is_initialized():
        model = DistributedDataParallel(model, device_ids=[device.index])

    texts = open("corpus.txt").read().split("\n\n")
    loader = DataLoader(texts, batch_size=args.batch_size, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    scaler = GradScaler()

    for epoch in range(args.epochs):
        for batch in loader:
            inputs = tokenizer(batch, return_tensors="pt", padding=True).to(device)
            with autocast():
                loss = model(**inputs, labels=inputs["input_ids"]).loss
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        torch.cuda.synchronize()
        peak = torch.cuda.max_memory_allocated() / 2**30
        print(f"epoch {epoch}: loss {loss.item():.3f}, peak {peak:.1f} GiB of cuda memory")


if __name__ == "__main__":
    main()
