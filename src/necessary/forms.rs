//! Iterated symbolic memory θ^κ⃗: the values of variables after κᵢ iterations along the i-th backbone of a
//! loop, for each i, in any order.
//!
//! All rules are exact modulo 2^w. A value is *constant* here if no iteration changes it.
//!
//! | rule | an iteration along the backbones | after κ⃗ iterations |
//! |---|---|---|
//! | `unchanged` (3.3, 1) | a | a |
//! | `steps` (3.3, 2) | a + dᵢ, dᵢ constant | a + Σ dᵢ·κᵢ |
//! | `reset` (3.3, 3) | a or d, d constant | ite(⋁ κᵢ > 0, d, a) |
//! | `last` (3.3, 4) | d(κᵢ) along one, a along all others | ite(κᵢ > 0, d(κᵢ − 1), a) |
//! | `geometric` | a·cᵢ | a·Π cᵢ^κᵢ |
//! | `phases` (3.6) | all along the first, then all along the second … | the closed forms for each, composed |
//! | `each` | the same along all backbones | by the rules of templates, over the number of all iterations |
//! | `comprehension` | stores, the same along all backbones or along one only | the rule of templates (`arrays`) |
//! | `last iteration` (`ends`) | anything else that is partly known | the result of the last iteration |
//! | `unknown` | anything else | ⋆ |
//!
//! In constraint systems of chains, dᵢ may count executions of inner chains: a + d·λ, where λ is the number
//! of executions of a chain in one iteration, becomes a + d·Λ, where Λ is the number in all iterations.
//!
//! The order of iterations does not matter for the first five, nor for `each`, where all are equal. For
//! `phases` there is only one order (`order`).
//!
//! # Source
//! ISSTA 2012, Sections 3.3 and 3.6, and lines 2 to 10 of Algorithm 2. ATVA 2011, Section 3.2.

use super::chains::InnerCounter;
use super::each::{AtIteration, Each};
use super::unknown::Unknowns;
use indexmap::IndexMap;
use template::{Progressions, Rules as TemplateRules};
use term::{Bv, CastOp, Sort, SymbolId, TermId, TermPool};

/// Which rules there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Those of Algorithm 2, and geometric progressions.
    OfThePaper,
    /// Those of chains (ATVA 2011, Table 1, and these of Algorithm 2), where `steps` counts the
    /// executions of chains inside of an iteration too.
    OfChains,
    /// These, and the rules of templates where all backbones do the same or are taken in one order
    /// only.
    All,
}

/// The rule by which a variable got its value in the iterated memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    Unchanged,
    Steps,
    Reset,
    Last,
    Geometric,
    /// By rules of templates for one backbone after the other, where the order is known.
    Phases,
    /// By a rule of templates.
    Each(template::Rule),
    /// By what the last iteration does to a state of which not all is known.
    LastIteration,
    Unknown,
}

impl Rule {
    /// The name that reports cite.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rule::Unchanged => "unchanged",
            Rule::Steps => "steps",
            Rule::Reset => "reset",
            Rule::Last => "last value",
            Rule::Geometric => "geometric",
            Rule::Phases => "phases",
            Rule::Each(rule) => rule.name(),
            Rule::LastIteration => "last iteration",
            Rule::Unknown => "unknown",
        }
    }
}

/// θ^κ⃗ of one variable.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub symbol: SymbolId,
    pub rule: Rule,
    /// Over entry symbols, path counters and the number of all iterations.
    pub value: TermId,
}

/// What an iteration along one backbone does to entry symbols; `None` is a value of which nothing
/// is known. Symbols that it does not have do not change.
pub(super) type Effect = IndexMap<SymbolId, Option<TermId>>;

/// A loop's backbones as the rules see them.
pub(super) struct Loop<'a> {
    pub rules: Rules,
    /// θ′ᵢ, all with the same symbols.
    pub effects: &'a [Effect],
    /// Unknowns of an iteration along each backbone.
    pub each: &'a [Each],
    /// Counters of inner chains, along each backbone; none where these are not counted.
    pub inner: &'a [Vec<InnerCounter>],
    /// κ⃗.
    pub counters: &'a [SymbolId],
    /// The number of all iterations; the counter itself where there is one backbone.
    pub total: SymbolId,
}

