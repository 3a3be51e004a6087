"""Judges JSON texts by python-jsonschema, for the tests of jsonmask.

Each line of the input is {"schema": a file, "texts": [...]}; the answer to it is one line
too, a list with null for a text that is valid and else what is wrong with it. A schema
may refer to the files beside it, by their names or by the ids that they have.
"""

import json
import pathlib
import sys

import jsonschema.validators
import referencing
import referencing.exceptions


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
