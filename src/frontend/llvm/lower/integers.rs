//! Integer arithmetic, comparisons, casts and selections.

use super::function::Lowerer;
use super::{Lowered, Refusal, expr};
use flowgraph::{EndKind, Expr, Span};
use llvm_ir::instruction::{BinaryOp, ICmp, Select};
use llvm_ir::{Instruction, IntPredicate, Name, Operand, Type, TypeRef};
use term::{BinOp, CastOp, CmpOp};

/// The operator of a comparison.
fn comparison(predicate: IntPredicate) -> CmpOp {
    match predicate {
        IntPredicate::EQ => CmpOp::Eq,
        IntPredicate::NE => CmpOp::Ne,
        IntPredicate::UGT => CmpOp::Ugt,
        IntPredicate::UGE => CmpOp::Uge,
        IntPredicate::ULT => CmpOp::Ult,
        IntPredicate::ULE => CmpOp::Ule,
        IntPredicate::SGT => CmpOp::Sgt,
        IntPredicate::SGE => CmpOp::Sge,
        IntPredicate::SLT => CmpOp::Slt,
        IntPredicate::SLE => CmpOp::Sle,
    }
}

impl Lowerer<'_, '_> {
    /// Bits of an integer operand; vectors are refused.
    fn integer_bits(&self, operand: &Operand) -> Lowered<u32> {
        match *self.tables.layout.type_of(operand) {
            Type::IntegerType { bits } => Ok(bits),
            _ => Err(Refusal::new("vector arithmetic")),
        }
    }

    /// Lowers integer arithmetic; `false` if the instruction is something else.
    pub fn lower_binary(&mut self, instruction: &Instruction, span: Span) -> Lowered<bool> {
        let (op, instruction): (BinOp, &dyn BinaryOp) = match instruction {
            Instruction::Add(i) => (BinOp::Add, i),
            Instruction::Sub(i) => (BinOp::Sub, i),
            Instruction::Mul(i) => (BinOp::Mul, i),
            Instruction::UDiv(i) => (BinOp::UDiv, i),
            Instruction::SDiv(i) => (BinOp::SDiv, i),
            Instruction::URem(i) => (BinOp::URem, i),
            Instruction::SRem(i) => (BinOp::SRem, i),
            Instruction::And(i) => (BinOp::And, i),
            Instruction::Or(i) => (BinOp::Or, i),
            Instruction::Xor(i) => (BinOp::Xor, i),
            Instruction::Shl(i) => (BinOp::Shl, i),
            Instruction::LShr(i) => (BinOp::LShr, i),
            Instruction::AShr(i) => (BinOp::AShr, i),
            _ => return Ok(false),
        };
        let bits = self.integer_bits(instruction.get_operand0())?;
        let lhs = self.operand(instruction.get_operand0())?;
        let rhs = self.operand(instruction.get_operand1())?;
        match op {
            BinOp::UDiv | BinOp::URem => self.guard_division(bits, None, &rhs, span),
            // Wider divisions are functions of the compiler's library, which wrap around.
            BinOp::SDiv | BinOp::SRem if bits > self.tables.layout.pointer_bits() => {
                self.guard_division(bits, None, &rhs, span);
            }
            BinOp::SDiv | BinOp::SRem => self.guard_division(bits, Some(&lhs), &rhs, span),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.guard_shift(bits, &rhs, span),
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => {}
        }
        if self.emit.has_ended() {
            return Ok(true);
        }
        let value = match (op, bits, &rhs) {
            // `!b` in C.
            (BinOp::Xor, 1, Expr::Const(one)) if !one.is_zero() => expr::not(&lhs),
            _ => expr::binary(op, lhs, rhs),
        };
        self.assign(instruction.get_result(), value, span)?;
        Ok(true)
    }

    /// Division traps at zero; where `dividend` is given, also at the least number divided by −1.
    fn guard_division(&mut self, bits: u32, dividend: Option<&Expr>, divisor: &Expr, span: Span) {
        let is_zero = expr::compare(CmpOp::Eq, divisor.clone(), expr::int(bits, 0));
        self.guard(&is_zero, EndKind::DivisionTrap, span);
        let Some(dividend) = dividend else { return };
        if self.emit.has_ended() {
            return;
        }
        let is_minimum = expr::compare(CmpOp::Eq, dividend.clone(), expr::sign_bit(bits));
        let overflows = match expr::compare(CmpOp::Eq, divisor.clone(), expr::ones(bits)) {
            Expr::Const(minus_one) if minus_one.is_zero() => return,
            Expr::Const(_) => is_minimum,
            is_minus_one => expr::and(is_minus_one, is_minimum),
        };
        self.guard(&overflows, EndKind::DivisionOverflow, span);
    }

