//! Slope A: a path counter that its own conditions determine is replaced by its closed form.
//!
//! If ∀τ<κ. P(τ) and ¬P(κ) both hold, κ is the first iteration at which P fails:
//! - `lt-up`: P is a + τ < b or a < b − τ: κ = ite(a ≤ b, b − a, 0);
//! - `le-up`: P is a + τ ≤ b or a ≤ b − τ: κ = ite(a ≤ b, b − a + 1, 0). When b is the greatest
//!   number P never fails; then ¬P(κ), which stays, is false;
//! - `ne-odd`: P is a + c·τ ≠ b with odd c: κ = (b − a)·c⁻¹.
//!
//! Signed and unsigned, mod 2^w, for κ exactly as wide as the compared terms.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::Binders;
use super::progression::{Slope, mentions, progression};
use term::{CmpOp, SymbolId, Term, TermId, TermPool, word};

/// A counter and the term that it equals; the term mentions no counter replaced before it.
pub(crate) type Solution = (SymbolId, TermId);

/// Conjuncts without the counters that are determined, and their values in the order of
/// replacement: a value may mention counters that are replaced later.
pub(crate) fn solve_counters(
    pool: &mut TermPool,
    binders: &mut Binders,
    conjuncts: &[TermId],
) -> (Vec<TermId>, Vec<Solution>) {
    let mut conjuncts = flat(pool, conjuncts);
    let mut solutions = Vec::new();
    while let Some((position, counter, value, rest)) =
        next_solution(pool, binders, &conjuncts, None)
    {
        let mut theta = IndexMap::new();
        theta.insert(counter, value);
        conjuncts[position] = rest;
        let substituted: Vec<TermId> = conjuncts
            .iter()
            .map(|conjunct| pool.substitute(*conjunct, &mut theta))
            .collect();
        conjuncts = flat(pool, &substituted);
        solutions.push((counter, value));
    }
    (conjuncts, solutions)
}

/// The value of a path counter that conjuncts determine by its closed form, and the conjuncts
/// without the part that says that no iteration before fails.
///
/// The conjuncts are equivalent to the rest ∧ counter = value.
pub fn determined_counter(
    pool: &mut TermPool,
    conjuncts: &[TermId],
    counter: SymbolId,
) -> Option<(TermId, Vec<TermId>)> {
    let mut binders = Binders::default();
    let mut conjuncts = flat(pool, conjuncts);
    let (position, _, value, rest) = next_solution(pool, &mut binders, &conjuncts, Some(counter))?;
    conjuncts[position] = rest;
    Some((value, flat(pool, &conjuncts)))
}

/// How many bits number all iterations τ = 0, 1, … up to the first at which an atom fails; `None`
/// where it may never fail or is of no kind that is known here.
#[must_use]
pub fn bits_until_failure(pool: &mut TermPool, atom: TermId, tau: SymbolId) -> Option<u32> {
    let (lhs, rhs, strict) = match pool.view(atom) {
        Term::Compare(CmpOp::Ult | CmpOp::Slt, lhs, rhs) => (lhs, rhs, true),
        Term::Not(inner) => match pool.view(inner) {
            Term::Compare(CmpOp::Eq, lhs, rhs) => (lhs, rhs, false),
            _ => return None,
        },
        _ => return None,
    };
    let width = pool.width(lhs);
    if !(2..=64).contains(&width) || width > pool.width(pool.symbol_term(tau)) {
        return None;
    }
    let left = progression(pool, lhs, tau)?;
    let right = progression(pool, rhs, tau)?;
    let (Slope::Constant(up), Slope::Constant(down)) = (left.step, right.step) else {
        return None;
    };
    let mask = u64::MAX >> (64 - width);
    let fails = if strict {
        // The sides come together by one an iteration, so that they meet within 2^w iterations.
        (up == 1 && down == 0) || (up == 0 && down == mask)
    } else {
        // An odd step reaches every number.
        up.wrapping_sub(down) & 1 == 1
    };
    fails.then_some(width)
}

