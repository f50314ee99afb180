//! The bytes of a standard input that may hold anything, from what a path reads.
//!
//! ```text
//! inputs of runtime/models/input.c, in their order --standard_input--> bytes
//! ```
//!
//! The model says what each reading gives; here the shortest text is written that gives it. Where one
//! reading leaves a byte for the next to look at, that decides: a number before another has a line end behind it,
//! and a mismatch before a space is a sign alone.
//!
//! # Invariants
//! - What is written is a guess: the replay reads it by the C library.

use std::collections::VecDeque;

/// What one input of the model is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadValue {
    /// A number of so many bits.
    Number { value: u64, bits: u32 },
    /// Content of memory.
    Bytes(Vec<u8>),
}

/// An input of the model, by its name there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputReading {
    pub name: String,
    pub value: ReadValue,
}

/// Outcomes of a conversion, as in the model.
const MISMATCH: u64 = 1;
const INPUT_ENDS: u64 = 2;

/// A number of 32 bits, in the place of a length or a byte.
const FAILURE: u64 = 0xffff_ffff;

/// More than this is not written.
const MOST_BYTES: u64 = 1 << 24;

/// Whether the first reading fails.
#[must_use]
pub fn fails_at_once(readings: &[InputReading]) -> bool {
    let is_failure = |reading: &InputReading| {
        let is_read = reading.name.split('#').next() == Some("@read");
        is_read && matches!(reading.value, ReadValue::Number { value, .. } if value == FAILURE)
    };
    readings.first().is_some_and(is_failure)
}

/// The bytes that give these readings.
#[must_use]
pub fn standard_input(readings: &[InputReading]) -> Vec<u8> {
    let mut text = Text::default();
    let mut left: VecDeque<&InputReading> = readings.iter().collect();
    while let Some(reading) = left.pop_front() {
        let name = reading.name.split('#').next().unwrap_or_default();
        let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
        let ReadValue::Number { value, .. } = reading.value else {
            continue;
        };
        // The next reading, if it is one of what this one announces.
        let mut next_is = |wanted: &[&str]| {
            let is_it = left.front().is_some_and(|next| {
                let next = next.name.split(['#', ':']).next().unwrap_or_default();
                wanted.contains(&next)
            });
            if is_it { left.pop_front() } else { None }
        };
        match kind {
            "@byte" => match u8::try_from(value) {
                Ok(byte) => text.push(&[byte]),
                Err(_) => text.end(),
            },
            "@ungetc" => text.put_back(),
            "@end" if value & 1 == 1 => text.end(),
            "@end" => text.rest = Rest::Something,
            "@number" if value == INPUT_ENDS => text.end(),
            "@number" if value == MISMATCH => text.expect_mismatch(),
            "@number" => {
                let Some(number) =
                    next_is(&["@decimal", "@unsigned", "@hexadecimal", "@octal", "@float"])
                else {
                    continue;
                };
                let joins = match number.name.starts_with("@float") {
                    true => Joins::Float,
                    false => Joins::Digits,
                };
                if let Some(digits) = numeral(number) {
                    text.push_word(digits.as_bytes(), joins);
                }
            }
            "@literal" => match (value, rest.parse()) {
                (INPUT_ENDS, _) => text.end(),
                (MISMATCH, Ok(byte)) => text.expect_other_than(byte),
                (_, Ok(byte)) => text.push(&[byte]),
                (_, Err(_)) => {}
            },
            "@word" => {
                let content = content(next_is(&["@text"]), value);
                match content {
                    None => text.end(),
                    Some(content) => {
                        let (set, width) = rest.split_once(':').unwrap_or((rest, ""));
                        let set = Set::parse(set);
                        let content = set.repaired(&content);
                        let skips_spaces = set == Set::NO_SPACES;
                        let joins = if width.parse() == Ok(content.len()) {
                            Joins::Nothing
                        } else {
                            Joins::Members(set)
                        };
                        if skips_spaces {
                            text.push_word(&content, joins);
                        } else {
                            text.push(&content);
                            text.joins = joins;
                        }
                    }
                }
            }
            "@line" => match content(next_is(&["@text"]), value) {
                Some(content) if !content.is_empty() => text.push(line_of(&content)),
                _ => text.end(),
            },
            "@getline" | "@block" | "@read" => match content(next_is(&["@text"]), value) {
                Some(content) if !content.is_empty() => text.push(&content),
                _ => text.end(),
            },
            // The length counts the line's end, which is not in the text.
            "@gets" => match value.checked_sub(1) {
                None => text.end(),
                Some(length) => {
                    let line = content(next_is(&["@text"]), length).unwrap_or_default();
                    text.push(&line);
                    text.push(b"\n");
                }
            },
            _ => {}
        }
    }
    text.finished()
}

