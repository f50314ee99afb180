//! Analysis: from files to a confirmed verdict.
//!
//! ```text
//! files --frontend--> Program --induction--> Verdict
//!                             --symex--> witness --replay--> Verdict
//! ```
//!
//! The part shared by the command line, the tables and the SV-COMP runs.
//!
//! # Deliberately absent
//! No arguments, no printing.
//!
//! ```
//! use compact_se_analysis::{AnalysisOptions, CheckChoice, analyze};
//! use frontend::LoadOptions;
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("program.mc");
//! std::fs::write(&file, "main() { var x; x = input; return 10 / (2 * x + 1); }")?;
//! let mut load = LoadOptions::new([&file]);
//! load.allow_missing_target = true;
//! let mut options = AnalysisOptions::new(load);
//! options.checks = CheckChoice::Usual;
//! let analysis = analyze(&options, &mut |_| ())?;
//! assert_eq!(analysis.report.verdict.name(), "unreachable"); // 2x + 1 is odd, so never 0
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assumptions;
mod confirmation;
pub mod cover;
mod defect;
mod induction;
mod necessary;
mod policy;
mod portfolio;
mod techniques;
mod unchecked;
mod uncounted;

use self::confirmation::compile_ahead;
pub use self::confirmation::{
    arguments_of_main, confirm_natively, is_parameter_of_main, is_reached_before, records,
    surroundings, wrap_around,
};
pub use self::cover::CoverPolicy;
pub use self::defect::{Defect, caught};
pub use self::necessary::{Guess, NecessaryAnalysis, NecessaryOptions, NecessaryPolicy, necessary};
pub use self::policy::{AnalysisPolicy, Policy};
pub use self::portfolio::{Contribution, STACK};
pub use self::techniques::{Idle, Pace, Paces, Technique, Techniques};

use self::induction::InductionRun;
use self::necessary::{NecessaryRun, WithGuesses};
use self::portfolio::Outcome;
use self::unchecked::BothPrograms;
use self::uncounted::Uncounted;
use flowgraph::{
    Action, Builtin, EndKind, Entries, Expr, Function, Granularity, Program, ProgramFacts, RegId,
    Span, Stack, Step, target_places, with_target_at, without_checks, without_endless_calls,
};
use frontend::{ArraySizes, Frames, Globals, LoadError, LoadOptions, Loaded, Sanitizer, load};
use horn::{Proof, System};
use invariants::{CutHandling, Guesses};
use property::{
    Check, Checks, ErrorKind, Property, Reason, Reasons, UndefinedBehaviour, VerdictKind,
};
use serde::{Deserialize, Serialize};
use solver::SolverOptions;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use symex::{
    Accesses, Advance, Advancing, Confirmation, ExecutionOptions, Executor, Losses, MergeStrategy,
    Report, SearchStrategy, Statistics, TemplateChoice, Verdict, Witness,
};
use template::{Folding, TemplateTable};

/// Of the memory, in percent: if a run reaches it, techniques other than the first release theirs.
const MEMORY_BESIDE: u64 = 60;

/// Which kinds of errors are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckChoice {
    These(Checks),
    /// Assertions, and in a program without a target all of [`Checks::usual`].
    Usual,
}

/// The effect of signed overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignedOverflow {
    /// They continue with the result modulo 2^w, as the program that `clang -fwrapv` makes.
    #[default]
    Wrap,
    /// They end there, since C defines nothing beyond; the verdict is about the others.
    Undefined,
    /// It is an error that is searched for.
    Error,
}

impl SignedOverflow {
    pub const ALL: [SignedOverflow; 3] = [
        SignedOverflow::Wrap,
        SignedOverflow::Undefined,
        SignedOverflow::Error,
    ];

    /// By option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SignedOverflow::Wrap => "wrap",
            SignedOverflow::Undefined => "undefined",
            SignedOverflow::Error => "error",
        }
    }

    /// What it means, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            SignedOverflow::Wrap => "The result is taken modulo 2^w, as `clang -fwrapv` makes it",
            SignedOverflow::Undefined => {
                "Undefined behaviour: executions end there, and the verdict is about the others"
            }
            SignedOverflow::Error => "It is an error to look for: --check overflow",
        }
    }
}

