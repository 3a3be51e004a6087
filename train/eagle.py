"""Trains an EAGLE-3 style head (Li et al. 2025) for SmolLM2: three hidden states of the target in, one decoder layer, its own output fed back.

Pair j is (the target's streams after position j, token j+1); the head's answer there is for token j+2. Step s > 0 takes its own output in place of
the streams and token j+1+s, attends to the pairs 0..j of the first step and to its own chain alone, as decoding does.

python3 eagle.py --model GGUF --corpus a.npz b.npz --out eagle.pt --seconds 600
"""
import argparse
import torch
import torch.nn.functional as F
import evaluate
import export
import llama
import losses
import rounding
import setup
import target
from optim import Optimizer, schedule
from packing import Batches, choose, held_out, load, TOKENS

TAPS = (2, 15, 28)   # after these layers, counted from 0
MATRICES = ("fc", "qkv", "o", "gu", "down")


def init(w, shape, words, taps, seed):
    """The layer starts as the target's last one, on the last tap; the token's half of its input starts small."""
    g = torch.Generator().manual_seed(seed)
    e, last = shape.hidden, shape.layers - 1
    c = lambda k: w[k].float().cpu()
    rows = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
    fc = torch.cat([torch.zeros(e, (len(taps) - 1) * e), torch.eye(e)], 1)
    return dict(fc=fc + 0.002 * torch.randn(fc.shape, generator=g), qkv=torch.cat([0.02 * torch.randn(rows, e, generator=g), c(f"{last}.qkv")], 1), o=c(f"{last}.o"), gu=c(f"{last}.gu"),
                down=c(f"{last}.down"), norm_token=torch.ones(e), norm_state=c(f"{last}.n1"), n2=c(f"{last}.n2"), norm=c("norm"), head=c("embed")[words.cpu()])


def before(emb, feat, norm_token, norm_state, qkv, cos, sin, heads, kv, d):
    h = torch.cat((llama.rms(emb, norm_token), llama.rms(feat, norm_state)), -1)
    y = (h @ qkv.T).view(h.shape[0], heads + 2 * kv, d)
    qk = llama.rotate(y[:, :heads + kv], cos, sin)
    return qk[:, :heads], qk[:, heads:], y[:, heads + kv:]


before_fast = before


def biases(width, steps, dev, dtype):
    """What step s may see: pairs up to its own of the first step, then its own place in each later one. [width, (s+1)*width] each."""
    low = torch.full((width, width), float("-inf"), device=dev).triu(1)
    own = torch.full((width, width), float("-inf"), device=dev).fill_diagonal_(0)
    return [torch.cat([low] + [own] * s, 1).to(dtype) for s in range(steps)]


