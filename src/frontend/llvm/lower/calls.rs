//! Calls: of the program's functions, of the runtime's, and of those that end the program.

use super::control::unpack;
use super::emitter::Emitter;
use super::function::{Lowerer, Slot, value_name};
use super::{
    ARRAY_SIZE_FUNCTION, LOST_JUMP_FUNCTION, Lowered, OPERATION_PREFIX, RUNTIME_PREFIX, Refusal,
    Tables, UNDEFINED_FUNCTION, expr,
};
use crate::llvm::prepare::{
    ABORT_FUNCTIONS, ASSERT_FUNCTIONS, EXIT_FUNCTIONS, QUICK_EXIT_FUNCTIONS,
};
use crate::llvm::sanitizer::{self, Failure, Operation};
use either::Either;
use flowgraph::{Action, Builtin, Callee, EndKind, Expr, GoalId, RegId, Span};
use llvm_ir::instruction::Call;
use llvm_ir::{Constant, Name, Operand, Type};
use term::{BinOp, CmpOp};

/// An argument and its bits.
pub(super) type Argument = (Expr, u32);

impl Lowerer<'_, '_> {
    pub fn lower_call(&mut self, call: &Call, span: Span) -> Lowered<()> {
        let callee = match &call.function {
            Either::Left(_) => return Err(Refusal::new("inline assembly")),
            Either::Right(callee) => callee,
        };
        let name = match callee {
            Operand::ConstantOperand(constant) => function_name(constant),
            _ => None,
        };
        if let Some(name) = name.filter(|name| name.starts_with("llvm.")) {
            return self.lower_intrinsic(name, call, span);
        }
        if let Some(operation) = name.and_then(|name| name.strip_prefix(OPERATION_PREFIX)) {
            return self.lower_partial(operation, call, span);
        }
        if name == Some(ARRAY_SIZE_FUNCTION) {
            return self.lower_array_size(call, span);
        }
        let description = call.arguments.first();
        let description = description.and_then(|(operand, _)| global_name(operand));
        let operation = Operation::of_name(description.unwrap_or_default());
        match name.and_then(|name| sanitizer::failure(name, operation)) {
            Some(Failure::End(kind)) => {
                self.emit.last(Action::End(kind), span);
                return Ok(());
            }
            Some(Failure::Address) => {
                let [_, (address, _)] = call.arguments.as_slice() else {
                    return Err(Refusal::new("check of an address without one"));
                };
                let bits = self.tables.layout.pointer_bits();
                let address = self.operand(address)?;
                let is_null = expr::compare(CmpOp::Eq, address, expr::int(bits, 0));
                self.guard(&is_null, EndKind::NullUse, span);
                if !self.emit.has_ended() {
                    self.emit.last(Action::End(EndKind::Misaligned), span);
                }
                return Ok(());
            }
            None => {}
        }
        let args = self.arguments(call)?;
        match name {
            Some(name) => match self.tables.module.get_func_by_name(name) {
                Some(function) if !name.starts_with(RUNTIME_PREFIX) => {
                    self.lower_direct_call(function, call, args, span)
                }
                _ => self.lower_known_call(name, call, &args, span),
            },
            None => {
                let callee = Callee::Indirect(self.operand(callee)?);
                let args = args.into_iter().map(|(value, _)| value).collect();
                let result = match &*call.function_ty {
                    Type::FuncType { result_type, .. } => self.tables.packed_bits(result_type),
                    _ => None,
                };
                self.finish_call(callee, call, args, result, span)
            }
        }
    }

    fn arguments(&self, call: &Call) -> Lowered<Vec<Argument>> {
        let mut args = Vec::new();
        for (operand, _) in &call.arguments {
            let ty = self.tables.layout.type_of(operand);
            let leaves = self.tables.layout.leaves(&ty);
            let leaves = leaves.ok_or_else(|| Refusal::new(format!("argument of type {ty}")))?;
            let values = self.leaves(operand)?;
            args.extend(
                values
                    .into_iter()
                    .zip(leaves.iter().map(|leaf| leaf.scalar.bits)),
            );
        }
        Ok(args)
    }

