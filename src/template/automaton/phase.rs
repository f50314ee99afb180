//! Phases: a word of paths that is repeated, as a cycle with a template of its own.
//!
//! In a word a path may stand for as many iterations as it follows itself, if the state before
//! determines how many these are: the phase of that path alone is then a part of the iteration, as
//! the template of an inner loop is. So the period of a path may be a term, as the bound of a counter
//! that is reset.

use super::PathId;
use super::body::Body;
use super::build::Transitions;
use super::word::Step;
use crate::semantics::{Admission, Oracle, State};
use crate::template::compute::close;
use crate::template::determined::{Left, needed_part};
use crate::template::iteration::{Iteration, IterationExit};
use crate::template::merge::mentions_others;
use crate::template::{ExitTarget, NoTemplate, Region, Template};
use crate::term::{CastOp, SymbolId, TermId, TermPool};
use indexmap::IndexMap;
use std::rc::Rc;

/// Iterations of a loop are counted in so many bits: no machine does more.
pub(super) const ITERATION_BITS: u32 = 64;

/// A path counter as a number of iterations of the loop.
pub(super) fn as_iterations(pool: &mut TermPool, kappa: TermId) -> TermId {
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
        word: &[Step],
    ) -> Result<Phase, NoTemplate> {
        let mut unfinished = Unfinished {
            body,
            state: body.entry.state.clone(),
            iterations: pool.bv(ITERATION_BITS, 0),
            ways: Vec::new(),
        };
        for (position, step) in word.iter().enumerate() {
            let before = position.checked_sub(1).unwrap_or(word.len() - 1);
            if let Step::Once(previous) = word[before] {
                let is_cycle = word.len() == 1;
                unfinished.turn(transitions, pool, oracle, previous, step.path(), is_cycle);
            }
            match *step {
                Step::Once(path) if word.len() == 1 => {
                    unfinished.state = body.after_one(path).clone();
                    unfinished.count_one(pool);
                }
                Step::Once(path) => {
                    unfinished.state = body.take(pool, &unfinished.state, path).leave(pool);
                    unfinished.count_one(pool);
                }
                Step::Repeated(path) => {
                    let next = word[(position + 1) % word.len()].path();
                    unfinished.repeat(transitions, pool, oracle, path, next)?;
                }
            }
        }
        unfinished.close(pool, oracle)
    }
}

/// The one staying path that takes over from a path that was repeated, if there is one only and the
/// number of iterations is determined.
pub(super) struct TakenOver {
    /// About to take it.
    pub state: State,
    pub path: PathId,
    /// How often the path before was taken: a term of [`ITERATION_BITS`].
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

/// What follows the iterations along a path, for as long as it follows itself.
struct Following {
    ways: Vec<Way>,
    taken_over: Vec<(TakenOver, Option<SymbolId>)>,
}

/// Repeats a path from a state at the header in which it is taken.
fn following(
    body: &Body,
    transitions: &mut Transitions,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    path: PathId,
) -> Result<Following, NoTemplate> {
    let mut state = state.clone();
    let condition = body.take(pool, &state, path).condition;
    state.path_cond.assume(pool, condition);
    let phase = transitions.phase(body, pool, oracle, vec![Step::Once(path)])?;
    let template = &phase.template;
    if !template.shape.matches(pool, &state) {
        return Err(body.irregular("what pointers point into"));
    }
    let mut following = Following {
        ways: Vec::new(),
        taken_over: Vec::new(),
    };
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
        let at = left.application.leave(pool, exit, condition);
        let times = as_iterations(pool, left.application.kappa);
        if body.get(turning.path).stays {
            let taken_over = TakenOver {
                state: at.clone(),
                path: turning.path,
                times,
            };
            following.taken_over.push((taken_over, left.open));
        }
        let inner = left.open.iter();
        following.ways.push(Way {
            exit: IterationExit {
                edge: exit.edge,
                state: at,
                target: exit.target.clone(),
                inner: inner.map(|counter| (exit.edge, *counter)).collect(),
            },
            iterations: times,
            previous: path,
            path: turning.path,
        });
    }
    Ok(following)
}

/// Repeats a path, where only one may take over inside the loop, after as many iterations as the
/// state determines.
pub(super) fn repeat_until_taken_over(
    body: &Body,
    transitions: &mut Transitions,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    path: PathId,
) -> Option<TakenOver> {
    let following = following(body, transitions, pool, oracle, state, path).ok()?;
    let mut candidates = following.taken_over.into_iter();
    match (candidates.next(), candidates.next()) {
        (Some((only, None)), None) => Some(only),
        _ => None,
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

    /// Iterations along a path until the next one of the word takes over, and the exits to others.
    fn repeat(
        &mut self,
        transitions: &mut Transitions,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        path: PathId,
        next: PathId,
    ) -> Result<(), NoTemplate> {
        let following = following(self.body, transitions, pool, oracle, &self.state, path)?;
        for way in following.ways {
            if way.path == next {
                continue;
            }
            self.ways.push(Way {
                iterations: pool.add(self.iterations, way.iterations),
                ..way
            });
        }
        let mut onward = following.taken_over.into_iter();
        let onward = onward.find(|(taken_over, _)| taken_over.path == next);
        let Some((taken_over, None)) = onward else {
            return Err(NoTemplate::InnerLoop {
                why: "the number of its iterations is not determined".to_owned(),
                span: self.body.span,
            });
        };
        self.iterations = pool.add(self.iterations, taken_over.times);
        self.state = taken_over.state;
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
        let region = Region::Loop(Rc::clone(&body.natural));
        let (machine, live) = (body.machine, body.live);
        let template = close(
            machine, pool, oracle, body.entry, &iteration, &ways, live, region,
        )?;
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
