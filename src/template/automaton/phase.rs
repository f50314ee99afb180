//! Phases: a word of paths that is repeated, as a cycle with a template of its own.

use super::PathId;
use super::body::Body;
use super::build::Transitions;
use crate::semantics::{Admission, Oracle};
use crate::template::compute::close;
use crate::template::iteration::{Iteration, IterationExit};
use crate::template::merge::mentions_others;
use crate::template::{ExitTarget, NoTemplate, Region, Template};
use crate::term::TermPool;
use std::rc::Rc;

/// A word of paths, repeated κ times from a state that is about to take its first path, and then
/// left somewhere in it.
pub(super) struct Phase {
    /// How many iterations of the loop the word is.
    pub length: usize,
    pub template: Template,
    /// What each exit of the template is; the template may have a last one more.
    pub turnings: Vec<Turning>,
}

/// Another path than the next of the word.
#[derive(Clone, Copy)]
pub(super) struct Turning {
    /// How many paths of the unfinished word were taken before.
    pub position: usize,
    /// The path before, which is the last of the word at position 0.
    pub previous: PathId,
    /// The path that is taken, or is about to be taken where it stays in the loop.
    pub path: PathId,
}

impl Phase {
    /// The phase of a word.
    ///
    /// At position 0 the exits are those after at least one iteration: a state that is about to take
    /// the first path takes no other.
    ///
    /// # Errors
    /// If it has no closed form.
    pub fn of(
        body: &Body,
        transitions: &Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        word: &[PathId],
    ) -> Result<Phase, NoTemplate> {
        let mut state = body.entry.state.clone();
        let mut ways = Vec::new();
        let mut turnings = Vec::new();
        for (position, path) in word.iter().enumerate() {
            let before = position.checked_sub(1).unwrap_or(word.len() - 1);
            let previous = word[before];
            for next in transitions.after(previous) {
                if next == path {
                    continue;
                }
                let taken = body.take(pool, &state, *next);
                let condition = taken.condition;
                if oracle.admits(pool, &state.path_cond, condition) == Admission::Infeasible {
                    continue;
                }
                let turned = body.get(*next);
                let (at, edge, target) = if turned.stays {
                    let mut at = state.clone();
                    at.path_cond.assume(pool, condition);
                    let header = ExitTarget::Location(body.entry.state.location);
                    (at, turned.turned_at, header)
                } else {
                    let exit = &turned.effect;
                    let at = match word {
                        [_] => turned.state.clone(),
                        _ => taken.leave(pool),
                    };
                    (at, exit.edge, exit.target.clone())
                };
                ways.push(IterationExit {
                    edge,
                    state: at,
                    target,
                    inner: Vec::new(),
                });
                turnings.push(Turning {
                    position,
                    previous,
                    path: *next,
                });
            }
            state = match word {
                [only] => body.after_one(*only).clone(),
                _ => body.take(pool, &state, *path).leave(pool),
            };
        }
        let iteration = Iteration {
            end: state,
            span: body.span,
        };
        let other = mentions_others(pool, body.entry, &iteration, &ways, body.live);
        if let Some(symbol) = other {
            return Err(NoTemplate::InnerLoop {
                why: format!("{} is left open by it", pool.symbol_name(symbol)),
                span: body.span,
            });
        }
        let region = Region::Loop(Rc::clone(&body.natural));
        let (machine, live) = (body.machine, body.live);
        let template = close(
            machine, pool, oracle, body.entry, &iteration, &ways, live, region,
        )?;
        Ok(Phase {
            length: word.len(),
            template,
            turnings,
        })
    }
}
