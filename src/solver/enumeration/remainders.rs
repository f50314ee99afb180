//! Unknowns that occur only in remainders.
//!
//! `x % 20` has twenty values, however wide x is. If a symbol occurs only in remainders by constants, in low
//! bits and in comparisons with constants, the query cannot distinguish numbers with the same remainder by
//! the least common multiple of all divisors (and the same sign, where remainders are signed). One
//! representative of each class is enough.
//!
//! # Invariants
//! - A satisfiable query has a model in which the symbol's value is in the domain.

use super::domain::Domain;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use term::{BinOp, CmpOp, Interval, SymbolId, Term, TermId, TermPool};

/// Conjuncts remembered with their uses before all are forgotten.
const MAX_REMEMBERED: usize = 1 << 16;

/// How a conjunct uses a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// Comparison with a constant, which is the whole conjunct.
    Bound,
    /// Only the remainder by this number is used.
    Remainder { divisor: u64, is_signed: bool },
    /// Only this many low bits are used.
    LowBits(u32),
    /// Any other.
    Whole,
}

type Uses = Rc<[(SymbolId, Use)]>;

/// The uses of symbols by conjuncts that were requested.
#[derive(Default)]
pub(super) struct UsesOf {
    known: FxHashMap<TermId, Uses>,
}

impl UsesOf {
    /// The values that a symbol may be restricted to, if they are at most 2^`bits`.
    pub fn domain(
        &mut self,
        pool: &TermPool,
        symbol: SymbolId,
        part: TermId,
        bits: u32,
        conjuncts: &[TermId],
    ) -> Option<Domain> {
        if pool.width(part) > u64::BITS {
            return None;
        }
        let mut period: u64 = 1;
        let (mut is_signed, mut is_unsigned) = (false, false);
        for conjunct in conjuncts {
            let uses = self.of(pool, *conjunct);
            for (_, how) in uses.iter().filter(|(of, _)| *of == symbol) {
                let divisor = match how {
                    Use::Bound => continue,
                    Use::Whole => return None,
                    Use::LowBits(n_bits) => 1u64.checked_shl(*n_bits)?,
                    Use::Remainder {
                        divisor,
                        is_signed: signed,
                    } => {
                        is_signed |= signed;
                        is_unsigned |= !signed;
                        *divisor
                    }
                };
                period = least_common_multiple(period, divisor).filter(|all| *all <= 1 << bits)?;
            }
        }
        let Interval { low, high } = Domain::interval(pool, part, is_signed, conjuncts)?;
        let (period, half) = (i128::from(period), 1 << (pool.width(part) - 1));
        let (first, last) = if low >= 0 && (high < half || !is_signed) {
            (low, high.min(low + period - 1))
        } else if is_signed && !is_unsigned && low <= 1 - period && high >= period - 1 {
            (1 - period, period - 1)
        } else {
            return None;
        };
        Domain::between(pool, part, first, last).filter(|domain| domain.n_values() <= 1 << bits)
    }

    fn of(&mut self, pool: &TermPool, conjunct: TermId) -> Uses {
        if self.known.len() > MAX_REMEMBERED {
            self.known.clear();
        }
        let known = self.known.entry(conjunct);
        known.or_insert_with(|| find(pool, conjunct)).clone()
    }
}

fn find(pool: &TermPool, conjunct: TermId) -> Uses {
    if let Term::Compare(op, left, right) = pool.view(conjunct)
        && op != CmpOp::Eq
        && let Some(symbol) = match (pool.as_symbol(left), pool.as_symbol(right)) {
            (Some(symbol), None) if pool.is_const(right) => Some(symbol),
            (None, Some(symbol)) if pool.is_const(left) => Some(symbol),
            _ => None,
        }
    {
        return Rc::new([(symbol, Use::Bound)]);
    }
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![conjunct];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match use_by(pool, term) {
            Some(used) => found.push(used),
            None => pool.for_each_operand(term, |operand| stack.push(operand)),
        }
    }
    found.into()
}

/// How a term uses the symbol that is its operand, or that it is.
fn use_by(pool: &TermPool, term: TermId) -> Option<(SymbolId, Use)> {
    match pool.view(term) {
        Term::Symbol(symbol) => Some((symbol, Use::Whole)),
        Term::Binary(op @ (BinOp::URem | BinOp::SRem), of, divisor) => {
            let symbol = pool.as_symbol(of)?;
            let divisor = pool.as_const(divisor)?;
            let is_signed = op == BinOp::SRem;
            let divisor = if is_signed {
                divisor.to_i64()?.unsigned_abs()
            } else {
                divisor.to_u64()?
            };
            (divisor > 0).then_some((symbol, Use::Remainder { divisor, is_signed }))
        }
        Term::Extract { low, of } => {
            let symbol = pool.as_symbol(of)?;
            Some((symbol, Use::LowBits(low + pool.width(term))))
        }
        Term::Binary(BinOp::And, left, right) => {
            let (of, mask) = match pool.as_symbol(left) {
                Some(symbol) => (symbol, right),
                None => (pool.as_symbol(right)?, left),
            };
            let mask = pool.as_const(mask)?.to_u64()?;
            Some((of, Use::LowBits(u64::BITS - mask.leading_zeros())))
        }
        _ => None,
    }
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    /// Random queries about remainders and low bits of a byte, with bounds: one has a model if and only if it has
    /// one in the domain.
    #[test]
    fn no_question_loses_all_its_models() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut n_narrow = 0;
        for _ in 0..4_000 {
            let mut pool = TermPool::new();
            let symbol = pool.symbol("x", Sort::Bv(8));
            let x = pool.symbol_term(symbol);
            let conjuncts: Vec<TermId> = (0..3)
                .map(|_| {
                    let [constant, limit] = [1..10, 0..256].map(|range| pool.bv(8, rng.u64(range)));
                    let used = match rng.u32(0..5) {
                        0 => pool.binary(BinOp::URem, x, constant),
                        1 | 2 => pool.binary(BinOp::SRem, x, constant),
                        3 => pool.and(x, constant),
                        _ => x,
                    };
                    let op = [CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle][rng.usize(0..4)];
                    match rng.bool() || used == x {
                        true if rng.bool() => pool.compare(op, used, limit),
                        true => pool.compare(op, limit, used),
                        false => {
                            let limit = pool.binary(BinOp::URem, limit, constant);
                            pool.eq(used, limit)
                        }
                    }
                })
                .collect();
            let Some(domain) = UsesOf::default().domain(&pool, symbol, x, 6, &conjuncts) else {
                continue;
            };
            n_narrow += 1;
            let Some(program) = pool.compile(&conjuncts, &[x], 100) else {
                continue;
            };
            let mut room = Vec::new();
            let mut holds = |value| program.holds(&[value], &mut room);
            let is_possible = (0..256).any(&mut holds);
            assert_eq!(domain.values().any(&mut holds), is_possible, "{domain:?}");
        }
        assert!(n_narrow > 1_000, "{n_narrow} of 4,000 are narrow");
    }
}