/// Lines 2 to 10 of Algorithm 2: the values that the rules find; ⋆ for all others is up to the
/// caller.
pub(super) fn iterate(
    pool: &mut TermPool,
    unknowns: &Unknowns,
    of: &Loop,
) -> IndexMap<SymbolId, Form> {
    let mut finder = Finder {
        of,
        unknowns,
        forms: IndexMap::new(),
    };
    if of.rules == Rules::All {
        finder.uniform(pool);
    }
    loop {
        let n_before = finder.forms.len();
        let symbols: Vec<SymbolId> = of.effects[0].keys().copied().collect();
        for symbol in symbols {
            if !finder.forms.contains_key(&symbol)
                && let Some((rule, value)) = finder.improve(pool, symbol)
            {
                let form = Form {
                    symbol,
                    rule,
                    value,
                };
                finder.forms.insert(symbol, form);
            }
        }
        if finder.forms.len() == n_before {
            return finder.forms;
        }
    }
}

/// Whether there is a variable without a form that the order of the backbones might give one.
pub(super) fn lacks_order(pool: &TermPool, of: &Loop, forms: &IndexMap<SymbolId, Form>) -> bool {
    let symbols = of.effects[0].keys();
    let is_value = |symbol: &SymbolId| matches!(pool.symbol_sort(*symbol), Sort::Bv(_));
    let mut without = symbols.filter(|symbol| is_value(symbol) && !forms.contains_key(*symbol));
    of.effects.len() > 1
        && without.any(|symbol| {
            let mut effects = of.effects.iter();
            effects.all(|effect| matches!(effect.get(symbol), Some(Some(_))))
        })
}

/// The rule of phases, for variables without a form: all iterations along the first backbone of this
/// order come before all along the second, and so on.
pub(super) fn in_phases(
    pool: &mut TermPool,
    unknowns: &Unknowns,
    of: &Loop,
    order: &[usize],
    forms: &mut IndexMap<SymbolId, Form>,
) {
    let finder = Finder {
        of,
        unknowns,
        forms: IndexMap::new(),
    };
    let symbols: Vec<SymbolId> = of.effects[0].keys().copied().collect();
    // The values after the phases so far; none where one of them has no closed form.
    let mut after: IndexMap<SymbolId, Option<TermId>> = IndexMap::new();
    for symbol in &symbols {
        after.insert(*symbol, Some(pool.symbol_term(*symbol)));
    }
    for way in order {
        let mut step = IndexMap::new();
        for (symbol, value) in &of.effects[*way] {
            let value = value.filter(|value| finder.is_followed(pool, *value, true));
            step.insert(*symbol, value);
        }
        let inputs = of.each[*way].arrays.clone();
        let counter = of.counters[*way];
        let mut phase = Progressions::new(step, inputs, counter, TemplateRules::OfLoops);
        let mut next = IndexMap::new();
        for symbol in &symbols {
            let closed = phase.closed_form(pool, *symbol).ok();
            let value = closed.and_then(|(_, value)| after_phase(pool, &after, value));
            next.insert(*symbol, value);
        }
        after = next;
    }
    for (symbol, value) in after {
        if let Some(value) = value.filter(|_| !forms.contains_key(&symbol)) {
            let form = Form {
                symbol,
                rule: Rule::Phases,
                value,
            };
            forms.insert(symbol, form);
        }
    }
}

/// A value over what variables hold before a phase, by what they held before the loop.
fn after_phase(
    pool: &mut TermPool,
    before: &IndexMap<SymbolId, Option<TermId>>,
    value: TermId,
) -> Option<TermId> {
    let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
    for symbol in pool.symbols_of(value).iter() {
        if let Some(known) = before.get(symbol) {
            theta.insert(*symbol, (*known)?);
        }
    }
    Some(pool.substitute(value, &mut theta))
}

struct Finder<'a> {
    of: &'a Loop<'a>,
    unknowns: &'a Unknowns,
    forms: IndexMap<SymbolId, Form>,
}

