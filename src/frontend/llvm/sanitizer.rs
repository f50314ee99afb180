//! Checks that clang puts before operations which C does not define: those of
//! UndefinedBehaviorSanitizer.
//!
//! A check that fails calls a handler, which does not return. In the flowgraph that is an end of
//! the path; in a replay the sanitizer's run-time library reports it. So both follow clang's
//! reading of C, and its types, which bitcode does not tell.

use crate::flowgraph::EndKind;
use serde::{Deserialize, Serialize};

/// Operations that are checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Sanitizer {
    /// Signed arithmetic whose result does not fit its type.
    Overflow,
    /// Shifts by the width or more, of negative numbers, and of bits into the sign.
    Shift,
    /// Implicit conversions of integers that change the value, and of floats that do not fit.
    Conversion,
    /// Indices of arrays whose size is known.
    Index,
    /// Accesses to variables of a block that was left. Clang says where blocks begin and end.
    Scope,
}

/// Prefix of the handlers' names.
pub(super) const HANDLER_PREFIX: &str = "__ubsan_handle_";

impl Sanitizer {
    /// What clang calls it, if it puts checks into the program.
    fn name(self) -> Option<&'static str> {
        match self {
            Sanitizer::Overflow => Some("signed-integer-overflow"),
            Sanitizer::Shift => Some("shift"),
            Sanitizer::Conversion => Some("implicit-conversion,float-cast-overflow"),
            Sanitizer::Index => Some("array-bounds"),
            Sanitizer::Scope => None,
        }
    }
}

/// Arguments of clang for these checks.
pub(super) fn arguments(sanitizers: &[Sanitizer]) -> Vec<String> {
    let mut arguments = Vec::new();
    if sanitizers.contains(&Sanitizer::Scope) {
        // An option of the compiler proper: the driver takes it with AddressSanitizer only.
        arguments.extend(["-Xclang", "-fsanitize-address-use-after-scope"].map(str::to_owned));
    }
    let names: Vec<&str> = sanitizers.iter().filter_map(|one| one.name()).collect();
    if names.is_empty() {
        return arguments;
    }
    let names = names.join(",");
    arguments.push(format!("-fsanitize={names}"));
    arguments.push(format!("-fno-sanitize-recover={names}"));
    let of_overflow = [Sanitizer::Overflow, Sanitizer::Shift];
    if sanitizers.iter().any(|one| of_overflow.contains(one)) {
        // Where arithmetic wraps nothing overflows, and bits may be shifted anywhere. That results
        // do not wrap is forgotten again (`prepare`), so that no pass makes use of it.
        arguments.push("-fno-wrapv".to_owned());
    }
    arguments
}

/// The end of a path that calls a handler; `None` for a handler of another check.
pub(super) fn end_of(handler: &str) -> Option<EndKind> {
    let name = handler.strip_prefix(HANDLER_PREFIX)?;
    match name.trim_end_matches("_abort") {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => {
            Some(EndKind::SignedOverflow)
        }
        "divrem_overflow" => Some(EndKind::QuotientOverflow),
        "shift_out_of_bounds" => Some(EndKind::UndefinedShift),
        "float_cast_overflow" => Some(EndKind::FloatOverflow),
        "implicit_conversion" => Some(EndKind::ChangedByConversion),
        "out_of_bounds" => Some(EndKind::IndexOutOfBounds),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_unless_overflows_are_checked() {
        assert!(arguments(&[]).is_empty());
        let wraps = |sanitizers: &[Sanitizer]| {
            let arguments = arguments(sanitizers);
            !arguments.iter().any(|argument| argument == "-fno-wrapv")
        };
        assert!(wraps(&[Sanitizer::Conversion]));
        assert!(!wraps(&[Sanitizer::Overflow]) && !wraps(&[Sanitizer::Shift]));
    }

    #[test]
    fn handlers_have_ends() {
        let overflow = end_of("__ubsan_handle_add_overflow_abort");
        assert_eq!(overflow, Some(EndKind::SignedOverflow));
        assert_eq!(end_of("__ubsan_handle_pointer_overflow_abort"), None);
        assert_eq!(end_of("add_overflow"), None);
    }
}
