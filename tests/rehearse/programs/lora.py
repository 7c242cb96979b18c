"""PEFT: LoRA adapters are trained on the device, saved, loaded and merged."""
import tempfile

import torch
from peft import LoraConfig, PeftModel, get_peft_model

from tiny import model, texts, tokenizer

tok = tokenizer()
base = model().cuda()
torch.manual_seed(0)
adapted = get_peft_model(
    base, LoraConfig(r=4, lora_alpha=8, lora_dropout=0.1, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
)
adapted.print_trainable_parameters()
optimizer = torch.optim.AdamW((p for p in adapted.parameters() if p.requires_grad), lr=1e-2)
scaler = torch.cuda.amp.GradScaler(enabled=False)
for step in range(4):
    batch = tok(texts(16)[step * 4 : step * 4 + 4], return_tensors="pt").to("cuda")
    with torch.cuda.amp.autocast(dtype=torch.bfloat16):
        loss = adapted(**batch, labels=batch["input_ids"]).loss
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    print("loss", loss.item())
folder = tempfile.mkdtemp()
adapted.save_pretrained(folder)
again = PeftModel.from_pretrained(model().to("cuda"), folder).eval()
merged = again.merge_and_unload()
with torch.inference_mode():
    logits = merged(**tok("the cat", return_tensors="pt").to("cuda")).logits
print("where", logits.device.type)
print("sum", logits.float().sum().item())
