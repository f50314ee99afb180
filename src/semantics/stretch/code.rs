//! Functions compiled to code over machine words.
//!
//! The values of a frame are one row: registers, constants, intermediate values. Operations that words do not
//! support become [`Op::Halt`], which leaves the edge to an ordinary step.

use super::value::{Names, Value};
use crate::Machine;
use flowgraph::{
    Action, BitSet, Callee, EdgeId, Expr, Function, FunctionId, GoalId, NodeId, RegId,
};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use term::{BinOp, CastOp, CmpOp};

/// Position of a value in the row of a frame.
pub(super) type RowIndex = u32;

/// Numbers are at most so wide.
pub(super) const WORD_BITS: u32 = 64;

#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Binary {
        op: BinOp,
        bits: u8,
        dst: RowIndex,
        lhs: RowIndex,
        rhs: RowIndex,
    },
    Compare {
        op: CmpOp,
        bits: u8,
        dst: RowIndex,
        lhs: RowIndex,
        rhs: RowIndex,
    },
    /// Of a value of any kind.
    Copy {
        dst: RowIndex,
        value: RowIndex,
    },
    Extend {
        dst: RowIndex,
        value: RowIndex,
    },
    SignExtend {
        from: u8,
        to: u8,
        dst: RowIndex,
        value: RowIndex,
    },
    Truncate {
        to: u8,
        dst: RowIndex,
        value: RowIndex,
    },
    Select {
        dst: RowIndex,
        condition: RowIndex,
        then: RowIndex,
        otherwise: RowIndex,
    },
    Load {
        bits: u8,
        dst: RowIndex,
        address: RowIndex,
    },
    Store {
        bits: u8,
        address: RowIndex,
        value: RowIndex,
    },
    /// Halts where the condition is false: an assumption that fails.
    Require {
        condition: RowIndex,
    },
    /// Continues elsewhere in the code where the condition is false.
    Unless {
        condition: RowIndex,
        to: u32,
    },
    /// The end of an edge.
    Arrive {
        node: NodeId,
        n_actions: u32,
        is_place: bool,
    },
    /// An entry of [`Code::calls`].
    Call(u32),
    Return {
        value: Option<RowIndex>,
        n_actions: u32,
    },
    /// Halts if passing the goal has to be reported.
    Goal(GoalId),
    Halt,
}

/// A call and where it returns to.
pub(super) struct CallSite {
    pub callee: Called,
    /// With their widths.
    pub args: Vec<(RowIndex, u32)>,
    pub dst: Option<RegId>,
    pub return_to: NodeId,
    pub n_actions: u32,
}

pub(super) enum Called {
    Function(FunctionId),
    Pointer(RowIndex),
}

/// A function, compiled.
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// Where the code of each location begins.
    pub starts: Vec<u32>,
    pub calls: Vec<CallSite>,
    pub n_regs: usize,
    /// The row of a frame in which nothing is assigned yet.
    pub row: Vec<Value>,
}

/// Compiles a function; `places` are the locations at which a stretch may end for others to look
/// at it.
pub(super) fn compile(
    machine: &Machine,
    names: &mut Names,
    function: &Function,
    places: &BitSet,
) -> Code {
    let n_regs = function.regs.len();
    let mut row: Vec<Value> = (function.regs.iter())
        .map(|reg| match reg.bits {
            ..=WORD_BITS => Value::number(0),
            _ => Value::ABSENT,
        })
        .collect();
    let mut constants = IndexMap::default();
    for edge in function.edge_ids() {
        for step in &function.edge(edge).steps {
            step.action.for_each_expr(&mut |expr| {
                expr.for_each(&mut |expr| {
                    if let Some(value) = constant(machine, names, expr) {
                        constants.entry(value).or_insert_with(|| {
                            row.push(value);
                            place(row.len() - 1)
                        });
                    }
                });
            });
        }
    }
    let mut compiler = Compiler {
        machine,
        names,
        function,
        places,
        constants,
        first_temporary: place(row.len()),
        next_temporary: place(row.len()),
        n_row: row.len(),
        ops: Vec::new(),
        calls: Vec::new(),
    };
    let starts = (function.node_ids())
        .map(|node| {
            let start = place(compiler.ops.len());
            compiler.location(node);
            start
        })
        .collect();
    row.resize(compiler.n_row, Value::number(0));
    Code {
        ops: compiler.ops,
        starts,
        calls: compiler.calls,
        n_regs,
        row,
    }
}

fn place(position: usize) -> RowIndex {
    RowIndex::try_from(position).expect("a function has less than 2^32 values")
}

fn narrow(bits: u32) -> Option<u8> {
    let bits = u8::try_from(bits).ok()?;
    (u32::from(bits) <= WORD_BITS).then_some(bits)
}

