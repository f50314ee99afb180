//! Queries about the shape of terms, for callers that search them for pointers or overflow checks.

use super::{BinOp, CastOp, CmpOp, Term, TermId, TermPool};
use rustc_hash::FxHashSet;

impl TermPool {
    /// The factors of a signed product, where a truth value says that it does not overflow: that it is the
    /// same in its own bits as in at least twice as many, which no product exceeds.
    #[must_use]
    pub fn fitting_product(&self, truth: TermId) -> Option<(TermId, TermId)> {
        let Term::Compare(CmpOp::Eq, lhs, rhs) = self.view(truth) else {
            return None;
        };
        let factors = |wrapped: TermId, exact: TermId| {
            let Term::Cast(CastOp::SExt, product) = self.view(wrapped) else {
                return None;
            };
            let Term::Binary(BinOp::Mul, one, other) = self.view(product) else {
                return None;
            };
            let Term::Binary(BinOp::Mul, first, second) = self.view(exact) else {
                return None;
            };
            let narrow = |wide: TermId| match self.view(wide) {
                Term::Cast(CastOp::SExt, narrow) => Some(narrow),
                _ => None,
            };
            let factors = (narrow(first)?, narrow(second)?);
            let is_same = factors == (one, other) || factors == (other, one);
            (is_same && self.width(exact) >= 2 * self.width(product)).then_some(factors)
        };
        factors(lhs, rhs).or_else(|| factors(rhs, lhs))
    }

    /// The summands of a sum with their coefficients, without its constant; `None` where the
    /// term is not a sum.
    #[must_use]
    pub fn linear_terms(&self, term: TermId) -> Option<&[(u64, TermId)]> {
        match self.view(term) {
            Term::Sum { terms, .. } => Some(terms),
            _ => None,
        }
    }

