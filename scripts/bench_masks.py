"""Time the JSON masks of xgrammar and llguidance, and write the same cases for ours.

Needs xgrammar, llguidance, tokenizers and bfcl-eval:

    python scripts/bench_masks.py models/qwen3/tokenizer.json models/masks.jsonl
    go test -tags models -run xxx -bench Masks -benchtime 1x -v ./sampler/jsonmask

A case is a function's parameters as a JSON schema, with the arguments of its
reference answer as tokens. Each engine follows the tokens; what is timed is the
mask before each. One thread each.
"""

import glob
import json
import os
import statistics
import sys
import time

VOCABULARY = 151936
KINDS = {"dict": "object", "float": "number", "tuple": "array"}


def schema_of(node):
    """A function's parameters as a JSON schema."""
    if isinstance(node, list):
        return [schema_of(x) for x in node]
    if not isinstance(node, dict):
        return node
    out = {}
    for key, value in node.items():
        if key == "type" and isinstance(value, str):
            if value == "any":
                continue
            value = KINDS.get(value, value)
        elif key in ("optional", "default", "description", "example"):
            continue
        else:
            value = schema_of(value)
        out[key] = value
    return out


def cases(tokenizer, limit):
    import bfcl_eval

    data = os.path.join(os.path.dirname(bfcl_eval.__file__), "data")
    out = []
    for path in sorted(glob.glob(data + "/possible_answer/BFCL_v*_simple*.json")):
        with open(path) as f:
            answers = {r["id"]: r["ground_truth"] for r in map(json.loads, f)}
        with open(path.replace("possible_answer/", "")) as f:
            for row in map(json.loads, f):
                schema = schema_of(row["function"][0]["parameters"])
                (arguments,) = list(answers[row["id"]][0].values())[:1]
                text = json.dumps({k: v[0] for k, v in arguments.items() if v and v[0] != ""}, separators=(", ", ": "))
                out.append((schema, tokenizer.encode(text).ids))
    return out[:: max(1, len(out) // limit)]


def report(name, build, times):
    times.sort()
    print(f"{name}: engine median {statistics.median(build):.2f} ms, mask median {times[len(times) // 2]:.2f} us, "
          f"p99 {times[len(times) * 99 // 100]:.2f} us, {len(build)} schemas, {len(times)} masks")


def xgrammar(path, work):
    import torch
    import xgrammar as xgr
    from transformers import PreTrainedTokenizerFast

    torch.set_num_threads(1)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=path, eos_token="<|im_end|>")
    start = time.perf_counter()
    info = xgr.TokenizerInfo.from_huggingface(tokenizer, vocab_size=VOCABULARY)
    compiler = xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    print(f"xgrammar: tokenizer {1e3 * (time.perf_counter() - start):.0f} ms")
    build, times, kept = [], [], []
    mask = xgr.allocate_token_bitmask(1, VOCABULARY)
    for schema, ids in work:
        start = time.perf_counter()
        try:
            grammar = compiler.compile_json_schema(json.dumps(schema), any_whitespace=True, strict_mode=False)
        except Exception:
            continue
        build.append(1e3 * (time.perf_counter() - start))
        matcher, ok = xgr.GrammarMatcher(grammar), True
        spent = []
        for t in ids:
            start = time.perf_counter()
            matcher.fill_next_token_bitmask(mask)
            spent.append(1e6 * (time.perf_counter() - start))
            if not matcher.accept_token(t):
                ok = False
                break
        if ok:
            kept.append((schema, ids))
            times += spent
    report("xgrammar", build, times)
    return kept


def llguidance(path, work):
    import llguidance
    import llguidance.numpy as lln

    start = time.perf_counter()
    with open(path) as f:
        tokenizer = llguidance.LLTokenizer(f.read(), n_vocab=VOCABULARY)
    print(f"llguidance: tokenizer {1e3 * (time.perf_counter() - start):.0f} ms")
    build, times = [], []
    mask = lln.allocate_token_bitmask(1, VOCABULARY)
    for schema, ids in work:
        start = time.perf_counter()
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema), {"whitespace_flexible": True})
        matcher = llguidance.LLMatcher(tokenizer, grammar)
        build.append(1e3 * (time.perf_counter() - start))
        if matcher.is_error():
            continue
        for t in ids:
            start = time.perf_counter()
            lln.fill_next_token_bitmask(matcher, mask, 0)
            times.append(1e6 * (time.perf_counter() - start))
            if not matcher.consume_token(t):
                break
    report("llguidance", build, times)


def main():
    from tokenizers import Tokenizer

    path, out = sys.argv[1:]
    work = cases(Tokenizer.from_file(path), 40)
    kept = xgrammar(path, work)
    llguidance(path, kept)
    with open(out, "w") as f:
        for schema, ids in kept:
            f.write(json.dumps({"schema": schema, "ids": ids}) + "\n")


if __name__ == "__main__":
    main()
