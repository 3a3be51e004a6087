#!/usr/bin/env bash
# Figures of a machine with an NVIDIA GPU and no network.
#
#   gpu.sh pack [3.12]   here: what that machine needs, for its Python, into .gpu/0, .gpu/1,
#                        ..., folders of at most PART (22) MiB that can be sent one by one
#   gpu.sh take          there, from the top of the project: keeps the parts that are in .gpu
#   gpu.sh run OUT       there, once all parts were taken: what STEPS name, in this order, each
#                        into files of its own in OUT as it ends
#
#     smoke   the engine's tests on that GPU, three minutes and more: of quantised weights each
#             size of a product is compiled anew there, half a minute
#     plain   plain decoding beside mlx-lm, bf16 and 4 bit
#     cost    what verifying 1 to 17 rows costs
#     draft   the trained drafters beside mlx-lm
#     agree   logits and texts against mlx-lm's
#     sample  distributions that the host builds, and the device
#
# That machine has Python with numpy, transformers and a PyTorch for CUDA 13, whose
# libraries MLX takes. BITS="bf16 4bit"; LIMIT prompts of each domain, TOKENS each, REPEATS
# times: on an H200 a prompt of 96 tokens takes the two of plain 1 s, the six of draft 3 s,
# and a model 15 s to be opened. GPU=90 is the compute capability whose kernels are packed. DEVICE=cpu runs the same
# here, on what make mlx made, to try the script; SLOW=9 gives each step nine times as long.
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
	rm -rf "$stage" .gpu/[0-9]* && mkdir -p "$stage/lib"
	[ -f .gpu/models.tar.xz ] || { # whose weights do not pack
		tar -C . -chf - "models/$target" models/prompts | xz -T0 -0 >.gpu/part && mv .gpu/part .gpu/models.tar.xz
	}
	bash scripts/without_pair.sh "$PWD/.gpu"
	export GOEXPERIMENT=simd CGO_ENABLED=0 GOOS=linux GOARCH=amd64
	go build -trimpath -ldflags '-s -w' -overlay .gpu/overlay.json -o "$stage/foretoken" ./cmd/foretoken
	go test -c -trimpath -ldflags '-s -w' -overlay .gpu/overlay.json -tags mlx -o "$stage/llama.test" ./mlx/llama
	rm .gpu/overlay.json .gpu/empty
	cp .tools/mlx/lib/libmlxc.so "$stage/lib"
	.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --no-compile --only-binary=:all: --implementation cp \
		--python-version "$python" --platform manylinux_2_35_x86_64 --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 \
		--platform manylinux2014_x86_64 --target "$stage/site" \
		"mlx==$mlx" "mlx-cuda-13==$mlx" "mlx-lm==$mlx" "$(grep '^gguf==' scripts/constraints.txt)"
	python3 scripts/one_gpu.py "$stage/site/mlx/lib/libmlx.so" "${GPU:-90}"
	say "packing $(du -sm "$stage" | cut -f1) MiB"
	tar -C "$stage" -c . | xz -T0 -6 --block-size=16MiB | cat .gpu/models.tar.xz - | split -b "${PART:-22}M" -d -a 2 - .gpu/part
	rm -rf "$stage"
	local i=0
	for part in .gpu/part*; do
		mkdir ".gpu/$i" && mv "$part" ".gpu/$i/"
		i=$((i + 1))
	done
	say "$i parts in .gpu, $(du -cm .gpu/[0-9]* | tail -n 1 | cut -f1) MiB"
}

home="${TMPDIR:-/tmp}/foretoken-gpu"

take() {
	mkdir -p "$home-parts"
	cp .gpu/*/part* "$home-parts"
	say "have $(ls "$home-parts" | tr '\n' ' ')"
}

# unpack makes $home of the parts, once.
unpack() {
	[ -f "$home/whole" ] && return
	ls .gpu/*/part* >/dev/null 2>&1 && take
	ls "$home-parts"/part* >/dev/null 2>&1 || die "no parts: gpu.sh pack makes them, and all are wanted"
	rm -rf "$home" && mkdir -p "$home"
	cat "$home-parts"/part* | xz -T0 -dc | tar -C "$home" -xi || die "the parts are not whole: there are $(ls "$home-parts" | tr '\n' ' ')"
	touch "$home/whole"
}

