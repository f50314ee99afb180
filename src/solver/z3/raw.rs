//! A safe wrapper of the used part of Z3's C interface: reference counts, lifetimes, errors.
//!
//! The `z3` crate is not used here: it keeps one context per thread, has no simple (purely incremental)
//! solver, and does not check error codes.
//!
//! # Invariants
//! - Every object keeps its context alive and holds one reference.
//! - A result is owned before the next call, since Z3 keeps it alive only until then.

#![expect(
    unsafe_code,
    reason = "calls into libz3; each call's precondition is the object's invariant"
)]

use std::ffi::{CStr, CString};
use std::ptr;
use std::rc::Rc;

use num_bigint::BigUint;
use z3_sys::{
    DeclKind, ErrorCode, Z3_ast, Z3_context, Z3_func_decl, Z3_solver, Z3_sort, Z3_symbol,
};

use super::Z3Error;
use term::float::exponent_bits;

struct ContextData(Z3_context);

impl Drop for ContextData {
    fn drop(&mut self) {
        // SAFETY: the last object that refers to the context is gone.
        unsafe { z3_sys::Z3_del_context(self.0) };
    }
}

/// A Z3 context; clones share it. Neither it nor its objects leave their thread.
#[derive(Clone)]
pub(super) struct Context(Rc<ContextData>);

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Stops what is running, from another thread.
///
/// The holder guarantees that context and solver live as long as the handle.
pub(super) enum InterruptHandle {
    /// All that runs in the context. Where nothing does, the interrupt stays pending, and makes Z3
    /// drop the next assertion without an error.
    Context(Z3_context),
    /// The check of this solver; where none runs, nothing happens.
    Check(Z3_context, Z3_solver),
}

// SAFETY: the interrupts are the functions that Z3 allows from other threads.
unsafe impl Send for InterruptHandle {}

impl InterruptHandle {
    pub(super) fn fire(&self) {
        // SAFETY: the holder guarantees that context and solver live.
        unsafe {
            match *self {
                InterruptHandle::Context(context) => z3_sys::Z3_interrupt(context),
                InterruptHandle::Check(context, solver) => {
                    z3_sys::Z3_solver_interrupt(context, solver);
                }
            }
        }
    }
}

/// A term of Z3: of Boolean, bit-vector or array sort.
pub(super) struct Ast {
    ctx: Context,
    pub(super) raw: Z3_ast,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        Ast::own(&self.ctx, self.raw)
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe { z3_sys::Z3_dec_ref(self.ctx.raw(), self.raw) };
    }
}

impl Ast {
    pub(super) fn own(ctx: &Context, raw: Z3_ast) -> Ast {
        // SAFETY: `raw` was just returned by this context, so it is still alive.
        unsafe { z3_sys::Z3_inc_ref(ctx.raw(), raw) };
        Ast {
            ctx: ctx.clone(),
            raw,
        }
    }

    fn decl_kind(&self) -> Option<DeclKind> {
        let c = self.ctx.raw();
        // SAFETY: the term is alive; it is only read as an application if it is one.
        unsafe {
            if z3_sys::Z3_get_ast_kind(c, self.raw) != z3_sys::AstKind::App {
                return None;
            }
            let decl = z3_sys::Z3_get_app_decl(c, z3_sys::Z3_to_app(c, self.raw)?)?;
            Some(z3_sys::Z3_get_decl_kind(c, decl))
        }
    }

    fn arg(&self, index: u32) -> Option<Ast> {
        let c = self.ctx.raw();
        // SAFETY: only called on applications with more than `index` operands.
        unsafe {
            let app = z3_sys::Z3_to_app(c, self.raw)?;
            Some(Ast::own(&self.ctx, z3_sys::Z3_get_app_arg(c, app, index)?))
        }
    }

