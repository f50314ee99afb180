//! Standard input that may hold anything, by the model in `input.c`, for programs without a symbolic
//! environment.
//!
//! ```text
//! prepared module --> clone --> calls of scanf become calls by their formats --> link the model
//! ```
//!
//! A format that the program has from the beginning becomes a C function, a statement for each
//! conversion, so that no loop over characters is analysed. Other calls of these functions are refused.

use super::super::DataModel;
use super::externals::{begin_body, unsupported, unsupported_function};
use super::formats::constant_format;
use super::ir::{Ir, Value};
use super::models;
use std::fmt::Write as _;

pub(super) const MODEL: &str = "input.c";
const TEXT: &str = include_str!("../../../../runtime/models/input.c");

/// Formatted input, with the position of the format among the arguments; a stream stands before it.
const FORMATTED: [(&str, usize); 6] = [
    ("scanf", 0),
    ("__isoc99_scanf", 0),
    ("__isoc23_scanf", 0),
    ("fscanf", 1),
    ("__isoc99_fscanf", 1),
    ("__isoc23_fscanf", 1),
];

/// What has a model of its own where a program calls nothing else that reads (`terminal.c`).
const CHARACTERS: [&str; 2] = ["getchar", "getchar_unlocked"];

/// What reads lines into memory of its own, by functions of this model (`lines.c`).
const LINES: [&str; 3] = ["getline", "getdelim", "__getdelim"];

/// What *unreachable* takes for granted, a clause each.
pub(super) const ASSUMED: [&str; 3] = [
    "streams read standard input without errors, and its descriptor fails at the first read or never",
    "reading standard input leaves errno as it is",
    "lines and words of standard input are shorter than 2 GB",
];

/// Whether the model has this function, so that a replay calls the C library's.
pub(super) fn reads(name: &str) -> bool {
    FORMATTED.iter().any(|(known, _)| *known == name) || models::defines(TEXT, name)
}

/// Whether a program that calls these functions and does not define them needs the model.
pub(super) fn is_needed(called: &[String]) -> bool {
    called.iter().any(|name| {
        LINES.contains(&name.as_str()) || reads(name) && !CHARACTERS.contains(&name.as_str())
    })
}

/// Calls of formatted input in what is analysed become calls of functions by their formats. The text of the
/// model, with these functions.
pub(super) fn model_for(ir: &Ir<'_>, data_model: DataModel) -> String {
    let is_used = |name: &str| ir.function(name).is_some_and(|it| !it.users().is_empty());
    let mut head = String::new();
    let mut globals = ir.globals().into_iter();
    if globals.any(|global| global.name() == "stdin" && global.is_declaration()) {
        head.push_str("#define HAS_STREAM\n");
    }
    let has_streams = FORMATTED.iter().any(|(name, _)| is_used(name))
        || (TEXT.lines()).any(|line| is_stream_function(line, &is_used));
    if is_used("read") && has_streams {
        head.push_str("#define IS_MIXED\n");
    }
    let mut functions = String::new();
    let mut n_functions = 0;
    for (name, position) in FORMATTED {
        let Some(function) = ir.function(name).filter(|it| it.is_declaration()) else {
            continue;
        };
        for call in function.users() {
            if !call.is_instruction() || call.callee() != Some(function) {
                continue;
            }
            replace(ir, call, position, data_model, n_functions, &mut functions);
            n_functions += 1;
        }
        if !function.users().is_empty() {
            // Its address is taken.
            begin_body(ir, function);
            unsupported(ir, &format!("call of {name}, whose address is taken"));
        }
    }
    head + TEXT + &functions
}

/// Whether a line of the model defines a function of streams that the program calls.
fn is_stream_function(line: &str, is_used: &dyn Fn(&str) -> bool) -> bool {
    let head = line.split('(').next().unwrap_or_default();
    let name = head.rsplit([' ', '*']).next().unwrap_or_default();
    let is_definition = line.contains('(') && !line.starts_with([' ', '#', '/']);
    is_definition && name != "read" && is_used(name) && models::defines(line, name)
}

