"""Runs every script of this folder on the CPU, small, and holds their results: python3 smoke.py. Needs no model, no GPU and no network."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import gguf
import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare, corpus, drafter, eagle, embedded, evaluate, export, generate, kernels, llama, packing, pipeline, prompts, rounding, target  # noqa: E402,E401


def run(module, *args):
    sys.argv = [module.__name__ + ".py", *args]
    module.main()


def check(ok, what):
    if not ok:
        sys.exit(f"smoke: {what}")
    print("ok:", what, flush=True)


def losses_of(path):
    return re.findall(r"(?:kl|cross-entropy|loss|tv|tv by step) (\d\S*)", open(path).read())


def fake_gguf(path, vocab):
    """A GGUF file with nothing but a tokenizer and a context length."""
    w = gguf.GGUFWriter(path, "llama")
    w.add_context_length(2048)
    w.add_tokenizer_model("gpt2")
    w.add_token_list([f"<{i}>" for i in range(vocab)])
    w.add_token_types([1] * vocab)
    w.add_token_merges(["a b"])
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


def main():
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as d:
        p = lambda name: os.path.join(d, name)
        # Prompts: what is near to a foreign text stays out.
        listed = prompts.spread(0, 12)
        foreign = next(x[3] for x in listed if x[1] == generate.RAW and len(x[3].split()) > 12)
        kept = prompts.without(listed, [foreign])
        check(0 < len(listed) - len(kept) < len(listed) // 2 and all(x[3] != foreign for x in kept), "a foreign text and its like are kept out of the prompts")
        rng = np.random.default_rng(0)
        phases = np.array([generate.ASK, generate.ANSWER, generate.RAW] * 4, np.uint8)
        np.savez(p("prompts.npz"), ids=rng.integers(3, 600, 12 * 9).astype(np.uint16), offsets=np.arange(13) * 9, domain=np.arange(12, dtype=np.uint8) % 6, phase=phases, weight=np.ones(12, np.float32),
                 answer=np.array([198, 1, 520, 9531 % 640, 198]), ask=np.array([198, 1, 4093 % 640, 198]))
        # The generator: a row sees its own document alone, and a greedy answer is the model's argmax.
        corpus.RECIPES["spread"] = dict(corpus.RECIPES["spread"], new=(80, 160))
        run(corpus, "sample", "--smoke", "--prompts", p("prompts.npz"), "--out", p("c.npz"), "--rows", "16", "--steps", "330", "--seconds", "600", "--ring", "176", "--log", p("log"))
        docs = packing.load([p("c.npz")])
        w, shape = target.tiny()
        checked = 0
        for i in range(len(docs["temperature"])):
            ids, flags = (docs[k][docs["offsets"][i]:docs["offsets"][i + 1]] for k in ("ids", "flags"))
            if docs["temperature"][i] < 7 and not (flags & generate.ASKED).any():
                with torch.no_grad():
                    h, _ = llama.forward(w, shape, torch.from_numpy(ids.astype(np.int64))[None])
                best = (h @ w["embed"].T).argmax(-1)[:-1].numpy()
                drawn = (flags[1:] & generate.FORCED) == 0
                checked += int(drawn.sum())
                check((best[drawn] == ids[1:][drawn]).mean() > 0.99, f"document {i}: its greedy answer is the model's")
        check(checked > 50, f"{checked} greedy tokens of the corpus looked at")
        # Foreign texts, drafts and their replay.
        evaluate._source = (w, shape)
        rows = [dict(domain=x, prompt="x" * (5 + i), raw=True) for i in range(2) for x in evaluate.DOMAINS]
        evaluate.texts(w, shape, rows, lambda r: [ord(c) % 640 for c in r["prompt"]], 16, 0, p("texts.npz"))
        t = evaluate.load(p("texts.npz"), "cpu")
        _, own = evaluate.two_model(w, shape, t)
        check(all(np.allclose(o[0][:, 0], 1, atol=1e-3) and np.allclose(o[1], 1, atol=1e-3) for o in own), "the target as its own draft is always accepted")
        count, n = evaluate.rounds(np.ones((20, 8)), 4, rng)
        check((count, n) == (4, 20), "a full acceptance at K=4 gives five tokens a round")
        check(evaluate.cyclic([5, 6, 7] * 20) > 0.5 and evaluate.cyclic(list(range(60))) == 0, "what goes round in circles is told from what does not")
        for name in ("a", "b"):
            run(drafter, "--smoke", "--corpus", p("c.npz"), "--out", p("d.pt"), "--steps", "6", "--every", "2", "--texts", p("texts.npz"), "--round", "q4_1", "--log", p("d" + name))
        for name in ("a", "b"):
            run(eagle, "--smoke", "--corpus", p("c.npz"), "--out", p("e.pt"), "--steps", "5", "--round", "q4_1", *(["--texts", p("texts.npz")] if name == "a" else []), "--log", p("e" + name))
            run(embedded, "--smoke", "--corpus", p("c.npz"), "--out", p("m.pt"), "--steps", "5", "--draft-steps", "5", "--text", p("m.npz"), "--log", p("m" + name))
        for x, n in (("d", 6), ("e", 2), ("m", 3)):
            check(len(losses_of(p(x + "a"))) == n and losses_of(p(x + "a")) == losses_of(p(x + "b")), f"the same seed gives the same losses: {losses_of(p(x + 'a'))}")
        run(compare, "--smoke", "--corpus", p("c.npz"), "--out", p("x"), "--steps", "2", "--losses", "kl", "--sizes", "0.002", "--log", p("x"))
        facts = {n: torch.load(p(f"x-{n}.pt"), weights_only=False)["facts"] for n in ("whole-mix", "whole-kl", "0.002M-mix")}
        check(facts["0.002M-mix"]["corpus"] <= 2000 < facts["whole-kl"]["corpus"] == facts["whole-mix"]["corpus"], "a comparison is over as much text as was said")
        # The pipeline: stages in order, a turn at a time, and what is done is not done again.
        args = argparse.Namespace(out=p("pipe"), model="m", prompts=["f"], drafter=None, head=None, cards=1, ready=None, seconds=1.0, smoke=True)
        listed = pipeline.stages(args)
        names = [x[0] for x in listed]
        check(len(set(names)) == len(names) and all(n in names[:i] for i, x in enumerate(listed) for n in x[2]), "every stage of the pipeline stands after what it needs")
        say = lambda n: [["bash", "-c", f"echo {n} >> {p('pipe/said')}"]]
        todo = [("one", "gpu", [], say("one")), ("two", "gpu", ["one"], say("two")), ("bad", "side", [], [["false"]]), ("after", "side", ["bad"], say("after")), ("three", "side", ["two"], say("three"))]
        check(not pipeline.Runner(args, todo).run() and open(p("pipe/said")).read().split() == ["one", "two", "three"], "what needs a stage that failed is left out, the rest is done in order")
        check(pipeline.Runner(args, [x for x in todo if x[0] not in ("bad", "after")]).run() and len(open(p("pipe/said")).read().split()) == 3, "what is done is not done again")
        args.out, args.cards = p("two-cards"), 2
        meet = lambda mine, other: [["bash", "-c", f"echo $CUDA_VISIBLE_DEVICES > {p(mine)}; for i in $(seq 100); do test -e {p(other)} && exit; sleep .1; done; exit 1"]]
        met = pipeline.Runner(args, [("left", "gpu", [], meet("left", "right")), ("right", "gpu2", [], meet("right", "left"))]).run()
        check(met and open(p("left")).read() + open(p("right")).read() == "0\n1\n", "with two cards the lanes run beside each other, each on its own")
        # A draft begins as its target's first layers and last one.
        deep, flat = llama.Shape(40, 32, 3, 2, 1, 16, 64), llama.Shape(40, 32, 2, 2, 1, 16, 64)
        whole = llama.init(deep, torch.Generator().manual_seed(0))
        part = embedded.first_and_last(whole, deep, flat)
        check(part.keys() == llama.init(flat, torch.Generator()).keys() and all(torch.equal(part[f"{i}.{k}"], whole[f"{j}.{k}"]) for i, j in ((0, 0), (1, 2)) for k in ("n1", "qkv", "o", "n2", "gu", "down")), "a draft begins as its target's first layers and last one")
        draft = torch.load(p("m.pt"), weights_only=False)["draft"]
        run(embedded, "--smoke", "--corpus", p("c.npz"), "--out", p("m.pt"), "--stage", "draft", "--more", "--draft-steps", "1", "--muon", "1e-9", "--adam", "1e-9", "--text", p("m.npz"), "--log", p("m-more"))
        check(all(torch.allclose(v, draft[k], atol=1e-6) for k, v in torch.load(p("m.pt"), weights_only=False)["draft"].items()), "a draft's further training begins where it was")
        # Shipped forms.
        fake_gguf(p("source.gguf"), shape.vocab)
        state = torch.load(p("d.pt"), weights_only=False)
        back, s = target.load(export.two_model(state, p("source.gguf"), p("two"), "q8_0"), "cpu", torch.float32)
        q8 = lambda v: torch.from_numpy(gguf.quants.dequantize(gguf.quants.quantize(v.numpy(), gguf.GGMLQuantizationType.Q8_0), gguf.GGMLQuantizationType.Q8_0))
        want = {k: q8(v) if v.ndim == 2 else v for k, v in state["weights"].items()}
        check({**s.asdict(), "eps": 1e-5} == state["shape"], "the GGUF file has the drafter's shape")
        check(all(torch.equal(back[k], want[k]) for k in want), "the GGUF file has the drafter's weights, q and k put back")
        e, h = torch.randn(40, 64), torch.randn(500, 64) @ torch.diag(torch.arange(64) / 20.0) + torch.randn(500, 1)
        fed = gguf.quants.dequantize(rounding.q4_1(e, h.T @ h / 500), gguf.GGMLQuantizationType.Q4_1)
        near = gguf.quants.dequantize(gguf.quants.quantize(e.numpy(), gguf.GGMLQuantizationType.Q4_1), gguf.GGMLQuantizationType.Q4_1)
        off = lambda q: float((h @ (e - torch.from_numpy(q)).T).pow(2).mean())
        check(off(fed) < 0.9 * off(near), f"rounding with feedback errs less in the logits: {off(fed):.3f} against {off(near):.3f}")
        back, _ = target.load(export.two_model(state, p("source.gguf"), p("two")), "cpu", torch.float32)
        check(torch.allclose(back["embed"], rounding.nearest(state["weights"]["embed"]), atol=1e-6), "4-bit embeddings are shipped as they were trained")
        head = torch.load(p("e.pt"), weights_only=False)
        export.eagle(head, p("eagle"))
        back = export.read(p("eagle"))
        check(torch.allclose(back["weights"]["head"], rounding.nearest(head["weights"]["head"]), atol=1e-6) and torch.equal(back["words"], head["words"]) and back["taps"] == tuple(head["taps"]),
              "the head's words are shipped as they were trained, with their ids")
        check(all((back["weights"][k] - v).abs().max() <= v.abs().max() / 100 + 1e-4 for k, v in head["weights"].items() if k != "head"), "the rest of the head in 8 bits")
        export.embedded(torch.load(p("m.pt"), weights_only=False), p("embedded"))
        w8, s8, _ = export.read_llama(p("embedded/target"))
        pair = torch.load(p("m.pt"), weights_only=False)
        check(s8.asdict() == pair["target_shape"] and all((w8[k] - v).abs().max() <= v.abs().max() / 100 + 1e-4 for k, v in pair["target"].items()), "the pair's target in 8 bits")
        x = rng.standard_normal((6, 64)).astype(np.float32)
        y = export.ungrouped(export.grouped({"x.weight": torch.from_numpy(x)}))["x.weight"].numpy()
        check(0 < np.abs(x - y).max() < np.abs(x).max() / 200, "8-bit groups round by less than half a step")
        # Draws without Triton follow the law.
        z = torch.zeros(4000, 8) + torch.arange(8.0) / 3
        f = torch.bincount(kernels.draw_plain(z, torch.ones(4000), torch.ones(4000), torch.full((4000,), -1e30), torch.tensor([3]), 1).long(), minlength=8) / 4000
        check((f - z[0].softmax(-1)).abs().sum() < 0.08, "a draw follows the distribution")
        if not torch.cuda.is_available():
            corpus_of = ["--corpus", p("c.npz"), "--out", p("no.pt")]
            for script, *rest in (("drafter.py", *corpus_of), ("eagle.py", *corpus_of), ("embedded.py", *corpus_of), ("compare.py", *corpus_of), ("corpus.py", "sample", "--out", p("no.npz")),
                                  ("evaluate.py", "two-model"), ("pipeline.py", "--model", "m", "--prompts", "f", "--out", p("no"))):
                r = subprocess.run([sys.executable, os.path.join(HERE, script), *rest], capture_output=True, text=True, cwd=d)
                check(r.returncode != 0 and r.stderr.startswith("train: no GPU") and r.stderr.count("\n") == 1 and not os.path.exists(p("no")), f"{script} refuses to start without a GPU")
    print("smoke: all passed")


if __name__ == "__main__":
    main()
