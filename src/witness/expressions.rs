//! Expressions of a program that mean something at a loop: what it asserts, what it uses as an
//! index, what it sets variables to.
//!
//! They are taken as text. Each word has to be a variable that is visible at the loop, or a macro
//! that stands for a constant, which is replaced, since witnesses know no macros.

use super::check::names_target;
use super::instrument::expression;
use super::scope::{LoopText, is_visible};
use frontend::TargetSpec;
use frontend::source_text::{SourceText, TokenKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// No loop gets more asserted conditions, nor more indices, than these.
const MOST_EXPRESSIONS: usize = 4;

/// An expression without effects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Expression {
    pub text: String,
    /// The variables that it mentions.
    pub words: BTreeSet<String>,
}

/// The expression that these tokens are, as it can be said at a later or earlier token of the
/// file; `None` if it has effects or names something that is not visible there.
pub(super) fn expression_at(
    source: &SourceText,
    tokens: Range<usize>,
    at: usize,
) -> Option<Expression> {
    let mut text = String::new();
    let mut words = BTreeSet::new();
    for token in tokens {
        let word = source.word(token);
        if source.tokens[token].kind != TokenKind::Word || word == "sizeof" {
            text.push_str(word);
        } else if let Some(value) = constant_macro(source, word) {
            text.push_str(value);
        } else if is_visible(source, word, at) {
            words.insert(word.to_owned());
            text.push_str(word);
        } else {
            return None;
        }
        if !source.touches_next(token) {
            text.push(' ');
        }
    }
    let text = text.trim().to_owned();
    expression(&text, None).ok()?;
    Some(Expression { text, words })
}

/// What a macro without parameters stands for, where that is one constant.
fn constant_macro<'s>(source: &'s SourceText, name: &str) -> Option<&'s str> {
    let mut lines = source.text.lines();
    let value = lines.find_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define")?.trim_start();
        let value = rest.strip_prefix(name)?;
        value.starts_with([' ', '\t']).then(|| value.trim())
    })?;
    let inner = value.trim_matches(['(', ')', ' ', '-']);
    let is_number = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_number && inner.starts_with(|first: char| first.is_ascii_digit())).then_some(value)
}

/// Conditions that the function of a loop asserts: the arguments of functions that lead to the
/// target, and what must not hold where an `if` leads to it.
pub(super) fn asserted(source: &SourceText, target: &TargetSpec, text: &LoopText) -> Vec<String> {
    let is_target = |token: usize| {
        source.tokens[token].kind == TokenKind::Word && names_target(target, source.word(token))
    };
    let Some(function) = source.function_around(text.keyword) else {
        return Vec::new();
    };
    let asserting: BTreeSet<&str> = source
        .functions
        .iter()
        .filter(|other| other.name != function.name && other.body.clone().any(is_target))
        .map(|other| other.name.as_str())
        .collect();
    let mut found = Vec::new();
    for token in function.body.clone() {
        let Some(close) = source
            .partner(token + 1)
            .filter(|_| source.is_mark(token + 1, b'('))
        else {
            continue;
        };
        let word = source.word(token);
        let condition = || expression_at(source, token + 2..close, text.head);
        if asserting.contains(word) {
            found.extend(condition().map(|condition| condition.text));
        } else if word == "if" {
            let statement = (close + 1..function.body.end)
                .take_while(|next| !source.is_mark(*next, b';') && !source.is_mark(*next, b'}'));
            let leads = statement.clone().all(|next| source.word(next) != "if")
                && statement.clone().any(is_target);
            if leads {
                found.extend(condition().map(|condition| format!("!({})", condition.text)));
            }
        }
    }
    found.dedup();
    found.truncate(MOST_EXPRESSIONS);
    found
}

/// What the program uses as an index, where that is more than a variable or a constant.
pub(super) fn indices(source: &SourceText, text: &LoopText) -> Vec<Expression> {
    let mut found = BTreeSet::new();
    for open in 1..source.tokens.len() {
        let close = source.partner(open).filter(|_| source.is_mark(open, b'['));
        let is_index = source.tokens[open - 1].kind == TokenKind::Word;
        if let Some(close) = close.filter(|close| is_index && *close > open + 2) {
            let index = expression_at(source, open + 1..close, text.head);
            found.extend(index.filter(|index| !index.words.is_empty()));
        }
    }
    found.into_iter().take(MOST_EXPRESSIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scope::loops;
    use super::*;

    #[test]
    fn expressions_at_a_loop() {
        let text = "\
#define LIMIT (5)\n\
#define CALL f()\n\
int size; int a[LIMIT];\n\
void check(int c) { if (!c) { ERROR: reach_error(); } }\n\
int other(int hidden) { return a[hidden + 1]; }\n\
int main(void) {\n\
  int x = 0, low = 3; unsigned y;\n\
  a[size / 2] = 1; a[LIMIT - 1] = 2; a[x] = 3;\n\
  while (x < size - LIMIT) { x++; int late = x; check(late > 0); }\n\
  check(a[0] >= low); check(x == LIMIT); check(CALL > 1); check(x++);\n\
  if (x < low) reach_error();\n\
  if (y) { x = 1; } else if (x > low) goto ERROR;\n\
}\n";
        let source = SourceText::new(text.to_owned());
        let all = loops(&source);
        assert_eq!(all.len(), 1);
        let asserted = asserted(&source, &TargetSpec::Default, &all[0]);
        assert_eq!(
            asserted,
            ["a[0] >= low", "x == (5)", "!(x < low)", "!(x > low)"]
        );
        let indices: Vec<String> = indices(&source, &all[0])
            .into_iter()
            .map(|index| index.text)
            .collect();
        assert_eq!(indices, ["size / 2"]);
    }
}
