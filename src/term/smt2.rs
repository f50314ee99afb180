//! Terms as SMT-LIB 2 scripts, with native quantifiers.
//!
//! SMT-LIB has no bounded sums: they are written as functions that a bounded quantifier defines
//! (see [`super::summation`]).
//!
//! Truth values stay bit-vectors of width 1, except where an assertion, a condition or a
//! quantifier needs a Boolean.

use std::fmt::Write as _;

use super::bv::word;
use super::pool::{Map, TermData};
use super::smt2_float as float;
use super::{BinOp, Bv, CastOp, CmpOp, LookUpTable, Sort, Summations, TermId, TermPool};

impl TermPool {
    /// A script that declares the symbols and asserts that all these truth values are true; it
    /// ends with `(check-sat)`. With bounded sums it has symbols and assertions more, and the same
    /// models otherwise.
    ///
    /// ```
    /// use compact_se_term::{Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let x = pool.fresh("x", Sort::Bv(8));
    /// let three = pool.bv(8, 3);
    /// let below = pool.ult(x, three);
    /// let script = pool.to_smt2(&[below]);
    /// assert!(script.contains("(declare-const |x| (_ BitVec 8))"));
    /// assert!(script.ends_with("(check-sat)\n"));
    /// ```
    ///
    /// # Panics
    /// When a term is wider than 1 or not closed.
    pub fn to_smt2(&mut self, assertions: &[TermId]) -> String {
        let assertions = &Summations::default().defined(self, assertions);
        let mut symbols: Vec<_> = assertions
            .iter()
            .flat_map(|term| self.symbols_of(*term).to_vec())
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut out = String::from("(set-logic ALL)\n");
        for symbol in symbols {
            let (name, sort) = (self.symbol_name(symbol), sort(self.symbol_sort(symbol)));
            let _ = writeln!(out, "(declare-const {} {sort})", quoted(name));
        }
        let mut script = Script {
            pool: self,
            out,
            scopes: vec![Map::default()],
            n_names: 0,
        };
        for term in assertions {
            assert_eq!(script.pool.width(*term), 1, "an assertion has width 1");
            assert!(script.pool.is_closed(*term), "an assertion is closed");
            let top = script.scope(*term);
            let _ = writeln!(script.out, "(assert (= {top} #b1))");
        }
        let mut out = script.out;
        out.push_str("(check-sat)\n");
        out
    }
}

struct Script<'a> {
    pool: &'a TermPool,
    out: String,
    /// Names of terms: the script's, then one table for each quantifier that is open. Inner tables
    /// are asked first; outer ones only about closed terms.
    scopes: Vec<Map<TermId, String>>,
    n_names: usize,
}

