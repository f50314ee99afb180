//! Annotations of loops, for all iterations.
//!
//! ```text
//! segments: from each header of the nest along all paths to the next header, exit or end
//! runs:     S₀ = true, Sₖ₊₁ = precondition of the segments without violation and with Sₖ afterwards
//! propose:  conjuncts and comparisons of S₁, S₂, …; those that hold in the states seen so far
//! keep:     those that hold at the end of each segment where all hold at its beginning, until all do
//! conclude: if they imply S₁, those of them that are needed annotate the headers
//! ```
//!
//! All headers of a nest, including the entries of functions called in it, are treated together, since the
//! invariant of an inner loop depends on that of the enclosing loop (Section 4.2.2 of the thesis). If the
//! whole nest has none, the inner loops around the point are tried alone.

use super::candidates::{Candidates, propose};
use super::needed::needed;
use super::ways::{Then, Ways};
use super::{Annotations, Known, Map, Means, Point, condition_of, implication};
use crate::houdini::{Guess, Houdini, Step, implied};
use flowgraph::Loop;
use semantics::State;
use term::{TermId, TermPool, Work};

/// The end of a segment.
pub(super) enum End {
    /// Nothing may come there.
    Bad,
    /// A point with an annotation.
    Annotated(TermId),
    /// A header of the nest.
    Header(Point),
}

/// A path from a header to the next, or out of the nest.
pub(super) struct Segment {
    /// Over the symbols of the registers at its beginning.
    pub state: State,
    pub end: End,
}

/// The headers of a nest, with the segments that begin there.
pub(super) type Nest = Map<Point, Vec<Segment>>;

/// For each header what may hold there.
pub(super) type Guesses = Map<Point, Candidates>;

impl Annotations {
    /// Looks for an annotation of a loop's header, in the largest nest for which there is one.
    pub(super) fn annotate_loop(&mut self, means: &mut Means, header: &Point) -> bool {
        let function = means.machine.program.function(header.location.function);
        let loops = function.loops();
        let mut around = Vec::new();
        let mut next = loops.innermost(header.location.node);
        while let Some(id) = next {
            let natural = &loops.loops[id.index()];
            around.push(natural);
            next = natural.parent;
        }
        around.into_iter().rev().any(|natural| {
            let nest = self.nest(means, header, natural);
            nest.is_some_and(|nest| self.annotate_nest(means, &nest))
        })
    }

    /// The segments of a nest, the first from this header; `None` where they are too many.
    fn nest(&mut self, means: &mut Means, header: &Point, natural: &Loop) -> Option<Nest> {
        let is_inside = |point: &Point| {
            let location = point.within(header);
            location.is_some_and(|location| natural.body.contains(location.node.index()))
        };
        let mut nest = Nest::default();
        let mut open = vec![header.clone()];
        let mut n_ways = 0;
        while let Some(start) = open.pop() {
            if nest.contains_key(&start) {
                continue;
            }
            let general = self.registers.general(means.machine, means.pool, &start);
            let mut segments = Vec::new();
            let mut states = vec![general];
            while let Some(state) = states.pop() {
                n_ways += 1;
                if n_ways > self.policy.most_ways {
                    return None;
                }
                for way in Ways::of(means, &state, &mut self.registers) {
                    let end = match way.then {
                        Then::Safe => continue,
                        Then::Bad => End::Bad,
                        Then::On => match self.end_at(means, &way.state, &is_inside) {
                            Some(end) => end,
                            None => {
                                states.push(way.state);
                                continue;
                            }
                        },
                    };
                    if let End::Header(next) = &end {
                        open.push(next.clone());
                    }
                    let state = way.state;
                    segments.push(Segment { state, end });
                }
            }
            nest.insert(start, segments);
        }
        Some(nest)
    }

    /// What a segment ends with that has come to a state; `None` where it goes on.
    fn end_at(
        &self,
        means: &Means,
        state: &State,
        is_inside: &dyn Fn(&Point) -> bool,
    ) -> Option<End> {
        let Some(point) = Point::of(state) else {
            return Some(End::Bad);
        };
        let is_place = means.is_place(&point);
        if is_inside(&point) {
            return is_place.then_some(End::Header(point));
        }
        match self.known.get(&point) {
            Some(known) => Some(End::Annotated(known.condition)),
            None => is_place.then_some(End::Bad),
        }
    }

