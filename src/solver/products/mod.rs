//! Abstraction of products of unknown numbers.
//!
//! Whether an element lies in a matrix follows from the order of products of rows and lengths, not from their
//! values, but bit-blasting the products is expensive. So if the solver below does not answer soon, each
//! product becomes a fresh number with a few facts: its range, and p·x + x ≤ q·x if p < q. If the abstraction
//! is unsatisfiable, so is the query. Unsuccessful attempts are limited to a share of the work that such
//! queries take otherwise.
//!
//! # Invariants
//! - *Unsatisfiable* means that the facts, which the query implies, are contradictory. *Satisfiable* comes
//!   only with values that the evaluator has confirmed.
//! - Queries without such products, or with too many, are passed on unchanged.
//!
//! # Source
//! Cimatti, Griggio, Irfan, Roveri, Sebastiani, *Incremental Linearization for Satisfiability and Verification
//! Modulo Nonlinear Arithmetic and Transcendental Functions*, TOCL 19(3), 2018: monotonicity, here without refinement.

#[cfg(test)]
mod tests;

use super::ranges::{Range, Ranges, of_term};
use super::{Answer, LinkStatistics, Query, Solver, confirms};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use term::{BinOp, Bv, CmpOp, Sort, Term, TermId, TermPool, Work};

/// Queries with more different products are passed on.
const MOST_PRODUCTS: usize = 12;

/// Settings of the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ProductPolicy {
    /// Work of a query before a try. Default: 30 ms.
    pub patience: Work,
    /// Work of a try at most. Default: 100 ms.
    pub most: Work,
    /// The share of a query's work for it, in percent. Default: 30.
    pub percent: u32,
    /// Free work for unsuccessful attempts, including the queries before them. Default: 200 ms.
    pub free: Work,
    /// Work for further unsuccessful attempts, in percent of the work of other queries. Default: 5.
    pub in_vain_percent: u32,
}

impl Default for ProductPolicy {
    fn default() -> ProductPolicy {
        ProductPolicy {
            patience: Work::millis(30),
            most: Work::millis(100),
            percent: 30,
            free: Work::millis(200),
            in_vain_percent: 5,
        }
    }
}

/// See the module's head.
pub struct Products {
    options: ProductPolicy,
    below: Box<dyn Solver>,
    /// The numbers that stand for products.
    numbers: FxHashMap<TermId, TermId>,
    /// Work of tries that decided nothing, and of the queries before them.
    unsuccessful: Work,
    /// Work of queries otherwise.
    otherwise: Work,
    statistics: LinkStatistics,
}

/// A product that does not wrap around.
struct Product {
    number: TermId,
    factors: [TermId; 2],
}

