//! Inputs for people: memory contents as C initialisers, limited to the bytes that the path depends on.

use super::blocks;
use super::record::{Chunk, InputRecord, Part, ValueRecord};
use super::summary::grouped;
use std::fmt::Write;
use term::{float, without_number};

/// No more lines of inputs are shown.
const MOST_LINES: usize = 40;
/// Bytes of a block that is shown as a C string.
const LONGEST_STRING: u64 = 64;

/// The inputs that matter, one a line; equal ones in a row share a line.
pub(super) fn in_words(inputs: &[InputRecord]) -> String {
    if inputs.is_empty() {
        return "\nThe program reads no input on this path.\n".to_owned();
    }
    let decisive: Vec<&InputRecord> = inputs.iter().filter(|input| input.matters).collect();
    let n_others = inputs.len() - decisive.len();
    let mut text = String::from("\ninputs, in order:\n");
    let mut rest = decisive.as_slice();
    let mut n_lines = 0;
    while let Some(first) = rest.first() {
        if n_lines == MOST_LINES {
            let more = grouped(rest.len() as u64);
            let _ = writeln!(text, "  … and {more} more (--json writes all)");
            break;
        }
        let n_equal = rest
            .iter()
            .take_while(|input| {
                source_name(&input.name) == source_name(&first.name) && input.value == first.value
            })
            .count();
        write_input(&mut text, first, shown_name(first, &decisive), n_equal);
        rest = &rest[n_equal..];
        n_lines += 1;
    }
    if n_others > 0 {
        let more = grouped(n_others as u64);
        let inputs = if n_others == 1 { "input" } else { "inputs" };
        let _ = writeln!(
            text,
            "  {more} {inputs} on which the path does not depend (--json writes all)"
        );
    }
    text
}

/// The name in the source: without the number of a repetition.
fn source_name(name: &str) -> &str {
    without_number(name, '#')
}

/// The name under which an input is shown. A block that is called as another is, which does not matter, as
/// what a buffer held before it was filled, has its name in the source.
fn shown_name<'a>(input: &'a InputRecord, decisive: &[&InputRecord]) -> &'a str {
    let name = source_name(&input.name);
    let is_block = matches!(input.value, ValueRecord::Memory { .. });
    let mut namesakes = decisive.iter().filter(|one| source_name(&one.name) == name);
    if is_block && namesakes.nth(1).is_none() {
        name
    } else {
        &input.name
    }
}

fn write_input(text: &mut String, input: &InputRecord, name: &str, n_equal: usize) {
    let number_in_memory = as_number(&input.value);
    match number_in_memory.as_ref().unwrap_or(&input.value) {
        ValueRecord::Value {
            bits,
            signed,
            unsigned,
        } => {
            let float = input.is_float.then(|| float(*bits, unsigned)).flatten();
            if let Some(value) = float {
                let _ = write!(text, "  {name} = {value}");
            } else {
                let (value, kind) = if input.is_unsigned {
                    (unsigned, 'u')
                } else {
                    (signed, 'i')
                };
                let _ = write!(text, "  {name} = {value} ({kind}{bits})");
            }
            if let Some(character) = printable(*bits, unsigned) {
                let _ = write!(text, " '{character}'");
            }
            if n_equal > 1 {
                let _ = write!(text, ", {} times", grouped(n_equal as u64));
            }
            text.push('\n');
        }
        ValueRecord::Memory {
            bytes,
            default,
            chunks,
            parts,
            ..
        } => {
            if !parts.is_empty() {
                for part in parts {
                    write_part(text, name, part, n_equal);
                }
                return;
            }
            let _ = write!(text, "  {name}: {} bytes", grouped(*bytes));
            if n_equal > 1 {
                let _ = write!(text, ", {} times", grouped(n_equal as u64));
            }
            if blocks::is_uniform(*bytes, *default, chunks) {
                let _ = writeln!(text, ", every byte is {default:02x}");
            } else if let Some(literal) = c_string(*bytes, *default, chunks) {
                let _ = writeln!(text, ", {literal}");
            } else if let Some(number) = number(*bytes, *default, chunks) {
                let _ = writeln!(text, ", {number}");
            } else {
                text.push('\n');
                text.push_str(&blocks::dump(*bytes, *default, chunks, "    "));
            }
        }
    }
}

