"""Writes affine.json: matrices that MLX quantised, and the values it reads in them.

    .venv/bin/python -I model/checkpoint/testdata/affine.py    ('make mlx' makes .venv)

The scales are float32: the values are then MLX's own to the bit.
"""

import base64
import json
import pathlib

import mlx.core as mx
import numpy as np

rng = np.random.default_rng(5)
golden = []
for bits in (4, 8, 2, 3, 5, 6):
    for group in (32, 64, 128):
        w = rng.standard_normal((3, 128)).astype(np.float32)
        w[0, :group] = 0.25  # a group of one value
        q, scales, biases = mx.quantize(mx.array(w), group_size=group, bits=bits)
        values = mx.dequantize(q, scales, biases, group_size=group, bits=bits)
        golden.append({"bits": bits, "group": group} | {
            name: base64.b64encode(np.array(x).tobytes()).decode()
            for name, x in {"weight": q, "scales": scales, "biases": biases, "values": values}.items()
        })
# mxfp4: what is read of a file, so a matrix with scales of very different sizes.
w = rng.standard_normal((3, 128)) * 2.0 ** rng.integers(-20, 20, (3, 1))
q, scales = mx.quantize(mx.array(w.astype(np.float32)), group_size=32, bits=4, mode="mxfp4")
values = mx.dequantize(q, scales, group_size=32, bits=4, mode="mxfp4", dtype=mx.float32)
golden.append({"bits": 4, "group": 32, "mode": "mxfp4"} | {
    name: base64.b64encode(np.array(x).tobytes()).decode() for name, x in {"weight": q, "scales": scales, "values": values}.items()
})
path = pathlib.Path(__file__).with_name("affine.json")
path.write_text("[\n" + ",\n".join(json.dumps(g) for g in golden) + "\n]\n")
