//! Changing C source: text that is inserted at tokens, and C expressions from elsewhere that are
//! safe to insert.

use super::source::{SourceText, TokenKind};
use std::ops::Range;

/// Text to be inserted, by offset.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertions {
    texts: Vec<(usize, String)>,
}

impl Insertions {
    /// Inserts before the byte at `offset`; what is added later stands behind what was added
    /// earlier.
    pub fn add(&mut self, offset: usize, text: impl Into<String>) {
        self.texts.push((offset, text.into()));
    }

    /// The text with everything inserted, and where what was inserted stands in it, in order.
    pub fn apply(mut self, text: &str) -> (String, Vec<Range<usize>>) {
        self.texts.sort_by_key(|(offset, _)| *offset);
        let mut out = String::with_capacity(text.len() * 2);
        let mut from = 0;
        let mut inserted = Vec::with_capacity(self.texts.len());
        for (offset, insertion) in self.texts {
            out.push_str(&text[from..offset]);
            inserted.push(out.len()..out.len() + insertion.len());
            out.push_str(&insertion);
            from = offset;
        }
        out.push_str(&text[from..]);
        (out, inserted)
    }
}

/// A C expression without effects, written anew token by token, with `\result` replaced; says
/// what is wrong with it otherwise.
///
/// Refused are calls, assignments, increments, statements, unbalanced brackets and whatever is no
/// C token, so that inserting the expression can change nothing but the value that is asked for.
pub(super) fn expression(text: &str, result: Option<&str>) -> Result<String, String> {
    const KEYWORDS: [&str; 22] = [
        "asm",
        "break",
        "case",
        "continue",
        "default",
        "do",
        "else",
        "for",
        "goto",
        "if",
        "inline",
        "return",
        "static",
        "switch",
        "typedef",
        "while",
        "extern",
        "register",
        "auto",
        "__asm__",
        "__asm",
        "__extension__",
    ];
    let text = match result {
        Some(result) => text.replace("\\result", result),
        None => text.to_owned(),
    };
    if text.contains(['#', '\\', '{', '}', ';', '\n', '\r', '@', '$', '`']) {
        return Err(format!("{text} is no expression of C"));
    }
    let source = SourceText::new(text);
    let n = source.tokens.len();
    if n == 0 {
        return Err("the expression is empty".to_owned());
    }
    let mut written = String::new();
    for token in 0..n {
        let word = source.word(token);
        let adjacent = |next: usize, mark: u8| {
            source.is_mark(next, mark) && source.tokens[next].start == source.tokens[next - 1].end
        };
        match source.tokens[token].kind {
            TokenKind::Word => {
                let is_call = source.is_mark(token + 1, b'(') && word != "sizeof";
                if KEYWORDS.contains(&word) || is_call {
                    return Err(format!(
                        "{word} has no place in an expression without effects"
                    ));
                }
            }
            TokenKind::Literal => {}
            TokenKind::Mark(b'(' | b')' | b'[' | b']') => {
                let closed = source.is_mark(token, b')') || source.is_mark(token, b']');
                if closed && source.is_mark(token + 1, b'(') && !is_cast(&source, token) {
                    return Err("it calls a function".to_owned());
                }
                if source.partner(token).is_none() {
                    return Err("its brackets are not balanced".to_owned());
                }
            }
            TokenKind::Mark(sign @ (b'+' | b'-')) if adjacent(token + 1, sign) => {
                return Err("it changes a variable".to_owned());
            }
            TokenKind::Mark(b'=') => {
                let compares = adjacent(token + 1, b'=')
                    || token > 0
                        && source.tokens[token - 1].end == source.tokens[token].start
                        && matches!(
                            source.tokens[token - 1].kind,
                            TokenKind::Mark(b'=' | b'!' | b'<' | b'>')
                        );
                let shifts = token > 1
                    && source.word(token - 1) == source.word(token - 2)
                    && matches!(source.tokens[token - 1].kind, TokenKind::Mark(b'<' | b'>'))
                    && source.tokens[token - 2].end == source.tokens[token - 1].start;
                if !compares || shifts {
                    return Err("it assigns to a variable".to_owned());
                }
            }
            TokenKind::Mark(
                b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'!' | b'&' | b'|' | b'^' | b'~'
                | b'?' | b':' | b'.',
            ) => {}
            TokenKind::Mark(other) => {
                return Err(format!("{} has no place in it", char::from(other)));
            }
        }
        // Marks that touch are one operator.
        let touches = token > 0
            && source.tokens[token - 1].end == source.tokens[token].start
            && matches!(source.tokens[token].kind, TokenKind::Mark(_))
            && matches!(source.tokens[token - 1].kind, TokenKind::Mark(_));
        if token > 0 && !touches {
            written.push(' ');
        }
        written.push_str(word);
    }
    Ok(written)
}

/// Whether the parentheses that end here hold a type that is one by its keywords alone.
fn is_cast(source: &SourceText, close: usize) -> bool {
    const TYPE_WORDS: [&str; 12] = [
        "_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double",
        "__int128", "const", "*",
    ];
    source.is_mark(close, b')')
        && source.partner(close).is_some_and(|open| {
            open + 1 < close
                && (open + 1..close).all(|token| TYPE_WORDS.contains(&source.word(token)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_without_effects_are_accepted() {
        for text in [
            "x == 5",
            "(x - 3) % 4 == 0 && x >= 3 || !y",
            "a[i] != 'c' && p->next == 0",
            "s.f <= 4294967295U",
            "(unsigned char)x << 2 >= sizeof(int)",
            "x - -1 > 0",
            "1",
        ] {
            let written = expression(text, None).unwrap();
            let plain = |text: &str| text.replace(' ', "");
            assert_eq!(plain(&written), plain(text));
        }
        assert_eq!(expression("\\result == -5", Some("r")).unwrap(), "r == - 5");
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "x = 5",
            "x += 5",
            "x <<= 5",
            "x++ < 3",
            "f(3) == 2",
            "1; return 0",
            "1) || (0",
            "({ int y; y })",
            "return",
            "1 \n #define x",
            "x, y",
            "\\old(x) == 3",
            "(*f)(3)",
        ] {
            assert!(expression(text, None).is_err(), "{text}");
        }
    }

    #[test]
    fn insertions_keep_their_order() {
        let mut insertions = Insertions::default();
        insertions.add(2, "B");
        insertions.add(0, "A");
        insertions.add(2, "C");
        let (text, inserted) = insertions.apply("xyz");
        assert_eq!(text, "AxyBCz");
        assert_eq!(inserted, [0..1, 3..4, 4..5]);
    }
}
