//! C source text: tokens and their places.
//!
//! Debug information names the place where a call begins; the witness format wants its closing
//! parenthesis, the statement after a declaration, or the keyword of a loop. A target that clang
//! leaves out stands in the text only. This module knows tokens, brackets and the shape of function
//! definitions, no grammar.
//!
//! # Invariants
//! - Lines and columns count from 1, columns in bytes, as clang's do.
//! - Comments, preprocessor lines and the inside of literals are no tokens.

use std::ops::Range;
use std::path::Path;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    /// A number, string or character.
    Literal,
    /// One character of punctuation.
    Mark(u8),
}

/// A token: bytes `start..end` of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// A definition of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionText {
    pub name: String,
    /// The tokens of its body, braces included, by index.
    pub body: Range<usize>,
}

/// The text of a C file with its tokens.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub text: String,
    line_starts: Vec<usize>,
    pub tokens: Vec<Token>,
    pub functions: Vec<FunctionText>,
    /// For each token that is a bracket, the index of its partner.
    partners: Vec<Option<usize>>,
}

impl SourceText {
    /// Reads a file; bytes that are not UTF-8 become other characters.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(path: &Path) -> std::io::Result<SourceText> {
        let bytes = std::fs::read(path)?;
        Ok(SourceText::new(
            String::from_utf8_lossy(&bytes).into_owned(),
        ))
    }

    /// Reads the tokens of a text.
    #[must_use]
    pub fn new(text: String) -> SourceText {
        let mut line_starts = vec![0];
        line_starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let tokens = tokens(text.as_bytes());
        let partners = partners(&tokens);
        let functions = functions(&text, &tokens, &partners);
        SourceText {
            text,
            line_starts,
            tokens,
            functions,
            partners,
        }
    }

    /// The byte at a place, if the text has it.
    #[must_use]
    pub fn offset(&self, position: Position) -> Option<usize> {
        let start = *self
            .line_starts
            .get(usize::try_from(position.line).ok()?.checked_sub(1)?)?;
        let offset = start + usize::try_from(position.column.max(1)).ok()? - 1;
        (offset <= self.text.len()).then_some(offset)
    }

    /// The place of a byte.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let column = offset - self.line_starts[line - 1] + 1;
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The text of a token.
    #[must_use]
    pub fn word(&self, token: usize) -> &str {
        self.tokens
            .get(token)
            .map_or("", |token| &self.text[token.start..token.end])
    }

    /// Whether the token is this mark.
    #[must_use]
    pub fn is_mark(&self, token: usize, mark: u8) -> bool {
        let kind = self.tokens.get(token).map(|token| token.kind);
        kind == Some(TokenKind::Mark(mark))
    }

    /// Whether the token is this name, and this mark stands behind it: `f(`, `label:`.
    #[must_use]
    pub fn is_name_before(&self, token: usize, name: &str, mark: u8) -> bool {
        self.word(token) == name && self.is_mark(token + 1, mark)
    }

    /// Whether the name stands somewhere with this mark behind it.
    #[must_use]
    pub fn has_name_before(&self, name: &str, mark: u8) -> bool {
        (0..self.tokens.len()).any(|token| self.is_name_before(token, name, mark))
    }

    /// The line of a token.
    #[must_use]
    pub fn line(&self, token: usize) -> u32 {
        self.position(self.tokens[token].start).line
    }

    /// The tokens of a line from this one on.
    pub fn rest_of_line(&self, token: usize) -> impl Iterator<Item = usize> + Clone {
        let line = self.line(token);
        (token..self.tokens.len()).take_while(move |at| self.line(*at) == line)
    }

    /// The first token that begins at a place or behind it, on the same line.
    #[must_use]
    pub fn token_at(&self, position: Position) -> Option<usize> {
        let offset = self.offset(position)?;
        let token = self.tokens.partition_point(|token| token.start < offset);
        let found = self.tokens.get(token)?;
        (self.position(found.start).line == position.line).then_some(token)
    }

    /// The other bracket of a pair.
    #[must_use]
    pub fn partner(&self, token: usize) -> Option<usize> {
        self.partners.get(token).copied().flatten()
    }

    /// The definition of a function.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&FunctionText> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The function around a token.
    #[must_use]
    pub fn function_around(&self, token: usize) -> Option<&FunctionText> {
        self.functions
            .iter()
            .find(|function| function.body.contains(&token))
    }

    /// The opening brackets around a token, the innermost first.
    pub fn brackets_around(&self, token: usize) -> impl Iterator<Item = usize> {
        let encloses = move |open: &usize| self.partner(*open).is_some_and(|close| close > token);
        (0..token).rev().filter(encloses)
    }

    /// Whether there are parentheses around a token.
    #[must_use]
    pub fn is_in_parentheses(&self, token: usize) -> bool {
        self.brackets_around(token)
            .any(|open| self.is_mark(open, b'('))
    }

    /// Whether the next token follows without a space: marks that touch are one operator.
    #[must_use]
    pub fn touches_next(&self, token: usize) -> bool {
        let next = self.tokens.get(token + 1);
        next.is_some_and(|next| self.tokens[token].end == next.start)
    }

    /// The closing parenthesis of the call of the function whose name is this token.
    #[must_use]
    pub fn named_call(&self, token: usize) -> Option<usize> {
        let is_member =
            token > 0 && (self.is_mark(token - 1, b'.') || self.is_mark(token - 1, b'>'));
        let is_keyword = matches!(
            self.word(token),
            "if" | "while" | "for" | "switch" | "return" | "sizeof"
        );
        let is_name = self.tokens[token].kind == TokenKind::Word && !is_keyword && !is_member;
        self.partner(token + 1)
            .filter(|_| is_name && self.is_mark(token + 1, b'('))
    }

    /// The closing parenthesis of the call that begins with this token: a name, or an expression
    /// in parentheses.
    #[must_use]
    pub fn call_end(&self, token: usize) -> Option<usize> {
        let mut next = if self.is_mark(token, b'(') {
            self.partner(token)? + 1
        } else {
            token + 1
        };
        // The name of a macro's result may be called, as in f(x)(y); the first call counts.
        while self.is_mark(next, b')') {
            next += 1;
        }
        self.is_mark(next, b'(').then(|| self.partner(next))?
    }

    /// The first token of the statement behind the one that the token belongs to, if that ends
    /// with a semicolon that is in no parentheses and another statement follows in the block.
    #[must_use]
    pub fn next_statement(&self, token: usize) -> Option<usize> {
        let body = self.function_around(token)?.body.clone();
        if self.is_in_parentheses(token) {
            return None;
        }
        let next = self.statement_end(token)? + 1;
        let is_label = self.is_mark(next + 1, b':');
        let is_none = matches!(self.word(next), "}" | "case" | "default" | "else");
        (next < body.end && !is_none && !is_label).then_some(next)
    }

    /// The tokens of a range that are in no brackets within it, the opening ones included.
    pub fn outermost(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let next = move |at: &usize| {
            let opens = matches!(self.tokens[*at].kind, TokenKind::Mark(b'(' | b'[' | b'{'));
            Some(self.partner(*at).filter(|_| opens).unwrap_or(*at) + 1)
        };
        std::iter::successors(Some(range.start), next).take_while(move |at| *at < range.end)
    }

    /// The semicolon behind a token of a statement, in no brackets.
    #[must_use]
    pub fn statement_end(&self, token: usize) -> Option<usize> {
        let ends = |at: &usize| matches!(self.word(*at), ";" | ")" | "]" | "}");
        let end = self.outermost(token..self.tokens.len()).find(ends);
        end.filter(|end| self.is_mark(*end, b';'))
    }

    /// The semicolons between two brackets that are in no further brackets.
    #[must_use]
    pub fn semicolons(&self, open: usize, close: usize) -> Vec<usize> {
        let within = self.outermost(open + 1..close);
        within.filter(|at| self.is_mark(*at, b';')).collect()
    }

    /// Whether a declaration of this function in the text has one of the words before its name.
    #[must_use]
    pub fn declared_with(&self, function: &str, words: &[&str]) -> bool {
        (0..self.tokens.len()).any(|token| {
            self.is_name_before(token, function, b'(')
                && (0..token)
                    .rev()
                    .take_while(|before| {
                        !matches!(
                            self.tokens[*before].kind,
                            TokenKind::Mark(b';' | b'{' | b'}' | b'=' | b'(' | b',')
                        )
                    })
                    .any(|before| words.contains(&self.word(before)))
        })
    }
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while at < text.len() {
        let start = at;
        let c = text[at];
        match c {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'\\' => {
                at += 1;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].windows(2).position(|pair| pair == b"*/");
                at = end.map_or(text.len(), |end| at + 2 + end + 2);
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'/') => {
                at = end_of_line(text, at);
                continue;
            }
            b'#' if line_begins => {
                at = end_of_line(text, at);
                continue;
            }
            b'"' | b'\'' => {
                at += 1;
                while at < text.len() && text[at] != c && text[at] != b'\n' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(text.len());
                push(&mut tokens, TokenKind::Literal, start, at);
            }
            b'0'..=b'9' => {
                while at < text.len() && is_number_part(text, at) {
                    at += 1;
                }
                push(&mut tokens, TokenKind::Literal, start, at);
            }
            _ if is_word_part(c) => {
                while at < text.len() && is_word_part(text[at]) {
                    at += 1;
                }
                push(&mut tokens, TokenKind::Word, start, at);
            }
            _ => {
                at += 1;
                push(&mut tokens, TokenKind::Mark(c), start, at);
            }
        }
        line_begins = false;
    }
    tokens
}

