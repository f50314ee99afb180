//! Floating point: arithmetic, comparisons and conversions of `_Float16`, `float` and `double`.
//!
//! Other formats (`long double`, `__bf16`) and the remainder are refused.

use super::calls::Argument;
use super::function::Lowerer;
use super::{Lowered, Refusal, expr};
use flowgraph::{EndKind, Expr, Span};
use llvm_ir::instruction::{BinaryOp, Call, FCmp, UnaryOp};
use llvm_ir::types::FPType;
use llvm_ir::{FPPredicate, Instruction, Name, Operand, Type, TypeRef};
use term::float::{IntegerBounds, exponent_bits, infinity, is_format};
use term::{BinOp, CmpOp, FloatCast, FloatOp};

fn float_binary(op: FloatOp, lhs: &Expr, rhs: &Expr) -> Expr {
    Expr::FloatBinary(op, Box::new(lhs.clone()), Box::new(rhs.clone()))
}

fn float_cast(op: FloatCast, bits: u32, value: Expr) -> Expr {
    Expr::FloatCast(op, bits, Box::new(value))
}

/// Whether a float of `bits` bits is not a number.
fn is_nan(bits: u32, value: &Expr) -> Expr {
    let magnitude = absolute(bits, value);
    expr::compare(CmpOp::Ugt, magnitude, expr::int(bits, infinity(bits)))
}

fn absolute(bits: u32, value: &Expr) -> Expr {
    expr::binary(
        BinOp::And,
        value.clone(),
        expr::int(bits, u64::MAX >> (65 - bits)),
    )
}

/// The comparison of two floats of `bits` bits.
fn comparison(predicate: FPPredicate, bits: u32, lhs: &Expr, rhs: &Expr) -> Expr {
    use FPPredicate as P;
    let ordered = |op: FloatOp| float_binary(op, lhs, rhs);
    let swapped = |op: FloatOp| float_binary(op, rhs, lhs);
    let unordered = || expr::or(is_nan(bits, lhs), is_nan(bits, rhs));
    match predicate {
        P::False => expr::int(1, 0),
        P::True => expr::int(1, 1),
        P::OEQ => ordered(FloatOp::Eq),
        P::OLT => ordered(FloatOp::Lt),
        P::OLE => ordered(FloatOp::Le),
        P::OGT => swapped(FloatOp::Lt),
        P::OGE => swapped(FloatOp::Le),
        P::ONE => expr::or(ordered(FloatOp::Lt), swapped(FloatOp::Lt)),
        P::UNO => unordered(),
        P::ORD => expr::not(&unordered()),
        P::UEQ => expr::or(unordered(), ordered(FloatOp::Eq)),
        // What is unordered or … is the opposite of what is ordered and not ….
        P::UNE => expr::not(&ordered(FloatOp::Eq)),
        P::ULT => expr::not(&swapped(FloatOp::Le)),
        P::ULE => expr::not(&swapped(FloatOp::Lt)),
        P::UGT => expr::not(&ordered(FloatOp::Le)),
        P::UGE => expr::not(&ordered(FloatOp::Lt)),
    }
}

