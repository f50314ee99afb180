//! Casts, extraction, concatenation.

use crate::Interval;
use crate::bv::word;
use crate::pool::TermData;
use crate::{BinOp, CastOp, Linear, Sort, TermId, TermPool};

impl TermPool {
    /// A change of width; the identity when the width stays.
    ///
    /// # Panics
    /// When a truncation would widen or an extension would narrow.
    #[inline]
    pub fn cast(&mut self, op: CastOp, width: u32, a: TermId) -> TermId {
        if let (Some((from, value)), true) = (a.inline_parts(), width <= 64) {
            let fits = if op == CastOp::Trunc {
                width <= from
            } else {
                width >= from
            };
            assert!(fits, "{op:?} from {from} to {width} bits");
            let value = match op {
                CastOp::Trunc | CastOp::ZExt => value,
                CastOp::SExt => word::unsigned(64, word::signed(from, value)),
            };
            return self.bv(width, value);
        }
        self.cast_term(op, width, a)
    }

    fn cast_term(&mut self, op: CastOp, width: u32, a: TermId) -> TermId {
        let from = self.width(a);
        if from == width {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(&value.cast(op, width));
        }
        if op == CastOp::Trunc {
            assert!(width < from, "a truncation does not widen");
            return self.extract(0, width, a);
        }
        assert!(width > from, "an extension does not narrow");
        // rule: ext-ite
        if let Some(&TermData::Ite(c, t, e)) = self.data(a)
            && self.is_const(t)
            && self.is_const(e)
        {
            let (t, e) = (self.cast(op, width, t), self.cast(op, width, e));
            return self.ite(c, t, e);
        }
        let done = match op {
            CastOp::ZExt => self.zext_rules(width, a),
            CastOp::SExt => self.sext_rules(width, a),
            CastOp::Trunc => unreachable!("handled above"),
        };
        match done {
            Some(done) => done,
            None => self.intern(TermData::Cast(op, a), Sort::Bv(width)),
        }
    }

    fn zext_rules(&mut self, width: u32, a: TermId) -> Option<TermId> {
        // rule: ext-ext
        if let Some(inner) = self.cast_operand(CastOp::ZExt, a) {
            return Some(self.cast(CastOp::ZExt, width, inner));
        }
        // rule: zext-extract
        if let Some(&TermData::Extract { low: 0, of }) = self.data(a) {
            let whole = self.width(of);
            if whole <= 64 && self.umax(of) <= word::mask(self.width(a)) {
                return Some(if whole <= width {
                    self.cast(CastOp::ZExt, width, of)
                } else {
                    self.extract(0, width, of)
                });
            }
        }
        self.extend_sum(CastOp::ZExt, width, a)
    }

    fn sext_rules(&mut self, width: u32, a: TermId) -> Option<TermId> {
        // rule: ext-ext
        for op in [CastOp::SExt, CastOp::ZExt] {
            if let Some(inner) = self.cast_operand(op, a) {
                return Some(self.cast(op, width, inner));
            }
        }
        // rule: sext-positive
        if self.is_non_negative(a) {
            return Some(self.cast(CastOp::ZExt, width, a));
        }
        self.extend_sum(CastOp::SExt, width, a)
    }

    fn extend_sum(&mut self, op: CastOp, width: u32, a: TermId) -> Option<TermId> {
        // rule: ext-sum
        if width > 64 || !matches!(self.data(a), Some(TermData::Sum { .. })) {
            return None;
        }
        let sum = self.linear(a);
        let signed_terms = op == CastOp::SExt;
        let full = Interval::reading(sum.width, signed_terms);
        let readings: &[bool] = if signed_terms {
            &[true]
        } else {
            &[true, false]
        };
        for &signed in readings {
            let Some(range) = self.sum_reading(&sum, signed, signed_terms) else {
                continue;
            };
            if !range.within(&full) {
                continue;
            }
            let number = |c: u64| {
                if signed {
                    word::unsigned(64, word::signed(sum.width, c))
                } else {
                    c
                }
            };
            let terms: Vec<(u64, TermId)> = sum
                .terms
                .iter()
                .map(|(c, t)| (number(*c), self.cast(op, width, *t)))
                .collect();
            return Some(self.sum_of(width, number(sum.constant), terms.into_iter()));
        }
        None
    }

