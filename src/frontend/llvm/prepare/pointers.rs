//! Targets of pointers in memory of arbitrary content.
//!
//! ```text
//! klee_make_symbolic(&ops, sizeof ops, "ops")       ops.compare   any function of the program that has its type
//! int f(struct text *t), where the program starts   t->begin      a separate object
//! ```
//!
//! Their offsets are known from debug information. The active member of a union is unknown, so that its
//! pointers are plain bytes; so are those to tables of virtual functions.

use super::FORMER_MAIN;
use super::debug_types::{Variables, local_variables, tag, whole};
use super::externals::{input, one_word};
use super::input_types::SYMBOLIC;
use super::ir::{Ir, Value};
use super::signature::Signature;
use indexmap::IndexMap;
use inkwell::llvm_sys::LLVMOpcode;

/// A pointer in memory.
pub(super) struct Pointer {
    /// Bytes before it.
    pub offset: u64,
    /// As C names it: `t->begin`.
    pub name: String,
    pub to: Pointee,
}

/// The target of a pointer.
pub(super) enum Pointee {
    Function(Signature),
    /// Of this type, if it has one.
    Object(Option<Value>),
}

impl Pointee {
    /// By the type of the pointer, or reference of C++; `None` for other types.
    pub fn of(pointer: Value) -> Option<Pointee> {
        let pointer = pointer.unqualified_type()?;
        let (tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE) = pointer.debug_tag()? else {
            return None;
        };
        let behind = pointer.base_type().and_then(Value::unqualified_type);
        Some(match behind.and_then(Signature::of) {
            Some(signature) => Pointee::Function(signature),
            None => Pointee::Object(behind),
        })
    }
}

/// The pointers in the first `bytes` of a variable of this type.
pub(super) fn pointers_in(ty: Value, name: &str, bytes: u64, pointer_bytes: u64) -> Vec<Pointer> {
    let mut walk = Walk {
        bytes,
        pointer_bytes,
        found: Vec::new(),
    };
    walk.visit(ty, 0, name);
    walk.found
}

/// The pointers in an object of so many bytes, to the begin of which a pointer of this name points.
pub(super) fn pointers_in_pointee(
    element: Value,
    pointer: &str,
    bytes: u64,
    pointer_bytes: u64,
) -> Vec<Pointer> {
    let size = size_of(element).filter(|size| *size > 0);
    let n_elements = size.map_or(0, |size| bytes / size);
    let mut walk = Walk {
        bytes,
        pointer_bytes,
        found: Vec::new(),
    };
    walk.elements(element, &[n_elements], 0, pointer);
    let first = format!("{pointer}[0].");
    for found in &mut walk.found {
        if let Some(member) = found.name.strip_prefix(&first) {
            found.name = format!("{pointer}->{member}");
        }
    }
    walk.found
}

/// The bytes of a value of this type.
pub(super) fn size_of(ty: Value) -> Option<u64> {
    Some(ty.unqualified_type()?.debug_bits()?.div_ceil(8))
}

struct Walk {
    /// Pointers behind these are left out.
    bytes: u64,
    pointer_bytes: u64,
    found: Vec<Pointer>,
}

impl Walk {
    fn visit(&mut self, ty: Value, offset: u64, name: &str) {
        let Some(ty) = ty.unqualified_type() else {
            return;
        };
        match ty.debug_tag() {
            Some(tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE)
                if offset + self.pointer_bytes <= self.bytes =>
            {
                self.found.extend(Pointee::of(ty).map(|to| Pointer {
                    offset,
                    name: name.to_owned(),
                    to,
                }));
            }
            Some(tag::STRUCTURE | tag::CLASS) => {
                for member in ty.type_elements() {
                    if let (true, Some(base), Some(bits)) = (
                        member.is_member() && !member.is_artificial(),
                        member.base_type(),
                        member.debug_offset(),
                    ) {
                        // Bases of classes and anonymous structures have no name.
                        let name = match member.member_name() {
                            member if member.is_empty() => name.to_owned(),
                            member => format!("{name}.{member}"),
                        };
                        self.visit(base, offset + bits / 8, &name);
                    }
                }
            }
            Some(tag::ARRAY) => {
                let lengths = ty.type_elements();
                let lengths: Option<Vec<u64>> = lengths.into_iter().map(Value::dimension).collect();
                if let (Some(base), Some(lengths)) = (ty.base_type(), lengths) {
                    self.elements(base, &lengths, offset, name);
                }
            }
            _ => {}
        }
    }

    /// An array with these dimensions, the outermost first.
    fn elements(&mut self, element: Value, lengths: &[u64], offset: u64, name: &str) {
        let Some((length, inner)) = lengths.split_first() else {
            return self.visit(element, offset, name);
        };
        let mut lengths = inner.iter();
        let size = size_of(element);
        let size = size.and_then(|size| lengths.try_fold(size, |size, n| size.checked_mul(*n)));
        let Some(size) = size.filter(|size| *size > 0) else {
            return;
        };
        for index in 0..*length {
            let (offset, before) = (offset + index * size, self.found.len());
            if offset >= self.bytes {
                return;
            }
            self.elements(element, inner, offset, &format!("{name}[{index}]"));
            if self.found.len() == before {
                // Nor in those behind it.
                return;
            }
        }
    }
}

