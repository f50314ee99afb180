//! The ways through an automaton, each composed into one exit of the loop's template.

use super::body::Body;
use super::build::{Automaton, Transitions};
use super::classify::Interleaving;
use super::phase::ITERATION_BITS;
use super::word::Letter;
use super::{AutomatonPolicy, PathId};
use crate::determined::{Left, needed_part};
use crate::entry::Entry;
use crate::explore::Explored;
use crate::natural::LoopContext;
use crate::{ExitTarget, KAPPA, NoTemplate, Region, Template, TemplateExit};
use flowgraph::EdgeId;
use semantics::{Admission, Oracle, State};
use std::rc::Rc;
use term::{Sort, SymbolId, TermId, TermPool, Work};

/// The result for a loop without an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Otherwise {
    NoTemplate,
    /// The template of all paths merged.
    Merged,
}

/// The template of a loop by its automaton, for states of the shape of the entry.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub(crate) fn compute_automaton_template(
    context: &LoopContext,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    entry: &Entry,
    explored: &Explored,
    policy: &AutomatonPolicy,
    otherwise: Otherwise,
) -> Result<Template, NoTemplate> {
    let body = Body::new(context, pool, entry, explored)?;
    let start = pool.work();
    if body.paths.iter().any(|path| !path.inputs.is_empty()) {
        return Err(body.irregular("they read inputs"));
    }
    if body.paths.iter().filter(|path| path.stays).count() < 2 {
        return Err(body.irregular("nothing: there is one only"));
    }
    if otherwise == Otherwise::Merged && body.takes_remainders(pool) {
        return Err(body.irregular("remainders"));
    }
    let mut transitions = Transitions::of(&body, pool, oracle, policy)?;
    let mut interleaving = transitions.interleaving(&body, pool, oracle, policy);
    if interleaving == Interleaving::Irregular
        && let Some(mut later) = transitions.after_the_first(&body, pool, oracle)
    {
        let of_later = later.interleaving(&body, pool, oracle, policy);
        if of_later != Interleaving::Irregular {
            (transitions, interleaving) = (later, of_later);
        }
    }
    let (most_phases, work) = match (interleaving, otherwise) {
        (Interleaving::Sequential | Interleaving::Periodic, _) => (policy.most_phases, policy.work),
        (Interleaving::Irregular, Otherwise::NoTemplate) => {
            (policy.most_phases_irregular, policy.work_irregular)
        }
        (Interleaving::Irregular, Otherwise::Merged) => {
            return Err(body.irregular("the order in which they are taken"));
        }
    };
    let search = Search {
        body: &body,
        transitions,
        policy,
        most_phases,
        end: start + work,
        exits: Vec::new(),
        counters: Vec::new(),
        objects: Vec::new(),
        n_phases: 0,
    };
    search.template(pool, oracle)
}

/// The automaton of a loop, for people.
///
/// # Errors
/// Why there is none: see [`NoTemplate`].
pub(crate) fn describe_automaton(
    context: &LoopContext,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    entry: &Entry,
    explored: &Explored,
    policy: &AutomatonPolicy,
) -> Result<Automaton, NoTemplate> {
    let body = Body::new(context, pool, entry, explored)?;
    let transitions = Transitions::of(&body, pool, oracle, policy)?;
    Ok(transitions.describe(&body, pool, oracle, policy))
}

/// A state at the header on a way through the automaton.
struct Visit {
    /// It implies that `next` is taken.
    state: State,
    /// The path of the iteration before, if there was one.
    previous: Option<PathId>,
    next: PathId,
    /// Iterations so far, a term of [`ITERATION_BITS`].
    iterations: TermId,
    /// The phases so far whose numbers of iterations are open: how they were left, and the counter.
    open: Vec<(EdgeId, SymbolId)>,
}

struct Search<'a> {
    body: &'a Body<'a>,
    transitions: Transitions,
    policy: &'a AutomatonPolicy,
    most_phases: usize,
    /// The work at which the search is abandoned.
    end: Work,
    exits: Vec<TemplateExit>,
    counters: Vec<SymbolId>,
    /// The objects that some way writes.
    objects: Vec<memory::ObjectId>,
    n_phases: usize,
}

