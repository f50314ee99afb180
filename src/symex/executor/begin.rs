//! Initialisation of a run.

use super::deferred::DeferredQueue;
use super::{Confirmation, Executor, Origin};
use crate::budget::Watch;
use crate::closing::{Outlooks, annotations};
use crate::concrete::Concrete;
use crate::hints::{Hinter, Hints};
use crate::local::LocalTechniques;
use crate::merging::{Judge, Meetings, MergeStrategy};
use crate::open::OpenLoops;
use crate::options::{ExecutionOptions, TemplateChoice};
use crate::path::PathSoFar;
use crate::queue::{Queue, SearchStrategy};
use crate::report::Statistics;
use crate::run::Run;
use crate::subsumption::Explored;
use crate::tree::{ExecutionTree, NodeKind};
use flowgraph::{FunctionId, NodeId, ProgramFacts};
use invariants::{Claim, CutHandling, Cutter};
use navigation::Navigator;
use property::{Check, Reasons};
use semantics::Machine;
use solver::{Deadline, Limits, Solver};
use std::collections::{BTreeMap, BTreeSet};
use template::SolverOracle;
use template::{LoopAutomaton, TemplateTable};
use term::TermPool;

/// The strategy that is in force: nothing is merged where states are compared by their frames, or where
/// inputs are identified by their number, or where paths carry goals.
fn merging(options: &ExecutionOptions) -> MergeStrategy {
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
        options: ExecutionOptions,
    ) -> Executor<'p> {
        let facts = facts.into();
        let program = facts.program();
        let mut pool = TermPool::new();
        let machine = Machine::new(&mut pool, program)
            .with_accesses(options.accesses)
            .with_stack(options.stack.clone())
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
            queue: Queue::new(options.search, options.policy.navigation.patience, program),
            meetings: Meetings::new(options.policy.merging.most_states),
            judge: Judge::new(merging(&options), options.policy.merging.clone()),
            deferred: DeferredQueue::new(),
            tree: options.record_tree.map(ExecutionTree::new),
            run: Run {
                machine,
                pool,
                oracle: SolverOracle::new(solver, limits, options.budget.queries.clone()),
                concrete: Concrete::new(&facts, options.policy.stretch.clone()),
                facts,
                explored: None,
                annotations: annotations(&options),
                outlooks: Outlooks::of(&options, program),
                navigator: (options.search == SearchStrategy::Navigate)
                    .then(|| Navigator::new(options.policy.navigation.clone())),
                hinter: (options.hints != Hints::default() && table.is_enabled()).then(|| {
                    Hinter::new(
                        options.hints,
                        Navigator::new(options.policy.navigation.clone()),
                    )
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
            confirmation_abandoned: false,
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

    /// The same for cut loops, with these claims as additional guesses.
    #[must_use]
    pub fn with_claims(mut self, claims: Vec<((FunctionId, NodeId), Vec<Claim>)>) -> Executor<'p> {
        if let Some(cutter) = &mut self.run.cutter {
            cutter.guess(claims);
        }
        self
    }

    /// The root of the tree goes into the queue.
    pub(super) fn begin(&mut self) {
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
                self.run.options.policy.subsumption.clone(),
            )
        });
        // It has passed no goal, so that no query is needed.
        self.insert(initial, root, NodeKind::Inner, &mut |_| {
            Confirmation::Skipped
        });
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
}
