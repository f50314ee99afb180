//! `compact-se flowgraph`: the program as it is executed.

use super::arguments::FlowgraphArguments;
use super::output;
use ::flowgraph::cycles::{EnumerationEnd, PrefixChoice};
use ::flowgraph::{Function, FunctionId, Program, enumerate_cycles};
use anyhow::{Result, bail};
use frontend::load;
use std::fmt::Write;
use std::process::ExitCode;

/// No more cycles of a function are listed.
const MOST_CYCLES: usize = 10_000;

/// Prints the flowgraph.
///
/// # Errors
/// If the program cannot be loaded or has no function of the wanted name.
pub(super) fn run(arguments: &FlowgraphArguments) -> Result<ExitCode> {
    let mut options = arguments.program.load_options();
    options.allow_missing_target = arguments.program.target.is_empty();
    let loaded = load(&options)?;
    let program = &loaded.program;
    let function = match &arguments.function {
        Some(name) => Some(find_function(program, name)?),
        None => None,
    };
    let text = match (arguments.dot, arguments.cycles, function) {
        (true, _, Some(id)) => program.function_to_dot(id),
        (true, _, None) => program.to_dot(),
        (false, true, _) => cycles(program, function),
        // The text form is that of a whole program, which parses back.
        (false, false, _) => program.to_string(),
    };
    output::print(&text);
    Ok(ExitCode::SUCCESS)
}

fn find_function(program: &Program, name: &str) -> Result<FunctionId> {
    if let Some(id) = program.function_by_name(name) {
        return Ok(id);
    }
    let names: Vec<&str> = program
        .functions
        .iter()
        .map(|function| function.name.as_str())
        .collect();
    bail!(
        "the flowgraph has no function {name}, only {}; functions that are inlined everywhere are gone (--no-inline)",
        names.join(", ")
    )
}

fn cycles(program: &Program, only: Option<FunctionId>) -> String {
    let mut text = String::new();
    let mut count = 0;
    for id in program
        .function_ids()
        .filter(|id| only.is_none_or(|only| only == *id))
    {
        let function = program.function(id);
        let found = enumerate_cycles(function, MOST_CYCLES, |_, _| PrefixChoice::GoOn);
        count += found.cycles.len();
        for cycle in &found.cycles {
            let exits: Vec<String> = cycle
                .exits
                .iter()
                .map(|exit| edge_name(function, exit.edge))
                .collect();
            let _ = writeln!(
                text,
                "{}: core {}; exits {}",
                function.name,
                cycle.describe_core(function),
                exits.join(", ")
            );
        }
        if found.end != EnumerationEnd::Complete {
            let _ = writeln!(
                text,
                "{}: there are more cycles than were examined",
                function.name
            );
        }
    }
    let _ = writeln!(text, "cycles: {count}");
    text
}

fn edge_name(function: &Function, edge: ::flowgraph::EdgeId) -> String {
    let (source, target) = function.endpoints(edge);
    format!(
        "{} -> {}",
        function.node(source).name,
        function.node(target).name
    )
}
