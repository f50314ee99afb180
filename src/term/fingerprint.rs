//! Fingerprints: hashes that are equal for equal terms of different pools.
//!
//! They depend on the symbols (number, name, sort, divisor), not on handles or the order in which a pool made
//! its terms.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::{Term, TermId, TermPool};

/// 128 bits of SHA-256: two different terms never have the same, as far as anybody knows.
pub type Fingerprint = [u8; 16];

/// The fingerprints of a pool's terms, each computed once.
#[derive(Default)]
pub struct Fingerprints {
    known: FxHashMap<TermId, Fingerprint>,
}

impl Fingerprints {
    /// That of a term.
    pub fn of(&mut self, pool: &TermPool, term: TermId) -> Fingerprint {
        let mut todo = vec![term];
        while let Some(&top) = todo.last() {
            let n_before = todo.len();
            if !self.known.contains_key(&top) {
                pool.for_each_operand(top, |operand| {
                    if !self.known.contains_key(&operand) {
                        todo.push(operand);
                    }
                });
                if todo.len() > n_before {
                    continue;
                }
                let print = self.of_operator(pool, top);
                self.known.insert(top, print);
            }
            todo.pop();
        }
        self.known[&term]
    }

    /// That of a term whose operands are known.
    fn of_operator(&self, pool: &TermPool, term: TermId) -> Fingerprint {
        let mut digest = Sha256::new();
        let sort = pool.sort(term);
        digest.update(format!("{sort} {}", operator(pool, term)));
        pool.for_each_operand(term, |operand| digest.update(self.known[&operand]));
        short(digest)
    }
}

/// The first half of a digest.
#[must_use]
pub fn short(digest: Sha256) -> Fingerprint {
    let digest = digest.finalize();
    let mut print = Fingerprint::default();
    print.copy_from_slice(&digest[..16]);
    print
}

/// The outermost operator with all that belongs to it but its operands.
fn operator(pool: &TermPool, term: TermId) -> String {
    match pool.view(term) {
        Term::Constant(value) => format!("constant {value:?}"),
        Term::Symbol(symbol) => {
            let (name, divisor) = (pool.symbol_name(symbol), pool.symbol_divisor(symbol));
            let range = pool.symbol_range(symbol);
            format!("symbol {} {divisor} {range:?} {name}", symbol.index())
        }
        Term::Bound { index, width } => format!("bound {index} {width}"),
        Term::Sum { constant, terms } => {
            let coefficients: Vec<u64> =
                terms.iter().map(|(coefficient, _)| *coefficient).collect();
            format!("sum {constant} {coefficients:?}")
        }
        Term::Binary(operator, ..) => format!("binary {operator:?}"),
        Term::Compare(operator, ..) => format!("compare {operator:?}"),
        Term::Not(_) => "not".to_owned(),
        Term::Cast(operator, _) => format!("cast {operator:?}"),
        Term::FloatBinary(operator, ..) => format!("float {operator:?}"),
        Term::FloatCast(operator, _) => format!("float cast {operator:?}"),
        Term::Extract { low, .. } => format!("extract {low}"),
        Term::Concat { .. } => "concat".to_owned(),
        Term::Ite(..) => "ite".to_owned(),
        Term::Power { base, .. } => format!("power {base:?}"),
        Term::Select(..) => "select".to_owned(),
        Term::Store(..) => "store".to_owned(),
        Term::ConstArray(_) => "everywhere".to_owned(),
        Term::Table(table) => format!("table {table:?}"),
        Term::Lambda(_) => "lambda".to_owned(),
        Term::ForAll { .. } => "for all".to_owned(),
        Term::SumBelow { .. } => "sum below".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BinOp, CmpOp, Sort};

    /// x + 2·y < z, with terms made in another order where `late`.
    fn comparison(late: bool, coefficient: u64) -> (TermPool, TermId) {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| {
            let symbol = pool.symbol(name, Sort::Bv(32));
            pool.symbol_term(symbol)
        });
        if late {
            pool.binary(BinOp::Xor, z, y);
        }
        let factor = pool.bv(32, coefficient);
        let product = pool.mul(y, factor);
        let sum = pool.add(x, product);
        let comparison = pool.compare(CmpOp::Ult, sum, z);
        (pool, comparison)
    }

    #[test]
    fn terms_that_are_written_alike_have_the_same() {
        let print = |(pool, term): (TermPool, TermId)| Fingerprints::default().of(&pool, term);
        let one = print(comparison(false, 2));
        assert_eq!(one, print(comparison(true, 2)));
        assert_ne!(one, print(comparison(false, 3)));
    }
}
