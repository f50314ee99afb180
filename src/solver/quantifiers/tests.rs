use std::collections::BTreeSet;

use super::closed_form::solve_counters;
use super::counting::Counting;
use super::eliminate::{eliminate, eliminate_atom, eliminate_positive};
use super::narrow::{Narrowed, narrow};
use super::order::Order;
use super::{Binders, LazyPolicy, QuantifierPolicy, Quantifiers};
use crate::random_terms::{Generator, brute_force};
use crate::z3::{self, Z3Policy};
use crate::{Answer, Limits, Query, Solver, confirms};
use term::{
    ArrayValue, Assignment, Bv, CastOp, CmpOp, Sort, SymbolId, Term, TermId, TermPool, Work,
};

const ORDERINGS: [CmpOp; 4] = [CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
const ALL: [CmpOp; 6] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Ult,
    CmpOp::Ule,
    CmpOp::Slt,
    CmpOp::Sle,
];

fn symbol(pool: &mut TermPool, name: &str, width: u32) -> (SymbolId, TermId) {
    let symbol = pool.symbol(name, Sort::Bv(width));
    (symbol, pool.symbol_term(symbol))
}

/// Both truth values are the same under all values of the symbols.
fn assert_same(pool: &TermPool, symbols: &[SymbolId], a: TermId, b: TermId, what: &str) {
    if a == b {
        return;
    }
    let widths: Vec<u32> = symbols
        .iter()
        .map(|s| match pool.symbol_sort(*s) {
            Sort::Bv(width) => width,
            Sort::Array { .. } => panic!("only bit-vectors are enumerated"),
        })
        .collect();
    for mut code in 0..1u64 << widths.iter().sum::<u32>() {
        let mut assignment = Assignment::new();
        for (symbol, width) in symbols.iter().zip(&widths) {
            assignment.set(*symbol, Bv::new(*width, code));
            code >>= width;
        }
        assert_eq!(
            pool.evaluate(a, &assignment),
            pool.evaluate(b, &assignment),
            "{what}: {} and {} under {assignment:?}",
            pool.display(a),
            pool.display(b)
        );
    }
}

/// ∀τ<k. a + c·τ ∘ b and b ∘ a + c·τ, with τ of another width than the progression or the
/// progression extended, for all c, operators and values.
fn eliminate_exhaustively(
    (counter_width, width, compared): (u32, u32, u32),
    extension: CastOp,
    ops: &[CmpOp],
) {
    for c in 0..1u64 << width {
        let mut pool = TermPool::new();
        let mut binders = Binders::default();
        let (a_symbol, a) = symbol(&mut pool, "a", width);
        let (b_symbol, b) = symbol(&mut pool, "b", compared);
        let (k_symbol, k) = symbol(&mut pool, "k", counter_width);
        let (tau_symbol, tau) = symbol(&mut pool, "t", counter_width);
        let counter = super::progression::resize(&mut pool, tau, width);
        let step = pool.bv(width, c);
        let moved = pool.mul(step, counter);
        let value = pool.add(a, moved);
        let value = pool.cast(extension, compared, value);
        for op in ops {
            for (lhs, rhs) in [(value, b), (b, value)] {
                let atom = pool.compare(*op, lhs, rhs);
                let quantified = pool.forall_below(tau_symbol, k, atom);
                if !pool.has_quantifier(quantified) {
                    continue;
                }
                let free = eliminate(&mut pool, &mut binders, quantified);
                let symbols = [a_symbol, b_symbol, k_symbol];
                let what = format!("{op:?} with step {c}");
                assert_same(&pool, &symbols, quantified, free, &what);
                let size = super::eliminate::magnitude(c, width);
                if compared == width
                    && (size.is_power_of_two() || matches!(op, CmpOp::Eq | CmpOp::Ne))
                {
                    assert!(!pool.has_quantifier(free), "{what}: {}", pool.display(free));
                }
            }
        }
    }
}

#[test]
fn elimination_is_exact_at_width_four() {
    eliminate_exhaustively((4, 4, 4), CastOp::ZExt, &ALL);
}

#[test]
fn elimination_is_exact_for_counters_of_other_widths() {
    eliminate_exhaustively((5, 3, 3), CastOp::ZExt, &ALL);
    eliminate_exhaustively((2, 4, 4), CastOp::ZExt, &ALL);
}

