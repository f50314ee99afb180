//! In which order the ways through a loop are taken, where conditions leave one order only.
//!
//! Where no iteration along b may be followed by one along a, whatever the state is, and likewise for
//! all pairs, then all iterations along a come before all along b. Then what a loop does depends on
//! how often each way is taken, and on nothing else. The paper takes the order from a condition that
//! is monotone in a counter; here the solver is asked about two iterations in a row, so that nothing
//! has to be monotone, and a counter that wraps around is no exception.
//!
//! # Source
//! ISSTA 2012, Section 3.6: the rule that it proposes for its second program.

use super::build::Build;
use super::summary::{Closing, Executed};
use crate::solver::{Config, Query, Solver};
use crate::term::{SymbolId, TermId, TermPool};
use indexmap::IndexMap;

impl Closing<'_> {
    /// The ways such that an iteration along one never comes after one along a later one; `None`
    /// where that is not shown, or there are too many.
    pub(super) fn order(&self, pool: &mut TermPool, build: &Build) -> Option<Vec<usize>> {
        let n_ways = self.executed.len();
        if !(2..=build.options.most_ordered).contains(&n_ways) {
            return None;
        }
        let mut solver = Config::default().build();
        let mut follows = vec![vec![false; n_ways]; n_ways];
        for (before, first) in self.executed.iter().enumerate() {
            for (after, second) in self.executed.iter().enumerate() {
                if build.is_exhausted(pool) {
                    return None;
                }
                follows[before][after] =
                    before != after && may_follow(pool, &mut *solver, build, first, second);
                if follows[before][after] && follows[after][before] {
                    return None;
                }
            }
        }
        let mut left: Vec<usize> = (0..n_ways).collect();
        let mut order = Vec::with_capacity(n_ways);
        while !left.is_empty() {
            let next = left
                .iter()
                .position(|way| left.iter().all(|other| !follows[*other][*way]))?;
            order.push(left.remove(next));
        }
        Some(order)
    }
}

/// Whether an iteration along one way may be followed by one along another; what the solver does not
/// know may be.
fn may_follow(
    pool: &mut TermPool,
    solver: &mut dyn Solver,
    build: &Build,
    first: &Executed,
    second: &Executed,
) -> bool {
    let another = |pool: &mut TermPool, symbol: SymbolId| {
        let name = pool.given_name(symbol).to_owned();
        pool.fresh(&name, pool.symbol_sort(symbol))
    };
    let mut between: IndexMap<SymbolId, TermId> = IndexMap::new();
    for (symbol, value) in &first.effect {
        let value = match value {
            Some(value) => *value,
            None => another(pool, *symbol),
        };
        between.insert(*symbol, value);
    }
    // What the second iteration reads is nothing that the first one has read.
    for unknown in &second.unknowns {
        let value = another(pool, *unknown);
        between.insert(*unknown, value);
    }
    let condition = pool.substitute(second.condition, &mut between);
    let mut conjuncts = pool.conjuncts(first.condition);
    conjuncts.extend(pool.conjuncts(condition));
    let limits = build.limits(build.options.order);
    !solver
        .check(pool, &Query::new(&conjuncts, &limits))
        .is_unsat()
}
