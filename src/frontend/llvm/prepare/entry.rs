//! Start of the program at a function of the user's choice instead of `main`.
//!
//! ```text
//! int main(void) { NAME(any number, an object of so many arbitrary bytes, …); return 0; }
//! ```
//!
//! A structure passed by value is one block of arbitrary bytes, whether the machine passes it in memory or in
//! registers. A pointer to a function points to any function of the program with its type; if there is none,
//! to one without effect that returns any number. Pointers in structures and in objects behind arguments
//! point to separate objects in the same way, recursively.
//!
//! Global variables have their initial values.

use super::super::symbols::{nearest, with_parameters};
use super::super::{EntryFunction, LoadError, ObjectBytes};
use super::FORMER_MAIN;
use super::cplusplus::functions_called;
use super::debug_types::{Variables, local_variables};
use super::described::describe_as_caller;
use super::externals::{assume, input, one_word, uninit_function};
use super::ir::{Block, Ir, Ty, Value};
use super::pointers::{
    Chosen, Pointee, Pointer, any_function, pointers_in, pointers_in_pointee, size_of,
};
use super::signature::{Class, Signature};
use std::collections::VecDeque;

/// Objects that are made for pointers in other objects, at most.
const MOST_INNER_OBJECTS: usize = 32;
/// Pointers from an argument to such an object, one after the other, at most.
const MOST_STEPS: u32 = 2;

/// Makes a `main` that calls the function. Notes what is to be told of its arguments, and gives the objects
/// that pointers in what they point to point to: the pointer, and the type of what it points to.
pub(super) fn start_at(
    ir: &Ir<'_>,
    entry: &EntryFunction,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, Value)>, LoadError> {
    let name = &entry.name;
    let mut defined = functions_called(ir, name);
    defined.retain(|function| !function.is_declaration());
    let [function] = &defined[..] else {
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
            present: match nearest(name, &functions) {
                Some(near) => format!("did you mean {near}? it has {}", functions.join(", ")),
                None => format!("it has {}", functions.join(", ")),
            },
        });
    };
    if function.value_type().is_variadic() {
        return Err(refused(name, "takes a variable number of arguments"));
    }
    if let Some(main) = ir.function("main") {
        main.set_name(FORMER_MAIN);
    }
    let main = ir.declare("main", ir.int(32), &[]);
    ir.set_debug_records(false);
    let variables = local_variables(*function);
    ir.set_debug_records(true);
    let mut arguments = Arguments {
        ir,
        entry,
        function: *function,
        variables,
        block: ir.append_block(main, "entry"),
        largest_object: None,
        unfilled: VecDeque::new(),
        inner: Vec::new(),
        n_inner: 0,
        by_reference: Vec::new(),
        functions: Chosen::default(),
    };
    arguments.pass()?;
    describe_as_caller(ir, main, *function);
    let n_inner = arguments.n_inner;
    notes.extend(arguments.functions.notes());
    if let Some(largest) = arguments.largest_object {
        let too_small = largest > entry.pointer_bytes.most;
        notes.push(format!(
            "each pointer argument of {name}{} points to a separate object of {} bytes{}; none is null",
            if n_inner > 0 { ", and each pointer in its object," } else { "" },
            entry.pointer_bytes,
            if too_small { ", or of the size of its type" } else { "" },
        ));
    }
    Ok(arguments.inner)
}

