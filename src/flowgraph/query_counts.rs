//! Query counts: an estimate of the number of solver queries about each variable.
//!
//! The count of a register at a location is the number of later queries about it: one at each branching for
//! the registers in its conditions, one at each access to memory for those of the address, one at each
//! assumption for those in it. A query about a value is a query about its operands. All of memory counts as
//! one variable, the source of all reads and the destination of all writes.
//!
//! ```text
//! counts after an edge --its steps, backwards--> counts before it --sum or most--> counts at its source
//! ```
//!
//! The number of iterations of loops is unknown. Either counts are capped, so that there is a fixed point, or
//! each loop has a given number of iterations each time it is entered.
//!
//! # Deliberately absent
//! The analysis is intraprocedural: a value that is passed to a function or returned counts as one query.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Sections 4.3.1 and 5.4.3.2, after
//! Kuznetsov, Kinder, Bucur, Candea, *Efficient State Merging in Symbolic Execution*, PLDI 2012.

use super::loops::LoopId;
use super::{Action, EdgeId, Function, NodeId, RegId, Step};
use std::collections::{BTreeMap, BTreeSet};

/// How loops are estimated, whose number of iterations is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopEstimate {
    /// No count grows beyond this.
    AtMost(u32),
    /// Each has this number of iterations (κ) whenever it is entered.
    Iterations(u32),
}

/// How the counts of several ways on become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// Their sum: queries of all paths, as in the thesis.
    Sum,
    /// The largest: queries of one path.
    Most,
}

/// A kind of estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    pub loops: LoopEstimate,
    pub ways: Ways,
}

/// Nested loops take the power of their iterations, and large functions long: an estimate for which more
/// counts have to be examined is not made. A million take a fifth of a second.
const MOST_STEPS: usize = 1 << 20;

/// No count is larger.
const MOST: u32 = 1 << 16;

/// A variable: a register, or all of memory.
type Variable = Option<RegId>;

/// Counts by variable; those that are never asked about are left out.
type Counts = BTreeMap<Variable, u32>;

/// The query counts of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCounts {
    at: Vec<Counts>,
}

impl QueryCounts {
    /// The counts of a function; `None` where they take too long to compute.
    #[must_use]
    pub fn of(function: &Function, estimate: Estimate) -> Option<QueryCounts> {
        let mut pass = Pass {
            function,
            estimate,
            at: vec![Counts::new(); function.n_nodes()],
            n_steps: 0,
        };
        let post_order = post_order(function);
        let nest = function.loops();
        match estimate.loops {
            LoopEstimate::AtMost(_) => pass.until_nothing_changes(&post_order)?,
            // Loops without a header cannot be counted around.
            LoopEstimate::Iterations(_) if !nest.irreducible.is_empty() => return None,
            LoopEstimate::Iterations(kappa) => pass.iterations(&post_order, None, kappa)?,
        }
        Some(QueryCounts { at: pass.at })
    }

    /// Queries about a register behind a location.
    ///
    /// # Panics
    /// If the location is not of the function; so does the other method.
    #[must_use]
    pub fn of_register(&self, node: NodeId, reg: RegId) -> u32 {
        self.at[node.index()].get(&Some(reg)).copied().unwrap_or(0)
    }

    /// Queries about what memory holds behind a location.
    #[must_use]
    pub fn of_memory(&self, node: NodeId) -> u32 {
        self.at[node.index()].get(&None).copied().unwrap_or(0)
    }
}

/// Locations that the entry leads to, those last that lead to the others, back edges apart.
fn post_order(function: &Function) -> Vec<NodeId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::from([function.entry]);
    let mut path = vec![(function.entry, 0)];
    while let Some((node, position)) = path.last_mut() {
        let Some(&edge) = function.out_edges(*node).get(*position) else {
            order.push(*node);
            path.pop();
            continue;
        };
        *position += 1;
        let target = function.target(edge);
        if seen.insert(target) {
            path.push((target, 0));
        }
    }
    order
}

/// Goes backwards through a function.
struct Pass<'f> {
    function: &'f Function,
    estimate: Estimate,
    at: Vec<Counts>,
    n_steps: usize,
}

