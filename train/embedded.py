"""Trains the embedded pair: a small target and a smaller draft with a byte-level BPE of their own, on the corpus.

The small target learns the corpus's text (documents at temperature .7 or less, its own markup, no system turn) by cross-entropy; the draft then
learns the small target's distributions, on the corpus and on text that the small target itself writes. Three stages: text (CPU), target, draft.

python3 embedded.py --model GGUF --corpus a.npz b.npz --out embedded.pt --seconds 115 --draft-seconds 70
"""
import argparse
import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
import generate
import llama
import losses
import setup
import target
from optim import Optimizer, schedule
from packing import load

SIZES = {   # hidden, layers, heads, kv heads, head size, feed-forward
    "target": (224, 10, 4, 2, 64, 608),
    "draft": (224, 2, 4, 2, 64, 608),
    "smoke": (32, 2, 2, 1, 16, 64),
}
WIDTH = 512
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]   # ids 0, 1, 2, as in SmolLM2


def shape_of(size, vocab):
    h, layers, heads, kv, d, ffn = SIZES[size]
    return llama.Shape(vocab, h, layers, heads, kv, d, ffn)


def plain(text):
    """A document without its system turn; what has no turns ends with the end of text."""
    at = text.find("<|im_start|>user")
    if at < 0:
        return text.rstrip("\n") + "<|endoftext|>"
    text = text[at:]
    return text if text.endswith("<|im_end|>") else text + "<|im_end|>"


def written(docs, decode, most, warmest):
    """Text of the documents whose answers were drawn cool, up to `most` tokens of the corpus."""
    off = docs["offsets"]
    cool = np.flatnonzero(docs["temperature"] < warmest)
    cool = np.random.default_rng(0).permutation(cool)
    cool = cool[:np.searchsorted(np.cumsum(np.diff(off)[cool]), most)]
    out = []
    for a in range(0, len(cool), 20000):
        out += [plain(x) for x in decode([docs["ids"][off[i]:off[i + 1]].tolist() for i in cool[a:a + 20000]])]
    return out


def learn_tokenizer(texts, vocab):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=vocab, special_tokens=SPECIAL, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False))
    return t


class Windows:
    """Batches [rows, WIDTH] of the stream of documents, each beginning at a document's first token."""

    def __init__(self, docs, dev, seed, rows, width):
        self.stream = torch.from_numpy(np.concatenate(docs).astype(np.int32)).to(dev)
        first = np.concatenate([[0], np.cumsum([len(d) for d in docs])[:-1]])
        self.first = torch.from_numpy(first[first + width + 1 < len(self.stream)]).to(dev)
        self.g, self.rows, self.span = torch.Generator(device=dev).manual_seed(seed), rows, torch.arange(width + 1, device=dev)

    def next(self):
        at = self.first[torch.randint(0, len(self.first), (self.rows,), generator=self.g, device=self.first.device)]
        return self.stream[at[:, None] + self.span].long()


def text_loss(h, embed, ids):
    return F.cross_entropy((h @ embed.T).float(), ids)


def train_target(args, log, dev, data, shape):
    params = {k: torch.nn.Parameter(v.to(dev)) for k, v in llama.init(shape, torch.Generator().manual_seed(args.seed)).items()}
    log("embedded target parameters", sum(p.numel() for p in params.values()))
    opt = Optimizer(params, [k for k in params if k.split(".")[-1] in ("qkv", "o", "gu", "down")], 0.02, 3e-3)
    half, run, step = (torch.float32 if args.smoke else torch.bfloat16), setup.Run(args.steps, args.seconds), 0
    score = text_loss if args.smoke else torch.compile(text_loss, dynamic=False)

    def measure(ids):
        cast = {k: v.to(half) for k, v in params.items()}
        h, _ = llama.forward(cast, shape, ids[:, :-1])
        return score(h, cast["embed"], ids[:, 1:].reshape(-1))

    setup.turn(lambda: measure(torch.zeros(data.rows, len(data.span), dtype=torch.long, device=dev)).backward(), params)
    while (part := run.part(step)) < 1:
        ids = data.next()
        loss = measure(ids)
        loss.backward()
        opt.step(schedule(step, part))
        step += 1
        if step % (5 if args.smoke else 200) == 0:
            log("embedded target step", step, f"{part:.3f}", "cross-entropy", f"{loss.item():.4f}", "Mtokens", round(step * ids.numel() / 1e6, 1))
    return {k: v.detach() for k, v in params.items()}, dict(steps=step, tokens=step * data.rows * (len(data.span) - 1))