impl Script<'_> {
    /// Names all operators below a term in the innermost scope, as definitions of the script or
    /// as `let`s that stay open; gives the name of the term.
    fn scope(&mut self, root: TermId) -> String {
        let mut stack = vec![(root, false)];
        while let Some((term, operands_done)) = stack.pop() {
            let Some(data) = self.pool.data(term) else {
                continue;
            };
            if matches!(
                data,
                TermData::Symbol(_) | TermData::Bound(_) | TermData::Constant(_)
            ) || self.named(term).is_some()
            {
                continue;
            }
            if !operands_done {
                stack.push((term, true));
                self.pool.for_each_child(term, |child, binders| {
                    if binders == 0 {
                        stack.push((child, false));
                    }
                });
                continue;
            }
            let definition = self.operator(term, data);
            let name = format!("t!{}", self.n_names);
            self.n_names += 1;
            if self.scopes.len() == 1 {
                let sort = sort(self.pool.sort(term));
                let _ = writeln!(self.out, "(define-fun {name} () {sort} {definition})");
            } else {
                let _ = write!(self.out, "(let (({name} {definition})) ");
            }
            self.scopes
                .last_mut()
                .expect("the script's scope")
                .insert(term, name);
        }
        self.name(root)
    }

    fn named(&self, term: TermId) -> Option<&String> {
        let innermost = self.scopes.last().expect("the script's scope");
        innermost.get(&term).or_else(|| {
            let outer = self.scopes.iter().rev().skip(1);
            if self.pool.is_closed(term) {
                outer.filter_map(|s| s.get(&term)).next()
            } else {
                None
            }
        })
    }

    fn name(&self, term: TermId) -> String {
        if let Some(value) = self.pool.as_const(term) {
            return constant(&value);
        }
        match self.pool.data(term) {
            Some(TermData::Symbol(symbol)) => quoted(self.pool.symbol_name(*symbol)),
            Some(TermData::Bound(index)) => {
                let binder = self.scopes.len() - 2 - *index as usize;
                format!("tau!{binder}")
            }
            _ => self.named(term).expect("operands are named first").clone(),
        }
    }

    fn operator(&mut self, term: TermId, data: &TermData) -> String {
        let width = || self.pool.width(term);
        let name = |t: &TermId| self.name(*t);
        match data {
            TermData::Symbol(_) | TermData::Bound(_) | TermData::Constant(_) => {
                unreachable!("leaves have names")
            }
            TermData::Sum {
                constant: value,
                terms,
            } => {
                let width = width();
                let mut sum = String::from("(bvadd");
                for (coefficient, summand) in terms {
                    let summand = name(summand);
                    let _ = match *coefficient {
                        1 => write!(sum, " {summand}"),
                        c if c == word::mask(width) => write!(sum, " (bvneg {summand})"),
                        c => write!(sum, " (bvmul {} {summand})", constant(&Bv::new(width, c))),
                    };
                }
                if *value != 0 || terms.len() == 1 {
                    let _ = write!(sum, " {}", constant(&Bv::new(width, *value)));
                }
                sum + ")"
            }
            TermData::Binary(op, a, b) => {
                format!("({} {} {})", binary(*op), name(a), name(b))
            }
            TermData::Compare(op, a, b) => {
                format!("(ite ({} {} {}) #b1 #b0)", compare(*op), name(a), name(b))
            }
            TermData::Not(a) => format!("(bvnot {})", name(a)),
            TermData::Cast(op, a) => {
                let extension = if *op == CastOp::ZExt {
                    "zero_extend"
                } else {
                    "sign_extend"
                };
                format!(
                    "((_ {extension} {}) {})",
                    width() - self.pool.width(*a),
                    name(a)
                )
            }
            TermData::FloatBinary(op, a, b) => {
                let bits = self.pool.width(*a);
                float::binary(*op, bits, &name(a), &name(b))
            }
            TermData::FloatCast(op, a) => float::cast(*op, self.pool.width(*a), width(), &name(a)),
            TermData::Extract { low, of } => {
                format!("((_ extract {} {low}) {})", low + width() - 1, name(of))
            }
            TermData::Concat { high, low } => format!("(concat {} {})", name(high), name(low)),
            TermData::Ite(c, t, e) => format!("(ite (= {} #b1) {} {})", name(c), name(t), name(e)),
            TermData::Power { base, exponent } => self.power(base, *exponent),
            TermData::Select(a, i) => format!("(select {} {})", name(a), name(i)),
            TermData::Store(a, i, v) => format!("(store {} {} {})", name(a), name(i), name(v)),
            TermData::ConstArray(value) => {
                format!(
                    "((as const {}) {})",
                    sort(self.pool.sort(term)),
                    name(value)
                )
            }
            TermData::Table(table) => self.table(self.pool.sort(term), table),
            TermData::Lambda(_) => unreachable!("a read of a comprehension is reduced at once"),
            TermData::SumBelow { .. } => unreachable!("sums are defined by quantifiers"),
            TermData::ForAll { limit, body } => {
                let (limit_name, bits) = (name(limit), sort(self.pool.sort(*limit)));
                let tau = format!("tau!{}", self.scopes.len() - 1);
                // The body's definitions go into a text of their own.
                let outer = std::mem::take(&mut self.out);
                self.scopes.push(Map::default());
                let body = self.scope(*body);
                let n_lets = self.scopes.pop().expect("pushed above").len();
                let lets = std::mem::replace(&mut self.out, outer);
                let close = ")".repeat(n_lets);
                format!(
                    "(ite (forall (({tau} {bits})) (=> (bvult {tau} {limit_name}) \
                     {lets}(= {body} #b1){close})) #b1 #b0)"
                )
            }
        }
    }

    /// A table as stores into an array of zeros.
    fn table(&self, table_sort: Sort, table: &LookUpTable) -> String {
        let Sort::Array { index, value } = table_sort else {
            unreachable!("a table has an array sort")
        };
        let stored = |entry: &&u64| **entry != 0;
        let mut text = "(store ".repeat(table.values().iter().filter(stored).count());
        let zero = constant(&Bv::zero(value));
        let _ = write!(text, "((as const {}) {zero})", sort(table_sort));
        for (position, entry) in table.values().iter().enumerate() {
            if stored(&entry) {
                let at = constant(&Bv::new(index, position as u64 * table.stride()));
                let entry = constant(&Bv::new(value, *entry));
                let _ = write!(text, " {at} {entry})");
            }
        }
        text
    }

    /// base^exponent as a product over the bits of the exponent, until a square is 0 or 1.
    fn power(&self, base: &Bv, exponent: TermId) -> String {
        let mut product = constant(&Bv::new(base.width(), 1));
        let mut square = base.clone();
        for bit in 0..self.pool.width(exponent) {
            if square.to_u64() == Some(1) {
                break;
            }
            let set = format!("(= ((_ extract {bit} {bit}) {}) #b1)", self.name(exponent));
            let one = constant(&Bv::new(base.width(), 1));
            product = format!("(bvmul {product} (ite {set} {} {one}))", constant(&square));
            square = Bv::binary(BinOp::Mul, &square, &square);
        }
        product
    }
}

