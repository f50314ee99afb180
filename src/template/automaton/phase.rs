//! Phases: the repetition of a word of paths, as a cycle with its own template.
//!
//! In a word, one occurrence of a path may stand for several successive iterations along it, if the state
//! before determines their number: the phase of that path alone is then a part of the iteration, like the
//! template of an inner loop. So the period of a path may be a term, such as the bound of a counter that is
//! reset. A turn may occur in a word in the same way, if counters of two levels are reset.

use super::PathId;
use super::body::Body;
use super::build::Transitions;
use super::word::Letter;
use crate::compute::{Counting, ExecutedOnce};
use crate::determined::{Left, needed_part};
use crate::iteration::{Iteration, IterationExit};
use crate::merge::mentions_others;
use crate::{ExitTarget, NoTemplate, Region, Template};
use indexmap::IndexMap;
use semantics::{Admission, Oracle, State};
use std::rc::Rc;
use term::{CastOp, SymbolId, TermId, TermPool};

/// Iterations of a loop are counted in so many bits: no machine does more.
pub(super) const ITERATION_BITS: u32 = 64;

/// A path counter as a number of iterations of the loop.
fn as_iterations(pool: &mut TermPool, kappa: TermId) -> TermId {
    match pool.width(kappa) {
        width if width > ITERATION_BITS => pool.cast(CastOp::Trunc, ITERATION_BITS, kappa),
        _ => pool.cast(CastOp::ZExt, ITERATION_BITS, kappa),
    }
}

/// A word of paths, repeated κ times from a state that is about to take its first path, and then
/// left somewhere in it.
pub(super) struct Phase {
    /// How many iterations of the loop the word is.
    pub length: Count,
    pub template: Template,
    /// What each exit of the template is; the template may have a last one more.
    pub turnings: Vec<Turning>,
}

/// A number of iterations in the first repetition of a word, and in each later one: terms of
/// [`ITERATION_BITS`] over the entry.
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub first: TermId,
    pub later: TermId,
}

/// Another path than the next of the word.
#[derive(Clone, Copy)]
pub(super) struct Turning {
    /// How many iterations of the unfinished word were done before, after κ whole ones: a term of
    /// [`ITERATION_BITS`] over the entry, κ and counters of paths in the word.
    pub iterations: TermId,
    /// The path before, which is the last of the word where it has just begun.
    pub previous: PathId,
    /// The path that is taken, or is about to be taken where it stays in the loop.
    pub path: PathId,
}

impl Phase {
    /// The phase of a word.
    ///
    /// Where the word begins the exits are those after at least one iteration: a state that is about
    /// to take the first path takes no other.
    ///
    /// # Errors
    /// If it has no closed form.
    pub fn of(
        body: &Body,
        transitions: &mut Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        word: &[Letter],
    ) -> Result<Phase, NoTemplate> {
        let mut unfinished = Unfinished {
            body,
            state: body.entry.state.clone(),
            iterations: pool.bv(ITERATION_BITS, 0),
            ways: Vec::new(),
        };
        for (position, step) in word.iter().enumerate() {
            let before = position.checked_sub(1).unwrap_or(word.len() - 1);
            if let Letter::Once(previous) = word[before] {
                let is_cycle = word.len() == 1;
                unfinished.turn(transitions, pool, oracle, previous, step.path(), is_cycle);
            }
            match step {
                Letter::Once(path) if word.len() == 1 => {
                    unfinished.state = body.after_one(*path).clone();
                    unfinished.count_one(pool);
                }
                Letter::Once(path) => {
                    unfinished.state = body.take(pool, &unfinished.state, *path).leave(pool);
                    unfinished.count_one(pool);
                }
                Letter::Repeated { word, left_by } => {
                    unfinished.repeat(transitions, pool, oracle, word, *left_by)?;
                }
            }
        }
        unfinished.close(pool, oracle)
    }

    /// The number of iterations up to a turning, or after whole words only, over the template's own
    /// symbols.
    pub fn iterations(&self, pool: &mut TermPool, turning: Option<&Turning>) -> TermId {
        let kappa = pool.symbol_term(self.template.kappa);
        let times = as_iterations(pool, kappa);
        let iterations = self.length.sum(pool, times);
        match turning {
            Some(turning) => pool.add(iterations, turning.iterations),
            None => iterations,
        }
    }
}

/// A staying path that takes over from a word that was repeated as often as the state determines.
pub(super) struct TakenOver {
    /// About to take it.
    pub state: State,
    /// The path before and the one that takes over.
    pub edge: (PathId, PathId),
    /// How many iterations there were: a term of [`ITERATION_BITS`].
    pub times: TermId,
}

