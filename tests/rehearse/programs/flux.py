"""Diffusers: a pipeline of rotary positions and flow matching, tiny and random."""
import torch
from diffusers import AutoencoderKL, FlowMatchEulerDiscreteScheduler, FluxPipeline, FluxTransformer2DModel
from transformers import CLIPTextConfig, CLIPTextModel, T5Config, T5EncoderModel

from tiny import WORDS, tokenizer

torch.manual_seed(0)
tok = tokenizer()
tok.model_max_length = 16
size = len(WORDS) + 4
pipe = FluxPipeline(
    scheduler=FlowMatchEulerDiscreteScheduler(),
    text_encoder=CLIPTextModel(CLIPTextConfig(
        vocab_size=size, hidden_size=32, intermediate_size=32, num_hidden_layers=1, projection_dim=32,
        num_attention_heads=2, max_position_embeddings=16, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )),
    text_encoder_2=T5EncoderModel(T5Config(vocab_size=size, d_model=32, d_ff=32, d_kv=8, num_layers=1, num_heads=2)),
    tokenizer=tok,
    tokenizer_2=tok,
    vae=AutoencoderKL(
        block_out_channels=(8,), norm_num_groups=4, latent_channels=1, sample_size=32,
        use_quant_conv=False, use_post_quant_conv=False, shift_factor=0.06, scaling_factor=1.5,
    ),
    transformer=FluxTransformer2DModel(
        patch_size=1, in_channels=4, num_layers=1, num_single_layers=1, attention_head_dim=16,
        num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32, axes_dims_rope=[4, 4, 8],
    ),
).to("cuda")
pipe.set_progress_bar_config(disable=True)
images = pipe(
    "a small bird", height=8, width=8, num_inference_steps=2, max_sequence_length=16, output_type="np",
    generator=torch.Generator(device="cuda").manual_seed(0),
).images
print("flux", images.shape, round(float(abs(images).sum()), 3))
