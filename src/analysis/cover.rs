//! Coverage: inputs for each reachable coverage goal, and proofs that the others are unreachable.
//!
//! ```text
//! program with goals --one classic run--> inputs --run of the program--> goals covered, tests
//!              states from which φ̂ excludes all open goals are closed, models of it are run
//! goals left --φ̂ of each, little work--> inputs | unsatisfiable: dead
//! goals left --as targets, all techniques--> inputs | unreachable: dead
//! goals left --each by itself, bounded work--> inputs | dead | open, with reasons
//! ```
//!
//! The classic run continues after each goal, and prefers states near uncovered code. A run that ends without
//! open states has covered all executions, so that goals which no path passed are dead. If loops prevent
//! that, the necessary condition φ̂ of each remaining goal is computed on demand: if it is unsatisfiable, the
//! goal is dead; a model of it is run. The goals still open become targets for all techniques: templates,
//! induction, and again necessary conditions, with more work.
//!
//! # Invariants
//! - A goal is covered only if a run of the program passed it, natively or, in microc, by the interpreter; its
//!   test has the inputs of that run.
//! - A goal is dead only by a verdict *unreachable*, or since it has no code.
//! - Work is counted, so that the answer does not depend on the load of the machine, except for the limits of
//!   time and memory.
//!
//! # Deliberately absent
//! No files: tests are written by `witness`, figures and pages made by `report`.
//!
//! # Source
//! Preference for states near uncovered code: KLEE (Cadar, Dunbar, Engler, OSDI 2008); the order is that of
//! Rozhoň's thesis, Section 5.3.2.2. Necessary conditions for locations that stay uncovered: Strejček, Trtík,
//! ISSTA 2012, Section 5.

mod measure;
mod minimal;

use self::measure::Measure;
use self::minimal::needed;
use super::confirmation::refuted_by;
use super::portfolio::Outcome;
use super::{AnalysisOptions, CheckChoice, SignedOverflow, Technique, confirm_natively};
use ::necessary::StateConditionStatistics;
use flowgraph::{
    Action, BitSet, EndKind, GoalId, Program, ProgramFacts, goal_at, goals_left,
    with_goals_as_targets, without_checks,
};
use frontend::{Goals, LoadError, Loaded, TargetSpec, WithoutCode, load};
use limits::Exhausted;
use property::{
    Check, Checks, ErrorKind, Otherwise, Property, Reason, Reasons, undefined_behaviour,
};
use replay::ReplayOutcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use symex::{
    Advance, Advancing, Confirmation, Report, SearchStrategy, Statistics, Verdict, WantedGoals,
    Witness,
};
use term::Work;

/// How much is done to cover a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverPolicy {
    /// Steps for which a path carries goals before inputs are found for it: long paths cover more at
    /// once, and need a solver's answer less often. Default: 256.
    pub patience: u32,
    /// The first run ends when it has covered nothing new for so much work. Default: 2 s.
    pub barren: Work,
    /// For the necessary condition of a goal that is left, its models included. Default: 20 ms: with
    /// 100 ms and 1 s for all, EQCNTex took 1.9 s in the place of 0.8 s, for nothing.
    pub condition: Work,
    /// For the necessary conditions of all goals that are left; 0 asks about none. Default: 100 ms.
    /// OneLoop, TwoLoops and copy have their dead goals proved so, for no more work than otherwise.
    pub conditions: Work,
    /// For the analysis of all remaining goals together, each time it is asked. Default: 5 s.
    pub together: Work,
    /// For the analysis of a single goal. Default: 1 s.
    pub each: Work,
    /// For all analyses of single goals. Default: 30 s.
    pub all: Work,
}

impl Default for CoverPolicy {
    fn default() -> CoverPolicy {
        CoverPolicy {
            patience: 256,
            barren: Work::seconds(2),
            condition: Work::millis(20),
            conditions: Work::millis(100),
            together: Work::seconds(5),
            each: Work::seconds(1),
            all: Work::seconds(30),
        }
    }
}

/// The goals to cover, and how.
#[derive(Clone, Debug)]
pub struct CoverOptions {
    pub analysis: AnalysisOptions,
    pub goals: Goals,
}

/// The status of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GoalStatus {
    /// Native runs of these tests passed it.
    Covered(Vec<usize>),
    /// No execution passes it.
    Dead(Proof),
    /// Nobody knows; the reasons.
    Open(Vec<String>),
}

/// Why no execution passes a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Clang made no code of it.
    WithoutCode(WithoutCode),
    /// No call and no jump leads to its code.
    NothingLeadsThere,
    /// All executions were gone through, iteration by iteration.
    Explored,
    /// By the verdict of a technique, or by necessary conditions of the states that were left in the first
    /// run.
    By(Technique),
}

