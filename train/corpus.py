"""Samples the corpus from the target: python3 corpus.py prompts | python3 corpus.py sample.

`prompts` writes the prompt list as token ids (needs the GGUF file's tokenizer and the foreign sets to keep out);
`sample` runs the generator on one GPU for the given seconds and writes documents.
"""
import argparse
import json
import numpy as np
import torch
import llama
import prompts
import setup
import target
from generate import Generator, RAW, Table

DOMAINS = ["code", "chat", "story", "json", "summarise", "free"]
RECIPES = {
    # Answers: 35 % greedy, 25 % at .7, 40 % unfiltered at temperature 1. Invented user turns lose their improbable tail.
    "spread": dict(ask=[(0.8, 0.02), (1.0, 0.03), (1.0, 0.01)], answer=[(0.0, 0)] * 7 + [(0.7, 0.02)] * 5 + [(1.0, 0)] * 8, new=(160, 480), again=0.12),
    # For drafts that are judged along greedy text above all: 60 % greedy, 15 % at .7, 25 % unfiltered.
    "greedy": dict(ask=[(0.8, 0.02), (1.0, 0.03), (1.0, 0.01)], answer=[(0.0, 0)] * 12 + [(0.7, 0.02)] * 3 + [(1.0, 0)] * 5, new=(160, 480), again=0.12),
    "trial": dict(ask=[(0.7, 0.02), (1.0, 0.02)], answer=[(0.7, 0.02), (1.0, 0.02), (0.01, 0.02)], new=(320, 340), again=0.9),
}


def write_prompts(args):
    tok = target.tokenizer(args.model)
    foreign = []
    for path in args.foreign:
        for line in open(path):
            row = json.loads(line)
            foreign += [row["prompt"]] if "prompt" in row else [m["content"] for m in row["messages"] if m["role"] == "user"]
    listed = prompts.trial() if args.recipe == "trial" else prompts.spread(args.seed, args.templates)
    kept = prompts.without(listed, foreign)
    print(f"{len(listed)} prompts, {len(listed) - len(kept)} dropped as too near to a foreign one")
    ids = [e.ids[:400] for e in tok.encode_batch([p[3] for p in kept])]
    np.savez_compressed(args.out, ids=np.concatenate(ids).astype(np.uint16), offsets=np.cumsum([0] + [len(i) for i in ids]), domain=np.array([DOMAINS.index(p[0]) for p in kept], np.uint8),
                        phase=np.array([p[1] for p in kept], np.uint8), weight=np.array([p[2] for p in kept], np.float32),
                        answer=np.array(tok.encode("\n<|im_start|>assistant\n").ids), ask=np.array(tok.encode("\n<|im_start|>user\n").ids))


def sample(args):
    log = setup.Log(args.log)
    dev = setup.device(args.smoke)
    torch.manual_seed(args.seed)
    w, shape = target.tiny() if args.smoke else target.load(args.model, dev, torch.bfloat16)
    p = dict(np.load(args.prompts))
    if not args.smoke:
        llama.compile_blocks()
    p["ids"] = p["ids"] % shape.vocab
    rows = [p["ids"][a:b] for a, b in zip(p["offsets"][:-1], p["offsets"][1:])]
    table = Table(rows, p["phase"], p["weight"], [p["answer"] % shape.vocab, p["ask"] % shape.vocab], args.seed, dev)
    setup.turn()
    with torch.no_grad():
        g = Generator(w, shape, table, args.rows, args.ring, args.steps, RECIPES[args.recipe], args.seed * 1000003, not args.smoke)
        log("generator ready", len(rows), "prompts")
        n = g.run(args.seconds)
        log("steps", n, "tokens", n * args.rows)
        d = g.documents(n)
    d["domain"], d["raw"] = p["domain"][d["prompt"]], (p["phase"][d["prompt"]] == RAW).astype(np.uint8)
    np.savez(args.out, **d)
    length = np.diff(d["offsets"])
    log("documents", len(length), "tokens", int(d["offsets"][-1]), "mean length", round(float(d["offsets"][-1]) / max(1, len(length)), 1), "drawn", round(float((d["flags"] & 1 == 0).sum()) / max(1, len(d["flags"])), 3))
    log("by domain", {n: int(length[d["domain"] == i].sum()) for i, n in enumerate(DOMAINS)}, "by temperature", np.bincount(d["temperature"]).tolist())


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("what", choices=["prompts", "sample"])
    a.add_argument("--model", help="GGUF file of SmolLM2-135M-Instruct")
    a.add_argument("--foreign", nargs="*", default=[], help="prompt sets (jsonl) that must not come in")
    a.add_argument("--prompts")
    a.add_argument("--out", required=True)
    a.add_argument("--recipe", choices=list(RECIPES), default="spread")
    a.add_argument("--templates", type=int, default=4000, help="whole requests a domain")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--rows", type=int, default=4096)
    a.add_argument("--ring", type=int, default=640)
    a.add_argument("--steps", type=int, default=40000)
    a.add_argument("--seconds", type=float, default=240)
    a.add_argument("--log", default="corpus.log")
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    write_prompts(args) if args.what == "prompts" else sample(args)


if __name__ == "__main__":
    main()
