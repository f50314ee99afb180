#!/bin/sh
# Breaks the rules of templates, automata, necessary conditions, navigation, sums, orders, ranges and products one at a time; the
# tests must notice each.
#
#     scripts/mutation.sh > results/mutation.md    all mutations
#     scripts/mutation.sh WORD...                  those whose name, or file, contains one of the words
#
# All mutations are compiled at once, each beside the expression that it replaces; the environment
# variable MUTATION says which of them is in force. So there is one build, and sources are restored
# before the tests run; they run as often as there are mutations, each until one fails.
# Standard output is a table of what noticed each, made as it goes on. The status is 1 if a
# mutation survives and 2 if one cannot be tried: its text is not there exactly once, or the library
# does not compile with it.
set -eu
cd "$(dirname "$0")/.."

wanted=$*
# Broken rules may make a test run for ever or fill the memory. Both count as noticed, since the
# rules as they are pass within the same limits. Seconds are of the processor, so that a busy machine
# makes no difference.
n_seconds=900
n_kilobytes=8000000
# More than a test run looks at.
export THOROUGH=1 DIFFERENTIAL_FACTOR="${DIFFERENTIAL_FACTOR:-2}"
saved=$(mktemp -d)
: >"$saved/mutations"
: >"$saved/broken"
restore() {
    while read -r file; do
        cp "$saved/src/$file" "src/$file"
    done <"$saved/broken"
    : >"$saved/broken"
}
tests=
trap '[ -z "$tests" ] || kill "$tests"; restore; rm -rf "$saved"' EXIT
trap 'exit 130' INT TERM
cp -r src "$saved/src"

is_wanted() {
    [ -n "$wanted" ] || return 0
    for word in $wanted; do
        case "$1 $2" in
        *"$word"*) return 0 ;;
        esac
    done
    return 1
}

cannot_try() {
    echo "$1" >&2
    exit 2
}

