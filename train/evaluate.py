"""Tokens per round and overlap of a draft on prompts that neither training nor the target made.

The target first writes its text for each prompt, greedy and at temperature 1 (`texts`). Both are then replayed: along greedy text a
drafted token is accepted iff it is the draft's argmax; along text drawn from p, the token x that was emitted came from an accepted draft
with probability min(1, q(x)/p(x)) (Leviathan et al. 2023, section 2.3, read backwards), so a coin of that chance at every place gives
rounds with exactly the law of real ones. A round is the accepted run, at most K, and the target's own token.

python3 evaluate.py shipped --model GGUF --prompts F... prints the figures of all three shipped forms.
"""
import argparse
import json
import os
import numpy as np
import torch
import llama
import setup
import target

DOMAINS = ["code", "chat", "story", "json", "summarise"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model")
SHIPPED = [os.path.join(ROOT, p) for p in ("drafters/smollm2-two-model/model.gguf", "drafters/smollm2-eagle", "embedded")]
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def prompt_text(row, system=True):
    """A prompt as the target's chat template renders it, or as it is when raw. The embedded pair's has no system turn of its own accord."""
    if row.get("raw"):
        return row["prompt"]
    turns = row.get("messages") or [{"role": "user", "content": row["prompt"]}]
    if system and turns[0]["role"] != "system":
        turns = [{"role": "system", "content": SYSTEM}] + turns
    return "".join(f"<|im_start|>{t['role']}\n{t['content']}<|im_end|>\n" for t in turns) + "<|im_start|>assistant\n"


@torch.no_grad()
def write(w, shape, prompts, new, temperature, seed, ends):
    """Text of the model for prompts (lists of ids): the whole rows, cut after an end token. One row a prompt, plain cache, float32."""
    d, n = w["embed"].device, len(prompts)
    size = max(map(len, prompts)) + new
    given = torch.full((n, size), -1, device=d)
    for i, p in enumerate(prompts):
        given[i, :len(p)] = torch.tensor(p, device=d)
    length = torch.tensor([len(p) for p in prompts], device=d)
    ks = [torch.zeros(n, shape.kv_heads, size, shape.head_dim, device=d) for _ in range(shape.layers)]
    vs = [torch.zeros_like(k) for k in ks]
    g = torch.Generator(device=d).manual_seed(seed)
    ids, rep = given.clone(), shape.heads // shape.kv_heads
    for t in range(size - 1):
        x = w["embed"][ids[:, t]]
        cos, sin = llama.angles(torch.full((n,), t, device=d), shape, x.dtype)
        for i in range(shape.layers):
            q, k, v = llama.project(x, w[f"{i}.n1"], w[f"{i}.qkv"], cos, sin, shape.heads, shape.kv_heads, shape.head_dim)
            ks[i][:, :, t], vs[i][:, :, t] = k, v
            s = torch.einsum("bkgd,bktd->bkgt", q.view(n, shape.kv_heads, rep, -1), ks[i][:, :, :t + 1]) / shape.head_dim ** 0.5
            a = torch.einsum("bkgt,bktd->bkgd", s.softmax(-1), vs[i][:, :, :t + 1]).reshape(n, -1)
            x = llama.finish(x, a, w[f"{i}.o"], w[f"{i}.n2"], w[f"{i}.gu"], w[f"{i}.down"])
        lg = llama.rms(x, w["norm"]) @ w["embed"].T
        nx = lg.argmax(-1) if temperature == 0 else torch.multinomial((lg / temperature).softmax(-1), 1, generator=g)[:, 0]
        ids[:, t + 1] = torch.where(given[:, t + 1] >= 0, given[:, t + 1], nx)
    out = []
    for i, p in enumerate(prompts):
        row = ids[i, :len(p) + new].tolist()
        stop = next((j + 1 for j in range(len(p), len(row)) if row[j] in ends), len(row))
        out.append(row[:stop])
    return out


def texts(w, shape, rows, encode, new, seed, out, ends=(target.END, target.END_OF_TEXT), modes=(0, 1)):
    """Writes the texts of every prompt to a file: flat ids, offsets, prompt lengths, domain, mode (0 greedy, 1 temperature 1), prompt number."""
    prompts = [encode(r) for r in rows]
    docs, mode = [], []
    for m in modes:
        docs += write(w, shape, prompts, new, float(m), seed + m, ends)
        mode += [m] * len(rows)
    dom = [DOMAINS.index(r["domain"]) for r in rows]
    np.savez(out, ids=np.concatenate(docs).astype(np.int32), offsets=np.cumsum([0] + [len(x) for x in docs]), prompt=[len(p) for p in prompts] * len(modes),
             domain=dom * len(modes), mode=mode, number=list(range(len(rows))) * len(modes))


class Texts:
    """Texts with the target beside them; batches of rows of like length."""

    def __init__(self, path, dev, w, shape):
        z = dict(np.load(path))
        self.w, self.shape, self.dev = w, shape, dev
        self.docs = [z["ids"][a:b] for a, b in zip(z["offsets"][:-1], z["offsets"][1:])]
        self.prompt, self.domain, self.mode, self.number = z["prompt"], z["domain"], z["mode"], z["number"]

    def batches(self, size):
        order = sorted(range(len(self.docs)), key=lambda i: len(self.docs[i]))
        for a in range(0, len(order), size):
            pick = order[a:a + size]
            width = max(len(self.docs[i]) for i in pick)
            ids = np.zeros((len(pick), width), np.int64)
            for r, i in enumerate(pick):
                ids[r, :len(self.docs[i])] = self.docs[i]
            yield pick, torch.from_numpy(ids).to(self.dev)


_source = None


def source(dev, model=None):
    """Sets or returns the float32 target that texts are replayed with."""
    global _source
    if model is not None:
        _source = target.load(model, dev, torch.float32)
    return _source


def load(path, dev, model=None):
    """The texts at path beside the target: that of the GGUF file `model`, or the one that source was given."""
    llama.plain_blocks()
    return Texts(path, dev, *(source(dev, model) if model and _source is None else source(dev)))


def accept(p_logits, q_logits, nxt, mode, words=None):
    """Chance [N] that the emitted tokens nxt [N] came from an accepted draft, and the overlap of p and q. words: ids of a reduced draft's rows."""
    if words is not None:
        full = torch.full_like(p_logits, -1e30)
        full[:, words] = q_logits.float()
        q_logits = full
    lp, lq = p_logits.float().log_softmax(-1), q_logits.float().log_softmax(-1)
    overlap = torch.minimum(lp.exp(), lq.exp()).sum(-1)
    ratio = (lq.gather(1, nxt[:, None]) - lp.gather(1, nxt[:, None]))[:, 0].exp().clamp_max(1.0)
    return torch.where(mode == 1, ratio, (q_logits.argmax(-1) == nxt).float()), overlap


@torch.no_grad()
def two_model(params, shape, t, depth=8):
    """Per text: chance [new, depth] of acceptance of the token s after place i, and overlap [new]. `depth` is the most K that is asked of it."""
    q = {k: v.to(t.dev).float() for k, v in params.items()}
    out = [None] * len(t.docs)
    for pick, ids in t.batches(16):
        hp, _ = llama.forward(t.w, t.shape, ids)
        hq, _ = llama.forward(q, shape, ids)
        hp, hq = hp.view(*ids.shape, -1), hq.view(*ids.shape, -1)
        for r, i in enumerate(pick):
            a, b = t.prompt[i] - 1, len(t.docs[i]) - 1
            mode = torch.full((b - a,), int(t.mode[i]), device=t.dev)
            ok, over = accept(hp[r, a:b] @ t.w["embed"].T, hq[r, a:b] @ q["embed"].T, ids[r, a + 1:b + 1], mode)
            ok = torch.cat([ok, torch.zeros(depth, device=t.dev)])
            out[i] = (torch.stack([ok[s:s + b - a] for s in range(depth)], 1).cpu().numpy(), over.cpu().numpy())
    return t, out


def rounds(ok, k, rng):
    """Rounds and emitted tokens of one text; ok [new, depth] are chances."""
    n, i, count = len(ok), 0, 0
    while i < n:
        run = 0
        while run < k and i + run < n and rng.random() < ok[i, run]:
            run += 1
        i += min(run + 1, n - i)
        count += 1
    return count, n


def cyclic(ids, span=24, most=64):
    """Share of the tokens that end a stretch of at least `span` and two periods that repeats with a period of at most `most`."""
    ids, n = np.asarray(ids), len(ids)
    hit = np.zeros(n, bool)
    for p in range(1, most + 1):
        if n <= p:
            break
        same = np.concatenate([np.zeros(p, bool), ids[p:] == ids[:-p]])
        run = np.zeros(n, int)
        for i in range(1, n):
            run[i] = run[i - 1] + 1 if same[i] else 0
        hit |= run >= max(span, 2 * p)
    return float(hit.mean()) if n else 0.0


def interval(pairs, seed=0):
    """Ratio of sums with a 95 % cluster bootstrap by prompt; pairs [n, 2] of (numerator, denominator)."""
    x = np.asarray(pairs, float)
    rng = np.random.default_rng(seed)
    pick = rng.integers(0, len(x), (1000, len(x)))
    s = x[pick].sum(1)
    lo, hi = np.percentile(s[:, 0] / s[:, 1], [2.5, 97.5])
    return x[:, 0].sum() / x[:, 1].sum(), lo, hi


def report(name, result, log, ks=(1, 2, 3, 4, 5), coins=4):
    """Prints tokens per round by domain and as the mean of domains, greedy (with and without cyclic prompts) and at temperature 1."""
    t, out = result
    new = [t.docs[i][t.prompt[i]:] for i in range(len(t.docs))]
    loops = {int(t.number[i]): cyclic(new[i]) for i in range(len(out)) if t.mode[i] == 0}
    doms = [d for d in range(len(DOMAINS)) if (t.domain == d).any()]
    def table(label, want, mode, value):
        cells, means = [], []
        for d in doms:
            pairs = [value(i) for i in range(len(out)) if t.domain[i] == d and t.mode[i] == mode and want(i) and len(out[i][0])]
            if len(pairs) < 2:
                continue
            m, lo, hi = interval(pairs)
            means.append((m, pairs))
            cells.append(f"{DOMAINS[d]} {m:.3f} [{lo:.3f} {hi:.3f}]")
        if means:
            boot = [np.mean([np.asarray(p)[r].sum(0)[0] / np.asarray(p)[r].sum(0)[1] for _, p in means for r in [np.random.default_rng(b * 7 + len(p)).integers(0, len(p), len(p))]]) for b in range(300)]
            log(f"{name} | {label} | mean {np.mean([m for m, _ in means]):.3f} [{np.percentile(boot, 2.5):.3f} {np.percentile(boot, 97.5):.3f}] |", ", ".join(cells))
    for k in ks:
        if k > out[0][0].shape[1]:
            continue
        def per_round(i, times=1):
            rng = np.random.default_rng(1000 * i + k)
            c = [rounds(out[i][0], k, rng) for _ in range(times)]
            return sum(x[1] for x in c), sum(x[0] for x in c)
        table(f"greedy K={k} tokens/round", lambda i: True, 0, per_round)
        if k in (4, 5):
            table(f"greedy K={k} tokens/round, no cyclic prompts", lambda i: loops[int(t.number[i])] < 0.1, 0, per_round)
        table(f"temperature 1 K={k} tokens/round", lambda i: True, 1, lambda i: per_round(i, coins))
    table("temperature 1 overlap", lambda i: True, 1, lambda i: (float(out[i][1].sum()), len(out[i][1])))
    log(name, "| cyclic share of greedy text |", {DOMAINS[d]: round(float(np.mean([v for i, v in loops.items() if t.domain[list(t.number).index(i)] == d])), 3) for d in doms})


def judge(what, path, name, t, log):
    """Reports on a training state or a shipped form."""
    import eagle
    import export
    state = export.read(path)
    name = name or state.get("args", {}).get("name", what)
    if what == "two-model":
        report(name, two_model(state["weights"], llama.Shape(**state["shape"]), t), log)
    else:
        report(name, eagle.replay(state["weights"], state["words"], state["taps"], t), log)


def samples(name, t, decode, log, most=900):
    """Prints the end of the first text of each domain, greedy and at temperature 1."""
    seen = set()
    for i in range(len(t.docs)):
        key = (int(t.domain[i]), int(t.mode[i]))
        if key not in seen:
            seen.add(key)
            log(f"{name} | sample | {DOMAINS[key[0]]} | {'temperature 1' if key[1] else 'greedy'} |", repr(decode(list(t.docs[i]))[-most:]))


def embedded(path, rows, args, dev, log):
    """The pair as it is shipped, a folder, writes and replays its own texts."""
    import export
    w, shape, tok = export.read_llama(f"{path}/target")
    q, small, _ = export.read_llama(f"{path}/draft")
    w = {k: v.to(dev) for k, v in w.items()}
    out = args.texts
    texts(w, shape, rows, lambda r: tok.encode(prompt_text(r, system=False)).ids, args.new, args.seed, out)
    t = Texts(out, dev, w, shape)
    report(args.name or "embedded", two_model(q, small, t), log)
    samples(args.name or "embedded", t, lambda ids: tok.decode(ids, skip_special_tokens=False), log)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("what", choices=["texts", "two-model", "eagle", "embedded", "shipped"])
    a.add_argument("--model")
    a.add_argument("--prompts", nargs="*", help="prompt sets, jsonl")
    a.add_argument("--texts", default="texts.npz", help="written by texts and embedded, read by the others")
    a.add_argument("--weights", nargs="+", help="training states (.pt), or shipped forms: a GGUF file, a head's folder, the pair's folder")
    a.add_argument("--name", help="what to call it; a state's own name otherwise")
    a.add_argument("--new", type=int, default=224)
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--cpu", action="store_true")
    a.add_argument("--log", default="evaluate.log")
    args = a.parse_args()
    log, dev = setup.Log(args.log), setup.device(args.cpu, "--cpu takes an hour and more")
    rows = [json.loads(line) for p in args.prompts or [] for line in open(p)]
    if args.what == "embedded":
        embedded(args.weights[0], rows, args, dev, log)
        return
    source(dev, args.model)
    if args.what == "texts" or args.what == "shipped" and not os.path.exists(args.texts):
        tok = target.tokenizer(args.model)
        texts(*source(dev), rows, lambda r: tok.encode(prompt_text(r)).ids, args.new, args.seed, args.texts)
        log("texts of", len(rows), "prompts")
    if args.what == "texts":
        return
    t = load(args.texts, dev)
    if args.what == "shipped":
        drafter, head, pair = args.weights or SHIPPED
        judge("two-model", drafter, "two-model", t, log)
        judge("eagle", head, "eagle", t, log)
        args.texts, args.name = args.texts + ".embedded.npz", "embedded"
        embedded(pair, rows, args, dev, log)
        return
    for path in args.weights:
        judge(args.what, path, args.name, t, log)


if __name__ == "__main__":
    main()