/// The targets of pointers to functions, each with its pointers.
#[derive(Default)]
pub(super) struct Chosen(IndexMap<String, Vec<String>>);

impl Chosen {
    pub fn add(&mut self, pointer: &str, to: impl Into<String>) {
        let pointers = self.0.entry(to.into()).or_default();
        pointers.push(pointer.to_owned());
    }

    /// One for all pointers that may point to the same.
    pub fn notes(&self) -> Vec<String> {
        /// More are counted.
        const MOST_NAMES: usize = 4;
        let note = |(to, pointers): (&String, &Vec<String>)| {
            let shown = pointers[..pointers.len().min(MOST_NAMES)].join(", ");
            let n_more = pointers.len().saturating_sub(MOST_NAMES);
            let more = if n_more > 0 {
                format!(" and {n_more} more")
            } else {
                String::new()
            };
            let verb = if pointers.len() == 1 {
                "points"
            } else {
                "each point"
            };
            format!("{shown}{more} {verb} to {to}")
        };
        self.0.iter().map(note).collect()
    }
}

/// One of the functions of the program that have this type, by an input of this name; what can be chosen is noted.
/// `None` if there are none, `main` and one more left aside. Builds where the builder is.
pub(super) fn any_function(
    ir: &Ir<'_>,
    name: &str,
    signature: &Signature,
    aside: Option<Value>,
    noted: &mut Chosen,
) -> Option<Value> {
    let mut candidates = ir.definitions();
    candidates.retain(|function| {
        Some(*function) != aside
            && !["main", FORMER_MAIN].contains(&function.name().as_str())
            && Signature::of_function(*function).as_ref() == Some(signature)
    });
    let (first, others) = candidates.split_first()?;
    let names = candidates
        .iter()
        .map(|function| format!("{}()", function.name()));
    let names: Vec<String> = names.collect();
    if others.is_empty() {
        noted.add(name, format!("{}, the only function of its type", names[0]));
        return Some(*first);
    }
    let int = ir.int(32);
    let chosen = input(ir, int, name)?;
    noted.add(
        name,
        format!("one of the functions of its type: {}", names.join(", ")),
    );
    // Any other number chooses it too, so that nothing need be assumed.
    let mut function = *first;
    for (number, other) in (1..).zip(others) {
        let is_it = ir.equals(chosen, ir.constant(int, number));
        function = ir.select(is_it, *other, function);
    }
    Some(function)
}

/// Lets pointers to functions in variables that `klee_make_symbolic` fills point to functions of the program; what that
/// assumes.
pub(super) fn point_to_functions(ir: &Ir<'_>, notes: &mut Vec<String>) -> Option<&'static str> {
    let mut noted = Chosen::default();
    ir.set_debug_records(false);
    let globals = ir.globals().into_iter();
    let globals =
        globals.filter_map(|global| Some((global, (global.name(), global.debug_type()?))));
    let globals: Vec<_> = globals.collect();
    for function in ir.definitions() {
        let is_filling = |call: &Value| {
            let callee = call.callee_name();
            callee.is_some_and(|callee| SYMBOLIC.contains(&callee.as_str()))
        };
        let mut calls = function.instructions();
        calls.retain(is_filling);
        if calls.is_empty() {
            continue;
        }
        let mut variables = local_variables(function);
        variables.extend(globals.iter().cloned());
        for call in calls {
            let ([memory, bytes, name], Some(next)) = (&call.call_arguments()[..], call.next())
            else {
                continue;
            };
            let (Some(bytes), Some(name)) = (bytes.as_i64(), name.c_string()) else {
                continue;
            };
            let (bytes, name) = (bytes.unsigned_abs(), one_word(&name));
            let pointer_bytes = u64::from(ir.pointer_bits() / 8);
            ir.before(next);
            for pointer in pointers_at(*memory, &variables, &name, bytes, pointer_bytes) {
                let Pointee::Function(signature) = &pointer.to else {
                    continue;
                };
                let chosen = any_function(ir, &pointer.name, signature, None, &mut noted);
                if let Some(chosen) = chosen {
                    ir.store(chosen, ir.offset(*memory, pointer.offset));
                }
            }
        }
    }
    ir.set_debug_records(true);
    notes.extend(noted.notes());
    let is_assumed = !noted.0.is_empty();
    is_assumed.then_some("symbolic pointers to functions point to functions of their types")
}

/// The pointers in memory of so many bytes that is a variable, or to which a variable points.
fn pointers_at(
    memory: Value,
    variables: &Variables,
    name: &str,
    bytes: u64,
    pointer_bytes: u64,
) -> Vec<Pointer> {
    if let Some((_, ty)) = variables.get(&whole(memory)) {
        return pointers_in(*ty, name, bytes, pointer_bytes);
    }
    let is_load = memory.is_instruction() && memory.opcode() == LLVMOpcode::LLVMLoad;
    let variable = is_load.then(|| memory.operand(0));
    let pointer = variable.and_then(|variable| variables.get(&variable));
    match pointer.and_then(|(_, ty)| Pointee::of(*ty)) {
        Some(Pointee::Object(Some(element))) => {
            pointers_in_pointee(element, name, bytes, pointer_bytes)
        }
        _ => Vec::new(),
    }
}