/// Has a call of formatted input call the function of its format, whose text is added.
fn replace(
    ir: &Ir<'_>,
    call: Value,
    position: usize,
    data_model: DataModel,
    number: usize,
    functions: &mut String,
) {
    let arguments = call.call_arguments();
    let format = arguments.get(position).copied().and_then(constant_format);
    let values = arguments.get(position + 1..).unwrap_or_default();
    let all_pointers = values.iter().all(|value| value.ty().is_pointer());
    ir.before(call);
    let Some(format) = format.filter(|_| all_pointers) else {
        let what = ir.text("formatted input with a format that is not constant");
        ir.call(unsupported_function(ir), &[what], "");
        call.replace_uses(ir.zero(ir.int(32)));
        call.erase();
        return;
    };
    let name = format!("compact_se_scan_{number}");
    let mut handed: Vec<Value> = arguments[..position].to_vec();
    handed.extend(values);
    let params: Vec<_> = handed.iter().map(|value| value.ty()).collect();
    let by_format = ir.declare(&name, ir.int(32), &params);
    call.replace_uses(ir.call(by_format, &handed, ""));
    call.erase();
    let body = statements(format.as_bytes(), values.len(), data_model);
    let mut parameters: Vec<String> = Vec::new();
    if position == 1 {
        parameters.push("void *file".to_owned());
    }
    parameters.extend((0..values.len()).map(|index| format!("void *a{index}")));
    let parameters = if parameters.is_empty() {
        "void".to_owned()
    } else {
        parameters.join(", ")
    };
    let begin = if position == 1 { "use(file); " } else { "" };
    let _ = writeln!(
        functions,
        "int {name}({parameters}) {{ int done = 0, outcome; {begin}{body}return done; }}"
    );
}

/// A conversion of a format.
#[derive(Default)]
struct Conversion {
    is_suppressed: bool,
    width: u32,
    size: Option<u32>,
    letter: u8,
}

/// The statements of a format for so many arguments.
fn statements(format: &[u8], n_arguments: usize, data_model: DataModel) -> String {
    let mut text = String::new();
    let mut left = format;
    let mut n_used = 0;
    while let Some((&letter, rest)) = left.split_first() {
        left = rest;
        if is_space(letter) {
            text.push_str("skip_spaces(); ");
            continue;
        }
        if letter != b'%' {
            let _ = write!(text, "{}", checked(&literal(letter), false));
            continue;
        }
        let conversion = conversion(&mut left, data_model);
        if conversion.letter == b'%' {
            let _ = write!(text, "skip_spaces(); {}", checked(&literal(b'%'), false));
            continue;
        }
        let to = if conversion.is_suppressed {
            "(void *)0".to_owned()
        } else {
            n_used += 1;
            format!("a{}", n_used - 1)
        };
        let call = (n_used <= n_arguments)
            .then(|| statement(&conversion, &to, &mut left))
            .flatten();
        let Some(call) = call else {
            text.push_str(
                "__compact_se_unsupported(\"formatted input of other than integers, floats, \
                 characters and texts\"); ",
            );
            break;
        };
        text.push_str(&call);
    }
    text
}

/// Ends the function where the conversion is not done.
fn checked(call: &str, counts: bool) -> String {
    let count = if counts { "done++; " } else { "" };
    format!("if ((outcome = {call}) != DONE) return failed(outcome, done); {count}")
}

fn literal(letter: u8) -> String {
    format!("literal({letter}, \"@literal:{letter}\")")
}

fn is_space(letter: u8) -> bool {
    letter == b' ' || (b'\t'..=b'\r').contains(&letter)
}

/// Reads what stands between a percent sign and the letter, and that.
fn conversion(left: &mut &[u8], data_model: DataModel) -> Conversion {
    let mut conversion = Conversion::default();
    let mut next = || {
        let (first, rest) = left.split_first()?;
        *left = rest;
        Some(*first)
    };
    let mut letter = next().unwrap_or(0);
    if letter == b'*' {
        conversion.is_suppressed = true;
        letter = next().unwrap_or(0);
    }
    while letter.is_ascii_digit() {
        let width = conversion.width.saturating_mul(10);
        conversion.width = width.saturating_add(u32::from(letter - b'0'));
        letter = next().unwrap_or(0);
    }
    let long = if data_model == DataModel::Lp64 {
        64
    } else {
        32
    };
    let mut sizes = Vec::new();
    while b"hlqjzt".contains(&letter) {
        sizes.push(letter);
        letter = next().unwrap_or(0);
    }
    conversion.size = match sizes.as_slice() {
        [] => Some(0),
        b"hh" => Some(8),
        b"h" => Some(16),
        b"l" | b"z" | b"t" => Some(long),
        b"ll" | b"q" | b"j" => Some(64),
        _ => None,
    };
    conversion.letter = letter;
    conversion
}

