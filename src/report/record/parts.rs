//! Members and elements of an input block, as numbers and texts of C.

use crate::blocks;
use frontend::{InputType, NumberType, Reading};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use symex::{InputValue, WitnessInput};
use term::float;

/// Nobody reads more parts of one input.
const MOST_PARTS: usize = 40;

/// Arrays of more elements are not written as a whole.
const MOST_ELEMENTS: u64 = 32;

/// Characters of an array that is shown as a text.
const LONGEST_TEXT: u64 = 64;

/// Bytes without a type are shown up to here.
const MOST_BYTES: u64 = 16;

/// A part of an input on which the path depends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// What is after the input's name: `.x`, `[3]`, `[3 ... 5]` for equal elements in a row; empty for
    /// the whole.
    pub place: String,
    /// As C writes it.
    pub value: String,
    /// `i32`, `u8`, `float`, `char[6]`, `i32[3]`; `bytes` for hexadecimal digits.
    #[serde(rename = "type")]
    pub ty: String,
}

/// The parts on which the path depends, by the input's type; none where that is not known or does not fit, and
/// where they are too many.
pub(super) fn parts(input: &WitnessInput, ty: Option<&InputType>) -> Vec<Part> {
    let (
        Some(ty),
        InputValue::Memory {
            bytes,
            default,
            chunks,
            ..
        },
    ) = (ty, &input.value)
    else {
        return Vec::new();
    };
    if ty.number().is_some() || ty.bits().is_some_and(|bits| bits > bytes.saturating_mul(8)) {
        return Vec::new();
    }
    let decisive = input.decisive.clone().unwrap_or_else(|| {
        let given = chunks.iter().flat_map(|(start, chunk)| {
            let bytes = (*start..).zip(chunk);
            bytes.filter_map(|(offset, byte)| (byte != default).then_some(offset))
        });
        given.collect()
    });
    let mut reader = Reader {
        bytes: *bytes,
        default: *default,
        chunks,
        decisive,
        parts: Vec::new(),
    };
    reader.read(ty, String::new(), 0);
    if reader.parts.len() > MOST_PARTS {
        return Vec::new();
    }
    reader.parts
}

struct Reader<'a> {
    bytes: u64,
    default: u8,
    chunks: &'a BTreeMap<u64, Vec<u8>>,
    /// Offsets in order.
    decisive: Vec<u64>,
    parts: Vec<Part>,
}

