"""Short runs of equal steps that differ in one thing: the loss, or the size of the corpus.

python3 compare.py --model GGUF --corpus spread.npz --steps 700 --sizes 1 4 16 --losses kl tv --out compare

Each run is the two-model drafter trained anew; `mix` over the whole corpus is the one that the others are held against. States come to OUT-NAME.pt,
for evaluate.py.
"""
import argparse
import torch
import drafter
import llama
import setup
import target
from packing import load


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model")
    a.add_argument("--corpus", nargs="+", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--steps", type=int, default=700)
    a.add_argument("--losses", nargs="*", default=["kl", "tv"])
    a.add_argument("--sizes", nargs="*", type=float, default=[1, 4, 16], help="corpus sizes, millions of tokens")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--log", default="compare.log")
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    log, dev = setup.Log(args.log), setup.device(args.smoke)
    if not args.smoke:
        llama.compile_blocks()
    w, shape = target.tiny() if args.smoke else target.load(args.model, dev, torch.bfloat16)
    docs = load(args.corpus)
    runs = [("whole-mix", "mix", None)] + [(f"whole-{x}", x, None) for x in args.losses] + [(f"{x:g}M-mix", "mix", int(x * 1e6)) for x in args.sizes]
    for name, loss, limit in runs:
        torch.manual_seed(args.seed)
        one = argparse.Namespace(name=name, size="main", loss=loss, tv=1.0, plain_embed=False, adam_only=False, muon=0.02, adam=2e-3, limit=limit, seconds=0, steps=args.steps, seed=args.seed, round=None,
                                 every=max(1, args.steps // 10), smoke=args.smoke)
        params, small, facts = drafter.train(one, dev, log, w, shape, docs)
        torch.save(dict(weights={k: v.cpu() for k, v in params.items()}, shape=small.asdict(), facts=facts, args=vars(one)), f"{args.out}-{name}.pt")
        log(name, facts)


if __name__ == "__main__":
    main()
