#!/bin/sh
# Breaks the rules of templates one at a time; the differential tests must notice each.
#
#     scripts/mutation.sh > results/mutation.md    all mutations
#     scripts/mutation.sh WORD...                  those whose name contains one of the words
#
# The whole takes about an hour on two cores with other work, two minutes and more a mutation, since
# each compiles the library. Standard output is a table of what noticed each, made as it goes on. The
# status is 1 if a mutation survives and 2 if one cannot be tried: its text is not there exactly once,
# or the library does not compile with it. Sources are restored afterwards.
set -eu
cd "$(dirname "$0")/.."

wanted=$*
# Broken rules may make a test run for ever or fill the memory. Both count as noticed, since the
# rules as they are pass within the same limits.
n_seconds=600
n_kilobytes=8000000
rooms=src/template
n_tried=0
survivors=
errors=
saved=$(mktemp -d)
cp -r "$rooms" "$saved/template"
broken=
restore() {
    [ -z "$broken" ] || cp "$saved/template/$broken" "$rooms/$broken"
    broken=
}
tests=
trap '[ -z "$tests" ] || kill "$tests"; restore; rm -rf "$saved"' EXIT
trap 'exit 130' INT TERM

# What noticed something: a test that failed, or nothing. The tests after it are not waited for.
run_tests() {
    (
        ulimit -v "$n_kilobytes"
        exec timeout "$n_seconds" cargo test --test differential
    ) >"$saved/log" 2>&1 </dev/null &
    tests=$!
    while kill -0 "$tests" 2>/dev/null && ! grep -q '^test .* FAILED$' "$saved/log"; do
        sleep 1
    done
    kill "$tests" 2>/dev/null || true
    status=0
    wait "$tests" || status=$?
    tests=
    failed=$(sed -n 's/^test \(.*\) \.\.\. FAILED$/`\1`/p' "$saved/log" | head -n 1)
    case $status in
    0) noticed= ;;
    124) noticed="the limit of $n_seconds s" ;;
    *) noticed=${failed:-status $status} ;;
    esac
}

is_wanted() {
    [ -n "$wanted" ] || return 0
    for word in $wanted; do
        case $1 in
        *"$word"*) return 0 ;;
        esac
    done
    return 1
}

row() {
    echo "| $1 | $2 | $3 |"
}

cannot_try() {
    echo "$1: $2" >&2
    row "$1" "$3" "not tried: $2"
    errors="$errors $1"
}

# mutate NAME FILE FROM TO: replaces FROM, which must be there once, by TO, and runs the tests.
mutate() {
    is_wanted "$1" || return 0
    n_tried=$((n_tried + 1))
    broken=$2
    if ! FROM=$3 TO=$4 perl -0777 -pi -e \
        's/\Q$ENV{FROM}\E/$ENV{TO}/g == 1 or $bad = 1; END { exit $bad }' "$rooms/$2"; then
        cannot_try "$1" "the text to replace is not there exactly once" "$2"
    elif ! cargo test --quiet --test differential --no-run >"$saved/log" 2>&1; then
        cat "$saved/log" >&2
        cannot_try "$1" "it does not compile" "$2"
    else
        run_tests
        row "$1" "$2" "${noticed:-**survives**}"
        [ -n "$noticed" ] || survivors="$survivors $1"
    fi
    restore
}

cat <<END
# Mutations of the rules of templates

