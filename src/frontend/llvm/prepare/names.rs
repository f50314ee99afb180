//! Names of C: registers, inputs and heap blocks are named after the variables that hold them.
//!
//! Debug information maps variables to values. Of several values of one variable, the one at a join (the
//! loop's own) has the plain name, the others `name.2`, `name.3`; likewise a second variable of the same
//! name, for example of a function that is inlined twice.
//!
//! # Invariants
//! - Names are irrelevant for the engine and the replay: only people see them.
//! - Values that no variable holds keep LLVM's name.

use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{BTreeMap, BTreeSet};

/// Functions of the runtime that make a block of memory.
const ALLOCATIONS: [&str; 6] = [
    "malloc",
    "aligned_alloc",
    "calloc",
    "realloc",
    "new",
    "new_array",
];

/// Prefix of the input functions that SV-COMP's programs call; their names say nothing about the
/// input.
const ANONYMOUS: &str = "__VERIFIER_nondet_";

/// Renames what variables hold. Needs debug information in intrinsics
/// (`Ir::set_debug_records(false)`).
pub(super) fn name_after_variables(ir: &Ir<'_>) {
    for function in ir.definitions() {
        let held = held_by_variables(function);
        for (value, name) in &held {
            name_input(ir, *value, name);
        }
        let mut wanted = argument_objects(function);
        let mut named: BTreeSet<Value> = wanted.iter().map(|(value, _)| *value).collect();
        wanted.extend(held.into_iter().filter(|(value, _)| named.insert(*value)));
        let blocks = function.instructions().into_iter();
        let blocks = blocks.filter(|block| is_allocation(*block) && named.insert(*block));
        wanted.extend(blocks.map(|block| (block, "heap".to_owned())));
        rename(function, &wanted);
    }
}

fn is_allocation(instruction: Value) -> bool {
    let function = runtime_function(instruction);
    function.is_some_and(|function| ALLOCATIONS.contains(&function.as_str()))
}

/// The objects that `entry` makes are called what they are: `list->next`, by LLVM's name `*list->next`.
fn argument_objects(function: Value) -> Vec<(Value, String)> {
    let instructions = function.instructions().into_iter();
    let blocks = instructions.filter(|instruction| is_allocation(*instruction));
    blocks
        .filter_map(|block| Some((block, block.name().strip_prefix('*')?.to_owned())))
        .collect()
}

/// Values and the variables that hold them; where several do, the first. Values at joins come
/// first.
fn held_by_variables(function: Value) -> Vec<(Value, String)> {
    let mut found: BTreeMap<Value, usize> = BTreeMap::new();
    let mut held = Vec::new();
    for instruction in function.instructions() {
        let is_note = matches!(
            instruction.callee_name().as_deref(),
            Some("llvm.dbg.value" | "llvm.dbg.declare")
        );
        if is_note
            && let Some((value, name)) = variable(instruction)
            && !found.contains_key(&value)
        {
            found.insert(value, held.len());
            held.push((value, name));
        }
    }
    let is_join = |value: Value| !value.is_argument() && value.opcode() == LLVMOpcode::LLVMPHI;
    held.sort_by_key(|(value, _)| !is_join(*value));
    held
}

/// The value and the variable's name in a note of the debug information, where the variable is
/// the value itself and no part of it.
fn variable(note: Value) -> Option<(Value, String)> {
    let value = note.operand(0).metadata_operands().first().copied()??;
    if !value.is_instruction() && !value.is_argument() {
        return None;
    }
    // A DILocalVariable's operands are scope, name, file, type, …
    let name = note.operand(1).metadata_operands().get(1).copied()??;
    let name = name.metadata_text().filter(|name| !name.is_empty())?;
    note.operand(2)
        .print()
        .contains("!DIExpression()")
        .then_some((value, name))
}

/// The name of a called function of the runtime, without its prefix.
fn runtime_function(instruction: Value) -> Option<String> {
    let name = instruction.callee_name()?;
    name.strip_prefix(RUNTIME_PREFIX).map(str::to_owned)
}

/// An input from `__VERIFIER_nondet_int()` and the like is named after the variable that receives it.
fn name_input(ir: &Ir<'_>, value: Value, name: &str) {
    if !value.is_instruction() {
        return;
    }
    let is_input = runtime_function(value)
        .is_some_and(|function| function.starts_with("input_") || function.starts_with("call_"));
    if is_input
        && let Some(text) = value.call_arguments().first()
        && text
            .c_string()
            .is_some_and(|text| text.starts_with(ANONYMOUS))
    {
        value.set_operand(0, ir.text(name));
    }
}

fn rename(function: Value, wanted: &[(Value, String)]) {
    let mut taken: BTreeSet<String> = function.blocks().iter().map(|block| block.name()).collect();
    let names: BTreeSet<&String> = wanted.iter().map(|(_, name)| name).collect();
    let held: BTreeSet<Value> = wanted.iter().map(|(value, _)| *value).collect();
    // What no variable holds makes room.
    let values = function.params().into_iter().chain(function.instructions());
    let others: Vec<(Value, String)> = values
        .filter(|value| !held.contains(value))
        .map(|value| (value, value.name()))
        .filter(|(_, name)| !name.is_empty())
        .collect();
    let (in_the_way, apart): (Vec<_>, Vec<_>) = others
        .into_iter()
        .partition(|(_, name)| names.contains(name));
    taken.extend(apart.into_iter().map(|(_, name)| name));
    let renamed: Vec<(Value, String)> = wanted.iter().cloned().chain(in_the_way).collect();
    for (value, _) in &renamed {
        value.set_name("");
    }
    for (value, name) in renamed {
        let numbered = (2..).map(|number| format!("{name}.{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| !taken.contains(name))
            .expect("numbers do not end");
        value.set_name(&free);
        taken.insert(free);
    }
}
