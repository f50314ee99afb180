#!/bin/sh
# Sets the machine up and runs every test, each on a part of what it knows; `scripts/thorough.sh` runs them on all.
# Arguments go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
# What is compiled once needs no incremental state, which takes time and gigabytes.
[ -e target/debug/incremental ] || export CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-0}"
cargo test --workspace "$@"
