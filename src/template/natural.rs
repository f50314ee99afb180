//! Algorithm 1 for a whole natural loop: one template for all its cycles.
//!
//! ```text
//! loop --explore--> paths of one iteration --merge--> iteration, exits --close--> Template
//!                                          --ways through the automaton-------> Template
//! ```
//!
//! The iteration of the merged paths is one iteration of a cycle whose path condition is the disjunction of
//! theirs and whose values are case distinctions; everything after that is Algorithm 1. If the result has
//! sums over the iterations, or there is none, the order of the paths may give a better one
//! ([`super::automaton`]).

use super::automaton::{
    Automaton, AutomatonPolicy, Otherwise, compute_automaton_template, describe_automaton,
};
use super::compute::{Counting, ExecutedOnce};
use super::entry::{Assumed, Entry};
use super::explore::{Explored, InNest, InnerTemplates, explore};
use super::iteration::{Iteration, IterationExit};
use super::merge::{mentions_others, merge};
use super::offsets::{Offsets, for_offsets};
use super::progression::Rule;
use super::{NoTemplate, Region, Template};
use flowgraph::{Loop, LoopNest, NodeId, RegId};
use semantics::{Machine, Oracle, State};
use std::rc::Rc;
use term::TermPool;

/// A loop, and the states at its header that it is about: those of the shape of `model`.
pub(super) struct LoopContext<'a> {
    pub machine: &'a Machine<'a>,
    pub model: &'a State,
    pub natural: &'a Rc<Loop>,
    pub nest: &'a LoopNest,
    pub live: &'a dyn Fn(NodeId) -> Vec<RegId>,
}

impl LoopContext<'_> {
    /// The template of the loop. `inner` gives those of the loops inside of it.
    ///
    /// # Errors
    /// Why there is none: see [`NoTemplate`].
    pub fn template(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        inner: &mut InnerTemplates,
        automata: &AutomatonPolicy,
        offsets: Offsets,
    ) -> Result<Template, NoTemplate> {
        let at_header = (self.live)(self.natural.header);
        let mut compute = |pool: &mut TermPool, assumed| {
            self.template_assuming(pool, oracle, inner, automata, assumed)
        };
        for_offsets(
            self.machine,
            pool,
            self.model,
            &at_header,
            offsets,
            &mut compute,
        )
    }

    fn template_assuming(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        inner: &mut InnerTemplates,
        automata: &AutomatonPolicy,
        assumed: Assumed,
    ) -> Result<Template, NoTemplate> {
        let Once {
            entry,
            explored,
            merged,
        } = self.execute_once(pool, oracle, inner, assumed)?;
        let folded = merged.and_then(|(iteration, ways)| {
            let executed = ExecutedOnce {
                machine: self.machine,
                entry: &entry,
                iteration: &iteration,
                ways: &ways,
                live: self.live,
                region: Region::Loop(Rc::clone(self.natural)),
                counting: Counting::States,
            };
            executed.template(pool, oracle)
        });
        if !leaves_something_open(&folded) {
            return folded;
        }
        let otherwise = match folded {
            Ok(_) => Otherwise::Merged,
            Err(_) => Otherwise::NoTemplate,
        };
        let by_automaton =
            compute_automaton_template(self, pool, oracle, &entry, &explored, automata, otherwise);
        by_automaton.or(folded)
    }

    /// The path dependency automaton of the loop.
    ///
    /// # Errors
    /// Why there is none: see [`NoTemplate`].
    pub fn automaton(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        inner: &mut InnerTemplates,
        automata: &AutomatonPolicy,
    ) -> Result<Automaton, NoTemplate> {
        let once = self.execute_once(pool, oracle, inner, Assumed::default())?;
        describe_automaton(self, pool, oracle, &once.entry, &once.explored, automata)
    }

    /// All paths of one iteration as one, and the exits, for states of which this much is assumed.
    ///
    /// # Errors
    /// Why there is none: see [`NoTemplate`].
    pub fn merged_iteration(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        inner: &mut InnerTemplates,
        assumed: Assumed,
    ) -> Result<(Entry, Iteration, Vec<IterationExit>), NoTemplate> {
        let once = self.execute_once(pool, oracle, inner, assumed)?;
        let (iteration, ways) = once.merged?;
        Ok((once.entry, iteration, ways))
    }

    fn execute_once(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        inner: &mut InnerTemplates,
        mut assumed: Assumed,
    ) -> Result<Once, NoTemplate> {
        let (machine, live) = (self.machine, self.live);
        let at = InNest {
            nest: self.nest,
            natural: self.natural,
        };
        let live_at_header = live(self.natural.header);
        loop {
            let entry = Entry::like(machine, pool, self.model, &live_at_header, &assumed);
            let explored = explore(machine, pool, oracle, &entry, at, inner)?;
            let merged = merge(pool, &entry, explored.clone(), live);
            let mut is_less = false;
            match &merged {
                Ok((iteration, _)) => is_less |= assumed.weaken(pool, &entry, &iteration.end),
                Err(_) => {
                    for path in &explored.back {
                        is_less |= assumed.weaken(pool, &entry, path);
                    }
                }
            }
            if is_less {
                continue;
            }
            let merged = merged.and_then(|(iteration, ways)| {
                check_closed(pool, &entry, &iteration, &ways, live)?;
                Ok((iteration, ways))
            });
            return Ok(Once {
                entry,
                explored,
                merged,
            });
        }
    }
}

/// Whether the paths of a loop, merged, have no closed form, or one that sums over the iterations,
/// of which each may be another path.
fn leaves_something_open(folded: &Result<Template, NoTemplate>) -> bool {
    match folded {
        Ok(template) => {
            let mut rules = template.progressions.iter().map(|found| found.rule);
            template.inputs.is_empty() && rules.any(|rule| matches!(rule, Rule::Sum | Rule::Flag))
        }
        Err(reason) => !matches!(reason, NoTemplate::Infeasible | NoTemplate::Limit(_)),
    }
}

/// The body of a loop, executed once.
struct Once {
    entry: Entry,
    explored: Explored,
    /// All paths as one, and the exits.
    merged: Result<(Iteration, Vec<IterationExit>), NoTemplate>,
}

/// Whether a merged iteration is one of a cycle: over its entry, and no sum decides whether there is
/// one more.
fn check_closed(
    pool: &mut TermPool,
    entry: &Entry,
    iteration: &Iteration,
    ways: &[IterationExit],
    live: &dyn Fn(NodeId) -> Vec<RegId>,
) -> Result<(), NoTemplate> {
    if let Some(symbol) = mentions_others(pool, entry, iteration, ways, live) {
        return Err(NoTemplate::InnerLoop {
            why: format!("{} is left open by it", pool.symbol_name(symbol)),
            span: iteration.span,
        });
    }
    let mut conditions = iteration.end.path_cond.to_vec().into_iter();
    if conditions.any(|condition| pool.has_sum(condition)) {
        // A sum below the quantifier over all iterations: the solver loses such queries,
        // which one iteration after the other are easy (matrIR_dyn: 30 s and open instead of 1
        // s).
        return Err(NoTemplate::InnerLoop {
            why: "the outer loop's condition depends on a sum over its iterations".to_owned(),
            span: iteration.span,
        });
    }
    Ok(())
}
