//! Algorithm 2, from top to bottom.
//!
//! ```text
//! begin --> queue --advance_by_one--> execute --a closer?--> close
//!             ^                          | a technique, or a classic step (`local`)
//!             |                          v
//!             |                        go_on --open query--> defer (`deferred`)
//!             |                          | each successor
//!             |                          v
//!             |                        take --end of the path--> judge (`judge`, `leaks`)
//!             |                          |
//!             +--admit<--a closer?--insert, but for those that wait for others (`meet`)
//! ```
//!
//! Techniques for continuing, closing and ordering states are separate: see [`super`].

mod begin;
mod deferred;
mod goals;
mod guesses;
mod judge;
mod leaks;
mod meet;
mod report;

pub use self::goals::WantedGoals;
pub use self::report::Remains;

use self::deferred::{Deferred, DeferredQueue, Open};
use super::advancing::{Advance, Advancing};
use super::closing::{BEFORE_STEP, Candidate, ON_ARRIVAL};
use super::concrete::Ahead;
use super::local::{Course, Folded, LocalTechniques};
use super::merging::{Judge, Meetings, MergeStrategy};
use super::open::OpenLoops;
use super::path::PathSoFar;
use super::queue::{Priority, Queue};
use super::report::{Report, Statistics};
use super::run::Run;
use super::tree::{ExecutionTree, NodeKind, TreeNode, TreeNodeId};
use super::witness::{Confirmation, Witness};
use flowgraph::Span;
use invariants::CutHandling;
use property::{Meaning, Reason, Reasons};
use semantics::{Location, Outcome, PathEnd, State, Successors, place_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Instant;
use term::{Clock, Work};

/// A state in the queue.
struct Waiting {
    state: State,
    node: Option<TreeNodeId>,
    path: PathSoFar,
}

/// Where a state comes from.
#[derive(Clone)]
struct Origin {
    parent: Option<TreeNodeId>,
    folded: Folded,
    path: PathSoFar,
}

/// One run of Algorithm 2 over a program.
pub struct Executor<'p> {
    run: Run<'p>,
    techniques: LocalTechniques,
    queue: Queue<Waiting>,
    meetings: Meetings<Waiting>,
    judge: Judge,
    deferred: DeferredQueue,
    tree: Option<ExecutionTree>,
    reasons: Reasons,
    undefined: Reasons,
    losses: Reasons,
    /// How often it was not confirmed that what is allocated at a place is lost.
    doubts: BTreeMap<Span, u32>,
    traps: BTreeSet<Span>,
    open_loops: OpenLoops<'p>,
    /// Whether no witness will be confirmed any more.
    confirmation_abandoned: bool,
    has_begun: bool,
    is_over: bool,
    errors: Vec<Witness>,
}

impl Executor<'_> {
    /// Whether what elements of an array have in common held, so far, in an iteration of a loop that is cut.
    pub fn keeps_elements(&self) -> bool {
        let cutter = self.run.cutter.as_ref();
        cutter.is_some_and(|cutter| cutter.keeps_elements)
    }

    /// Runs until the target is reached and confirmed, the queue is empty or the budget is used
    /// up. `confirm` replays a witness; `progress` hears of every step.
    pub fn run(
        mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Report {
        while self.advance(Work::units(u64::MAX), confirm, progress) == Advance::Goes {}
        Box::new(self).finish()
    }
}

