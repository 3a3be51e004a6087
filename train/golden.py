"""Writes spec/testdata/drafters.json, which the Go drafters are held against: python3 golden.py --model GGUF --prompts F... (on the CPU, minutes).

Of the first prompts of each domain: the target's greedy text in float32, and the rounds that each shipped drafter takes along it.
"""
import argparse
import json
import os
import numpy as np
import eagle
import evaluate
import export
import llama
import setup
import target


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model", required=True)
    a.add_argument("--prompts", nargs="+", required=True)
    a.add_argument("--each", type=int, default=2)
    a.add_argument("--new", type=int, default=48)
    a.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spec", "testdata", "drafters.json"))
    args = a.parse_args()
    os.makedirs(os.path.dirname(args.out), exist_ok=True)
    dev = setup.device(True)
    rows = [json.loads(line) for p in args.prompts for line in list(open(p))[:args.each]]
    tok = target.tokenizer(args.model)
    evaluate.source(dev, args.model)
    at = args.out + ".npz"
    evaluate.texts(*evaluate.source(dev), rows, lambda r: tok.encode(evaluate.prompt_text(r)).ids, args.new, 0, at, modes=(0,))
    t = evaluate.load(at, dev)
    os.remove(at)
    drafter, head = export.read(evaluate.SHIPPED[0]), export.read(evaluate.SHIPPED[1])
    small = evaluate.two_model(drafter["weights"], llama.Shape(**drafter["shape"]), t)[1]
    heads = eagle.replay(head["weights"], head["words"], head["taps"], t)[1]
    count = lambda ok, k: evaluate.rounds(ok[0], k, np.random.default_rng(0))[0]
    out = [dict(id=r["id"], domain=r["domain"], prompt=t.docs[i][:t.prompt[i]].tolist(), tokens=t.docs[i][t.prompt[i]:].tolist(),
                model={k: count(small[i], k) for k in (2, 4)}, eagle={k: count(heads[i], k) for k in (3, 5)}) for i, r in enumerate(rows)]
    with open(args.out, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(x, separators=(",", ":")) for x in out) + "\n]\n")


if __name__ == "__main__":
    main()
