//! GCC extensions that clang lacks and that can be dropped without a change of meaning: arguments of
//! attributes, as in `__attribute__((__malloc__(fclose, 1)))` of headers preprocessed by gcc.

use std::collections::BTreeSet;

const ATTRIBUTE: [&[u8]; 2] = [b"__attribute__", b"__attribute"];

/// The attribute that clang does not take with these arguments, by its message.
pub(super) fn refused_arguments(message: &str) -> Option<String> {
    let is_about_arguments = message.contains("attribute takes") && message.contains(" argument");
    let name = message.split('\'').nth(1)?;
    is_about_arguments.then(|| name.to_owned())
}

/// The text with blanks in the place of the arguments of these attributes.
pub(super) fn without_arguments(text: &[u8], attributes: &BTreeSet<String>) -> Vec<u8> {
    let mut text = text.to_owned();
    let mut at = 0;
    while at < text.len() {
        let end = end_of_word(&text, at);
        if end == at {
            at += 1;
            continue;
        }
        if ATTRIBUTE.contains(&&text[at..end]) {
            at = blank_within(&mut text, end, attributes);
        } else {
            at = end;
        }
    }
    text
}

/// Goes through the parentheses behind `__attribute__`; gives their end.
fn blank_within(text: &mut [u8], from: usize, attributes: &BTreeSet<String>) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at < text.len() {
        let end = end_of_word(text, at);
        if depth == 2 && end > at {
            let name = String::from_utf8_lossy(&text[at..end]);
            if attributes.contains(&*name) {
                let opening = skip_blanks(text, end);
                if text.get(opening) == Some(&b'(') {
                    let closing = end_of_parentheses(text, opening);
                    let arguments = text[opening..closing].iter_mut();
                    arguments
                        .filter(|byte| **byte != b'\n')
                        .for_each(|byte| *byte = b' ');
                }
            }
            at = end;
            continue;
        }
        match text[at] {
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            byte if depth == 0 && !byte.is_ascii_whitespace() => return at,
            _ => {}
        }
        at = end.max(at + 1);
    }
    at
}

fn end_of_word(text: &[u8], from: usize) -> usize {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    from + text[from..]
        .iter()
        .take_while(|byte| is_of_word(byte))
        .count()
}

fn skip_blanks(text: &[u8], from: usize) -> usize {
    from + (text[from..].iter())
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Behind the parenthesis that closes this one.
fn end_of_parentheses(text: &[u8], opening: usize) -> usize {
    let mut depth = 0;
    for (offset, byte) in text[opening..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return opening + offset + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{refused_arguments, without_arguments};

    #[test]
    fn arguments_of_attributes_are_left_out() {
        let message = "a.i:1:2: error: '__malloc__' attribute takes no argument";
        let name = refused_arguments(message).expect("a name");
        assert_eq!(name, "__malloc__");
        let text = "FILE *f(void) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (g, 1), \
                    __nonnull__ (1)));\nint x = __malloc__ (2);";
        let without = without_arguments(text.as_bytes(), &[name].into());
        let expected = text.replace("(g, 1)", "      ");
        assert_eq!(String::from_utf8_lossy(&without), expected);
        assert_eq!(refused_arguments("a.i:1:2: error: expected ';'"), None);
    }
}
