//! First and last iterations of a loop: facts about variables without a closed form.
//!
//! The result of a loop is the result of its last iteration on a state in which that iteration is possible,
//! or the state before the loop. So a variable without a closed form is not ⋆ after the loop but a new symbol
//! u with
//!
//! ```text
//! (κ = 0 ∧ u = a) ∨ ⋁ᵢ (κᵢ > 0 ∧ φ′ᵢ⟨b⟩ ∧ u = θ′ᵢ⟨b⟩)        b: the values before the last iteration
//!  κ = 0          ∨ ⋁ᵢ (κᵢ > 0 ∧ φ′ᵢ)                        of the first iteration
//!  κ ≠ 1          ∨ b = a
//! ```
//!
//! where b is the closed form for κᵢ − 1 iterations, or a new symbol if there is none. If the loop's path
//! dependency automaton lacks edges, the numbers of iterations are those of a walk through it: each path is
//! taken as often as it is entered, and as often as it is left.
//!
//! ```text
//! κⱼ = firstⱼ + Σᵢ eᵢⱼ        κᵢ = lastᵢ + Σⱼ eᵢⱼ        eᵢⱼ: how often j follows i
//! ```
//!
//! All of it is implied by the path condition of each path through the loop, whatever the order of its paths
//! and the conditions are: this covers loops of types 2 to 4 of the thesis. An input of an iteration is a
//! separate, arbitrary value.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Section 4.4.2.5: approximations of
//! loops that have no summary. The predicates are ours.

use super::build::Build;
use super::each::AtIteration;
use super::forms::{Form, Rule};
use super::order::Follows;
use super::summary::{Closing, Iterated};
use indexmap::IndexMap;
use term::{CastOp, Sort, SymbolId, TermId, TermPool};

/// What the first and the last iteration say.
pub(super) struct Ends {
    pub condition: TermId,
    /// The variables without a closed form, behind the loop.
    pub forms: Vec<Form>,
    /// The new symbols, which a formula quantifies existentially.
    pub unknowns: Vec<SymbolId>,
}

impl Closing<'_> {
    /// What is known of variables without a closed form; `None` if there are none of which an
    /// iteration says something, or the ways are too many.
    pub(super) fn ends(
        &self,
        pool: &mut TermPool,
        build: &mut Build,
        iterated: &Iterated,
    ) -> Option<Ends> {
        if self.executed.len() > build.options.most_ends {
            return None;
        }
        let is_open = |form: &&Form| {
            let mut ways = self.executed.iter();
            form.rule == Rule::Unknown
                && matches!(pool.symbol_sort(form.symbol), Sort::Bv(_))
                && ways.any(|way| matches!(way.effect.get(&form.symbol), Some(Some(_))))
        };
        let open: Vec<SymbolId> = (iterated.forms.values().filter(is_open))
            .map(|form| form.symbol)
            .collect();
        if open.is_empty() {
            return None;
        }
        let mut walk = Walk {
            closing: self,
            iterated,
            unknowns: Vec::new(),
            before: IndexMap::new(),
            after: IndexMap::new(),
        };
        for symbol in open {
            let name = pool.given_name(symbol).to_owned();
            let before = walk.like(pool, symbol, &format!("{name}_last"));
            walk.before.insert(symbol, before);
            let after = walk.like(pool, symbol, &format!("{name}_end"));
            walk.after.insert(symbol, after);
        }
        let follows = self.follows(pool, build);
        let mut conditions = match follows.filter(|follows| !follows.is_complete()) {
            Some(follows) => {
                let [first, last] = ["first", "last"].map(|name| walk.selectors(pool, name));
                let mut conditions = walk.counted(pool, follows, &first, &last);
                conditions.push(walk.first(pool, &first));
                conditions.push(walk.last(pool, &last));
                conditions
            }
            None => {
                let any = vec![TermId::TRUE; self.executed.len()];
                vec![walk.first(pool, &any), walk.last(pool, &any)]
            }
        };
        for condition in &mut conditions {
            *condition = build.unknowns.weaken(pool, *condition, &build.end);
        }
        let forms = walk.after.iter().map(|(symbol, value)| Form {
            symbol: *symbol,
            rule: Rule::LastIteration,
            value: *value,
        });
        Some(Ends {
            condition: pool.conj(conditions),
            forms: forms.collect(),
            unknowns: walk.unknowns,
        })
    }
}

