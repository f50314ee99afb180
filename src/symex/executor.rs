//! Algorithm 2.

mod annotate;
mod deferred;
mod goals;
mod leaks;
mod meet;
mod outlook;

use self::deferred::{Deferred, DeferredQueue, Open};
pub use self::goals::WantedGoals;
use self::outlook::Outlooks;
use super::advancing::{Advance, Advancing};
use super::budget::{Budget, Watch};
use super::concrete::{Ahead, Concrete};
use super::cuts::{CutHandling, Cutter};
use super::hints::{Hinter, Hints};
use super::local::{Course, Folded, LocalTechniques};
use super::merging::{Judge, Meetings, MergeStrategy};
use super::open::OpenLoops;
use super::oracle::SolverOracle;
use super::path::PathSoFar;
use super::queue::{Priority, Queue, SearchStrategy};
use super::report::{Report, Statistics};
use super::run::Run;
use super::steering::{
    AnnotationPolicy, FoldingPolicy, MergingPolicy, StretchPolicy, SubsumptionPolicy,
};
use super::subsumption::{Explored, Lookup, is_due};
use super::tree::{ExecutionTree, NodeKind, TreeNode, TreeNodeId};
use super::verdict::Verdict;
use super::witness::{Confirmation, Witness, find_witness};
use crate::flowgraph::{ProgramFacts, Span};
use crate::limits::{Exhausted, resident_memory};
use crate::navigation::{Assessment, NavigationPolicy, Navigator};
use crate::necessary::StateConditionPolicy;
use crate::property::{Check, Meaning, Property, Reason, Reasons, UndefinedBehaviour, Violation};
use crate::semantics::{
    Accesses, Ending, FoldedCalls, GivenInputs, Location, Machine, Outcome, PathEnd, State,
    Successors, place_of,
};
use crate::solver::{Deadline, Limits, Solver, Statistics as SolverStatistics};
use crate::template::{LoopAutomaton, TemplateTable};
use crate::term::{Clock, TermPool, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Instant;

/// How Algorithm 2 chooses at line 9, among the templates for a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateChoice {
    /// Any, by this seed, as in the paper's experiments.
    Random(u64),
    /// The first in order of enumeration.
    FirstFit,
}

/// Where memory that is lost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Losses {
    /// When the program ends by a return from `main` or `exit`.
    AtTheEnd,
    /// On paths as well that have no end or end by `abort`. These are not errors, but noted.
    Anywhere,
}

