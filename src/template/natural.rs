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
use super::compute::close;
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
    automata: &AutomatonPolicy,
    offsets: Offsets,
) -> Result<Template, NoTemplate> {
    let at_header = live(natural.header);
    for_offsets(
        machine,
        pool,
        model,
        &at_header,
        offsets,
        &mut |pool, assumed| {
            template_of_loop(
                machine, pool, oracle, model, natural, nest, live, inner, automata, assumed,
            )
        },
    )
}

#[allow(clippy::too_many_arguments, reason = "a loop and what belongs to it")]
fn template_of_loop(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    natural: &Rc<Loop>,
    nest: &LoopNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
    automata: &AutomatonPolicy,
    assumed: Assumed,
) -> Result<Template, NoTemplate> {
    let at = InNest { nest, natural };
    let Once {
        entry,
        explored,
        merged,
    } = execute_once(machine, pool, oracle, model, at, live, inner, assumed)?;
    let region = Region::Loop(Rc::clone(natural));
    let folded = merged.and_then(|(iteration, ways)| {
        close(
            machine, pool, oracle, &entry, &iteration, &ways, live, region,
        )
    });
    if !leaves_something_open(&folded) {
        return folded;
    }
    let otherwise = match folded {
        Ok(_) => Otherwise::Merged,
        Err(_) => Otherwise::NoTemplate,
    };
    let by_automaton = compute_automaton_template(
        machine, pool, oracle, &entry, &explored, natural, live, automata, otherwise,
    );
    by_automaton.or(folded)
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

/// The path dependency automaton of a loop for states of the shape of `model`, whose location is the
/// loop's header.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
#[allow(clippy::too_many_arguments, reason = "a loop and what belongs to it")]
pub(super) fn automaton_of_loop(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    natural: &Rc<Loop>,
    nest: &LoopNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
    automata: &AutomatonPolicy,
) -> Result<Automaton, NoTemplate> {
    let at = InNest { nest, natural };
    let assumed = Assumed::default();
    let once = execute_once(machine, pool, oracle, model, at, live, inner, assumed)?;
    describe_automaton(
        machine,
        pool,
        oracle,
        &once.entry,
        &once.explored,
        natural,
        live,
        automata,
    )
}

/// The body of a loop, executed once.
struct Once {
    entry: Entry,
    explored: Explored,
    /// All paths as one, and the exits.
    merged: Result<(Iteration, Vec<IterationExit>), NoTemplate>,
}

/// All paths of one iteration of a loop as one, and the exits, for states of the shape of `model` of which this
/// much is assumed.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
#[allow(clippy::too_many_arguments, reason = "a loop and what belongs to it")]
pub(super) fn merged_iteration(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    at: InNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
    assumed: Assumed,
) -> Result<(Entry, Iteration, Vec<IterationExit>), NoTemplate> {
    let once = execute_once(machine, pool, oracle, model, at, live, inner, assumed)?;
    let (iteration, ways) = once.merged?;
    Ok((once.entry, iteration, ways))
}

#[allow(clippy::too_many_arguments, reason = "a loop and what belongs to it")]
fn execute_once(
    machine: &Machine,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    model: &State,
    at: InNest,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
    inner: &mut InnerTemplates,
    mut assumed: Assumed,
) -> Result<Once, NoTemplate> {
    let live_at_header = live(at.natural.header);
    loop {
        let entry = Entry::like(machine, pool, model, &live_at_header, &assumed);
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
        // A sum below the quantifier over all iterations: the solver loses such questions,
        // which one iteration after the other are easy (matrIR_dyn: 30 s and open instead of 1
        // s).
        return Err(NoTemplate::InnerLoop {
            why: "the outer loop's condition depends on a sum over its iterations".to_owned(),
            span: iteration.span,
        });
    }
    Ok(())
}
