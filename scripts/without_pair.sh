#!/usr/bin/env bash
# without_pair.sh FOLDER writes FOLDER/overlay.json, with which go build -overlay leaves
# empty the pair of models that is within the program: for programs that are sent to
# machines where it is not asked for. FOLDER is an absolute path.
set -euo pipefail
: >"$1/empty"
cd "$(dirname "$0")/.."
find "$PWD/model/embedded/target" "$PWD/model/embedded/draft" -type f |
	sed 's|.*|"&": "'"$1"'/empty"|' | paste -sd, | sed 's|.*|{"Replace": {&}}|' >"$1/overlay.json"
