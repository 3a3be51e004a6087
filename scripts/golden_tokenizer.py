"""Makes the golden files of model/tokenizer from the reference programs.

    golden_tokenizer.py MODELS [NAME...]

MODELS is where scripts/models.py and scripts/tokenizers.sh put their files. A
NAME is smollm2 (the GGUF, encoded by llama.cpp's own library), qwen3, llama3,
llama2, gemma3 (tokenizer.json, by Python's tokenizers), small (the hand-made
files in testdata) or chat (templates, by Jinja2); without one all are made.
Needs what scripts/golden_tokenizer.txt pins. The strings are not kept: corpus
below and corpus_test.go make the same ones.
"""

import datetime
import hashlib
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "model" / "tokenizer" / "testdata"
FRAGMENTS = json.loads((ROOT / "fragments.json").read_text())
STRINGS, BLOCK, FULL = 10000, 100, 200
MASK = (1 << 64) - 1


class SplitMix:
    """SplitMix64 (Steele et al. 2014): a few lines in any language."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return self.next() % n

    def pick(self, items):
        return items[self.below(len(items))]


KINDS = ["prose", "prose", "code", "code", "cjk", "emoji", "space", "marks", "digits", "range", "special"]


def fragment(r, special):
    kind = r.pick(KINDS)
    if kind == "space":
        return r.pick(FRAGMENTS["space"]) * (1 + r.below(6))
    if kind == "marks":
        text = r.pick(FRAGMENTS["base"])
        count = 1 + r.below(3)
        if r.below(50) == 0:
            count += 40
        for _ in range(count):
            text += r.pick(FRAGMENTS["mark"])
        return text
    if kind == "digits":
        digits = 1 + r.below(12)
        return str(r.below(10 ** digits))
    if kind == "range":
        low, high = r.pick(FRAGMENTS["ranges"])
        count = 1 + r.below(4)
        return "".join(chr(low + r.below(high - low + 1)) for _ in range(count))
    if kind == "special":
        return r.pick(special)
    return r.pick(FRAGMENTS[kind])


def corpus(i, special):
    r = SplitMix(i)
    text = ""
    for _ in range(1 + r.below(10)):
        if text and r.below(3) > 0:
            text += " "
        text += fragment(r, special)
    return text


def sequence(i, vocab):
    """Ids to decode: half of them low ones, where vocabularies keep bytes."""
    r = SplitMix(i + (1 << 32))
    return [r.below(min(300, vocab)) if r.below(2) else r.below(vocab) for _ in range(1 + r.below(12))]


def hashes(lines):
    """The first 8 bytes of the SHA-256 of every BLOCK lines."""
    out = []
    for at in range(0, len(lines), BLOCK):
        data = "".join(line + "\n" for line in lines[at:at + BLOCK]).encode()
        out.append(hashlib.sha256(data).hexdigest()[:16])
    return out


def golden(name, reference, encode, decode, vocab, special):
    strings = [corpus(i, special) for i in range(STRINGS)]
    parsed = [encode(s, True) for s in strings]
    plain = [encode(s, False) for s in strings]
    sequences = [sequence(i, vocab) for i in range(STRINGS)]
    line = lambda ids: ",".join(map(str, ids))
    out = {
        "reference": reference,
        "vocab": vocab,
        "strings": STRINGS,
        "block": BLOCK,
        "text": hashes([s.encode().hex() for s in strings])[:1],
        "special": hashes([line(ids) for ids in parsed]),
        "plain": hashes([line(ids) for ids in plain]),
        "decode": hashes([decode(ids, False).encode().hex() for ids in sequences]),
        "skip": hashes([decode(ids, True).encode().hex() for ids in sequences]),
        "ids": [line(ids) for ids in parsed[:FULL]],
        "texts": [decode(ids, False) for ids in sequences[:FULL // 4]],
    }
    write(ROOT / f"{name}.json", out)


def write(path, out):
    path.write_text(json.dumps(out, ensure_ascii=True, indent=0) + "\n")
    print(path.name, path.stat().st_size)


def hugging_face(folder, name):
    import tokenizers
    tok = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))

    def encode(text, special):
        tok.encode_special_tokens = not special
        return tok.encode(text, add_special_tokens=False).ids

    vocab = max(tok.get_vocab(with_added_tokens=True).values()) + 1
    golden(name, f"tokenizers {tokenizers.__version__}", encode,
           lambda ids, skip: tok.decode(ids, skip_special_tokens=skip), vocab, FRAGMENTS["special"][name])


class LlamaCpp:
    """llama.cpp's tokenizer, by the C functions of the library in an npm package."""

    def __init__(self, folder, path):
        import ctypes as c
        for name in ["libggml-base.so", "libggml.v0.5.0.so"]:
            ggml = c.CDLL(str(folder / name), c.RTLD_GLOBAL)
        ggml.ggml_backend_load_all_from_path(str(folder).encode())
        self.c, self.lib = c, c.CDLL(str(folder / "libllama.v0.5.0.so"))
        # The parameters go as they come, so any size that is large enough does.
        params = type("Params", (c.Structure,), {"_fields_": [("data", c.c_uint8 * 512)]})
        self.lib.llama_model_default_params.restype = params
        self.lib.llama_model_load_from_file.argtypes = [c.c_char_p, params]
        for f in [self.lib.llama_model_load_from_file, self.lib.llama_model_get_vocab]:
            f.restype = c.c_void_p
        self.lib.llama_backend_init()
        model = self.lib.llama_model_load_from_file(str(path).encode(), self.lib.llama_model_default_params())
        if not model:
            sys.exit(f"{path}: llama.cpp does not load it")
        self.vocab = c.c_void_p(self.lib.llama_model_get_vocab(c.c_void_p(model)))
        self.size = self.lib.llama_vocab_n_tokens(self.vocab)

    def encode(self, text, special):
        data = text.encode()
        room = len(data) + 16
        out = (self.c.c_int32 * room)()
        n = self.lib.llama_tokenize(self.vocab, data, len(data), out, room, self.c.c_bool(False), self.c.c_bool(special))
        assert n >= 0
        return list(out[:n])

    def decode(self, ids, skip):
        room = 64 + 512 * len(ids)
        out = self.c.create_string_buffer(room)
        n = self.lib.llama_detokenize(self.vocab, (self.c.c_int32 * len(ids))(*ids), len(ids), out, room,
                                      self.c.c_bool(False), self.c.c_bool(not skip))
        assert n >= 0
        return out.raw[:n].decode("utf-8", errors="replace")


def smollm2(models):
    package = models / "tokenizers" / "llama.cpp"
    version = json.loads((package / "package.json").read_text())
    release = json.loads((package / "bins/linux-x64/_nlcBuildMetadata.json").read_text())["buildOptions"]["llamaCpp"]["release"]
    ref = LlamaCpp(package / "bins" / "linux-x64", models / "SmolLM2-135M-Instruct" / "SmolLM2-135M-Instruct.Q4_1.gguf")
    golden("smollm2", f"llama.cpp {release} by {version['name']} {version['version']}", ref.encode, ref.decode,
           ref.size, FRAGMENTS["special"]["smollm2"])


def main():
    models = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or ["smollm2", "qwen3", "llama3", "llama2", "gemma3", "small", "chat"]
    for name in names:
        if name == "smollm2":
            smollm2(models)
        elif name == "small":
            small()
        elif name == "chat":
            chat(models)
        else:
            hugging_face(models / "tokenizers" / name, name)


if __name__ == "__main__":
    main()
