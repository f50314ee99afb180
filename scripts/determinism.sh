#!/bin/sh
# Whether records depend on how busy the machine is: every program of c-benchmarks and tests/corpus
# with several seeds, once by itself and once beside four busy processes for each processor.
#
#   scripts/determinism.sh [SECONDS] [SEEDS] [PROGRAMS...]
#
# A run that its limit of SECONDS ends (default 600) may differ, and is counted apart. Prints the
# programs whose records differ, times and memory apart, and exits with 1 if there are any. It
# needs `cargo build --release`.
set -eu
cd "$(dirname "$0")/.."

limit=${1:-600}
seeds=${2:-10}
[ $# -lt 2 ] || shift 2
[ $# -gt 0 ] || set -- c-benchmarks/*.c tests/corpus/*/*.c
tool=target/release/compact-se
[ -x "$tool" ] || {
    echo "$tool is missing: run cargo build --release first" >&2
    exit 2
}
records=$(mktemp -d)
busy=
trap 'rm -rf "$records"; [ -z "$busy" ] || kill $busy' EXIT INT TERM

# record FILE PROGRAM SEED: what a run leaves without times, which are the only fractions, and
# without memory.
record() {
    target=$(sed -n 's|^// target: ||p' "$2")
    "$tool" analyze "$2" --timeout "$limit" --jobs 1 --seed "$3" ${target:+--target "$target"} \
        --json "$records/json" >/dev/null 2>&1 || true
    grep -vE '"peak_memory_bytes"|: [0-9]+\.[0-9]+(e-?[0-9]+)?,?$' "$records/json" >"$1"
    rm "$records/json"
}

same=0 different=0 limited=0
for program in "$@"; do
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        record "$records/quiet" "$program" "$seed"
        n=$(($(nproc) * 4))
        while [ "$n" -gt 0 ]; do
            sh -c 'while :; do :; done' &
            busy="$busy $!"
            n=$((n - 1))
        done
        record "$records/busy" "$program" "$seed"
        kill $busy
        wait $busy 2>/dev/null || true
        busy=
        if cmp -s "$records/quiet" "$records/busy"; then
            same=$((same + 1))
        elif grep -qE '"out-of-(time|memory)"' "$records/quiet" "$records/busy"; then
            limited=$((limited + 1))
        else
            different=$((different + 1))
            echo "$program differs with seed $seed:"
            diff "$records/quiet" "$records/busy" | head -20
        fi
        seed=$((seed + 1))
    done
done
echo "$same records are the same, $different differ, $limited differ that a limit ended"
[ "$different" -eq 0 ]