    /// Bits `low`..`low + width` of a term.
    ///
    /// # Panics
    /// When they do not lie in the term.
    pub fn extract(&mut self, low: u32, width: u32, a: TermId) -> TermId {
        let whole = self.width(a);
        assert!(
            width >= 1 && low + width <= whole,
            "extracted bits lie inside"
        );
        // rule: extract-whole
        if width == whole {
            return a;
        }
        if let Some(value) = self.as_const(a) {
            return self.constant(&value.extract(low, width));
        }
        let has_operands = matches!(
            self.data(a),
            Some(TermData::Sum { .. } | TermData::Binary(..))
        );
        if !has_operands {
            return self.extract_anew(low, width, a);
        }
        if let Some(known) = self.extracts.get(&(a, low, width)) {
            return *known;
        }
        let bits = self.extract_anew(low, width, a);
        self.extracts.insert((a, low, width), bits);
        bits
    }

    fn extract_anew(&mut self, low: u32, width: u32, a: TermId) -> TermId {
        match self.extract_rules(low, width, a) {
            Some(done) => done,
            None => {
                let bits = self.intern(TermData::Extract { low, of: a }, Sort::Bv(width));
                if width == 1 {
                    self.tabulated(bits)
                } else {
                    bits
                }
            }
        }
    }

    fn extract_rules(&mut self, low: u32, width: u32, a: TermId) -> Option<TermId> {
        // rule: extract-range
        if let Some(TermData::Symbol(_) | TermData::Sum { .. }) = self.data(a)
            && self.mentions_range(a)
            && self.unsigned_range(a).high >> low == 0
        {
            return Some(self.bv(width, 0));
        }
        match self.data(a)? {
            // rule: extract-divisor
            TermData::Symbol(_) if low + width <= self.trailing_zeros(a) => Some(self.bv(width, 0)),
            // rule: extract-extract
            &TermData::Extract { low: inner, of } => Some(self.extract(low + inner, width, of)),
            &TermData::Concat {
                high: upper,
                low: lower,
            } => {
                // rule: extract-concat
                let cut = self.width(lower);
                Some(if low + width <= cut {
                    self.extract(low, width, lower)
                } else if low >= cut {
                    self.extract(low - cut, width, upper)
                } else {
                    let upper = self.extract(0, low + width - cut, upper);
                    let lower = self.extract(low, cut - low, lower);
                    self.concat(upper, lower)
                })
            }
            &TermData::Cast(op, of) => {
                // rule: extract-extend
                let inner = self.width(of);
                if low + width <= inner {
                    return Some(self.extract(low, width, of));
                }
                if low < inner {
                    let part = self.extract(low, inner - low, of);
                    return Some(self.cast(op, width, part));
                }
                if op == CastOp::ZExt {
                    let zero = self.bv(width, 0);
                    return Some(zero);
                }
                let sign = self.extract(inner - 1, 1, of);
                Some(self.cast(CastOp::SExt, width, sign))
            }
            TermData::Sum { .. } => self.extract_sum(low, width, a),
            &TermData::Binary(op, x, y) => {
                // rule: extract-bitwise
                let applies = match op {
                    BinOp::And | BinOp::Or | BinOp::Xor => true,
                    BinOp::Mul => low == 0,
                    _ => false,
                };
                // The lowest bit of a product is a conjunction.
                let is_bit = op == BinOp::Mul && low == 0 && width == 1;
                if is_bit || applies && self.swallows_extract(x) && self.swallows_extract(y) {
                    let (x, y) = (self.extract(low, width, x), self.extract(low, width, y));
                    return Some(self.binary(op, x, y));
                }
                None
            }
            &TermData::Ite(c, t, e) if self.is_const(t) && self.is_const(e) => {
                // rule: extract-ite
                let (t, e) = (self.extract(low, width, t), self.extract(low, width, e));
                Some(self.ite(c, t, e))
            }
            _ => None,
        }
    }

