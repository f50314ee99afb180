#!/bin/sh
# Breaks the rules of templates one at a time; the differential tests must notice each.
#
# `scripts/mutation.sh` tries all mutations (some minutes each: each one compiles the library),
# `scripts/mutation.sh WORD` those whose name contains the word. Sources are restored afterwards.
set -eu
cd "$(dirname "$0")/.."

wanted=${1:-}
survivors=0
rooms=src/template
saved=$(mktemp -d)
cp -r "$rooms" "$saved/template"
restore() {
    cp -r "$saved/template/." "$rooms/"
}
trap 'restore; rm -rf "$saved"' EXIT INT TERM

# mutate NAME FILE FROM TO: replaces FROM, which must be there, by TO, and runs the tests.
mutate() {
    case $1 in
    *"$wanted"*) ;;
    *) return 0 ;;
    esac
    if ! grep -qF -- "$3" "$rooms/$2"; then
        echo "$1: $2 does not contain: $3" >&2
        exit 2
    fi
    FROM=$3 TO=$4 perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$rooms/$2"
    if ! cargo test --quiet --test differential --no-run >"$saved/log" 2>&1; then
        cat "$saved/log" >&2
        echo "$1: the mutation does not compile" >&2
        exit 2
    fi
    if cargo test --quiet --test differential >"$saved/log" 2>&1; then
        echo "$1: SURVIVES"
        survivors=$((survivors + 1))
    else
        echo "$1: noticed"
    fi
    restore
}

mutate arithmetic progression.rs 'let sum = pool.mul(kappa, d);' 'let sum = d;'
mutate polynomial progression.rs 'pool.extract(1, width, product)' 'pool.extract(0, width, product)'
mutate geometric progression.rs 'pool.power(&factor, kappa)' 'pool.power(&factor.not(), kappa)'
mutate alternating progression.rs 'pool.ite(odd, other, start)' 'pool.ite(odd, start, other)'
mutate reset progression.rs 'IndexMap::from([(self.kappa, previous)])' \
    'IndexMap::from([(self.kappa, if pool.is_true(previous) { previous } else { kappa })])'
mutate comprehension comprehension.rs 'pool.ult(round, kappa_term)' 'pool.ule(round, kappa_term)'
mutate sum progression.rs 'pool.sum_below(tau, kappa, d)' \
    '{ let one = pool.bv(pool.width(kappa), 1); let more = pool.add(kappa, one); pool.sum_below(tau, more, d) }'
mutate flag progression.rs 'pool.exists_below(tau, kappa, raised)' 'pool.forall_below(tau, kappa, raised)'
mutate reset_chain progression.rs 'let rounds = (1_u128 << period) + before;' \
    'let rounds = (1_u128 << period) + before.min(1);'
mutate merged_value cases.rs 'pool.ite(condition, then, otherwise)' 'pool.ite(condition, otherwise, then)'
mutate merged_condition cases.rs 'pool.conj(common.into_iter().chain([rest]))' \
    'let _ = common; pool.conj([rest])'
mutate merged_ways merge.rs 'let condition = any(pool, cases);' \
    'let condition = any(pool, cases[..1].to_vec());'
mutate kept_cell merge.rs 'values.into_iter().map(|value| value.unwrap_or(kept))' \
    'values.iter().map(|value| value.or(values[0]).unwrap_or(kept))'
mutate inner_rounds explore.rs 'let rounds = certain_case(pool, oracle, state, rounds);' \
    'let one = pool.bv(pool.width(rounds), 1); let rounds = pool.add(rounds, one);'
mutate inner_condition explore.rs 'let condition = pool.conj(needed);' \
    'let condition = pool.conj(needed.into_iter().skip(1));'
mutate path_condition compute.rs 'Ok(pool.forall_below(tau, kappa, body))' \
    'let _ = (tau, body); Ok(TermId::TRUE)'
mutate kappa_width progression.rs '(period + pre_period + carried).min(64)' \
    '(period + pre_period + carried).min(3)'
mutate live_registers compute.rs '!kept.contains(&reg) ||' ''
mutate frame_number recursion/ascent.rs 'let highest = pool.sub(count, one);
    pool.sub(highest, kappa)' 'let _ = one; pool.sub(count, kappa)'
mutate order_of_returns progression.rs 'Rule::Comprehension | Rule::Reset => false' \
    'Rule::Comprehension | Rule::Reset => true'
mutate fixed_in_returns progression.rs 'Some(Found::Closed(rule, _)) => matches!(rule, Rule::Frame | Rule::Unchanged),' \
    'Some(Found::Closed(..)) => true,'
mutate depth_counts compute.rs 'Counting::Frames | Counting::Returns(..) => 64,' \
    'Counting::Frames | Counting::Returns(..) => 3,'
mutate tail recursion/compute.rs '&& ways.is_empty()' ''
mutate waiting_at recursion/meta.rs 'Bv::truth(position == number)' 'Bv::truth(position != number)'

echo "survivors: $survivors"
[ "$survivors" -eq 0 ]