    fn annotate_nest(&mut self, means: &mut Means, nest: &Nest) -> bool {
        let work = means.oracle.queries.candidate;
        let (first, mut guesses) = self.proposed(means, nest);
        for (header, candidates) in &mut guesses {
            let states = self.seen.get(header).map(|seen| seen.states.clone());
            for state in states.unwrap_or_default() {
                let premises = state.path_cond.to_vec();
                let instances: Vec<TermId> = (candidates.iter())
                    .map(|one| self.registers.instance(means.pool, *one, &state))
                    .collect();
                let mut follow = each_implied(means, &premises, &instances, work).into_iter();
                candidates.retain(|_| follow.next() == Some(true));
            }
        }
        let Some(guesses) = self.inductive(means, nest, guesses, work) else {
            return false;
        };
        let excludes_errors = nest.keys().all(|header| {
            let premises: Vec<TermId> = guesses[header].iter().copied().collect();
            each_implied(means, &premises, &[first[header]], work) == [true]
        });
        if excludes_errors {
            let needed = needed(means, &self.registers, nest, &guesses, &first, work);
            for (header, candidates) in needed {
                let mut condition = TermId::TRUE;
                for candidate in candidates {
                    condition = means.pool.and(condition, candidate);
                }
                let known = Known {
                    condition,
                    is_inductive: true,
                };
                self.known.insert(header, known);
                self.statistics.n_headers += 1;
            }
        }
        excludes_errors
    }

    /// For each header S₁, and what the runs of the body propose.
    fn proposed(&mut self, means: &mut Means, nest: &Nest) -> (Map<Point, TermId>, Guesses) {
        let mut guesses: Guesses = nest
            .keys()
            .map(|one| (one.clone(), Candidates::default()))
            .collect();
        let mut needed: Map<Point, TermId> =
            nest.keys().map(|one| (one.clone(), TermId::TRUE)).collect();
        let mut first = None;
        for _ in 0..self.policy.runs {
            let next: Map<Point, TermId> = nest
                .iter()
                .map(|(header, segments)| (header.clone(), self.run(means.pool, segments, &needed)))
                .collect();
            let size = |condition: &TermId| means.pool.size(*condition);
            if first.is_some() && next.values().any(|one| size(one) > self.policy.most_size) {
                break;
            }
            for (header, condition) in &next {
                let found = &mut guesses[header];
                propose(means.pool, *condition, self.policy.most_candidates, found);
            }
            first.get_or_insert_with(|| next.clone());
            needed = next;
        }
        for candidates in guesses.values_mut() {
            candidates.retain(|one| self.registers.is_about_state(means.pool, *one));
        }
        (first.unwrap_or(needed), guesses)
    }

    /// What has to hold at a header so that nothing bad comes in its segments, and at the headers
    /// behind them what is needed there.
    fn run(
        &self,
        pool: &mut TermPool,
        segments: &[Segment],
        needed: &Map<Point, TermId>,
    ) -> TermId {
        let mut all = TermId::TRUE;
        for Segment { state, end } in segments {
            let behind = match end {
                End::Bad => TermId::FALSE,
                End::Annotated(condition) => self.registers.instance(pool, *condition, state),
                End::Header(header) => self.registers.instance(pool, needed[header], state),
            };
            let one = implication(pool, state, behind);
            all = pool.and(all, one);
        }
        all
    }

    /// Drops candidates until those left hold at the end of each segment where all of them hold at its
    /// beginning; `None` where the work ends before.
    fn inductive(
        &self,
        means: &mut Means,
        nest: &Nest,
        guesses: Guesses,
        work: Work,
    ) -> Option<Guesses> {
        let mut steps = Vec::new();
        let mut segments = Vec::new();
        for (from, leading) in nest.values().enumerate() {
            for segment in leading {
                if let End::Header(next) = &segment.end {
                    let from = vec![from];
                    let to = nest.get_index_of(next)?;
                    steps.push(Step { from, to });
                    segments.push(segment);
                }
            }
        }
        let (headers, guess): (Vec<Point>, Guess<TermId>) = (guesses.into_iter())
            .map(|(header, candidates)| (header, candidates.into_iter().collect()))
            .unzip();
        let mut houdini = Houdini::new(guess, steps.clone());
        while !houdini.is_inductive() {
            let judged = houdini.go_on(|step, guess| {
                if means.oracle.limits.exceeded() {
                    return Err(());
                }
                let (Step { from, to }, segment) = (&steps[step], segments[step]);
                let mut premises = guess[from[0]].clone();
                premises.push(condition_of(means.pool, &segment.state));
                let instances: Vec<TermId> = (guess[*to].iter())
                    .map(|one| (self.registers).instance(means.pool, *one, &segment.state))
                    .collect();
                Ok(each_implied(means, &premises, &instances, work))
            });
            judged.ok()?;
        }
        let left = houdini.guess.into_iter();
        let left = left.map(|candidates| candidates.into_iter().collect());
        Some(headers.into_iter().zip(left).collect())
    }
}

/// For each claim whether it follows from premises, which may contradict each other.
fn each_implied(
    means: &mut Means,
    premises: &[TermId],
    claims: &[TermId],
    work: Work,
) -> Vec<bool> {
    let Means { pool, oracle, .. } = means;
    implied(pool, premises, claims, &mut |pool, conjuncts, _| {
        oracle.answer(pool, conjuncts, 0, work)
    })
}
