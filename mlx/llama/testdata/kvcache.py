"""Computes with mlx-lm on quantised caches.

    kvcache.py MODEL OUT TOKENS FIRST

OUT/BITS.f32 has the logits after each of TOKENS, separated by commas: FIRST of them at
once, the others one at a time.
"""

import pathlib
import sys

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import QuantizedKVCache
from mlx_lm.utils import load_model

model, _ = load_model(pathlib.Path(sys.argv[1]))
tokens, first = list(map(int, sys.argv[3].split(","))), int(sys.argv[4])
group = 64 if model.args.head_dim % 64 == 0 else 32
for bits in (4, 8):
    cache = [QuantizedKVCache(group, bits) for _ in model.layers]
    rows = [model(mx.array([tokens[:first]]), cache=cache)[0]]
    rows += [model(mx.array([[t]]), cache=cache)[0] for t in tokens[first:]]
    np.array(mx.concatenate(rows).astype(mx.float32)).astype("<f4").tofile(pathlib.Path(sys.argv[2]) / f"{bits}.f32")
