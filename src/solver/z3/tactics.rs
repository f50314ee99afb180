//! Tactics: Z3's preprocessing of hard queries about bit-vectors and arrays of them.
//!
//! Z3's own choice skips steps if the process uses more than 300 MB, for whatever query: the cost of a query,
//! and so the verdict of a run, would depend on other work of the process. The steps below are the same for
//! the same query: simplify, bit-blast, share gates, and call the SAT solver, or the SMT core if arrays
//! remain. Measured on Table 1, both sets of loops tasks and `scripts/libraries.py --only punycode_decode`:
//! as quick as Z3's choice.

#![expect(
    unsafe_code,
    reason = "calls into libz3; each call's precondition is the object's invariant"
)]

use std::ffi::CStr;

use z3_sys::{Z3_probe, Z3_tactic};

use super::raw::Context;
use super::run::{Parameter, Parameters};

const ON: Parameter = Parameter::Bool(true);
const OFF: Parameter = Parameter::Bool(false);

/// The tactic for queries about bit-vectors and arrays of them.
pub(super) fn for_bit_vectors(ctx: &Context) -> Tactic {
    let step = |name| Tactic::named(ctx, name);
    let few_occurrences = [("solve_eqs_max_occs", Parameter::Uint(2))];
    let sums_of_products = [
        ("som", ON),
        ("pull_cheap_ite", ON),
        ("push_ite_bv", OFF),
        ("local_ctx", ON),
        ("local_ctx_limit", Parameter::Uint(10_000_000)),
        ("flat", ON),
        ("hoist_mul", OFF),
        ("flat_and_or", OFF),
    ];
    let products_of_sums = [("hoist_mul", ON), ("som", OFF), ("flat_and_or", OFF)];
    let not_flat = [("flat_and_or", OFF)];
    let words = [
        step(c"simplify").with(&not_flat),
        step(c"propagate-values").with(&not_flat),
        step(c"solve-eqs").with(&few_occurrences),
        step(c"elim-uncnstr"),
        step(c"reduce-bv-size"),
        step(c"simplify").with(&sums_of_products),
        step(c"simplify").with(&products_of_sums),
        step(c"max-bv-sharing"),
        step(c"ackermannize_bv"),
    ];
    let gates = Tactic::sequence(&[step(c"simplify"), step(c"solve-eqs")]).with(&[
        ("local_ctx", ON),
        ("flat", OFF),
        ("flat_and_or", OFF),
    ]);
    let gates = Tactic::sequence(&[gates, step(c"aig")]);
    let bits = Tactic::sequence(&[step(c"bit-blast"), gates, step(c"sat")]);
    let search = Tactic::either(c"is-qfbv", &bits, &step(c"smt"));
    Tactic::sequence(&[Tactic::sequence(&words), search]).with(&[
        ("elim_and", ON),
        ("push_ite_bv", ON),
        ("blast_distinct", ON),
    ])
}

/// A step, or several.
pub(super) struct Tactic {
    ctx: Context,
    pub(super) raw: Z3_tactic,
}

impl Drop for Tactic {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe { z3_sys::Z3_tactic_dec_ref(self.ctx.raw(), self.raw) };
    }
}

impl Tactic {
    fn own(ctx: &Context, raw: Option<Z3_tactic>) -> Tactic {
        let Some(raw) = raw else {
            panic!("Z3 knows tactics and their parameters: {:?}", ctx.error());
        };
        // SAFETY: `raw` was just returned by this context, or is held; so it is still alive.
        unsafe { z3_sys::Z3_tactic_inc_ref(ctx.raw(), raw) };
        Tactic {
            ctx: ctx.clone(),
            raw,
        }
    }

    fn named(ctx: &Context, name: &CStr) -> Tactic {
        // SAFETY: Z3 copies the text.
        Tactic::own(ctx, unsafe {
            z3_sys::Z3_mk_tactic(ctx.raw(), name.as_ptr())
        })
    }

    fn with(&self, values: &[(&str, Parameter)]) -> Tactic {
        let values = Parameters::new(&self.ctx, values.iter().copied());
        // SAFETY: both are of this context and alive.
        Tactic::own(&self.ctx, unsafe {
            z3_sys::Z3_tactic_using_params(self.ctx.raw(), self.raw, values.raw)
        })
    }

    /// One after the other; there is at least one.
    fn sequence(steps: &[Tactic]) -> Tactic {
        let (first, others) = steps.split_first().expect("a sequence has steps");
        let first = Tactic::own(&first.ctx, Some(first.raw));
        others.iter().fold(first, |before, next| {
            // SAFETY: both are of this context and alive.
            Tactic::own(&before.ctx, unsafe {
                z3_sys::Z3_tactic_and_then(before.ctx.raw(), before.raw, next.raw)
            })
        })
    }

    /// One where what is left is of this kind, the other elsewhere.
    fn either(probe: &CStr, one: &Tactic, other: &Tactic) -> Tactic {
        let c = one.ctx.raw();
        // SAFETY: all are of this context and alive; the probe is owned before the next call.
        Tactic::own(&one.ctx, unsafe {
            let probe: Z3_probe =
                z3_sys::Z3_mk_probe(c, probe.as_ptr()).expect("Z3 knows the probe");
            z3_sys::Z3_probe_inc_ref(c, probe);
            let tactic = z3_sys::Z3_tactic_cond(c, probe, one.raw, other.raw);
            z3_sys::Z3_probe_dec_ref(c, probe);
            tactic
        })
    }
}