/// The statement of a conversion; `None` for what has no model.
fn statement(conversion: &Conversion, to: &str, left: &mut &[u8]) -> Option<String> {
    let Conversion {
        is_suppressed,
        width,
        size,
        letter,
    } = *conversion;
    let size = size?;
    let counts = !is_suppressed;
    // The base of what may follow, and that of what is written.
    let (least_base, base, name) = match letter {
        b'd' => (10, 10i128, "@decimal"),
        b'i' => (2, 16, "@decimal"),
        b'u' => (10, 10, "@unsigned"),
        b'x' | b'X' => (16, 16, "@hexadecimal"),
        b'o' => (8, 8, "@octal"),
        _ => (0, 0, ""),
    };
    if base != 0 {
        let bits = if size == 0 { 32 } else { size };
        // A sign takes a character.
        let most = base.checked_pow(width.min(30)).map_or(i128::MAX, |n| n - 1);
        let least = -(base.pow(width.clamp(1, 30) - 1) - 1);
        let bounds = match width {
            0 => "0, 0, 0".to_owned(),
            _ if most < 1 << (bits - 1) => format!("2, {least}, {most}"),
            _ => "1, 0, 0".to_owned(),
        };
        let call = format!("integer{bits}({to}, \"{name}\", {least_base}, {bounds})");
        return Some(checked(&call, counts));
    }
    match (letter | 32, size) {
        (b'e' | b'f' | b'g' | b'a', 0 | 64) => {
            let bits = if size == 0 { 32 } else { 64 };
            Some(checked(&format!("floating{bits}({to})"), counts))
        }
        _ if size != 0 => None,
        (b'c', _) if letter == b'c' && width < 2 => {
            Some(checked(&format!("character({to})"), counts))
        }
        (b's', _) if letter == b's' => {
            let spaces = (0..=u8::MAX).filter(|byte| is_space(*byte));
            let mut words = [u64::MAX; 4];
            spaces.for_each(|byte| words[usize::from(byte >> 6)] &= !(1 << (byte & 63)));
            Some(format!("skip_spaces(); {}", word(to, width, words, counts)))
        }
        _ if letter == b'[' => Some(word(to, width, set(left)?, counts)),
        _ => None,
    }
}

fn word(to: &str, width: u32, words: [u64; 4], counts: bool) -> String {
    let name = words.map(|word| format!("{word:x}")).join(".");
    let words = words.map(|word| format!("{word:#x}ull")).join(", ");
    checked(
        &format!("word({to}, \"@word:{name}:{width}\", {width}, {words})"),
        counts,
    )
}

/// The set behind a bracket, as glibc reads it.
fn set(left: &mut &[u8]) -> Option<[u64; 4]> {
    let mut text = *left;
    let is_excluding = text.first() == Some(&b'^');
    if is_excluding {
        text = &text[1..];
    }
    let from = usize::from(text.first() == Some(&b']'));
    let end = from + text.get(from..)?.iter().position(|byte| *byte == b']')?;
    *left = &text[end + 1..];
    let members = &text[..end];
    let mut words = [0u64; 4];
    let mut add = |byte: u8| words[usize::from(byte >> 6)] |= 1 << (byte & 63);
    for (index, &byte) in members.iter().enumerate() {
        match (index.checked_sub(1), members.get(index + 1)) {
            (Some(before), Some(&last)) if byte == b'-' && members[before] <= last => {
                (members[before]..=last).for_each(&mut add);
            }
            _ => add(byte),
        }
    }
    Some(if is_excluding {
        words.map(|word| !word)
    } else {
        words
    })
}