/// A walk of the loop through its ways.
struct Walk<'a> {
    closing: &'a Closing<'a>,
    iterated: &'a Iterated,
    unknowns: Vec<SymbolId>,
    /// The variables without a closed form before the last iteration, and behind the loop.
    before: IndexMap<SymbolId, TermId>,
    after: IndexMap<SymbolId, TermId>,
}

impl Walk<'_> {
    fn new_symbol(&mut self, pool: &mut TermPool, name: &str, sort: Sort, divisor: u64) -> TermId {
        let symbol = pool.symbol_multiple_of(name, sort, divisor);
        self.unknowns.push(symbol);
        pool.symbol_term(symbol)
    }

    fn like(&mut self, pool: &mut TermPool, symbol: SymbolId, name: &str) -> TermId {
        let (sort, divisor) = (pool.symbol_sort(symbol), pool.symbol_divisor(symbol));
        self.new_symbol(pool, name, sort, divisor)
    }

    /// For each way whether it is the one.
    fn selectors(&mut self, pool: &mut TermPool, name: &str) -> Vec<TermId> {
        (0..self.closing.executed.len())
            .map(|way| self.new_symbol(pool, &format!("{name}{}", way + 1), Sort::Bv(1), 1))
            .collect()
    }

    fn counter(&self, pool: &mut TermPool, way: usize) -> TermId {
        pool.symbol_term(self.iterated.counters[way])
    }

    fn is_taken(&self, pool: &mut TermPool, way: usize) -> TermId {
        let counter = self.counter(pool, way);
        let zero = pool.bv(pool.width(counter), 0);
        pool.ult(zero, counter)
    }

    fn is_idle(&self, pool: &mut TermPool) -> TermId {
        let total = pool.symbol_term(self.iterated.total);
        let zero = pool.bv(pool.width(total), 0);
        pool.eq(total, zero)
    }

    /// Some way is the first, in the state at the entry.
    fn first(&self, pool: &mut TermPool, selectors: &[TermId]) -> TermId {
        let mut cases = vec![self.is_idle(pool)];
        for (way, selector) in selectors.iter().enumerate() {
            let zero = pool.bv(pool.width(pool.symbol_term(self.iterated.total)), 0);
            let mut at_first = AtIteration {
                values: IndexMap::new(),
                each: &self.iterated.each[way],
                iteration: zero,
            };
            let mut parts = vec![*selector, self.is_taken(pool, way)];
            for conjunct in self.demanded(pool, way) {
                parts.push(pool.substitute(conjunct, &mut at_first));
            }
            cases.push(without_quantifiers(pool, parts));
        }
        pool.disj(cases)
    }

    /// Some way is the last, and leaves behind what it does.
    fn last(&self, pool: &mut TermPool, selectors: &[TermId]) -> TermId {
        let mut idle = vec![self.is_idle(pool)];
        for (symbol, value) in &self.after {
            let start = pool.symbol_term(*symbol);
            idle.push(pool.eq(*value, start));
        }
        let starts = self.starts_at_last(pool);
        let mut cases = vec![pool.conj(idle)];
        for (way, selector) in selectors.iter().enumerate() {
            let mut at_last = self.before_last(pool, way);
            let mut parts = vec![*selector, self.is_taken(pool, way)];
            for conjunct in self.demanded(pool, way) {
                parts.push(pool.substitute(conjunct, &mut at_last));
            }
            for (symbol, value) in &self.after {
                if let Some(Some(effect)) = self.closing.executed[way].effect.get(symbol) {
                    let left = pool.substitute(*effect, &mut at_last);
                    parts.push(pool.eq(*value, left));
                }
            }
            cases.push(without_quantifiers(pool, parts));
        }
        let cases = pool.disj(cases);
        pool.and(starts, cases)
    }

    /// The only iteration begins where the loop is entered.
    fn starts_at_last(&self, pool: &mut TermPool) -> TermId {
        let total = pool.symbol_term(self.iterated.total);
        let one = pool.bv(pool.width(total), 1);
        let mut same = Vec::with_capacity(self.before.len());
        for (symbol, value) in &self.before {
            let start = pool.symbol_term(*symbol);
            same.push(pool.eq(*value, start));
        }
        let same = pool.conj(same);
        let others = pool.ne(total, one);
        pool.or(others, same)
    }

    /// The condition of an iteration along a path.
    fn demanded(&self, pool: &TermPool, way: usize) -> Vec<TermId> {
        pool.conjuncts(self.closing.executed[way].condition)
    }

    /// The state before the last iteration, if that is one along this way.
    fn before_last(&self, pool: &mut TermPool, way: usize) -> AtIteration<'_> {
        let one_less = |pool: &mut TermPool, counter: SymbolId| {
            let counter = pool.symbol_term(counter);
            let one = pool.bv(pool.width(counter), 1);
            pool.sub(counter, one)
        };
        let counter = self.iterated.counters[way];
        let mut counters = IndexMap::new();
        for counter in [counter, self.iterated.total] {
            let before = one_less(pool, counter);
            counters.insert(counter, before);
        }
        let mut values = IndexMap::new();
        for (symbol, form) in &self.iterated.forms {
            let value = match self.before.get(symbol) {
                Some(before) => *before,
                None => pool.substitute(form.value, &mut counters),
            };
            values.insert(*symbol, value);
        }
        AtIteration {
            values,
            each: &self.iterated.each[way],
            iteration: counters[&counter],
        }
    }

    /// The numbers of iterations are those of a walk from the first way to the last one.
    fn counted(
        &mut self,
        pool: &mut TermPool,
        follows: &Follows,
        first: &[TermId],
        last: &[TermId],
    ) -> Vec<TermId> {
        let n_ways = first.len();
        let sort = pool.symbol_sort(self.iterated.total);
        let Sort::Bv(bits) = sort else {
            return Vec::new();
        };
        let mut conditions = Vec::new();
        let number =
            |pool: &mut TermPool, selector: TermId| pool.cast(CastOp::ZExt, bits, selector);
        let mut entered: Vec<TermId> = first.iter().map(|way| number(pool, *way)).collect();
        let mut left: Vec<TermId> = last.iter().map(|way| number(pool, *way)).collect();
        for (before, after) in (0..n_ways).flat_map(|one| (0..n_ways).map(move |two| (one, two))) {
            if follows.may(before, after) {
                let name = format!("e{}{}", before + 1, after + 1);
                let times = self.new_symbol(pool, &name, sort, 1);
                for way in [before, after] {
                    let counter = self.counter(pool, way);
                    conditions.push(pool.ule(times, counter));
                }
                left[before] = pool.add(left[before], times);
                entered[after] = pool.add(entered[after], times);
            }
        }
        for way in 0..n_ways {
            let counter = self.counter(pool, way);
            conditions.push(pool.eq(counter, entered[way]));
            conditions.push(pool.eq(counter, left[way]));
        }
        for selectors in [first, last] {
            for (number, one) in selectors.iter().enumerate() {
                for other in &selectors[number + 1..] {
                    let both = pool.and(*one, *other);
                    conditions.push(pool.not(both));
                }
            }
        }
        conditions
    }
}

/// The conjunction of those that have no quantifiers: what loops inside demand, or closed forms say, is
/// not examined.
fn without_quantifiers(pool: &mut TermPool, mut parts: Vec<TermId>) -> TermId {
    parts.retain(|part| !pool.has_quantifier(*part));
    pool.conj(parts)
}
