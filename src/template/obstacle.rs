//! Obstacles: the reasons why no rule gives a closed form.
//!
//! They are computed after the rules have failed, for people only, and do not affect templates.

use super::progression::{Progressions, Rules, raised};
use flowgraph::Span;
use std::fmt;
use term::{Sort, SymbolId, SymbolNames, TermId, TermPool};

/// Why no rule gives the closed form of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Its new value depends on its old one in a way that no rule covers.
    Itself,
    /// It depends on a variable that has no closed form.
    Other {
        variable: String,
        /// That variable's value after one iteration.
        step: String,
        /// Where an iteration changes it.
        span: Span,
        why: Box<Obstacle>,
    },
    /// It and this variable depend on each other.
    EachOther(String),
    /// An iteration adds an input, and iterations of a single cycle have no rule for sums.
    Input,
    /// What it depends on has a closed form, but of a kind that no rule takes up.
    Kind,
    /// It is memory that iterations write at an offset that moves.
    Memory,
    /// A pointer that leaves its object.
    Pointer,
}

/// Why what iterations write into an object is no comprehension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryObstacle {
    /// The offset has no closed form, or none from which the iteration follows.
    Offset,
    /// A value that is written has no closed form.
    Value,
    /// An iteration may read or write what another iteration writes.
    Interferes,
    /// It is accessed at several widths, or at offsets that are no multiples of the width.
    Widths,
    /// Something else than stores changes it as a whole.
    Whole,
    /// Objects are written with values of each other.
    EachOther,
}

/// Longer terms are cut.
const LONGEST_TERM: usize = 160;

/// How variables are told to people.
pub(super) struct Told<'a> {
    pub names: SymbolNames,
    /// Where an iteration changes what a symbol stands for.
    pub changed_at: &'a dyn Fn(SymbolId) -> Span,
}

impl Told<'_> {
    /// A term with these names, without the end of a long one.
    pub fn show(&self, pool: &TermPool, term: TermId) -> String {
        let text = pool.display(term).with_names(&self.names).to_string();
        match text.char_indices().nth(LONGEST_TERM) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

impl Progressions {
    /// Why a variable for which the rules have failed has no closed form.
    pub(super) fn obstacle(
        &mut self,
        pool: &mut TermPool,
        told: &Told,
        symbol: SymbolId,
    ) -> Obstacle {
        self.root_obstacle(pool, told, symbol, &mut vec![symbol])
    }

    /// `path` are the variables that depend on this one, and this one.
    fn root_obstacle(
        &mut self,
        pool: &mut TermPool,
        told: &Told,
        symbol: SymbolId,
        path: &mut Vec<SymbolId>,
    ) -> Obstacle {
        let Some(Some(step)) = self.step.get(&symbol).copied() else {
            return Obstacle::Pointer;
        };
        if let Sort::Array { .. } = pool.symbol_sort(symbol) {
            return Obstacle::Memory;
        }
        let Some(needed) = self.needed(pool, symbol, step) else {
            return Obstacle::Itself;
        };
        for other in needed {
            if other == symbol || !self.step.contains_key(&other) {
                continue;
            }
            if path.contains(&other) {
                return Obstacle::EachOther(told.names.get(pool, other).to_owned());
            }
            if self.closed_form(pool, other).is_ok() {
                continue;
            }
            path.push(other);
            let variable = told.names.get(pool, other).to_owned();
            let why = self.root_obstacle(pool, told, other, path);
            if why == Obstacle::EachOther(told.names.get(pool, symbol).to_owned()) {
                return Obstacle::EachOther(variable);
            }
            let step = self.step.get(&other).copied().flatten();
            return Obstacle::Other {
                variable,
                step: step.map_or_else(String::new, |step| told.show(pool, step)),
                span: (told.changed_at)(other),
                why: Box::new(why),
            };
        }
        let reads = pool.symbols_of(step).to_vec();
        let reads_input = reads.iter().any(|read| self.inputs.contains_key(read));
        if self.rules == Rules::OfCycles && reads_input {
            Obstacle::Input
        } else {
            Obstacle::Kind
        }
    }

    /// The symbols whose closed forms the rule would need that fits the form of `step`; `None`
    /// where none fits.
    fn needed(&self, pool: &mut TermPool, symbol: SymbolId, step: TermId) -> Option<Vec<SymbolId>> {
        let start = pool.symbol_term(symbol);
        // a + d, d − a, and a value without a.
        for part in [pool.sub(step, start), pool.add(step, start), step] {
            let symbols = pool.symbols_of(part).to_vec();
            if !symbols.contains(&symbol) {
                return Some(symbols);
            }
        }
        if self.rules == Rules::OfCycles {
            return None;
        }
        let (condition, value) = raised(pool, start, step)?;
        let mut symbols = pool.symbols_of(condition).to_vec();
        symbols.extend(pool.symbols_of(value).iter().copied());
        (!symbols.contains(&symbol)).then_some(symbols)
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Itself => f.write_str(
                "its new value depends on its old one in a way other than v + d, c*v, d - v or a flag",
            ),
            Obstacle::Other {
                variable,
                step,
                why,
                ..
            } if step.is_empty() => write!(f, "it depends on {variable}: {why}"),
            Obstacle::Other {
                variable,
                step,
                why,
                ..
            } => write!(
                f,
                "it depends on {variable}, which becomes {step}: {why}"
            ),
            Obstacle::EachOther(other) => write!(f, "it and {other} depend on each other"),
            Obstacle::Input => {
                f.write_str("an iteration adds an input, and single cycles have no rule for sums")
            }
            Obstacle::Kind => {
                f.write_str("a value that it depends on changes in a way that no rule covers")
            }
            Obstacle::Memory => f.write_str("it is memory that iterations write"),
            Obstacle::Pointer => f.write_str("it is a pointer that leaves its object"),
        }
    }
}

impl fmt::Display for MemoryObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MemoryObstacle::Offset => "the offset does not determine the iteration that wrote it",
            MemoryObstacle::Value => "a written value has no closed form",
            MemoryObstacle::Interferes => {
                "an iteration may access an element that another iteration wrote"
            }
            MemoryObstacle::Widths => "it is accessed at several widths, or between elements",
            MemoryObstacle::Whole => {
                "an inner loop, or an operation on the whole object, changes it"
            }
            MemoryObstacle::EachOther => "the objects are written with values of each other",
        })
    }
}