/// How to search.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Debug)]
pub struct Options {
    pub search: SearchStrategy,
    pub template_choice: TemplateChoice,
    pub budget: Budget,
    /// What is asked. Default: whether the target is reachable; undefined behaviour keeps the
    /// verdict open.
    pub property: Property,
    /// What executions do that leave the bounds of an object. Default: they end by a fault.
    pub accesses: Accesses,
    /// Inputs of which executions are left out that have others. Default: none.
    pub given_inputs: Option<GivenInputs>,
    /// Close states that are subsumed by states queued before. Default: yes.
    pub subsumption: bool,
    /// Close states that imply an annotation of their location. Default: no.
    pub annotations: bool,
    /// How much is done for that.
    pub annotating: AnnotationPolicy,
    /// Which states that meet behind a branching become one. Default: none.
    pub merging: MergeStrategy,
    /// The numbers of that.
    pub merging_policy: MergingPolicy,
    /// When templates are used.
    pub folding: FoldingPolicy,
    /// What necessary conditions and constraint systems say about templates. Default: nothing.
    pub hints: Hints,
    /// How much is done to find subsumed states.
    pub subsuming: SubsumptionPolicy,
    /// How far paths without choice are followed on machine words.
    pub stretch: StretchPolicy,
    /// How much is done to find the way, with [`SearchStrategy::Navigate`].
    pub navigation: NavigationPolicy,
    /// Ask about necessary conditions of states where a search for what is not covered
    /// ([`SearchStrategy::Coverage`], [`SearchStrategy::Klee`]) makes no progress. Default: yes.
    pub state_conditions: bool,
    /// How much is done for that.
    pub outlooks: StateConditionPolicy,
    /// Compute the templates of all cycles first, as the paper does, not when they are needed.
    pub templates_first: bool,
    /// What happens at a [cut](crate::flowgraph::Action::Cut). Default: nothing.
    pub cuts: CutHandling,
    /// Keep the first so many nodes of the execution tree. Default: none.
    pub record_tree: Option<usize>,
    /// Go on after the first error, to one at each place. Default: no.
    pub all_errors: bool,
    /// Where memory that is lost counts, if that is looked for. Default: at the end of the program.
    pub losses: Losses,
    /// Goals of coverage for which inputs are wanted, beside the property. Default: none.
    pub goals: WantedGoals,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            search: SearchStrategy::Nearest,
            template_choice: TemplateChoice::Random(1),
            budget: Budget::default(),
            property: Property::unreachable(UndefinedBehaviour::KeepsOpen),
            accesses: Accesses::Checked,
            given_inputs: None,
            subsumption: true,
            annotations: false,
            annotating: AnnotationPolicy::default(),
            merging: MergeStrategy::default(),
            merging_policy: MergingPolicy::default(),
            folding: FoldingPolicy::default(),
            hints: Hints::default(),
            subsuming: SubsumptionPolicy::default(),
            stretch: StretchPolicy::default(),
            navigation: NavigationPolicy::default(),
            state_conditions: true,
            outlooks: StateConditionPolicy::default(),
            templates_first: false,
            cuts: CutHandling::Ignore,
            record_tree: None,
            all_errors: false,
            losses: Losses::AtTheEnd,
            goals: WantedGoals::default(),
        }
    }
}

/// What a run leaves behind and nobody needs: states that waited, states explored, the solver's
/// memory. Dropping it takes time for each of them; a process that ends may leak it instead.
pub struct Remains {
    _queue: Queue<Waiting>,
    _meetings: Meetings<Waiting>,
    _deferred: DeferredQueue,
    _explored: Option<Explored>,
    _oracle: SolverOracle,
}

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
    run: Run<'p>,
    techniques: LocalTechniques,
    queue: Queue<Waiting>,
    meetings: Meetings<Waiting>,
    judge: Judge,
    deferred: DeferredQueue,
    tree: Option<ExecutionTree>,
    /// `None` where nobody asks about the conditions of states.
    outlooks: Option<Outlooks>,
    reasons: Reasons,
    undefined: Reasons,
    losses: Reasons,
    /// How often it was not confirmed that what is allocated at a place is lost.
    doubts: BTreeMap<Span, u32>,
    traps: BTreeSet<Span>,
    open_loops: OpenLoops<'p>,
    /// Whether no witness will be confirmed any more.
    is_in_vain: bool,
    has_begun: bool,
    is_over: bool,
    errors: Vec<Witness>,
}

/// The strategy that is in force: nothing is merged where states are compared by their frames, or where
/// inputs are told by their number, or where paths carry goals.
fn merging(options: &Options) -> MergeStrategy {
    let is_each_path_its_own = options.given_inputs.is_some() || !options.goals.open.is_empty();
    if options.cuts == CutHandling::Ignore && !is_each_path_its_own {
        options.merging
    } else {
        MergeStrategy::None
    }
}

