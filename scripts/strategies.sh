#!/bin/sh
# How the default strategy was chosen: the programs of Table 1 with one choice changed at a time.
#
# `scripts/strategies.sh [SECONDS]` runs each program so long at most (default 20), two at a time,
# and prints a Markdown table: how many are decided as their heads say, and the time for all, where
# what is not decided counts with the limit. `results/strategies.md` has 60 seconds. It needs
# `cargo build --release`.
set -eu
cd "$(dirname "$0")/.."

limit=${1:-20}
tool=target/release/compact-se
[ -x "$tool" ] || {
    echo "$tool is missing: run cargo build --release first" >&2
    exit 2
}
programs='hello HW HWM matrIR matrIR_dyn VM VMS decode_packets WinDriver EQCNT EQCNTex OneLoop TwoLoops'
records=$(mktemp -d)
trap 'rm -rf "$records"' EXIT INT TERM

# measure NAME OPTIONS...: one line of the table.
measure() {
    name=$1
    shift
    rm -f "$records"/*.json
    for program in $programs; do echo "$program"; done |
        xargs -P 2 -I{} sh -c '
            tool=$1 limit=$2 records=$3 program=$4
            shift 4
            "$tool" analyze "c-benchmarks/$program.c" --timeout "$limit" "$@" \
                --json "$records/$program.json" >/dev/null 2>&1 || true' \
            sh "$tool" "$limit" "$records" {} "$@"
    decided=0 total=0 open=
    for program in $programs; do
        expected=$(sed -n 's|^// verdict: ||p' "c-benchmarks/$program.c")
        verdict=$(sed -n 's/^  "verdict": "\(.*\)",$/\1/p' "$records/$program.json")
        seconds=$(sed -n 's/^    "total": \([0-9.]*\).*/\1/p' "$records/$program.json")
        if [ "$verdict" = "$expected" ]; then
            decided=$((decided + 1))
        else
            open="$open $program" seconds=$limit
        fi
        total=$(echo "$total $seconds" | awk '{ print $1 + $2 }')
    done
    total=$(printf '%.0f' "$total")
    echo "| $name | ${*:--} | $decided | $total |${open:- -} |"
}

echo '| choice | options | decided of 13 | seconds for all | open |'
echo '| --- | --- | --: | --: | --- |'
measure 'as it comes'
measure 'oldest state first' --search bfs
measure 'newest state first' --search dfs
measure 'any state' --search random
measure 'first template that fits' --template-choice first
measure 'no state closed' --without=subsumption
measure 'no induction first' --without=induction
measure 'one action an edge' --granularity split
measure 'no templates' --classic
