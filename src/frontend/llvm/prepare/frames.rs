//! Stack usage of the variables of functions, in clang's layout.
//!
//! # Deliberately absent
//! Dynamic allocations on the stack have no size here.

use super::ir::{Ir, Value};
use std::collections::BTreeMap;

/// Functions with so many bytes of variables stay calls where the stack has an end, so that their frames are not
/// those of their callers.
const MANY: u64 = 1 << 20;

/// The bytes of each function's variables, by its name: those with a size that stand in the first block, and
/// parameters that are passed in memory.
pub(super) fn sizes_of_variables(ir: &Ir<'_>) -> BTreeMap<String, u64> {
    let sizes = ir.definitions().into_iter().map(|function| {
        let instructions = function.instructions();
        let first = instructions.first().map(|first| first.parent());
        let variables = (instructions.iter())
            .take_while(|instruction| Some(instruction.parent()) == first)
            .filter(|instruction| instruction.is_alloca());
        let params = (0..function.params().len()).filter_map(|index| {
            let ty = ir.type_at_parameter(function, index, "byval")?;
            Some(ir.size_of(ty))
        });
        let bytes = variables
            .filter_map(|variable| size_of_variable(ir, *variable))
            .chain(params);
        (function.name(), bytes.fold(0, u64::saturating_add))
    });
    sizes.filter(|(_, bytes)| *bytes > 0).collect()
}

fn size_of_variable(ir: &Ir<'_>, variable: Value) -> Option<u64> {
    let count = u64::try_from(variable.operand(0).as_i64()?).ok()?;
    let ty = variable.allocated_type();
    ty.is_sized().then(|| ir.size_of(ty).saturating_mul(count))
}

/// The functions with many bytes of variables.
pub(super) fn functions_with_many(
    ir: &Ir<'_>,
    sizes: &BTreeMap<String, u64>,
) -> impl Iterator<Item = Value> {
    let functions = ir.definitions().into_iter();
    functions.filter(move |function| {
        sizes
            .get(&function.name())
            .is_some_and(|bytes| *bytes >= MANY)
    })
}
