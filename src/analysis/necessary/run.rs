//! Necessary conditions as a technique of the portfolio.
//!
//! φ̂ is constructed and decided in rounds of growing work. If it is unsatisfiable, the target is
//! unreachable; a model is a guess.

use super::guess::{GuessRun, Guesses};
use super::limits;
use crate::AnalysisOptions;
use ::necessary::{
    AbstractPath, Asking, BuildOptions, NecessaryCondition, Round, SharedSolver, Side,
    Verdict as Answer,
};
use flowgraph::{ProgramFacts, Span};
use limits::{Exhausted, resident_memory};
use property::Reason;
use semantics::Machine;
use serde::{Deserialize, Serialize};
use solver::Solver;
use std::rc::Rc;
use symex::{Advance, Advancing, Confirmation, Findings, Report, Statistics, Verdict, Witness};
use term::{Clock, TermId, TermPool, Work};

/// Work of a necessary condition in the portfolio.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NecessaryPolicy {
    /// The work of the first attempt to construct φ̂; each further one has twice as much. Default:
    /// 50 ms; the conditions of hello, HW and HWM take 1 to 10 ms (`compact-se necessary`).
    pub build: Work,
    /// The work of the last attempt: what is not constructed with it is not asked. Default: 400 ms,
    /// so that all attempts together take less than a second.
    pub most_build: Work,
    /// The work of the first query. Default: 20 ms.
    pub question: Work,
    /// A round of queries after one that was not enough has so many times its work. Default: 4.
    pub growth: u64,
    /// Queries of a round take no more than so many times the work of one. Default: 8.
    pub most_questions: u64,
    /// Instances of each quantifier in φ̂^K. Default: 25, as in the paper.
    pub k: u64,
    /// Models that are tried. Default: 4.
    pub most_guesses: u32,
    /// Work for the inputs of a guess, and as much for executing the program with them. Default: 1 s.
    pub guess: Work,
    /// Work for asking about φ̂ alone, once models of φ̂^K that are none of φ̂ led nowhere. Default:
    /// 320 ms.
    pub insist: Work,
}

impl Default for NecessaryPolicy {
    fn default() -> NecessaryPolicy {
        NecessaryPolicy {
            build: Work::millis(50),
            most_build: Work::millis(400),
            question: Work::millis(20),
            growth: 4,
            most_questions: 8,
            k: 25,
            most_guesses: 4,
            guess: Work::seconds(1),
            insist: Work::millis(320),
        }
    }
}

/// The technique: a condition that is constructed, decided and tried step by step.
pub(crate) struct NecessaryRun<'p> {
    options: Rc<AnalysisOptions>,
    machine: Machine<'p>,
    pool: TermPool,
    solver: Box<dyn Solver>,
    /// Which attempts to construct φ̂ ask.
    of_construction: SharedSolver,
    guesses: Guesses<'p>,
    stage: Stage<'p>,
    /// The work of the next attempt or query.
    work: Work,
    /// Whether φ̂ itself had a model.
    has_model: bool,
    /// When to end asking about φ̂ alone, once that has begun.
    insists_until: Option<Work>,
    statistics: Statistics,
}

enum Stage<'p> {
    /// φ̂ is to be constructed.
    Constructing,
    /// Whether these of its paths are possible is asked.
    Asking {
        condition: Box<NecessaryCondition>,
        asking: Box<Asking>,
        /// The numbers of the paths that are checked, of those to the target or of those that
        /// are open.
        paths: Vec<usize>,
        which: Which,
        /// The work at which the round of queries is over, once it has begun.
        round_end: Option<Work>,
    },
    /// The program is run with models of a path's condition.
    Guessing {
        condition: Box<NecessaryCondition>,
        /// The number of the path.
        path: usize,
        /// The paths that are left.
        paths: Vec<usize>,
        /// What models are still to be found of, the next one last.
        formulas: Vec<(Side, TermId)>,
        /// The active run.
        running: Option<Box<GuessRun<'p>>>,
    },
    Over(Verdict),
}

/// Which paths of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those of φ̂.
    ToTarget,
    /// Those to undefined behaviour: none leads to the target.
    Open,
}

impl Which {
    fn of(self, condition: &NecessaryCondition) -> &[AbstractPath] {
        match self {
            Which::ToTarget => &condition.paths,
            Which::Open => &condition.open,
        }
    }
}

