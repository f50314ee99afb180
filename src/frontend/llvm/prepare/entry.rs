//! A function of the user's choice where the program starts, in the place of `main`.
//!
//! ```text
//! int main(void) { NAME(any number, an object of so many arbitrary bytes, …); return 0; }
//! ```
//!
//! A structure that is passed by value is one block of arbitrary bytes, whether the machine passes it in
//! memory or in registers. A pointer to a function points to any function of the program that has its type; if there is
//! none, to one that does nothing and returns any number.
//!
//! Variables have the values that they have when a program starts.

use super::super::symbols::with_parameters;
use super::super::{EntryFunction, LoadError, ObjectBytes};
use super::cplusplus::functions_called;
use super::externals::{assume, input, one_word, uninit_function};
use super::input_types::{Class, Signature};
use super::ir::{Block, Ir, Ty, Value};

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
    let mut arguments = Arguments {
        ir,
        entry,
        function,
        block: ir.append_block(main, "entry"),
        has_objects: false,
        by_reference: Vec::new(),
        notes,
    };
    arguments.pass()?;
    if arguments.has_objects {
        notes.push(format!(
            "each pointer that {name} gets points to an object of its own of {} bytes; none is null",
            entry.pointer_bytes
        ));
    }
    Ok(())
}

/// What the function gets.
struct Arguments<'a> {
    ir: &'a Ir<'a>,
    entry: &'a EntryFunction,
    function: Value,
    /// Where `main` is built.
    block: Block,
    /// Whether a pointer points to an object of the size that was chosen.
    has_objects: bool,
    /// Arguments in memory of the caller: their positions, and what the calls say of them.
    by_reference: Vec<(usize, (&'static str, Ty))>,
    notes: &'a mut Vec<String>,
}

impl Arguments<'_> {
    /// Builds `main`.
    fn pass(&mut self) -> Result<(), LoadError> {
        let ir = self.ir;
        let params = self.function.params();
        let mut arguments: Vec<Value> = Vec::new();
        while let Some(param) = params.get(arguments.len()) {
            let index = arguments.len();
            let parts = parts_of_structure(&params[index..]);
            if parts.is_empty() {
                arguments.push(self.argument(index, *param)?);
            } else {
                self.structure(&parts, &mut arguments);
            }
        }
        ir.at_end(self.block);
        let call = ir.call(self.function, &arguments, "");
        for (index, attribute) in &self.by_reference {
            ir.add_type_to_argument(call, *index, *attribute);
        }
        ir.ret(Some(ir.zero(ir.int(32))));
        Ok(())
    }

    fn argument(&mut self, index: usize, param: Value) -> Result<Value, LoadError> {
        let (ir, name) = (self.ir, param.name());
        ir.at_end(self.block);
        let memory = ["byval", "sret"].into_iter().find_map(|attribute| {
            let ty = ir.type_at_parameter(self.function, index, attribute)?;
            Some((attribute, ty))
        });
        if let Some((attribute, ty)) = memory {
            let place = ir.alloca(ty, &name);
            if attribute == "byval" {
                let bytes = ir.constant(ir.size_type(), ir.size_of(ty));
                ir.call(
                    uninit_function(ir),
                    &[place, bytes, ir.text(&one_word(&name))],
                    "",
                );
            }
            self.by_reference.push((index, (attribute, ty)));
            return Ok(place);
        }
        if !param.ty().is_pointer() {
            let value = input(ir, param.ty(), &name);
            let what = "has a parameter of a type that is no input";
            return value.ok_or_else(|| refused(&self.entry.name, what));
        }
        if let Some(function) = self.callback(&name) {
            return Ok(function);
        }
        self.has_objects = true;
        let malloc = ir.declare("malloc", ir.pointer(), &[ir.size_type()]);
        let bytes = object_bytes(ir, self.entry.pointer_bytes, &name);
        Ok(ir.call(malloc, &[bytes], &name))
    }

    /// A structure that is passed in registers.
    fn structure(&self, parts: &[Value], arguments: &mut Vec<Value>) {
        let ir = self.ir;
        ir.at_end(self.block);
        let offset = |index: usize| REGISTER_BYTES * index as u64;
        let last = parts.len() - 1;
        let bytes = offset(last) + ir.size_of(parts[last].ty());
        let name = structure_of(&parts[0].name())
            .unwrap_or_default()
            .to_owned();
        let words = ir.array(ir.int(64), bytes.div_ceil(REGISTER_BYTES));
        let place = ir.alloca(words, &name);
        let bytes = ir.constant(ir.size_type(), bytes);
        ir.call(
            uninit_function(ir),
            &[place, bytes, ir.text(&one_word(&name))],
            "",
        );
        for (index, part) in parts.iter().enumerate() {
            arguments.push(ir.load(part.ty(), ir.offset(place, offset(index))));
        }
    }

    /// A function for a parameter that points to one; `None` if it does not, or nobody knows to what.
    fn callback(&mut self, name: &str) -> Option<Value> {
        let ir = self.ir;
        ir.set_debug_records(false);
        let signature = Signature::behind_parameter(self.function, name);
        ir.set_debug_records(true);
        let signature = signature?;
        let has_signature = |function: &Value| {
            *function != self.function
                && function.name() != FORMER_MAIN
                && Signature::of_function(*function).as_ref() == Some(&signature)
        };
        let candidates: Vec<Value> = ir.definitions().into_iter().filter(has_signature).collect();
        let Some((first, others)) = candidates.split_first() else {
            let function = self.arbitrary_function(name, &signature)?;
            self.notes.push(format!(
                "{name} points to a function that does nothing and returns any value: no function of the program has its type"
            ));
            return Some(function);
        };
        let names = candidates
            .iter()
            .map(|function| format!("{}()", function.name()));
        let names: Vec<String> = names.collect();
        self.notes.push(match others {
            [] => format!(
                "{name} points to {}, the only function of its type",
                names[0]
            ),
            _ => format!(
                "{name} points to one of the functions of its type: {}",
                names.join(", ")
            ),
        });
        ir.at_end(self.block);
        if others.is_empty() {
            return Some(*first);
        }
        let int = ir.int(32);
        let chosen = input(ir, int, name)?;
        let last = ir.constant(int, others.len() as u64);
        assume(ir, ir.is_at_most(chosen, last));
        let mut function = *first;
        for (number, other) in (1..).zip(others) {
            let is_it = ir.equals(chosen, ir.constant(int, number));
            function = ir.select(is_it, *other, function);
        }
        Some(function)
    }

    /// A function that returns any number, or nothing; `None` for other types.
    fn arbitrary_function(&self, name: &str, signature: &Signature) -> Option<Value> {
        let ir = self.ir;
        let (result, params) = signature.0.split_first()?;
        let result_type = match result {
            None => ir.void(),
            Some(Class::Integer(bits @ (32 | 64))) => ir.int(u32::try_from(*bits).ok()?),
            Some(_) => return None,
        };
        let params = params.iter().map(|param| match param {
            Some(Class::Integer(bits @ (32 | 64))) => Some(ir.int(u32::try_from(*bits).ok()?)),
            Some(Class::Pointer) => Some(ir.pointer()),
            // Variable arguments are `None`.
            Some(_) | None => None,
        });
        let params: Vec<Ty> = params.collect::<Option<_>>()?;
        let function = ir.declare(
            &format!("{name}.of.{}", self.entry.name),
            result_type,
            &params,
        );
        ir.at_end(ir.append_block(function, "entry"));
        let value = match result {
            None => None,
            Some(_) => Some(input(ir, result_type, &format!("{name}()"))?),
        };
        ir.ret(value);
        Some(function)
    }
}

/// Bytes of a register that structures are passed in.
const REGISTER_BYTES: u64 = 8;

/// The structure of which clang passes a part by this name: `s.coerce`, or `s.coerce0` and `s.coerce1`.
fn structure_of(param: &str) -> Option<&str> {
    let (structure, part) = param.rsplit_once(".coerce")?;
    matches!(part, "" | "0" | "1").then_some(structure)
}

/// The parameters at the begin of these that are one structure in registers; none if they are no such.
fn parts_of_structure(params: &[Value]) -> Vec<Value> {
    let names: Vec<String> = params.iter().take(2).map(|param| param.name()).collect();
    let structure = names.first().and_then(|name| structure_of(name));
    let parts = names.iter().zip(params);
    let parts: Vec<Value> = parts
        .take_while(|(name, _)| structure.is_some() && structure_of(name) == structure)
        .map(|(_, param)| *param)
        .collect();
    // A structure with one part is called as one alone.
    let n_parts = if names.first().is_some_and(|name| name.ends_with('e')) {
        1
    } else {
        2
    };
    let is_whole = parts.len() >= n_parts && parts.iter().all(|part| part.ty().is_scalar());
    if is_whole {
        parts[..n_parts].to_vec()
    } else {
        Vec::new()
    }
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
