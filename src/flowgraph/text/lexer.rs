//! Lines of tokens.

use super::names::is_word_char;
use super::parse::{ParseError, ParseProblem};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters, digits and `_.$#`: keywords, numbers, names of locations.
    Word(String),
    /// A string in quotes, unescaped.
    Text(String),
    /// `%name`.
    Reg(String),
    /// `@name`.
    At(String),
    Symbol(&'static str),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "{word}"),
            Token::Text(text) => write!(f, "\"{text}\""),
            Token::Reg(name) => write!(f, "%{name}"),
            Token::At(name) => write!(f, "@{name}"),
            Token::Symbol(symbol) => write!(f, "{symbol}"),
        }
    }
}

/// Longer symbols before those that they begin with.
const SYMBOLS: [&str; 32] = [
    ">>u", ">>s", "<=u", "<=s", ">=u", ">=s", "<<", "<u", "<s", ">u", ">s", "==", "!=", "->", "+",
    "-", "*", "&", "|", "^", "!", "=", ":", ",", ";", "(", ")", "{", "}", "[", "]", "/",
];

/// A line that is not empty: its tokens with their columns, counted from 1.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u32,
    pub(super) tokens: Vec<(Token, u32)>,
}

/// Cuts a text into lines of tokens; comments and empty lines are dropped.
pub(super) fn lines(text: &str) -> Result<Vec<Line>, ParseError> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let tokens = Lexer {
            number,
            rest: line,
            column: 1,
        }
        .tokens()?;
        if !tokens.is_empty() {
            found.push(Line { number, tokens });
        }
    }
    Ok(found)
}

struct Lexer<'a> {
    number: u32,
    rest: &'a str,
    column: u32,
}

impl Lexer<'_> {
    fn tokens(mut self) -> Result<Vec<(Token, u32)>, ParseError> {
        let mut tokens = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if c.is_whitespace() {
                self.advance();
                continue;
            }
            if self.rest.starts_with("//") {
                break;
            }
            let column = self.column;
            let token = match c {
                '%' => {
                    self.advance();
                    Token::Reg(self.name()?)
                }
                '@' => {
                    self.advance();
                    Token::At(self.name()?)
                }
                '"' => Token::Text(self.quoted()?),
                c if is_word_char(c) => Token::Word(self.word()),
                _ => match SYMBOLS
                    .iter()
                    .find(|symbol| self.rest.starts_with(**symbol))
                {
                    Some(symbol) => {
                        symbol.chars().for_each(|_| self.advance());
                        Token::Symbol(symbol)
                    }
                    None => return Err(self.error(ParseProblem::Character(c))),
                },
            };
            tokens.push((token, column));
        }
        Ok(tokens)
    }

    fn advance(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
        self.column += 1;
    }

    fn error(&self, problem: ParseProblem) -> ParseError {
        ParseError {
            line: self.number,
            column: self.column,
            problem,
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.chars().next().filter(|&c| is_word_char(c)) {
            word.push(c);
            self.advance();
        }
        word
    }

    /// A word or a string in quotes.
    fn name(&mut self) -> Result<String, ParseError> {
        if self.rest.starts_with('"') {
            return self.quoted();
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.error(ParseProblem::EmptyName));
        }
        Ok(word)
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let mut text = String::new();
        self.advance();
        loop {
            match self.rest.chars().next() {
                None => return Err(self.error(ParseProblem::Unterminated)),
                Some('"') => {
                    self.advance();
                    return Ok(text);
                }
                Some('\\') => {
                    self.advance();
                    text.push(self.escape()?);
                }
                Some(c) => {
                    self.advance();
                    text.push(c);
                }
            }
        }
    }

    /// What is after a backslash: `"`, `\` or `u{hex}`.
    fn escape(&mut self) -> Result<char, ParseError> {
        if let Some(c @ ('"' | '\\')) = self.rest.chars().next() {
            self.advance();
            return Ok(c);
        }
        let escaped = self
            .rest
            .strip_prefix("u{")
            .and_then(|rest| rest.split_once('}'))
            .and_then(|(hex, _)| {
                let code = u32::from_str_radix(hex, 16).ok()?;
                Some((char::from_u32(code)?, hex.len()))
            });
        let Some((c, digits)) = escaped else {
            return Err(self.error(ParseProblem::Escape));
        };
        for _ in 0..digits + "u{}".len() {
            self.advance();
        }
        Ok(c)
    }
}
