//! Loops of a C text, and the integer variables that can be named at their heads.

use super::expressions::expression_at;
use frontend::source_text::{SourceText, TokenKind};
use std::collections::BTreeSet;
use std::ops::Range;

/// No expression that a variable is set to is longer.
const MOST_TOKENS: usize = 6;

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LoopText {
    /// The token of `while`, `for` or `do`.
    pub keyword: usize,
    /// A token at which the invariant is evaluated.
    pub head: usize,
}

/// An integer variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub unsigned: bool,
    /// The unsigned type of its width.
    pub ty: &'static str,
    /// What it is set to by `=`: constants, then expressions over other variables; 0 if there is
    /// nothing.
    pub starts: Vec<String>,
}

/// Whether the text of a loop, its head included, may change the variable by its name.
pub(super) fn is_assigned(source: &SourceText, text: &LoopText, name: &str) -> bool {
    let open = text.keyword + 1;
    let body = match source.partner(open) {
        Some(close) if source.is_mark(open, b'(') => close + 1,
        _ => open,
    };
    let around = source.function_around(text.keyword);
    let end = match source.partner(body) {
        Some(close) if source.is_mark(body, b'{') => close,
        // A single statement may be a loop itself; too much does no harm.
        _ => around.map_or(body, |function| function.body.end),
    };
    let word = |at: usize| source.word(at);
    let is_step = |at: usize| matches!((word(at), word(at + 1)), ("+", "+") | ("-", "-"));
    let mut named = (text.keyword..end).filter(|token| word(*token) == name);
    named.any(
        |token| match (word(token + 1), word(token + 2), word(token + 3)) {
            ("=", next, _) if next != "=" => true,
            ("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", "=", _) | ("<" | ">", _, "=") => true,
            _ => is_step(token + 1) || token > 1 && is_step(token - 2),
        },
    )
}

/// All loops in functions, in order.
pub(super) fn loops(source: &SourceText) -> Vec<LoopText> {
    let mut tails = BTreeSet::new();
    let heads = (0..source.tokens.len()).filter_map(|keyword| {
        let open = keyword + 1;
        let head = match source.word(keyword) {
            "do" if source.is_mark(open, b'{') => {
                tails.extend(source.partner(open).map(|close| close + 1));
                open
            }
            "while" | "for" if !tails.contains(&keyword) => condition(source, keyword)?.start - 1,
            _ => return None,
        };
        source.function_around(keyword)?;
        Some(LoopText { keyword, head })
    });
    heads.collect()
}

/// The tokens of the condition of an `if` or a loop, of which there may be none; `None` for a `do` loop,
/// which asks it after the iteration.
pub(super) fn condition(source: &SourceText, keyword: usize) -> Option<Range<usize>> {
    let open = keyword + 1;
    let close = source
        .partner(open)
        .filter(|_| source.is_mark(open, b'('))?;
    match source.word(keyword) {
        "if" | "while" => Some(open + 1..close),
        "for" => match source.semicolons(open, close).as_slice() {
            [first, second] => Some(first + 1..*second),
            _ => None,
        },
        _ => None,
    }
}

/// The integer variables in scope at the head of a loop: of its function, the parameters, and
/// global ones. A name that is declared twice on the way is the inner one's.
pub(super) fn variables(source: &SourceText, text: &LoopText) -> Vec<Variable> {
    let Some(function) = source.function_around(text.keyword) else {
        return Vec::new();
    };
    let mut found: Vec<Variable> = Vec::new();
    for token in (0..text.head).rev() {
        if let Some(variable) = declared(source, token)
            && is_in_scope(source, token, text.head)
            && !found.iter().any(|known| known.name == variable.name)
        {
            found.push(variable);
        }
    }
    for variable in &mut found {
        let named = function.body.clone();
        let named = named.filter(|token| source.word(*token) == variable.name);
        let constants: BTreeSet<i64> = named
            .clone()
            .filter_map(|token| constant(source, value(source, token)?))
            .collect();
        let expressions: BTreeSet<String> = named
            .filter_map(|token| origin(source, token, text))
            .collect();
        let constants = constants.iter().map(i64::to_string).take(3);
        variable.starts = constants.chain(expressions.into_iter().take(2)).collect();
        if variable.starts.is_empty() {
            variable.starts.push("0".to_owned());
        }
    }
    found.reverse();
    found
}