    /// Whether the shape of a term shows that its value is a multiple of a power of two.
    ///
    /// # Panics
    /// If `power_of_two` is none.
    #[must_use]
    pub fn is_multiple_of(&self, term: TermId, power_of_two: u64) -> bool {
        assert!(
            power_of_two.is_power_of_two(),
            "only powers of two divide 2^w"
        );
        // All that has to be a multiple, and of what. Terms share their parts: each is examined once.
        let mut pending = vec![(term, power_of_two)];
        let mut seen = FxHashSet::default();
        while let Some((term, power)) = pending.pop() {
            if power == 1 {
                continue;
            }
            if let Some(value) = self.as_u64(term) {
                if value % power != 0 {
                    return false;
                }
                continue;
            }
            if !seen.insert((term, power)) {
                continue;
            }
            match self.view(term) {
                Term::Symbol(symbol) if self.symbol_divisor(symbol).is_multiple_of(power) => {}
                Term::Sum { constant, terms } if constant % power == 0 => {
                    let part = |(coefficient, part): &(u64, TermId)| {
                        let shift = coefficient.trailing_zeros().min(63);
                        (*part, (power >> shift).max(1))
                    };
                    pending.extend(terms.iter().map(part));
                }
                Term::Ite(_, then, otherwise) => {
                    pending.extend([(then, power), (otherwise, power)]);
                }
                Term::Cast(_, of) if power < 1 << (self.width(of) - 1).min(63) => {
                    pending.push((of, power));
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether two terms differ at most in their operands: same operator, sort and number of
    /// operands. Symbols, constants and bound variables have to be the same.
    #[must_use]
    pub fn same_operator(&self, one: TermId, other: TermId) -> bool {
        if one == other {
            return true;
        }
        if self.sort(one) != self.sort(other) {
            return false;
        }
        match (self.view(one), self.view(other)) {
            (
                Term::Sum {
                    constant: c,
                    terms: these,
                },
                Term::Sum {
                    constant: d,
                    terms: those,
                },
            ) => {
                let coefficients = |terms: &[(u64, TermId)]| -> Vec<u64> {
                    terms.iter().map(|(coefficient, _)| *coefficient).collect()
                };
                c == d && coefficients(these) == coefficients(those)
            }
            (Term::Binary(op, ..), Term::Binary(of, ..)) => op == of,
            (Term::Compare(op, a, _), Term::Compare(of, b, _)) => {
                op == of && self.sort(a) == self.sort(b)
            }
            (Term::Cast(op, a), Term::Cast(of, b)) => op == of && self.sort(a) == self.sort(b),
            (Term::Extract { low, of: a }, Term::Extract { low: at, of: b }) => {
                low == at && self.sort(a) == self.sort(b)
            }
            (Term::Concat { low: a, .. }, Term::Concat { low: b, .. }) => {
                self.sort(a) == self.sort(b)
            }
            (
                Term::Power { base, exponent },
                Term::Power {
                    base: with,
                    exponent: to,
                },
            ) => base == with && self.sort(exponent) == self.sort(to),
            (Term::Select(a, _), Term::Select(b, _)) => self.sort(a) == self.sort(b),
            (Term::ForAll { limit: a, .. }, Term::ForAll { limit: b, .. }) => {
                self.sort(a) == self.sort(b)
            }
            (Term::Not(_), Term::Not(_))
            | (Term::Ite(..), Term::Ite(..))
            | (Term::Store(..), Term::Store(..))
            | (Term::ConstArray(_), Term::ConstArray(_))
            | (Term::Lambda(_), Term::Lambda(_)) => true,
            _ => false,
        }
    }

    /// A bit-vector as ite(condition, then, otherwise), where its outermost shape is a case
    /// distinction: an `Ite`, a sum with one `Ite` among its summands, or a read of an array in
    /// which something was stored.
    #[must_use]
    pub fn split_condition(&mut self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        self.split(term, false)
    }

    /// The same also where a part of the bits is a case distinction, as for an address that is put
    /// together from bytes, of which some may have been overwritten.
    #[must_use]
    pub fn split_condition_of_parts(&mut self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        self.split(term, true)
    }

    fn split(&mut self, term: TermId, into_parts: bool) -> Option<(TermId, TermId, TermId)> {
        match self.view(term) {
            Term::Ite(condition, then, otherwise) => Some((condition, then, otherwise)),
            Term::Select(array, index) => match self.view(array) {
                Term::Store(below, at, value) => {
                    let hit = self.eq(at, index);
                    let miss = self.select(below, index);
                    Some((hit, value, miss))
                }
                Term::Ite(condition, then, otherwise) => {
                    let then = self.select(then, index);
                    let otherwise = self.select(otherwise, index);
                    Some((condition, then, otherwise))
                }
                _ => None,
            },
            Term::Sum { terms, .. } => {
                let terms = terms.to_vec();
                let mut cases = terms.into_iter().filter_map(|(coefficient, part)| {
                    self.split(part, into_parts)
                        .map(|cases| (coefficient, part, cases))
                });
                let (coefficient, part, (condition, then, otherwise)) = cases.next()?;
                if cases.next().is_some() {
                    return None;
                }
                drop(cases);
                let width = self.width(term);
                let coefficient = self.bv(width, coefficient);
                let product = self.mul(coefficient, part);
                let rest = self.sub(term, product);
                let mut case = |value| {
                    let product = self.mul(coefficient, value);
                    self.add(rest, product)
                };
                Some((condition, case(then), case(otherwise)))
            }
            // The high bytes of an address are known to be zero: its parts are below an extension.
            Term::Cast(CastOp::ZExt, parts)
                if into_parts && matches!(self.view(parts), Term::Concat { .. }) =>
            {
                let (condition, then, otherwise) = self.split(parts, true)?;
                let width = self.width(term);
                let mut extended = |parts| self.cast(CastOp::ZExt, width, parts);
                Some((condition, extended(then), extended(otherwise)))
            }
            Term::Concat { .. } | Term::Extract { .. } if into_parts => {
                let condition = self.condition_in_parts(term)?;
                let then = self.parts_where(term, condition, true);
                let otherwise = self.parts_where(term, condition, false);
                Some((condition, then, otherwise))
            }
            _ => None,
        }
    }

    /// The condition of the first part of a term that is a case distinction.
    fn condition_in_parts(&mut self, term: TermId) -> Option<TermId> {
        match self.view(term) {
            Term::Concat { high, low } => {
                let first = self.condition_in_parts(high);
                first.or_else(|| self.condition_in_parts(low))
            }
            Term::Extract { of, .. } => self.condition_in_parts(of),
            _ => self.split(term, false).map(|(condition, ..)| condition),
        }
    }

    /// A term where a condition holds or does not, as far as its parts are distinguished by it.
    fn parts_where(&mut self, term: TermId, condition: TermId, holds: bool) -> TermId {
        match self.view(term) {
            Term::Concat { high, low } => {
                let high = self.parts_where(high, condition, holds);
                let low = self.parts_where(low, condition, holds);
                self.concat(high, low)
            }
            Term::Extract { low, of } => {
                let width = self.width(term);
                let of = self.parts_where(of, condition, holds);
                self.extract(low, width, of)
            }
            _ => match self.split(term, false) {
                Some((by, then, otherwise)) if by == condition => {
                    self.parts_where(if holds { then } else { otherwise }, condition, holds)
                }
                _ => term,
            },
        }
    }
}
