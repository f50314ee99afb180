//! Constants in the form in which llvm-ir reads them without loss.
//!
//! llvm-ir drops the element type of constant address arithmetic and the value of floats of 16 bits and of
//! more than 64 bits, and cannot hold integers beyond 64 bits.

use super::super::LoadError;
use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value, count};
use inkwell::llvm_sys::LLVMOpcode;
use num_bigint::BigInt;
use std::collections::BTreeMap;

pub(super) fn make_constants_canonical(ir: &Ir<'_>) -> Result<(), LoadError> {
    let mut rewriter = Rewriter {
        ir,
        done: BTreeMap::new(),
    };
    for global in ir.globals() {
        // llvm-ir knows zeros of any type.
        let initializer = global.initializer().filter(|value| !value.is_zero());
        if let Some(initializer) = initializer
            && initializer.ty() != ir.words_for_floats(initializer.ty())
        {
            ir.replace_global(global, of_words(ir, initializer));
        }
    }
    for global in ir.globals() {
        if let Some(initializer) = global.initializer() {
            let canonical = rewriter.canonical(initializer)?;
            if canonical != initializer {
                global.set_initializer(canonical);
            }
            refuse_wide(canonical, &global.name())?;
        }
    }
    for function in ir.definitions() {
        for instruction in function.instructions() {
            for index in 0..instruction.operands().len() {
                // As it is now: a phi's operands change together.
                let operand = instruction.operand(count(index));
                if operand.is_constant_expression() || operand.is_aggregate_constant() {
                    let canonical = rewriter.canonical(operand)?;
                    if canonical != operand {
                        instruction.set_operand(index, canonical);
                    }
                } else if is_wide(operand) || operand.is_short_float() || operand.is_long_float() {
                    put_together(ir, instruction, index, operand)?;
                }
            }
        }
    }
    Ok(())
}

struct Rewriter<'i, 'm> {
    ir: &'i Ir<'m>,
    done: BTreeMap<Value, Value>,
}

impl Rewriter<'_, '_> {
    /// The same constant with all address arithmetic in bytes.
    fn canonical(&mut self, constant: Value) -> Result<Value, LoadError> {
        if !constant.is_constant_expression() && !constant.is_aggregate_constant() {
            return Ok(constant);
        }
        if let Some(&known) = self.done.get(&constant) {
            return Ok(known);
        }
        let mut changed = false;
        let mut operands = constant.operands();
        for operand in &mut operands {
            let canonical = self.canonical(*operand)?;
            changed |= canonical != *operand;
            *operand = canonical;
        }
        let is_gep = constant.is_constant_expression()
            && constant.constant_opcode() == LLVMOpcode::LLVMGetElementPtr;
        let result = if is_gep {
            let bytes = constant.gep_source_type() == self.ir.int(8) && operands.len() == 2;
            if bytes && !changed {
                constant
            } else {
                let offset = self.ir.constant_gep_offset(constant, &operands);
                let offset = offset.ok_or_else(|| refused(constant))?;
                self.ir.constant_offset(operands[0], offset)
            }
        } else if changed {
            self.ir
                .rebuild_constant(constant, &operands)
                .ok_or_else(|| refused(constant))?
        } else {
            constant
        };
        self.done.insert(constant, result);
        Ok(result)
    }
}

fn refused(constant: Value) -> LoadError {
    LoadError::Refused {
        what: format!("it holds the constant {}", constant.print()),
    }
}

/// An integer constant that does not fit 64 bits.
fn is_wide(value: Value) -> bool {
    value.is_constant_int() && value.ty().int_bits() > 64 && {
        let value = wide_value(value);
        value < BigInt::ZERO || value.bits() > 64
    }
}