/// The constants of the loop's function, with 0.
pub(super) fn literals(source: &SourceText, text: &LoopText) -> BTreeSet<i64> {
    let mut found = BTreeSet::from([0]);
    if let Some(function) = source.function_around(text.keyword) {
        found.extend(
            function
                .body
                .clone()
                .filter_map(|token| number(source, token)),
        );
    }
    found.into_iter().take(12).collect()
}

/// The tokens of the short expression that the variable at this token is set to.
fn value(source: &SourceText, token: usize) -> Option<Range<usize>> {
    let first = token + 2;
    let is_set = source.is_mark(token + 1, b'=') && !source.is_mark(first, b'=');
    let ends = |at: &usize| matches!(source.word(*at), ";" | "," | ")");
    let last = (first..first + MOST_TOKENS).find(ends)?;
    is_set.then_some(first..last)
}

/// The constant that an expression is.
fn constant(source: &SourceText, value: Range<usize>) -> Option<i64> {
    match value.len() {
        1 => number(source, value.start),
        2 if source.is_mark(value.start, b'-') => Some(-number(source, value.start + 1)?),
        _ => None,
    }
}

/// The expression over other variables that the variable at this token is set to.
fn origin(source: &SourceText, token: usize, text: &LoopText) -> Option<String> {
    let value = expression_at(source, value(source, token)?, text.head)?;
    let is_other = !value.words.is_empty() && !value.words.contains(source.word(token));
    is_other.then_some(value.text)
}

fn number(source: &SourceText, token: usize) -> Option<i64> {
    if source.tokens.get(token)?.kind != TokenKind::Literal {
        return None;
    }
    let word = source.word(token).trim_end_matches(['u', 'U', 'l', 'L']);
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if word.len() > 1 && word.starts_with('0') => i64::from_str_radix(word, 8).ok(),
        None => word.parse().ok(),
    }
}

/// The integer variable whose name is this token, where that is its declaration.
fn declared(source: &SourceText, token: usize) -> Option<Variable> {
    if source.tokens[token].kind != TokenKind::Word {
        return None;
    }
    if !matches!(source.word(token + 1), ";" | "," | "=" | ")") {
        return None;
    }
    // Back over earlier declarators of the same declaration to its type.
    let mut at = token.checked_sub(1)?;
    while source.is_mark(at, b',') {
        // The declarator before the comma: a name, or a name and its value.
        let mut back = at.checked_sub(1)?;
        while !matches!(source.word(back), "," | ";" | "{" | "}")
            && !is_type_word(source.word(back))
        {
            back = match source.word(back) {
                ")" | "]" => source.partner(back)?,
                "(" => return None,
                _ => back,
            }
            .checked_sub(1)?;
        }
        at = back;
    }
    let before = (0..=at).rev().map(|at| source.word(at));
    let words = before.take_while(|word| is_type_word(word) || is_qualifier(word));
    let words: Vec<&str> = words.collect();
    if !words.iter().any(|word| is_type_word(word)) {
        return None;
    }
    let count = |word: &str| words.iter().filter(|known| **known == word).count();
    let ty = match (count("char"), count("short"), count("long")) {
        (0, 0, 0) => "unsigned int",
        (0, 0, 1) => "unsigned long",
        (0, 0, _) => "unsigned long long",
        (0, _, _) => "unsigned short",
        _ => "unsigned char",
    };
    Some(Variable {
        name: source.word(token).to_owned(),
        unsigned: count("unsigned") > 0,
        ty,
        starts: Vec::new(),
    })
}

fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int" | "unsigned" | "signed" | "long" | "short" | "char"
    )
}

fn is_qualifier(word: &str) -> bool {
    matches!(word, "static" | "register" | "volatile" | "auto")
}

/// Whether a variable of this name, of any type, is declared before a token and in scope there.
pub(super) fn is_visible(source: &SourceText, name: &str, token: usize) -> bool {
    const NO_TYPES: [&str; 4] = ["return", "goto", "else", "case"];
    (1..token).any(|at| {
        let before = source.word(at - 1);
        let is_word = source.tokens[at - 1].kind == TokenKind::Word;
        let follows_type = is_word && !NO_TYPES.contains(&before) || matches!(before, "*" | ",");
        source.word(at) == name
            && follows_type
            && matches!(source.word(at + 1), ";" | "," | "=" | "[" | ")")
            && is_in_scope(source, at, token)
    })
}

/// Whether the scope of a declaration reaches a later token: the innermost brackets around the
/// declaration are around the token too, or it is a parameter of the token's function, or a
/// variable of a `for` whose head the token is in.
fn is_in_scope(source: &SourceText, declaration: usize, token: usize) -> bool {
    let mut around = source.brackets_around(declaration);
    let Some(open) = around.find(|open| !source.is_mark(*open, b'[')) else {
        return true;
    };
    let close = source.partner(open).unwrap_or(open);
    let is_head = source.is_mark(open, b'(');
    let body = source.function_around(token).map(|f| f.body.start);
    let is_parameter = is_head && Some(close + 1) == body;
    // for (int i = 0; …) { … }: the variable lives in the body as well.
    let in_for_body = is_head
        && open > 0
        && source.word(open - 1) == "for"
        && source.is_mark(close + 1, b'{')
        && source.partner(close + 1) > Some(token);
    close > token || is_parameter || in_for_body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_at_loop_heads() {
        let text = "\
int total; unsigned long big = 3;\n\
void other(int hidden) { int away; while (away) away--; }\n\
int main(int argc, char *argv[]) {\n\
  int x = 5, y = -2; int *p; int a[3]; char c;\n\
  { int inner = 1; }\n\
  for (unsigned i = 0; i < 7; i++) {\n\
    int late = 0x10; do { x = x + 1; } while (x < 9);\n\
  }\n\
}\n";
        let source = SourceText::new(text.to_owned());
        let all = loops(&source);
        let lines = all.iter().map(|text| source.line(text.keyword));
        assert_eq!(lines.collect::<Vec<_>>(), [2, 6, 7]);
        let names = |number: usize| -> Vec<String> {
            let found = variables(&source, &all[number]);
            found.into_iter().map(|variable| variable.name).collect()
        };
        assert_eq!(names(0), ["total", "big", "hidden", "away"]);
        assert_eq!(names(1), ["total", "big", "argc", "x", "y", "c", "i"]);
        assert_eq!(
            names(2),
            ["total", "big", "argc", "x", "y", "c", "i", "late"]
        );
        let found = variables(&source, &all[1]);
        let of = |name: &str| found.iter().find(|variable| variable.name == name).unwrap();
        assert_eq!(
            (of("x").starts.clone(), of("y").starts.clone()),
            (vec!["5".to_owned()], vec!["-2".to_owned()])
        );
        assert_eq!((of("i").unsigned, of("big").ty), (true, "unsigned long"));
        let assigned = |number: usize, name: &str| is_assigned(&source, &all[number], name);
        assert!(assigned(0, "away") && assigned(1, "i") && assigned(1, "x") && assigned(2, "x"));
        assert!(!assigned(2, "i") && !assigned(1, "y") && !assigned(2, "late"));
        assert!(literals(&source, &all[1]).is_superset(&BTreeSet::from([0, 2, 5, 7, 16])));
    }
}
