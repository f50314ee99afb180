//! Terms that are linear in a bound variable.

use term::{BinOp, CastOp, Linear, SymbolId, Term, TermId, TermPool};

/// base + step·τ̂ mod 2^w, where τ̂ is τ cut or zero-extended to w bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Progression {
    /// Without τ.
    pub(crate) base: TermId,
    pub(crate) step: Slope,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slope {
    /// Below 2^w; 0 when τ does not occur.
    Constant(u64),
    /// A term without τ, of w bits.
    Symbolic(TermId),
}

impl Progression {
    /// The value after `iterations` iterations; `iterations` has the width of the progression.
    pub(super) fn at(&self, pool: &mut TermPool, iterations: TermId) -> TermId {
        let width = pool.width(self.base);
        let step = match self.step {
            Slope::Constant(step) => pool.bv(width, step),
            Slope::Symbolic(step) => step,
        };
        let moved = pool.mul(iterations, step);
        pool.add(self.base, moved)
    }
}

/// True iff the symbol occurs in the term.
pub(super) fn mentions(pool: &mut TermPool, term: TermId, symbol: SymbolId) -> bool {
    pool.symbols_of(term).binary_search(&symbol).is_ok()
}

/// A term cut or zero-extended to a width.
pub(crate) fn resize(pool: &mut TermPool, term: TermId, width: u32) -> TermId {
    if pool.width(term) >= width {
        pool.extract(0, width, term)
    } else {
        pool.cast(CastOp::ZExt, width, term)
    }
}

/// The term as a progression in τ; `None` when it is not linear in it, or wider than 64 bits.
pub(crate) fn progression(pool: &mut TermPool, term: TermId, tau: SymbolId) -> Option<Progression> {
    let width = pool.width(term);
    if !mentions(pool, term, tau) {
        return Some(Progression {
            base: term,
            step: Slope::Constant(0),
        });
    }
    if width > 64 {
        return None;
    }
    let tau_term = pool.symbol_term(tau);
    let counter = resize(pool, tau_term, width);
    let linear = pool.linear(term);
    let mut base = Linear {
        terms: Vec::new(),
        ..linear
    };
    let mut constant_step = 0u64;
    let mut symbolic_step = Linear::constant(width, 0);
    for (coefficient, part) in linear.terms {
        if !mentions(pool, part, tau) {
            base.terms.push((coefficient, part));
        } else if part == counter {
            constant_step = constant_step.wrapping_add(coefficient);
        } else {
            let factor = cofactor(pool, part, counter, tau)?;
            let factor = pool.linear(factor);
            symbolic_step = symbolic_step.add_scaled(coefficient, &factor);
        }
    }
    let base = pool.from_linear(&base);
    let step = symbolic_step.add(&Linear::constant(width, constant_step));
    let step = match step.as_constant() {
        Some(step) => Slope::Constant(step),
        None => Slope::Symbolic(pool.from_linear(&step)),
    };
    Some(Progression { base, step })
}

/// d of a product τ̂·d, where d does not mention τ.
fn cofactor(
    pool: &mut TermPool,
    product: TermId,
    counter: TermId,
    tau: SymbolId,
) -> Option<TermId> {
    let mut others = Vec::new();
    let mut found = false;
    let mut stack = vec![product];
    while let Some(factor) = stack.pop() {
        if let Term::Binary(BinOp::Mul, a, b) = pool.view(factor) {
            stack.extend([a, b]);
        } else if factor == counter && !found {
            found = true;
        } else if mentions(pool, factor, tau) {
            return None;
        } else {
            others.push(factor);
        }
    }
    let first = others.pop()?;
    found.then(|| others.into_iter().fold(first, |a, b| pool.mul(a, b)))
}
