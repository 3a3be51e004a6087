"""The same models as GGUF files, in the words of llama.cpp's own library: for golden_models.py."""
import math

import gguf
import numpy as np

GGUF_ARCH = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}


def permuted(w, heads):
    """The rows of q and k as GGUF's llama has them: the halves of a head alternately."""
    return w.reshape(heads, 2, w.shape[0] // heads // 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "model.layers": "blk",
}


def llama3_factors(s, theta, d):
    """What llama.cpp's converter writes: the divisor of each pair."""
    out = []
    for i in range(d // 2):
        wave = 2 * math.pi * theta ** (2 * i / d)
        low, high = s["original_max_position_embeddings"] / s["low_freq_factor"], s["original_max_position_embeddings"] / s["high_freq_factor"]
        if wave < high:
            out.append(1.0)
        elif wave > low:
            out.append(s["factor"])
        else:
            smooth = (s["original_max_position_embeddings"] / wave - s["low_freq_factor"]) / (s["high_freq_factor"] - s["low_freq_factor"])
            out.append(1 / ((1 - smooth) / s["factor"] + smooth))
    return np.array(out, dtype=np.float32)


def gguf_rope(w, arch, config, d, rng):
    """The same rope in GGUF's words; False where it has none."""
    s = config.rope_parameters
    kind, attention = s["rope_type"], None
    if kind == "dynamic":
        return False
    if kind == "linear":
        how = rng.choice(["typed", "factor alone", "old"])
        if how == "typed":
            w.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        if how == "old":
            w.add_float32(f"{arch}.rope.scale_linear", s["factor"])
        else:
            w.add_rope_scaling_factor(s["factor"])
    if kind == "llama3":
        w.add_tensor("rope_freqs.weight", llama3_factors(s, s["rope_theta"], d))
    if kind == "yarn":
        if s.get("truncate") is False:
            return False
        w.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        w.add_rope_scaling_factor(s["factor"])
        w.add_rope_scaling_orig_ctx_len(s["original_max_position_embeddings"])
        usual = .1 * math.log(s["factor"]) + 1 if s["factor"] > 1 else 1.0
        if s.get("attention_factor"):
            attention = s["attention_factor"] / usual
        elif s.get("mscale") and s.get("mscale_all_dim"):
            return False
        for key in ("beta_fast", "beta_slow"):
            if key in s:
                w.add_float32(f"{arch}.rope.scaling.yarn_{key}", float(s[key]))
    if kind == "longrope":
        original, factor = s["original_max_position_embeddings"], s.get("factor")
        factor = factor or config.max_position_embeddings / original
        attention = s.get("attention_factor") or (math.sqrt(1 + math.log(factor) / math.log(original)) if factor > 1 else 1.0)
        w.add_rope_scaling_type(gguf.RopeScalingType.LONGROPE)
        w.add_rope_scaling_orig_ctx_len(original)
        for key in ("short", "long"):
            w.add_tensor(f"rope_factors_{key}.weight", np.array(s[key + "_factor"], dtype=np.float32))
    if attention is not None:
        w.add_rope_scaling_attn_factors(attention)
    return True


ODD_GGUF = {
    "expert_count": 8, "rope.scaling.yarn_log_multiplier": .1, "rope.dimension_sections": [1, 1], "logit_scale": .5, "attention.scale": .3,
    "final_logit_softcapping": 3.0, "rope.scaling.attn_factor": 1.4, "no_such_key": 1, "attention.causal": False, "residual_scale": .3,
}


def write_gguf(path, config, state, rng):
    """False where the model cannot be said in a GGUF; else the keys that may be refused."""
    arch, d = GGUF_ARCH[config.model_type], config.head_dim if getattr(config, "head_dim", None) else config.hidden_size // config.num_attention_heads
    window = config.sliding_window if getattr(config, "sliding_window", None) else None
    if window and getattr(config, "layer_types", None) and len(set(config.layer_types)) > 1:
        return False
    if window and "full_attention" in (getattr(config, "layer_types", None) or []):
        window = None
    w = gguf.GGUFWriter(path, arch)
    w.add_context_length(config.max_position_embeddings)
    w.add_embedding_length(config.hidden_size)
    w.add_block_count(config.num_hidden_layers)
    w.add_feed_forward_length(config.intermediate_size)
    w.add_head_count(config.num_attention_heads)
    w.add_head_count_kv(config.num_key_value_heads)
    w.add_key_length(d)
    w.add_value_length(d)
    w.add_rope_dimension_count(d)
    w.add_layer_norm_rms_eps(config.rms_norm_eps)
    w.add_rope_freq_base(config.rope_parameters["rope_theta"])
    w.add_vocab_size(config.vocab_size)
    w.add_file_type(0)
    if window:
        w.add_sliding_window(window)
    if not gguf_rope(w, arch, config, d, rng):
        return False
    odd = []
    if rng.random() < .25:
        key = rng.choice(sorted(ODD_GGUF))
        if key != "rope.scaling.attn_factor":
            odd, v = [key], ODD_GGUF[key]
            add = {bool: w.add_bool, int: w.add_uint32, float: w.add_float32, list: w.add_array}[type(v)]
            add(f"{arch}.{key}", v)
    for name, t in state.items():
        for ours, theirs in NAMES.items():
            name = name.replace(ours, theirs)
        t = t.numpy()
        if arch == "llama" and (".attn_q." in name or ".attn_k." in name):
            t = permuted(t, config.num_attention_heads if ".attn_q." in name else config.num_key_value_heads)
        w.add_tensor(name, np.ascontiguousarray(t))
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()
    return odd
