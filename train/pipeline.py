"""Everything in order on one GPU, each result kept as it is ready: python3 pipeline.py --model GGUF --prompts F... --out DIR

Stages that train take turns; --cards 2 gives those of the lane gpu2 a second card. The next one is started while the one before it trains, so that reading
and packing cost no GPU time; texts, evaluations and exports run beside them, one at a time. A stage that is done leaves DIR/done/STAGE and is not run again; --only and --skip choose.
"""
import argparse
import os
import shutil
import subprocess
import sys
import time
import setup

HERE = os.path.dirname(os.path.abspath(__file__))


def stages(a):
    """(name, lane, stages it needs, command lines). Lanes gpu and gpu2 take turns; side is one at a time beside them."""
    py, d = sys.executable, lambda n: os.path.join(a.out, n)
    s = lambda script, *args: [py, os.path.join(HERE, script), *map(str, args), "--log", d(f"{script[:-3]}.log"), *(["--smoke"] if a.smoke and script not in ("export.py", "evaluate.py") else [])]
    x = lambda *args: [py, os.path.join(HERE, "export.py"), *map(str, args)]
    ev = lambda *args: [py, os.path.join(HERE, "evaluate.py"), *map(str, args), "--log", d("figures.log"), *(["--cpu"] if a.smoke else [])]
    t, m, first, second, few = a.seconds, ["--model", a.model], ["--corpus", d("first.npz")], ["--corpus", d("second.npz")], (lambda n: 3 if a.smoke else n)
    greedy = ["--corpus", d("greedy.npz"), d("greedy-more.npz")]
    tiny = ["--rows", 16, "--steps", 330, "--ring", 176] if a.smoke else []
    ask = ["--foreign", *a.prompts]
    judge = [*m, "--texts", d("texts.npz")]
    until = lambda seconds: ["--steps", 3] if a.smoke else ["--seconds", seconds * t]
    return [
        ("prompts", "side", [], [] if a.ready else [s("corpus.py", "prompts", *m, *ask, "--templates", few(8000), "--out", d("prompts.npz")), s("corpus.py", "prompts", *m, *ask, "--recipe", "trial", "--out", d("trial-prompts.npz"))]),
        ("corpus", "gpu", ["prompts"], [s("corpus.py", "sample", *m, "--prompts", d("prompts.npz"), "--seconds", 170 * t, "--seed", 2, "--out", d("first.npz"), *tiny)]),
        ("texts", "side", ["prompts"], [ev("texts", *m, "--prompts", *a.prompts, "--new", few(224), "--texts", d("texts.npz"))]),
        ("corpus-more", "gpu", ["prompts"], [s("corpus.py", "sample", *m, "--prompts", d("prompts.npz"), "--seconds", 105 * t, "--seed", 5, "--out", d("second.npz"), *tiny)]),
        ("corpus-greedy", "gpu", ["prompts"], [s("corpus.py", "sample", *m, "--recipe", "greedy", "--prompts", d("prompts.npz"), "--seconds", 105 * t, "--seed", 7, "--out", d("greedy.npz"), *tiny)]),
        ("corpus-greedy-more", "gpu2", ["prompts"], [s("corpus.py", "sample", *m, "--recipe", "greedy", "--prompts", d("prompts.npz"), "--seconds", 105 * t, "--seed", 8, "--out", d("greedy-more.npz"), *tiny)]),
        ("trial-corpus", "gpu2", ["prompts"], [s("corpus.py", "sample", *m, "--recipe", "trial", "--prompts", d("trial-prompts.npz"), "--seconds", 34 * t, "--seed", 3, "--out", d("trial.npz"), *(tiny or ["--ring", 384]))]),
        ("own-tokens", "side", ["corpus-greedy", "corpus-greedy-more"], [s("embedded.py", *m, *greedy, "--stage", "text", "--text", d("own.npz"), "--out", d("embedded.pt"))]),
        ("head", "gpu", ["corpus"], [s("eagle.py", *m, *first, *until(440), "--round", "q4_1", "--keep-every", 60, "--out", d("eagle-first.pt"))]),
        ("embedded-target", "gpu2", ["own-tokens"], [s("embedded.py", *m, *greedy, "--stage", "target", "--text", d("own.npz"), *until(200), "--out", d("embedded.pt"))]),
        ("head-more", "gpu", ["corpus-more", "head"], [s("eagle.py", *m, *second, *until(190), "--round", "q4_1", "--start", d("eagle-first.pt"), "--began", 0.4, "--muon", 0.009, "--adam", 0.0009, "--out", d("eagle-more.pt"))]),
        ("head-last", "gpu", ["corpus-greedy", "corpus-greedy-more", "head-more"], [s("eagle.py", *m, *greedy, *until(480), "--round", "q4_1", "--start", a.head or d("eagle-more.pt"), "--began", 0.4, "--muon", 0.009, "--adam", 0.0009, "--keep-every", 60, "--out", d("eagle.pt"))]),
        ("embedded-draft", "gpu2", ["embedded-target"], [s("embedded.py", *m, *greedy, "--stage", "draft", "--text", d("own.npz"), *(["--draft-steps", 3] if a.smoke else ["--draft-seconds", 170 * t]), "--own-seconds", 15, "--out", d("embedded.pt"))]),
        ("embedded-draft-more", "gpu2", ["embedded-draft"], [s("embedded.py", *m, *greedy, "--stage", "draft", "--more", "--text", d("own.npz"), *(["--draft-steps", 3] if a.smoke else ["--draft-seconds", 120 * t]), "--own-seconds", 20, "--seed", 6, "--began", 0.4, "--muon", 0.012, "--adam", 0.0018, "--out", d("embedded.pt"))]),
        ("drafter", "gpu", ["corpus"], [s("drafter.py", *m, *first, *until(385), "--name", "two-model-first", "--out", d("drafter-first.pt"))]),
        ("rounding", "gpu", ["corpus-more", "drafter"], [s("drafter.py", *m, *second, *until(95), "--start", a.drafter or d("drafter-first.pt"), "--muon", 0.008, "--adam", 8e-4, "--round", "q4_1", "--name", "two-model-unrounded", "--out", d("drafter.pt"))]),
        ("export", "side", ["head-last", "embedded-draft-more", "rounding"], [x("eagle", d("eagle.pt"), "--to", d("smollm2-eagle")), x("embedded", d("embedded.pt"), "--to", d("embedded")), x("two-model", d("drafter.pt"), *m, "--to", d("smollm2-two-model"))]),
        ("figures", "side", ["export", "texts"], [] if a.smoke else [ev("shipped", *judge, "--prompts", *a.prompts, "--weights", d("smollm2-two-model/model.gguf"), d("smollm2-eagle"), d("embedded")), ev("two-model", *judge, "--weights", d("drafter-first.pt"), d("drafter.pt"))]),
        ("compare", "gpu", ["corpus-more"], [s("compare.py", *m, *second, "--steps", few(330), "--sizes", 0.5, 2, "--out", d("compare"))]),
        ("compare-figures", "side", ["compare", "texts"], [] if a.smoke else [ev("two-model", *judge, "--weights", *[d(f"compare-{n}.pt") for n in ("whole-mix", "whole-kl", "whole-tv", "0.5M-mix", "2M-mix")])]),
        ("trial-drafter", "gpu2", ["trial-corpus"], [s("drafter.py", *m, "--corpus", d("trial.npz"), "--steps", few(1350), *([] if a.smoke else ["--size", "trial"]), "--loss", "kl", "--plain-embed", "--adam-only", "--name", "trial-two-model", "--out", d("trial-drafter.pt"))]),
        ("trial-head", "gpu2", ["trial-corpus"], [s("eagle.py", *m, "--corpus", d("trial.npz"), "--steps", few(1300), "--loss", "kl", "--plain-init", "--adam-only", "--fade", 0.85, "--name", "trial-eagle", "--out", d("trial-eagle.pt"))]),
        ("trial-figures", "side", ["trial-drafter", "trial-head", "texts"], [] if a.smoke else [ev("two-model", *judge, "--weights", d("trial-drafter.pt")), ev("eagle", *judge, "--weights", d("trial-eagle.pt"))]),
    ]


