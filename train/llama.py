"""A Llama forward pass as plain functions over packed rows, for targets and drafts alike.

Weights are a dict. Per layer i: "i.n1" [E], "i.qkv" [(H+2G)*D, E], "i.o" [E, H*D], "i.n2" [E], "i.gu" [2F, E],
"i.down" [E, F]; beside them "embed" [V, E], tied with the head, and "norm" [E]. E hidden size, H heads, G key-value
heads, D head size, F feed-forward size, V vocabulary.
"""
from dataclasses import dataclass, asdict
import math
import torch
import torch.nn.functional as F


@dataclass(frozen=True)
class Shape:
    vocab: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    theta: float = 10000.0
    eps: float = 1e-5

    def count(self):
        attn = self.hidden * self.head_dim * (2 * self.heads + 2 * self.kv_heads)
        return self.vocab * self.hidden + self.hidden + self.layers * (attn + 3 * self.hidden * self.ffn + 2 * self.hidden)

    def asdict(self):
        return asdict(self)


def rms(x, w, eps=1e-5):
    f = x.float()
    return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + eps)).to(x.dtype) * w


def rotate(x, cos, sin):
    """Rope by halves on [N, heads, D]; cos and sin are [N, 1, D/2]."""
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def angles(pos, shape, dtype):
    """cos and sin [N, 1, D/2] at integer positions [N]."""
    inv = 1.0 / (shape.theta ** (torch.arange(0, shape.head_dim, 2, device=pos.device).float() / shape.head_dim))
    a = pos.float()[:, None, None] * inv
    return a.cos().to(dtype), a.sin().to(dtype)


def project(x, n1, qkv, cos, sin, heads, kv, d):
    """What goes into attention: q [N, H, D], k and v [N, G, D], from the stream x [N, E]."""
    y = (rms(x, n1) @ qkv.T).view(x.shape[0], heads + 2 * kv, d)
    qk = rotate(y[:, :heads + kv], cos, sin)
    return qk[:, :heads], qk[:, heads:], y[:, heads + kv:]


def finish(x, a, o, n2, gu, down):
    """What comes after attention: the output projection and the gated feed-forward, both on the residual stream."""
    x = x + a @ o.T
    g, u = (rms(x, n2) @ gu.T).chunk(2, -1)
    return x + (F.silu(g) * u) @ down.T


project_fast, finish_fast = project, finish


compiled = None


def compile_blocks():
    """Fuses the two halves of a layer. Both see [N, E] with N fixed, whatever the row width, so each compiles once."""
    global project_fast, finish_fast, compiled
    compiled = compiled or (torch.compile(project, dynamic=False), torch.compile(finish, dynamic=False))
    project_fast, finish_fast = compiled


def plain_blocks():
    """Back to the plain functions: replaying texts meets many shapes."""
    global project_fast, finish_fast
    project_fast, finish_fast = project, finish


def causal(q, k, v, rows):
    """Causal attention of [N, heads, D] cut into rows; a row is one document from its beginning."""
    n, h, d = q.shape
    cut = lambda x: x.reshape(rows, n // rows, x.shape[1], d).transpose(1, 2)
    k, v = (x.repeat_interleave(h // x.shape[1], 1) for x in (k, v))
    return F.scaled_dot_product_attention(cut(q), cut(k), cut(v), is_causal=True).transpose(1, 2).reshape(n, h * d)


def forward(w, shape, ids, taps=()):
    """Hidden states [N, E] after the final norm for ids [rows, width], and the streams after the layers in taps."""
    rows, width = ids.shape
    x = w["embed"][ids.reshape(-1)]
    pos = torch.arange(width, device=ids.device).repeat(rows)
    cos, sin = angles(pos, shape, x.dtype)
    kept = []
    for i in range(shape.layers):
        q, k, v = project_fast(x, w[f"{i}.n1"], w[f"{i}.qkv"], cos, sin, shape.heads, shape.kv_heads, shape.head_dim)
        a = causal(q, k, v, rows)
        x = finish_fast(x, a, w[f"{i}.o"], w[f"{i}.n2"], w[f"{i}.gu"], w[f"{i}.down"])
        if i in taps:
            kept.append(x)
    return rms(x, w["norm"]), kept


def init(shape, generator, embed=None):
    """Fresh weights on the CPU: the two projections that write to the stream start at zero."""
    def g(*size):
        return torch.randn(*size, generator=generator) / math.sqrt(size[-1])
    s = shape
    w = {"embed": torch.randn(s.vocab, s.hidden, generator=generator) * 0.02 if embed is None else embed, "norm": torch.ones(s.hidden)}
    for i in range(s.layers):
        w[f"{i}.n1"], w[f"{i}.n2"] = torch.ones(s.hidden), torch.ones(s.hidden)
        w[f"{i}.qkv"] = g((s.heads + 2 * s.kv_heads) * s.head_dim, s.hidden)
        w[f"{i}.gu"] = g(2 * s.ffn, s.hidden)
        w[f"{i}.o"] = torch.zeros(s.hidden, s.heads * s.head_dim)
        w[f"{i}.down"] = torch.zeros(s.hidden, s.ffn)
    return w


def to_hf(w, shape):
    """The same weights under Hugging Face's Llama names."""
    s, out = shape, {"model.embed_tokens.weight": w["embed"], "model.norm.weight": w["norm"]}
    for i in range(s.layers):
        p = f"model.layers.{i}."
        q, k, v = w[f"{i}.qkv"].split([s.heads * s.head_dim, s.kv_heads * s.head_dim, s.kv_heads * s.head_dim])
        g, u = w[f"{i}.gu"].chunk(2)
        for name, t in (("self_attn.q_proj", q), ("self_attn.k_proj", k), ("self_attn.v_proj", v), ("self_attn.o_proj", w[f"{i}.o"]),
                        ("mlp.gate_proj", g), ("mlp.up_proj", u), ("mlp.down_proj", w[f"{i}.down"]),
                        ("input_layernorm", w[f"{i}.n1"]), ("post_attention_layernorm", w[f"{i}.n2"])):
            out[p + name + ".weight"] = t
    return out


def from_hf(hf, shape):
    """The inverse of to_hf."""
    w = {"embed": hf["model.embed_tokens.weight"], "norm": hf["model.norm.weight"]}
    for i in range(shape.layers):
        t = lambda name: hf[f"model.layers.{i}.{name}.weight"]
        w[f"{i}.n1"], w[f"{i}.n2"] = t("input_layernorm"), t("post_attention_layernorm")
        w[f"{i}.qkv"] = torch.cat([t("self_attn.q_proj"), t("self_attn.k_proj"), t("self_attn.v_proj")])
        w[f"{i}.gu"] = torch.cat([t("mlp.gate_proj"), t("mlp.up_proj")])
        w[f"{i}.o"], w[f"{i}.down"] = t("self_attn.o_proj"), t("mlp.down_proj")
    return w


def config(shape, **extra):
    """config.json of a Llama checkpoint."""
    s = shape
    return dict(architectures=["LlamaForCausalLM"], model_type="llama", hidden_act="silu", hidden_size=s.hidden, intermediate_size=s.ffn,
                num_hidden_layers=s.layers, num_attention_heads=s.heads, num_key_value_heads=s.kv_heads, head_dim=s.head_dim,
                vocab_size=s.vocab, rms_norm_eps=s.eps, rope_theta=s.theta, tie_word_embeddings=True, attention_bias=False,
                mlp_bias=False, **extra)
