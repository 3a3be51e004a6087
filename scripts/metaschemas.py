"""Writes the meta-schemas that jsonmask carries: metaschemas.py FILE.

They are those of drafts 4 to 2020-12 as json-schema.org publishes them and as the Python
package jsonschema-specifications has them, without what says nothing of a value: titles,
descriptions, comments and defaults. The schemas of the JSON Schema project may be
copied under the BSD licence or the Academic Free License 3.0.
"""

import json
import sys

import jsonschema_specifications

SILENT = ("title", "description", "$comment", "default", "deprecated", "readOnly", "writeOnly", "examples")
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas")


def plain(schema):
    """Returns a schema without annotations; members of NAMED are schemas by name."""
    if isinstance(schema, list):
        return [plain(x) for x in schema]
    if not isinstance(schema, dict):
        return schema
    out = {}
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            out[keyword] = {name: plain(x) for name, x in value.items()}
        elif keyword not in SILENT:
            out[keyword] = plain(value)
    return out


def main() -> None:
    found = {}
    for uri in sorted(jsonschema_specifications.REGISTRY):
        if "draft-03" not in uri:
            found[uri] = plain(jsonschema_specifications.REGISTRY[uri].contents)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("{\n")
        out.write(",\n".join(f"{json.dumps(uri)}: {json.dumps(schema, separators=(',', ':'))}" for uri, schema in found.items()))
        out.write("\n}\n")


if __name__ == "__main__":
    main()
