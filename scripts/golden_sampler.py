"""Write what mlx-lm's own chain leaves of small rows of logits.

Needs mlx[cpu]==0.32.2 and mlx-lm==0.32.2:

    python scripts/golden_sampler.py sampler/testdata/mlxlm.json

Each case holds a row, the tokens so far (prompt and output), a configuration,
and the surviving ids with the probabilities that the draw gives them.
"""

import json
import random
import sys

import mlx.core as mx
from mlx_lm import sample_utils

VERSION = "0.32.2"


def survivors(row, tokens, config):
    """The filtered log-probabilities over the temperature, as a distribution."""
    logits = mx.array([row], dtype=mx.float32)
    p = config["penalties"]
    processors = sample_utils.make_logits_processors(
        logit_bias={int(t): b for t, b in config["logit_bias"].items()},
        repetition_penalty=p["repetition"] if p["repetition"] != 1 else None,
        repetition_context_size=p["window"],
        presence_penalty=p["presence"],
        presence_context_size=p["window"],
        frequency_penalty=p["frequency"],
        frequency_context_size=p["window"],
    )
    for process in processors:
        logits = process(mx.array(tokens), logits)
    logprobs = logits - mx.logsumexp(logits, keepdims=True)
    seen = []

    def capture(filtered, temperature):
        seen.append(filtered / temperature)
        return mx.argmax(filtered, axis=-1)

    sample_utils.categorical_sampling = capture
    sample_utils.make_sampler(
        temp=config["temperature"],
        top_p=config["top_p"],
        min_p=config["min_p"],
        top_k=config["top_k"],
    )(logprobs)
    probs = mx.softmax(seen[0], axis=-1, precise=True)[0].tolist()
    ids = [i for i, x in enumerate(probs) if x > 0]
    return ids, [probs[i] for i in ids]


def rows(rng):
    """Rows with and without ties, all of them float32 (most of them bfloat16)."""
    yield "three", [3.0, 2.0, 1.0]
    yield "two equal", [1.0, 1.0]
    yield "flat", [0.5] * 16
    for n in (12, 24, 40):
        yield "quarters", [rng.randint(-16, 16) / 4 for _ in range(n)]
        yield "fine", [rng.randint(-4096, 4096) / 512 for _ in range(n)]
        yield "peaked", [rng.randint(-64, 64) / 32 for _ in range(n - 1)] + [9.0]


def main():
    if mx.__version__ != VERSION:
        sys.exit(f"mlx {mx.__version__}, want {VERSION}")
    rng = random.Random(11)
    cases = []
    for name, row in rows(rng):
        for top_p, min_p, top_k in (
            (1.0, 0.0, 0), (0.8, 0.0, 0), (0.5, 0.0, 0), (0.95, 0.0, 0),
            (1.0, 0.05, 0), (1.0, 0.3, 0), (1.0, 0.0, 1), (1.0, 0.0, 5), (0.9, 0.05, 8),
        ):
            if not top_k < len(row):
                continue
            edited = rng.random() < 0.4
            config = {
                "temperature": rng.choice([0.5, 0.8, 1.0, 1.5]),
                "top_p": top_p, "min_p": min_p, "top_k": top_k, "order": "mlx-lm",
                "penalties": {
                    "repetition": 1.25 if edited else 1.0,
                    "presence": 0.5 if edited else 0.0,
                    "frequency": 0.25 if edited else 0.0,
                    "window": 4 if rng.random() < 0.5 else 20,
                },
                "logit_bias": {"1": 2.0, "0": -1.5} if edited else {},
            }
            tokens = [rng.randrange(len(row)) for _ in range(9)]
            ids, probs = survivors(row, tokens, config)
            cases.append({"name": name, "row": row, "tokens": tokens, "config": config,
                          "ids": ids, "probs": [float(f"{x:.7g}") for x in probs]})
    with open(sys.argv[1], "w") as f:
        f.write('{"mlx-lm": "%s", "cases": [\n' % VERSION)
        f.write(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
        f.write("\n]}\n")


if __name__ == "__main__":
    main()
