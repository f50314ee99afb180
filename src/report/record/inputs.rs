//! Values of inputs.

use super::parts::{self, Part};
use frontend::{InputType, Reading};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use symex::{InputValue, WitnessInput};
use term::{Bv, without_number};

/// One input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    pub name: String,
    /// Whether the path depends on it; any value does where not.
    #[serde(default = "yes")]
    pub matters: bool,
    /// Whether the function that gives it, or the variable that is made symbolic, is known to be unsigned.
    #[serde(default)]
    pub is_unsigned: bool,
    /// Whether that is known to be a `float` or `double`, whose bits the value has.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_float: bool,
    #[serde(flatten)]
    pub value: ValueRecord,
}

fn yes() -> bool {
    true
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands it a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ValueRecord {
    /// A number of `bits` bits, read as signed and as unsigned, in decimal (it may be wider than
    /// JSON's numbers).
    Value {
        bits: u32,
        signed: String,
        unsigned: String,
    },
    /// Memory of `bytes` bytes: `default` everywhere but in the chunks.
    Memory {
        bytes: u64,
        default: u8,
        chunks: Vec<Chunk>,
        /// Whether it is known to hold one number.
        #[serde(default, skip_serializing_if = "is_false")]
        is_number: bool,
        /// What the path depends on, as numbers and texts of C; none where no type is known, or where they
        /// are many.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parts: Vec<Part>,
    },
}

/// Bytes from an offset on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    pub offset: u64,
    /// Two hexadecimal digits a byte.
    pub hex: String,
}

impl InputRecord {
    /// `types` are what numbers inputs of these names are in C.
    pub(crate) fn of(input: &WitnessInput, types: &BTreeMap<String, InputType>) -> InputRecord {
        let reading = reading(input, types);
        let parts = parts::parts(input, types.get(without_number(&input.name, '#')));
        let value = match &input.value {
            InputValue::Value(value) => ValueRecord::of(value),
            InputValue::Memory {
                bytes,
                default,
                chunks,
                address: _,
            } => ValueRecord::Memory {
                bytes: *bytes,
                default: *default,
                chunks: chunks
                    .iter()
                    .map(|(offset, bytes)| Chunk {
                        offset: *offset,
                        hex: hex(bytes),
                    })
                    .collect(),
                is_number: reading.is_some(),
                parts,
            },
        };
        let call = input.call.as_deref();
        InputRecord {
            name: input.name.clone(),
            matters: input.matters,
            is_unsigned: call.is_some_and(gives_unsigned) || reading == Some(Reading::Unsigned),
            is_float: call.is_some_and(gives_float) || reading == Some(Reading::Float),
            value,
        }
    }
}
/// How the bits of an input are read, by the function that gives it or else by its name, where that is known.
fn reading(input: &WitnessInput, types: &BTreeMap<String, InputType>) -> Option<Reading> {
    let (name, bits) = match &input.value {
        InputValue::Value(value) => (input.name.as_str(), u64::from(value.width())),
        InputValue::Memory { bytes, .. } => {
            (without_number(&input.name, '#'), bytes.saturating_mul(8))
        }
    };
    let number = types.get(input.call.as_deref().unwrap_or(name))?.number()?;
    (u64::from(number.bits) == bits).then_some(number.reading)
}

/// Whether the name of a function for inputs says that they are unsigned: `compact_se_u8`,
/// `__VERIFIER_nondet_uint`.
fn gives_unsigned(call: &str) -> bool {
    let ty = call.rsplit('_').next().unwrap_or_default();
    let is_size = call.ends_with("size_t") && !call.ends_with("ssize_t");
    is_size || ty == "bool" || ty == "usize" || ty == "unsigned" || {
        let rest = ty.strip_prefix('u');
        rest.is_some_and(|rest| {
            ["char", "short", "int", "long", "longlong"].contains(&rest)
                || !rest.is_empty() && rest.chars().all(|digit| digit.is_ascii_digit())
        })
    }
}

/// Whether the name of a function for inputs says that they are floats: `__VERIFIER_nondet_double`.
fn gives_float(call: &str) -> bool {
    call.contains("nondet") && (call.ends_with("_float") || call.ends_with("_double"))
}

impl ValueRecord {
    fn of(value: &Bv) -> ValueRecord {
        ValueRecord::Value {
            bits: value.width(),
            signed: value.to_bigint().to_string(),
            unsigned: value.to_biguint().to_string(),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

impl Chunk {
    /// The bytes behind the digits.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let digits: Vec<u8> = self
            .hex
            .chars()
            .filter_map(|c| c.to_digit(16)?.try_into().ok())
            .collect();
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_digits_stand_for_their_bytes() {
        let bytes = vec![0x00, 0x7f, 0xff, 0x48];
        let chunk = Chunk {
            offset: 0,
            hex: hex(&bytes),
        };
        assert_eq!(chunk.hex, "007fff48");
        assert_eq!(chunk.bytes(), bytes);
    }

    #[test]
    fn names_say_what_is_unsigned() {
        for call in [
            "__VERIFIER_nondet_uchar",
            "compact_se_u64",
            "nondet_size_t",
            "next_uint",
        ] {
            assert!(gives_unsigned(call), "{call}");
        }
        for call in [
            "__VERIFIER_nondet_char",
            "compact_se_i8",
            "nondet_ssize_t",
            "usual",
            "u",
        ] {
            assert!(!gives_unsigned(call), "{call}");
        }
    }

    #[test]
    fn inputs_have_flat_fields() {
        let input = InputRecord {
            name: "x".to_owned(),
            matters: true,
            is_unsigned: gives_unsigned("__VERIFIER_nondet_uchar"),
            is_float: gives_float("__VERIFIER_nondet_uchar"),
            value: ValueRecord::of(&Bv::new(8, 251)),
        };
        let json = serde_json::to_value(&input).unwrap();
        let expected = serde_json::json!({
            "name": "x", "matters": true, "is_unsigned": true,
            "kind": "value", "bits": 8, "signed": "-5", "unsigned": "251",
        });
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_value::<InputRecord>(json).unwrap(), input);
    }
}
