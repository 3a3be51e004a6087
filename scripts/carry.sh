#!/usr/bin/env bash
# Tests and times the kernels of packed rows on a machine that has no Go and not this
# repository: `make carry` puts what it runs beside it. A folder with SmolLM2 in it, as
# `make models` fills one, adds the tests and timings on real weights.
set -uo pipefail
models="${1:+$(realpath "$1")}"
cd "$(dirname "$0")"
status=0
run() { # NAME COMMAND...
	local name="$1"
	shift
	echo "== $name"
	"$@" || { status=1 && echo "carry.sh: $name failed, and goes on" >&2; }
}
grep -m1 'model name' /proc/cpuinfo
# Two threads of one core share its arithmetic: what is measured on them is one core.
allowed=$(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status)
siblings=$(cat /sys/devices/system/cpu/cpu*/topology/thread_siblings_list 2>/dev/null | sort -u | tr '\n' ' ')
echo "runs on processors $allowed; threads, by core: ${siblings:-not said}"
echo "cores: $(nproc); load: $(cut -d' ' -f1-3 /proc/loadavg)"
run "what this processor has" ./ref.test -test.v -test.run '^TestPackedSets$'
run "every set of kernels gives the same bits" ./ref.test -test.v -test.run '^(TestPackedProduct|TestPackedPaths|TestPackedConforms|TestQuantise|TestPlainBlocks|TestKernelsAreOne)$'
run "the same without AVX-512" env GODEBUG=cpu.avx512f=off ./ref.test -test.run '^(TestPackedProduct|TestPackedPaths)$'
run "a block, on one core" ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedBlocks$' -test.benchtime 1x -rounds 20
run "steps of several rows, random weights" ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedForward$' -test.benchtime 1x
run "the same on two cores" env GOMAXPROCS=2 ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedForward$' -test.benchtime 1x
if [[ -n $models ]]; then
	export FORETOKEN_MODELS="$models"
	run "SmolLM2: every set gives the same bits" ./ref.test -test.v -test.run '^TestPackedPathsOnSmolLM2$'
	run "SmolLM2: steps of several rows" env GOMAXPROCS=2 ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedSmolLM2$' -test.benchtime 1x
fi
exit "$status"
