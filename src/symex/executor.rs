//! Algorithm 2.

mod deferred;
mod recursion;

use self::deferred::{Deferred, DeferredQueue, Open};
use super::budget::{Budget, Watch};
use super::concrete::{Ahead, Before, Concrete};
use super::cuts::{Arrival, Asking, CutHandling, CutStack, Cutter};
use super::open::OpenLoops;
use super::oracle::SolverOracle;
use super::queue::{Queue, SearchStrategy};
use super::report::{Report, Statistics};
use super::steering::{FoldingPolicy, StretchPolicy, SubsumptionPolicy};
use super::subsumption::{Explored, Lookup, is_due, places};
use super::tree::{ExecutionTree, NodeKind, TreeNode, TreeNodeId};
use super::verdict::{Reason, Reasons, Verdict};
use super::witness::{Confirmation, Witness, find_witness};
use crate::flowgraph::{Distances, Program, Span, distances_to_target};
use crate::limits::resident_memory;
use crate::semantics::{
    Accesses, Admission, Ending, FoldedCalls, Location, Machine, Oracle, Outcome, PathEnd, State,
    Successors,
};
use crate::solver::{Deadline, Limits, Solver, Statistics as SolverStatistics};
use crate::template::{Application, ExitTarget, Region, Template, TemplateTable};
use crate::term::{Clock, TermId, TermPool, Work};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

/// How Algorithm 2 chooses at line 9, among the templates for a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateChoice {
    /// Any, by this seed, as in the paper's experiments.
    Random(u64),
    /// The first in order of enumeration.
    FirstFit,
}

/// What a path that ends in undefined behaviour means for the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UndefinedBehaviour {
    /// Anything may come after it, the target included: *unreachable* is out of the question.
    KeepsOpen,
    /// Executions end there, since C defines no execution beyond: the question is about those
    /// that it defines.
    Ends,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    pub search: SearchStrategy,
    pub template_choice: TemplateChoice,
    pub budget: Budget,
    /// Default: it keeps the verdict open.
    pub undefined: UndefinedBehaviour,
    /// What executions do that leave the bounds of an object. Default: they end by a fault.
    pub accesses: Accesses,
    /// Close states that are subsumed by states queued before. Default: yes.
    pub subsumption: bool,
    /// When templates are used.
    pub folding: FoldingPolicy,
    /// How much is done to find subsumed states.
    pub subsuming: SubsumptionPolicy,
    /// How far paths without choice are followed on machine words.
    pub stretch: StretchPolicy,
    /// Compute the templates of all cycles first, as the paper does, not when they are needed.
    pub templates_first: bool,
    /// What happens at a [cut](crate::flowgraph::Action::Cut). Default: nothing.
    pub cuts: CutHandling,
    /// Keep the first so many nodes of the execution tree. Default: none.
    pub record_tree: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: SearchStrategy::Nearest,
            template_choice: TemplateChoice::Random(1),
            budget: Budget::default(),
            undefined: UndefinedBehaviour::KeepsOpen,
            accesses: Accesses::Checked,
            subsumption: true,
            folding: FoldingPolicy::default(),
            subsuming: SubsumptionPolicy::default(),
            stretch: StretchPolicy::default(),
            templates_first: false,
            cuts: CutHandling::Ignore,
            record_tree: None,
        }
    }
}

/// What a run leaves behind and nobody needs: states that waited, states explored, the solver's
/// memory. Dropping it takes time for each of them; a process that ends may leak it instead.
pub struct Remains {
    _queue: Queue<Waiting>,
    _deferred: DeferredQueue,
    _explored: Option<Explored>,
    _oracle: SolverOracle,
}

/// A state in the queue.
struct Waiting {
    state: State,
    node: Option<TreeNodeId>,
    /// Steps on the path so far.
    steps: u64,
    cuts: CutStack,
    /// Locations where subsumption looks at states, passed since the last branching.
    visits: u32,
    /// The same on the whole path.
    passed: u32,
    /// The same of those that were passed on words.
    on_words: u32,
}

