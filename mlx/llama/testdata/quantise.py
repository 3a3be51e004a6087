"""Quantises a model with mlx-lm, as mlx_lm.convert -q does, in every way that is read.

    quantise.py MODEL OUT

OUT/BITS-GROUP-DTYPE, and OUT/mxfp4-DTYPE, is a folder of mlx-lm's, with logits.f32 beside the weights: the
rows after tokens 0, 1, 2, ... of the vocabulary, as mlx-lm loads and computes them.
"""

import pathlib
import sys

import mlx.core as mx
import numpy as np
from mlx_lm.utils import load_model, quantize_model, save_config, save_model

source, out = map(pathlib.Path, sys.argv[1:])
ways = [(bits, group, "affine") for bits in (3, 4, 5, 6, 8) for group in (32, 64)] + [(4, 32, "mxfp4")]
for dtype in ("float32", "bfloat16", "float16"):
    for bits, group, mode in ways:
        model, config = load_model(source)
        model.set_dtype(getattr(mx, dtype))
        model, config = quantize_model(model, config, group, bits, mode=mode)
        folder = out / (f"{bits}-{group}-{dtype}" if mode == "affine" else f"{mode}-{dtype}")
        folder.mkdir(parents=True)
        save_model(folder, model)
        save_config(config, folder / "config.json")
        again, config = load_model(folder)
        rows = again(mx.arange(config["vocab_size"])[None])[0].astype(mx.float32)
        np.array(rows).astype("<f4").tofile(folder / "logits.f32")
