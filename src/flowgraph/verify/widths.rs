//! Widths and handles in expressions and actions.

use super::Fault;
use crate::{Action, Builtin, Callee, Expr, Function, Program, RegId};
use term::CastOp;
use term::float::is_format;

/// Checks one function's expressions.
pub(super) struct Widths<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
}

impl Widths<'_> {
    /// # Errors
    /// The first thing that is wrong with the action.
    pub(super) fn action(&self, action: &Action) -> Result<(), Fault> {
        let pointer = self.program.pointer_bits;
        match action {
            Action::Assume(condition) => self.expect(condition, 1),
            Action::Assign(pairs) => {
                if pairs.is_empty() {
                    return Err(Fault::EmptyAssign);
                }
                for (position, &(dst, ref value)) in pairs.iter().enumerate() {
                    if pairs[..position].iter().any(|&(other, _)| other == dst) {
                        return Err(Fault::AssignedTwice(dst));
                    }
                    let bits = self.reg(dst)?;
                    self.expect(value, bits)?;
                }
                Ok(())
            }
            Action::Load { dst, address } => {
                self.reg(*dst)?;
                self.expect(address, pointer)
            }
            Action::Store { address, value } => {
                self.expect(address, pointer)?;
                self.expr(value).map(|_| ())
            }
            Action::Alloca { dst, bytes, .. } => {
                self.result(Some(*dst), Some(pointer))?;
                self.expect(bytes, pointer)
            }
            Action::Input { dst, .. } => self.reg(*dst).map(|_| ()),
            Action::Call { dst, callee, args } => self.call(*dst, callee, args),
            Action::Return(value) => match (value, self.function.result_bits) {
                (Some(value), Some(bits)) => self.expect(value, bits),
                (None, None) => Ok(()),
                (Some(_), None) | (None, Some(_)) => Err(Fault::ResultMismatch),
            },
            Action::Builtin {
                dst, builtin, args, ..
            } => self.builtin(*dst, *builtin, args),
            Action::Target
            | Action::Cut
            | Action::Goal(_)
            | Action::End(_)
            | Action::Unsupported(_) => Ok(()),
        }
    }

    fn call(&self, dst: Option<RegId>, callee: &Callee, args: &[Expr]) -> Result<(), Fault> {
        match callee {
            Callee::Direct(id) => {
                let callee = self
                    .program
                    .functions
                    .get(id.index())
                    .ok_or(Fault::NoSuchFunction(*id))?;
                if callee.params.len() != args.len() {
                    return Err(Fault::ArgumentCount {
                        expected: callee.params.len(),
                        found: args.len(),
                    });
                }
                for (param, arg) in callee.params.iter().zip(args) {
                    // A parameter out of range is reported where it is declared.
                    if let Some(param) = callee.regs.get(param.index()) {
                        self.expect(arg, param.bits)?;
                    }
                }
                if dst.is_some() && callee.result_bits.is_none() {
                    return Err(Fault::ResultMismatch);
                }
                self.result(dst, callee.result_bits)
            }
            Callee::Indirect(pointer) => {
                self.expect(pointer, self.program.pointer_bits)?;
                for arg in args {
                    self.expr(arg)?;
                }
                dst.map_or(Ok(()), |dst| self.reg(dst).map(|_| ()))
            }
        }
    }

    fn builtin(&self, dst: Option<RegId>, builtin: Builtin, args: &[Expr]) -> Result<(), Fault> {
        let p = self.program.pointer_bits;
        let (params, result): (&[u32], _) = match builtin {
            Builtin::Malloc => (&[p], Some(p)),
            Builtin::AlignedAlloc
            | Builtin::Calloc
            | Builtin::SystemCalloc
            | Builtin::Realloc
            | Builtin::New
            | Builtin::NewArray => (&[p, p], Some(p)),
            Builtin::Delete | Builtin::DeleteArray => (&[p, p], None),
            Builtin::Free
            | Builtin::SystemFree
            | Builtin::StackRestore
            | Builtin::ScopeBegin
            | Builtin::ScopeEnd => (&[p], None),
            Builtin::MemCopy | Builtin::MemCopyApart => (&[p, p, p], None),
            Builtin::MemSet => (&[p, 8, p], None),
            Builtin::Uninit | Builtin::Unwritten | Builtin::HasSize | Builtin::IsSymbolic => {
                (&[p, p], None)
            }
            Builtin::Use => (&[64], None),
            Builtin::Pair => (&[p, p], None),
            Builtin::StackSave => (&[], Some(p)),
        };
        if params.len() != args.len() {
            return Err(Fault::ArgumentCount {
                expected: params.len(),
                found: args.len(),
            });
        }
        for (&bits, arg) in params.iter().zip(args) {
            self.expect(arg, bits)?;
        }
        if dst.is_some() && result.is_none() {
            return Err(Fault::ResultMismatch);
        }
        self.result(dst, result)
    }

    /// A destination, if there is one, is as wide as the result.
    fn result(&self, dst: Option<RegId>, bits: Option<u32>) -> Result<(), Fault> {
        let (Some(dst), Some(expected)) = (dst, bits) else {
            return Ok(());
        };
        let found = self.reg(dst)?;
        if found == expected {
            Ok(())
        } else {
            Err(Fault::Width { expected, found })
        }
    }

    fn reg(&self, reg: RegId) -> Result<u32, Fault> {
        let data = self.function.regs.get(reg.index());
        data.map(|data| data.bits).ok_or(Fault::NoSuchReg(reg))
    }

    pub(super) fn expect(&self, expr: &Expr, expected: u32) -> Result<(), Fault> {
        let found = self.expr(expr)?;
        if found == expected {
            Ok(())
        } else {
            Err(Fault::Width { expected, found })
        }
    }

    /// The width of the expression, all parts checked.
    fn expr(&self, expr: &Expr) -> Result<u32, Fault> {
        match expr {
            Expr::Const(value) => Ok(value.width()),
            Expr::Reg(reg) => self.reg(*reg),
            Expr::Global(id) => match self.program.globals.get(id.index()) {
                Some(_) => Ok(self.program.pointer_bits),
                None => Err(Fault::NoSuchGlobal(*id)),
            },
            Expr::Function(id) => match self.program.functions.get(id.index()) {
                Some(_) => Ok(self.program.pointer_bits),
                None => Err(Fault::NoSuchFunction(*id)),
            },
            Expr::Binary(_, a, b) => {
                let bits = self.expr(a)?;
                self.expect(b, bits)?;
                Ok(bits)
            }
            Expr::Compare(_, a, b) => {
                let bits = self.expr(a)?;
                self.expect(b, bits)?;
                Ok(1)
            }
            Expr::Cast(op, to, a) => {
                let from = self.expr(a)?;
                let fits = match op {
                    CastOp::Trunc => (1..=from).contains(to),
                    CastOp::ZExt | CastOp::SExt => *to >= from,
                };
                if fits {
                    Ok(*to)
                } else {
                    Err(Fault::Cast { from, to: *to })
                }
            }
            Expr::FloatBinary(op, a, b) => {
                let bits = self.expr(a)?;
                if !is_format(bits) {
                    return Err(Fault::Format(bits));
                }
                self.expect(b, bits)?;
                Ok(op.result_bits(bits))
            }
            Expr::FloatCast(op, to, a) => {
                let from = self.expr(a)?;
                if *to >= 1 && op.takes(from, *to) {
                    Ok(*to)
                } else {
                    Err(Fault::FloatCast { from, to: *to })
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                self.expect(condition, 1)?;
                let bits = self.expr(then)?;
                self.expect(otherwise, bits)?;
                Ok(bits)
            }
        }
    }
}
