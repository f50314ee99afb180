//! The backend Z3; the only folder that sees it.
//!
//! Related queries go to *incremental* solvers: each keeps a stack of asserted conjuncts, one scope each; the
//! stack that shares the longest prefix with the query is popped to that prefix and the rest is pushed, so
//! that a query about a neighbouring state costs only its new conjuncts. Others go to *fresh* solvers: one
//! with tactics for its logic (for bit-vectors those of `tactics`), which is slower to start and often better
//! at hard arithmetic, or the SMT core; queries with quantifiers go to one with Z3's own choice of tactics.
//! [`Turns`] chooses the order.
//!
//! Quantifier-free queries name their sums, so that n + k and n + k + 1 share an adder (`sharing`).
//!
//! Measured on random paths of 1..20 conjuncts over eight 32-bit symbols (debug build, loaded
//! two-core machine), queries a second: linear comparisons: stack 1,430, fresh SMT core 550,
//! fresh default 260, `QF_BV` tactics 270, assumption literals on one solver 550. Reads of a byte
//! array: stack with Z3 arrays 3,400, with uninterpreted functions 3,660, fresh 150. `relevancy=0`
//! gives the stack 1.25 times the speed.
//!
//! # Invariants
//! - Z3 runs under a watchdog, also while it takes conjuncts in; its own timeout is not used.
//! - After an error a solver is discarded. A check is first interrupted through its solver, which keeps its
//!   stack and the context; if that does not stop it, through the context, which is then discarded: a late
//!   interrupt of a context stays pending and makes Z3 drop an assertion without an error.

mod float;
mod model;
mod raw;
mod run;
mod script;
mod sharing;
mod tactics;
mod translate;
mod watchdog;

use std::cell::Cell;
use std::num::NonZeroU32;

use raw::{Context, version};
use run::{Checked, Flavour, Parameter, RawModel, RawSolver};
use rustc_hash::FxHashSet;
pub(super) use script::{ask_horn, ask_script};
use serde::{Deserialize, Serialize};
use sharing::{Name, Sharing};
use translate::Translator;
use watchdog::{Stopped, Watchdog};

use super::backend::{BIT, Backend, BackendQuery, Found, Manner, symbols};
use super::turns::{TurnPolicy, Turns};
use super::{ArrayTheory, LinkStatistics, UnknownReason};
use crate::Limits;
use term::{Sort, TermId, TermPool, Work};

/// The version that this program was written for and tested with: major, minor.
pub const EXPECTED_VERSION: (u32, u32) = (5, 4);

/// The name and the version of the library that is loaded.
pub(super) fn name_and_version() -> String {
    let (major, minor, build, _) = version();
    format!("Z3 {major}.{minor}.{build}")
}

/// An error reported by Z3.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
struct Z3Error(String);

impl Z3Error {
    fn is_interrupt(&self) -> bool {
        self.0.contains("cancel") || self.0.contains("interrupt")
    }
}

/// Settings of Z3, and of the turns in which it is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Z3Policy {
    /// Theory of array symbols in quantifier-free queries. Default: arrays.
    pub arrays: ArrayTheory,
    /// Keep assertion stacks between queries. Default: true; false asks a fresh SMT core each
    /// time (for measurements).
    pub stacks: bool,
    /// Number of assertion stacks kept for neighbouring queries. Default: 4.
    pub n_stacks: usize,
    /// Work on a stack before a fresh solver with tactics is tried. Default: 300 ms.
    pub incremental: Work,
    /// Work of the first turns of the fresh solvers on a hard query. Default: 3 s.
    pub turn: Work,
    /// Each pair of turns on a hard query is so many times longer than the one before.
    /// Default: 4.
    pub growth: u64,
    /// A query with products of unknown numbers gets so many hundredths of its work, and each of its turns, those
    /// over the integers too, so many of its length: it is decided soon or seldom at all. Default: 30. Measured with
    /// `scripts/libraries.py --only punycode_decode --techniques classic`: 5 s; 6 s with 100.
    pub products_percent: u32,
    /// Work of each query for small numbers, which a hard one with products is asked as first.
    /// Default: 170 ms, of which products get their part.
    pub small: Work,
    /// The bits of small numbers, each width a separate query. Default: 4, then 8. Measured on
    /// comparisons of products that must not overflow: five lines of C took 9 to 25 s without, 2 to 3 with.
    pub small_bits: Vec<NonZeroU32>,
    /// Translations remembered before all are forgotten. Default: one million.
    pub max_memo: usize,
}