#[test]
fn elimination_is_exact_through_extensions() {
    eliminate_exhaustively((3, 3, 5), CastOp::ZExt, &ORDERINGS);
    eliminate_exhaustively((3, 3, 5), CastOp::SExt, &ORDERINGS);
}

/// A read in the body, or the counter squared, is not linear.
#[test]
fn atoms_of_other_shapes_stay() {
    let mut pool = TermPool::new();
    let (_, b) = symbol(&mut pool, "b", 4);
    let (_, k) = symbol(&mut pool, "k", 4);
    let (tau_symbol, tau) = symbol(&mut pool, "t", 4);
    let array = pool.fresh("a", Sort::Array { index: 4, value: 4 });
    let read = pool.select(array, tau);
    let square = pool.mul(tau, tau);
    let moving = pool.add(tau, b);
    for (lhs, rhs) in [(read, b), (square, b), (tau, moving)] {
        for op in ALL {
            let atom = pool.compare(op, lhs, rhs);
            if pool.symbols_of(atom).contains(&tau_symbol) {
                let found = eliminate_atom(&mut pool, tau_symbol, k, atom);
                assert_eq!(found, None, "{}", pool.display(atom));
            }
        }
    }
}

#[test]
fn elimination_of_symbolic_steps_is_exact() {
    let mut pool = TermPool::new();
    let mut binders = Binders::default();
    let (a_symbol, a) = symbol(&mut pool, "a", 3);
    let (b_symbol, b) = symbol(&mut pool, "b", 3);
    let (d_symbol, d) = symbol(&mut pool, "d", 3);
    let (k_symbol, k) = symbol(&mut pool, "k", 3);
    let (tau_symbol, tau) = symbol(&mut pool, "t", 3);
    let moved = pool.mul(tau, d);
    let value = pool.add(a, moved);
    for op in ORDERINGS {
        for (lhs, rhs) in [(value, b), (b, value)] {
            let atom = pool.compare(op, lhs, rhs);
            let quantified = pool.forall_below(tau_symbol, k, atom);
            let free = eliminate(&mut pool, &mut binders, quantified);
            assert_ne!(quantified, free);
            let symbols = [a_symbol, b_symbol, d_symbol, k_symbol];
            assert_same(&pool, &symbols, quantified, free, &format!("{op:?}"));
        }
    }
}

/// ∀τ<κ. P(τ) ∧ ¬P(κ) ⟺ (what is left) ∧ κ = its closed form.
#[test]
fn closed_forms_are_exact_at_width_three() {
    let mut n_solved = 0;
    for c in 1..8 {
        for op in ALL {
            for swap in [false, true] {
                let mut pool = TermPool::new();
                let mut binders = Binders::default();
                let (a_symbol, a) = symbol(&mut pool, "a", 3);
                let (b_symbol, b) = symbol(&mut pool, "b", 3);
                let (k_symbol, k) = symbol(&mut pool, "k", 3);
                let (tau_symbol, tau) = symbol(&mut pool, "t", 3);
                let step = pool.bv(3, c);
                let at = |pool: &mut TermPool, iteration: TermId| {
                    let moved = pool.mul(step, iteration);
                    let value = pool.add(a, moved);
                    let (lhs, rhs) = if swap { (b, value) } else { (value, b) };
                    pool.compare(op, lhs, rhs)
                };
                let atom = at(&mut pool, tau);
                let quantified = pool.forall_below(tau_symbol, k, atom);
                let atom = at(&mut pool, k);
                let exit = pool.not(atom);
                let original = pool.and(quantified, exit);
                let (left, solutions) =
                    solve_counters(&mut pool, &mut binders, &[quantified, exit]);
                let mut left = pool.conj(left);
                for (counter, value) in solutions {
                    n_solved += 1;
                    assert_eq!(counter, k_symbol);
                    let equal = pool.eq(k, value);
                    left = pool.and(left, equal);
                }
                let symbols = [a_symbol, b_symbol, k_symbol];
                assert_same(
                    &pool,
                    &symbols,
                    original,
                    left,
                    &format!("{op:?} {c} {swap}"),
                );
            }
        }
    }
    // ≠ with each odd step, on both sides; < and ≤, signed and unsigned, up and down.
    assert_eq!(n_solved, 4 * 2 + 4 + 4);
}

