//! How far a counter comes that a loop's condition bounds.
//!
//! ∀τ<κ. a + τ < b cannot hold at τ = b − a, so that κ is no more than that, however the rest of the quantifier looks:
//!
//! ```text
//! κ = 0 ∨ a < b ∧ κ ≤ b − a
//! ```
//!
//! and likewise for ≤, signed and unsigned. It follows from the quantifier; it does not replace it.

use super::progression::{Step, mentions, progression};
use crate::term::{BinOp, Bv, CmpOp, SymbolId, Term, TermId, TermPool};

/// ∀τ<limit. base + τ < bound, or ≤ bound.
pub(in crate::solver) struct Counting {
    pub(super) limit: TermId,
    pub(super) base: TermId,
    pub(super) bound: TermId,
    pub(super) comparison: CmpOp,
}

impl Counting {
    /// Those that a conjunct says; `variable` makes a variable of so many bits. The limit and what is compared have as
    /// many bits, so that each distance from the base is an iteration.
    pub(in crate::solver) fn all(
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
        let Term::Compare(comparison, lhs, rhs) = pool.view(atom) else {
            return None;
        };
        let is_order = matches!(
            comparison,
            CmpOp::Slt | CmpOp::Sle | CmpOp::Ult | CmpOp::Ule
        );
        if !is_order || pool.width(lhs) != pool.width(limit) || mentions(pool, rhs, tau) {
            return None;
        }
        let progression = progression(pool, lhs, tau)?;
        (progression.step == Step::Constant(1)).then_some(Counting {
            limit,
            base: progression.base,
            bound: rhs,
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

    /// What it says of the limit.
    pub(in crate::solver) fn bounds(&self, pool: &mut TermPool) -> TermId {
        let width = pool.width(self.limit);
        let (zero, one) = (pool.bv(width, 0), pool.bv(width, 1));
        let never = pool.eq(self.limit, zero);
        let begins = pool.compare(self.comparison, self.base, self.bound);
        let distance = pool.sub(self.bound, self.base);
        if self.is_strict() {
            let is_near = pool.ule(self.limit, distance);
            let ends = pool.and(begins, is_near);
            return pool.or(never, ends);
        }
        let last = pool.sub(self.limit, one);
        let is_near = pool.ule(last, distance);
        let ends = pool.and(begins, is_near);
        // No number is above the greatest one.
        let ones = Bv::ones(width);
        let greatest = match self.is_signed() {
            true => Bv::binary(BinOp::LShr, &ones, &Bv::new(width, 1)),
            false => ones,
        };
        let greatest = pool.constant(&greatest);
        let is_open = pool.eq(self.bound, greatest);
        pool.disj([never, is_open, ends])
    }
}