impl Default for Z3Policy {
    fn default() -> Z3Policy {
        Z3Policy {
            arrays: ArrayTheory::Arrays,
            stacks: true,
            n_stacks: 4,
            incremental: Work::millis(300),
            turn: Work::seconds(3),
            growth: 4,
            products_percent: 30,
            small: Work::millis(170),
            small_bits: [4, 8].into_iter().filter_map(NonZeroU32::new).collect(),
            max_memo: 1_000_000,
        }
    }
}

impl Z3Policy {
    /// Those of the turns.
    fn turns(&self) -> TurnPolicy {
        TurnPolicy {
            incremental: self.incremental,
            turn: self.turn,
            growth: self.growth,
            products_percent: self.products_percent,
            small: self.small,
            small_bits: self.small_bits.clone(),
        }
    }
}

/// Z3 abandons after so many instances of quantifiers.
const MAX_INSTANCES: &str = "smt.qi.max_instances";

const INCREMENTAL_PARAMETERS: &[(&str, Parameter)] = &[
    ("auto_config", Parameter::Bool(false)),
    ("smt.relevancy", Parameter::Uint(0)),
];

/// The work of one step that Z3 counts in `rlimit`.
///
/// Measured as processor time, with Z3 5.4.0 on two busy cores: 5 to 6 million steps a second in the
/// path conditions of `decode_packets`, fewer where it makes many clauses
/// ([`MADE`]) or multiplies wide numbers (0.13 million for one multiplication of 256 bits); as many for products of
/// unknown numbers of 32 and 64 bits, on an idle machine 8 to 20 million (`tests/proofs/poly_*`, `matrIR_dyn`).
const STEP: Work = Work::units(170);
/// What Z3 needs for a variable or clause that it makes, which it does not count as steps.
/// Measured: 0.75 µs where quantifiers are instantiated, 0.3 µs where bit-vectors are translated.
const MADE: Work = Work::units(400);
/// The work that a step stands for where neither operand of a product is a constant, when steps are limited:
/// the clauses for products are added. Measured on the programs `poly_*` of `tests/proofs`, with products of
/// 64 and 128 bits, clauses included: 0.2 to 2 µs.
const STEP_WITH_PRODUCTS: Work = Work::units(600);
/// The work that a step stands for where Z3 instantiates quantifiers itself, when its steps are
/// limited: most of the time goes into clauses of instances. Measured on path conditions of
/// `WinDriver` and `decode_packets`, of which few are decided this way: 0.5 to 9 µs.
const STEP_WITH_QUANTIFIERS: Work = Work::units(1_000);
/// The same for each pair of bits that products of unknown numbers in an instance multiply, since each
/// instance is translated to bits, which Z3 hardly counts as steps. Measured on sums of squares of 16 to 64
/// bits with checks for overflow: 11 to 18 ns, besides.
const STEP_FOR_BITS: Work = Work::units(12);
/// What Z3 needs for a variable or clause where products in instances are translated to bits. Measured as above:
/// 0.75 to 1.3 µs.
const MADE_FOR_PRODUCTS: Work = Work::units(800);
/// What tactics need to translate a pair of bits that products of unknown numbers multiply, which Z3 counts
/// neither as steps nor as clauses. Measured with one and eight products of 32 to 128 bits: 2.0 to 3.3 µs.
const PREPARED_PAIR: Work = Work::units(2_500);
/// With longer products queries with quantifiers are not asked: Z3 writes products in products out, of which nothing
/// counts as a step or can be interrupted.
const MOST_FACTORS_BESIDE_QUANTIFIERS: u64 = 4_096;
/// Fewer instances than these are no limit.
const FEWEST_INSTANCES: u32 = 16;
/// The additional work of a check: preparation and a small model.
const CHECK: Work = Work::micros(100);
/// What a model takes for each conjunct. Measured on recursions of some thousand frames, whose path conditions have
/// as many conjuncts: 1.5 to 2 µs.
const MODEL: Work = Work::units(1_500);
/// The work of making a term of Z3 for one of ours.
const TRANSLATION: Work = Work::units(800);

