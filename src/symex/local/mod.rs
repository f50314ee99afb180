//! Local techniques: alternatives to a classic step for continuing a state at a location.
//!
//! They are tried in order until one applies; otherwise the state takes a classic step. Each decides where it
//! applies; a further one is a file with an entry in
//! [`LocalTechniques::of`].
//!
//! ```text
//! cut --> path without choice, if better than a fold --> templates of loops and cycles
//!     --> templates of recursion --> path without choice --> classic step
//! ```
//!
//! # Invariants
//! - The successors proposed by a technique cover all continuations of the state.
//!
//! # Deliberately absent
//! No queue and no tree: a technique returns successors, the executor records them.

mod ahead;
mod cut;
mod fold;
mod recursion;
mod step;

use self::ahead::{LookAhead, TakeAhead};
use self::cut::Cut;
use self::fold::Fold;
use self::recursion::FoldCalls;
use super::concrete::Ahead;
use super::options::ExecutionOptions;
use super::path::PathSoFar;
use super::run::Run;
use invariants::{CutHandling, CutStack};
use property::Reason;
use semantics::{State, Successors};
use std::ops::ControlFlow;
use template::Region;
use term::TermId;

/// Region and path counter of the template that made a state, if one did.
pub(super) type Folded = Option<(Region, TermId)>;

/// A state that is about to continue.
pub(super) struct Standing {
    pub state: State,
    /// Where the path leads without choice, if it was followed and not taken yet.
    pub ahead: Option<Box<Ahead>>,
}

/// How a state continues.
pub(super) enum Course {
    /// By these successors, which a template made where it is given.
    By(Successors, Folded),
    /// By those of several templates, of which the first alone stands for all that the state leads to.
    ByEach(Vec<(Successors, Folded)>),
    /// By a classic step from each of these states, with their cuts.
    Apart(Vec<(State, CutStack)>),
    /// The only path from it was followed.
    Ahead(Box<Ahead>),
    /// A query stayed open in the middle of an edge, so that the step is done again later.
    Open(Box<State>),
    /// It does not: another state stands for it.
    Closed,
    /// It cannot.
    Stuck(Reason),
}

/// A technique's answer: how the state continues, or the state for the next technique.
pub(super) type Proposal = ControlFlow<Course, Standing>;

/// An alternative to a classic step.
pub(super) trait LocalTechnique {
    /// How the state at the end of a path continues. If the technique does not know, the state, or
    /// one that stands for it.
    fn propose(&self, run: &mut Run, path: &mut PathSoFar, standing: Standing) -> Proposal;
}

/// The techniques of a run.
pub(super) struct LocalTechniques {
    /// In the order in which they are asked.
    all: Vec<Box<dyn LocalTechnique>>,
    /// Whether templates are among them.
    folds: bool,
}

impl LocalTechniques {
    /// Those for these options; `folds` decides whether templates are used.
    pub fn of(options: &ExecutionOptions, folds: bool) -> LocalTechniques {
        let mut techniques: Vec<Box<dyn LocalTechnique>> = Vec::new();
        let cuts = options.cuts != CutHandling::Ignore;
        if cuts {
            techniques.push(Box::new(Cut));
        } else if options.record_tree.is_none() {
            // A tree shows each step.
            techniques.push(Box::new(LookAhead));
        }
        if folds {
            techniques.push(Box::new(Fold));
            if !cuts {
                // Cuts compare states by their frames.
                techniques.push(Box::new(FoldCalls));
            }
        }
        techniques.push(Box::new(TakeAhead));
        LocalTechniques {
            all: techniques,
            folds,
        }
    }

    /// Whether templates are used.
    pub fn folds(&self) -> bool {
        self.folds
    }

    /// How a state continues, by the first technique that knows, or by a classic step.
    pub fn course(&self, run: &mut Run, path: &mut PathSoFar, state: State) -> Course {
        let mut standing = Standing { state, ahead: None };
        for technique in &self.all {
            match technique.propose(run, path, standing) {
                ControlFlow::Break(course) => return course,
                ControlFlow::Continue(next) => standing = next,
            }
        }
        let work = run.options.budget.queries.at_first();
        run.classic_step(standing.state, work)
    }
}