def chain(p, shape, ids, streams, steps, bias):
    """The head's outputs before its final norm, one [rows*T, E] a step, for T pairs a row: streams [rows*T, 3E], ids [rows, T+steps+1].
    Embeddings are the target's, frozen."""
    rows, t = ids.shape[0], ids.shape[1] - steps - 1
    feat = streams @ p["fc"].T
    cut = lambda x: x.reshape(rows, t, x.shape[1], shape.head_dim).transpose(1, 2)
    grow = lambda x: x.repeat_interleave(shape.heads // shape.kv_heads, 1)
    ks, vs, out = [], [], []
    for s in range(steps):
        emb = p["embed"][ids[:, 1 + s:1 + s + t].reshape(-1)]
        pos = (torch.arange(t, device=ids.device) + 1 + s).repeat(rows)
        cos, sin = llama.angles(pos, shape, feat.dtype)
        q, k, v = before_fast(emb, feat, p["norm_token"], p["norm_state"], p["qkv"], cos, sin, shape.heads, shape.kv_heads, shape.head_dim)
        ks.append(cut(grow(k)))
        vs.append(cut(grow(v)))
        if s == 0:
            a = F.scaled_dot_product_attention(cut(q), ks[0], vs[0], is_causal=True)
        else:
            a = F.scaled_dot_product_attention(cut(q), torch.cat(ks, 2), torch.cat(vs, 2), attn_mask=bias[s])
        a = a.transpose(1, 2).reshape(rows * t, -1)
        feat = llama.finish_fast(feat, a, p["o"], p["n2"], p["gu"], p["down"])
        out.append(feat)
    return out


def common_words(docs, n, keep):
    """Ids of the n tokens that answers hold most often, in order; the end of a turn is among them."""
    import numpy as np
    from generate import FORCED
    c = np.bincount(docs["ids"][(docs["flags"] & FORCED) == 0], minlength=keep)[:keep].astype(float)
    c += 0.02 * np.bincount(docs["ids"], minlength=keep)[:keep]
    order = c.copy()
    order[[target.END, target.END_OF_TEXT]] = np.inf
    pick = np.sort(np.argsort(-order, kind="stable")[:n])
    return torch.from_numpy(pick), float(c[pick].sum() / c.sum())


def train(args, dev, log, w, shape, docs):
    taps = (0, 1, 2) if args.smoke else TAPS
    words, cover = common_words(docs, 64 if args.smoke else args.words, shape.vocab)
    state = export.read(args.start) if args.start else None
    words = (state["words"] if state else words).to(dev)
    log("reduced vocabulary", len(words), "covers", round(cover, 4))
    start = state["weights"] if state else init(w, shape, words, taps, args.seed)
    if args.plain_init:
        g = torch.Generator().manual_seed(args.seed)
        start = {k: v if k == "head" else torch.ones_like(v) if v.ndim == 1 else 0.02 * torch.randn(v.shape, generator=g) for k, v in start.items()}
    params = {k: torch.nn.Parameter(v.to(dev).float()) for k, v in start.items()}
    log("head", args.name, "parameters", sum(x.numel() for x in params.values()))
    opt = Optimizer(params, () if args.adam_only else MATRICES, args.muon, args.adam)
    tokens = 1920 if args.smoke else TOKENS
    widths = dict(widths=(128, 192, 640)) if args.smoke else {}
    data = Batches(docs, dev, args.seed, tokens, limit=args.limit, keep=~held_out(docs), **widths)
    log("corpus tokens", data.count)
    at = torch.Generator(device=dev).manual_seed(args.seed)
    half = torch.float32 if args.smoke else torch.bfloat16
    masks, run, steps = {}, setup.Run(args.steps, args.seconds, args.began, args.keep_every), args.feed
    distances = losses.distances_reduced if args.smoke else torch.compile(losses.distances_reduced, dynamic=False)
    total = (lambda h, e: (h @ e.T).float().logsumexp(-1)) if args.smoke else torch.compile(lambda x: x.float().logsumexp(-1), dynamic=False)
    reduced = w["embed"][words]

    def measure(ids, weight):
        """(KL, total variation) of each step."""
        rows, width = ids.shape
        with torch.no_grad():
            h, kept = llama.forward(w, shape, ids, taps)
            lse = total(h, w["embed"]) if args.smoke else total(h @ w["embed"].T)
            p = ((h @ reduced.T).float() - lse[:, None]).exp().to(half)
            streams = torch.cat(kept, -1)
            # A pair counts where all its steps lie inside the document.
            ahead = F.pad(weight, (0, steps + 1))
            pick = choose((ahead[:, 1:1 + width] * (ahead[:, steps:steps + width] > 0)).reshape(-1), tokens * 2 // 5, at)
        if width not in masks:
            masks[width] = biases(width, steps, dev, half)
        cast = {k: (rounding.nearest(v) if args.round and k == "head" else v).to(half) for k, v in params.items()}
        cast["embed"] = w["embed"]
        out = chain(cast, shape, F.pad(ids, (0, steps + 1)), streams, steps, masks[width])
        return [distances(llama.rms(x[pick], cast["norm"]) @ cast["head"].T, p[(pick + 1 + s).clamp_max(tokens - 1)]) for s, x in enumerate(out)]

    def warm():
        ids = torch.ones(tokens // 640, 640, dtype=torch.long, device=dev)
        sum(kl + tv for kl, tv in measure(ids, ids.float())).backward()
        at.manual_seed(args.seed)

    setup.turn(warm, params)
    step, seen = 0, 0
    while (part := run.part(step)) < 1:
        ids, weight = data.next()
        loss, shown = 0, []
        for s, (kl, tv) in enumerate(measure(ids, weight)):
            loss = loss + args.fade ** s * (kl if args.loss == "kl" else losses.mixed(kl, tv, part, args.tv))
            shown.append(tv)
        loss.backward()
        opt.step(schedule(step, part))
        step, seen = step + 1, seen + ids.numel()
        run.keep(args.out + ".part", lambda: dict(weights=params, words=words, taps=taps, shape=shape.asdict(), part=part, step=step))
        if step % (5 if args.smoke else 100) == 0:
            log(args.name, "step", step, f"{part:.3f}", "loss", f"{loss.item():.4f}", "tv by step", " ".join(f"{x.item():.3f}" for x in shown), "Mtokens", round(seen / 1e6, 1))
    return {k: v.detach() for k, v in params.items()}, words, taps, dict(steps=step, tokens=seen, corpus=data.count, cover=cover)


@torch.no_grad()
def replay(params, words, taps, t, depth=6):
    """As evaluate.two_model: chances [new, depth] and overlap [new] of the head along the target's texts."""
    p = {k: v.to(t.dev).float() for k, v in params.items()}
    p["embed"], words = t.w["embed"], words.to(t.dev)
    out = [None] * len(t.docs)
    for pick, ids in t.batches(8):
        ids = F.pad(ids, (0, depth + 1))
        rows, width = ids.shape
        n = width - depth - 1
        h, kept = llama.forward(t.w, t.shape, ids, taps)
        h = h.view(rows, width, -1)
        steps = [x.view(rows, n, -1) for x in chain(p, t.shape, ids, torch.cat(kept, -1).view(rows, width, -1)[:, :n].reshape(rows * n, -1), depth, biases(n, depth, t.dev, torch.float32))]
        for r, i in enumerate(pick):
            a, b = t.prompt[i] - 1, len(t.docs[i]) - 1       # place a predicts token a+1: pair a-1
            mode = torch.full((b - a,), int(t.mode[i]), device=t.dev)
            p_all = h[r, a:b + depth] @ t.w["embed"].T
            cols = []
            for s in range(depth):
                q = llama.rms(steps[s][r, a - 1:b - 1], p["norm"]) @ p["head"].T
                ok, over = evaluate.accept(p_all[s:s + b - a], q, ids[r, a + 1 + s:b + 1 + s], mode, words)
                ok = ok * (torch.arange(a + 1 + s, b + 1 + s, device=t.dev) <= b)
                cols.append(ok)
                first = over if s == 0 else first
            out[i] = (torch.stack(cols, 1).cpu().numpy(), first.cpu().numpy())
    return t, out


def main():
    global before_fast
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model")
    a.add_argument("--corpus", nargs="+", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--name", default="eagle")
    a.add_argument("--words", type=int, default=8192)
    a.add_argument("--feed", type=int, default=5, help="steps, each fed with the last one's output")
    a.add_argument("--fade", type=float, default=0.9)
    a.add_argument("--loss", choices=["kl", "mix"], default="mix")
    a.add_argument("--tv", type=float, default=1.0)
    a.add_argument("--adam-only", action="store_true", help="AdamW for the matrices too, as in the first trial")
    a.add_argument("--plain-init", action="store_true", help="a random layer instead of the target's last one")
    a.add_argument("--muon", type=float, default=0.01)
    a.add_argument("--adam", type=float, default=1e-3)
    a.add_argument("--limit", type=int)
    a.add_argument("--seconds", type=float, default=600)
    a.add_argument("--steps", type=int)
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--round", choices=["q4_1"], help="train with the rows of the words rounded as they will be shipped")
    a.add_argument("--start", help="state or shipped head to go on from")
    a.add_argument("--began", type=float, default=0.0, help="how far along the run was whose state that is")
    a.add_argument("--keep-every", type=float, default=0, help="seconds between two states kept on the way, OUT.part")
    a.add_argument("--texts")
    a.add_argument("--log", default="eagle.log")
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    log, dev = setup.Log(args.log), setup.device(args.smoke)
    torch.manual_seed(args.seed)
    if not args.smoke:
        llama.compile_blocks()
        before_fast = torch.compile(before, dynamic=False)
        torch._dynamo.config.recompile_limit = 64
    w, shape = target.tiny() if args.smoke else target.load(args.model, dev, torch.bfloat16)
    docs = load(args.corpus)
    params, words, taps, facts = train(args, dev, log, w, shape, docs)
    torch.save(dict(weights={k: v.cpu() for k, v in params.items()}, words=words.cpu(), taps=taps, shape=shape.asdict(), facts=facts, args=vars(args)), args.out)
    log(args.name, facts)
    if args.texts:
        before_fast = before
        evaluate.report(args.name, replay(params, words, taps, evaluate.load(args.texts, dev, args.model)), log)


if __name__ == "__main__":
    main()
