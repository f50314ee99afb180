//! The C types of inputs, from debug information, for people.
//!
//! The inputs are parameters of the entry function, symbolic or uninitialised variables, the objects behind
//! their pointers, and floats returned by functions without a body. They are identified by their names, so a
//! name with two types has none.

use super::super::EntryFunction;
use super::cplusplus::functions_called;
use super::debug_types::{Variables, local_variables, tag, whole};
use super::externals::one_word;
use super::ir::{Ir, Value};
use crate::{InputType, Member, NumberType, Reading};
use inkwell::llvm_sys::LLVMOpcode;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Functions that take a variable, its bytes and its name.
pub(super) const SYMBOLIC: [&str; 2] = ["klee_make_symbolic", "compact_se_make_symbolic"];

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
        let mut variables = local_variables(function);
        for (name, ty) in variables.values() {
            note(&mut unwritten, name, types.of(*ty));
            note(&mut unwritten, &format!("*{name}"), types.pointee(*ty));
        }
        if entries.contains(&function) {
            for param in function.params() {
                let name = param.name();
                let mut namesakes = variables.values().filter(|(known, _)| *known == name);
                let ty = namesakes.next().map(|(_, ty)| *ty);
                note(&mut found, &name, ty.and_then(|ty| types.of(ty)));
                let behind = ty.and_then(|ty| types.pointee(ty));
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

/// The types of what pointers point to, each a pointer and the type of one element.
pub(super) fn pointee_types(pointers: &[(String, Value)]) -> BTreeMap<String, InputType> {
    let types = DebugTypes::default();
    let known = pointers.iter().filter_map(|(pointer, element)| {
        let element = Box::new(types.of(*element)?);
        let length = None;
        Some((format!("*{pointer}"), InputType::Array { element, length }))
    });
    known.collect()
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
    types.pointee(*ty)
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

/// The types of debug information, each read once.
#[derive(Default)]
struct DebugTypes {
    known: RefCell<BTreeMap<Value, Option<InputType>>>,
}

impl DebugTypes {
    /// The kind of a C type; `None` if it has no size.
    fn of(&self, ty: Value) -> Option<InputType> {
        if let Some(known) = self.known.borrow().get(&ty) {
            return known.clone();
        }
        let read = self.read(ty);
        self.known.borrow_mut().insert(ty, read.clone());
        read
    }

    /// The object of a pointer: one element or several.
    fn pointee(&self, ty: Value) -> Option<InputType> {
        match ty.debug_tag()? {
            tag::POINTER => Some(InputType::Array {
                element: Box::new(self.of(ty.base_type()?)?),
                length: None,
            }),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE => self.pointee(ty.base_type()?),
            _ => None,
        }
    }

    fn read(&self, ty: Value) -> Option<InputType> {
        let bytes = || Some(InputType::Bytes(ty.debug_bits()?.div_ceil(8)));
        match ty.debug_tag()? {
            tag::BASE => basic(&ty.print()).map(InputType::Number).or_else(bytes),
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::ATOMIC | tag::ENUMERATION => {
                self.of(ty.base_type()?)
            }
            tag::ARRAY => self.array(ty),
            tag::STRUCTURE | tag::CLASS => {
                let members = ty.type_elements();
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

    /// An array with its dimensions, the outermost first.
    fn array(&self, ty: Value) -> Option<InputType> {
        let mut array = self.of(ty.base_type()?)?;
        for dimension in ty.type_elements().into_iter().rev() {
            array = InputType::Array {
                element: Box::new(array),
                length: dimension.dimension(),
            };
        }
        Some(array)
    }

    /// A member of a structure, or what it has of a class that it is derived from.
    fn member(&self, member: Value) -> Option<Member> {
        if !member.is_member() {
            return None;
        }
        let bits = member.debug_bits()?;
        let ty = match self.of(member.base_type()?)? {
            // A bit field.
            InputType::Number(number) if bits < u64::from(number.bits) => {
                let bits = u32::try_from(bits).ok()?;
                InputType::Number(NumberType { bits, ..number })
            }
            ty => ty,
        };
        Some(Member {
            name: member.member_name(),
            offset: member.debug_offset()?,
            ty,
        })
    }
}

/// `!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`
pub(super) fn basic(text: &str) -> Option<NumberType> {
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
