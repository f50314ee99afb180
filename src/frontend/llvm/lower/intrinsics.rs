//! LLVM's intrinsic functions.

use super::calls::Argument;
use super::function::{Lowerer, Slot};
use super::{Lowered, Refusal, expr};
use flowgraph::{Action, Builtin, EndKind, Expr, RegId, Span};
use llvm_ir::instruction::Call;
use llvm_ir::{Operand, Type};
use term::{BinOp, CastOp, CmpOp};

/// Intrinsics without an effect on the program's state.
const NOTHING: [&str; 18] = [
    "llvm.lifetime.start",
    "llvm.lifetime.end",
    "llvm.invariant.end",
    "llvm.dbg.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.prefetch",
    "llvm.var.annotation",
    "llvm.experimental.noalias.scope.decl",
    "llvm.pseudoprobe",
    "llvm.codeview.annotation",
    "llvm.clear_cache",
    "llvm.x86.sse2.pause",
    "llvm.x86.sse2.mfence",
    "llvm.x86.sse2.lfence",
    "llvm.x86.sse.sfence",
    "llvm.x86.sse2.clflush",
];

/// Intrinsics that give their first argument back.
const IDENTITY: [&str; 7] = [
    "llvm.expect",
    "llvm.annotation",
    "llvm.ptr.annotation",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.threadlocal.address",
    "llvm.ssa.copy",
];

