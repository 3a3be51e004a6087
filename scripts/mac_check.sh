#!/usr/bin/env bash
# What an owner of a Mac can run to say how this does on Metal, which the project
# has not been run on: the engine's tests, the parity matrix and the cost curve.
# What they say goes to a folder of results to send back. The matrix is the longest of it;
# LIMIT prompts of each domain and TOKENS of each make it shorter.
set -uo pipefail
cd "$(dirname "$0")/.."
to="results/mac-$(date +%Y%m%d-%H%M%S)"
mkdir -p "$to"
status=0
run() { # NAME COMMAND...
	local name="$1"
	shift
	echo "== $name: $*"
	"$@" 2>&1 | tee "$to/$name.txt" || { status=1 && echo "mac_check.sh: $name failed, and goes on" >&2; }
}
run machine sh -c 'uname -a; sysctl -n machdep.cpu.brand_string hw.memsize 2>/dev/null; brew list --versions mlx mlx-c 2>/dev/null; go version; true'
run version bin/foretoken version
run tests make test-mlx
run parity bin/foretoken parity experiments/parity/smollm2.yaml ${LIMIT:+--limit "$LIMIT"} ${TOKENS:+--max-tokens "$TOKENS"} --out "$to/parity.json"
run cost bin/foretoken cost mlx:SmolLM2-135M-Instruct
run cost-bf16 bin/foretoken cost mlx-bf16:SmolLM2-135M-Instruct
echo "== send back the folder $to"
exit "$status"
