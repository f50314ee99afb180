//! Constants as expressions.

use super::{Lowered, Refusal, TEXT_PREFIX, Tables, expr};
use flowgraph::Expr;
use llvm_ir::constant::Float;
use llvm_ir::{Constant, Name, Type};
use term::BinOp;

impl Tables<'_> {
    /// The value of a constant that is a scalar.
    pub(super) fn constant(&self, constant: &Constant) -> Lowered<Expr> {
        let pointer_bits = self.layout.pointer_bits();
        let bits_of = |constant: &Constant| -> Lowered<u32> {
            Ok(self
                .layout
                .expect_scalar(&self.layout.type_of(constant))?
                .bits)
        };
        match constant {
            Constant::Int { bits, value } => Ok(expr::int(*bits, *value)),
            Constant::Float(Float::Single(value)) => Ok(expr::int(32, value.to_bits().into())),
            Constant::Float(Float::Double(value)) => Ok(expr::int(64, value.to_bits())),
            Constant::Float(_) => Err(Refusal::new("floating-point constant")),
            Constant::Null(ty) | Constant::AggregateZero(ty) => {
                Ok(expr::int(self.layout.expect_scalar(ty)?.bits, 0))
            }
            Constant::GlobalReference { name, ty } => self.address(name, ty),
            Constant::GetElementPtr(gep) => {
                let base = self.constant(&gep.address)?;
                // The preparation leaves one index, which counts bytes.
                match gep.indices.as_slice() {
                    [index] => match &**index {
                        Constant::Int { bits, value } => {
                            let offset = expr::int(*bits, *value);
                            let offset = expr::resize_signed(offset, *bits, pointer_bits);
                            Ok(expr::add(base, offset))
                        }
                        _ => Err(Refusal::new("constant address")),
                    },
                    _ => Err(Refusal::new("constant address")),
                }
            }
            Constant::PtrToInt(cast) => {
                let to = self.layout.expect_scalar(&cast.to_type)?.bits;
                Ok(expr::resize(
                    self.constant(&cast.operand)?,
                    pointer_bits,
                    to,
                ))
            }
            Constant::IntToPtr(cast) => {
                let from = bits_of(&cast.operand)?;
                Ok(expr::resize(
                    self.constant(&cast.operand)?,
                    from,
                    pointer_bits,
                ))
            }
            Constant::Trunc(cast) => {
                let from = bits_of(&cast.operand)?;
                let to = self.layout.expect_scalar(&cast.to_type)?.bits;
                Ok(expr::resize(self.constant(&cast.operand)?, from, to))
            }
            Constant::BitCast(cast) => self.constant(&cast.operand),
            Constant::Add(op) => self.constant_binary(BinOp::Add, &op.operand0, &op.operand1),
            Constant::Sub(op) => self.constant_binary(BinOp::Sub, &op.operand0, &op.operand1),
            Constant::Mul(op) => self.constant_binary(BinOp::Mul, &op.operand0, &op.operand1),
            Constant::Xor(op) => self.constant_binary(BinOp::Xor, &op.operand0, &op.operand1),
            Constant::Vector(elements) => self.constant_vector(elements),
            Constant::Undef(_) | Constant::Poison(_) => Err(Refusal::new("undefined value")),
            Constant::BlockAddress => Err(Refusal::new("address of a label")),
            _ => Err(Refusal::new("constant expression")),
        }
    }

    fn constant_binary(&self, op: BinOp, lhs: &Constant, rhs: &Constant) -> Lowered<Expr> {
        Ok(expr::binary(op, self.constant(lhs)?, self.constant(rhs)?))
    }

    /// Element 0 is in the low bits.
    fn constant_vector(&self, elements: &[llvm_ir::ConstantRef]) -> Lowered<Expr> {
        let mut value: Option<term::Bv> = None;
        for element in elements {
            let Expr::Const(element) = self.constant(element)? else {
                return Err(Refusal::new("vector of addresses"));
            };
            value = Some(match value {
                None => element,
                Some(low) => element.concat(&low),
            });
        }
        value.map(Expr::Const).ok_or_else(|| Refusal::new("vector"))
    }

    /// Address of a global variable or a function.
    fn address(&self, name: &Name, ty: &Type) -> Lowered<Expr> {
        if let Some(id) = self.globals.get(name) {
            return Ok(Expr::Global(*id));
        }
        match (name, ty) {
            // Names of inputs: the address is irrelevant.
            (Name::Name(name), _) if name.starts_with(TEXT_PREFIX) => {
                Ok(expr::int(self.layout.pointer_bits(), 0))
            }
            (Name::Name(name), Type::FuncType { .. }) if !name.starts_with("llvm.") => {
                Ok(Expr::Function(self.function_id(name)))
            }
            _ => Err(Refusal::new(format!("address of {name}"))),
        }
    }

    /// The scalars of a constant, in order. Undefined parts of aggregates are zero, as the
    /// compiler makes them too.
    pub(super) fn constant_leaves(&self, constant: &Constant) -> Lowered<Vec<Expr>> {
        let ty = self.layout.type_of(constant);
        if self.layout.scalar(&ty).is_some() || matches!(constant, Constant::BlockAddress) {
            return Ok(vec![self.constant(constant)?]);
        }
        let elements = match constant {
            Constant::Struct { values, .. } => values,
            Constant::Array { elements, .. } => elements,
            Constant::AggregateZero(ty) | Constant::Undef(ty) | Constant::Poison(ty) => {
                let leaves = self.layout.leaves(ty);
                let leaves = leaves.ok_or_else(|| Refusal::new(format!("value of type {ty}")))?;
                return Ok(leaves
                    .into_iter()
                    .map(|leaf| expr::int(leaf.scalar.bits, 0))
                    .collect());
            }
            _ => return Err(Refusal::new(format!("value of type {ty}"))),
        };
        let mut leaves = Vec::new();
        for element in elements {
            leaves.extend(self.constant_leaves(element)?);
        }
        Ok(leaves)
    }
}
