#!/usr/bin/env bash
# Tests and times the kernels of packed rows on a machine that has no Go and not this
# repository: `make carry` puts what it runs beside it. A folder with SmolLM2 in it, as
# `make models` fills one, adds the tests and timings on real weights. It runs on two
# processors of different cores, or on those of PAIR (0,2); PROFILE names a file for a
# CPU profile of the last timing. Two to three minutes.
set -uo pipefail
models="${1:+$(realpath "$1")}"
profile="${PROFILE:+$(realpath -m "$PROFILE")}"
cd "$(dirname "$0")"
status=0
pin=()
run() { # NAME COMMAND...
	local name="$1"
	shift
	echo "== $name"
	"${pin[@]}" "$@" || { status=1 && echo "carry.sh: $name failed, and goes on"; }
}
processors() { # LIST: 0-2,5 becomes 0 1 2 5
	local part
	for part in ${1//,/ }; do seq "${part%-*}" "${part#*-}"; done
}
siblings() { cat "/sys/devices/system/cpu/cpu$1/topology/thread_siblings_list" 2>/dev/null || echo "$1"; }
# count takes the time of a loop in microseconds, on a processor.
count() { taskset -c "$1" bash -c 's=${EPOCHREALTIME/./}; for ((i = 0; i < 200000; i++)); do :; done; echo $((${EPOCHREALTIME/./} - s))'; }
# slowed is what a loop takes on one processor while another is busy, in per cent of
# what it takes alone.
slowed() {
	local alone both busy
	alone=$(count "$1")
	taskset -c "$2" bash -c 'while :; do :; done' &
	busy=$!
	both=$(count "$1")
	kill "$busy" && wait "$busy" 2>/dev/null
	echo $((100 * both / alone))
}
# Two threads of one core share its arithmetic: what is measured on them is one core.
choose() {
	local allowed first other tried=0 s best=1000
	allowed=$(processors "$(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status)")
	first=${allowed%%[[:space:]]*}
	for other in $allowed; do
		[[ $other == "$first" || " $(processors "$(siblings "$first")" | tr '\n' ' ') " == *" $other "* ]] && continue
		s=$(slowed "$first" "$other")
		echo "processors $first and $other: a loop takes $s % beside another of what it takes alone"
		((s < best)) && best=$s && PAIR="$first,$other"
		((best < 115 || ++tried == 6)) && break
	done
	((best < 125)) || echo "WARNING: no two processors of different cores found: a step of several rows takes longer than it would on two"
}
grep -m1 'model name' /proc/cpuinfo
echo "processors: $(nproc); load: $(cut -d' ' -f1-3 /proc/loadavg)"
if command -v taskset >/dev/null; then
	[[ -n ${PAIR:-} ]] || choose
	[[ -z ${PAIR:-} ]] || pin=(taskset -c "$PAIR")
fi
echo "runs on processors ${PAIR:-that the system chooses}"
run "what this processor has" ./ref.test -test.v -test.run '^TestPackedSets$'
run "every set of kernels gives the same bits" ./ref.test -test.v -test.run '^(TestPackedProduct|TestPackedPaths|TestPackedConforms|TestQuantise|TestPlainBlocks|TestKernelsAreOne)$'
run "the same without AVX-512" env GODEBUG=cpu.avx512f=off ./ref.test -test.run '^(TestPackedProduct|TestPackedPaths)$'
[[ -z $models ]] || run "SmolLM2: every set gives the same bits" env FORETOKEN_MODELS="$models" ./ref.test -test.v -test.run '^TestPackedPathsOnSmolLM2$'
run "a block, on one core" ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedBlocks$' -test.benchtime 1x -rounds 6
run "steps of several rows, random weights" env GOMAXPROCS=2 ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedForward$' -test.benchtime 1x -rounds 20
if [[ -n $models ]]; then
	run "steps of several rows, SmolLM2" env GOMAXPROCS=2 FORETOKEN_MODELS="$models" ./ref.test -test.run '^$' -test.bench '^BenchmarkPackedSmolLM2$' -test.benchtime 1x -rounds 20 ${profile:+-test.cpuprofile "$profile"}
fi
((status == 0)) && echo "carry.sh: all tests passed" || echo "carry.sh: SOMETHING FAILED: see above"
exit "$status"