impl Reader<'_> {
    /// The parts of what has this type and begins at this bit.
    fn read(&mut self, ty: &InputType, place: String, start: u64) {
        if self.parts.len() > MOST_PARTS {
            return;
        }
        match ty {
            InputType::Number(number) => {
                if self.decides(start, start + u64::from(number.bits)) {
                    let (value, ty) = number_in_c(*number, self.number(start, number.bits));
                    self.parts.push(Part { place, value, ty });
                }
            }
            InputType::Bytes(bytes) => {
                let begin = start / 8;
                if self.decides(start, start + bytes * 8) {
                    let shown = begin..begin + (*bytes).min(MOST_BYTES);
                    let digits = shown.map(|offset| format!("{:02x}", self.byte(offset)));
                    let mut value = digits.collect::<Vec<_>>().join(" ");
                    if *bytes > MOST_BYTES {
                        value.push_str(" …");
                    }
                    let ty = "bytes".to_owned();
                    self.parts.push(Part { place, value, ty });
                }
            }
            InputType::Structure { members, .. } => {
                for member in members {
                    let dot = if member.name.is_empty() { "" } else { "." };
                    let place = format!("{place}{dot}{}", member.name);
                    self.read(&member.ty, place, start + member.offset);
                }
            }
            InputType::Array { element, length } => self.array(element, *length, &place, start),
        }
    }

    fn array(&mut self, element: &InputType, length: Option<u64>, place: &str, start: u64) {
        let room = (self.bytes * 8).saturating_sub(start);
        let Some(each) = element.bits().filter(|each| (8..=room).contains(each)) else {
            return;
        };
        let length = length.map_or(room / each, |length| length.min(room / each));
        let end = start + length * each;
        let mut indices: Vec<u64> = (self.within(start, end).iter())
            .map(|offset| (offset * 8 - start) / each)
            .collect();
        indices.dedup();
        let Some(last) = indices.last().copied() else {
            return;
        };
        let number = element.number();
        if let Some(number) = number
            && let Some(value) = self.whole(number, start, length, (&indices, last))
        {
            let (_, ty) = value;
            let place = place.to_owned();
            self.parts.push(Part {
                place,
                value: value.0,
                ty: format!("{ty}[{length}]"),
            });
            return;
        }
        let mut at = 0;
        while at < indices.len() && self.parts.len() <= MOST_PARTS {
            let first = indices[at];
            let n_equal = number.map_or(1, |number| {
                let value = |index: u64| self.number(start + index * each, number.bits);
                let follow = indices[at..].iter().zip(first..);
                follow
                    .take_while(|(index, next)| *index == next && value(**index) == value(first))
                    .count()
            });
            let index = match n_equal as u64 {
                0 | 1 => format!("{place}[{first}]"),
                n_equal => format!("{place}[{first} ... {}]", first + n_equal - 1),
            };
            self.read(element, index, start + first * each);
            at += n_equal.max(1);
        }
    }

    /// An array of numbers in one: a text, or a list if most of its elements count; with the type of an element.
    fn whole(
        &self,
        number: NumberType,
        start: u64,
        length: u64,
        (decisive, last): (&[u64], u64),
    ) -> Option<(String, String)> {
        let bits = u64::from(number.bits);
        let begin = start / 8;
        if bits == 8 && last < LONGEST_TEXT {
            let content: Vec<u8> = (begin..=begin + last).map(|at| self.byte(at)).collect();
            if let Some(text) = blocks::text(&content) {
                return Some((text, "char".to_owned()));
            }
        }
        if length > MOST_ELEMENTS || 2 * decisive.len() as u64 <= length || decisive.len() < 2 {
            return None;
        }
        let values = (0..length).map(|index| self.number(start + index * bits, number.bits));
        let values: Vec<String> = values.map(|value| number_in_c(number, value).0).collect();
        let (_, ty) = number_in_c(number, 0);
        Some((format!("{{{}}}", values.join(", ")), ty))
    }

    /// The decisive bytes of those that these bits are in.
    fn within(&self, start: u64, end: u64) -> &[u64] {
        let from = self.decisive.partition_point(|offset| *offset < start / 8);
        let to = self
            .decisive
            .partition_point(|offset| *offset < end.div_ceil(8));
        &self.decisive[from..to]
    }

    fn decides(&self, start: u64, end: u64) -> bool {
        !self.within(start, end).is_empty()
    }

    fn byte(&self, offset: u64) -> u8 {
        let before = self.chunks.range(..=offset).next_back();
        let chunk = before.and_then(|(start, chunk)| {
            let within = usize::try_from(offset - start).ok()?;
            chunk.get(within).copied()
        });
        chunk.unwrap_or(self.default)
    }

    /// The number of so many bits, at most 64, that begins at this bit.
    fn number(&self, start: u64, bits: u32) -> u64 {
        let (begin, shift) = (start / 8, start % 8);
        let end = (start + u64::from(bits)).div_ceil(8);
        let bytes = (begin..end).zip((0..).step_by(8));
        let value = bytes.fold(0_u128, |value, (offset, shift)| {
            value | u128::from(self.byte(offset)) << shift
        });
        let value = (value >> shift) & ((1 << bits) - 1);
        u64::try_from(value).unwrap_or_default()
    }
}

