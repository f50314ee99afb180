//! If-then-else, over bit-vectors and arrays.

use crate::pool::TermData;
use crate::{CastOp, CmpOp, Sort, TermId, TermPool};

impl TermPool {
    /// `t` where the truth value `c` holds, else `e`; `t` and `e` have the same sort.
    ///
    /// # Panics
    /// When the condition is wider than 1 or the sorts differ.
    pub fn ite(&mut self, c: TermId, t: TermId, e: TermId) -> TermId {
        // rule: ite-constant
        match c {
            TermId::TRUE => return t,
            TermId::FALSE => return e,
            _ if t == e => return t,
            _ => {}
        }
        assert_eq!(self.width(c), 1, "a condition has width 1");
        let sort = self.sort(t);
        assert_eq!(sort, self.sort(e), "the branches have the same sort");
        // rule: ite-polarity
        let (c, t, e) = if self.is_negative(c) {
            (self.not(c), e, t)
        } else {
            (c, t, e)
        };
        // rule: ite-nested
        let t = match self.data(t) {
            Some(&TermData::Ite(inner, then, _)) if inner == c => then,
            _ => t,
        };
        let e = match self.data(e) {
            Some(&TermData::Ite(inner, _, otherwise)) if inner == c => otherwise,
            _ => e,
        };
        if t == e {
            return t;
        }
        if let Sort::Bv(width) = sort
            && let Some(done) = self.ite_bits(width, c, t, e)
        {
            return done;
        }
        self.intern(TermData::Ite(c, t, e), sort)
    }

    fn ite_bits(&mut self, width: u32, c: TermId, t: TermId, e: TermId) -> Option<TermId> {
        if width == 1 {
            return self.ite_bool(c, t, e);
        }
        // rule: ite-extend
        if let (Some(x), Some(y)) = (self.as_const(t), self.as_const(e)) {
            let (value, condition) = if y.is_zero() {
                (x, c)
            } else if x.is_zero() {
                (y, self.not(c))
            } else {
                return None;
            };
            if value.to_u64() == Some(1) {
                return Some(self.cast(CastOp::ZExt, width, condition));
            }
            return value
                .is_ones()
                .then(|| self.cast(CastOp::SExt, width, condition));
        }
        // rule: ite-equal
        match self.data(c) {
            Some(&TermData::Compare(CmpOp::Eq, x, y)) if (x, y) == (t, e) || (y, x) == (t, e) => {
                Some(e)
            }
            _ => None,
        }
    }

    fn ite_bool(&mut self, c: TermId, t: TermId, e: TermId) -> Option<TermId> {
        // rule: ite-bool
        Some(match (self.as_u64(t), self.as_u64(e)) {
            (Some(1), _) => self.or(c, e),
            (Some(_), _) => {
                let not_c = self.not(c);
                self.and(not_c, e)
            }
            (None, Some(1)) => {
                let not_c = self.not(c);
                self.or(not_c, t)
            }
            (None, Some(_)) => self.and(c, t),
            (None, None) if t == c => self.or(c, e),
            (None, None) if e == c => self.and(c, t),
            (None, None) if self.not(t) == e => self.eq(c, t),
            (None, None) => return None,
        })
    }
}
