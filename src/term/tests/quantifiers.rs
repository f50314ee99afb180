//! Bounded quantifiers: binding, simplification, instances, evaluation.

use std::collections::BTreeMap;

use crate::{Assignment, Bv, EvalError, Sort, SymbolId, Term, TermId, TermPool};

struct Lab {
    pool: TermPool,
    tau: SymbolId,
    t: TermId,
    n: TermId,
    x: TermId,
}

fn lab(width: u32) -> Lab {
    let mut pool = TermPool::new();
    let tau = pool.symbol("tau", Sort::Bv(width));
    let t = pool.symbol_term(tau);
    let [n, x] = ["κ", "x"].map(|name| pool.fresh(name, Sort::Bv(width)));
    Lab { pool, tau, t, n, x }
}

#[test]
fn the_bound_variable_has_no_name() {
    let mut l = lab(8);
    let body = l.pool.ult(l.t, l.x);
    let all = l.pool.forall_below(l.tau, l.n, body);
    assert!(l.pool.has_quantifier(all) && l.pool.is_closed(all));
    assert!(!l.pool.symbols_of(all).contains(&l.tau));
    let other = l.pool.symbol("sigma", Sort::Bv(8));
    let s = l.pool.symbol_term(other);
    let body = l.pool.ult(s, l.x);
    assert_eq!(l.pool.forall_below(other, l.n, body), all);
    assert_eq!(l.pool.display(all).to_string(), "∀τ<κ: τ < x");
    let none = l.pool.not(all);
    assert_eq!(l.pool.display(none).to_string(), "∃τ<κ: τ ≥ x");
    let not_body = l.pool.not(body);
    assert_eq!(l.pool.exists_below(other, l.n, not_body), none);
}

#[test]
fn trivial_quantifiers_vanish() {
    let mut l = lab(8);
    let (zero, one) = (l.pool.bv(8, 0), l.pool.bv(8, 1));
    let body = l.pool.ne(l.t, l.x);
    assert_eq!(l.pool.forall_below(l.tau, zero, body), TermId::TRUE);
    assert_eq!(l.pool.exists_below(l.tau, zero, body), TermId::FALSE);
    assert_eq!(l.pool.forall_below(l.tau, l.n, TermId::TRUE), TermId::TRUE);
    let first = l.pool.ne(l.x, zero);
    assert_eq!(l.pool.forall_below(l.tau, one, body), first);
    let never = l.pool.eq(l.n, zero);
    assert_eq!(l.pool.forall_below(l.tau, l.n, TermId::FALSE), never);
    assert_eq!(
        l.pool.forall_below(l.tau, l.n, first),
        l.pool.or(never, first)
    );
}

#[test]
fn the_bound_variable_is_below_its_limit() {
    let mut l = lab(8);
    let is_below = l.pool.ult(l.t, l.n);
    let is_other = l.pool.ne(l.t, l.x);
    let body = l.pool.and(is_below, is_other);
    let all = l.pool.forall_below(l.tau, l.n, body);
    assert_eq!(all, l.pool.forall_below(l.tau, l.n, is_other));
    let is_above = l.pool.ule(l.n, l.t);
    assert_eq!(l.pool.exists_below(l.tau, l.n, is_above), TermId::FALSE);
    // Not with another limit, nor below a separate binder.
    let other = l.pool.forall_below(l.tau, l.x, is_below);
    assert!(l.pool.has_quantifier(other));
    let sigma = l.pool.symbol("sigma", Sort::Bv(8));
    let inner = l.pool.forall_below(sigma, l.x, body);
    let outer = l.pool.forall_below(l.tau, l.n, inner);
    let inner = l.pool.forall_below(sigma, l.x, is_other);
    assert_eq!(outer, l.pool.forall_below(l.tau, l.n, inner));
    // The limits become the same later.
    let x = l.pool.as_symbol(l.x).expect("a symbol");
    let replaced = l.pool.substitute(other, &mut BTreeMap::from([(x, l.n)]));
    assert_eq!(replaced, TermId::TRUE);
}

#[test]
fn instances() {
    let mut l = lab(8);
    let body = l.pool.ult(l.t, l.x);
    let all = l.pool.forall_below(l.tau, l.n, body);
    let (five, n) = (l.pool.bv(8, 5), l.n);
    let instance = l.pool.instantiate(all, five);
    assert_eq!(instance, l.pool.ult(five, l.x));
    let some = l.pool.exists_below(l.tau, n, body);
    assert_eq!(l.pool.instantiate(some, n), l.pool.ult(n, l.x));
}

