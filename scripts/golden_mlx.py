"""Writes model/ref/testdata/smollm2_greedy.json: what mlx-lm makes of SmolLM2.

    make golden        (or: golden_mlx.py [MODELS], with scripts/constraints.txt installed)

Twenty prompts of all domains; after each, 64 greedy tokens of mlx-lm in float32
on the GGUF's own weights, dequantised; the end of the text does not stop it.
Prompt ids come from the GGUF's chat template and vocabulary by jinja2 and
tokenizers. Of every row of logits the file keeps the four largest and 64 more,
other ones each row, so that together they cover the vocabulary: logit j of row r,
counted over all prompts, is of id ((64*r + j) * 30103) mod vocabulary.
"""

import base64
import json
import pathlib
import sys
from importlib.metadata import version

import gguf
import jinja2.sandbox
import mlx.core as mx
import numpy as np
from mlx_lm.generate import generate_step
from mlx_lm.models import llama
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

TOKENS = 64
SAMPLED = 64  # logits of a row that are kept besides the largest
STRIDE = 30103  # coprime to the vocabulary
TOP = 4

PROMPTS = {
    "humaneval": ["HumanEval/0", "HumanEval/31", "HumanEval/74", "HumanEval/131"],
    "chat": ["chat-03", "chat-10", "chat-21", "chat-27"],
    "story": ["story-01", "story-05", "story-09", "story-21"],
    "summarise": ["summarise-01", "summarise-05", "summarise-13", "summarise-23"],
    "json": ["json-02", "json-06", "json-08", "json-24"],
}

HERE = pathlib.Path(__file__).resolve().parent.parent
GGUF = "SmolLM2-135M-Instruct/SmolLM2-135M-Instruct.Q4_1.gguf"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "models"
    file = gguf.GGUFReader(root / GGUF)
    meta = {key: field.contents() for key, field in file.fields.items()}
    model, encode, template = load_model(file, meta), load_tokenizer(meta), load_template(meta)
    golden = []
    for name, wanted in PROMPTS.items():
        folder = root / "prompts" if name == "humaneval" else HERE / "experiments/prompts"
        rows = [json.loads(line) for line in (folder / f"{name}.jsonl").open(encoding="utf-8")]
        rows = {row["id"]: row for row in rows}
        for wanted_id in wanted:
            row = rows[wanted_id]
            text = row["prompt"] if row.get("raw") else template(row["messages"])
            ids = encode(text)
            golden.append({"id": row["id"], "domain": row["domain"], "prompt": ids}
                          | greedy(model, ids, first_row=TOKENS * len(golden)))
            print(row["id"], len(ids), flush=True)
    write(HERE / "model/ref/testdata/smollm2_greedy.json", golden)


def greedy(model, prompt, first_row):
    rows, logits_of = [], []

    def keep(_, logits):
        logits_of.append(np.array(logits.astype(mx.float32))[0])
        return logits

    steps = generate_step(mx.array(prompt), model, max_tokens=TOKENS, logits_processors=[keep])
    tokens = [int(token) for token, _ in steps]
    top = []
    for r, logits in enumerate(logits_of[:TOKENS]):
        best = np.argsort(-logits, kind="stable")[:TOP]
        if tokens[r] != best[0]:
            sys.exit(f"mlx-lm took {tokens[r]} where {best[0]} is largest")
        sampled = (SAMPLED * (first_row + r) + np.arange(SAMPLED)) * STRIDE % len(logits)
        top.append([int(i) for i in best])
        rows.append(np.concatenate([logits[best], logits[sampled]]))
    data = np.stack(rows).astype("<f4").tobytes()
    return {"greedy": tokens, "top": top, "logits": base64.b64encode(data).decode()}


def load_model(file, meta):
    arch = lambda key: meta[f"llama.{key}"]
    heads, kv_heads = arch("attention.head_count"), arch("attention.head_count_kv")
    model = llama.Model(llama.ModelArgs(
        model_type="llama", hidden_size=arch("embedding_length"), num_hidden_layers=arch("block_count"),
        intermediate_size=arch("feed_forward_length"), num_attention_heads=heads, num_key_value_heads=kv_heads,
        rms_norm_eps=arch("attention.layer_norm_rms_epsilon"), vocab_size=len(meta["tokenizer.ggml.tokens"]),
        rope_theta=arch("rope.freq_base"), max_position_embeddings=arch("context_length"),
        tie_word_embeddings=True))
    weights = []
    for tensor in file.tensors:
        array = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        if ".attn_q." in tensor.name:
            array = rotate_half(array, heads)
        if ".attn_k." in tensor.name:
            array = rotate_half(array, kv_heads)
        weights.append((hugging_face(tensor.name), mx.array(array)))
    model.load_weights(weights)
    mx.eval(model.parameters())
    return model


def rotate_half(array, heads):
    """Undoes GGUF's order of q and k rows: pairs side by side, for its own rope."""
    rows, columns = array.shape
    return array.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


LAYER = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}


def hugging_face(name):
    if name.startswith("blk."):
        _, layer, part, kind = name.split(".")
        return f"model.layers.{layer}.{LAYER[part]}.{kind}"
    return {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}[name]


def load_tokenizer(meta):
    """GGUF's "smollm": every digit by itself, then GPT-2's byte-level split."""
    if (meta["tokenizer.ggml.model"], meta["tokenizer.ggml.pre"]) != ("gpt2", "smollm"):
        sys.exit(f"{GGUF}: the tokenizer is not gpt2 with smollm's split")
    tokens, types = meta["tokenizer.ggml.tokens"], meta["tokenizer.ggml.token_type"]
    merges = [tuple(merge.split(" ")) for merge in meta["tokenizer.ggml.merges"]]
    bpe = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    bpe.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ])
    bpe.decoder = decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, types) if kind == gguf.TokenType.CONTROL]
    bpe.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in control])
    if meta["tokenizer.ggml.add_bos_token"]:
        sys.exit(f"{GGUF}: wants a BOS token, which is not written here")
    return lambda text: bpe.encode(text, add_special_tokens=False).ids


def load_template(meta):
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    template = env.from_string(meta["tokenizer.chat_template"])
    return lambda messages: template.render(messages=messages, add_generation_prompt=True)


def write(path, golden):
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "made_with": {name: version(name) for name in ("mlx", "mlx-lm", "tokenizers", "jinja2")},
        "model": GGUF, "sampled": SAMPLED, "stride": STRIDE,
    }
    lines = ",\n".join(json.dumps(prompt) for prompt in golden)
    path.write_text(json.dumps(head)[:-1] + ',\n"prompts": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
