//! Inline assembly without effect in one thread: barriers for compilers and processors, and pauses.
//!
//! Its results are the operands that are tied to them, as by `__asm__("" : "+r"(x))`, which hides known
//! values from compilers. Other assembly is refused where it is reached.

use super::ir::{Ir, Value};

/// Statements without an effect that one thread sees.
const NOTHING: [&str; 7] = [
    "nop", "pause", "rep", "rep nop", "mfence", "lfence", "sfence",
];

/// Takes it out of the program.
pub(super) fn remove_what_does_nothing(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for call in function.instructions() {
            let Some((text, constraints)) = call.assembly() else {
                continue;
            };
            let Some(results) = tied_operands(&constraints, &call.call_arguments()) else {
                continue;
            };
            if does_nothing(&text) && replace(ir, call, &results) {
                call.erase();
            }
        }
    }
}

fn does_nothing(text: &str) -> bool {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let mut statements = lines.flat_map(|line| line.split(';')).map(str::trim);
    statements.all(|statement| statement.is_empty() || NOTHING.contains(&statement))
}

/// The operands that are tied to the results, in order; `None` if a result has none.
fn tied_operands(constraints: &str, arguments: &[Value]) -> Option<Vec<Value>> {
    let mut arguments = arguments.iter();
    // `None` for one in memory.
    let mut outputs: Vec<Option<Option<Value>>> = Vec::new();
    for constraint in constraints
        .split(',')
        .filter(|constraint| !constraint.is_empty())
    {
        let is_in_memory = constraint.contains('*');
        if constraint.starts_with('~') {
            continue;
        }
        if constraint.starts_with('=') {
            if is_in_memory {
                arguments.next()?;
            }
            outputs.push((!is_in_memory).then_some(None));
            continue;
        }
        let argument = *arguments.next()?;
        if let Ok(output) = constraint.parse::<usize>()
            && let Some(tied) = outputs.get_mut(output)?
        {
            *tied = Some(argument);
        }
    }
    outputs.into_iter().flatten().collect()
}

/// Whether the results have the types of what takes their place.
fn replace(ir: &Ir<'_>, call: Value, results: &[Value]) -> bool {
    match results {
        [] => call.ty().is_void(),
        [result] if call.ty() == result.ty() => {
            call.replace_uses(*result);
            true
        }
        _ if call.ty().is_struct() => {
            ir.before(call);
            call.replace_uses(ir.build_struct(call.ty(), results));
            true
        }
        _ => false,
    }
}
