"""Writes the shipped weights from training states, and reads them again.

python3 export.py two-model drafter.pt --model GGUF --to model/drafters/smollm2-two-model
python3 export.py eagle eagle.pt --to model/drafters/smollm2-eagle
python3 export.py embedded embedded.pt --to model/embedded
python3 export.py half drafter.pt --to drafter-half.pt      (a state to go on from, in half precision)

The two-model drafter is one GGUF file: embeddings in 4-bit groups (Q4_1) or 8-bit ones (Q8_0), layers Q8_0, the target's tokenizer copied. The others are
config.json and model.safetensors with matrices in 8-bit groups: X.weight int8 [rows, cols] and X.scales float16 [rows, cols/32], the value being
weight * scale; norms are float16. The head's lm_head is in 4-bit groups: X.weight uint8 [rows, cols/2], values i and i+16 of a group in a byte, low nibble
first, X.scales and X.mins float16 [rows, cols/32], the value being nibble * scale + min. `quantization` in config.json says so.
"""
import argparse
import json
import os
import random
import gguf
import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
import llama
import prompts
import rounding
import setup
import target

GROUP = 32
QUANTIZATION = {"method": "int8-groups", "bits": 8, "group_size": GROUP, "scales": "X.scales float16 [rows, cols/32]; value = X.weight * scale"}
FOUR_BIT = "X.weight uint8 [rows, cols/2], X.scales and X.mins float16 [rows, cols/32]; value = nibble * scale + min"


def int8(a):
    """(int8 [rows, cols], float16 scales [rows, cols/32]) of a float matrix: each group of 32 by its largest magnitude over 127."""
    g = a.reshape(a.shape[0], -1, GROUP).astype(np.float32)
    scale = (np.abs(g).max(-1) / 127).astype(np.float16)
    s = scale.astype(np.float32)[..., None]
    q = np.where(s > 0, np.rint(g / np.where(s > 0, s, 1)), 0).clip(-127, 127).astype(np.int8)
    return q.reshape(a.shape), scale


def grouped(tensors, four=()):
    """Tensors for a file: matrices in groups, of 4 bits those named in `four`, the rest half."""
    out = {}
    for k, v in tensors.items():
        a, base = v.detach().float().cpu().numpy(), k.removesuffix(".weight")
        if k in four:
            out[k], out[base + ".scales"], out[base + ".mins"] = rounding.packed(v)
        elif a.ndim == 2 and a.shape[1] % GROUP == 0:
            out[k], out[base + ".scales"] = int8(a)
        else:
            out[k] = a.astype(np.float16)
    return {k: np.ascontiguousarray(v) for k, v in out.items()}


def ungrouped(tensors):
    """The float32 tensors that a file of `grouped` stands for."""
    out = {}
    for k, v in tensors.items():
        if k.endswith((".scales", ".mins")):
            continue
        base = k.removesuffix(".weight")
        a, s = v.astype(np.float32), tensors.get(base + ".scales")
        if v.dtype == np.uint8:
            out[k] = torch.from_numpy(rounding.unpacked(v, s, tensors[base + ".mins"]))
            continue
        out[k] = torch.from_numpy(a if s is None else (a.reshape(a.shape[0], -1, GROUP) * s.astype(np.float32)[..., None]).reshape(a.shape))
    return out


def contexts(model, seed=5):
    """Texts to round by: prose, functions and stretches of source of the Python library, as ids of at most 128 tokens."""
    r, tok = random.Random(seed), target.tokenizer(model)
    functions, prose, stretches = prompts.library(r, 60)
    pick = lambda xs: r.sample(xs, min(24, len(xs)))
    texts = [prompts.turn("Summarise this.\n\n" + x) for x in pick(prose)] + pick(stretches) + pick(functions)
    return [tok.encode(x).ids[:128] for x in texts]


