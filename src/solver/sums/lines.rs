//! Summands that are linear in a wider type, such as `s += 2 * i` for a `long` s and an `int` i.
//!
//! The extension of a term t(τ) = b + c·τ is the sum of the extensions of b and c·τ if t does not wrap
//! around, which the rest of the query implies, for example by a bound of the number of iterations. Only then
//! does its sum have a closed form.

use crate::quantifiers::{Slope, progression, resize};
use term::{CastOp, Sort, SymbolId, Term, TermId, TermPool};

/// An extension, and what it is where the extended term does not wrap around.
pub(super) struct Line {
    pub extension: TermId,
    pub line: TermId,
}

/// The extensions in a summand at τ of what is linear in it, with a constant step.
pub(super) fn lines(pool: &mut TermPool, summand: TermId, tau: TermId) -> Vec<Line> {
    let variable = pool
        .as_symbol(tau)
        .expect("iterations are counted by a symbol");
    let mut lines = Vec::new();
    for extension in pool.extensions_of(summand) {
        if !pool.is_closed(extension) || !is_about_numbers(pool, extension, variable) {
            continue;
        }
        let Term::Cast(op, value) = pool.view(extension) else {
            unreachable!("extensions are casts")
        };
        let Some(found) = progression(pool, value, variable) else {
            continue;
        };
        let Slope::Constant(step) = found.step else {
            continue;
        };
        let width = pool.width(extension);
        let step = pool.bv(pool.width(value), step);
        let step = pool.cast(CastOp::SExt, width, step);
        let base = pool.cast(op, width, found.base);
        let iterations = resize(pool, tau, width);
        let moved = pool.mul(step, iterations);
        let line = pool.add(base, moved);
        if line != extension {
            lines.push(Line { extension, line });
        }
    }
    lines
}

/// Whether a term depends on an iteration, and on numbers alone.
pub(super) fn is_about_numbers(pool: &mut TermPool, term: TermId, iteration: SymbolId) -> bool {
    let symbols = pool.symbols_of(term);
    let is_number = |one| matches!(pool.symbol_sort(one), Sort::Bv(_));
    symbols.contains(&iteration) && symbols.iter().all(|one| is_number(*one))
}
