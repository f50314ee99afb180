//! Flowgraphs for Graphviz.
//!
//! A location shows its name and line, an edge its steps in text form; heads of loops are drawn
//! twice, ends as dots, target edges in red.

use super::{Action, Function, FunctionId, Program};
use std::fmt::{self, Write};

impl Program {
    /// All functions, each in a separate box, as a DOT graph.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let functions: Vec<FunctionId> = self.function_ids().collect();
        graph(self, &functions)
    }

    /// One function as a DOT graph.
    ///
    /// # Panics
    /// If the function is not of the program.
    #[must_use]
    pub fn function_to_dot(&self, function: FunctionId) -> String {
        graph(self, &[function])
    }
}

fn graph(program: &Program, functions: &[FunctionId]) -> String {
    let mut text = String::new();
    write_graph(&mut text, program, functions).expect("writing to a string succeeds");
    text
}

fn write_graph(out: &mut String, program: &Program, functions: &[FunctionId]) -> fmt::Result {
    writeln!(out, "digraph flowgraph {{")?;
    writeln!(out, "  node [shape=circle fontname=monospace]")?;
    writeln!(out, "  edge [fontname=monospace]")?;
    for &id in functions {
        let function = program.function(id);
        writeln!(out, "  subgraph cluster_{id} {{")?;
        writeln!(out, "    label={}", quoted(&function.name))?;
        write_nodes(out, program, id, function)?;
        write_edges(out, program, id, function)?;
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

fn write_nodes(
    out: &mut String,
    program: &Program,
    id: FunctionId,
    function: &Function,
) -> fmt::Result {
    let loops = function.loops();
    writeln!(out, "    {id}_start [shape=none label=\"\"]")?;
    for node in function.node_ids() {
        let data = function.node(node);
        let shape = if function.out_edges(node).is_empty() {
            " shape=point"
        } else if loops.by_header(node).is_some() {
            " shape=doublecircle"
        } else {
            ""
        };
        let tooltip = if data.span.line == 0 {
            String::new()
        } else {
            format!(" tooltip={}", quoted(&program.describe(data.span)))
        };
        let name = quoted(&data.name);
        writeln!(out, "    {id}_{node} [label={name}{shape}{tooltip}]")?;
    }
    writeln!(out, "    {id}_start -> {id}_{}", function.entry)
}

fn write_edges(
    out: &mut String,
    program: &Program,
    id: FunctionId,
    function: &Function,
) -> fmt::Result {
    let names = program.names(function);
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        let mut label = String::new();
        let mut color = "";
        for step in &function.edge(edge).steps {
            writeln!(label, "{}", names.action(&step.action))?;
            if step.action == Action::Target {
                color = " color=red";
            }
        }
        let label = quoted(&label);
        writeln!(
            out,
            "    {id}_{source} -> {id}_{target} [label={label}{color}]"
        )?;
    }
    Ok(())
}

/// A DOT string; line ends become `\l`, which aligns lines to the left.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
