//! Blocks of memory as hexadecimal digits and characters, shortened.

use super::record::Chunk;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bytes a row.
const ROW: u64 = 16;

/// No more rows are shown.
const MOST_ROWS: usize = 8;

/// Whether all bytes of a block are the default.
pub(super) fn is_uniform(bytes: u64, default: u8, chunks: &[Chunk]) -> bool {
    let within = |chunk: &Chunk| (chunk.offset..bytes).zip(chunk.bytes()).collect::<Vec<_>>();
    bytes > 0
        && chunks
            .iter()
            .flat_map(within)
            .all(|(_, byte)| byte == default)
}

/// The rows of a block that hold bytes other than the default, at most [`MOST_ROWS`]; each line
/// begins with `indent`. What is not shown is said.
pub(super) fn dump(bytes: u64, default: u8, chunks: &[Chunk], indent: &str) -> String {
    let mut rows: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    for chunk in chunks {
        for (offset, byte) in (chunk.offset..bytes).zip(chunk.bytes()) {
            if byte != default {
                let row = rows
                    .entry(offset / ROW * ROW)
                    .or_insert_with_key(|start| empty_row(*start, bytes, default));
                row[index(offset % ROW)] = byte;
            }
        }
    }
    let mut text = String::new();
    for (start, row) in rows.iter().take(MOST_ROWS) {
        let digits: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let characters: String = row
            .iter()
            .map(|byte| {
                if (0x20..0x7f).contains(byte) {
                    char::from(*byte)
                } else {
                    '.'
                }
            })
            .collect();
        let _ = writeln!(
            text,
            "{indent}{start:06x}  {:<47}  |{characters}|",
            digits.join(" ")
        );
    }
    if rows.len() > MOST_ROWS {
        let _ = writeln!(
            text,
            "{indent}… and {} more rows of {ROW} bytes",
            rows.len() - MOST_ROWS
        );
    }
    let n_rows = bytes.div_ceil(ROW);
    if (rows.len() as u64) < n_rows {
        let elsewhere = if rows.is_empty() {
            "every byte is"
        } else {
            "every other byte is"
        };
        let _ = writeln!(text, "{indent}{elsewhere} {default:02x}");
    }
    text
}

/// Bytes that are mostly text as a C string; zeros at their end are left out but for the one that C adds.
pub(super) fn text(content: &[u8]) -> Option<String> {
    let used = content
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    let is_text = |byte: &&u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let n_text = content[..used].iter().filter(is_text).count();
    if 4 * n_text < 3 * used || used == 0 {
        return None;
    }
    let mut literal = String::from('"');
    let mut after_hex = false;
    for byte in &content[..used] {
        match byte {
            b'"' | b'\\' => {
                literal.push('\\');
                literal.push(char::from(*byte));
            }
            b'\n' => literal.push_str("\\n"),
            b'\t' => literal.push_str("\\t"),
            b'\r' => literal.push_str("\\r"),
            // A digit would belong to the number before it.
            b' '..=b'~' if after_hex && byte.is_ascii_hexdigit() => {
                let _ = write!(literal, "\"\"{}", char::from(*byte));
            }
            b' '..=b'~' => literal.push(char::from(*byte)),
            _ => {
                let _ = write!(literal, "\\x{byte:02x}");
            }
        }
        after_hex = !matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    }
    literal.push('"');
    Some(literal)
}

fn empty_row(start: u64, bytes: u64, default: u8) -> Vec<u8> {
    vec![default; index(ROW.min(bytes - start))]
}

fn index(small: u64) -> usize {
    usize::try_from(small).expect("a row is short")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(offset: u64, hex: &str) -> Chunk {
        Chunk {
            offset,
            hex: hex.to_owned(),
        }
    }

    #[test]
    fn a_short_block_is_shown_whole() {
        let text = dump(5, 0, &[chunk(0, "48656c6c6f")], "  ");
        assert_eq!(
            text,
            format!("  000000  {:<47}  |Hello|\n", "48 65 6c 6c 6f")
        );
    }

    #[test]
    fn rows_of_default_bytes_are_left_out() {
        let text = dump(100, 0x20, &[chunk(0, "2020"), chunk(66, "0141")], "");
        let digits = "20 20 01 41 20 20 20 20 20 20 20 20 20 20 20 20";
        assert_eq!(
            text,
            format!("000040  {digits}  |  .A            |\nevery other byte is 20\n")
        );
    }

    #[test]
    fn what_is_cut_is_said() {
        let chunks: Vec<Chunk> = (0..20).map(|row| chunk(row * 16, "ff")).collect();
        let text = dump(320, 0, &chunks, "");
        assert!(text.ends_with("… and 12 more rows of 16 bytes\n"), "{text}");
        assert_eq!(text.lines().count(), 9);
    }

    #[test]
    fn an_empty_block_has_no_lines() {
        assert_eq!(dump(0, 0, &[], ""), "");
        assert_eq!(dump(4, 7, &[], ""), "every byte is 07\n");
    }
}
