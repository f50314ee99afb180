//! Operators: names of SMT-LIB 2 to constructors of terms, with the sorts checked first.

use super::SmtError;
use super::read::{MAX_WIDTH, Reader, Result, number, operands, unsupported};
use super::sexpr::Sexpr;
use term::{BinOp, Bv, CastOp, CmpOp, Sort, TermId, TermPool};

impl Reader<'_> {
    /// `((_ extract 7 0) x)`, `((as const (Array …)) v)`.
    pub(super) fn indexed(
        &mut self,
        at: &Sexpr,
        operator: &[Sexpr],
        value: TermId,
    ) -> Result<TermId> {
        if let [head, name, sort] = operator
            && head.atom() == Some("as")
            && name.atom() == Some("const")
        {
            return match self.sort(sort)? {
                Sort::Array {
                    index,
                    value: width,
                } if self.pool.sort(value) == Sort::Bv(width) => {
                    Ok(self.pool.const_array(index, value))
                }
                _ => Err(operands(at, "as const")),
            };
        }
        let [_, name, numbers @ ..] = operator else {
            return Err(unsupported(at, "this operator"));
        };
        let name = name.atom().unwrap_or("_");
        let Sort::Bv(width) = self.pool.sort(value) else {
            return Err(operands(at, name));
        };
        let numbers = numbers.iter().map(number).collect::<Result<Vec<u32>>>()?;
        let pool = &mut *self.pool;
        match (name, numbers.as_slice()) {
            ("extract", &[high, low]) if low <= high && high < width => {
                Ok(pool.extract(low, high - low + 1, value))
            }
            ("zero_extend", &[bits]) if bits <= MAX_WIDTH => {
                Ok(pool.cast(CastOp::ZExt, width + bits, value))
            }
            ("sign_extend", &[bits]) if bits <= MAX_WIDTH => {
                Ok(pool.cast(CastOp::SExt, width + bits, value))
            }
            ("repeat", &[n]) if n >= 1 && n * width <= MAX_WIDTH => {
                let mut result = value;
                for _ in 1..n {
                    result = pool.concat(result, value);
                }
                Ok(result)
            }
            ("rotate_left" | "rotate_right", &[n]) => {
                let left = if name == "rotate_left" {
                    n % width
                } else {
                    width - n % width
                } % width;
                if left == 0 {
                    return Ok(value);
                }
                let high = pool.extract(0, width - left, value);
                let low = pool.extract(width - left, left, value);
                Ok(pool.concat(high, low))
            }
            _ => Err(unsupported(at, name)),
        }
    }

    pub(super) fn operator(&mut self, at: &Sexpr, name: &str, values: &[TermId]) -> Result<TermId> {
        let sorts: Vec<Sort> = values.iter().map(|v| self.pool.sort(*v)).collect();
        let bits = |sort: &Sort| matches!(sort, Sort::Bv(_));
        let same = sorts.windows(2).all(|pair| pair[0] == pair[1]);
        let truths = sorts.iter().all(|sort| *sort == Sort::Bv(1));
        let words = sorts.iter().all(bits);
        let pool = &mut *self.pool;
        let wrong = || Err(operands(at, name));
        if let Some(op) = binary(name) {
            if !(same && words && values.len() >= 2) {
                return wrong();
            }
            let [first, rest @ ..] = values else {
                return wrong();
            };
            return Ok(rest.iter().fold(*first, |a, b| pool.binary(op, a, *b)));
        }
        if let Some(op) = comparison(name) {
            return match values {
                [a, b] if same && words => Ok(pool.compare(op, *a, *b)),
                _ => wrong(),
            };
        }
        match (name, values) {
            ("not", [a]) if truths => Ok(pool.not(*a)),
            ("bvnot", [a]) if words => Ok(pool.not(*a)),
            ("bvneg", [a]) if words => Ok(pool.neg(*a)),
            ("and", _) if truths => Ok(pool.conj(values.iter().copied())),
            ("or", _) if truths => Ok(pool.disj(values.iter().copied())),
            ("xor", [first, rest @ ..]) if truths => {
                Ok(rest.iter().fold(*first, |a, b| pool.xor(a, *b)))
            }
            ("=>", [premises @ .., last]) if truths => Ok(premises
                .iter()
                .rev()
                .fold(*last, |b, a| pool.implies(*a, b))),
            ("=", [_, _, ..]) if same && words => {
                let equal: Vec<TermId> = values
                    .windows(2)
                    .map(|pair| pool.eq(pair[0], pair[1]))
                    .collect();
                Ok(pool.conj(equal))
            }
            ("distinct", [_, _, ..]) if same && words => {
                let mut parts = Vec::new();
                for (i, a) in values.iter().enumerate() {
                    for b in &values[i + 1..] {
                        parts.push(pool.ne(*a, *b));
                    }
                }
                Ok(pool.conj(parts))
            }
            ("=" | "distinct", _) if same && !words => Err(unsupported(at, "equality of arrays")),
            ("ite", [c, t, e]) if sorts[0] == Sort::Bv(1) && sorts[1] == sorts[2] => {
                Ok(pool.ite(*c, *t, *e))
            }
            ("bvcomp", [a, b]) if same && words => Ok(pool.eq(*a, *b)),
            ("bvnand" | "bvnor" | "bvxnor", [a, b]) if same && words => {
                let op = match name {
                    "bvnand" => BinOp::And,
                    "bvnor" => BinOp::Or,
                    _ => BinOp::Xor,
                };
                let inner = pool.binary(op, *a, *b);
                Ok(pool.not(inner))
            }
            ("bvsmod", [a, b]) if same && words => Ok(smod(pool, *a, *b)),
            ("concat", [first, rest @ ..]) if words => {
                Ok(rest.iter().fold(*first, |a, b| pool.concat(a, *b)))
            }
            ("select", [array, index]) => match sorts[0] {
                Sort::Array { index: width, .. } if sorts[1] == Sort::Bv(width) => {
                    Ok(pool.select(*array, *index))
                }
                _ => wrong(),
            },
            ("store", [array, index, value]) => match sorts[0] {
                Sort::Array { index: i, value: v }
                    if sorts[1] == Sort::Bv(i) && sorts[2] == Sort::Bv(v) =>
                {
                    Ok(pool.store(*array, *index, *value))
                }
                _ => wrong(),
            },
            (
                "not" | "bvnot" | "bvneg" | "and" | "or" | "xor" | "=>" | "=" | "distinct" | "ite"
                | "bvcomp" | "bvnand" | "bvnor" | "bvxnor" | "bvsmod" | "concat" | "select"
                | "store",
                _,
            ) => wrong(),
            _ => Err(SmtError::Undeclared {
                line: at.line(),
                name: name.to_owned(),
            }),
        }
    }
}

