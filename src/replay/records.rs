//! Input records and their text form, which `runtime/replay/replay.c` reads.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::Bv;

/// All that a run of the program gets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// The inputs in the order of reading.
    pub records: Vec<InputRecord>,
    /// Arguments, standard input and files. Default: no arguments, an empty standard input, no files.
    pub surroundings: Surroundings,
}

impl From<Vec<InputRecord>> for Inputs {
    fn from(records: Vec<InputRecord>) -> Inputs {
        Inputs {
            records,
            ..Inputs::default()
        }
    }
}

/// Arguments, standard input and files of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// `argv`, its name first, without zeros; empty for what the system passes by itself.
    pub arguments: Vec<Vec<u8>>,
    /// The content of standard input, a file.
    pub stdin: Vec<u8>,
    /// Standard input is a folder in its place, so that reading it fails.
    pub stdin_is_folder: bool,
    /// Names and contents of the files in its folder.
    pub files: Vec<(String, Vec<u8>)>,
}

/// One input of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    /// For messages; not compared.
    pub name: String,
    pub value: InputValue,
}

/// The kind of an input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InputValue {
    /// An integer of 8, 16, 32, 64 or 128 bits: an `Input` action.
    Int(Bv),
    /// Content of memory: a `Malloc`, `Realloc` (of the whole new block) or `Uninit` action.
    Bytes {
        /// Number of bytes.
        size: u64,
        /// What is not in `chunks`.
        default: u8,
        /// Bytes from an offset on; chunks do not overlap and end before `size`.
        chunks: BTreeMap<u64, Vec<u8>>,
        /// For memory that lies here before the program starts: a multiple of the page size. The
        /// program does not ask for it.
        address: Option<u64>,
    },
}

/// The records as text, one a line; those of memory that is there before the program starts come
/// first.
pub(super) fn to_text(records: &[InputRecord]) -> String {
    let mut text = String::new();
    let is_placed = |record: &&InputRecord| match record.value {
        InputValue::Bytes { address, .. } => address.is_some(),
        InputValue::Int(_) => false,
    };
    let placed = records.iter().filter(is_placed);
    let asked = records.iter().filter(|record| !is_placed(record));
    for InputRecord { name, value } in placed.chain(asked) {
        let name = one_word(name);
        match value {
            InputValue::Int(value) => {
                let width = value.width();
                match value.to_u64() {
                    Some(word) => writeln!(text, "i{width} {word} {name}"),
                    None => writeln!(text, "i{width} {:#x} {name}", value.to_biguint()),
                }
            }
            InputValue::Bytes {
                size,
                default,
                chunks,
                address,
            } => {
                let kind = match address {
                    Some(address) => format!("object {address:#x}"),
                    None => "bytes".to_owned(),
                };
                let mut line = format!("{kind} {size} {default:02x} {name}");
                for (offset, bytes) in chunks.iter().filter(|(_, bytes)| !bytes.is_empty()) {
                    write!(line, " {offset}:").expect("strings grow");
                    for byte in bytes {
                        write!(line, "{byte:02x}").expect("strings grow");
                    }
                }
                writeln!(text, "{line}")
            }
        }
        .expect("strings grow");
    }
    text
}

/// Names in records hold no white space.
fn one_word(name: &str) -> String {
    if name.is_empty() {
        return "_".to_owned();
    }
    name.chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::BinOp;

    fn int(name: &str, value: Bv) -> InputRecord {
        InputRecord {
            name: name.to_owned(),
            value: InputValue::Int(value),
        }
    }

    #[test]
    fn text_of_records() {
        let wide = Bv::binary(BinOp::Shl, &Bv::new(128, 1), &Bv::new(128, 64));
        let records = [
            int("n", Bv::new(32, u64::from(u32::MAX))),
            int("two words", Bv::new(8, 1)),
            int("", wide),
            InputRecord {
                name: "line".to_owned(),
                value: InputValue::Bytes {
                    size: 8,
                    default: 0,
                    chunks: BTreeMap::from([(0, vec![0x48, 0x69, 0x0a]), (7, vec![0xff])]),
                    address: None,
                },
            },
            InputRecord {
                name: "there".to_owned(),
                value: InputValue::Bytes {
                    size: 4096,
                    default: 0,
                    chunks: BTreeMap::from([(2, vec![1])]),
                    address: Some(0x2000_0000),
                },
            },
        ];
        assert_eq!(
            to_text(&records),
            "object 0x20000000 4096 00 there 2:01\ni32 4294967295 n\ni8 1 two_words\ni128 0x10000000000000000 _\n\
             bytes 8 00 line 0:48690a 7:ff\n"
        );
    }
}