#[test]
fn a_closed_form_needs_the_exit_condition() {
    let mut pool = TermPool::new();
    let mut binders = Binders::default();
    let (_, n) = symbol(&mut pool, "n", 8);
    let (_, k) = symbol(&mut pool, "k", 8);
    let (tau_symbol, tau) = symbol(&mut pool, "t", 8);
    let atom = pool.ult(tau, n);
    let quantified = pool.forall_below(tau_symbol, k, atom);
    let near_miss = pool.ult(n, k);
    let conjuncts = [quantified, near_miss];
    let (left, solutions) = solve_counters(&mut pool, &mut binders, &conjuncts);
    assert_eq!(
        (left.as_slice(), solutions),
        (conjuncts.as_slice(), Vec::new())
    );
}

/// The solutions of the narrow formula, with the values of the replaced symbols, are those of the
/// original one.
#[test]
fn narrowing_keeps_all_solutions() {
    let mut n_narrowed = 0;
    for least in 0..16 {
        for limit in 0..16 {
            for (low_op, high_op) in [(CmpOp::Sle, CmpOp::Slt), (CmpOp::Ule, CmpOp::Ult)] {
                for between in ORDERINGS {
                    let mut pool = TermPool::new();
                    let (x_symbol, x) = symbol(&mut pool, "x", 4);
                    let (y_symbol, y) = symbol(&mut pool, "y", 4);
                    let (low, high) = (pool.bv(4, least), pool.bv(4, limit));
                    let conjuncts = vec![
                        pool.compare(low_op, low, x),
                        pool.compare(high_op, y, high),
                        pool.compare(between, x, y),
                    ];
                    let before = pool.conj(conjuncts.clone());
                    let mut solutions = Vec::new();
                    let narrowed = narrow(
                        &mut pool,
                        &mut Narrowed::default(),
                        &mut Binders::default(),
                        conjuncts,
                        &mut solutions,
                    );
                    n_narrowed += solutions.len();
                    let after = pool.conj(narrowed);
                    let originals = [x_symbol, y_symbol];
                    let before = all_solutions(&pool, &originals, &[], before);
                    let after = all_solutions(&pool, &originals, &solutions, after);
                    assert_eq!(
                        before, after,
                        "{low_op:?} {least} {high_op:?} {limit} {between:?}"
                    );
                }
            }
        }
    }
    assert!(n_narrowed > 500, "{n_narrowed}");
}

/// The same where a quantifier says how far a counter goes.
#[test]
fn narrowing_counters_keeps_all_solutions() {
    let mut n_narrowed = 0;
    for op in ORDERINGS {
        for base in 0..8 {
            for limit in 0..16 {
                for apart in [0, 1, 15] {
                    let mut pool = TermPool::new();
                    let (counter_symbol, counter) = symbol(&mut pool, "kappa", 3);
                    let (x_symbol, x) = symbol(&mut pool, "x", 3);
                    let (tau_symbol, tau) = symbol(&mut pool, "tau!", 3);
                    let (base, limit) = (pool.bv(3, base), pool.bv(4, limit));
                    let (value, apart) = (pool.add(base, tau), pool.bv(3, apart & 7));
                    let bound = pool.add(x, apart);
                    let body = pool.compare(op, value, bound);
                    let counted = pool.forall_below(tau_symbol, counter, body);
                    let wide = pool.cast(CastOp::ZExt, 4, x);
                    let square = pool.mul(x, x);
                    let has_square = pool.eq(square, base);
                    let unless = pool.or(has_square, counted);
                    let bounded = pool.compare(CmpOp::Ult, wide, limit);
                    let conjuncts = vec![bounded, counted, unless];
                    let before = pool.conj(conjuncts.clone());
                    let mut solutions = Vec::new();
                    let narrowed = narrow(
                        &mut pool,
                        &mut Narrowed::default(),
                        &mut Binders::default(),
                        conjuncts,
                        &mut solutions,
                    );
                    let is_counter = |(symbol, _): &&(SymbolId, TermId)| *symbol == counter_symbol;
                    n_narrowed += solutions.iter().filter(is_counter).count();
                    let after = pool.conj(narrowed);
                    let originals = [counter_symbol, x_symbol];
                    let before = all_solutions(&pool, &originals, &[], before);
                    let after = all_solutions(&pool, &originals, &solutions, after);
                    assert_eq!(before, after, "{op:?} {base:?} {limit:?} {apart:?}");
                }
            }
        }
    }
    assert!(n_narrowed > 100, "{n_narrowed}");
}

