//! Skolemisation: formulas without quantifiers, and the universal quantifiers extracted from them.
//!
//! - ∃τ<k. φ, where it must hold, becomes τ₀ < k ∧ φ\[τ₀\] with a symbol τ₀ of this quantifier.
//! - ∀τ<k. φ, where it must hold, is extracted; under a disjunction it is replaced by a truth value g, and g
//!   → ∀τ<k. φ is extracted.
//! - Equivalences and choices with quantifiers are expanded.
//!
//! A quantifier that occurs twice has one symbol: what holds at τ₀, or under g, is the same. The remaining
//! formula and the extracted quantifiers together are satisfiable exactly if the original is, by the same
//! values of its symbols.

use super::Binders;
use term::{CmpOp, Term, TermId, TermPool};

/// A universal quantifier that must hold, if its guard does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Universal {
    pub(crate) guard: Option<TermId>,
    /// A `ForAll` term.
    pub(crate) quantified: TermId,
}

/// A quantifier stands in a place that is not a truth function's operand, such as an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotBoolean;

/// The part of a formula without quantifiers; `must_hold` says that it is asserted by itself.
pub(crate) fn take_out(
    pool: &mut TermPool,
    binders: &mut Binders,
    term: TermId,
    must_hold: bool,
    out: &mut Vec<Universal>,
) -> Result<TermId, NotBoolean> {
    if !pool.has_quantifier(term) {
        return Ok(term);
    }
    let conjuncts = pool.conjuncts(term);
    if conjuncts.len() > 1 {
        let mut parts = Vec::with_capacity(conjuncts.len());
        for part in conjuncts {
            parts.push(take_out(pool, binders, part, must_hold, out)?);
        }
        return Ok(pool.conj(parts));
    }
    let disjuncts = pool.disjuncts(term);
    if disjuncts.len() > 1 {
        let mut parts = Vec::with_capacity(disjuncts.len());
        for part in disjuncts {
            parts.push(take_out(pool, binders, part, false, out)?);
        }
        return Ok(pool.disj(parts));
    }
    match pool.view(term) {
        Term::ForAll { .. } => {
            let guard = (!must_hold).then(|| binders.guard(pool, term));
            out.push(Universal {
                guard,
                quantified: term,
            });
            Ok(guard.unwrap_or(TermId::TRUE))
        }
        Term::Not(inner) => match pool.view(inner) {
            Term::ForAll { limit, .. } => {
                let width = pool.width(limit);
                let witness = binders.witness(pool, inner, width);
                let instance = pool.instantiate(inner, witness);
                let fails = pool.not(instance);
                let fails = take_out(pool, binders, fails, must_hold, out)?;
                let inside = pool.ult(witness, limit);
                Ok(pool.and(inside, fails))
            }
            Term::Compare(CmpOp::Eq, a, b) if pool.width(a) == 1 => {
                let not_b = pool.not(b);
                either(pool, binders, a, not_b, out)
            }
            _ => Err(NotBoolean),
        },
        Term::Compare(CmpOp::Eq, a, b) if pool.width(a) == 1 => either(pool, binders, a, b, out),
        Term::Ite(c, t, e) => {
            let not_c = pool.not(c);
            let (on_true, on_false) = (pool.and(c, t), pool.and(not_c, e));
            let on_true = take_out(pool, binders, on_true, false, out)?;
            let on_false = take_out(pool, binders, on_false, false, out)?;
            Ok(pool.or(on_true, on_false))
        }
        _ => Err(NotBoolean),
    }
}

/// (a ∧ b) ∨ (¬a ∧ ¬b).
fn either(
    pool: &mut TermPool,
    binders: &mut Binders,
    a: TermId,
    b: TermId,
    out: &mut Vec<Universal>,
) -> Result<TermId, NotBoolean> {
    let (not_a, not_b) = (pool.not(a), pool.not(b));
    let (both, none) = (pool.and(a, b), pool.and(not_a, not_b));
    // Not joined before the quantifiers are gone: a constructor might fold them back.
    let both = take_out(pool, binders, both, false, out)?;
    let none = take_out(pool, binders, none, false, out)?;
    Ok(pool.or(both, none))
}