/// Everything that determines an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    pub load: LoadOptions,
    /// Checks in addition to the target. Default: nothing.
    pub checks: CheckChoice,
    /// Whether errors count that are not looked for: memory that is lost before an endless loop or
    /// `abort`, and accesses to variables after their block was left. A program that may have them is not
    /// proved. Default: no.
    pub is_strict: bool,
    /// Give a verdict for each target, whatever becomes of the others. Default: no.
    pub each_target: bool,
    /// Interleaved; the first that decides gives the verdict. Default: all.
    pub techniques: Techniques,
    /// Threads for them. The verdict does not depend on it. Default: 1.
    pub jobs: usize,
    pub execution: ExecutionOptions,
    /// The order of states. Default: that of each technique.
    pub search: Option<SearchStrategy>,
    pub solver: SolverOptions,
    /// Replay witnesses natively before they are believed. Default: yes.
    pub replay: bool,
    /// The units of folding. Default: whole loops.
    pub folding: Folding,
    /// From where cycles are entered that templates are made for. Default: all entry locations.
    pub entries: Entries,
    /// The numbers that steer, but for those of execution and solver, which have their own.
    pub policy: AnalysisPolicy,
    /// No function's cycles are enumerated beyond this many. Default: 10,000.
    pub most_cycles: usize,
}

impl AnalysisOptions {
    /// Defaults for these input files.
    #[must_use]
    pub fn new(load: LoadOptions) -> AnalysisOptions {
        AnalysisOptions {
            load,
            checks: CheckChoice::These(Checks::NONE),
            is_strict: false,
            each_target: false,
            techniques: Techniques::usual(),
            jobs: 1,
            execution: ExecutionOptions::default(),
            search: None,
            solver: SolverOptions::default(),
            replay: true,
            folding: Folding::Loops,
            entries: Entries::All,
            policy: AnalysisPolicy::default(),
            most_cycles: 10_000,
        }
    }

    /// How the program is loaded: with checks by clang where they are requested, and without a
    /// default target where there are other targets.
    pub fn load_options(&self) -> LoadOptions {
        let mut load = self.load.clone();
        load.default_may_be_missing = self.checks != CheckChoice::These(Checks::NONE);
        load.frames = match self.checks {
            CheckChoice::Usual => Frames::KeptWithoutTarget,
            CheckChoice::These(checks) if checks.follows_memory() => Frames::Kept,
            CheckChoice::These(_) => load.frames,
        };
        if !self.execution.property.undefined_ends() {
            load.array_sizes = ArraySizes::Checked;
        }
        let checks = match self.checks {
            CheckChoice::Usual if load.is_microc() => Checks::NONE,
            CheckChoice::Usual => Checks::usual(),
            CheckChoice::These(checks) => checks,
        };
        if checks.follows_blocks() {
            load.globals = Globals::Kept;
        }
        for sanitizer in checks.iter().filter_map(sanitizer_of) {
            if !load.sanitizers.contains(&sanitizer) {
                load.sanitizers.push(sanitizer);
            }
        }
        load
    }

    /// The checks of a program.
    fn checks_of(&self, loaded: &Loaded) -> Checks {
        match self.checks {
            CheckChoice::These(checks) => checks,
            CheckChoice::Usual if loaded.faults_are_defined => {
                Check::OF_MICROC.into_iter().collect()
            }
            CheckChoice::Usual if loaded.has_target => [Check::Assertions].into_iter().collect(),
            CheckChoice::Usual => Checks::usual(),
        }
    }

    /// What is asked of a program, whose language may define what an access out of bounds does.
    fn property_of(&self, loaded: &Loaded) -> Property {
        Property {
            checks: self.checks_of(loaded),
            undefined: match loaded.faults_are_defined {
                true => UndefinedBehaviour::FaultsAreDefined,
                false => self.execution.property.undefined,
            },
            within: self.execution.property.within,
        }
    }

    /// The effect of signed overflow.
    #[must_use]
    pub fn signed_overflow(&self) -> SignedOverflow {
        match self.checks {
            CheckChoice::These(checks) if checks.contains(Check::Overflow) => SignedOverflow::Error,
            _ if self.load.sanitizers.contains(&Sanitizer::Overflow) => SignedOverflow::Undefined,
            _ => SignedOverflow::Wrap,
        }
    }

    /// The program without checks for signed overflow, where these only say which executions count and
    /// a native run tells whether one does: only those of targets and assertions have the checks.
    fn program_without_checks(&self, program: &Program, checks: Checks) -> Option<Program> {
        let is_undefined = self.signed_overflow() == SignedOverflow::Undefined;
        let has_checks = checks.iter().all(|check| check == Check::Assertions);
        let is_told = self.replay && !self.execution.all_errors && has_checks;
        (is_undefined && is_told).then(|| without_checks(program, EndKind::SignedOverflow))?
    }

