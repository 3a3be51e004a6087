"""Configs of the four families that are odd in one way: for golden_models.py. Each case_
function changes a config and returns the keys that a reader may refuse by name."""
import json

import transformers
from golden_rope import KINDS, scaling


def base(family, rng):
    """A config that says all that matters, in the old spelling."""
    heads = rng.choice([2, 4])
    c = {
        "model_type": family, "architectures": [family.capitalize() + "ForCausalLM"],
        "hidden_size": heads * rng.choice([4, 8]), "num_hidden_layers": rng.choice([1, 2]), "num_attention_heads": heads,
        "num_key_value_heads": rng.choice([1, 2]), "intermediate_size": rng.choice([12, 20]), "vocab_size": 37,
        "max_position_embeddings": 48, "rms_norm_eps": rng.choice([1e-6, 1e-5, 1e-2]), "rope_theta": rng.choice([100.0, 10000.0, 1e6]),
        "tie_word_embeddings": rng.choice([True, False]), "hidden_act": "silu", "torch_dtype": "float32",
    }
    if family in ("llama", "qwen3"):
        c["attention_bias"] = rng.choice([True, False])
    if family == "qwen3" or rng.random() < .3:
        c["head_dim"] = rng.choice([8, 12])
    if family == "mistral":
        c["sliding_window"] = rng.choice([None, 5, 13, 64])
    if family in ("qwen2", "qwen3"):
        c["use_sliding_window"] = False
    return c


def case_window(c, rng):
    """The windows of Mistral and Qwen, and the keys that say the same in other words."""
    n, family = c["num_hidden_layers"], c["model_type"]
    types = rng.choice([["sliding_attention"] * n, ["full_attention"] * n, ["full_attention"] * (n - 1) + ["sliding_attention"]])
    if family == "llama":
        c["sliding_window"], c["layer_types"] = rng.choice([(5, None), (None, types), (7, types)])
        c.update({"layer_types": c["layer_types"]} if c["layer_types"] else {})
        if not c["layer_types"]:
            del c["layer_types"]
        return ["sliding_window", "layer_types"]
    if family == "mistral":
        how = rng.choice(["absent", "types", "use"])
        if how == "absent":
            c.pop("sliding_window")
            c["max_position_embeddings"] = 5000
            return []
        if how == "use":
            c["use_sliding_window"] = rng.choice([True, False])
            return ["use_sliding_window"]
        c["layer_types"] = types
        return ["layer_types"]
    c["use_sliding_window"] = rng.choice([True, True, True, False])
    c["max_window_layers"] = rng.choice([0, 0, 1, 28])
    how, odd = rng.choice(["given", "absent", "null", "types", "no max"]), []
    if how != "absent":
        c["sliding_window"] = 6
    else:
        c["max_position_embeddings"] = 5000
    if how == "null":
        c["sliding_window"] = None
    if how == "types":
        c["layer_types"] = types
        odd = ["layer_types", "sliding_window"]
    if how == "no max":
        del c["max_window_layers"]
    if 0 < c.get("max_window_layers", 28) < n:
        odd = ["sliding_window"]  # on some layers alone
    return odd


def case_defaults(c, rng):
    """Keys left out or null, whose defaults differ by family."""
    odd = []
    for key in rng.sample(["num_key_value_heads", "head_dim", "rms_norm_eps", "rope_theta", "tie_word_embeddings", "max_position_embeddings", "hidden_act", "attention_bias"], 3):
        c.pop(key, None)
        if key in ("num_key_value_heads", "head_dim") and rng.random() < .4 and not (key == "head_dim" and c["model_type"] != "llama"):
            c[key] = None
        if key == "num_key_value_heads" and key not in c and c["model_type"] != "llama":
            c["num_attention_heads"] = 8 if c["model_type"] == "mistral" else 32
            c["hidden_size"] = c["num_attention_heads"] * 4
    return odd


