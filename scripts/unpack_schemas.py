"""Writes the JSON schemas of a wheel into a folder: unpack_schemas.py WHEEL FOLDER.

A schema is a file whose $schema is a draft that is not older than draft-04. Files keep
their place below the folder that holds all of them.
"""

import json
import os
import pathlib
import sys
import zipfile


def schemas(wheel: zipfile.ZipFile) -> dict[str, bytes]:
    found = {}
    for name in sorted(wheel.namelist()):
        if not name.endswith(".json"):
            continue
        data = wheel.read(name)
        schema = json.loads(data)
        draft = schema.get("$schema") if isinstance(schema, dict) else None
        if isinstance(draft, str) and "json-schema.org" in draft and "draft-03" not in draft:
            found[name] = data
    return found


def main() -> None:
    wheel, folder = sys.argv[1:]
    with zipfile.ZipFile(wheel) as archive:
        found = schemas(archive)
    if not found:
        sys.exit(f"unpack_schemas.py: {wheel} has no schemas")
    above = os.path.commonpath([os.path.dirname(name) for name in found])
    for name, data in found.items():
        to = pathlib.Path(folder, os.path.relpath(name, above))
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)


if __name__ == "__main__":
    main()
