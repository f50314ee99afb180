//! Loops of a C text, and the integer variables that can be named at their heads.

use super::expressions::expression_at;
use super::source::{SourceText, TokenKind};
use std::collections::BTreeSet;

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
    let head_end = source.partner(open).unwrap_or(open);
    let body = head_end + 1;
    let end = if source.is_mark(open, b'{') {
        head_end
    } else if source.is_mark(body, b'{') {
        source.partner(body).unwrap_or(body)
    } else {
        // A single statement may be a loop itself; too much does no harm.
        let around = source.function_around(text.keyword);
        around.map_or(body, |function| function.body.end)
    };
    (text.keyword..end).any(|token| {
        let mark = |at: usize, mark: u8| source.is_mark(at, mark);
        let operators = [b'+', b'-', b'*', b'/', b'%', b'&', b'|', b'^'];
        let doubled = |at: usize| {
            [b'+', b'-']
                .iter()
                .any(|m| mark(at, *m) && mark(at + 1, *m))
        };
        source.word(token) == name
            && (mark(token + 1, b'=') && !mark(token + 2, b'=')
                || operators.iter().any(|m| mark(token + 1, *m)) && mark(token + 2, b'=')
                || (mark(token + 1, b'<') || mark(token + 1, b'>')) && mark(token + 3, b'=')
                || doubled(token + 1)
                || token > 1 && doubled(token - 2))
    })
}

/// All loops in functions, in order.
pub(super) fn loops(source: &SourceText) -> Vec<LoopText> {
    let mut found = Vec::new();
    let mut tails = BTreeSet::new();
    for keyword in 0..source.tokens.len() {
        if source.tokens[keyword].kind != TokenKind::Word
            || source.function_around(keyword).is_none()
            || tails.contains(&keyword)
        {
            continue;
        }
        let open = keyword + 1;
        match source.word(keyword) {
            "do" if source.is_mark(open, b'{') => {
                tails.extend(source.partner(open).map(|close| close + 1));
                found.push(LoopText {
                    keyword,
                    head: open,
                });
            }
            "while" if source.is_mark(open, b'(') => found.push(LoopText {
                keyword,
                head: open,
            }),
            "for" if source.is_mark(open, b'(') => {
                let close = source.partner(open).unwrap_or(open);
                let first = source.semicolons(open, close).first().copied();
                found.push(LoopText {
                    keyword,
                    head: first.unwrap_or(open),
                });
            }
            _ => {}
        }
    }
    found
}

/// The tokens of the condition of a loop; none for a `do` loop, which asks it after the iteration.
pub(super) fn condition(source: &SourceText, text: &LoopText) -> std::ops::Range<usize> {
    let open = text.keyword + 1;
    let Some(close) = source.partner(open) else {
        return open..open;
    };
    match source.word(text.keyword) {
        "while" => open + 1..close,
        "for" => match source.semicolons(open, close).as_slice() {
            [first, second, ..] => first + 1..*second,
            _ => open..open,
        },
        _ => open..open,
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
            .filter_map(|token| assigned(source, token))
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

/// The constant that the variable at this token is set to.
fn assigned(source: &SourceText, token: usize) -> Option<i64> {
    if !source.is_mark(token + 1, b'=') || source.is_mark(token + 2, b'=') {
        return None;
    }
    let (value, next) = if source.is_mark(token + 2, b'-') {
        (-number(source, token + 3)?, token + 4)
    } else {
        (number(source, token + 2)?, token + 3)
    };
    let ends = [b';', b',', b')'];
    ends.iter()
        .any(|mark| source.is_mark(next, *mark))
        .then_some(value)
}

/// The expression over other variables that the variable at this token is set to.
fn origin(source: &SourceText, token: usize, text: &LoopText) -> Option<String> {
    if !source.is_mark(token + 1, b'=') || source.is_mark(token + 2, b'=') {
        return None;
    }
    let first = token + 2;
    let ends = [b';', b',', b')'];
    let last = (first..source.tokens.len())
        .take(MOST_TOKENS)
        .find(|at| ends.iter().any(|mark| source.is_mark(*at, *mark)))?;
    let value = expression_at(source, first..last, text.head)?;
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
    let ends = [b';', b',', b'=', b')'];
    if !ends.iter().any(|mark| source.is_mark(token + 1, *mark)) {
        return None;
    }
    // Back over earlier declarators of the same declaration to its type.
    let mut at = token.checked_sub(1)?;
    while source.is_mark(at, b',') {
        // The declarator before the comma: a name, or a name and its value.
        let mut back = at.checked_sub(1)?;
        while !matches!(
            source.tokens[back].kind,
            TokenKind::Mark(b',' | b';' | b'{' | b'}')
        ) && !is_type_word(source.word(back))
        {
            back = match source.tokens[back].kind {
                TokenKind::Mark(b')' | b']') => source.partner(back)?,
                TokenKind::Mark(b'(') => return None,
                TokenKind::Mark(_) | TokenKind::Word | TokenKind::Literal => back,
            }
            .checked_sub(1)?;
        }
        at = back;
    }
    let mut words = Vec::new();
    while is_type_word(source.word(at)) || is_qualifier(source.word(at)) {
        words.push(source.word(at));
        match at.checked_sub(1) {
            Some(before) => at = before,
            None => break,
        }
    }
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
        let follows_type = is_word && !NO_TYPES.contains(&before)
            || source.is_mark(at - 1, b'*')
            || source.is_mark(at - 1, b',');
        let ends = [b';', b',', b'=', b'[', b')'];
        source.word(at) == name
            && follows_type
            && ends.iter().any(|mark| source.is_mark(at + 1, *mark))
            && is_in_scope(source, at, token)
    })
}

/// Whether the scope of a declaration reaches a later token: the innermost brackets around the
/// declaration are around the token too, or it is a parameter of the token's function, or a
/// variable of a `for` whose head the token is in.
fn is_in_scope(source: &SourceText, declaration: usize, token: usize) -> bool {
    let mut innermost = None;
    for open in 0..declaration {
        let opens = matches!(source.tokens[open].kind, TokenKind::Mark(b'{' | b'('));
        if opens
            && source
                .partner(open)
                .is_some_and(|close| close > declaration)
        {
            innermost = Some(open);
        }
    }
    let Some(open) = innermost else {
        return true;
    };
    let Some(close) = source.partner(open) else {
        return false;
    };
    if close > token {
        return true;
    }
    let body = source.function_around(token).map(|f| f.body.start);
    let is_parameter = source.is_mark(open, b'(') && Some(close + 1) == body;
    // for (int i = 0; …) { … }: the variable lives in the body as well.
    let in_for_body = source.is_mark(open, b'(')
        && open > 0
        && source.word(open - 1) == "for"
        && source.is_mark(close + 1, b'{')
        && source.partner(close + 1) > Some(token);
    is_parameter || in_for_body
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
        let lines = all
            .iter()
            .map(|text| source.position(source.tokens[text.keyword].start).line);
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
