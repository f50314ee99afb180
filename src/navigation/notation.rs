//! Constraint systems in the paper's notation.

use super::{ChainSystem, ChainSystems, CounterName, LoopFunctions};
use crate::flowgraph::{ChainId, Program};
use crate::necessary::Rule;
use crate::term::{SymbolId, SymbolNames, TermId, TermPool};
use indexmap::IndexMap;
use std::fmt::Write;

/// Longer formulas are cut.
const LONGEST: usize = 2_000;

impl ChainSystems<'_> {
    /// Chains, functions and systems as text; `has_solution` says of the systems of root chains, in
    /// order, whether there is a solution, where that is known.
    #[must_use]
    pub fn display(
        &self,
        pool: &mut TermPool,
        program: &Program,
        has_solution: &[Option<bool>],
    ) -> String {
        let mut text = self.form.display(program);
        for functions in &self.loops {
            functions.write(&mut text, pool);
        }
        let mut answers = has_solution.iter();
        for system in &self.systems {
            system.write(&mut text, pool);
            if self.form.chain(system.chain).is_root() {
                match answers.next().copied().flatten() {
                    Some(true) => text.push_str("  has a solution\n"),
                    Some(false) => text.push_str("  has no solution: the chain is eliminated\n"),
                    None => {}
                }
            }
        }
        if self.n_without > 0 {
            let s = if self.n_without == 1 { "" } else { "s" };
            let _ = writeln!(
                text,
                "{} root chain{s} without a system: a condition fails, or something is not understood",
                self.n_without
            );
        }
        text
    }
}

impl LoopFunctions {
    fn write(&self, text: &mut String, pool: &mut TermPool) {
        let chains: Vec<String> = self.chains.iter().map(ChainId::to_string).collect();
        let _ = writeln!(text, "{{{}}}", chains.join(", "));
        let terms: Vec<TermId> = self.summary.forms.iter().map(|form| form.value).collect();
        let names = names_of(pool, &terms, &self.counters);
        for form in &self.summary.forms {
            if form.rule == Rule::Unchanged {
                continue;
            }
            let value = match form.rule {
                Rule::Unknown => "⋆".to_owned(),
                _ => show(pool, form.value, &names),
            };
            let variable = names.get(pool, form.symbol);
            let _ = writeln!(text, "  {variable} = {value}   ({})", form.rule.name());
        }
    }
}

impl ChainSystem {
    fn write(&self, text: &mut String, pool: &mut TermPool) {
        let _ = writeln!(text, "S({})", self.chain);
        let terms: Vec<TermId> = self
            .constraints
            .iter()
            .chain(&self.bounds)
            .copied()
            .collect();
        let names = names_of(pool, &terms, &self.counters);
        for (number, constraint) in self.constraints.iter().enumerate() {
            let _ = writeln!(
                text,
                "  ({}) {}",
                number + 1,
                show(pool, *constraint, &names)
            );
        }
        for bound in &self.bounds {
            let _ = writeln!(text, "  bound {}", show(pool, *bound, &names));
        }
    }
}

/// κ3 for κ₃ of a root chain, κ3^1 for κ₃¹, κ3/2 for the executions of c3 within c2 where c3 is in
/// other chains too.
fn names_of(
    pool: &mut TermPool,
    terms: &[TermId],
    counters: &IndexMap<SymbolId, CounterName>,
) -> SymbolNames {
    let mut symbols: Vec<SymbolId> = counters.keys().copied().collect();
    for term in terms {
        symbols.extend(pool.symbols_of(*term).iter());
    }
    symbols.sort_unstable();
    symbols.dedup();
    let mut names = SymbolNames::among(pool, symbols);
    for (symbol, name) in counters {
        let same = counters
            .values()
            .filter(|other| (other.chain, other.reset) == (name.chain, name.reset));
        let along = name.along.filter(|_| same.count() > 1);
        let part = |sign: char, chain: Option<ChainId>| {
            chain.map_or_else(String::new, |chain| format!("{sign}{}", chain.0))
        };
        let (reset, along) = (part('^', name.reset), part('/', along));
        names.rename(*symbol, format!("κ{}{reset}{along}", name.chain.0));
    }
    names
}

fn show(pool: &TermPool, term: TermId, names: &SymbolNames) -> String {
    let text = pool.display(term).with_names(names).to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