# setting finds what the steps call.
setting() {
	python="$PWD/.venv/bin/python" foretoken="$PWD/bin/foretoken" program="$PWD/bin/llama.test"
	if [ "${DEVICE:-gpu}" = cpu ]; then
		export GOEXPERIMENT=simd CGO_ENABLED=0
		go build -trimpath -o "$foretoken" ./cmd/foretoken
		go test -c -trimpath -tags mlx -o "$program" ./mlx/llama
		export FORETOKEN_MLX="${FORETOKEN_MLX:-$PWD/.tools/mlx/lib}" FORETOKEN_MLX_DEVICE=cpu
		return
	fi
	unpack
	foretoken="$home/foretoken" python="$home/python" program="$home/llama.test"
	local libraries
	libraries="$(python3 -c 'import glob, site, sysconfig; print(":".join(sorted({p for s in {sysconfig.get_path("purelib"), *site.getsitepackages()} for p in glob.glob(s + "/nvidia/*/lib")})))')"
	[ -n "$libraries" ] || die "python3 has no libraries of CUDA: want one with a PyTorch for CUDA 13"
	export LD_LIBRARY_PATH="$home/site/mlx/lib:$home/site/mlx_cuda_13.libs:$libraries:${LD_LIBRARY_PATH:-}" FORETOKEN_MLX="$home/lib" FORETOKEN_MODELS="$home/models" FORETOKEN_MLX_DEVICE=gpu
	printf '#!/bin/sh\nexport PYTHONPATH=%q\nexec python3 "$@"\n' "$home/site" >"$python"
	chmod +x "$python"
}

# step runs a command for so many seconds at most; its output goes to a file, and what it
# says meanwhile to the same name with .log.
step() { # SECONDS FILE COMMAND...
	local most="$1" file="$to/$2" began=$SECONDS
	shift 2
	say "$*"
	timeout -s INT -k 5 "$((most * ${SLOW:-1}))" "$@" >"$file" 2>"${file%.*}.log" || { failed=1 && say "failed:" && tail -n 4 "${file%.*}.log"; }
	say "$((SECONDS - began)) s"
}

smoke() { # in float32 proper; the tests in the order of what they are worth, those first that are quick
	: >"$to/smoke.txt"
	for tests in 'TestConforms|TestHeadAgreesWithRef' TestAgreesWithRef 'TestKVBitsTrim|TestKVBitsConforms' 'TestGreedyReads|TestFused|TestAttendsByFew|Test.*Pipelined' TestPlans TestQuantisedAgreesWithRef TestPackedAgreesWithRef; do
		MLX_ENABLE_TF32=0 step 150 smoke-part.txt "$program" -test.v -test.run "^($tests)"
		grep -E '^ *(--- |[a-z_]+_test.go)' "$to/smoke-part.txt" | tee -a "$to/smoke.txt" || true
	done
	rm -f "$to/smoke-part.txt"
}

race() { # SECONDS NAME CONFIG FLAGS...
	local most="$1" name="$2" config="experiments/parity/gpu-$3.yaml"
	shift 3
	step "$most" "$name.txt" "$foretoken" speed "$config" --python "$python" "${some[@]}" "$@" --out "$to/$name.json"
	cat "$to/$name.txt"
}

run() {
	to="${1:?gpu.sh run OUT}" failed=0
	mkdir -p "$to"
	setting
	say "ready after $SECONDS s"
	step 60 about.txt "$foretoken" version
	{ nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || true; uname -m; nproc; } >>"$to/about.txt"
	some=()
	[ -z "${TOKENS:-}" ] || some+=(--max-tokens "$TOKENS")
	for what in ${STEPS:-smoke plain cost draft agree sample}; do
		for bits in ${BITS:-4bit bf16}; do
			case "$what" in
			smoke | sample) "$what" && break ;;
			plain) race 120 "plain-$bits" "$bits" --plain --limit "${LIMIT:-2}" --repeats "${REPEATS:-2}" ;;
			cost) step 90 "cost-$bits.txt" "$foretoken" cost "mlx-$bits:$target" --draft-model "mlx-bf16:$draft" -n "${ROWS:-17}" --repeats "${COSTS:-20}" --tokens "${TOKENS:-64}" ;;
			draft) race 180 "draft-$bits" "$bits" --limit "${LIMIT:-4}" --repeats "${REPEATS:-1}" ;;
			agree) # mlx-lm with MLX's own attention too: of every length cuDNN's begins with a second of planning
				MLX_CUDA_USE_CUDNN_SDPA=0 step 120 "agree-$bits.txt" "$foretoken" parity "experiments/parity/gpu-$bits.yaml" --python "$python" "${some[@]}" --limit "${LIMIT:-1}" --out "$to/agree-$bits.json"
				tail -n 4 "$to/agree-$bits.txt" ;;
			*) die "no step $what: see the head of this script" ;;
			esac
		done
	done
	say "done after $SECONDS s"
	return $failed
}

sample() { # where distributions are better built
	for where in host device; do
		FORETOKEN_MLX_SAMPLE=$where step 40 "sample-$where.txt" "$foretoken" generate -m "mlx-bf16:$target" "Once upon a time" --ignore-eos --temperature 0.8 --top-p 0.9 \
			--max-tokens "${TOKENS:-256}" --seed 1 --rounds
	done
}

case "${1:-}" in
pack | take | run) "$@" ;;
*) die "want pack, take or run: see the head of this script" ;;
esac
