"""Diffusers: pipelines of tiny random components."""
import torch
from diffusers import (
    AutoencoderKL, DDIMScheduler, DDPMPipeline, DDPMScheduler, DiTPipeline, DiTTransformer2DModel,
    StableDiffusionPipeline, UNet2DConditionModel, UNet2DModel,
)
from transformers import CLIPTextConfig, CLIPTextModel

from tiny import WORDS, tokenizer


def show(name, images):
    print(name, images.shape, round(float(abs(images).sum()), 3))


def autoencoder():
    return AutoencoderKL(
        block_out_channels=(8, 8), norm_num_groups=4, latent_channels=4, sample_size=16,
        down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
    )


torch.manual_seed(0)
unet = UNet2DModel(
    sample_size=8, block_out_channels=(8, 16), norm_num_groups=4, layers_per_block=1,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"),
)
pipe = DDPMPipeline(unet, DDPMScheduler()).to("cuda")
pipe.set_progress_bar_config(disable=True)
generator = torch.Generator(device="cuda").manual_seed(1)
show("ddpm", pipe(batch_size=2, num_inference_steps=3, generator=generator, output_type="np").images)

torch.manual_seed(0)
tok = tokenizer()
tok.model_max_length = 16
stable = StableDiffusionPipeline(
    vae=autoencoder(),
    text_encoder=CLIPTextModel(CLIPTextConfig(
        vocab_size=len(WORDS) + 4, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=16, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )),
    tokenizer=tok,
    unet=UNet2DConditionModel(
        sample_size=8, block_out_channels=(8, 16), norm_num_groups=4, layers_per_block=1,
        cross_attention_dim=16, attention_head_dim=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    ),
    scheduler=DDIMScheduler(clip_sample=False, set_alpha_to_one=False, beta_schedule="scaled_linear"),
    safety_checker=None, feature_extractor=None, requires_safety_checker=False,
)
stable.set_progress_bar_config(disable=True)
stable = stable.to("cuda", torch.bfloat16)
generator = torch.Generator("cuda").manual_seed(1)
show("stable", stable("a big red cat", height=16, width=16, num_inference_steps=3, generator=generator, output_type="np").images)
stable.to(torch.float32)
stable.enable_attention_slicing()
show("stable", stable(["a cat", "the dog"], height=16, width=16, num_inference_steps=2, generator=[torch.Generator("cuda").manual_seed(s) for s in (3, 4)], output_type="np").images)
stable.enable_model_cpu_offload()
show("offloaded", stable("a tree", height=16, width=16, num_inference_steps=2, generator=torch.Generator("cuda").manual_seed(3), output_type="np").images)

torch.manual_seed(0)
dit = DiTPipeline(
    DiTTransformer2DModel(
        num_attention_heads=2, attention_head_dim=8, in_channels=4, out_channels=8, num_layers=2,
        sample_size=8, patch_size=2, num_embeds_ada_norm=1000, norm_num_groups=4,
    ),
    autoencoder(), DDIMScheduler(),
).to("cuda")
dit.set_progress_bar_config(disable=True)
show("dit", dit([1, 2], num_inference_steps=2, generator=torch.Generator("cuda").manual_seed(1), output_type="np").images)
torch.cuda.empty_cache()