/// An exit from an unfinished word.
struct Way {
    exit: IterationExit,
    /// Iterations of the word before, in its first repetition.
    iterations: TermId,
    previous: PathId,
    path: PathId,
}

impl Way {
    fn edge(&self) -> (PathId, PathId) {
        (self.previous, self.path)
    }
}

/// Repeats a word from a state at the header in which its first path is taken: the ways on, and
/// whether the state determines after how many iterations each is taken.
fn following(
    body: &Body,
    transitions: &mut Transitions,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    word: &[Letter],
) -> Result<Vec<(Way, bool)>, NoTemplate> {
    let path = word[0].path();
    let mut state = state.clone();
    let condition = body.take(pool, &state, path).condition;
    state.path_cond.assume(pool, condition);
    let phase = transitions.phase(body, pool, oracle, word.to_vec())?;
    let template = &phase.template;
    if !template.shape.matches(pool, &state) {
        return Err(body.irregular("what pointers point into"));
    }
    let mut following = Vec::new();
    for (number, exit) in template.exits.iter().enumerate() {
        let mut left = Left::by(pool, oracle, template, &state, exit);
        if oracle.admits(pool, &state.path_cond, left.condition) == Admission::Infeasible {
            continue;
        }
        let Some(turning) = phase.turnings.get(number) else {
            // It writes an array for longer than its counter numbers.
            return Err(body.irregular("how long one is taken"));
        };
        let condition = needed_part(pool, oracle, &state, left.condition, left.open);
        let state = left.application.leave(pool, exit, condition);
        let times = phase.iterations(pool, Some(turning));
        let iterations = left.application.compose(pool, times);
        let own = left.open.iter().map(|counter| (exit.edge, *counter));
        let inner: Vec<_> = own.chain(left.application.inner(pool, exit)).collect();
        let is_determined = inner.is_empty();
        let way = Way {
            exit: IterationExit {
                edge: exit.edge,
                state,
                target: exit.target.clone(),
                inner,
            },
            iterations,
            previous: turning.previous,
            path: turning.path,
        };
        following.push((way, is_determined));
    }
    Ok(following)
}

/// Repeats a word, where only one path may take over inside the loop, after as many iterations as the
/// state determines.
pub(super) fn repeat_until_taken_over(
    body: &Body,
    transitions: &mut Transitions,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    word: &[Letter],
) -> Option<TakenOver> {
    let following = following(body, transitions, pool, oracle, state, word).ok()?;
    let following = following.into_iter();
    let mut candidates = following.filter(|(way, _)| body.get(way.path).stays);
    match (candidates.next(), candidates.next()) {
        (Some((only, true)), None) => Some(TakenOver {
            edge: only.edge(),
            times: only.iterations,
            state: only.exit.state,
        }),
        _ => None,
    }
}

/// One step of a word from a state in which it is taken, up to where the next one is: the state there,
/// and the number of iterations.
pub(super) fn follow_step(
    body: &Body,
    transitions: &mut Transitions,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    step: &Letter,
) -> Option<(State, TermId)> {
    match step {
        Letter::Once(path) => {
            let after = body.take(pool, state, *path).leave(pool);
            Some((after, pool.bv(ITERATION_BITS, 1)))
        }
        Letter::Repeated { word, left_by } => {
            let following = following(body, transitions, pool, oracle, state, word).ok()?;
            let mut onward = following.into_iter();
            let (onward, _) = onward.find(|(way, known)| *known && way.edge() == *left_by)?;
            Some((onward.exit.state, onward.iterations))
        }
    }
}

/// A word of which not all is there yet.
struct Unfinished<'a> {
    body: &'a Body<'a>,
    state: State,
    /// How many these were.
    iterations: TermId,
    ways: Vec<Way>,
}