/// The work that one of Z3's steps on these conjuncts stands for where steps are limited.
fn limited_step(pool: &TermPool, conjuncts: &[TermId]) -> Work {
    if conjuncts.iter().any(|conjunct| pool.has_product(*conjunct)) {
        STEP_WITH_PRODUCTS
    } else {
        STEP
    }
}

/// Work in addition to steps, and the limit of steps.
#[derive(Clone, Copy)]
struct Weights {
    /// The work of a step if steps are limited.
    at_most: Work,
    /// Of a variable or clause that Z3 makes.
    made: Work,
}

impl Weights {
    /// Of a query without quantifiers.
    fn ground(pool: &TermPool, conjuncts: &[TermId]) -> Weights {
        Weights {
            at_most: limited_step(pool, conjuncts),
            made: MADE,
        }
    }

    /// Of one of which Z3 instantiates the quantifiers.
    fn quantified(pool: &TermPool, conjuncts: &[TermId]) -> Weights {
        let products = conjuncts.iter().map(|one| pool.bound_products(*one));
        let products = products.fold(0, u64::saturating_add);
        Weights {
            at_most: STEP_WITH_QUANTIFIERS + STEP_FOR_BITS * products,
            made: if products > 0 {
                MADE_FOR_PRODUCTS
            } else {
                MADE
            },
        }
    }
}

/// As many of Z3's steps as make this work, at least one; Z3 takes no more than 2^32.
fn steps(work: Work, step: Work) -> u32 {
    let steps = work.as_units() / step.as_units();
    u32::try_from(steps).unwrap_or(u32::MAX).max(1)
}

/// A solver and the conjuncts asserted in it, one scope each.
struct Stack {
    solver: RawSolver,
    asserted: Vec<TermId>,
    /// Variables and clauses that the clock of work knows of.
    made: u64,
    last_used: u64,
}

/// A context with what was built in it.
struct Session {
    watchdog: Watchdog,
    stacks: Vec<Stack>,
    /// For quantifier-free queries.
    ground: Translator,
    quantified: Translator,
    ctx: Context,
    /// An interrupt was fired at the context: it may have one pending, which would make it lose an
    /// assertion or a push in silence.
    spoilt: Cell<bool>,
    /// Z3's steps in the context that the clock of work knows of, modulo 2^32.
    counted: Cell<u32>,
}

/// The link that asks Z3.
///
/// # Panics
/// As [`Z3::new`].
pub(super) fn link(options: Z3Policy) -> Turns<Z3> {
    Turns::new(options.turns(), Z3::new(options))
}

/// See the module's head.
pub(super) struct Z3 {
    options: Z3Policy,
    /// Made for the first query, since Z3 fills large tables for a context, and again for one after it was left.
    session: Option<Session>,
    /// Neighbouring queries so far.
    clock: u64,
}

/// Result of one run of Z3.
enum CheckResult {
    Sat(RawModel),
    Unsat,
    Unknown(UnknownReason),
}

impl From<Z3Error> for UnknownReason {
    fn from(error: Z3Error) -> UnknownReason {
        UnknownReason::Failed(error.0)
    }
}

impl Session {
    fn new(options: &Z3Policy) -> Session {
        let ctx = Context::new();
        Session {
            watchdog: Watchdog::new(&ctx),
            stacks: Vec::new(),
            ground: Translator::new(&ctx, options.arrays, Some(Sharing::default())),
            quantified: Translator::new(&ctx, ArrayTheory::Functions, None),
            ctx,
            spoilt: Cell::new(false),
            counted: Cell::new(0),
        }
    }

    fn solver(&self, flavour: Flavour) -> Result<RawSolver, Z3Error> {
        let parameters: &[_] = if flavour == Flavour::Incremental {
            INCREMENTAL_PARAMETERS
        } else {
            &[]
        };
        RawSolver::new(&self.ctx, flavour, parameters)
    }

