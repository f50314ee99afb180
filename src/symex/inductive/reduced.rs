//! Candidates as people read them: none that follows from the others.

use super::{Candidate, Claim, Relation, known};
use flowgraph::RegId;
use semantics::State;
use term::{Bv, CmpOp, TermPool};

/// The candidates without those that others imply: bounds by constants, without sign rather than with, and orders
/// of two registers. The loop was entered with `entry`.
pub(crate) fn reduced(
    pool: &TermPool,
    entry: &State,
    candidates: &[Candidate],
    bits: &dyn Fn(RegId) -> u32,
) -> Vec<Candidate> {
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let candidate = as_constant(pool, entry, candidate, bits);
        if !kept.contains(&candidate) {
            kept.push(candidate);
        }
    }
    without_implied(kept, bits)
}

/// What is compared without sign goes first.
fn without_implied(mut kept: Vec<Candidate>, bits: &dyn Fn(RegId) -> u32) -> Vec<Candidate> {
    for is_signed in [false, true] {
        let mut position = 0;
        while position < kept.len() {
            let one = kept[position].clone();
            let mut others = kept.clone();
            others.remove(position);
            if is_signed_comparison(&one) == Some(is_signed) && is_implied(&one, &others, bits) {
                kept = others;
            } else {
                position += 1;
            }
        }
    }
    kept
}

/// A comparison with a known value at the entry, or a claim about one register, as one with a constant.
fn as_constant(
    pool: &TermPool,
    entry: &State,
    candidate: &Candidate,
    bits: &dyn Fn(RegId) -> u32,
) -> Candidate {
    let constant = match candidate {
        Candidate::Entry(reg, op) => {
            known(pool, entry, *reg).map(|value| Candidate::Constant(*reg, *op, value))
        }
        Candidate::Claim(claim) => of_claim(claim, bits),
        _ => None,
    };
    constant.unwrap_or_else(|| candidate.clone())
}

fn of_claim(claim: &Claim, bits: &dyn Fn(RegId) -> u32) -> Option<Candidate> {
    let [part] = claim.form.as_slice() else {
        return None;
    };
    let (op, value) = match (claim.relation, part.is_unsigned) {
        (Relation::AtLeast(value), true) => (CmpOp::Uge, value),
        (Relation::AtLeast(value), false) => (CmpOp::Sge, value),
        (Relation::AtMost(value), true) => (CmpOp::Ule, value),
        (Relation::AtMost(value), false) => (CmpOp::Sle, value),
        (Relation::Equal(_) | Relation::Residue { .. }, _) => return None,
    };
    let all = Range::all(bits(part.reg), !part.is_unsigned);
    let fits = (all.least..=all.most).contains(&value.into());
    let word = Bv::from_i64(bits(part.reg), value).to_u64()?;
    (part.factor == 1 && fits).then_some(Candidate::Constant(part.reg, op, word))
}

fn is_signed_comparison(candidate: &Candidate) -> Option<bool> {
    match candidate {
        Candidate::Constant(_, op, _) | Candidate::Bound(_, op, _) | Candidate::Order(_, op, _) => {
            Some(is_signed(*op))
        }
        _ => None,
    }
}

fn is_signed(op: CmpOp) -> bool {
    matches!(op, CmpOp::Sle | CmpOp::Sge | CmpOp::Slt | CmpOp::Sgt)
}

fn is_implied(one: &Candidate, others: &[Candidate], bits: &dyn Fn(RegId) -> u32) -> bool {
    match one {
        Candidate::Constant(reg, op, value) => {
            let is_signed = is_signed(*op);
            let value = number(bits(*reg), *value, is_signed);
            let range = range(*reg, is_signed, others, bits(*reg));
            match op {
                CmpOp::Ule | CmpOp::Sle => range.most <= value,
                CmpOp::Uge | CmpOp::Sge => range.least >= value,
                _ => false,
            }
        }
        Candidate::Bound(reg, op, other) | Candidate::Order(reg, op, other) => {
            let is_there = |op: CmpOp| {
                others.contains(&Candidate::Bound(*reg, op, *other))
                    || others.contains(&Candidate::Order(*reg, op, *other))
            };
            // The smaller side is not negative, and so is neither.
            let not_negative = || range(*reg, true, others, bits(*reg)).least >= 0;
            match op {
                CmpOp::Ult => is_there(CmpOp::Slt) && not_negative(),
                CmpOp::Ule => {
                    is_there(CmpOp::Ult)
                        || (is_there(CmpOp::Sle) || is_there(CmpOp::Slt)) && not_negative()
                }
                CmpOp::Sle => is_there(CmpOp::Slt),
                _ => false,
            }
        }
        _ => false,
    }
}

