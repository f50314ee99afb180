//! Terms: hash-consed bit-vector expressions over symbols, exact under wrap-around.
//!
//! A truth value is a bit-vector of width 1. Arrays map bit-vectors to bit-vectors. Every term is built by a
//! simplifying constructor of [`TermPool`], so that the same value in the same shape is the same [`TermId`].
//!
//! ```text
//! constructor --constants folded--> named rules (simplify) --> hash-consed node --> TermId
//! TermId --view--> Term: printers, solvers, rules of templates
//! TermId --substitute θ--> θ⟨φ⟩        TermId --evaluate--> Bv
//! ```
//!
//! # Invariants
//! - Same structure if and only if same [`TermId`] (hash-consing).
//! - A sum of width 2..=64 is in linear normal form, Σ cᵢ·tᵢ + c mod 2^w: coefficients not
//!   zero, the tᵢ sorted and distinct and themselves neither sums nor constants.
//! - Bound variables are de Bruijn indices; a term that a caller holds is closed.
//! - Constructors preserve meaning for every assignment; the applied rules depend on the operands only, so
//!   rebuilding a term from its own operands gives the same term.
//! - The canonical form of each operator is in the head of [`simplify`].
//!
//! # Deliberately absent
//! No programs, no memory, no solver.
//!
//! ```
//! use compact_se_term::{Assignment, Bv, Sort, TermPool};
//!
//! let mut pool = TermPool::new();
//! let n = pool.symbol("n", Sort::Bv(8));
//! let (term, one) = (pool.symbol_term(n), pool.bv(8, 1));
//! let sum = pool.add(term, one);
//! let difference = pool.sub(sum, one);
//! assert_eq!(difference, term); // the same value in the same shape
//!
//! let mut values = Assignment::new();
//! values.set(n, Bv::new(8, 255));
//! assert_eq!(pool.evaluate(sum, &values)?, Bv::zero(8)); // it wraps around
//! # Ok::<(), compact_se_term::EvalError>(())
//! ```

mod bv;
mod evaluate;
mod fingerprint;
pub mod float;
mod inspect;
mod interval;
mod linear;
mod pool;
mod print;
mod program;
mod range;
mod runs;
pub mod simplify;
mod smt2;
mod smt2_float;
mod structure;
mod substitute;
mod summation;
mod table;
mod work;

#[cfg(test)]
mod tests;

pub use bv::{Bv, word};
pub use evaluate::{ArrayValue, Assignment, CellsRead, EvalError, SymbolValue};
pub use fingerprint::{Fingerprint, Fingerprints, short};
pub use float::{FloatCast, FloatOp};
pub use interval::{Integer, Interval, Readings};
pub use linear::{Linear, LinearSum};
pub use pool::{Term, TermPool};
pub use print::{DisplayTerm, SymbolNames, without_number};
pub use program::Program;
pub use substitute::Substitution;
pub use summation::Summations;
pub use table::LookUpTable;
pub use work::{Clock, Work};

use std::fmt;

use serde::{Deserialize, Serialize};

/// A hash-consed term. Small constants are stored in the handle itself.
///
/// Only meaningful together with the [`TermPool`] that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u64);

/// An unknown: an input, a variable's value at a template's entry, a path counter, an object's
/// address or its content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SymbolId(u32);

/// The value of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Sort {
    /// Bit-vector of this many bits, at least 1.
    Bv(u32),
    /// Total function from bit-vectors of `index` bits to bit-vectors of `value` bits.
    Array {
        /// Bits of an index.
        index: u32,
        /// Bits of a value.
        value: u32,
    },
}

/// Operations on two bit-vectors of the same width; the result has that width too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Unsigned division; x / 0 = 2^w − 1 as in SMT-LIB.
    UDiv,
    /// Signed division, towards zero; by 0 as in SMT-LIB.
    SDiv,
    /// Unsigned remainder; x % 0 = x.
    URem,
    /// Signed remainder, sign of the dividend; x % 0 = x.
    SRem,
    /// Shifts by w or more give 0 (`AShr`: copies of the sign).
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

impl BinOp {
    /// All operations, in the order of their declaration.
    pub const ALL: [BinOp; 13] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
    ];

    /// Whether it is a product, a quotient or a remainder.
    #[must_use]
    pub fn is_multiplicative(self) -> bool {
        matches!(
            self,
            BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem
        )
    }
}

/// Comparisons of two bit-vectors of the same width; the result has width 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl CmpOp {
    /// All comparisons, in the order of their declaration.
    pub const ALL: [CmpOp; 10] = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::Ult,
        CmpOp::Ule,
        CmpOp::Ugt,
        CmpOp::Uge,
        CmpOp::Slt,
        CmpOp::Sle,
        CmpOp::Sgt,
        CmpOp::Sge,
    ];

    /// The comparison that says the same with its sides exchanged.
    #[must_use]
    pub fn exchanged(self) -> CmpOp {
        match self {
            CmpOp::Eq | CmpOp::Ne => self,
            CmpOp::Ult => CmpOp::Ugt,
            CmpOp::Ule => CmpOp::Uge,
            CmpOp::Ugt => CmpOp::Ult,
            CmpOp::Uge => CmpOp::Ule,
            CmpOp::Slt => CmpOp::Sgt,
            CmpOp::Sle => CmpOp::Sge,
            CmpOp::Sgt => CmpOp::Slt,
            CmpOp::Sge => CmpOp::Sle,
        }
    }

    /// The same order of signed numbers.
    #[must_use]
    pub fn signed(self) -> CmpOp {
        match self {
            CmpOp::Ult => CmpOp::Slt,
            CmpOp::Ule => CmpOp::Sle,
            CmpOp::Ugt => CmpOp::Sgt,
            CmpOp::Uge => CmpOp::Sge,
            CmpOp::Eq | CmpOp::Ne | CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => self,
        }
    }

    /// The comparison that holds exactly when this one does not.
    #[must_use]
    pub fn negated(self) -> CmpOp {
        match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Ult => CmpOp::Uge,
            CmpOp::Ule => CmpOp::Ugt,
            CmpOp::Ugt => CmpOp::Ule,
            CmpOp::Uge => CmpOp::Ult,
            CmpOp::Slt => CmpOp::Sge,
            CmpOp::Sle => CmpOp::Sgt,
            CmpOp::Sgt => CmpOp::Sle,
            CmpOp::Sge => CmpOp::Slt,
        }
    }
}

/// Changes of width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum CastOp {
    /// To a smaller or the same width: the low bits.
    Trunc,
    /// To a larger or the same width, zeros above.
    ZExt,
    /// To a larger or the same width, copies of the sign above.
    SExt,
}

impl SymbolId {
    /// Position in the pool's symbol table, from 0 in order of creation.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.inline_parts() {
            Some((width, value)) => write!(f, "{value}:{width}"),
            None => write!(f, "t{}", self.0),
        }
    }
}

impl fmt::Debug for SymbolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bv(width) => write!(f, "{width}"),
            Sort::Array { index, value } => write!(f, "[{index}]{value}"),
        }
    }
}
