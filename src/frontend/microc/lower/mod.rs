//! Lowering: a well-typed program to a flowgraph.
//!
//! ```text
//! calls --recursive or not--> each function that is called: variables get registers or cells,
//! then statement by statement, calls of other functions in place
//! ```
//!
//! # How values are held
//! - Numbers are registers of 32 bits. References are pointers of 64 bits: to a cell, to the
//!   elements of an array one after the other, or to the fields of a record in the order of their
//!   names.
//! - A variable is a register, unless its address is taken: then it is a cell, a separate object on the heap,
//!   since it outlives its function. If such pointers are only dereferenced by inlined functions, it is still
//!   a register (`promote`).
//! - A variable that may be used before it has a value has a flag of one bit. If the address of such a
//!   variable is taken, all cells have a flag after their value.
//!
//! # Invariants
//! - Expressions are evaluated in the order of the interpreter, and an action that can fail has the location
//!   at which the interpreter fails.
//! - A constant condition makes no branching, and the code of the other side is dropped.
//! - Goals of coverage are passed where the interpreter passes them.
//! - Bounds of arrays and null pointers are left to the machine, which checks accesses to objects.

mod calls;
mod promote;
mod function;
mod expression;

use self::calls::Calls;
use self::function::Lowerer;
use self::promote::Promotion;
use super::ast::{Position, Program};
use super::initialised::{Uncertain, uncertain};
use super::marks::Marks;
use super::targets::Targets;
use super::types::{Shape, Types};
use crate::LoadError;
use flowgraph::{
    self, FunctionId, Granularity, Span, join_branchings, merge_straight_edges, remove_unreachable,
    remove_unread_objects, verify,
};
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// Of a pointer; microc has none, so that this is a matter of taste.
const POINTER_BITS: u32 = 64;
const NUMBER_BITS: u32 = 32;
/// Of a cell, and from a value in it to its flag.
const CELL_BYTES: u64 = 8;

/// How to lower.
pub(super) struct LoweringOptions {
    /// The name of the source file.
    pub file: String,
    pub granularity: Granularity,
    /// Put functions that are not recursive in the place of their calls.
    pub inline: bool,
}

/// Data shared by all functions.
struct Tables<'p> {
    program: &'p Program,
    types: &'p Types,
    targets: &'p Targets,
    marks: &'p Marks,
    calls: Calls<'p>,
    promotion: Promotion<'p>,
    /// By function.
    uncertain: IndexMap<&'p str, Uncertain<'p>>,
    /// Whether cells have a flag behind their value.
    cells_are_flagged: bool,
    inline: bool,
}

/// Bits of a value of this shape.
fn bits(shape: Shape) -> u32 {
    match shape {
        Shape::Number => NUMBER_BITS,
        Shape::Reference => POINTER_BITS,
    }
}

/// Bytes of such a value in memory.
fn bytes(shape: Shape) -> u64 {
    u64::from(bits(shape) / 8)
}

fn span(at: Position) -> Span {
    Span {
        file: 0,
        line: at.line,
        column: at.column,
    }
}

/// The flowgraph of a program that has these types.
///
/// # Errors
/// [`LoadError::Internal`] if the flowgraph does not pass `verify`: a defect of ours.
pub(super) fn lower(
    program: &Program,
    types: &Types,
    (targets, marks): (&Targets, &Marks),
    options: LoweringOptions,
) -> Result<flowgraph::Program, LoadError> {
    let uncertain: IndexMap<&str, Uncertain<'_>> = program
        .functions
        .iter()
        .map(|function| (function.name.text.as_str(), uncertain(function)))
        .collect();
    let calls = Calls::of(program);
    let promotion = if options.inline {
        Promotion::of(program, &calls, &uncertain)
    } else {
        Promotion::default()
    };
    let tables = Tables {
        program,
        types,
        targets,
        marks,
        calls,
        promotion,
        cells_are_flagged: uncertain
            .values()
            .any(|uncertain| !uncertain.referenced.is_empty()),
        uncertain,
        inline: options.inline,
    };
    // Functions get numbers when a call of them is lowered first.
    let mut numbered = IndexSet::from(["main"]);
    let mut functions = Vec::new();
    while let Some(&name) = numbered.get_index(functions.len()) {
        let function = program.function(name).expect("calls are checked");
        let function = Lowerer::new(&tables, function, &mut numbered).lower();
        let function = remove_unreachable(&function);
        functions.push(remove_unread_objects(&function, POINTER_BITS));
    }
    if options.granularity == Granularity::Block {
        functions = functions
            .iter()
            .map(|function| merge_straight_edges(&join_branchings(function)))
            .collect();
    }
    let lowered = flowgraph::Program {
        pointer_bits: POINTER_BITS,
        granularity: options.granularity,
        functions: functions.into_iter().map(Arc::new).collect(),
        globals: Vec::new(),
        main: FunctionId(0),
        files: vec![options.file],
    };
    verify(&lowered).map_err(|errors| LoadError::Internal {
        what: format!("invalid flowgraph: {}", errors[0]),
    })?;
    Ok(lowered)
}
