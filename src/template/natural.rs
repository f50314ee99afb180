//! Algorithm 1 for a whole natural loop: one template for all its cycles.
//!
//! ```text
//! loop --explore--> paths of one round --merge--> round, ways out --close--> Template
//! ```
//!
//! The round of the merged paths is one round of a cycle whose path condition is the disjunction
//! of theirs and whose values are case distinctions; everything after that is Algorithm 1.

use super::compute::close;
use super::entry::Entry;
use super::explore::{InNest, InnerTemplates, explore};
use super::merge::{mentions_others, merge};
use super::round::{Round, WayOut};
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
    let (entry, round, ways) = merged_round(machine, pool, oracle, model, at, live, inner)?;
    let region = Region::Loop(Rc::clone(natural));
    close(machine, pool, oracle, &entry, &round, &ways, live, region)
}

/// All paths of one round of a loop as one, and the ways out, for states of the shape of `model`.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub(super) fn merged_round(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    at: InNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
) -> Result<(Entry, Round, Vec<WayOut>), NoTemplate> {
    let mut alignments = IndexMap::new();
    let live_at_header = live(at.natural.header);
    loop {
        let entry = Entry::like(machine, pool, model, &live_at_header, &alignments);
        let explored = explore(machine, pool, oracle, &entry, at, inner)?;
        let (round, ways) = merge(pool, &entry, explored, live)?;
        let misaligned = entry.misaligned(pool, &round.end);
        if !misaligned.is_empty() {
            alignments.extend(misaligned);
            continue;
        }
        if let Some(symbol) = mentions_others(pool, &entry, &round, &ways, live) {
            return Err(NoTemplate::InnerLoop {
                why: format!("{} is left open by it", pool.symbol_name(symbol)),
                span: round.span,
            });
        }
        let mut conditions = round.end.path_cond.to_vec().into_iter();
        if conditions.any(|condition| pool.has_sum(condition)) {
            // A sum below the quantifier over all rounds: the solver loses such questions, which
            // one round after the other are easy (matrIR_dyn: 30 s and open instead of 1 s).
            return Err(NoTemplate::InnerLoop {
                why: "the outer loop's condition depends on a sum over its rounds".to_owned(),
                span: round.span,
            });
        }
        return Ok((entry, round, ways));
    }
}