    /// The value of a bit-vector numeral or a truth value.
    pub(super) fn numeral(&self) -> Option<BigUint> {
        let c = self.ctx.raw();
        // SAFETY: the term is alive; the text is copied before the next call.
        unsafe {
            let mut small = 0u64;
            if z3_sys::Z3_is_numeral_ast(c, self.raw) {
                if z3_sys::Z3_get_numeral_uint64(c, self.raw, &raw mut small) {
                    return Some(BigUint::from(small));
                }
                let text = z3_sys::Z3_get_numeral_string(c, self.raw);
                return CStr::from_ptr(text).to_str().ok()?.parse().ok();
            }
        }
        match self.decl_kind()? {
            DeclKind::True => Some(BigUint::from(1u8)),
            DeclKind::False => Some(BigUint::ZERO),
            _ => None,
        }
    }

    /// The parts of an array value.
    pub(super) fn array_shape(&self) -> Option<ArrayShape> {
        match self.decl_kind()? {
            DeclKind::ConstArray => Some(ArrayShape::Const(self.arg(0)?)),
            DeclKind::Store => Some(ArrayShape::Store(self.arg(0)?, self.arg(1)?, self.arg(2)?)),
            DeclKind::AsArray => {
                let c = self.ctx.raw();
                // SAFETY: the term is an as-array application.
                let decl = unsafe { z3_sys::Z3_get_as_array_func_decl(c, self.raw)? };
                Some(ArrayShape::Function(Func::own(&self.ctx, decl)))
            }
            _ => None,
        }
    }
}

/// The outermost part of an array value in a model.
pub(super) enum ArrayShape {
    Const(Ast),
    Store(Ast, Ast, Ast),
    Function(Func),
}

/// A declared function.
pub(super) struct Func {
    ctx: Context,
    pub(super) raw: Z3_func_decl,
}

impl Func {
    pub(super) fn own(ctx: &Context, raw: Z3_func_decl) -> Func {
        // SAFETY: `raw` was just returned by this context.
        unsafe {
            if let Some(ast) = z3_sys::Z3_func_decl_to_ast(ctx.raw(), raw) {
                z3_sys::Z3_inc_ref(ctx.raw(), ast);
            }
        }
        Func {
            ctx: ctx.clone(),
            raw,
        }
    }
}

impl Drop for Func {
    fn drop(&mut self) {
        // SAFETY: this object holds a reference.
        unsafe {
            if let Some(ast) = z3_sys::Z3_func_decl_to_ast(self.ctx.raw(), self.raw) {
                z3_sys::Z3_dec_ref(self.ctx.raw(), ast);
            }
        }
    }
}

/// The sorts that are used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Bool,
    Bv(u32),
    Array(u32, u32),
    /// IEEE 754, of 16, 32 or 64 bits.
    Float(u32),
}

/// How a result that is no float is rounded.
#[derive(Clone, Copy)]
pub(super) enum Rounding {
    NearestEven,
    TowardsZero,
}

type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
type Rounded = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
type Converted = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>;
type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;

/// Operators of one operand.
#[derive(Clone, Copy)]
pub(super) struct Op1(Unary);

/// Operators of two operands.
#[derive(Clone, Copy)]
pub(super) struct Op2(Binary);

/// Arithmetic on two floats.
#[derive(Clone, Copy)]
pub(super) struct FloatOp2(Rounded);

/// Conversions to floats that round.
#[derive(Clone, Copy)]
pub(super) struct FloatFrom(Converted);

macro_rules! operators {
    ($kind:ident: $($name:ident = $function:ident;)*) => {
        impl $kind { $(pub(super) const $name: $kind = $kind(z3_sys::$function);)* }
    };
}

operators! { Op1:
    NOT = Z3_mk_not;
    BV_NOT = Z3_mk_bvnot;
    BV_NEG = Z3_mk_bvneg;
    FLOAT_IS_NAN = Z3_mk_fpa_is_nan;
    FLOAT_BITS = Z3_mk_fpa_to_ieee_bv;
}

