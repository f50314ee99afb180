//! Which registers hold unsigned numbers.
//!
//! Bitcode does not say. What is compared, divided or widened without sign is unsigned, and what is
//! computed from it or copied to it too, unless something reads it as signed. This chooses how a
//! value is written over the integers; a poor choice costs a proof, nothing else.

use super::cells::{At, CellId, Holds, Memory, accessed};
use flowgraph::{Action, Callee, Expr, FunctionId, Program, RegId};
use term::{BinOp, CastOp, CmpOp};

/// A register, the result of a function, or a cell of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot(usize);

/// The registers of a program in classes that are read alike.
pub(super) struct Signs {
    /// By function: the slot of its first register; that of its result stands behind the last.
    first: Vec<usize>,
    n_regs: Vec<usize>,
    /// The slot of the first cell; that of what is nothing of the program stands behind the last.
    first_cell: usize,
    n_cells: usize,
    /// The class of a slot, in a forest.
    parent: Vec<usize>,
    reads: Vec<Reads>,
}

/// How a class is read.
#[derive(Clone, Copy, Default)]
struct Reads {
    signed: bool,
    unsigned: bool,
}

impl Signs {
    pub fn of(program: &Program, memory: &Memory) -> Signs {
        let mut first = Vec::new();
        let mut n_slots = 0;
        let n_regs: Vec<usize> = (program.functions.iter())
            .map(|function| function.regs.len())
            .collect();
        for n in &n_regs {
            first.push(n_slots);
            n_slots += n + 1;
        }
        let (first_cell, n_cells) = (n_slots, memory.cells.len());
        n_slots += n_cells + 1;
        let mut signs = Signs {
            first,
            n_regs,
            first_cell,
            n_cells,
            parent: (0..n_slots).collect(),
            reads: vec![Reads::default(); n_slots],
        };
        for id in program.function_ids() {
            let function = program.function(id);
            let edges = function.edge_ids().map(|edge| function.edge(edge));
            for step in edges.flat_map(|edge| &edge.steps) {
                signs.action(program, id, &step.action);
                signs.access(program, memory, id, &step.action);
            }
        }
        signs
    }

    pub fn register(&self, function: FunctionId, reg: RegId) -> Slot {
        Slot(self.first[function.index()] + reg.index())
    }

    pub fn result(&self, function: FunctionId) -> Slot {
        Slot(self.first[function.index()] + self.n_regs[function.index()])
    }

    pub fn cell(&self, cell: CellId) -> Slot {
        Slot(self.first_cell + cell.0)
    }

    /// Of what is nothing of the program.
    pub fn other(&self) -> Slot {
        Slot(self.first_cell + self.n_cells)
    }

    /// Whether what a slot holds is read without sign.
    pub fn is_unsigned(&self, slot: Slot) -> bool {
        let reads = self.reads[self.class(slot.0)];
        reads.unsigned && !reads.signed
    }

    fn class(&self, slot: usize) -> usize {
        let mut class = slot;
        while self.parent[class] != class {
            class = self.parent[class];
        }
        class
    }

    fn join(&mut self, one: Slot, other: Slot) {
        let (one, other) = (self.class(one.0), self.class(other.0));
        if one != other {
            let (into, from) = (one.min(other), one.max(other));
            self.parent[from] = into;
            self.reads[into].signed |= self.reads[from].signed;
            self.reads[into].unsigned |= self.reads[from].unsigned;
        }
    }

    fn read(&mut self, slot: Option<Slot>, signed: bool) {
        if let Some(slot) = slot {
            let class = self.class(slot.0);
            self.reads[class].signed |= signed;
            self.reads[class].unsigned |= !signed;
        }
    }

    fn action(&mut self, program: &Program, function: FunctionId, action: &Action) {
        action.for_each_expr(&mut |expr| {
            expr.for_each(&mut |part| self.part(function, part));
        });
        match action {
            Action::Assign(pairs) => {
                for (reg, value) in pairs {
                    let dst = self.register(function, *reg);
                    self.flows(function, value, dst);
                }
            }
            Action::Call {
                dst,
                callee: Callee::Direct(callee),
                args,
            } => {
                let params = program.function(*callee).params.iter();
                for (param, argument) in params.zip(args) {
                    let param = self.register(*callee, *param);
                    self.flows(function, argument, param);
                }
                if let Some(dst) = dst {
                    self.join(self.register(function, *dst), self.result(*callee));
                }
            }
            Action::Return(Some(value)) => {
                let result = self.result(function);
                self.flows(function, value, result);
            }
            _ => {}
        }
    }

    /// What is read from cells, or written to them.
    fn access(&mut self, program: &Program, memory: &Memory, of: FunctionId, action: &Action) {
        let function = program.function(of);
        let Some((address, bytes)) = accessed(program, function, action) else {
            return;
        };
        let Holds::Offset { object, fixed } = memory.holds(of, address) else {
            return;
        };
        for id in memory.cells_of(object) {
            let cell = memory.cell(id);
            let is_elsewhere = match cell.at {
                At::Fixed(at) => fixed.is_some_and(|offset| offset != at),
                At::Element => false,
                At::Number => true,
            };
            if cell.bytes != bytes || is_elsewhere {
                continue;
            }
            let slot = self.cell(id);
            match action {
                Action::Load { dst, .. } if function.reg(*dst).bits == cell.bits() => {
                    self.join(self.register(of, *dst), slot);
                }
                Action::Store { value, .. } => self.flows(of, value, slot),
                _ => {}
            }
        }
    }

    /// A value becomes that of a slot.
    fn flows(&mut self, function: FunctionId, value: &Expr, to: Slot) {
        if let Some(from) = self.slot(function, value) {
            self.join(from, to);
        }
    }

    /// The slot of what an expression computes by sums, joined with all others in it.
    fn slot(&mut self, function: FunctionId, expr: &Expr) -> Option<Slot> {
        let (one, other) = match expr {
            Expr::Reg(reg) => return Some(self.register(function, *reg)),
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, one, other)
            | Expr::Ite(_, one, other) => (one, other),
            _ => return None,
        };
        let (one, other) = (self.slot(function, one), self.slot(function, other));
        if let (Some(one), Some(other)) = (one, other) {
            self.join(one, other);
        }
        one.or(other)
    }

    fn part(&mut self, function: FunctionId, part: &Expr) {
        match part {
            Expr::Compare(op, one, other) => {
                let (one, other) = (self.slot(function, one), self.slot(function, other));
                if let (Some(one), Some(other)) = (one, other) {
                    self.join(one, other);
                }
                match op {
                    CmpOp::Eq | CmpOp::Ne => {}
                    CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => {
                        self.read(one.or(other), false);
                    }
                    CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => {
                        self.read(one.or(other), true);
                    }
                }
            }
            Expr::Binary(BinOp::UDiv | BinOp::URem | BinOp::LShr, one, _) => {
                let one = self.slot(function, one);
                self.read(one, false);
            }
            Expr::Binary(BinOp::SDiv | BinOp::SRem | BinOp::AShr, one, _) => {
                let one = self.slot(function, one);
                self.read(one, true);
            }
            Expr::Cast(op @ (CastOp::ZExt | CastOp::SExt), _, one) => {
                let one = self.slot(function, one);
                self.read(one, *op == CastOp::SExt);
            }
            _ => {}
        }
    }
}