    /// The technique of executions that have one only: the first that goes through all of them.
    #[must_use]
    pub fn primary(&self) -> Technique {
        let mut complete = self.techniques.iter().filter(|one| one.is_complete());
        complete.next().unwrap_or(Technique::Classic)
    }

    /// The table of templates for such an execution.
    #[must_use]
    pub fn table(&self) -> TemplateTable {
        self.table_for(self.primary())
    }

    fn table_for(&self, technique: Technique) -> TemplateTable {
        match technique {
            Technique::Compact => {
                let table =
                    TemplateTable::new(self.most_cycles, self.folding).entered_from(self.entries);
                let table = table.with_automata(self.policy.automata);
                match self.policy.templates {
                    Some(limit) => table.limited(limit),
                    None => table,
                }
            }
            Technique::Classic
            | Technique::Induction
            | Technique::Necessary
            | Technique::Horn
            | Technique::Navigation
            | Technique::Merging
            | Technique::KInduction
            | Technique::Annotations => TemplateTable::empty(),
        }
    }

    /// How a technique executes.
    fn execution_for(&self, technique: Technique) -> ExecutionOptions {
        let mut execution = self.execution.clone();
        execution.search = match self.search {
            // A proof by induction leaves no loop before it knows what holds in it.
            Some(_) if technique.cuts_loops() => technique.search(),
            search => search.unwrap_or(technique.search()),
        };
        execution.templates_first &= technique == Technique::Compact;
        execution.annotations |= technique == Technique::Annotations;
        if technique == Technique::Merging && execution.merging == MergeStrategy::None {
            execution.merging = MergeStrategy::Dynamic;
        }
        if technique != Technique::Compact && self.techniques.contains(Technique::Compact) {
            // States that are not folded are many; the rest of the memory is for those that are.
            execution.budget.memory = execution.budget.memory / 100 * MEMORY_BESIDE;
        }
        if technique.cuts_loops() {
            execution.cuts = CutHandling::Headers(Guesses::Bounds, 1);
            execution.record_tree = None;
            // A query that takes more than at first is a way that stays open, which ends the proof. If it
            // were asked again, its state would stand at a header once more and count as come back.
            execution.budget.queries.most = execution.budget.queries.at_first();
        }
        execution
    }

    /// A technique at work on a program.
    fn at_work<'p>(
        &self,
        technique: Technique,
        facts: ProgramFacts<'p>,
    ) -> Box<dyn Advancing + 'p> {
        match technique {
            Technique::Compact
            | Technique::Classic
            | Technique::Navigation
            | Technique::Merging
            | Technique::Annotations => {
                let executor = self.executor(technique, facts.clone());
                if executor.makes_guesses() {
                    Box::new(WithGuesses::new(self, facts, executor))
                } else {
                    Box::new(executor)
                }
            }
            Technique::Induction | Technique::KInduction => {
                Box::new(InductionRun::new(self, technique, facts))
            }
            Technique::Necessary => Box::new(NecessaryRun::new(self, facts)),
            Technique::Horn => {
                let program = facts.program();
                let execution = self.execution_for(technique);
                let mut solver = self.solver.clone();
                solver.polynomials.implied = self.policy.horn.implied;
                solver.policy.integers.patience = self.policy.horn.patience;
                solver.policy.integers.turn = self.policy.horn.patience;
                let proof = Proof::new(
                    program,
                    System::new(program, execution.property),
                    solver.build(),
                    &execution.budget,
                    self.policy.horn.clone(),
                );
                Box::new(proof)
            }
        }
    }

    /// The execution of a technique over a program.
    fn executor<'p>(
        &self,
        technique: Technique,
        facts: impl Into<ProgramFacts<'p>>,
    ) -> Executor<'p> {
        let (table, execution) = (self.table_for(technique), self.execution_for(technique));
        Executor::new(facts, self.solver.build(), table, execution)
    }
}

/// The result.
pub struct Analysis {
    pub loaded: Loaded,
    pub report: Report,
    /// Checks in addition to the target.
    pub checks: Checks,
    /// The verdict for each target, where that was requested.
    pub targets: Vec<TargetVerdict>,
    /// Spent on reading, compiling and lowering the program.
    pub load_time: Duration,
    /// Where assumptions stand that are reached and never hold; looked for below *unreachable*.
    pub never_hold: Vec<Span>,
    /// Whether the witness was replayed; false where there is none or replay was switched off.
    pub replayed: bool,
    /// The result of each technique.
    pub contributions: Vec<Contribution>,
}