def two_model(state, model, to, embed="q4_1", texts=None):
    """The GGUF file: llama's names, q and k rows permuted as GGUF has them. Q4_1 embeddings are rounded to the nearest, as --round trains them; with
    texts, with feedback."""
    s = llama.Shape(**state["shape"])
    os.makedirs(to, exist_ok=True)
    path = os.path.join(to, "model.gguf")
    w = gguf.GGUFWriter(path, "llama")
    source = gguf.GGUFReader(model)
    w.add_name("SmolLM2-135M-Instruct two-model drafter")
    w.add_license("apache-2.0")
    w.add_context_length(source.fields["llama.context_length"].contents())
    w.add_embedding_length(s.hidden)
    w.add_block_count(s.layers)
    w.add_feed_forward_length(s.ffn)
    w.add_head_count(s.heads)
    w.add_head_count_kv(s.kv_heads)
    w.add_rope_dimension_count(s.head_dim)
    w.add_key_length(s.head_dim)
    w.add_value_length(s.head_dim)
    w.add_rope_freq_base(s.theta)
    w.add_layer_norm_rms_eps(s.eps)
    w.add_vocab_size(s.vocab)
    for key, f in source.fields.items():
        if key.startswith("tokenizer."):
            kind = f.types[0]
            w.add_key_value(key, f.contents(), kind, f.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    back = {v: k for k, v in target.NAMES.items()}
    for name, t in llama.to_hf(state["weights"], s).items():
        a = np.ascontiguousarray(t.detach().float().cpu().numpy())
        if name == "model.embed_tokens.weight":
            out, kind = "token_embd.weight", gguf.GGMLQuantizationType[embed.upper()]
        elif name == "model.norm.weight":
            out, kind = "output_norm.weight", gguf.GGMLQuantizationType.F32
        else:
            _, _, i, part = name.removesuffix(".weight").split(".", 3)
            out = f"blk.{i}.{back[part]}.weight"
            kind = gguf.GGMLQuantizationType.F32 if a.ndim == 1 else gguf.GGMLQuantizationType.Q8_0
            if part == "self_attn.q_proj":
                a = target.permute(a, s.heads)
            if part == "self_attn.k_proj":
                a = target.permute(a, s.kv_heads)
        a = np.ascontiguousarray(a)
        if out == "token_embd.weight" and embed == "q4_1" and texts:
            w.add_tensor(out, rounding.q4_1(t.float(), rounding.second_moment(state["weights"], s, texts)), raw_dtype=kind)
        elif out == "token_embd.weight" and embed == "q4_1":
            w.add_tensor(out, rounding.blocks(t), raw_dtype=kind)
        elif kind == gguf.GGMLQuantizationType.F32:
            w.add_tensor(out, a)
        else:
            w.add_tensor(out, gguf.quants.quantize(a, kind), raw_dtype=kind)
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    return path


def eagle(state, to):
    """config.json and model.safetensors of the head; `words` [R] int32 are the target's ids of the head's rows."""
    os.makedirs(to, exist_ok=True)
    p, s = state["weights"], llama.Shape(**state["shape"])
    q, k, v = p["qkv"].split([s.heads * s.head_dim, s.kv_heads * s.head_dim, s.kv_heads * s.head_dim])
    gate, up = p["gu"].chunk(2)
    named = {"fc.weight": p["fc"], "layer.self_attn.q_proj.weight": q, "layer.self_attn.k_proj.weight": k, "layer.self_attn.v_proj.weight": v, "layer.self_attn.o_proj.weight": p["o"],
             "layer.mlp.gate_proj.weight": gate, "layer.mlp.up_proj.weight": up, "layer.mlp.down_proj.weight": p["down"], "layer.input_layernorm.weight": p["norm_token"],
             "layer.hidden_norm.weight": p["norm_state"], "layer.post_attention_layernorm.weight": p["n2"], "norm.weight": p["norm"], "lm_head.weight": p["head"]}
    out = grouped(named, ("lm_head.weight",))
    out["words"] = state["words"].numpy().astype(np.int32)
    save_file(out, os.path.join(to, "model.safetensors"))
    cfg = dict(architectures=["Eagle3Head"], model_type="eagle3", target="SmolLM2-135M-Instruct", taps=[t + 1 for t in state["taps"]], hidden_size=s.hidden, intermediate_size=p["down"].shape[1], num_attention_heads=s.heads,
               num_key_value_heads=s.kv_heads, head_dim=s.head_dim, rms_norm_eps=s.eps, rope_theta=s.theta, vocab_size=s.vocab, draft_vocab_size=len(state["words"]), hidden_act="silu", quantization=dict(QUANTIZATION, four_bit={"lm_head.weight": FOUR_BIT}))
    json.dump(cfg, open(os.path.join(to, "config.json"), "w"), indent=1)


def embedded(state, to):
    """target/ and draft/: a Llama checkpoint each, with the pair's tokenizer."""
    for part in ("target", "draft"):
        d, s = os.path.join(to, part), llama.Shape(**state[part + "_shape"])
        os.makedirs(d, exist_ok=True)
        save_file(grouped(llama.to_hf(state[part], s)), os.path.join(d, "model.safetensors"))
        json.dump(llama.config(s, bos_token_id=1, eos_token_id=2, pad_token_id=2, max_position_embeddings=1024, torch_dtype="float16", quantization=QUANTIZATION), open(os.path.join(d, "config.json"), "w"), indent=1)
        open(os.path.join(d, "tokenizer.json"), "w").write(json.dumps(json.loads(state["tokenizer"]), ensure_ascii=False, separators=(",", ":")))
        template = "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
        json.dump(dict(tokenizer_class="PreTrainedTokenizerFast", bos_token="<|im_start|>", eos_token="<|im_end|>", pad_token="<|im_end|>", unk_token="<|endoftext|>", chat_template=template, clean_up_tokenization_spaces=False),
                  open(os.path.join(d, "tokenizer_config.json"), "w"), indent=1)


def read_llama(folder):
    """(weights, shape, tokenizer) of a checkpoint of `embedded`."""
    c = json.load(open(os.path.join(folder, "config.json")))
    s = llama.Shape(c["vocab_size"], c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["num_key_value_heads"], c["head_dim"], c["intermediate_size"],
                    c["rope_theta"], c["rms_norm_eps"])
    return llama.from_hf(ungrouped(load_file(os.path.join(folder, "model.safetensors"))), s), s, Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))


