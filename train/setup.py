"""What every script starts with: the device or a refusal, seeds, a log."""
import os
import sys
import time
import torch


def device(smoke):
    """cuda; or the CPU for a smoke run, and only then."""
    if smoke:
        torch.set_num_threads(1)   # small work on a busy machine: threads would only wait for each other
        return "cpu"
    if not torch.cuda.is_available():
        sys.exit("train: no GPU found. Full runs need one; --smoke checks the script on a CPU in seconds.")
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


class Run:
    """How far a run is, 0 to 1: by steps where their number is given, which makes it repeatable, else by the clock."""

    def __init__(self, steps, seconds):
        self.steps, self.seconds, self.t0 = steps, seconds, None

    def part(self, step):
        if self.steps:
            return step / self.steps
        if step < 2:   # what is compiled in the first steps is not charged
            self.t0 = time.time()
            return 0.0
        return (time.time() - self.t0) / self.seconds
