"""What every script starts with: the device or a refusal, seeds, a log."""
import os
import sys
import time
import torch


def device(smoke, ask="--smoke checks the script on a CPU in seconds"):
    """cuda; or the CPU where it was asked for, and only then. Every script begins with it: what is to be refused costs no time."""
    if smoke:
        torch.set_num_threads(1)   # small work on a busy machine: threads would only wait for each other
        return "cpu"
    if not torch.cuda.is_available():
        sys.exit("train: no GPU found. Full runs need one; " + ask + ".")
    torch.backends.cuda.matmul.allow_tf32 = False
    return "cuda"


class Log:
    """Lines on the terminal and in a file, with the seconds since the start."""

    def __init__(self, path):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        self.file, self.t0 = open(path, "a"), time.time()

    def __call__(self, *words):
        line = f"[{time.time() - self.t0:7.1f}] " + " ".join(str(w) for w in words)
        print(line, flush=True)
        self.file.write(line + "\n")
        self.file.flush()


def turn(compile=None, params=None):
    """Waits until the file named by FORETOKEN_TURN is there: pipeline.py starts a stage while the one before it still trains, so that reading and
    packing are done by then. compile: a step's forward and backward on any input, which compiles what it calls; the gradients are dropped."""
    path = os.environ.get("FORETOKEN_TURN")
    if path and compile:
        compile()
        for p in params.values():
            p.grad = None
    while path and not os.path.exists(path):
        time.sleep(0.2)


class Run:
    """How far a run is, `began` to 1: by steps where their number is given, which makes it repeatable, else by the clock. A run that goes on from
    a state kept on the way begins where that was."""

    def __init__(self, steps, seconds, began=0.0, keep_every=0):
        self.steps, self.seconds, self.began, self.keep_every, self.t0, self.kept = steps, seconds, began, keep_every, None, time.time()

    def part(self, step):
        if self.steps:
            done = step / self.steps
        elif step < 2:   # what is compiled in the first steps is not charged
            self.t0, done = time.time(), 0.0
        else:
            done = (time.time() - self.t0) / self.seconds
        return self.began + (1 - self.began) * done

    def keep(self, path, state):
        """Saves what `state` returns, in half precision, every keep_every seconds; the file is whole at any time."""
        if self.keep_every and time.time() - self.kept > self.keep_every:
            self.kept = time.time()
            torch.save(half(state()), path + ".new")
            os.replace(path + ".new", path)


def half(x):
    """A state with its float tensors in half precision, on the CPU."""
    if isinstance(x, dict):
        return {k: half(v) for k, v in x.items()}
    if torch.is_tensor(x):
        return x.detach().cpu().half() if x.is_floating_point() else x.cpu()
    return x
