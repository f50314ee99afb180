#!/bin/sh
# Analyses random programs and compares the answers with native runs on all inputs.
#
#     scripts/random.sh [COUNT [SEED]]
#
# Without arguments 2000 programs from seed 1, which takes about an hour. A wrong answer is
# shown with the smallest program that is answered wrongly; the status is then not 0.
set -eu
cd "$(dirname "$0")/.."
RANDOM_PROGRAMS=${1:-2000} RANDOM_SEED=${2:-1} RANDOM_MILLISECONDS=2000 \
    exec cargo test --test random_programs -- --nocapture