fn write_part(text: &mut String, name: &str, part: &Part, n_equal: usize) {
    let Part { place, value, ty } = part;
    // What a pointer points to: `*p` as a whole, `p[1]` and `p->x` for parts.
    let _ = match (name.strip_prefix('*'), place.strip_prefix("[0].")) {
        (Some(pointer), Some(member)) => write!(text, "  {pointer}->{member} = {value} ({ty})"),
        (Some(pointer), None) if place == "[0]" => write!(text, "  *{pointer} = {value} ({ty})"),
        (Some(pointer), None) if !place.is_empty() => {
            write!(text, "  {pointer}{place} = {value} ({ty})")
        }
        _ => write!(text, "  {name}{place} = {value} ({ty})"),
    };
    if let ("i8" | "u8", Some(character)) = (ty.as_str(), printable(8, value)) {
        let _ = write!(text, " '{character}'");
    }
    if n_equal > 1 {
        let _ = write!(text, ", {} times", grouped(n_equal as u64));
    }
    text.push('\n');
}

/// Memory that holds a number of at most eight bytes, as that number.
fn as_number(value: &ValueRecord) -> Option<ValueRecord> {
    let ValueRecord::Memory {
        bytes,
        default,
        chunks,
        is_number: true,
        ..
    } = value
    else {
        return None;
    };
    let size = usize::try_from(*bytes)
        .ok()
        .filter(|size| (1..=8).contains(size))?;
    let mut all = [0; 8];
    all[..size].copy_from_slice(&content(*bytes, size, *default, chunks)?);
    let bits = 8 * u32::try_from(size).ok()?;
    let unsigned = u64::from_le_bytes(all);
    let signed = i64::from_le_bytes(all) << (64 - bits) >> (64 - bits);
    Some(ValueRecord::Value {
        bits,
        signed: signed.to_string(),
        unsigned: unsigned.to_string(),
    })
}

/// The shortest decimal number that is the float of these bits, with its type.
fn float(bits: u32, unsigned: &str) -> Option<String> {
    let digits = float::shortest(bits, unsigned.parse().ok()?)?;
    Some(format!("{digits} ({})", float::name_in_c(bits)?))
}

fn printable(bits: u32, unsigned: &str) -> Option<char> {
    let code: u8 = unsigned.parse().ok().filter(|_| bits == 8)?;
    (code.is_ascii_graphic() || code == b' ').then(|| char::from(code))
}

/// A block as large as an integer: its bytes, and the integer.
fn number(bytes: u64, default: u8, chunks: &[Chunk]) -> Option<String> {
    let size = usize::try_from(bytes).ok().filter(|_| bytes <= 8)?;
    let content = content(bytes, size, default, chunks)?;
    let value = match size {
        2 => i64::from(i16::from_le_bytes(content.as_slice().try_into().ok()?)),
        4 => i64::from(i32::from_le_bytes(content.as_slice().try_into().ok()?)),
        8 => i64::from_le_bytes(content.as_slice().try_into().ok()?),
        _ => return None,
    };
    let hex: Vec<String> = content.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{} (as a number {value})", hex.join(" ")))
}

/// The bytes of a block of this size, which is small.
fn content(bytes: u64, size: usize, default: u8, chunks: &[Chunk]) -> Option<Vec<u8>> {
    let mut content = vec![default; size];
    for chunk in chunks {
        for (offset, byte) in (chunk.offset..bytes).zip(chunk.bytes()) {
            content[usize::try_from(offset).ok()?] = byte;
        }
    }
    Some(content)
}

