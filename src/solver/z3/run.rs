//! A safe wrapper of solvers and models in Z3's C interface.
//!
//! # Invariants
//! - After each call on a solver the error code is read: Z3 notices an unknown or ill-typed parameter only at
//!   the first assertion, which it then drops silently; a later answer would be wrong.

#![expect(
    unsafe_code,
    reason = "calls into libz3; each call's precondition is the object's invariant"
)]

use std::ffi::CStr;

use z3_sys::{Z3_L_FALSE, Z3_L_TRUE, Z3_ast, Z3_func_interp, Z3_model, Z3_params, Z3_solver};

use super::raw::{Ast, Context, Func, InterruptHandle};
use super::{Z3Error, tactics};

/// The name of the count of resources among Z3's statistics.
const STEPS: &CStr = c"rlimit count";

/// Whether the statistics of Z3's SMT core count variables or clauses by this name. What its SAT
/// solver made is not told exactly where it was interrupted.
fn is_made(key: &CStr) -> bool {
    key.to_bytes().starts_with(b"mk ")
}

/// Z3's counters.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    /// Steps towards `rlimit`, in the whole context, modulo 2^32.
    pub steps: u32,
    /// Variables and clauses that this solver's SMT core made, which are no such steps.
    pub made: u64,
}

/// Which of Z3's solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flavour {
    /// The SMT core alone: cheap push, pop and repeated checks.
    Incremental,
    /// Z3's own choice of tactics, made at each check.
    Default,
    /// Tactics of our own choice, for bit-vectors and arrays of them.
    Prepared,
    /// Z3's tactics for a logic, such as `QF_BVFP`.
    Logic(&'static str),
}

/// Parameter values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameter {
    Bool(bool),
    Uint(u32),
}

/// Values of parameters, for a solver or a tactic.
pub(super) struct Parameters {
    ctx: Context,
    pub(super) raw: Z3_params,
}

impl Parameters {
    pub(super) fn new<'a>(
        ctx: &Context,
        values: impl IntoIterator<Item = (&'a str, Parameter)>,
    ) -> Parameters {
        let c = ctx.raw();
        // SAFETY: the parameters are owned before they are filled; names are of this context.
        unsafe {
            let raw = z3_sys::Z3_mk_params(c).expect("Z3 makes parameters");
            z3_sys::Z3_params_inc_ref(c, raw);
            for (name, value) in values {
                let name = ctx.symbol(name);
                match value {
                    Parameter::Bool(value) => z3_sys::Z3_params_set_bool(c, raw, name, value),
                    Parameter::Uint(value) => z3_sys::Z3_params_set_uint(c, raw, name, value),
                }
            }
            Parameters {
                ctx: ctx.clone(),
                raw,
            }
        }
    }
}

impl Drop for Parameters {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe { z3_sys::Z3_params_dec_ref(self.ctx.raw(), self.raw) };
    }
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Checked {
    Sat,
    Unsat,
    Unknown(String),
}

/// A solver with a stack of assertions.
pub(super) struct RawSolver {
    ctx: Context,
    raw: Z3_solver,
}

impl Drop for RawSolver {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe { z3_sys::Z3_solver_dec_ref(self.ctx.raw(), self.raw) };
    }
}

