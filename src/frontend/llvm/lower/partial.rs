//! Partial operations, which the preparation keeps as calls (`prepare/partial.rs`).

use super::function::Lowerer;
use super::{Lowered, Refusal};
use flowgraph::Span;
use llvm_ir::Instruction;
use llvm_ir::instruction::{AShr, Call, FPToSI, FPToUI, LShr, SDiv, SRem, Shl, UDiv, URem};

impl Lowerer<'_, '_> {
    /// Lowers the call as the operation that it stands for, `sdiv.i32` or `llvm.cttz.i32`.
    pub fn lower_partial(&mut self, operation: &str, call: &Call, span: Span) -> Lowered<()> {
        if operation.starts_with("llvm.") {
            return self.lower_intrinsic(operation, call, span);
        }
        let refusal = || Refusal::new(operation);
        let instruction = instruction(operation, call).ok_or_else(refusal)?;
        if self.lower_binary(&instruction, span)? || self.lower_float(&instruction, span)? {
            Ok(())
        } else {
            Err(refusal())
        }
    }
}

/// The instruction that the call stands for.
fn instruction(operation: &str, call: &Call) -> Option<Instruction> {
    let dest = call.dest.clone()?;
    let debugloc = call.debugloc.clone();
    let operand = |index: usize| Some(call.arguments.get(index)?.0.clone());
    macro_rules! binary {
        ($kind:ident $(, $flag:ident)*) => {
            Instruction::$kind($kind {
                operand0: operand(0)?,
                operand1: operand(1)?,
                dest,
                $($flag: false,)*
                debugloc,
            })
        };
    }
    macro_rules! conversion {
        ($kind:ident) => {
            Instruction::$kind($kind {
                operand: operand(0)?,
                to_type: match &*call.function_ty {
                    llvm_ir::Type::FuncType { result_type, .. } => result_type.clone(),
                    _ => return None,
                },
                dest,
                debugloc,
            })
        };
    }
    Some(match operation.split('.').next()? {
        "udiv" => binary!(UDiv, exact),
        "sdiv" => binary!(SDiv, exact),
        "urem" => binary!(URem),
        "srem" => binary!(SRem),
        "shl" => binary!(Shl, nuw, nsw),
        "lshr" => binary!(LShr, exact),
        "ashr" => binary!(AShr, exact),
        "fptosi" => conversion!(FPToSI),
        "fptoui" => conversion!(FPToUI),
        _ => return None,
    })
}
