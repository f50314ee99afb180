//! Memory: allocation on the stack, loads, stores, address arithmetic, atomic operations (the
//! engine runs one thread, so they are plain ones).

use super::function::{Lowerer, value_name};
use super::{Lowered, Refusal, TEXT_PREFIX, expr};
use flowgraph::{Action, EndKind, Expr, Span};
use llvm_ir::instruction::{
    Alloca, AtomicRMW, Call, CmpXchg, GetElementPtr, Load, RMWBinOp, Store,
};
use llvm_ir::{Constant, Name, Operand, Type, TypeRef};
use term::{BinOp, CmpOp};

impl Lowerer<'_, '_> {
    fn pointer_bits(&self) -> u32 {
        self.tables.layout.pointer_bits()
    }

    fn size_of(&self, ty: &Type) -> Lowered<u64> {
        self.tables
            .layout
            .size(ty)
            .ok_or_else(|| Refusal::new(format!("size of type {ty}")))
    }

    /// Allocation on the stack. No object is larger than half of the address space, so that a
    /// number of elements with which it would be is no number of elements: the product of number
    /// and size does not wrap.
    pub fn lower_alloca(&mut self, alloca: &Alloca, span: Span) -> Lowered<()> {
        let bits = self.pointer_bits();
        let size = self.size_of(&alloca.allocated_type)?;
        let count_bits = self.operand_bits(&alloca.num_elements)?;
        let count = self.operand(&alloca.num_elements)?;
        let largest_object = (1u64 << (bits - 1)) - 1;
        if let Some(most) = largest_object.checked_div(size)
            && !matches!(count, Expr::Const(_))
            && (count_bits >= 64 || most >> count_bits == 0)
        {
            let most = expr::int(count_bits, most);
            let fits = expr::compare(CmpOp::Ule, count.clone(), most);
            self.emit.push(Action::Assume(fits), span);
        }
        let count = expr::resize(count, count_bits, bits);
        self.emit.push(
            Action::Alloca {
                dst: self.dst(&alloca.dest)?,
                bytes: expr::scale(bits, size, count),
                align: u64::from(alloca.alignment.max(1)),
                name: value_name(&alloca.dest),
            },
            span,
        );
        Ok(())
    }

    /// Ends executions with an array of `(number, size)` of elements that are fewer than `(least)` or
    /// more than an object can have; gives the number.
    pub fn lower_array_size(&mut self, call: &Call, span: Span) -> Lowered<()> {
        let bits = self.pointer_bits();
        let argument = |index: usize| match call.arguments.get(index) {
            Some((operand, _)) if self.operand_bits(operand)? == bits => self.operand(operand),
            _ => Err(Refusal::new("size of an array")),
        };
        let (number, size, least) = (argument(0)?, argument(1)?, argument(2)?);
        let largest_object = (1u64 << (bits - 1)) - 1;
        let constant = match &size {
            Expr::Const(size) => size.to_u64(),
            _ => None,
        };
        let too_many = match constant {
            Some(size) => match largest_object.checked_div(size) {
                Some(most) => expr::compare(CmpOp::Ugt, number.clone(), expr::int(bits, most)),
                None => expr::int(1, 0),
            },
            None => {
                let wide = |value: Expr| expr::resize(value, bits, 2 * bits);
                let bytes = expr::binary(BinOp::Mul, wide(number.clone()), wide(size));
                expr::compare(CmpOp::Ugt, bytes, expr::int(2 * bits, largest_object))
            }
        };
        self.guard(&too_many, EndKind::ArraySize, span);
        if self.emit.has_ended() {
            return Ok(());
        }
        let too_few = expr::compare(CmpOp::Ult, number.clone(), least);
        self.guard(&too_few, EndKind::ArraySize, span);
        if !self.emit.has_ended()
            && let Some(dst) = &call.dest
        {
            let assign = Action::Assign(vec![(self.dst(dst)?, number)]);
            self.emit.push(assign, span);
        }
        Ok(())
    }

    pub fn lower_load(&mut self, load: &Load, span: Span) -> Lowered<()> {
        let address = self.operand(&load.address)?;
        let leaves = self
            .tables
            .layout
            .leaves(&load.loaded_ty)
            .ok_or_else(|| Refusal::new(format!("load of type {}", load.loaded_ty)))?;
        let regs = self.dst_leaves(&load.dest)?;
        for (dst, leaf) in regs.into_iter().zip(leaves) {
            let address = expr::add(address.clone(), expr::int(self.pointer_bits(), leaf.offset));
            self.emit.push(Action::Load { dst, address }, span);
        }
        Ok(())
    }

    pub fn lower_store(&mut self, store: &Store, span: Span) -> Lowered<()> {
        if is_hidden(&store.address) {
            return Ok(());
        }
        let address = self.operand(&store.address)?;
        let ty = self.tables.layout.type_of(&store.value);
        let leaves = self
            .tables
            .layout
            .leaves(&ty)
            .ok_or_else(|| Refusal::new(format!("store of type {ty}")))?;
        let values = self.leaves(&store.value)?;
        for (value, leaf) in values.into_iter().zip(leaves) {
            let address = expr::add(address.clone(), expr::int(self.pointer_bits(), leaf.offset));
            self.emit.push(Action::Store { address, value }, span);
        }
        Ok(())
    }

