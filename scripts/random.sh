#!/bin/sh
# Analyses random programs and compares the answers with native runs on all inputs.
#
#     scripts/random.sh [COUNT [SEED]]
#
# Without arguments 2000 programs from seed 1, which takes about an hour. A wrong answer is
# shown with the smallest program that is answered wrongly; the status is then not 0.
set -eu
cd "$(dirname "$0")/.."
count=${1:-2000}
seed=${2:-1}
# A process keeps the terms of large runs, so that each has a hundred programs only.
while [ "$count" -gt 0 ]; do
    batch=$((count < 100 ? count : 100))
    THOROUGH=1 RANDOM_PROGRAMS=$batch RANDOM_SEED=$seed RANDOM_MILLISECONDS=2000 \
        cargo test --test all random_programs:: -- --nocapture
    count=$((count - batch))
    seed=$((seed + batch))
done