impl Analysis {
    /// The size of the stack, in bytes, where *unreachable* assumes that this is enough: where accesses to
    /// memory are checked, and calls were not counted or took more than a quarter of it.
    #[must_use]
    pub fn assumed_stack(&self) -> Option<u64> {
        let stack = self.loaded.stack.as_ref()?;
        let is_far = |used: u64| used <= stack.quarter();
        let is_assumed = self.checks.contains(Check::Memory)
            && !self.report.statistics.stack.is_some_and(is_far)
            && stack.may_end(&self.loaded.program);
        is_assumed.then_some(stack.bytes)
    }
}

/// The verdict for one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetVerdict {
    pub place: Span,
    pub verdict: VerdictKind,
}

/// Analyses a program. `progress` hears of every step.
///
/// # Errors
/// If the program cannot be loaded.
pub fn analyze(
    options: &AnalysisOptions,
    progress: &mut dyn FnMut(&Statistics),
) -> Result<Analysis, LoadError> {
    let started = Instant::now();
    let loaded = load(&options.load_options())?;
    Ok(analyze_since(options, loaded, started, progress))
}

/// Analyses a program that was loaded with [`AnalysisOptions::load_options`], from `started` on until now.
pub fn analyze_since(
    options: &AnalysisOptions,
    loaded: Loaded,
    started: Instant,
    progress: &mut dyn FnMut(&Statistics),
) -> Analysis {
    let checks = options.checks_of(&loaded);
    let load_time = started.elapsed();
    let (report, contributions, targets) = if options.each_target {
        analyze_targets(options, &loaded, started, progress)
    } else {
        let (report, contributions) = analyze_loaded(options, &loaded, progress);
        (report, contributions, Vec::new())
    };
    let replayed = options.replay && matches!(report.verdict, Verdict::Reachable(_));
    // What was found out does not have to wait for that.
    let time = options.execution.budget.time / 2;
    let left = time.saturating_sub(started.elapsed());
    let never_hold = match report.verdict {
        Verdict::Unreachable => assumptions::that_never_hold(options, &loaded, left),
        Verdict::Reachable(_) | Verdict::Unknown => Vec::new(),
    };
    Analysis {
        loaded,
        report,
        checks,
        targets,
        load_time,
        never_hold,
        replayed,
        contributions,
    }
}

/// Analyses a program that is loaded already: the report, and what each technique came to.
pub fn analyze_loaded(
    options: &AnalysisOptions,
    loaded: &Loaded,
    progress: &mut dyn FnMut(&Statistics),
) -> (Report, Vec<Contribution>) {
    let program = &loaded.program;
    let property = options.property_of(loaded);
    if options.replay {
        compile_ahead(loaded);
    }
    let confirm = |witness: &Witness| {
        if options.replay {
            confirm_natively(loaded, witness)
        } else {
            Confirmation::Skipped
        }
    };
    let question = (property, loaded.stack.as_ref());
    let outcome = in_turns(options, program, question, &confirm, progress);
    let mut report = outcome.report;
    keep_open(options, property, program, &mut report);
    (report, outcome.contributions)
}

/// Takes the verdict *unreachable* back where losses were noted on the way, or scopes are checked and not known.
fn keep_open(
    options: &AnalysisOptions,
    property: Property,
    program: &Program,
    report: &mut Report,
) {
    if !matches!(report.verdict, Verdict::Unreachable) {
        return;
    }
    let has_scopes = property.checks.contains(Check::Scope);
    let are_scopes_asked = options.is_strict && property.checks.contains(Check::Memory);
    // Empty where they are not noted.
    let mut open: Vec<Reason> = report.losses.iter().map(|(loss, _)| loss.clone()).collect();
    if has_scopes || are_scopes_asked {
        open.extend(variables_without_scope(program).map(|place| {
            let what = "the check for variables out of scope";
            Reason::Unsupported(what.to_owned(), place)
        }));
    }
    for reason in open {
        report.reasons.add(reason);
        report.verdict = Verdict::Unknown;
    }
}

/// The program in which calls that never return are loops, where only targets and assertions are asked about and the
/// stack has no end.
fn without_calls_that_do_not_end(
    program: &Program,
    property: Property,
    stack: Option<&Stack>,
) -> Option<Program> {
    let mut asked = property.checks.iter();
    let applies = stack.is_none() && asked.all(|check| check == Check::Assertions);
    applies.then(|| without_endless_calls(program))?
}