    /// One that instantiates the quantifiers of these conjuncts no more often than the work that is left allows.
    fn quantified_solver(
        &self,
        pool: &TermPool,
        conjuncts: &[TermId],
        limits: &Limits,
        flavour: Flavour,
    ) -> Result<RawSolver, Z3Error> {
        let Some(left) = limits.work_left(pool) else {
            return self.solver(flavour);
        };
        let instance = BIT * pool.instance_bits(conjuncts).max(1);
        let most = steps(left, instance).max(FEWEST_INSTANCES);
        RawSolver::new(
            &self.ctx,
            flavour,
            &[(MAX_INSTANCES, Parameter::Uint(most))],
        )
    }

    /// Checks what was asserted. `made` is what the solver had made before, and has after.
    fn run(
        &self,
        pool: &TermPool,
        solver: &RawSolver,
        limits: &Limits,
        weights: Weights,
        made: &mut u64,
    ) -> Result<CheckResult, Z3Error> {
        let work = limits.work_left(pool);
        let most = work.map(|work| steps(work, weights.at_most));
        self.ctx.limit_resources(most.unwrap_or(0));
        let handle = Some(solver.interrupt_handle());
        let check = || solver.check();
        let (checked, stopped) = self.watchdog.guard(limits, work, handle, check);
        self.note(stopped);
        self.count_work(pool, solver, weights, made);
        pool.count_work(CHECK);
        let is_lost = stopped != Stopped::No && !limits.exceeded();
        if is_lost && let Some(left) = limits.work_left(pool) {
            pool.count_work(left);
        }
        Ok(match checked? {
            Checked::Sat => CheckResult::Sat(solver.model()?),
            Checked::Unsat => CheckResult::Unsat,
            Checked::Unknown(_) if limits.interrupt.raised() => {
                CheckResult::Unknown(UnknownReason::Interrupted)
            }
            Checked::Unknown(_) if is_lost => CheckResult::Unknown(UnknownReason::Work),
            Checked::Unknown(_) if stopped != Stopped::No => {
                CheckResult::Unknown(UnknownReason::Timeout)
            }
            Checked::Unknown(reason) if most.is_some() && is_resource_limit(&reason) => {
                CheckResult::Unknown(UnknownReason::Work)
            }
            Checked::Unknown(reason) => CheckResult::Unknown(UnknownReason::GaveUp(reason)),
        })
    }

    /// Puts the clock on by what Z3 did since the last time, assertions included.
    fn count_work(&self, pool: &TermPool, solver: &RawSolver, weights: Weights, made: &mut u64) {
        let now = solver.counts();
        let steps = now.steps.wrapping_sub(self.counted.replace(now.steps));
        let new = now.made.saturating_sub(std::mem::replace(made, now.made));
        pool.count_work(STEP * u64::from(steps) + weights.made * new);
    }

    /// The number of terms that were translated.
    fn n_translated(&self) -> usize {
        self.ground.len() + self.quantified.len()
    }

    /// Hands conjuncts to a solver: Z3 may simplify for long meanwhile, or translate to bits. Only
    /// the interrupt ends that, not the limits of a query, since it throws the context away.
    fn prepare(
        &self,
        limits: &Limits,
        assert: impl FnOnce() -> Result<(), Z3Error>,
    ) -> Result<(), Z3Error> {
        let until_interrupt = Limits {
            interrupt: limits.interrupt.clone(),
            ..Limits::default()
        };
        let (asserted, stopped) = self.watchdog.guard(&until_interrupt, None, None, assert);
        self.note(stopped);
        asserted?;
        if self.spoilt.get() {
            // Z3 does not say what it dropped.
            return Err(Z3Error("interrupted".to_owned()));
        }
        Ok(())
    }

    fn note(&self, stopped: Stopped) {
        if stopped == Stopped::Context {
            self.spoilt.set(true);
        }
    }