    /// Arguments beyond the parameters are dropped: only `va_arg` could see them.
    fn lower_direct_call(
        &mut self,
        function: &llvm_ir::Function,
        call: &Call,
        mut args: Vec<Argument>,
        span: Span,
    ) -> Lowered<()> {
        let mut widths = Vec::new();
        for param in &function.parameters {
            let leaves = self.tables.layout.leaves(&param.ty).unwrap_or_default();
            widths.extend(leaves.iter().map(|leaf| leaf.scalar.bits));
        }
        if args.len() < widths.len() {
            return Err(Refusal::new(format!(
                "call of {} with too few arguments",
                function.name
            )));
        }
        args.truncate(widths.len());
        if args
            .iter()
            .zip(&widths)
            .any(|((_, bits), width)| bits != width)
        {
            return Err(Refusal::new(format!(
                "call of {} with arguments of other types",
                function.name
            )));
        }
        let callee = Callee::Direct(self.tables.function_id(&function.name));
        let args = args.into_iter().map(|(value, _)| value).collect();
        let result = self.tables.packed_bits(&function.return_type);
        self.finish_call(callee, call, args, result, span)
    }

    /// `result` are the bits that the callee returns.
    fn finish_call(
        &mut self,
        callee: Callee,
        call: &Call,
        args: Vec<Expr>,
        result: Option<u32>,
        span: Span,
    ) -> Lowered<()> {
        let Some((dest, regs)) = self.call_result(call)? else {
            let dst = None;
            self.emit.alone(Action::Call { dst, callee, args }, span);
            return Ok(());
        };
        let widths: Vec<u32> = regs
            .iter()
            .map(|reg| self.emit.builder.reg(*reg).bits)
            .collect();
        if result != Some(widths.iter().sum()) {
            if self.is_used(dest) {
                return Err(Refusal::new("call with a result of another type"));
            }
            let dst = None;
            self.emit.alone(Action::Call { dst, callee, args }, span);
            return Ok(());
        }
        if let [reg] = regs.as_slice() {
            let dst = Some(*reg);
            self.emit.alone(Action::Call { dst, callee, args }, span);
            return Ok(());
        }
        let name = format!("{}.packed", value_name(dest));
        let packed = self.emit.builder.add_reg(&name, widths.iter().sum(), false);
        let dst = Some(packed);
        self.emit.alone(Action::Call { dst, callee, args }, span);
        let values = unpack(&expr::reg(packed), &widths);
        self.assign_all(dest, values, span)
    }

    /// The result's name and registers; `None` for `void` and empty results.
    fn call_result<'c>(&self, call: &'c Call) -> Lowered<Option<(&'c Name, Vec<RegId>)>> {
        let Some(dest) = &call.dest else {
            return Ok(None);
        };
        match self.slots.get(dest) {
            None if self.is_used(dest) => Err(Refusal::new("result of an unsupported type")),
            None => Ok(None),
            Some(Slot::Leaves(regs)) if regs.is_empty() => Ok(None),
            Some(_) => Ok(Some((dest, self.dst_leaves(dest)?))),
        }
    }

    fn lower_known_call(
        &mut self,
        name: &str,
        call: &Call,
        args: &[Argument],
        span: Span,
    ) -> Lowered<()> {
        let texts = call
            .arguments
            .iter()
            .filter_map(|(operand, _)| match operand {
                Operand::ConstantOperand(constant) => self.tables.text(constant),
                _ => None,
            });
        let texts: Vec<String> = texts.collect();
        let dst = match self.call_result(call)? {
            Some((_, regs)) => regs.first().copied(),
            None => None,
        };
        let tables = self.tables;
        if tables.known_call(&mut self.emit, name, args, dst, &texts, span)? {
            Ok(())
        } else {
            Err(Refusal::new(format!("call of {name}")))
        }
    }
}

