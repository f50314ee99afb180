//! What inputs are in C, by debug information: for people, to whom bytes say little.
//!
//! The inputs are parameters of the function where the program starts, variables that are made
//! symbolic or that nobody has written, what their pointers point to, and floats that functions without a body
//! return. They are known by their names, so a name of two types has none.

use super::super::EntryFunction;
use super::cplusplus::functions_called;
use super::externals::one_word;
use super::ir::{Ir, Value};
use crate::frontend::{InputType, Member, NumberType, Reading};
use inkwell::llvm_sys::LLVMOpcode;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Functions that take a variable, its bytes and its name.
const SYMBOLIC: [&str; 2] = ["klee_make_symbolic", "compact_se_make_symbolic"];

/// Kinds of types in debug information (DWARF 5, section 7.5.3).
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const ATOMIC: u16 = 0x47;
}

/// The types of inputs by their names.
pub(super) fn input_types(
    ir: &Ir<'_>,
    entry: Option<&EntryFunction>,
) -> BTreeMap<String, InputType> {
    let entries = entry.map_or(Vec::new(), |entry| functions_called(ir, &entry.name));
    let types = DebugTypes::default();
    let mut found = Types::new();
    // A variable that is written first is no input, so that it matters only where nothing else has its name.
    let mut unwritten = Types::new();
    for function in ir
        .functions()
        .into_iter()
        .filter(|one| one.is_declaration())
    {
        let result = function.value_type().result();
        if result.is_float() {
            let bits = u32::try_from(ir.bits_of(result)).ok();
            let reading = Reading::Float;
            let ty = bits.map(|bits| InputType::Number(NumberType { bits, reading }));
            note(&mut found, &function.name(), ty);
        }
    }
    let globals: BTreeMap<Value, Value> = (ir.globals().into_iter())
        .filter_map(|global| Some((global, global.debug_type()?)))
        .collect();
    ir.set_debug_records(false);
    for function in ir.definitions() {
        let mut variables = variables(function);
        for (name, ty) in variables.values() {
            note(&mut unwritten, name, types.of(*ty));
            note(&mut unwritten, &format!("*{name}"), types.behind(*ty));
        }
        if entries.contains(&function) {
            for param in function.params() {
                let name = param.name();
                let mut namesakes = variables.values().filter(|(known, _)| *known == name);
                let ty = namesakes.next().map(|(_, ty)| *ty);
                note(&mut found, &name, ty.and_then(|ty| types.of(ty)));
                let behind = ty.and_then(|ty| types.behind(ty));
                note(&mut found, &format!("*{name}"), behind);
            }
        }
        let named = |(global, ty): (&Value, &Value)| (*global, (global.name(), *ty));
        variables.extend(globals.iter().map(named));
        for call in function.instructions() {
            let name = call.callee_name();
            if !name.is_some_and(|name| SYMBOLIC.contains(&name.as_str())) {
                continue;
            }
            if let [place, bytes, text] = call.call_arguments()[..]
                && let Some(text) = text.c_string()
            {
                let bits = bytes.as_i64().map(|bytes| bytes.unsigned_abs() * 8);
                note(
                    &mut found,
                    &text,
                    made_symbolic(&types, &variables, place, bits),
                );
            }
        }
    }
    ir.set_debug_records(true);
    for (name, ty) in unwritten {
        found.entry(name).or_insert(ty);
    }
    let known = found.into_iter();
    known.filter_map(|(name, ty)| Some((name, ty?))).collect()
}

/// What is at a place so many bits of which are made symbolic.
fn made_symbolic(
    types: &DebugTypes,
    variables: &Variables,
    place: Value,
    bits: Option<u64>,
) -> Option<InputType> {
    if let Some((_, ty)) = variables.get(&whole(place)) {
        let ty = types.of(*ty)?;
        return if bits.is_some() && bits == ty.bits() {
            Some(ty)
        } else if let InputType::Array { element, .. } = ty {
            let length = None;
            Some(InputType::Array { element, length })
        } else {
            None
        };
    }
    let is_load = place.is_instruction() && place.opcode() == LLVMOpcode::LLVMLoad;
    let (_, ty) = variables.get(&is_load.then(|| place.operand(0))?)?;
    types.behind(*ty)
}