/// Asks about all targets at once for half of the time, then about each that is open for its share of
/// the rest.
fn analyze_targets(
    options: &AnalysisOptions,
    loaded: &Loaded,
    started: Instant,
    progress: &mut dyn FnMut(&Statistics),
) -> (Report, Vec<Contribution>, Vec<TargetVerdict>) {
    let time = options.execution.budget.time;
    let mut at_once = options.clone();
    at_once.execution.all_errors = true;
    at_once.execution.budget.time = time / 2;
    let (mut report, contributions) = analyze_loaded(&at_once, loaded, progress);
    let confirm = |witness: &Witness| {
        if options.replay {
            confirm_natively(loaded, witness)
        } else {
            Confirmation::Skipped
        }
    };
    let property = Property {
        checks: Checks::NONE,
        ..options.property_of(loaded)
    };
    let places = target_places(&loaded.program);
    let mut targets = Vec::with_capacity(places.len());
    for (number, place) in places.iter().copied().enumerate() {
        let mut verdict = if is_reached(&report, place) {
            VerdictKind::Reachable
        } else if report.reasons.is_empty() {
            VerdictKind::Unreachable
        } else {
            VerdictKind::Unknown
        };
        let left = time.saturating_sub(started.elapsed());
        if verdict == VerdictKind::Unknown && !left.is_zero() {
            let n_left = u32::try_from(places.len() - number).unwrap_or(u32::MAX);
            let mut one = options.clone();
            one.execution.all_errors = false;
            one.execution.budget.time = left / n_left;
            let program = with_target_at(&loaded.program, place);
            let outcome = in_turns(&one, &program, (property, None), &confirm, progress);
            verdict = outcome.report.verdict.kind();
            report.gather_errors(outcome.report);
        }
        targets.push(TargetVerdict { place, verdict });
    }
    let is_open = |target: &TargetVerdict| target.verdict == VerdictKind::Unknown;
    if at_once.checks_of(loaded).is_empty() && !targets.iter().any(is_open) {
        // Each was decided by itself.
        report.reasons = Reasons::default();
        if matches!(report.verdict, Verdict::Unknown) {
            report.verdict = Verdict::Unreachable;
        }
    }
    (report, contributions, targets)
}

/// Whether the target at a place is among the errors of a report.
fn is_reached(report: &Report, place: Span) -> bool {
    let worst = match &report.verdict {
        Verdict::Reachable(worst) => Some(&**worst),
        Verdict::Unreachable | Verdict::Unknown => None,
    };
    let mut errors = worst.into_iter().chain(&report.further_errors);
    errors.any(|error| error.error == ErrorKind::Target && error.target == place)
}