    fn guard_shift(&mut self, bits: u32, amount: &Expr, span: Span) {
        // A width that does not fit itself: one bit, where only 0 is allowed.
        let bad = expr::compare(CmpOp::Uge, amount.clone(), expr::int(bits, u64::from(bits)));
        let bad = if bits == 1 {
            expr::compare(CmpOp::Ne, amount.clone(), expr::int(1, 0))
        } else {
            bad
        };
        self.guard(&bad, EndKind::Overshift, span);
    }

    pub fn guard(&mut self, bad: &Expr, kind: EndKind, span: Span) {
        match bad {
            Expr::Const(never) if never.is_zero() => {}
            Expr::Const(_) => self.emit.last(flowgraph::Action::End(kind), span),
            _ => self.emit.guard(bad, kind, span),
        }
    }

    pub fn lower_icmp(&mut self, compare: &ICmp, span: Span) -> Lowered<()> {
        let ty = self.tables.layout.type_of(&compare.operand0);
        if !matches!(*ty, Type::IntegerType { .. } | Type::PointerType { .. }) {
            return Err(Refusal::new("vector comparison"));
        }
        let condition = expr::compare(
            comparison(compare.predicate),
            self.operand(&compare.operand0)?,
            self.operand(&compare.operand1)?,
        );
        self.assign_comparison(&compare.dest, condition, span)
    }

    /// Gives the result of a comparison its value; two branches in the finer granularity.
    pub fn assign_comparison(&mut self, dest: &Name, condition: Expr, span: Span) -> Lowered<()> {
        if self.is_fused(dest) {
            return self.assign(dest, condition, span);
        }
        let dst = self.dst(dest)?;
        self.emit.assign_condition(dst, condition, span);
        Ok(())
    }

    pub fn lower_select(&mut self, select: &Select, span: Span) -> Lowered<()> {
        if !matches!(
            *self.tables.layout.type_of(&select.condition),
            Type::IntegerType { bits: 1 }
        ) {
            return Err(Refusal::new("vector select"));
        }
        let condition = self.operand(&select.condition)?;
        let then = self.leaves(&select.true_value)?;
        let otherwise = self.leaves(&select.false_value)?;
        let values = then
            .into_iter()
            .zip(otherwise)
            .map(|(then, otherwise)| expr::ite(condition.clone(), then, otherwise))
            .collect();
        self.assign_all(&select.dest, values, span)
    }

    /// Lowers casts between integers, pointers and bit patterns; `false` if the instruction is
    /// something else.
    pub fn lower_cast(&mut self, instruction: &Instruction, span: Span) -> Lowered<bool> {
        let (operand, to, dest, signed): (&Operand, &TypeRef, &Name, bool) = match instruction {
            Instruction::Trunc(i) => (&i.operand, &i.to_type, &i.dest, false),
            Instruction::ZExt(i) => (&i.operand, &i.to_type, &i.dest, false),
            Instruction::SExt(i) => (&i.operand, &i.to_type, &i.dest, true),
            Instruction::PtrToInt(i) => (&i.operand, &i.to_type, &i.dest, false),
            Instruction::IntToPtr(i) => (&i.operand, &i.to_type, &i.dest, false),
            Instruction::BitCast(i) => {
                let value = self.operand(&i.operand)?;
                let (from, to) = (
                    self.operand_bits(&i.operand)?,
                    self.tables.layout.expect_scalar(&i.to_type)?.bits,
                );
                if from != to {
                    return Err(Refusal::new("bitcast"));
                }
                self.assign(&i.dest, value, span)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let from_type = self.tables.layout.type_of(operand);
        if matches!(*from_type, Type::VectorType { .. }) {
            return Err(Refusal::new("vector cast"));
        }
        let from = self.operand_bits(operand)?;
        let to = self.tables.layout.expect_scalar(to)?.bits;
        let value = self.operand(operand)?;
        let value = if signed && from < to {
            expr::cast(CastOp::SExt, to, value)
        } else {
            expr::resize(value, from, to)
        };
        self.assign(dest, value, span)?;
        Ok(true)
    }
}
