//! Closing of states that imply an annotation of their location.
//!
//! An *annotation* is a condition on the registers of a program point, a location with the return locations
//! of its callers. No execution from a state that satisfies it violates the property or ends in a way that
//! keeps the verdict open. A state that implies the annotation of its point is closed. Unlike a covered state
//! it need not resemble an earlier state: the annotation only contains conditions that the paths after the
//! point needed.
//!
//! ```text
//! path ends --back along its points--> weakest precondition over the steps of the point --> annotation
//! header comes again --runs of the body--> candidates --inductive?--> annotation of the loop
//! ```
//!
//! # Annotations of finished subtrees
//! When the subtree of a state is finished, its point is annotated with the weakest precondition of its
//! steps: a conjunction over the outgoing steps, each (condition of the step → annotation of the next point).
//! If no path has reached the next point, it is annotated first, up to a number of steps ahead. A step to a
//! point without annotation counts as a step to an error, so that its condition has to be false. If the state
//! satisfies the requirement of a step anyway, the condition of the step is dropped (an interpolant instead
//! of the weakest precondition), since otherwise annotations would grow with each branching. Inputs of a step
//! are arbitrary: fresh symbols, for all values of which the annotation has to hold.
//!
//! # Annotations of loops
//! A state that returns to a loop's header cannot wait until the subtree of the header is finished. So runs
//! of the loop's body propose conditions, and those that are inductive for all headers of the nest are kept
//! (the module `induction`); together they annotate the headers if they exclude all errors.
//!
//! # Invariants
//! - An annotation is valid independently of the path that led to it: it implies the weakest precondition of
//!   its steps over the annotations of the next points, those of a loop over each other. So no violation is
//!   within any number of steps, and the search order does not matter.
//! - The annotation of a loop mentions no input that is read after its header.
//! - Accesses to memory count as errors for annotations, which are conditions on registers.
//!
//! # Deliberately absent
//! Ends in undefined behaviour at which executions end by option, and traps, are no errors: they are noted only
//! on paths that were executed, not behind states that were closed here.
//!
//! # Source
//! The thesis on microc, Sections 4.2 and 5.4.2, after McMillan, *Lazy Annotation for Program Testing and
//! Verification*, CAV 2010. There an annotation is kept if each of its disjuncts is inductive; here the
//! candidates are conjuncts (Flanagan, Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001).

mod candidates;
mod induction;
mod needed;
mod point;
mod policy;
mod trail;
mod ways;

pub use self::point::Point;
pub use self::policy::AnnotationPolicy;

/// Where a path came by, with the states that it had there.
pub type Trail = trail::Trail<(Point, State)>;

use self::point::Registers;
use self::ways::{Then, Ways};
use flowgraph::ProgramFacts;
use indexmap::IndexMap;
use property::Property;
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Location, Machine, State};
use std::rc::Rc;
use std::time::{Duration, Instant};
use template::SolverOracle;
use term::{TermId, TermPool, Work};

type Map<K, V> = IndexMap<K, V, FxBuildHasher>;

/// Numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnnotationStatistics {
    /// States that were closed.
    pub n_closed: u64,
    /// States of which the solver was asked, or which implied an annotation as it stands.
    pub n_checked: u64,
    /// Points that have an annotation.
    pub n_points: u64,
    /// Headers whose annotation is inductive.
    pub n_headers: u64,
    /// Spent on all that.
    pub time: Duration,
    pub work: Work,
}

/// A condition under which nothing bad comes behind a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub location: Location,
    /// How many calls are around it.
    pub n_callers: usize,
    /// A formula, for people, over names of registers and of what is read later.
    pub condition: String,
    /// Whether it is that of a loop's header, for all iterations.
    pub is_inductive: bool,
}

/// What is known of a point.
struct Known {
    condition: TermId,
    is_inductive: bool,
}

/// What came to a place where endless paths come by.
#[derive(Default)]
struct Seen {
    n_visits: u64,
    /// The first of them, and the latest.
    states: Vec<State>,
}