/// A counter comes as far as a bound lets it, and the bound follows whatever else is in the quantifier.
#[test]
fn bounds_of_counters_are_exact() {
    for op in ORDERINGS {
        for other in [false, true] {
            let mut pool = TermPool::new();
            let mut binders = Binders::default();
            let [(k, counter), (a, base), (b, bound)] =
                ["k", "a", "b"].map(|name| symbol(&mut pool, name, 3));
            let (tau_symbol, tau) = symbol(&mut pool, "t", 3);
            let value = pool.add(base, tau);
            let mut body = pool.compare(op, value, bound);
            if other {
                let square = pool.mul(tau, tau);
                let is_other = pool.ne(square, bound);
                body = pool.and(is_other, body);
            }
            let counted = pool.forall_below(tau_symbol, counter, body);
            let mut variable = |pool: &mut TermPool, width| {
                let variable = binders.variable(pool, width);
                pool.symbol_term(variable)
            };
            let found = Counting::all(&mut pool, counted, &mut variable);
            let [counting] = &found[..] else {
                panic!("{}", pool.display(counted))
            };
            let bounds = counting.bounds(&mut pool);
            let moving = pool.mul(tau, bound);
            let near_miss = pool.compare(op, value, moving);
            let near_miss = pool.forall_below(tau_symbol, counter, near_miss);
            assert!(Counting::all(&mut pool, near_miss, &mut variable).is_empty());
            if other {
                let not = pool.not(counted);
                let follows = pool.or(not, bounds);
                assert_same(&pool, &[k, a, b], TermId::TRUE, follows, "what follows");
            } else {
                assert_same(&pool, &[k, a, b], counted, bounds, "the whole");
            }
        }
    }
}

/// What is compared may have fewer bits than the counter.
#[test]
fn bounds_of_wider_counters_are_exact() {
    for op in ORDERINGS.into_iter().chain([CmpOp::Ne]) {
        for step in [1, 2, 3, 5, 7] {
            let mut pool = TermPool::new();
            let mut binders = Binders::default();
            let [(k, counter), (tau_symbol, tau)] =
                ["k", "t"].map(|name| symbol(&mut pool, name, 5));
            let [(a, base), (b, bound)] = ["a", "b"].map(|name| symbol(&mut pool, name, 3));
            let cut = pool.extract(0, 3, tau);
            let factor = pool.bv(3, step);
            let moved = pool.mul(cut, factor);
            let value = pool.add(base, moved);
            let body = pool.compare(op, value, bound);
            let counted = pool.forall_below(tau_symbol, counter, body);
            let mut variable = |pool: &mut TermPool, width| {
                let variable = binders.variable(pool, width);
                pool.symbol_term(variable)
            };
            let found = Counting::all(&mut pool, counted, &mut variable);
            if step == 2 || op != CmpOp::Ne && step != 1 {
                assert!(found.is_empty());
                continue;
            }
            let [counting] = &found[..] else {
                panic!("{}", pool.display(counted))
            };
            let bounds = counting.bounds(&mut pool);
            assert_same(&pool, &[k, a, b], counted, bounds, "the whole");
        }
    }
}

/// Values of the original symbols in all solutions, where replaced ones have the values of terms
/// over narrow ones.
fn all_solutions(
    pool: &TermPool,
    originals: &[SymbolId],
    replaced: &[(SymbolId, TermId)],
    formula: TermId,
) -> BTreeSet<Vec<Bv>> {
    // What is enumerated: the narrow symbol (the operand of the extension) or the symbol itself.
    let free: Vec<(SymbolId, u32)> = originals
        .iter()
        .map(|symbol| {
            let value = replaced.iter().find(|(original, _)| original == symbol);
            let symbol = match value.map(|(_, value)| pool.view(*value)) {
                Some(Term::Cast(CastOp::ZExt, narrow)) => pool.as_symbol(narrow).unwrap(),
                Some(other) => panic!("{other:?}"),
                None => *symbol,
            };
            match pool.symbol_sort(symbol) {
                Sort::Bv(width) => (symbol, width),
                Sort::Array { .. } => panic!("a bit-vector"),
            }
        })
        .collect();
    let mut found = BTreeSet::new();
    for mut code in 0..1u64 << free.iter().map(|(_, width)| width).sum::<u32>() {
        let mut assignment = Assignment::new();
        for (symbol, width) in &free {
            assignment.set(*symbol, Bv::new(*width, code));
            code >>= width;
        }
        for (symbol, value) in replaced {
            assignment.set(*symbol, pool.evaluate(*value, &assignment).unwrap());
        }
        if pool.evaluate(formula, &assignment).unwrap().is_ones() {
            let values = originals
                .iter()
                .map(|s| assignment.bits(*s).unwrap().clone());
            found.insert(values.collect());
        }
    }
    found
}