impl Advancing for Executor<'_> {
    fn clock(&self) -> Clock {
        self.run.pool.clock()
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        if !self.has_begun {
            self.begin();
        }
        let started = Instant::now();
        let table_before = self.run.table.statistics().time;
        while !self.is_over && self.run.pool.work() < until {
            self.advance_by_one(confirm, progress);
            self.refresh();
        }
        progress(&self.run.statistics);
        // Templates that were computed on the way count as templates, not as execution.
        let on_the_way = self.run.table.statistics().time - table_before;
        self.run.statistics.execution_time += started.elapsed().saturating_sub(on_the_way);
        if self.is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    fn has_effect(&self) -> bool {
        let statistics = &self.run.statistics;
        if self.techniques.folds() {
            statistics.n_applications > 0
        } else if self.run.options.merging == MergeStrategy::None {
            true
        } else {
            statistics.merging.n_merged > 0
        }
    }

    fn has_asked(&self) -> bool {
        self.run.statistics.n_queries > 0
    }

    /// Whether the run is complete: the verdict is known, or the whole program was executed without templates
    /// and all that keeps the verdict open are ends that the program has.
    fn has_settled(&self) -> bool {
        let is_complete = self.is_over && self.run.options.cuts == CutHandling::Ignore;
        let is_exact = is_complete && self.run.statistics.n_applications == 0;
        let mut reasons = self.reasons.iter().map(|(reason, _)| reason);
        (self.is_over && !self.errors.is_empty() && !self.run.options.all_errors)
            || (self.is_over && self.reasons.is_empty())
            || (is_exact && reasons.all(Reason::is_of_the_program))
    }

    fn finish(mut self: Box<Self>) -> Report {
        // A limit may have left the last queries open, so that nothing is waiting any more.
        let is_open = self.errors.is_empty() && !self.reasons.is_empty();
        if is_open
            && self.reasons.exhausted().is_none()
            && let Some(exhausted) = self.run.watch.exhausted_now(self.run.pool.work())
        {
            self.reasons.add(Reason::Exhausted(exhausted));
        }
        (*self).report()
    }
}

