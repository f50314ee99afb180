//! The interface of a solver at the end of the chain.
//!
//! A [`Backend`] decides conjuncts in a given [`Manner`]. The link above it, [`Turns`](super::turns::Turns),
//! chooses the manner and the amount of work, and confirms models. A further solver is a file that implements
//! the trait, and a case in [`SolverOptions::build`](super::SolverOptions::build). Queries in SMT-LIB and the description
//! of the solver for people are part of the interface.
//!
//! # Invariants
//! - Only the folder of a solver, this file and `config` name it.

use std::collections::BTreeSet;

use super::{Limits, LinkStatistics, UnknownReason, z3};
use term::{Assignment, SymbolId, TermId, TermPool, Work};

/// How conjuncts are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// By what is kept from queries that began alike. Without quantifiers.
    Neighbouring,
    /// As if nothing had been asked before. Without quantifiers.
    Anew,
    /// With all preparation that the backend has for such conjuncts, which takes time but is
    /// often better where they are hard. Without quantifiers.
    Prepared,
    /// With quantifiers.
    Quantified,
}

/// A query to a backend.
#[derive(Clone, Copy)]
pub(super) struct BackendQuery<'a> {
    /// To be satisfied.
    pub conjuncts: &'a [TermId],
    /// The terms for whose symbols a model has values.
    pub about: &'a [TermId],
    pub manner: Manner,
    pub limits: &'a Limits,
}

/// The answer of a backend.
pub(super) enum Found {
    /// With an unconfirmed model, if it could be read.
    Sat(Option<Assignment>),
    Unsat,
    Unknown(UnknownReason),
}

/// A solver of conjuncts over bit-vectors, arrays and floats.
pub(super) trait Backend {
    /// For statistics.
    fn name(&self) -> &'static str;

    /// A query begins, about which it may be asked several times: what takes too much memory is forgotten.
    fn begin(&mut self, statistics: &mut LinkStatistics);

    /// Decides ⋀ conjuncts within the limits, and counts its work on the pool's clock.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        question: &BackendQuery,
        statistics: &mut LinkStatistics,
    ) -> Found;
}

/// The work of translating an operation to gates, for each bit that it computes: a solver does so at once, where
/// no limit stops it. Measured with Z3 on necessary conditions of loops with three paths, instances of whose
/// quantifiers compute some hundred bits: 4 to 10 µs.
pub(super) const BIT: Work = Work::micros(4);

/// About the work that translating a term to gates takes before a search for a model begins.
#[must_use]
pub fn work_of_translation(pool: &TermPool, term: TermId) -> Work {
    BIT * pool.n_bits(term)
}

/// The answer to a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Unsat,
    /// With what is printed for the values.
    Sat(String),
    /// A limit was reached.
    Limit,
    /// It gave up.
    Unknown,
}

/// Asks about a script in SMT-LIB 2 without a command to check it, and for `values` if it is satisfiable;
/// in a separate context, on any thread.
///
/// # Errors
/// The solver's error message, for example for a malformed script.
pub(super) fn ask_script(
    pool: &TermPool,
    (question, values): (&str, &str),
    has_products: bool,
    limits: &Limits,
) -> Result<Said, UnknownReason> {
    z3::ask_script(pool, (question, values), has_products, limits)
}

/// Asks about a script in the logic `HORN` without a command to check it. Satisfiable means that
/// there is an interpretation of the predicates, which is printed as `define-fun`s.
///
/// # Errors
/// The solver's message.
pub(super) fn ask_horn(
    pool: &TermPool,
    clauses: &str,
    limits: &Limits,
) -> Result<Said, UnknownReason> {
    z3::ask_horn(pool, clauses, limits)
}

/// The name and the version of the solver, for people.
#[must_use]
pub fn name_and_version() -> String {
    z3::name_and_version()
}

/// All symbols of the conjuncts.
pub(super) fn symbols(pool: &mut TermPool, conjuncts: &[TermId]) -> BTreeSet<SymbolId> {
    let mut all = BTreeSet::new();
    for conjunct in conjuncts {
        all.extend(pool.symbols_of(*conjunct).iter().copied());
    }
    all
}