operators! { Op2:
    EQ = Z3_mk_eq;
    IFF = Z3_mk_iff;
    IMPLIES = Z3_mk_implies;
    BV_ADD = Z3_mk_bvadd;
    BV_SUB = Z3_mk_bvsub;
    BV_MUL = Z3_mk_bvmul;
    BV_UDIV = Z3_mk_bvudiv;
    BV_SDIV = Z3_mk_bvsdiv;
    BV_UREM = Z3_mk_bvurem;
    BV_SREM = Z3_mk_bvsrem;
    BV_SHL = Z3_mk_bvshl;
    BV_LSHR = Z3_mk_bvlshr;
    BV_ASHR = Z3_mk_bvashr;
    BV_AND = Z3_mk_bvand;
    BV_OR = Z3_mk_bvor;
    BV_XOR = Z3_mk_bvxor;
    BV_ULT = Z3_mk_bvult;
    BV_ULE = Z3_mk_bvule;
    BV_UGT = Z3_mk_bvugt;
    BV_UGE = Z3_mk_bvuge;
    BV_SLT = Z3_mk_bvslt;
    BV_SLE = Z3_mk_bvsle;
    BV_SGT = Z3_mk_bvsgt;
    BV_SGE = Z3_mk_bvsge;
    BV_PRODUCT_IS_NOT_BELOW = Z3_mk_bvmul_no_underflow;
    CONCAT = Z3_mk_concat;
    SELECT = Z3_mk_select;
    FLOAT_EQ = Z3_mk_fpa_eq;
    FLOAT_LT = Z3_mk_fpa_lt;
    FLOAT_LE = Z3_mk_fpa_leq;
}

operators! { FloatOp2:
    ADD = Z3_mk_fpa_add;
    SUB = Z3_mk_fpa_sub;
    MUL = Z3_mk_fpa_mul;
    DIV = Z3_mk_fpa_div;
}

operators! { FloatFrom:
    RESIZE = Z3_mk_fpa_to_fp_float;
    SIGNED = Z3_mk_fpa_to_fp_signed;
    UNSIGNED = Z3_mk_fpa_to_fp_unsigned;
}

/// Operators of any number of operands.
#[derive(Clone, Copy)]
pub(super) enum OpN {
    And,
    Or,
}

impl Context {
    pub(super) fn new() -> Context {
        // SAFETY: the configuration is only used here; the context counts references, so every
        // result is kept alive by `own` before the next call.
        unsafe {
            let config = z3_sys::Z3_mk_config().expect("Z3 makes a configuration");
            let raw = z3_sys::Z3_mk_context_rc(config).expect("Z3 makes a context");
            z3_sys::Z3_del_config(config);
            z3_sys::Z3_set_error_handler(raw, None);
            Context(Rc::new(ContextData(raw)))
        }
    }

    pub(super) fn raw(&self) -> Z3_context {
        self.0.0
    }

