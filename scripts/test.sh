#!/bin/sh
# Sets the machine up and runs every test. Arguments go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."

scripts/setup.sh
PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
cargo test "$@"
