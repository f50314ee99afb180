#!/bin/sh
# Runs the tests on all that they know instead of a part (THOROUGH=1), one part after the other, and says how many
# seconds each took. The parts together take the better part of an hour on two processors.
#
#     scripts/thorough.sh            everything
#     scripts/thorough.sh PART...    these parts: modules of tests/main.rs, or `rooms`, which are the unit tests
#
# The status is 1 if a part fails; the parts after it are run all the same.
set -eu
cd "$(dirname "$0")/.."
export THOROUGH=1

modules=$(sed -n 's/^mod \([a-z_]*\);$/\1/p' tests/main.rs | grep -v '^support$')
[ $# -gt 0 ] || set -- rooms tables $modules
cargo test --workspace --no-run
failed=
for part in "$@"; do
    started=$(date +%s)
    case $part in
    rooms) cargo test --quiet --workspace --lib ;;
    tables) cargo test --quiet -p compact-se-reproduce --test tables ;;
    *) cargo test --quiet --test all "$part::" ;;
    esac || failed="$failed $part"
    echo "$part: $(($(date +%s) - started)) s"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2 && exit 1; }
