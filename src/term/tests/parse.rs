//! Reads the exact text of terms; the form is in the head of [`super::text`].

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use thiserror::Error;

use super::text::{BINARY, COMPARE, FLOAT_BINARY, FLOAT_CAST, is_bare};
use crate::float;
use crate::pool::{Map, TermData};
use crate::{Bv, CastOp, LookUpTable, Sort, TermId, TermPool};

/// Widths above this are refused, so that a few bytes of text do not fill the memory.
const MAX_WIDTH: u32 = 1 << 16;

/// Why a text is not a term. All positions are byte offsets.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// A token that cannot stand here.
    #[error("unexpected {found:?} at byte {at}, expected {expected}")]
    Unexpected {
        /// Where.
        at: usize,
        /// The token.
        found: String,
        /// What could have stood there.
        expected: &'static str,
    },
    /// The text ends within a term.
    #[error("unexpected end of text, expected {expected}")]
    End {
        /// What could have followed.
        expected: &'static str,
    },
    /// A symbol or `%n` that was not declared.
    #[error("unknown name {name:?} at byte {at}")]
    UnknownName {
        /// Where.
        at: usize,
        /// The name.
        name: String,
    },
    /// No operator of this name with these operands.
    #[error("operator {operator:?} at byte {at} does not take these operands")]
    Operands {
        /// Where its list begins.
        at: usize,
        /// The operator.
        operator: String,
    },
    /// A symbol that the pool has with another sort.
    #[error("symbol {name:?} has sort {known}, not {declared}")]
    OtherSort {
        /// The symbol.
        name: String,
        /// Sort in the pool.
        known: Sort,
        /// Sort in the text.
        declared: Sort,
    },
    /// A bound variable outside of its quantifier.
    #[error("a bound variable is outside of its quantifier")]
    Unbound,
}

impl TermPool {
    /// Reads a term in the form of [`TermPool::to_text`]. Terms are built by the constructors, so
    /// that any text of this form gives a term in canonical form.
    ///
    /// # Errors
    /// A [`ParseError`] with the place; the pool may then hold new terms and symbols.
    pub fn parse(&mut self, text: &str) -> Result<TermId, ParseError> {
        Parser {
            pool: self,
            text,
            at: 0,
            definitions: Map::default(),
        }
        .text()
    }
}