/// The value of an expression, if it is a constant that fits a word.
fn constant(machine: &Machine, names: &mut Names, expr: &Expr) -> Option<Value> {
    match expr {
        Expr::Const(value) => value.word().map(Value::number),
        Expr::Global(id) => Some(Value::pointer(names.place(machine.global_object(*id)), 0)),
        Expr::Function(id) => Some(Value::pointer(names.place(machine.function_object(*id)), 0)),
        _ => None,
    }
}

struct Compiler<'f> {
    machine: &'f Machine<'f>,
    names: &'f mut Names,
    function: &'f Function,
    places: &'f BitSet,
    constants: IndexMap<Value, RowIndex, FxBuildHasher>,
    first_temporary: RowIndex,
    next_temporary: RowIndex,
    n_row: usize,
    ops: Vec<Op>,
    calls: Vec<CallSite>,
}

impl Compiler<'_> {
    fn location(&mut self, node: NodeId) {
        let function = self.function;
        let edges = function.out_edges(node);
        if let [edge] = edges {
            self.edge(*edge, 0);
            return;
        }
        let mut earlier: Option<&Expr> = None;
        for (position, edge) in edges.iter().enumerate() {
            self.next_temporary = self.first_temporary;
            let first = function.edge(*edge).steps.first();
            let Some(Action::Assume(condition)) = first.map(|step| &step.action) else {
                self.edge(*edge, 1);
                return;
            };
            // The other side of the one before.
            let is_rest = position == 1
                && edges.len() == 2
                && earlier.is_some_and(|earlier| earlier.clone().negate() == *condition);
            earlier = Some(condition);
            if is_rest {
                self.edge(*edge, 1);
                return;
            }
            let Some(condition) = self.value(condition, None) else {
                break;
            };
            let test = self.ops.len();
            self.ops.push(Op::Halt);
            self.edge(*edge, 1);
            let to = place(self.ops.len());
            self.ops[test] = Op::Unless { condition, to };
        }
        self.ops.push(Op::Halt);
    }

    /// The actions of an edge from a position on.
    fn edge(&mut self, edge: EdgeId, first: usize) {
        let function = self.function;
        let steps = &function.edge(edge).steps;
        let node = function.target(edge);
        let mut n_actions = 0;
        for step in steps.iter().skip(first) {
            self.next_temporary = self.first_temporary;
            n_actions += 1;
            match self.action(&step.action, node, n_actions) {
                Some(Went::On) => {}
                Some(Went::Away) => return,
                None => {
                    self.ops.push(Op::Halt);
                    return;
                }
            }
        }
        let is_place = self.places.contains(node.index());
        self.ops.push(Op::Arrive {
            node,
            n_actions,
            is_place,
        });
    }

    /// One action; `None` where words cannot do it.
    fn action(&mut self, action: &Action, target: NodeId, n_actions: u32) -> Option<Went> {
        match action {
            Action::Assume(condition) => {
                let condition = self.value(condition, None)?;
                self.ops.push(Op::Require { condition });
            }
            Action::Assign(assignments) => self.assign(assignments)?,
            Action::Load { dst, address } => {
                let bits = narrow(self.function.reg(*dst).bits)?;
                let address = self.value(address, None)?;
                let dst = place(dst.index());
                self.ops.push(Op::Load { bits, dst, address });
            }
            Action::Store { address, value } => {
                let bits = narrow(self.bits(value))?;
                let address = self.value(address, None)?;
                let value = self.value(value, None)?;
                self.ops.push(Op::Store {
                    bits,
                    address,
                    value,
                });
            }
            Action::Call { dst, callee, args } => {
                let callee = match callee {
                    Callee::Direct(function) => Called::Function(*function),
                    Callee::Indirect(pointer) => Called::Pointer(self.value(pointer, None)?),
                };
                let args = (args.iter())
                    .map(|arg| Some((self.value(arg, None)?, self.bits(arg))))
                    .collect::<Option<_>>()?;
                self.calls.push(CallSite {
                    callee,
                    args,
                    dst: *dst,
                    return_to: target,
                    n_actions,
                });
                self.ops.push(Op::Call(place(self.calls.len() - 1)));
                return Some(Went::Away);
            }
            Action::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value(value, None)?),
                    None => None,
                };
                self.ops.push(Op::Return { value, n_actions });
                return Some(Went::Away);
            }
            Action::Cut => {}
            Action::Goal(goal) => self.ops.push(Op::Goal(*goal)),
            Action::Input { .. }
            | Action::Alloca { .. }
            | Action::Builtin { .. }
            | Action::Target
            | Action::End(_)
            | Action::Unsupported(_) => return None,
        }
        Some(Went::On)
    }

    /// All right-hand sides are values before any register changes.
    fn assign(&mut self, assignments: &[(RegId, Expr)]) -> Option<()> {
        let is_read_later = |position: usize| {
            let (dst, _) = assignments[position];
            let later = &assignments[position + 1..];
            let mut is_read = false;
            for (_, expr) in later {
                expr.for_each_reg(&mut |reg| is_read |= reg == dst);
            }
            is_read
        };
        let mut copies = Vec::new();
        for (position, (dst, expr)) in assignments.iter().enumerate() {
            let dst = place(dst.index());
            if is_read_later(position) {
                let temporary = self.temporary();
                self.value_in(expr, temporary)?;
                copies.push((dst, temporary));
            } else {
                self.value_in(expr, dst)?;
            }
        }
        for (dst, value) in copies {
            self.ops.push(Op::Copy { dst, value });
        }
        Some(())
    }

    fn bits(&self, expr: &Expr) -> u32 {
        expr.bits(&self.function.regs, self.machine.program.pointer_bits)
    }

    fn temporary(&mut self) -> RowIndex {
        let temporary = self.next_temporary;
        self.next_temporary += 1;
        self.n_row = self.n_row.max(self.next_temporary as usize);
        temporary
    }

    /// Puts the value of an expression into a place.
    fn value_in(&mut self, expr: &Expr, dst: RowIndex) -> Option<()> {
        let value = self.value(expr, Some(dst))?;
        if value != dst {
            self.ops.push(Op::Copy { dst, value });
        }
        Some(())
    }

    /// Where the value of an expression is: where it stands already, or in `dst`, or in a new
    /// temporary. `None` where words cannot hold or compute it.
    fn value(&mut self, expr: &Expr, dst: Option<RowIndex>) -> Option<RowIndex> {
        match expr {
            Expr::Reg(reg) => return Some(place(reg.index())),
            Expr::Const(_) | Expr::Global(_) | Expr::Function(_) => {
                let value = constant(self.machine, self.names, expr)?;
                return self.constants.get(&value).copied();
            }
            Expr::Cast(_, bits, value) if *bits == self.bits(value) => {
                return self.value(value, dst);
            }
            _ => {}
        }
        let op = match expr {
            Expr::Binary(op, lhs, rhs) => {
                let bits = narrow(self.bits(lhs))?;
                let (lhs, rhs) = (self.value(lhs, None)?, self.value(rhs, None)?);
                Op::Binary {
                    op: *op,
                    bits,
                    dst: dst.unwrap_or_else(|| self.temporary()),
                    lhs,
                    rhs,
                }
            }
            Expr::Compare(op, lhs, rhs) => {
                let bits = narrow(self.bits(lhs))?;
                let (lhs, rhs) = (self.value(lhs, None)?, self.value(rhs, None)?);
                Op::Compare {
                    op: *op,
                    bits,
                    dst: dst.unwrap_or_else(|| self.temporary()),
                    lhs,
                    rhs,
                }
            }
            Expr::Cast(op, bits, value) => {
                let (from, to) = (narrow(self.bits(value))?, narrow(*bits)?);
                let value = self.value(value, None)?;
                let dst = dst.unwrap_or_else(|| self.temporary());
                match op {
                    CastOp::Trunc => Op::Truncate { to, dst, value },
                    CastOp::ZExt => Op::Extend { dst, value },
                    CastOp::SExt => Op::SignExtend {
                        from,
                        to,
                        dst,
                        value,
                    },
                }
            }
            Expr::Ite(condition, then, otherwise) => {
                narrow(self.bits(then))?;
                let condition = self.value(condition, None)?;
                let (then, otherwise) = (self.value(then, None)?, self.value(otherwise, None)?);
                Op::Select {
                    dst: dst.unwrap_or_else(|| self.temporary()),
                    condition,
                    then,
                    otherwise,
                }
            }
            Expr::FloatBinary(..) | Expr::FloatCast(..) => return None,
            Expr::Reg(_) | Expr::Const(_) | Expr::Global(_) | Expr::Function(_) => {
                unreachable!("handled above")
            }
        };
        self.ops.push(op);
        match op {
            Op::Binary { dst, .. }
            | Op::Compare { dst, .. }
            | Op::Truncate { dst, .. }
            | Op::Extend { dst, .. }
            | Op::SignExtend { dst, .. }
            | Op::Select { dst, .. } => Some(dst),
            _ => None,
        }
    }
}

/// Where an action leads.
enum Went {
    /// To the next action of the edge.
    On,
    /// Into another function.
    Away,
}