/// Asks all techniques whether a program violates a property; `confirm` tries what they find. A stack has an end where
/// accesses to memory are checked and the program may come there.
fn in_turns(
    options: &AnalysisOptions,
    program: &Program,
    (property, stack): (Property, Option<&Stack>),
    confirm: &(dyn Fn(&Witness) -> Confirmation + Sync),
    progress: &mut dyn FnMut(&Statistics),
) -> Outcome {
    let has_loops = has_loops(program);
    let asked = property.checks;
    let property = Property {
        checks: that_may_fail(asked, program),
        ..property
    };
    let stack = stack.filter(|stack| {
        property.checks.contains(Check::Memory)
            && program.granularity == Granularity::Block
            && stack.may_end(program)
    });
    let with_loops = without_calls_that_do_not_end(program, property, stack);
    let program = with_loops.as_ref().unwrap_or(program);
    let follows_blocks = property.checks.follows_blocks();
    let is_of_use = |technique| match technique {
        Technique::Compact | Technique::Classic | Technique::Annotations => true,
        Technique::Induction | Technique::KInduction => has_loops,
        // It finds one error and is over.
        Technique::Necessary => has_loops && !options.execution.all_errors && options.replay,
        Technique::Horn => System::new(program, property).is_ok(),
        // With a separate order it would be classic execution.
        Technique::Navigation => has_loops && options.search.is_none(),
        // Where a strategy is requested, all follow it.
        Technique::Merging => options.execution.merging == MergeStrategy::None,
    };
    let mut techniques: Vec<Technique> = options.techniques.iter().collect();
    if techniques.len() > 1 {
        let first = techniques[0];
        techniques.retain(|technique| is_of_use(*technique));
        if techniques.is_empty() {
            // It says why it is of no use.
            techniques.push(first);
        }
    }
    if follows_blocks {
        // The others do not follow all paths to the end of the program.
        techniques.retain(|technique| technique.follows_blocks());
        if techniques.is_empty() {
            techniques.push(Technique::Classic);
        }
    }
    if property.checks.follows_each_iteration() {
        techniques.retain(|technique| technique.is_iterative());
        if techniques.is_empty() {
            techniques.push(Technique::Classic);
        }
    }
    let deep_calls = stack.and_then(|stack| {
        let function = stack.recursive(program)?;
        let name = program.function(function).name.clone();
        Some(Reason::DeepCalls(name, stack.bytes))
    });
    let facts = ProgramFacts::from(program);
    let unchecked = options.program_without_checks(program, asked);
    let facts_without_checks = unchecked.as_ref().map(ProgramFacts::from);
    let build = |technique: Technique, stop| -> Box<dyn Advancing> {
        let mut engine = options.clone();
        engine.execution.budget.interrupt = stop;
        engine.execution.property = property;
        engine.execution.stack = stack.cloned();
        let transcripts = engine.solver.transcripts.as_ref();
        engine.solver.transcripts = transcripts.map(|all| all.of(technique.name()));
        if options.is_strict {
            engine.execution.losses = Losses::Anywhere;
        }
        let checked = engine.at_work(technique, facts.clone());
        let run = match &facts_without_checks {
            Some(facts) => {
                let unchecked = engine.at_work(technique, facts.clone());
                Box::new(BothPrograms::new(unchecked, checked))
            }
            None => checked,
        };
        match &deep_calls {
            Some(why) if !technique.counts_calls() => Box::new(Uncounted::new(run, why.clone())),
            Some(_) | None => run,
        }
    };
    portfolio::run(
        &techniques,
        portfolio::Turns {
            n_threads: options.jobs,
            slice: options.policy.slice,
            paces: options.policy.paces.clone(),
            stack_may_end: stack.is_some(),
            gathers: options.execution.all_errors,
        },
        &options.execution.budget.interrupt,
        &build,
        confirm,
        progress,
    )
}

/// What clang puts into the program for a check, where that is how its errors are found.
fn sanitizer_of(check: Check) -> Option<Sanitizer> {
    match check {
        Check::Overflow => Some(Sanitizer::Overflow),
        Check::Shift => Some(Sanitizer::Shift),
        Check::Conversion => Some(Sanitizer::Conversion),
        Check::Index => Some(Sanitizer::Index),
        Check::Scope => Some(Sanitizer::Scope),
        Check::PointerPair => Some(Sanitizer::Pairs),
        Check::Uninitialised => Some(Sanitizer::Uses),
        Check::Unreachable => Some(Sanitizer::Builtin),
        Check::Function => Some(Sanitizer::Function),
        Check::Alignment => Some(Sanitizer::Alignment),
        Check::Null => Some(Sanitizer::Null),
        Check::NonNull => Some(Sanitizer::NonNull),
        Check::ReturnsNonNull => Some(Sanitizer::ReturnsNonNull),
        Check::PointerOverflow => Some(Sanitizer::PointerOverflow),
        Check::Bool => Some(Sanitizer::Bool),
        Check::Enum => Some(Sanitizer::Enum),
        Check::FloatDivision => Some(Sanitizer::FloatDivision),
        Check::UnsignedOverflow => Some(Sanitizer::UnsignedOverflow),
        Check::Assertions
        | Check::Abort
        | Check::Memory
        | Check::Division
        | Check::Leak
        | Check::Cleanup => None,
    }
}

/// The checks without those for whose errors a program has no cause.
fn that_may_fail(checks: Checks, program: &Program) -> Checks {
    let mut checks = checks;
    if checks.follows_blocks() && !allocates(program) {
        checks = checks.without_blocks();
    }
    if checks.contains(Check::Scope) && !leaves_blocks(program) {
        checks = checks.without(Check::Scope);
    }
    checks
}

/// Whether a program allocates anything.
fn allocates(program: &Program) -> bool {
    steps(program)
        .any(|step| matches!(&step.action, Action::Builtin { builtin, .. } if builtin.allocates()))
}

/// Whether a program leaves the block of a variable in memory.
fn leaves_blocks(program: &Program) -> bool {
    steps(program).any(|step| {
        let Action::Builtin { builtin, .. } = &step.action else {
            return false;
        };
        *builtin == Builtin::ScopeEnd
    })
}

