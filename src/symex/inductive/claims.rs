//! Claims about sums of registers, as numbers: what states had in common, in the executions that were seen.
//!
//! A claim is exact: registers are read with or without sign and widened until no sum wraps around.

use flowgraph::RegId;
use semantics::State;
use term::{BinOp, Bv, CastOp, CmpOp, TermId, TermPool};

/// A claim about Σ factor · register.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    pub form: Vec<Part>,
    pub relation: Relation,
}

/// A register with its factor, below 2¹² in absolute value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    pub factor: i64,
    pub reg: RegId,
    pub is_unsigned: bool,
}

/// What is claimed of the sum; numbers are below 2⁴⁰ in absolute value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Relation {
    Equal(i64),
    AtLeast(i64),
    AtMost(i64),
    /// It leaves this rest.
    Residue {
        modulus: i64,
        rest: i64,
    },
}

/// Bits for a sign, a factor and the number of parts, beside those of the widest register.
const MORE_BITS: u32 = 20;
/// For the numbers that sums are compared with.
const FEWEST_BITS: u32 = 44;

impl Claim {
    /// That the claim holds of a state.
    pub fn holds(&self, pool: &mut TermPool, now: &State) -> TermId {
        let values: Vec<(TermId, Part)> = (self.form.iter())
            .map(|part| (now.frame.get(part.reg), *part))
            .collect();
        let widest = values.iter().map(|(value, _)| pool.width(*value)).max();
        let bits = (widest.unwrap_or(1) + MORE_BITS).max(FEWEST_BITS);
        let mut sum = number(pool, bits, 0);
        for (value, part) in values {
            let cast = if part.is_unsigned {
                CastOp::ZExt
            } else {
                CastOp::SExt
            };
            let value = pool.cast(cast, bits, value);
            let factor = number(pool, bits, part.factor);
            let product = pool.mul(value, factor);
            sum = pool.add(sum, product);
        }
        let compared = |pool: &mut TermPool, op: CmpOp, sum: TermId, with: i64| {
            let with = number(pool, bits, with);
            pool.compare(op, sum, with)
        };
        match self.relation {
            Relation::Equal(value) => compared(pool, CmpOp::Eq, sum, value),
            Relation::AtLeast(value) => compared(pool, CmpOp::Sge, sum, value),
            Relation::AtMost(value) => compared(pool, CmpOp::Sle, sum, value),
            Relation::Residue { modulus, rest } => {
                let above = number(pool, bits, -rest);
                let sum = pool.add(sum, above);
                let left = if modulus.count_ones() == 1 {
                    let mask = number(pool, bits, modulus - 1);
                    pool.binary(BinOp::And, sum, mask)
                } else {
                    let modulus = number(pool, bits, modulus);
                    pool.binary(BinOp::SRem, sum, modulus)
                };
                compared(pool, CmpOp::Eq, left, 0)
            }
        }
    }

    /// The claim in C; `None` where a register has no name in the source.
    pub fn in_c(&self, name: &dyn Fn(RegId) -> Option<(String, u32)>) -> Option<String> {
        let mut sum = String::new();
        for part in &self.form {
            let (name, bits) = name(part.reg)?;
            let ty = if bits == 64 { "__int128" } else { "long long" };
            let sign = match (sum.is_empty(), part.factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let times = match part.factor.unsigned_abs() {
                1 => String::new(),
                times => format!("{times} * "),
            };
            sum.push_str(&format!("{sign}{times}({ty}){name}"));
        }
        Some(match self.relation {
            Relation::Equal(value) => format!("{sum} == {value}"),
            Relation::AtLeast(value) => format!("{sum} >= {value}"),
            Relation::AtMost(value) => format!("{sum} <= {value}"),
            Relation::Residue { modulus, rest: 0 } => format!("({sum}) % {modulus} == 0"),
            Relation::Residue { modulus, rest } => format!("({sum} - {rest}) % {modulus} == 0"),
        })
    }
}

fn number(pool: &mut TermPool, bits: u32, value: i64) -> TermId {
    pool.constant(&Bv::from_i64(bits, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(factors: [i64; 2], relation: Relation) -> Claim {
        let part = |factor, reg| Part {
            factor,
            reg: RegId(reg),
            is_unsigned: reg == 1,
        };
        Claim {
            form: vec![part(factors[0], 0), part(factors[1], 1)],
            relation,
        }
    }

    #[test]
    fn claims_in_c() {
        let name = |reg: RegId| Some((["x", "y"][reg.index()].to_owned(), 32));
        let text = |relation| claim([1, -2], relation).in_c(&name).unwrap();
        assert_eq!(
            text(Relation::AtMost(7)),
            "(long long)x - 2 * (long long)y <= 7"
        );
        let residue = Relation::Residue {
            modulus: 3,
            rest: 1,
        };
        assert_eq!(
            text(residue),
            "((long long)x - 2 * (long long)y - 1) % 3 == 0"
        );
        assert_eq!(claim([1, 1], residue).in_c(&|_| None), None);
    }
}
