//! The full expressions of C source: those that are part of no other, as statements, conditions,
//! initialisers and what a function returns.
//!
//! # Deliberately absent
//! No grammar: declarations are told by two words that follow each other. Where that is wrong the text that is
//! taken for an expression is none, as clang says.

use frontend::source_text::{SourceText, TokenKind};
use std::ops::Range;

/// Tokens of an expression, by index.
type Expression = Range<usize>;

/// The full expressions that a place names by its tokens: those around them, or of the statements that begin
/// there. Says why there is none otherwise.
pub(super) fn full_expressions(
    source: &SourceText,
    tokens: impl Iterator<Item = usize>,
) -> Result<Vec<Expression>, String> {
    let mut found: Vec<Expression> = Vec::new();
    let mut why = None;
    for token in tokens {
        match around(source, token) {
            Ok(expressions) => {
                for expression in expressions {
                    if !found.contains(&expression) {
                        found.push(expression);
                    }
                }
            }
            Err(reason) => why = why.or(Some(reason)),
        }
    }
    match why {
        Some(why) if found.is_empty() => Err(why),
        _ => Ok(found),
    }
}

/// The first token of the statement that a token of a function belongs to.
pub(super) fn statement_start(source: &SourceText, token: usize) -> usize {
    let mut at = token;
    while at > 0 {
        let before = at - 1;
        match source.tokens[before].kind {
            TokenKind::Mark(b';' | b'{' | b'}') => break,
            TokenKind::Mark(b')' | b']') => match source.partner(before) {
                Some(open) if header(source, open).is_none() => at = open,
                _ => break,
            },
            TokenKind::Mark(b':') if is_label(source, before) => break,
            TokenKind::Word if matches!(source.word(before), "else" | "do") => break,
            TokenKind::Mark(_) | TokenKind::Word | TokenKind::Literal => at = before,
        }
    }
    at
}

fn around(source: &SourceText, token: usize) -> Result<Vec<Expression>, String> {
    let function = source
        .function_around(token)
        .ok_or("it is in no function")?;
    // The parentheses behind a keyword are no expression themselves.
    let around = source.brackets_around(token);
    let head = around
        .take_while(|open| function.body.contains(open))
        .find(|open| source.is_mark(*open, b'{') || header(source, *open).is_some())
        .filter(|open| source.is_mark(*open, b'('));
    // At its keyword, and at the parentheses themselves.
    let own = [Some(token + 1), Some(token), source.partner(token)];
    let own = own.into_iter().flatten();
    let own = own.clone().find(|open| header(source, *open).is_some());
    let statements: Vec<Expression> = match own.or(head) {
        Some(open) => {
            let close = source.partner(open).ok_or("its parentheses do not end")?;
            // Those of a `for` are three.
            let ends = source.semicolons(open, close);
            let starts = std::iter::once(open).chain(ends.iter().copied());
            let ends = ends.iter().copied().chain([close]);
            starts
                .zip(ends)
                .map(|(start, end)| start + 1..end)
                .collect()
        }
        None => {
            let start = statement_start(source, token);
            let end = source
                .statement_end(start)
                .ok_or("no expression is there")?;
            std::iter::once(start..end).collect()
        }
    };
    let statements = statements.into_iter();
    let all: Vec<Expression> = statements.flat_map(|one| parts(source, one)).collect();
    let one = all.iter().find(|part| part.contains(&token)).cloned();
    let found = one.map_or(all, |one| vec![one]);
    if found.is_empty() {
        return Err("no expression is evaluated there".to_owned());
    }
    let has_block = |part: &Expression| part.clone().any(|token| source.is_mark(token, b'{'));
    if found.iter().any(has_block) {
        return Err("there are braces in the expression there".to_owned());
    }
    Ok(found)
}

/// The keyword whose condition, or head, the parenthesis begins.
fn header(source: &SourceText, open: usize) -> Option<&str> {
    let keyword = source.word(open.checked_sub(1)?);
    let is_keyword = matches!(keyword, "if" | "while" | "for" | "switch");
    (is_keyword && source.is_mark(open, b'(')).then_some(keyword)
}

/// Whether a colon ends a label, and does not divide the operands of a conditional.
fn is_label(source: &SourceText, colon: usize) -> bool {
    let before = (0..colon).rev();
    let mut before = before
        .take_while(|at| !matches!(source.tokens[*at].kind, TokenKind::Mark(b';' | b'{' | b'}')));
    !before.any(|at| source.is_mark(at, b'?'))
}

/// The full expressions of a statement without its semicolon, or of a part of the head of a `for`.
fn parts(source: &SourceText, statement: Range<usize>) -> Vec<Expression> {
    let Range { start, end } = statement;
    let is_none = |word: &str| {
        matches!(
            word,
            "goto" | "break" | "continue" | "typedef" | "extern" | "static" | "do" | "else"
        )
    };
    if start >= end || is_none(source.word(start)) {
        return Vec::new();
    }
    if source.word(start) == "return" {
        let value = start + 1..end;
        return if value.is_empty() {
            Vec::new()
        } else {
            vec![value]
        };
    }
    if is_declaration(source, start..end) {
        initialisers(source, start..end)
    } else {
        let expression = start..end;
        vec![expression]
    }
}