/// The recipe with each step left out.
fn recipes() -> Vec<QuantifierPolicy> {
    let whole = QuantifierPolicy::default;
    let lazy = LazyPolicy::default;
    vec![
        whole(),
        QuantifierPolicy {
            closed_form: false,
            ..whole()
        },
        QuantifierPolicy {
            eliminate: false,
            ..whole()
        },
        QuantifierPolicy {
            narrow: false,
            eliminate: false,
            closed_form: false,
            ..whole()
        },
        QuantifierPolicy {
            lazy: LazyPolicy {
                symbolic: false,
                ..lazy()
            },
            ..whole()
        },
        QuantifierPolicy {
            lazy: LazyPolicy {
                completion: false,
                ..lazy()
            },
            ..whole()
        },
        QuantifierPolicy {
            lazy: LazyPolicy {
                max_iterations: 0,
                ..lazy()
            },
            ..whole()
        },
    ]
}

fn compare_with_brute_force(
    options: &QuantifierPolicy,
    seed: u64,
    (width, n_words, n_arrays): (u32, usize, usize),
) -> Option<bool> {
    let mut pool = TermPool::new();
    let limits = Limits::default().within_work(&pool, Work::seconds(20));
    let mut solver = Quantifiers::new(options.clone(), Box::new(z3::link(Z3Policy::default())));
    let mut generator = Generator::new(&mut pool, seed, width, n_words, n_arrays);
    generator.quantifiers = true;
    let symbols: Vec<_> = generator.symbols();
    let conjuncts: Vec<TermId> = (0..4).map(|_| generator.truth(&mut pool, 3)).collect();
    let expected = brute_force(&pool, &symbols, &conjuncts);
    match solver.check(&mut pool, &Query::new(&conjuncts, &limits)) {
        Answer::Sat(model) => {
            assert!(expected.is_some(), "seed {seed}, {options:?}");
            assert!(
                confirms(&pool, &conjuncts, &model),
                "seed {seed}, {options:?}"
            );
            Some(true)
        }
        Answer::Unsat(_) => {
            assert!(expected.is_none(), "seed {seed}, {options:?}");
            Some(false)
        }
        Answer::Unknown(_) => None,
    }
}

#[test]
fn every_recipe_agrees_with_brute_force() {
    for options in recipes() {
        let (mut n_sat, mut n_unsat, mut n_unknown) = (0, 0, 0);
        for seed in 0..60 {
            let shape = [(2, 2, 1), (3, 3, 0), (2, 3, 1)][(seed % 3) as usize];
            match compare_with_brute_force(&options, seed, shape) {
                Some(true) => n_sat += 1,
                Some(false) => n_unsat += 1,
                None => n_unknown += 1,
            }
        }
        assert!(n_sat >= 15 && n_unsat >= 10, "{n_sat} sat, {n_unsat} unsat");
        if options.lazy.max_iterations > 0 {
            assert!(n_unknown <= 3, "{n_unknown} unknown with {options:?}");
        }
    }
}