def first_and_last(w, big, shape):
    """The draft's first weights: the target's embedding and norm, its first layers and its last one. Both are of one width."""
    start = {k: w[k].clone() for k in ("embed", "norm")}
    for i in range(shape.layers):
        j = i if i + 1 < shape.layers else big.layers - 1
        start.update({f"{i}.{k}": w[f"{j}.{k}"].clone() for k in ("n1", "qkv", "o", "n2", "gu", "down")})
    return start


def train_draft(args, log, dev, sets, w, big, shape, start):
    """Learns the small target's distributions from the weights `start`, batches of `sets` in turn."""
    params = {k: torch.nn.Parameter(v.to(dev)) for k, v in start.items()}
    log("embedded draft parameters", sum(p.numel() for p in params.values()))
    opt = Optimizer(params, [k for k in params if k.split(".")[-1] in ("qkv", "o", "gu", "down")], args.muon, args.adam)
    half = torch.float32 if args.smoke else torch.bfloat16
    teacher = {k: v.to(half) for k, v in w.items()}
    distances = losses.distances if args.smoke else torch.compile(losses.distances, dynamic=False)
    def measure(ids):
        with torch.no_grad():
            h, _ = llama.forward(teacher, big, ids)
            goal = h @ teacher["embed"].T
        cast = {k: v.to(half) for k, v in params.items()}
        h, _ = llama.forward(cast, shape, ids)
        return distances(h @ cast["embed"].T, goal)

    setup.turn(lambda: sum(measure(torch.zeros(sets[0].rows, len(sets[0].span) - 1, dtype=torch.long, device=dev))).backward(), params)
    run, step = setup.Run(args.draft_steps, args.draft_seconds, args.began), 0
    while (part := run.part(step)) < 1:
        ids = sets[step % len(sets)].next()[:, :-1]
        kl, tv = measure(ids)
        losses.mixed(kl, tv, part, 1.0).backward()
        opt.step(schedule(step, part))
        step += 1
        if step % (5 if args.smoke else 200) == 0:
            log("embedded draft step", step, f"{part:.3f}", "kl", f"{kl.item():.4f}", "tv", f"{tv.item():.4f}", "Mtokens", round(step * ids.numel() / 1e6, 1))
    return {k: v.detach() for k, v in params.items()}, dict(steps=step)


def place_of(part, ids):
    """Where a run of ids begins in another, or -1; both uint16."""
    text, want = ids.tobytes(), part.tobytes()
    at = text.find(want)
    while at % 2 and at >= 0:
        at = text.find(want, at + 1)
    return at // 2 if at >= 0 else -1


def openings(docs, answer):
    """What the documents begin with, up to where an answer or plain text goes on, and the phase of the generator that goes on there."""
    starts, phases, want = [], [], np.array(answer, np.uint16)
    for d in docs:
        at = place_of(want, d)
        if d[0] == 1 and 0 <= at < 240:
            starts.append(d[:at + len(want)])
            phases.append(generate.ANSWER)
        elif d[0] != 1:
            starts.append(d[:40])
            phases.append(generate.RAW)
    return starts, phases