impl Unfinished<'_> {
    fn count_one(&mut self, pool: &mut TermPool) {
        let one = pool.bv(ITERATION_BITS, 1);
        self.iterations = pool.add(self.iterations, one);
    }

    /// The exits by other paths than the next one, after a path that was taken once.
    fn turn(
        &mut self,
        transitions: &Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        previous: PathId,
        expected: PathId,
        is_cycle: bool,
    ) {
        let body = self.body;
        for next in transitions.after(previous) {
            if *next == expected {
                continue;
            }
            let taken = body.take(pool, &self.state, *next);
            let condition = taken.condition;
            let path_cond = &self.state.path_cond;
            if oracle.admits(pool, path_cond, condition) == Admission::Infeasible {
                continue;
            }
            let turned = body.get(*next);
            let (at, edge, target) = if turned.stays {
                let mut at = self.state.clone();
                at.path_cond.assume(pool, condition);
                let header = ExitTarget::Location(body.entry.state.location);
                (at, turned.turned_at, header)
            } else {
                let exit = &turned.effect;
                let at = if is_cycle {
                    turned.state.clone()
                } else {
                    taken.leave(pool)
                };
                (at, exit.edge, exit.target.clone())
            };
            self.ways.push(Way {
                exit: IterationExit {
                    edge,
                    state: at,
                    target,
                    inner: Vec::new(),
                },
                iterations: self.iterations,
                previous,
                path: *next,
            });
        }
    }

    /// A word, repeated until it is left by this edge, and the other exits.
    fn repeat(
        &mut self,
        transitions: &mut Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        word: &[Letter],
        left_by: (PathId, PathId),
    ) -> Result<(), NoTemplate> {
        let following = following(self.body, transitions, pool, oracle, &self.state, word)?;
        let mut onward = None;
        for (mut way, is_determined) in following {
            way.iterations = pool.add(self.iterations, way.iterations);
            if onward.is_none() && is_determined && way.edge() == left_by {
                onward = Some(way);
            } else {
                self.ways.push(way);
            }
        }
        let Some(onward) = onward else {
            return Err(NoTemplate::InnerLoop {
                why: "the number of its iterations is not determined".to_owned(),
                span: self.body.span,
            });
        };
        self.iterations = onward.iterations;
        self.state = onward.exit.state;
        Ok(())
    }

    fn close(self, pool: &mut TermPool, oracle: &mut dyn Oracle) -> Result<Phase, NoTemplate> {
        let body = self.body;
        let iteration = Iteration {
            end: self.state,
            span: body.span,
        };
        let mut turnings = Vec::with_capacity(self.ways.len());
        let mut ways = Vec::with_capacity(self.ways.len());
        for way in self.ways {
            turnings.push(Turning {
                iterations: way.iterations,
                previous: way.previous,
                path: way.path,
            });
            ways.push(way.exit);
        }
        let length = Count::of(body, pool, &iteration.end, self.iterations)?;
        let other = mentions_others(pool, body.entry, &iteration, &ways, body.live);
        if let Some(symbol) = other {
            return Err(NoTemplate::InnerLoop {
                why: format!("{} is left open by it", pool.symbol_name(symbol)),
                span: body.span,
            });
        }
        let executed = ExecutedOnce {
            machine: body.machine,
            entry: body.entry,
            iteration: &iteration,
            ways: &ways,
            live: body.live,
            region: Region::Loop(Rc::clone(&body.natural)),
            counting: Counting::States,
        };
        let template = executed.template(pool, oracle)?;
        let closed = template.progressions.iter();
        let mut closed: IndexMap<SymbolId, TermId> =
            closed.map(|found| (found.symbol, found.value)).collect();
        let own = body.entry.symbols();
        for turning in &mut turnings {
            for symbol in pool.symbols_of(turning.iterations).to_vec() {
                let value = pool.symbol_term(symbol);
                let is_known = closed.contains_key(&symbol) || !own.contains_key(&symbol);
                if !is_known && body.in_state(pool, &iteration.end, value) != value {
                    return Err(body.irregular("how long one of them is taken in each turn"));
                }
            }
            turning.iterations = pool.substitute(turning.iterations, &mut closed);
        }
        Ok(Phase {
            length,
            template,
            turnings,
        })
    }
}

impl Count {
    /// A number in the first repetition of a word, which ends in this state; later ones have another,
    /// which is the same in all of them.
    fn of(
        body: &Body,
        pool: &mut TermPool,
        end: &State,
        first: TermId,
    ) -> Result<Count, NoTemplate> {
        let later = body.in_state(pool, end, first);
        if body.in_state(pool, end, later) != later {
            return Err(body.irregular("how long one of them is taken in each turn"));
        }
        Ok(Count { first, later })
    }

    /// The sum over κ repetitions, where κ has [`ITERATION_BITS`].
    pub fn sum(self, pool: &mut TermPool, kappa: TermId) -> TermId {
        if self.first == self.later {
            return pool.mul(kappa, self.first);
        }
        let zero = pool.bv(ITERATION_BITS, 0);
        let one = pool.bv(ITERATION_BITS, 1);
        let is_none = pool.eq(kappa, zero);
        let rest = pool.sub(kappa, one);
        let rest = pool.mul(rest, self.later);
        let sum = pool.add(self.first, rest);
        pool.ite(is_none, zero, sum)
    }
}
