//! Bounded quantifiers.

use crate::pool::TermData;
use crate::{Sort, SymbolId, TermId, TermPool};

impl TermPool {
    /// ∀τ. τ <u limit → body. The symbol `tau` is bound in `body` (not in `limit`) and does not
    /// occur in the result; it has the width of the limit.
    ///
    /// ```
    /// use compact_se_term::{Assignment, Bv, Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let tau = pool.symbol("tau", Sort::Bv(8));
    /// let (variable, four) = (pool.symbol_term(tau), pool.bv(8, 4));
    /// let body = pool.ult(variable, four);
    /// let all = pool.forall_below(tau, four, body);
    /// assert_eq!(pool.evaluate(all, &Assignment::new()), Ok(Bv::truth(true)));
    /// ```
    ///
    /// # Panics
    /// When the widths of `tau` and `limit` differ or the body is wider than 1.
    pub fn forall_below(&mut self, tau: SymbolId, limit: TermId, body: TermId) -> TermId {
        assert_eq!(
            self.symbol_sort(tau),
            Sort::Bv(self.width(limit)),
            "the bound variable is as wide as its limit"
        );
        let body = self.abstract_symbol(body, tau);
        self.forall_bound(limit, body)
    }

    /// ∃τ. τ <u limit ∧ body; otherwise as [`TermPool::forall_below`].
    pub fn exists_below(&mut self, tau: SymbolId, limit: TermId, body: TermId) -> TermId {
        let not_body = self.not(body);
        let never = self.forall_below(tau, limit, not_body);
        self.not(never)
    }

    /// The body of a quantified term with its bound variable replaced by a closed value: `φ[value]`
    /// of ∀τ<n. φ and of ∃τ<n. φ (which is the negation of ∀τ<n. ¬φ); the summand at `value` of a
    /// bounded sum.
    ///
    /// # Panics
    /// When the term is neither quantified nor a bounded sum, or the value has not the width of the
    /// limit.
    pub fn instantiate(&mut self, quantified: TermId, value: TermId) -> TermId {
        match self.data(quantified) {
            Some(&(TermData::ForAll { limit, body } | TermData::SumBelow { limit, body })) => {
                assert_eq!(
                    self.width(limit),
                    self.width(value),
                    "a bound variable is replaced by a value of its width"
                );
                self.instantiate_bound(body, value)
            }
            Some(&TermData::Not(inner)) => {
                let instance = self.instantiate(inner, value);
                self.not(instance)
            }
            _ => panic!("only a quantified term or a bounded sum is instantiated"),
        }
    }

    /// The quantifier over a body in which the variable already is `Bound` 0.
    pub(crate) fn forall_bound(&mut self, limit: TermId, body: TermId) -> TermId {
        assert_eq!(self.width(body), 1, "a quantified body has width 1");
        let width = self.width(limit);
        // rule: forall-constant
        if body == TermId::TRUE {
            return TermId::TRUE;
        }
        match self.as_u64(limit) {
            Some(0) => return TermId::TRUE,
            Some(1) => {
                let zero = self.bv(width, 0);
                return self.instantiate_bound(body, zero);
            }
            _ => {}
        }
        // rule: forall-unused
        if !self.may_mention_bound(body, 0) {
            let zero = self.bv(width, 0);
            let never = self.eq(limit, zero);
            let body = self.instantiate_bound(body, zero);
            return self.or(never, body);
        }
        // rule: forall-limit
        let within = self.below_limit(body, limit);
        if within != body {
            return self.forall_bound(limit, within);
        }
        self.intern(TermData::ForAll { limit, body }, Sort::Bv(1))
    }
}