impl Finder<'_> {
    /// The variables that all backbones change alike, by the rules of templates over the number of
    /// all iterations.
    fn uniform(&mut self, pool: &mut TermPool) {
        let single = self.of.effects.len() == 1;
        let mut step = IndexMap::new();
        for (symbol, first) in &self.of.effects[0] {
            let mut others = self.of.effects.iter();
            let same = others.all(|effect| effect.get(symbol) == Some(first));
            let value = first.filter(|value| same && self.is_followed(pool, *value, single));
            step.insert(*symbol, value);
        }
        // With one backbone, its unknowns are those of all iterations.
        let inputs = if single {
            self.of.each[0].arrays.clone()
        } else {
            IndexMap::new()
        };
        let mut progressions =
            Progressions::new(step, inputs, self.of.total, TemplateRules::OfLoops);
        let symbols: Vec<SymbolId> = self.of.effects[0].keys().copied().collect();
        for symbol in symbols {
            if let Ok((rule, value)) = progressions.closed_form(pool, symbol) {
                let rule = match rule {
                    template::Rule::Unchanged => Rule::Unchanged,
                    rule => Rule::Each(rule),
                };
                let form = Form {
                    symbol,
                    rule,
                    value,
                };
                self.forms.insert(symbol, form);
            }
        }
    }

    /// Whether a value mentions nothing whose progress the rules of templates do not know.
    fn is_followed(&self, pool: &mut TermPool, value: TermId, single: bool) -> bool {
        if self.unknowns.in_term(pool, value).is_some() {
            return false;
        }
        let symbols = pool.symbols_of(value);
        let mut unknowns = self.of.each.iter().flat_map(|each| each.arrays.keys());
        unknowns.all(|unknown| {
            let is_read = symbols.contains(unknown);
            let is_value = matches!(pool.symbol_sort(*unknown), Sort::Bv(_));
            !is_read || (single && is_value)
        })
    }

    /// Line 6: a value for a variable, by the first rule that applies.
    fn improve(&self, pool: &mut TermPool, symbol: SymbolId) -> Option<(Rule, TermId)> {
        let start = pool.symbol_term(symbol);
        let values: Vec<TermId> = self
            .of
            .effects
            .iter()
            .map(|effect| effect[&symbol])
            .collect::<Option<_>>()?;
        if values.iter().all(|value| *value == start) {
            return Some((Rule::Unchanged, start));
        }
        let Sort::Bv(bits) = pool.symbol_sort(symbol) else {
            return None;
        };
        self.steps(pool, symbol, bits, &values)
            .map(|value| (Rule::Steps, value))
            .or_else(|| Some((Rule::Reset, self.reset(pool, start, &values)?)))
            .or_else(|| Some((Rule::Last, self.last(pool, start, &values)?)))
            .or_else(|| Some((Rule::Geometric, self.geometric(pool, start, bits, &values)?)))
    }

    /// a + Σ dᵢ·κᵢ, with the executions of inner chains.
    fn steps(
        &self,
        pool: &mut TermPool,
        symbol: SymbolId,
        bits: u32,
        values: &[TermId],
    ) -> Option<TermId> {
        let start = pool.symbol_term(symbol);
        let mut sum = start;
        for (way, (value, counter)) in values.iter().zip(self.of.counters).enumerate() {
            let mut step = pool.sub(*value, start);
            for inner in self.of.inner.get(way).into_iter().flatten() {
                if !(2..=64).contains(&bits) {
                    break;
                }
                let once = self.iterations(pool, inner.once, bits);
                let factor = pool.linear(step).coefficient(&once);
                if factor == 0 {
                    continue;
                }
                let factor = pool.bv(bits, factor);
                let moved_once = pool.mul(factor, once);
                step = pool.sub(step, moved_once);
                let all = self.iterations(pool, inner.all, bits);
                let moved = pool.mul(factor, all);
                sum = pool.add(sum, moved);
            }
            let step = self.constant(pool, step)?;
            let iterations = self.iterations(pool, *counter, bits);
            let moved = pool.mul(step, iterations);
            sum = pool.add(sum, moved);
        }
        Some(sum)
    }

    /// ite(⋁ κᵢ > 0, d, a).
    fn reset(&self, pool: &mut TermPool, start: TermId, values: &[TermId]) -> Option<TermId> {
        let mut changed = values.iter().filter(|value| **value != start);
        let first = *changed.next()?;
        if changed.any(|value| *value != first) {
            return None;
        }
        let value = self.constant(pool, first)?;
        let ways = values.iter().zip(self.of.counters);
        let ways = ways.filter(|(value, _)| **value != start);
        let counters: Vec<SymbolId> = ways.map(|(_, counter)| *counter).collect();
        let taken: Vec<TermId> = counters
            .into_iter()
            .map(|counter| self.is_positive(pool, counter))
            .collect();
        let taken = pool.disj(taken);
        Some(pool.ite(taken, value, start))
    }

    /// ite(κᵢ > 0, d(κᵢ − 1), a).
    fn last(&self, pool: &mut TermPool, start: TermId, values: &[TermId]) -> Option<TermId> {
        let mut changed = (values.iter().enumerate()).filter(|(_, value)| **value != start);
        let (way, value) = changed.next()?;
        if changed.next().is_some() {
            return None;
        }
        let counter = self.of.counters[way];
        let kappa = pool.symbol_term(counter);
        let each = match self.of.rules {
            Rules::All => &self.of.each[way],
            Rules::OfThePaper | Rules::OfChains => &Each::default(),
        };
        let known: Vec<SymbolId> = each.arrays.keys().copied().collect();
        let last = self.closed(pool, *value, &known)?;
        let others = self.of.counters.iter().filter(|other| **other != counter);
        let others: Vec<SymbolId> = others.copied().collect();
        let symbols = pool.symbols_of(last);
        let depends_on_others = others.iter().any(|other| symbols.contains(other))
            || (counter != self.of.total && symbols.contains(&self.of.total));
        if depends_on_others {
            return None;
        }
        let one = pool.bv(pool.width(kappa), 1);
        let before = pool.sub(kappa, one);
        let mut at_last = AtIteration {
            values: IndexMap::from([(counter, before)]),
            each,
            iteration: before,
        };
        let last = pool.substitute(last, &mut at_last);
        let taken = self.is_positive(pool, counter);
        Some(pool.ite(taken, last, start))
    }

    /// a·Π cᵢ^κᵢ.
    fn geometric(
        &self,
        pool: &mut TermPool,
        start: TermId,
        bits: u32,
        values: &[TermId],
    ) -> Option<TermId> {
        if !(2..=64).contains(&bits) {
            return None;
        }
        let mut product = start;
        for (value, counter) in values.iter().zip(self.of.counters) {
            let linear = pool.linear(*value);
            let factor = linear.coefficient(&start);
            let scaled = pool.linear(start).scale(factor);
            if linear.sub(&scaled).as_constant() != Some(0) {
                return None;
            }
            let kappa = pool.symbol_term(*counter);
            let power = pool.power(&Bv::new(bits, factor), kappa);
            product = pool.mul(product, power);
        }
        Some(product)
    }

    /// θ^κ⃗⟨term⟩ if it mentions neither ⋆ nor path counters.
    fn constant(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let value = self.closed(pool, term, &[])?;
        let symbols = pool.symbols_of(value);
        let mut counters = self.of.counters.iter().chain([&self.of.total]);
        (!counters.any(|counter| symbols.contains(counter))).then_some(value)
    }

    /// θ^κ⃗⟨term⟩ if all of its symbols have a form, or do not change at all, but for `known`
    /// unknowns of the iteration.
    fn closed(&self, pool: &mut TermPool, term: TermId, known: &[SymbolId]) -> Option<TermId> {
        if self.unknowns.in_term(pool, term).is_some() {
            return None;
        }
        let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
        for symbol in pool.symbols_of(term).iter() {
            let mut each = self.of.each.iter();
            if let Some(form) = self.forms.get(symbol) {
                theta.insert(*symbol, form.value);
            } else if self.of.effects[0].contains_key(symbol)
                || (!known.contains(symbol) && each.any(|each| each.arrays.contains_key(symbol)))
            {
                return None;
            }
        }
        Some(pool.substitute(term, &mut theta))
    }

    fn is_positive(&self, pool: &mut TermPool, counter: SymbolId) -> TermId {
        let kappa = pool.symbol_term(counter);
        let zero = pool.bv(pool.width(kappa), 0);
        pool.ult(zero, kappa)
    }

    /// A counter as wide as a variable; counters are numbers, so that zeros are above.
    fn iterations(&self, pool: &mut TermPool, counter: SymbolId, bits: u32) -> TermId {
        let kappa = pool.symbol_term(counter);
        if pool.width(kappa) > bits {
            pool.cast(CastOp::Trunc, bits, kappa)
        } else {
            pool.cast(CastOp::ZExt, bits, kappa)
        }
    }
}
