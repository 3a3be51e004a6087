"""Rows of logits with what transformers and llama.cpp leave of them.

usage: golden_orders.py OUT ROWS [transformers|llama.cpp ...]

Writes OUT, JSON: for each order ROWS random rows, ties among them, with random filters, the
ids that are left and their probabilities. transformers' processors are its own classes;
llama.cpp's chain is its library's, named by LLAMA_CPP_LIB.
"""

import ctypes
import json
import os
import sys

import numpy as np


def case(rng):
    n = int(rng.integers(3, 49))
    kind = rng.integers(4)
    if kind == 0:
        row = rng.normal(0, 3, n)
    elif kind == 1:
        row = rng.integers(0, 12, n) / 4  # ties
    elif kind == 2:
        row = np.round(rng.normal(0, 1, n) * 8) / 8  # ties, as half precision has them
    else:
        row = np.log(rng.dirichlet(np.ones(n)) + 1e-9)
    row = np.round(row, 4).astype(np.float32)
    return dict(
        row=[float("%.6g" % x) for x in row],
        temperature=float(rng.choice([0.3, 0.7, 1.0, 1.5])),
        top_k=int(rng.choice([0, 1, 2, 5, 20, n])),
        top_p=float(rng.choice([1.0, 0.3, 0.5, 0.9, 0.95])),
        min_p=float(rng.choice([0.0, 0.0, 0.05, 0.3])),
    )


def by_transformers():
    import torch
    from transformers.generation.logits_process import MinPLogitsWarper, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

    def run(c):
        z = torch.tensor([c["row"]], dtype=torch.float32)
        steps = [TemperatureLogitsWarper(c["temperature"])]
        if c["top_k"] > 0:
            steps.append(TopKLogitsWarper(c["top_k"]))
        if c["top_p"] < 1:
            steps.append(TopPLogitsWarper(c["top_p"]))
        if c["min_p"] > 0:
            steps.append(MinPLogitsWarper(c["min_p"]))
        for s in steps:
            z = s(None, z)
        p = torch.softmax(z, -1)[0]
        return [(i, float(x)) for i, x in enumerate(p) if z[0, i] > -float("inf")]

    return run


class Data(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int32), ("logit", ctypes.c_float), ("p", ctypes.c_float)]


class Candidates(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(Data)), ("size", ctypes.c_size_t), ("selected", ctypes.c_int64), ("sorted", ctypes.c_bool)]


class Options(ctypes.Structure):
    _fields_ = [("no_perf", ctypes.c_bool)]


def by_llama():
    path = os.environ["LLAMA_CPP_LIB"]
    lib = ctypes.CDLL(path)

    def function(name, result, *args):
        call = getattr(lib, name)
        call.restype, call.argtypes = result, args
        return call

    f, i, size, handle = ctypes.c_float, ctypes.c_int32, ctypes.c_size_t, ctypes.c_void_p
    new = function("llama_sampler_chain_init", handle, Options)
    add = function("llama_sampler_chain_add", None, handle, handle)
    apply = function("llama_sampler_apply", None, handle, ctypes.POINTER(Candidates))
    free = function("llama_sampler_free", None, handle)
    top_k = function("llama_sampler_init_top_k", handle, i)
    top_p = function("llama_sampler_init_top_p", handle, f, size)
    min_p = function("llama_sampler_init_min_p", handle, f, size)
    temp = function("llama_sampler_init_temp", handle, f)
    dist = function("llama_sampler_init_dist", handle, ctypes.c_uint32)

    def run(c):
        chain = new(Options(True))
        for s in (top_k(c["top_k"]), top_p(c["top_p"], 1), min_p(c["min_p"], 1), temp(c["temperature"]), dist(1)):
            add(chain, s)
        data = (Data * len(c["row"]))(*[Data(t, z, 0) for t, z in enumerate(c["row"])])
        cur = Candidates(data, len(c["row"]), -1, False)
        apply(chain, ctypes.byref(cur))
        out = sorted((cur.data[t].id, cur.data[t].p) for t in range(cur.size))
        free(chain)
        return out

    return run


def main():
    out, rows = sys.argv[1], int(sys.argv[2])
    made = {"transformers": by_transformers, "llama.cpp": by_llama}
    rng = np.random.default_rng(7)
    result = []
    for name in sys.argv[3:] or list(made):
        run = made[name]()
        for _ in range(rows):
            c = dict(order=name, **case(rng))
            left = run(c)
            c["ids"], c["probs"] = [t for t, _ in left], [float("%.7g" % p) for _, p in left]
            result.append(c)
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(c) for c in result) + "\n]\n")


if __name__ == "__main__":
    main()