/// What the parts of a run give for annotations.
pub struct Means<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub facts: &'a ProgramFacts<'p>,
    pub pool: &'a mut TermPool,
    pub oracle: &'a mut SolverOracle,
    pub property: Property,
}

impl Means<'_, '_> {
    /// Whether endless paths may come by there: the header of a loop, or the entry of a function.
    fn is_place(&self, point: &Point) -> bool {
        let Location { function, node } = point.location;
        self.facts.places()[function.index()].contains(node.index())
    }
}

/// The annotations of a run.
pub struct Annotations {
    registers: Registers,
    known: Map<Point, Known>,
    seen: Map<Point, Seen>,
    /// Points to which no path has come, and behind which was looked.
    looked_at: FxHashSet<Point>,
    policy: AnnotationPolicy,
    pub statistics: AnnotationStatistics,
}

impl Annotations {
    pub fn new(policy: AnnotationPolicy) -> Annotations {
        Annotations {
            registers: Registers::default(),
            known: Map::default(),
            seen: Map::default(),
            looked_at: FxHashSet::default(),
            policy,
            statistics: AnnotationStatistics::default(),
        }
    }

    /// All that were found, by location.
    pub fn list(&self, pool: &TermPool) -> Vec<Annotation> {
        let mut all: Vec<Annotation> = (self.known.iter())
            .map(|(point, known)| Annotation {
                location: point.location,
                n_callers: point.level(),
                condition: pool.display(known.condition).to_string(),
                is_inductive: known.is_inductive,
            })
            .collect();
        all.sort_by_key(|annotation| (annotation.n_callers, annotation.location));
        all
    }

    /// Whether nothing bad can come behind a state that is about to go on, as far as annotations
    /// know. A loop's header is annotated now, if this is the time.
    pub fn closes(&mut self, means: &mut Means, state: &State) -> bool {
        let Some(point) = Point::of(state) else {
            return false;
        };
        let Location { function, node } = state.location;
        let is_place = means.is_place(&point);
        let is_join = means
            .machine
            .program
            .function(function)
            .in_edges(node)
            .len()
            > 1;
        if !(is_place || is_join) || !self.has_share(means.pool.work()) {
            return false;
        }
        self.measured(means, |annotations, means| {
            if annotations.implies(means, &point, state) {
                return true;
            }
            is_place
                && annotations.is_due(&point, state)
                && annotations.annotate_loop(means, &point)
                && annotations.implies(means, &point, state)
        })
    }

    /// The subtrees of a path's points are finished, from its end up to one that is still open.
    pub fn finish(&mut self, means: &mut Means, trail: Rc<Trail>) {
        let mut next = Some(trail);
        while let Some(((point, state), before)) = next.take().and_then(Trail::finished) {
            next = before;
            if self.has_share(means.pool.work()) {
                self.measured(means, |annotations, means| {
                    annotations.annotate(
                        means,
                        &point,
                        Some(&state),
                        annotations.policy.steps_ahead,
                    );
                });
            }
        }
    }

