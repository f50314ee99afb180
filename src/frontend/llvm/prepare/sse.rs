//! Intrinsics of x86 for vectors of 128 bits (SSE, SSE2) become operations on elements.
//!
//! Supported are those for integers that clang's `<emmintrin.h>` and `<xmmintrin.h>` do not express in LLVM's
//! own operations. Intrinsics for floats are refused where they are reached.

use super::ir::{Ir, Ty, Value};
use inkwell::llvm_sys::LLVMOpcode as Op;

const PREFIX: &str = "llvm.x86.sse";

/// Is to run before vectors are split.
pub(super) fn expand(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let name = instruction.callee_name().unwrap_or_default();
            let Some(name) = name.strip_prefix(PREFIX) else {
                continue;
            };
            ir.before(instruction);
            let arguments = instruction.call_arguments();
            let elements = Elements { ir };
            let result = match arguments.as_slice() {
                [vector] => elements.unary(name, *vector),
                [a, b] => elements.binary(name, *a, *b, instruction.ty()),
                _ => None,
            };
            if let Some(result) = result {
                instruction.replace_uses(result);
                instruction.erase();
            }
        }
    }
}

struct Elements<'i, 'm> {
    ir: &'i Ir<'m>,
}

impl Elements<'_, '_> {
    fn unary(&self, name: &str, vector: Value) -> Option<Value> {
        match name {
            "2.pmovmskb.128" | ".movmsk.ps" | "2.movmsk.pd" => self.signs(vector),
            _ => None,
        }
    }

    fn binary(&self, name: &str, a: Value, b: Value, result: Ty) -> Option<Value> {
        let (ir, int) = (self.ir, |bits| self.ir.int(bits));
        if let Some(shift) = name
            .strip_prefix("2.p")
            .filter(|name| name.starts_with('s'))
            && let Some(op) = [
                ("sll", Op::LLVMShl),
                ("srl", Op::LLVMLShr),
                ("sra", Op::LLVMAShr),
            ]
            .into_iter()
            .find_map(|(prefix, op)| shift.starts_with(prefix).then_some(op))
        {
            return self.shift(op, a, b);
        }
        let at = |vector: Value, index: u32| ir.element(vector, index);
        match name {
            "2.pmadd.wd" => self.build(result, |index| {
                let product = |index| {
                    let wide = |vector| ir.sign_extend(at(vector, index), int(32));
                    ir.multiply(wide(a), wide(b))
                };
                ir.add(product(2 * index), product(2 * index + 1))
            }),
            "2.pmulh.w" | "2.pmulhu.w" => self.build(result, |index| {
                let wide = |vector| match name {
                    "2.pmulh.w" => ir.sign_extend(at(vector, index), int(32)),
                    _ => ir.convert_from_int(at(vector, index), int(32), ""),
                };
                let product = ir.multiply(wide(a), wide(b));
                ir.convert_from_int(ir.shift_right(product, 16), int(16), "")
            }),
            "2.pavg.b" | "2.pavg.w" => self.build(result, |index| {
                let element = at(a, index).ty();
                let wide = |vector| ir.convert_from_int(at(vector, index), int(32), "");
                let sum = ir.add(ir.add(wide(a), wide(b)), ir.constant(int(32), 1));
                ir.convert_from_int(ir.shift_right(sum, 1), element, "")
            }),
            "2.psad.bw" => self.build(result, |half| {
                let distance = |index: u32| {
                    let (x, y) = (at(a, index), at(b, index));
                    let (most, least) = (self.pick("umax", x, y), self.pick("umin", x, y));
                    let distance = ir.binary(Op::LLVMSub, most, least);
                    ir.convert_from_int(distance, int(64), "")
                };
                let zero = ir.zero(int(64));
                (8 * half..8 * half + 8).fold(zero, |sum, index| ir.add(sum, distance(index)))
            }),
            "2.packsswb.128" => self.pack(a, b, result, (0x7f, 0xff80)),
            "2.packssdw.128" => self.pack(a, b, result, (0x7fff, 0xffff_8000)),
            "2.packuswb.128" => self.pack(a, b, result, (0xff, 0)),
            _ => None,
        }
    }