/// Types by names; `None` where a name has several.
type Types = BTreeMap<String, Option<InputType>>;

fn note(types: &mut Types, name: &str, ty: Option<InputType>) {
    use std::collections::btree_map::Entry;
    match types.entry(one_word(name)) {
        Entry::Vacant(entry) => {
            entry.insert(ty);
        }
        Entry::Occupied(mut entry) if *entry.get() != ty => {
            entry.insert(None);
        }
        Entry::Occupied(_) => {}
    }
}

/// Where variables lie, with their names and what debug information has for their types.
type Variables = BTreeMap<Value, (String, Value)>;

/// The local variables of a function.
fn variables(function: Value) -> Variables {
    let instructions = function.instructions().into_iter();
    let notes = instructions.filter(|one| one.callee_name().as_deref() == Some("llvm.dbg.declare"));
    notes
        .filter_map(|note| {
            let place = note.operand(0).metadata_operands().first().copied()??;
            // A DILocalVariable's operands are scope, name, file, type, …
            let variable = note.operand(1).metadata_operands();
            let name = variable.get(1).copied()??.metadata_text()?;
            Some((place, (name, variable.get(3).copied()??)))
        })
        .collect()
}

/// The array to whose first element a pointer points.
fn whole(pointer: Value) -> Value {
    let is_first = pointer.is_instruction()
        && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
        && (pointer.operands().iter().skip(1)).all(|index| index.as_i64() == Some(0));
    if is_first {
        pointer.operand(0)
    } else {
        pointer
    }
}

/// The types of debug information, each read once.
#[derive(Default)]
struct DebugTypes {
    known: RefCell<BTreeMap<Value, Option<InputType>>>,
}

impl DebugTypes {
    /// What a type of C is; `None` if it has no size.
    fn of(&self, ty: Value) -> Option<InputType> {
        if let Some(known) = self.known.borrow().get(&ty) {
            return known.clone();
        }
        let read = self.read(ty);
        self.known.borrow_mut().insert(ty, read.clone());
        read
    }

    /// What a pointer points to: one such thing or several.
    fn behind(&self, ty: Value) -> Option<InputType> {
        match ty.debug_tag()? {
            tag::POINTER => Some(InputType::Array {
                element: Box::new(self.of(base(ty)?)?),
                length: None,
            }),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE => self.behind(base(ty)?),
            _ => None,
        }
    }

    fn read(&self, ty: Value) -> Option<InputType> {
        let bytes = || Some(InputType::Bytes(ty.debug_bits()?.div_ceil(8)));
        match ty.debug_tag()? {
            tag::BASE => basic(&ty.print()).map(InputType::Number).or_else(bytes),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::ATOMIC | tag::ENUMERATION => {
                self.of(base(ty)?)
            }
            tag::ARRAY => self.array(ty),
            tag::STRUCTURE | tag::CLASS => {
                let members = elements(ty);
                let members = members.into_iter().filter_map(|member| self.member(member));
                Some(InputType::Structure {
                    bytes: ty.debug_bits()?.div_ceil(8),
                    members: members.collect(),
                })
            }
            tag::POINTER | tag::UNION => bytes(),
            _ => None,
        }
    }

    /// An array, whose dimensions stand beside each other, the outermost first.
    fn array(&self, ty: Value) -> Option<InputType> {
        let mut array = self.of(base(ty)?)?;
        for dimension in elements(ty).into_iter().rev() {
            let count = dimension.metadata_operands().first().copied().flatten();
            let length = count.and_then(Value::as_i64);
            array = InputType::Array {
                element: Box::new(array),
                length: length.and_then(|length| length.try_into().ok()),
            };
        }
        Some(array)
    }

    /// A member of a structure, or what it has of a class that it is derived from.
    fn member(&self, member: Value) -> Option<Member> {
        if !matches!(member.debug_tag()?, tag::MEMBER | tag::INHERITANCE) || member.is_static() {
            return None;
        }
        let name = member.metadata_operands().get(2).copied().flatten();
        let bits = member.debug_bits()?;
        let ty = match self.of(base(member)?)? {
            // A bit field.
            InputType::Number(number) if bits < u64::from(number.bits) => {
                let bits = u32::try_from(bits).ok()?;
                InputType::Number(NumberType { bits, ..number })
            }
            ty => ty,
        };
        Some(Member {
            name: name.and_then(Value::metadata_text).unwrap_or_default(),
            offset: member.debug_offset()?,
            ty,
        })
    }
}

