//! Arbitrary content for local variables that C leaves uninitialised.
//!
//! A scalar gets the result of a call of `__compact_se_unwritten_i32` or a similar function, everything else
//! a call of `__compact_se_unwritten`. mem2reg and dce then remove values that are overwritten before any
//! read.
//!
//! # Invariants
//! - The content is arbitrary at each execution of the declaration (where debug information shows it), so
//!   also in each iteration of a loop around it. If the bitcode marks the begin of a variable's lifetime, the
//!   content is set there: a replay must not write it before.
//! - A variable that can be used without passing its declaration (`goto`) is also set at the function's entry.

use super::externals::{unwritten, unwritten_function};
use super::ir::{Block, Ir, Ty, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{BTreeMap, BTreeSet};

/// Needs debug information in intrinsics (`Ir::set_debug_records(false)`).
pub(super) fn fill_locals(ir: &Ir<'_>) {
    for function in ir.definitions() {
        if function.name().starts_with(super::RUNTIME_PREFIX) {
            continue;
        }
        let declarations = declarations(function);
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMAlloca {
                fill_local(ir, function, instruction, declarations.get(&instruction));
            }
        }
    }
}

/// Where a local variable is declared, and its name in the source.
pub(super) struct Declaration {
    place: Value,
    name: Option<String>,
}

/// The variables that a function declares; needs debug information in intrinsics.
pub(super) fn declarations(function: Value) -> BTreeMap<Value, Declaration> {
    let mut found = BTreeMap::new();
    for instruction in function.instructions() {
        if instruction.callee_name().as_deref() != Some("llvm.dbg.declare") {
            continue;
        }
        let variable = instruction.operand(0).metadata_operands();
        let Some(alloca) = variable.first().copied().flatten() else {
            continue;
        };
        // A DILocalVariable's operands are scope, name, file, type, …
        let name = instruction
            .operand(1)
            .metadata_operands()
            .get(1)
            .copied()
            .flatten();
        found.entry(alloca).or_insert(Declaration {
            place: instruction,
            name: name.and_then(Value::metadata_text),
        });
    }
    found
}

fn fill_local(ir: &Ir<'_>, function: Value, alloca: Value, declaration: Option<&Declaration>) {
    let name = declaration
        .and_then(|declaration| declaration.name.clone())
        .unwrap_or_else(|| alloca.name());
    let entry = function.blocks()[0];
    let begins: Vec<Value> = (alloca.users().into_iter())
        .filter(|user| begins_lifetime(*user))
        .collect();
    if !begins.is_empty() {
        for begin in begins {
            fill_after(ir, alloca, begin, &name);
        }
        return;
    }
    match declaration {
        Some(declaration)
            if alloca.parent() == entry && !is_used_before(alloca, declaration.place) =>
        {
            let block = declaration.place.parent();
            if block != entry && !dominates(entry, block, alloca) {
                fill_after(ir, alloca, alloca, &name);
            }
            fill_after(ir, alloca, declaration.place, &name);
        }
        // Variable-length arrays, parameters (they are stored before they are declared), and what
        // has no declaration: where the memory is made.
        _ => fill_after(ir, alloca, alloca, &name),
    }
}

fn begins_lifetime(user: Value) -> bool {
    let name = user.is_instruction().then(|| user.callee_name()).flatten();
    name.is_some_and(|name| name.starts_with("llvm.lifetime.start"))
}

/// Whether the block of `place` uses the variable before it.
fn is_used_before(alloca: Value, place: Value) -> bool {
    place
        .parent()
        .instructions()
        .into_iter()
        .take_while(|instruction| *instruction != place)
        .filter(|instruction| !is_for_debuggers(*instruction))
        .any(|instruction| instruction.operands().contains(&alloca))
}

/// Whether every way from `entry` to a block that uses the variable passes `block`.
fn dominates(entry: Block, block: Block, alloca: Value) -> bool {
    let mut seen = BTreeSet::from([entry]);
    let mut todo = vec![entry];
    while let Some(here) = todo.pop() {
        for next in here.successors() {
            if next != block && seen.insert(next) {
                todo.push(next);
            }
        }
    }
    alloca
        .users()
        .into_iter()
        .filter(|user| user.is_instruction() && !is_for_debuggers(*user))
        .all(|user| !seen.contains(&user.parent()))
}