/// The arguments of the function.
struct Arguments<'a> {
    ir: &'a Ir<'a>,
    entry: &'a EntryFunction,
    function: Value,
    /// The variables of the function.
    variables: Variables,
    /// Where `main` is built.
    block: Block,
    /// The bytes of the largest object that a pointer points to, if there is one.
    largest_object: Option<u64>,
    /// Objects whose pointers have nothing to point to yet.
    unfilled: VecDeque<Object>,
    /// Objects that pointers in objects point to: the pointers, and what they point to if anybody knows.
    inner: Vec<(String, Value)>,
    n_inner: usize,
    /// Arguments in memory of the caller: their positions, and what the calls say of them.
    by_reference: Vec<(usize, (&'static str, Ty))>,
    functions: Chosen,
}

/// An object that a pointer of this name points to.
struct Object {
    memory: Value,
    bytes: u64,
    /// The element type, if it is known.
    element: Option<Value>,
    pointer: String,
    /// Pointers from an argument to it, one after the other.
    n_steps: u32,
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
        while let Some(object) = self.unfilled.pop_front() {
            if let Some(element) = object.element {
                let pointers = pointers_in_pointee(
                    element,
                    &object.pointer,
                    object.bytes,
                    self.pointer_bytes(),
                );
                self.fill(object.memory, &pointers, object.n_steps);
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
                self.fill_structure(place, ir.size_of(ty), &name);
            }
            self.by_reference.push((index, (attribute, ty)));
            return Ok(place);
        }
        if !param.ty().is_pointer() {
            let value = input(ir, param.ty(), &name);
            let what = "has a parameter of a type that cannot be an input";
            return value.ok_or_else(|| refused(&self.entry.name, what));
        }
        let pointee = self.type_of(&name).and_then(Pointee::of);
        Ok(self.pointee(pointee.unwrap_or(Pointee::Object(None)), &name, 0))
    }

    /// The type of a parameter; `None` without debug information.
    fn type_of(&self, name: &str) -> Option<Value> {
        let places = self.function.params().into_iter();
        // Those of parameters are the first.
        let places = places.chain(self.function.instructions());
        let mut variables = places.filter_map(|place| self.variables.get(&place));
        variables
            .find(|(known, _)| known == name)
            .map(|(_, ty)| *ty)
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.ir.pointer_bits() / 8)
    }

    /// What a pointer of this name points to, so many pointers behind an argument.
    fn pointee(&mut self, pointee: Pointee, name: &str, n_steps: u32) -> Value {
        let ir = self.ir;
        ir.at_end(self.block);
        let element = match pointee {
            Pointee::Function(signature) => match self.callback(name, &signature) {
                Some(function) => return function,
                None => None,
            },
            Pointee::Object(element) => element,
        };
        let chosen = self.entry.pointer_bytes;
        let malloc = ir.declare("malloc", ir.pointer(), &[ir.size_type()]);
        let (size, bytes) = if chosen.least == chosen.most {
            let bytes = element
                .and_then(size_of)
                .unwrap_or_default()
                .max(chosen.most);
            (ir.constant(ir.size_type(), bytes), bytes)
        } else {
            (size_between(ir, chosen, name), chosen.least)
        };
        self.largest_object = self.largest_object.max(Some(bytes));
        let memory = ir.call(malloc, &[size], &format!("*{name}"));
        self.unfilled.push_back(Object {
            memory,
            bytes,
            element,
            pointer: name.to_owned(),
            n_steps,
        });
        memory
    }

    /// Gives the pointers of a structure that is passed by value something to point to.
    fn fill_structure(&mut self, memory: Value, bytes: u64, name: &str) {
        if let Some(ty) = self.type_of(name) {
            let pointers = pointers_in(ty, name, bytes, self.pointer_bytes());
            self.fill(memory, &pointers, 0);
        }
    }

    /// Gives pointers in memory, so many pointers behind an argument, something to point to.
    fn fill(&mut self, memory: Value, pointers: &[Pointer], n_steps: u32) {
        let ir = self.ir;
        for pointer in pointers {
            let target = match &pointer.to {
                Pointee::Function(signature) => {
                    ir.at_end(self.block);
                    self.callback(&pointer.name, signature)
                }
                Pointee::Object(_)
                    if n_steps == MOST_STEPS || self.n_inner == MOST_INNER_OBJECTS =>
                {
                    None
                }
                Pointee::Object(element) => {
                    self.n_inner += 1;
                    self.inner
                        .extend(element.map(|element| (pointer.name.clone(), element)));
                    Some(self.pointee(Pointee::Object(*element), &pointer.name, n_steps + 1))
                }
            };
            if let Some(target) = target {
                ir.at_end(self.block);
                ir.store(target, ir.offset(memory, pointer.offset));
            }
        }
    }

    /// A structure that is passed in registers.
    fn structure(&mut self, parts: &[Value], arguments: &mut Vec<Value>) {
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
        ir.call(
            uninit_function(ir),
            &[
                place,
                ir.constant(ir.size_type(), bytes),
                ir.text(&one_word(&name)),
            ],
            "",
        );
        self.fill_structure(place, bytes, &name);
        ir.at_end(self.block);
        for (index, part) in parts.iter().enumerate() {
            arguments.push(ir.load(part.ty(), ir.offset(place, offset(index))));
        }
    }

    /// A function for a pointer to one; `None` if none can be made.
    fn callback(&mut self, name: &str, signature: &Signature) -> Option<Value> {
        let (ir, itself) = (self.ir, self.function);
        let chosen = any_function(ir, name, signature, Some(itself), &mut self.functions);
        if chosen.is_some() {
            return chosen;
        }
        let function = self.arbitrary_function(name, signature)?;
        self.functions.add(
            name,
            "a function without effect that returns any value: no function of the program has its type",
        );
        ir.at_end(self.block);
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

/// Any size between these, as an input.
fn size_between(ir: &Ir<'_>, bytes: ObjectBytes, pointer: &str) -> Value {
    let size = ir.size_type();
    let chosen = input(ir, size, &format!("bytes(*{pointer})"));
    let chosen = chosen.expect("numbers as wide as a pointer are inputs");
    assume(ir, ir.is_at_most(ir.constant(size, bytes.least), chosen));
    assume(ir, ir.is_at_most(chosen, ir.constant(size, bytes.most)));
    chosen
}

fn refused(name: &str, why: &str) -> LoadError {
    LoadError::Refused {
        what: format!("the function {name} {why}"),
    }
}
