"""Makes the golden files of model/tokenizer/jinja with Jinja2, set up by transformers.

    golden_jinja.py [MODELS]

Without MODELS the files of our own expressions and templates are made. With it also
those of published templates, which scripts/templates.sh puts into MODELS/templates:
sums of their texts are kept in testdata, and the texts beside the templates, for a
look at a difference. Needs what scripts/constraints.txt pins.
"""

import copy
import datetime
import hashlib
import json
import pathlib
import sys

from transformers.utils import chat_template_utils

ROOT = pathlib.Path(__file__).resolve().parent.parent / "model" / "tokenizer" / "jinja" / "testdata"


class Fixed(datetime.datetime):
    """The time that goldens are made at."""

    @classmethod
    def now(cls, tz=None):
        return cls(2024, 7, 6, 15, 4, 9)


chat_template_utils.datetime = Fixed


def render(source, variables):
    """The text, or None where Jinja2 refuses, or where it writes an object's address."""
    try:
        text = chat_template_utils._compile_jinja_template(source).render(**copy.deepcopy(variables))
    except Exception:
        return None
    return None if " at 0x" in text else text


def read(path):
    with open(path, encoding="utf-8", newline="") as f:
        return f.read()


def write(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def ours():
    variables = json.loads(read(ROOT / "variables.json"))
    lines = [line for line in read(ROOT / "expressions.txt").split("\n") if line]
    write(ROOT / "expressions.json", {line: render("{{ " + line + " }}", variables) for line in lines})
    conversations = json.loads(read(ROOT / "conversations.json"))
    texts = {}
    for path in sorted((ROOT / "templates").glob("*.jinja")):
        texts[path.name] = [render(read(path), c) for c in conversations]
    write(ROOT / "templates.json", texts)


def published(folder):
    conversations = json.loads(read(ROOT / "conversations.json"))
    sums, texts = {}, {}
    for path in sorted(folder.glob("*/*.jinja")):
        name = path.relative_to(folder).as_posix()
        texts[name] = [render(read(path), c) for c in conversations]
        sums[name] = [None if t is None else hashlib.sha256(t.encode()).hexdigest()[:16] for t in texts[name]]
    write(folder / "golden.json", texts)
    (ROOT / "published.json").write_text("{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(s)}" for n, s in sums.items()) + "\n}\n")
    refused = sum(t is None for row in texts.values() for t in row)
    print(f"{len(texts)} templates, {len(conversations)} conversations, {refused} refusals")


ours()
if len(sys.argv) > 1:
    published(pathlib.Path(sys.argv[1]) / "templates")
