//! The order of the paths through a loop: the edges of its path dependency automaton, if conditions exclude
//! some of them.
//!
//! If no iteration along b may be followed by one along a, whatever the state is, and likewise for all pairs,
//! then all iterations along a precede all iterations along b. Then the effect of a loop depends only on the
//! number of iterations along each path. The paper takes the order from a condition that is monotone in a
//! counter; here a query about two successive iterations decides, so that monotonicity is not needed, and
//! wrap-around is covered.
//!
//! # Source
//! ISSTA 2012, Section 3.6: the rule that it proposes for its second program. The edges: Rozhoň,
//! *Nested loops and path explosion in symbolic execution*, Section 4.4.

use super::build::Build;
use super::chains::is_of_single;
use super::summary::{Closing, Executed};
use indexmap::IndexMap;
use term::{SymbolId, TermId, TermPool};

/// Which ways through a loop an iteration along a way may be followed by.
pub(super) struct Follows(Vec<Vec<bool>>);

impl Follows {
    /// Whether an iteration along `before` may be followed by one along `after`.
    pub fn may(&self, before: usize, after: usize) -> bool {
        self.0[before][after]
    }

    /// Whether nothing is left out.
    pub fn is_complete(&self) -> bool {
        self.0.iter().flatten().all(|may| *may)
    }

    /// The ways such that an iteration along one never comes after one along a later one, if there is
    /// such an order.
    pub fn order(&self) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = (0..self.0.len()).collect();
        let mut order = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let next = left.iter().position(|way| {
                let mut others = left.iter().filter(|other| *other != way);
                others.all(|other| !self.may(*other, *way))
            })?;
            order.push(left.remove(next));
        }
        Some(order)
    }
}

impl Closing<'_> {
    /// Asks which way may follow which; `None` where there are too many ways, or the work is done.
    pub(super) fn query_successors(&self, pool: &mut TermPool, build: &Build) -> Option<Follows> {
        let n_ways = self.executed.len();
        if !(2..=build.options.most_ordered).contains(&n_ways) {
            return None;
        }
        let common = self.common(pool);
        let states: Vec<Vec<TermId>> = (self.executed.iter())
            .map(|executed| of_state(pool, executed))
            .collect();
        let mut follows = vec![vec![true; n_ways]; n_ways];
        for before in 0..n_ways {
            for after in 0..n_ways {
                if build.end.is_reached(pool) {
                    return None;
                }
                // What all ways demand does not tell them apart.
                let is_told = states[after].iter().any(|own| !common.contains(own));
                let first = &self.executed[before];
                let conditions = (states[before].as_slice(), states[after].as_slice());
                follows[before][after] = !is_told || may_follow(pool, build, first, conditions);
            }
        }
        Some(Follows(follows))
    }
}

/// What an iteration demands of the state before it: neither of elements of arrays nor of what only this
/// iteration knows, in both of which the next one differs, nor of inner loops.
fn of_state(pool: &mut TermPool, executed: &Executed) -> Vec<TermId> {
    let mut conjuncts = pool.conjuncts(executed.condition);
    conjuncts.retain(|conjunct| {
        !pool.has_quantifier(*conjunct) && !is_of_single(pool, *conjunct, &executed.unknowns)
    });
    conjuncts
}

/// Whether an iteration along one way may be followed by one along another, by what both demand of the
/// state before them; what the solver does not know may be.
fn may_follow(
    pool: &mut TermPool,
    build: &Build,
    first: &Executed,
    (demanded, next): (&[TermId], &[TermId]),
) -> bool {
    let mut between: IndexMap<SymbolId, TermId> = IndexMap::new();
    for (symbol, value) in &first.effect {
        let value = match value {
            Some(value) => *value,
            None => {
                let name = pool.given_name(*symbol).to_owned();
                pool.fresh(&name, pool.symbol_sort(*symbol))
            }
        };
        between.insert(*symbol, value);
    }
    let mut conjuncts = demanded.to_vec();
    for condition in next {
        let condition = pool.substitute(*condition, &mut between);
        conjuncts.extend(pool.conjuncts(condition));
    }
    !build.ask(pool, &conjuncts, build.options.order).is_unsat()
}