/// The bytes of a text of this length, whether the path came to look at them or not; `None` for -1.
fn content(text: Option<&InputReading>, length: u64) -> Option<Vec<u8>> {
    match text.map(|text| &text.value) {
        Some(ReadValue::Bytes(bytes)) => Some(bytes.clone()),
        _ if length == FAILURE => None,
        _ => Some(vec![
            b'x';
            usize::try_from(length.min(MOST_BYTES)).unwrap_or(0)
        ]),
    }
}

/// The line at the beginning of a text: the path did not look behind its end.
fn line_of(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| *byte == b'\n');
    &text[..end.map_or(text.len(), |end| end + 1)]
}

/// How a number is written. Behind the name may be the least number of characters.
fn numeral(reading: &InputReading) -> Option<String> {
    let ReadValue::Number { value, bits } = reading.value else {
        return None;
    };
    let unused = 64 - bits.clamp(1, 64);
    let name = reading.name.split('#').next().unwrap_or_default();
    let kind = name.split(':').next().unwrap_or_default();
    Some(match kind {
        "@decimal" => ((value << unused).cast_signed() >> unused).to_string(),
        "@unsigned" => value.to_string(),
        "@hexadecimal" => format!("{value:x}"),
        "@octal" => format!("{value:o}"),
        _ => {
            let number = if bits == 32 {
                let float = f32::from_bits(u32::try_from(value).ok()?);
                (f64::from(float), format!("{float}"))
            } else {
                let float = f64::from_bits(value);
                (float, format!("{float}"))
            };
            let sign = if number.0.is_sign_negative() { "-" } else { "" };
            if number.0.is_nan() {
                format!("{sign}nan")
            } else {
                number.1
            }
        }
    })
}

/// Bytes that belong to what was written last, if they came behind it.
#[derive(Clone, PartialEq, Eq)]
enum Joins {
    Nothing,
    Digits,
    Float,
    Members(Set),
}

/// A set of bytes.
#[derive(Clone, PartialEq, Eq)]
struct Set([u64; 4]);

impl Set {
    const NO_SPACES: Set = Set([!0x1_0000_3e00, u64::MAX, u64::MAX, u64::MAX]);

    /// From four hexadecimal words with points between.
    fn parse(text: &str) -> Set {
        let words: Option<Vec<u64>> = (text.split('.'))
            .map(|word| u64::from_str_radix(word, 16).ok())
            .collect();
        let words = words.and_then(|words| <[u64; 4]>::try_from(words).ok());
        words.map_or(Set::NO_SPACES, Set)
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    /// The same with members in the place of what is none: the path did not look there.
    fn repaired(&self, content: &[u8]) -> Vec<u8> {
        let usual = b"x0a1Az ".iter().copied().chain(0..=255);
        let member = usual
            .into_iter()
            .find(|byte| self.has(*byte))
            .unwrap_or(b'x');
        (content.iter())
            .map(|byte| if self.has(*byte) { *byte } else { member })
            .collect()
    }
}

/// The text that is written.
struct Text {
    bytes: Vec<u8>,
    joins: Joins,
    /// Before what comes next there is something that no number begins with.
    mismatch: bool,
    /// What comes next is not this.
    other_than: Option<u8>,
    /// The last byte is read once more.
    is_put_back: bool,
    rest: Rest,
}

/// What the program has learnt of the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Unknown,
    Something,
    Nothing,
}

impl Default for Text {
    fn default() -> Text {
        Text {
            bytes: Vec::new(),
            joins: Joins::Nothing,
            mismatch: false,
            other_than: None,
            is_put_back: false,
            rest: Rest::Unknown,
        }
    }
}

impl Text {
    fn joins(&self, byte: u8) -> bool {
        match &self.joins {
            Joins::Nothing => false,
            Joins::Digits => byte.is_ascii_digit(),
            Joins::Float => byte.is_ascii_alphanumeric() || byte == b'.',
            Joins::Members(set) => set.has(byte),
        }
    }

    /// A byte that does not belong to what stands before.
    fn push_apart(&mut self, byte: u8) {
        if self.joins(byte) {
            self.bytes.push(b'\n');
        }
        self.bytes.push(byte);
        self.joins = Joins::Nothing;
    }

    /// Bytes as they are; after a number or a word, white space stands before what would belong to it.
    fn push(&mut self, bytes: &[u8]) {
        let Some(first) = bytes.first() else {
            return;
        };
        if self.is_put_back && self.bytes.last() == Some(first) {
            self.bytes.pop();
        }
        self.is_put_back = false;
        if self.mismatch && (first.is_ascii_whitespace() || b"+-0123456789".contains(first)) {
            self.push_apart(b'+');
        } else if self.joins(*first) {
            self.bytes.push(b'\n');
        }
        self.bytes.extend(bytes);
        self.joins = Joins::Nothing;
        self.mismatch = false;
        self.rest = Rest::Unknown;
        self.other_than = None;
    }

