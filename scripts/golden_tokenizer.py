"""Makes the golden files of model/tokenizer from the reference programs.

    golden_tokenizer.py MODELS [NAME...]

MODELS is where scripts/models.py and scripts/tokenizers.sh put their files. A
NAME is smollm2 (the GGUF, encoded by llama.cpp's own library), qwen3, llama3,
llama2, gemma3 (tokenizer.json, by Python's tokenizers), small (the hand-made
files in testdata), chat (templates, by Jinja2) or one of GGUFS below; without one all are made.
Needs what scripts/constraints.txt pins and, for the GGUFs, what tokenizers.sh
--reference gets. The strings are not kept: corpus
below and corpus_test.go make the same ones.
"""

import hashlib
import json
import pathlib
import sys
import tempfile

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


def golden(name, reference, encode, decode, vocab, special, count=STRINGS):
    strings = [corpus(i, special) for i in range(count)]
    parsed = [encode(s, True) for s in strings]
    plain = [encode(s, False) for s in strings]
    sequences = [sequence(i, vocab) for i in range(count)]
    line = lambda ids: ",".join(map(str, ids))
    out = {
        "reference": reference,
        "vocab": vocab,
        "strings": count,
        "block": BLOCK,
        "text": hashes([s.encode().hex() for s in strings[:BLOCK]]),
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


def hugging_face(folder, name, count=STRINGS):
    import tokenizers
    tok = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))

    def encode(text, special):
        tok.encode_special_tokens = not special
        return tok.encode(text, add_special_tokens=False).ids

    vocab = max(tok.get_vocab(with_added_tokens=True).values()) + 1
    golden(name, f"tokenizers {tokenizers.__version__}", encode,
           lambda ids, skip: tok.decode(ids, skip_special_tokens=skip), vocab, FRAGMENTS["special"][name], count)


def small():
    """Tokenizers of our own, trained on the fragments: every component that the
    package has, in files small enough to keep."""
    import tokenizers
    from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

    cut = Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    lines = [s for kind in ["prose", "code", "cjk", "emoji"] for s in FRAGMENTS[kind]]
    token = lambda text, **flags: AddedToken(text, **{"normalized": False, "special": False, **flags})
    all_bytes = pre_tokenizers.ByteLevel.alphabet()
    fallback = ["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)]

    def make(name, model, size, alphabet, first, added, **parts):
        tok = tokenizers.Tokenizer(model)
        for part, value in parts.items():
            setattr(tok, part, value)
        tok.train_from_iterator(lines, trainers.BpeTrainer(
            vocab_size=size, show_progress=False, initial_alphabet=alphabet, special_tokens=first,
            continuing_subword_prefix=model.continuing_subword_prefix or "", end_of_word_suffix=model.end_of_word_suffix or ""))
        return tok, added

    def keep(name, tok, added, change=lambda file: None):
        tok.add_tokens(added)
        file = json.loads(tok.to_str())
        # The trainer makes its special tokens added ones; bytes are none.
        file["added_tokens"] = [a for a in file["added_tokens"] if not a["content"].startswith("<0x")]
        change(file)
        (ROOT / name).mkdir(exist_ok=True)
        path = ROOT / name / "tokenizer.json"
        if not path.exists():  # trained once: the trainer settles ties otherwise each time
            path.write_text(json.dumps(file, ensure_ascii=False, separators=(",", ":")) + "\n")
        hugging_face(ROOT / name, name, 1000)

    keep("bytelevel", *make(
        "bytelevel", models.BPE(), 420, all_bytes, ["<s>", "</s>"],
        [token("<mask>", lstrip=True, rstrip=True, special=True), token("<one>", single_word=True),
         token("<think>"), token("<é>", normalized=True), token("ﬁn", normalized=True)],
        normalizer=normalizers.NFC(),
        pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Split(cut, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]),
        decoder=decoders.ByteLevel(),
        post_processor=processors.Sequence([processors.ByteLevel(), processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])])),
        lambda file: file["model"].update(ignore_merges=True, merges=file["model"]["merges"][:-40]))
    keep("spm", *make(
        "spm", models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True), 640, [], fallback,
        [token("[INST]"), token("<tool>", normalized=True)],
        normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])),
        lambda file: file["model"]["vocab"].update({"<no byte>": file["model"]["vocab"].pop("<0xE4>")}))
    keep("metaspace", *make(
        "metaspace", models.BPE(unk_token="[UNK]"), 200, list("abcdefghijklmnopqrstuvwxyz▁"), ["[UNK]"],
        [token("[CLS]", special=True), token("Day", normalized=True), token("Tuesday", normalized=True, single_word=True)],
        normalizer=normalizers.Sequence([normalizers.NFKD(), normalizers.Lowercase(),
                                         normalizers.Replace(Regex(r"\s+"), " "), normalizers.Strip(left=False, right=True)]),
        pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="first"), pre_tokenizers.Digits(individual_digits=True)]),
        decoder=decoders.Metaspace(prepend_scheme="first")))
    keep("words", *make(
        "words", models.BPE(unk_token="<unk>", fuse_unk=True, continuing_subword_prefix="##"), 300, [], ["<unk>", "<eos>"], [],
        normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.NFKC()]),
        pre_tokenizer=pre_tokenizers.Sequence([
            pre_tokenizers.Split(",", "merged_with_next"), pre_tokenizers.Split(Regex("-"), "merged_with_previous"),
            pre_tokenizers.Split(Regex("[^;]+"), "removed", invert=True), pre_tokenizers.Punctuation("contiguous"),
            pre_tokenizers.Digits(), pre_tokenizers.Whitespace()])))


