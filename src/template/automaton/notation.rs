//! Automata as text and as pictures.

use super::PathId;
use super::body::Body;
use super::build::{Automaton, Transitions};
use super::word::{Letter, Turn};
use crate::ExitTarget;
use crate::notation::describe_end;
use semantics::Oracle;
use std::fmt::Write;
use term::{SymbolNames, TermId, TermPool};

/// A path in the notation of the thesis' tables.
pub struct PathText {
    /// Where it leads, if it leaves the loop.
    pub leaves_to: Option<String>,
    /// The conjuncts of its condition.
    pub condition: Vec<String>,
    /// Its changes: variable and new value.
    pub changes: Vec<(String, String)>,
}

/// An edge in the notation of the thesis' tables.
pub struct EdgeText {
    pub from: PathId,
    pub to: PathId,
    /// When κ iterations along the one path are followed by one along the other, in conjuncts.
    pub condition: Vec<String>,
    /// What κ iterations make of each variable that they change.
    pub changes: Vec<(String, String)>,
}

/// How often a path stands in a turn in a row: its period there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeriodText {
    /// The path, or those of a turn within the turn.
    pub paths: Vec<PathId>,
    /// How many iterations they are: a number, or a term over what was before the turn.
    pub times: String,
}

impl PeriodText {
    pub(super) fn of(body: &Body, pool: &mut TermPool, turn: &Turn) -> Vec<PeriodText> {
        let mut periods: Vec<(Vec<PathId>, TermId)> = Vec::new();
        for (step, times) in turn.word.iter().zip(&turn.times) {
            let paths = step.paths();
            match periods.last_mut() {
                Some((last, known)) if *last == paths => *known = pool.add(*known, *times),
                _ => periods.push((paths, *times)),
            }
        }
        let names = names_of(body, pool);
        let periods = periods.into_iter();
        let periods = periods.map(|(paths, times)| PeriodText {
            paths,
            times: pool.display(times).with_names(&names).to_string(),
        });
        periods.collect()
    }
}

/// The names of what paths are over, as short as they can be.
fn names_of(body: &Body, pool: &TermPool) -> SymbolNames {
    let symbols = body.entry.symbols();
    let inputs = body.paths.iter().flat_map(|path| path.inputs.iter());
    SymbolNames::among(pool, symbols.keys().chain(inputs).copied())
}

fn conjuncts(pool: &TermPool, names: &SymbolNames, condition: TermId) -> Vec<String> {
    let parts = pool.conjuncts(condition).into_iter();
    let show = |part| {
        pool.display(part)
            .with_names(names)
            .as_conjunct()
            .to_string()
    };
    parts.map(show).collect()
}

impl PathText {
    pub(super) fn of(body: &Body, pool: &TermPool) -> Vec<PathText> {
        let location = body.entry.state.location;
        let function = body.machine.program.function(location.function);
        let names = names_of(body, pool);
        let show = |term: TermId| pool.display(term).with_names(&names).to_string();
        let paths = body.paths.iter();
        let texts = paths.map(|path| {
            let effect = &path.effect;
            let registers = effect.registers.iter();
            let registers = registers.map(|(reg, value)| (function.reg(*reg).name.clone(), *value));
            let cells = effect.cells.iter();
            let cells = cells.map(|(object, offset, value)| {
                let address = pool.symbol_name(*object);
                (format!("[{address} + {offset}]"), *value)
            });
            let arrays = effect.arrays.iter();
            let arrays = arrays.map(|(object, flat)| {
                let address = pool.symbol_name(*object);
                (format!("[{address}]"), flat.array)
            });
            let leaves_to = match &effect.target {
                _ if path.stays => None,
                ExitTarget::Location(location) => Some(function.node(location.node).name.clone()),
                ExitTarget::End(end) => Some(describe_end(end)),
            };
            PathText {
                leaves_to,
                condition: conjuncts(pool, &names, effect.condition),
                changes: registers
                    .chain(cells)
                    .chain(arrays)
                    .map(|(name, value)| (name, show(value)))
                    .collect(),
            }
        });
        texts.collect()
    }
}

