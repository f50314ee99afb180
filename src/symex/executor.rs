//! Algorithm 2.

mod patience;
mod recursion;

use self::patience::{Open, PutOff, PutOffQueue};
use super::budget::{Budget, Exhausted, Watch, resident_memory};
use super::concrete::concrete_visits;
use super::cuts::{Arrival, Asking, CutHandling, CutStack, Cutter};
use super::open::{OpenLoop, OpenLoops};
use super::oracle::SolverOracle;
use super::queue::{Queue, SearchStrategy};
use super::subsumption::{Explored, Lookup, SubsumptionStatistics, is_due};
use super::tree::{ExecutionTree, NodeKind, TreeNode, TreeNodeId};
use super::verdict::{Reason, Reasons, Verdict};
use super::witness::{Confirmation, Witness, find_witness};
use crate::flowgraph::{Distances, Program, Span, distances_to_target};
use crate::semantics::{
    Admission, FoldedCalls, Location, Machine, Oracle, Outcome, PathEnd, State, Successors,
};
use crate::solver::{Deadline, Interrupt, Limits, Solver, Statistics as SolverStatistics};
use crate::template::{Application, ExitTarget, Region, TableStatistics, Template, TemplateTable};
use crate::term::{TermId, TermPool};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// So many loop headers and entries of functions a path passes before it uses templates whose
/// rounds do not lead on.
const PATIENCE: u32 = 64;
/// And so many before it uses templates of cycles that go by other loops: the templates of those
/// loops lead further, with fewer path counters.
const INNER_LOOPS_FIRST: u32 = 16;

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
    /// Close states that are covered by states queued before. Default: yes.
    pub subsumption: bool,
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
            subsumption: true,
            templates_first: false,
            cuts: CutHandling::Ignore,
            record_tree: None,
        }
    }
}

/// Numbers of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// States put into the tree, failed leaves included.
    pub n_states: u64,
    /// States that wait when the run ends.
    pub n_waiting: usize,
    /// Paths that ended in the program.
    pub n_paths: u64,
    /// Actions executed, about one an LLVM instruction.
    pub n_actions: u64,
    /// Templates applied.
    pub n_applications: u64,
    /// Cuts of loops, each time that one was started.
    pub n_cuts: u64,
    /// Queries asked by the executor and for templates.
    pub n_queries: u64,
    /// Queries that stayed open.
    pub n_failed_queries: u64,
    pub solver_time: Duration,
    pub subsumption: SubsumptionStatistics,
    pub execution_time: Duration,
    pub table: TableStatistics,
    /// Resident, in bytes.
    pub peak_memory: u64,
    /// Longest path, in steps.
    pub depth: u64,
}

/// What came out of a run.
pub struct Report {
    pub verdict: Verdict,
    /// Why the verdict is not *unreachable*, where it is unknown.
    pub reasons: Reasons,
    /// Undefined behaviour at which executions ended, where [`UndefinedBehaviour::Ends`] was
    /// chosen.
    pub undefined: Reasons,
    /// Where executions ended in a trap of the machine: a division by zero, or an access through
    /// the null pointer.
    pub traps: BTreeSet<Span>,
    /// Loops in which states waited, or were left undecided, when the run ended without a witness;
    /// that with most first.
    pub open_loops: Vec<OpenLoop>,
    pub statistics: Statistics,
    pub solver_statistics: SolverStatistics,
    /// The execution tree, where it was asked for.
    pub tree: Option<ExecutionTree>,
    /// All templates computed.
    pub table: TemplateTable,
    /// What the terms of tree and templates mean.
    pub pool: TermPool,
    /// Held back, because freeing it can take longer than people wait for an answer.
    pub remains: Remains,
}

/// What a run leaves behind and nobody needs: states that waited, states explored, the solver's
/// memory. Dropping it takes time for each of them; a process that ends may leak it instead.
pub struct Remains {
    _queue: Queue<Waiting>,
    _put_off: PutOffQueue,
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
    /// The path leaves a loop without any choice before it has passed more than so many.
    concrete_until: u32,
}

/// Region and path counter of the template that made a state, if one did.
type Folded = Option<(Region, TermId)>;