/// Distinct parts, none true, none a conjunction.
pub(crate) fn flat(pool: &TermPool, conjuncts: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    conjuncts
        .iter()
        .flat_map(|conjunct| pool.conjuncts(*conjunct))
        .filter(|part| seen.insert(*part))
        .collect()
}

/// The position of a quantifier, its counter, the counter's value, and what is left of the
/// quantifier; of this counter, if one is given.
fn next_solution(
    pool: &mut TermPool,
    binders: &mut Binders,
    conjuncts: &[TermId],
    wanted: Option<SymbolId>,
) -> Option<(usize, SymbolId, TermId, TermId)> {
    let facts: FxHashSet<TermId> = conjuncts.iter().copied().collect();
    for (position, conjunct) in conjuncts.iter().enumerate() {
        let Term::ForAll { limit, .. } = pool.view(*conjunct) else {
            continue;
        };
        let Some(counter) = pool.as_symbol(limit) else {
            continue;
        };
        if wanted.is_some_and(|wanted| wanted != counter) {
            continue;
        }
        let (tau, body) = binders.open(pool, *conjunct);
        let parts = pool.conjuncts(body);
        for part in &parts {
            let mut theta = IndexMap::new();
            theta.insert(tau, limit);
            let at_exit = pool.substitute(*part, &mut theta);
            let not_at_exit = pool.not(at_exit);
            if !facts.contains(&not_at_exit) {
                continue;
            }
            let Some(value) = first_failure(pool, *part, tau, limit, &facts) else {
                continue;
            };
            if mentions(pool, value, counter) {
                continue;
            }
            let rest: Vec<TermId> = parts.iter().filter(|p| *p != part).copied().collect();
            let rest = pool.conj(rest);
            let rest = pool.forall_below(tau, limit, rest);
            return Some((position, counter, value, rest));
        }
    }
    None
}

/// The first τ at which an atom fails, provided that it fails at all and that the facts hold.
pub(super) fn first_failure(
    pool: &mut TermPool,
    atom: TermId,
    tau: SymbolId,
    counter: TermId,
    facts: &FxHashSet<TermId>,
) -> Option<TermId> {
    let (op, lhs, rhs) = match pool.view(atom) {
        Term::Compare(op, lhs, rhs) if op != CmpOp::Eq => (op, lhs, rhs),
        Term::Not(inner) => match pool.view(inner) {
            Term::Compare(CmpOp::Eq, lhs, rhs) => (CmpOp::Ne, lhs, rhs),
            _ => return None,
        },
        _ => return None,
    };
    let width = pool.width(lhs);
    if width != pool.width(counter) || width < 2 {
        return None;
    }
    let left = progression(pool, lhs, tau)?;
    let right = progression(pool, rhs, tau)?;
    let (Slope::Constant(up), Slope::Constant(down)) = (left.step, right.step) else {
        return None;
    };
    let mask = u64::MAX >> (64 - width);
    if op == CmpOp::Ne {
        // rule: ne-odd
        let step = up.wrapping_sub(down) & mask;
        if step & 1 == 0 {
            return None;
        }
        let distance = pool.sub(right.base, left.base);
        let factor = pool.bv(width, word::inverse(step));
        return Some(pool.mul(distance, factor));
    }
    // Either the left side counts up or the right side counts down, by one.
    if !((up == 1 && down == 0) || (up == 0 && down == mask)) {
        return None;
    }
    let (a, b) = (left.base, right.base);
    let (inclusive, reached) = match op {
        CmpOp::Ult => (false, pool.ule(a, b)),
        CmpOp::Slt => (false, pool.sle(a, b)),
        CmpOp::Ule => (true, pool.ule(a, b)),
        CmpOp::Sle => (true, pool.sle(a, b)),
        _ => return None,
    };
    let mut iterations = pool.sub(b, a);
    if inclusive {
        // rule: le-up
        let one = pool.bv(width, 1);
        iterations = pool.add(iterations, one);
    }
    // rule: lt-up
    if facts.contains(&reached) {
        return Some(iterations);
    }
    let zero = pool.bv(width, 0);
    Some(pool.ite(reached, iterations, zero))
}