#[test]
fn nested_quantifiers_bind_their_own_variables() {
    let mut l = lab(8);
    let sigma = l.pool.symbol("sigma", Sort::Bv(8));
    let s = l.pool.symbol_term(sigma);
    let sum = l.pool.add(s, l.t);
    let body = l.pool.ult(sum, l.x);
    // The inner limit mentions the outer variable.
    let inner = l.pool.forall_below(sigma, l.t, body);
    let outer = l.pool.forall_below(l.tau, l.n, inner);
    assert_eq!(l.pool.display(outer).to_string(), "∀τ<κ: ∀τ1<τ: τ1 + τ < x");
    let three = l.pool.bv(8, 3);
    let instance = l.pool.instantiate(outer, three);
    let sum = l.pool.add(s, three);
    let body = l.pool.ult(sum, l.x);
    assert_eq!(instance, l.pool.forall_below(sigma, three, body));
    // Substitution goes under binders; replacements stay what they are.
    let x = l.pool.as_symbol(l.x).expect("a symbol");
    let replaced = l.pool.substitute(outer, &mut BTreeMap::from([(x, l.n)]));
    assert_eq!(
        l.pool.display(replaced).to_string(),
        "∀τ<κ: ∀τ1<τ: τ1 + τ < κ"
    );
    let text = l.pool.to_text(outer);
    assert_eq!(l.pool.parse(&text), Ok(outer));
    let mut assignment = Assignment::new();
    let n = l.pool.as_symbol(l.n).expect("a symbol");
    for (iterations, bound, expected) in [(4, 6, true), (4, 5, false), (0, 0, true), (1, 0, true)] {
        assignment.set(n, Bv::new(8, iterations));
        assignment.set(x, Bv::new(8, bound));
        assert_eq!(l.pool.evaluate(outer, &assignment), Ok(Bv::truth(expected)));
    }
}

#[test]
fn evaluation_gives_up_by_budget() {
    let mut l = lab(64);
    let square = l.pool.mul(l.t, l.t);
    let body = l.pool.ne(square, l.x);
    let all = l.pool.forall_below(l.tau, l.n, body);
    let (n, x) = (
        l.pool.as_symbol(l.n).expect("symbol"),
        l.pool.as_symbol(l.x).expect("symbol"),
    );
    let mut assignment = Assignment::new();
    assignment.set(n, Bv::ones(64));
    assignment.set(x, Bv::ones(64));
    assert_eq!(
        l.pool.evaluate_within(all, &assignment, 1000),
        Err(EvalError::TooManyIterations { budget: 1000 })
    );
    // A counter-example within the budget is an answer.
    assignment.set(x, Bv::new(64, 500 * 500));
    assert_eq!(
        l.pool.evaluate_within(all, &assignment, 1000),
        Ok(Bv::truth(false))
    );
}

#[test]
fn many_nested_quantifiers() {
    let mut l = lab(4);
    let two = l.pool.bv(4, 2);
    let taus: Vec<SymbolId> = (0..40).map(|_| l.pool.symbol("t", Sort::Bv(4))).collect();
    let terms: Vec<TermId> = taus.iter().map(|tau| l.pool.symbol_term(*tau)).collect();
    let sum = terms.iter().fold(l.x, |sum, t| l.pool.add(sum, *t));
    let mut term = l.pool.ne(sum, l.n);
    for tau in taus.iter().rev() {
        term = l.pool.forall_below(*tau, two, term);
    }
    assert!(matches!(l.pool.view(term), Term::ForAll { .. }));
    // Each instance takes one binder away.
    let one = l.pool.bv(4, 1);
    let mut instance = term;
    for _ in 0..40 {
        instance = l.pool.instantiate(instance, one);
    }
    let eight = l.pool.bv(4, 8);
    let shifted = l.pool.add(l.x, eight);
    let expected = l.pool.ne(shifted, l.n);
    assert_eq!(instance, expected);
    let text = l.pool.to_text(term);
    assert_eq!(l.pool.parse(&text), Ok(term));
    let mut assignment = Assignment::new();
    let n = l.pool.as_symbol(l.n).expect("a symbol");
    assignment.set(n, Bv::new(4, 3));
    assert_eq!(l.pool.evaluate(term, &assignment), Ok(Bv::truth(false)));
}
