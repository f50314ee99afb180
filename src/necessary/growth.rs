//! Growth: the increments of variables per iteration, independent of the number of iterations.
//!
//! In θ^κ⃗ a variable with constant increments is a + Σ dᵢ·κᵢ; constraint systems of chains also count inner
//! chains by Λ. Counters are never negative, and often Λ is at most m per iteration: so the total increment
//! is a sum of a few vectors, each with an arbitrary multiplicity.
//!
//! ```text
//! i + κ, first + Λ, Λ ≤ 5·κ   -->   (i: 1), (i: 1, first: 5)
//! ```
//!
//! Linear relations that each of these vectors preserves are likely invariants: 0 ≤ first ≤ 5·i.
//!
//! # Deliberately absent
//! No proof: sums wrap around, and resets of outer loops are ignored. Callers have to check the relations.

use super::NecessaryCondition;
use super::summary::{LoopBackbone, Summary};
use flowgraph::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use term::{SymbolId, Term, TermId, TermPool};

/// Bounds on executions of inner chains are used up to this many.
const MOST_EXECUTIONS: u64 = 1 << 16;

/// The increments of variables in an iteration, by the names of their symbols.
pub type Additions = BTreeMap<String, i64>;

/// What the iterations of a loop add, and those of the loops around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// For each loop from the outermost one to the loop itself: sums of these are what its
    /// iterations add.
    pub levels: Vec<Vec<Additions>>,
}

impl NecessaryCondition {
    /// That of all loops with a summary; outer ones first.
    #[must_use]
    pub fn growths(&self, pool: &TermPool) -> Vec<Growth> {
        let inner: BTreeSet<NodeId> = self
            .summaries
            .iter()
            .flat_map(|summary| summary.inside())
            .map(|summary| summary.entry)
            .collect();
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for summary in &self.summaries {
            if !inner.contains(&summary.entry) {
                collect(pool, summary, &[], &mut seen, &mut found);
            }
        }
        found
    }
}

fn collect(
    pool: &TermPool,
    summary: &Summary,
    around: &[Vec<Additions>],
    seen: &mut BTreeSet<NodeId>,
    found: &mut Vec<Growth>,
) {
    if !seen.insert(summary.entry) {
        return;
    }
    let mut levels = around.to_vec();
    levels.push(summary.additions(pool));
    found.push(Growth {
        levels: levels.clone(),
    });
    for inside in summary.inside() {
        collect(pool, inside, &levels, seen, found);
    }
}

impl Summary {
    /// The summaries of the loops along its backbones.
    fn inside(&self) -> impl Iterator<Item = &Summary> {
        let applied = self.backbones.iter().flat_map(|backbone| &backbone.loops);
        applied.map(|applied| &*applied.summary)
    }

    /// What the sum of is what iterations add.
    fn additions(&self, pool: &TermPool) -> Vec<Additions> {
        let mut by_counter: BTreeMap<SymbolId, Additions> = BTreeMap::new();
        for form in &self.forms {
            for (counter, addition) in steps(pool, form.symbol, form.value).unwrap_or_default() {
                let name = pool.given_name(form.symbol).to_owned();
                by_counter
                    .entry(counter)
                    .or_default()
                    .insert(name, addition);
            }
        }
        let of = |counter: SymbolId| by_counter.get(&counter).cloned().unwrap_or_default();
        let mut all = Vec::new();
        for backbone in &self.backbones {
            let mut once = of(backbone.counter);
            if self.total != backbone.counter {
                add(&mut once, &of(self.total), 1);
            }
            for inner in &backbone.inner {
                let added = of(inner.all);
                if added.is_empty() {
                    continue;
                }
                match backbone.most_executions(inner.all) {
                    Some(most) => {
                        let mut sum = once.clone();
                        add(&mut sum, &added, most);
                        all.push(sum);
                    }
                    None => all.push(added),
                }
            }
            all.push(once);
        }
        all.sort();
        all.dedup();
        all
    }
}

impl LoopBackbone {
    /// How often an inner chain is executed in one iteration, at most.
    fn most_executions(&self, all: SymbolId) -> Option<i64> {
        let together = self.together.iter();
        let together = together.filter(|together| together.counters.contains(&all));
        let most = together.filter_map(|together| together.most).min()?;
        i64::try_from(most).ok().filter(|_| most <= MOST_EXECUTIONS)
    }
}

fn add(sum: &mut Additions, added: &Additions, times: i64) {
    for (name, addition) in added {
        let of_name = sum.entry(name.clone()).or_default();
        *of_name = of_name.saturating_add(addition.saturating_mul(times));
    }
}

/// d of each counter, where a value is `symbol` + Σ d·κ.
fn steps(pool: &TermPool, symbol: SymbolId, value: TermId) -> Option<Vec<(SymbolId, i64)>> {
    let own = pool.symbol_term(symbol);
    let mut found = Vec::new();
    let mut starts = false;
    for (coefficient, part) in pool.linear_terms(value)? {
        if *part == own {
            starts = *coefficient == 1;
            continue;
        }
        let counter = match pool.view(*part) {
            Term::Cast(_, inner) | Term::Extract { low: 0, of: inner } => inner,
            _ => *part,
        };
        let unused = 64 - pool.width(own).min(64);
        let step = (coefficient << unused).cast_signed() >> unused;
        found.push((pool.as_symbol(counter)?, step));
    }
    starts.then_some(found)
}
