"""Diffusers: a UNet learns to take noise away, with Accelerate, EMA and a pipeline at the end."""
import tempfile

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from diffusers import DDPMPipeline, DDPMScheduler, UNet2DModel
from diffusers.optimization import get_scheduler
from diffusers.training_utils import EMAModel

accelerator = Accelerator(mixed_precision="bf16")
print("where", accelerator.device.type)
set_seed(0)
model = UNet2DModel(
    sample_size=8, block_out_channels=(8, 16), norm_num_groups=4, layers_per_block=1,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
)
ema = EMAModel(model.parameters(), model_cls=UNet2DModel, model_config=model.config)
ema.to(accelerator.device)
scheduler = DDPMScheduler(num_train_timesteps=100)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
rate = get_scheduler("cosine", optimizer, num_warmup_steps=1, num_training_steps=6)
loader = torch.utils.data.DataLoader([torch.rand(3, 8, 8) for _ in range(12)], 4, shuffle=True)
model, optimizer, loader, rate = accelerator.prepare(model, optimizer, loader, rate)
for epoch in range(2):
    for images in loader:
        noise = torch.randn(images.shape, device=images.device)
        steps = torch.randint(0, 100, (len(images),), device=images.device).long()
        with accelerator.accumulate(model):
            predicted = model(scheduler.add_noise(images, noise, steps), steps).sample
            loss = F.mse_loss(predicted.float(), noise.float())
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                ema.step(model.parameters())
            optimizer.step()
            rate.step()
            optimizer.zero_grad()
        print("loss", loss.detach().item())
unet = accelerator.unwrap_model(model)
ema.copy_to(unet.parameters())
pipe = DDPMPipeline(unet=unet, scheduler=scheduler)
pipe.save_pretrained(tempfile.mkdtemp())
pipe.set_progress_bar_config(disable=True)
generator = torch.Generator(device=pipe.device).manual_seed(0)
images = pipe(generator=generator, batch_size=2, num_inference_steps=2, output_type="np").images
print("images", images.shape, round(float(abs(images).sum()), 3))
