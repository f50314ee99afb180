//! The result of a run.

use super::executor::Remains;
use super::hints::HintStatistics;
use super::merging::MergingStatistics;
use super::open::OpenLoop;
use super::subsumption::SubsumptionStatistics;
use super::tree::ExecutionTree;
use super::verdict::Verdict;
use super::witness::Witness;
use flowgraph::Span;
use invariants::{Annotation, AnnotationStatistics, FunctionContract, LoopInvariant};
use limits::Exhausted;
use navigation::NavigationStatistics;
use necessary::StateConditionStatistics;
use property::{Reason, Reasons};
use semantics::Location;
use solver::Statistics as SolverStatistics;
use std::collections::BTreeSet;
use std::time::Duration;
use template::{TableStatistics, TemplateTable};
use term::{TermPool, Work};

/// Numbers of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// States put into the tree, failed leaves included.
    pub n_states: u64,
    /// States that were taken from the queue.
    pub n_visited: u64,
    /// Those of them at branchings.
    pub n_forks: u64,
    /// Conjuncts of the path condition to the error found last.
    pub n_conjuncts: u64,
    /// Statistics of navigation, if it gives the order.
    pub navigation: NavigationStatistics,
    /// Statistics of necessary conditions of states, in a search for uncovered code.
    pub conditions: StateConditionStatistics,
    /// Statistics of hints about templates, if they are on.
    pub hints: HintStatistics,
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
    /// Iterations of a loop that were examined together, where loops were cut.
    pub k: u32,
    /// Queries asked by the executor and for templates.
    pub n_queries: u64,
    /// Queries that stayed open.
    pub n_failed_queries: u64,
    pub solver_time: Duration,
    /// Work for queries.
    pub solver_work: Work,
    /// All work.
    pub work: Work,
    pub subsumption: SubsumptionStatistics,
    pub annotations: AnnotationStatistics,
    pub merging: MergingStatistics,
    /// Replays included.
    pub execution_time: Duration,
    /// Native runs of witnesses.
    pub replay_time: Duration,
    pub table: TableStatistics,
    /// Resident, in bytes.
    pub peak_memory: u64,
    /// Longest path, in steps.
    pub depth: u64,
    /// The most of the stack that a path had in use, at least; `None` where it has no end or calls were not counted.
    pub stack: Option<u64>,
    /// Where the state stands whose step came last, or has begun.
    pub at: Option<Location>,
}

/// The result of a run.
pub struct Report {
    pub verdict: Verdict,
    /// In addition to that of the verdict, one for each place, the worst first, where all were requested.
    pub further_errors: Vec<Witness>,
    /// Why the verdict is not *unreachable*, where it is unknown.
    pub reasons: Reasons,
    /// Undefined behaviour at which executions ended, where [`Ends`](property::UndefinedBehaviour) was
    /// chosen.
    pub undefined: Reasons,
    /// Memory that is lost on paths whose end is not checked, if these are recorded.
    pub losses: Reasons,
    /// Where executions ended in a trap of the machine: a division that has no result, or an access through
    /// the null pointer.
    pub traps: BTreeSet<Span>,
    /// Loops in which states waited, or were left undecided, when the run ended without a witness;
    /// that with most first.
    pub open_loops: Vec<OpenLoop>,
    /// Invariants of loops that prove the program, where they were found.
    pub invariants: Vec<LoopInvariant>,
    /// Contracts of functions that prove the program, where they were found.
    pub contracts: Vec<FunctionContract>,
    /// Annotations of locations, where the technique found some.
    pub annotations: Vec<Annotation>,
    pub statistics: Statistics,
    pub solver_statistics: SolverStatistics,
    /// The execution tree, where it was requested.
    pub tree: Option<ExecutionTree>,
    /// All templates computed.
    pub table: TemplateTable,
    /// The pool of the terms of tree and templates.
    pub pool: TermPool,
    /// Held back, because freeing it can take longer than people wait for an answer.
    pub remains: Option<Remains>,
}

impl Report {
    /// Whether a limit ended the run.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.reasons.exhausted()
    }

    /// Takes the errors that another run found at other places.
    pub fn gather_errors(&mut self, other: Report) {
        let errors = |report: &mut Report| {
            let further = std::mem::take(&mut report.further_errors);
            match std::mem::take(&mut report.verdict) {
                Verdict::Reachable(worst) => [*worst].into_iter().chain(further).collect(),
                verdict => {
                    report.verdict = verdict;
                    further
                }
            }
        };
        let mut other = other;
        let mut all = errors(self);
        for error in errors(&mut other) {
            if all
                .iter()
                .all(|known| known.violation() != error.violation())
            {
                all.push(error);
            }
        }
        all.sort_by_key(Witness::rank);
        let mut all = all.into_iter();
        if let Some(worst) = all.next() {
            self.verdict = Verdict::Reachable(Box::new(worst));
        }
        self.further_errors = all.collect();
    }

    /// The part that means something without the terms of the run, and the rest, which can be much
    /// and take long to free.
    pub fn split(self) -> (Findings, impl Sized) {
        let findings = Findings {
            verdict: self.verdict,
            further_errors: self.further_errors,
            reasons: self.reasons,
            undefined: self.undefined,
            losses: self.losses,
            traps: self.traps,
            open_loops: self.open_loops,
            invariants: self.invariants,
            contracts: self.contracts,
            annotations: self.annotations,
            statistics: self.statistics,
            solver_statistics: self.solver_statistics,
        };
        (findings, (self.tree, self.table, self.pool, self.remains))
    }
}

/// The results of a run without its terms, tree and templates, which can be sent between threads.
#[derive(Default)]
pub struct Findings {
    verdict: Verdict,
    further_errors: Vec<Witness>,
    reasons: Reasons,
    undefined: Reasons,
    losses: Reasons,
    traps: BTreeSet<Span>,
    open_loops: Vec<OpenLoop>,
    invariants: Vec<LoopInvariant>,
    contracts: Vec<FunctionContract>,
    annotations: Vec<Annotation>,
    statistics: Statistics,
    solver_statistics: SolverStatistics,
}

impl Findings {
    /// None, for this reason.
    #[must_use]
    pub fn open(reason: Reason) -> Findings {
        let mut findings = Findings::default();
        findings.reasons.add(reason);
        findings
    }
}

impl From<Findings> for Report {
    fn from(findings: Findings) -> Report {
        Report {
            verdict: findings.verdict,
            further_errors: findings.further_errors,
            reasons: findings.reasons,
            undefined: findings.undefined,
            losses: findings.losses,
            traps: findings.traps,
            open_loops: findings.open_loops,
            invariants: findings.invariants,
            contracts: findings.contracts,
            annotations: findings.annotations,
            statistics: findings.statistics,
            solver_statistics: findings.solver_statistics,
            tree: None,
            table: TemplateTable::empty(),
            pool: TermPool::new(),
            remains: None,
        }
    }
}