    pub(super) fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle::Context(self.raw())
    }

    /// Lets each check use at most so many resources from now on; 0 for no limit.
    pub(super) fn limit_resources(&self, most: u32) {
        let most = CString::new(most.to_string()).expect("digits only");
        // SAFETY: Z3 copies both texts.
        unsafe { z3_sys::Z3_update_param_value(self.raw(), c"rlimit".as_ptr(), most.as_ptr()) };
    }

    /// A text of so many characters, each of which takes four bytes: memory for the tests to hold.
    #[cfg(test)]
    pub(super) fn text(&self, length: u32) -> Ast {
        let characters = vec![b'a'; length as usize];
        // SAFETY: Z3 copies the characters.
        let raw = unsafe { z3_sys::Z3_mk_lstring(self.raw(), length, characters.as_ptr().cast()) };
        self.built(raw)
    }

    /// The error of the last call.
    pub(super) fn error(&self) -> Result<(), Z3Error> {
        // SAFETY: the context lives; the text is copied before the next call.
        unsafe {
            let code = z3_sys::Z3_get_error_code(self.raw());
            if code == ErrorCode::Ok {
                return Ok(());
            }
            let text = z3_sys::Z3_get_error_msg(self.raw(), code);
            Err(Z3Error(CStr::from_ptr(text).to_string_lossy().into_owned()))
        }
    }

    /// # Panics
    /// When Z3 refuses to build the term: a sort mismatch in the translation.
    fn built(&self, raw: Option<Z3_ast>) -> Ast {
        match raw {
            Some(raw) => Ast::own(self, raw),
            None => panic!("a well-sorted term is translated: {:?}", self.error()),
        }
    }

    pub(super) fn symbol(&self, name: &str) -> Z3_symbol {
        let name = CString::new(name.replace('\0', "?")).expect("no zero is left");
        // SAFETY: Z3 copies the text.
        unsafe {
            z3_sys::Z3_mk_string_symbol(self.raw(), name.as_ptr()).expect("Z3 makes a symbol")
        }
    }

    fn sort(&self, kind: Kind) -> Z3_sort {
        let c = self.raw();
        // SAFETY: widths are at least 1. Bit-vector and Boolean sorts stay alive in the
        // context until the next call at least, which uses them.
        let sort = unsafe {
            match kind {
                Kind::Bool => z3_sys::Z3_mk_bool_sort(c),
                Kind::Bv(width) => z3_sys::Z3_mk_bv_sort(c, width),
                Kind::Float(bits) => {
                    let exponent = exponent_bits(bits);
                    z3_sys::Z3_mk_fpa_sort(c, exponent, bits - exponent)
                }
                Kind::Array(index, value) => {
                    let domain = self.sort(Kind::Bv(index));
                    let domain_ast = z3_sys::Z3_sort_to_ast(c, domain).map(|a| Ast::own(self, a));
                    let range = self.sort(Kind::Bv(value));
                    let sort = z3_sys::Z3_mk_array_sort(c, domain, range);
                    drop(domain_ast);
                    sort
                }
            }
        };
        sort.expect("Z3 makes a sort")
    }

    /// The sort, kept alive by the term that it is.
    fn held_sort(&self, kind: Kind) -> (Z3_sort, Ast) {
        let sort = self.sort(kind);
        // SAFETY: the sort was just returned.
        let held = unsafe { z3_sys::Z3_sort_to_ast(self.raw(), sort) };
        (sort, self.built(held))
    }

    pub(super) fn constant(&self, name: &str, kind: Kind) -> Ast {
        let (sort, _held) = self.held_sort(kind);
        let symbol = self.symbol(name);
        // SAFETY: symbol and sort are of this context.
        let raw = unsafe { z3_sys::Z3_mk_const(self.raw(), symbol, sort) };
        self.built(raw)
    }

    pub(super) fn function(&self, name: &str, domain: Kind, range: Kind) -> Func {
        let (domain, _held_domain) = self.held_sort(domain);
        let (range, _held_range) = self.held_sort(range);
        let symbol = self.symbol(name);
        // SAFETY: all of this context; one domain sort is given.
        let raw =
            unsafe { z3_sys::Z3_mk_func_decl(self.raw(), symbol, 1, &raw const domain, range) };
        Func::own(self, raw.expect("Z3 declares a function"))
    }

    pub(super) fn apply(&self, function: &Func, argument: &Ast) -> Ast {
        // SAFETY: one argument for one domain sort; a sort mismatch gives `None`.
        let raw =
            unsafe { z3_sys::Z3_mk_app(self.raw(), function.raw, 1, &raw const argument.raw) };
        self.built(raw)
    }

    pub(super) fn truth(&self, value: bool) -> Ast {
        // SAFETY: no operands.
        let raw = unsafe {
            if value {
                z3_sys::Z3_mk_true(self.raw())
            } else {
                z3_sys::Z3_mk_false(self.raw())
            }
        };
        self.built(raw)
    }

    pub(super) fn word(&self, width: u32, value: u64) -> Ast {
        let (sort, _held) = self.held_sort(Kind::Bv(width));
        // SAFETY: a sort of this context.
        let raw = unsafe { z3_sys::Z3_mk_unsigned_int64(self.raw(), value, sort) };
        self.built(raw)
    }

    /// A numeral of any size from decimal digits.
    pub(super) fn numeral(&self, digits: &str, kind: Kind) -> Ast {
        let (sort, _held) = self.held_sort(kind);
        let digits = CString::new(digits).expect("digits only");
        // SAFETY: Z3 copies the text.
        let raw = unsafe { z3_sys::Z3_mk_numeral(self.raw(), digits.as_ptr(), sort) };
        self.built(raw)
    }

    pub(super) fn op1(&self, op: Op1, a: &Ast) -> Ast {
        // SAFETY: an operand of this context; a sort mismatch gives `None`.
        let raw = unsafe { (op.0)(self.raw(), a.raw) };
        self.built(raw)
    }

    pub(super) fn op2(&self, op: Op2, a: &Ast, b: &Ast) -> Ast {
        // SAFETY: operands of this context; a sort mismatch gives `None`.
        let raw = unsafe { (op.0)(self.raw(), a.raw, b.raw) };
        self.built(raw)
    }

    /// That a signed product does not overflow.
    pub(super) fn product_fits(&self, a: &Ast, b: &Ast) -> Ast {
        // SAFETY: operands of this context; a sort mismatch gives `None`.
        let not_above = unsafe { z3_sys::Z3_mk_bvmul_no_overflow(self.raw(), a.raw, b.raw, true) };
        let not_above = self.built(not_above);
        let not_below = self.op2(Op2::BV_PRODUCT_IS_NOT_BELOW, a, b);
        self.op_n(OpN::And, &[not_above, not_below])
    }

    pub(super) fn op_n(&self, op: OpN, operands: &[Ast]) -> Ast {
        let raws: Vec<Z3_ast> = operands.iter().map(|a| a.raw).collect();
        let n = u32::try_from(raws.len()).expect("fewer than 2^32 operands");
        let (c, p) = (self.raw(), raws.as_ptr());
        // SAFETY: `p` points to `n` operands of this context.
        let raw = unsafe {
            match op {
                OpN::And => z3_sys::Z3_mk_and(c, n, p),
                OpN::Or => z3_sys::Z3_mk_or(c, n, p),
            }
        };
        self.built(raw)
    }

    pub(super) fn ite(&self, c: &Ast, t: &Ast, e: &Ast) -> Ast {
        // SAFETY: operands of this context.
        let raw = unsafe { z3_sys::Z3_mk_ite(self.raw(), c.raw, t.raw, e.raw) };
        self.built(raw)
    }

    pub(super) fn store(&self, array: &Ast, index: &Ast, value: &Ast) -> Ast {
        // SAFETY: operands of this context.
        let raw = unsafe { z3_sys::Z3_mk_store(self.raw(), array.raw, index.raw, value.raw) };
        self.built(raw)
    }

    pub(super) fn const_array(&self, index_width: u32, value: &Ast) -> Ast {
        let (domain, _held) = self.held_sort(Kind::Bv(index_width));
        // SAFETY: operands of this context.
        let raw = unsafe { z3_sys::Z3_mk_const_array(self.raw(), domain, value.raw) };
        self.built(raw)
    }

    pub(super) fn extract(&self, high: u32, low: u32, a: &Ast) -> Ast {
        // SAFETY: high ≥ low; a mismatch gives `None`.
        let raw = unsafe { z3_sys::Z3_mk_extract(self.raw(), high, low, a.raw) };
        self.built(raw)
    }

    /// Widens by `bits` bits.
    pub(super) fn extend(&self, signed: bool, bits: u32, a: &Ast) -> Ast {
        // SAFETY: an operand of this context.
        let raw = unsafe {
            if signed {
                z3_sys::Z3_mk_sign_ext(self.raw(), bits, a.raw)
            } else {
                z3_sys::Z3_mk_zero_ext(self.raw(), bits, a.raw)
            }
        };
        self.built(raw)
    }

    fn rounding(&self, rounding: Rounding) -> Ast {
        let c = self.raw();
        // SAFETY: only the context is needed.
        let raw = unsafe {
            match rounding {
                Rounding::NearestEven => z3_sys::Z3_mk_fpa_rne(c),
                Rounding::TowardsZero => z3_sys::Z3_mk_fpa_rtz(c),
            }
        };
        self.built(raw)
    }

    /// Arithmetic on two floats, rounded to nearest.
    pub(super) fn float_op2(&self, op: FloatOp2, a: &Ast, b: &Ast) -> Ast {
        let mode = self.rounding(Rounding::NearestEven);
        // SAFETY: operands of this context; a sort mismatch gives `None`.
        let raw = unsafe { (op.0)(self.raw(), mode.raw, a.raw, b.raw) };
        self.built(raw)
    }

    pub(super) fn float_sqrt(&self, a: &Ast) -> Ast {
        let mode = self.rounding(Rounding::NearestEven);
        // SAFETY: an operand of this context.
        let raw = unsafe { z3_sys::Z3_mk_fpa_sqrt(self.raw(), mode.raw, a.raw) };
        self.built(raw)
    }

    /// The float of `bits` bits that a bit-vector of as many bits is.
    pub(super) fn float_of_bits(&self, bits: u32, word: &Ast) -> Ast {
        let (sort, _held) = self.held_sort(Kind::Float(bits));
        // SAFETY: an operand and a sort of this context.
        let raw = unsafe { z3_sys::Z3_mk_fpa_to_fp_bv(self.raw(), word.raw, sort) };
        self.built(raw)
    }

    /// A float of `bits` bits from a value, rounded to nearest.
    pub(super) fn float_from(&self, op: FloatFrom, bits: u32, a: &Ast) -> Ast {
        let (sort, _held) = self.held_sort(Kind::Float(bits));
        let mode = self.rounding(Rounding::NearestEven);
        // SAFETY: operands and a sort of this context; a sort mismatch gives `None`.
        let raw = unsafe { (op.0)(self.raw(), mode.raw, a.raw, sort) };
        self.built(raw)
    }

    /// A float as a bit-vector, rounded towards zero; any value if it does not fit.
    pub(super) fn float_to_integer(&self, signed: bool, a: &Ast, bits: u32) -> Ast {
        let mode = self.rounding(Rounding::TowardsZero);
        // SAFETY: operands of this context.
        let raw = unsafe {
            if signed {
                z3_sys::Z3_mk_fpa_to_sbv(self.raw(), mode.raw, a.raw, bits)
            } else {
                z3_sys::Z3_mk_fpa_to_ubv(self.raw(), mode.raw, a.raw, bits)
            }
        };
        self.built(raw)
    }

    /// ∀ variable. body; `variable` is a constant that `body` mentions.
    pub(super) fn forall(&self, variable: &Ast, body: &Ast) -> Ast {
        let c = self.raw();
        // SAFETY: `variable` is an application without operands; no patterns are given.
        let raw = unsafe {
            let app = z3_sys::Z3_to_app(c, variable.raw).expect("a constant is an application");
            z3_sys::Z3_mk_forall_const(c, 0, 1, &raw const app, 0, ptr::null(), body.raw)
        };
        self.built(raw)
    }
}

/// The version of the libz3 that is loaded: major, minor, build, revision.
#[must_use]
pub fn version() -> (u32, u32, u32, u32) {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: four places to write to.
    unsafe {
        z3_sys::Z3_get_version(
            &raw mut major,
            &raw mut minor,
            &raw mut build,
            &raw mut revision,
        );
    }
    (major, minor, build, revision)
}
