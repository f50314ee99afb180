//! Elements of vectors.
//!
//! A vector is one number, with element 0 in the low bits, as in constants and memory. Vector arithmetic
//! became operations on elements before (`prepare/vectors`).

use super::function::Lowerer;
use super::{Lowered, Refusal, expr};
use flowgraph::{Expr, Span};
use llvm_ir::{Constant, Instruction, Operand, Type};
use term::{BinOp, Bv, CastOp};

/// Where an element lies in its vector, in bits.
struct ElementRange {
    offset: u32,
    bits: u32,
    /// Of the whole vector.
    total: u32,
}

impl Lowerer<'_, '_> {
    /// Lowers reads and writes of elements; `false` if the instruction is something else.
    pub fn lower_element(&mut self, instruction: &Instruction, span: Span) -> Lowered<bool> {
        match instruction {
            Instruction::ExtractElement(op) => {
                let place = self.place(&op.vector, &op.index)?;
                let vector = self.operand(&op.vector)?;
                let offset = expr::int(place.total, u64::from(place.offset));
                let shifted = match place.offset {
                    0 => vector,
                    _ => expr::binary(BinOp::LShr, vector, offset),
                };
                let value = expr::resize(shifted, place.total, place.bits);
                self.assign(&op.dest, value, span)?;
                Ok(true)
            }
            Instruction::InsertElement(op) => {
                let place = self.place(&op.vector, &op.index)?;
                let element = self.operand(&op.element)?;
                let vector = self.operand(&op.vector)?;
                let others = expr::binary(BinOp::And, vector, place.others());
                let value = expr::binary(BinOp::Or, others, place.alone(element));
                self.assign(&op.dest, value, span)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Where the element of an index that is a number lies.
    fn place(&self, vector: &Operand, index: &Operand) -> Lowered<ElementRange> {
        let ty = self.tables.layout.type_of(vector);
        let total = self.tables.layout.expect_scalar(&ty)?.bits;
        let Type::VectorType { element_type, .. } = &*ty else {
            return Err(Refusal::new("element of no vector"));
        };
        let element = self.tables.layout.expect_scalar(element_type)?;
        if element.pointer {
            return Err(Refusal::new("vector of addresses"));
        }
        let Operand::ConstantOperand(index) = index else {
            return Err(Refusal::new("element at a computed index"));
        };
        let Constant::Int { value, .. } = **index else {
            return Err(Refusal::new("element at a computed index"));
        };
        let offset = u32::try_from(value)
            .ok()
            .and_then(|index| index.checked_mul(element.bits))
            .filter(|offset| *offset < total)
            .ok_or_else(|| Refusal::new("element outside of its vector"))?;
        Ok(ElementRange {
            offset,
            bits: element.bits,
            total,
        })
    }
}

impl ElementRange {
    /// A vector of this element and zeros.
    fn alone(&self, element: Expr) -> Expr {
        let wide = expr::resize(element, self.bits, self.total);
        match self.offset {
            0 => wide,
            offset => {
                let offset = expr::int(self.total, u64::from(offset));
                expr::binary(BinOp::Shl, wide, offset)
            }
        }
    }

    /// Ones where the other elements lie.
    fn others(&self) -> Expr {
        let element = Bv::ones(self.bits).cast(CastOp::ZExt, self.total);
        let offset = Bv::new(self.total, u64::from(self.offset));
        let ones = Bv::ones(self.total);
        let own = Bv::binary(BinOp::Shl, &element, &offset);
        Expr::Const(Bv::binary(BinOp::Xor, &ones, &own))
    }
}