    /// Does something whose time and work count.
    fn measured<'p, T>(
        &mut self,
        means: &mut Means<'_, 'p>,
        act: impl FnOnce(&mut Annotations, &mut Means<'_, 'p>) -> T,
    ) -> T {
        let (started, before) = (Instant::now(), means.pool.work());
        let result = act(self, means);
        self.statistics.time += started.elapsed();
        self.statistics.work += means.pool.work() - before;
        self.statistics.n_points = self.known.len() as u64;
        result
    }

    /// Whether annotations have taken less than their share of all work, which grows with what they
    /// close.
    fn has_share(&self, all: Work) -> bool {
        let policy = &self.policy;
        let AnnotationStatistics {
            n_closed,
            n_checked,
            work,
            ..
        } = self.statistics;
        let closed = u32::try_from(100 * n_closed / n_checked.max(1)).unwrap_or(100);
        let more = closed.saturating_mul(policy.percent_a_percent);
        let share = policy.percent.saturating_add(more).min(50);
        work <= policy.at_least + all.percent(share)
    }

    /// Notes a state at a place, and whether its loop is to be looked at: at the second and third
    /// state, and then at one of twice as many.
    fn is_due(&mut self, point: &Point, state: &State) -> bool {
        let seen = self.seen.entry(point.clone()).or_default();
        seen.n_visits += 1;
        // The first, and the latest.
        seen.states
            .truncate(self.policy.most_states.saturating_sub(1));
        seen.states.push(state.clone());
        seen.n_visits == 3 || (seen.n_visits > 1 && seen.n_visits.is_power_of_two())
    }

    /// Whether a state implies the annotation of its point; it is closed then.
    fn implies(&mut self, means: &mut Means, point: &Point, state: &State) -> bool {
        let Some(known) = self.known.get(point) else {
            return false;
        };
        self.statistics.n_checked += 1;
        let implied = self.holds(means, state, known.condition);
        self.statistics.n_closed += u64::from(implied);
        implied
    }

    /// Whether a state's values satisfy a condition on the registers of its point.
    fn holds(&self, means: &mut Means, state: &State, condition: TermId) -> bool {
        let needed = self.registers.instance(means.pool, condition, state);
        if means.pool.is_const(needed) {
            return means.pool.is_true(needed);
        }
        let work = means.oracle.queries.subsumption;
        (means.oracle).implies(means.pool, &state.path_cond.to_vec(), &[needed], work)
    }

    /// Annotates a point by the weakest precondition of its steps, in place of what was known; points so
    /// many steps behind it that have none, as no path has come there, are annotated first.
    ///
    /// Where a state that came to the point has all that a way leads to anyway, the condition of the way is
    /// left out: what is annotated is stronger, but does not tell apart what need not be told.
    fn annotate(&mut self, means: &mut Means, point: &Point, state: Option<&State>, ahead: u32) {
        if self
            .known
            .get(point)
            .is_some_and(|known| known.is_inductive)
        {
            return;
        }
        let general = self.registers.general(means.machine, means.pool, point);
        let ways = Ways::of(means, &general, &mut self.registers);
        let mut condition = TermId::TRUE;
        for way in ways {
            let needed = match way.then {
                Then::Safe => continue,
                Then::Bad => TermId::FALSE,
                Then::On => self.needed_on(means, &way.state, ahead),
            };
            let holds_anyway = state.is_some_and(|state| self.holds(means, state, needed));
            let needed = if holds_anyway {
                needed
            } else {
                implication(means.pool, &way.state, needed)
            };
            condition = means.pool.and(condition, needed);
        }
        if !means.pool.is_false(condition) && means.pool.size(condition) <= self.policy.most_size {
            let known = Known {
                condition,
                is_inductive: false,
            };
            self.known.insert(point.clone(), known);
        }
    }

    /// The annotation of the point of a state, for its values; false where it has none.
    fn needed_on(&mut self, means: &mut Means, state: &State, ahead: u32) -> TermId {
        let Some(point) = Point::of(state) else {
            return TermId::FALSE;
        };
        if let Some(next) = ahead.checked_sub(1)
            && !self.known.contains_key(&point)
            && !means.is_place(&point)
            && self.looked_at.insert(point.clone())
        {
            self.annotate(means, &point, None, next);
        }
        match self.known.get(&point) {
            Some(known) => (self.registers).instance(means.pool, known.condition, state),
            None => TermId::FALSE,
        }
    }
}

/// The path condition of a way, as a formula.
fn condition_of(pool: &mut TermPool, way: &State) -> TermId {
    let mut condition = TermId::TRUE;
    for conjunct in way.path_cond.to_vec() {
        condition = pool.and(condition, conjunct);
    }
    condition
}

/// That a way leads to what is needed, if it is taken.
fn implication(pool: &mut TermPool, way: &State, needed: TermId) -> TermId {
    let condition = condition_of(pool, way);
    let excluded = pool.not(condition);
    pool.or(excluded, needed)
}
