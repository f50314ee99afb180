//! Expressions over registers.

use super::{FunctionId, GlobalId, RegData, RegId};
use serde::{Deserialize, Serialize};
use term::{BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp};

/// An expression over registers, without side effects. Division by zero and shifts beyond the
/// width are excluded by branchings before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    Const(Bv),
    Reg(RegId),
    /// Address of a global.
    Global(GlobalId),
    /// Address of a function.
    Function(FunctionId),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Width 1.
    Compare(CmpOp, Box<Expr>, Box<Expr>),
    /// To the given width.
    Cast(CastOp, u32, Box<Expr>),
    /// On floats of one format, held as their bits; comparisons have width 1.
    FloatBinary(FloatOp, Box<Expr>, Box<Expr>),
    /// From or to a float, to the given width. What does not fit an integer is excluded by
    /// branchings before it.
    FloatCast(FloatCast, u32, Box<Expr>),
    /// Condition of width 1, then, else.
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The parts of which the expression is made, from left to right.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Expr> {
        let (first, second, third) = match self {
            Expr::Const(_) | Expr::Reg(_) | Expr::Global(_) | Expr::Function(_) => {
                (None, None, None)
            }
            Expr::Cast(_, _, a) | Expr::FloatCast(_, _, a) => (Some(a), None, None),
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::FloatBinary(_, a, b) => {
                (Some(a), Some(b), None)
            }
            Expr::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [first, second, third]
            .into_iter()
            .flatten()
            .map(Box::as_ref)
    }

    /// The expression and all expressions in it, from left to right, each before its parts.
    pub fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let mut pending = vec![self];
        while let Some(expr) = pending.pop() {
            visit(expr);
            pending.extend(expr.operands().rev());
        }
    }

    /// Every register in the expression, from left to right, with repetitions.
    pub fn for_each_reg(&self, visit: &mut dyn FnMut(RegId)) {
        self.for_each(&mut |expr| {
            if let Expr::Reg(reg) = expr {
                visit(*reg);
            }
        });
    }

    /// The expression with other expressions in place of those registers for which `value` gives
    /// one.
    #[must_use]
    pub fn replace_regs(&self, value: &dyn Fn(RegId) -> Option<Expr>) -> Expr {
        let part = |expr: &Expr| Box::new(expr.replace_regs(value));
        match self {
            Expr::Reg(reg) => value(*reg).unwrap_or_else(|| self.clone()),
            Expr::Const(_) | Expr::Global(_) | Expr::Function(_) => self.clone(),
            Expr::Binary(op, a, b) => Expr::Binary(*op, part(a), part(b)),
            Expr::Compare(op, a, b) => Expr::Compare(*op, part(a), part(b)),
            Expr::Cast(op, bits, a) => Expr::Cast(*op, *bits, part(a)),
            Expr::FloatBinary(op, a, b) => Expr::FloatBinary(*op, part(a), part(b)),
            Expr::FloatCast(op, bits, a) => Expr::FloatCast(*op, *bits, part(a)),
            Expr::Ite(c, t, e) => Expr::Ite(part(c), part(t), part(e)),
        }
    }

    /// Width in bits of the value; `regs` are the registers of the function that the expression
    /// belongs to. `verify` guarantees that the parts fit together.
    ///
    /// # Panics
    /// If a register is not in `regs`.
    #[must_use]
    pub fn bits(&self, regs: &[RegData], pointer_bits: u32) -> u32 {
        let mut expr = self;
        loop {
            expr = match expr {
                Expr::Const(value) => return value.width(),
                Expr::Reg(reg) => return regs[reg.index()].bits,
                Expr::Global(_) | Expr::Function(_) => return pointer_bits,
                Expr::Compare(..) => return 1,
                Expr::Cast(_, bits, _) | Expr::FloatCast(_, bits, _) => return *bits,
                Expr::FloatBinary(op, a, _) => {
                    return op.result_bits(a.bits(regs, pointer_bits));
                }
                Expr::Binary(_, a, _) => a,
                Expr::Ite(_, then, _) => then,
            };
        }
    }

    /// The negation of an expression of width 1: a comparison gets the opposite operator, a
    /// negation is taken off, anything else is `e ^ 1`.
    ///
    /// # Panics
    /// If the expression is a constant of another width.
    #[must_use]
    pub fn negate(self) -> Expr {
        match self {
            Expr::Const(value) => {
                assert_eq!(value.width(), 1, "only truth values are negated");
                Expr::truth(value.is_zero())
            }
            Expr::Compare(op, a, b) => Expr::Compare(op.negated(), a, b),
            Expr::Binary(BinOp::Xor, inner, one) if *one == Expr::truth(true) => *inner,
            other => Expr::Binary(BinOp::Xor, Box::new(other), Box::new(Expr::truth(true))),
        }
    }

    /// True or false, of width 1.
    #[must_use]
    pub fn truth(value: bool) -> Expr {
        Expr::Const(Bv::truth(value))
    }

    /// The conjunction of expressions of width 1, as a balanced tree, so that the default of a
    /// switch with many cases does not nest deeply; true if there are none.
    pub fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
        balanced(BinOp::And, conditions, true)
    }

    /// The disjunction of expressions of width 1, as a balanced tree; false if there are none.
    pub fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
        balanced(BinOp::Or, conditions, false)
    }
}

fn balanced(op: BinOp, parts: impl IntoIterator<Item = Expr>, empty: bool) -> Expr {
    let mut layer: Vec<Expr> = parts.into_iter().collect();
    while layer.len() > 1 {
        let mut rest = layer.into_iter();
        let mut next = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => Expr::Binary(op, Box::new(left), Box::new(right)),
                None => left,
            });
        }
        layer = next;
    }
    layer.pop().unwrap_or_else(|| Expr::truth(empty))
}
