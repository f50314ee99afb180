#!/bin/sh
# Makes tests/queries: small path conditions of our own programs, with their answers.
#
#   scripts/queries.sh [PROGRAM OF COMPACT-SE] [FOLDER FOR ALL QUERIES]
#
# Every program of c-benchmarks and tests/corpus is analysed with --log-queries; of each, the
# largest condition of up to 6,000 bytes is taken for each answer, with quantifiers and without.
# An answer is kept only when it is proven twice: `sat` by a model that the exact evaluator
# confirmed, `unsat` by the whole chain and by Z3 on the formula as it stands.
set -eu
cd "$(dirname "$0")/.."
tool=${1:-target/release/compact-se}
all=${2:-target/queries}
chosen=tests/queries
max_bytes=6000
[ -x "$tool" ] || { echo "no program $tool: cargo build --release" >&2; exit 1; }
mkdir -p "$chosen"

# The formula without names and times: two queries of one shape count once.
shape() {
    grep -v '^;' "$1" | sed 's/|[^|]*|/|x|/g; s/bv[0-9]*/bv/g' | cksum
}

answer() {
    "$tool" solve "$@" --timeout 3 2>/dev/null | sed -n 's/^\(sat\|unsat\) .*/\1/p'
}

proven() {
    case $2 in
    sat) [ "$(answer "$1")" = sat ] ;;
    unsat)
        [ "$(answer "$1")" = unsat ] &&
            [ "$(answer "$1" --without independent --without cache --without sums --without quantifiers)" = unsat ]
        ;;
    esac
}

shapes=$all/shapes
mkdir -p "$all"
: >"$shapes"
for program in c-benchmarks/*.c tests/corpus/*/*.c; do
    name=$(basename "$program" .c)
    folder=$all/$name
    ! grep -qxF "$name" "$shapes" || continue
    echo "$name" >>"$shapes"
    if [ ! -d "$folder" ]; then
        mkdir -p "$folder"
        "$tool" analyze "$program" --timeout 3 --query-work 2 --log-queries "$folder" \
            >/dev/null 2>&1 || true
    fi
    for status in sat unsat; do
        for kind in quantified plain; do
            # The largest first; a few are tried.
            tried=0
            find "$folder" -name "*-$status.smt2" -size -$((max_bytes))c -printf '%s %p\n' |
                sort -k1,1nr -k2 | cut -d' ' -f2 |
                while read -r query; do
                    if grep -q forall "$query"; then is=quantified; else is=plain; fi
                    [ $is = $kind ] || continue
                    key=$(shape "$query")
                    ! grep -qxF "$key" "$shapes" || continue
                    tried=$((tried + 1))
                    [ $tried -le 2 ] || break
                    if proven "$query" $status; then
                        echo "$key" >>"$shapes"
                        grep -v '^;' "$query" >"$chosen/$name-$kind-$status.smt2"
                        break
                    fi
                done
        done
    done
done
echo "$(find $chosen -name '*.smt2' | wc -l) path conditions in $chosen"