impl RawSolver {
    /// # Errors
    /// When Z3 refuses a parameter.
    pub(super) fn new(
        ctx: &Context,
        flavour: Flavour,
        parameters: &[(&str, Parameter)],
    ) -> Result<RawSolver, Z3Error> {
        let c = ctx.raw();
        // SAFETY: all objects are of this context; the parameters are released after use.
        let solver = unsafe {
            let raw = match flavour {
                Flavour::Incremental => z3_sys::Z3_mk_simple_solver(c),
                Flavour::Default => z3_sys::Z3_mk_solver(c),
                Flavour::Prepared => {
                    let tactic = tactics::for_bit_vectors(ctx);
                    z3_sys::Z3_mk_solver_from_tactic(c, tactic.raw)
                }
                Flavour::Logic(logic) => z3_sys::Z3_mk_solver_for_logic(c, ctx.symbol(logic)),
            };
            let raw = raw.expect("Z3 makes a solver");
            z3_sys::Z3_solver_inc_ref(c, raw);
            RawSolver {
                ctx: ctx.clone(),
                raw,
            }
        };
        // SAFETY: as above.
        unsafe {
            // Otherwise each check puts its own handler in place of the program's, and a Ctrl-C
            // ends just that check.
            let no_handler = ("ctrl_c", Parameter::Bool(false));
            let parameters = parameters.iter().chain([&no_handler]);
            let parameters = Parameters::new(ctx, parameters.copied());
            z3_sys::Z3_solver_set_params(c, solver.raw, parameters.raw);
            ctx.error()?;
        }
        if !parameters.is_empty() {
            // The parameters are only read at the first use: have it now, with a harmless
            // assertion, so that a refused one is an error here.
            solver.assert(&ctx.truth(true))?;
        }
        Ok(solver)
    }

    pub(super) fn assert(&self, formula: &Ast) -> Result<(), Z3Error> {
        // SAFETY: solver and formula are of this context.
        unsafe { z3_sys::Z3_solver_assert(self.ctx.raw(), self.raw, formula.raw) };
        self.ctx.error()
    }

    /// Asserts one after the other.
    pub(super) fn assert_all(&self, formulas: &[Ast]) -> Result<(), Z3Error> {
        formulas.iter().try_for_each(|formula| self.assert(formula))
    }

    pub(super) fn push(&self) -> Result<(), Z3Error> {
        // SAFETY: the solver is alive.
        unsafe { z3_sys::Z3_solver_push(self.ctx.raw(), self.raw) };
        self.ctx.error()
    }

    pub(super) fn pop(&self, scopes: usize) -> Result<(), Z3Error> {
        let scopes = u32::try_from(scopes).expect("fewer than 2^32 scopes");
        // SAFETY: at most as many scopes as were pushed; more is an error code.
        unsafe { z3_sys::Z3_solver_pop(self.ctx.raw(), self.raw, scopes) };
        self.ctx.error()
    }

    /// Stops a check of this solver.
    pub(super) fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle::Check(self.ctx.raw(), self.raw)
    }

    pub(super) fn check(&self) -> Result<Checked, Z3Error> {
        // SAFETY: the solver is alive.
        let result = unsafe { z3_sys::Z3_solver_check(self.ctx.raw(), self.raw) };
        match result {
            Z3_L_TRUE => self.ctx.error().map(|()| Checked::Sat),
            Z3_L_FALSE => self.ctx.error().map(|()| Checked::Unsat),
            _ => {
                // An interrupt may also come back as an error code; both are "unknown".
                self.ctx
                    .error()
                    .or_else(|e| if e.is_interrupt() { Ok(()) } else { Err(e) })?;
                // SAFETY: the text is copied before the next call.
                let reason = unsafe {
                    let text = z3_sys::Z3_solver_get_reason_unknown(self.ctx.raw(), self.raw);
                    if text.is_null() {
                        String::new()
                    } else {
                        CStr::from_ptr(text).to_string_lossy().into_owned()
                    }
                };
                Ok(Checked::Unknown(reason))
            }
        }
    }

    /// The counts so far.
    pub(super) fn counts(&self) -> Counts {
        let c = self.ctx.raw();
        let mut counts = Counts::default();
        // SAFETY: the statistics are released after use; positions are below their number.
        unsafe {
            let Some(statistics) = z3_sys::Z3_solver_get_statistics(c, self.raw) else {
                return counts;
            };
            z3_sys::Z3_stats_inc_ref(c, statistics);
            for position in 0..z3_sys::Z3_stats_size(c, statistics) {
                if !z3_sys::Z3_stats_is_uint(c, statistics, position) {
                    continue;
                }
                let value = || z3_sys::Z3_stats_get_uint_value(c, statistics, position);
                let key = CStr::from_ptr(z3_sys::Z3_stats_get_key(c, statistics, position));
                if key == STEPS {
                    counts.steps = value();
                } else if is_made(key) {
                    counts.made += u64::from(value());
                }
            }
            z3_sys::Z3_stats_dec_ref(c, statistics);
        }
        counts
    }

    /// Number of assertions, for the tests of the parameter trap.
    #[cfg(test)]
    pub(super) fn n_assertions(&self) -> u32 {
        let c = self.ctx.raw();
        // SAFETY: the vector is released after use.
        unsafe {
            let vector = z3_sys::Z3_solver_get_assertions(c, self.raw).expect("a vector");
            z3_sys::Z3_ast_vector_inc_ref(c, vector);
            let n = z3_sys::Z3_ast_vector_size(c, vector);
            z3_sys::Z3_ast_vector_dec_ref(c, vector);
            n
        }
    }

    /// The model of the last check, which said sat.
    pub(super) fn model(&self) -> Result<RawModel, Z3Error> {
        // SAFETY: the model is owned before the next call.
        unsafe {
            let raw = z3_sys::Z3_solver_get_model(self.ctx.raw(), self.raw);
            let Some(raw) = raw else {
                self.ctx.error()?;
                return Err(Z3Error("no model".to_owned()));
            };
            z3_sys::Z3_model_inc_ref(self.ctx.raw(), raw);
            Ok(RawModel {
                ctx: self.ctx.clone(),
                raw,
            })
        }
    }
}

