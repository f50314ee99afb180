//! Questions in SMT-LIB 2, in a context of their own, on any thread.

#![expect(unsafe_code, reason = "a call into libz3")]

use std::ffi::{CStr, CString};

use super::Z3Error;
use super::raw::Context;
use super::watchdog::Watchdog;
use crate::solver::Limits;

/// What Z3 says to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::solver) enum Said {
    Unsat,
    /// With what it prints for the values.
    Sat(String),
    Unknown,
}

/// Asks Z3 about a script that ends with `(check-sat)`, and for values if it is satisfiable.
///
/// # Errors
/// What Z3 reports, as for a script that is malformed.
pub(in crate::solver) fn ask_script(
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
    match say(question)?.trim() {
        "unsat" => Ok(Said::Unsat),
        "sat" => say(values).map(Said::Sat),
        _ => Ok(Said::Unknown),
    }
}
