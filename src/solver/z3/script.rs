//! Questions in SMT-LIB 2, in a context of their own, on any thread.

#![expect(unsafe_code, reason = "a call into libz3")]

use std::ffi::{CStr, CString};

use super::raw::Context;
use super::watchdog::Watchdog;
use super::{STEP, Z3Error, steps};
use crate::solver::Limits;
use crate::term::TermPool;

/// What Z3 does for an answer. Its own choice of tactics for integers would stop some of them by
/// the clock.
const CHECK: &str = "(check-sat-using (then simplify propagate-values solve-eqs smt))";

/// What Z3 says to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::solver) enum Said {
    Unsat,
    /// With what it prints for the values.
    Sat(String),
    /// A limit was reached.
    Limit,
    /// It gave up.
    Unknown,
}

/// Asks Z3 about a script without a command to check it, and for values if it is satisfiable.
///
/// # Errors
/// What Z3 reports, as for a script that is malformed.
pub(in crate::solver) fn ask_script(
    pool: &TermPool,
    question: &str,
    values: &str,
    limits: &Limits,
) -> Result<Said, Z3Error> {
    let ctx = Context::new();
    let watchdog = Watchdog::new(&ctx);
    let say = |text: &str| {
        let text = CString::new(text).map_err(|error| Z3Error(error.to_string()))?;
        let (printed, _) = watchdog.guard(limits, None, || {
            // SAFETY: the context lives; the text that Z3 gives is copied before the next call.
            unsafe {
                let printed = z3_sys::Z3_eval_smtlib2_string(ctx.raw(), text.as_ptr());
                CStr::from_ptr(printed).to_string_lossy().into_owned()
            }
        });
        ctx.error()?;
        Ok(printed)
    };
    let most = limits.work_left(pool).map_or(0, |work| steps(work, STEP));
    say(&format!("(set-option :rlimit {most})"))?;
    say(question)?;
    let said = say(CHECK)?;
    let resources = say("(get-info :rlimit)")?;
    pool.count_work(STEP * n_resources(&resources));
    match said.trim() {
        "unsat" => Ok(Said::Unsat),
        "sat" => say(values).map(Said::Sat),
        _ if limits.reached(pool).is_some() => Ok(Said::Limit),
        _ => Ok(Said::Unknown),
    }
}

/// The number in `(:rlimit 123)`.
fn n_resources(printed: &str) -> u64 {
    let digits = printed.chars().filter(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or(0)
}
