//! Constraint systems in the paper's notation.

use super::{ChainSystem, ChainSystems, CounterName, LoopFunctions};
use flowgraph::{ChainId, ChainLine, Program};
use indexmap::IndexMap;
use necessary::Rule;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use term::{SymbolId, SymbolNames, TermId, TermPool};

/// Longer formulas are cut.
const LONGEST: usize = 2_000;

/// Chains, functions and constraint systems of a program, to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChainsView {
    /// Root chains first.
    pub chains: Vec<ChainView>,
    /// Whether there are more chains.
    pub cut: bool,
    pub functions: Vec<FunctionsView>,
    /// Those of root chains first.
    pub systems: Vec<SystemView>,
    /// Root chains of which nothing is said.
    pub n_without: usize,
}

/// A chain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChainView {
    /// `c3`.
    pub name: String,
    pub is_root: bool,
    pub lines: Vec<LineView>,
}

/// An action of a chain, or a loop node with the condition behind it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineView {
    pub text: String,
    /// The subchains of a loop node.
    pub chains: Vec<String>,
}

/// The effects of the chains of a loop node on variables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionsView {
    pub chains: Vec<String>,
    pub forms: Vec<ChangeView>,
}

/// A variable as a function of counters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangeView {
    pub variable: String,
    /// `⋆` where no rule gives it.
    pub value: String,
    pub rule: String,
}

/// S(c).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SystemView {
    /// c.
    pub chain: String,
    pub constraints: Vec<String>,
    pub bounds: Vec<String>,
    /// Whether there is a solution, where that is known.
    pub has_solution: Option<bool>,
}

impl ChainSystems<'_> {
    /// Chains, functions and systems; `has_solution` says of the systems of root chains, in order,
    /// whether there is a solution, where that is known.
    #[must_use]
    pub fn view(
        &self,
        pool: &mut TermPool,
        program: &Program,
        has_solution: &[Option<bool>],
    ) -> ChainsView {
        let chains = self.form.chains().map(|(id, chain)| ChainView {
            name: id.to_string(),
            is_root: chain.is_root(),
            lines: (self.form.lines(program, id).iter())
                .map(LineView::of)
                .collect(),
        });
        let mut answers = has_solution.iter().copied();
        let systems = self.systems.iter().map(|system| {
            let is_root = self.form.chain(system.chain).is_root();
            let has_solution = if is_root {
                answers.next().flatten()
            } else {
                None
            };
            system.view(pool, has_solution)
        });
        let systems = systems.collect();
        ChainsView {
            chains: chains.collect(),
            cut: self.form.is_cut(),
            functions: self.loops.iter().map(|of| of.view(pool)).collect(),
            systems,
            n_without: self.n_without,
        }
    }
}

impl ChainsView {
    /// As text: a line for each action, function and constraint.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for chain in &self.chains {
            let _ = writeln!(text, "{}", chain.name);
            for line in &chain.lines {
                let _ = writeln!(text, "  {}", line.text);
            }
        }
        if self.cut {
            text.push_str("there are more chains\n");
        }
        for functions in &self.functions {
            let _ = writeln!(text, "{{{}}}", functions.chains.join(", "));
            for form in &functions.forms {
                let ChangeView {
                    variable,
                    value,
                    rule,
                } = form;
                let _ = writeln!(text, "  {variable} = {value}   ({rule})");
            }
        }
        for system in &self.systems {
            let _ = writeln!(text, "S({})", system.chain);
            for (number, constraint) in (1..).zip(&system.constraints) {
                let _ = writeln!(text, "  ({number}) {constraint}");
            }
            for bound in &system.bounds {
                let _ = writeln!(text, "  bound {bound}");
            }
            if let Some(answer) = system.answer() {
                let _ = writeln!(text, "  {answer}");
            }
        }
        if let Some(without) = self.about_without() {
            let _ = writeln!(text, "{without}");
        }
        text
    }

    /// The text about root chains without a system.
    #[must_use]
    pub fn about_without(&self) -> Option<String> {
        let s = if self.n_without == 1 { "" } else { "s" };
        (self.n_without > 0).then(|| {
            format!(
                "{} root chain{s} without a system: a condition fails, or is not supported",
                self.n_without
            )
        })
    }
}

impl SystemView {
    /// Whether there is a solution, in words.
    #[must_use]
    pub fn answer(&self) -> Option<&'static str> {
        self.has_solution.map(|has_solution| match has_solution {
            true => "has a solution",
            false => "has no solution: the chain is eliminated",
        })
    }
}

impl LineView {
    fn of(line: &ChainLine) -> LineView {
        LineView {
            text: line.text.clone(),
            chains: line.chains.iter().map(ChainId::to_string).collect(),
        }
    }
}

impl LoopFunctions {
    fn view(&self, pool: &mut TermPool) -> FunctionsView {
        let terms: Vec<TermId> = self.summary.forms.iter().map(|form| form.value).collect();
        let names = names_of(pool, &terms, &self.counters);
        let forms = self.summary.forms.iter();
        let forms = forms.filter(|form| form.rule != Rule::Unchanged);
        let forms = forms.map(|form| ChangeView {
            variable: names.get(pool, form.symbol).to_string(),
            value: match form.rule {
                Rule::Unknown => "⋆".to_owned(),
                _ => show(pool, form.value, &names),
            },
            rule: form.rule.name().to_owned(),
        });
        FunctionsView {
            chains: self.chains.iter().map(ChainId::to_string).collect(),
            forms: forms.collect(),
        }
    }
}

impl ChainSystem {
    fn view(&self, pool: &mut TermPool, has_solution: Option<bool>) -> SystemView {
        let terms: Vec<TermId> = self
            .constraints
            .iter()
            .chain(&self.bounds)
            .copied()
            .collect();
        let names = names_of(pool, &terms, &self.counters);
        let shown = |terms: &[TermId]| -> Vec<String> {
            terms.iter().map(|term| show(pool, *term, &names)).collect()
        };
        SystemView {
            chain: self.chain.to_string(),
            constraints: shown(&self.constraints),
            bounds: shown(&self.bounds),
            has_solution,
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