    /// A vector of these elements.
    fn build(&self, ty: Ty, element: impl Fn(u32) -> Value) -> Option<Value> {
        let (_, n_elements) = ty.elements()?;
        let zero = self.ir.zero(ty);
        let insert = |vector, index| self.ir.with_element(vector, element(index), index);
        Some((0..n_elements).fold(zero, insert))
    }

    /// The greater or lesser of two integers.
    fn pick(&self, which: &str, a: Value, b: Value) -> Value {
        let name = format!("llvm.{which}.i{}", a.ty().int_bits());
        let intrinsic = self.ir.declare(&name, a.ty(), &[a.ty(), a.ty()]);
        self.ir.call(intrinsic, &[a, b], "")
    }

    /// The sign of element k in bit k.
    fn signs(&self, vector: Value) -> Option<Value> {
        let (ir, int32) = (self.ir, self.ir.int(32));
        let (element, n_elements) = vector.ty().elements()?;
        let bits = u32::try_from(ir.bits_of(element)).ok()?;
        let mut signs = ir.zero(int32);
        for index in 0..n_elements {
            let element = ir.bit_cast(ir.element(vector, index), ir.int(bits));
            let sign = ir.shift_right(element, u64::from(bits - 1));
            let sign = ir.convert_from_int(sign, int32, "");
            let place = ir.constant(int32, u64::from(index));
            signs = ir.binary(Op::LLVMOr, signs, ir.binary(Op::LLVMShl, sign, place));
        }
        Some(signs)
    }

    /// All elements shifted by a number, or by the lower half of a vector; by the width or more leaves only
    /// zeros or signs.
    fn shift(&self, op: Op, vector: Value, amount: Value) -> Option<Value> {
        let ir = self.ir;
        let (element, _) = vector.ty().elements()?;
        let bits = u64::from(element.int_bits());
        let amount = match amount.ty().elements() {
            Some((part, n_parts)) => {
                let int64 = ir.int(64);
                let halves = ir.zero(int64);
                (0..n_parts / 2).fold(halves, |whole, index| {
                    let part_bits = u64::from(part.int_bits());
                    let value = ir.convert_from_int(ir.element(amount, index), int64, "");
                    let place = ir.constant(int64, part_bits * u64::from(index));
                    ir.binary(Op::LLVMOr, whole, ir.binary(Op::LLVMShl, value, place))
                })
            }
            None => amount,
        };
        let most = ir.constant(amount.ty(), bits - 1);
        let is_short = ir.is_at_most(amount, most);
        // An amount that is allowed, whatever is selected.
        let within = ir.binary(Op::LLVMAnd, amount, most);
        let within = ir.convert_from_int(within, element, "");
        self.build(vector.ty(), |index| {
            let value = ir.element(vector, index);
            let otherwise = match op {
                Op::LLVMAShr => ir.binary(op, value, ir.constant(element, bits - 1)),
                _ => ir.zero(element),
            };
            ir.select(is_short, ir.binary(op, value, within), otherwise)
        })
    }

    /// The elements of two vectors side by side, of half the width, each the nearest that there is from the
    /// second of two limits to the first.
    fn pack(&self, a: Value, b: Value, result: Ty, (most, least): (u64, u64)) -> Option<Value> {
        let ir = self.ir;
        let (wide, n_elements) = a.ty().elements()?;
        let (narrow, _) = result.elements()?;
        self.build(result, |index| {
            let value = match index < n_elements {
                true => ir.element(a, index),
                false => ir.element(b, index - n_elements),
            };
            let value = self.pick("smin", value, ir.constant(wide, most));
            let value = self.pick("smax", value, ir.constant(wide, least));
            ir.convert_from_int(value, narrow, "")
        })
    }
}
