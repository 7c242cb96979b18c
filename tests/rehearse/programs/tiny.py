"""A tiny language model, tokenizer and texts, made here."""
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

WORDS = "the a cat dog bird tree house sees likes finds under over near big small red".split()


def texts(count):
    generator = torch.Generator().manual_seed(0)
    picks = torch.randint(len(WORDS), (count, 12), generator=generator).tolist()
    return [" ".join(WORDS[at] for at in pick) for pick in picks]


def tokenizer():
    vocabulary = {word: at for at, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *WORDS])}
    tok = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tok, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )


def model(seed=0):
    torch.manual_seed(seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(WORDS) + 4, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
            pad_token_id=0, bos_token_id=1, eos_token_id=2,
        )
    )