/// Whether two words follow each other before anything but stars, as in `unsigned n` and `node *next`.
fn is_declaration(source: &SourceText, statement: Range<usize>) -> bool {
    let is_word = |token: usize| source.tokens[token].kind == TokenKind::Word;
    let Range { start, end } = statement;
    if !is_word(start) || matches!(source.word(start), "sizeof" | "__extension__") {
        return false;
    }
    let behind = (start + 1..end).find(|token| !source.is_mark(*token, b'*'));
    behind.is_some_and(is_word)
}

/// What stands between `=` and the comma, or the end, of each declarator.
fn initialisers(source: &SourceText, declaration: Range<usize>) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut began = None;
    for at in source.outermost(declaration.clone()) {
        match source.word(at) {
            "=" if began.is_none() => began = Some(at + 1),
            "," => found.extend(began.take().map(|start| start..at)),
            _ => {}
        }
    }
    found.extend(began.map(|start| start..declaration.end));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
int f(int *a, int n) {
  int x = a[0], y, *z = a + n;
  unsigned long m; node *next = head->next;
  if (n > 3) a[1] = x;
  else a[2] = 7 + (x ? y : m);
  for (int i = 0; i < n; i++) sum += a[i] * 2;
  while (n--)
    g(a[n], n);
again: a[3]++;
  switch (n) { case 1: a[4] = 1; break; default: p->q = a[5]; }
  int table[] = {a[6], 2};
  do n = a[7]; while (a[8]);
  x * y;
  goto again;
  return a[9] + 1;
}
";

    fn named(text: &str) -> Result<Vec<String>, String> {
        let source = SourceText::new(PROGRAM.to_owned());
        let offset = PROGRAM.find(text).unwrap();
        let token = source.token_at(source.position(offset)).unwrap();
        shown(&source, full_expressions(&source, [token].into_iter()))
    }

    fn shown(
        source: &SourceText,
        found: Result<Vec<Expression>, String>,
    ) -> Result<Vec<String>, String> {
        found.map(|found| {
            let texts = found.into_iter().map(|part| {
                let start = source.tokens[part.start].start;
                source.text[start..source.tokens[part.end - 1].end].to_owned()
            });
            texts.collect()
        })
    }

    fn is(text: &str, expected: &[&str]) {
        assert_eq!(named(text).unwrap(), expected, "{text}");
    }

    #[test]
    fn full_expressions_are_those_around_a_place() {
        is("a[0]", &["a[0]"]);
        is("int x", &["a[0]", "a + n"]);
        is("+ n;", &["a + n"]);
        is("head->", &["head->next"]);
        is("if (", &["n > 3"]);
        is("> 3", &["n > 3"]);
        is("(n > 3", &["n > 3"]);
        is(") a[1]", &["n > 3"]);
        is("a[1]", &["a[1] = x"]);
        is("7 + (x", &["a[2] = 7 + (x ? y : m)"]);
        is("y : m", &["a[2] = 7 + (x ? y : m)"]);
        is(": m)", &["a[2] = 7 + (x ? y : m)"]);
        is("for (", &["0", "i < n", "i++"]);
        is("0; i", &["0"]);
        is("< n", &["i < n"]);
        is("++) s", &["i++"]);
        is("* 2", &["sum += a[i] * 2"]);
        is("while (n", &["n--"]);
        is("a[n], n", &["g(a[n], n)"]);
        is("a[3]", &["a[3]++"]);
        is("switch", &["n"]);
        is("a[4]", &["a[4] = 1"]);
        is("a[5]", &["p->q = a[5]"]);
        is("a[7]", &["n = a[7]"]);
        is("a[8]", &["a[8]"]);
        is("return", &["a[9] + 1"]);
        is("9]", &["a[9] + 1"]);
    }

    #[test]
    fn where_nothing_is_evaluated_that_is_said() {
        for text in ["unsigned", "goto again", "break", "x * y", "a[6]", "int f"] {
            assert!(named(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_line_names_all_of_its_expressions() {
        let source = SourceText::new(PROGRAM.to_owned());
        let on = |text: &str| {
            let mut place = source.position(PROGRAM.find(text).unwrap());
            place.column = 1;
            let token = source.token_at(place).unwrap();
            shown(
                &source,
                full_expressions(&source, source.rest_of_line(token)),
            )
            .unwrap()
        };
        assert_eq!(on("if (n"), ["n > 3", "a[1] = x"]);
        assert_eq!(on("return"), ["a[9] + 1"]);
    }
}