impl Executor<'_> {
    /// Takes one state from the queue, or asks again about one that was deferred; the run is over
    /// where there is none, where a limit is reached, and where the witness is found.
    fn advance_by_one(
        &mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) {
        if self.confirmation_abandoned || self.is_refuted() {
            self.is_over = true;
        } else if let Some(exhausted) = self.run.watch.check(self.run.pool.work()) {
            self.reasons.add(Reason::Exhausted(exhausted));
            self.is_over = true;
        } else if let Some(waiting) = self.next_on_its_way() {
            self.begin_step(waiting.state.location, progress);
            self.is_over = self.execute(waiting, confirm).is_break();
        } else if self.is_turn_of_deferred() {
            self.is_over = self.ask_again(confirm, progress).is_break();
        } else if let Some(waiting) = self.queue.pop() {
            self.begin_step(waiting.state.location, progress);
            self.is_over = self.execute(waiting, confirm).is_break();
        } else {
            self.is_over = true;
        }
    }

    /// Says where a step begins, with the numbers of those before: it may take long.
    fn begin_step(&mut self, location: Location, progress: &mut dyn FnMut(&Statistics)) {
        self.run.statistics.at = Some(location);
        progress(&self.run.statistics);
    }

    /// Takes the step that is due at a state from the queue.
    fn execute(
        &mut self,
        waiting: Waiting,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let Waiting {
            state,
            node,
            mut path,
        } = waiting;
        let is_place = self.run.is_place(state.location);
        path.iterations = path.iterations.saturating_add(u32::from(is_place));
        let mut candidate = Candidate {
            state: &state,
            path: &mut path,
            projection: None,
            confirm,
        };
        if let Some(kind) = candidate.closed_by(BEFORE_STEP, &mut self.run) {
            self.close(Waiting { state, node, path }, kind, confirm);
            return ControlFlow::Continue(());
        }
        let is_fork = {
            let function = self.run.machine.program.function(state.location.function);
            function.out_edges(state.location.node).len() > 1
        };
        let statistics = &mut self.run.statistics;
        statistics.n_visited += 1;
        statistics.n_forks += u64::from(is_fork);
        statistics.depth = statistics.depth.max(path.steps);
        if path.steps >= self.run.options.budget.path_steps {
            self.reasons.add(Reason::PathTooLong);
            self.set_kind(node, NodeKind::TooLong);
            return ControlFlow::Continue(());
        }
        let trail = self.run.record_visit(&state, &mut path);
        let fork = self.fork(&state);
        let course = self.techniques.course(&mut self.run, &mut path, state);
        path.steps += 1;
        let origin = Origin {
            parent: node,
            folded: None,
            path,
        };
        if let (Some(fork), Course::By(successors, _)) = (fork, &course) {
            self.await_ways(&fork, successors, node);
        }
        let work = self.run.options.budget.queries.at_first();
        let flow = self.go_on(course, origin, work, confirm);
        self.run.finish_subtrees(trail);
        flow
    }

    /// Nothing follows a state that was queued.
    fn close(
        &mut self,
        waiting: Waiting,
        kind: NodeKind,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        let Waiting {
            mut state,
            node,
            mut path,
        } = waiting;
        self.run.statistics.n_paths += u64::from(kind.ends_path());
        self.pass_goals(&mut state, confirm);
        self.set_kind(node, kind);
        self.run.finish_subtrees(path.trail.take());
    }

    /// Takes the course of a state; each query about it had this work.
    fn go_on(
        &mut self,
        course: Course,
        mut origin: Origin,
        work: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        match course {
            Course::Ahead(ahead) => return self.take_ahead(*ahead, origin, confirm),
            Course::By(successors, folded) => {
                origin.folded = folded;
                return self.take_all(successors, &origin, confirm);
            }
            Course::ByEach(ways) => {
                return ways.into_iter().try_for_each(|(successors, folded)| {
                    origin.folded = folded;
                    self.take_all(successors, &origin, confirm)
                });
            }
            Course::Apart(ways) => {
                return ways.into_iter().try_for_each(|(state, cuts)| {
                    let mut origin = origin.clone();
                    origin.path.cuts = cuts;
                    let course = self.run.classic_step(state, work);
                    self.go_on(course, origin, work, confirm)
                });
            }
            Course::Open(state) => self.defer(Deferred {
                state: *state,
                open: Open::Step,
                origin,
                work,
            }),
            Course::Closed => self.run.statistics.n_paths += 1,
            Course::Stuck(reason) => {
                self.reasons.add(reason);
                self.run.statistics.n_paths += 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes the only path from a state.
    fn take_ahead(
        &mut self,
        ahead: Ahead,
        mut origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let n_actions = &self.run.machine.n_actions;
        n_actions.set(n_actions.get() + ahead.n_actions);
        origin.path.follow(&ahead, &self.run.options.policy.stretch);
        self.take(Outcome::Running(ahead.state), origin, confirm)
    }

    /// Lines 20 to 25 for all successors of a state, until one is the witness.
    fn take_all(
        &mut self,
        successors: Successors,
        origin: &Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let branches = successors.len() > 1;
        successors.into_iter().try_for_each(|outcome| {
            let mut origin = origin.clone();
            if branches {
                origin.path.visits = 0;
            }
            self.take(outcome, origin, confirm)
        })
    }

    /// Lines 20 to 25: a successor goes into queue and tree. Gives the witness where the target
    /// is reached and confirmed.
    fn take(
        &mut self,
        outcome: Outcome,
        mut origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        match outcome {
            Outcome::Running(mut state) => {
                self.carry_goals(&mut state, &mut origin.path, confirm);
                self.insert(state, origin, NodeKind::Inner, confirm);
                ControlFlow::Continue(())
            }
            Outcome::Undecided { state, then, span } => {
                let program = self.run.machine.program;
                let then = then.map(|end| end.placed(program, &state));
                if self.pass_over(&state, then.as_ref()) {
                    return ControlFlow::Continue(());
                }
                let span = place_of(program, &state, span);
                let deferred = Deferred {
                    state,
                    open: Open::Existence(then, span),
                    origin,
                    work: self.run.options.budget.queries.at_first(),
                };
                self.defer_or_fail(deferred, span);
                ControlFlow::Continue(())
            }
            Outcome::Ended(mut state, end) => {
                let end = end.placed(self.run.machine.program, &state);
                self.pass_goals(&mut state, confirm);
                self.run.statistics.n_paths += 1;
                if self.is_none_by_assumption(&end, &origin) {
                    return ControlFlow::Continue(());
                }
                let mut flow = self.judge(&state, &end, confirm);
                if flow.is_continue() {
                    flow = self.judge_blocks(&state, &end, origin.folded.is_some(), confirm);
                }
                self.insert(state, origin, NodeKind::Leaf(end), confirm);
                flow
            }
        }
    }

    /// Whether an end is a violation of which the cuts around it assume that it is met elsewhere.
    fn is_none_by_assumption(&self, end: &PathEnd, origin: &Origin) -> bool {
        let cutter = self.run.cutter.as_ref();
        cutter.is_some_and(|cutter| cutter.is_without_violation(&origin.path.cuts))
            && matches!(
                self.run.options.property.meaning(end),
                Meaning::Violation(_)
            )
    }

    /// A new state goes into the tree, and to the others at a meeting or into the queue.
    fn insert(
        &mut self,
        state: State,
        origin: Origin,
        kind: NodeKind,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        self.run.statistics.n_states += 1;
        self.run.pool.count_work(Work::STATE);
        if kind == NodeKind::Inner && self.meetings.is_reached_by(&state) {
            let node = self.add_node(&state, &origin, kind);
            let path = origin.path;
            self.arrive(Waiting { state, node, path });
        } else {
            self.admit(state, origin, kind, None, confirm);
        }
    }

    fn add_node(&mut self, state: &State, origin: &Origin, kind: NodeKind) -> Option<TreeNodeId> {
        let tree = self.tree.as_mut()?;
        tree.add(TreeNode {
            parent: origin.parent,
            kind,
            state: state.clone(),
            template: origin.folded.clone(),
        })
    }

    fn set_kind(&mut self, node: Option<TreeNodeId>, kind: NodeKind) {
        if let (Some(tree), Some(node)) = (&mut self.tree, node) {
            tree.set_kind(node, kind);
        }
    }

    /// A state that does not wait for others, with its node if it has one already: it is closed or queued.
    fn admit(
        &mut self,
        mut state: State,
        mut origin: Origin,
        mut kind: NodeKind,
        known: Option<TreeNodeId>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) {
        let mut projection = None;
        if kind == NodeKind::Inner {
            self.note_losses(&state);
            let mut candidate = Candidate {
                state: &state,
                path: &mut origin.path,
                projection: None,
                confirm,
            };
            match candidate.closed_by(ON_ARRIVAL, &mut self.run) {
                Some(closed) => {
                    self.run.statistics.n_paths += u64::from(closed.ends_path());
                    kind = closed;
                }
                None => projection = candidate.projection,
            }
        }
        let is_open = kind == NodeKind::Inner;
        if !is_open {
            // What this path alone has passed would be lost with it.
            self.pass_goals(&mut state, confirm);
        }
        let node = if known.is_some() {
            self.set_kind(known, kind);
            known
        } else {
            self.add_node(&state, &origin, kind)
        };
        if let (Some(explored), Some(projection)) = (&mut self.run.explored, projection) {
            explored.add(&mut self.run.pool, *projection, node);
        }
        if is_open {
            let path = origin.path;
            self.wait(Waiting { state, node, path });
        }
    }

    /// A state goes to those that are on their way to a meeting, or into the queue.
    fn wait(&mut self, mut waiting: Waiting) {
        if let Some(meeting) = self.meetings.innermost() {
            meeting.under_way.push(waiting);
            return;
        }
        let priority = Priority::of(&self.run, &waiting.state, &waiting.path);
        waiting.path.decisions = waiting.state.decisions.len();
        self.queue.push(waiting, priority);
    }
}
