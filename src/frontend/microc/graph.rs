//! Control flow graphs with one statement per node (thesis, Section 5.2), for display.
//!
//! The executor works on the flowgraph made by `lower`; this graph keeps the original statements.

use super::ast::{Function, Position, Program, Statement, StatementKind};
use super::print::head;
use std::fmt::Write as _;

/// The graphs of a program's functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ControlFlow {
    pub functions: Vec<FunctionGraph>,
}

/// The graph of a function; it is entered at node 0 and left at the last node, the return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionGraph {
    pub name: String,
    pub nodes: Vec<Node>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub text: String,
    pub at: Position,
    /// Indices of what comes next; for a condition, whether it holds then.
    pub successors: Vec<(usize, Option<bool>)>,
}

impl ControlFlow {
    /// The graphs of a program.
    #[must_use]
    pub fn of(program: &Program) -> ControlFlow {
        ControlFlow {
            functions: program.functions.iter().map(FunctionGraph::of).collect(),
        }
    }

    /// A line a node: number, place, statement, what comes next.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            let widest = function.nodes.iter().map(|node| node.text.chars().count());
            let width = widest.max().unwrap_or(0);
            for (index, node) in function.nodes.iter().enumerate() {
                let next = |(to, holds): &(usize, Option<bool>)| match holds {
                    Some(holds) => format!("{to} if {holds}"),
                    None => to.to_string(),
                };
                let next: Vec<String> = node.successors.iter().map(next).collect();
                let arrow = if next.is_empty() { "" } else { " -> " };
                let (at, statement) = (node.at.to_string(), &node.text);
                let line = format!(
                    "{index:>4}  {at:<7} {statement:width$}{arrow}{}",
                    next.join(", ")
                );
                let _ = writeln!(text, "{}", line.trim_end());
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// For Graphviz, a cluster a function.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut text = String::from("digraph microc {\n  node [shape=box, fontname=monospace];\n");
        for (number, function) in self.functions.iter().enumerate() {
            let _ = writeln!(
                text,
                "  subgraph cluster_{number} {{\n    label=\"{}\";",
                function.name
            );
            for (index, node) in function.nodes.iter().enumerate() {
                // Statements have no quotes and no backslashes.
                let _ = writeln!(
                    text,
                    "    n{number}_{index} [label=\"{}: {}\"];",
                    node.at, node.text
                );
            }
            for (index, node) in function.nodes.iter().enumerate() {
                for (to, holds) in &node.successors {
                    let label = match holds {
                        Some(holds) => format!(" [label=\"{holds}\"]"),
                        None => String::new(),
                    };
                    let _ = writeln!(text, "    n{number}_{index} -> n{number}_{to}{label};");
                }
            }
            text.push_str("  }\n");
        }
        text.push_str("}\n");
        text
    }
}

/// An edge that still needs its target: from a node, and whether its condition holds.
type Open = Vec<(usize, Option<bool>)>;

impl FunctionGraph {
    fn of(function: &Function) -> FunctionGraph {
        let parameters: Vec<&str> = (function.parameters.iter())
            .map(|name| name.text.as_str())
            .collect();
        let entry = format!("{}({})", function.name.text, parameters.join(", "));
        let mut graph = FunctionGraph {
            name: function.name.text.clone(),
            nodes: Vec::new(),
        };
        let mut open = graph.add(entry, function.name.at, Vec::new());
        for statement in &function.body {
            open = graph.statement(statement, open);
        }
        let text = format!("return {}", function.result);
        graph.add(text, function.result.at, open);
        graph
    }

    /// Adds a node to which these edges lead; gives the edge behind it.
    fn add(&mut self, text: String, at: Position, open: Open) -> Open {
        let index = self.nodes.len();
        self.nodes.push(Node {
            text,
            at,
            successors: Vec::new(),
        });
        self.close(open, index);
        vec![(index, None)]
    }

    fn close(&mut self, open: Open, to: usize) {
        for (from, holds) in open {
            self.nodes[from].successors.push((to, holds));
        }
    }

    fn statement(&mut self, statement: &Statement, open: Open) -> Open {
        match &statement.kind {
            StatementKind::Output { .. } | StatementKind::Assignment { .. } => {
                self.add(head(statement), statement.at, open)
            }
            StatementKind::Block { statements } => {
                let mut open = open;
                for statement in statements {
                    open = self.statement(statement, open);
                }
                open
            }
            StatementKind::While { body, .. } => {
                self.add(head(statement), statement.at, open);
                let header = self.nodes.len() - 1;
                let back = self.statement(body, vec![(header, Some(true))]);
                self.close(back, header);
                vec![(header, Some(false))]
            }
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.add(head(statement), statement.at, open);
                let condition = self.nodes.len() - 1;
                let mut behind = self.statement(then, vec![(condition, Some(true))]);
                let other = vec![(condition, Some(false))];
                behind.extend(match otherwise {
                    Some(otherwise) => self.statement(otherwise, other),
                    None => other,
                });
                behind
            }
        }
    }
}
