//! Queries in SMT-LIB 2, each in a separate context, on any thread.

#![expect(unsafe_code, reason = "a call into libz3")]

use std::ffi::{CStr, CString};

use super::raw::Context;
use super::watchdog::{Stopped, Watchdog};
use super::{STEP, Z3Error, steps};
use crate::backend::Said;
use crate::{Limits, UnknownReason};
use term::{TermPool, Work};

/// The tactic for an answer. Z3's own choice of tactics for integers would stop some of them by
/// the clock. Cuts from Hermite normal forms are left out: its steps do not count them. Measured as processor
/// time of `analyze tests/proofs/chosen_steps.c --techniques horn --work 4`: 14 s with them, 3 s without.
const CHECK: &str = "(then simplify propagate-values solve-eqs \
                     (using-params smt :arith.enable_hnf false))";

/// Spacer on the clauses as they stand: where predicates are inlined first, the interpretations of
/// others have quantifiers.
const SOLVE_CLAUSES: &str = "(using-params horn :xform.inline_eager false \
                             :xform.inline_linear false :xform.slice false)";

/// The work of a step of integer arithmetic with products of unknown numbers. Measured on the programs
/// `poly_*` of `tests/proofs`, modulo 2^64 and 2^128: mostly 0.9 to 1.5 µs, up to 10 µs, since pivots with long numbers
/// are hardly counted.
const STEP_WITH_PRODUCTS: Work = Work::units(1_600);

/// The work of a step of Spacer. Measured on programs of `tests/proofs`, whose attempts took 1 to 25 s:
/// 0.4 to 1 µs.
const STEP_OF_SPACER: Work = Work::units(600);

/// See [`ask_script`](crate::backend::ask_script). With products of unknown numbers Z3's steps
/// take longer.
pub(crate) fn ask_script(
    pool: &TermPool,
    (question, values): (&str, &str),
    has_products: bool,
    limits: &Limits,
) -> Result<Said, UnknownReason> {
    let step = if has_products {
        STEP_WITH_PRODUCTS
    } else {
        STEP
    };
    let said = Conversation::new(pool, limits).ask(question, step, CHECK, values);
    said.map_err(UnknownReason::from)
}

/// See [`ask_horn`](crate::backend::ask_horn): asks Spacer, Z3's engine for constrained Horn clauses.
pub(crate) fn ask_horn(
    pool: &TermPool,
    clauses: &str,
    limits: &Limits,
) -> Result<Said, UnknownReason> {
    let conversation = Conversation::new(pool, limits);
    let said = conversation.ask(clauses, STEP_OF_SPACER, SOLVE_CLAUSES, "(get-model)");
    said.map_err(UnknownReason::from)
}

/// Commands to Z3 and what it prints.
struct Conversation<'a> {
    ctx: Context,
    watchdog: Watchdog,
    pool: &'a TermPool,
    limits: &'a Limits,
}

impl<'a> Conversation<'a> {
    fn new(pool: &'a TermPool, limits: &'a Limits) -> Conversation<'a> {
        let ctx = Context::new();
        Conversation {
            watchdog: Watchdog::new(&ctx),
            ctx,
            pool,
            limits,
        }
    }

    /// The output of Z3; `None` if it was stopped because its work limit was reached.
    fn evaluate(&self, text: &str) -> Result<Option<String>, Z3Error> {
        let text = CString::new(text).map_err(|error| Z3Error(error.to_string()))?;
        let work = self.limits.work_left(self.pool);
        let (printed, stopped) = self.watchdog.guard(self.limits, work, None, || {
            // SAFETY: the context lives; the text that Z3 gives is copied before the next call.
            unsafe {
                let printed = z3_sys::Z3_eval_smtlib2_string(self.ctx.raw(), text.as_ptr());
                CStr::from_ptr(printed).to_string_lossy().into_owned()
            }
        });
        if stopped != Stopped::No {
            // What it was doing was not counted, and what it says of the interrupt is no error.
            let left = self.limits.work_left(self.pool);
            self.pool.count_work(left.unwrap_or(Work::ZERO));
            return Ok(None);
        }
        self.ctx.error()?;
        Ok(Some(printed))
    }

    /// The answer to a query by this tactic, and what `values` prints if it is satisfiable. Z3's
    /// steps are limited to the work that is left, and counted, each as so much work.
    ///
    /// The limit is that of this context, and set last, since other options reset it. `:rlimit` would be that of all
    /// contexts that are made from then on, on other threads too.
    fn ask(&self, question: &str, step: Work, tactic: &str, values: &str) -> Result<Said, Z3Error> {
        let most = self.limits.work_left(self.pool);
        let most = most.map_or(0, |work| steps(work, step));
        let limit = format!("(set-option :reproducible-resource-limit {most})");
        for text in [question, &limit] {
            if self.evaluate(text)?.is_none() {
                return Ok(Said::Limit);
            }
        }
        let Some(said) = self.evaluate(&format!("(check-sat-using {tactic})"))? else {
            return Ok(Said::Limit);
        };
        if let Some(resources) = self.evaluate("(get-info :rlimit)")? {
            self.pool.count_work(step * n_resources(&resources));
        }
        match said.trim() {
            "unsat" => Ok(Said::Unsat),
            "sat" => Ok(self.evaluate(values)?.map_or(Said::Limit, Said::Sat)),
            _ if self.limits.reached(self.pool).is_some() => Ok(Said::Limit),
            _ => Ok(Said::Unknown),
        }
    }
}

/// The number in `(:rlimit 123)`.
fn n_resources(printed: &str) -> u64 {
    let digits = printed.chars().filter(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or(0)
}