/// A test: inputs, and what a native run with them passed.
#[derive(Clone, Debug)]
pub struct Test {
    pub witness: Witness,
    pub goals: BTreeSet<GoalId>,
    pub outcome: ReplayOutcome,
}

impl Test {
    /// Whether it leads to an error of the program.
    #[must_use]
    pub fn is_error(&self) -> bool {
        matches!(
            self.outcome,
            ReplayOutcome::Reached | ReplayOutcome::AssertionFailed
        )
    }
}

/// The result.
pub struct Cover {
    pub loaded: Loaded,
    /// Of each goal of `loaded`.
    pub statuses: Vec<GoalStatus>,
    /// Those that are needed to cover what is covered.
    pub tests: Vec<Test>,
    /// Inputs that each native run refused, or what stood in the way of all runs.
    pub unreplayable: Option<String>,
    /// Errors that were found and confirmed on the way, the worst first; their inputs are among the
    /// tests if they cover something.
    pub errors: Vec<Witness>,
    /// Undefined behaviour at which executions ended, where proofs are about those that C defines.
    pub undefined: Reasons,
    /// The limit that ended it, if one did.
    pub exhausted: Option<Exhausted>,
    /// The options of the analysis, as they were used.
    pub options: AnalysisOptions,
    /// What necessary conditions of states did in the first run.
    pub conditions: StateConditionStatistics,
    /// That of all runs together.
    pub work: Work,
    pub time: Duration,
    pub load_time: Duration,
}

/// The options with which a program is loaded to be covered: its goals are marked, and no target.
fn load_options(options: &CoverOptions) -> AnalysisOptions {
    let mut analysis = options.analysis.clone();
    analysis.load.goals = options.goals;
    analysis.load.target = TargetSpec::EachOf(Vec::new());
    analysis.load.default_may_be_missing = true;
    // Errors end programs in microc, so that looking for them costs nothing.
    if analysis.checks == CheckChoice::Usual && !analysis.load.is_microc() {
        analysis.checks = CheckChoice::These([Check::Assertions].into_iter().collect());
    }
    analysis
}

/// Covers a program. `progress` hears of every step, with the number of goals that are left.
///
/// # Errors
/// If the program cannot be loaded.
pub fn cover(
    options: &CoverOptions,
    progress: &mut dyn FnMut(&Statistics, usize),
) -> Result<Cover, LoadError> {
    let started = Instant::now();
    let analysis = load_options(options);
    let loaded = load(&analysis.load_options())?;
    let load_time = started.elapsed();
    let mut covering = Covering {
        measure: Measure::new(&loaded, analysis.execution.budget.interrupt.clone()),
        options: &analysis,
        loaded: &loaded,
        end: Instant::now() + analysis.execution.budget.time,
        statuses: vec![None; loaded.goals.len()],
        errors: Vec::new(),
        work: Work::ZERO,
        undefined: Reasons::default(),
        exhausted: None,
        conditions: StateConditionStatistics::default(),
    };
    covering.run(progress);
    let Covering {
        measure,
        errors,
        work,
        undefined,
        exhausted,
        statuses,
        conditions,
        ..
    } = covering;
    let (all, unreplayable) = measure.into_tests();
    let tests = needed(all, loaded.goals.len());
    let statuses = statuses
        .into_iter()
        .enumerate()
        .map(|(number, status)| {
            let passes = |test: &Test| test.goals.iter().any(|goal| goal.index() == number);
            let by = (0..tests.len()).filter(|test| passes(&tests[*test]));
            let by: Vec<usize> = by.collect();
            match status {
                _ if !by.is_empty() => GoalStatus::Covered(by),
                Some(status) => status,
                None => GoalStatus::Open(vec!["it was not asked for".to_owned()]),
            }
        })
        .collect();
    Ok(Cover {
        statuses,
        tests,
        unreplayable,
        errors,
        undefined,
        exhausted,
        conditions,
        work,
        options: analysis,
        time: started.elapsed(),
        load_time,
        loaded,
    })
}

/// A covering at work.
struct Covering<'a> {
    options: &'a AnalysisOptions,
    loaded: &'a Loaded,
    measure: Measure<'a>,
    /// When the time is over.
    end: Instant,
    /// The status of each goal that no test passes.
    statuses: Vec<Option<GoalStatus>>,
    errors: Vec<Witness>,
    work: Work,
    undefined: Reasons,
    exhausted: Option<Exhausted>,
    conditions: StateConditionStatistics,
}

