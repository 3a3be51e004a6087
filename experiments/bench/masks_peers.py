"""Constraint engines as peers of the benchmark of masks.

python masks_peers.py cases TOKENIZER FILE LIMIT   writes the cases, from bfcl-eval
python masks_peers.py NAME TOKENIZER FILE          answers lines: NAME is xgrammar or llguidance

A case is a schema and a text that it allows, as tokens. Functions are those of BFCL
with the arguments of its reference answers; documents are any objects, and their texts
BFCL's descriptions of functions, spaced as json.dumps does, indented, and compact.

A peer says "ready ..." or "absent ...", then answers "vocabulary" with nanoseconds, and
"case I" with those of the engine and of the mask before each token, or "refused ...".
One thread each; a call from Python is part of a mask.
"""

import glob
import json
import os
import sys
import time

VOCABULARY = 151936
KINDS = {"dict": "object", "float": "number", "tuple": "array"}
TOKENS = 300  # of a document at most


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


def write_cases(tokenizer, path, limit):
    import bfcl_eval
    from tokenizers import Tokenizer

    encode = Tokenizer.from_file(tokenizer).encode
    data = os.path.join(os.path.dirname(bfcl_eval.__file__), "data")
    functions, documents = [], []
    styles = [dict(), dict(indent=2), dict(separators=(",", ":"))]
    for file in sorted(glob.glob(data + "/possible_answer/BFCL_v*_simple*.json")):
        with open(file) as f:
            answers = {r["id"]: r["ground_truth"] for r in map(json.loads, f)}
        with open(file.replace("possible_answer/", "")) as f:
            for row in map(json.loads, f):
                schema = schema_of(row["function"][0]["parameters"])
                (arguments,) = list(answers[row["id"]][0].values())[:1]
                text = json.dumps({k: v[0] for k, v in arguments.items() if v and v[0] != ""}, ensure_ascii=False)
                functions.append(dict(kind="functions", schema=schema, ids=encode(text).ids))
                text = json.dumps(row["function"][0], ensure_ascii=False, **styles[len(documents) % 3])
                documents.append(dict(kind="documents", schema={"type": "object"}, ids=encode(text).ids[:TOKENS]))
    with open(path, "w") as f:
        for all_of in functions, documents:
            n = limit if all_of is functions else max(1, limit // 4)
            for case in all_of[:: max(1, len(all_of) // n)][:n]:
                f.write(json.dumps(case) + "\n")


def xgrammar(path):
    import torch
    import xgrammar as xgr
    from importlib.metadata import version
    from transformers import PreTrainedTokenizerFast

    torch.set_num_threads(1)
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=path, eos_token="<|im_end|>")
    made = {}

    def vocabulary():
        info = xgr.TokenizerInfo.from_huggingface(tokenizer, vocab_size=VOCABULARY)
        made["compiler"] = xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def engine(schema):
        grammar = made["compiler"].compile_json_schema(schema, any_whitespace=True, strict_mode=False)
        return xgr.GrammarMatcher(grammar)

    mask = xgr.allocate_token_bitmask(1, VOCABULARY)
    return "xgrammar " + version("xgrammar"), vocabulary, engine, lambda m: m.fill_next_token_bitmask(mask), lambda m, t: m.accept_token(t)


def llguidance(path):
    import llguidance as ll
    import llguidance.numpy as lln
    from importlib.metadata import version

    with open(path) as f:
        text = f.read()
    made = {}

    def vocabulary():
        made["tokenizer"] = ll.LLTokenizer(text, n_vocab=VOCABULARY)

    def engine(schema):
        m = ll.LLMatcher(made["tokenizer"], ll.LLMatcher.grammar_from_json_schema(schema, {"whitespace_flexible": True}))
        if m.is_error():
            raise ValueError(m.get_error())
        return m

    mask = lln.allocate_token_bitmask(1, VOCABULARY)
    return "llguidance " + version("llguidance"), vocabulary, engine, lambda m: lln.fill_next_token_bitmask(m, mask, 0), lambda m, t: m.consume_token(t)


def answer(case, engine, fill, accept):
    schema, clock = json.dumps(case["schema"]), time.perf_counter_ns
    start = clock()
    matcher = engine(schema)
    times = [clock() - start]
    for t in case["ids"]:
        start = clock()
        fill(matcher)
        times.append(clock() - start)
        if not accept(matcher, t):
            raise ValueError("token %d" % (len(times) - 2))
    return " ".join(map(str, times))


def main():
    if sys.argv[1] == "cases":
        write_cases(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    try:
        name, vocabulary, engine, fill, accept = dict(xgrammar=xgrammar, llguidance=llguidance)[sys.argv[1]](sys.argv[2])
    except Exception as e:  # a peer that cannot run is left out, with the reason
        print("absent", " ".join(str(e).split()), flush=True)
        return
    with open(sys.argv[3]) as f:
        cases = [json.loads(line) for line in f]
    print("ready", name, flush=True)
    for line in sys.stdin:
        if line.strip() == "vocabulary":
            start = time.perf_counter_ns()
            vocabulary()
            print(time.perf_counter_ns() - start, flush=True)
            continue
        try:
            print(answer(cases[int(line.split()[1])], engine, fill, accept), flush=True)
        except Exception as e:
            print("refused", " ".join(str(e).split())[:200], flush=True)


if __name__ == "__main__":
    main()
