//! Necessary conditions in the paper's notation.

use super::{AbstractPath, AppliedSummary, NecessaryCondition, Rule, Summary};
use crate::flowgraph::{EdgeId, Function, Program};
use crate::semantics::PathEnd;
use crate::term::{SymbolId, SymbolNames, TermId, TermPool};
use std::fmt::Write;

/// Longer formulas are cut.
const LONGEST: usize = 2_000;

/// No more of the predicates that were left out are shown.
const MOST_LOST: usize = 20;

impl NecessaryCondition {
    /// Summaries, backbones and φ̂ as text.
    pub fn display(&self, pool: &mut TermPool, program: &Program) -> String {
        let function = program.function(program.main);
        let mut text = String::new();
        for summary in &self.summaries {
            summary.write(&mut text, pool, function);
        }
        for (number, path) in self.paths.iter().enumerate() {
            path.write(&mut text, pool, program, function, number + 1);
        }
        if self.paths.is_empty() {
            let _ = writeln!(text, "φ̂ ≡ false");
        } else {
            let numbers = 1..=self.paths.len();
            let disjuncts: Vec<String> = numbers.map(|number| format!("φ{number}")).collect();
            let _ = writeln!(text, "φ̂ ≡ {}", disjuncts.join(" ∨ "));
        }
        if !self.open.is_empty() {
            let _ = writeln!(
                text,
                "{} besides to undefined behaviour",
                count(self.open.len() as u64, "path")
            );
        }
        self.write_lost(&mut text, pool);
        text
    }

    fn write_lost(&self, text: &mut String, pool: &mut TermPool) {
        if self.lost.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "{} left out, since no rule gives what stands for ⋆:",
            count(self.lost.len() as u64, "predicate")
        );
        for lost in self.lost.iter().take(MOST_LOST) {
            let names = names_of(pool, [lost.predicate]);
            let _ = writeln!(text, "  {}", show(pool, lost.predicate, &names));
        }
        if self.lost.len() > MOST_LOST {
            let _ = writeln!(text, "  …");
        }
    }
}

impl Summary {
    /// The loop, its backbones, θ^κ⃗ and φ^κ⃗.
    fn write(&self, text: &mut String, pool: &mut TermPool, function: &Function) {
        let nodes = self.nodes.iter().map(|index| {
            let node = crate::flowgraph::NodeId(u32::try_from(index).unwrap_or(u32::MAX));
            function.node(node).name.as_str()
        });
        let nodes: Vec<&str> = nodes.collect();
        let _ = writeln!(
            text,
            "loop {{{}}} at {}",
            nodes.join(", "),
            function.node(self.entry).name
        );
        let mut terms: Vec<TermId> = self.forms.iter().map(|form| form.value).collect();
        terms.extend(self.backbones.iter().map(|backbone| backbone.condition));
        terms.push(self.condition);
        let mut names = names_of(pool, terms);
        for star in &self.stars {
            names.rename(*star, "⋆".to_owned());
        }
        let is_single = self.backbones.len() == 1;
        for (way, backbone) in self.backbones.iter().enumerate() {
            let kappa = names.get(pool, backbone.counter).to_owned();
            let _ = writeln!(
                text,
                "  {kappa} counts {}{}",
                path_names(function, &backbone.edges),
                like_it(backbone.n_backbones)
            );
            let number = if is_single {
                String::new()
            } else {
                (way + 1).to_string()
            };
            let condition = show(pool, backbone.condition, &names);
            let _ = writeln!(text, "    φ′{number} ≡ {condition}");
        }
        for form in &self.forms {
            let variable = names.get(pool, form.symbol).to_owned();
            let value = match form.rule {
                Rule::Unknown => "⋆".to_owned(),
                _ => show(pool, form.value, &names),
            };
            let _ = writeln!(text, "  θ^κ({variable}) = {value}   ({})", form.rule.name());
        }
        let _ = writeln!(text, "  φ^κ ≡ {}", show(pool, self.condition, &names));
        let bits = pool.width(pool.symbol_term(self.total));
        let _ = writeln!(text, "  path counters have {bits} bits");
    }
}

impl AbstractPath {
    fn write(
        &self,
        text: &mut String,
        pool: &mut TermPool,
        program: &Program,
        function: &Function,
        number: usize,
    ) {
        let end = match &self.end {
            PathEnd::Target(span) => format!("to the target at {}", program.describe(*span)),
            PathEnd::Unsupported(what, span) => {
                format!("to {what} at {}", program.describe(*span))
            }
            _ => "to its end".to_owned(),
        };
        let _ = writeln!(
            text,
            "backbone {}{} {end}",
            path_names(function, &self.edges),
            like_it(self.n_backbones)
        );
        let names = names_of(pool, [self.condition]);
        let counters = self.loops.iter().flat_map(AppliedSummary::all_counters);
        let mentioned = pool.symbols_of(self.condition);
        let counters: Vec<String> = counters
            .filter_map(|counter| pool.as_symbol(counter))
            .filter(|symbol| mentioned.contains(symbol))
            .map(|symbol| names.get(pool, symbol).to_owned())
            .collect();
        let exists = if counters.is_empty() {
            String::new()
        } else {
            format!("∃{}. ", counters.join(", "))
        };
        let condition = show(pool, self.condition, &names);
        let _ = writeln!(text, "  φ{number} ≡ {exists}{condition}");
    }
}

impl AppliedSummary {
    /// The path counters, and the number of all iterations where that is another symbol.
    fn all_counters(&self) -> impl Iterator<Item = TermId> + '_ {
        let total = (self.counters.len() > 1).then_some(self.total);
        self.counters.iter().copied().chain(total)
    }
}

fn names_of(pool: &mut TermPool, terms: impl IntoIterator<Item = TermId>) -> SymbolNames {
    let mut symbols: Vec<SymbolId> = Vec::new();
    for term in terms {
        symbols.extend(pool.symbols_of(term).iter());
    }
    symbols.sort_unstable();
    symbols.dedup();
    SymbolNames::among(pool, symbols)
}

fn show(pool: &TermPool, term: TermId, names: &SymbolNames) -> String {
    let text = pool.display(term).with_names(names).to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The nodes of a backbone; v′ is the last one where it is the first.
fn path_names(function: &Function, edges: &[EdgeId]) -> String {
    let Some(first) = edges.first() else {
        return String::new();
    };
    let start = function.source(*first);
    let mut names = vec![function.node(start).name.clone()];
    for edge in edges {
        let target = function.target(*edge);
        let stroke = if target == start { "′" } else { "" };
        names.push(format!("{}{stroke}", function.node(target).name));
    }
    names.join(" ")
}

fn like_it(n_backbones: u64) -> String {
    match n_backbones {
        0 | 1 => String::new(),
        n => format!(" and {} with the same effect", count(n - 1, "other")),
    }
}

fn count(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}
