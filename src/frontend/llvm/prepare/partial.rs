//! Partial operations, which trap or are undefined for some operands, are kept even if their results are unused.
//!
//! LLVM may drop and fold them, since it assumes that undefined behaviour does not occur. Here such behaviour
//! is part of the answer, and the replay has to trap where the flowgraph does.
//!
//! | operation | is kept as |
//! |---|---|
//! | division, remainder, shift, conversion of a float to an integer, count of zeros | a call of `__compact_se_op.…`, which only performs it |
//! | load | a volatile load |
//! | operation on constants that C leaves undefined | a call of `__compact_se_undefined` before it |
//!
//! # Invariants
//! - An operation that is defined for all possible values of its operands is unchanged: a division by a
//!   constant other than 0 and −1, a shift by a constant below the width, a load from within a variable. So
//!   mem2reg still turns variables into registers.
//! - A count of zeros whose result is used only for operands other than zero counts as defined for zero.
//! - The functions `__compact_se_op.…` are never inlined; the lowering reads a call of one as the
//!   operation itself.

use super::ir::{Ir, Ty, Value};
use super::{OPERATION_PREFIX, UNDEFINED_FUNCTION, scopes};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Intrinsics that count zeros, and are undefined for zero where their second argument says so.
const COUNTS: [&str; 2] = ["llvm.cttz.", "llvm.ctlz."];

/// Marks what clang has folded of C without optimisation: where an operation on constants has no
/// result, as `1 << 40`, the operand is `poison`.
pub(super) fn mark_undefined_constants(ir: &Ir<'_>) {
    let is_undefined = |value: &Value| value.is_poison() && value.ty().is_scalar();
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let mut places = Vec::new();
            if instruction.opcode() == LLVMOpcode::LLVMPHI {
                let incoming = instruction.incoming().into_iter();
                let undefined = incoming.filter(|(value, _)| is_undefined(value));
                places.extend(undefined.filter_map(|(_, block)| block.terminator()));
            } else if instruction.operands().iter().any(is_undefined) {
                places.push(instruction);
            }
            for place in places {
                ir.before(place);
                let undefined = ir.declare(UNDEFINED_FUNCTION, ir.void(), &[]);
                ir.call(undefined, &[], "");
            }
        }
    }
}

/// Marks all partial operations, before any pass runs.
pub(super) fn keep_partial_operations(ir: &Ir<'_>) {
    if let Some(undefined) = ir.function(UNDEFINED_FUNCTION) {
        // A replay never gets there.
        ir.define_trap(undefined);
        ir.add_attribute(undefined, "noinline", 0);
    }
    for function in ir.definitions() {
        if function.name().starts_with(super::RUNTIME_PREFIX) {
            continue;
        }
        // A call of a function that "will return" is dropped where its result is not used.
        ir.remove_attribute(function, "willreturn");
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMCall {
                ir.remove_call_attribute(instruction, "willreturn");
            }
            keep(ir, instruction);
        }
    }
}

fn keep(ir: &Ir<'_>, instruction: Value) {
    if is_count(instruction) && is_for_others_than_zero(instruction) {
        instruction.set_operand(1, ir.zero(ir.int(1)));
        return;
    }
    if instruction.opcode() == LLVMOpcode::LLVMLoad {
        if !is_inside(ir, instruction.operand(0), size_of(ir, instruction)) {
            instruction.set_volatile(true);
        }
        return;
    }
    let Some(name) = partial_operation(instruction) else {
        return;
    };
    let operands = match instruction.opcode() {
        LLVMOpcode::LLVMCall => instruction.call_arguments(),
        _ => instruction.operands(),
    };
    ir.before(instruction);
    let function = operation(ir, &name, instruction, &operands);
    let call = ir.call(function, &operands, "");
    let name = instruction.name();
    instruction.replace_uses(call);
    instruction.erase();
    call.set_name(&name);
}

/// Loads that were marked and turned out to be from within a variable are not marked any more, so
/// that mem2reg can continue. Whether there were any.
pub(super) fn release_safe_loads(ir: &Ir<'_>) -> bool {
    let mut released = false;
    for function in ir.definitions() {
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMLoad
                && instruction.is_volatile()
                && is_inside(ir, instruction.operand(0), size_of(ir, instruction))
            {
                instruction.set_volatile(false);
                released = true;
            }
        }
    }
    released
}

fn size_of(ir: &Ir<'_>, load: Value) -> u64 {
    ir.size_of(load.ty())
}