/// What stands under a disjunction need not hold: (∀τ<5. a[τ] ≠ a[0]) ∨ x = 3, and nested.
#[test]
fn quantifiers_under_disjunctions_are_guarded() {
    for options in recipes() {
        let mut pool = TermPool::new();
        let below = Box::new(z3::link(Z3Policy::default()));
        let mut solver = Quantifiers::new(options.clone(), below);
        let array = pool.fresh("a", Sort::Array { index: 8, value: 8 });
        let (x_symbol, x) = symbol(&mut pool, "x", 8);
        let (tau_symbol, tau) = symbol(&mut pool, "t", 8);
        let (zero, three, five) = (pool.bv(8, 0), pool.bv(8, 3), pool.bv(8, 5));
        let (read, first) = (pool.select(array, tau), pool.select(array, zero));
        let differs = pool.ne(read, first);
        let impossible = pool.forall_below(tau_symbol, five, differs);
        let is_three = pool.eq(x, three);
        let either = pool.or(impossible, is_three);
        let limits = Limits::default();
        let answer = solver.check(&mut pool, &Query::new(&[either], &limits));
        let model = answer
            .model()
            .unwrap_or_else(|| panic!("x = 3 with {options:?}"));
        assert_eq!(model.bits(x_symbol), Some(&Bv::new(8, 3)));
        let not_three = pool.not(is_three);
        let answer = solver.check(&mut pool, &Query::new(&[either, not_three], &limits));
        assert!(answer.is_unsat(), "{answer:?} with {options:?}");
        // ∃τ<x. (∀…) ∨ τ = 3 needs x > 3.
        let (outer_symbol, outer) = symbol(&mut pool, "u", 8);
        let is_three = pool.eq(outer, three);
        let either = pool.or(impossible, is_three);
        let exists = pool.exists_below(outer_symbol, x, either);
        let answer = solver.check(&mut pool, &Query::new(&[exists], &limits));
        let model = answer
            .model()
            .unwrap_or_else(|| panic!("x = 4 with {options:?}"));
        assert!(model.bits(x_symbol).unwrap().to_u64().unwrap() > 3);
    }
}

/// The first 'h' at a place beyond what can be enumerated.
#[test]
fn counters_too_large_to_enumerate_are_confirmed_by_a_question() {
    let mut pool = TermPool::new();
    let mut solver = Quantifiers::new(
        QuantifierPolicy::default(),
        Box::new(z3::link(Z3Policy::default())),
    );
    let text = pool.symbol(
        "s",
        Sort::Array {
            index: 32,
            value: 8,
        },
    );
    let text = pool.symbol_term(text);
    let (k_symbol, k) = symbol(&mut pool, "k", 32);
    let (tau_symbol, tau) = symbol(&mut pool, "t", 32);
    let letter = pool.bv(8, 104);
    let read = pool.select(text, tau);
    let other = pool.ne(read, letter);
    let before = pool.forall_below(tau_symbol, k, other);
    let read = pool.select(text, k);
    let here = pool.eq(read, letter);
    let far = pool.bv(32, 3_000_000_000);
    let beyond = pool.ult(far, k);
    let query = [before, here, beyond];
    let limits = Limits::default();
    let answer = solver.check(&mut pool, &Query::new(&query, &limits));
    let model = answer.model().expect("such a text exists");
    assert!(model.bits(k_symbol).unwrap().to_u64().unwrap() > 3_000_000_000);
    assert!(confirms(&pool, &query[1..], model));
    // And it is the only place.
    let five = pool.bv(32, 5);
    let read = pool.select(text, five);
    let query = [before, here, beyond, pool.eq(read, letter)];
    assert!(
        solver
            .check(&mut pool, &Query::new(&query, &limits))
            .is_unsat()
    );
}

/// A model violates the quantifier at one iteration of billions: there is no second one to look
/// for.
#[test]
fn a_single_failing_iteration_is_enough() {
    let mut pool = TermPool::new();
    let mut solver = Quantifiers::new(
        QuantifierPolicy::default(),
        Box::new(z3::link(Z3Policy::default())),
    );
    let (_, k) = symbol(&mut pool, "k", 32);
    let (_, x) = symbol(&mut pool, "x", 32);
    let (tau_symbol, tau) = symbol(&mut pool, "t", 32);
    let square = pool.mul(tau, tau);
    let cube = pool.mul(square, tau);
    let differs = pool.ne(cube, x);
    let before = pool.forall_below(tau_symbol, k, differs);
    let far = pool.bv(32, 3_000_000_000);
    let beyond = pool.ult(far, k);
    // Odd numbers have one cubic root modulo 2^32.
    let cubes = [27, 125].map(|cube| {
        let cube = pool.bv(32, cube);
        pool.eq(x, cube)
    });
    let is_cube = pool.or(cubes[0], cubes[1]);
    let query = [before, beyond, is_cube];
    let limits = Limits::default();
    let answer = solver.check(&mut pool, &Query::new(&query, &limits));
    assert!(answer.is_unsat(), "{answer:?}");
}

