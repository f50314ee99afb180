//! Terms as text in the notation of the papers: infix, ∀τ<κ: …, Στ<κ: …, A(i).
//!
//! For people and logs; the form that parses back is SMT-LIB (`smt2`). Widths are not shown.

use std::fmt::{self, Write as _};

use super::bv::word;
use super::pool::{Map, TermData};
use super::{
    BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp, LookUpTable, Sort, SymbolId, TermId, TermPool,
};

/// Operators after which a printed term ends in "…".
const MAX_OPERATORS: usize = 20_000;

impl TermPool {
    /// The term in the papers' notation. Shared subterms print in full wherever they stand; terms
    /// of more than some 20,000 operators end in "…".
    ///
    /// ```
    /// use compact_se_term::{Sort, TermPool};
    /// let mut pool = TermPool::new();
    /// let x = pool.fresh("x", Sort::Bv(32));
    /// let one = pool.bv(32, 1);
    /// let sum = pool.add(x, one);
    /// assert_eq!(pool.display(sum).to_string(), "x + 1");
    /// ```
    #[must_use]
    pub fn display(&self, term: TermId) -> DisplayTerm<'_> {
        DisplayTerm {
            pool: self,
            term,
            place: Level::Quantifier,
            names: None,
        }
    }

    /// The name that a symbol was requested with: without the `#n` that makes it unique.
    #[must_use]
    pub fn given_name(&self, symbol: SymbolId) -> &str {
        without_number(self.symbol_name(symbol), '#')
    }
}

/// A term that can be printed.
#[derive(Clone, Copy)]
pub struct DisplayTerm<'a> {
    pool: &'a TermPool,
    term: TermId,
    place: Level,
    names: Option<&'a Map<SymbolId, String>>,
}

impl<'a> DisplayTerm<'a> {
    /// For a place between `∧` signs: in parentheses where it would fall apart there.
    #[must_use]
    pub fn as_conjunct(self) -> DisplayTerm<'a> {
        let place = Level::Compare;
        DisplayTerm { place, ..self }
    }

    /// With these names for some symbols instead of their own.
    #[must_use]
    pub fn with_names(self, names: &'a SymbolNames) -> DisplayTerm<'a> {
        let names = Some(&names.0);
        DisplayTerm { names, ..self }
    }
}

/// Names for symbols, for texts in which fewer symbols occur than in the whole pool.
#[derive(Clone, Default)]
pub struct SymbolNames(Map<SymbolId, String>);

impl SymbolNames {
    /// Names without the number that makes them unique in the pool, where that is not needed to
    /// tell these symbols from each other.
    pub fn among(pool: &TermPool, symbols: impl IntoIterator<Item = SymbolId>) -> SymbolNames {
        let mut by_base: Map<&str, Vec<SymbolId>> = Map::default();
        for symbol in symbols {
            let of_base = by_base.entry(pool.given_name(symbol)).or_default();
            if !of_base.contains(&symbol) {
                of_base.push(symbol);
            }
        }
        let alone = by_base
            .into_iter()
            .filter(|(_, symbols)| symbols.len() == 1);
        SymbolNames(
            alone
                .map(|(base, symbols)| (symbols[0], base.to_owned()))
                .collect(),
        )
    }

    /// Names without what a front end appended to tell variables of one name apart (`i.2`), where
    /// that is not needed to tell these symbols from each other.
    pub fn plain(pool: &TermPool, symbols: impl IntoIterator<Item = SymbolId>) -> SymbolNames {
        let mut symbols: Vec<SymbolId> = symbols.into_iter().collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mut names = SymbolNames::among(pool, symbols.iter().copied());
        let base = |symbol: SymbolId| without_number(pool.given_name(symbol), '.');
        for symbol in &symbols {
            let mut others = symbols.iter().filter(|other| *other != symbol);
            if others.all(|other| base(*other) != base(*symbol)) {
                names.0.insert(*symbol, base(*symbol).to_owned());
            }
        }
        names
    }

    /// Gives a symbol another name.
    pub fn rename(&mut self, symbol: SymbolId, name: String) {
        self.0.insert(symbol, name);
    }

    /// The name of a symbol.
    #[must_use]
    pub fn get<'a>(&'a self, pool: &'a TermPool, symbol: SymbolId) -> &'a str {
        let own = self.0.get(&symbol).map(String::as_str);
        own.unwrap_or_else(|| pool.symbol_name(symbol))
    }
}