fn fill_after(ir: &Ir<'_>, alloca: Value, place: Value, name: &str) {
    let Some(mut next) = place.next() else {
        return;
    };
    while next.opcode() == LLVMOpcode::LLVMAlloca {
        match next.next() {
            Some(after) => next = after,
            None => return,
        }
    }
    let ty = alloca.allocated_type();
    if !ty.is_sized() || ir.size_of(ty) == 0 || is_initialised(ir, alloca, next) {
        return;
    }
    ir.before(next);
    if place != alloca {
        ir.at_place_of(place);
    }
    let n_elements = alloca.operand(0);
    if ty.is_scalar()
        && n_elements.as_i64() == Some(1)
        && let Some(value) = unwritten(ir, ty, name)
    {
        ir.store(value, alloca);
        return;
    }
    let size = ir.constant(ir.size_type(), ir.size_of(ty));
    let bytes = if n_elements.as_i64() == Some(1) {
        size
    } else {
        let n_elements = ir.convert_from_int(n_elements, ir.size_type(), "");
        ir.multiply(n_elements, size)
    };
    ir.call(
        unwritten_function(ir),
        &[alloca, bytes, ir.text(&super::externals::one_word(name))],
        "",
    );
}

/// Whether the whole variable is overwritten before it is used in any other way: in the block of
/// `from` after it, or in every block that uses it.
fn is_initialised(ir: &Ir<'_>, alloca: Value, from: Value) -> bool {
    if alloca.operand(0).as_i64() != Some(1) {
        return false;
    }
    let after = std::iter::successors(Some(from), |instruction| instruction.next());
    if let Some(overwritten) = is_overwritten_first(ir, alloca, after) {
        return overwritten;
    }
    let blocks: BTreeSet<Block> = alloca
        .users()
        .into_iter()
        .filter(|user| user.is_instruction() && !is_for_debuggers(*user))
        .map(Value::parent)
        .collect();
    blocks.into_iter().all(|block| {
        is_overwritten_first(ir, alloca, block.instructions().into_iter()).unwrap_or(true)
    })
}

fn is_for_debuggers(instruction: Value) -> bool {
    let name = instruction.callee_name().unwrap_or_default();
    name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.")
}

/// Whether these instructions of one block overwrite the variable, in one piece or in several,
/// before they use it in any other way; `None` if they do not use it.
fn is_overwritten_first(
    ir: &Ir<'_>,
    alloca: Value,
    instructions: impl Iterator<Item = Value>,
) -> Option<bool> {
    let bytes = ir.size_of(alloca.allocated_type());
    // The variable's address and constant offsets from it.
    let mut addresses = BTreeMap::from([(alloca, 0u64)]);
    // Bytes that are overwritten: disjoint ranges by their start.
    let mut written: BTreeMap<u64, u64> = BTreeMap::new();
    let mut is_used = false;
    for instruction in instructions {
        let operands = instruction.operands();
        if is_for_debuggers(instruction)
            || !operands
                .iter()
                .any(|operand| addresses.contains_key(operand))
        {
            continue;
        }
        is_used = true;
        match instruction.opcode() {
            LLVMOpcode::LLVMGetElementPtr => {
                let base = addresses.get(&operands[0])?;
                match ir
                    .constant_gep_offset(instruction, &operands)
                    .map(u64::try_from)
                {
                    Some(Ok(offset)) if offset <= bytes => {
                        addresses.insert(instruction, base + offset);
                        continue;
                    }
                    _ => return Some(false),
                }
            }
            LLVMOpcode::LLVMStore if !addresses.contains_key(&operands[0]) => {
                let start = addresses[&operands[1]];
                write_scalars(ir, operands[0].ty(), start, &mut written);
            }
            LLVMOpcode::LLVMCall => {
                let name = instruction.callee_name().unwrap_or_default();
                let writes = ["llvm.memcpy.", "llvm.memset.", "llvm.memmove."];
                let len = operands.get(2).and_then(|len| len.as_i64());
                match (addresses.get(&operands[0]), len.map(u64::try_from)) {
                    (Some(&start), Some(Ok(len)))
                        if writes.iter().any(|prefix| name.starts_with(prefix))
                            && !addresses.contains_key(&operands[1]) =>
                    {
                        written.insert(start, len);
                    }
                    _ => return Some(false),
                }
            }
            _ => return Some(false),
        }
        if covers(&written, bytes) {
            return Some(true);
        }
    }
    is_used.then_some(false)
}

/// Records what a store of this type writes; padding is not written.
fn write_scalars(ir: &Ir<'_>, ty: Ty, start: u64, written: &mut BTreeMap<u64, u64>) {
    if ty.is_struct() {
        for index in 0..ty.n_fields() {
            let offset = ir.offset_of(ty, index);
            write_scalars(ir, ty.field(index), start + offset, written);
        }
    } else {
        written.insert(start, ir.bits_of(ty).div_ceil(8));
    }
}

/// Whether the ranges together cover `0..bytes`.
fn covers(written: &BTreeMap<u64, u64>, bytes: u64) -> bool {
    let mut end = 0;
    for (start, len) in written {
        if *start > end {
            return false;
        }
        end = end.max(start + len);
    }
    end >= bytes
}