def own_text(args, log, dev, w, shape, docs, tok):
    """Documents that the small target writes itself, from the openings of the corpus's."""
    half = torch.float32 if args.smoke else torch.bfloat16
    answer = tok.encode("\n<|im_start|>assistant\n").ids
    starts, phases = openings(docs[:60000], answer)
    recipe = dict(ask=[(1.0, 0.02)], answer=[(0.0, 0)] + [(1.0, 0)] * 3, new=(100, 260), again=0.0)
    with torch.no_grad():
        t = generate.Table(starts, phases, np.ones(len(starts)), [answer, tok.encode("\n<|im_start|>user\n").ids], args.seed, dev)
        g = generate.Generator({k: v.to(half) for k, v in w.items()}, shape, t, 8 if args.smoke else 4096, 512, 90 if args.smoke else 12000, recipe, 77 * (args.seed + 1), not args.smoke)
        n = g.run(1 if args.smoke else args.own_seconds)
        made = g.documents(n)
    log("text of the small target's own:", int(made["offsets"][-1]), "tokens")
    return [made["ids"][a:b] for a, b in zip(made["offsets"][:-1], made["offsets"][1:])]


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model")
    a.add_argument("--corpus", nargs="+", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--vocab", type=int, default=4096)
    a.add_argument("--most", type=int, default=60_000_000, help="corpus tokens to read")
    a.add_argument("--warmest", type=int, default=15, help="answers up to this place in the temperature list of corpus.py")
    a.add_argument("--target-size", default="target")
    a.add_argument("--draft-size", default="draft")
    a.add_argument("--seconds", type=float, default=300)
    a.add_argument("--draft-seconds", type=float, default=150)
    a.add_argument("--own-seconds", type=float, default=30)
    a.add_argument("--more", action="store_true", help="in the stage draft: go on from the draft of OUT")
    a.add_argument("--began", type=float, default=0.0, help="how far along the draft's run begins")
    a.add_argument("--muon", type=float, default=0.02, help="peak rate of the draft's matrices")
    a.add_argument("--adam", type=float, default=3e-3, help="and of the rest")
    a.add_argument("--steps", type=int)
    a.add_argument("--draft-steps", type=int)
    a.add_argument("--seed", type=int, default=0)
    a.add_argument("--rows", type=int, default=128)
    a.add_argument("--stage", choices=["text", "target", "draft", "all"], default="all", help="one alone: text re-tokenises, on the CPU; draft goes on from OUT")
    a.add_argument("--text", default="embedded-text.npz")
    a.add_argument("--log", default="embedded.log")
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    if args.stage != "text":
        setup.device(args.smoke)
    log = setup.Log(args.log)
    if args.stage in ("text", "all"):
        docs = load(args.corpus)
        decode = (lambda rows: [" ".join(f"w{i}" for i in r) for r in rows]) if args.smoke else (lambda rows: big.decode_batch(rows, skip_special_tokens=False))
        big = None if args.smoke else target.tokenizer(args.model)
        texts = written(docs, decode, args.most, args.warmest if not args.smoke else 99)
        log("texts", len(texts), "characters", sum(map(len, texts)))
        tok = learn_tokenizer(texts[:40000], 400 if args.smoke else args.vocab)
        ids = []
        for k in range(0, len(texts), 20000):
            ids += [np.array(e.ids, np.uint16) for e in tok.encode_batch_fast(texts[k:k + 20000])]
        np.savez(args.text, ids=np.concatenate(ids), offsets=np.cumsum([0] + [len(i) for i in ids]), tokenizer=np.array(tok.to_str()))
        log("own tokens", sum(map(len, ids)), "vocabulary", tok.get_vocab_size())
    if args.stage == "text":
        return
    dev = setup.device(args.smoke)
    torch.manual_seed(args.seed)
    if not args.smoke:
        llama.compile_blocks()
    z = dict(np.load(args.text))
    tok = Tokenizer.from_str(str(z["tokenizer"]))
    docs = [z["ids"][a:b] for a, b in zip(z["offsets"][:-1], z["offsets"][1:])]
    vocab = tok.get_vocab_size()
    big, small = (shape_of("smoke", vocab),) * 2 if args.smoke else (shape_of(args.target_size, vocab), shape_of(args.draft_size, vocab))
    rows, width = (4, 64) if args.smoke else (args.rows, WIDTH)
    data = Windows(docs, dev, args.seed, rows, width)
    if args.stage == "draft":
        state = torch.load(args.out, weights_only=False)
        w, facts, before = {k: v.to(dev) for k, v in state["target"].items()}, state["facts"], state.get("draft") if args.more else None
        if args.more and before is None:
            raise SystemExit(f"embedded: {args.out} holds no draft to go on from")
    else:
        (w, facts), before = train_target(args, log, dev, data, big), None
    save = lambda **more: torch.save(dict(target={k: v.cpu() for k, v in w.items()}, target_shape=big.asdict(), tokenizer=tok.to_str(), facts=facts, args=vars(args), **more), args.out)
    if args.stage != "draft":
        save()
    if args.stage == "target":
        return
    own = own_text(args, log, dev, w, big, docs, tok)
    mine = Windows(own or docs, dev, args.seed + 5, rows, width)
    q, more = train_draft(args, log, dev, [data, mine, mine, mine], w, big, small, before or first_and_last(w, big, small))
    facts.update(draft_steps=more["steps"], corpus_tokens=int(z["offsets"][-1]), own=sum(map(len, own)))
    save(draft={k: v.cpu() for k, v in q.items()}, draft_shape=small.asdict())
    log("embedded", facts)


if __name__ == "__main__":
    main()