    /// What white space may stand before.
    fn push_word(&mut self, bytes: &[u8], joins: Joins) {
        if self.is_put_back {
            // A number or word that begins with what was looked at.
            if self.bytes.last() == bytes.first() {
                self.bytes.pop();
            }
            self.is_put_back = false;
        }
        if self.mismatch {
            // The sign is taken, and white space skipped.
            self.push_apart(b'+');
            self.bytes.push(b'\n');
        } else if self.joins != Joins::Nothing {
            self.bytes.push(b'\n');
        }
        self.bytes.extend(bytes);
        self.joins = joins;
        self.mismatch = false;
        self.rest = Rest::Unknown;
        self.other_than = None;
    }

    fn put_back(&mut self) {
        self.is_put_back = true;
    }

    fn expect_mismatch(&mut self) {
        self.mismatch = true;
    }

    fn expect_other_than(&mut self, byte: u8) {
        self.other_than = Some(byte);
    }

    fn end(&mut self) {
        if self.mismatch {
            self.push_apart(b'+');
            self.mismatch = false;
        }
        if self.rest == Rest::Something || self.other_than.is_some() {
            // White space, which was skipped.
            self.bytes.push(b'\n');
            self.other_than = None;
        }
        self.rest = Rest::Nothing;
    }

    fn finished(mut self) -> Vec<u8> {
        if self.mismatch || self.other_than.is_some() {
            self.push_apart(if self.other_than == Some(b'x') {
                b'y'
            } else {
                b'x'
            });
        } else if self.joins != Joins::Nothing && self.rest != Rest::Nothing {
            self.bytes.push(b'\n');
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{InputReading, ReadValue, standard_input};

    fn number(name: &str, value: u64, bits: u32) -> InputReading {
        let (name, value) = (name.to_owned(), ReadValue::Number { value, bits });
        InputReading { name, value }
    }

    fn text(bytes: &[u8]) -> InputReading {
        let (name, value) = ("@text".to_owned(), ReadValue::Bytes(bytes.to_vec()));
        InputReading { name, value }
    }

    #[test]
    fn numbers_stand_in_lines() {
        let minus_three = u64::from((-3i32).cast_unsigned());
        let readings = [
            number("@number", 0, 32),
            number("@decimal", 12, 32),
            number("@number#2", 0, 32),
            number("@decimal#2", minus_three, 32),
        ];
        assert_eq!(standard_input(&readings), b"12\n-3\n");
    }

    #[test]
    fn a_byte_behind_a_number_stands_there_by_itself() {
        let number_and = |byte| {
            standard_input(&[
                number("@number", 0, 32),
                number("@decimal", 5, 32),
                number("@byte", byte, 32),
            ])
        };
        assert_eq!(number_and(u64::from(b'\n')), b"5\n");
        assert_eq!(number_and(u64::from(b'.')), b"5.");
        // White space was skipped.
        assert_eq!(number_and(u64::from(b'7')), b"5\n7");
        assert_eq!(number_and(u64::from(u32::MAX)), b"5");
    }

    #[test]
    fn a_mismatch_leaves_what_comes_next() {
        let before = |next: InputReading| standard_input(&[number("@number", 1, 32), next]);
        assert_eq!(before(number("@byte", u64::from(b'x'), 32)), b"x");
        assert_eq!(before(number("@byte", u64::from(b' '), 32)), b"+ ");
        assert_eq!(standard_input(&[number("@number", 1, 32)]), b"x");
    }

    #[test]
    fn words_have_members_only() {
        let full = [
            number("@word:ff000000000000.0.0.0:2", 2, 32),
            text(b"12"),
            number("@byte", u64::from(b'3'), 32),
        ];
        assert_eq!(standard_input(&full), b"123");
        let readings = [
            number("@word:ff000000000000.0.0.0", 3, 32),
            text(&[b'1', 0, b'7']),
        ];
        assert_eq!(standard_input(&readings), b"107\n");
        // The path ended where the text was to be stored.
        assert_eq!(standard_input(&[number("@word", 4, 32)]), b"xxxx\n");
    }

    #[test]
    fn what_was_put_back_is_written_once() {
        let a = u64::from(b'a');
        let readings = [
            number("@byte", a, 32),
            number("@ungetc", 0, 8),
            number("@byte#2", a, 32),
        ];
        assert_eq!(standard_input(&readings), b"a");
    }
}
