//! Exact text of terms that parses back: `parse(to_text(t)) = t`; the parser is in
//! [`super::parse`]. Tests write terms down in it.
//!
//! ```text
//! text   = { "symbol" name sort ";" } { "let" "%"n "=" term ";" } term
//! sort   = width | "[" index width "]" value width
//! term   = value":"width | name | "%"n | "#"index":"width | "(" operator { term | number } ")"
//! ```
//! `(sum c:w (k t) …)` is c + k·t + …; `#0:8` the variable of the innermost `(forall limit body)`
//! or `(sum-below limit body)`. Names with other characters than letters, digits and `_.#$@!'`
//! stand between bars, with `\` before a bar or a backslash. Subterms that are used twice get a
//! `let`. A symbol that the pool already has under this name is that symbol; its sort has to be the
//! same.

use std::fmt::Write as _;

use crate::pool::{Map, TermData};
use crate::{BinOp, CastOp, CmpOp, FloatCast, FloatOp, Sort, TermId, TermPool};

pub(super) const BINARY: [(&str, BinOp); 13] = [
    ("add", BinOp::Add),
    ("sub", BinOp::Sub),
    ("mul", BinOp::Mul),
    ("udiv", BinOp::UDiv),
    ("sdiv", BinOp::SDiv),
    ("urem", BinOp::URem),
    ("srem", BinOp::SRem),
    ("shl", BinOp::Shl),
    ("lshr", BinOp::LShr),
    ("ashr", BinOp::AShr),
    ("and", BinOp::And),
    ("or", BinOp::Or),
    ("xor", BinOp::Xor),
];

pub(super) const COMPARE: [(&str, CmpOp); 10] = [
    ("eq", CmpOp::Eq),
    ("ne", CmpOp::Ne),
    ("ult", CmpOp::Ult),
    ("ule", CmpOp::Ule),
    ("ugt", CmpOp::Ugt),
    ("uge", CmpOp::Uge),
    ("slt", CmpOp::Slt),
    ("sle", CmpOp::Sle),
    ("sgt", CmpOp::Sgt),
    ("sge", CmpOp::Sge),
];

pub(super) const FLOAT_BINARY: [(&str, FloatOp); 7] = [
    ("fp.add", FloatOp::Add),
    ("fp.sub", FloatOp::Sub),
    ("fp.mul", FloatOp::Mul),
    ("fp.div", FloatOp::Div),
    ("fp.eq", FloatOp::Eq),
    ("fp.lt", FloatOp::Lt),
    ("fp.leq", FloatOp::Le),
];

/// A width follows the name.
pub(super) const FLOAT_CAST: [(&str, FloatCast); 6] = [
    ("fp.resize", FloatCast::Resize),
    ("fp.from-signed", FloatCast::FromSigned),
    ("fp.from-unsigned", FloatCast::FromUnsigned),
    ("fp.to-signed", FloatCast::ToSigned),
    ("fp.to-unsigned", FloatCast::ToUnsigned),
    ("fp.sqrt", FloatCast::Sqrt),
];

