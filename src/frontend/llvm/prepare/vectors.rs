//! Operations on vectors become operations on their elements, by LLVM's pass.
//!
//! The pass skips reductions of integers (`llvm.vector.reduce.add` and the like), which are expanded here.
//! The rest are loads, stores and casts of whole vectors, and reads and writes of single elements, which the
//! lowering treats as parts of one number.
//!
//! # Invariants
//! - A load of a vector stays whole, and stays, so that each of its bytes is accessed.

use super::ir::{Ir, Value};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use std::collections::BTreeSet;

/// The pass, for a program in which [`are_used`].
pub(super) const PASS: &str = "function(scalarizer)";

const REDUCTION: &str = "llvm.vector.reduce.";

/// Whether anything is computed with vectors.
pub(super) fn are_used(ir: &Ir<'_>) -> bool {
    let functions = ir.definitions().into_iter();
    let mut instructions = functions.flat_map(|function| function.instructions());
    instructions
        .any(|instruction| is_vector(&instruction) || instruction.operands().iter().any(is_vector))
}

/// Keeps loads of vectors, whether or not each element is used.
pub(super) fn keep_loads(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMLoad && is_vector(&instruction) {
                instruction.set_volatile(true);
            }
        }
    }
}

/// Takes reductions of integers apart, from element 0 on; their order makes no difference.
pub(super) fn expand_reductions(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let name = instruction.callee_name().unwrap_or_default();
            let Some(operation) = name.strip_prefix(REDUCTION) else {
                continue;
            };
            let operation = operation.split('.').next().unwrap_or_default();
            let vector = instruction.call_arguments()[0];
            let Some((element, n_elements)) = vector.ty().elements() else {
                continue;
            };
            if element.int_bits() == 0 {
                continue;
            }
            ir.before(instruction);
            let mut result = ir.element(vector, 0);
            for index in 1..n_elements {
                let next = ir.element(vector, index);
                result = match opcode(operation) {
                    Some(opcode) => ir.binary(opcode, result, next),
                    // The greatest or least.
                    None => {
                        let name = format!("llvm.{operation}.i{}", element.int_bits());
                        let intrinsic = ir.declare(&name, element, &[element, element]);
                        ir.call(intrinsic, &[result, next], "")
                    }
                };
            }
            instruction.replace_uses(result);
            instruction.erase();
        }
    }
}

/// Vectors that are built element by element begin with zeros in the place of undefined elements where
/// nobody sees the elements that are not written yet; else they would be inputs.
pub(super) fn begin_with_zero(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            if !is_insertion(instruction) {
                continue;
            }
            let begin = instruction.operand(0);
            let undefined = undefined_elements(begin);
            if !undefined.is_empty() && is_filled(instruction, undefined) {
                instruction.set_operand(0, with_zeros(ir, begin));
            }
        }
    }
}

/// The elements of a constant vector that are undefined.
pub(super) fn undefined_elements(vector: Value) -> BTreeSet<i64> {
    let n_elements = vector.ty().elements().map_or(0, |(_, n)| n);
    let is_undefined = |index: &i64| {
        vector.is_undefined()
            || u32::try_from(*index).is_ok_and(|index| {
                vector
                    .element(index)
                    .is_some_and(|element| element.is_undefined())
            })
    };
    (0..i64::from(n_elements)).filter(is_undefined).collect()
}

/// The same constant with zeros in the place of undefined elements.
pub(super) fn with_zeros(ir: &Ir<'_>, vector: Value) -> Value {
    match vector.elements() {
        Some(elements) => {
            let zero = |element: Value| match element.is_undefined() {
                true => ir.zero(element.ty()),
                false => element,
            };
            let elements: Vec<Value> = elements.map(zero).collect();
            ir.aggregate(vector.ty(), &elements)
        }
        None => ir.zero(vector.ty()),
    }
}

/// Whether this insertion and those into its result write all these elements before anybody else sees them.
fn is_filled(first: Value, mut missing: BTreeSet<i64>) -> bool {
    let mut insertion = first;
    loop {
        let Some(index) = insertion.operand(2).as_i64() else {
            return false;
        };
        missing.remove(&index);
        if missing.is_empty() {
            return true;
        }
        match insertion.users().as_slice() {
            [next] if is_insertion(*next) && next.operand(0) == insertion => insertion = *next,
            _ => return false,
        }
    }
}

fn is_insertion(value: Value) -> bool {
    value.is_instruction() && value.opcode() == LLVMOpcode::LLVMInsertElement
}

fn opcode(reduction: &str) -> Option<LLVMOpcode> {
    match reduction {
        "add" => Some(LLVMOpcode::LLVMAdd),
        "mul" => Some(LLVMOpcode::LLVMMul),
        "and" => Some(LLVMOpcode::LLVMAnd),
        "or" => Some(LLVMOpcode::LLVMOr),
        "xor" => Some(LLVMOpcode::LLVMXor),
        _ => None,
    }
}

fn is_vector(value: &Value) -> bool {
    value.ty().kind() == LLVMTypeKind::LLVMVectorTypeKind
}