impl EdgeText {
    /// The edges from a path. Without a closed form of the path they have the condition of one
    /// iteration.
    pub(super) fn from_path(
        body: &Body,
        transitions: &mut Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        path: PathId,
    ) -> Vec<EdgeText> {
        let phase = transitions.phase(body, pool, oracle, vec![Letter::Once(path)]);
        let edge = |to: &PathId| EdgeText {
            from: path,
            to: *to,
            condition: Vec::new(),
            changes: Vec::new(),
        };
        let mut edges: Vec<EdgeText> = transitions.after(path).iter().map(edge).collect();
        let Ok(phase) = phase else {
            for edge in &mut edges {
                edge.condition = after_one(body, pool, path, edge.to);
            }
            return edges;
        };
        let template = &phase.template;
        let symbols = body.entry.symbols();
        let known = symbols.keys().chain([&template.kappa]).copied();
        let names = SymbolNames::among(pool, known);
        let found = template.progressions.iter();
        let found = found.filter(|found| pool.as_symbol(found.value) != Some(found.symbol));
        let changes: Vec<(String, String)> = found
            .map(|found| {
                let value = pool.display(found.value).with_names(&names).to_string();
                (names.get(pool, found.symbol).to_owned(), value)
            })
            .collect();
        for edge in &mut edges {
            let exits = phase.turnings.iter().zip(&template.exits);
            let exit = exits
                .into_iter()
                .find(|(turning, _)| turning.path == edge.to);
            if let Some((_, exit)) = exit {
                edge.condition = conjuncts(pool, &names, exit.condition);
                edge.changes.clone_from(&changes);
            } else {
                // A path that continues: one iteration more.
                edge.condition = after_one(body, pool, path, edge.to);
            }
        }
        edges
    }
}

/// When an iteration along one path is followed by one along another.
fn after_one(body: &Body, pool: &mut TermPool, path: PathId, next: PathId) -> Vec<String> {
    let state = body.after_one(path);
    let condition = body.take(pool, state, next).condition;
    let before = pool.conj(state.path_cond.to_vec());
    let condition = pool.and(before, condition);
    conjuncts(pool, &names_of(body, pool), condition)
}

/// Longer conditions are written with one conjunct a line.
const LONGEST_LINE: usize = 80;

fn write_condition(text: &mut String, indent: &str, condition: &[String]) {
    let whole = condition.join(" ∧ ");
    if whole.chars().count() <= LONGEST_LINE {
        let whole = if whole.is_empty() { "true" } else { &whole };
        let _ = writeln!(text, "{indent}if {whole}");
        return;
    }
    for (position, conjunct) in condition.iter().enumerate() {
        let sign = if position == 0 { "if" } else { " ∧" };
        let _ = writeln!(text, "{indent}{sign} {conjunct}");
    }
}

fn list(paths: &[PathId]) -> String {
    let names: Vec<String> = paths.iter().map(ToString::to_string).collect();
    names.join(" ")
}

impl Automaton {
    /// Paths, *Init*, *Accept*, edges, turns and type.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (path, shown) in (0..).map(PathId).zip(&self.paths) {
            match &shown.leaves_to {
                Some(target) => {
                    let _ = writeln!(text, "  {path} leaves to {target}");
                }
                None => {
                    let _ = writeln!(text, "  {path}");
                }
            }
            write_condition(&mut text, "    ", &shown.condition);
            for (variable, value) in &shown.changes {
                let _ = writeln!(text, "    {variable} = {value}");
            }
        }
        let _ = writeln!(text, "  Init {}", list(&self.init));
        let _ = writeln!(text, "  Accept {}", list(&self.accept));
        for edge in &self.edges {
            let _ = writeln!(text, "  {} → {}", edge.from, edge.to);
            write_condition(&mut text, "    ", &edge.condition);
            for (variable, value) in &edge.changes {
                let _ = writeln!(text, "    {variable} = {value}");
            }
        }
        for ((from, to), turn) in &self.turns {
            let periods = turn.iter();
            let periods = periods.map(|period| match period.paths.as_slice() {
                [path] => format!("{} × {path}", period.times),
                paths => format!("{} × ({})", period.times, list(paths)),
            });
            let periods: Vec<String> = periods.collect();
            let _ = writeln!(text, "  turn from {from} → {to}: {}", periods.join(", "));
        }
        let _ = writeln!(
            text,
            "  {}, conditions over {}: type {}",
            self.interleaving.name(),
            self.conditions.name(),
            self.kind()
        );
        text
    }

    /// The automaton in Graphviz' language, as a cluster; `prefix` tells its nodes from those of
    /// others. Paths of *Init* have thick borders, those of *Accept* double ones.
    #[must_use]
    pub fn to_dot(&self, prefix: &str) -> String {
        let mut text = String::new();
        for (path, shown) in (0..).map(PathId).zip(&self.paths) {
            let condition = shown.condition.join(" ∧ ");
            let changes = shown.changes.iter();
            let changes = changes.map(|(variable, value)| format!("\\n{variable} = {value}"));
            let changes: String = changes.collect();
            let label = format!("{path}: {condition}{changes}").replace('"', "\\\"");
            let peripheries = if self.accept.contains(&path) { 2 } else { 1 };
            let width = if self.init.contains(&path) { 2 } else { 1 };
            let _ = writeln!(
                text,
                "    {prefix}{path} [label=\"{label}\", peripheries={peripheries}, penwidth={width}];"
            );
        }
        for edge in &self.edges {
            let _ = writeln!(text, "    {prefix}{} -> {prefix}{};", edge.from, edge.to);
        }
        text
    }
}
