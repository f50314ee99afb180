//! The necessary condition of a program, decided, and its models tried natively.

use super::{AnalysisOptions, confirm_natively};
use crate::frontend::Loaded;
use crate::necessary::{
    AbstractPath, BuildOptions, Decider, Decision, NecessaryCondition, Side, Verdict as Answer,
};
use crate::property::{ErrorKind, Meaning, Reason, Reasons};
use crate::semantics::{Machine, PathEnd};
use crate::solver::{Deadline, Limits};
use crate::symex::{Confirmation, Verdict, Witness, propose_inputs};
use crate::term::{TermId, TermPool, Work};
use std::time::{Duration, Instant};

/// No more models are tried.
const MOST_GUESSES: usize = 8;

/// Work for each question for the inputs of a guess.
const WORK_FOR_INPUTS: Work = Work::seconds(2);

/// How a necessary condition is constructed and decided.
#[derive(Clone, Debug, Default)]
pub struct NecessaryOptions {
    pub build: BuildOptions,
    pub decider: Decider,
}

/// What came of a necessary condition.
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

/// A model that was tried.
pub struct Guess {
    /// The path of φ̂ that it is of.
    pub path: usize,
    pub side: Side,
    pub result: Confirmation,
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
    let (started, before) = (Instant::now(), pool.work());
    let condition = NecessaryCondition::of(
        &machine,
        &mut pool,
        &necessary.build,
        execution.property,
        &execution.budget.interrupt,
    );
    let build = (pool.work() - before, started.elapsed());
    let limits = Limits {
        timeout: execution.budget.query_time,
        deadline: Deadline::after(execution.budget.time),
        interrupt: execution.budget.interrupt.clone(),
        ..Limits::default()
    };
    let mut trial = Trial {
        options,
        decider: &necessary.decider,
        loaded,
        machine: &machine,
        limits,
        guesses: Vec::new(),
        reasons: Reasons::default(),
    };
    let (decision, open, verdict) = trial.run(&mut pool, &condition);
    let (guesses, reasons) = (trial.guesses, trial.reasons);
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

/// Questions about a necessary condition, and native runs.
struct Trial<'a> {
    options: &'a AnalysisOptions,
    decider: &'a Decider,
    loaded: &'a Loaded,
    machine: &'a Machine<'a>,
    limits: Limits,
    guesses: Vec<Guess>,
    reasons: Reasons,
}

impl Trial<'_> {
    fn run(
        &mut self,
        pool: &mut TermPool,
        condition: &NecessaryCondition,
    ) -> (Decision, Option<Decision>, Verdict) {
        let mut solver = self.options.solver.build();
        let paths: Vec<&AbstractPath> = condition.paths.iter().collect();
        let first = self
            .decider
            .decide(pool, &mut *solver, &self.limits, &paths);
        if let Answer::Unsatisfiable = first.verdict() {
            let paths: Vec<&AbstractPath> = condition.open.iter().collect();
            let open = self
                .decider
                .decide(pool, &mut *solver, &self.limits, &paths);
            let verdict = match open.verdict() {
                Answer::Unsatisfiable => Verdict::Unreachable,
                Answer::Satisfiable { path, .. } => self.stays_open(paths[*path]),
                Answer::Open => {
                    self.reasons
                        .add(Reason::Undecided(crate::flowgraph::Span::UNKNOWN));
                    Verdict::Unknown
                }
            };
            return (first, Some(open), verdict);
        }
        let mut left: Vec<usize> = (0..condition.paths.len()).collect();
        let mut decision = first.clone();
        let end = pool.work() + self.decider.work;
        for _ in 0..MOST_GUESSES {
            let Answer::Satisfiable { path, .. } = decision.verdict() else {
                break;
            };
            let number = left.remove(*path);
            let path = &condition.paths[number];
            if let Some(witness) = self.guess(pool, number, path, &decision) {
                return (first, None, Verdict::Reachable(Box::new(witness)));
            }
            let paths: Vec<&AbstractPath> = left.iter().map(|n| &condition.paths[*n]).collect();
            let rest = Decider {
                work: end.saturating_sub(pool.work()),
                both: false,
                ..self.decider.clone()
            };
            decision = rest.decide(pool, &mut *solver, &self.limits, &paths);
        }
        if self.reasons.is_empty() {
            self.reasons
                .add(Reason::Undecided(crate::flowgraph::Span::UNKNOWN));
        }
        (first, None, Verdict::Unknown)
    }

    /// A path that nothing excludes and that does not lead to the target.
    fn stays_open(&mut self, path: &AbstractPath) -> Verdict {
        let property = self.options.execution.property;
        if let Meaning::Open(reason) = property.meaning(&path.end) {
            self.reasons.add(reason);
        }
        Verdict::Unknown
    }

    /// Runs the program with a model of a path's condition: by the formula that was decided, then
    /// by the other one.
    fn guess(
        &mut self,
        pool: &mut TermPool,
        number: usize,
        path: &AbstractPath,
        decision: &Decision,
    ) -> Option<Witness> {
        let PathEnd::Target(target) = path.end else {
            self.stays_open(path);
            return None;
        };
        let instances = path.first_instances(pool, self.decider.k);
        let formula = |side| match (side, decision.verdict()) {
            (side, Answer::Satisfiable { formula, .. }) if decision.decided_by == Some(side) => {
                Some(*formula)
            }
            (Side::Quantified, _) => Some(path.condition),
            (Side::Instances, _) => instances,
        };
        let sides = match decision.decided_by {
            Some(Side::Instances) => [Side::Instances, Side::Quantified],
            Some(Side::Quantified) | None => [Side::Quantified, Side::Instances],
        };
        let mut asked: Option<TermId> = None;
        for side in sides {
            let Some(formula) = formula(side).filter(|formula| asked != Some(*formula)) else {
                continue;
            };
            asked = Some(formula);
            let mut state = path.state.clone();
            state.path_cond = crate::semantics::PathCondition::default();
            state.path_cond.assume(pool, formula);
            let solver = self.options.solver.build();
            let limits = self.limits.clone();
            let inputs =
                propose_inputs(self.machine, pool, solver, limits, &state, WORK_FOR_INPUTS);
            let (inputs, steps) = match inputs {
                Ok(found) => found,
                Err(reason) => {
                    self.reasons.add(reason);
                    continue;
                }
            };
            let witness = Witness {
                inputs,
                path: steps,
                target,
                error: ErrorKind::Target,
                report: None,
            };
            let result = if self.options.replay {
                confirm_natively(self.loaded, &witness)
            } else {
                Confirmation::Skipped
            };
            let refuted = match &result {
                Confirmation::Confirmed(_) => None,
                Confirmation::Refuted(why) | Confirmation::Stopped(why) => {
                    Some(Reason::GuessRefuted(why.clone()))
                }
                Confirmation::Impossible(why) => Some(Reason::NotReplayable(why.clone())),
                Confirmation::Skipped => Some(Reason::GuessRefuted("it was not run".to_owned())),
            };
            self.guesses.push(Guess {
                path: number,
                side,
                result,
            });
            match refuted {
                Some(reason) => self.reasons.add(reason),
                None => return Some(witness),
            }
        }
        None
    }
}