/// Remainder with the sign of the divisor.
fn smod(pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
    let width = pool.width(a);
    let rem = pool.binary(BinOp::SRem, a, b);
    let zero = pool.constant(&Bv::zero(width));
    let none = pool.eq(rem, zero);
    let a_negative = pool.slt(rem, zero);
    let b_negative = pool.slt(b, zero);
    let same = pool.eq(a_negative, b_negative);
    let keep = pool.or(none, same);
    let moved = pool.add(rem, b);
    // x smod 0 = x, and srem is x too.
    let by_zero = pool.eq(b, zero);
    let keep = pool.or(keep, by_zero);
    pool.ite(keep, rem, moved)
}

fn binary(name: &str) -> Option<BinOp> {
    Some(match name {
        "bvadd" => BinOp::Add,
        "bvsub" => BinOp::Sub,
        "bvmul" => BinOp::Mul,
        "bvudiv" => BinOp::UDiv,
        "bvsdiv" => BinOp::SDiv,
        "bvurem" => BinOp::URem,
        "bvsrem" => BinOp::SRem,
        "bvshl" => BinOp::Shl,
        "bvlshr" => BinOp::LShr,
        "bvashr" => BinOp::AShr,
        "bvand" => BinOp::And,
        "bvor" => BinOp::Or,
        "bvxor" => BinOp::Xor,
        _ => return None,
    })
}

fn comparison(name: &str) -> Option<CmpOp> {
    Some(match name {
        "bvult" => CmpOp::Ult,
        "bvule" => CmpOp::Ule,
        "bvugt" => CmpOp::Ugt,
        "bvuge" => CmpOp::Uge,
        "bvslt" => CmpOp::Slt,
        "bvsle" => CmpOp::Sle,
        "bvsgt" => CmpOp::Sgt,
        "bvsge" => CmpOp::Sge,
        _ => return None,
    })
}
