//! Decision of a program's necessary condition, and native runs with its models.

mod beside;
mod guess;
mod run;

pub(super) use self::beside::WithGuesses;
pub use self::guess::Guess;
pub use self::run::NecessaryPolicy;
pub(super) use self::run::NecessaryRun;

use self::guess::Guesses;
use super::{AnalysisOptions, confirm_natively};
use ::necessary::{
    AbstractPath, BuildOptions, Decider, Decision, NecessaryCondition, SharedSolver, Side,
    Verdict as Answer,
};
use flowgraph::{ProgramFacts, Span};
use frontend::Loaded;
use limits::Exhausted;
use property::{Reason, Reasons};
use semantics::Machine;
use solver::{Deadline, Limits, Solver};
use std::rc::Rc;
use std::time::{Duration, Instant};
use symex::{Budget, Confirmation, Verdict, Witness};
use term::{TermPool, Work};

/// No more models are tried.
const MOST_GUESSES: usize = 8;

/// Work for the inputs of a guess, and for executing the program with them.
const WORK_FOR_GUESS: Work = Work::seconds(10);

/// How a necessary condition is constructed and decided.
#[derive(Clone, Debug, Default)]
pub struct NecessaryOptions {
    pub build: BuildOptions,
    pub decider: Decider,
}

/// The result of a necessary condition.
pub struct NecessaryAnalysis {
    pub pool: TermPool,
    pub condition: NecessaryCondition,
    /// Of the paths of φ̂.
    pub decision: Decision,
    /// Of the paths to undefined behaviour, where φ̂ is unsatisfiable.
    pub open: Option<Decision>,
    /// Native runs with models of φ̂ or φ̂^K.
    pub guesses: Vec<Guess>,
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reasons: Reasons,
    /// For constructing φ̂.
    pub build: (Work, Duration),
}

/// Constructs the necessary condition of a loaded program for its target, decides it, and runs the
/// program with its models. *Unreachable* is the verdict where neither the target nor undefined
/// behaviour is possible; *reachable* where a run reaches the target.
#[must_use]
pub fn necessary(
    options: &AnalysisOptions,
    necessary: &NecessaryOptions,
    loaded: &Loaded,
) -> NecessaryAnalysis {
    let mut pool = TermPool::new();
    let execution = &options.execution;
    let machine = Machine::new(&mut pool, &loaded.program).with_accesses(execution.accesses);
    let solver = SharedSolver::made();
    let (started, before) = (Instant::now(), pool.work());
    let condition = NecessaryCondition::asking(
        &solver,
        &machine,
        &mut pool,
        &necessary.build,
        execution.property,
        &execution.budget.interrupt,
    );
    let build = (pool.work() - before, started.elapsed());
    let limits = limits(&execution.budget);
    let mut trial = Trial {
        options,
        machine: &machine,
        decider: &necessary.decider,
        guesses: Guesses::new(
            Rc::new(options.clone()),
            ProgramFacts::from(&loaded.program),
            limits,
            necessary.decider.k,
            WORK_FOR_GUESS,
        ),
        confirm: &mut |witness| {
            if options.replay {
                confirm_natively(loaded, witness)
            } else {
                Confirmation::Skipped
            }
        },
    };
    let (decision, open, verdict) = trial.run(&mut pool, &condition);
    let (guesses, reasons) = (trial.guesses.tried, trial.guesses.reasons);
    NecessaryAnalysis {
        pool,
        condition,
        decision,
        open,
        guesses,
        verdict,
        reasons,
        build,
    }
}

/// The limits of each query, but for its work.
fn limits(budget: &Budget) -> Limits {
    Limits {
        timeout: budget.query_time,
        deadline: Deadline::after(budget.time),
        interrupt: budget.interrupt.clone(),
        ..Limits::default()
    }
}

/// Queries about a necessary condition, and native runs.
struct Trial<'a, 'p> {
    options: &'a AnalysisOptions,
    machine: &'a Machine<'p>,
    decider: &'a Decider,
    guesses: Guesses<'p>,
    confirm: &'a mut dyn FnMut(&Witness) -> Confirmation,
}