/// LLVM prints `i128 -5`.
fn wide_value(constant: Value) -> BigInt {
    let text = constant.print();
    text.rsplit(' ')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

fn refuse_wide(constant: Value, name: &str) -> Result<(), LoadError> {
    if is_wide(constant) {
        return Err(LoadError::Refused {
            what: format!("the variable {name} holds a constant beyond 64 bits"),
        });
    }
    if constant.is_aggregate_constant() {
        for operand in constant.operands() {
            refuse_wide(operand, name)?;
        }
    }
    Ok(())
}

/// The same constant with integers in the place of floats of 16 bits and of more than 64.
fn of_words(ir: &Ir<'_>, constant: Value) -> Value {
    let ty = constant.ty();
    if constant.is_short_float() {
        return ir.constant(ir.int(16), bits_of_short_float(constant));
    }
    let words = ir.words_for_floats(ty);
    if constant.is_long_float() {
        let (word, n_words) = ir.words_of_long_float(ty);
        let bits = bits_of_long_float(constant);
        let word_at = |index: u64| {
            let bits = bits.clone() >> (index * u64::from(word.int_bits()));
            ir.constant(word, low_word(bits))
        };
        let words_of_it: Vec<Value> = (0..n_words).map(word_at).collect();
        return ir.aggregate(words, &words_of_it);
    }
    if words == ty {
        return constant;
    }
    match constant.elements() {
        Some(elements) => {
            let elements: Vec<Value> = elements.map(|element| of_words(ir, element)).collect();
            ir.aggregate(words, &elements)
        }
        // Undefined parts of what is initialised are zero for compilers too.
        None => ir.zero(words),
    }
}

/// LLVM prints `half 0xH3C00` and `bfloat 0xR3F80`.
fn bits_of_short_float(constant: Value) -> u64 {
    let text = constant.print();
    let digits = text.rsplit(['H', 'R']).next().unwrap_or_default();
    u64::from_str_radix(digits, 16).expect("LLVM prints such floats in hexadecimal")
}

/// LLVM prints `x86_fp80 0xK4000C000000000000000` and, with the lower half first,
/// `fp128 0xL00000000000000004000400000000000`.
fn bits_of_long_float(constant: Value) -> BigInt {
    let text = constant.print();
    let digits = text.rsplit(['K', 'L']).next().unwrap_or_default();
    let number = |digits: &str| BigInt::parse_bytes(digits.as_bytes(), 16).unwrap_or_default();
    match digits.split_at_checked(16) {
        Some((low, high)) if high.len() == 16 => (number(high) << 64) + number(low),
        _ => number(digits),
    }
}

/// The lower 64 bits.
fn low_word(value: BigInt) -> u64 {
    u64::try_from(value & BigInt::from(u64::MAX)).expect("masked to 64 bits")
}

/// Replaces an operand that llvm-ir cannot hold by a call that puts it together.
fn put_together(
    ir: &Ir<'_>,
    instruction: Value,
    index: usize,
    constant: Value,
) -> Result<(), LoadError> {
    let (ty, is_phi) = (constant.ty(), instruction.opcode() == LLVMOpcode::LLVMPHI);
    let bits = ir.bits_of(ty);
    let place = match instruction.opcode() {
        LLVMOpcode::LLVMPHI => instruction.incoming()[index].1.terminator(),
        LLVMOpcode::LLVMSwitch if index > 0 => None,
        _ => Some(instruction),
    };
    let (Some(place), true) = (place, bits <= 128) else {
        return Err(refused(constant));
    };
    let mut value = if constant.is_short_float() {
        bits_of_short_float(constant).into()
    } else if constant.is_long_float() {
        bits_of_long_float(constant)
    } else {
        wide_value(constant)
    };
    if value < BigInt::ZERO {
        value += BigInt::from(1) << bits;
    }
    ir.before(place);
    let (high, low) = (low_word(value.clone() >> 64), low_word(value));
    let int64 = ir.int(64);
    let args = [ir.constant(int64, high), ir.constant(int64, low)];
    let wide = ir.call(wide_function(ir), &args, "wide");
    let bits = u32::try_from(bits).expect("at most 128");
    let of_width = ir.convert_from_int(wide, ir.int(bits), "");
    let value = ir.convert_from_int(of_width, ty, "");
    instruction.set_operand(index, value);
    if is_phi {
        // A phi has the same value for all edges from a block.
        let incoming = instruction.incoming();
        let from = incoming[index].1;
        let of_block = (0..incoming.len()).filter(|other| incoming[*other].1 == from);
        of_block.for_each(|other| instruction.set_operand(other, value));
    }
    Ok(())
}

/// `high · 2^64 + low`; the lowering knows it by name.
fn wide_function(ir: &Ir<'_>) -> Value {
    let name = format!("{RUNTIME_PREFIX}wide");
    ir.function(&name).unwrap_or_else(|| {
        let int64 = ir.int(64);
        let function = ir.declare(&name, ir.int(128), &[int64, int64]);
        ir.define_wide(function);
        ir.add_attribute(function, "noinline", 0);
        function
    })
}
