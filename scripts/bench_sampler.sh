#!/usr/bin/env bash
# bench sampler on a machine that has neither Go, nor a C compiler, nor a network: one
# with other vectors than this one, say.
#
#   bench_sampler.sh pack [DIR]   here: what that machine needs, into DIR (.bench), some
#                                 12 MiB; LLAMA_CPP_LIB names a libllama to take along
#   bench_sampler.sh run OUT      there, from DIR: the tests of every vector path that the
#                                 machine has, then the table, into OUT
#
# That machine has xz, and Python 3 with numpy for the peers; of mlx-lm what its Python
# has. ROUNDS (9) and TIMES (15) are those of bench sampler.
set -euo pipefail
die() { echo "bench_sampler.sh: $*" >&2; exit 1; }

pack() {
	mkdir -p "${1:-.bench}"
	to="$(cd "${1:-.bench}" && pwd)"
	cd "$(dirname "$0")/.."
	stage="$(mktemp -d)"
	trap 'rm -rf "$stage"' EXIT
	export CGO_ENABLED=0 GOOS=linux GOARCH=amd64
	overlay="$(mktemp -d)"
	trap 'rm -rf "$stage" "$overlay"' EXIT
	bash scripts/without_pair.sh "$overlay"
	GOEXPERIMENT=simd go build -trimpath -ldflags "-s -w" -overlay "$overlay/overlay.json" -o "$stage/foretoken" ./cmd/foretoken
	GOEXPERIMENT= go build -trimpath -ldflags "-s -w" -overlay "$overlay/overlay.json" -o "$stage/foretoken-plain" ./cmd/foretoken
	GOEXPERIMENT=simd go test -c -trimpath -o "$stage/sampler.test" ./sampler
	cp -r sampler/testdata "$stage/testdata"
	git describe --always --dirty >"$stage/revision"
	local bound=experiments/bench/bound/bound.c cc="${CC:-cc} -O3 -static"
	$cc -mavx2 -mfma -o "$stage/bound-avx2" "$bound" -lm
	$cc -march=x86-64-v4 -o "$stage/bound-avx512" "$bound" -lm
	if [ -n "${LLAMA_CPP_LIB:-}" ]; then
		mkdir "$stage/llama"
		cp -L "$LLAMA_CPP_LIB" "$stage/llama/libllama.so"
		ldd "$LLAMA_CPP_LIB" | awk '$1 ~ /^lib(ggml|gomp)/ && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
			cp -L "$path" "$stage/llama/$name"
		done
		strip --strip-unneeded "$stage"/llama/*
	fi
	# A window over all of it, as the two programs hold the same models.
	tar -C "$stage" -c . | xz -T1 -6 --lzma2=dict=96MiB >"$to/packed.tar.xz"
	cp scripts/bench_sampler.sh "$to/"
	du -sh "$to"
}

run() {
	local to="${1:?bench_sampler.sh run OUT}" failed=0
	mkdir -p "$to"
	to="$(cd "$to" && pwd)"
	cd "$(dirname "$0")"
	here="$(mktemp -d)"
	trap 'rm -rf "$here"' EXIT
	xz -dc packed.tar.xz | tar -C "$here" -x || die "packed.tar.xz is not whole"
	cd "$here"
	{
		./foretoken version
		echo "packed at $(cat revision)"
		grep -m1 '^model name' /proc/cpuinfo
		grep -m1 -o -w 'avx512f' /proc/cpuinfo || echo "no avx512f"
		nproc
		uptime
	} >"$to/about.txt"
	cat "$to/about.txt"
	for off in "" cpu.avx512f=off cpu.avx2=off,cpu.avx512f=off; do
		echo "the sampler's tests, GODEBUG=$off"
		GODEBUG=$off ./sampler.test -test.v >"$to/test${off:+-${off//[.,=]/-}}.txt" 2>&1 || { failed=1; grep -A5 -e '--- FAIL' -e '^panic' "$to"/test*.txt | head -40; }
	done
	if grep -q -w avx512vl /proc/cpuinfo && ! grep -q 'kernels: AVX-512$' "$to/test.txt"; then
		echo "this machine has AVX-512, and what was tested is not that" >&2
		failed=1
	fi
	./sampler.test -test.run '^$' -test.bench 'Kernels|SamplingDistribution' >"$to/kernels.txt" 2>&1 || failed=1
	local bound=bound-avx2 python=
	python=$(command -v "${PYTHON:-python3}") || echo "no ${PYTHON:-python3}, so no numpy, mlx-lm and llama.cpp beside it" >&2
	! grep -q -w avx512vl /proc/cpuinfo || bound=bound-avx512
	if [ -d llama ]; then
		export LLAMA_CPP_LIB="$here/llama/libllama.so" LD_LIBRARY_PATH="$here/llama${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
	fi
	./foretoken bench sampler --bound "./$bound" --plain ./foretoken-plain ${python:+--python "$python"} \
		--rounds "${ROUNDS:-9}" --times "${TIMES:-15}" --out "$to" || failed=1
	return $failed
}

case "${1:-}" in
pack | run) "$@" ;;
*) die "want pack or run: see the head of this script" ;;
esac