HARMLESS = {
    "use_cache": False, "initializer_range": .02, "attention_dropout": .1, "pretraining_tp": 2, "transformers_version": "4.40.0",
    "_name_or_path": "x", "bos_token_id": 1, "eos_token_id": [2, 3], "pad_token_id": 0, "max_length": 7, "temperature": .3,
    "output_hidden_states": True, "tokenizer_class": "X", "id2label": {"0": "a"}, "_attn_implementation_autoset": True, "dtype": "float32",
    "gradient_checkpointing": True, "unsloth_version": "2025.1", "is_llama_config": True, "rope_interleaved": False, "use_bfloat16": True,
    "attention_multiplier": None, "_commit_hash": "a", "chunk_size_feed_forward": 0, "return_dict": True, "repetition_penalty": 1.2,
}
CHANGING = {
    "logits_scaling": 2.0, "attention_multiplier": .3, "residual_multiplier": .5, "embedding_multiplier": 12.0, "final_logit_softcapping": 5.0,
    "attn_logit_softcapping": 5.0, "query_pre_attn_scalar": 4, "partial_rotary_factor": .5, "mlp_bias": True, "hidden_act": "gelu",
    "rope_interleaved": True, "scale_emb": 12, "num_experts": 4, "use_qk_norm": True, "logit_scale": .5, "clip_qkv": 1.0,
    "mrope_section": [1, 1], "attn_scale": .3, "auto_map": {"AutoModelForCausalLM": "m.M"}, "no_such_key": 1, "pruned_heads": {"0": [1]},
    "is_encoder_decoder": True, "layer_norm_eps": .1, "rotary_pct": .5, "per_layer_config": {"0": {"rms_norm_eps": .5}},
}


def case_others(c, rng):
    """Keys of training and generation, and keys of other families."""
    for key in rng.sample(sorted(HARMLESS), 5):
        c[key] = HARMLESS[key]
    odd = rng.sample(sorted(CHANGING), 1) if rng.random() < .6 else []
    for key in odd:
        c[key] = CHANGING[key]
    if rng.random() < .3 and "attention_bias" not in odd:
        c["attention_bias"] = True
        odd = odd + (["attention_bias"] if c["model_type"] == "mistral" else [])
    return odd


def case_head(c, rng):
    """A tied model with a head in its file, equal to the embedding or not, and one that
    does not say whether it is tied."""
    c["tie_word_embeddings"] = True
    c["_head"] = rng.choice(["own", "equal"])
    return ["lm_head.weight"] if c["_head"] == "own" else []


def case_saved(c, rng):
    """The config as transformers itself writes it, with every key that it has."""
    if rng.random() < .7:
        c["rope_scaling"] = scaling(rng.choice(KINDS), c, rng)
    whole = json.loads(transformers.AutoConfig.for_model(**json.loads(json.dumps(c))).to_json_string(use_diff=rng.choice([True, False])))
    c.clear()
    c.update(whole)
    return []


def case_absent(c, rng):
    """The name of the class in the place of the type, and nothing that may be left out."""
    keep = {"architectures", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size", "model_type"}
    if c["model_type"] != "llama":
        keep |= {"num_key_value_heads"}
    for key in [k for k in c if k not in keep]:
        del c[key]
    return []


SHAPES = {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size", "intermediate_size", "model_type", "id2label", "label2id", "dtype"}


def case_key(c, rng):
    """Any key that transformers' class has, whatever its version: another value, null, or
    left out."""
    whole = json.loads(transformers.AutoConfig.for_model(**json.loads(json.dumps(c))).to_json_string(use_diff=False))
    key = rng.choice(sorted(k for k in whole if k not in SHAPES))
    c.update({k: v for k, v in whole.items() if k not in ("rope_parameters", "dtype") and k not in c})
    how, v = rng.choice(["other", "other", "null", "absent"]), whole[key]
    if how == "absent":
        c.pop(key, None)
    elif how == "null":
        c[key] = None
    elif isinstance(v, bool):
        c[key] = not v
    elif isinstance(v, (int, float)):
        c[key] = 2 * v + 1
    elif isinstance(v, dict):
        c[key] = v | {"rope_theta": 33.0} if "rope_theta" in v else {"a": 1}
    elif isinstance(v, list):
        c[key] = v + v[:1]
    else:
        c[key] = 3 if v is None else str(v) + "x"
    return [key]
