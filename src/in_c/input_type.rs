//! The C types of inputs: numbers, and aggregates of them.

use serde::{Deserialize, Serialize};

/// The C type of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InputType {
    Number(NumberType),
    /// Several of one type, one behind the other; as many as there is room for where it is not known how many.
    Array {
        element: Box<InputType>,
        length: Option<u64>,
    },
    Structure {
        bytes: u64,
        members: Vec<Member>,
    },
    /// Bytes without a number: a pointer, a union, a `long double`.
    Bytes(u64),
}

/// A number of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NumberType {
    /// At most 64.
    pub bits: u32,
    pub reading: Reading,
}

/// How the bits of a number are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reading {
    Signed,
    Unsigned,
    /// `_Float16`, `float` or `double`.
    Float,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Member {
    pub name: String,
    /// In bits, from the structure's begin.
    pub offset: u64,
    pub ty: InputType,
}

impl InputType {
    /// The size in bits; `None` for an array of unknown length.
    #[must_use]
    pub fn bits(&self) -> Option<u64> {
        match self {
            InputType::Number(number) => Some(u64::from(number.bits)),
            InputType::Array { element, length } => element.bits()?.checked_mul((*length)?),
            InputType::Structure { bytes, .. } | InputType::Bytes(bytes) => bytes.checked_mul(8),
        }
    }

    #[must_use]
    pub fn number(&self) -> Option<NumberType> {
        match self {
            InputType::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The element type of an array of numbers.
    #[must_use]
    pub fn element(&self) -> Option<NumberType> {
        match self {
            InputType::Array { element, .. } => element.number(),
            _ => None,
        }
    }

    /// The number of a structure's member, or of an element of a member, that has so many bits and lies so
    /// many bits behind the begin: what is to be written behind the structure's name for it.
    #[must_use]
    pub fn member(&self, offset: u64, bits: u32) -> Option<(String, NumberType)> {
        let InputType::Structure { members, .. } = self else {
            return None;
        };
        members.iter().find_map(|member| {
            let offset = offset.checked_sub(member.offset)?;
            let (path, number) = member.ty.part(offset, bits)?;
            // What has no name is part of the structure around it.
            let dot = if member.name.is_empty() { "" } else { "." };
            Some((format!("{dot}{}{path}", member.name), number))
        })
    }

    fn part(&self, offset: u64, bits: u32) -> Option<(String, NumberType)> {
        match self {
            InputType::Number(number) => {
                (offset == 0 && number.bits == bits).then(|| (String::new(), *number))
            }
            InputType::Array { element, length } => {
                let each = element.bits().filter(|each| *each > 0)?;
                let index = offset / each;
                if length.is_some_and(|length| index >= length) {
                    return None;
                }
                let (path, number) = element.part(offset % each, bits)?;
                Some((format!("[{index}]{path}"), number))
            }
            InputType::Structure { .. } => self.member(offset, bits),
            InputType::Bytes(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_within_structures_have_paths() {
        let number = |bits, reading| InputType::Number(NumberType { bits, reading });
        let member = |name: &str, offset, ty| Member {
            name: name.to_owned(),
            offset,
            ty,
        };
        let point = InputType::Structure {
            bytes: 8,
            members: vec![
                member("x", 0, number(32, Reading::Signed)),
                member("y", 32, number(16, Reading::Unsigned)),
            ],
        };
        let points = InputType::Array {
            element: Box::new(point),
            length: Some(3),
        };
        let line = InputType::Structure {
            bytes: 32,
            members: vec![
                member("next", 0, InputType::Bytes(8)),
                member("points", 64, points),
            ],
        };
        let path = |offset, bits| line.member(offset, bits).map(|(path, _)| path);
        assert_eq!(path(64, 32).as_deref(), Some(".points[0].x"));
        assert_eq!(path(64 + 128 + 32, 16).as_deref(), Some(".points[2].y"));
        // Of another size, between two numbers, behind the end, and no number.
        assert_eq!(path(64, 16), None);
        assert_eq!(path(64 + 8, 32), None);
        assert_eq!(path(64 + 3 * 64, 32), None);
        assert_eq!(path(0, 64), None);
    }
}
