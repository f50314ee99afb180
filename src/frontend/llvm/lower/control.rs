//! Terminators: branches, switches, returns. Phi nodes become parallel assignments on the edges.

use super::emitter::Arm;
use super::function::Lowerer;
use super::{Lowered, Refusal, expr};
use flowgraph::{Action, EndKind, Expr, RegId, Span, Step};
use indexmap::IndexMap;
use llvm_ir::terminator::{CondBr, Ret, Switch};
use llvm_ir::{BasicBlock, Instruction, Name, Terminator};
use term::CmpOp;

impl Lowerer<'_, '_> {
    pub fn lower_terminator(&mut self, block: &BasicBlock, span: Span) -> Lowered<()> {
        match &block.term {
            Terminator::Ret(ret) => self.lower_return(ret, span),
            Terminator::Br(branch) => {
                let steps = self.phi_steps(&block.name, &branch.dest, span)?;
                let to = self.node(&branch.dest);
                self.emit.jump(steps, to);
                Ok(())
            }
            Terminator::CondBr(branch) => self.lower_branch(block, branch, span),
            Terminator::Switch(switch) => self.lower_switch(block, switch, span),
            Terminator::Unreachable(_) => {
                self.emit.last(Action::End(EndKind::Unreachable), span);
                Ok(())
            }
            Terminator::IndirectBr(_) => Err(Refusal::new("computed goto")),
            Terminator::Invoke(_) => Err(Refusal::new("invoke")),
            Terminator::Resume(_) => Err(Refusal::new("resume")),
            Terminator::CleanupRet(_) => Err(Refusal::new("cleanupret")),
            Terminator::CatchRet(_) => Err(Refusal::new("catchret")),
            Terminator::CatchSwitch(_) => Err(Refusal::new("catchswitch")),
            Terminator::CallBr(_) => Err(Refusal::new("asm goto")),
        }
    }

    fn lower_return(&mut self, ret: &Ret, span: Span) -> Lowered<()> {
        let value = match &ret.return_operand {
            None => None,
            Some(operand) => {
                let ty = self.tables.layout.type_of(operand);
                let leaves = self
                    .tables
                    .layout
                    .leaves(&ty)
                    .ok_or_else(|| Refusal::new(format!("return of type {ty}")))?;
                let values = self.leaves(operand)?;
                let parts = values
                    .into_iter()
                    .zip(leaves.iter().map(|leaf| leaf.scalar.bits))
                    .collect();
                pack(parts)
            }
        };
        self.emit.last(Action::Return(value), span);
        Ok(())
    }

    fn lower_branch(&mut self, block: &BasicBlock, branch: &CondBr, span: Span) -> Lowered<()> {
        let condition = self.operand(&branch.condition)?;
        if branch.true_dest == branch.false_dest {
            let steps = self.phi_steps(&block.name, &branch.true_dest, span)?;
            let to = self.node(&branch.true_dest);
            self.emit.jump(steps, to);
            return Ok(());
        }
        if let Expr::Const(value) = &condition {
            let dest = if value.is_zero() {
                &branch.false_dest
            } else {
                &branch.true_dest
            };
            let steps = self.phi_steps(&block.name, dest, span)?;
            let to = self.node(dest);
            self.emit.jump(steps, to);
            return Ok(());
        }
        let negation = expr::not(&condition);
        let then = self.phi_steps(&block.name, &branch.true_dest, span)?;
        let otherwise = self.phi_steps(&block.name, &branch.false_dest, span)?;
        // Blocks are lowered last in, first out: the true side comes first.
        let false_node = self.node(&branch.false_dest);
        let true_node = self.node(&branch.true_dest);
        let arms = vec![
            Arm {
                condition,
                steps: then,
                to: true_node,
            },
            Arm {
                condition: negation,
                steps: otherwise,
                to: false_node,
            },
        ];
        self.emit.branch(arms, span);
        Ok(())
    }