    fn run_fresh(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        limits: &Limits,
        flavour: Flavour,
        quantified: bool,
    ) -> Result<CheckResult, Z3Error> {
        if quantified && pool.most_factors(conjuncts) > MOST_FACTORS_BESIDE_QUANTIFIERS {
            let why = "a product of too many factors".to_owned();
            return Ok(CheckResult::Unknown(UnknownReason::GaveUp(why)));
        }
        let solver = if quantified {
            self.quantified_solver(pool, conjuncts, limits, flavour)?
        } else {
            self.solver(flavour)?
        };
        let translator = if quantified {
            &mut self.quantified
        } else {
            &mut self.ground
        };
        let mut defined: FxHashSet<Name> = FxHashSet::default();
        let mut formulas = Vec::new();
        for conjunct in conjuncts {
            let formula = translator.truth(pool, *conjunct);
            for name in translator.names(pool, *conjunct) {
                if defined.insert(name) {
                    formulas.push(translator.definition(name).clone());
                }
            }
            formulas.push(formula);
        }
        self.prepare(limits, || solver.assert_all(&formulas))?;
        let weights = if quantified {
            Weights::quantified(pool, conjuncts)
        } else {
            Weights::ground(pool, conjuncts)
        };
        self.run(pool, &solver, limits, weights, &mut 0)
    }

    /// The position of the stack that shares the longest prefix with the conjuncts, made when
    /// none does and there may be one more.
    fn choose_stack(
        &mut self,
        conjuncts: &[TermId],
        n_stacks: usize,
        clock: u64,
    ) -> Result<usize, Z3Error> {
        let best = (0..self.stacks.len())
            .map(|i| {
                (
                    self.stacks[i].shared(conjuncts),
                    self.stacks[i].last_used,
                    i,
                )
            })
            .max();
        if let Some((prefix, _, position)) = best
            && prefix > 0
        {
            return Ok(position);
        }
        if self.stacks.len() < n_stacks.max(1) {
            let solver = self.solver(Flavour::Incremental)?;
            self.stacks.push(Stack {
                solver,
                asserted: Vec::new(),
                made: 0,
                last_used: clock,
            });
            return Ok(self.stacks.len() - 1);
        }
        let oldest = self
            .stacks
            .iter()
            .enumerate()
            .min_by_key(|(_, stack)| stack.last_used);
        Ok(oldest.map_or(0, |(position, _)| position))
    }

    fn run_stack(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[TermId],
        limits: &Limits,
        n_stacks: usize,
        clock: u64,
    ) -> Result<CheckResult, Z3Error> {
        let position = self.choose_stack(conjuncts, n_stacks, clock)?;
        // Put back only when nothing failed: a stack that may be out of step is never used again.
        let mut stack = self.stacks.swap_remove(position);
        stack.last_used = clock;
        let prefix = stack.shared(conjuncts);
        if stack.asserted.len() > prefix {
            stack.solver.pop(stack.asserted.len() - prefix)?;
            stack.asserted.truncate(prefix);
        }
        let mut defined: FxHashSet<Name> = FxHashSet::default();
        for conjunct in &conjuncts[..prefix] {
            defined.extend(self.ground.names(pool, *conjunct));
        }
        for conjunct in &conjuncts[prefix..] {
            let formula = self.ground.truth(pool, *conjunct);
            let mut formulas = Vec::new();
            for name in self.ground.names(pool, *conjunct) {
                if defined.insert(name) {
                    formulas.push(self.ground.definition(name).clone());
                }
            }
            formulas.push(formula);
            self.prepare(limits, || {
                stack.solver.push()?;
                stack.solver.assert_all(&formulas)
            })?;
            stack.asserted.push(*conjunct);
        }
        let weights = Weights::ground(pool, conjuncts);
        let run = self.run(pool, &stack.solver, limits, weights, &mut stack.made)?;
        self.stacks.push(stack);
        Ok(run)
    }
}

impl Stack {
    /// Length of the common prefix.
    fn shared(&self, conjuncts: &[TermId]) -> usize {
        self.asserted
            .iter()
            .zip(conjuncts)
            .take_while(|(a, b)| a == b)
            .count()
    }
}

impl Z3 {
    /// A backend that will have a separate context.
    ///
    /// # Panics
    /// When another libz3 than [`EXPECTED_VERSION`] is loaded: older ones miss functions and give
    /// other answers.
    pub fn new(options: Z3Policy) -> Z3 {
        let (major, minor, ..) = version();
        assert_eq!(
            (major, minor),
            EXPECTED_VERSION,
            "the libz3 of scripts/setup.sh is loaded"
        );
        Z3 {
            options,
            session: None,
            clock: 0,
        }
    }