class Runner:
    def __init__(self, args, todo):
        self.args, self.todo = args, todo
        for sub in ("done", "turn", "log"):
            os.makedirs(os.path.join(args.out, sub), exist_ok=True)
        self.at = lambda sub, name: os.path.join(args.out, sub, name)
        for name in os.listdir(self.at("turn", "")):
            os.remove(self.at("turn", name))
        self.running, self.failed, self.t0 = {}, set(), time.time()

    def say(self, *words):
        line = f"[{time.time() - self.t0:7.1f}] " + " ".join(map(str, words))
        print(line, flush=True)
        open(os.path.join(self.args.out, "pipeline.log"), "a").write(line + "\n")

    def done(self, name):
        return os.path.exists(self.at("done", name))

    def card(self, lane):
        return ("gpu", "gpu2").index(lane) % self.args.cards

    def start(self, name, lane, lines):
        self.say("start", name)
        script = " && ".join(" ".join("'" + w + "'" for w in line) for line in lines) or "true"
        env = dict(os.environ)
        if self.args.cards > 1:
            env["CUDA_VISIBLE_DEVICES"] = str(self.card(lane) if lane != "side" else self.args.cards - 1)
        if lane != "side":
            env["FORETOKEN_TURN"] = self.at("turn", name)
        p = subprocess.Popen(["bash", "-c", script], stdout=open(self.at("log", name), "w"), stderr=subprocess.STDOUT, env=env, cwd=self.args.out)
        self.running[name] = (p, lane, time.time())

    def settle(self):
        for name, (p, lane, t) in list(self.running.items()):
            if p.poll() is None:
                continue
            del self.running[name]
            if p.returncode == 0:
                open(self.at("done", name), "w").close()
                self.say("done", name, f"{time.time() - t:.1f} s")
            else:
                self.failed.add(name)
                self.say("FAILED", name, open(self.at("log", name)).read()[-1500:])

    def run(self):
        orders = [[s for s in self.todo if s[1] != "side" and self.card(s[1]) == c] for c in range(self.args.cards)]
        while True:
            self.settle()
            left = [s for s in self.todo if not self.done(s[0]) and s[0] not in self.failed]
            known = {s[0] for s in self.todo}
            ready = lambda s: s[0] not in self.running and all(self.done(n) or n not in known for n in s[2])
            hopeless = [s for s in left if any(n in self.failed for n in s[2])]
            self.failed |= {s[0] for s in hopeless}
            left = [s for s in left if s not in hopeless]
            if not left and not self.running:
                break
            for order in orders:
                gpu = [s[0] for s in order if s[0] in self.running]
                # The one whose turn it is has its file; at most one more waits behind it.
                if gpu and not any(os.path.exists(self.at("turn", n)) for n in gpu):
                    open(self.at("turn", gpu[0]), "w").close()
                    self.say("turn", gpu[0])
                if len(gpu) < 2:
                    nxt = next((s for s in order if s in left and s[0] not in self.running), None)
                    if nxt and ready(nxt):
                        self.start(nxt[0], nxt[1], nxt[3])
            if not any(x[1] == "side" for x in self.running.values()):
                nxt = next((s for s in left if s[1] == "side" and ready(s)), None)
                if nxt:
                    self.start(nxt[0], "side", nxt[3])
            time.sleep(0.1)
        self.say("all done" if not self.failed else f"failed: {sorted(self.failed)}")
        return not self.failed


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--model", required=True, help="the target's GGUF file")
    a.add_argument("--prompts", nargs="+", required=True, help="the foreign prompt sets")
    a.add_argument("--drafter", help="a two-model drafter to go on from in the stage rounding, instead of the stage drafter's: a state or a GGUF file")
    a.add_argument("--head", help="a head to go on from in the stage head-last, instead of the stage head-more's: a state or a shipped head's folder")
    a.add_argument("--cards", type=int, choices=[1, 2], default=1)
    a.add_argument("--out", required=True)
    a.add_argument("--ready", help="a folder with prompts.npz and trial-prompts.npz made before")
    a.add_argument("--seconds", type=float, default=1.0, help="factor on every stage's time")
    a.add_argument("--only", nargs="*")
    a.add_argument("--skip", nargs="*", default=[])
    a.add_argument("--smoke", action="store_true")
    args = a.parse_args()
    if not args.smoke:
        setup.device(False)
    args.out = os.path.abspath(args.out)
    for k in ("model", "drafter", "head"):
        if getattr(args, k):
            setattr(args, k, os.path.abspath(getattr(args, k)))
    args.prompts = [os.path.abspath(p) for p in args.prompts]
    os.makedirs(args.out, exist_ok=True)
    if args.ready:
        for n in ("prompts.npz", "trial-prompts.npz"):
            shutil.copy(os.path.join(args.ready, n), args.out)
    todo = [s for s in stages(args) if (not args.only or s[0] in args.only) and s[0] not in args.skip]
    sys.exit(0 if Runner(args, todo).run() else 1)


if __name__ == "__main__":
    main()
