//! Candidates as formulas over the numbers that registers hold, and in C.

use super::claims::{apply, number};
use super::{Candidate, Relation};
use crate::in_c::{self, Variable, name_in_source};
use flowgraph::RegId;
use num_bigint::BigInt;
use solver::horn::{Formula, Operator};
use std::rc::Rc;
use term::{Bv, CmpOp};

/// The candidates in C, without those that others imply. Registers stand by number, with names and widths; `at_entry`
/// says what one held where the loop was entered, if that is one number.
pub(crate) fn in_c(
    at_entry: &dyn Fn(RegId) -> Option<u64>,
    candidates: &[Candidate],
    registers: &[(String, u32)],
) -> Vec<String> {
    let candidates: Vec<Candidate> = (candidates.iter())
        .map(|candidate| match candidate {
            Candidate::Entry(reg, op) => at_entry(*reg).map_or_else(
                || candidate.clone(),
                |word| Candidate::Constant(*reg, *op, word),
            ),
            _ => candidate.clone(),
        })
        .collect();
    let readings = Readings {
        at_entry,
        candidates: &candidates,
        registers,
    };
    let formulas = candidates.iter().filter_map(|one| readings.formula(one));
    // What is small without sign is not negative with sign.
    let bounds = candidates.iter().filter_map(|candidate| match candidate {
        Candidate::Constant(reg, CmpOp::Ule, _) if readings.is_not_negative(*reg) => {
            Some(Relation::AtLeast(0).of_sum([(1, 2 * reg.index())]))
        }
        _ => None,
    });
    let formulas: Vec<Rc<Formula>> = formulas.chain(bounds).collect();
    let variable = |position: usize| {
        let (name, bits) = registers.get(position / 2)?;
        Some(Variable {
            name: of_source(name),
            bits: *bits,
            is_unsigned: position % 2 == 1,
            is_converted: true,
        })
    };
    in_c::in_c(&variable, &formulas)
}

/// The name of a register in the source, if that has one.
fn of_source(name: &str) -> Option<String> {
    let name = name_in_source(name)?;
    // What lowering calls results without a name.
    let number = name.strip_prefix('t').map(str::parse::<u32>);
    (!matches!(number, Some(Ok(_)))).then(|| name.to_owned())
}

/// How registers are read: each is two parameters, with sign and without, of which a register that is not negative
/// needs one.
struct Readings<'a> {
    at_entry: &'a dyn Fn(RegId) -> Option<u64>,
    candidates: &'a [Candidate],
    registers: &'a [(String, u32)],
}

impl Readings<'_> {
    fn bits(&self, reg: RegId) -> u32 {
        self.registers[reg.index()].1
    }

    /// A word as a number.
    fn number(&self, reg: RegId, word: u64, is_unsigned: bool) -> BigInt {
        let word = Bv::new(self.bits(reg), word);
        if is_unsigned {
            word.to_biguint().into()
        } else {
            word.to_bigint()
        }
    }

    /// Whether a register is not negative, read with sign, by its bounds.
    fn is_not_negative(&self, reg: RegId) -> bool {
        self.candidates.iter().any(|candidate| match candidate {
            Candidate::Constant(of, CmpOp::Sge | CmpOp::Ule, word) => {
                *of == reg && self.number(reg, *word, false) >= BigInt::ZERO
            }
            _ => false,
        })
    }

    fn position(&self, reg: RegId, is_unsigned: bool) -> usize {
        2 * reg.index() + usize::from(is_unsigned && !self.is_not_negative(reg))
    }

    fn parameter(&self, reg: RegId, is_unsigned: bool) -> Rc<Formula> {
        Rc::new(Formula::Parameter(self.position(reg, is_unsigned)))
    }

    /// `None` for a candidate about elements, or about a value at the entry that is not known.
    fn formula(&self, candidate: &Candidate) -> Option<Rc<Formula>> {
        Some(match candidate {
            Candidate::Constant(reg, op, word) => {
                let (operator, is_unsigned) = compared(*op)?;
                let value = Formula::Number(self.number(*reg, *word, is_unsigned));
                let parts = vec![self.parameter(*reg, is_unsigned), Rc::new(value)];
                apply(operator, parts)
            }
            Candidate::Order(one, op, other) => {
                let (operator, is_unsigned) = compared(*op)?;
                let parts = [one, other].map(|reg| self.parameter(*reg, is_unsigned));
                apply(operator, parts.to_vec())
            }
            Candidate::Together(one, other) => {
                let [lhs, rhs] = [one, other].map(|reg| (self.at_entry)(*reg));
                let apart = self.number(*one, lhs?.wrapping_sub(rhs?), true);
                let [lhs, mut rhs] = [one, other].map(|reg| self.parameter(*reg, true));
                if apart != BigInt::ZERO {
                    rhs = apply(Operator::Add, vec![rhs, Rc::new(Formula::Number(apart))]);
                }
                let modulus = number(1 << self.bits(*one));
                let parts =
                    [lhs, rhs].map(|side| apply(Operator::Modulo, vec![side, modulus.clone()]));
                apply(Operator::Equal, parts.to_vec())
            }
            Candidate::Claim(claim) => {
                claim.formula(|part| self.position(part.reg, part.is_unsigned))
            }
            Candidate::Entry(..) | Candidate::Elements(_) => return None,
        })
    }
}

