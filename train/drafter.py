"""Trains the two-model drafter: a small Llama with the target's tokenizer and whole vocabulary, on the target's own distributions.

python3 drafter.py --model GGUF --corpus a.npz b.npz --out drafter.pt --seconds 600
"""
import argparse
import torch
import evaluate
import llama
import losses
import rounding
import setup
import target
from optim import Optimizer, schedule
from packing import Batches, choose, held_out, load, TOKENS

SIZES = {
    # hidden, layers, heads, kv heads, head size, feed-forward: 17.5 M, and the first trial's 16 M.
    "main": (256, 5, 4, 2, 64, 1024),
    "trial": (256, 4, 4, 4, 64, 768),
    "smoke": (32, 2, 2, 1, 16, 64),
}


def shape_of(size, vocab):
    h, layers, heads, kv, d, ffn = SIZES[size]
    return llama.Shape(vocab, h, layers, heads, kv, d, ffn, 100000.0)


def projected(embed, hidden):
    """The target's embeddings in the `hidden` directions that hold most of them: rare words start where the target has them."""
    e = embed.float()
    _, vectors = torch.linalg.eigh(e.T @ e)
    return (e @ vectors[:, -hidden:].flip(-1)).cpu()


def train(args, dev, log, w, shape, docs, start=None):
    small = shape_of("smoke" if args.smoke else args.size, shape.vocab)
    g = torch.Generator().manual_seed(args.seed)
    first = start or llama.init(small, g, None if args.plain_embed else projected(w["embed"], small.hidden))
    params = {k: torch.nn.Parameter(v.to(dev).float()) for k, v in first.items()}
    log("drafter", args.name, "parameters", sum(p.numel() for p in params.values()), small)
    matrices = [] if args.adam_only else [k for k in params if k.split(".")[-1] in ("qkv", "o", "gu", "down")]
    opt = Optimizer(params, matrices, args.muon, args.adam)
    tokens = 1920 if args.smoke else TOKENS
    widths = dict(widths=(128, 192, 640)) if args.smoke else {}
    data = Batches(docs, dev, args.seed, tokens, limit=args.limit, keep=~held_out(docs), **widths)
    log("corpus tokens", data.count)
    at = torch.Generator(device=dev).manual_seed(args.seed)
    distances = losses.distances if args.smoke else torch.compile(losses.distances, dynamic=False)
    run, half = setup.Run(args.steps, args.seconds), torch.float32 if args.smoke else torch.bfloat16

    def measure(ids, pick):
        with torch.no_grad():
            h, _ = llama.forward(w, shape, ids)
            goal = h[pick] @ w["embed"].T
        cast = {k: (rounding.nearest(v) if args.round and k == "embed" else v).to(half) for k, v in params.items()}
        h, _ = llama.forward(cast, small, ids)
        return distances(h[pick] @ cast["embed"].T, goal)

    setup.turn(lambda: sum(measure(torch.zeros(tokens // 640, 640, dtype=torch.long, device=dev), torch.arange(tokens // 2, device=dev))).backward(), params)
    step, seen = 0, 0
    while (part := run.part(step)) < 1:
        ids, weight = data.next()
        kl, tv = measure(ids, choose(weight.reshape(-1), tokens // 2, at))
        loss = kl if args.loss == "kl" else losses.mixed(kl, tv, part, args.tv) if args.loss == "mix" else 2 * tv
        loss.backward()
        opt.step(schedule(step, part))
        step, seen = step + 1, seen + ids.numel()
        if step % args.every == 0:
            log(args.name, "step", step, f"{part:.3f}", "kl", f"{kl.item():.4f}", "tv", f"{tv.item():.4f}", "Mtokens", round(seen / 1e6, 1))
    return {k: v.detach() for k, v in params.items()}, small, dict(steps=step, tokens=seen, corpus=data.count)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model")
    a.add_argument("--corpus", nargs="+", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--name", default="two-model")
    a.add_argument("--size", choices=list(SIZES), default="main")
    a.add_argument("--loss", choices=["kl", "tv", "mix"], default="mix")
    a.add_argument("--tv", type=float, default=1.0, help="full weight of the total variation in the mix")
    a.add_argument("--plain-embed", action="store_true", help="random embeddings instead of the target's, projected")
    a.add_argument("--adam-only", action="store_true", help="AdamW for the matrices too, as in the first trial")
    a.add_argument("--muon", type=float, default=0.02)
    a.add_argument("--adam", type=float, default=2e-3)
    a.add_argument("--limit", type=int, help="corpus tokens to use, for the curve")
    a.add_argument("--seconds", type=float, default=600)
    a.add_argument("--steps", type=int, help="exact number of steps: what makes a run repeatable")
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--round", choices=["q4_1"], help="train with the embeddings rounded as they will be shipped")
    a.add_argument("--every", type=int, default=100, help="steps between two lines of the log")
    a.add_argument("--start", help="state to go on from, or a shipped GGUF file")
    a.add_argument("--texts", help="the target's texts on foreign prompts (evaluate.py texts)")
    a.add_argument("--log", default="drafter.log")
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    log, dev = setup.Log(args.log), setup.device(args.smoke)
    torch.manual_seed(args.seed)
    if not args.smoke:
        llama.compile_blocks()
    w, shape = target.tiny() if args.smoke else target.load(args.model, dev, torch.bfloat16)
    docs = load(args.corpus)
    start = None
    if args.start:
        start = export.read(args.start)["weights"]
    params, small, facts = train(args, dev, log, w, shape, docs, start)
    torch.save(dict(weights={k: v.cpu() for k, v in params.items()}, shape=small.asdict(), facts=facts, args=vars(args)), args.out)
    log(args.name, facts)
    if args.texts:
        del docs
        evaluate.report(args.name, evaluate.two_model(params, small, evaluate.load(args.texts, dev, args.model)), log)


if __name__ == "__main__":
    main()
