"""Judges JSON texts by python-jsonschema, for the tests of jsonmask.

Each line of the input is {"schema": a file, "texts": [...]}; the answer to it is one line
too, a list with null for a text that is valid and else what is wrong with it. A schema
may refer to the files beside it, by their names or by the ids that they have.
"""

import json
import pathlib
import re
import sys

import jsonschema._keywords
import jsonschema._legacy_keywords
import jsonschema._utils
import jsonschema.validators
import referencing
import referencing.exceptions


# The classes of ECMA-262 in Python's syntax, as they stand within brackets.
SPACES = r"\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NO_SPACES = r"\0-\x08\x0e-\x1f!-\x9f\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
CLASSES = {"d": "0-9", "D": r"\0-/:-\U0010ffff", "w": "0-9A-Z_a-z", "W": r"\0-/:-@\[-\^`{-\U0010ffff", "s": SPACES, "S": NO_SPACES}


def ecma(pattern: str) -> str:
    """Returns a pattern of ECMA-262 as Python reads it."""
    out, at, bracket = [], 0, False
    while at < len(pattern):
        c = pattern[at]
        if c == "\\" and pattern[at + 1] in CLASSES:
            held = CLASSES[pattern[at + 1]]
            out.append(held if bracket else f"[{held}]")
            at += 1
        elif c == "\\":
            out.append(pattern[at : at + 2])
            at += 1
        elif c == "$" and not bracket:
            out.append(r"\Z")
        elif c == "." and not bracket:
            out.append(r"[^\n\r\u2028\u2029]")
        elif c == "[" and bracket:
            out.append(r"\[")
        else:
            bracket = c == "[" or bracket and c != "]"
            out.append(c)
        at += 1
    return "".join(out)


class Patterns:
    """Stands in for re where the judge looks for patterns."""

    @staticmethod
    def search(pattern: str, text: str):
        return re.search(ecma(pattern), text)


for module in (jsonschema._keywords, jsonschema._legacy_keywords, jsonschema._utils):
    module.re = Patterns


def beside(path: pathlib.Path, base: str, dialect: str):
    """Returns what retrieves the documents in the folder of a schema."""
    by_id = {}
    for file in sorted(path.parent.glob("*.json")):
        contents = json.loads(file.read_bytes())
        if isinstance(contents, dict):
            contents.setdefault("$schema", dialect)
            resource = referencing.Resource.from_contents(contents)
            by_id[base.rpartition("/")[0] + "/" + file.name] = resource
            if resource.id():
                by_id[resource.id()] = resource

    def retrieve(uri: str) -> referencing.Resource:
        if uri not in by_id:
            raise referencing.exceptions.NoSuchResource(ref=uri)
        return by_id[uri]

    return retrieve


def judge(path: pathlib.Path, texts: list[str]) -> list[str | None]:
    schema = json.loads(path.read_bytes())
    base = schema.get("$id") or schema.get("id") or ""
    registry = referencing.Registry(retrieve=beside(path, base, schema["$schema"]))
    validator = jsonschema.validators.validator_for(schema)(schema, registry=registry)
    out = []
    for text in texts:
        error = next(validator.iter_errors(json.loads(text)), None)
        out.append(None if error is None else f"{error.json_path}: {error.message}"[:300])
    return out


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(judge(pathlib.Path(asked["schema"]), asked["texts"])), flush=True)