/// A comparison of words as one of numbers, and whether they are read without sign.
fn compared(op: CmpOp) -> Option<(Operator, bool)> {
    Some(match op {
        CmpOp::Ule => (Operator::LessEqual, true),
        CmpOp::Uge => (Operator::GreaterEqual, true),
        CmpOp::Ult => (Operator::Less, true),
        CmpOp::Sle => (Operator::LessEqual, false),
        CmpOp::Sge => (Operator::GreaterEqual, false),
        CmpOp::Slt => (Operator::Less, false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Claim, Part};
    use super::*;

    const X: RegId = RegId(0);
    const Y: RegId = RegId(1);
    /// It has no name in the source.
    const Z: RegId = RegId(2);

    fn constant(op: CmpOp, value: i32) -> Candidate {
        Candidate::Constant(X, op, u64::from(value.cast_unsigned()))
    }

    fn written(candidates: &[Candidate]) -> String {
        let registers = ["x.1", "y.2", "t3"].map(|name| (name.to_owned(), 32));
        let at_entry = |reg: RegId| (reg != Z).then_some(7 + u64::from(reg.0));
        in_c(&at_entry, candidates, &registers).join(" && ")
    }

    #[test]
    fn a_number_that_is_not_negative_is_read_in_one_way() {
        let bounds = [constant(CmpOp::Sle, 100), constant(CmpOp::Ule, 100)];
        assert_eq!(written(&bounds), "(int)x >= 0 && (int)x <= 100");
        let bounds = [constant(CmpOp::Sge, -1), constant(CmpOp::Sle, 200)];
        assert_eq!(written(&bounds), "(long long)(int)x >= -1 && (int)x <= 200");
        // All numbers satisfy it.
        assert_eq!(written(&[constant(CmpOp::Ule, -1)]), "");
    }

    #[test]
    fn orders_merge_where_numbers_are_not_negative() {
        let orders = [CmpOp::Ule, CmpOp::Slt].map(|op| Candidate::Order(X, op, Y));
        let apart = "(long long)(unsigned)x <= (long long)(unsigned)y \
                     && (long long)(int)x + 1 <= (long long)(int)y";
        assert_eq!(written(&orders), apart);
        let least = Candidate::Constant(Y, CmpOp::Sge, 0);
        let [one, other] = orders;
        let all = [one, other, constant(CmpOp::Sge, 0), least];
        let order = "(long long)(int)x + 1 <= (long long)(int)y";
        assert_eq!(
            written(&all),
            format!("{order} && (int)x >= 0 && (int)y >= 0")
        );
    }

    #[test]
    fn claims_and_values_at_the_entry() {
        let part = |factor, reg| Part {
            factor,
            reg,
            is_unsigned: reg == Y,
        };
        let claim = |relation| {
            Candidate::Claim(Claim {
                form: vec![part(1, X), part(-2, Y)],
                relation,
            })
        };
        let sum = "(long long)(int)x - 2 * (long long)(unsigned)y";
        let most = written(&[claim(Relation::AtMost(7))]);
        assert_eq!(most, "(long long)(int)x <= 2 * (long long)(unsigned)y + 7");
        let residue = Relation::Residue {
            modulus: 3,
            rest: 1,
        };
        assert_eq!(written(&[claim(residue)]), format!("({sum} - 1) % 3 == 0"));
        let together = [Candidate::Together(Y, X), Candidate::Together(X, Z)];
        assert_eq!(
            written(&together),
            "(unsigned)y == ((unsigned)x + (unsigned)1)"
        );
        let entry = [
            Candidate::Entry(X, CmpOp::Sle),
            Candidate::Entry(Z, CmpOp::Sle),
        ];
        assert_eq!(written(&entry), "(int)x <= 7");
    }
}