/// Where a program has variables in memory of which is not known where their block ends: all, where
/// that is not examined; else those into whose block a jump leads, and compound literals of inner blocks.
fn variables_without_scope(program: &Program) -> impl Iterator<Item = Span> + '_ {
    program.functions.iter().flat_map(|function| {
        let steps = || {
            let edges = function.graph().edge_weights();
            edges.flat_map(|edge| &edge.steps)
        };
        let known: BTreeSet<RegId> = steps()
            .filter_map(|step| match &step.action {
                Action::Builtin {
                    builtin: Builtin::ScopeBegin | Builtin::ScopeEnd,
                    args,
                    ..
                } => match args.as_slice() {
                    [Expr::Reg(variable)] => Some(*variable),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let open = steps().filter_map(move |step| match &step.action {
            Action::Alloca { dst, .. } if !known.contains(dst) => Some((step.span, *dst)),
            _ => None,
        });
        // What is not used is not accessed.
        open.filter_map(move |(span, variable)| {
            let uses = |step: &&Step| {
                let mut is_used = false;
                step.action
                    .for_each_use(&mut |reg| is_used |= reg == variable);
                is_used
            };
            let used: Vec<Span> = steps().filter(uses).map(|step| step.span).collect();
            let first = used.first()?;
            // Without a separate place, a variable is where it is used first.
            let mut places = std::iter::once(&span).chain(&used);
            Some(
                *places
                    .find(|place| **place != Span::UNKNOWN)
                    .unwrap_or(first),
            )
        })
    })
}

fn steps(program: &Program) -> impl Iterator<Item = &Step> {
    program.functions.iter().flat_map(|function| {
        let edges = function.graph().edge_weights();
        edges.flat_map(|edge| &edge.steps)
    })
}

/// Executes a program for its loops: on from every target, to the end or the budget's, without a
/// verdict, by templates whatever techniques the options have. The report's table has what the run found
/// out about each loop.
pub fn survey(
    program: &Program,
    options: &AnalysisOptions,
    progress: &mut dyn FnMut(&Statistics),
) -> Report {
    let executor = options.executor(Technique::Compact, program);
    let mut go_on = |_: &Witness| Confirmation::Refuted("what is asked for are loops".to_owned());
    executor.run(&mut go_on, progress)
}

/// A report of *unreachable* where the target is not even reached if what the loops change is
/// arbitrary at their headers, but for bounds that hold in every iteration. Nothing is known
/// otherwise: what is reached then need not be reached by the program.
#[must_use]
pub fn prove_by_induction(options: &AnalysisOptions, program: &Program) -> Option<Report> {
    prove_by_cuts(options, Technique::Induction, program)
}

/// The same by k-induction, with more than one iteration at a time.
#[must_use]
pub fn prove_by_k_induction(options: &AnalysisOptions, program: &Program) -> Option<Report> {
    prove_by_cuts(options, Technique::KInduction, program)
}

/// The same by Horn clauses, with invariants and contracts of functions.
#[must_use]
pub fn prove_by_clauses(options: &AnalysisOptions, program: &Program) -> Option<Report> {
    let mut run = options.at_work(Technique::Horn, program.into());
    let mut reached = |_: &Witness| Confirmation::Refuted("clauses reach nothing".to_owned());
    let slice = options.policy.slice;
    while run.advance(run.work() + slice, &mut reached, &mut |_| ()) == Advance::Goes {}
    let report = run.finish();
    matches!(report.verdict, Verdict::Unreachable).then_some(report)
}

fn prove_by_cuts(
    options: &AnalysisOptions,
    technique: Technique,
    program: &Program,
) -> Option<Report> {
    if !has_loops(program) {
        return None;
    }
    let mut run = Box::new(InductionRun::new(options, technique, program.into()));
    let mut reached =
        |_: &Witness| Confirmation::Refuted("it follows from what the loops are cut to".to_owned());
    let slice = options.policy.slice;
    while run.advance(run.work() + slice, &mut reached, &mut |_| ()) == Advance::Goes {}
    let report = run.finish();
    matches!(report.verdict, Verdict::Unreachable).then_some(report)
}

fn has_loops(program: &Program) -> bool {
    let has_loop = |function: &Function| !function.loops().loops.is_empty();
    program.functions.iter().any(|function| has_loop(function))
}

/// Whether a proof by cuts tells of the errors of a check: it does not follow blocks, nor which variables are in scope.
fn is_told_by_cuts(check: &Check) -> bool {
    let one: Checks = [*check].into_iter().collect();
    !one.follows_blocks() && !one.follows_each_iteration()
}

/// Whether [`prove`] can prove that a program has no errors of these kinds.
#[must_use]
pub fn can_be_proved_by_invariants(checks: Checks, program: &Program) -> bool {
    that_may_fail(checks, program)
        .iter()
        .all(|check| is_told_by_cuts(&check))
}

/// The result of a proof by invariants.
pub struct ByInvariants {
    pub loaded: Loaded,
    pub report: Report,
    /// Whether all paths were followed to their ends: what was not reached on them cannot be.
    pub is_complete: bool,
}

/// Executes a program whose loops are cut at invariants, to the end or the budget's. `reached`
/// hears of every way to a target or an error and decides whether it counts; each that does keeps the verdict from
/// being *unreachable*, as do errors of which cuts do not tell.
///
/// # Errors
/// If the program cannot be loaded.
pub fn prove(
    options: &AnalysisOptions,
    reached: &mut dyn FnMut(&Loaded, &Witness) -> bool,
) -> Result<ByInvariants, LoadError> {
    const COUNTS: &str = "it follows from what the loops are cut to";
    const DOES_NOT: &str = "it does not count";
    let loaded = load(&options.load_options())?;
    let mut execution = options.execution_for(options.primary());
    execution.cuts = CutHandling::Prove;
    let property = options.property_of(&loaded);
    let asked = that_may_fail(property.checks, &loaded.program);
    let told: Checks = asked.iter().filter(is_told_by_cuts).collect();
    execution.property = Property {
        checks: told,
        ..property
    };
    // Here most queries are expected to be unsatisfiable.
    let mut solver = options.solver.clone();
    solver.polynomials.implied = options.policy.horn.implied;
    let executor = Executor::new(&loaded.program, solver.build(), options.table(), execution);
    let mut confirm = |witness: &Witness| {
        let why = match reached(&loaded, witness) {
            true => COUNTS,
            false => DOES_NOT,
        };
        Confirmation::Refuted(why.to_owned())
    };
    let mut report = executor.run(&mut confirm, &mut |_| ());
    let why = |reason: &Reason| match reason {
        Reason::NotConfirmed(why) | Reason::OtherAddresses(why) | Reason::NotSeen(_, why) => {
            Some(why == DOES_NOT)
        }
        _ => None,
    };
    let ways: Vec<Option<bool>> = report
        .reasons
        .iter()
        .map(|(reason, _)| why(reason))
        .collect();
    let is_complete = matches!(report.verdict, Verdict::Unreachable)
        || !ways.is_empty() && ways.iter().all(Option::is_some);
    if is_complete
        && ways
            .iter()
            .all(|does_not_count| *does_not_count == Some(true))
    {
        report.reasons = Reasons::default();
        report.verdict = Verdict::Unreachable;
    }
    keep_open(options, property, &loaded.program, &mut report);
    if let Some(check) = asked.iter().find(|check| !is_told_by_cuts(check)) {
        let what = format!(
            "a proof by invariants of what is checked for {}",
            check.name()
        );
        report.reasons.add(Reason::Unsupported(what, Span::UNKNOWN));
        report.verdict = Verdict::Unknown;
    }
    Ok(ByInvariants {
        loaded,
        report,
        is_complete,
    })
}

impl AnalysisOptions {
    /// The setting of the paper's experiments (ATVA 2013, Section 4): split flowgraph, breadth
    /// first, the templates of all cycles from loop headers, and of cycles only, computed beforehand
    /// and chosen at random, no state closed, accesses not checked but assumed to be in bounds.
    #[must_use]
    pub fn as_in_the_paper(mut self, seed: u64) -> AnalysisOptions {
        self.load.granularity = Granularity::Split;
        self.load.stack = None;
        self.folding = Folding::Cycles;
        self.entries = Entries::Headers;
        self.search = Some(SearchStrategy::Bfs);
        self.execution.template_choice = TemplateChoice::Random(seed);
        self.execution.budget.queries.first = None;
        self.execution.subsumption = false;
        self.execution.merging = MergeStrategy::None;
        self.execution.accesses = Accesses::AssumedInBounds;
        self.execution.templates_first = true;
        self.policy.templates = None;
        self.techniques = Techniques::only(self.primary());
        self
    }
}
