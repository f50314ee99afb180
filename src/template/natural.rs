//! Algorithm 1 for a whole natural loop: one template for all its cycles.
//!
//! ```text
//! loop --explore--> paths of one iteration --merge--> iteration, exits --close--> Template
//! ```
//!
//! The iteration of the merged paths is one iteration of a cycle whose path condition is the
//! disjunction of theirs and whose values are case distinctions; everything after that is Algorithm
//! 1.

use super::compute::close;
use super::entry::Entry;
use super::explore::{InNest, InnerTemplates, explore};
use super::iteration::{Iteration, IterationExit};
use super::merge::{mentions_others, merge};
use super::{NoTemplate, Region, Template};
use crate::flowgraph::{Loop, LoopNest, NodeId, RegId};
use crate::semantics::{Machine, Oracle, State};
use crate::term::TermPool;
use indexmap::IndexMap;
use std::rc::Rc;

/// The template of a loop for states of the shape of `model`, whose location is the loop's header.
/// `inner` gives the templates of the loops inside of it.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
#[allow(clippy::too_many_arguments, reason = "a loop and what belongs to it")]
pub(super) fn compute_loop_template(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    natural: &Rc<Loop>,
    nest: &LoopNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
) -> Result<Template, NoTemplate> {
    let at = InNest { nest, natural };
    let (entry, iteration, ways) = merged_iteration(machine, pool, oracle, model, at, live, inner)?;
    let region = Region::Loop(Rc::clone(natural));
    close(
        machine, pool, oracle, &entry, &iteration, &ways, live, region,
    )
}

/// All paths of one iteration of a loop as one, and the exits, for states of the shape of `model`.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub(super) fn merged_iteration(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    at: InNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
) -> Result<(Entry, Iteration, Vec<IterationExit>), NoTemplate> {
    let mut alignments = IndexMap::new();
    let live_at_header = live(at.natural.header);
    loop {
        let entry = Entry::like(machine, pool, model, &live_at_header, &alignments);
        let explored = explore(machine, pool, oracle, &entry, at, inner)?;
        let (iteration, ways) = merge(pool, &entry, explored, live)?;
        let misaligned = entry.misaligned(pool, &iteration.end);
        if !misaligned.is_empty() {
            alignments.extend(misaligned);
            continue;
        }
        if let Some(symbol) = mentions_others(pool, &entry, &iteration, &ways, live) {
            return Err(NoTemplate::InnerLoop {
                why: format!("{} is left open by it", pool.symbol_name(symbol)),
                span: iteration.span,
            });
        }
        let mut conditions = iteration.end.path_cond.to_vec().into_iter();
        if conditions.any(|condition| pool.has_sum(condition)) {
            // A sum below the quantifier over all iterations: the solver loses such questions,
            // which one iteration after the other are easy (matrIR_dyn: 30 s and open instead of 1
            // s).
            return Err(NoTemplate::InnerLoop {
                why: "the outer loop's condition depends on a sum over its iterations".to_owned(),
                span: iteration.span,
            });
        }
        return Ok((entry, iteration, ways));
    }
}