    fn session(&mut self) -> &mut Session {
        let Z3 {
            options, session, ..
        } = self;
        session.get_or_insert_with(|| Session::new(options))
    }

    fn run(
        &mut self,
        pool: &mut TermPool,
        question: &BackendQuery,
    ) -> Result<CheckResult, Z3Error> {
        let BackendQuery {
            conjuncts,
            manner,
            limits,
            ..
        } = *question;
        let flavour = match manner {
            Manner::Neighbouring => {
                self.clock += 1;
                if self.options.stacks {
                    let (n_stacks, clock) = (self.options.n_stacks, self.clock);
                    let session = self.session();
                    return session.run_stack(pool, conjuncts, limits, n_stacks, clock);
                }
                Flavour::Incremental
            }
            Manner::Anew => Flavour::Incremental,
            Manner::Prepared => {
                let flavour = prepared(pool, conjuncts, self.options.arrays);
                let run = (self.session()).run_fresh(pool, conjuncts, limits, flavour, false);
                pool.count_work(PREPARED_PAIR * pool.products(conjuncts));
                return run;
            }
            Manner::Quantified => Flavour::Default,
        };
        let quantified = manner == Manner::Quantified;
        (self.session()).run_fresh(pool, conjuncts, limits, flavour, quantified)
    }
}

impl Backend for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn begin(&mut self, statistics: &mut LinkStatistics) {
        let n_translated = self.session.as_ref().map_or(0, Session::n_translated);
        if n_translated > self.options.max_memo {
            statistics.event("memo cleared");
            self.session = None;
        }
    }

    /// Runs Z3, reads its model, and leaves a spoilt context.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        question: &BackendQuery,
        statistics: &mut LinkStatistics,
    ) -> Found {
        let n_before = self.session().n_translated();
        let run = self.run(pool, question);
        let session = self.session();
        let n_translated = session.n_translated().saturating_sub(n_before);
        pool.count_work(TRANSLATION * n_translated as u64);
        let run = run.unwrap_or_else(|error| {
            // An interrupt may also come back as an error of a later call.
            let stopped = session.spoilt.get();
            CheckResult::Unknown(if stopped {
                UnknownReason::Timeout
            } else {
                error.into()
            })
        });
        let found = match run {
            CheckResult::Unsat => Found::Unsat,
            CheckResult::Unknown(reason) => Found::Unknown(reason),
            CheckResult::Sat(raw) => {
                pool.count_work(MODEL * question.conjuncts.len() as u64);
                let symbols = symbols(pool, question.about);
                let translator = match question.manner {
                    Manner::Quantified => &session.quantified,
                    Manner::Neighbouring | Manner::Anew | Manner::Prepared => &session.ground,
                };
                Found::Sat(model::assignment(pool, translator, &raw, symbols))
            }
        };
        if session.spoilt.get() {
            statistics.event("context left");
            self.session = None;
        }
        found
    }
}

/// Whether Z3's words for why it does not know say that it has used all its resources.
fn is_resource_limit(reason: &str) -> bool {
    reason.contains("resource limit") || reason.contains("canceled")
}

/// A solver with tactics for these conjuncts.
fn prepared(pool: &mut TermPool, conjuncts: &[TermId], arrays: ArrayTheory) -> Flavour {
    let has_arrays = symbols(pool, conjuncts)
        .into_iter()
        .any(|s| matches!(pool.symbol_sort(s), Sort::Array { .. }));
    match (pool.has_float(conjuncts), has_arrays, arrays) {
        (true, false, _) => Flavour::Logic("QF_BVFP"),
        // Z3 has no tactics for floats with arrays or functions and takes its default.
        (true, true, _) => Flavour::Logic("ALL"),
        (false, true, ArrayTheory::Functions) => Flavour::Logic("QF_UFBV"),
        (false, ..) => Flavour::Prepared,
    }
}

#[cfg(test)]
mod tests;
