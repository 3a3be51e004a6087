"""Rope of every kind, in the spellings that configs have: for golden_models.py."""


def head_dim(c):
    return c.get("head_dim") or c["hidden_size"] // c["num_attention_heads"]


def scaling(kind, c, rng):
    """A rope_scaling of a kind, with what it may have left out or not."""
    half, original = head_dim(c) // 2, rng.choice([8, 16])
    maybe = lambda **kv: {k: v for k, v in kv.items() if rng.random() < .5}
    s = {"rope_type": kind}
    if kind in ("linear", "dynamic"):
        s["factor"] = rng.choice([3.0, 3.5])
    if kind == "llama3":
        s |= {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": original}
    if kind == "yarn":
        s |= {"factor": rng.choice([2.0, 6.0, 1.0]), "original_max_position_embeddings": original}
        s |= maybe(beta_fast=rng.choice([4, 16.0]), beta_slow=rng.choice([.5, 2]), truncate=rng.choice([True, False]))
        s |= maybe(attention_factor=1.3) or (maybe(mscale=.7, mscale_all_dim=rng.choice([.3, 1.0])))
    if kind == "longrope":
        s |= {"short_factor": [round(1 + .1 * i, 2) for i in range(half)], "long_factor": [round(1 + 1.7 * i, 2) for i in range(half)]}
        s |= {"original_max_position_embeddings": original} | maybe(factor=6.0, attention_factor=.9)
    return s


KINDS = ["linear", "dynamic", "llama3", "yarn", "longrope"]


def case_rope(c, rng, kind=None):
    """Rope of every kind, in the old and the new spelling and in both at once."""
    kind = kind or rng.choice(KINDS)
    s, odd = scaling(kind, c, rng), []
    if kind == "dynamic":
        c["max_position_embeddings"] = 14  # so that the text passes it
    how = rng.choice(["old", "older", "new", "both", "doubled", "empty", "theta twice", "original beside", "other key", "default", "two types"])
    if kind == "longrope" and how == "original beside" and rng.random() < .5:
        del s["original_max_position_embeddings"]
    if how == "older":
        s["type"] = s.pop("rope_type")
    c["rope_scaling"] = s
    if how == "two types":
        s["type"] = rng.choice(["default", "su", "linear"])
    if how == "new":
        c["rope_parameters"] = c.pop("rope_scaling") | {"rope_theta": c.pop("rope_theta")}
    if how == "both":
        c["rope_parameters"] = {"rope_type": "default", "rope_theta": 77.0}
    if how == "doubled":
        other = scaling(rng.choice(KINDS), c, rng)
        c["rope_parameters"] = other | {"rope_theta": 55.0}
    if how == "empty":
        c["rope_parameters"], c["rope_scaling"] = s | {"rope_theta": 300.0}, rng.choice([{}, None])
    if how == "theta twice":
        c["rope_scaling"]["rope_theta"] = 500.0
    if how == "original beside":
        c["original_max_position_embeddings"] = rng.choice([6, 12])
    if how == "other key":
        s[odd_key := rng.choice(["beta_fast", "alpha", "partial_rotary_factor", "low_freq_factor", "extrapolation_factor", "mrope_section"])] = 0.5
        odd.append(odd_key)
        if odd_key in ("beta_fast",) and kind == "yarn" or odd_key == "low_freq_factor" and kind == "llama3":
            odd.remove(odd_key)
    if how == "default":
        c["rope_parameters"] = {"rope_type": "default", "rope_theta": c.pop("rope_theta")}
        del c["rope_scaling"]
        c["max_position_embeddings"] = 48
    if rng.random() < .2 and kind in ("yarn", "llama3"):
        c["max_position_embeddings"] = 36
    return odd