/// Whether a float of `bits` bits is of one of the classes whose bits are set, as
/// `llvm.is.fpclass` numbers them: signalling and quiet NaN, then from minus infinity over the
/// normal and subnormal numbers and zeros to plus infinity.
fn is_of_class(bits: u32, value: &Expr, classes: u64) -> Expr {
    let fraction_bits = bits - 1 - exponent_bits(bits);
    let (least_normal, infinity) = (1u64 << fraction_bits, infinity(bits));
    let quiet = infinity | least_normal >> 1;
    let size = absolute(bits, value);
    let is_negative = expr::compare(CmpOp::Slt, value.clone(), expr::int(bits, 0));
    let is_between = |from: u64, below: u64| {
        let above = expr::compare(CmpOp::Uge, size.clone(), expr::int(bits, from));
        let limit = expr::compare(CmpOp::Ult, size.clone(), expr::int(bits, below));
        expr::and(above, limit)
    };
    let sizes = [
        (3, 8, least_normal, infinity),
        (4, 7, 1, least_normal),
        (5, 6, 0, 1),
        (2, 9, infinity, infinity + 1),
        (0, 0, infinity + 1, quiet),
        (1, 1, quiet, 1 << (bits - 1)),
    ];
    let has = |class: u32| classes >> class & 1 == 1;
    let conditions = sizes.into_iter().filter_map(|(minus, plus, from, below)| {
        let is_size = is_between(from, below);
        match (has(minus), has(plus)) {
            (true, true) => Some(is_size),
            (true, false) => Some(expr::and(is_size, is_negative.clone())),
            (false, true) => Some(expr::and(is_size, expr::not(&is_negative))),
            (false, false) => None,
        }
    });
    let any = conditions.reduce(expr::or);
    any.unwrap_or_else(|| expr::int(1, 0))
}

impl Lowerer<'_, '_> {
    /// Bits of an operand that is a float of a known format.
    fn float_bits(&self, operand: &Operand) -> Lowered<u32> {
        self.format_of(&self.tables.layout.type_of(operand))
    }

    fn format_of(&self, ty: &TypeRef) -> Lowered<u32> {
        let bits = match &**ty {
            // As wide as half precision.
            Type::FPType(FPType::BFloat) => {
                return Err(Refusal::new(format!("floating point of type {ty}")));
            }
            Type::FPType(_) => self.tables.layout.expect_scalar(ty)?.bits,
            Type::VectorType { .. } => return Err(Refusal::new("vector arithmetic")),
            other => return Err(Refusal::new(format!("floating point of type {other}"))),
        };
        if is_format(bits) {
            Ok(bits)
        } else {
            Err(Refusal::new(format!("floating point of type {ty}")))
        }
    }

    /// Lowers operations on floats; `false` if the instruction is something else.
    pub fn lower_float(&mut self, instruction: &Instruction, span: Span) -> Lowered<bool> {
        let (op, instruction): (FloatOp, &dyn BinaryOp) = match instruction {
            Instruction::FAdd(i) => (FloatOp::Add, i),
            Instruction::FSub(i) => (FloatOp::Sub, i),
            Instruction::FMul(i) => (FloatOp::Mul, i),
            Instruction::FDiv(i) => (FloatOp::Div, i),
            Instruction::FCmp(compare) => return self.lower_fcmp(compare, span).map(|()| true),
            Instruction::FNeg(i) => {
                let bits = self.float_bits(i.get_operand())?;
                let value = self.operand(i.get_operand())?;
                let value = expr::binary(BinOp::Xor, value, expr::sign_bit(bits));
                return self.assign(&i.dest, value, span).map(|()| true);
            }
            _ => return self.lower_conversion(instruction, span),
        };
        self.float_bits(instruction.get_operand0())?;
        let lhs = self.operand(instruction.get_operand0())?;
        let rhs = self.operand(instruction.get_operand1())?;
        self.assign(instruction.get_result(), float_binary(op, &lhs, &rhs), span)?;
        Ok(true)
    }

    fn lower_fcmp(&mut self, compare: &FCmp, span: Span) -> Lowered<()> {
        let bits = self.float_bits(&compare.operand0)?;
        let condition = comparison(
            compare.predicate,
            bits,
            &self.operand(&compare.operand0)?,
            &self.operand(&compare.operand1)?,
        );
        self.assign_comparison(&compare.dest, condition, span)
    }