fn name_of<T: PartialEq>(table: &[(&'static str, T)], op: &T) -> &'static str {
    table
        .iter()
        .find(|(_, found)| found == op)
        .expect("tables are complete")
        .0
}

pub(super) fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || "_.#$@!'".contains(c)
}

fn quoted(name: &str) -> String {
    let first = name.chars().next();
    let bare = first.is_some_and(|c| is_bare(c) && !c.is_ascii_digit() && c != '#')
        && name.chars().all(is_bare);
    if bare {
        name.to_owned()
    } else {
        format!("|{}|", name.replace('\\', "\\\\").replace('|', "\\|"))
    }
}

enum Piece {
    Text(String),
    Term(TermId),
}

impl TermPool {
    /// The exact text of a term; see the head of this file.
    #[must_use]
    pub fn to_text(&self, term: TermId) -> String {
        let mut out = String::new();
        let order = self.post_order(term);
        let mut uses: Map<TermId, u32> = Map::default();
        let mut symbols = Vec::new();
        for node in &order {
            symbols.extend(self.as_symbol(*node));
            self.for_each_child(*node, |child, _| *uses.entry(child).or_default() += 1);
        }
        symbols.sort_unstable();
        for symbol in symbols {
            let (name, sort) = (quoted(self.symbol_name(symbol)), self.symbol_sort(symbol));
            let _ = writeln!(out, "symbol {name} {sort};");
        }
        let mut names: Map<TermId, usize> = Map::default();
        for node in &order {
            let mut has_operands = false;
            self.for_each_child(*node, |_, _| has_operands = true);
            if has_operands && uses.get(node).is_some_and(|uses| *uses > 1) {
                let name = names.len();
                let _ = write!(out, "let %{name} = ");
                self.write_text(*node, &names, &mut out);
                out.push_str(";\n");
                names.insert(*node, name);
            }
        }
        self.write_text(term, &names, &mut out);
        out
    }

    /// All distinct subterms but constants in handles, operands first.
    pub(super) fn post_order(&self, root: TermId) -> Vec<TermId> {
        let mut order = Vec::new();
        let mut state: Map<TermId, bool> = Map::default();
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            match state.get(&top) {
                None if self.data(top).is_some() => {
                    state.insert(top, false);
                    self.for_each_child(top, |child, _| {
                        if !state.contains_key(&child) {
                            stack.push(child);
                        }
                    });
                }
                Some(false) => {
                    state.insert(top, true);
                    order.push(top);
                    stack.pop();
                }
                _ => {
                    stack.pop();
                }
            }
        }
        order
    }

    fn write_text(&self, root: TermId, names: &Map<TermId, usize>, out: &mut String) {
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(term) => match names.get(&term) {
                    Some(name) => {
                        let _ = write!(out, "%{name}");
                    }
                    None => self.push_pieces(term, &mut stack, out),
                },
            }
        }
    }

    /// Writes the operator and pushes the operands.
    fn push_pieces(&self, term: TermId, stack: &mut Vec<Piece>, out: &mut String) {
        if let Some(value) = self.as_const(term) {
            let _ = write!(out, "{}:{}", value.to_biguint(), value.width());
            return;
        }
        let data = self.data(term).expect("constants are written above");
        let head = match data {
            TermData::Symbol(symbol) => {
                out.push_str(&quoted(self.symbol_name(*symbol)));
                return;
            }
            TermData::Bound(index) => {
                let _ = write!(out, "#{index}:{}", self.width(term));
                return;
            }
            TermData::Sum { constant, terms } => {
                let _ = write!(out, "(sum {constant}:{}", self.width(term));
                stack.push(Piece::Text(")".into()));
                for (coefficient, summand) in terms.iter().rev() {
                    stack.push(Piece::Text(")".into()));
                    stack.push(Piece::Term(*summand));
                    stack.push(Piece::Text(format!(" ({coefficient} ")));
                }
                return;
            }
            TermData::Constant(_) => unreachable!("constants are written above"),
            TermData::Binary(op, ..) => name_of(&BINARY, op).to_owned(),
            TermData::Compare(op, ..) => name_of(&COMPARE, op).to_owned(),
            TermData::FloatBinary(op, ..) => name_of(&FLOAT_BINARY, op).to_owned(),
            TermData::FloatCast(op, _) => {
                format!("{} {}", name_of(&FLOAT_CAST, op), self.width(term))
            }
            TermData::Not(_) => "not".into(),
            TermData::Cast(CastOp::SExt, _) => format!("sext {}", self.width(term)),
            TermData::Cast(..) => format!("zext {}", self.width(term)),
            TermData::Extract { low, .. } => format!("extract {low} {}", self.width(term)),
            TermData::Concat { .. } => "concat".into(),
            TermData::Ite(..) => "ite".into(),
            TermData::Power { base, .. } => {
                format!("pow {}:{}", base.to_biguint(), base.width())
            }
            TermData::Select(..) => "select".into(),
            TermData::Store(..) => "store".into(),
            TermData::ConstArray(_) => match self.sort(term) {
                Sort::Array { index, .. } => format!("const-array {index}"),
                Sort::Bv(_) => unreachable!("a constant array has an array sort"),
            },
            TermData::Table(table) => match self.sort(term) {
                Sort::Array { index, value } => {
                    let values: String =
                        table.values().iter().map(|v| format!(" {v}:64")).collect();
                    let _ = write!(out, "(table {index} {value} {}{values})", table.stride());
                    return;
                }
                Sort::Bv(_) => unreachable!("a table has an array sort"),
            },
            TermData::Lambda(_) => match self.sort(term) {
                Sort::Array { index, .. } => format!("lambda {index}"),
                Sort::Bv(_) => unreachable!("a comprehension has an array sort"),
            },
            TermData::ForAll { .. } => "forall".into(),
            TermData::SumBelow { .. } => "sum-below".into(),
        };
        let _ = write!(out, "({head}");
        let mut operands = Vec::new();
        self.for_each_child(term, |child, _| operands.push(child));
        stack.push(Piece::Text(")".into()));
        for operand in operands.into_iter().rev() {
            stack.push(Piece::Term(operand));
            stack.push(Piece::Text(" ".into()));
        }
    }
}
