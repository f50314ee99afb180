//! Formatted output: effects of `printf` and similar functions beyond output.
//!
//! Their models have no effect, which is right if the result, which depends on the format, is unused, and no
//! argument is written to (`%n`). If the result is used, the call becomes one of a model that counts the
//! output; other calls are refused. If accesses to memory are checked, it becomes one of a model that reads
//! its arguments, or such a call is inserted before it.
//!
//! Runs before the models are linked.

use super::externals::{begin_body, unsupported, unsupported_function};
use super::ir::{Ir, Value};

/// The functions, with the position of the format among their arguments.
const FORMATTED_OUTPUT: [(&str, usize); 25] = [
    ("printf", 0),
    ("fprintf", 1),
    ("dprintf", 1),
    ("vdprintf", 1),
    ("vprintf", 0),
    ("vfprintf", 1),
    ("__printf_chk", 1),
    ("__fprintf_chk", 2),
    ("wprintf", 0),
    ("fwprintf", 1),
    ("vwprintf", 0),
    ("vfwprintf", 1),
    ("__wprintf_chk", 1),
    ("__fwprintf_chk", 2),
    ("printk", 0),
    ("syslog", 1),
    ("warn", 0),
    ("warnx", 0),
    ("vwarn", 0),
    ("vwarnx", 0),
    ("err", 1),
    ("errx", 1),
    ("verr", 1),
    ("verrx", 1),
    ("error", 2),
];

/// Those of them that have a model which counts, under a name with [`COUNTED_PREFIX`].
const COUNTED: [&str; 10] = [
    "printf",
    "fprintf",
    "dprintf",
    "vdprintf",
    "vprintf",
    "vfprintf",
    "wprintf",
    "fwprintf",
    "vwprintf",
    "vfwprintf",
];
pub(super) const COUNTED_PREFIX: &str = "compact_se_counted_";

/// Models of the same functions that read texts among the arguments.
pub(super) const READING_PREFIX: &str = "compact_se_reading_";

/// Refuses the calls of formatted output that do more than output. Where accesses to memory are checked,
/// calls with addresses among their arguments read what these point to.
pub(super) fn refuse_formats(ir: &Ir<'_>, checks_memory: bool) {
    for (name, position) in FORMATTED_OUTPUT {
        let Some(function) = ir.function(name).filter(|f| f.is_declaration()) else {
            continue;
        };
        let users = function.users();
        let is_call = |user: &Value| user.is_instruction() && user.callee() == Some(function);
        if users.is_empty() {
            continue;
        }
        if !users.iter().all(is_call) {
            // What becomes of the results of indirect calls is not known.
            begin_body(ir, function);
            unsupported(ir, &format!("call of {name}, whose address is taken"));
            continue;
        }
        for call in users {
            let is_used = !call.users().is_empty();
            let is_counted = COUNTED.contains(&name);
            let reads = checks_memory && has_text(call, position);
            if reads && !is_counted {
                read_before(ir, call, name, position);
            }
            let what = if may_write(&call.call_arguments(), position) {
                format!("call of {name} with a format that may write (%n)")
            } else if is_used && is_counted {
                let counting = ir.declare_like(&format!("{COUNTED_PREFIX}{name}"), function);
                call.set_callee(counting);
                continue;
            } else if reads && is_counted {
                let reading = ir.declare_like(&format!("{READING_PREFIX}{name}"), function);
                call.set_callee(reading);
                continue;
            } else if is_used {
                format!("the result of {name}")
            } else {
                continue;
            };
            ir.before(call);
            ir.call(unsupported_function(ir), &[ir.text(&what)], "");
        }
    }
}

/// Has the texts read that a call puts out, by the model of a function of output that does nothing else then.
fn read_before(ir: &Ir<'_>, call: Value, name: &str, position: usize) {
    ir.before(call);
    let arguments = call.call_arguments();
    let arguments = &arguments[position..];
    let (int, pointer) = (ir.int(32), ir.pointer());
    let has_list = name.starts_with('v');
    let fixed = if has_list { 2 } else { 1 };
    let is_as_declared =
        arguments.len() >= fixed && arguments[..fixed].iter().all(|it| it.ty().is_pointer());
    if !is_as_declared {
        let what = ir.text(&format!(
            "call of {name}, which is declared with another type"
        ));
        ir.call(unsupported_function(ir), &[what], "");
        return;
    }
    let width = if name.contains("wprintf") { "w" } else { "" };
    let reading = if has_list {
        ir.declare(
            &format!("{READING_PREFIX}v{width}printf"),
            int,
            &[pointer, pointer],
        )
    } else {
        ir.declare_variadic(&format!("{READING_PREFIX}{width}printf"), int, &[pointer])
    };
    ir.call(reading, arguments, "");
}

/// Whether a text may be among the arguments behind the format, or is to be by the format, or the format is
/// none that the program has from the beginning.
fn has_text(call: Value, position: usize) -> bool {
    let arguments = call.call_arguments();
    let Some((format, values)) = arguments.get(position..).and_then(<[Value]>::split_first) else {
        return false;
    };
    let text = constant_format(*format);
    text.is_none_or(|text| has_conversion(&text, "sS"))
        || values.iter().any(|value| value.ty().is_pointer())
}

/// Whether a call with these arguments may write through one of them.
fn may_write(arguments: &[Value], position: usize) -> bool {
    let Some((format, values)) = arguments.get(position..).and_then(<[Value]>::split_first) else {
        return true;
    };
    constant_format(*format).map_or_else(
        || values.iter().any(|value| value.ty().is_pointer()),
        |text| has_conversion(&text, "n"),
    )
}

/// A format that the program has from the beginning, of characters or wide ones.
pub(super) fn constant_format(format: Value) -> Option<String> {
    let text = format.c_string().or_else(|| format.wide_string());
    text.filter(|_| format.is_constant_global())
}

/// Whether a format has one of these conversions.
fn has_conversion(format: &str, letters: &str) -> bool {
    // "%%" gives an empty piece between two others, behind which text follows.
    let mut pieces = format.split('%').skip(1);
    while let Some(piece) = pieces.next() {
        if piece.is_empty() {
            pieces.next();
            continue;
        }
        let is_flag = |c: char| c.is_ascii_digit() || "-+ #'.*$IhlLqjzt".contains(c);
        let conversion = piece.trim_start_matches(is_flag).chars().next();
        if conversion.is_some_and(|letter| letters.contains(letter)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_conversion;

    #[test]
    fn formats_that_write_are_found() {
        for format in ["%n", "%d%hhn", "100%% %ln", "%%%n", "%1$n", "%-5n"] {
            assert!(has_conversion(format, "n"), "{format}");
        }
        for format in ["", "%d\n", "%%n", "n%s", "%%%%n", "%5.2f n", "%"] {
            assert!(!has_conversion(format, "n"), "{format}");
        }
    }
}
