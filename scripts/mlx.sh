#!/usr/bin/env bash
# Gets the MLX engine: libmlxc, into .tools/mlx. On Linux it is built from the
# mlx-c source in a crate of crates.io, against the wheel of MLX in .venv, and
# OpenBLAS is taken from the system's packages; on macOS it is Homebrew's. What is
# there already is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

mlx=0.32.2    # MLX, as in constraints.txt
crate=0.7.0   # mlx-sys, which carries mlx-c 0.7.0: made for this MLX
sum=da965f83ce211b80f9b681d9bbd6fa625fe6bb2e659ba7bc55dd95eea8d3b028
to="$PWD/.tools/mlx"

say() { echo "mlx.sh: $*"; }
die() { echo "mlx.sh: $*" >&2; exit 1; }

if [ "$(uname -s)" = Darwin ]; then
	command -v brew >/dev/null || die "no brew, which gets MLX: see brew.sh, then 'brew install mlx-c'"
	have="$(brew list --versions mlx mlx-c || true)"
	[[ "$have" == *"mlx-c "* ]] || die "no mlx-c: 'brew install mlx-c'"
	[[ "$have" == *"mlx $mlx"* ]] || die "brew has $(tr '\n' ' ' <<<"$have"): want mlx $mlx"
	mkdir -p "$to/lib"
	ln -sf "$(brew --prefix mlx-c)/lib/libmlxc.dylib" "$to/lib/libmlxc.dylib"
	say "libmlxc is Homebrew's"
	exit
fi
[ "$(uname -s)" = Linux ] || die "no MLX for $(uname -s): want Linux or macOS"

# OpenBLAS stands in for the wheel's reference BLAS.
package=libopenblas0-pthread
if ! compgen -G "/usr/lib/*/openblas-pthread/libopenblas.so.0" >/dev/null; then
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || die "no OpenBLAS: install $package, as root"
	say "installing $package"
	apt-get install -y -qq "$package" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq "$package" >/dev/null; }
fi

# -I, since the folder mlx/ here is none of Python's.
wheel="$(.venv/bin/python -I -c 'import importlib.util as u; print(u.find_spec("mlx").submodule_search_locations[0])' 2>/dev/null)" ||
	die "no mlx in .venv: run 'make mlx', which makes it from scripts/constraints.txt"
found="$(.venv/bin/python -I -c 'import importlib.metadata as m; print(m.version("mlx"))')"
[ "$found" = "$mlx" ] || die "the wheel is MLX $found: want $mlx, as in scripts/constraints.txt"

# What the library that is there was built from.
stamp="mlx-sys $crate, MLX $mlx, $wheel"
if [ -f "$to/lib/libmlxc.so" ] && [ "$(cat "$to/stamp" 2>/dev/null)" = "$stamp" ]; then
	say "$to/lib/libmlxc.so is up to date"
	exit
fi
for tool in cargo:cargo cmake:cmake g++:g++; do
	command -v "${tool%:*}" >/dev/null || die "no ${tool%:*}: install Debian's package ${tool#*:}"
done

say "fetching the source of mlx-c (crate mlx-sys $crate)"
work="$to/work"
rm -rf "$work" && mkdir -p "$work/fetch/src" "$to/lib"
cat >"$work/fetch/Cargo.toml" <<TOML
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[dependencies]
mlx-sys = "=$crate"
[workspace]
TOML
: >"$work/fetch/src/lib.rs"
# cargo holds what it downloads against the checksum in Cargo.lock.
(cd "$work/fetch" && cargo fetch --quiet)
grep -A 3 '^name = "mlx-sys"' "$work/fetch/Cargo.lock" | grep -q "checksum = \"$sum\"" ||
	die "mlx-sys $crate has not the checksum that is known"
manifest='import json, sys; print(*[p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "mlx-sys"])'
source="$(dirname "$(cargo metadata --format-version 1 --offline --manifest-path "$work/fetch/Cargo.toml" | .venv/bin/python -I -c "$manifest")")/src/mlx-c"
[ -f "$source/CMakeLists.txt" ] || die "no mlx-c in $source"

say "building libmlxc against $wheel"
log="$work/log"
{
	cmake -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
		-DMLX_C_BUILD_EXAMPLES=OFF -DMLX_C_USE_SYSTEM_MLX=ON -DMLX_DIR="$wheel/share/cmake/MLX" \
		-DCMAKE_CXX_FLAGS="-include $PWD/scripts/mlxc/format.h" -DCMAKE_BUILD_RPATH="$wheel/lib" &&
		nice cmake --build "$work/build" --parallel "${JOBS:-2}" --target mlxc
} >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "libmlxc did not build: $log"; }
mv "$work/build/libmlxc.so" "$to/lib/libmlxc.so"
rm -rf "$work"
echo "$stamp" >"$to/stamp"
say "built $to/lib/libmlxc.so"
