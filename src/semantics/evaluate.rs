//! Values of expressions: θ⟨e⟩.

use super::machine::Machine;
use super::state::State;
use flowgraph::Expr;
use memory::compare_pointers;
use term::{TermId, TermPool};

impl Machine<'_> {
    /// The value of an expression in a state, as wide as the expression.
    pub fn evaluate(&self, pool: &mut TermPool, state: &State, expr: &Expr) -> TermId {
        match expr {
            Expr::Const(value) => pool.constant(value),
            Expr::Reg(reg) => state.frame.get(*reg),
            Expr::Global(global) => pool.symbol_term(self.global_object(*global)),
            Expr::Function(function) => pool.symbol_term(self.function_object(*function)),
            Expr::Binary(op, lhs, rhs) => {
                let lhs = self.evaluate(pool, state, lhs);
                let rhs = self.evaluate(pool, state, rhs);
                pool.binary(*op, lhs, rhs)
            }
            Expr::Compare(op, lhs, rhs) => {
                let lhs = self.evaluate(pool, state, lhs);
                let rhs = self.evaluate(pool, state, rhs);
                // Only a value as wide as a pointer, and not a constant, has provenance.
                let may_point = (!pool.is_const(lhs) || !pool.is_const(rhs))
                    && pool.width(lhs) == self.program.pointer_bits;
                may_point
                    .then(|| compare_pointers(pool, &state.memory, *op, lhs, rhs))
                    .flatten()
                    .unwrap_or_else(|| pool.compare(*op, lhs, rhs))
            }
            Expr::Cast(op, bits, value) => {
                let value = self.evaluate(pool, state, value);
                pool.cast(*op, *bits, value)
            }
            Expr::FloatBinary(op, lhs, rhs) => {
                let lhs = self.evaluate(pool, state, lhs);
                let rhs = self.evaluate(pool, state, rhs);
                pool.float_binary(*op, lhs, rhs)
            }
            Expr::FloatCast(op, bits, value) => {
                let value = self.evaluate(pool, state, value);
                pool.float_cast(*op, *bits, value)
            }
            Expr::Ite(condition, then, otherwise) => {
                let condition = self.evaluate(pool, state, condition);
                if pool.is_true(condition) {
                    return self.evaluate(pool, state, then);
                }
                let then = self.evaluate(pool, state, then);
                let otherwise = self.evaluate(pool, state, otherwise);
                pool.ite(condition, then, otherwise)
            }
        }
    }
}
