//! The path dependency automata of a program's loops.

use super::record::place;
use super::templates::{loop_lines, prefixed};
use flowgraph::Program;
use serde::Serialize;
use std::fmt::Write;
use template::{Automaton, LoopAutomaton, NoTemplate, PathId};

/// The result of `compact-se templates --automaton`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AutomataRecord {
    pub loops: Vec<LoopRecord>,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopRecord {
    pub function: String,
    /// Name of the header.
    pub header: String,
    /// Source lines, as `file:line` or `file:first-last`; empty if unknown.
    pub lines: String,
    /// None where the body has no paths that can be told apart, as `refused` says.
    pub automaton: Option<AutomatonRecord>,
    /// Why there is no automaton, and where.
    pub refused: Option<String>,
}

/// A path dependency automaton. Paths have numbers from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AutomatonRecord {
    /// How many paths there are.
    pub paths: usize,
    pub init: Vec<usize>,
    pub accept: Vec<usize>,
    pub edges: Vec<(usize, usize)>,
    /// `sequential`, `periodic` or `irregular`.
    pub interleaving: String,
    /// 1 to 4, by Table 4.2 of the thesis.
    #[serde(rename = "type")]
    pub kind: u32,
    /// Everything in the thesis' notation.
    pub text: String,
    /// The nodes and edges in Graphviz' language.
    #[serde(skip)]
    dot: String,
}

fn numbers(paths: &[PathId]) -> Vec<usize> {
    paths.iter().map(|path| path.0 + 1).collect()
}

impl AutomatonRecord {
    fn of(automaton: &Automaton, number: usize) -> AutomatonRecord {
        let edges = automaton.edges.iter();
        AutomatonRecord {
            paths: automaton.paths.len(),
            init: numbers(&automaton.init),
            accept: numbers(&automaton.accept),
            edges: edges.map(|edge| (edge.from.0 + 1, edge.to.0 + 1)).collect(),
            interleaving: automaton.interleaving.name().to_owned(),
            kind: automaton.kind(),
            text: automaton.to_text(),
            dot: automaton.to_dot(&format!("l{number}")),
        }
    }
}

impl AutomataRecord {
    /// The record of a program's automata.
    #[must_use]
    pub fn new(automata: &[LoopAutomaton], program: &Program) -> AutomataRecord {
        let loops = (1..).zip(automata).map(|(number, of_loop)| {
            let function = program.function(of_loop.function);
            let refused = |reason: &NoTemplate| {
                let at = place(program, reason.span());
                format!("{reason}{}", prefixed(", at ", &at))
            };
            let automaton = of_loop.automaton.as_ref();
            LoopRecord {
                function: function.name.clone(),
                header: function.node(of_loop.natural.header).name.clone(),
                lines: loop_lines(&of_loop.natural, program),
                automaton: automaton
                    .ok()
                    .map(|found| AutomatonRecord::of(found, number)),
                refused: automaton.err().map(refused),
            }
        });
        AutomataRecord {
            loops: loops.collect(),
        }
    }

    /// The record as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for of_loop in &self.loops {
            let LoopRecord {
                function, header, ..
            } = of_loop;
            let at = prefixed(", ", &of_loop.lines);
            let _ = writeln!(text, "loop {header} in {function}{at}");
            if let Some(automaton) = &of_loop.automaton {
                text.push_str(&automaton.text);
            }
            if let Some(refused) = &of_loop.refused {
                let _ = writeln!(text, "  no automaton: {refused}");
            }
            text.push('\n');
        }
        let n_loops = self.loops.len();
        let found = self.loops.iter().filter(|one| one.automaton.is_some());
        let _ = writeln!(
            text,
            "loops: {n_loops}; with an automaton: {}",
            found.count()
        );
        text
    }

    /// The automata in Graphviz' language, a cluster each.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut text = String::from("digraph automata {\n  node [shape=box];\n");
        for (number, of_loop) in (1..).zip(&self.loops) {
            let Some(automaton) = &of_loop.automaton else {
                continue;
            };
            let LoopRecord {
                function, header, ..
            } = of_loop;
            let _ = writeln!(text, "  subgraph cluster_l{number} {{");
            let _ = writeln!(text, "    label=\"loop {header} in {function}\";");
            text.push_str(&automaton.dot);
            text.push_str("  }\n");
        }
        text.push_str("}\n");
        text
    }
}