    /// An arm for each destination, in the order of the cases; the default comes last.
    fn lower_switch(&mut self, block: &BasicBlock, switch: &Switch, span: Span) -> Lowered<()> {
        let value = self.operand(&switch.operand)?;
        let mut cases: IndexMap<&Name, Expr> = IndexMap::new();
        let mut others: Option<Expr> = None;
        for (case, dest) in &switch.dests {
            let case = self.tables.constant(case)?;
            let is_default = *dest == switch.default_dest;
            if is_default {
                continue;
            }
            let hit = expr::compare(CmpOp::Eq, value.clone(), case.clone());
            let miss = expr::compare(CmpOp::Ne, value.clone(), case);
            let before = cases.shift_remove(dest);
            let condition = match before {
                Some(before) => expr::or(before, hit),
                None => hit,
            };
            cases.insert(dest, condition);
            others = Some(match others {
                Some(before) => expr::and(before, miss),
                None => miss,
            });
        }
        let default_steps = self.phi_steps(&block.name, &switch.default_dest, span)?;
        let Some(others) = others else {
            let to = self.node(&switch.default_dest);
            self.emit.jump(default_steps, to);
            return Ok(());
        };
        if let Expr::Const(_) = others {
            return self.lower_constant_switch(block, switch, span);
        }
        let mut arms = Vec::new();
        for (dest, condition) in cases {
            let steps = self.phi_steps(&block.name, dest, span)?;
            let to = self.node(dest);
            arms.push(Arm {
                condition,
                steps,
                to,
            });
        }
        arms.push(Arm {
            condition: others,
            steps: default_steps,
            to: self.node(&switch.default_dest),
        });
        self.emit.branch(arms, span);
        Ok(())
    }

    /// A switch on a constant goes one way.
    fn lower_constant_switch(
        &mut self,
        block: &BasicBlock,
        switch: &Switch,
        span: Span,
    ) -> Lowered<()> {
        let value = self.operand(&switch.operand)?;
        let mut dest = &switch.default_dest;
        for (case, to) in &switch.dests {
            if self.tables.constant(case)? == value {
                dest = to;
            }
        }
        let steps = self.phi_steps(&block.name, dest, span)?;
        let to = self.node(dest);
        self.emit.jump(steps, to);
        Ok(())
    }

    /// The values of the phis of `to` on the edge from `from`: one parallel assignment.
    fn phi_steps(&self, from: &Name, to: &Name, span: Span) -> Lowered<Vec<Step>> {
        let block = self
            .function
            .basic_blocks
            .iter()
            .find(|block| block.name == *to)
            .expect("branches go to blocks of the function");
        let mut assignments: Vec<(RegId, Expr)> = Vec::new();
        for instruction in &block.instrs {
            let Instruction::Phi(phi) = instruction else {
                break;
            };
            let (value, _) = phi
                .incoming_values
                .iter()
                .find(|(_, block)| block == from)
                .ok_or_else(|| Refusal::new("phi without a value"))?;
            let regs = self.dst_leaves(&phi.dest)?;
            for (reg, value) in regs.into_iter().zip(self.leaves(value)?) {
                if value != expr::reg(reg) {
                    assignments.push((reg, value));
                }
            }
        }
        if assignments.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Step::new(Action::Assign(assignments), span)])
    }
}

/// Scalars, each with its bits, as one number; the first is in the low bits.
pub(super) fn pack(parts: Vec<(Expr, u32)>) -> Option<Expr> {
    let total: u32 = parts.iter().map(|(_, bits)| bits).sum();
    let mut shift = 0;
    let mut packed: Option<Expr> = None;
    for (value, bits) in parts {
        let value = expr::resize(value, bits, total);
        let value = if shift == 0 {
            value
        } else {
            expr::binary(term::BinOp::Shl, value, expr::int(total, u64::from(shift)))
        };
        packed = Some(match packed {
            None => value,
            Some(before) => expr::binary(term::BinOp::Or, before, value),
        });
        shift += bits;
    }
    packed
}

/// The scalars of a packed number.
pub(super) fn unpack(packed: &Expr, widths: &[u32]) -> Vec<Expr> {
    let total: u32 = widths.iter().sum();
    let mut shift = 0;
    let mut parts = Vec::new();
    for &bits in widths {
        let moved = if shift == 0 {
            packed.clone()
        } else {
            expr::binary(
                term::BinOp::LShr,
                packed.clone(),
                expr::int(total, u64::from(shift)),
            )
        };
        parts.push(expr::resize(moved, total, bits));
        shift += bits;
    }
    parts
}