/// Progressions from an address that is known to be a multiple.
#[test]
fn progressions_of_multiples_are_eliminated_exactly() {
    for (width, divisor, step) in [(5, 4, 28), (5, 4, 4), (5, 2, 30), (6, 4, 56), (5, 8, 28)] {
        for offset in [0, 1, 2, divisor, 2 * divisor - 1] {
            let mut pool = TermPool::new();
            let mut binders = Binders::default();
            let a_symbol = pool.symbol_multiple_of("a", Sort::Bv(width), divisor);
            let a = pool.symbol_term(a_symbol);
            let (j_symbol, j) = symbol(&mut pool, "j", width);
            let (b_symbol, b) = symbol(&mut pool, "b", width);
            let (tau_symbol, tau) = symbol(&mut pool, "t", width);
            let (k_symbol, k) = symbol(&mut pool, "k", width);
            let step = pool.bv(width, step);
            let moved = pool.mul(step, tau);
            let scaled = pool.mul(step, j);
            let offset = pool.bv(width, offset);
            let base = pool.sub(a, scaled);
            let base = pool.add(base, offset);
            let value = pool.add(base, moved);
            for op in ORDERINGS {
                let atom = pool.compare(op, value, b);
                let quantified = pool.forall_below(tau_symbol, k, atom);
                let free = eliminate(&mut pool, &mut binders, quantified);
                for code in 0..1u64 << (4 * width) {
                    let part = |n: u32| code >> (n * width) & ((1 << width) - 1);
                    if !part(0).is_multiple_of(divisor) || part(1) % 9 != 0 || part(2) % 13 != 1 {
                        continue;
                    }
                    let mut assignment = Assignment::new();
                    for (n, symbol) in (0..).zip([a_symbol, j_symbol, b_symbol, k_symbol]) {
                        assignment.set(symbol, Bv::new(width, part(n)));
                    }
                    assert_eq!(
                        pool.evaluate(quantified, &assignment),
                        pool.evaluate(free, &assignment),
                        "{} and {} under {assignment:?}",
                        pool.display(quantified),
                        pool.display(free)
                    );
                }
            }
        }
    }
}

/// A quantifier that decides between two values that are compared, in either sense.
#[test]
fn quantifiers_inside_of_values_are_eliminated() {
    let mut pool = TermPool::new();
    let mut binders = Binders::default();
    let (n, limit) = symbol(&mut pool, "n", 3);
    let (m, border) = symbol(&mut pool, "m", 3);
    let (x, other) = symbol(&mut pool, "x", 3);
    let tau = pool.symbol("tau", Sort::Bv(3));
    let counter = pool.symbol_term(tau);
    let body = pool.ult(counter, border);
    let all = pool.forall_below(tau, limit, body);
    let value = pool.ite(all, limit, border);
    let value = pool.mul(value, other);
    let is_less = pool.ult(value, border);
    for comparison in [is_less, pool.not(is_less)] {
        assert!(pool.has_quantifier(comparison));
        let free = eliminate_positive(&mut pool, &mut binders, comparison);
        assert!(!pool.has_quantifier(free), "{}", pool.display(free));
        assert_same(&pool, &[n, m, x], comparison, free, "a choice");
    }
}

/// ∀τ<κ. τ < from ∨ to ≤ τ ∨ τ = κ − 1 ∨ a[τ] ∘ a[τ+1], with some of the first three.
fn neighbours(
    pool: &mut TermPool,
    array: TermId,
    [limit, from, to]: [TermId; 3],
    (op, rises): (CmpOp, bool),
    parts: [bool; 3],
) -> TermId {
    let width = pool.width(limit);
    let tau_symbol = pool.symbol("t", Sort::Bv(width));
    let tau = pool.symbol_term(tau_symbol);
    let one = pool.bv(width, 1);
    let next = pool.add(tau, one);
    let (here, behind) = (pool.select(array, tau), pool.select(array, next));
    let (lhs, rhs) = if rises {
        (here, behind)
    } else {
        (behind, here)
    };
    let mut body = vec![pool.compare(op, lhs, rhs)];
    let excuses = [pool.ult(tau, from), pool.ule(to, tau), pool.eq(next, limit)];
    body.extend(
        excuses
            .into_iter()
            .zip(parts)
            .filter(|(_, has)| *has)
            .map(|(part, _)| part),
    );
    let body = pool.disj(body);
    pool.forall_below(tau_symbol, limit, body)
}