/// Whether `bytes` bytes at this address certainly lie within one variable, whose block was not left.
fn is_inside(ir: &Ir<'_>, address: Value, bytes: u64) -> bool {
    let Some((variable, offset)) = constant_place(ir, address) else {
        return false;
    };
    let size = if variable.is_global_variable() {
        let ty = variable.value_type();
        ty.is_sized().then(|| ir.size_of(ty))
    } else if variable.is_instruction() && variable.opcode() == LLVMOpcode::LLVMAlloca {
        let one = variable.operand(0).as_i64() == Some(1) && !scopes::is_kept(ir, variable);
        one.then(|| ir.size_of(variable.allocated_type()))
    } else {
        None
    };
    let end = u64::try_from(offset)
        .ok()
        .and_then(|at| at.checked_add(bytes));
    size.zip(end).is_some_and(|(size, end)| end <= size)
}

/// The value that an address is a constant number of bytes behind, and that number.
fn constant_place(ir: &Ir<'_>, address: Value) -> Option<(Value, i64)> {
    let mut base = address;
    let mut offset = 0i64;
    loop {
        let is_gep = if base.is_constant_expression() {
            base.constant_opcode() == LLVMOpcode::LLVMGetElementPtr
        } else {
            base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr
        };
        if !is_gep {
            return Some((base, offset));
        }
        let operands = base.operands();
        offset = offset.checked_add(ir.constant_gep_offset(base, &operands)?)?;
        base = operands[0];
    }
}

/// The name of a partial operation, `None` for all others.
fn partial_operation(instruction: Value) -> Option<String> {
    use LLVMOpcode as Op;
    let ty = instruction.ty();
    let bits = ty.int_bits();
    if bits == 0 {
        return None;
    }
    let second = || instruction.operand(1).as_i64();
    let name = match instruction.opcode() {
        Op::LLVMUDiv if second().is_none_or(|divisor| divisor == 0) => "udiv",
        Op::LLVMURem if second().is_none_or(|divisor| divisor == 0) => "urem",
        Op::LLVMSDiv if second().is_none_or(|divisor| matches!(divisor, 0 | -1)) => "sdiv",
        Op::LLVMSRem if second().is_none_or(|divisor| matches!(divisor, 0 | -1)) => "srem",
        Op::LLVMShl if !is_below(second(), bits) => "shl",
        Op::LLVMLShr if !is_below(second(), bits) => "lshr",
        Op::LLVMAShr if !is_below(second(), bits) => "ashr",
        Op::LLVMFPToSI => return conversion("fptosi", instruction.operand(0).ty(), ty),
        Op::LLVMFPToUI => return conversion("fptoui", instruction.operand(0).ty(), ty),
        Op::LLVMCall => {
            let poison_at_zero =
                is_count(instruction) && instruction.operand(1).as_i64() != Some(0);
            return poison_at_zero.then(|| instruction.callee_name()).flatten();
        }
        _ => return None,
    };
    Some(format!("{name}.i{bits}"))
}

fn is_count(instruction: Value) -> bool {
    let callee = instruction.callee_name();
    callee.is_some_and(|name| COUNTS.iter().any(|prefix| name.starts_with(prefix)))
}

/// Whether a count of the zeros of x is used only as one side of a selection that takes the other
/// side where x is zero, as `__builtin_ffs` uses it.
fn is_for_others_than_zero(count: Value) -> bool {
    use LLVMOpcode as Op;
    let mut value = count;
    loop {
        let users = value.users();
        let [user] = users.as_slice() else {
            return false;
        };
        match user.opcode() {
            Op::LLVMAdd
            | Op::LLVMSub
            | Op::LLVMXor
            | Op::LLVMTrunc
            | Op::LLVMZExt
            | Op::LLVMSExt => {
                value = *user;
            }
            Op::LLVMSelect => {
                let taken_unless_zero = match user.operand(0).zero_test(count.operand(0)) {
                    Some(true) => user.operand(2),
                    Some(false) => user.operand(1),
                    None => return false,
                };
                return taken_unless_zero == value;
            }
            _ => return false,
        }
    }
}

fn is_below(amount: Option<i64>, bits: u32) -> bool {
    amount.is_some_and(|amount| (0..i64::from(bits)).contains(&amount))
}

/// `None` for formats and widths that the lowering refuses.
fn conversion(name: &str, from: Ty, to: Ty) -> Option<String> {
    let from = match from.kind() {
        LLVMTypeKind::LLVMFloatTypeKind => "float",
        LLVMTypeKind::LLVMDoubleTypeKind => "double",
        _ => return None,
    };
    Some(format!("{name}.{from}.i{}", to.int_bits()))
}

/// The function that does nothing but this operation.
fn operation(ir: &Ir<'_>, name: &str, instruction: Value, operands: &[Value]) -> Value {
    let name = format!("{OPERATION_PREFIX}{name}");
    ir.function(&name).unwrap_or_else(|| {
        let params: Vec<Ty> = operands.iter().map(|operand| operand.ty()).collect();
        let function = ir.declare(&name, instruction.ty(), &params);
        ir.define_as(function, instruction);
        ir.add_attribute(function, "noinline", 0);
        function
    })
}
