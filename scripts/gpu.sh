#!/usr/bin/env bash
# Figures of a machine with an NVIDIA GPU and no network.
#
#   gpu.sh pack [3.12]   here: what that machine needs, for its Python, into .gpu/0, .gpu/1,
#                        ..., folders of at most 40 MiB that can be sent one by one
#   gpu.sh run OUT       there, from the top of the project with all of .gpu: plain and
#                        speculative speed against mlx-lm and verify costs, bf16 and 4 bit,
#                        into the folder OUT
#
# That machine has Python with numpy, transformers and a PyTorch for CUDA 13, whose
# libraries MLX takes. Parts of run: STEPS="speed cost sample", BITS="bf16 4bit"; LIMIT
# prompts of each domain, TOKENS each, REPEATS times. DEVICE=cpu runs the same here, on
# what make mlx made, to try the script: a CPU takes minutes for bf16 and hours for 4 bit.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "gpu.sh: $*" >&2; exit 1; }
say() { echo "gpu.sh: $*"; }

mlx=0.32.2 # as in constraints.txt
target=SmolLM2-135M-Instruct
draft=model/drafters/smollm2-two-model/model.gguf

pack() {
	local python="${1:-3.12}" stage=.gpu/stage
	[ -f .tools/mlx/lib/libmlxc.so ] || die "no libmlxc: make mlx"
	[ -d "models/$target" ] || die "no models/$target: make models"
	rm -rf .gpu && mkdir -p "$stage/lib" "$stage/models"
	GOEXPERIMENT=simd CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -o "$stage/foretoken" ./cmd/foretoken
	cp .tools/mlx/lib/libmlxc.so "$stage/lib"
	cp -rL "models/$target" models/prompts "$stage/models"
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-compile --only-binary=:all: --implementation cp \
		--python-version "$python" --platform manylinux_2_35_x86_64 --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 \
		--platform manylinux2014_x86_64 --target "$stage/site" \
		"mlx==$mlx" "mlx-cuda-13==$mlx" "mlx-lm==$mlx" "$(grep '^gguf==' scripts/constraints.txt)"
	say "packing $(du -sm "$stage" | cut -f1) MiB"
	tar -C "$stage" -c . | xz -T0 -4 | split -b 40M -d -a 2 - .gpu/part
	rm -rf "$stage"
	local i=0
	for part in .gpu/part*; do
		mkdir ".gpu/$i" && mv "$part" ".gpu/$i/"
		i=$((i + 1))
	done
	say "$i parts in .gpu"
}

# unpack makes $home of the parts, once.
unpack() {
	home="${TMPDIR:-/tmp}/foretoken-gpu"
	[ -f "$home/whole" ] && return
	ls .gpu/*/part* >/dev/null 2>&1 || die "no parts in .gpu: gpu.sh pack makes them, and all are wanted"
	rm -rf "$home" && mkdir -p "$home"
	cat $(ls .gpu/*/part* | sort -t/ -k3) | xz -dc | tar -C "$home" -x || die "the parts in .gpu are not whole: $(ls .gpu/*/part* | wc -l) are there"
	touch "$home/whole"
}

# setting finds what the steps call.
setting() {
	python="$PWD/.venv/bin/python" foretoken="$PWD/bin/foretoken"
	if [ "${DEVICE:-gpu}" = cpu ]; then
		go build -trimpath -o bin/foretoken ./cmd/foretoken
		export FORETOKEN_MLX="${FORETOKEN_MLX:-$PWD/.tools/mlx/lib}" FORETOKEN_MLX_DEVICE=cpu
		return
	fi
	unpack
	foretoken="$home/foretoken" python="$home/python"
	local libraries
	libraries="$(python3 -c 'import glob, site, sysconfig; print(":".join(sorted({p for s in {sysconfig.get_path("purelib"), *site.getsitepackages()} for p in glob.glob(s + "/nvidia/*/lib")})))')"
	[ -n "$libraries" ] || die "python3 has no libraries of CUDA: want one with a PyTorch for CUDA 13"
	export LD_LIBRARY_PATH="$home/site/mlx/lib:$libraries:${LD_LIBRARY_PATH:-}" FORETOKEN_MLX="$home/lib" FORETOKEN_MODELS="$home/models" FORETOKEN_MLX_DEVICE=gpu
	printf '#!/bin/sh\nexport PYTHONPATH=%q\nexec python3 "$@"\n' "$home/site" >"$python"
	chmod +x "$python"
}

run() {
	local to="${1:?gpu.sh run OUT}" failed=0
	mkdir -p "$to"
	setting
	step() { # a file's name, and a command whose output goes there
		say "$*"
		local file="$to/$1" began=$SECONDS
		shift
		"$@" >"$file" 2>"$to/log" || { failed=1; say "failed:"; tail -n 5 "$to/log"; }
		say "$((SECONDS - began)) s"
	}
	step about.txt "$foretoken" version
	{ nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true; uname -m; nproc; } >>"$to/about.txt"
	local some=(--python "$python" --repeats "${REPEATS:-2}")
	[ -z "${LIMIT:-}" ] || some+=(--limit "$LIMIT")
	[ -z "${TOKENS:-}" ] || some+=(--max-tokens "$TOKENS")
	for what in ${STEPS:-speed cost sample}; do
		case "$what" in
		speed)
			for bits in ${BITS:-bf16 4bit}; do
				step "speed-$bits.txt" "$foretoken" speed "experiments/parity/gpu-$bits.yaml" "${some[@]}" --out "$to/speed-$bits.json"
				rm -f "$to/speed-$bits.txt" # the .md has it
			done ;;
		cost)
			for bits in ${BITS:-bf16 4bit}; do
				step "cost-$bits.txt" "$foretoken" cost "mlx-$bits:$target" --draft-model "mlx-bf16:$draft" -n "${ROWS:-16}" --repeats "${COSTS:-30}" --tokens "${TOKENS:-64}"
			done ;;
		sample) # where distributions are better built
			: >"$to/sample.txt"
			for where in host device; do
				FORETOKEN_MLX_SAMPLE=$where step "part.txt" "$foretoken" generate -m "mlx-bf16:$target" "Once upon a time" --ignore-eos --temperature 0.8 --top-p 0.9 \
					--max-tokens "${TOKENS:-256}" --seed 1 --rounds
				{ echo "$where:"; tail -n 12 "$to/log"; tail -n 3 "$to/part.txt"; } >>"$to/sample.txt"
				rm -f "$to/part.txt"
			done ;;
		*) die "no step $what: want speed, cost or sample" ;;
		esac
	done
	rm -f "$to/log"
	return $failed
}

case "${1:-}" in
pack | run) "$@" ;;
*) die "want pack or run: see the head of this script" ;;
esac