/// A name without the number behind its last separator, which tells it from others of the same name.
#[must_use]
pub fn without_number(name: &str, separator: char) -> &str {
    match name.rsplit_once(separator) {
        Some((base, number))
            if !base.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            base
        }
        Some(_) | None => name,
    }
}

/// Binding strength; operands that bind weaker than their place get parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Quantifier,
    Or,
    And,
    Compare,
    Bits,
    Shift,
    Sum,
    Product,
    Unary,
    Atom,
}

enum Piece {
    Text(String),
    /// A term at a place of this strength, under so many binders; negated (truth values only).
    Term(TermId, Level, u32, bool),
}

impl fmt::Display for DisplayTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack = vec![Piece::Term(self.term, self.place, 0, false)];
        let mut n_operators = 0;
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => f.write_str(&text)?,
                Piece::Term(term, place, binders, negated) => {
                    n_operators += 1;
                    if n_operators > MAX_OPERATORS {
                        return f.write_str("…");
                    }
                    let (level, mut pieces) = self.pieces(term, binders, negated);
                    if level < place {
                        pieces.insert(0, Piece::Text("(".into()));
                        pieces.push(Piece::Text(")".into()));
                    }
                    stack.extend(pieces.into_iter().rev());
                }
            }
        }
        Ok(())
    }
}

fn text(text: impl Into<String>) -> Piece {
    Piece::Text(text.into())
}

fn tau(level: u32) -> String {
    if level == 0 {
        "τ".into()
    } else {
        format!("τ{level}")
    }
}