/// The function that a constant is the address of.
/// The name of a variable whose address this is.
fn global_name(operand: &Operand) -> Option<&str> {
    match operand {
        Operand::ConstantOperand(constant) => match &**constant {
            Constant::GlobalReference {
                name: Name::Name(name),
                ..
            } => Some(name.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn function_name(constant: &Constant) -> Option<&str> {
    match constant {
        Constant::GlobalReference {
            name: Name::Name(name),
            ty,
        } if matches!(**ty, Type::FuncType { .. }) => Some(name.as_str()),
        _ => None,
    }
}

impl Tables<'_> {
    /// The C string that a constant points to.
    fn text(&self, constant: &Constant) -> Option<String> {
        let Constant::GlobalReference { name, .. } = constant else {
            return None;
        };
        let global = self.module.get_global_var_by_name(name)?;
        let Constant::Array { elements, .. } = &**global.initializer.as_ref()? else {
            return None;
        };
        let mut bytes = Vec::new();
        for element in elements {
            match &**element {
                Constant::Int { bits: 8, value: 0 } => break,
                Constant::Int { bits: 8, value } => bytes.push(u8::try_from(*value).ok()?),
                _ => return None,
            }
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A call of a function of the runtime, or of one that ends the program; `false` if the name
    /// is neither. `texts` are the constant texts among the arguments: the name of an input and
    /// the function that it is the result of, or what is unsupported.
    pub(super) fn known_call(
        &self,
        emit: &mut Emitter,
        name: &str,
        args: &[Argument],
        dst: Option<RegId>,
        texts: &[String],
        span: Span,
    ) -> Lowered<bool> {
        let text = texts.first().map_or("input", String::as_str);
        let ends = [
            (EXIT_FUNCTIONS.as_slice(), EndKind::Exit),
            (QUICK_EXIT_FUNCTIONS.as_slice(), EndKind::QuickExit),
            (ABORT_FUNCTIONS.as_slice(), EndKind::Abort),
            (ASSERT_FUNCTIONS.as_slice(), EndKind::AssertFail),
        ];
        for (names, kind) in ends {
            if names.contains(&name) {
                emit.last(Action::End(kind), span);
                return Ok(true);
            }
        }
        if name == UNDEFINED_FUNCTION {
            emit.last(Action::End(EndKind::Undefined), span);
            return Ok(true);
        }
        if name == LOST_JUMP_FUNCTION {
            emit.last(Action::End(EndKind::LostJump), span);
            return Ok(true);
        }
        let Some(short) = name.strip_prefix(RUNTIME_PREFIX) else {
            return Ok(false);
        };
        let pointer_bits = self.layout.pointer_bits();
        let builtin = |emit: &mut Emitter, builtin: Builtin, n_args: usize| {
            if args.len() < n_args || args[..n_args].iter().any(|(_, bits)| *bits != pointer_bits) {
                return Err(Refusal::new(format!(
                    "call of {short} with other arguments"
                )));
            }
            let args = args[..n_args]
                .iter()
                .map(|(value, _)| value.clone())
                .collect();
            let name = if matches!(builtin, Builtin::Uninit | Builtin::Unwritten) {
                Some(text.to_owned())
            } else {
                // What the pointer points to.
                let made = dst.filter(|_| builtin.allocates());
                made.map(|dst| format!("*{}", emit.builder.reg(dst).name))
            };
            let action = Action::Builtin {
                dst,
                builtin,
                args,
                name,
            };
            emit.push(action, span);
            Ok(true)
        };
        match (short, args) {
            ("target", _) => {
                emit.alone(Action::Target, span);
                Ok(true)
            }
            ("cut", _) => {
                emit.alone(Action::Cut, span);
                Ok(true)
            }
            ("goal", [(Expr::Const(number), _)]) => {
                let number = number
                    .to_u64()
                    .and_then(|number| u32::try_from(number).ok());
                let number = number.ok_or_else(|| Refusal::new("goal without a number"))?;
                emit.push(Action::Goal(GoalId(number)), span);
                Ok(true)
            }
            ("assume", [(value, bits), ..]) => {
                let holds = expr::compare(CmpOp::Ne, value.clone(), expr::int(*bits, 0));
                emit.push(Action::Assume(holds), span);
                Ok(true)
            }
            // For replays.
            ("ends_at", _) => Ok(true),
            ("killed", _) => {
                emit.last(Action::End(EndKind::Killed), span);
                Ok(true)
            }
            ("unsupported", _) => {
                emit.last(Action::Unsupported(text.to_owned()), span);
                Ok(true)
            }
            ("uninit", _) => builtin(emit, Builtin::Uninit, 2),
            ("unwritten", _) => builtin(emit, Builtin::Unwritten, 2),
            ("use", _) if !self.has_uses => Ok(true),
            ("use", [(bits, 64)]) => {
                let action = Action::Builtin {
                    dst: None,
                    builtin: Builtin::Use,
                    args: vec![bits.clone()],
                    name: None,
                };
                emit.push(action, span);
                Ok(true)
            }
            ("pair", _) => builtin(emit, Builtin::Pair, 2),
            ("has_size", _) => builtin(emit, Builtin::HasSize, 2),
            ("is_symbolic", _) => builtin(emit, Builtin::IsSymbolic, 2),
            ("malloc", _) => builtin(emit, Builtin::Malloc, 1),
            ("aligned_alloc", _) => builtin(emit, Builtin::AlignedAlloc, 2),
            ("calloc", _) => builtin(emit, Builtin::Calloc, 2),
            // What a system gives to main is not the program's to free.
            ("calloc_of_system", [(count, _), (bytes, _), ..]) => {
                let action = Action::Builtin {
                    dst,
                    builtin: Builtin::SystemCalloc,
                    args: vec![count.clone(), bytes.clone()],
                    name: Some("argv".to_owned()),
                };
                emit.push(action, Span::UNKNOWN);
                Ok(true)
            }
            ("realloc", _) => builtin(emit, Builtin::Realloc, 2),
            ("free", _) => builtin(emit, Builtin::Free, 1),
            ("free_of_system", _) => builtin(emit, Builtin::SystemFree, 1),
            ("new", _) => builtin(emit, Builtin::New, 2),
            ("new_array", _) => builtin(emit, Builtin::NewArray, 2),
            ("delete", _) => builtin(emit, Builtin::Delete, 2),
            ("delete_array", _) => builtin(emit, Builtin::DeleteArray, 2),
            ("wide", [(high, 64), (low, 64)]) => {
                let dst = dst.ok_or_else(|| Refusal::new("wide constant"))?;
                let high = expr::resize(high.clone(), 64, 128);
                let high = expr::binary(BinOp::Shl, high, expr::int(128, 64));
                let low = expr::resize(low.clone(), 64, 128);
                emit.assign(dst, expr::binary(BinOp::Or, high, low), span);
                Ok(true)
            }
            _ if short.starts_with("input_i") || short.starts_with("unwritten_i") => {
                let dst = dst.ok_or_else(|| Refusal::new("input without a result"))?;
                let action = Action::Input {
                    dst,
                    name: text.to_owned(),
                    call: None,
                    unwritten: short.starts_with("unwritten_i"),
                };
                emit.push(action, span);
                Ok(true)
            }
            _ if short.starts_with("call_i") => {
                let dst = dst.ok_or_else(|| Refusal::new("input without a result"))?;
                let action = Action::Input {
                    dst,
                    name: text.to_owned(),
                    call: texts.last().cloned(),
                    unwritten: false,
                };
                emit.push(action, span);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