class LlamaCpp:
    """llama.cpp's tokenizer, by the C functions of the library in an npm package."""

    def __init__(self, package, path, vocab_only=False):
        folder, self.types = package / "bins" / "linux-x64", {}
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
        wanted = self.lib.llama_model_default_params()
        wanted.data[72] = vocab_only  # its place in this release
        model = self.lib.llama_model_load_from_file(str(path).encode(), wanted)
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
        """The pieces, as a server streams them: llama_detokenize would also drop the
        spaces before punctuation for some models. SentencePiece's kind, 1 here, puts a
        space before a text, which goes. llama.cpp also takes any token spelled like an
        end for a control token, "</s>" in Qwen3's words: here the file's types count."""
        out, strip = b"", self.lib.llama_vocab_type(self.vocab) == 1
        for token in ids:
            room = self.c.create_string_buffer(1024)
            show = not skip or self.types.get(token) == 1
            n = self.lib.llama_token_to_piece(self.vocab, token, room, 1024, int(strip), self.c.c_bool(show))
            assert n >= 0
            special = self.lib.llama_vocab_get_attr(self.vocab, token) & (1 | 8)  # unknown, control
            strip = strip and bool(skip and special)
            out += room.raw[:n]
        return out.decode("utf-8", errors="replace")

    def golden(self, name, count=STRINGS):
        golden(name, self.name, self.encode, self.decode, self.size, FRAGMENTS["special"][name.removeprefix("gguf-").partition("+")[0]], count)


def llama_cpp(models, path, vocab_only):
    package = models / "tokenizers" / "llama.cpp"
    release = json.loads((package / "bins/linux-x64/_nlcBuildMetadata.json").read_text())["buildOptions"]["llamaCpp"]["release"]
    version = json.loads((package / "package.json").read_text())
    ref = LlamaCpp(package, path, vocab_only)
    ref.name = f"llama.cpp {release} by {version['name']} {version['version']}"
    return ref


def smollm2(models):
    llama_cpp(models, models / "SmolLM2-135M-Instruct" / "SmolLM2-135M-Instruct.Q4_1.gguf", False).golden("smollm2")


# The vocabularies that are written as a GGUF, and the name of their cut; gguf_test.go
# has the same. Without one it is SentencePiece's kind, later tokens scoring lower.
GGUFS = {"gguf-spm": None, "gguf-bytelevel": "llama-bpe", "gguf-llama2": None, "gguf-llama3": "llama-bpe", "gguf-qwen3": "qwen2",
         "gguf-bytelevel+tekken": "tekken", "gguf-bytelevel+deepseek-llm": "deepseek-llm", "gguf-bytelevel+deepseek-coder": "deepseek-coder", "gguf-bytelevel+default": "default"}