impl Pass<'_> {
    fn until_nothing_changes(&mut self, post_order: &[NodeId]) -> Option<()> {
        loop {
            let mut is_stable = true;
            for node in post_order {
                let counts = self.node(*node, |_| true)?;
                if self.at[node.index()] != counts {
                    self.at[node.index()] = counts;
                    is_stable = false;
                }
            }
            if is_stable {
                return Some(());
            }
        }
    }

    /// The counts of all locations of a loop, or of the function, whose inner loops go around so
    /// often; the counts at the loop's header are known.
    fn iterations(
        &mut self,
        post_order: &[NodeId],
        around: Option<LoopId>,
        kappa: u32,
    ) -> Option<()> {
        let nest = std::sync::Arc::clone(self.function.loops());
        for node in post_order {
            let innermost = nest.innermost(*node);
            let inner = innermost.filter(|inner| nest.loops[inner.index()].header == *node);
            if innermost == around && inner.is_none() {
                self.at[node.index()] = self.node(*node, |_| true)?;
            }
            let Some(inner) = inner.filter(|inner| nest.loops[inner.index()].parent == around)
            else {
                continue;
            };
            let natural = &nest.loops[inner.index()];
            let function = self.function;
            let leaves = |edge: EdgeId| !natural.body.contains(function.target(edge).index());
            // Without an iteration: the header is left at once, or by an iteration that does not
            // come back.
            self.at[node.index()] = Counts::new();
            if function.out_edges(*node).iter().any(|edge| leaves(*edge)) {
                self.at[node.index()] = self.node(*node, leaves)?;
            } else {
                self.iterations(post_order, Some(inner), kappa)?;
                self.at[node.index()] = self.node(*node, |_| true)?;
            }
            for _ in 0..kappa {
                self.iterations(post_order, Some(inner), kappa)?;
                self.at[node.index()] = self.node(*node, |_| true)?;
            }
        }
        Some(())
    }

    /// The counts at a location by those behind its edges, of which only some are taken; `None`
    /// where that takes too long.
    fn node(&mut self, node: NodeId, takes: impl Fn(EdgeId) -> bool) -> Option<Counts> {
        let edges = self.function.out_edges(node);
        if self.n_steps > MOST_STEPS {
            return None;
        }
        let mut counts = Counts::new();
        let mut asked = BTreeSet::new();
        let is_branching = edges.len() > 1;
        for edge in edges {
            let steps = &self.function.edge(*edge).steps;
            let mut rest = steps.as_slice();
            // All conditions of a branching are one query.
            if is_branching
                && let Some((
                    Step {
                        action: Action::Assume(condition),
                        ..
                    },
                    behind,
                )) = steps.split_first()
            {
                condition.for_each_reg(&mut |reg| {
                    asked.insert(reg);
                });
                rest = behind;
            }
            if !takes(*edge) {
                continue;
            }
            let mut along = self.at[self.function.target(*edge).index()].clone();
            self.n_steps += 1 + rest.len() + along.len();
            for step in rest.iter().rev() {
                before(&step.action, &mut along);
            }
            for (variable, count) in along {
                let total = counts.entry(variable).or_default();
                *total = match self.estimate.ways {
                    Ways::Sum => u32::saturating_add(*total, count),
                    Ways::Most => count.max(*total),
                };
            }
        }
        for reg in asked {
            *counts.entry(Some(reg)).or_default() += 1;
        }
        let most = match self.estimate.loops {
            LoopEstimate::AtMost(most) => most.min(MOST),
            LoopEstimate::Iterations(_) => MOST,
        };
        for count in counts.values_mut() {
            *count = (*count).min(most);
        }
        Some(counts)
    }
}

/// Turns the counts behind an action into those before it.
fn before(action: &Action, counts: &mut Counts) {
    match action {
        Action::Assign(pairs) => {
            // All right-hand sides are evaluated first.
            let values: Vec<_> = pairs
                .iter()
                .map(|(dst, value)| (value, counts.remove(&Some(*dst)).unwrap_or(0)))
                .collect();
            for (value, count) in values {
                add(counts, value, count);
            }
        }
        Action::Load { dst, address } => {
            let count = counts.remove(&Some(*dst)).unwrap_or(0);
            add_to(counts, None, count);
            add(counts, address, 1);
        }
        Action::Store { address, value } => {
            let count = counts.get(&None).copied().unwrap_or(0);
            add(counts, value, count);
            add(counts, address, 1);
        }
        Action::End(_) | Action::Unsupported(_) | Action::Target => counts.clear(),
        Action::Assume(_)
        | Action::Alloca { .. }
        | Action::Input { .. }
        | Action::Call { .. }
        | Action::Return(_)
        | Action::Builtin { .. }
        | Action::Goal(_)
        | Action::Cut => {
            action.for_each_def(&mut |dst| {
                counts.remove(&Some(dst));
            });
            action.for_each_expr(&mut |expr| add(counts, expr, 1));
        }
    }
}

/// So many queries about each register in an expression.
fn add(counts: &mut Counts, expr: &super::Expr, count: u32) {
    let mut regs = BTreeSet::new();
    expr.for_each_reg(&mut |reg| {
        regs.insert(reg);
    });
    for reg in regs {
        add_to(counts, Some(reg), count);
    }
}

fn add_to(counts: &mut Counts, variable: Variable, count: u32) {
    if count > 0 {
        let total = counts.entry(variable).or_default();
        *total = u32::saturating_add(*total, count);
    }
}