def read_head(folder):
    """The training state that a shipped head stands for."""
    c, tensors = json.load(open(os.path.join(folder, "config.json"))), load_file(os.path.join(folder, "model.safetensors"))
    words = torch.from_numpy(tensors.pop("words").astype(np.int64))
    t = ungrouped(tensors)
    l = lambda name: t[f"layer.{name}.weight"]
    w = dict(fc=t["fc.weight"], qkv=torch.cat([l(f"self_attn.{x}_proj") for x in "qkv"]), o=l("self_attn.o_proj"), gu=torch.cat([l("mlp.gate_proj"), l("mlp.up_proj")]), down=l("mlp.down_proj"),
             norm_token=l("input_layernorm"), norm_state=l("hidden_norm"), n2=l("post_attention_layernorm"), norm=t["norm.weight"], head=t["lm_head.weight"])
    return dict(weights=w, words=words, taps=tuple(x - 1 for x in c["taps"]))


def read(path):
    """A training state, or the one that a shipped drafter stands for."""
    if os.path.isdir(path):
        return read_head(path)
    if path.endswith(".gguf"):
        w, s = target.load(path, "cpu", torch.float32)
        return dict(weights=w, shape=s.asdict())
    return torch.load(path, map_location="cpu", weights_only=False)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("what", choices=["two-model", "eagle", "embedded", "half"])
    a.add_argument("state")
    a.add_argument("--model", help="the target's GGUF file, whose tokenizer is copied")
    a.add_argument("--embed", default="q4_1", choices=["q4_0", "q4_1", "q8_0"])
    a.add_argument("--feedback", action="store_true", help="round a two-model drafter that was not trained with --round so that the errors answer for one another")
    a.add_argument("--to", required=True)
    args = a.parse_args()
    state = torch.load(args.state, map_location="cpu", weights_only=False)
    if args.what == "two-model":
        two_model(state, args.model, args.to, args.embed, contexts(args.model) if args.feedback else None)
    elif args.what == "eagle":
        eagle(state, args.to)
    elif args.what == "embedded":
        embedded(state, args.to)
    else:
        torch.save(setup.half(state), args.to)


if __name__ == "__main__":
    main()