def vocabulary(models, name):
    """Encodes by llama.cpp with a tokenizer.json written as a GGUF."""
    import gguf
    base, pre = name.removeprefix("gguf-").partition("+")[0], GGUFS[name]
    own = (ROOT / base).exists()
    file = json.loads(((ROOT if own else models / "tokenizers") / base / "tokenizer.json").read_text())
    pieces = {i: (t, 1) for t, i in file["model"]["vocab"].items()}
    if not pre:
        pieces = {i: (t.replace("<no byte>", "<0xE4>"), 1) for i, (t, _) in pieces.items()}
        pieces = {i: (t, 6 if len(t) == 6 and t.startswith("<0x") else 1) for i, (t, _) in pieces.items()}
    for a in file["added_tokens"]:
        control = a["special"] or a["content"].startswith("<|")  # so llama.cpp's converter
        pieces[a["id"]] = (a["content"], 2 if a["content"] == "<unk>" else 3 if control else 4)
    with tempfile.NamedTemporaryFile(suffix=".gguf") as out:
        w = gguf.GGUFWriter(out.name, "llama")
        w.add_tokenizer_model("gpt2" if pre else "llama")
        w.add_token_list([pieces[i][0] for i in range(len(pieces))])
        w.add_token_types([pieces[i][1] for i in range(len(pieces))])
        if pre:
            w.add_tokenizer_pre(pre)
            w.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in file["model"]["merges"]])
        else:
            w.add_token_scores([float(-i) for i in range(len(pieces))])
        w.write_header_to_file()
        w.write_kv_data_to_file()
        w.close()
        ref = llama_cpp(models, out.name, True)
        ref.types = {i: kind for i, (_, kind) in pieces.items()}
        ref.golden(name, 1000 if own else STRINGS)


CONVERSATIONS = ROOT / "conversations.json"


def chat(models):
    """Renders the conversations as transformers does, with Jinja2."""
    import gguf
    import jinja2
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    env.filters["tojson"] = lambda v, indent=None: json.dumps(v, ensure_ascii=False, indent=indent)

    def fail(message):
        raise jinja2.exceptions.TemplateError(message)

    env.globals["raise_exception"] = fail
    smollm2 = gguf.GGUFReader(models / "SmolLM2-135M-Instruct" / "SmolLM2-135M-Instruct.Q4_1.gguf")
    config = lambda name: json.loads((models / "tokenizers" / name / "tokenizer_config.json").read_text())
    templates = {
        "smollm2": (smollm2.fields["tokenizer.chat_template"].contents(), "<|im_start|>", "<|im_end|>"),
        "qwen3": (config("qwen3")["chat_template"], "", "<|im_end|>"),
        "llama3": (config("llama3")["chat_template"], "<|begin_of_text|>", "<|end_of_text|>"),
    }
    out = {"reference": f"Jinja2 {jinja2.__version__}"}
    for name, (source, bos, eos) in templates.items():
        template = env.from_string(source)
        out[name] = []
        for c in json.loads(CONVERSATIONS.read_text()):
            variables = {"bos_token": bos, "eos_token": eos, "tools": None, **c}
            try:
                out[name].append(template.render(**variables))
            except Exception as e:  # a template refuses, or cannot
                out[name].append(None)
    write(ROOT / "chat.json", out)


def main():
    models = pathlib.Path(sys.argv[1])
    names = sys.argv[2:] or ["smollm2", "qwen3", "llama3", "llama2", "gemma3", "small", "chat", *GGUFS]
    for name in names:
        if name == "smollm2":
            smollm2(models)
        elif name in GGUFS:
            vocabulary(models, name)
        elif name == "small":
            small()
        elif name == "chat":
            chat(models)
        else:
            hugging_face(models / "tokenizers" / name, name)


if __name__ == "__main__":
    main()