impl Lowerer<'_, '_> {
    pub fn lower_intrinsic(&mut self, name: &str, call: &Call, span: Span) -> Lowered<()> {
        let is = |prefix: &str| {
            name.strip_prefix(prefix).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('.') || prefix.ends_with('.')
            })
        };
        if self.tables.has_scopes && (is("llvm.lifetime.start") || is("llvm.lifetime.end")) {
            let args = self.intrinsic_arguments(call, name)?;
            let [_, (pointer, _)] = args.as_slice() else {
                return Err(Refusal::new(format!("{name} with other arguments")));
            };
            let builtin = if is("llvm.lifetime.start") {
                Builtin::ScopeBegin
            } else {
                Builtin::ScopeEnd
            };
            let action = Action::Builtin {
                dst: None,
                builtin,
                args: vec![pointer.clone()],
                name: None,
            };
            self.emit.push(action, span);
            return Ok(());
        }
        if NOTHING.iter().any(|prefix| is(prefix)) {
            return Ok(());
        }
        let of_builtin_jumps = [
            ("llvm.eh.sjlj.setjmp", "__builtin_setjmp"),
            ("llvm.eh.sjlj.longjmp", "__builtin_longjmp"),
        ];
        if let Some((_, builtin)) = of_builtin_jumps.iter().find(|(known, _)| is(known)) {
            return Err(Refusal::new(format!(
                "call of {builtin}, since only setjmp and longjmp of <setjmp.h> are supported"
            )));
        }
        if is("llvm.trap") || is("llvm.ubsantrap") || is("llvm.debugtrap") {
            self.emit.last(Action::End(EndKind::Abort), span);
            return Ok(());
        }
        if is("llvm.memmove") {
            return self.lower_memory_intrinsic(Builtin::MemCopy, call, span);
        }
        if is("llvm.memcpy") || is("llvm.memcpy.inline") {
            return self.lower_memory_intrinsic(Builtin::MemCopyApart, call, span);
        }
        if is("llvm.memset") || is("llvm.memset.inline") {
            return self.lower_memory_intrinsic(Builtin::MemSet, call, span);
        }
        if is("llvm.stacksave") || is("llvm.stackrestore") {
            return self.lower_stack_intrinsic(name, call, span);
        }
        if let Some(value) = self.lower_float_intrinsic(&is, call)? {
            return self.intrinsic_result(call, value, span);
        }
        let args = self.intrinsic_arguments(call, name)?;
        if (is("llvm.cttz") || is("llvm.ctlz"))
            && let [(a, bits), (poison_at_zero, 1)] = args.as_slice()
            && *poison_at_zero != expr::int(1, 0)
        {
            let is_zero = expr::compare(CmpOp::Eq, a.clone(), expr::int(*bits, 0));
            self.guard(&is_zero, EndKind::CountOfZero, span);
            if self.emit.has_ended() {
                return Ok(());
            }
        }
        if IDENTITY.iter().any(|prefix| is(prefix)) {
            return self.intrinsic_result(call, first(&args, name)?.0.clone(), span);
        }
        if name.contains(".with.overflow.") {
            return self.lower_with_overflow(name, call, &args, span);
        }
        let value = match args.as_slice() {
            [(a, bits)] | [(a, bits), (_, 1)] if !is("llvm.umax") && !is("llvm.umin") => {
                unary(&is, a, *bits)
            }
            [(a, bits), (b, _)] => binary(&is, a, b, *bits),
            [(a, bits), (b, _), (c, _)] if is("llvm.fshl") || is("llvm.fshr") => {
                Some(funnel_shift(is("llvm.fshl"), *bits, a, b, c))
            }
            _ => None,
        };
        let value = value.ok_or_else(|| Refusal::new(without_types(name)))?;
        self.intrinsic_result(call, value, span)
    }

    /// The scalar arguments of an intrinsic on integers; vectors are refused.
    fn intrinsic_arguments(&self, call: &Call, name: &str) -> Lowered<Vec<Argument>> {
        let mut args = Vec::new();
        for (operand, _) in &call.arguments {
            let ty = self.tables.layout.type_of(operand);
            if !matches!(*ty, Type::IntegerType { .. } | Type::PointerType { .. }) {
                return Err(Refusal::new(without_types(name)));
            }
            args.push((self.operand(operand)?, self.operand_bits(operand)?));
        }
        Ok(args)
    }

    fn intrinsic_result(&mut self, call: &Call, value: Expr, span: Span) -> Lowered<()> {
        match &call.dest {
            Some(dest) => self.assign(dest, value, span),
            None => Ok(()),
        }
    }

    fn argument<'c>(&self, call: &'c Call, index: usize) -> Lowered<&'c Operand> {
        call.arguments
            .get(index)
            .map(|(operand, _)| operand)
            .ok_or_else(|| Refusal::new("intrinsic with too few arguments"))
    }

    /// `(destination, source or byte, bytes, is volatile)`.
    fn lower_memory_intrinsic(&mut self, builtin: Builtin, call: &Call, span: Span) -> Lowered<()> {
        let destination = self.operand(self.argument(call, 0)?)?;
        let source = self.operand(self.argument(call, 1)?)?;
        let bytes = self.argument(call, 2)?;
        let bits = self.operand_bits(bytes)?;
        let bytes = expr::resize(
            self.operand(bytes)?,
            bits,
            self.tables.layout.pointer_bits(),
        );
        self.emit.push(
            Action::Builtin {
                dst: None,
                builtin,
                args: vec![destination, source, bytes],
                name: None,
            },
            span,
        );
        Ok(())
    }

    fn lower_stack_intrinsic(&mut self, name: &str, call: &Call, span: Span) -> Lowered<()> {
        let (dst, builtin, args) = if name.starts_with("llvm.stacksave") {
            let dest = call.dest.as_ref().ok_or_else(|| Refusal::new(name))?;
            (Some(self.dst(dest)?), Builtin::StackSave, Vec::new())
        } else {
            let token = self.operand(self.argument(call, 0)?)?;
            (None, Builtin::StackRestore, vec![token])
        };
        let name = None;
        self.emit.push(
            Action::Builtin {
                dst,
                builtin,
                args,
                name,
            },
            span,
        );
        Ok(())
    }

    /// `{result, overflow}`, computed in a width where nothing overflows.
    fn lower_with_overflow(
        &mut self,
        name: &str,
        call: &Call,
        args: &[Argument],
        span: Span,
    ) -> Lowered<()> {
        let refusal = || Refusal::new(name);
        let [(a, bits), (b, _)] = args else {
            return Err(refusal());
        };
        let kind = name
            .strip_prefix("llvm.")
            .and_then(|rest| rest.split('.').next())
            .ok_or_else(refusal)?;
        let (extend, operation) = (kind.as_bytes()[0], &kind[1..]);
        let extend = match extend {
            b's' => CastOp::SExt,
            b'u' => CastOp::ZExt,
            _ => return Err(refusal()),
        };
        let (op, wide) = match operation {
            "add" => (BinOp::Add, bits + 1),
            "sub" => (BinOp::Sub, bits + 1),
            "mul" => (BinOp::Mul, bits * 2),
            _ => return Err(refusal()),
        };
        let exact = expr::binary(
            op,
            expr::cast(extend, wide, a.clone()),
            expr::cast(extend, wide, b.clone()),
        );
        let result = expr::binary(op, a.clone(), b.clone());
        let back = expr::cast(extend, wide, result.clone());
        let overflow = expr::compare(CmpOp::Ne, exact, back);
        let Some(dest) = &call.dest else {
            return Ok(());
        };
        let regs: Vec<RegId> = match self.slots.get(dest) {
            Some(Slot::Leaves(regs)) if regs.len() == 2 => regs.clone(),
            _ => return Err(refusal()),
        };
        self.emit.push(
            Action::Assign(vec![(regs[0], result), (regs[1], overflow)]),
            span,
        );
        Ok(())
    }
}