/// Values of constants and functions.
pub(super) struct RawModel {
    ctx: Context,
    raw: Z3_model,
}

impl Drop for RawModel {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe { z3_sys::Z3_model_dec_ref(self.ctx.raw(), self.raw) };
    }
}

/// Entries of a function in a model, and its value elsewhere.
pub(super) struct Table {
    pub(super) entries: Vec<(Ast, Ast)>,
    pub(super) otherwise: Option<Ast>,
}

impl RawModel {
    /// The value of a constant; `None` when any value will do.
    pub(super) fn constant(&self, constant: &Ast) -> Option<Ast> {
        let c = self.ctx.raw();
        // SAFETY: the constant is an application without operands.
        unsafe {
            let decl = z3_sys::Z3_get_app_decl(c, z3_sys::Z3_to_app(c, constant.raw)?)?;
            let value = z3_sys::Z3_model_get_const_interp(c, self.raw, decl)?;
            Some(Ast::own(&self.ctx, value))
        }
    }

    /// The table of a function of one argument; `None` when any function will do.
    pub(super) fn function(&self, function: &Func) -> Option<Table> {
        let c = self.ctx.raw();
        // SAFETY: the interpretation is released after its entries were owned.
        unsafe {
            let interp = z3_sys::Z3_model_get_func_interp(c, self.raw, function.raw)?;
            z3_sys::Z3_func_interp_inc_ref(c, interp);
            let table = self.table(interp);
            z3_sys::Z3_func_interp_dec_ref(c, interp);
            Some(table)
        }
    }

    /// # Safety
    /// `interp` is an interpretation of a function of one argument in this model.
    unsafe fn table(&self, interp: Z3_func_interp) -> Table {
        let c = self.ctx.raw();
        let own = |raw: Option<Z3_ast>| raw.map(|raw| Ast::own(&self.ctx, raw));
        // SAFETY: entries are counted below their number and released after use.
        unsafe {
            let n = z3_sys::Z3_func_interp_get_num_entries(c, interp);
            let mut entries = Vec::with_capacity(n as usize);
            for i in 0..n {
                let Some(entry) = z3_sys::Z3_func_interp_get_entry(c, interp, i) else {
                    continue;
                };
                z3_sys::Z3_func_entry_inc_ref(c, entry);
                let argument = own(z3_sys::Z3_func_entry_get_arg(c, entry, 0));
                let value = own(z3_sys::Z3_func_entry_get_value(c, entry));
                entries.extend(argument.zip(value));
                z3_sys::Z3_func_entry_dec_ref(c, entry);
            }
            Table {
                entries,
                otherwise: own(z3_sys::Z3_func_interp_get_else(c, interp)),
            }
        }
    }
}