/// A number as C writes it, and its type.
fn number_in_c(number: NumberType, value: u64) -> (String, String) {
    let NumberType { bits, reading } = number;
    match reading {
        Reading::Unsigned => (value.to_string(), format!("u{bits}")),
        Reading::Float => {
            if let (Some(digits), Some(ty)) = (float::shortest(bits, value), float::name_in_c(bits))
            {
                return (digits, ty.to_owned());
            }
            (value.to_string(), format!("u{bits}"))
        }
        Reading::Signed => {
            let value = term::word::signed(bits, value);
            (value.to_string(), format!("i{bits}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowgraph::Span;
    use frontend::Member;

    fn number(bits: u32, reading: Reading) -> InputType {
        InputType::Number(NumberType { bits, reading })
    }

    fn array(element: InputType, length: Option<u64>) -> InputType {
        InputType::Array {
            element: Box::new(element),
            length,
        }
    }

    fn shown(content: &[u8], decisive: Option<&[u64]>, ty: &InputType) -> Vec<String> {
        let input = WitnessInput {
            name: "p".to_owned(),
            value: InputValue::Memory {
                bytes: content.len() as u64,
                default: 0,
                chunks: BTreeMap::from([(0, content.to_vec())]),
                address: None,
            },
            span: Span::default(),
            call: None,
            matters: true,
            decisive: decisive.map(<[u64]>::to_vec),
        };
        let parts = parts(&input, Some(ty)).into_iter();
        parts
            .map(|part| format!("p{} = {} ({})", part.place, part.value, part.ty))
            .collect()
    }

    #[test]
    fn members_have_their_types() {
        let member = |name: &str, offset, ty| Member {
            name: name.to_owned(),
            offset,
            ty,
        };
        let ty = InputType::Structure {
            bytes: 16,
            members: vec![
                member("x", 0, number(32, Reading::Signed)),
                member("low", 32, number(3, Reading::Unsigned)),
                member("high", 35, number(5, Reading::Signed)),
                member("name", 40, array(number(8, Reading::Signed), Some(3))),
                member("next", 64, InputType::Bytes(8)),
            ],
        };
        let content = [
            0xf9,
            0xff,
            0xff,
            0xff,
            0b1111_0101,
            b'b',
            b'o',
            0,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0x7f,
        ];
        assert_eq!(
            shown(&content, Some(&[0, 4, 5, 6, 7]), &ty),
            [
                "p.x = -7 (i32)",
                "p.low = 5 (u3)",
                "p.high = -2 (i5)",
                "p.name = \"bo\" (char[3])",
            ]
        );
        assert_eq!(
            shown(&content, Some(&[15]), &ty),
            ["p.next = 01 00 00 00 00 00 00 7f (bytes)"]
        );
        // What has less room than its type is something else.
        assert!(shown(&content[..12], Some(&[0]), &ty).is_empty());
    }

    #[test]
    fn elements_are_told_alone_in_rows_or_all_together() {
        let ints = array(number(32, Reading::Signed), None);
        let content = [77, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0];
        assert_eq!(shown(&content, Some(&[4, 5]), &ints), ["p[1] = 5 (i32)"]);
        let all: Vec<u64> = (0..20).collect();
        assert_eq!(
            shown(&content, Some(&all), &ints),
            ["p = {77, 5, 5, 5, 9} (i32[5])"]
        );
        let many = array(number(8, Reading::Unsigned), None);
        let mut content = vec![200; 90];
        content[50] = 201;
        let all: Vec<u64> = (0..90).collect();
        assert_eq!(
            shown(&content, Some(&all), &many),
            [
                "p[0 ... 49] = 200 (u8)",
                "p[50] = 201 (u8)",
                "p[51 ... 89] = 200 (u8)",
            ]
        );
        // Too many parts to be read.
        let content: Vec<u8> = (0..90).map(|at| at * 2 + 1).collect();
        assert!(shown(&content, Some(&all), &many).is_empty());
    }

    #[test]
    fn characters_are_a_text_as_far_as_they_count() {
        let text = array(number(8, Reading::Signed), Some(100));
        let mut content = vec![0; 100];
        content[..5].copy_from_slice(b"a\"b x");
        assert_eq!(
            shown(&content, Some(&[0, 1, 2, 3]), &text),
            ["p = \"a\\\"b \" (char[100])"]
        );
        // If the relevant bytes are unknown, all given bytes count.
        assert_eq!(
            shown(&content, None, &text),
            ["p = \"a\\\"b x\" (char[100])"]
        );
        content[3] = 0;
        content[90] = b'x';
        assert_eq!(shown(&content, Some(&[90]), &text), ["p[90] = 120 (i8)"]);
    }
}