/// What a function gives and takes, its names apart: `None` for nothing, else the kind of the type and its bits.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Signature(pub Vec<Option<Class>>);

/// A kind of types between which calls make no difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Integer(u64),
    Pointer,
    /// Another, by its node.
    Other(Value),
}

impl Signature {
    /// Of the functions that a parameter of this name points to; `None` if it is no pointer to functions.
    pub(super) fn behind_parameter(function: Value, name: &str) -> Option<Signature> {
        let variables = variables(function);
        let mut namesakes = variables.values().filter(|(known, _)| known == name);
        let pointer = as_named(namesakes.next()?.1)?;
        if pointer.debug_tag()? != tag::POINTER {
            return None;
        }
        Signature::of(as_named(base(pointer)?)?)
    }

    /// Of a function with debug information.
    pub(super) fn of_function(function: Value) -> Option<Signature> {
        Signature::of(function.subprogram_type()?)
    }

    /// Of a subroutine's type. Its operands are file, scope, name, types: the result's and those of the parameters.
    fn of(subroutine: Value) -> Option<Signature> {
        if subroutine.debug_tag()? != tag::SUBROUTINE {
            return None;
        }
        let types = base(subroutine)?.metadata_operands();
        let classes = types.into_iter().map(|ty| ty.map(class));
        Some(Signature(classes.collect()))
    }
}

fn class(ty: Value) -> Class {
    let ty = as_named(ty).unwrap_or(ty);
    match ty.debug_tag() {
        Some(tag::POINTER) => Class::Pointer,
        Some(tag::BASE) if basic(&ty.print()).is_some_and(|ty| ty.reading != Reading::Float) => {
            Class::Integer(ty.debug_bits().unwrap_or_default())
        }
        _ => Class::Other(ty),
    }
}

/// The type behind other names and qualifiers.
fn as_named(ty: Value) -> Option<Value> {
    match ty.debug_tag()? {
        tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::ATOMIC | tag::ENUMERATION => {
            as_named(base(ty)?)
        }
        _ => Some(ty),
    }
}

/// The type that a type is made from. Its operands are file, scope, name, base type, elements, …
fn base(ty: Value) -> Option<Value> {
    ty.metadata_operands().get(3).copied()?
}

fn elements(ty: Value) -> Vec<Value> {
    let elements = ty.metadata_operands().get(4).copied().flatten();
    let elements = elements.map_or(Vec::new(), Value::metadata_operands);
    elements.into_iter().flatten().collect()
}

/// `!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`
fn basic(text: &str) -> Option<NumberType> {
    let behind = |key: &str| {
        let (_, rest) = text.split_once(key)?;
        rest.split([',', ')']).next()
    };
    let bits = behind(" size: ")?.parse().ok()?;
    let reading = match behind(" encoding: DW_ATE_")? {
        _ if bits > 64 => return None,
        "signed" | "signed_char" => Reading::Signed,
        "unsigned" | "unsigned_char" | "boolean" => Reading::Unsigned,
        "float" => Reading::Float,
        _ => return None,
    };
    Some(NumberType { bits, reading })
}

#[cfg(test)]
mod tests {
    use super::{NumberType, Reading, basic};

    #[test]
    fn basic_types_are_numbers() {
        let ty = |bits, reading| Some(NumberType { bits, reading });
        for (text, expected) in [
            (
                "!7 = !DIBasicType(name: \"unsigned char\", size: 8, encoding: DW_ATE_unsigned_char)",
                ty(8, Reading::Unsigned),
            ),
            (
                "!6 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)",
                ty(32, Reading::Signed),
            ),
            (
                "!9 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)",
                ty(64, Reading::Float),
            ),
            (
                "!9 = !DIBasicType(name: \"long double\", size: 128, encoding: DW_ATE_float)",
                None,
            ),
        ] {
            assert_eq!(basic(text), expected, "{text}");
        }
    }
}
