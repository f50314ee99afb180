//! Calls of an observer before accesses to memory, for replays of errors that sanitizers miss.
//!
//! `AddressSanitizer` knows the accessible bytes, but not the pointer of an access. An access far out of
//! bounds may hit another object, or no object at all. The observer gets the pointer that an address was
//! computed from, and compares the access with its object. It remembers the object of a pointer that is out of bounds
//! when it is passed or stored.
//!
//! # Deliberately absent
//! Addresses that may come from one of several pointers, and pointers that were out of bounds when they were
//! returned: the observer does not report those.

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
                let Some(base) = base_of(address) else {
                    continue;
                };
                if base == address && (base.is_alloca() || base.is_global_variable()) {
                    continue;
                }
                ir.before(instruction);
                let bytes = ir.convert_from_int(bytes, ir.size_type(), "");
                ir.call(observer, &[base, address, bytes], "");
            }
            tell_variable(ir, instruction);
            tell_pointers(ir, instruction);
        }
    }
}

/// Tells the observer where a variable lies that is no part of a frame.
fn tell_variable(ir: &Ir<'_>, variable: Value) {
    let is_fixed = |variable: Value| {
        variable.operand(0).is_constant_int()
            && variable.parent() == variable.parent().function().blocks()[0]
    };
    let Some(next) = variable.next() else {
        return;
    };
    if !variable.is_alloca() || is_fixed(variable) {
        return;
    }
    let word = ir.size_type();
    let name = format!("{RUNTIME_PREFIX}variable");
    let observer = ir.declare(&name, ir.void(), &[ir.pointer(), word]);
    ir.before(next);
    let number = ir.convert_from_int(variable.operand(0), word, "");
    let size = ir.constant(word, ir.size_of(variable.allocated_type()));
    ir.call(observer, &[variable, ir.multiply(number, size)], "");
}

/// Tells the observer what the pointers were computed from that an instruction passes to a function or stores.
fn tell_pointers(ir: &Ir<'_>, instruction: Value) {
    let computed = |value: &Value| {
        let base = (value.ty().is_pointer()).then(|| base_of(*value)).flatten();
        base.filter(|base| base != value).map(|base| [base, *value])
    };
    let params = [ir.pointer(), ir.pointer()];
    match instruction.opcode() {
        LLVMOpcode::LLVMStore => {
            if let Some(pointers) = computed(&instruction.operand(0)) {
                let name = format!("{RUNTIME_PREFIX}keep");
                ir.before(instruction);
                ir.call(ir.declare(&name, ir.void(), &params), &pointers, "");
            }
        }
        LLVMOpcode::LLVMCall if !instruction.is_must_tail() => {
            let is_own =
                |name: String| name.starts_with("llvm.") || name.starts_with(RUNTIME_PREFIX);
            if instruction.callee_name().is_some_and(is_own) {
                return;
            }
            let arguments = instruction.call_arguments();
            let pass = |pointers: [Value; 2]| {
                let name = format!("{RUNTIME_PREFIX}pass");
                ir.before(instruction);
                ir.call(ir.declare(&name, ir.size_type(), &params), &pointers, "")
            };
            let passed: Vec<Value> = arguments.iter().filter_map(computed).map(pass).collect();
            if let (Some(before), Some(next)) = (passed.first(), instruction.next()) {
                let name = format!("{RUNTIME_PREFIX}returned");
                ir.before(next);
                ir.call(
                    ir.declare(&name, ir.void(), &[ir.size_type()]),
                    &[*before],
                    "",
                );
            }
        }
        _ => (),
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