/// `llvm.va_start` for `llvm.va_start.p0`.
fn without_types(name: &str) -> String {
    let is_type = |part: &&str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        digits.len() < part.len()
            && digits.starts_with(|c: char| c.is_ascii_digit())
            && part.starts_with(['i', 'f', 'p', 'v'])
    };
    let parts: Vec<&str> = name.split('.').filter(|part| !is_type(part)).collect();
    parts.join(".")
}

fn first<'a>(args: &'a [Argument], name: &str) -> Lowered<&'a Argument> {
    args.first().ok_or_else(|| Refusal::new(name))
}

/// Intrinsics of one integer; a second argument is a flag that says what is poison.
fn unary(is: &dyn Fn(&str) -> bool, a: &Expr, bits: u32) -> Option<Expr> {
    let zero = || expr::int(bits, 0);
    let bit = |index: u32| {
        let moved = expr::binary(BinOp::LShr, a.clone(), expr::int(bits, u64::from(index)));
        expr::binary(BinOp::And, moved, expr::int(bits, 1))
    };
    let is_set = |index: u32| expr::compare(CmpOp::Ne, bit(index), zero());
    if is("llvm.abs") {
        let negative = expr::compare(CmpOp::Slt, a.clone(), zero());
        let opposite = expr::binary(BinOp::Sub, zero(), a.clone());
        return Some(expr::ite(negative, opposite, a.clone()));
    }
    if is("llvm.bswap") {
        let mut swapped = zero();
        for byte in 0..bits / 8 {
            let low = expr::int(bits, u64::from(byte * 8));
            let high = expr::int(bits, u64::from(bits - 8 - byte * 8));
            let part = expr::binary(BinOp::LShr, a.clone(), low);
            let part = expr::binary(BinOp::And, part, expr::int(bits, 0xff));
            let part = expr::binary(BinOp::Shl, part, high);
            swapped = if byte == 0 {
                part
            } else {
                expr::binary(BinOp::Or, swapped, part)
            };
        }
        return Some(swapped);
    }
    if is("llvm.bitreverse") {
        let reversed = (0..bits).map(|index| {
            let to = expr::int(bits, u64::from(bits - 1 - index));
            expr::binary(BinOp::Shl, bit(index), to)
        });
        return reversed.reduce(|all, part| expr::binary(BinOp::Or, all, part));
    }
    if is("llvm.ctpop") {
        return (0..bits)
            .map(bit)
            .reduce(|sum, part| expr::binary(BinOp::Add, sum, part));
    }
    // The number of zeros where no bit is set is the width, where it is defined; otherwise the last
    // test that succeeds decides.
    let count_from = |order: &mut dyn Iterator<Item = (u32, u32)>| {
        order.fold(
            expr::int(bits, u64::from(bits)),
            |otherwise, (index, zeros)| {
                expr::ite(is_set(index), expr::int(bits, u64::from(zeros)), otherwise)
            },
        )
    };
    if is("llvm.ctlz") {
        return Some(count_from(
            &mut (0..bits).map(|index| (index, bits - 1 - index)),
        ));
    }
    if is("llvm.cttz") {
        return Some(count_from(&mut (0..bits).rev().map(|index| (index, index))));
    }
    None
}