/// A quoted symbol, between whose bars SMT-LIB allows printable ASCII without `|` and `\`: other
/// characters become their names or numbers in braces.
fn quoted(name: &str) -> String {
    let mut text = String::from("|");
    for c in name.chars() {
        match c {
            'κ' => text.push_str("{kappa}"),
            'ν' => text.push_str("{nu}"),
            'τ' => text.push_str("{tau}"),
            ' '..='~' if !matches!(c, '|' | '\\' | '{') => text.push(c),
            _ => {
                let _ = write!(text, "{{{:x}}}", u32::from(c));
            }
        }
    }
    text.push('|');
    text
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, value } => format!("(Array (_ BitVec {index}) (_ BitVec {value}))"),
    }
}

fn constant(value: &Bv) -> String {
    match value.width() {
        1 => format!("#b{}", value.to_biguint()),
        width => format!("(_ bv{} {width})", value.to_biguint()),
    }
}

fn binary(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "bvadd",
        BinOp::Sub => "bvsub",
        BinOp::Mul => "bvmul",
        BinOp::UDiv => "bvudiv",
        BinOp::SDiv => "bvsdiv",
        BinOp::URem => "bvurem",
        BinOp::SRem => "bvsrem",
        BinOp::Shl => "bvshl",
        BinOp::LShr => "bvlshr",
        BinOp::AShr => "bvashr",
        BinOp::And => "bvand",
        BinOp::Or => "bvor",
        BinOp::Xor => "bvxor",
    }
}

fn compare(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "=",
        CmpOp::Ne => "distinct",
        CmpOp::Ult => "bvult",
        CmpOp::Ule => "bvule",
        CmpOp::Ugt => "bvugt",
        CmpOp::Uge => "bvuge",
        CmpOp::Slt => "bvslt",
        CmpOp::Sle => "bvsle",
        CmpOp::Sgt => "bvsgt",
        CmpOp::Sge => "bvsge",
    }
}
