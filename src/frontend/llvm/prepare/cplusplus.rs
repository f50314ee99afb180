//! C++ programs: mangled names of known functions, exceptions, and variables of the run-time support.
//!
//! Exceptions are not supported: a throw ends the path as unsupported. If no frame can catch, since the
//! program has no landing pad, an exception, also of the library, ends the program by `std::terminate`, which
//! is `abort`.
//!
//! # Source
//! *Itanium C++ ABI: Exception Handling*; Section 1.3, two phases: without a handler no frame is left.

use super::externals::{begin_body, unsupported};
use super::ir::{Ir, Value};
use crate::llvm::symbols::{in_source, is_called};
use crate::llvm::target::DEFAULT_FUNCTIONS;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeMap;

/// Beginnings of words that mean something to us, or to other tools.
const WORDS: [&str; 4] = ["__VERIFIER_", "__CPROVER_", "compact_se_", "klee_"];

/// What a program calls that throws exceptions itself.
const THROWING: [&str; 3] = [
    "__cxa_throw",
    "__cxa_rethrow",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
];

/// What objects that tell types begin with, in the run-time support: tables of their functions.
const TABLES_OF_TYPES: &str = "_ZTVN10__cxxabiv1";
/// No such table has more entries.
const MOST_ENTRIES: u64 = 16;

/// Functions that are declared without `extern "C"` and have the names of such words are these words.
/// Words and the symbols that they had.
pub(super) fn name_words_as_in_c(ir: &Ir<'_>, notes: &mut Vec<String>) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    for function in ir.functions() {
        let symbol = function.name();
        if !function.is_declaration() || function.users().is_empty() {
            continue;
        }
        let word = in_source(&symbol);
        let is_word = DEFAULT_FUNCTIONS.contains(&&*word)
            || WORDS.iter().any(|beginning| word.starts_with(beginning));
        if word == symbol || word.contains("::") || !is_word {
            continue;
        }
        let word = word.into_owned();
        match ir.function(&word) {
            None => function.set_name(&word),
            Some(known) if known.value_type() == function.value_type() => {
                function.replace_uses(known);
            }
            // Of another type, as an overload.
            Some(_) => continue,
        }
        notes.push(format!(
            "{word} is declared without extern \"C\"; it is treated as the function of that name"
        ));
        words.insert(word, symbol);
    }
    words
}

/// The functions that a user means by this name: that with this symbol, else those of C++ that are
/// called so.
pub(super) fn functions_called(ir: &Ir<'_>, name: &str) -> Vec<Value> {
    match ir.function(name) {
        Some(function) => vec![function],
        None => (ir.functions().into_iter())
            .filter(|function| is_called(&function.name(), name))
            .collect(),
    }
}

/// Whether exceptions may be caught, or thrown again.
pub(super) fn has_exceptions(ir: &Ir<'_>) -> bool {
    let is_thrown = THROWING[1..].iter().any(|name| ir.function(name).is_some());
    let may_be_caught = |function: Value| {
        let mut instructions = function.instructions().into_iter();
        instructions.any(|instruction| instruction.opcode() == LLVMOpcode::LLVMInvoke)
    };
    is_thrown || ir.definitions().into_iter().any(may_be_caught)
}

/// What is thrown where nothing catches ends the program; the exception itself is memory.
pub(super) fn end_where_program_throws(ir: &Ir<'_>) {
    if let Some(throw) = ir.function(THROWING[0]).filter(|it| it.is_declaration()) {
        define_as_abort(ir, throw);
    }
    let allocate = ir.function("__cxa_allocate_exception");
    if let Some(allocate) = allocate.filter(|it| it.is_declaration()) {
        let malloc = ir.declare("malloc", ir.pointer(), &[ir.size_type()]);
        let params = begin_body(ir, allocate);
        ir.ret(Some(ir.call(malloc, &params[..1], "exception")));
    }
}

fn define_as_abort(ir: &Ir<'_>, function: Value) {
    let abort = ir.declare("abort", ir.void(), &[]);
    begin_body(ir, function);
    ir.call(abort, &[], "");
    ir.unreachable();
}

/// The library's functions for throwing: `std::__throw_length_error` and the like.
pub(super) fn throws(symbol: &str) -> bool {
    in_source(symbol).starts_with("std::__throw_")
}

/// Gives these functions their meaning in a program that catches nothing.
pub(super) fn end_where_library_throws(ir: &Ir<'_>) {
    for function in ir.functions() {
        if function.is_declaration() && throws(&function.name()) {
            define_as_abort(ir, function);
        }
    }
}

/// Why a function of the run-time support or the library is refused, where more is to be said than its
/// name.
pub(super) fn reason(symbol: &str) -> Option<String> {
    let is_of_exceptions = ["__cxa_", "_Unwind_"]
        .iter()
        .any(|prefix| symbol.starts_with(prefix))
        && !symbol.contains("atexit")
        && !symbol.contains("guard");
    if symbol == "__cxa_allocate_exception" || symbol == "__cxa_throw" {
        Some("throw of an exception, since exceptions are not supported".to_owned())
    } else if throws(symbol) || is_of_exceptions {
        let name = in_source(symbol);
        Some(format!(
            "call of {name}, since exceptions are not supported"
        ))
    } else if symbol == "__dynamic_cast" {
        Some("dynamic_cast".to_owned())
    } else {
        None
    }
}

/// Whether a variable tells of a type; those of built-in types are in the run-time support.
pub(super) fn is_type(symbol: &str) -> bool {
    symbol.starts_with("_ZTI")
}

/// Defines a variable of the run-time support that is declared only; false if it is none.
pub(super) fn define_variable(ir: &Ir<'_>, variable: Value) -> bool {
    let name = variable.name();
    match name.as_str() {
        // Only their addresses mean something.
        "__dso_handle" | "_ZSt7nothrow" => {
            variable.clear_extern();
            variable.set_initializer(ir.zero(variable.value_type()));
        }
        "__libc_single_threaded" => {
            let ty = variable.value_type();
            variable.clear_extern();
            variable.set_initializer(ir.constant(ty, 1));
        }
        _ if name.starts_with(TABLES_OF_TYPES) => {
            let function = ir.declare("std::type_info::function", ir.void(), &[]);
            if function.is_declaration() {
                begin_body(ir, function);
                unsupported(ir, "call of a function of std::type_info");
                function.set_internal();
            }
            let table = ir.array_of(function, MOST_ENTRIES);
            let ty = ir.array(ir.pointer(), MOST_ENTRIES);
            variable.replace_uses(ir.add_global(&format!("{name}.table"), ty, table));
        }
        _ => return false,
    }
    true
}