/// What a state leads to.
enum Stepped {
    Done(Successors, Folded),
    /// A question stayed open in the middle of an edge, so that the step is done again later.
    Open(Box<State>),
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
    concrete_until: u32,
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
    queue: Queue<Waiting>,
    put_off: PutOffQueue,
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
        let machine = Machine::new(&mut pool, program);
        let watch = Watch::start(options.budget.clone());
        let limits = Limits {
            timeout: Some(options.budget.first_query_time()),
            deadline: Deadline::at(watch.deadline),
            interrupt: Interrupt::from(std::sync::Arc::clone(&options.budget.interrupt)),
        };
        let seed = match options.template_choice {
            TemplateChoice::Random(seed) => seed,
            TemplateChoice::FirstFit => 0,
        };
        Executor {
            machine,
            pool,
            oracle: SolverOracle::new(solver, limits),
            table,
            queue: Queue::new(options.search),
            put_off: PutOffQueue::new(),
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
        }
    }

    /// Runs until the target is reached and confirmed, the queue is empty or the budget is used
    /// up. `confirm` replays a witness; `progress` hears of every step.
    pub fn run(
        mut self,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Report {
        if self.options.templates_first {
            self.table
                .compute_all(&self.machine, &mut self.pool, &mut self.oracle);
        }
        let started = Instant::now();
        let table_before = self.table.statistics().time;
        let initial = self.machine.initial_state(&mut self.pool);
        let root = Origin {
            parent: None,
            folded: None,
            steps: 0,
            cuts: CutStack::new(),
            visits: 0,
            passed: 0,
            concrete_until: 0,
        };
        // Where loops are cut, states are compared by the cuts.
        let cuts = self.cutter.as_ref().is_some_and(Cutter::has_cuts);
        let closes = self.options.subsumption && !cuts;
        self.explored = closes.then(|| Explored::new(&self.machine, &initial.memory));
        self.insert(initial, root, NodeKind::Inner);
        let mut found = None;
        while found.is_none() && !self.is_in_vain && !self.is_refuted() {
            if let Some(exhausted) = self.watch.check() {
                self.reasons.add(Reason::Exhausted(exhausted));
                break;
            }
            if self.is_turn_of_put_off() {
                found = self.ask_again(confirm);
                continue;
            }
            let Some(waiting) = self.queue.pop() else {
                break;
            };
            let Waiting {
                state,
                node,
                steps,
                cuts,
                visits,
                passed,
                mut concrete_until,
            } = waiting;
            self.statistics.depth = self.statistics.depth.max(steps);
            if steps >= self.options.budget.path_steps {
                self.reasons.add(Reason::PathTooLong);
                if let (Some(tree), Some(node)) = (&mut self.tree, node) {
                    tree.set_kind(node, NodeKind::TooLong);
                }
                continue;
            }
            let Some((state, cuts)) = self.pass_cut(state, cuts) else {
                self.statistics.n_paths += 1;
                continue;
            };
            let stepped = self.successors(state, passed, &mut concrete_until);
            let mut origin = Origin {
                parent: node,
                folded: None,
                steps: steps + 1,
                cuts,
                visits,
                passed,
                concrete_until,
            };
            match stepped {
                Stepped::Done(successors, folded) => {
                    origin.folded = folded;
                    found = self.take_all(successors, &origin, confirm);
                }
                Stepped::Open(state) => self.put_off(PutOff {
                    state: *state,
                    open: Open::Step,
                    origin,
                    time: self.options.budget.first_query_time(),
                }),
            }
            self.refresh(progress);
        }
        // A limit may have left the last queries open, so that nothing is waiting any more.
        let is_open = found.is_none() && !self.reasons.is_empty();
        if is_open
            && self.reasons.exhausted().is_none()
            && let Some(exhausted) = self.watch.exhausted_now()
        {
            self.reasons.add(Reason::Exhausted(exhausted));
        }
        // Templates that were computed on the way count as templates, not as execution.
        let on_the_way = self.table.statistics().time - table_before;
        self.statistics.execution_time = started.elapsed().saturating_sub(on_the_way);
        self.report(found)
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
    /// paths come by there, and only those whose rounds lead on: the classic path around a loop
    /// that changes nothing ends in a covered state, while the fold would add its path counter and
    /// inputs to all that follows. Templates of cycles that go by other loops wait until the path
    /// has folded those. A path on which nothing was closed in many rounds uses every template. A
    /// loop whose few rounds take one path only, since all conditions are constants, is executed
    /// round by round: its fold would forget that.
    fn successors(&mut self, state: State, passed: u32, concrete_until: &mut u32) -> Stepped {
        let mut here =
            (self.explored.as_ref()).is_none_or(|explored| explored.is_place(state.location));
        if let (true, true, Some(explored)) = (here, self.table.is_enabled(), &self.explored) {
            if *concrete_until <= passed {
                let n_actions = self.machine.n_actions.get();
                let visits =
                    concrete_visits(&self.machine, &mut self.pool, explored, state.clone());
                // Looking ahead is no execution.
                self.machine.n_actions.set(n_actions);
                *concrete_until = passed + visits.map_or(0, |visits| visits + 1);
            }
            here = *concrete_until <= passed;
        }
        let mut candidates = Vec::new();
        if here {
            let time = self.time_for_templates();
            candidates = self.oracle.with_time(time, |oracle| {
                let (table, pool) = (&mut self.table, &mut self.pool);
                table.templates_for(&self.machine, pool, oracle, &state)
            });
            if let Some(explored) = &self.explored {
                let matters = |reg| explored.matters_by_value(state.location, reg);
                let (table, program) = (&self.table, self.machine.program);
                candidates.retain(|template| match passed {
                    0..=INNER_LOOPS_FIRST if table.passes_loops(program, template) => false,
                    0..=PATIENCE => template.leads_on(matters),
                    _ => true,
                });
            }
        }
        if let Some(cutter) = &self.cutter {
            // A loop that is cut is not folded too.
            let function = state.location.function;
            candidates.retain(|template| !cutter.is_cut(function, &template.region));
        }
        if let Some(template) = self.choose(&candidates) {
            let application = Application::new(&mut self.pool, template, &state);
            let (successors, folded) = self.apply(template, application, &state);
            return Stepped::Done(successors, folded);
        }
        if let Some((successors, folded)) = self.recursion(&state, here) {
            return Stepped::Done(successors, folded);
        }
        self.step(state, self.options.budget.first_query_time())
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
            Arrival::Covered => None,
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

    /// Lines 10 to 16, with lines 20 and 23: the feasible and the undecided ways out.
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
                let put_off = PutOff {
                    state,
                    open: Open::Existence(then, span),
                    origin,
                    time: self.options.budget.first_query_time(),
                };
                self.put_off_or_fail(put_off, span);
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
        let mut projection = None;
        if kind == NodeKind::Inner {
            match self.look_up(&state, &mut origin) {
                Lookup::Covered(by) => kind = NodeKind::Covered(by),
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
                    concrete_until: origin.concrete_until,
                },
                distance,
            );
        }
    }

    /// Whether a state that is to be queued is covered by one that was; only looked for at some
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
        // The last query of the path: all time at once.
        let time = self.options.budget.query_time;
        let found = find_witness(&self.machine, &mut self.pool, &mut self.oracle, state, time);
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
        self.statistics.n_waiting = self.queue.len() + self.put_off.len();
        self.statistics.n_queries = self.oracle.n_queries;
        self.statistics.n_failed_queries = self.oracle.n_failed;
        self.statistics.solver_time = self.oracle.time;
        self.statistics.n_actions = self.machine.n_actions.get();
        if let Some(explored) = &self.explored {
            self.statistics.subsumption = explored.statistics;
        }
        progress(&self.statistics);
    }

    fn report(mut self, found: Option<Witness>) -> Report {
        self.refresh(&mut |_| ());
        self.statistics.table = self.table.statistics();
        self.statistics.peak_memory = self.watch.peak_memory.max(resident_memory());
        let mut open_loops = self.open_loops;
        if found.is_some() {
            open_loops.clear();
        } else {
            let waiting = self.queue.iter().map(|waiting| &waiting.state);
            let put_off = self.put_off.iter().map(|put_off| &put_off.state);
            waiting
                .chain(put_off)
                .for_each(|state| open_loops.add(state));
        }
        let verdict = match found {
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
            remains: Remains {
                _queue: self.queue,
                _put_off: self.put_off,
                _explored: self.explored,
                _oracle: self.oracle,
            },
        }
    }
}

impl Report {
    /// Whether a limit ended the run.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.reasons.exhausted()
    }
}