impl Products {
    /// Asks `below`, with products as separate numbers first.
    #[must_use]
    pub fn new(options: ProductPolicy, below: Box<dyn Solver>) -> Products {
        Products {
            options,
            below,
            numbers: FxHashMap::default(),
            unsuccessful: Work::ZERO,
            otherwise: Work::ZERO,
            statistics: LinkStatistics::new("products"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let has_binder = |c: &TermId| pool.has_quantifier(*c) || pool.has_sum(*c);
        let is_for_us = query.conjuncts.iter().any(|c| pool.has_product(*c))
            && !query.conjuncts.iter().any(has_binder);
        let products = is_for_us.then(|| products(pool, query.conjuncts)).flatten();
        let Some(products) = products else {
            return self.below.check(pool, query);
        };
        let most_in_vain = self.options.free + self.otherwise.percent(self.options.in_vain_percent);
        if self.unsuccessful <= most_in_vain {
            let before = pool.work();
            let limits = query.limits.within_work(pool, self.options.patience);
            let limits = &limits;
            let answer = self.otherwise(pool, &Query { limits, ..*query });
            if !matches!(answer, Answer::Unknown(_)) {
                return answer;
            }
            if let Some(answer) = self.with_numbers(pool, query, &products) {
                self.statistics.hits += 1;
                return answer;
            }
            self.unsuccessful += pool.work() - before;
        }
        self.otherwise(pool, query)
    }

    /// The answer of the solver below to the query as it is.
    fn otherwise(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let before = pool.work();
        let answer = self.below.check(pool, query);
        self.otherwise += pool.work() - before;
        answer
    }

    /// The answer, where numbers in the places of products give one.
    fn with_numbers(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        products: &[TermId],
    ) -> Option<Answer> {
        let numbers: BTreeMap<TermId, TermId> = (products.iter())
            .map(|product| (*product, self.number(pool, *product)))
            .collect();
        let ranges = Ranges::of(pool, query.conjuncts);
        let mut conjuncts: Vec<TermId> = (query.conjuncts.iter())
            .map(|conjunct| match pool.has_product(*conjunct) {
                true => pool.replace_closed(*conjunct, &numbers),
                false => *conjunct,
            })
            .collect();
        let facts = facts(pool, &ranges, &numbers);
        conjuncts.extend(facts);
        let left = query.limits.work_left(pool);
        let share = left.map_or(self.options.most, |left| left.percent(self.options.percent));
        let limits = query.limits.within_work(pool, self.options.most.min(share));
        let asked = Query {
            conjuncts: &conjuncts,
            limits: &limits,
            ..*query
        };
        match self.below.check(pool, &asked) {
            Answer::Unsat(_) => Some(Answer::Unsat(None)),
            Answer::Sat(model) if confirms(pool, query.conjuncts, &model) => {
                Some(Answer::Sat(model))
            }
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// The number that stands for a product.
    fn number(&mut self, pool: &mut TermPool, product: TermId) -> TermId {
        let width = pool.width(product);
        *(self.numbers.entry(product)).or_insert_with(|| pool.fresh("product", Sort::Bv(width)))
    }
}

/// The products of unknown numbers in conjuncts, those within others left out; `None` if they are many.
fn products(pool: &TermPool, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<TermId> = conjuncts.to_vec();
    while let Some(term) = pending.pop() {
        if !pool.has_product(term) || !seen.insert(term) {
            continue;
        }
        if factors(pool, term).is_some() {
            if found.len() == MOST_PRODUCTS {
                return None;
            }
            found.push(term);
        } else {
            pool.for_each_operand(term, |operand| pending.push(operand));
        }
    }
    found.sort_unstable();
    (!found.is_empty()).then_some(found)
}

fn factors(pool: &TermPool, term: TermId) -> Option<[TermId; 2]> {
    match pool.view(term) {
        Term::Binary(BinOp::Mul, one, other)
            if pool.as_const(one).is_none() && pool.as_const(other).is_none() =>
        {
            Some([one, other])
        }
        _ => None,
    }
}

/// What is known of the numbers that stand for products: ranges, and how two with a factor in common compare.
fn facts(pool: &mut TermPool, ranges: &Ranges, numbers: &BTreeMap<TermId, TermId>) -> Vec<TermId> {
    let mut facts = Vec::new();
    let mut exact = Vec::new();
    for (product, number) in numbers {
        let Some(factors) = factors(pool, *product) else {
            continue;
        };
        let Some(range) = range_of_product(pool, ranges, factors) else {
            continue;
        };
        for (op, end) in [(CmpOp::Uge, range.low), (CmpOp::Ule, range.high)] {
            let end = Bv::from_bigint(pool.width(*number), &end);
            let end = pool.constant(&end);
            facts.push(pool.compare(op, *number, end));
        }
        // Factors may have products in them themselves.
        let factors = factors.map(|factor| pool.replace_closed(factor, numbers));
        let number = *number;
        exact.push(Product { number, factors });
    }
    for (position, one) in exact.iter().enumerate() {
        for other in &exact[position + 1..] {
            for [common, own] in pairs(one.factors) {
                let mut others = pairs(other.factors).into_iter();
                if let Some([_, others]) = others.find(|[factor, _]| *factor == common) {
                    facts.extend(in_order(
                        pool,
                        common,
                        [own, one.number],
                        [others, other.number],
                    ));
                    facts.extend(in_order(
                        pool,
                        common,
                        [others, other.number],
                        [own, one.number],
                    ));
                }
            }
        }
    }
    facts
}

fn pairs([one, other]: [TermId; 2]) -> [[TermId; 2]; 2] {
    [[one, other], [other, one]]
}

/// The range of a product that the ranges of its factors keep from wrapping around.
fn range_of_product(pool: &TermPool, ranges: &Ranges, factors: [TermId; 2]) -> Option<Range> {
    let [one, other] = factors.map(|factor| {
        let known = ranges.known(factor).cloned();
        known.unwrap_or_else(|| of_term(pool, factor))
    });
    let product = one.product(&other, false)?;
    product
        .within(&Range::unsigned(pool.width(factors[0])))
        .then_some(product)
}

/// That of two products x·c and y·c that do not wrap around the first is not greater if x ≤ y, and less by c or more
/// if x < y.
fn in_order(
    pool: &mut TermPool,
    common: TermId,
    [x, product]: [TermId; 2],
    [y, other]: [TermId; 2],
) -> [TermId; 2] {
    let next = pool.add(product, common);
    let is_above = pool.compare(CmpOp::Ule, next, other);
    let is_not_below = pool.compare(CmpOp::Ule, product, other);
    let without = |pool: &mut TermPool, op: CmpOp, fact: TermId| {
        let otherwise = pool.compare(op, x, y);
        pool.or(otherwise, fact)
    };
    [
        without(pool, CmpOp::Uge, is_above),
        without(pool, CmpOp::Ugt, is_not_below),
    ]
}

counted_link!(Products);
