#!/usr/bin/env bash
# Gets the MLX engine: libmlxc, into .tools/mlx. It is built from the mlx-c source in a
# crate of crates.io, against the wheel of MLX in .venv; on macOS Homebrew's is taken
# where it is of that MLX. On Linux OpenBLAS is taken from the system's packages. What is
# there already is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

mlx=0.32.2    # MLX, as in constraints.txt
crate=0.7.0   # mlx-sys, which carries mlx-c 0.7.0: made for this MLX
sum=da965f83ce211b80f9b681d9bbd6fa625fe6bb2e659ba7bc55dd95eea8d3b028
to="$PWD/.tools/mlx"

say() { echo "mlx.sh: $*"; }
die() { echo "mlx.sh: $*" >&2; exit 1; }

# Before anything is fetched: what building takes, and what will be installed.
if [ "${1:-}" = --tools ]; then
	missing=()
	for tool in cargo cmake g++; do
		command -v "$tool" >/dev/null || missing+=("$tool")
	done
	[ ${#missing[@]} = 0 ] || [ -f "$to/stamp" ] ||
		die "no ${missing[*]}: install them first (Debian's packages have the same names; Homebrew's rust and cmake, Xcode's command line tools)"
	say "installs mlx and mlx-lm into .venv/ (about 400 MB), libmlxc into .tools/mlx, and on Linux the system's package libopenblas0-pthread"
	exit
fi

library=libmlxc.so
case "$(uname -s)" in
Darwin)
	library=libmlxc.dylib
	have="$(brew list --versions mlx mlx-c 2>/dev/null || true)"
	if [[ "$have" == *"mlx-c "* && "$have" == *"mlx $mlx"* ]]; then
		mkdir -p "$to/lib"
		ln -sf "$(brew --prefix mlx-c)/lib/$library" "$to/lib/$library"
		say "libmlxc is Homebrew's"
		exit
	fi
	say "Homebrew has ${have:-neither mlx nor mlx-c}: want mlx $mlx and its mlx-c, so it is built" ;;
Linux)
	# OpenBLAS stands in for the wheel's reference BLAS.
	package=libopenblas0-pthread
	if ! compgen -G "/usr/lib/*/openblas-pthread/libopenblas.so.0" >/dev/null; then
		[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || die "no OpenBLAS: install $package, as root"
		say "installing $package"
		apt-get install -y -qq "$package" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq "$package" >/dev/null; }
	fi ;;
*) die "no MLX for $(uname -s): want Linux or macOS" ;;
esac

# -I, since the folder mlx/ here is none of Python's.
wheel="$(.venv/bin/python -I -c 'import importlib.util as u; print(u.find_spec("mlx").submodule_search_locations[0])' 2>/dev/null)" ||
	die "no mlx in .venv: run 'make mlx', which makes it from scripts/constraints.txt"
found="$(.venv/bin/python -I -c 'import importlib.metadata as m; print(m.version("mlx"))')"
[ "$found" = "$mlx" ] || die "the wheel is MLX $found: want $mlx, as in scripts/constraints.txt"

# What the library that is there was built from.
stamp="mlx-sys $crate, MLX $mlx, $wheel"
if [ -f "$to/lib/$library" ] && [ "$(cat "$to/stamp" 2>/dev/null)" = "$stamp" ]; then
	say "$to/lib/$library is up to date"
	exit
fi
for tool in cargo cmake g++; do
	command -v "$tool" >/dev/null || die "no $tool: install it (Debian's package has the same name; Homebrew's rust and cmake, Xcode's command line tools)"
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
(cd "$work/fetch" && cargo fetch --quiet) || die "cargo did not get mlx-sys $crate: it needs the network, or a registry that cargo is set to"
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
mv "$work/build/$library" "$to/lib/$library"
rm -rf "$work"
echo "$stamp" >"$to/stamp"
say "built $to/lib/$library"
