"""Times a model in a library of Python's, for foretoken bench decode.

    decode_peers.py mlx-lm|transformers MODEL.gguf

The first line it writes is {"ready": NAME} or {"absent": WHY}. Then each line of
standard input is a task, and each reply {"ms": MILLISECONDS} or {"error": WHY}:

    {"op": "token", "before": [ids], "tokens": [id], "n": 32}
        a token of n that are decoded greedily behind the ids
    {"op": "rows", "before": [ids], "tokens": [ids]}
        one forward of the tokens behind the ids, to the best id of each
    {"op": "prefill", "before": [], "tokens": [ids]}
        a token of the prompt, to its last best id

Both libraries compute with the GGUF's own weights, dequantised as mlx_bridge.py does
it: mlx-lm in float32, transformers in float32 or bfloat16, whichever decodes faster here.
"""

import copy
import json
import os
import statistics
import sys
import time
import warnings


class MLX:
    def __init__(self, path):
        import mlx_bridge  # which loads the BLAS before MLX
        import mlx.core as mx
        from importlib.metadata import version
        from mlx_lm.models.cache import make_prompt_cache, trim_prompt_cache

        self.mx, self.new, self.trim = mx, make_prompt_cache, trim_prompt_cache
        self.model = mlx_bridge.read(path, "float32")
        self.name = f"mlx-lm {version('mlx-lm')}, float32, {'OpenBLAS' if mlx_bridge.BLAS else 'no BLAS of its own'}"

    def cache(self, ids):
        cache = self.new(self.model)
        if ids:
            self.best(cache, ids)
        return cache

    def best(self, cache, ids, rows=1):
        ids = self.mx.array([ids])
        return self.mx.argmax(self.model(ids, cache=cache)[0, -rows:], axis=-1).tolist()

    def back(self, cache, n):
        self.trim(cache, n)

    def decode(self, cache, first, n):
        """As mlx-lm's own generation does, a step ahead of the id that is read."""
        mx, token = self.mx, self.mx.array([first])
        step = lambda t: mx.argmax(self.model(t[None], cache=cache)[:, -1], axis=-1)
        token = step(token)
        mx.async_eval(token)
        for i in range(n):
            following = step(token) if i + 1 < n else None
            if following is not None:
                mx.async_eval(following)
            token.item()
            token = following


class Transformers:
    def __init__(self, path):
        import torch
        import transformers

        warnings.simplefilter("ignore", FutureWarning)
        self.torch, self.Cache = torch, transformers.DynamicCache
        torch.set_grad_enabled(False)
        torch.set_num_threads(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())
        full = self.load(path, transformers)
        took = {}
        for model in (full, copy.deepcopy(full).to(torch.bfloat16)):
            self.model = model
            self.decode(self.cache([1] * 16), 1, 2)
            took[model] = timed(self.decode, self.cache([1] * 16), 1, 6)
        self.model = min(took, key=took.get)
        self.name = f"transformers {transformers.__version__}, {str(self.model.dtype).removeprefix('torch.')}"

    def load(self, path, transformers):
        """Left to itself, transformers multiplies packed weights, many times slower."""
        import gguf
        from golden_mlx import hugging_face, rotate_half

        file = gguf.GGUFReader(path)
        meta = {key: field.contents() for key, field in file.fields.items()}
        arch = lambda key: meta[f"llama.{key}"]
        heads = {".attn_q.": arch("attention.head_count"), ".attn_k.": arch("attention.head_count_kv")}
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(
            hidden_size=arch("embedding_length"), num_hidden_layers=arch("block_count"), intermediate_size=arch("feed_forward_length"),
            num_attention_heads=heads[".attn_q."], num_key_value_heads=heads[".attn_k."], rms_norm_eps=arch("attention.layer_norm_rms_epsilon"),
            vocab_size=len(meta["tokenizer.ggml.tokens"]), max_position_embeddings=arch("context_length"),
            rope_parameters={"rope_type": "default", "rope_theta": arch("rope.freq_base")}, tie_word_embeddings=True)).eval()
        weights = {}
        for tensor in file.tensors:
            array = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
            for part, n in heads.items():
                if part in tensor.name:
                    array = rotate_half(array, n)
            weights[hugging_face(tensor.name)] = self.torch.tensor(array, dtype=self.torch.float32)
        missing, unknown = model.load_state_dict(weights, strict=False)
        if unknown or set(missing) - {"lm_head.weight"}:
            raise ValueError(f"{path} lacks {missing}, and has {unknown}")
        model.tie_weights()
        return model

    def cache(self, ids):
        cache = self.Cache()
        if ids:
            self.best(cache, ids)
        return cache

    def best(self, cache, ids, rows=1):
        out = self.model(input_ids=self.torch.tensor([ids]), past_key_values=cache, use_cache=True, logits_to_keep=rows)
        return out.logits[0].argmax(-1).tolist()

    def back(self, cache, n):
        cache.crop(-n)

    def decode(self, cache, first, n):
        token = first
        for _ in range(n):
            token = self.best(cache, [token])[0]


def timed(call, *args):
    started = time.perf_counter()
    call(*args)
    return (time.perf_counter() - started) * 1e3


def run(peer, task):
    ids = task["tokens"]
    if task["op"] == "token":
        cache = peer.cache(task["before"])
        return timed(peer.decode, cache, ids[0], task["n"]) / task["n"]
    if task["op"] == "prefill":
        return timed(peer.cache, ids) / len(ids)
    if task["op"] == "rows":
        cache, took = peer.cache(task["before"]), []
        for _ in range(4):  # the first of a shape is left out
            took.append(timed(peer.best, cache, ids, len(ids)))
            peer.back(cache, len(ids))
        return statistics.median(took[1:])
    raise ValueError(f"{task['op']!r}, want token, rows or prefill")


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no reply

    def say(reply):
        out.write(json.dumps(reply) + "\n")
        out.flush()

    library, path = sys.argv[1:]
    try:
        peer = {"mlx-lm": MLX, "transformers": Transformers}[library](path)
    except Exception as e:
        say({"absent": f"{type(e).__name__}: {e}".splitlines()[0]})
        return
    say({"ready": peer.name})
    for line in sys.stdin:
        try:
            say({"ms": run(peer, json.loads(line))})
        except Exception as e:
            say({"error": f"{type(e).__name__}: {e}"})


if __name__ == "__main__":
    main()
