//! Does one projection subsume another?
//!
//! s subsumes s' if for each assignment of the symbols of s' that satisfies its path condition there is an
//! assignment of the symbols of s that satisfies the path condition of s and gives the same values at all
//! places. It is searched for as a substitution σ from the symbols of s to terms over those of s':
//!
//! ```text
//! values(s) --match--> σ, open equations --+
//! path_cond(s) --------------------------- σ --> path_cond(s') ⇒ obligations?  (solver)
//! ```
//!
//! Matching only proposes σ; equations that it could not decide, and every conjunct of s under σ, are
//! obligations that have to follow from the path condition of s'. So the answer *subsumed* is sound for any
//! σ.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Projection, Projector};
use term::{SymbolId, TermId, TermPool, Work};

type Sigma = IndexMap<SymbolId, TermId, FxBuildHasher>;

/// What has to follow from the path condition of the subsumed state; nothing where it subsumes as
/// it stands.
pub(super) type Obligations = Vec<TermId>;

/// The conjuncts of a path condition, for looking one up.
pub(super) type Conjuncts = IndexSet<TermId, FxBuildHasher>;

/// A match of one projection, the pattern, with another of the same shape.
pub(super) struct Match<'a> {
    pool: &'a mut TermPool,
    projector: &'a Projector,
    sigma: Sigma,
    /// Pattern and value that have to be equal and do not look so.
    open: Vec<(TermId, TermId)>,
    /// Patterns with the values that they were compared with: terms share their parts, so that a pair can be met on
    /// very many ways.
    compared: FxHashSet<(TermId, TermId)>,
}

/// The obligations under which `pattern` subsumes `value`, whose conjuncts are `known`; `None` where
/// it does not, or where the match does not see how.
pub(super) fn obligations(
    pool: &mut TermPool,
    projector: &Projector,
    pattern: (&[TermId], &[TermId]),
    (value, known): (&Projection, &Conjuncts),
    places: &[u32],
) -> Option<Obligations> {
    let (holes, conjuncts) = pattern;
    let mut matching = Match {
        pool,
        projector,
        sigma: Sigma::default(),
        open: Vec::new(),
        compared: FxHashSet::default(),
    };
    for (hole, place) in holes.iter().zip(places) {
        matching.unify(*hole, value.values[*place as usize])?;
    }
    matching.solve();
    matching.bind_by_conjuncts(conjuncts, &value.conjuncts);
    matching.finish(conjuncts, known)
}