Made by \`scripts/mutation.sh\`: each mutation breaks one rule in \`$rooms\`, and the differential
tests are run until one fails.

| mutation | in | noticed by |
| --- | --- | --- |
END
run_tests
if [ -n "$noticed" ]; then
    cat "$saved/log" >&2
    echo "the tests do not pass as it is: $noticed" >&2
    exit 2
fi

mutate arithmetic progression.rs 'let sum = pool.mul(kappa, d);' 'let sum = d;'
mutate polynomial progression.rs 'let second = pool.mul(triangle, e);' \
    'let more = pool.add(triangle, kappa); let second = pool.mul(more, e);'
mutate geometric progression.rs 'pool.power(&factor, kappa)' 'pool.power(&factor.not(), kappa)'
mutate alternating progression.rs 'pool.ite(odd, other, start)' 'pool.ite(odd, start, other)'
mutate reset progression.rs 'IndexMap::from([(self.kappa, previous)])' \
    'IndexMap::from([(self.kappa, if pool.is_true(previous) { previous } else { kappa })])'
mutate comprehension comprehension.rs 'pool.ult(iteration, kappa_term)' 'pool.ule(iteration, kappa_term)'
mutate sum progression.rs 'pool.sum_below(tau, kappa, d)' \
    '{ let one = pool.bv(pool.width(kappa), 1); let more = pool.add(kappa, one); pool.sum_below(tau, more, d) }'
mutate flag progression.rs 'pool.exists_below(tau, kappa, raised)' 'pool.forall_below(tau, kappa, raised)'
mutate reset_chain progression.rs 'let iterations = (1_u128 << period) + before;' \
    'let iterations = (1_u128 << period) + before.min(1);'
mutate merged_value cases.rs 'pool.ite(condition, then, otherwise)' 'pool.ite(condition, otherwise, then)'
mutate merged_condition cases.rs 'pool.conj(common.into_iter().chain([rest]))' \
    'let _ = common; pool.conj([rest])'
mutate merged_ways merge.rs 'let condition = any(pool, cases);' \
    'let condition = any(pool, cases[..1].to_vec());'
mutate kept_cell merge.rs 'values.into_iter().map(|value| value.unwrap_or(kept))' \
    'values.iter().map(|value| value.or(values[0]).unwrap_or(kept))'
mutate inner_iterations determined.rs 'let iterations = certain_case(pool, oracle, state, iterations);' \
    'let one = pool.bv(pool.width(iterations), 1); let iterations = pool.add(iterations, one);'
mutate inner_condition determined.rs 'pool.conj(needed)' 'pool.conj(needed.into_iter().skip(1))'
mutate phase_left automaton/phase.rs '.unwrap_or(word.len() - 1)' '.unwrap_or(0)'
mutate phase_position automaton/phase.rs 'if next == path {' 'if next == path || position > 0 {'
mutate automaton_edge automaton/build.rs 'if may_take(body, pool, oracle, state, candidate) {' \
    'if may_take(body, pool, oracle, state, candidate) && path <= candidate {'
mutate way_iterations automaton/ways.rs 'let position = pool.bv(ITERATION_BITS, position as u64);' \
    'let position = pool.bv(ITERATION_BITS, position.min(1) as u64);'
mutate way_once automaton/ways.rs 'let state = self.body.take(pool, &place.state, place.next).leave(pool);' \
    'let state = place.state.clone();'
mutate way_condition automaton/ways.rs 'let state = left.application.leave(pool, exit, condition);' \
    'let parts = pool.conjuncts(condition); let condition = pool.conj(parts.into_iter().skip(1)); let state = left.application.leave(pool, exit, condition);'
mutate path_condition compute.rs 'Ok(pool.forall_below(tau, kappa, body))' \
    'let _ = (tau, body); Ok(TermId::TRUE)'
mutate kappa_width progression.rs '(period + carried).min(64)' '(period + carried).min(3)'
mutate live_registers compute.rs '!kept.contains(&reg) ||' ''
mutate frame_number recursion/ascent.rs 'let highest = pool.sub(count, one);
    pool.sub(highest, kappa)' 'let _ = one; pool.sub(count, kappa)'
mutate order_of_returns progression.rs 'Rule::Comprehension | Rule::Reset => false' \
    'Rule::Comprehension | Rule::Reset => true'
mutate fixed_in_returns progression.rs 'Some(Found::Closed(rule, _)) => matches!(rule, Rule::Frame | Rule::Unchanged),' \
    'Some(Found::Closed(..)) => true,'
mutate depth_counts compute.rs 'Counting::Frames | Counting::Returns(..) => 64,' \
    'Counting::Frames | Counting::Returns(..) => 3,'
mutate tail recursion/compute.rs '&& is_sure
            && ways.is_empty()' ''
mutate waiting_at recursion/meta.rs 'Bv::truth(position == number)' 'Bv::truth(position != number)'

[ "$n_tried" -gt 0 ] || errors=" no mutation is called $wanted"
n_survivors=$(echo "$survivors" | wc -w)
echo
echo "$n_tried mutations, $n_survivors survive${survivors:+:$survivors}${errors:+; not tried:$errors}."
[ -z "$errors" ] || exit 2
[ -z "$survivors" ]