/// What an order says of two iterations follows from what it says of neighbours.
#[test]
fn orders_follow_from_neighbours() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut n_held = 0;
    for case in 0..5 * 2 * 8 * 2 {
        let mut pool = TermPool::new();
        let mut binders = Binders::default();
        let array_symbol = pool.symbol("a", Sort::Array { index: 3, value: 2 });
        let array = pool.symbol_term(array_symbol);
        let symbols = ["k", "f", "g", "x", "y"].map(|name| symbol(&mut pool, name, 3));
        let [limit, from, to, first, last] = symbols.map(|(_, term)| term);
        let op = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle][case % 5];
        let parts = [0, 1, 2].map(|part| ((case / 10) >> part) & 1 == 1);
        let how = (op, case / 5 % 2 == 0);
        // τ < κ − 1 fails at the end only, where τ = κ − 1 holds.
        let one = pool.bv(3, 1);
        let from = if case < 80 {
            from
        } else {
            pool.sub(limit, one)
        };
        let quantified = neighbours(&mut pool, array, [limit, from, to], how, parts);
        let (tau, body) = binders.open(&mut pool, quantified);
        let order = Order::of(&mut pool, tau, limit, body);
        let order = order.unwrap_or_else(|| panic!("{}", pool.display(body)));
        let instance = order.instance(&mut pool, first, last);
        for _ in 0..4000 {
            let mut assignment = Assignment::new();
            for (symbol, _) in symbols {
                assignment.set(symbol, Bv::new(3, random.u64(0..8)));
            }
            let mut cells: Vec<u64> = (0..8).map(|_| random.u64(0..4)).collect();
            // Else few of them are in order.
            let key = |value: &u64| {
                if random.bool() {
                    *value
                } else {
                    (*value + 2) % 4
                }
            };
            cells.sort_by_cached_key(key);
            if random.bool() {
                cells.reverse();
            }
            let entries = (0..8).zip(&cells);
            let entries = entries.map(|(at, cell)| (Bv::new(3, at), Bv::new(2, *cell)));
            let entries = entries.collect();
            let default = Bv::zero(2);
            assignment.set_array(array_symbol, ArrayValue { default, entries });
            if pool.evaluate(quantified, &assignment).unwrap().is_ones() {
                n_held += 1;
                let follows = pool.evaluate(instance, &assignment).unwrap();
                assert!(follows.is_ones(), "{} {cells:?}", pool.display(quantified));
            }
        }
    }
    assert!(n_held > 20_000, "{n_held}");
}

/// The first of sorted numbers is the least, the last the greatest, however many there are.
#[test]
fn what_follows_from_order_by_induction_is_found() {
    let mut pool = TermPool::new();
    let below = Box::new(z3::link(Z3Policy::default()));
    let mut solver = Quantifiers::new(QuantifierPolicy::default(), below);
    let sort = Sort::Array {
        index: 32,
        value: 32,
    };
    let array = pool.symbol("a", sort);
    let array = pool.symbol_term(array);
    let [(_, limit), (_, from), (_, to), (_, at)] =
        ["k", "f", "g", "x"].map(|name| symbol(&mut pool, name, 32));
    let how = (CmpOp::Sle, true);
    let sorted = neighbours(
        &mut pool,
        array,
        [limit, from, to],
        how,
        [true, false, true],
    );
    let one = pool.bv(32, 1);
    let last = pool.sub(limit, one);
    let [first, last, other] = [from, last, at].map(|index| pool.select(array, index));
    let is_behind = pool.ule(from, at);
    let is_inside = pool.ult(at, limit);
    let limits = Limits::default().within_work(&pool, Work::seconds(2));
    let less = pool.compare(CmpOp::Slt, other, first);
    let greater = pool.compare(CmpOp::Slt, last, other);
    for wrong in [less, greater] {
        let query = [sorted, is_behind, is_inside, wrong];
        let answer = solver.check(&mut pool, &Query::new(&query, &limits));
        assert!(answer.is_unsat(), "{answer:?}");
        // Without a border it need not be so.
        let query = [sorted, is_inside, wrong];
        let answer = solver.check(&mut pool, &Query::new(&query, &limits));
        assert!(answer.model().is_some(), "{answer:?}");
    }
}
