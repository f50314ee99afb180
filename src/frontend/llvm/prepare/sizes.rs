//! Checks of computed sizes of arrays on the stack.
//!
//! | size | check |
//! |---|---|
//! | a dimension that is not positive, in C | clang's, which knows its type |
//! | number of elements 0 of a variable-length array | a call of `__compact_se_array_size` before it |
//! | product of dimensions, or bytes, beyond half of the address space | the same |
//!
//! The function is in the replay library, and `UndefinedBehaviorSanitizer` reports its findings. It returns
//! the number of elements, so that no pass treats the array as a variable of constant size, which frames
//! allocate at their begin.
//!
//! # Deliberately absent
//! The end of the stack.

use super::super::sanitizer::ARRAY_SIZE_HANDLER;
use super::RUNTIME_PREFIX;
use super::ir::{ARRAY_SIZE_FUNCTION, Ir, Value};
use super::uninitialised::declarations;
use inkwell::llvm_sys::LLVMOpcode;

/// Puts checks before all arrays whose size is computed. Those for sizes that are not positive stay where
/// accesses to memory are checked. Is to run before it is forgotten which products do not wrap.
pub(super) fn check_sizes(ir: &Ir<'_>, checks_memory: bool) {
    if !checks_memory {
        remove_checks_of_dimensions(ir);
    }
    ir.set_debug_records(false);
    for function in ir.definitions() {
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        let is_computed = |array: &Value| array.is_alloca() && !array.operand(0).is_constant_int();
        let mut arrays = function.instructions();
        arrays.retain(is_computed);
        if arrays.is_empty() {
            continue;
        }
        let declared = declarations(function);
        for array in arrays {
            check_size(ir, array, checks_memory && declared.contains_key(&array));
        }
    }
    ir.set_debug_records(true);
}

fn check_size(ir: &Ir<'_>, array: Value, is_positive: bool) {
    let ty = array.allocated_type();
    if !ty.is_sized() {
        return;
    }
    let least = ir.constant(ir.size_type(), is_positive.into());
    ir.before(array);
    let mut number = array.operand(0);
    let checked = call_check(
        ir,
        array,
        [number, ir.constant(ir.size_type(), ir.size_of(ty)), least],
    );
    array.set_operand(0, checked);
    // Clang multiplies the dimensions, and says that the product does not wrap.
    while number.never_wraps() {
        let (outer, inner) = (number.operand(0), number.operand(1));
        call_check(ir, array, [outer, inner, least]);
        number = outer;
    }
}

fn call_check(ir: &Ir<'_>, array: Value, sizes: [Value; 3]) -> Value {
    let (word, int32) = (ir.size_type(), ir.int(32));
    let params = [word, word, word, ir.pointer(), int32, int32];
    let function = ir.declare(ARRAY_SIZE_FUNCTION, word, &params);
    let (file, line, column) = array.source_place();
    let mut arguments = sizes
        .map(|size| ir.convert_from_int(size, word, ""))
        .to_vec();
    arguments.push(ir.text(&file));
    arguments.extend([line, column].map(|number| ir.constant(int32, number.into())));
    ir.call(function, &arguments, "")
}

/// Takes it that the dimensions are positive.
fn remove_checks_of_dimensions(ir: &Ir<'_>) {
    let Some(handler) = ir.function(ARRAY_SIZE_HANDLER) else {
        return;
    };
    for call in handler.users() {
        let failed = call.parent();
        for branch in failed.predecessors() {
            let is_passed = branch.successors().first() != Some(&failed);
            if let Some(branch) = branch.terminator()
                && branch.opcode() == LLVMOpcode::LLVMBr
                && branch.operands().len() == 3
            {
                let condition = ir.constant(ir.int(1), is_passed.into());
                branch.set_operand(0, condition);
            }
        }
    }
}