impl Covering<'_> {
    fn run(&mut self, progress: &mut dyn FnMut(&Statistics, usize)) {
        self.sort_out();
        if let Some(proof) = self.explore(progress) {
            self.close(&self.left(), proof);
        }
        self.ask_conditions(progress);
        let policy = &self.options.policy.cover;
        while !self.left().is_empty() && !self.is_over() {
            let left = self.left();
            let (report, technique) = self.ask(&left, self.options, policy.together, progress);
            let progressed = self.left().len() < left.len();
            if self.is_proof(&report) {
                self.close(&left, proof(technique));
                return;
            }
            if !progressed {
                self.leave_open(&left, &report);
                if left.len() > 1 {
                    self.ask_each(progress);
                }
                return;
            }
        }
        for goal in self.left() {
            let why = self
                .exhausted
                .map_or_else(String::new, |why| why.to_string());
            let status = &mut self.statuses[goal.index()];
            status.get_or_insert(GoalStatus::Open(vec![why]));
        }
    }

    /// Goals that have no code, or to whose code nothing leads.
    fn sort_out(&mut self) {
        let program = &self.loaded.program;
        let left = goals_left(program);
        // Behind what is refused, and behind undefined operations, no code was examined.
        let is_whole = has_all_code(program);
        for (number, goal) in (0u32..).zip(&self.loaded.goals) {
            let proof = match goal.without_code {
                Some(why) => Proof::WithoutCode(why),
                None if is_whole && !left.contains(&GoalId(number)) => Proof::NothingLeadsThere,
                None => continue,
            };
            self.statuses[number as usize] = Some(GoalStatus::Dead(proof));
        }
    }

    /// Goals that no test passes and that are not dead.
    fn left(&self) -> BTreeSet<GoalId> {
        let covered = self.measure.covered();
        let numbers = (0u32..).zip(&self.statuses);
        let open = numbers.filter(|(number, status)| {
            let is_dead = matches!(status, Some(GoalStatus::Dead(_)));
            !is_dead && !covered.contains(*number as usize)
        });
        open.map(|(number, _)| GoalId(number)).collect()
    }

    fn close(&mut self, goals: &BTreeSet<GoalId>, proof: Proof) {
        let covered = self.measure.covered();
        for goal in goals {
            if !covered.contains(goal.index()) {
                self.statuses[goal.index()] = Some(GoalStatus::Dead(proof));
            }
        }
    }

    fn leave_open(&mut self, goals: &BTreeSet<GoalId>, report: &Report) {
        let reasons = reasons(&self.loaded.program, report);
        for goal in goals {
            self.statuses[goal.index()] = Some(GoalStatus::Open(reasons.clone()));
        }
    }

    /// Whether the time is over, or the run was interrupted.
    fn is_over(&mut self) -> bool {
        let interrupt = &self.options.execution.budget.interrupt;
        if interrupt.raised() {
            let why = interrupt.reason().unwrap_or(Exhausted::Interrupted);
            self.exhausted = Some(why);
        } else if Instant::now() >= self.end {
            self.exhausted = Some(Exhausted::Time);
        }
        self.exhausted.is_some()
    }

    /// Whether a report shows that no execution passes the goals that were requested. Executions that
    /// end at an overflow which is searched for continue behind it.
    fn is_proof(&mut self, report: &Report) -> bool {
        let goes_on = self.options.signed_overflow() == SignedOverflow::Error;
        let is_proof = matches!(report.verdict, Verdict::Unreachable)
            && (report.undefined.is_empty() || !goes_on);
        if is_proof {
            self.note_undefined(report);
        }
        is_proof
    }

    fn note_undefined(&mut self, report: &Report) {
        for (reason, _) in report.undefined.iter() {
            self.undefined.add(reason.clone());
        }
    }

    fn property(&self) -> Property {
        self.options.property_of(self.loaded)
    }

    /// One classic run that continues behind each goal; a proof that none that is left can be passed, if it
    /// went along all executions.
    fn explore(&mut self, progress: &mut dyn FnMut(&Statistics, usize)) -> Option<Proof> {
        let policy = self.options.policy.cover.clone();
        let mut options = self.options.clone();
        let search = SearchStrategy::Klee(1);
        options.search = Some(options.search.unwrap_or(search));
        options.techniques = super::Techniques::only(Technique::Classic);
        options.execution.property = self.property();
        options.execution.all_errors = true;
        options.execution.state_conditions &=
            self.options.techniques.contains(Technique::Necessary);
        options.execution.budget.time = self.end.saturating_duration_since(Instant::now());
        let mut open = BitSet::new(self.loaded.goals.len());
        for goal in self.left() {
            open.insert(goal.index());
        }
        options.execution.goals = WantedGoals {
            open,
            patience: policy.patience,
        };
        let facts = ProgramFacts::from(&self.loaded.program);
        let mut executor = options.executor(Technique::Classic, facts);
        let (measure, loaded) = (&self.measure, self.loaded);
        let mut confirm = |witness: &Witness| confirmed(measure, loaded, witness);
        let (mut n_covered, mut productive) = (0, Work::ZERO);
        let advance = loop {
            let until = executor.work() + options.policy.slice;
            let advance = executor.advance(until, &mut confirm, &mut |statistics| {
                progress(statistics, loaded.goals.len() - measure.n_covered());
            });
            if measure.n_covered() > n_covered {
                n_covered = measure.n_covered();
                productive = executor.work();
            }
            let is_barren = executor.work().saturating_sub(productive) >= policy.barren;
            if advance == Advance::Over || is_barren || measure.is_impossible() {
                break advance;
            }
        };
        if advance == Advance::Goes {
            executor.settle_goals(&mut confirm);
        }
        self.work += executor.work();
        let report = Box::new(executor).finish();
        self.exhausted = report.exhausted();
        let is_whole = advance == Advance::Over
            && report.reasons.is_empty()
            && report.statistics.n_applications == 0;
        if is_whole {
            self.note_undefined(&report);
        }
        let proof = match report.statistics.conditions.n_closed {
            0 => Proof::Explored,
            _ => Proof::By(Technique::Necessary),
        };
        self.conditions.clone_from(&report.statistics.conditions);
        let (findings, rest) = report.split();
        // Freeing can take longer than people wait for an answer.
        std::mem::forget(rest);
        let report = Report::from(findings);
        let no_memory_errors = self.gather_errors(report);
        (is_whole && no_memory_errors).then_some(proof)
    }

    /// Keeps the errors of a run; whether executions are defined up to each of them.
    fn gather_errors(&mut self, report: Report) -> bool {
        let Report {
            verdict,
            further_errors,
            ..
        } = report;
        let worst = match verdict {
            Verdict::Reachable(worst) => Some(*worst),
            Verdict::Unreachable | Verdict::Unknown => None,
        };
        self.errors.extend(worst.into_iter().chain(further_errors));
        let ends_defined = |error: &Witness| match error.error {
            ErrorKind::Target => true,
            ErrorKind::Program(_) => matches!(
                error.error.facts().otherwise,
                Otherwise::Defined | Otherwise::Trap
            ),
            ErrorKind::Leak(_) => true,
            ErrorKind::Memory(_) => self.loaded.faults_are_defined,
        };
        self.errors.iter().all(ends_defined)
    }

    /// Asks the techniques of these options whether one of these goals can be reached; what each reaches is tried
    /// natively. Errors of the program are not asked for again: they keep the answer open.
    fn ask(
        &mut self,
        goals: &BTreeSet<GoalId>,
        options: &AnalysisOptions,
        work: Work,
        progress: &mut dyn FnMut(&Statistics, usize),
    ) -> (Report, Option<Technique>) {
        let program = with_goals_as_targets(&self.loaded.program, goals);
        let program = self.without_continuing_checks(program);
        let mut options = options.clone();
        options.execution.all_errors = goals.len() > 1;
        options.execution.budget.work = Some(work);
        options.execution.budget.time = self.end.saturating_duration_since(Instant::now());
        options.execution.property = Property {
            checks: Checks::NONE,
            ..self.property()
        };
        let (measure, loaded) = (&self.measure, self.loaded);
        let confirm = |witness: &Witness| {
            let Some(goal) = goal_at(&program, witness.target) else {
                return Confirmation::Refuted("its place is no goal".to_owned());
            };
            match measure.run(witness) {
                Ok((_, passed)) if passed.contains(&goal) => Confirmation::Confirmed(None),
                Ok((outcome, _)) => refuted_by(outcome),
                Err(error) => Confirmation::Impossible(error),
            }
        };
        let property = options.execution.property;
        let n_goals = loaded.goals.len();
        let Outcome {
            report,
            contributions,
        } = super::in_turns(
            &options,
            &program,
            (property, None),
            &confirm,
            &mut |statistics| progress(statistics, n_goals - measure.n_covered()),
        );
        let works = contributions.iter().map(|contribution| contribution.work);
        self.work += works.sum();
        let by = contributions
            .iter()
            .find(|contribution| contribution.decided);
        (report, by.map(|contribution| contribution.technique))
    }

    /// The program without checks behind which executions continue natively, though a path ends there: of
    /// conversions, and of overflows where they are searched for. A goal behind one of them is not dead.
    fn without_continuing_checks(&self, program: Program) -> Program {
        let overflows = self.options.signed_overflow() == SignedOverflow::Error;
        let goes_on = |kind: &EndKind| match ErrorKind::Program(*kind).facts().otherwise {
            Otherwise::GoesOn => true,
            // Quotients of 128 bits wrap around.
            Otherwise::LeftOut => overflows,
            Otherwise::Defined | Otherwise::Trap | Otherwise::Undefined => false,
        };
        EndKind::all()
            .filter(goes_on)
            .fold(program, |program, kind| {
                without_checks(&program, kind).unwrap_or(program)
            })
    }

    /// Computes the necessary condition of each goal that is left, and runs its models.
    fn ask_conditions(&mut self, progress: &mut dyn FnMut(&Statistics, usize)) {
        if !self.options.techniques.contains(Technique::Necessary) {
            return;
        }
        let policy = &self.options.policy.cover;
        let mut options = self.options.clone();
        options.techniques = super::Techniques::only(Technique::Necessary);
        let of = &mut options.policy.necessary;
        for most in [
            &mut of.build,
            &mut of.most_build,
            &mut of.guess,
            &mut of.insist,
        ] {
            *most = (*most).min(policy.condition);
        }
        let end = self.work + policy.conditions;
        for goal in self.left() {
            if self.is_over() || self.work >= end {
                return;
            }
            // A run may have passed it on the way to another one.
            if self.measure.covered().contains(goal.index()) {
                continue;
            }
            let one = BTreeSet::from([goal]);
            let (report, technique) = self.ask(&one, &options, policy.condition, progress);
            if self.is_proof(&report) {
                self.close(&one, proof(technique));
            }
        }
    }

    /// Asks about each goal that is left by itself.
    fn ask_each(&mut self, progress: &mut dyn FnMut(&Statistics, usize)) {
        let policy = self.options.policy.cover.clone();
        let mut spent = Work::ZERO;
        for goal in self.left() {
            if self.is_over() || spent >= policy.all {
                return;
            }
            if self.measure.covered().contains(goal.index()) {
                continue;
            }
            let before = self.work;
            let one = BTreeSet::from([goal]);
            let (report, technique) = self.ask(&one, self.options, policy.each, progress);
            spent += self.work.saturating_sub(before);
            if self.is_proof(&report) {
                self.close(&one, proof(technique));
            } else {
                self.leave_open(&one, &report);
            }
        }
    }
}

