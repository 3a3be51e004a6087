#!/usr/bin/env bash
# Gets the JSON-Schema-Test-Suite, inside the source archive of the Python package
# jsonschema, into models/. It is read there and not unpacked; what is there and has
# the right sha256 is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
to="${FORETOKEN_MODELS:-models}"
archive=jsonschema-4.26.0.tar.gz
sum="0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326"
holds() { sha256sum --check --status <<<"$sum  $1/$archive" 2>/dev/null; }

if holds "$to"; then exit 0; fi
mkdir -p "$to"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
echo "$to/$archive: with pip"
"${PYTHON:-python3}" -m pip download --quiet --no-deps --no-binary jsonschema jsonschema==4.26.0 -d "$work"
if ! holds "$work"; then
	echo "schemas.sh: $archive does not have the sha256 that is known" >&2
	exit 1
fi
mv "$work/$archive" "$to/$archive"
