"""SmolLM2-135M-Instruct from its GGUF file, dequantised: the model whose distributions everything here learns from."""
import gguf
import numpy as np
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
import llama

END = 2          # <|im_end|>, the end of a turn
BEGIN = 1        # <|im_start|>
END_OF_TEXT = 0  # <|endoftext|>

NAMES = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm",
         "ffn_norm": "post_attention_layernorm"}


def hf_name(name):
    base = name.removesuffix(".weight")
    if base == "token_embd":
        return "model.embed_tokens.weight"
    if base == "output_norm":
        return "model.norm.weight"
    _, i, part = base.split(".")
    return f"model.layers.{i}.{NAMES[part]}.weight"


def unpermute(w, heads):
    """GGUF interleaves the two rope halves of q and k; this puts them back."""
    return w.reshape(heads, w.shape[0] // heads // 2, 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def permute(w, heads):
    return w.reshape(heads, 2, w.shape[0] // heads // 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def fields(reader):
    return {k: f.contents() for k, f in reader.fields.items()}


def load(path, device, dtype):
    """Returns (weights, shape) of the model in a GGUF file; "random" is a stand-in of the same size, to time things with."""
    if path == "random":
        shape = llama.Shape(49152, 576, 30, 9, 3, 64, 1536, 100000.0)
        w = llama.init(shape, torch.Generator().manual_seed(0))
        return {k: (v + 0.02 * torch.randn(v.shape)).to(device=device, dtype=dtype) for k, v in w.items()}, shape
    reader = gguf.GGUFReader(path)
    m = {k: reader.fields["llama." + k].contents() for k in ("attention.head_count", "attention.head_count_kv", "embedding_length",
         "feed_forward_length", "block_count", "rope.freq_base", "attention.layer_norm_rms_epsilon")}
    heads, kv, hidden = m["attention.head_count"], m["attention.head_count_kv"], m["embedding_length"]
    hf = {}
    for t in reader.tensors:
        a = gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32)
        if ".attn_q." in t.name:
            a = unpermute(a, heads)
        if ".attn_k." in t.name:
            a = unpermute(a, kv)
        hf[hf_name(t.name)] = torch.from_numpy(np.ascontiguousarray(a)).to(device=device, dtype=dtype)
    vocab = hf["model.embed_tokens.weight"].shape[0]
    shape = llama.Shape(vocab, hidden, m["block_count"], heads, kv, hidden // heads, m["feed_forward_length"], float(m["rope.freq_base"]),
                        float(m["attention.layer_norm_rms_epsilon"]))
    return llama.from_hf(hf, shape), shape


def tokenizer(path):
    """The byte-level BPE of a SmolLM2 GGUF file: every digit alone, then GPT-2's pieces."""
    f = gguf.GGUFReader(path).fields
    toks, types, merges = (f["tokenizer.ggml." + k].contents() for k in ("tokens", "token_type", "merges"))
    t = Tokenizer(models.BPE(vocab={x: i for i, x in enumerate(toks)}, merges=[tuple(x.split(" ")) for x in merges]))
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    t.decoder = decoders.ByteLevel()
    t.add_special_tokens([AddedToken(x, special=True, normalized=False) for x, y in zip(toks, types) if y == 3])
    return t


def tiny(seed=0):
    """A random stand-in with a small vocabulary, for smoke runs: ids are taken modulo it."""
    g = torch.Generator().manual_seed(seed)
    shape = llama.Shape(640, 64, 4, 3, 1, 16, 96, 100000.0)
    w = llama.init(shape, g)
    return {k: v + 0.05 * torch.randn(v.shape, generator=g) for k, v in w.items()}, shape