impl DisplayTerm<'_> {
    fn pieces(&self, term: TermId, binders: u32, negated: bool) -> (Level, Vec<Piece>) {
        let pool = self.pool;
        if let Some(value) = pool.as_const(term) {
            let shown = constant(&value, negated);
            let level = if shown.starts_with('-') {
                Level::Unary
            } else {
                Level::Atom
            };
            return (level, vec![text(shown)]);
        }
        let at = |t: TermId, place: Level| Piece::Term(t, place, binders, false);
        let infix = |level: Level, a, sign: &str, b| {
            // Strictly stronger operands on both sides: no reader has to know associativity.
            let place = Level::ORDER[level as usize + 1];
            (
                level,
                vec![at(a, place), text(format!(" {sign} ")), at(b, place)],
            )
        };
        let call = |name: String, arguments: &[TermId]| {
            let mut pieces = vec![text(name + "(")];
            for (position, argument) in arguments.iter().enumerate() {
                if position > 0 {
                    pieces.push(text(", "));
                }
                pieces.push(at(*argument, Level::Quantifier));
            }
            pieces.push(text(")"));
            (Level::Atom, pieces)
        };
        let data = pool.data(term).expect("constants are shown above");
        match data {
            TermData::Compare(op, a, b) => {
                let op = if negated { op.negated() } else { *op };
                let sign = match op {
                    CmpOp::Eq if pool.width(*a) == 1 => "⇔",
                    CmpOp::Ne if pool.width(*a) == 1 => "⇎",
                    CmpOp::Eq => "=",
                    CmpOp::Ne => "≠",
                    CmpOp::Ult => "<",
                    CmpOp::Ule => "≤",
                    CmpOp::Ugt => ">",
                    CmpOp::Uge => "≥",
                    CmpOp::Slt => "<ₛ",
                    CmpOp::Sle => "≤ₛ",
                    CmpOp::Sgt => ">ₛ",
                    CmpOp::Sge => "≥ₛ",
                };
                return infix(Level::Compare, *a, sign, *b);
            }
            TermData::ForAll { limit, body } => {
                let name = tau(binders);
                let quantifier = if negated { "∃" } else { "∀" };
                return (
                    Level::Quantifier,
                    vec![
                        text(format!("{quantifier}{name}<")),
                        at(*limit, Level::Atom),
                        text(": "),
                        Piece::Term(*body, Level::Quantifier, binders + 1, negated),
                    ],
                );
            }
            TermData::Not(a) if pool.width(term) == 1 && !negated => {
                return self.pieces(*a, binders, true);
            }
            TermData::Not(a) if pool.width(term) == 1 => return self.pieces(*a, binders, false),
            TermData::Binary(op @ (BinOp::And | BinOp::Or), ..) if pool.width(term) == 1 => {
                let conjunction = (*op == BinOp::And) != negated;
                let (level, sign, parts) = (
                    if conjunction { Level::And } else { Level::Or },
                    if conjunction { " ∧ " } else { " ∨ " },
                    if *op == BinOp::And {
                        pool.conjuncts(term)
                    } else {
                        pool.disjuncts(term)
                    },
                );
                let place = Level::ORDER[level as usize + 1];
                let mut pieces = Vec::new();
                for (position, part) in parts.into_iter().enumerate() {
                    if position > 0 {
                        pieces.push(text(sign));
                    }
                    pieces.push(Piece::Term(part, place, binders, negated));
                }
                return (level, pieces);
            }
            _ if negated => {
                return (
                    Level::Unary,
                    vec![text("¬"), Piece::Term(term, Level::Unary, binders, false)],
                );
            }
            _ => {}
        }
        match data {
            TermData::Symbol(symbol) => {
                let name = self.names.and_then(|names| names.get(symbol));
                let name = name.map_or_else(|| pool.symbol_name(*symbol), String::as_str);
                (Level::Atom, vec![text(name)])
            }
            TermData::Bound(index) => {
                let name = match binders.checked_sub(index + 1) {
                    Some(level) => tau(level),
                    None => format!("#{index}"),
                };
                (Level::Atom, vec![text(name)])
            }
            TermData::Sum { constant, terms } => self.sum(term, *constant, terms, binders),
            TermData::Binary(op, a, b) => match op {
                BinOp::Add => infix(Level::Sum, *a, "+", *b),
                BinOp::Sub => infix(Level::Sum, *a, "-", *b),
                BinOp::Mul => infix(Level::Product, *a, "*", *b),
                BinOp::UDiv => infix(Level::Product, *a, "/", *b),
                BinOp::SDiv => infix(Level::Product, *a, "/ₛ", *b),
                BinOp::URem => infix(Level::Product, *a, "%", *b),
                BinOp::SRem => infix(Level::Product, *a, "%ₛ", *b),
                BinOp::Shl => infix(Level::Shift, *a, "<<", *b),
                BinOp::LShr => infix(Level::Shift, *a, ">>", *b),
                BinOp::AShr => infix(Level::Shift, *a, ">>ₛ", *b),
                BinOp::And => infix(Level::Bits, *a, "&", *b),
                BinOp::Or => infix(Level::Bits, *a, "|", *b),
                BinOp::Xor => infix(Level::Bits, *a, "^", *b),
            },
            TermData::Not(a) => (Level::Unary, vec![text("~"), at(*a, Level::Unary)]),
            TermData::Cast(op, a) => {
                let name = if *op == CastOp::ZExt { "zext" } else { "sext" };
                call(format!("{name}{}", pool.width(term)), &[*a])
            }
            TermData::FloatBinary(op, a, b) => match op {
                FloatOp::Add => infix(Level::Sum, *a, "+.", *b),
                FloatOp::Sub => infix(Level::Sum, *a, "-.", *b),
                FloatOp::Mul => infix(Level::Product, *a, "*.", *b),
                FloatOp::Div => infix(Level::Product, *a, "/.", *b),
                FloatOp::Eq => infix(Level::Compare, *a, "=.", *b),
                FloatOp::Lt => infix(Level::Compare, *a, "<.", *b),
                FloatOp::Le => infix(Level::Compare, *a, "≤.", *b),
            },
            TermData::FloatCast(op, a) => {
                let width = pool.width(term);
                let name = match op {
                    FloatCast::Sqrt => "sqrt".into(),
                    FloatCast::Resize | FloatCast::FromSigned => format!("float{width}"),
                    FloatCast::FromUnsigned => format!("float{width}u"),
                    FloatCast::ToSigned => format!("int{width}"),
                    FloatCast::ToUnsigned => format!("uint{width}"),
                };
                call(name, &[*a])
            }
            TermData::Extract { low, of } => (
                Level::Atom,
                vec![
                    at(*of, Level::Atom),
                    text(format!("[{low}..{}]", low + pool.width(term))),
                ],
            ),
            TermData::Concat { high, low } => infix(Level::Bits, *high, "∘", *low),
            TermData::Ite(c, t, e) => call("ite".into(), &[*c, *t, *e]),
            TermData::Power { base, exponent } => (
                Level::Unary,
                vec![text(format!("{base}^")), at(*exponent, Level::Atom)],
            ),
            TermData::Select(array, index) => (
                Level::Atom,
                vec![
                    at(*array, Level::Atom),
                    text("("),
                    at(*index, Level::Quantifier),
                    text(")"),
                ],
            ),
            TermData::Store(array, index, value) => (
                Level::Atom,
                vec![
                    at(*array, Level::Atom),
                    text("["),
                    at(*index, Level::Quantifier),
                    text(" := "),
                    at(*value, Level::Quantifier),
                    text("]"),
                ],
            ),
            TermData::ConstArray(value) => (
                Level::Atom,
                vec![text("[_ := "), at(*value, Level::Quantifier), text("]")],
            ),
            TermData::Table(table) => {
                let is_bytes = matches!(pool.sort(term), Sort::Array { value: 8, .. });
                (Level::Atom, vec![text(table_text(table, is_bytes))])
            }
            TermData::SumBelow { limit, body } => (
                Level::Quantifier,
                vec![
                    text(format!("Σ{}<", tau(binders))),
                    at(*limit, Level::Atom),
                    text(": "),
                    Piece::Term(*body, Level::Quantifier, binders + 1, false),
                ],
            ),
            TermData::Lambda(body) => (
                Level::Quantifier,
                vec![
                    text(format!("λ{}: ", tau(binders))),
                    Piece::Term(*body, Level::Quantifier, binders + 1, false),
                ],
            ),
            TermData::Constant(_) | TermData::Compare(..) | TermData::ForAll { .. } => {
                unreachable!("shown above")
            }
        }
    }

    fn sum(
        &self,
        term: TermId,
        constant: u64,
        terms: &[(u64, TermId)],
        binders: u32,
    ) -> (Level, Vec<Piece>) {
        let width = self.pool.width(term);
        let mut pieces = Vec::new();
        let signed = |c: u64| word::signed(width, c);
        // A positive summand stands first, if there is one.
        let first = terms.iter().position(|(c, _)| signed(*c) > 0).unwrap_or(0);
        let order = std::iter::once(first).chain((0..terms.len()).filter(|i| *i != first));
        for position in order {
            let (coefficient, summand) = terms[position];
            let coefficient = signed(coefficient);
            let sign = match (pieces.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            pieces.push(text(sign));
            let place = match coefficient.unsigned_abs() {
                1 => Level::Product,
                size => {
                    pieces.push(text(format!("{size}*")));
                    Level::Unary
                }
            };
            pieces.push(Piece::Term(summand, place, binders, false));
        }
        match signed(constant) {
            0 => {}
            value if value < 0 => pieces.push(text(format!(" - {}", value.unsigned_abs()))),
            value => pieces.push(text(format!(" + {value}"))),
        }
        let level = if terms.len() == 1 && constant == 0 {
            Level::Product
        } else {
            Level::Sum
        };
        (level, pieces)
    }
}

