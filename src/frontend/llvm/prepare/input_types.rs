//! What numbers inputs are in C, by debug information: for people, to whom bytes say little.
//!
//! The inputs are parameters of the function where the program starts, local variables that are made
//! symbolic as a whole or that nobody has written, and floats that functions without a body return. They are
//! known by their names, so a name of two types has none. An array of several numbers has the type of one.

use super::super::{EntryFunction, InputType, Reading};
use super::cplusplus::functions_called;
use super::externals::one_word;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeMap;

/// Functions that take a variable, its bytes and its name.
const SYMBOLIC: [&str; 2] = ["klee_make_symbolic", "compact_se_make_symbolic"];

/// The types of inputs by their names.
pub(super) fn input_types(
    ir: &Ir<'_>,
    entry: Option<&EntryFunction>,
) -> BTreeMap<String, InputType> {
    let entries = entry.map_or(Vec::new(), |entry| functions_called(ir, &entry.name));
    let mut found = Types::new();
    // A variable that is written first is no input, so that it matters only where nothing else has its name.
    let mut unwritten = Types::new();
    let mut note = |name: &str, ty: Option<InputType>| note(&mut found, name, ty);
    for function in ir
        .functions()
        .into_iter()
        .filter(|one| one.is_declaration())
    {
        let result = function.value_type().result();
        if result.is_float() {
            let bits = u32::try_from(ir.bits_of(result)).ok();
            let ty = |bits| InputType {
                bits,
                reading: Reading::Float,
                is_array: false,
            };
            note(&function.name(), bits.map(ty));
        }
    }
    ir.set_debug_records(false);
    for function in ir.definitions() {
        let (variables, elements) = (variables(function, number), elements(function));
        for (place, (name, ty)) in &variables {
            self::note(&mut unwritten, name, ty.or(elements.get(place).copied()));
        }
        if entries.contains(&function) {
            for param in function.params() {
                let name = param.name();
                let mut namesakes = variables.values().filter(|(known, _)| *known == name);
                note(&name, namesakes.next().and_then(|(_, ty)| *ty));
            }
        }
        for call in function.instructions() {
            let name = call.callee_name();
            if !name.is_some_and(|name| SYMBOLIC.contains(&name.as_str())) {
                continue;
            }
            if let [variable, bytes, text] = call.call_arguments()[..]
                && let Some(text) = text.c_string()
            {
                let bytes = bytes.as_i64();
                let is_whole = |ty: &InputType| bytes == Some(i64::from(ty.bits / 8));
                let ty = match variables.get(&variable) {
                    Some((_, Some(ty))) => Some(*ty).filter(is_whole),
                    _ => {
                        let ty = elements.get(&whole(variable)).copied();
                        ty.filter(|ty| !is_whole(ty))
                    }
                };
                note(&text, ty);
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

/// Types by names; `None` where a name has several.
type Types = BTreeMap<String, Option<InputType>>;

fn note(types: &mut Types, name: &str, ty: Option<InputType>) {
    let known = types.entry(one_word(name)).or_insert(ty);
    if *known != ty {
        *known = None;
    }
}

/// Where local variables lie, with their names and the numbers that they are, which `of` tells of a type.
fn variables(
    function: Value,
    of: impl Fn(Value) -> Option<InputType>,
) -> BTreeMap<Value, (String, Option<InputType>)> {
    let instructions = function.instructions().into_iter();
    let notes = instructions.filter(|one| one.callee_name().as_deref() == Some("llvm.dbg.declare"));
    notes
        .filter_map(|note| {
            let place = note.operand(0).metadata_operands().first().copied()??;
            // A DILocalVariable's operands are scope, name, file, type, …
            let variable = note.operand(1).metadata_operands();
            let name = variable.get(1).copied()??.metadata_text()?;
            let ty = variable.get(3).copied().flatten().and_then(&of);
            Some((place, (name, ty)))
        })
        .collect()
}

/// Where local arrays of numbers lie, and what their elements are.
fn elements(function: Value) -> BTreeMap<Value, InputType> {
    let of = |ty: Value| {
        let is_array = ty.print().contains("(tag: DW_TAG_array_type,");
        let element = ty.metadata_operands().get(3).copied().flatten();
        element.filter(|_| is_array).and_then(number)
    };
    let arrays = variables(function, of).into_iter();
    arrays
        .filter_map(|(place, (_, ty))| {
            let is_array = true;
            Some((place, InputType { is_array, ..ty? }))
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

/// The number that a type of C is, by what is behind its name and its qualifiers.
fn number(ty: Value) -> Option<InputType> {
    const OTHER_NAMES: [&str; 4] = ["typedef", "const_type", "volatile_type", "enumeration_type"];
    let text = ty.print();
    if text.contains("!DIBasicType(") {
        return basic(&text);
    }
    let is_other_name = |tag: &&str| text.contains(&format!("(tag: DW_TAG_{tag},"));
    OTHER_NAMES.iter().find(|tag| is_other_name(tag))?;
    // The operands are file, scope, name, base type, …
    number(ty.metadata_operands().get(3).copied()??)
}

/// `!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`
fn basic(text: &str) -> Option<InputType> {
    let behind = |key: &str| {
        let (_, rest) = text.split_once(key)?;
        rest.split([',', ')']).next()
    };
    let bits = behind(" size: ")?.parse().ok()?;
    let reading = match behind(" encoding: DW_ATE_")? {
        "signed" | "signed_char" => Reading::Signed,
        "unsigned" | "unsigned_char" | "boolean" => Reading::Unsigned,
        "float" if bits <= 64 => Reading::Float,
        _ => return None,
    };
    Some(InputType {
        bits,
        reading,
        is_array: false,
    })
}

#[cfg(test)]
mod tests {
    use super::{InputType, Reading, basic};

    #[test]
    fn basic_types_are_numbers() {
        let ty = |bits, reading| {
            Some(InputType {
                bits,
                reading,
                is_array: false,
            })
        };
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
