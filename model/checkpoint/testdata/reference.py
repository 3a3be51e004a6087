"""Writes reference.safetensors with the format's own library.

    pip install safetensors==0.8.0 numpy && python reference.py reference.safetensors
"""
import sys

import numpy as np
from safetensors.numpy import save_file

save_file(
    {
        "b": np.arange(6, dtype=np.float32).reshape(2, 3) / 4,
        "a": np.array([1, -2, 65504, 6e-8], dtype=np.float16),
        "scalar": np.array(7, dtype=np.float32),
        "empty": np.zeros((0, 3), dtype=np.float32),
        "ids": np.arange(3, dtype=np.int64),
    },
    sys.argv[1],
    metadata={"format": "np"},
)
