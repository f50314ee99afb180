//! Reads the items of one line: steps, expressions, types, places.

use super::{NameKind, ParseError, ParseProblem, Scope, Symbol, Symbols};
use crate::text::lexer::{Line, Token};
use crate::text::names::{BINARY, BUILTINS, CASTS, COMPARE, FLOAT_BINARY, FLOAT_CASTS};
use crate::{Action, Callee, EndKind, Expr, FunctionId, GoalId, RegId, Span, Step};
use num_bigint::BigInt;
use term::{BinOp, Bv};

/// Widths beyond LLVM's limit are refused, so that a slip does not fill the memory.
const MAX_BITS: u32 = 1 << 23;

/// A place on a line.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    line: &'a Line,
    position: usize,
    symbols: &'a Symbols,
    scope: &'a Scope,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a Line, symbols: &'a Symbols, scope: &'a Scope) -> Cursor<'a> {
        Cursor {
            line,
            position: 0,
            symbols,
            scope,
        }
    }

    /// The same place, with other registers in scope.
    pub(super) fn with_scope<'b>(self, scope: &'b Scope) -> Cursor<'b>
    where
        'a: 'b,
    {
        Cursor {
            line: self.line,
            position: self.position,
            symbols: self.symbols,
            scope,
        }
    }

    fn peek(&self) -> Option<&'a Token> {
        self.line.tokens.get(self.position).map(|(token, _)| token)
    }

    pub(super) fn error(&self, problem: ParseProblem) -> ParseError {
        let token = self.line.tokens.get(self.position);
        let last = self.line.tokens.last();
        ParseError {
            line: self.line.number,
            column: token.or(last).map_or(0, |(_, column)| *column),
            problem,
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> ParseError {
        self.error(ParseProblem::Expected {
            expected,
            found: match self.peek() {
                Some(token) => token.to_string(),
                None => "the end of the line".to_owned(),
            },
        })
    }

    pub(super) fn at_end(&self) -> bool {
        self.position == self.line.tokens.len()
    }

    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.at_end() {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    pub(super) fn try_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.position += usize::from(found);
        found
    }

    pub(super) fn word(&mut self, word: &'static str) -> Result<(), ParseError> {
        if self.try_word(word) {
            Ok(())
        } else {
            Err(self.expected(word))
        }
    }

    pub(super) fn try_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(found)) if *found == symbol);
        self.position += usize::from(found);
        found
    }

    pub(super) fn symbol(&mut self, symbol: &'static str) -> Result<(), ParseError> {
        if self.try_symbol(symbol) {
            Ok(())
        } else {
            Err(self.expected(symbol))
        }
    }

    /// A word of a table, if the next token is one.
    fn try_one_of<T: Copy>(&mut self, table: &[(T, &str)]) -> Option<T> {
        let Some(Token::Word(word)) = self.peek() else {
            return None;
        };
        let found = table.iter().find(|(_, known)| known == word);
        self.position += usize::from(found.is_some());
        found.map(|(item, _)| *item)
    }

    pub(super) fn one_of<T: Copy>(
        &mut self,
        table: &[(T, &str)],
        expected: &'static str,
    ) -> Result<T, ParseError> {
        self.try_one_of(table)
            .ok_or_else(|| self.expected(expected))
    }

    /// A decimal number without sign.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Result<T, ParseError> {
        let number = match self.peek() {
            Some(Token::Word(word)) => word.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected("a number"))?;
        self.position += 1;
        Ok(number)
    }

    /// A string in quotes.
    pub(super) fn text(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            Some(Token::Text(text)) => {
                self.position += 1;
                Ok(text.clone())
            }
            _ => Err(self.expected("a string in quotes")),
        }
    }

    /// A string in quotes, if there is one.
    fn optional_text(&mut self) -> Result<Option<String>, ParseError> {
        match self.peek() {
            Some(Token::Text(_)) => self.text().map(Some),
            _ => Ok(None),
        }
    }

    /// The name of a location: a word or a string in quotes.
    pub(super) fn name(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            Some(Token::Word(name) | Token::Text(name)) => {
                self.position += 1;
                Ok(name.clone())
            }
            _ => Err(self.expected("the name of a location")),
        }
    }

    /// The name of a register.
    pub(super) fn reg_name(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            Some(Token::Reg(name)) => {
                self.position += 1;
                Ok(name.clone())
            }
            _ => Err(self.expected("a register")),
        }
    }

    /// The name of a function or global.
    pub(super) fn at(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            Some(Token::At(name)) => {
                self.position += 1;
                Ok(name.clone())
            }
            _ => Err(self.expected("`@` and a name")),
        }
    }

    fn at_symbol(&mut self, kind: NameKind) -> Result<Symbol, ParseError> {
        let place = self.clone();
        let name = self.at()?;
        self.symbols.get(&name).copied().ok_or_else(|| {
            place.error(ParseProblem::Unknown {
                kind,
                name: format!("@{name}"),
            })
        })
    }

    pub(super) fn function(&mut self) -> Result<FunctionId, ParseError> {
        let place = self.clone();
        match self.at_symbol(NameKind::Function)? {
            Symbol::Function(id) => Ok(id),
            Symbol::Global(_) => Err(place.expected("the name of a function")),
        }
    }

    /// A register in scope.
    fn reg(&mut self) -> Result<RegId, ParseError> {
        let place = self.clone();
        let name = self.reg_name()?;
        self.scope
            .reg(&name)
            .map_err(|problem| place.error(problem))
    }

    /// `i32` or `p32`: whether it is a pointer, and bits.
    pub(super) fn reg_type(&mut self) -> Result<(bool, u32), ParseError> {
        let found = match self.peek() {
            Some(Token::Word(word)) => match (word.strip_prefix('i'), word.strip_prefix('p')) {
                (Some(bits), _) => bits.parse().ok().map(|bits| (false, bits)),
                (None, Some(bits)) => bits.parse().ok().map(|bits| (true, bits)),
                (None, None) => None,
            },
            _ => None,
        };
        let found = found.ok_or_else(|| self.expected("a type like i32 or p32"))?;
        self.position += 1;
        Ok(found)
    }

    /// ` at 3:5 in 1`, or nothing.
    pub(super) fn span(&mut self) -> Result<Span, ParseError> {
        if !self.try_word("at") {
            return Ok(Span::UNKNOWN);
        }
        let line = self.number()?;
        self.symbol(":")?;
        let column = self.number()?;
        let file = if self.try_word("in") {
            self.number()?
        } else {
            0
        };
        Ok(Span { file, line, column })
    }

    /// ` to 9`, or nothing.
    pub(super) fn loop_end(&mut self) -> Result<Option<u32>, ParseError> {
        if self.try_word("to") {
            self.number().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Steps to the end of the line, with `;` between them.
    pub(super) fn steps(&mut self) -> Result<Vec<Step>, ParseError> {
        let mut steps = Vec::new();
        loop {
            let action = self.action()?;
            let span = self.span()?;
            steps.push(Step { action, span });
            if !self.try_symbol(";") {
                self.end()?;
                return Ok(steps);
            }
        }
    }

    fn action(&mut self) -> Result<Action, ParseError> {
        if matches!(self.peek(), Some(Token::Reg(_))) {
            let dst = self.reg()?;
            self.symbol("=")?;
            return self.assignment(dst);
        }
        if let Some(action) = self.call_or_builtin(None)? {
            return Ok(action);
        }
        if self.try_word("assume") {
            Ok(Action::Assume(self.expr()?))
        } else if self.try_word("skip") {
            Ok(Action::Assign(Vec::new()))
        } else if self.try_word("store") {
            let value = self.expr()?;
            self.word("to")?;
            let address = self.expr()?;
            Ok(Action::Store { address, value })
        } else if self.try_word("return") {
            let at_span = matches!(self.peek(), Some(Token::Word(word)) if word == "at");
            let void = self.at_end() || at_span || self.peek() == Some(&Token::Symbol(";"));
            Ok(Action::Return(if void { None } else { Some(self.expr()?) }))
        } else if self.try_word("target") {
            Ok(Action::Target)
        } else if self.try_word("cut") {
            Ok(Action::Cut)
        } else if self.try_word("goal") {
            Ok(Action::Goal(GoalId(self.number()?)))
        } else if self.try_word("end") {
            Ok(Action::End(
                self.one_of(EndKind::WORDS, "how the path ends")?,
            ))
        } else if self.try_word("unsupported") {
            Ok(Action::Unsupported(self.text()?))
        } else {
            Err(self.expected("a step"))
        }
    }

    /// `align 16`, or nothing for 1.
    pub fn align(&mut self) -> Result<u64, ParseError> {
        if self.try_word("align") {
            self.number()
        } else {
            Ok(1)
        }
    }

    /// What is after `%dst =`.
    fn assignment(&mut self, dst: RegId) -> Result<Action, ParseError> {
        if let Some(action) = self.call_or_builtin(Some(dst))? {
            return Ok(action);
        }
        if self.try_word("load") {
            let address = self.expr()?;
            return Ok(Action::Load { dst, address });
        }
        if self.try_word("alloca") {
            let bytes = self.expr()?;
            let align = self.align()?;
            let name = self.text()?;
            return Ok(Action::Alloca {
                dst,
                bytes,
                align,
                name,
            });
        }
        if self.try_word("input") {
            let name = self.text()?;
            let call = if self.try_word("of") {
                Some(self.text()?)
            } else {
                None
            };
            let unwritten = self.try_word("unwritten");
            return Ok(Action::Input {
                dst,
                name,
                call,
                unwritten,
            });
        }
        let mut pairs = vec![(dst, self.expr()?)];
        while self.try_symbol(",") {
            let dst = self.reg()?;
            self.symbol("=")?;
            pairs.push((dst, self.expr()?));
        }
        Ok(Action::Assign(pairs))
    }

    fn call_or_builtin(&mut self, dst: Option<RegId>) -> Result<Option<Action>, ParseError> {
        if let Some(builtin) = self.try_one_of(&BUILTINS) {
            let args = self.args()?;
            let name = self.optional_text()?;
            return Ok(Some(Action::Builtin {
                dst,
                builtin,
                args,
                name,
            }));
        }
        if !self.try_word("call") {
            return Ok(None);
        }
        let callee = if self.try_symbol("*") {
            Callee::Indirect(self.operand()?)
        } else {
            Callee::Direct(self.function()?)
        };
        let args = self.args()?;
        Ok(Some(Action::Call { dst, callee, args }))
    }

    fn args(&mut self) -> Result<Vec<Expr>, ParseError> {
        let mut args = Vec::new();
        self.symbol("(")?;
        while !self.try_symbol(")") {
            if !args.is_empty() {
                self.symbol(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(args)
    }

    /// An operand, or two with an operator between them.
    pub(super) fn expr(&mut self) -> Result<Expr, ParseError> {
        let left = self.operand()?;
        let binary = self.try_operator(&BINARY);
        let compare = match binary {
            Some(_) => None,
            None => self.try_operator(&COMPARE),
        };
        if binary.is_none() && compare.is_none() {
            return Ok(left);
        }
        let (left, right) = (Box::new(left), Box::new(self.operand()?));
        Ok(match (binary, compare) {
            (Some(op), _) => Expr::Binary(op, left, right),
            (None, Some(op)) => Expr::Compare(op, left, right),
            (None, None) => unreachable!("returned above"),
        })
    }

    fn try_operator<T: Copy>(&mut self, table: &[(T, &str)]) -> Option<T> {
        let found = match self.peek()? {
            Token::Word(word) => word.as_str(),
            Token::Symbol(symbol) => symbol,
            Token::Text(_) | Token::Reg(_) | Token::At(_) => return None,
        };
        let op = table.iter().find(|(_, known)| *known == found);
        self.position += usize::from(op.is_some());
        op.map(|(op, _)| *op)
    }

    /// `(expression, bits)`.
    fn cast_operands(&mut self) -> Result<(Box<Expr>, u32), ParseError> {
        self.symbol("(")?;
        let inner = Box::new(self.expr()?);
        self.symbol(",")?;
        let bits = self.number()?;
        self.symbol(")")?;
        Ok((inner, bits))
    }

    fn operand(&mut self) -> Result<Expr, ParseError> {
        if self.try_symbol("(") {
            let expr = self.expr()?;
            self.symbol(")")?;
            return Ok(expr);
        }
        if self.try_symbol("!") {
            let inner = Box::new(self.operand()?);
            return Ok(Expr::Binary(BinOp::Xor, inner, Box::new(Expr::truth(true))));
        }
        if let Some(op) = self.try_one_of(&CASTS) {
            let (inner, bits) = self.cast_operands()?;
            return Ok(Expr::Cast(op, bits, inner));
        }
        if let Some(op) = self.try_one_of(&FLOAT_CASTS) {
            let (inner, bits) = self.cast_operands()?;
            return Ok(Expr::FloatCast(op, bits, inner));
        }
        if let Some(op) = self.try_one_of(&FLOAT_BINARY) {
            self.symbol("(")?;
            let left = Box::new(self.expr()?);
            self.symbol(",")?;
            let right = Box::new(self.expr()?);
            self.symbol(")")?;
            return Ok(Expr::FloatBinary(op, left, right));
        }
        if self.try_word("ite") {
            self.symbol("(")?;
            let condition = Box::new(self.expr()?);
            self.symbol(",")?;
            let then = Box::new(self.expr()?);
            self.symbol(",")?;
            let otherwise = Box::new(self.expr()?);
            self.symbol(")")?;
            return Ok(Expr::Ite(condition, then, otherwise));
        }
        if let Some(value) = self.try_one_of(&[(true, "true"), (false, "false")]) {
            return Ok(Expr::truth(value));
        }
        match self.peek() {
            Some(Token::Reg(_)) => Ok(Expr::Reg(self.reg()?)),
            Some(Token::At(_)) => Ok(match self.at_symbol(NameKind::FunctionOrGlobal)? {
                Symbol::Function(id) => Expr::Function(id),
                Symbol::Global(id) => Expr::Global(id),
            }),
            Some(Token::Word(_) | Token::Symbol("-")) => self.constant().map(Expr::Const),
            Some(Token::Symbol(_) | Token::Text(_)) | None => Err(self.expected("an expression")),
        }
    }

    /// `value:bits`.
    fn constant(&mut self) -> Result<Bv, ParseError> {
        let place = self.clone();
        let negative = self.try_symbol("-");
        let magnitude: BigInt = self.number()?;
        let value = if negative { -magnitude } else { magnitude };
        self.symbol(":")?;
        let bits_place = self.clone();
        let bits: u32 = self.number()?;
        if !(1..=MAX_BITS).contains(&bits) {
            return Err(bits_place.expected("a number of bits"));
        }
        let constant = Bv::from_bigint(bits, &value);
        // Signed and unsigned values are accepted, but no others.
        if constant.to_bigint() == value || BigInt::from(constant.to_biguint()) == value {
            Ok(constant)
        } else {
            Err(place.error(ParseProblem::TooLarge {
                value: value.to_string(),
                bits,
            }))
        }
    }
}
