//! Uninitialised values: reads of local variables and heap blocks before any write.
//!
//! Such a value is arbitrary, an input like any other. If uses are checked, the symbols of such values are
//! recorded, and a value is *used* in the executions in which it depends on one of them: two values of the
//! symbol give two values.
//!
//! ```text
//! value v(u) with u unwritten --> used where v(a) ≠ v(b), for fresh a and b
//! ```
//!
//! Uses are conditions of branchings, addresses of loads and stores, arguments and results (`Builtin::Use`),
//! and the result of `main`, which MemorySanitizer can confirm. A copy is not a use.
//!
//! # Invariants
//! - Executions that use such a value end in a fault, in addition to the continuing state: no execution is lost.

use super::machine::Machine;
use super::state::State;
use super::step::{Admission, EdgeRun, MemoryFault, Oracle, Outcome, PathEnd, Successors};
use flowgraph::Span;
use indexmap::{IndexMap, IndexSet};
use memory::Arbitrary;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;
use std::rc::Rc;
use term::{SymbolId, TermId, TermPool};

/// The symbols that stand for what was not written.
#[derive(Clone, Default)]
pub(super) struct Unwritten(Rc<RefCell<IndexSet<SymbolId, FxBuildHasher>>>);

impl Unwritten {
    /// Whether a term depends on what was not written, as it stands.
    pub fn is_in(&self, pool: &mut TermPool, term: TermId) -> bool {
        !pool.is_const(term) && {
            let known = self.0.borrow();
            !known.is_empty()
                && pool
                    .symbols_of(term)
                    .iter()
                    .any(|symbol| known.contains(symbol))
        }
    }

    /// Whether a symbol stands for what was not written.
    pub fn contains(&self, symbol: SymbolId) -> bool {
        self.0.borrow().contains(&symbol)
    }

    /// In which executions a value depends on what was not written: `None` for none, else a condition
    /// over fresh symbols.
    fn dependence(&self, pool: &mut TermPool, value: TermId) -> Option<TermId> {
        if !self.is_in(pool, value) {
            return None;
        }
        let symbols: Vec<SymbolId> = {
            let known = self.0.borrow();
            let symbols = pool.symbols_of(value);
            let unwritten = symbols.iter().filter(|symbol| known.contains(*symbol));
            unwritten.copied().collect()
        };
        let mut other = || {
            let mut theta: IndexMap<SymbolId, TermId, FxBuildHasher> = IndexMap::default();
            for symbol in &symbols {
                let sort = pool.symbol_sort(*symbol);
                theta.insert(*symbol, pool.fresh("other", sort));
            }
            pool.substitute(value, &mut theta)
        };
        let (one, two) = (other(), other());
        let differ = pool.ne(one, two);
        (!pool.is_false(differ)).then_some(differ)
    }
}

impl Machine<'_> {
    /// Marks a value as uninitialised.
    pub(super) fn note_unwritten(&self, pool: &TermPool, value: TermId) {
        if let (Some(unwritten), Some(symbol)) = (&self.unwritten, pool.as_symbol(value)) {
            unwritten.0.borrow_mut().insert(symbol);
        }
    }

    /// The same of the content of an object of so many bytes.
    pub(super) fn note_unwritten_content(
        &self,
        pool: &mut TermPool,
        content: &Arbitrary,
        bytes: Option<u64>,
    ) {
        let Some(unwritten) = &self.unwritten else {
            return;
        };
        // Programs read what they have not written as they would have written it.
        let cell_bytes = match bytes {
            Some(2) => 2,
            Some(bytes) if bytes % 8 == 4 => 4,
            Some(bytes) if bytes > 0 && bytes % 8 == 0 => 8,
            Some(_) | None => 1,
        };
        let symbol = content.begin(pool, self.program.pointer_bits, cell_bytes);
        unwritten.0.borrow_mut().insert(symbol);
    }

    /// The executions of a state end that use a value which depends on what was not written.
    pub(super) fn end_use(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        value: TermId,
        span: Span,
        successors: &mut Successors,
    ) {
        let Some(unwritten) = &self.unwritten else {
            return;
        };
        let Some(differ) = unwritten.dependence(pool, value) else {
            return;
        };
        let admitted = oracle.admits(pool, &state.path_cond, differ);
        if admitted == Admission::Infeasible {
            return;
        }
        let mut used = state.clone();
        used.path_cond.assume(pool, differ);
        let end = PathEnd::Fault(MemoryFault::UninitialisedUse, span);
        successors.push(match admitted {
            Admission::Unknown => Outcome::Undecided {
                state: used,
                then: Some(end),
                span,
            },
            Admission::Feasible | Admission::Infeasible => Outcome::Ended(used, end),
        });
    }

    /// The same for a value that an action uses.
    pub(super) fn end_use_by(&self, run: &mut EdgeRun, state: &State, value: TermId) {
        let span = run.span;
        self.end_use(run.pool, run.oracle, state, value, span, run.successors);
    }
}