/// Region and path counter of the template that made a state, if one did.
type Folded = Option<(Region, TermId)>;

/// What a state leads to.
enum Stepped {
    Done(Successors, Folded),
    /// A question stayed open in the middle of an edge, so that the step is done again later.
    Open(Box<State>),
}

/// How a state goes on.
enum Course {
    By(Stepped),
    /// The only path from it was followed.
    Ahead(Box<Ahead>),
}

/// Where a state comes from.
#[derive(Clone)]
struct Origin {
    parent: Option<TreeNodeId>,
    folded: Folded,
    /// Steps on the path.
    steps: u64,
    cuts: CutStack,
    /// Locations where subsumption looks at states, passed since the last branching.
    visits: u32,
    /// The same on the whole path.
    passed: u32,
    /// As in [`Waiting`].
    on_words: u32,
}

/// Where the callers go on, the innermost first.
pub(super) fn return_locations(state: &State) -> impl Iterator<Item = Location> + '_ {
    let frames = std::iter::once(&state.frame).chain(state.callers.iter());
    frames.flat_map(|frame| {
        let folded = frame.folded.iter();
        let folded = folded.flat_map(FoldedCalls::return_locations);
        folded.chain(frame.return_to.map(|(location, _)| location))
    })
}

/// One run of Algorithm 2 over a program.
pub struct Executor<'p> {
    machine: Machine<'p>,
    /// All terms of the run.
    pub pool: TermPool,
    oracle: SolverOracle,
    table: TemplateTable,
    options: Options,
    concrete: Concrete,
    queue: Queue<Waiting>,
    deferred: DeferredQueue,
    distances: Distances,
    /// `None` where no state is closed.
    explored: Option<Explored>,
    rng: fastrand::Rng,
    tree: Option<ExecutionTree>,
    cutter: Option<Cutter>,
    reasons: Reasons,
    undefined: Reasons,
    traps: BTreeSet<Span>,
    open_loops: OpenLoops<'p>,
    statistics: Statistics,
    watch: Watch,
    /// Whether no witness will be confirmed any more.
    is_in_vain: bool,
    has_begun: bool,
    is_over: bool,
    found: Option<Witness>,
}

/// Whether a run goes on after a slice of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advance {
    /// There is more to do.
    Goes,
    /// The target was reached, the queue is empty, or a limit was reached.
    Over,
}

