//! UndefinedBehaviorSanitizer's checks, which clang inserts before operations with undefined behaviour.
//!
//! A check that fails calls a handler, which does not return. In the flowgraph that is an end of the path; in
//! a replay the sanitizer's run-time library reports it. So both follow clang's interpretation of C and its
//! types, which bitcode does not record.

use flowgraph::EndKind;
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
    /// Counts of the zeros before the first bit of zero.
    Builtin,
    /// Calls through pointers to functions of another type.
    Function,
    /// Accesses at addresses that are no multiple of what the type asks for.
    Alignment,
    /// Members and references of objects at null.
    Null,
    /// Truth values other than 0 and 1.
    Bool,
    /// Values that no enumerator of a type of C++ needs.
    Enum,
    /// Pointers whose sum with an offset wraps around or is one with null.
    PointerOverflow,
    /// Null in the place of a parameter that is declared to be none.
    NonNull,
    /// The same of a result.
    ReturnsNonNull,
    /// Divisions of floats by zero.
    FloatDivision,
    /// Unsigned arithmetic that wraps around.
    UnsignedOverflow,
    /// Pointers that are compared by order or subtracted; clang says nothing of them.
    Pairs,
    /// Values that are passed to functions or returned; clang says nothing of them.
    Uses,
    /// Accesses to variables of a block that was left. Clang says where blocks begin and end.
    Scope,
}

/// Prefix of the handlers' names.
pub(super) const HANDLER_PREFIX: &str = "__ubsan_handle_";

impl Sanitizer {
    /// Clang's name of the check, if it inserts one.
    fn name(self) -> Option<&'static str> {
        match self {
            Sanitizer::Overflow => Some("signed-integer-overflow"),
            Sanitizer::Shift => Some("shift"),
            Sanitizer::Conversion => Some("implicit-conversion,float-cast-overflow"),
            Sanitizer::Index => Some("array-bounds"),
            Sanitizer::Builtin => Some("builtin"),
            Sanitizer::Function => Some("function"),
            Sanitizer::Alignment => Some("alignment"),
            Sanitizer::Null => Some("null"),
            Sanitizer::Bool => Some("bool"),
            Sanitizer::Enum => Some("enum"),
            Sanitizer::PointerOverflow => Some("pointer-overflow"),
            Sanitizer::NonNull => Some("nonnull-attribute"),
            Sanitizer::ReturnsNonNull => Some("returns-nonnull-attribute"),
            Sanitizer::FloatDivision => Some("float-divide-by-zero"),
            Sanitizer::UnsignedOverflow => Some("unsigned-integer-overflow"),
            Sanitizer::Pairs | Sanitizer::Uses | Sanitizer::Scope => None,
        }
    }

    /// Whether errors of its kind are not noticed in bitcode.
    pub(super) fn needs_source(self) -> bool {
        !matches!(
            self,
            Sanitizer::Builtin | Sanitizer::Pairs | Sanitizer::Uses
        )
    }
}

/// Arguments of clang for these checks.
pub(super) fn arguments(sanitizers: &[Sanitizer]) -> Vec<String> {
    let mut arguments = Vec::new();
    if sanitizers.contains(&Sanitizer::Scope) {
        // An option of the compiler proper: the driver takes it with AddressSanitizer only.
        arguments.extend(["-Xclang", "-fsanitize-address-use-after-scope"].map(str::to_owned));
    }
    // At the end of a function that must return a value; else clang puts a trap there, as for an abort.
    let mut names = vec!["return"];
    names.extend(sanitizers.iter().filter_map(|one| one.name()));
    let names = names.join(",");
    arguments.push(format!("-fsanitize={names}"));
    arguments.push(format!("-fno-sanitize-recover={names}"));
    let of_overflow = [
        Sanitizer::Overflow,
        Sanitizer::Shift,
        Sanitizer::PointerOverflow,
    ];
    if sanitizers.iter().any(|one| of_overflow.contains(one)) {
        // Where arithmetic wraps nothing overflows, and bits may be shifted anywhere. That results
        // do not wrap is forgotten again (`prepare`), so that no pass makes use of it.
        arguments.push("-fno-wrapv".to_owned());
    }
    arguments
}

