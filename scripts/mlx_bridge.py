"""Runs mlx-lm for foretoken parity: one request a line of standard input, as JSON.

A reply is a line of JSON, whose "bytes" says how many bytes follow it.

    {"op": "open", "model": PATH, "dtype": "float32", "draft": PATH}
        a folder of mlx-lm's, or a GGUF; draft is the model that speculate drafts with;
        with "bits": 4 the model's matrices are quantised as mlx_lm.convert -q does
    {"op": "greedy", "prompt": [ids], "n": 128, "step": 2048}
        "tokens": n greedy ids; a prompt is computed step tokens at a time
    {"op": "speculate", "prompt": [ids], "n": 128, "step": 2048, "k": 4}
        "tokens": the same by mlx-lm's speculation, k draft tokens a round
    {"op": "sample", "prompt": [ids], "n": 128, "step": 2048, "sampling": {"seed": 1,
     "temperature": 0.8, "top_p": 0.9, "min_p": 0, "top_k": 0}}
        "tokens": n ids drawn by mlx-lm's sampler
    {"op": "time", "prompt": [ids], "n": 128, "step": 2048, "k": 0}
        "tokens": those of greedy, or with k of speculate; "seconds" that all but the
        first took
    {"op": "rows", "tokens": [ids], "rows": 64, "step": 2048, "block": 64}
        float32 logits [rows, vocabulary] after the last rows of the tokens, block
        rows at a time
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks, and ends this too

import ctypes
import glob
import json
import os
import pathlib
import sys
import time


def load_blas():
    """The same BLAS as the MLX engine has, loaded before MLX for its functions to count."""
    own = os.environ.get("FORETOKEN_BLAS")
    for path in [own] if own else [*sorted(glob.glob("/usr/lib/*/openblas-pthread/libopenblas.so.0")), "libopenblas.so.0"]:
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            return path
        except OSError:
            pass
    return "MLX's own"


BLAS = load_blas() if sys.platform == "linux" else "Accelerate"

try:
    import mlx.core as mx
    import mlx.nn as nn
    import numpy as np
    from importlib.metadata import version
    from mlx_lm.generate import generate_step, speculative_generate_step
    from mlx_lm.models.cache import make_prompt_cache
    from mlx_lm.sample_utils import make_sampler
except ImportError as e:
    print(json.dumps({"error": f"{e}: 'make mlx' makes a Python that has mlx-lm"}))
    sys.exit()

model = draft = None


def open_model(request):
    global model, draft
    model = read(request["model"], request.get("dtype"))
    if request.get("bits"):
        nn.quantize(model, group_size=64, bits=request["bits"])
        mx.eval(model.parameters())
    if request.get("draft"):
        same = request["draft"] == request["model"]
        draft = model if same else read(request["draft"], request.get("dtype"))
    return {"mlx": version("mlx"), "mlx_lm": version("mlx-lm"), "device": str(mx.default_device()), "blas": BLAS}, b""


def read(path, dtype):
    path = pathlib.Path(path)
    ggufs = [path] if path.suffix == ".gguf" else list(path.glob("*.gguf"))
    if ggufs:
        import gguf
        from golden_mlx import load_model

        file = gguf.GGUFReader(ggufs[0])
        model = load_model(file, {key: field.contents() for key, field in file.fields.items()})
    else:
        from mlx_lm.utils import load_model

        model, _ = load_model(path)
    if dtype:
        model.set_dtype(getattr(mx, dtype))
    mx.eval(model.parameters())
    return model


def greedy(request):
    return {"tokens": [int(token) for token, *_ in plain_steps(request)]}, b""


def plain_steps(request):
    return generate_step(mx.array(request["prompt"]), model, max_tokens=request["n"], prefill_step_size=request["step"])


def speculate(request):
    return {"tokens": [int(token) for token, *_ in speculative_steps(request)]}, b""


def speculative_steps(request):
    return speculative_generate_step(
        mx.array(request["prompt"]), model, draft, num_draft_tokens=request["k"], max_tokens=request["n"], prefill_step_size=request["step"]
    )


def timed(request):
    tokens, first = [], None
    for token, *_ in speculative_steps(request) if request.get("k") else plain_steps(request):
        tokens.append(int(token))
        first = first or time.perf_counter()
    return {"tokens": tokens, "seconds": time.perf_counter() - first}, b""


def sample(request):
    s = request["sampling"]
    mx.random.seed(s["seed"])
    sampler = make_sampler(s["temperature"], s["top_p"], s["min_p"], top_k=s["top_k"])
    steps = generate_step(mx.array(request["prompt"]), model, max_tokens=request["n"], prefill_step_size=request["step"], sampler=sampler)
    return {"tokens": [int(token) for token, _ in steps]}, b""


def rows(request):
    tokens, rows, cache = request["tokens"], request["rows"], make_prompt_cache(model)
    at = 0
    while at < len(tokens) - rows:
        end = min(at + request["step"], len(tokens) - rows)
        model(mx.array([tokens[at:end]]), cache=cache)
        mx.eval([c.state for c in cache])
        at = end
    data = []
    while at < len(tokens):
        end = min(at + request["block"], len(tokens))
        logits = model(mx.array([tokens[at:end]]), cache=cache)
        data.append(np.array(logits[0].astype(mx.float32)).astype("<f4").tobytes())
        at = end
    return {}, b"".join(data)


def main():
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            reply, data = {"open": open_model, "greedy": greedy, "speculate": speculate, "sample": sample, "time": timed, "rows": rows}[request["op"]](request)
        except Exception as e:
            reply, data = {"error": f"{type(e).__name__}: {e}"}, b""
        out.write(json.dumps(reply | {"bytes": len(data)}).encode() + b"\n" + data)
        out.flush()


if __name__ == "__main__":
    main()
