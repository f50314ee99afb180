//! Lowering: the prepared module to a [`Program`].
//!
//! ```text
//! functions and globals get handles --> globals' contents --> each function: registers for all
//! results, then its blocks, one instruction at a time --> stubs for declarations
//! ```
//!
//! One function of [`function::Lowerer`] per instruction family: `integers`, `floats`,
//! `memory`, `aggregates`, `calls`, `partial`, `intrinsics`, `control`.
//!
//! # Invariants
//! - An instruction that cannot be lowered is a [`Refusal`]; it becomes an `Unsupported` action
//!   at its place and the block ends there.
//! - Only blocks that can be reached in the graph are lowered, so every node is reachable.
//! - The order of inputs is that of the prepared module.

mod aggregates;
mod calls;
mod constants;
mod control;
mod emitter;
mod expr;
mod floats;
mod function;
mod globals;
mod integers;
mod intrinsics;
mod layout;
mod memory;
mod operands;
mod partial;
mod vectors;

use super::prepare::{
    ARRAY_SIZE_FUNCTION, LOST_JUMP_FUNCTION, OPERATION_PREFIX, Outcome, RUNTIME_PREFIX, SourceLoop,
    TEXT_PREFIX, UNDEFINED_FUNCTION,
};
use super::{LoadError, LoadOptions, Sanitizer, source_path, symbols};
use flowgraph::{
    Function, FunctionId, Global, GlobalId, Granularity, Program, Span, join_branchings,
    merge_straight_edges, verify,
};
use indexmap::{IndexMap, IndexSet};
use layout::Layout;
use llvm_ir::{DebugLoc, Module, Name};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// Why an instruction cannot be lowered: its name, as in `Unsupported`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal(String);

impl Refusal {
    fn new(what: impl Into<String>) -> Refusal {
        Refusal(what.into())
    }
}

type Lowered<T> = Result<T, Refusal>;

/// Data shared by all functions.
struct Tables<'m> {
    module: &'m Module,
    layout: Layout<'m>,
    granularity: Granularity,
    /// Whether it matters where variables' blocks begin and end.
    has_scopes: bool,
    /// Whether it matters what is used as an argument or a result.
    has_uses: bool,
    /// Defined functions first, then stubs for declared ones whose address is taken.
    functions: RefCell<IndexSet<String>>,
    globals: IndexMap<Name, GlobalId>,
    files: RefCell<IndexSet<String>>,
    /// Loops of the source, by function and header.
    loops: IndexMap<(&'m str, &'m str), &'m SourceLoop>,
}

impl Tables<'_> {
    fn function_id(&self, name: &str) -> FunctionId {
        let (index, _) = self.functions.borrow_mut().insert_full(name.to_owned());
        FunctionId(handle(index))
    }

    fn span(&self, location: Option<&DebugLoc>) -> Span {
        let Some(location) = location.filter(|location| location.line > 0) else {
            return Span::default();
        };
        let path = source_path(location.directory.as_deref(), &location.filename);
        self.span_in(path, location.line, location.col.unwrap_or(0))
    }

    fn span_in(&self, file: String, line: u32, column: u32) -> Span {
        let (file, _) = self.files.borrow_mut().insert_full(file);
        let file = handle(file);
        Span { file, line, column }
    }

    /// Where the loop of the source stands whose header a block is, and its last line.
    fn loop_at(&self, function: &str, block: &str) -> Option<(Span, u32)> {
        let known = self.loops.get(&(function, block))?;
        let span = self.span_in(known.file.clone(), known.line, known.column);
        Some((span, known.last_line))
    }
}

/// Gives functions or globals of C++ the names that people know them by.
fn name_as_in_source<'n>(names: impl Iterator<Item = &'n mut String>) {
    let mut names: Vec<&mut String> = names.collect();
    let shown = symbols::shown(names.iter().map(|name| name.as_str()));
    for (name, shown) in names.iter_mut().zip(shown) {
        **name = shown;
    }
}

fn handle(index: usize) -> u32 {
    u32::try_from(index).expect("tables have less than 2^32 entries")
}

/// Lowers the module in this file, which `prepare` wrote; also returns the size of each function's variables.
pub(super) fn lower(
    prepared: &Path,
    options: &LoadOptions,
    outcome: &Outcome,
    notes: &mut Vec<String>,
) -> Result<(Program, Vec<u64>), LoadError> {
    let granularity = options.granularity;
    let module = Module::from_bc_path(prepared).map_err(|what| LoadError::Internal { what })?;
    let mut tables = Tables {
        layout: Layout::new(&module),
        module: &module,
        granularity,
        has_scopes: options.sanitizers.contains(&Sanitizer::Scope),
        has_uses: options.sanitizers.contains(&Sanitizer::Uses),
        functions: RefCell::default(),
        globals: IndexMap::new(),
        files: RefCell::default(),
        loops: (outcome.loops.iter())
            .map(|known| ((known.function.as_str(), known.header.as_str()), known))
            .collect(),
    };
    for function in &module.functions {
        if !function.name.starts_with(RUNTIME_PREFIX) {
            tables.functions.get_mut().insert(function.name.clone());
        }
    }
    let variables: Vec<&llvm_ir::module::GlobalVariable> = module
        .global_vars
        .iter()
        .filter(|global| match &global.name {
            Name::Name(name) => !name.starts_with("llvm.") && !name.starts_with(TEXT_PREFIX),
            Name::Number(_) => true,
        })
        .collect();
    for variable in &variables {
        let id = GlobalId(handle(tables.globals.len()));
        tables.globals.insert(variable.name.clone(), id);
    }
    let globals = variables
        .iter()
        .map(|variable| globals::lower_global(&tables, variable, notes))
        .collect();
    let mut functions: Vec<Function> = Vec::new();
    for function in &module.functions {
        if !function.name.starts_with(RUNTIME_PREFIX) {
            functions.push(function::lower_function(&tables, function));
        }
    }
    // A stub needs no further stubs, but the loop does not rely on it.
    while functions.len() < tables.functions.borrow().len() {
        let name = tables.functions.borrow()[functions.len()].clone();
        functions.push(function::lower_stub(&tables, &name));
    }
    if granularity == Granularity::Block {
        functions = (functions.iter())
            .map(|function| merge_straight_edges(&join_branchings(function)))
            .collect();
    }
    let main = tables.function_id("main");
    let mut globals: Vec<Global> = globals;
    let frames = functions.iter().map(|function| {
        let bytes = outcome.frames.get(&function.name);
        bytes.copied().unwrap_or(0)
    });
    let frames = frames.collect();
    name_as_in_source(functions.iter_mut().map(|function| &mut function.name));
    name_as_in_source(globals.iter_mut().map(|global| &mut global.name));
    let program = Program {
        pointer_bits: tables.layout.pointer_bits(),
        granularity,
        functions: functions.into_iter().map(Arc::new).collect(),
        globals,
        main,
        files: tables.files.into_inner().into_iter().collect(),
    };
    verify(&program).map_err(|errors| LoadError::Internal {
        what: format!("invalid flowgraph: {}", errors[0]),
    })?;
    Ok((program, frames))
}