fn proof(technique: Option<Technique>) -> Proof {
    technique.map_or(Proof::Explored, Proof::By)
}

/// Runs the program with the inputs of a path that carries goals, or that ends in an error.
fn confirmed(measure: &Measure, loaded: &Loaded, witness: &Witness) -> Confirmation {
    let (outcome, passed) = match measure.run(witness) {
        Ok(run) => run,
        Err(error) => return Confirmation::Impossible(error),
    };
    if !witness.goals.is_empty() {
        return match outcome {
            ReplayOutcome::Limit(which) if passed.is_empty() => {
                Confirmation::Stopped(which.to_owned())
            }
            _ => Confirmation::Passed(passed),
        };
    }
    let is_assertion = witness.error == ErrorKind::Program(flowgraph::EndKind::AssertFail);
    match outcome {
        ReplayOutcome::Reached if witness.error == ErrorKind::Target => {
            Confirmation::Confirmed(None)
        }
        ReplayOutcome::AssertionFailed if is_assertion => Confirmation::Confirmed(None),
        _ => confirm_natively(loaded, witness),
    }
}

/// Whether the flowgraph has all code that the program may execute: nothing of it is refused, and
/// nothing ends in an operation that C does not define.
fn has_all_code(program: &Program) -> bool {
    let functions = program.functions.iter();
    let edges = functions.flat_map(|function| function.graph().edge_weights());
    let mut steps = edges.flat_map(|edge| &edge.steps);
    !steps.any(|step| match &step.action {
        Action::Unsupported(_) => true,
        Action::End(kind) => undefined_behaviour(*kind).is_some(),
        _ => false,
    })
}

/// Why a verdict stays open, for people.
fn reasons(program: &Program, report: &Report) -> Vec<String> {
    let in_words = |(reason, _): (&Reason, u64)| match reason.span().filter(|span| span.line > 0) {
        Some(span) => format!("{reason}, at {}", program.describe(span)),
        None => reason.to_string(),
    };
    report.reasons.iter().map(in_words).collect()
}