/// A short block that is mostly text, as a C string.
fn c_string(bytes: u64, default: u8, chunks: &[Chunk]) -> Option<String> {
    let length = usize::try_from(bytes)
        .ok()
        .filter(|_| bytes <= LONGEST_STRING)?;
    blocks::text(&content(bytes, length, default, chunks)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_decimal_numbers() {
        assert_eq!(
            float(64, "4611686018427387904").as_deref(),
            Some("2.0 (double)")
        );
        assert_eq!(float(32, "1036831949").as_deref(), Some("0.1 (float)"));
        assert_eq!(float(16, "11878").as_deref(), Some("0.1 (_Float16)"));
        assert_eq!(float(80, "1"), None);
    }

    fn number(name: &str, signed: &str, unsigned: &str, bits: u32) -> InputRecord {
        InputRecord {
            name: name.to_owned(),
            matters: true,
            is_unsigned: false,
            is_float: false,
            value: ValueRecord::Value {
                bits,
                signed: signed.to_owned(),
                unsigned: unsigned.to_owned(),
            },
        }
    }

    fn block(hex: &str, bytes: u64) -> InputRecord {
        InputRecord {
            name: "text".to_owned(),
            matters: true,
            is_unsigned: false,
            is_float: false,
            value: ValueRecord::Memory {
                bytes,
                default: 0,
                chunks: vec![Chunk {
                    offset: 0,
                    hex: hex.to_owned(),
                }],
                is_number: false,
                parts: Vec::new(),
            },
        }
    }

    #[test]
    fn numbers_have_their_signedness() {
        let mut inputs = vec![
            number("x", "-5", "4294967291", 32),
            number("c", "65", "65", 8),
        ];
        inputs.push(InputRecord {
            is_unsigned: true,
            is_float: false,
            ..number("b", "-4", "252", 8)
        });
        let text = in_words(&inputs);
        assert_eq!(
            text,
            "\ninputs, in order:\n  x = -5 (i32)\n  c = 65 (i8) 'A'\n  b = 252 (u8)\n"
        );
    }

    #[test]
    fn equal_inputs_in_a_row_share_a_line() {
        let mut inputs = vec![number("c", "7", "7", 8)];
        inputs.extend((2..=1000).map(|n| number(&format!("c#{n}"), "7", "7", 8)));
        inputs.push(number("c#1001", "8", "8", 8));
        let text = in_words(&inputs);
        assert_eq!(
            text,
            "\ninputs, in order:\n  c = 7 (i8), 1,000 times\n  c#1001 = 8 (i8)\n"
        );
    }

    #[test]
    fn many_different_inputs_are_shortened() {
        let inputs: Vec<InputRecord> = (0..50)
            .map(|n| number("x", &n.to_string(), &n.to_string(), 32))
            .collect();
        let text = in_words(&inputs);
        assert!(
            text.ends_with("  x = 39 (i32)\n  … and 10 more (--json writes all)\n"),
            "{text}"
        );
    }

    #[test]
    fn what_does_not_matter_is_counted() {
        let irrelevant = InputRecord {
            matters: false,
            ..number("y", "0", "0", 32)
        };
        let text = in_words(&[number("x", "1", "1", 32), irrelevant]);
        assert_eq!(
            text,
            "\ninputs, in order:\n  x = 1 (i32)\n  1 input on which the path does not depend (--json \
             writes all)\n"
        );
    }

    #[test]
    fn short_texts_are_c_strings() {
        for (hex, bytes, expected) in [
            ("5b315d", 4, "text: 4 bytes, \"[1]\""),
            ("2261225c0a", 5, "text: 5 bytes, \"\\\"a\\\"\\\\\\n\""),
            ("61626301666768", 7, "text: 7 bytes, \"abc\\x01\"\"fgh\""),
        ] {
            let text = in_words(&[block(hex, bytes)]);
            assert_eq!(text, format!("\ninputs, in order:\n  {expected}\n"));
        }
        let binary = in_words(&[block("c3d82406", 4)]);
        assert!(
            binary.ends_with("text: 4 bytes, c3 d8 24 06 (as a number 103078083)\n"),
            "{binary}"
        );
    }

    #[test]
    fn variables_are_numbers_of_their_type() {
        let variable = |hex: &str, bytes| {
            let mut variable = block(hex, bytes);
            if let ValueRecord::Memory { is_number, .. } = &mut variable.value {
                *is_number = true;
            }
            variable
        };
        let unsigned = InputRecord {
            is_unsigned: true,
            ..variable("feffffffffffffff", 8)
        };
        let float = InputRecord {
            is_float: true,
            ..variable("0000c03f", 4)
        };
        for (input, expected) in [
            (variable("2a", 4), "text = 42 (i32)"),
            (variable("feff", 2), "text = -2 (i16)"),
            (variable("41", 1), "text = 65 (i8) 'A'"),
            (unsigned, "text = 18446744073709551614 (u64)"),
            (float, "text = 1.5 (float)"),
        ] {
            let text = in_words(&[input]);
            assert_eq!(text, format!("\ninputs, in order:\n  {expected}\n"));
        }
    }

    #[test]
    fn what_a_buffer_held_before_does_not_take_its_name() {
        let before = InputRecord {
            matters: false,
            ..block("00", 4)
        };
        let filled = InputRecord {
            name: "text#2".to_owned(),
            ..block("5b315d", 4)
        };
        let text = in_words(&[before, filled]);
        assert!(text.contains("\n  text: 4 bytes, \"[1]\"\n"), "{text}");
    }
}