/// Arguments of clang that check the dimensions of variable-length arrays in the types that they have.
pub(super) const ARRAY_SIZES: [&str; 2] =
    ["-fsanitize=vla-bound", "-fno-sanitize-recover=vla-bound"];

/// The handler of that check.
pub(super) const ARRAY_SIZE_HANDLER: &str = "__ubsan_handle_vla_bound_not_positive_abort";

/// What else than the handler says what fails: clang's description of the operation has it, and names of
/// descriptions in prepared bitcode end with its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Arithmetic of unsigned numbers.
    Unsigned,
    /// Arithmetic of floats.
    Float,
    Other,
}

impl Operation {
    const WORDS: [(Operation, &'static str); 2] = [
        (Operation::Unsigned, ".unsigned"),
        (Operation::Float, ".float"),
    ];

    /// The suffix of the name of a description.
    pub(super) fn suffix(self) -> &'static str {
        let mut words = Operation::WORDS.iter();
        words
            .find_map(|(operation, word)| (*operation == self).then_some(*word))
            .unwrap_or_default()
    }

    /// That of the description of this name.
    pub(super) fn of_name(description: &str) -> Operation {
        let mut words = Operation::WORDS.iter();
        let named = words.find(|(_, word)| description.ends_with(word));
        named.map_or(Operation::Other, |(operation, _)| *operation)
    }
}

/// The error of a handler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    End(EndKind),
    /// The address that it is given is null, or not aligned.
    Address,
}

/// The error of a handler; `None` for a handler of another check.
pub(super) fn failure(handler: &str, operation: Operation) -> Option<Failure> {
    let name = handler.strip_prefix(HANDLER_PREFIX)?;
    let end = match name.trim_end_matches("_abort") {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => match operation {
            Operation::Unsigned => EndKind::UnsignedOverflow,
            Operation::Float | Operation::Other => EndKind::SignedOverflow,
        },
        "divrem_overflow" => match operation {
            Operation::Float => EndKind::FloatDivision,
            Operation::Unsigned | Operation::Other => EndKind::QuotientOverflow,
        },
        "shift_out_of_bounds" => EndKind::UndefinedShift,
        "float_cast_overflow" => EndKind::FloatOverflow,
        "implicit_conversion" => EndKind::ChangedByConversion,
        "out_of_bounds" => EndKind::IndexOutOfBounds,
        "vla_bound_not_positive" => EndKind::ArraySize,
        "invalid_builtin" => EndKind::CountOfZero,
        "missing_return" => EndKind::MissingReturn,
        "builtin_unreachable" => EndKind::Unreachable,
        "function_type_mismatch" => EndKind::OtherFunctionType,
        "load_invalid_value" => EndKind::InvalidValue,
        "pointer_overflow" => EndKind::PointerOverflow,
        "nonnull_arg" | "nullability_arg" => EndKind::NullArgument,
        "nonnull_return_v1" | "nullability_return_v1" => EndKind::NullResult,
        "type_mismatch_v1" => return Some(Failure::Address),
        _ => return None,
    };
    Some(Failure::End(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_unless_overflows_are_checked() {
        let wraps = |sanitizers: &[Sanitizer]| {
            let arguments = arguments(sanitizers);
            !arguments.iter().any(|argument| argument == "-fno-wrapv")
        };
        assert!(wraps(&[Sanitizer::Conversion]));
        assert!(!wraps(&[Sanitizer::Overflow]) && !wraps(&[Sanitizer::Shift]));
    }

    #[test]
    fn handlers_have_ends() {
        let of = |handler, operation| failure(handler, operation);
        for (operation, end) in [
            (Operation::Other, EndKind::SignedOverflow),
            (Operation::Unsigned, EndKind::UnsignedOverflow),
        ] {
            let found = of("__ubsan_handle_add_overflow_abort", operation);
            assert_eq!(found, Some(Failure::End(end)));
            let name = format!("text.check.7{}", operation.suffix());
            assert_eq!(Operation::of_name(&name), operation);
        }
        let cast = of(
            "__ubsan_handle_dynamic_type_cache_miss_abort",
            Operation::Other,
        );
        assert_eq!(cast, None);
        assert_eq!(of("add_overflow", Operation::Other), None);
    }
}