fn binary(is: &dyn Fn(&str) -> bool, a: &Expr, b: &Expr, bits: u32) -> Option<Expr> {
    let pick = |op: CmpOp| {
        let condition = expr::compare(op, a.clone(), b.clone());
        Some(expr::ite(condition, a.clone(), b.clone()))
    };
    let apply = |op: BinOp| expr::binary(op, a.clone(), b.clone());
    if is("llvm.smax") {
        return pick(CmpOp::Sgt);
    }
    if is("llvm.smin") {
        return pick(CmpOp::Slt);
    }
    if is("llvm.umax") {
        return pick(CmpOp::Ugt);
    }
    if is("llvm.umin") {
        return pick(CmpOp::Ult);
    }
    if is("llvm.uadd.sat") {
        let sum = apply(BinOp::Add);
        let overflow = expr::compare(CmpOp::Ult, sum.clone(), a.clone());
        return Some(expr::ite(overflow, expr::ones(bits), sum));
    }
    if is("llvm.usub.sat") {
        let overflow = expr::compare(CmpOp::Ult, a.clone(), b.clone());
        return Some(expr::ite(overflow, expr::int(bits, 0), apply(BinOp::Sub)));
    }
    if is("llvm.sadd.sat") || is("llvm.ssub.sat") {
        let op = if is("llvm.sadd.sat") {
            BinOp::Add
        } else {
            BinOp::Sub
        };
        let wide = |value: &Expr| expr::cast(CastOp::SExt, bits + 1, value.clone());
        let (result, exact) = (apply(op), expr::binary(op, wide(a), wide(b)));
        let overflow = expr::compare(CmpOp::Ne, exact, wide(&result));
        // The sum of two numbers that does not fit has their sign, the difference that of the first.
        let is_negative = expr::compare(CmpOp::Slt, a.clone(), expr::int(bits, 0));
        let most = expr::binary(BinOp::Xor, expr::sign_bit(bits), expr::ones(bits));
        let limit = expr::ite(is_negative, expr::sign_bit(bits), most);
        return Some(expr::ite(overflow, limit, result));
    }
    if is("llvm.ptrmask") {
        return Some(apply(BinOp::And));
    }
    None
}

/// The high (`left`) or low half of `a` and `b` side by side, shifted by `amount` modulo width.
fn funnel_shift(left: bool, bits: u32, a: &Expr, b: &Expr, amount: &Expr) -> Expr {
    let width = expr::int(bits, u64::from(bits));
    let amount = if bits == 1 {
        expr::int(1, 0)
    } else {
        expr::binary(BinOp::URem, amount.clone(), width.clone())
    };
    let rest = expr::binary(BinOp::Sub, width, amount.clone());
    let (high, low) = if left {
        (amount.clone(), rest)
    } else {
        (rest, amount.clone())
    };
    let shifted = expr::binary(
        BinOp::Or,
        expr::binary(BinOp::Shl, a.clone(), high),
        expr::binary(BinOp::LShr, b.clone(), low),
    );
    let unmoved = if left { a } else { b };
    let is_zero = expr::compare(CmpOp::Eq, amount, expr::int(bits, 0));
    expr::ite(is_zero, unmoved.clone(), shifted)
}