/// From the least to the most.
#[derive(Clone, Copy)]
struct Range {
    least: i128,
    most: i128,
}

impl Range {
    /// All numbers of so many bits.
    fn all(bits: u32, is_signed: bool) -> Range {
        let bits = bits.clamp(1, 64);
        if is_signed {
            Range {
                least: -(1 << (bits - 1)),
                most: (1 << (bits - 1)) - 1,
            }
        } else {
            Range {
                least: 0,
                most: (1 << bits) - 1,
            }
        }
    }

    fn both(self, other: Range) -> Range {
        Range {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
    }
}

fn number(bits: u32, value: u64, is_signed: bool) -> i128 {
    let bits = bits.clamp(1, 64);
    if is_signed {
        Bv::new(bits, value & (u64::MAX >> (64 - bits)))
            .to_i64()
            .map_or(0, i128::from)
    } else {
        value.into()
    }
}

/// Where a register is by its comparisons with constants, read with sign or without: what is not negative with sign is
/// the same without.
fn range(reg: RegId, is_signed: bool, candidates: &[Candidate], bits: u32) -> Range {
    let of = |with_sign: bool| {
        let mut range = Range::all(bits, with_sign);
        for candidate in candidates {
            let Candidate::Constant(of, op, value) = candidate else {
                continue;
            };
            let value = number(bits, *value, with_sign);
            if *of != reg || self::is_signed(*op) != with_sign {
                continue;
            }
            match op {
                CmpOp::Ule | CmpOp::Sle => range.most = range.most.min(value),
                CmpOp::Uge | CmpOp::Sge => range.least = range.least.max(value),
                _ => {}
            }
        }
        range
    };
    let (own, other) = (of(is_signed), of(!is_signed));
    let most = Range::all(bits, true).most;
    if other.least >= 0 && other.most <= most {
        own.both(other)
    } else {
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: RegId = RegId(0);
    const Y: RegId = RegId(1);

    fn constant(op: CmpOp, value: i32) -> Candidate {
        Candidate::Constant(X, op, u64::from(value.cast_unsigned()))
    }

    fn reduced(candidates: &[Candidate]) -> Vec<Candidate> {
        without_implied(candidates.to_vec(), &|_| 32)
    }

    #[test]
    fn bounds_without_sign_follow_from_those_with_sign() {
        let [least, most] = [constant(CmpOp::Sge, 0), constant(CmpOp::Sle, 100)];
        let kept = [most.clone(), least.clone()];
        let all = [most.clone(), least, constant(CmpOp::Ule, 100)];
        assert_eq!(reduced(&all), kept);
        // A number that is at most 100 without sign is not negative, but not the other way round.
        let without_sign = constant(CmpOp::Ule, 100);
        assert_eq!(reduced(&[most, without_sign.clone()]), [without_sign]);
        let negative = constant(CmpOp::Sge, -1);
        let weak = [
            negative.clone(),
            constant(CmpOp::Sle, 200),
            constant(CmpOp::Ule, 150),
        ];
        assert_eq!(reduced(&weak), [constant(CmpOp::Ule, 150)]);
        let large = [negative, constant(CmpOp::Ule, -1)];
        assert_eq!(reduced(&large), large[..1]);
    }

    #[test]
    fn orders_without_sign_follow_where_numbers_are_not_negative() {
        let orders = [CmpOp::Ule, CmpOp::Sle].map(|op| Candidate::Order(X, op, Y));
        assert_eq!(reduced(&orders), orders);
        let least = constant(CmpOp::Sge, 0);
        let all = [orders[0].clone(), orders[1].clone(), least.clone()];
        assert_eq!(reduced(&all), [orders[1].clone(), least]);
    }
}
