//! Upper bounds of counters from the conditions of their loops.
//!
//! ∀τ<κ. a + τ < b cannot hold at τ = b − a, so that κ is at most that, whatever the rest of the quantifier is:
//!
//! ```text
//! κ = 0 ∨ a < b ∧ κ ≤ b − a
//! ```
//!
//! and likewise for ≤, signed and unsigned. So for ≠, with an odd c: ∀τ<κ. a + c·τ ≠ b cannot hold at τ = (b
//! − a)·c⁻¹. If the compared terms are narrower than κ, the distance is zero-extended and τ is truncated. The
//! bound is implied by the quantifier and does not replace it.

use super::progression::{Slope, mentions, progression};
use term::{BinOp, Bv, CastOp, CmpOp, SymbolId, Term, TermId, TermPool, word};

/// ∀τ<limit. base + τ < bound, or ≤ bound, or ≠ bound; base and bound have at most as many bits as the limit.
pub(crate) struct Counting {
    pub(super) limit: TermId,
    pub(super) base: TermId,
    pub(super) bound: TermId,
    pub(super) comparison: CmpOp,
}

impl Counting {
    /// Those that a conjunct says; `variable` makes a variable of so many bits. The limit has no fewer bits than what
    /// is compared, so that each distance from the base is an iteration.
    pub(crate) fn all(
        pool: &mut TermPool,
        conjunct: TermId,
        variable: &mut dyn FnMut(&mut TermPool, u32) -> TermId,
    ) -> Vec<Counting> {
        let Term::ForAll { limit, .. } = pool.view(conjunct) else {
            return Vec::new();
        };
        let width = pool.width(limit);
        if !(2..=64).contains(&width) {
            return Vec::new();
        }
        let variable = variable(pool, width);
        let tau = pool.as_symbol(variable).expect("a variable is a symbol");
        let body = pool.instantiate(conjunct, variable);
        let parts = pool.conjuncts(body);
        (parts.into_iter())
            .filter_map(|part| Counting::of(pool, limit, tau, part))
            .collect()
    }

    fn of(pool: &mut TermPool, limit: TermId, tau: SymbolId, atom: TermId) -> Option<Counting> {
        let (comparison, lhs, rhs) = match pool.view(atom) {
            Term::Compare(comparison, lhs, rhs) if comparison != CmpOp::Eq => {
                (comparison, lhs, rhs)
            }
            Term::Not(equation) => match pool.view(equation) {
                Term::Compare(CmpOp::Eq, lhs, rhs) => (CmpOp::Ne, lhs, rhs),
                _ => return None,
            },
            _ => return None,
        };
        let width = pool.width(lhs);
        if width < 2 || width > pool.width(limit) {
            return None;
        }
        let (base, bound) = if comparison == CmpOp::Ne {
            let difference = pool.sub(lhs, rhs);
            let progression = progression(pool, difference, tau)?;
            let Slope::Constant(step) = progression.step else {
                return None;
            };
            if step.is_multiple_of(2) {
                return None;
            }
            let inverse = pool.bv(width, word::inverse(step));
            (pool.mul(progression.base, inverse), pool.bv(width, 0))
        } else {
            let progression = progression(pool, lhs, tau)?;
            if progression.step != Slope::Constant(1) || mentions(pool, rhs, tau) {
                return None;
            }
            (progression.base, rhs)
        };
        Some(Counting {
            limit,
            base,
            bound,
            comparison,
        })
    }

    /// Whether base and bound are compared as signed numbers.
    pub(super) fn is_signed(&self) -> bool {
        matches!(self.comparison, CmpOp::Slt | CmpOp::Sle)
    }

    /// Whether the bound itself is not reached.
    pub(super) fn is_strict(&self) -> bool {
        matches!(self.comparison, CmpOp::Slt | CmpOp::Ult)
    }

    /// The bound of the limit.
    pub(crate) fn bounds(&self, pool: &mut TermPool) -> TermId {
        let width = pool.width(self.limit);
        let (zero, one) = (pool.bv(width, 0), pool.bv(width, 1));
        let distance = pool.sub(self.bound, self.base);
        let distance = pool.cast(CastOp::ZExt, width, distance);
        if self.comparison == CmpOp::Ne {
            return pool.ule(self.limit, distance);
        }
        let never = pool.eq(self.limit, zero);
        let begins = pool.compare(self.comparison, self.base, self.bound);
        if self.is_strict() {
            let is_near = pool.ule(self.limit, distance);
            let ends = pool.and(begins, is_near);
            return pool.or(never, ends);
        }
        let last = pool.sub(self.limit, one);
        let is_near = pool.ule(last, distance);
        let ends = pool.and(begins, is_near);
        // No number is above the greatest one.
        let compared = pool.width(self.bound);
        let ones = Bv::ones(compared);
        let greatest = match self.is_signed() {
            true => Bv::binary(BinOp::LShr, &ones, &Bv::new(compared, 1)),
            false => ones,
        };
        let greatest = pool.constant(&greatest);
        let is_open = pool.eq(self.bound, greatest);
        pool.disj([never, is_open, ends])
    }
}