fn push(tokens: &mut Vec<Token>, kind: TokenKind, start: usize, end: usize) {
    tokens.push(Token { kind, start, end });
}

fn is_word_part(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

fn is_number_part(text: &[u8], at: usize) -> bool {
    let exponent = at > 0 && matches!(text[at - 1], b'e' | b'E' | b'p' | b'P');
    is_word_part(text[at]) || text[at] == b'.' || exponent && matches!(text[at], b'+' | b'-')
}

/// The end of the line at `at`, lines that end in a backslash continued.
fn end_of_line(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Mark(b'(' | b'[' | b'{') => open.push((index, token.kind)),
            TokenKind::Mark(close @ (b')' | b']' | b'}')) => {
                let wanted = match close {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if let Some((partner, kind)) = open.pop()
                    && kind == TokenKind::Mark(wanted)
                {
                    partners[index] = Some(partner);
                    partners[partner] = Some(index);
                }
            }
            TokenKind::Mark(_) | TokenKind::Word | TokenKind::Literal => {}
        }
    }
    partners
}

/// The definitions at the outermost level: a name with parentheses behind it, then a body before
/// the next semicolon that ends a declaration. Declarations of old-style parameters may stand
/// between.
fn functions(text: &str, tokens: &[Token], partners: &[Option<usize>]) -> Vec<FunctionText> {
    let mut found = Vec::new();
    let mut name: Option<&str> = None;
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        match token.kind {
            TokenKind::Word => {
                let word = &text[token.start..token.end];
                let called = tokens
                    .get(at + 1)
                    .is_some_and(|next| next.kind == TokenKind::Mark(b'('));
                let is_keyword = matches!(
                    word,
                    "__attribute__" | "__asm__" | "asm" | "__typeof__" | "typeof" | "_Alignas"
                );
                if called && name.is_none() && !is_keyword {
                    name = Some(word);
                }
                at += 1;
            }
            TokenKind::Mark(b'(' | b'[') => at = partners[at].unwrap_or(at) + 1,
            TokenKind::Mark(b'{') => {
                let close = partners[at].unwrap_or(tokens.len() - 1);
                if let Some(name) = name.take() {
                    found.push(FunctionText {
                        name: name.to_owned(),
                        body: at..close + 1,
                    });
                }
                at = close + 1;
            }
            TokenKind::Mark(b';') => {
                // int f(a) int a; int b; { … }: declarations of old-style parameters end in a
                // name and a semicolon, prototypes in a parenthesis.
                let old_style = at > 0 && tokens[at - 1].kind == TokenKind::Word;
                if !old_style {
                    name = None;
                }
                at += 1;
            }
            TokenKind::Mark(b'=') => {
                name = None;
                at += 1;
            }
            TokenKind::Mark(_) | TokenKind::Literal => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
#include <x.h> \\\n  more(\n\
/* f( */ extern int in(void); // g(\n\
static int add(int a, int b) { return a + b; }\n\
int old(a, b) int a; int b;\n{ return '(' + \")\"[0]; }\n\
int main(void) {\n\
  int x;\n\
  int y = add(in(), (in)());\n\
  for (int i; i < 3;) { i = 0; }\n\
  return y;\n}\n";

    fn at(source: &SourceText, text: &str) -> usize {
        let offset = source.text.find(text).unwrap();
        source.token_at(source.position(offset)).unwrap()
    }

    #[test]
    fn functions_are_found() {
        let source = SourceText::new(PROGRAM.to_owned());
        let names: Vec<&str> = source.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["add", "old", "main"]);
        let inside = at(&source, "return y");
        assert_eq!(source.function_around(inside).unwrap().name, "main");
    }

    #[test]
    fn calls_end_at_their_parenthesis() {
        let source = SourceText::new(PROGRAM.to_owned());
        let end = |text: &str| {
            let close = source.call_end(at(&source, text)).unwrap();
            source.position(source.tokens[close].start)
        };
        assert_eq!(
            end("add(in("),
            Position {
                line: 9,
                column: 25
            }
        );
        assert_eq!(
            end("in(), "),
            Position {
                line: 9,
                column: 16
            }
        );
        assert_eq!(
            end("(in)()"),
            Position {
                line: 9,
                column: 24
            }
        );
    }

    #[test]
    fn the_statement_behind_a_declaration() {
        let source = SourceText::new(PROGRAM.to_owned());
        let next = source.next_statement(at(&source, "x;")).unwrap();
        assert_eq!(source.word(next), "int");
        assert_eq!(source.position(source.tokens[next].start).line, 9);
        assert_eq!(source.next_statement(at(&source, "i; i")), None);
        assert_eq!(source.next_statement(at(&source, "y;\n}")), None);
    }

    #[test]
    fn declarations_tell_the_sign() {
        let source = SourceText::new("unsigned long f(void);\nint g();\n".to_owned());
        assert!(source.declared_with("f", &["unsigned"]));
        assert!(!source.declared_with("g", &["unsigned"]));
    }
}