impl<'p> NecessaryRun<'p> {
    /// For a program; nothing is done yet.
    pub fn new(options: &AnalysisOptions, facts: ProgramFacts<'p>) -> NecessaryRun<'p> {
        let options = Rc::new(options.clone());
        let mut pool = TermPool::new();
        let execution = &options.execution;
        let policy = &options.policy.necessary;
        let machine = Machine::new(&mut pool, facts.program()).with_accesses(execution.accesses);
        let limits = limits(&execution.budget);
        let limits = match execution.budget.work {
            Some(most) => limits.within_work(&pool, most),
            None => limits,
        };
        NecessaryRun {
            machine,
            pool,
            solver: options.solver.build(),
            of_construction: SharedSolver::default(),
            guesses: Guesses::new(options.clone(), facts, limits, policy.k, policy.guess),
            stage: Stage::Constructing,
            work: policy.build,
            has_model: false,
            insists_until: None,
            statistics: Statistics::default(),
            options,
        }
    }

    /// One attempt to construct φ̂, one query, or a slice of a run with the inputs of a model.
    fn step(&mut self, confirm: &mut dyn FnMut(&Witness) -> Confirmation) {
        if let Some(exhausted) = self.exhausted() {
            return self.give_up(Reason::Exhausted(exhausted));
        }
        let stage = std::mem::replace(&mut self.stage, Stage::Over(Verdict::Unknown));
        self.stage = match stage {
            Stage::Constructing => self.construct(),
            Stage::Asking {
                condition,
                mut asking,
                paths,
                which,
                round_end,
            } => {
                let round_end = self.question(&mut asking, round_end);
                let is_late = self
                    .insists_until
                    .is_some_and(|end| self.pool.work() >= end);
                if !asking.is_done() && which == Which::ToTarget && is_late {
                    Stage::Over(Verdict::Unknown)
                } else if asking.is_done() {
                    self.answered(condition, *asking, paths, which)
                } else {
                    Stage::Asking {
                        condition,
                        asking,
                        paths,
                        which,
                        round_end,
                    }
                }
            }
            Stage::Guessing {
                condition,
                path,
                paths,
                formulas,
                running: Some(mut run),
            } => {
                let slice = self.options.policy.slice;
                let (advance, work) = run.advance(slice, confirm);
                self.pool.count_work(work);
                let (found, running) = match advance {
                    Advance::Goes => (None, Some(run)),
                    Advance::Over => (self.guesses.end(*run), None),
                };
                match found {
                    Some(witness) => Stage::Over(Verdict::Reachable(Box::new(witness))),
                    None => Stage::Guessing {
                        condition,
                        path,
                        paths,
                        formulas,
                        running,
                    },
                }
            }
            Stage::Guessing {
                condition,
                path,
                paths,
                mut formulas,
                running: None,
            } => match formulas.pop() {
                Some((side, formula)) => {
                    let of = &condition.paths[path];
                    let (machine, pool) = (&self.machine, &mut self.pool);
                    let inputs = self.guesses.inputs(machine, pool, of, formula);
                    let running = inputs.map(|inputs| self.guesses.begin((path, side), inputs));
                    Stage::Guessing {
                        running: running.map(Box::new),
                        condition,
                        path,
                        paths,
                        formulas,
                    }
                }
                None => self.guessed(condition, paths),
            },
            over @ Stage::Over(_) => over,
        };
    }

    /// Asks one query. Returns where the round ends, if it continues.
    fn question(&mut self, asking: &mut Asking, round_end: Option<Work>) -> Option<Work> {
        let policy = &self.options.policy.necessary;
        let now = self.pool.work();
        let round_end = round_end.unwrap_or(now + self.work * policy.most_questions);
        // All queries together take no more than what is left of the round, and of everything.
        let left = round_end.saturating_sub(now);
        let limits = self.guesses.limits.within_work(&self.pool, left);
        let round = asking.step(&mut self.pool, &mut *self.solver, &limits, self.work);
        if round == Round::Goes && self.pool.work() < round_end {
            return Some(round_end);
        }
        asking.begin_round();
        self.work = self.work * policy.growth;
        None
    }

    fn construct(&mut self) -> Stage<'p> {
        let policy = &self.options.policy.necessary;
        let build = BuildOptions {
            work: self.work,
            ..BuildOptions::default()
        };
        let execution = &self.options.execution;
        let condition = NecessaryCondition::asking(
            &self.of_construction,
            &self.machine,
            &mut self.pool,
            &build,
            execution.property,
            &execution.budget.interrupt,
        );
        if !condition.is_whole && self.work >= policy.most_build {
            return Stage::Over(Verdict::Unknown);
        }
        if !condition.is_whole {
            self.work = (self.work + self.work).min(policy.most_build);
            return Stage::Constructing;
        }
        self.work = policy.question;
        self.ask_about(Box::new(condition), Which::ToTarget)
    }

