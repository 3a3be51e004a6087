"""Writes dequantise.json: blocks of every GGUF type that is read, and what the
reference reads from them. The bytes are random but for the scales, which are finite.

    pip install gguf==0.19.0 numpy && python dequantise.py > dequantise.json
"""
import hashlib
import json

import gguf
import numpy as np

BLOCKS = {32: 3, 256: 2}
SCALES = {  # where a block has its float16 scales
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "Q2_K": [80, 82], "Q3_K": [108], "IQ4_NL": [0], "IQ4_XS": [0], "MXFP4": [],
}
rng = np.random.default_rng(7)
out = {}
for name, places in SCALES.items():
    kind = gguf.GGMLQuantizationType[name]
    block, size = gguf.GGML_QUANT_SIZES[kind]
    data = rng.integers(0, 256, (BLOCKS[block], size), dtype=np.uint8)
    for p in places:
        scale = (rng.normal(size=BLOCKS[block]) * 0.05).astype(np.float16)
        data[:, p:p + 2] = scale[:, None].view(np.uint8)
    if name == "MXFP4":
        data[:, 0] = rng.integers(0, 250, BLOCKS[block])  # its scale is a byte, the last of which are too large
    values = gguf.quants.dequantize(data, kind).astype("<f4")
    out[name] = {"data": data.tobytes().hex(), "values": values.tobytes().hex()}

# Every float16 and bfloat16 that is no NaN, in order, by the hash of the values.
every = np.arange(1 << 16, dtype=np.uint16)
half = every[(every & 0x7FFF) <= 0x7C00].view(np.float16).astype("<f4")
brain = (every[(every & 0x7FFF) <= 0x7F80].astype(np.uint32) << 16).view("<f4")
out["F16"] = {"sha256": hashlib.sha256(half.tobytes()).hexdigest()}
out["BF16"] = {"sha256": hashlib.sha256(brain.tobytes()).hexdigest()}
print(json.dumps(out, indent=0))