    fn lower_conversion(&mut self, instruction: &Instruction, span: Span) -> Lowered<bool> {
        let (op, operand, to, dest): (FloatCast, &Operand, &TypeRef, &Name) = match instruction {
            Instruction::FPTrunc(i) => (FloatCast::Resize, &i.operand, &i.to_type, &i.dest),
            Instruction::FPExt(i) => (FloatCast::Resize, &i.operand, &i.to_type, &i.dest),
            Instruction::SIToFP(i) => (FloatCast::FromSigned, &i.operand, &i.to_type, &i.dest),
            Instruction::UIToFP(i) => (FloatCast::FromUnsigned, &i.operand, &i.to_type, &i.dest),
            Instruction::FPToSI(i) => (FloatCast::ToSigned, &i.operand, &i.to_type, &i.dest),
            Instruction::FPToUI(i) => (FloatCast::ToUnsigned, &i.operand, &i.to_type, &i.dest),
            _ => return Ok(false),
        };
        let from = match op {
            FloatCast::FromSigned | FloatCast::FromUnsigned => self.operand_bits(operand)?,
            _ => self.float_bits(operand)?,
        };
        let to = match op {
            FloatCast::ToSigned | FloatCast::ToUnsigned => {
                self.tables.layout.expect_scalar(to)?.bits
            }
            _ => self.format_of(to)?,
        };
        if !op.takes(from, to) {
            return Err(Refusal::new("conversion of a float and a wide integer"));
        }
        let value = self.operand(operand)?;
        if let FloatCast::ToSigned | FloatCast::ToUnsigned = op {
            self.guard_conversion(&value, from, to, op == FloatCast::ToSigned, span);
            if self.emit.has_ended() {
                return Ok(true);
            }
        }
        self.assign(dest, float_cast(op, to, value), span)?;
        Ok(true)
    }

    /// What does not fit the integer is undefined behaviour (C11, 6.3.1.4).
    fn guard_conversion(&mut self, value: &Expr, from: u32, to: u32, signed: bool, span: Span) {
        let bounds = IntegerBounds::new(from, to, signed);
        let (lower, upper) = (
            Expr::Const(bounds.lower.clone()),
            Expr::Const(bounds.upper.clone()),
        );
        let above = float_binary(bounds.lower_comparison(), &lower, value);
        let below = float_binary(FloatOp::Lt, value, &upper);
        let bad = expr::not(&expr::and(above, below));
        self.guard(&bad, EndKind::FloatOverflow, span);
    }

    /// The value of an intrinsic on floats, `None` if it is another.
    pub fn lower_float_intrinsic(
        &self,
        is: &dyn Fn(&str) -> bool,
        call: &Call,
    ) -> Lowered<Option<Expr>> {
        if is("llvm.is.fpclass")
            && let [(value, _), (classes, _)] = call.arguments.as_slice()
        {
            let bits = self.float_bits(value)?;
            let Some(Expr::Const(classes)) = self.operand(classes).ok() else {
                return Ok(None);
            };
            let classes = classes.to_u64().unwrap_or(0);
            return Ok(Some(is_of_class(bits, &self.operand(value)?, classes)));
        }
        let known = ["llvm.fabs", "llvm.sqrt", "llvm.fmuladd", "llvm.copysign"];
        if !known.into_iter().any(is) {
            return Ok(None);
        }
        let arguments = call.arguments.iter();
        let args = arguments
            .map(|(operand, _)| Ok((self.operand(operand)?, self.float_bits(operand)?)))
            .collect::<Lowered<Vec<Argument>>>()?;
        Ok(match args.as_slice() {
            [(a, bits)] if is("llvm.fabs") => Some(absolute(*bits, a)),
            [(a, bits)] => Some(float_cast(FloatCast::Sqrt, *bits, a.clone())),
            [(a, bits), (b, _)] => {
                let sign = expr::binary(BinOp::And, b.clone(), expr::sign_bit(*bits));
                Some(expr::binary(BinOp::Or, absolute(*bits, a), sign))
            }
            // Fused or not is left open; a machine without such an instruction rounds twice.
            [(a, _), (b, _), (c, _)] => {
                let product = float_binary(FloatOp::Mul, a, b);
                Some(float_binary(FloatOp::Add, &product, c))
            }
            _ => None,
        })
    }
}
