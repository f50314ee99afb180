//! Reader of SMT-LIB 2.
//!
//! It reads bit-vectors, uninterpreted functions (of one or more bit-vector arguments, which become arrays
//! over the arguments joined), arrays, `let`, `define-fun`, and quantifiers over bit-vectors. A quantifier
//! whose body is guarded, ∀τ. τ <u k ⇒ φ or ∃τ. τ <u k ∧ φ, keeps k as its limit; without a guard the limit
//! is 2^w, with a variable one bit wider. Bool and bit-vectors of one bit are the same. Terms are written by
//! [`TermPool::to_smt2`].
//!
//! # Deliberately absent
//! `push`, `pop`, integers, reals, datatypes, quantified arrays: [`SmtError::Unsupported`].

pub mod integers;
mod operators;
mod read;
pub(super) mod sexpr;

use term::{SymbolId, TermId, TermPool};

/// A script that was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// Terms of width 1.
    pub assertions: Vec<TermId>,
    /// The value of `set-info :status`.
    pub status: Option<Status>,
    /// Declared names, in order.
    pub symbols: Vec<(String, SymbolId)>,
}

/// The answer that a script expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// `unknown`.
    Unknown,
}

/// Why a script cannot be read. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SmtError {
    /// Not an S-expression, or not of the right shape.
    #[error("line {line}: {what}")]
    Syntax {
        /// Where.
        line: u32,
        /// The problem.
        what: &'static str,
    },
    /// A part of SMT-LIB 2 that is not read.
    #[error("line {line}: {what} is not supported")]
    Unsupported {
        /// Where.
        line: u32,
        /// Its name.
        what: String,
    },
    /// A name that is not declared.
    #[error("line {line}: {name} is not declared")]
    Undeclared {
        /// Where.
        line: u32,
        /// The name.
        name: String,
    },
    /// Operands of the wrong sort or number.
    #[error("line {line}: operands of {operator} do not fit")]
    Operands {
        /// Where.
        line: u32,
        /// The operator.
        operator: String,
    },
    /// Terms nested deeper than is read.
    #[error("line {line}: nested too deeply")]
    TooDeep {
        /// Where.
        line: u32,
    },
}

/// Reads a script; its symbols are made in the pool.
///
/// ```
/// let mut pool = term::TermPool::new();
/// let text = "(declare-const x (_ BitVec 8)) (assert (= x x)) (check-sat)";
/// let script = compact_se_solver::smtlib::read(&mut pool, text)?;
/// assert!(pool.is_true(script.assertions[0]));
/// # Ok::<(), compact_se_solver::smtlib::SmtError>(())
/// ```
///
/// # Errors
/// See [`SmtError`].
pub fn read(pool: &mut TermPool, text: &str) -> Result<Script, SmtError> {
    read::Reader::new(pool).script(&sexpr::parse(text)?)
}

#[cfg(test)]
mod tests;