    pub fn lower_gep(&mut self, gep: &GetElementPtr, span: Span) -> Lowered<()> {
        let address_type = self.tables.layout.type_of(&gep.address);
        if !matches!(*address_type, Type::PointerType { addr_space: 0 }) {
            return Err(Refusal::new("address arithmetic on vectors"));
        }
        let mut address = self.operand(&gep.address)?;
        let mut ty = gep.source_element_type.clone();
        for (position, index) in gep.indices.iter().enumerate() {
            if position == 0 {
                let size = self.size_of(&ty)?;
                address = expr::add(address, self.scaled_index(index, size)?);
                continue;
            }
            let (step, inner) = self.step_into(&ty, index)?;
            address = expr::add(address, step);
            ty = inner;
        }
        self.assign(&gep.dest, address, span)
    }

    /// Bytes from the beginning of an aggregate to its field or element, and that one's type.
    fn step_into(&self, ty: &TypeRef, index: &Operand) -> Lowered<(Expr, TypeRef)> {
        if let Type::ArrayType { element_type, .. } = &**ty {
            let size = self.size_of(element_type)?;
            return Ok((self.scaled_index(index, size)?, element_type.clone()));
        }
        let field = match index {
            Operand::ConstantOperand(constant) => match &**constant {
                Constant::Int { value, .. } => usize::try_from(*value).ok(),
                _ => None,
            },
            _ => None,
        };
        let fields = self.tables.layout.fields(ty);
        let (Some(field), Some(fields)) = (field, fields) else {
            return Err(Refusal::new(format!("address arithmetic in type {ty}")));
        };
        let (inner, offset) = fields
            .get(field)
            .ok_or_else(|| Refusal::new("field number out of range"))?;
        Ok((expr::int(self.pointer_bits(), *offset), inner.clone()))
    }

    /// An index, sign-extended to a pointer's width, times `size`.
    fn scaled_index(&self, index: &Operand, size: u64) -> Lowered<Expr> {
        let bits = self.pointer_bits();
        let ty = self.tables.layout.type_of(index);
        let Type::IntegerType { bits: from } = *ty else {
            return Err(Refusal::new("address arithmetic on vectors"));
        };
        let index = expr::resize_signed(self.operand(index)?, from, bits);
        Ok(expr::scale(bits, size, index))
    }

    pub fn lower_atomic_rmw(&mut self, rmw: &AtomicRMW, span: Span) -> Lowered<()> {
        let address = self.operand(&rmw.address)?;
        let value = self.operand(&rmw.value)?;
        let bits = self.operand_bits(&rmw.value)?;
        let old = self.dst(&rmw.dest)?;
        let before = expr::reg(old);
        let pick = |op: CmpOp| {
            let condition = expr::compare(op, before.clone(), value.clone());
            expr::ite(condition, before.clone(), value.clone())
        };
        let combine = |op: BinOp| expr::binary(op, before.clone(), value.clone());
        let new = match rmw.operation {
            RMWBinOp::Xchg => value.clone(),
            RMWBinOp::Add => combine(BinOp::Add),
            RMWBinOp::Sub => combine(BinOp::Sub),
            RMWBinOp::And => combine(BinOp::And),
            RMWBinOp::Or => combine(BinOp::Or),
            RMWBinOp::Xor => combine(BinOp::Xor),
            RMWBinOp::Nand => expr::binary(BinOp::Xor, combine(BinOp::And), expr::ones(bits)),
            RMWBinOp::Max => pick(CmpOp::Sgt),
            RMWBinOp::Min => pick(CmpOp::Slt),
            RMWBinOp::UMax => pick(CmpOp::Ugt),
            RMWBinOp::UMin => pick(CmpOp::Ult),
            _ => return Err(Refusal::new("atomicrmw")),
        };
        self.emit.push(
            Action::Load {
                dst: old,
                address: address.clone(),
            },
            span,
        );
        self.emit.push(
            Action::Store {
                address,
                value: new,
            },
            span,
        );
        Ok(())
    }

    /// Succeeds exactly if the values are equal; a weak one too.
    pub fn lower_compare_exchange(&mut self, exchange: &CmpXchg, span: Span) -> Lowered<()> {
        let address = self.operand(&exchange.address)?;
        let expected = self.operand(&exchange.expected)?;
        let replacement = self.operand(&exchange.replacement)?;
        let regs = self.dst_leaves(&exchange.dest)?;
        let [old, success] = regs.as_slice() else {
            return Err(Refusal::new("cmpxchg"));
        };
        self.emit.push(
            Action::Load {
                dst: *old,
                address: address.clone(),
            },
            span,
        );
        let equal = expr::compare(CmpOp::Eq, expr::reg(*old), expected);
        self.emit.assign(*success, equal, span);
        let value = expr::ite(expr::reg(*success), replacement, expr::reg(*old));
        self.emit.push(Action::Store { address, value }, span);
        Ok(())
    }
}

/// Whether an address is that of a variable which only handlers of checks are told.
fn is_hidden(address: &Operand) -> bool {
    let Operand::ConstantOperand(constant) = address else {
        return false;
    };
    let Constant::GlobalReference {
        name: Name::Name(name),
        ..
    } = &**constant
    else {
        return false;
    };
    name.starts_with(TEXT_PREFIX)
}
