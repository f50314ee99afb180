//! Changing C source: text that is inserted at tokens, and C expressions from elsewhere that are
//! safe to insert.

use frontend::MacroDefinition;
use frontend::source_text::{SourceText, TokenKind};
use std::collections::{BTreeMap, BTreeSet};
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

    /// The same for a part of the text that everything is inserted into.
    pub fn apply_within(self, text: &str, part: Range<usize>) -> (String, Vec<Range<usize>>) {
        let texts = self.texts.into_iter();
        let moved = texts.map(|(offset, insertion)| (offset - part.start, insertion));
        let within = Insertions {
            texts: moved.collect(),
        };
        within.apply(&text[part])
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

/// Words that no expression has. The preprocessor counts `__COUNTER__` on for the whole program.
const KEYWORDS: [&str; 23] = [
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
    "__COUNTER__",
];

/// Words that a type may consist of, or stand before one.
const TYPE_WORDS: [&str; 11] = [
    "_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "__int128",
    "const",
];

/// A C expression without effects, written anew token by token, with `\result` replaced; says
/// what is wrong with it otherwise.
///
/// Refused are calls, assignments, increments, statements, unbalanced brackets and whatever is no
/// C token, so that inserting the expression can change nothing but the value that is asked for. That
/// is so where no word is a macro: [`Macros::check`] says whether those of a program do as little.
pub(super) fn expression(text: &str, result: Option<&str>) -> Result<String, String> {
    let text = match result {
        Some(result) => text.replace("\\result", result),
        None => text.to_owned(),
    };
    let is_other = |c: char| "#\\{};\n\r@$`".contains(c);
    // Trigraphs are other characters in disguise.
    if text.contains(is_other) || text.contains("??") {
        return Err(format!("{text} is not a C expression"));
    }
    let source = SourceText::new(text);
    let n = source.tokens.len();
    if n == 0 {
        return Err("the expression is empty".to_owned());
    }
    let mut written = String::new();
    for token in 0..n {
        let word = source.word(token);
        let touches = token > 0 && source.touches_next(token - 1);
        let adjacent = |mark: u8| source.is_mark(token + 1, mark) && source.touches_next(token);
        match source.tokens[token].kind {
            TokenKind::Word => {
                let is_call = source.is_mark(token + 1, b'(') && word != "sizeof";
                if KEYWORDS.contains(&word) || is_call {
                    return Err(format!(
                        "{word} is not allowed in an expression without side effects"
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
            TokenKind::Mark(sign @ (b'+' | b'-')) if adjacent(sign) => {
                return Err("it changes a variable".to_owned());
            }
            TokenKind::Mark(b'=') => {
                let compares = adjacent(b'=')
                    || touches
                        && matches!(
                            source.tokens[token - 1].kind,
                            TokenKind::Mark(b'=' | b'!' | b'<' | b'>')
                        );
                let shifts = token > 1
                    && source.word(token - 1) == source.word(token - 2)
                    && matches!(source.tokens[token - 1].kind, TokenKind::Mark(b'<' | b'>'))
                    && source.touches_next(token - 2);
                if !compares || shifts {
                    return Err("it assigns to a variable".to_owned());
                }
            }
            TokenKind::Mark(
                b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'!' | b'&' | b'|' | b'^' | b'~'
                | b'?' | b':' | b'.',
            ) => {}
            TokenKind::Mark(other) => {
                return Err(format!("{} is not allowed in it", char::from(other)));
            }
        }
        // Marks that touch are one operator.
        let is_operator = touches
            && matches!(source.tokens[token].kind, TokenKind::Mark(_))
            && matches!(source.tokens[token - 1].kind, TokenKind::Mark(_));
        if token > 0 && !is_operator {
            written.push(' ');
        }
        written.push_str(word);
    }
    Ok(written)
}

/// What the macros of a program stand for: they are replaced in expressions that are inserted.
#[derive(Clone, Debug, Default)]
pub(super) struct Macros {
    /// Of each name, the texts of its definitions without parameters. Which of them counts, or none,
    /// depends on the place.
    texts: BTreeMap<String, Vec<String>>,
    /// Names with parameters.
    called: Vec<String>,
}

impl Macros {
    /// Those that are defined somewhere in a program.
    pub fn new(definitions: Vec<MacroDefinition>) -> Macros {
        let mut macros = Macros::default();
        for definition in definitions {
            if definition.has_parameters {
                macros.called.push(definition.name);
                continue;
            }
            let texts = macros.texts.entry(definition.name).or_default();
            if !texts.contains(&definition.text) {
                texts.push(definition.text);
            }
        }
        macros
    }

    /// Whether an [`expression`] has no effects either when each macro in it is replaced: by an
    /// expression without effects, which does not become the arguments of a call. Says what is wrong
    /// otherwise.
    pub fn check(&self, expression: &str) -> Result<(), String> {
        self.check_within(expression, &mut BTreeSet::new())
    }

    /// The same; macros that were `judged` are not judged again.
    fn check_within(&self, text: &str, judged: &mut BTreeSet<String>) -> Result<(), String> {
        let source = SourceText::new(text.to_owned());
        for token in 0..source.tokens.len() {
            let word = source.word(token);
            if source.tokens[token].kind != TokenKind::Word {
                continue;
            }
            let texts = self.texts.get(word).map_or(&[][..], Vec::as_slice);
            let is_reserved =
                word == "sizeof" || KEYWORDS.contains(&word) || TYPE_WORDS.contains(&word);
            if is_reserved {
                if !texts.is_empty() || self.called.iter().any(|name| name == word) {
                    return Err(format!("{word} is a macro of the program"));
                }
                continue;
            }
            if texts.is_empty() {
                continue;
            }
            let follows_operand =
                token
                    .checked_sub(1)
                    .is_some_and(|before| match source.tokens[before].kind {
                        TokenKind::Word => {
                            let word = source.word(before);
                            word != "sizeof" && !TYPE_WORDS.contains(&word)
                        }
                        TokenKind::Literal | TokenKind::Mark(b']') => true,
                        TokenKind::Mark(b')') => !is_cast(&source, before),
                        TokenKind::Mark(_) => false,
                    });
            if follows_operand && self.may_open(word, &mut BTreeSet::new()) {
                return Err(format!("it calls a function by the macro {word}"));
            }
            if !judged.insert(word.to_owned()) {
                continue;
            }
            for text in texts {
                let is_fine = expression(text, None)
                    .and_then(|expression| self.check_within(&expression, judged));
                is_fine.map_err(|why| format!("the macro {word} stands for {text}: {why}"))?;
            }
        }
        Ok(())
    }

    /// Whether what a macro stands for may begin with a parenthesis, where those that were `seen` do not.
    fn may_open(&self, name: &str, seen: &mut BTreeSet<String>) -> bool {
        if !seen.insert(name.to_owned()) {
            return false;
        }
        let texts = self.texts.get(name).map_or(&[][..], Vec::as_slice);
        texts.iter().any(|text| {
            let source = SourceText::new(text.clone());
            source.is_mark(0, b'(') || self.may_open(source.word(0), seen)
        })
    }
}

/// Whether the parentheses that end here hold a type that is one by its keywords alone.
fn is_cast(source: &SourceText, close: usize) -> bool {
    let of_type =
        |token: usize| TYPE_WORDS.contains(&source.word(token)) || source.is_mark(token, b'*');
    source.is_mark(close, b')')
        && source
            .partner(close)
            .is_some_and(|open| open + 1 < close && (open + 1..close).all(of_type))
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
            "x ??'= 5",
            "__COUNTER__ == 0",
        ] {
            assert!(expression(text, None).is_err(), "{text}");
        }
    }

    #[test]
    fn macros_are_judged_by_what_they_stand_for() {
        let plain = |name: &str, text: &str| MacroDefinition {
            name: name.to_owned(),
            has_parameters: false,
            text: text.to_owned(),
        };
        let mut all = vec![
            plain("LIMIT", "__MOST__"),
            plain("__MOST__", "2147483647"),
            plain("errno", "errno"),
            plain("low", "-1"),
            plain("RESET", "(s = 0)"),
            plain("INDIRECT", "1 + RESET"),
            plain("CALL", "f()"),
            plain("LIST", "(3)"),
            plain("TWICE", "5"),
            plain("TWICE", "s++"),
            plain("PASTED", "+ ## +"),
            plain("int", "long"),
        ];
        all.push(MacroDefinition {
            name: "max".to_owned(),
            has_parameters: true,
            text: "f()".to_owned(),
        });
        let macros = Macros::new(all);
        for text in [
            "x < LIMIT",
            "errno == low",
            "max == LIST",
            "(unsigned) LIST == 3",
            "(byte) low == 3",
            "sizeof LIST == 4",
        ] {
            let written = expression(text, None).unwrap();
            assert_eq!(macros.check(&written), Ok(()), "{text}");
        }
        for text in [
            "RESET == 0",
            "x < INDIRECT",
            "x < CALL",
            "f LIST == 3",
            "(f) LIST == 3",
            "max LIST == 3",
            "TWICE == 5",
            "x PASTED",
            "(int)x == 3",
        ] {
            let written = expression(text, None).unwrap();
            assert!(macros.check(&written).is_err(), "{text}");
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
