//! Constants in the form in which llvm-ir reads them without loss.
//!
//! llvm-ir drops the element type of constant address arithmetic, and cannot hold integers beyond
//! 64 bits.

use super::super::LoadError;
use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use num_bigint::BigInt;
use std::collections::BTreeMap;

pub(super) fn make_constants_canonical(ir: &Ir<'_>) -> Result<(), LoadError> {
    let mut rewriter = Rewriter {
        ir,
        done: BTreeMap::new(),
    };
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
            for (index, operand) in instruction.operands().into_iter().enumerate() {
                if operand.is_constant_expression() || operand.is_aggregate_constant() {
                    let canonical = rewriter.canonical(operand)?;
                    if canonical != operand {
                        instruction.set_operand(index, canonical);
                    }
                } else if is_wide(operand) {
                    replace_wide(ir, instruction, index, operand)?;
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

/// Replaces a wide operand by a call that puts it together.
fn replace_wide(
    ir: &Ir<'_>,
    instruction: Value,
    index: usize,
    constant: Value,
) -> Result<(), LoadError> {
    let bits = constant.ty().int_bits();
    let place = match instruction.opcode() {
        LLVMOpcode::LLVMPHI => instruction.incoming()[index].1.terminator(),
        LLVMOpcode::LLVMSwitch if index > 0 => None,
        _ => Some(instruction),
    };
    let (Some(place), true) = (place, bits <= 128) else {
        return Err(refused(constant));
    };
    let mut value = wide_value(constant);
    if value < BigInt::ZERO {
        value += BigInt::from(1) << bits;
    }
    let word = |value: BigInt| {
        let word = value & BigInt::from(u64::MAX);
        u64::try_from(word).expect("masked to 64 bits")
    };
    ir.before(place);
    let (high, low) = (word(value.clone() >> 64), word(value));
    let int64 = ir.int(64);
    let args = [ir.constant(int64, high), ir.constant(int64, low)];
    let wide = ir.call(wide_function(ir), &args, "wide");
    let wide = ir.convert_from_int(wide, constant.ty(), "");
    instruction.set_operand(index, wide);
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