impl<'p> Executor<'p> {
    /// An executor for a program; with an empty table it executes classically.
    #[must_use]
    pub fn new(
        program: &'p Program,
        solver: Box<dyn Solver>,
        table: TemplateTable,
        options: Options,
    ) -> Executor<'p> {
        let mut pool = TermPool::new();
        let machine = Machine::new(&mut pool, program).with_accesses(options.accesses);
        let watch = Watch::start(options.budget.clone(), pool.work());
        let limits = Limits {
            work: Some(options.budget.queries.at_first()),
            work_end: watch.work_end,
            timeout: options.budget.query_time,
            deadline: Deadline::at(watch.deadline),
            interrupt: options.budget.interrupt.clone(),
        };
        let seed = match options.template_choice {
            TemplateChoice::Random(seed) => seed,
            TemplateChoice::FirstFit => 0,
        };
        Executor {
            machine,
            pool,
            oracle: SolverOracle::new(solver, limits, options.budget.queries.clone()),
            table,
            concrete: Concrete::new(program, places(program), options.stretch.clone()),
            queue: Queue::new(options.search),
            deferred: DeferredQueue::new(),
            distances: distances_to_target(program),
            explored: None,
            rng: fastrand::Rng::with_seed(seed),
            tree: options.record_tree.map(ExecutionTree::new),
            cutter: match options.cuts {
                CutHandling::Ignore => None,
                handling => Some(Cutter::new(program, handling)),
            },
            options,
            reasons: Reasons::default(),
            undefined: Reasons::default(),
            traps: BTreeSet::new(),
            open_loops: OpenLoops::new(program),
            statistics: Statistics::default(),
            watch,
            is_in_vain: false,
            has_begun: false,
            is_over: false,
            found: None,
        }
    }

    /// Runs until the target is reached and confirmed, the queue is empty or the budget is used
    /// up. `confirm` replays a witness; `progress` hears of every step.
    pub fn run(
        mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Report {
        while self.advance(Work::units(u64::MAX), confirm, progress) == Advance::Goes {}
        self.finish()
    }

    /// Runs as [`run`](Executor::run) does, until the work of the whole run has come to `until`,
    /// which one step may exceed.
    pub fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        if !self.has_begun {
            self.begin();
        }
        let started = Instant::now();
        let table_before = self.table.statistics().time;
        while !self.is_over && self.work() < until {
            self.advance_by_one(confirm);
            self.refresh(progress);
        }
        // Templates that were computed on the way count as templates, not as execution.
        let on_the_way = self.table.statistics().time - table_before;
        self.statistics.execution_time += started.elapsed().saturating_sub(on_the_way);
        if self.is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    /// The root of the tree goes into the queue.
    fn begin(&mut self) {
        self.has_begun = true;
        if self.options.templates_first {
            self.table
                .compute_all(&self.machine, &mut self.pool, &mut self.oracle);
        }
        let initial = self.machine.initial_state(&mut self.pool);
        let root = Origin {
            parent: None,
            folded: None,
            steps: 0,
            cuts: CutStack::new(),
            visits: 0,
            passed: 0,
            on_words: 0,
        };
        // Where loops are cut, states are compared by the cuts.
        let cuts = self.cutter.as_ref().is_some_and(Cutter::has_cuts);
        let closes = self.options.subsumption && !cuts;
        self.explored = closes.then(|| {
            Explored::new(
                &self.machine,
                &initial.memory,
                self.options.subsuming.clone(),
            )
        });
        self.insert(initial, root, NodeKind::Inner);
    }

    /// Takes one state from the queue, or asks again about one that was deferred; the run is over
    /// where there is none, where a limit is reached, and where the witness is found.
    fn advance_by_one(&mut self, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        if self.is_in_vain || self.is_refuted() {
            self.is_over = true;
        } else if let Some(exhausted) = self.watch.check(self.pool.work()) {
            self.reasons.add(Reason::Exhausted(exhausted));
            self.is_over = true;
        } else if self.is_turn_of_deferred() {
            self.found = self.ask_again(confirm);
        } else if let Some(waiting) = self.queue.pop() {
            self.found = self.execute(waiting, confirm);
        } else {
            self.is_over = true;
        }
        self.is_over |= self.found.is_some();
    }

    /// Takes the step that is due at a state from the queue.
    fn execute(
        &mut self,
        waiting: Waiting,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let Waiting {
            state,
            node,
            steps,
            cuts,
            visits,
            passed,
            on_words,
        } = waiting;
        self.statistics.depth = self.statistics.depth.max(steps);
        if steps >= self.options.budget.path_steps {
            self.reasons.add(Reason::PathTooLong);
            if let (Some(tree), Some(node)) = (&mut self.tree, node) {
                tree.set_kind(node, NodeKind::TooLong);
            }
            return None;
        }
        let Some((state, cuts)) = self.pass_cut(state, cuts) else {
            self.statistics.n_paths += 1;
            return None;
        };
        let before = Before {
            passed,
            on_words,
            n_steps_left: self.options.budget.path_steps - steps,
        };
        let course = self.successors(state, &before);
        let mut origin = Origin {
            parent: node,
            folded: None,
            steps: steps + 1,
            cuts,
            visits,
            passed,
            on_words,
        };
        match course {
            Course::Ahead(ahead) => self.take_ahead(*ahead, origin, confirm),
            Course::By(Stepped::Done(successors, folded)) => {
                origin.folded = folded;
                self.take_all(successors, &origin, confirm)
            }
            Course::By(Stepped::Open(state)) => {
                self.defer(Deferred {
                    state: *state,
                    open: Open::Step,
                    origin,
                    work: self.options.budget.queries.at_first(),
                });
                None
            }
        }
    }

    /// Whether nobody needs to look further: the verdict is known, or the whole program was executed
    /// without templates and all that keeps the verdict open are ends that the program has.
    #[must_use]
    pub fn has_settled(&self) -> bool {
        let is_complete = self.is_over && self.options.cuts == CutHandling::Ignore;
        let is_exact = is_complete && self.statistics.n_applications == 0;
        let mut reasons = self.reasons.iter().map(|(reason, _)| reason);
        self.found.is_some()
            || (self.is_over && self.reasons.is_empty())
            || (is_exact && reasons.all(Reason::is_of_the_program))
    }

    /// What came out, for a run that is over or is not to go on.
    #[must_use]
    pub fn finish(mut self) -> Report {
        // A limit may have left the last queries open, so that nothing is waiting any more.
        let is_open = self.found.is_none() && !self.reasons.is_empty();
        if is_open
            && self.reasons.exhausted().is_none()
            && let Some(exhausted) = self.watch.exhausted_now(self.pool.work())
        {
            self.reasons.add(Reason::Exhausted(exhausted));
        }
        self.report()
    }

    /// The work of the run so far.
    #[must_use]
    pub fn work(&self) -> Work {
        self.pool.work()
    }

    /// The clock of that work, for other threads to read.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.pool.clock()
    }

    /// Whether a run that could only prove something does not any more.
    fn is_refuted(&self) -> bool {
        self.options.cuts == CutHandling::Headers && !self.reasons.is_empty()
    }

    /// Computes the templates of all cycles without executing the program.
    #[must_use]
    pub fn templates(mut self) -> (TemplateTable, TermPool) {
        self.table
            .compute_all(&self.machine, &mut self.pool, &mut self.oracle);
        (self.table, self.pool)
    }

    /// Lines 9 to 18: the successors of a state by a template, or by a classic step.
    ///
    /// Where states are closed, templates are only used where that is looked at, so that folded
    /// paths come by there, and only those whose iterations lead on: the classic path around a loop
    /// that changes nothing ends in a subsumed state, while the fold would add its path counter and
    /// inputs to all that follows. Templates of cycles that go by other loops wait until the path
    /// has folded those. A path on which nothing was closed in many iterations uses every template.
    /// A loop that takes one path only, since all conditions are constants, is followed on words, if
    /// it is not too long or nothing else can be done with it: its fold would forget that.
    fn successors(&mut self, state: State, before: &Before) -> Course {
        let here =
            (self.explored.as_ref()).is_none_or(|explored| explored.is_place(state.location));
        let ahead = self.look_ahead(&state, before);
        let folds = self.table.is_enabled();
        let ahead = match ahead {
            Some(ahead) if !folds || ahead.is_better_than_a_fold(&self.options.stretch) => {
                return Course::Ahead(Box::new(ahead));
            }
            ahead => ahead,
        };
        let mut candidates = Vec::new();
        if here {
            let work = self.options.budget.queries.for_template();
            candidates = self.oracle.with_work(work, |oracle| {
                let (table, pool) = (&mut self.table, &mut self.pool);
                table.templates_for(&self.machine, pool, oracle, &state)
            });
            if let Some(explored) = &self.explored {
                let matters = |reg| explored.matters_by_value(state.location, reg);
                let (table, program) = (&self.table, self.machine.program);
                let policy = &self.options.folding;
                candidates.retain(|template| {
                    let is_early = before.passed <= policy.inner_loops_first;
                    if is_early && table.passes_loops(program, template) {
                        return false;
                    }
                    before.passed > policy.progress_first || template.makes_progress(matters)
                });
            }
        }
        if let Some(cutter) = &self.cutter {
            // A loop that is cut is not folded too.
            let function = state.location.function;
            candidates.retain(|template| !cutter.is_cut(function, &template.region));
        }
        if let Some(template) = self.choose(&candidates) {
            if let Some(ahead) = &ahead {
                self.concrete.was_too_far(state.location, ahead);
            }
            let application = Application::new(&mut self.pool, template, &state);
            let (successors, folded) = self.apply(template, application, &state);
            return Course::By(Stepped::Done(successors, folded));
        }
        if let Some((successors, folded)) = self.recursion(&state, here) {
            return Course::By(Stepped::Done(successors, folded));
        }
        if let Some(ahead) = ahead {
            return Course::Ahead(Box::new(ahead));
        }
        Course::By(self.step(state, self.options.budget.queries.at_first()))
    }

    /// Where the path from a state leads, as long as it has no choice. Not where the tree shows each
    /// step or loops are cut, nor where each state that has a template is to be folded, as in the
    /// paper.
    fn look_ahead(&mut self, state: &State, before: &Before) -> Option<Ahead> {
        let folds = self.table.is_enabled();
        let is_wanted = self.tree.is_none()
            && self.cutter.is_none()
            && (self.explored.is_some() || !folds)
            && self.concrete.begins_at(state.location);
        if !is_wanted {
            return None;
        }
        let watch = &mut self.watch;
        let ahead = self.concrete.look_ahead(
            &self.machine,
            &mut self.pool,
            state,
            before,
            folds,
            &mut || watch.is_over(),
        );
        let n_actions = ahead.as_ref().map_or(0, |ahead| ahead.n_actions);
        self.pool.count_work(Work::ACTION_ON_WORDS * n_actions);
        ahead
    }

    fn take_ahead(
        &mut self,
        ahead: Ahead,
        mut origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let n_actions = &self.machine.n_actions;
        n_actions.set(n_actions.get() + ahead.n_actions);
        // One is counted already.
        origin.steps += ahead.n_steps - 1;
        origin.passed = origin
            .passed
            .saturating_add(ahead.n_headers(&self.options.stretch));
        origin.on_words = origin.on_words.saturating_add(ahead.n_places);
        if ahead.ending == Ending::Due {
            origin.on_words = origin.on_words.saturating_add(1);
            origin.visits = 0;
        }
        self.take(Outcome::Running(ahead.state), origin, confirm)
    }

    /// A state that goes on, arbitrary in what a loop changes where it is cut here; none where
    /// another state stands for it.
    fn pass_cut(&mut self, state: State, cuts: CutStack) -> Option<(State, CutStack)> {
        let Some(cutter) = &mut self.cutter else {
            return Some((state, cuts));
        };
        let mut asking = Asking {
            pool: &mut self.pool,
            oracle: &mut self.oracle,
        };
        let arrival = cutter.arrive(&mut asking, state, cuts);
        self.statistics.n_cuts = cutter.n_cuts;
        match arrival {
            Arrival::GoesOn(state, cuts) => Some((*state, cuts)),
            Arrival::Subsumed => None,
            Arrival::Stuck(what, span) => {
                self.reasons.add(Reason::Unsupported(what, span));
                None
            }
        }
    }

    /// Line 9, `chooseTemplate`.
    fn choose<'t, T>(&mut self, candidates: &'t [Rc<T>]) -> Option<&'t Rc<T>> {
        match self.options.template_choice {
            TemplateChoice::FirstFit => candidates.first(),
            TemplateChoice::Random(_) if candidates.is_empty() => None,
            TemplateChoice::Random(_) => candidates.get(self.rng.usize(..candidates.len())),
        }
    }

    /// Lines 10 to 16, with lines 20 and 23: the feasible and the undecided exits.
    fn apply(
        &mut self,
        template: &Template,
        mut application: Application,
        state: &State,
    ) -> (Successors, Folded) {
        self.statistics.n_applications += 1;
        let mut successors = Successors::new();
        for exit in &template.exits {
            let condition = application.condition(&mut self.pool, exit);
            let admission = self
                .oracle
                .admits(&mut self.pool, &state.path_cond, condition);
            if admission == Admission::Infeasible {
                continue;
            }
            let next = application.leave(&mut self.pool, exit, condition);
            successors.push(match (&exit.target, admission) {
                (_, Admission::Unknown | Admission::Infeasible) => {
                    let span = self.machine.edge_span(template.entry.function, exit.edge);
                    let then = match &exit.target {
                        ExitTarget::Location(_) => None,
                        ExitTarget::End(end) => Some(end.clone()),
                    };
                    Outcome::Undecided {
                        state: next,
                        then,
                        span,
                    }
                }
                (ExitTarget::Location(_), Admission::Feasible) => Outcome::Running(next),
                (ExitTarget::End(end), Admission::Feasible) => Outcome::Ended(next, end.clone()),
            });
        }
        (
            successors,
            Some((template.region.clone(), application.kappa)),
        )
    }

    /// Lines 20 to 25 for all successors of a state, until one is the witness.
    fn take_all(
        &mut self,
        successors: Successors,
        origin: &Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        let visits = if successors.len() > 1 {
            0
        } else {
            origin.visits
        };
        successors.into_iter().find_map(|outcome| {
            let origin = Origin {
                visits,
                ..origin.clone()
            };
            self.take(outcome, origin, confirm)
        })
    }

    /// Lines 20 to 25: a successor goes into queue and tree. Gives the witness where the target
    /// is reached and confirmed.
    fn take(
        &mut self,
        outcome: Outcome,
        origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        match outcome {
            Outcome::Running(state) => {
                self.insert(state, origin, NodeKind::Inner);
                None
            }
            Outcome::Undecided { state, then, span } => {
                let deferred = Deferred {
                    state,
                    open: Open::Existence(then, span),
                    origin,
                    work: self.options.budget.queries.at_first(),
                };
                self.defer_or_fail(deferred, span);
                None
            }
            Outcome::Ended(state, end) => {
                self.statistics.n_paths += 1;
                if let Some(reason) = Reason::of_end(&end) {
                    self.stopped_by(reason);
                }
                self.traps.extend(end.trap());
                let witness = match end {
                    PathEnd::Target(place) => self.confirmed(&state, place, confirm),
                    _ => None,
                };
                self.insert(state, origin, NodeKind::Leaf(end));
                witness
            }
        }
    }

    /// A path ended for a reason that may keep the verdict open.
    fn stopped_by(&mut self, reason: Reason) {
        match self.options.undefined {
            UndefinedBehaviour::Ends if reason.is_undefined_behaviour() => {
                self.undefined.add(reason);
            }
            UndefinedBehaviour::Ends | UndefinedBehaviour::KeepsOpen => self.reasons.add(reason),
        }
    }

    fn insert(&mut self, state: State, mut origin: Origin, mut kind: NodeKind) {
        self.statistics.n_states += 1;
        self.pool.count_work(Work::STATE);
        let mut projection = None;
        if kind == NodeKind::Inner {
            match self.look_up(&state, &mut origin) {
                Lookup::Subsumed(by) => kind = NodeKind::Subsumed(by),
                Lookup::New(new) => projection = Some(new),
                Lookup::Unknown => {}
            }
        }
        let is_open = kind == NodeKind::Inner;
        let node = self.tree.as_mut().and_then(|tree| {
            tree.add(TreeNode {
                parent: origin.parent,
                kind,
                state: state.clone(),
                template: origin.folded,
            })
        });
        if let (Some(explored), Some(projection)) = (&mut self.explored, projection) {
            explored.add(&mut self.pool, *projection, node);
        }
        if is_open {
            let frames = std::iter::once(state.location).chain(return_locations(&state));
            let frames = frames.map(|location| (location.function, location.node));
            let distance = self.distances.on_stack(frames).unwrap_or(u32::MAX);
            self.queue.push(
                Waiting {
                    state,
                    node,
                    steps: origin.steps,
                    cuts: origin.cuts,
                    visits: origin.visits,
                    passed: origin.passed,
                    on_words: origin.on_words,
                },
                distance,
            );
        }
    }

    /// Whether a state that is to be queued is subsumed by one that was; only looked for at some
    /// locations and, where paths do not branch, now and then.
    fn look_up(&mut self, state: &State, origin: &mut Origin) -> Lookup {
        let Some(explored) = &mut self.explored else {
            return Lookup::Unknown;
        };
        if !explored.is_place(state.location) {
            return Lookup::Unknown;
        }
        origin.visits = origin.visits.saturating_add(1);
        origin.passed = origin.passed.saturating_add(1);
        if !is_due(origin.visits) {
            return Lookup::Unknown;
        }
        explored.look_up(&self.machine, &mut self.pool, &mut self.oracle, state)
    }

    /// The witness of a state at the target, if it holds.
    fn confirmed(
        &mut self,
        state: &State,
        place: Span,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        // The last query of the path: all work at once.
        let work = self.options.budget.queries.most;
        let found = find_witness(&self.machine, &mut self.pool, &mut self.oracle, state, work);
        let witness = match found {
            Ok((inputs, path)) => Witness {
                inputs,
                path,
                target: place,
            },
            Err(reason) => {
                self.reasons.add(reason);
                return None;
            }
        };
        match confirm(&witness) {
            Confirmation::Confirmed | Confirmation::Skipped => Some(witness),
            Confirmation::Refuted(why) => {
                self.reasons.add(Reason::NotConfirmed(why));
                None
            }
            Confirmation::Stopped(why) => {
                self.reasons.add(Reason::ReplayTooLong(why));
                None
            }
            Confirmation::Impossible(why) => {
                self.reasons.add(Reason::NotReplayable(why));
                self.is_in_vain = true;
                None
            }
        }
    }

    fn refresh(&mut self, progress: &mut dyn FnMut(&Statistics)) {
        self.statistics.n_waiting = self.queue.len() + self.deferred.len();
        self.statistics.n_queries = self.oracle.n_queries;
        self.statistics.n_failed_queries = self.oracle.n_failed;
        self.statistics.solver_time = self.oracle.time;
        self.statistics.solver_work = self.oracle.work;
        self.statistics.work = self.pool.work();
        self.statistics.n_actions = self.machine.n_actions.get();
        if let Some(explored) = &self.explored {
            self.statistics.subsumption = explored.statistics;
        }
        progress(&self.statistics);
    }

    fn report(mut self) -> Report {
        self.refresh(&mut |_| ());
        self.statistics.table = self.table.statistics();
        self.statistics.peak_memory = self.watch.peak_memory.max(resident_memory());
        let mut open_loops = self.open_loops;
        if self.found.is_some() {
            open_loops.clear();
        } else {
            let waiting = self.queue.iter().map(|waiting| &waiting.state);
            let deferred = self.deferred.iter().map(|deferred| &deferred.state);
            waiting
                .chain(deferred)
                .for_each(|state| open_loops.add(state));
        }
        let verdict = match self.found {
            Some(witness) => Verdict::Reachable(Box::new(witness)),
            None if self.reasons.is_empty() => Verdict::Unreachable,
            None => Verdict::Unknown,
        };
        let mut solver_statistics = SolverStatistics::default();
        self.oracle.solver.statistics(&mut solver_statistics);
        Report {
            verdict,
            reasons: self.reasons,
            undefined: self.undefined,
            traps: self.traps,
            open_loops: open_loops.finish(&self.table),
            statistics: self.statistics,
            solver_statistics,
            tree: self.tree,
            table: self.table,
            pool: self.pool,
            remains: Some(Remains {
                _queue: self.queue,
                _deferred: self.deferred,
                _explored: self.explored,
                _oracle: self.oracle,
            }),
        }
    }
}
