//! Calls of an observer before accesses to memory, for replays of errors that sanitizers miss.
//!
//! `AddressSanitizer` knows the accessible bytes, but not the pointer of an access. An access far out of
//! bounds may hit another object, or no object at all. The observer gets the pointer that an address was
//! computed from, and compares the access with its object.
//!
//! # Deliberately absent
//! Addresses that may come from one of several pointers, and pointers that were out of bounds when they were
//! stored, passed or returned: the observer does not report those.

use super::ir::{Ir, Value};
use super::{RUNTIME_PREFIX, TEXT_PREFIX};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeSet;

/// Is to run when nothing else changes the program any more.
pub(super) fn observe_accesses(ir: &Ir<'_>) {
    let params = [ir.pointer(), ir.pointer(), ir.size_type()];
    let name = format!("{RUNTIME_PREFIX}access");
    let observer = ir.declare(&name, ir.void(), &params);
    tell_globals(ir);
    for function in ir.definitions() {
        for instruction in function.instructions() {
            for (address, bytes) in accesses(ir, instruction) {
                let Some(base) = base_of(address).filter(|base| *base != address) else {
                    continue;
                };
                ir.before(instruction);
                let bytes = ir.convert_from_int(bytes, ir.size_type(), "");
                ir.call(observer, &[base, address, bytes], "");
            }
        }
    }
}

/// Calls at the start of `main` that tell the observer where global variables lie, since `AddressSanitizer` does not
/// tell neighbours apart.
fn tell_globals(ir: &Ir<'_>) {
    let Some(main) = ir.function("main").filter(|main| !main.is_declaration()) else {
        return;
    };
    let params = [ir.pointer(), ir.size_type()];
    let observer = ir.declare(&format!("{RUNTIME_PREFIX}global"), ir.void(), &params);
    ir.before(main.blocks()[0].first_insertion_point(true));
    for global in ir.globals() {
        let name = global.name();
        let is_hidden = name.starts_with("llvm.") || name.starts_with(TEXT_PREFIX);
        let ty = global.value_type();
        if is_hidden || global.is_declaration() || global.is_thread_local() || !ty.is_sized() {
            continue;
        }
        let bytes = ir.constant(ir.size_type(), ir.size_of(ty));
        ir.call(observer, &[global, bytes], "");
    }
}

/// The addresses that an instruction accesses, and how many bytes there.
fn accesses(ir: &Ir<'_>, instruction: Value) -> Vec<(Value, Value)> {
    let size = |value: Value| ir.constant(ir.size_type(), ir.size_of(value.ty()));
    match instruction.opcode() {
        LLVMOpcode::LLVMLoad => vec![(instruction.operand(0), size(instruction))],
        LLVMOpcode::LLVMStore => {
            let value = instruction.operand(0);
            vec![(instruction.operand(1), size(value))]
        }
        LLVMOpcode::LLVMCall => {
            let name = instruction.callee_name().unwrap_or_default();
            let is = |prefix: &str| name.starts_with(prefix);
            let arguments = instruction.call_arguments();
            match arguments[..] {
                [to, from, bytes, ..] if is("llvm.memcpy.") || is("llvm.memmove.") => {
                    vec![(to, bytes), (from, bytes)]
                }
                [to, _, bytes, ..] if is("llvm.memset.") => vec![(to, bytes)],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// The pointer that an address is an offset from, on all ways to it.
fn base_of(address: Value) -> Option<Value> {
    let mut base = None;
    let mut seen = BTreeSet::new();
    let mut todo = vec![address];
    while let Some(value) = todo.pop() {
        if !seen.insert(value) {
            continue;
        }
        let opcode = if value.is_instruction() {
            Some(value.opcode())
        } else {
            value
                .is_constant_expression()
                .then(|| value.constant_opcode())
        };
        match opcode {
            Some(LLVMOpcode::LLVMGetElementPtr) => todo.push(value.operand(0)),
            Some(LLVMOpcode::LLVMPHI) => {
                todo.extend(value.incoming().into_iter().map(|(value, _)| value));
            }
            _ if base.is_none_or(|base| base == value) => base = Some(value),
            _ => return None,
        }
    }
    base
}