# mutate NAME TEST FILE TEXT TO: where TEXT, which must be there once, has @[ and ]@ around an
# expression, that is replaced by TO while the mutation is in force. TEST is the module of tests/ whose tests must
# notice it, or lib for the unit tests of the room.
mutate() {
    is_wanted "$1" "$3" || return 0
    echo "$3" >>"$saved/broken"
    NAME=$1 TEXT=$4 TO=$5 perl -0777 -pi -e '
        my ($before, $from, $after) = $ENV{TEXT} =~ /^(.*)\@\[(.*)\]\@(.*)$/s or exit 1;
        my $is_broken = "{ static BROKEN: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| "
            . "std::env::var(\"MUTATION\").is_ok_and(|name| name == \"$ENV{NAME}\")); *BROKEN }";
        my $both = "$before(if $is_broken { $ENV{TO} } else { $from })$after";
        s/\Q$before$from$after\E/$both/g == 1 or $bad = 1; END { exit $bad }' "src/$3" ||
        cannot_try "$1: the text to replace is not there exactly once in $3"
    # Unit tests are those of the room's crate.
    test=$2
    [ "$test" != lib ] || test=lib:${3%%/*}
    echo "$1 $test $3" >>"$saved/mutations"
}

# What noticed something: a test that failed, or nothing. The tests after it are not waited for.
run_tests() {
    case $1 in
    lib:*) executable=$1 module= ;;
    *) executable=all module=$1:: ;;
    esac
    (
        ulimit -v "$n_kilobytes"
        ulimit -t "$n_seconds"
        MUTATION=$2 exec env "CARGO_BIN_EXE_compact-se=$saved/compact-se" "$saved/$executable" $module
    ) >"$saved/log" 2>&1 </dev/null &
    tests=$!
    while kill -0 "$tests" 2>/dev/null && ! grep -q '^test .* FAILED$' "$saved/log"; do
        sleep 1
    done
    kill "$tests" 2>/dev/null || true
    status=0
    wait "$tests" || status=$?
    tests=
    failed=$(sed -n "s/^test $module\(.*\) \.\.\. FAILED\$/\`\1\`/p" "$saved/log" | head -n 1)
    case $status in
    0) noticed= ;;
    152 | 137) noticed="the limit of $n_seconds s" ;;
    *) noticed=${failed:-status $status} ;;
    esac
}

# Necessary conditions (APC, Section 3): the rules of Algorithm 2.
forms=necessary/forms.rs
mutate apc_steps necessary $forms '@[pool.mul(step, iterations)]@' 'step'
mutate apc_reset necessary $forms '@[pool.disj(taken)]@' 'pool.conj(taken)'
mutate apc_reset_same necessary $forms '@[changed.any(|value| *value != first)]@' 'false'
mutate apc_last necessary $forms '@[pool.sub(kappa, one)]@' 'kappa'
mutate apc_last_others necessary $forms '@[others.iter().any(|other| symbols.contains(other))]@' \
    'false'
mutate apc_last_single necessary $forms '@[changed.next().is_some()]@' 'false'
mutate apc_geometric necessary $forms '@[pool.power(&Bv::new(bits, factor), kappa)]@' \
    'pool.power(&Bv::new(bits, factor).not(), kappa)'
mutate apc_geometric_only necessary $forms '@[linear.sub(&scaled).as_constant() != Some(0)]@' 'false'
mutate apc_constant necessary $forms '@[!counters.any(|counter| symbols.contains(counter))]@' 'true'
mutate apc_closed necessary $forms '@[self.of.effects[0].contains_key(symbol)]@' 'false'
mutate apc_each necessary $forms '@[effect.get(symbol) == Some(first)]@' 'true'
mutate apc_each_followed necessary $forms '@[!is_read || (single && is_value)]@' 'true'
# The looping condition, and what a loop leaves behind.
moment=necessary/summary/moment.rs
closing=necessary/summary/closing.rs
changes=necessary/summary/changes.rs
mutate apc_iterations necessary $moment '@[pool.forall_below(self.tau, kappa, body)]@' \
    'let one = pool.bv(pool.width(kappa), 1); let more = pool.add(kappa, one);
     pool.forall_below(self.tau, more, body)'
mutate apc_others_before necessary $moment '@[pool.ule(before, kappa)]@' 'pool.ult(before, kappa)'
mutate apc_moment necessary $moment 'at_tau.insert(*kappa, @[pool.select(array, tau)]@);' \
    'pool.symbol_term(*kappa)'
mutate apc_common necessary $closing '@[own.contains(conjunct)]@' 'true'
mutate apc_over_total necessary $closing \
    '@[*symbol != self.total && self.counters.contains(symbol)]@' 'false'
mutate apc_over_unknown necessary $closing '@[symbols.iter().any(of_iteration)]@' 'false'
mutate apc_total necessary $closing 'parts.push(@[pool.eq(sum, total)]@);' 'pool.ult(sum, total)'
mutate apc_position necessary $moment '@[pool.ult(position, total)]@' \
    'let one = pool.bv(bits, 1); let next = pool.add(position, one); pool.ult(next, total)'
mutate apc_position_end necessary $moment '@[pool.ule(end, total)]@' 'pool.ult(end, total)'
mutate apc_position_sum necessary $moment '@[others.len() + 1 == iterated.counters.len()]@' 'true'
mutate apc_position_grows necessary $moment '@[pool.ult(position, next_position)]@' \
    'pool.ult(next_position, position)'
mutate apc_width necessary $closing '@[bits.min().unwrap_or(WIDEST)]@' \
    'bits.min().unwrap_or(WIDEST).min(3)'
mutate apc_overlap necessary $changes '@[pair[1].0 < pair[0].0 + u64::from(pair[0].1)]@' 'false'
mutate apc_array necessary $changes 'if @[is_whole]@ {
                changes.whole.insert' 'false'
mutate apc_pointer necessary $changes \
    'Some((from, to)) if @[from.object == to.object]@ => Ok(to.offset)' 'true'
mutate apc_iteration_unknown necessary necessary/each.rs '@[pool.select(array, self.iteration)]@' \
    'let first = pool.bv(pool.width(self.iteration), 0); pool.select(array, first)'
mutate apc_iteration_array necessary necessary/each.rs \
    'let index = @[pool.concat(self.iteration, index)]@;' \
    'let first = pool.bv(pool.width(self.iteration), 0); pool.concat(first, index)'
# The order of ways (3.6).
mutate apc_order necessary necessary/order.rs \
    '@[!build.ask(pool, &conjuncts, build.options.order).is_unsat()]@' 'false'
mutate apc_order_turned necessary necessary/order.rs '@[self.may(*other, *way)]@' \
    'self.may(*way, *other)'
mutate apc_order_state necessary necessary/order.rs \
    '@[is_of_single(pool, *conjunct, &executed.unknowns)]@' 'false'
mutate apc_phases necessary $forms '@[pool.substitute(value, &mut theta)]@' 'value'
# The first and the last iteration (thesis, 4.4.2.5).
ends=necessary/ends.rs
mutate apc_ends_idle necessary $ends 'idle.push(@[pool.eq(*value, start)]@);' 'TermId::FALSE'
mutate apc_ends_before necessary $ends '@[pool.sub(counter, one)]@' 'counter'
mutate apc_ends_effect necessary $ends 'parts.push(@[pool.eq(*value, left)]@);' \
    'pool.eq(self.before[symbol], left)'
mutate apc_ends_first necessary $ends 'parts.push(@[pool.substitute(conjunct, &mut at_first)]@);' \
    'let holds = pool.substitute(conjunct, &mut at_first); pool.not(holds)'
mutate apc_ends_walk necessary $ends '@[pool.eq(counter, entered[way])]@' 'pool.ult(counter, entered[way])'
mutate apc_ends_edge necessary $ends 'if @[follows.may(before, after)]@ {' 'before != after'
# The relation of counters (3.4), and arrays.
relation=necessary/relation.rs
arrays=necessary/arrays.rs
mutate apc_relation necessary $relation '@[pool.substitute(term, &mut theta)]@;
        }
        term' 'pool.substitute(*value, &mut theta)'
mutate apc_relation_condition necessary $relation '@[pool.substitute(conjunct, &mut theta)]@' \
    'conjunct'
mutate apc_relation_asked necessary $relation 'Answer::Unsat(_) => @[return Some(value)]@' 'return None'
mutate apc_relation_holds necessary $relation 'match @[ask(pool, Some(differs))]@' 'Answer::Unsat(None)'
mutate apc_comprehension necessary $arrays '@[!self.close_array(pool, &mut oracle, counting, *object, forms)]@' \
    'true'
mutate apc_writers necessary $arrays 'if @[ways.next().is_some()]@' 'false'
mutate apc_writers_condition necessary $arrays '@[steps.iter().all(|step| *step == steps[0])]@' 'true'
mutate apc_array_values necessary $arrays 'if @[!depends]@ &&' 'true'
# Unknown values, instances, backbones.
mutate apc_star_negated necessary necessary/unknown.rs 'self.lost.insert((formula, star));
                    @[pool.truth(positive)]@' 'TermId::TRUE'
mutate apc_star_not necessary necessary/unknown.rs \
    'let inner = self.weakened(pool, inner, @[!positive]@, weakening);' 'positive'
mutate apc_instances necessary necessary/instances.rs '@[pool.ult(iteration, limit)]@' \
    'pool.ule(iteration, limit)'
mutate apc_join necessary necessary/walk.rs '&& @[same_registers()]@' 'true'
mutate apc_join_memory necessary necessary/walk.rs '&& @[same_memory()]@' 'true'
mutate apc_join_inputs necessary necessary/walk.rs \
    '@[same_inputs(&one.inputs, &other.inputs)]@' 'true'
mutate apc_join_loops necessary necessary/walk.rs \
    'let same_loops = @[one.loops.len() == other.loops.len()
        && one.loops.iter().zip(&other.loops).all(|(a, b)| a.is(b))]@;' 'true'
mutate apc_begins_anew necessary necessary/walk.rs \
    'let Some(at) = @[self.around.iter().position(|header| *header == node)]@ else {' 'None'

# Constraint systems of chains (ELN, Section 3.2), and what follows from them (3.3).
chains=necessary/chains.rs
mutate eln_inner_steps necessary $forms '@[pool.mul(factor, all)]@' 'pool.mul(factor, once)'
mutate eln_before necessary $chains '@[pool.sub(kappa, one)]@' 'kappa'
mutate eln_inner_before necessary $chains '@[pool.sub(all, once)]@' 'all'
mutate eln_no_iteration necessary $chains '@[pool.or(none, *demand)]@' '*demand'
mutate eln_last_of_any necessary $chains 'constraints.push(pool.disj(@[last]@));' \
    'last[..2].to_vec()'
mutate eln_single necessary $chains '@[is_of_single(pool, conjunct, &executed.unknowns)]@' 'false'
mutate eln_demanded necessary $chains '@[demands.iter().all(|others| others.contains(demand))]@' \
    'true'
mutate eln_fails_at necessary $chains '@[Some(high)]@' 'high.checked_sub(1)'
mutate eln_in_all necessary $chains '@[most.checked_mul(once)]@' 'most.checked_add(once)'
mutate eln_limit necessary $chains 'let limit = @[pool.mul(factor, iterations)]@;' 'factor'
mutate eln_sum necessary $chains '@[pool.ule(counter, left)]@' 'pool.ult(counter, left)'
mutate eln_refuted necessary navigation/lib.rs 'if @[is_refuted]@ {' 'true'
mutate eln_eliminated necessary navigation/lib.rs 'Answer::Unknown(_) => {
                is_open = true;
                @[true]@' 'false'

# Path dependency automata (thesis, Section 4.4).
automaton=template/automaton
mutate automaton_edge differential $automaton/build.rs \
    'if @[may_take(body, pool, oracle, state, candidate)]@ {' \
    'may_take(body, pool, oracle, state, candidate) && path <= candidate'
mutate automaton_first differential $automaton/ways.rs \
    '@[self.transitions.after_first(place.next)]@' 'self.transitions.after(place.next)'
mutate automaton_peeled differential $automaton/ways.rs \
    'if @[place.previous.is_none() && self.transitions.is_first_apart()]@ {' 'false'
mutate automaton_later differential $automaton/build.rs \
    'if @[!may_take(body, pool, oracle, &state, to)]@ {' 'true'
mutate automaton_known differential $automaton/build.rs \
    'if @[staying.iter().all(holds_after)]@ {' 'true'
mutate automaton_outside differential $automaton/body.rs 'Some([below, @[above]@])' 'below'
mutate phase_left differential $automaton/phase.rs \
    'position.checked_sub(1).unwrap_or(@[word.len() - 1]@)' '0'
mutate phase_position differential $automaton/phase.rs 'if @[*next == expected]@ {' \
    '*next == expected || !self.ways.is_empty()'
mutate phase_exit differential $automaton/phase.rs \
    'at.path_cond.assume(pool, @[condition]@);' 'crate::term::TermId::TRUE'
mutate way_first differential $automaton/ways.rs 'state.path_cond.assume(pool, @[condition]@);
                places.push(Visit {
                    state,
                    previous: None,' 'TermId::TRUE'
mutate period_counts differential $automaton/phase.rs \
    'self.iterations = @[onward.iterations]@;' 'self.iterations'
mutate period_unfinished differential $automaton/phase.rs \
    'way.iterations = @[pool.add(self.iterations, way.iterations)]@;' 'way.iterations'
mutate period_settles differential $automaton/phase.rs \
    'if @[body.in_state(pool, end, later) != later]@ {' 'false'
mutate period_first differential $automaton/phase.rs \
    '@[pool.ite(is_none, zero, sum)]@' 'pool.mul(kappa, self.later)'
mutate period_assumed differential $automaton/phase.rs \
    'let condition = body.take(pool, &state, path).condition;
    state.path_cond.assume(pool, @[condition]@);' 'TermId::TRUE'
mutate period_later differential $automaton/phase.rs \
    'let later = @[body.in_state(pool, end, first)]@;' 'first'
mutate period_ways differential $automaton/phase.rs \
    'if onward.is_none() && is_determined && @[way.edge() == left_by]@ {' 'true'
mutate period_closed differential $automaton/phase.rs \
    'turning.iterations = @[pool.substitute(turning.iterations, &mut closed)]@;' \
    'turning.iterations'
mutate period_only microc $automaton/phase.rs \
    'match @[(candidates.next(), candidates.next())]@ {' '(candidates.next(), None)'
mutate turn_only microc $automaton/build.rs 'match @[possible.as_slice()]@ {' \
    '&possible[..possible.len().min(1)]'
mutate turn_closed microc $automaton/build.rs 'if @[edge == (from, to)]@ {' 'edge.1 == to'
mutate turn_within differential $automaton/build.rs \
    'let known = @[taken.iter().position(|(before, ..)| *before == edge)]@;' 'None'
mutate turn_every microc $automaton/build.rs \
    'if @[self.turn(body, pool, oracle, edge, longest).is_none()]@ {' 'false'
mutate way_iterations differential $automaton/phase.rs \
    '@[pool.add(iterations, turning.iterations)]@' 'iterations'
mutate way_length differential $automaton/phase.rs '@[pool.mul(kappa, self.first)]@' 'kappa'
mutate way_before differential $automaton/ways.rs '@[pool.add(place.iterations, iterations)]@' 'iterations'
mutate way_said differential $automaton/ways.rs \
    'let iterations = @[left.application.compose(pool, iterations)]@;' 'iterations'
mutate way_once differential $automaton/ways.rs \
    '@[self.body.take(pool, &place.state, place.next).leave(pool)]@' 'place.state.clone()'
mutate way_once_counts differential $automaton/ways.rs \
    'let iterations = @[pool.add(place.iterations, one)]@;' 'place.iterations'
mutate way_condition differential $automaton/ways.rs \
    'let state = @[left.application.leave(pool, exit, condition)]@;' \
    'let parts = pool.conjuncts(condition); let rest = pool.conj(parts.into_iter().skip(1));
     left.application.leave(pool, exit, rest)'
mutate way_registers differential $automaton/body.rs '@[!kept.contains(&reg)]@ ||' 'false'

# Templates (CSE, Algorithm 1; arXiv, Section 5).
template=template/progression.rs
mutate arithmetic differential $template 'let sum = @[pool.mul(kappa, d)]@;' 'd'
mutate polynomial differential $template 'let second = @[pool.triangle_times(iterations, e)]@;' \
    'let one = pool.bv(pool.width(iterations), 1); let more = pool.add(iterations, one);
     pool.triangle_times(more, e)'
mutate geometric differential $template '@[pool.power(&factor, kappa)]@' \
    'pool.power(&factor.not(), kappa)'
mutate returning_again templates $template 'if @[again(pool, twice) != step]@ {' 'false'
mutate returning_first templates $template 'if @[twice == start]@ {' 'true'
mutate returning_fixed templates $template \
    '|| @[step.is_none_or(|step| step == Some(pool.symbol_term(*other)))]@' 'true'
mutate alternating differential $template '@[pool.ite(odd, other, start)]@' \
    'pool.ite(odd, start, other)'
mutate reset differential $template '@[IndexMap::from([(self.kappa, previous)])]@' \
    'IndexMap::from([(self.kappa, if pool.is_true(previous) { previous } else { kappa })])'
mutate comes_around differential template/arrays.rs \
    'let meets_itself = @[wraps_around(pool, store.offset, kappa)]@' 'false'
mutate comes_around_bits lib template/comprehension.rs \
    'significant_bits(pool, *part) + @[coefficient.trailing_zeros()]@ > pool.width(offset)' '0'
mutate comes_around_inside lib template/comprehension.rs \
    'Term::Cast(_, inner) => @[wraps_around(pool, inner, kappa)]@,' 'false'
mutate comes_around_part lib template/comprehension.rs \
    '|| @[wraps_around(pool, *part, kappa)]@' 'false'
mutate comprehension differential template/comprehension.rs \
    '@[pool.ult(iteration, kappa_term)]@' 'pool.ule(iteration, kappa_term)'
mutate sum differential $template '@[pool.sum_below(tau, kappa, d)]@' \
    'let one = pool.bv(pool.width(kappa), 1); let more = pool.add(kappa, one); pool.sum_below(tau, more, d)'
mutate flag differential $template '@[pool.exists_below(tau, kappa, raised)]@' \
    'pool.forall_below(tau, kappa, raised)'
mutate reset_chain differential $template 'let iterations = (1_u128 << period) + @[before]@;' \
    'before.min(1)'
mutate merged_value differential template/cases.rs '@[pool.ite(condition, then, otherwise)]@' \
    'pool.ite(condition, otherwise, then)'
mutate merged_condition differential template/cases.rs \
    '@[pool.conj(common.into_iter().chain([rest]))]@' 'pool.conj([rest])'
mutate merged_ways differential template/merge.rs 'let condition = any(pool, @[cases]@);' \
    'cases[..1].to_vec()'
mutate kept_cell differential template/merge.rs \
    '@[values]@.into_iter().map(|value| value.unwrap_or(kept))' \
    'let first = values[0]; values.into_iter().map(|value| value.or(first)).collect()'
mutate inner_iterations differential template/determined.rs \
    'let iterations = @[certain_case(pool, oracle, state, iterations)]@;' \
    'let iterations = certain_case(pool, oracle, state, iterations);
     let one = pool.bv(pool.width(iterations), 1); pool.add(iterations, one)'
mutate inner_condition differential template/determined.rs 'pool.conj(@[needed]@)' \
    'needed.into_iter().skip(1).collect()'
mutate path_condition differential template/compute.rs \
    'Ok(@[pool.forall_below(tau, kappa, body)]@)' 'TermId::TRUE'
mutate kappa_width differential $template '@[(period.max(1) + carried).min(64)]@' \
    '(period.max(1) + carried).min(3)'
mutate rest templates $template '@[period == 0 && carried == 0]@' 'true'
mutate live_registers differential template/compute.rs '@[!kept.contains(&reg)]@ ||' 'false'
mutate frame_number differential template/recursion/ascent.rs \
    'let highest = pool.sub(count, one);
    pool.sub(@[highest]@, kappa)' 'count'
mutate order_of_returns differential $template 'Rule::Comprehension | Rule::Reset => @[false]@' 'true'
mutate fixed_in_returns differential $template \
    'Some(Found::Closed(rule, _)) => @[matches!(rule, Rule::Frame | Rule::Unchanged)]@,' 'true'
mutate depth_counts differential template/compute.rs \
    'Counting::Frames | Counting::Returns(..) => @[64]@,' '3'
mutate tail differential template/recursion/compute.rs '&& @[is_sure
            && ways.is_empty()]@' 'true'
mutate waiting_at differential template/recursion/meta.rs 'Bv::truth(@[position == number]@)' \
    'position != number'

# Sums: closed forms, and what the rest of the question says of summands.
guards=solver/sums/guards.rs
mutate sum_even lib term/simplify/sum.rs 'if @[!coefficient.is_multiple_of(2)]@ {' 'false'
mutate sum_guard lib $guards 'if @[self.excludes(pool, truths, other)]@ {' 'true'
mutate sum_line lib $guards 'if @[self.excludes(pool, truths, differs)]@ {' 'true'
mutate sum_case lib $guards 'by_case = @[pool.ite(condition, in_case, by_case)]@;' 'in_case'
mutate sum_first lib $guards 'let of_first = @[rest.at(pool, first)]@;' \
    'let one = pool.bv(pool.width(first), 1); rest.at(pool, one)'
mutate sum_others lib $guards 'let limit = @[pool.sub(self.limit, one)]@;' 'self.limit'
mutate sum_inside lib $guards 'around.known.push(@[inside]@);' 'pool.not(inside)'

# Sums of what has a period.
period=term/simplify/period.rs
sum=term/simplify/sum.rs
mutate sum_period_both lib $period \
    'let length = @[self.length / gcd(self.length, other.length) * other.length]@;' \
    'self.length.max(other.length)'
mutate sum_period_sooner lib $period '(Some(one), Some(other)) => Some(@[one.min(other)]@)' \
    'one.max(other)'
mutate sum_period_low lib $period 'let bits = @[low + self.width(part)]@;' 'self.width(part)'
mutate sum_period_plain lib $period 'if @[!is_plain]@ {
                return None;
            }
        }
        Some(period)' 'false'
mutate sum_period_signed lib $period 'word::mask(width) >> @[u32::from(signed)]@;' '0'
mutate sum_period_extended lib $period 'CastOp::SExt, inner)) => (inner, @[true]@),' 'false'
mutate sum_period_start lib $period '|| @[form.constant > greatest]@ {' 'false'
mutate sum_period_down lib $period 'let room = if @[step < 0]@ {' 'false'
mutate sum_period_steps lib $period 'let length = divisor / @[gcd(divisor, by)]@;' 'by.min(divisor)'
mutate sum_period_most lib $period 'most: @[Some(u128::from(room / by) + 1)]@,' \
    'Some(u128::from(room / by) + 2)'
mutate sum_period_fits lib $sum 'if @[length > word::mask(bits)]@ {' 'false'
mutate sum_period_whole lib $sum 'let mut sum = @[self.mul(whole, each)]@;
        let zero' 'whole'
mutate sum_period_rest lib $sum 'let is_there = @[self.ult(iteration, rest)]@;' \
    'self.ule(iteration, rest)'
mutate sum_period_unfinished lib $sum 'in @[(0..length - 1)]@.zip(values)' \
    '(0..length.saturating_sub(2))'
mutate sum_period_wraps lib $sum 'let repeats = @[self.ule(limit, most)]@;' 'self.truth(true)'
mutate sum_remainder_only lib $period 'if @[found.replace(part).is_some()]@ {' \
    'found.replace(part); false'
mutate sum_remainder_plain lib $period 'if @[!is_plain]@ {
                return None;
            }
        }
        self.remainder_from' 'false'
mutate sum_remainder_step lib $period '@[*step == 1]@ && self.is_counter_resized(*counter)' 'true'
mutate sum_remainder_each lib $sum \
    'let mut sum = @[self.mul(whole, each)]@;
        let rest' 'whole'
mutate sum_remainder_first lib $sum 'let is_ahead = @[self.ule(first, number)]@;' \
    'self.ult(first, number)'
mutate sum_remainder_around lib $sum 'let around = @[self.add(ahead, divisor)]@;' 'ahead'
mutate sum_remainder_rest lib $sum 'let comes = @[self.ult(wait, rest)]@;' 'self.ule(wait, rest)'
mutate sum_remainder_number lib $sum 'let is_number = @[self.ule(start, greatest)]@;' \
    'self.truth(true)'
mutate sum_remainder_fits lib $sum 'let fits = @[self.ule(iterations, room)]@;' 'self.truth(true)'

# Orders of elements, instances of which are at pairs of iterations.
order=solver/quantifiers/order.rs
mutate order_rises lib $order 'if @[self.rises]@ {' '!self.rises'
mutate order_apart lib $order 'let is_apart = @[pool.ult(first, last)]@;' 'pool.ule(first, last)'
mutate order_inside lib $order 'let is_inside = @[pool.ule(last, self.limit)]@;' 'pool.truth(true)'
mutate order_first lib $order 'parts.push(@[at(pool, self.tau, *part, first)]@);' \
    'at(pool, self.tau, *part, last)'
mutate order_last lib $order 'parts.push(@[at(pool, self.tau, *part, before)]@);' \
    'at(pool, self.tau, *part, first)'
mutate order_is_last lib $order 'let is_last = @[comparison == CmpOp::Eq]@ && ends' 'true'

# What is translated without the product in more bits.
mutate product_wide lib term/inspect.rs \
    '(is_same && @[self.width(exact) >= 2 * self.width(product)]@)' 'true'
mutate product_same lib term/inspect.rs \
    'let is_same = @[factors == (one, other) || factors == (other, one)]@;' 'true'
mutate product_below lib solver/z3/raw.rs 'self.op_n(OpN::And, &[not_above, @[not_below]@])' \
    'self.truth(true)'

# Whether adding a constant wraps around, and what is put together from above and below.
equality=term/simplify/equality.rs
mutate wrap_signed lib $equality '@[word::sign_bit(width).wrapping_sub(by)]@' 'by.wrapping_neg()'
mutate wrap_unsigned lib $equality 'let bound = self.bv(width, @[by.wrapping_neg()]@);' 'by'
mutate wrap_downwards lib $equality 'match @[(difference == straight) == is_upwards]@ {' 'difference == straight'
mutate wrap_around lib $equality 'if difference != straight && @[difference != around]@ {' 'true'
mutate put_above lib term/simplify/bitwise.rs '|| @[self.width(low) > shift]@ {' 'false'

# Which store was the last to come to a cell.
comprehension=template/comprehension.rs
mutate overwritten_tie corpus $comprehension 'let is_later = @[pool.ult(iteration, later)]@;' \
    'pool.ule(iteration, later)'
mutate overwritten_by corpus $comprehension 'overwritten.iter().filter(|(_, of)| @[*of == position]@)' 'false'

# How far counters go.
narrow=solver/quantifiers/narrow.rs
counting=solver/quantifiers/counting.rs
mutate counting_near lib $counting 'let is_near = @[pool.ule(self.limit, distance)]@;' \
    'pool.ult(self.limit, distance)'
mutate counting_open lib $counting 'let is_open = @[pool.eq(self.bound, greatest)]@;' 'pool.truth(false)'
mutate counting_others lib $counting '|| @[mentions(pool, rhs, tau)]@' 'false'
mutate counting_different lib $counting 'return @[pool.ule(self.limit, distance)]@;' 'pool.ult(self.limit, distance)'
mutate counting_odd lib $counting 'if @[step.is_multiple_of(2)]@ {' 'false'
mutate narrow_most lib $narrow 'true => @[greatest - least]@,' 'greatest - least - 1'
mutate narrow_top lib $narrow 'false if @[greatest < top]@ =>' 'true'
mutate narrow_moved lib $narrow 'let is_within = @[all.0 <= least + by && greatest + by <= all.1]@;' 'true'

products=solver/products/mod.rs ranges=solver/ranges.rs
mutate products_wrap lib $products '(@[greatest < BigInt::one() << pool.width(factors[0])]@).then_some' 'true'
mutate products_order lib $products 'without(pool, @[CmpOp::Uge]@, is_above)' 'CmpOp::Ugt'
mutate ranges_strict lib $ranges 'let most = @[&above.1 - &apart]@;' '&above.1 - BigInt::one()'
mutate ranges_sign lib $ranges 'if @[least >= BigInt::zero()]@ {' 'true'

n_tried=$(wc -l <"$saved/mutations")
[ "$n_tried" -gt 0 ] || cannot_try "no mutation is called $wanted"
binaries=$(cut -d' ' -f2 "$saved/mutations" | sort -u)
chosen=
for binary in $binaries; do
    case $binary in
    lib:*) chosen="$chosen --lib --package compact-se-${binary#lib:}" ;;
    *) chosen="$chosen --package compact-se --test all" ;;
    esac
done
# shellcheck disable=SC2086
if ! cargo test --quiet $chosen --no-run --message-format=json >"$saved/build" 2>"$saved/log"; then
    cargo test --quiet $chosen --no-run >&2 || true
    cannot_try "it does not compile with the mutations"
fi
for binary in $binaries; do
    case $binary in
    lib:*) target=compact_se_${binary#lib:} copy=$binary ;;
    *) target=all copy=all ;;
    esac
    executable=$(sed -n 's/.*"name":"'"$target"'".*"executable":"\([^"]*\)".*/\1/p' "$saved/build")
    cp "$executable" "$saved/$copy"
done
# Integration tests run it.
program=${CARGO_TARGET_DIR:-target}/debug/compact-se
[ ! -e "$program" ] || cp "$program" "$saved/compact-se"
restore

cat <<END
# Mutations of the rules

Made by \`scripts/mutation.sh\`: each mutation breaks one rule of templates, automata (\`src/template\`),
necessary conditions (\`src/necessary\`), navigation or of the solver (\`src/solver\`), and the tests of one binary are run until one
fails.

| mutation | in | noticed by |
| --- | --- | --- |
END
for binary in $binaries; do
    run_tests "$binary" ""
    [ -z "$noticed" ] || { cat "$saved/log" >&2
        cannot_try "the tests of $binary do not pass as it is: $noticed"; }
done
survivors=
while read -r name binary file; do
    run_tests "$binary" "$name"
    echo "| $name | $file | ${noticed:-**survives**}${failed:+ of $binary} |"
    [ -n "$noticed" ] || survivors="$survivors $name"
done <"$saved/mutations"

n_survivors=$(echo "$survivors" | wc -w)
echo
echo "$n_tried mutations, $n_survivors survive${survivors:+:$survivors}."
[ -z "$survivors" ]
