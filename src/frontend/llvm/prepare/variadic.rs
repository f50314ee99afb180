//! Variable arguments, passed in memory.
//!
//! A call puts its variable arguments into an area on its own stack, as if all registers were taken already,
//! and the area's address into one global; a variadic function reads the global when it is entered. So
//! `va_start` is a few stores, and clang's code for `va_arg` is unchanged.
//!
//! | | `va_list` | area |
//! |---|---|---|
//! | x86-64 | two exhausted offsets, so that no register is read, and the address | slots of 8 bytes |
//! | i386 | the address | slots of 4 bytes |
//!
//! The layout is that of the System V ABI, for both; a slot larger than its argument is padded with zeros.
//! The arguments also stay at the call, unread.

use super::ir::{Ir, Ty, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// Holds the address of the latest call's area.
const AREA: &str = "compact_se_variable_arguments";

/// Behind the six general and the eight vector registers of x86-64, in the area where a function
/// saves them.
const BEHIND_GENERAL_REGISTERS: u64 = 6 * 8;
const BEHIND_VECTOR_REGISTERS: u64 = BEHIND_GENERAL_REGISTERS + 8 * 16;

/// Passes the variable arguments of all calls of functions that read them, or may read them.
pub(super) fn pass_variable_arguments(ir: &Ir<'_>) {
    let reads_them = |function: &Value| {
        let mut all = function.instructions().into_iter();
        all.any(|instruction| intrinsic(instruction) == Some(Intrinsic::Start))
    };
    let readers: Vec<Value> = ir.definitions().into_iter().filter(reads_them).collect();
    if readers.is_empty() {
        return;
    }
    let pointer = ir.pointer();
    let latest = ir.add_global(AREA, pointer, ir.zero(pointer));
    for function in ir.definitions() {
        let mut area = None;
        for instruction in function.instructions() {
            let Some(what) = intrinsic(instruction) else {
                if let Some(n_fixed) = fixed_arguments(instruction, &readers) {
                    pass(ir, function, instruction, n_fixed, latest);
                }
                continue;
            };
            let operands = instruction.call_arguments();
            ir.before(instruction);
            match what {
                Intrinsic::Start => {
                    let area = *area.get_or_insert_with(|| {
                        ir.before(function.blocks()[0].first_insertion_point(true));
                        let area = ir.load(pointer, latest);
                        ir.before(instruction);
                        area
                    });
                    start(ir, operands[0], area);
                }
                Intrinsic::Copy => {
                    let bytes = ir.constant(ir.size_type(), list_bytes(ir));
                    ir.memmove(operands[0], operands[1], bytes);
                }
                Intrinsic::End => {}
            }
            instruction.erase();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Intrinsic {
    Start,
    Copy,
    End,
}

fn intrinsic(instruction: Value) -> Option<Intrinsic> {
    let name = instruction.callee_name()?;
    let is = |which: &str| name == which || name.starts_with(&format!("{which}."));
    if is("llvm.va_start") {
        Some(Intrinsic::Start)
    } else if is("llvm.va_copy") {
        Some(Intrinsic::Copy)
    } else if is("llvm.va_end") {
        Some(Intrinsic::End)
    } else {
        None
    }
}

/// How many arguments of a call are not variable; `None` where the callee reads no others. A call
/// through a pointer without any is one without a prototype.
fn fixed_arguments(instruction: Value, readers: &[Value]) -> Option<usize> {
    if instruction.opcode() != LLVMOpcode::LLVMCall {
        return None;
    }
    match instruction.callee() {
        Some(callee) => readers
            .contains(&callee)
            .then(|| callee.value_type().n_params()),
        None => Some(instruction.called_type())
            .filter(|ty| ty.is_variadic() && ty.n_params() > 0)
            .map(Ty::n_params),
    }
}

fn list_bytes(ir: &Ir<'_>) -> u64 {
    if ir.pointer_bits() == 32 { 4 } else { 24 }
}

/// The effect of `va_start` on a list, at the builder's position.
fn start(ir: &Ir<'_>, list: Value, area: Value) {
    if ir.pointer_bits() == 32 {
        ir.store(area, list);
        return;
    }
    let int32 = ir.int(32);
    ir.store(ir.constant(int32, BEHIND_GENERAL_REGISTERS), list);
    let fields = [
        (4, ir.constant(int32, BEHIND_VECTOR_REGISTERS)),
        (8, area),
        (16, area),
    ];
    for (offset, value) in fields {
        ir.store(value, ir.offset(list, offset));
    }
}

/// Stores the variable arguments of a call before it.
fn pass(ir: &Ir<'_>, function: Value, call: Value, n_fixed: usize, latest: Value) {
    let slot = u64::from(ir.pointer_bits() / 8);
    let mut end = 0u64;
    let mut places = Vec::new();
    for (index, value) in call.call_arguments().into_iter().enumerate().skip(n_fixed) {
        let copied = ir.by_value_argument(call, index);
        let ty = copied.map_or(value.ty(), |(ty, _)| ty);
        let alignment = match copied {
            Some((_, alignment)) => alignment,
            None if slot == 8 => ir.alignment_of(ty),
            None => slot,
        };
        let offset = end.next_multiple_of(alignment.max(slot));
        end = (offset + ir.size_of(ty)).next_multiple_of(slot);
        places.push((value, copied.is_some().then_some(ty), offset));
    }
    ir.before(function.blocks()[0].first_insertion_point(false));
    let area = ir.alloca(ir.array(ir.int(8), end), "variable.arguments");
    area.set_alignment(16);
    ir.before(call);
    let zero = ir.zero(ir.int(8));
    if end > 0 {
        ir.memset(area, zero, ir.constant(ir.size_type(), end));
    }
    for (value, copied, offset) in places {
        let place = ir.offset(area, offset);
        match copied {
            Some(ty) => {
                let bytes = ir.constant(ir.size_type(), ir.size_of(ty));
                ir.memmove(place, value, bytes);
            }
            None => {
                ir.store(value, place);
            }
        }
    }
    ir.store(area, latest);
}
