"""Writes smollm2.json: the hash of every tensor of SmolLM2-135M-Instruct.Q4_1.gguf as
the reference dequantises it, q and k brought back to the order that their converter
found them in, under Hugging Face's names.

    pip install gguf==0.19.0 numpy && python smollm2.py MODEL.gguf > smollm2.json
"""
import hashlib
import json
import sys

import gguf
from gguf.constants import MODEL_ARCH
from gguf.tensor_mapping import get_tensor_name_map

HEADS = {"q_proj": 9, "k_proj": 3}
LAYERS = 30
names = {}  # the package maps Hugging Face's names to its own; this is the inverse
mapping = get_tensor_name_map(MODEL_ARCH.LLAMA, LAYERS)
for i in range(LAYERS):
    for n in ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm",
              "post_attention_layernorm", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"):
        name = f"model.layers.{i}.{n}"
        names[mapping.get_name(name)] = name
for name in ("model.embed_tokens", "model.norm"):
    names[mapping.get_name(name)] = name

out = {}
for t in gguf.GGUFReader(sys.argv[1]).tensors:
    base, suffix = t.name.rsplit(".", 1)
    name = names[base]
    values = gguf.quants.dequantize(t.data, t.tensor_type).astype("<f4")
    heads = HEADS.get(name.rsplit(".", 1)[-1])
    if heads:
        rows = values.shape[0]
        values = values.reshape(heads, rows // heads // 2, 2, -1).swapaxes(1, 2).reshape(rows, -1)
    out[name + "." + suffix] = hashlib.sha256(values.tobytes()).hexdigest()[:16]
print(json.dumps(out, indent=0))
