"""Makes tiny random models of the four families, in the spellings that configs have, and
what transformers computes with each: the judge of what model/checkpoint reads.

    python scripts/golden_models.py FOLDER [--count 300] [--seed 1]     (make judge-models)
    python scripts/golden_models.py --kept model/ref/testdata/configs.json

FOLDER/NNN has config.json and model.safetensors, or model.gguf, and case.json:
  ids       the tokens
  logits    base64 of float32 [rows, vocab], the rows after the last tokens; null where
            transformers refuses the config
  odd       the keys that a refusal may name; where there are none it must be computed
Where the angles of rope change with the length of the text, a row is the last of a forward
of its tokens alone; else all rows are of one forward.

--kept writes a few of them in one file, their weights being made again by the test.
"""
import argparse
import base64
import functools
import json
import math
import os
import pathlib
import random
import shutil
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import numpy as np
import torch
import transformers
from golden_configs import base, case_absent, case_defaults, case_head, case_key, case_others, case_saved, case_window
from golden_gguf import write_gguf
from golden_rope import KINDS, case_rope
from safetensors.torch import load_file, save_file

transformers.logging.set_verbosity(transformers.logging.CRITICAL)
transformers.logging.disable_progress_bar()
FAMILIES = ["llama", "mistral", "qwen2", "qwen3"]


def weights(config, generator):
    """Random weights of a model, norms and biases too."""
    model = transformers.AutoModelForCausalLM.from_config(config)
    state = {}
    for name, p in model.state_dict().items():
        mean, deviation = (1, .2) if name.endswith("norm.weight") else (0, 1.2 / math.sqrt(p.shape[-1]))
        if name.endswith(".bias"):
            deviation = .3
        if name == "model.embed_tokens.weight":
            deviation = .4
        state[name] = (mean + deviation * torch.randn(p.shape, generator=generator)).float().contiguous()
    return state


def changes(config):
    return config.rope_parameters["rope_type"] in ("dynamic", "longrope")


@torch.no_grad()
def logits(folder, ids, rows):
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    forward = lambda n: model(torch.tensor([ids[:n]]), use_cache=False).logits[0].float().numpy()
    if not changes(model.config):
        return forward(len(ids))[-rows:]
    return np.stack([forward(n)[-1] for n in range(len(ids) - rows + 1, len(ids) + 1)])


def one(folder, family, rng, make):
    """A case of safetensors and, where it can be, one of GGUF beside it."""
    c = base(family, rng)
    odd = make(c, rng)
    head = c.pop("_head", None)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(c, indent=1))
    ids, rows = [rng.randrange(c["vocab_size"]) for _ in range(34)], 34
    case = {"family": family, "what": getattr(make, "func", make).__name__, "ids": ids, "rows": rows, "odd": odd, "logits": None, "gguf": None, "error": None}
    generator = torch.Generator().manual_seed(rng.randrange(1 << 30))
    try:
        config = transformers.AutoConfig.from_pretrained(folder)
        state = weights(config, generator)
        if config.tie_word_embeddings:
            own = state.pop("lm_head.weight", None)
            if head:
                state["lm_head.weight"] = own if head == "own" else state["model.embed_tokens.weight"].clone()
        save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
        got = logits(folder, ids, rows)
        if not np.isfinite(got).all():
            raise ValueError("logits that are not finite")
        case["logits"] = base64.b64encode(got.astype("<f4").tobytes()).decode()
    except Exception as e:  # whatever transformers says of such a config
        case["error"] = f"{type(e).__name__}: {e}"[:300]
        if not (folder / "model.safetensors").exists():
            save_file({"none": torch.zeros(1)}, folder / "model.safetensors")
    if case["logits"] and head != "own" and not odd:
        state.pop("lm_head.weight", None) if config.tie_word_embeddings else None
        extra = write_gguf(folder / "model.gguf", config, state, rng)
        if extra is False:
            (folder / "model.gguf").unlink(missing_ok=True)
        else:
            case["gguf"] = extra
    (folder / "case.json").write_text(json.dumps(case))
    return case


MAKERS = [case_rope, case_rope, case_saved, case_window, case_defaults, case_others, case_head, case_rope, case_absent, case_window, case_key, case_key]


def judge(folder, count, seed):
    rng = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    computed = refused = files = 0
    for i in range(count):
        case = one(folder / f"{i:03d}", FAMILIES[i % 4], rng, MAKERS[i // 4 % len(MAKERS)])
        computed, refused = computed + bool(case["logits"]), refused + (case["logits"] is None)
        files += case["gguf"] is not None
    (folder / "made").write_text(f"transformers {transformers.__version__}, torch {torch.__version__}, count {count}, seed {seed}\n")
    print(f"{count} models with transformers {transformers.__version__}: {computed} computed, {refused} refused by it; {files} as GGUF too")


def kept(path):
    """Every kind of rope, window and default, one a family, in one file."""
    rng, out = random.Random(7), []
    makers = [functools.partial(case_rope, kind=k) for k in KINDS for _ in range(2)] + [case_window, case_window, case_defaults, case_others, case_saved, case_absent]
    with tempfile.TemporaryDirectory() as tmp:
        for i in range(4 * len(makers)):
            folder = pathlib.Path(tmp) / str(i)
            case = one(folder, FAMILIES[i % 4], rng, makers[i // 4])
            if case["logits"] is None or case["odd"]:
                continue
            out.append(keep(folder, case))
    path.write_text("[\n" + ",\n".join(json.dumps(c) for c in out) + "\n]\n")
    print(f"{len(out)} cases kept")


def keep(folder, case):
    """The case with the weights that the test makes again, and its last rows."""
    rows, state = 3, load_file(folder / "model.safetensors")
    for name, t in state.items():
        state[name] = by_rule(name, list(t.shape))
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    got = logits(folder, case["ids"], rows)
    return {"config": json.loads((folder / "config.json").read_text()), "ids": case["ids"], "rows": rows,
            "logits": base64.b64encode(got.astype("<f4").tobytes()).decode(), "tensors": {name: list(t.shape) for name, t in state.items()},
            "what": case["what"]}


def by_rule(name, shape):
    """Weights from a rule that any language can follow: 16 bits of a 32-bit generator that
    begins with the name's FNV-1a hash."""
    h = 2166136261
    for b in name.encode():
        h = (h ^ b) * 16777619 & 0xffffffff
    mean, spread = (1, .4) if name.endswith("norm.weight") else (0, 4 / math.sqrt(shape[-1]))
    if name.endswith(".bias"):
        spread = 1
    values = []
    for _ in range(math.prod(shape)):
        h = (h * 1664525 + 1013904223) & 0xffffffff
        values.append(mean + spread * ((h >> 16) / 65536 - .5))
    return torch.tensor(values, dtype=torch.float32).reshape(shape)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=pathlib.Path)
    a = parser.parse_args()
    torch.set_num_threads(1)
    if a.kept:
        kept(a.kept)
    else:
        judge(a.folder, a.count, a.seed)
