"""Accelerate: bf16, gradient accumulation, saved and restored state."""
import argparse
import tempfile

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--mixed_precision", default="no")
parser.add_argument("--accumulate", type=int, default=1)
arguments = parser.parse_args()

accelerator = Accelerator(
    mixed_precision=arguments.mixed_precision, gradient_accumulation_steps=arguments.accumulate
)
print("where", accelerator.device.type)
set_seed(2)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 4))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 0.1, 1.0, 8)
data = TensorDataset(torch.randn(48, 8), torch.randint(4, (48,)))
loader = DataLoader(data, 8, shuffle=True)
evaluation = DataLoader(data, 8)
model, optimizer, loader, evaluation, schedule = accelerator.prepare(
    model, optimizer, loader, evaluation, schedule
)


def epoch():
    model.train()
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.cross_entropy(model(x), y)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        yield loss.item()


@torch.no_grad()
def accuracy():
    model.eval()
    right = 0
    for x, y in evaluation:
        guesses, truth = accelerator.gather_for_metrics((model(x).argmax(-1), y))
        right += (guesses == truth).sum().item()
    return right / len(data)


print("losses", list(epoch()))
folder = tempfile.mkdtemp()
accelerator.save_state(folder)
print("losses", list(epoch()))
print("accuracy", accuracy())
accelerator.load_state(folder)
print("losses", list(epoch()))
torch.cuda.empty_cache()
unwrapped = accelerator.unwrap_model(model)
accelerator.save(unwrapped.state_dict(), folder + "/model.pt")
print("sum", sum(value.sum().item() for value in torch.load(folder + "/model.pt", map_location="cpu").values()))