impl Trial<'_, '_> {
    fn run(
        &mut self,
        pool: &mut TermPool,
        condition: &NecessaryCondition,
    ) -> (Decision, Option<Decision>, Verdict) {
        let mut solver = self.options.solver.build();
        let limits = self.guesses.limits.clone();
        let paths: Vec<&AbstractPath> = condition.paths.iter().collect();
        let first = self.decider.decide(pool, &mut *solver, &limits, &paths);
        if let Answer::Unsatisfiable = first.verdict() {
            let (open, verdict) = self.decide_open(pool, &mut *solver, &limits, condition);
            return (first, Some(open), verdict);
        }
        let mut left: Vec<usize> = (0..condition.paths.len()).collect();
        let mut decision = first.clone();
        let end = pool.work() + self.decider.work;
        let mut has_model = false;
        for _ in 0..MOST_GUESSES {
            let Answer::Satisfiable { path, .. } = decision.verdict() else {
                break;
            };
            has_model |= decision.decided_by == Some(Side::Quantified);
            let number = left.remove(*path);
            let path = &condition.paths[number];
            let found = self.guesses.guess(
                (self.machine, pool),
                (number, path),
                &decision,
                self.confirm,
            );
            if let Some(witness) = found {
                return (first, None, Verdict::Reachable(Box::new(witness)));
            }
            let paths: Vec<&AbstractPath> = left.iter().map(|n| &condition.paths[*n]).collect();
            let rest = Decider {
                work: end.saturating_sub(pool.work()),
                both: false,
                ..self.decider.clone()
            };
            decision = rest.decide(pool, &mut *solver, &limits, &paths);
        }
        // Models of φ̂^K need not be such of φ̂.
        if !has_model && first.decided_by.is_some() {
            let rest = Decider {
                work: end.saturating_sub(pool.work()),
                ..self.decider.clone()
            };
            let whole = rest.decide_whole(pool, &mut *solver, &limits, &paths);
            if let Answer::Unsatisfiable = whole.verdict() {
                let first = Decision {
                    quantified: whole.quantified,
                    decided_by: Some(Side::Quantified),
                    ..first
                };
                self.guesses.reasons = Reasons::default();
                let (open, verdict) = self.decide_open(pool, &mut *solver, &limits, condition);
                return (first, Some(open), verdict);
            }
        }
        let why = self.why_open();
        let reasons = &mut self.guesses.reasons;
        if reasons.is_empty() || matches!(why, Reason::Exhausted(_)) {
            reasons.add(why);
        }
        (first, None, Verdict::Unknown)
    }

    /// Why a query stays open: for a limit of the run, or for the solver.
    fn why_open(&self) -> Reason {
        let limits = &self.guesses.limits;
        let is_late = limits.deadline.passed().then_some(Exhausted::Time);
        let limit = limits.interrupt.reason().or(is_late);
        limit.map_or(Reason::Undecided(Span::UNKNOWN), Reason::Exhausted)
    }

    /// Where φ̂ is unsatisfiable: whether undefined behaviour that keeps the verdict open is possible.
    fn decide_open(
        &mut self,
        pool: &mut TermPool,
        solver: &mut dyn Solver,
        limits: &Limits,
        condition: &NecessaryCondition,
    ) -> (Decision, Verdict) {
        let paths: Vec<&AbstractPath> = condition.open.iter().collect();
        let open = self.decider.decide(pool, solver, limits, &paths);
        let verdict = match open.verdict() {
            Answer::Unsatisfiable => Verdict::Unreachable,
            Answer::Satisfiable { path, .. } => {
                self.guesses.stays_open(paths[*path]);
                Verdict::Unknown
            }
            Answer::Open => {
                let why = self.why_open();
                self.guesses.reasons.add(why);
                Verdict::Unknown
            }
        };
        (open, verdict)
    }
}