impl Level {
    const ORDER: [Level; 10] = [
        Level::Quantifier,
        Level::Or,
        Level::And,
        Level::Compare,
        Level::Bits,
        Level::Shift,
        Level::Sum,
        Level::Product,
        Level::Unary,
        Level::Atom,
    ];
}

fn constant(value: &Bv, negated: bool) -> String {
    match (value.width(), value.is_zero() != negated) {
        (1, true) => "false".into(),
        (1, false) => "true".into(),
        _ => value.to_string(),
    }
}

/// Values of a table that are printed.
const MOST_VALUES: usize = 8;

/// The first values; bytes that are printable as a text.
fn table_text(table: &LookUpTable, is_bytes: bool) -> String {
    let values = table.values();
    let byte = |value: &u64| {
        u8::try_from(*value)
            .ok()
            .filter(|byte| (b' '..=b'~').contains(byte))
    };
    let characters: Option<String> = values
        .iter()
        .map(|value| byte(value).map(char::from))
        .collect();
    if let Some(characters) = characters.filter(|_| is_bytes && table.stride() == 1) {
        return format!("{characters:?}");
    }
    let mut text = String::from("{");
    for (position, value) in values.iter().take(MOST_VALUES).enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        let _ = write!(text, "{separator}{value}");
    }
    if values.len() > MOST_VALUES {
        let _ = write!(text, ", … {} values", values.len());
    }
    text + "}"
}
