//! A function of the user's choice where the program starts, in the place of `main`.
//!
//! ```text
//! int main(void) { NAME(any number, an object of so many arbitrary bytes, …); return 0; }
//! ```
//!
//! Variables have the values that they have when a program starts.

use super::super::symbols::with_parameters;
use super::super::{EntryFunction, LoadError, ObjectBytes};
use super::cplusplus::functions_called;
use super::externals::{assume, input};
use super::ir::{Ir, Value};

/// What the program's own `main` is called then.
const FORMER_MAIN: &str = "main.of.program";

/// Makes a `main` that calls the function. What is to be told of its arguments.
pub(super) fn start_at(
    ir: &Ir<'_>,
    entry: &EntryFunction,
    notes: &mut Vec<String>,
) -> Result<(), LoadError> {
    let name = &entry.name;
    let mut defined = functions_called(ir, name);
    defined.retain(|function| !function.is_declaration());
    let [function] = defined[..] else {
        let all = if defined.is_empty() {
            ir.definitions()
        } else {
            // Overloaded functions of C++.
            defined
        };
        let functions = all.into_iter().map(Value::name);
        let functions: Vec<String> = functions
            .filter(|name| !name.starts_with("llvm."))
            .map(|name| with_parameters(&name).into_owned())
            .collect();
        return Err(LoadError::MissingFunction {
            name: name.clone(),
            present: functions.join(", "),
        });
    };
    if function.value_type().is_variadic() {
        return Err(refused(name, "takes a variable number of arguments"));
    }
    if let Some(main) = ir.function("main") {
        main.set_name(FORMER_MAIN);
    }
    let main = ir.declare("main", ir.int(32), &[]);
    ir.at_end(ir.append_block(main, "entry"));
    let malloc = ir.declare("malloc", ir.pointer(), &[ir.size_type()]);
    let mut arguments = Vec::new();
    let mut has_pointers = false;
    for param in function.params() {
        arguments.push(if param.ty().is_pointer() {
            has_pointers = true;
            let bytes = object_bytes(ir, entry.pointer_bytes, &param.name());
            ir.call(malloc, &[bytes], &param.name())
        } else {
            let value = input(ir, param.ty(), &param.name());
            value.ok_or_else(|| refused(name, "has a parameter of a type that is no input"))?
        });
    }
    ir.call(function, &arguments, "");
    ir.ret(Some(ir.zero(ir.int(32))));
    if has_pointers {
        notes.push(format!(
            "each pointer that {name} gets points to an object of its own of {} bytes; none is null",
            entry.pointer_bytes
        ));
    }
    Ok(())
}

/// The size of the object that a pointer points to; an input where it is any between two.
fn object_bytes(ir: &Ir<'_>, bytes: ObjectBytes, pointer: &str) -> Value {
    let size = ir.size_type();
    let least = ir.constant(size, bytes.least);
    if bytes.least == bytes.most {
        return least;
    }
    let chosen = input(ir, size, &format!("bytes(*{pointer})"));
    let chosen = chosen.expect("numbers as wide as a pointer are inputs");
    let most = ir.constant(size, bytes.most);
    assume(ir, ir.is_at_most(least, chosen));
    assume(ir, ir.is_at_most(chosen, most));
    chosen
}

fn refused(name: &str, why: &str) -> LoadError {
    LoadError::Refused {
        what: format!("the function {name} {why}"),
    }
}
