//! Operands of instructions, and use counts of results.

use indexmap::IndexMap;
use llvm_ir::function::Function;
use llvm_ir::instruction::{BinaryOp, UnaryOp};
use llvm_ir::{Instruction, Name, Operand, Terminator};

/// Uses of each result in the function.
pub(super) fn count_uses(function: &Function) -> IndexMap<Name, u32> {
    let mut uses = IndexMap::new();
    let mut count = |operand: &Operand| {
        if let Operand::LocalOperand { name, .. } = operand {
            *uses.entry(name.clone()).or_insert(0) += 1;
        }
    };
    for block in &function.basic_blocks {
        for instruction in &block.instrs {
            for_each_operand(instruction, &mut count);
        }
        for_each_terminator_operand(&block.term, &mut count);
    }
    uses
}

fn for_each_operand(instruction: &Instruction, visit: &mut impl FnMut(&Operand)) {
    macro_rules! binary {
        ($op:expr) => {{
            visit($op.get_operand0());
            visit($op.get_operand1());
        }};
    }
    match instruction {
        Instruction::Add(op) => binary!(op),
        Instruction::Sub(op) => binary!(op),
        Instruction::Mul(op) => binary!(op),
        Instruction::UDiv(op) => binary!(op),
        Instruction::SDiv(op) => binary!(op),
        Instruction::URem(op) => binary!(op),
        Instruction::SRem(op) => binary!(op),
        Instruction::And(op) => binary!(op),
        Instruction::Or(op) => binary!(op),
        Instruction::Xor(op) => binary!(op),
        Instruction::Shl(op) => binary!(op),
        Instruction::LShr(op) => binary!(op),
        Instruction::AShr(op) => binary!(op),
        Instruction::FAdd(op) => binary!(op),
        Instruction::FSub(op) => binary!(op),
        Instruction::FMul(op) => binary!(op),
        Instruction::FDiv(op) => binary!(op),
        Instruction::FRem(op) => binary!(op),
        Instruction::ICmp(op) => {
            visit(&op.operand0);
            visit(&op.operand1);
        }
        Instruction::FCmp(op) => {
            visit(&op.operand0);
            visit(&op.operand1);
        }
        Instruction::FNeg(op) => visit(op.get_operand()),
        Instruction::Trunc(op) => visit(op.get_operand()),
        Instruction::ZExt(op) => visit(op.get_operand()),
        Instruction::SExt(op) => visit(op.get_operand()),
        Instruction::FPTrunc(op) => visit(op.get_operand()),
        Instruction::FPExt(op) => visit(op.get_operand()),
        Instruction::FPToUI(op) => visit(op.get_operand()),
        Instruction::FPToSI(op) => visit(op.get_operand()),
        Instruction::UIToFP(op) => visit(op.get_operand()),
        Instruction::SIToFP(op) => visit(op.get_operand()),
        Instruction::PtrToInt(op) => visit(op.get_operand()),
        Instruction::IntToPtr(op) => visit(op.get_operand()),
        Instruction::BitCast(op) => visit(op.get_operand()),
        Instruction::AddrSpaceCast(op) => visit(op.get_operand()),
        Instruction::Freeze(op) => visit(op.get_operand()),
        Instruction::ExtractElement(op) => {
            visit(&op.vector);
            visit(&op.index);
        }
        Instruction::InsertElement(op) => {
            visit(&op.vector);
            visit(&op.element);
            visit(&op.index);
        }
        Instruction::ShuffleVector(op) => {
            visit(&op.operand0);
            visit(&op.operand1);
        }
        Instruction::ExtractValue(op) => visit(&op.aggregate),
        Instruction::InsertValue(op) => {
            visit(&op.aggregate);
            visit(&op.element);
        }
        Instruction::Alloca(op) => visit(&op.num_elements),
        Instruction::Load(op) => visit(&op.address),
        Instruction::Store(op) => {
            visit(&op.address);
            visit(&op.value);
        }
        Instruction::CmpXchg(op) => {
            visit(&op.address);
            visit(&op.expected);
            visit(&op.replacement);
        }
        Instruction::AtomicRMW(op) => {
            visit(&op.address);
            visit(&op.value);
        }
        Instruction::GetElementPtr(op) => {
            visit(&op.address);
            op.indices.iter().for_each(visit);
        }
        Instruction::Phi(op) => op
            .incoming_values
            .iter()
            .for_each(|(value, _)| visit(value)),
        Instruction::Select(op) => {
            visit(&op.condition);
            visit(&op.true_value);
            visit(&op.false_value);
        }
        Instruction::Call(op) => {
            if let either::Either::Right(callee) = &op.function {
                visit(callee);
            }
            op.arguments.iter().for_each(|(value, _)| visit(value));
        }
        Instruction::VAArg(op) => visit(&op.arg_list),
        Instruction::Fence(_)
        | Instruction::LandingPad(_)
        | Instruction::CatchPad(_)
        | Instruction::CleanupPad(_) => {}
    }
}

fn for_each_terminator_operand(terminator: &Terminator, visit: &mut impl FnMut(&Operand)) {
    match terminator {
        Terminator::Ret(ret) => ret.return_operand.iter().for_each(visit),
        Terminator::CondBr(branch) => visit(&branch.condition),
        Terminator::Switch(switch) => visit(&switch.operand),
        Terminator::IndirectBr(branch) => visit(&branch.operand),
        Terminator::Invoke(invoke) => {
            invoke.arguments.iter().for_each(|(value, _)| visit(value));
        }
        // The others are not lowered, so the counts of their operands do not matter.
        Terminator::Br(_)
        | Terminator::Resume(_)
        | Terminator::Unreachable(_)
        | Terminator::CleanupRet(_)
        | Terminator::CatchRet(_)
        | Terminator::CatchSwitch(_)
        | Terminator::CallBr(_) => {}
    }
}