impl Match<'_> {
    fn is_bound(&self, symbol: SymbolId) -> bool {
        self.projector.is_rigid(symbol) || self.sigma.contains_key(&symbol)
    }

    fn unbound(&mut self, term: TermId) -> Vec<SymbolId> {
        let symbols = self.pool.symbols_of(term);
        symbols
            .iter()
            .filter(|symbol| !self.is_bound(**symbol))
            .copied()
            .collect()
    }

    /// Binds a symbol; `None` where it cannot stand for the term.
    fn bind(&mut self, symbol: SymbolId, value: TermId) -> Option<()> {
        let divisor = self.pool.symbol_divisor(symbol);
        let range = self.pool.symbol_range(symbol);
        if self.pool.symbol_sort(symbol) != self.pool.sort(value)
            || !self.pool.is_closed(value)
            || (divisor > 1 && !self.pool.is_multiple_of(value, divisor))
            || range.is_some_and(|range| {
                let (least, most) = (self.pool.umin(value), self.pool.umax(value));
                !range.contains(&least) || !range.contains(&most)
            })
        {
            return None;
        }
        self.sigma.insert(symbol, value);
        Some(())
    }

    /// Makes `pattern` under σ equal to `value`, or leaves that open; `None` where it cannot be.
    fn unify(&mut self, pattern: TermId, value: TermId) -> Option<()> {
        let mut pairs = vec![(pattern, value)];
        while let Some((pattern, value)) = pairs.pop() {
            self.pool.count_work(Work::MATCHED_TERM);
            if !self.compared.insert((pattern, value)) {
                continue;
            }
            if self.pool.is_const(pattern) {
                if pattern != value {
                    self.note_open(pattern, value)?;
                }
                continue;
            }
            if let Some(symbol) = self.pool.as_symbol(pattern) {
                let stands_for = if self.projector.is_rigid(symbol) {
                    Some(pattern)
                } else {
                    self.sigma.get(&symbol).copied()
                };
                match stands_for {
                    None => self.bind(symbol, value)?,
                    Some(same) if same == value => {}
                    Some(_) => self.note_open(pattern, value)?,
                }
                continue;
            }
            let is_sum = self.pool.linear_terms(pattern).is_some();
            if !is_sum && self.pool.same_operator(pattern, value) {
                let mut operands = Vec::new();
                self.pool
                    .for_each_operand(pattern, |operand| operands.push(operand));
                let mut position = 0;
                self.pool.for_each_operand(value, |operand| {
                    pairs.push((operands[position], operand));
                    position += 1;
                });
                continue;
            }
            self.note_open(pattern, value)?;
        }
        Some(())
    }

    fn note_open(&mut self, pattern: TermId, value: TermId) -> Option<()> {
        let differ = self.pool.is_const(pattern) && self.pool.is_const(value);
        let is_array = matches!(self.pool.sort(pattern), term::Sort::Array { .. });
        let is_closed = self.pool.is_closed(pattern) && self.pool.is_closed(value);
        if differ || is_array || !is_closed {
            return None;
        }
        self.open.push((pattern, value));
        Some(())
    }

    /// Binds symbols by open equations that are sums: those with one unbound symbol first. Where
    /// there are more, all but the latest are left to mean themselves.
    fn solve(&mut self) {
        loop {
            let mut fewest: Option<(usize, Vec<SymbolId>)> = None;
            for position in 0..self.open.len() {
                let unbound = self.unbound(self.open[position].0);
                if !unbound.is_empty()
                    && fewest
                        .as_ref()
                        .is_none_or(|(_, least)| unbound.len() < least.len())
                {
                    fewest = Some((position, unbound));
                }
            }
            let Some((position, mut unbound)) = fewest else {
                return;
            };
            let (pattern, value) = self.open[position];
            let solved = unbound
                .iter()
                .rev()
                .copied()
                .find(|symbol| self.unit_coefficient(pattern, *symbol).is_some());
            if let Some(symbol) = solved {
                unbound.retain(|other| *other != symbol);
            }
            for other in unbound {
                let itself = self.pool.symbol_term(other);
                self.sigma.insert(other, itself);
            }
            if let Some(symbol) = solved {
                self.solve_for(symbol, pattern, value);
            }
        }
    }

    /// The coefficient of a symbol in a sum, where it is 1 or −1 and the symbol occurs nowhere
    /// else in the sum.
    fn unit_coefficient(&mut self, pattern: TermId, symbol: SymbolId) -> Option<u64> {
        let width = self.pool.width(pattern);
        let all_ones = u64::MAX >> (64 - width.min(64));
        let terms = self.pool.linear_terms(pattern)?.to_vec();
        let mut found = None;
        for (coefficient, part) in terms {
            if self.pool.as_symbol(part) == Some(symbol) {
                found = (coefficient == 1 || coefficient == all_ones).then_some(coefficient);
            } else if self.pool.symbols_of(part).contains(&symbol) {
                return None;
            }
        }
        found
    }

    /// Binds the symbol so that the sum is equal to the value; all its other symbols are bound.
    fn solve_for(&mut self, symbol: SymbolId, pattern: TermId, value: TermId) {
        let Some(coefficient) = self.unit_coefficient(pattern, symbol) else {
            return;
        };
        let zero = self.pool.bv(self.pool.width(pattern), 0);
        let mut theta = self.sigma.clone();
        theta.insert(symbol, zero);
        let rest = self.pool.substitute(pattern, &mut theta);
        let solution = if coefficient == 1 {
            self.pool.sub(value, rest)
        } else {
            self.pool.sub(rest, value)
        };
        if self.bind(symbol, solution).is_none() {
            let itself = self.pool.symbol_term(symbol);
            self.sigma.insert(symbol, itself);
        }
    }

    /// Binds symbols that occur in the path condition only: by the first conjunct of the value
    /// that looks the same.
    fn bind_by_conjuncts(&mut self, pattern: &[TermId], value: &[TermId]) {
        for conjunct in pattern {
            if self.unbound(*conjunct).is_empty() {
                continue;
            }
            for candidate in value {
                let before = self.sigma.clone();
                let n_open = self.open.len();
                let fits = self.unify(*conjunct, *candidate).is_some() && self.open.len() == n_open;
                if fits {
                    break;
                }
                self.open.truncate(n_open);
                self.sigma = before;
            }
        }
    }

    /// Whether σ leaves a term as it is, as it does where states share inputs.
    fn means_itself(&mut self, term: TermId) -> bool {
        let symbols = self.pool.symbols_of(term);
        symbols.iter().all(|symbol| {
            let bound = self.sigma.get(symbol);
            bound.is_none_or(|value| *value == self.pool.symbol_term(*symbol))
        })
    }

    /// All that is to be shown under σ. Symbols that are still unbound mean themselves.
    fn finish(mut self, conjuncts: &[TermId], known: &Conjuncts) -> Option<Obligations> {
        let mut obligations = Obligations::new();
        for (pattern, value) in std::mem::take(&mut self.open) {
            let pattern = self.pool.substitute(pattern, &mut self.sigma);
            let equation = self.pool.eq(pattern, value);
            if self.pool.is_false(equation) {
                return None;
            }
            obligations.extend(self.pool.conjuncts(equation));
        }
        for conjunct in conjuncts {
            if self.means_itself(*conjunct) {
                obligations.push(*conjunct);
                continue;
            }
            let conjunct = self.pool.substitute(*conjunct, &mut self.sigma);
            if self.pool.is_false(conjunct) {
                return None;
            }
            obligations.extend(self.pool.conjuncts(conjunct));
        }
        obligations
            .retain(|obligation| !self.pool.is_true(*obligation) && !known.contains(obligation));
        Some(obligations)
    }
}