    fn ask_about(&mut self, condition: Box<NecessaryCondition>, which: Which) -> Stage<'p> {
        let paths = (0..which.of(&condition).len()).collect();
        self.ask(condition, paths, which)
    }

    fn ask(
        &mut self,
        condition: Box<NecessaryCondition>,
        paths: Vec<usize>,
        which: Which,
    ) -> Stage<'p> {
        let all = which.of(&condition);
        let asked: Vec<&AbstractPath> = paths.iter().map(|number| &all[*number]).collect();
        let asking = Asking::new(&self.pool, &asked, self.options.policy.necessary.k, false);
        Stage::Asking {
            condition,
            asking: Box::new(asking),
            paths,
            which,
            round_end: None,
        }
    }

    /// The consequence of an answer.
    fn answered(
        &mut self,
        condition: Box<NecessaryCondition>,
        asking: Asking,
        mut paths: Vec<usize>,
        which: Which,
    ) -> Stage<'p> {
        let decision = asking.decision();
        match (decision.verdict(), which) {
            // Of paths whose models were tried nothing is known: all have to be excluded.
            (Answer::Unsatisfiable, Which::ToTarget) if paths.len() == condition.paths.len() => {
                self.work = self.options.policy.necessary.question;
                self.ask_about(condition, Which::Open)
            }
            (Answer::Unsatisfiable, Which::Open) => Stage::Over(Verdict::Unreachable),
            (Answer::Satisfiable { path, .. }, Which::ToTarget) => {
                self.has_model |= decision.decided_by == Some(Side::Quantified);
                let number = paths.remove(*path);
                let of = &condition.paths[number];
                let mut formulas = self.guesses.formulas(&mut self.pool, of, &decision);
                formulas.reverse();
                Stage::Guessing {
                    condition,
                    path: number,
                    paths,
                    formulas,
                    running: None,
                }
            }
            (Answer::Satisfiable { path, .. }, Which::Open) => {
                self.guesses.stays_open(&condition.open[paths[*path]]);
                Stage::Over(Verdict::Unknown)
            }
            (Answer::Unsatisfiable | Answer::Open, _) => Stage::Over(Verdict::Unknown),
        }
    }

    /// What follows from models of a path's condition that did not lead to the target.
    fn guessed(&mut self, condition: Box<NecessaryCondition>, paths: Vec<usize>) -> Stage<'p> {
        let most = self.options.policy.necessary.most_guesses as usize;
        if self.guesses.tried.len() < most && !paths.is_empty() && self.insists_until.is_none() {
            return self.ask(condition, paths, Which::ToTarget);
        }
        // Models of φ̂^K need not be such of φ̂.
        if self.has_model || self.insists_until.is_some() {
            return Stage::Over(Verdict::Unknown);
        }
        let policy = &self.options.policy.necessary;
        self.insists_until = Some(self.pool.work() + policy.insist);
        self.work = policy.question;
        let asked: Vec<&AbstractPath> = condition.paths.iter().collect();
        Stage::Asking {
            asking: Box::new(Asking::of_whole(&asked)),
            paths: (0..condition.paths.len()).collect(),
            condition,
            which: Which::ToTarget,
            round_end: None,
        }
    }

    fn exhausted(&self) -> Option<Exhausted> {
        let budget = &self.options.execution.budget;
        if budget.work.is_some_and(|most| self.pool.work() >= most) {
            return Some(Exhausted::Work);
        }
        if self.guesses.limits.deadline.passed() {
            return Some(Exhausted::Time);
        }
        if resident_memory() > budget.memory {
            return Some(Exhausted::Memory);
        }
        budget.interrupt.reason()
    }

    fn give_up(&mut self, why: Reason) {
        self.guesses.reasons.add(why);
        self.stage = Stage::Over(Verdict::Unknown);
    }
}

impl Advancing for NecessaryRun<'_> {
    fn clock(&self) -> Clock {
        self.pool.clock()
    }

    fn advance(
        &mut self,
        until: Work,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
        progress: &mut dyn FnMut(&Statistics),
    ) -> Advance {
        while self.pool.work() < until {
            if matches!(self.stage, Stage::Over(_)) {
                return Advance::Over;
            }
            self.step(confirm);
            self.statistics.work = self.pool.work();
            progress(&self.statistics);
        }
        Advance::Goes
    }

    fn has_settled(&self) -> bool {
        match &self.stage {
            Stage::Over(Verdict::Unknown)
            | Stage::Constructing
            | Stage::Asking { .. }
            | Stage::Guessing { .. } => false,
            Stage::Over(Verdict::Reachable(_) | Verdict::Unreachable) => true,
        }
    }

    fn finish(self: Box<Self>) -> Report {
        let mut report = Report::from(Findings::default());
        report.statistics = self.statistics;
        self.solver.statistics(&mut report.solver_statistics);
        let mut reasons = self.guesses.reasons;
        report.verdict = match self.stage {
            Stage::Over(verdict) => verdict,
            Stage::Constructing | Stage::Asking { .. } | Stage::Guessing { .. } => Verdict::Unknown,
        };
        if let Verdict::Unknown = report.verdict {
            if reasons.is_empty() {
                reasons.add(Reason::Undecided(Span::UNKNOWN));
            }
            report.reasons = reasons;
        }
        report
    }
}