fn operator<T: Copy>(table: &[(&'static str, T)], name: &str) -> Option<T> {
    table
        .iter()
        .find(|(found, _)| *found == name)
        .map(|(_, op)| *op)
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Open,
    Close,
    Punctuation(char),
    Number(BigUint),
    Value(Bv),
    Bound(u32, u32),
    Definition(String),
    Word(String),
}

enum Item {
    Term(TermId),
    Number(BigUint),
    Summand(u64, TermId),
}

struct List {
    at: usize,
    operator: Option<String>,
    items: Vec<Item>,
}

struct Parser<'a> {
    pool: &'a mut TermPool,
    text: &'a str,
    at: usize,
    definitions: Map<String, TermId>,
}

impl Parser<'_> {
    fn text(&mut self) -> Result<TermId, ParseError> {
        loop {
            let before = self.at;
            match self.token()? {
                Some((_, Token::Word(word))) if word == "symbol" && self.declares() => {
                    self.declaration()?;
                }
                Some((_, Token::Word(word))) if word == "let" && self.declares() => {
                    let (at, token) = self.expect("a name %n")?;
                    let Token::Definition(name) = token else {
                        return Err(unexpected(at, &token, "a name %n"));
                    };
                    self.punctuation('=')?;
                    let term = self.term()?;
                    self.punctuation(';')?;
                    self.definitions.insert(name, term);
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        let term = self.term()?;
        if let Some((at, token)) = self.token()? {
            return Err(unexpected(at, &token, "the end"));
        }
        if self.pool.is_closed(term) {
            Ok(term)
        } else {
            Err(ParseError::Unbound)
        }
    }

    /// True iff `symbol` or `let` is a keyword here, and not the name of a symbol.
    fn declares(&self) -> bool {
        !self.text[self.at..].trim_start().is_empty()
    }

    fn declaration(&mut self) -> Result<(), ParseError> {
        let (at, token) = self.expect("a name")?;
        let Token::Word(name) = token else {
            return Err(unexpected(at, &token, "a name"));
        };
        let (at, token) = self.expect("a sort")?;
        let declared = match token {
            Token::Number(width) => Sort::Bv(width_of(at, &width)?),
            Token::Punctuation('[') => {
                let index = self.width()?;
                self.punctuation(']')?;
                Sort::Array {
                    index,
                    value: self.width()?,
                }
            }
            _ => return Err(unexpected(at, &token, "a sort")),
        };
        self.punctuation(';')?;
        match self.pool.symbol_named(&name) {
            Some(symbol) => {
                let known = self.pool.symbol_sort(symbol);
                if known != declared {
                    return Err(ParseError::OtherSort {
                        name,
                        known,
                        declared,
                    });
                }
            }
            None => {
                self.pool.symbol(&name, declared);
            }
        }
        Ok(())
    }

    fn width(&mut self) -> Result<u32, ParseError> {
        let (at, token) = self.expect("a width")?;
        match token {
            Token::Number(width) => width_of(at, &width),
            _ => Err(unexpected(at, &token, "a width")),
        }
    }

    fn punctuation(&mut self, wanted: char) -> Result<(), ParseError> {
        let (at, token) = self.expect("punctuation")?;
        if token == Token::Punctuation(wanted) {
            Ok(())
        } else {
            Err(unexpected(at, &token, "punctuation"))
        }
    }

    fn expect(&mut self, expected: &'static str) -> Result<(usize, Token), ParseError> {
        self.token()?.ok_or(ParseError::End { expected })
    }

    /// The next token and where it begins.
    fn token(&mut self) -> Result<Option<(usize, Token)>, ParseError> {
        let rest = &self.text[self.at..];
        let at = self.at + (rest.len() - rest.trim_start().len());
        let mut chars = self.text[at..].chars();
        let Some(first) = chars.next() else {
            return Ok(None);
        };
        let after = at + first.len_utf8();
        let token = match first {
            '(' => (after, Token::Open),
            ')' => (after, Token::Close),
            '[' | ']' | '=' | ';' => (after, Token::Punctuation(first)),
            '|' => {
                let mut name = String::new();
                let mut end = after;
                loop {
                    let c = chars.next().ok_or(ParseError::End { expected: "a bar" })?;
                    end += c.len_utf8();
                    match c {
                        '|' => break,
                        '\\' => {
                            let c = chars.next().ok_or(ParseError::End { expected: "a bar" })?;
                            end += c.len_utf8();
                            name.push(c);
                        }
                        _ => name.push(c),
                    }
                }
                (end, Token::Word(name))
            }
            '%' => {
                let end = self.span(after, |c| c.is_ascii_digit());
                (end, Token::Definition(self.text[after..end].to_owned()))
            }
            '#' => {
                let end = self.span(after, |c| c.is_ascii_digit() || c == ':');
                let bound = self.text[after..end]
                    .split_once(':')
                    .and_then(|(index, width)| {
                        let width = width.parse().ok().filter(|w| (1..=MAX_WIDTH).contains(w))?;
                        Some(Token::Bound(
                            index.parse().ok().filter(|i| *i < 1 << 16)?,
                            width,
                        ))
                    });
                let token = bound.ok_or_else(|| ParseError::Unexpected {
                    at,
                    found: self.text[at..end].to_owned(),
                    expected: "#index:width",
                })?;
                (end, token)
            }
            c if c.is_ascii_digit() => {
                let end = self.span(at, |c| c.is_ascii_digit() || c == ':');
                let number = |digits: &str| BigUint::parse_bytes(digits.as_bytes(), 10);
                let wrong = || ParseError::Unexpected {
                    at,
                    found: self.text[at..end].to_owned(),
                    expected: "a number or value:width",
                };
                let token = match self.text[at..end].split_once(':') {
                    None => Token::Number(number(&self.text[at..end]).ok_or_else(wrong)?),
                    Some((value, width)) => {
                        let width = width_of(at, &number(width).ok_or_else(wrong)?)?;
                        let value = number(value).ok_or_else(wrong)?;
                        if value.bits() > u64::from(width) {
                            return Err(wrong());
                        }
                        Token::Value(Bv::from_biguint(width, &value))
                    }
                };
                (end, token)
            }
            c if is_bare(c) => {
                // Operators have hyphens too.
                let end = self.span(at, |c| is_bare(c) || c == '-');
                (end, Token::Word(self.text[at..end].to_owned()))
            }
            _ => {
                return Err(ParseError::Unexpected {
                    at,
                    found: first.to_string(),
                    expected: "a term",
                });
            }
        };
        self.at = token.0;
        Ok(Some((at, token.1)))
    }

    fn span(&self, from: usize, inside: impl Fn(char) -> bool) -> usize {
        let rest = &self.text[from..];
        from + rest.find(|c| !inside(c)).unwrap_or(rest.len())
    }

    fn term(&mut self) -> Result<TermId, ParseError> {
        let mut lists: Vec<List> = Vec::new();
        loop {
            let (at, token) = self.expect("a term")?;
            let item = match token {
                Token::Open => {
                    let (_, first) = self.expect("an operator")?;
                    let (operator, items) = match first {
                        Token::Word(operator) => (Some(operator), vec![]),
                        Token::Number(coefficient) => (None, vec![Item::Number(coefficient)]),
                        _ => return Err(unexpected(at, &first, "an operator")),
                    };
                    lists.push(List {
                        at,
                        operator,
                        items,
                    });
                    continue;
                }
                Token::Close => {
                    let Some(list) = lists.pop() else {
                        return Err(unexpected(at, &Token::Close, "a term"));
                    };
                    let (at, operator) = (list.at, list.operator.clone().unwrap_or_default());
                    self.apply(list)
                        .ok_or(ParseError::Operands { at, operator })?
                }
                Token::Number(number) => Item::Number(number),
                Token::Value(value) => Item::Term(self.pool.constant(&value)),
                Token::Bound(index, width) => {
                    Item::Term(self.pool.intern(TermData::Bound(index), Sort::Bv(width)))
                }
                Token::Definition(name) => match self.definitions.get(&name) {
                    Some(term) => Item::Term(*term),
                    None => {
                        return Err(ParseError::UnknownName {
                            at,
                            name: format!("%{name}"),
                        });
                    }
                },
                Token::Word(name) => match self.pool.symbol_named(&name) {
                    Some(symbol) => Item::Term(self.pool.symbol_term(symbol)),
                    None => return Err(ParseError::UnknownName { at, name }),
                },
                Token::Punctuation(_) => return Err(unexpected(at, &token, "a term")),
            };
            match (lists.last_mut(), item) {
                (Some(list), item) => list.items.push(item),
                (None, Item::Term(term)) => return Ok(term),
                (None, _) => {
                    return Err(ParseError::Unexpected {
                        at,
                        found: self.text[at..self.at].to_owned(),
                        expected: "a term",
                    });
                }
            }
        }
    }

    /// The term of a list; `None` when the operands do not fit the operator.
    fn apply(&mut self, list: List) -> Option<Item> {
        let Some(operator_name) = list.operator else {
            return match list.items.as_slice() {
                [Item::Number(coefficient), Item::Term(term)] => {
                    Some(Item::Summand(coefficient.to_u64()?, *term))
                }
                _ => None,
            };
        };
        let name = operator_name.as_str();
        let mut numbers = Vec::new();
        let mut terms = Vec::new();
        let mut summands = Vec::new();
        for item in list.items {
            match item {
                Item::Number(number) if terms.is_empty() => numbers.push(number.to_u32()?),
                Item::Term(term) if summands.is_empty() => terms.push(term),
                Item::Summand(coefficient, term) => summands.push((coefficient, term)),
                Item::Number(_) | Item::Term(_) => return None,
            }
        }
        if !summands.is_empty() && name != "sum" {
            return None;
        }
        let pool = &mut *self.pool;
        let bits = |pool: &TermPool, term: TermId| match pool.sort(term) {
            Sort::Bv(width) => Some(width),
            Sort::Array { .. } => None,
        };
        let array = |pool: &TermPool, term: TermId| match pool.sort(term) {
            Sort::Array { index, value } => Some((index, value)),
            Sort::Bv(_) => None,
        };
        let term = match (name, numbers.as_slice(), terms.as_slice()) {
            ("sum", [], &[constant]) => {
                let width = bits(pool, constant).filter(|width| *width <= 64)?;
                let constant = pool.as_u64(constant)?;
                if summands
                    .iter()
                    .any(|(_, t)| pool.sort(*t) != Sort::Bv(width))
                {
                    return None;
                }
                pool.sum_of(width, constant, summands.into_iter())
            }
            (_, [], &[a, b]) if operator(&BINARY, name).is_some() => {
                (bits(pool, a)? == bits(pool, b)?).then_some(())?;
                pool.binary(operator(&BINARY, name)?, a, b)
            }
            (_, [], &[a, b]) if operator(&COMPARE, name).is_some() => {
                (bits(pool, a)? == bits(pool, b)?).then_some(())?;
                pool.compare(operator(&COMPARE, name)?, a, b)
            }
            (_, [], &[a, b]) if operator(&FLOAT_BINARY, name).is_some() => {
                let width = bits(pool, a)?;
                (float::is_format(width) && bits(pool, b)? == width).then_some(())?;
                pool.float_binary(operator(&FLOAT_BINARY, name)?, a, b)
            }
            (_, &[width], &[a]) if operator(&FLOAT_CAST, name).is_some() => {
                let op = operator(&FLOAT_CAST, name)?;
                (width >= 1 && op.takes(bits(pool, a)?, width)).then_some(())?;
                pool.float_cast(op, width, a)
            }
            ("not", [], &[a]) => {
                bits(pool, a)?;
                pool.not(a)
            }
            ("zext" | "sext", &[width], &[a]) => {
                (width <= MAX_WIDTH && bits(pool, a)? <= width).then_some(())?;
                pool.cast(
                    if name == "zext" {
                        CastOp::ZExt
                    } else {
                        CastOp::SExt
                    },
                    width,
                    a,
                )
            }
            ("extract", &[low, width], &[a]) => {
                let whole = bits(pool, a)?;
                (width >= 1 && low.checked_add(width)? <= whole).then_some(())?;
                pool.extract(low, width, a)
            }
            ("concat", [], &[high, low]) => {
                (bits(pool, high)? + bits(pool, low)? <= MAX_WIDTH).then_some(())?;
                pool.concat(high, low)
            }
            ("ite", [], &[c, t, e]) => {
                (bits(pool, c)? == 1 && pool.sort(t) == pool.sort(e)).then_some(())?;
                pool.ite(c, t, e)
            }
            ("pow", [], &[base, exponent]) => {
                bits(pool, exponent)?;
                let base = pool.as_const(base)?;
                pool.power(&base, exponent)
            }
            ("select", [], &[from, index]) => {
                (array(pool, from)?.0 == bits(pool, index)?).then_some(())?;
                pool.select(from, index)
            }
            ("store", [], &[to, index, value]) => {
                let sorts = (bits(pool, index)?, bits(pool, value)?);
                (array(pool, to)? == sorts).then_some(())?;
                pool.store(to, index, value)
            }
            ("const-array", &[index_bits], &[value]) => {
                bits(pool, value)?;
                (1..=MAX_WIDTH).contains(&index_bits).then_some(())?;
                pool.const_array(index_bits, value)
            }
            ("table", &[index_bits, value_bits, stride], values) => {
                let values: Option<Vec<u64>> = values.iter().map(|v| pool.as_u64(*v)).collect();
                let stride = u64::from(stride);
                (stride.is_power_of_two() && (1..=64).contains(&index_bits)).then_some(())?;
                (1..=64).contains(&value_bits).then_some(())?;
                pool.table(index_bits, value_bits, LookUpTable::new(stride, values?))
            }
            ("lambda", &[index_bits], &[body]) => {
                bits(pool, body)?;
                (1..=MAX_WIDTH).contains(&index_bits).then_some(())?;
                has_bound_width(pool, body, index_bits).then_some(())?;
                pool.lambda_bound(index_bits, body)
            }
            ("forall", [], &[limit, body]) => {
                (bits(pool, body)? == 1).then_some(())?;
                let width = bits(pool, limit)?;
                has_bound_width(pool, body, width).then_some(())?;
                pool.forall_bound(limit, body)
            }
            ("sum-below", [], &[limit, body]) => {
                bits(pool, body)?;
                let width = bits(pool, limit)?;
                has_bound_width(pool, body, width).then_some(())?;
                pool.sum_bound(limit, body)
            }
            _ => return None,
        };
        Some(Item::Term(term))
    }
}

/// True iff every use of the variable that a new binder around `body` would bind has this width.
fn has_bound_width(pool: &TermPool, body: TermId, width: u32) -> bool {
    let mut seen: Map<(TermId, u32), ()> = Map::default();
    let mut stack = vec![(body, 0)];
    while let Some((term, depth)) = stack.pop() {
        if !pool.may_mention_bound(term, depth) || seen.insert((term, depth), ()).is_some() {
            continue;
        }
        match pool.data(term) {
            Some(TermData::Bound(index)) => {
                if *index == depth && pool.width(term) != width {
                    return false;
                }
            }
            _ => pool.for_each_child(term, |child, binders| stack.push((child, depth + binders))),
        }
    }
    true
}

fn width_of(at: usize, width: &BigUint) -> Result<u32, ParseError> {
    width
        .to_u32()
        .filter(|width| (1..=MAX_WIDTH).contains(width))
        .ok_or_else(|| ParseError::Unexpected {
            at,
            found: width.to_string(),
            expected: "a width",
        })
}

fn unexpected(at: usize, token: &Token, expected: &'static str) -> ParseError {
    ParseError::Unexpected {
        at,
        found: format!("{token:?}"),
        expected,
    }
}