    /// True iff an extract of the term is never a node above it.
    fn swallows_extract(&self, term: TermId) -> bool {
        matches!(
            self.data(term),
            None | Some(
                TermData::Constant(_)
                    | TermData::Cast(..)
                    | TermData::Concat { .. }
                    | TermData::Extract { .. }
            )
        )
    }

    /// Whether a symbol, or a symbol of a sum, has a known range.
    fn mentions_range(&self, a: TermId) -> bool {
        let is_known = |part: TermId| {
            let symbol = self.as_symbol(part);
            symbol.is_some_and(|symbol| self.symbol_range(symbol).is_some())
        };
        let parts = self.linear_terms(a);
        is_known(a) || parts.is_some_and(|parts| parts.iter().any(|(_, part)| is_known(*part)))
    }

    fn extract_sum(&mut self, low: u32, width: u32, a: TermId) -> Option<TermId> {
        let sum = self.linear(a);
        if low == 0 {
            // rule: extract-sum
            let terms: Vec<(u64, TermId)> = sum
                .terms
                .iter()
                .map(|(c, t)| (*c, self.extract(0, width, *t)))
                .collect();
            return Some(self.sum_of(width, sum.constant, terms.into_iter()));
        }
        // rule: extract-shift
        let numbers = sum.terms.iter().map(|(c, _)| *c).chain([sum.constant]);
        // Not the zeros of the terms: they are not divided.
        let zeros = numbers.fold(low, |zeros, number| zeros.min(number.trailing_zeros()));
        if zeros > 0 {
            let shifted = self.shifted_down(&sum, zeros);
            return Some(self.extract(low - zeros, width, shifted));
        }
        // rule: extract-high
        let below = word::mask(low);
        let (upper, lower): (Vec<_>, Vec<_>) =
            sum.terms.iter().copied().partition(|(c, _)| c & below == 0);
        if upper.is_empty() {
            return None;
        }
        let rest = Linear {
            terms: lower,
            constant: sum.constant & below,
            ..sum
        };
        let range = self.sum_reading(&rest, false, false)?;
        if !range.within(&Interval::unsigned(low)) {
            return None;
        }
        let upper = Linear {
            terms: upper,
            constant: sum.constant & !below,
            ..rest
        };
        let shifted = self.shifted_down(&upper, low);
        Some(self.extract(0, width, shifted))
    }

    /// Σ / 2^by for a form whose numbers all are multiples.
    fn shifted_down(&mut self, sum: &Linear, by: u32) -> TermId {
        self.linear_term(Linear {
            width: sum.width,
            constant: sum.constant >> by,
            terms: sum.terms.iter().map(|(c, t)| (c >> by, *t)).collect(),
        })
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        if let (Some(x), Some(y)) = (self.as_const(high), self.as_const(low)) {
            return self.constant(&x.concat(&y));
        }
        // rule: concat-zero
        if self.is_zero(high) {
            return self.cast(CastOp::ZExt, width, low);
        }
        if let Some(inner) = self.cast_operand(CastOp::ZExt, high) {
            let narrow = self.concat(inner, low);
            return self.cast(CastOp::ZExt, width, narrow);
        }
        // rule: concat-nest
        if let Some(&TermData::Concat {
            high: first,
            low: second,
        }) = self.data(high)
        {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        // rule: concat-join
        let (next, rest) = match self.data(low) {
            Some(&TermData::Concat {
                high: next,
                low: rest,
            }) => (next, Some(rest)),
            _ => (low, None),
        };
        if let Some(joined) = self.join(high, next) {
            return match rest {
                Some(rest) => self.concat(joined, rest),
                None => joined,
            };
        }
        self.intern(TermData::Concat { high, low }, Sort::Bv(width))
    }

    /// Two neighbours as one term.
    fn join(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(x), Some(y)) = (self.as_const(high), self.as_const(low)) {
            return Some(self.constant(&x.concat(&y)));
        }
        match (self.data(high)?, self.data(low)?) {
            (
                &TermData::Extract {
                    low: upper_from,
                    of: x,
                },
                &TermData::Extract {
                    low: lower_from,
                    of: y,
                },
            ) if x == y && lower_from + self.width(low) == upper_from => {
                let width = self.width(high) + self.width(low);
                Some(self.extract(lower_from, width, x))
            }
            _ => None,
        }
    }
}