impl Search<'_> {
    fn template(
        mut self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
    ) -> Result<Template, NoTemplate> {
        self.search(pool, oracle)?;
        let entry = self.body.entry;
        let kappa = pool.symbol(KAPPA, Sort::Bv(ITERATION_BITS));
        self.objects.sort_unstable();
        self.objects.dedup();
        Ok(Template {
            entry: entry.state.location,
            region: Region::Loop(Rc::clone(&self.body.natural)),
            shape: entry.shape(self.body.machine.program.pointer_bits, self.objects),
            symbols: entry.symbols(),
            kappa,
            inputs: Vec::new(),
            inner_counters: self.counters,
            progressions: Vec::new(),
            aligned: self.body.aligned.clone(),
            exits: self.exits,
        })
    }

    /// Finds all ways, in the order of the paths by which they begin.
    fn search(&mut self, pool: &mut TermPool, oracle: &mut dyn Oracle) -> Result<(), NoTemplate> {
        let zero = pool.bv(ITERATION_BITS, 0);
        let start = &self.body.entry.state;
        let mut places = Vec::new();
        for path in self.body.ids() {
            let condition = self.body.get(path).effect.condition;
            if oracle.admits(pool, &start.path_cond, condition) == Admission::Infeasible {
                continue;
            }
            let loop_path = self.body.get(path);
            if loop_path.stays {
                let mut state = start.clone();
                state.path_cond.assume(pool, condition);
                places.push(Visit {
                    state,
                    previous: None,
                    next: path,
                    iterations: zero,
                    open: Vec::new(),
                });
            } else {
                let state = loop_path.state.clone();
                self.leave(pool, path, &state, zero, Vec::new())?;
            }
        }
        places.reverse();
        while let Some(place) = places.pop() {
            self.n_phases += 1;
            let is_enough = self.n_phases > self.most_phases || pool.work() > self.end;
            if is_enough {
                return Err(NoTemplate::TooManyPaths(self.body.span));
            }
            if oracle.is_exhausted() {
                return Err(NoTemplate::Limit(self.body.span));
            }
            let mut next = self.go_on(pool, oracle, &place)?;
            next.reverse();
            places.extend(next);
        }
        Ok(())
    }

    /// One more way through.
    fn leave(
        &mut self,
        pool: &mut TermPool,
        path: PathId,
        state: &State,
        iterations: TermId,
        open: Vec<(EdgeId, SymbolId)>,
    ) -> Result<(), NoTemplate> {
        let leaving = &self.body.get(path).effect;
        self.leave_by(
            pool,
            leaving.edge,
            leaving.target.clone(),
            state,
            iterations,
            open,
        )
    }

    fn leave_by(
        &mut self,
        pool: &mut TermPool,
        edge: EdgeId,
        target: ExitTarget,
        state: &State,
        iterations: TermId,
        open: Vec<(EdgeId, SymbolId)>,
    ) -> Result<(), NoTemplate> {
        if self.exits.len() >= self.policy.most_ways {
            return Err(NoTemplate::TooManyPaths(self.body.span));
        }
        let exit = self.body.exit(pool, state, edge, target)?;
        self.objects.extend(self.body.objects_of(state));
        self.exits.push(TemplateExit {
            iterations: Some(iterations),
            inner: open,
            ..exit
        });
        Ok(())
    }

    /// How a way continues: by a turn where the edge begins one, by the path as long as it follows
    /// itself, or by one iteration, as the first one does where it is distinguished.
    fn go_on(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        place: &Visit,
    ) -> Result<Vec<Visit>, NoTemplate> {
        let next = place.next;
        if place.previous.is_none() && self.transitions.is_first_apart() {
            return self.once(pool, oracle, place);
        }
        let longest = self.policy.longest_turn;
        let turn = place.previous.and_then(|previous| {
            let edge = (previous, next);
            self.transitions
                .turn(self.body, pool, oracle, edge, longest)
        });
        match turn {
            Some(turn) => self.repeat(pool, oracle, place, turn.word),
            None if self.transitions.repeats(next) => {
                self.repeat(pool, oracle, place, vec![Letter::Once(next)])
            }
            None => self.once(pool, oracle, place),
        }
    }

    /// One iteration along the next path.
    fn once(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        place: &Visit,
    ) -> Result<Vec<Visit>, NoTemplate> {
        let state = self.body.take(pool, &place.state, place.next).leave(pool);
        let one = pool.bv(ITERATION_BITS, 1);
        let iterations = pool.add(place.iterations, one);
        let mut places = Vec::new();
        let successors = match place.previous {
            Some(_) => self.transitions.after(place.next),
            None => self.transitions.after_first(place.next),
        };
        let successors = successors.to_vec();
        for path in successors {
            let taken = self.body.take(pool, &state, path);
            let condition = taken.condition;
            if oracle.admits(pool, &state.path_cond, condition) == Admission::Infeasible {
                continue;
            }
            if self.body.get(path).stays {
                let mut state = state.clone();
                state.path_cond.assume(pool, condition);
                places.push(Visit {
                    state,
                    previous: Some(place.next),
                    next: path,
                    iterations,
                    open: place.open.clone(),
                });
            } else {
                let left = taken.leave(pool);
                self.leave(pool, path, &left, iterations, place.open.clone())?;
            }
        }
        Ok(places)
    }

    /// A phase, up to each path that may take over.
    fn repeat(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        place: &Visit,
        word: Vec<Letter>,
    ) -> Result<Vec<Visit>, NoTemplate> {
        let phase = self.transitions.phase(self.body, pool, oracle, word)?;
        let template = &phase.template;
        if !template.shape.matches(pool, &place.state) {
            return Err(self.body.irregular("what pointers point into"));
        }
        let mut places = Vec::new();
        for (number, exit) in template.exits.iter().enumerate() {
            let mut left = Left::by(pool, oracle, template, &place.state, exit);
            let condition = left.condition;
            if oracle.admits(pool, &place.state.path_cond, condition) == Admission::Infeasible {
                continue;
            }
            let condition = needed_part(pool, oracle, &place.state, condition, left.open);
            let mut open = place.open.clone();
            if let Some(counter) = left.open {
                open.push((exit.edge, counter));
                self.counters.push(counter);
            }
            for (edge, counter) in left.application.inner(pool, exit) {
                open.push((edge, counter));
                self.counters.push(counter);
            }
            let state = left.application.leave(pool, exit, condition);
            let turning = phase.turnings.get(number);
            let iterations = phase.iterations(pool, turning);
            let iterations = left.application.compose(pool, iterations);
            let iterations = pool.add(place.iterations, iterations);
            let Some(turning) = turning else {
                // The phase continues for too long.
                let target = exit.target.clone();
                self.leave_by(pool, exit.edge, target, &state, iterations, open)?;
                continue;
            };
            if self.body.get(turning.path).stays {
                places.push(Visit {
                    state,
                    previous: Some(turning.previous),
                    next: turning.path,
                    iterations,
                    open,
                });
            } else {
                self.leave(pool, turning.path, &state, iterations, open)?;
            }
        }
        Ok(places)
    }
}
