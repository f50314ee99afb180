//! Rules of floating point.

use crate::pool::TermData;
use crate::{FloatCast, FloatOp, TermId, TermPool};

impl TermPool {
    /// A comparison that a simpler one stands for.
    pub(crate) fn simpler_float_comparison(
        &mut self,
        op: FloatOp,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        // rule: float-root-sign
        let (root_is_first, of, other) = match (self.root(a), self.root(b)) {
            (Some(of), None) => (true, of, b),
            (None, Some(of)) => (false, of, a),
            _ => return None,
        };
        if !self.is_float_zero(other) {
            return None;
        }
        Some(match (op, root_is_first) {
            (FloatOp::Lt, true) => self.bv(1, 0),
            (FloatOp::Le, true) | (FloatOp::Eq, _) => self.float_binary(FloatOp::Eq, of, other),
            (FloatOp::Lt | FloatOp::Le, false) => self.float_binary(op, other, of),
            (FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div, _) => return None,
        })
    }

    fn root(&self, term: TermId) -> Option<TermId> {
        match self.data(term) {
            Some(TermData::FloatCast(FloatCast::Sqrt, of)) => Some(*of),
            _ => None,
        }
    }

    /// +0 or −0.
    fn is_float_zero(&self, term: TermId) -> bool {
        let sign = 1 << (self.width(term) - 1);
        self.as_u64(term).is_some_and(|bits| bits & !sign == 0)
    }
}