impl<'p> Executor<'p> {
    /// An executor for a program; with an empty table it executes classically.
    #[must_use]
    pub fn new(
        facts: impl Into<ProgramFacts<'p>>,
        solver: Box<dyn Solver>,
        table: TemplateTable,
        options: Options,
    ) -> Executor<'p> {
        let facts = facts.into();
        let program = facts.program();
        let mut pool = TermPool::new();
        let machine = Machine::new(&mut pool, program)
            .with_accesses(options.accesses)
            .with_inputs(options.given_inputs.clone())
            .with_open_goals(options.goals.open.clone())
            .keeping_dangling(options.property.checks.contains(Check::Memory))
            .following_blocks(options.property.checks.follows_blocks())
            .finding_unwritten(options.property.checks.contains(Check::Uninitialised));
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
            techniques: LocalTechniques::of(&options, table.is_enabled()),
            queue: Queue::new(options.search, options.navigation.patience, program),
            meetings: Meetings::new(options.merging_policy.most_states),
            judge: Judge::new(merging(&options), options.merging_policy.clone()),
            deferred: DeferredQueue::new(),
            tree: options.record_tree.map(ExecutionTree::new),
            outlooks: Outlooks::of(&options, program),
            run: Run {
                machine,
                pool,
                oracle: SolverOracle::new(solver, limits, options.budget.queries.clone()),
                concrete: Concrete::new(&facts, options.stretch.clone()),
                facts,
                explored: None,
                annotations: annotate::annotations(&options),
                navigator: (options.search == SearchStrategy::Navigate)
                    .then(|| Navigator::new(options.navigation.clone())),
                hinter: (options.hints != Hints::default() && table.is_enabled()).then(|| {
                    Hinter::new(options.hints, Navigator::new(options.navigation.clone()))
                }),
                cutter: match options.cuts {
                    CutHandling::Ignore => None,
                    handling => Some(Cutter::new(program, handling)),
                },
                table,
                options,
                rng: fastrand::Rng::with_seed(seed),
                statistics: Statistics::default(),
                watch,
            },
            reasons: Reasons::default(),
            undefined: Reasons::default(),
            losses: Reasons::default(),
            doubts: BTreeMap::new(),
            traps: BTreeSet::new(),
            open_loops: OpenLoops::new(program),
            is_in_vain: false,
            has_begun: false,
            is_over: false,
            errors: Vec::new(),
        }
    }

    /// The same with all terms in a pool in which an executor of this program has run before.
    #[must_use]
    pub fn with_terms(mut self, pool: TermPool) -> Executor<'p> {
        self.run.pool = pool;
        self
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

    /// The root of the tree goes into the queue.
    fn begin(&mut self) {
        self.has_begun = true;
        if self.run.options.templates_first {
            self.run
                .table
                .compute_all(&self.run.machine, &mut self.run.pool, &mut self.run.oracle);
        }
        let initial = self.run.machine.initial_state(&mut self.run.pool);
        self.run.look_for_cores(&initial);
        let root = Origin {
            parent: None,
            folded: None,
            path: PathSoFar::new(),
        };
        // Where loops are cut, states are compared by the cuts.
        let cuts = self.run.cutter.as_ref().is_some_and(Cutter::has_cuts);
        let closes = self.run.options.subsumption && !cuts;
        self.run.explored = closes.then(|| {
            Explored::new(
                &self.run.machine,
                &self.run.facts,
                &initial.memory,
                self.run.options.subsuming.clone(),
            )
        });
        // It has passed no goal, so that nobody is asked.
        self.insert(initial, root, NodeKind::Inner, &mut |_| {
            Confirmation::Skipped
        });
    }

    /// Takes one state from the queue, or asks again about one that was deferred; the run is over
    /// where there is none, where a limit is reached, and where the witness is found.
    fn advance_by_one(&mut self, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        if self.is_in_vain || self.is_refuted() {
            self.is_over = true;
        } else if let Some(exhausted) = self.run.watch.check(self.run.pool.work()) {
            self.reasons.add(Reason::Exhausted(exhausted));
            self.is_over = true;
        } else if let Some(waiting) = self.next_on_its_way() {
            self.is_over = self.execute(waiting, confirm).is_break();
        } else if self.is_turn_of_deferred() {
            self.is_over = self.ask_again(confirm).is_break();
        } else if let Some(waiting) = self.queue.pop() {
            self.is_over = self.execute(waiting, confirm).is_break();
        } else {
            self.is_over = true;
        }
    }

    /// Takes the step that is due at a state from the queue.
    fn execute(
        &mut self,
        waiting: Waiting,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let Waiting {
            mut state,
            node,
            mut path,
        } = waiting;
        if self.is_closed_by_annotation(&state, &mut path, node)
            || self.is_closed_by_condition(&mut state, &mut path, node, confirm)
        {
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
            if let (Some(tree), Some(node)) = (&mut self.tree, node) {
                tree.set_kind(node, NodeKind::TooLong);
            }
            return ControlFlow::Continue(());
        }
        let trail = self.come_by(&state, &mut path);
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
        self.finish_subtrees(trail);
        flow
    }

    /// Takes the course of a state; each question about it had this work.
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

    /// The limit that ended the run, if one did.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.reasons.exhausted()
    }

    /// Whether a run that could only prove something does not any more.
    fn is_refuted(&self) -> bool {
        self.run.options.cuts.guesses().is_some() && !self.reasons.is_empty()
    }

    /// Computes the templates of all cycles without executing the program.
    #[must_use]
    pub fn templates(mut self) -> (TemplateTable, TermPool) {
        self.run
            .table
            .compute_all(&self.run.machine, &mut self.run.pool, &mut self.run.oracle);
        (self.run.table, self.run.pool)
    }

    /// The path dependency automata of all loops, without executing the program.
    #[must_use]
    pub fn automata(mut self) -> Vec<LoopAutomaton> {
        self.run
            .table
            .automata(&self.run.machine, &mut self.run.pool, &mut self.run.oracle)
    }

    fn take_ahead(
        &mut self,
        ahead: Ahead,
        mut origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let n_actions = &self.run.machine.n_actions;
        n_actions.set(n_actions.get() + ahead.n_actions);
        // One is counted already.
        let path = &mut origin.path;
        path.steps += ahead.n_steps - 1;
        path.passed = path
            .passed
            .saturating_add(ahead.n_headers(&self.run.options.stretch));
        path.on_words = path.on_words.saturating_add(ahead.n_places);
        if ahead.ending == Ending::Due {
            path.on_words = path.on_words.saturating_add(1);
            path.visits = 0;
        }
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
        origin: Origin,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        match outcome {
            Outcome::Running(mut state) => {
                let mut origin = origin;
                self.carry_goals(&mut state, &mut origin.path, confirm);
                self.insert(state, origin, NodeKind::Inner, confirm);
                ControlFlow::Continue(())
            }
            Outcome::Undecided { state, then, span } => {
                let program = self.run.machine.program;
                let span = place_of(program, &state, span);
                let then = then.map(|end| end.placed(program, &state));
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
                let mut flow = self.judge(&state, &end, confirm);
                if flow.is_continue() {
                    flow = self.judge_blocks(&state, &end, origin.folded.is_some(), confirm);
                }
                self.insert(state, origin, NodeKind::Leaf(end), confirm);
                flow
            }
        }
    }

    /// What the end of a path means for the verdict. Breaks where the property is violated, that
    /// was confirmed, and one error is enough.
    fn judge(
        &mut self,
        state: &State,
        end: &PathEnd,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        match self.run.options.property.meaning(end) {
            Meaning::Defined => {}
            Meaning::Trap(place) => {
                self.traps.insert(place);
            }
            Meaning::Undefined(reason) => self.undefined.add(reason),
            Meaning::Open(reason) => self.reasons.add(reason),
            Meaning::Violation(violation) => return self.found(state, violation, None, confirm),
        }
        ControlFlow::Continue(())
    }

    /// A state in which the property is violated: an error, if its witness is confirmed. Places
    /// where one was found already are not looked at again. Where that is in doubt the witness may be
    /// refuted, and the doubt stays.
    fn found(
        &mut self,
        state: &State,
        violation: Violation,
        doubt: Option<Reason>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let is_known = |error: &Witness| error.violation() == violation;
        if self.errors.iter().any(is_known) {
            return ControlFlow::Continue(());
        }
        let Some(error) = self.confirmed(state, violation, doubt, confirm) else {
            return ControlFlow::Continue(());
        };
        self.errors.push(error);
        if self.run.options.all_errors {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
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

    /// A state that waits for nobody, with its node if it has one already: it is closed or queued.
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
            match self.look_up(&state, &mut origin) {
                Lookup::Subsumed(by) => kind = NodeKind::Subsumed(by),
                Lookup::New(new) => projection = Some(new),
                Lookup::Unknown => {}
            }
        }
        if kind == NodeKind::Inner && self.run.navigator.is_some() {
            origin.path.leads = self.run.assess(&state, &origin.path.leads);
            if matches!(origin.path.leads, Assessment::Refuted) {
                kind = NodeKind::Refuted;
                projection = None;
                self.run.statistics.n_paths += 1;
            }
        }
        let is_open = kind == NodeKind::Inner;
        if !is_open {
            // What this path alone has passed would be lost with it.
            self.pass_goals(&mut state, confirm);
        }
        let node = match (known, &mut self.tree) {
            (Some(node), Some(tree)) => {
                tree.set_kind(node, kind);
                Some(node)
            }
            _ => self.add_node(&state, &origin, kind),
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
    fn wait(&mut self, waiting: Waiting) {
        if let Some(meeting) = self.meetings.innermost() {
            meeting.under_way.push(waiting);
            return;
        }
        let left = waiting.path.leads.left_in(&waiting.state);
        let cutter = self.run.cutter.as_ref();
        let cuts = cutter.map_or(0, |cutter| {
            cutter.n_around(&waiting.state, &waiting.path.cuts)
        });
        let priority = Priority {
            iterations: waiting.path.iterations,
            ..Priority::of(&self.run.facts, &waiting.state, left, cuts)
        };
        self.queue.push(waiting, priority);
    }

    /// Whether a state that is to be queued is subsumed by one that was; only looked for at some
    /// locations and, where paths do not branch, now and then.
    fn look_up(&mut self, state: &State, origin: &mut Origin) -> Lookup {
        let Some(explored) = &mut self.run.explored else {
            return Lookup::Unknown;
        };
        if !explored.is_place(state.location) {
            return Lookup::Unknown;
        }
        origin.path.pass_place();
        if !is_due(origin.path.visits) {
            return Lookup::Unknown;
        }
        explored.look_up(
            &self.run.machine,
            &mut self.run.pool,
            &mut self.run.oracle,
            state,
        )
    }

    /// The error of a state in which the property is violated, if its witness holds.
    fn confirmed(
        &mut self,
        state: &State,
        violation: Violation,
        doubt: Option<Reason>,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> Option<Witness> {
        // The last query of the path: all work at once.
        let work = self.run.options.budget.queries.most;
        let found = find_witness(
            &self.run.machine,
            &mut self.run.pool,
            &mut self.run.oracle,
            state,
            work,
        );
        let mut witness = match found {
            Ok((inputs, path)) => Witness {
                inputs,
                path,
                target: violation.place,
                error: violation.kind,
                report: None,
                goals: Vec::new(),
            },
            Err(reason) => {
                self.reasons.add(reason);
                return None;
            }
        };
        let started = Instant::now();
        let confirmation = confirm(&witness);
        self.run.statistics.replay_time += started.elapsed();
        match (confirmation, doubt) {
            (Confirmation::Refuted(_) | Confirmation::Skipped, Some(doubt)) => {
                self.reasons.add(doubt);
                None
            }
            (Confirmation::Confirmed(report), _) => {
                self.run.statistics.n_conjuncts = state.path_cond.len() as u64;
                witness.report = report;
                Some(witness)
            }
            (Confirmation::Skipped | Confirmation::Passed(_), _) => Some(witness),
            (Confirmation::Refuted(_), None) if self.run.options.cuts.guesses().is_some() => {
                let why = "those that were guessed do not keep it from the target";
                self.reasons.add(Reason::NoInvariant(why.to_owned()));
                None
            }
            (Confirmation::Refuted(why), None) => {
                self.reasons.add(Reason::NotConfirmed(why));
                None
            }
            (Confirmation::Stopped(why), _) => {
                self.reasons.add(Reason::ReplayTooLong(why));
                None
            }
            (Confirmation::Impossible(why), _) => {
                self.reasons.add(Reason::NotReplayable(why));
                self.is_in_vain = true;
                None
            }
        }
    }

    fn refresh(&mut self, progress: &mut dyn FnMut(&Statistics)) {
        self.run.statistics.n_waiting =
            self.queue.len() + self.meetings.len() + self.deferred.len();
        self.run.statistics.n_queries = self.run.oracle.n_queries;
        self.run.statistics.n_failed_queries = self.run.oracle.n_failed;
        self.run.statistics.solver_time = self.run.oracle.time;
        self.run.statistics.solver_work = self.run.oracle.work;
        self.run.statistics.work = self.run.pool.work();
        self.run.statistics.n_actions = self.run.machine.n_actions.get();
        if let Some(explored) = &self.run.explored {
            self.run.statistics.subsumption = explored.statistics;
        }
        if let Some(annotations) = &self.run.annotations {
            self.run.statistics.annotations = annotations.statistics;
        }
        if let Some(navigator) = &self.run.navigator {
            self.run.statistics.navigation = navigator.statistics;
        }
        if let Some(hinter) = &self.run.hinter {
            self.run.statistics.hints = hinter.statistics;
        }
        if let Some(outlooks) = &self.outlooks {
            (self.run.statistics.conditions).clone_from(outlooks.statistics());
        }
        progress(&self.run.statistics);
    }

    fn report(mut self) -> Report {
        self.refresh(&mut |_| ());
        self.run.statistics.table = self.run.table.statistics();
        self.run.statistics.peak_memory = self.run.watch.peak_memory.max(resident_memory());
        let mut open_loops = self.open_loops;
        if !self.errors.is_empty() && !self.run.options.all_errors {
            open_loops.clear();
        } else {
            let waiting = self.queue.iter().chain(self.meetings.iter());
            let waiting = waiting.map(|waiting| &waiting.state);
            let deferred = self.deferred.iter().map(|deferred| &deferred.state);
            waiting
                .chain(deferred)
                .for_each(|state| open_loops.add(state));
        }
        self.errors.sort_by_key(Witness::rank);
        let mut errors = self.errors.into_iter();
        let verdict = match errors.next() {
            Some(worst) => Verdict::Reachable(Box::new(worst)),
            None if self.reasons.is_empty() => Verdict::Unreachable,
            None => Verdict::Unknown,
        };
        let mut solver_statistics = SolverStatistics::default();
        self.run.oracle.solver.statistics(&mut solver_statistics);
        Report {
            verdict,
            further_errors: errors.collect(),
            reasons: self.reasons,
            undefined: self.undefined,
            losses: self.losses,
            traps: self.traps,
            open_loops: open_loops.finish(&self.run.table),
            invariants: Vec::new(),
            annotations: (self.run.annotations.as_ref())
                .map_or_else(Vec::new, |annotations| annotations.list(&self.run.pool)),
            statistics: self.run.statistics,
            solver_statistics,
            tree: self.tree,
            table: self.run.table,
            pool: self.run.pool,
            remains: Some(Remains {
                _queue: self.queue,
                _meetings: self.meetings,
                _deferred: self.deferred,
                _explored: self.run.explored,
                _oracle: self.run.oracle,
            }),
        }
    }
}

impl Advancing for Executor<'_> {
    fn clock(&self) -> Clock {
        self.run.pool.clock()
    }

    fn work(&self) -> Work {
        self.run.pool.work()
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
        while !self.is_over && self.work() < until {
            self.advance_by_one(confirm);
            self.refresh(progress);
        }
        // Templates that were computed on the way count as templates, not as execution.
        let on_the_way = self.run.table.statistics().time - table_before;
        self.run.statistics.execution_time += started.elapsed().saturating_sub(on_the_way);
        if self.is_over {
            Advance::Over
        } else {
            Advance::Goes
        }
    }

    /// Whether nobody needs to look further: the verdict is known, or the whole program was executed
    /// without templates and all that keeps the verdict open are ends that the program has.
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
