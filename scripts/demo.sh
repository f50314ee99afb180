#!/bin/sh
# From a fresh clone to a first verdict: sets the machine up, builds, and analyses a program.
# Another program and options: scripts/demo.sh c-benchmarks/hello.c --timeout 60
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
# setup.sh also finds a cargo that is installed but not in the search path yet.
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
cargo build --release

[ $# -gt 0 ] || set -- c-benchmarks/linSrch.c --target reach_error
printf '\n$ compact-se analyze %s\n' "$*"
status=0
target/release/compact-se analyze "$@" || status=$?

# The exit code is the verdict: 0 unreachable, 1 reachable, 3 unknown. Each of them is an answer,
# so only the code of an error makes the demonstration fail.
case $status in
0 | 1 | 3) ;;
*) exit "$status" ;;
esac
