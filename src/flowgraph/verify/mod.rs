//! Checks every invariant of a [`Program`].
//!
//! It finds all faults, but at most one per action; graphs with handles out of range are not examined further.

mod branching;
mod widths;

use super::{
    Action, BitSet, EdgeId, Expr, Function, FunctionId, GlobalId, Granularity, Initializer, NodeId,
    Program, RegId, Span,
};
use std::collections::BTreeSet;
use widths::Widths;

/// A broken invariant and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct VerifyError {
    pub place: FaultLocation,
    pub fault: Fault,
}

/// Where in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultLocation {
    Program,
    Global {
        global: String,
    },
    Function {
        function: String,
    },
    Reg {
        function: String,
        reg: String,
    },
    Node {
        function: String,
        node: String,
    },
    Edge {
        function: String,
        edge: EdgeId,
        source: String,
        target: String,
    },
    Step {
        function: String,
        edge: EdgeId,
        source: String,
        target: String,
        /// Position among the edge's steps.
        step: usize,
    },
}

impl std::fmt::Display for FaultLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FaultLocation::Program => write!(f, "program"),
            FaultLocation::Global { global } => write!(f, "global {global}"),
            FaultLocation::Function { function } => write!(f, "{function}"),
            FaultLocation::Reg { function, reg } => write!(f, "{function}, register {reg}"),
            FaultLocation::Node { function, node } => write!(f, "{function}, location {node}"),
            FaultLocation::Edge {
                function,
                edge,
                source,
                target,
            } => write!(f, "{function}, edge {edge} from {source} to {target}"),
            FaultLocation::Step {
                function,
                edge,
                source,
                target,
                step,
            } => write!(
                f,
                "{function}, edge {edge} from {source} to {target}, step {step}"
            ),
        }
    }
}

/// The problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("pointers have 32 or 64 bits, not {0}")]
    PointerBits(u32),
    #[error("there is no function {0}")]
    NoSuchFunction(FunctionId),
    #[error("there is no global {0}")]
    NoSuchGlobal(GlobalId),
    #[error("there is no register {0}")]
    NoSuchReg(RegId),
    #[error("there is no location {0}")]
    NoSuchNode(NodeId),
    #[error("the name is taken")]
    NameTaken,
    #[error("there is no source file {0}")]
    NoSuchFile(u32),
    #[error("a parameter is listed twice: {0}")]
    ParameterTwice(RegId),
    #[error("a register has at least one bit")]
    NoBits,
    #[error("a pointer register has {expected} bits, not {found}")]
    PointerReg { expected: u32, found: u32 },
    #[error("not reachable from the entry")]
    Unreachable,
    #[error("the path goes on to an end without a return")]
    FallsOff,
    #[error("the path ends here, but the edge leads to a location with outgoing edges")]
    GoesOn,
    #[error("an edge of a branching does not begin with an assumption")]
    NoCondition,
    #[error("the conditions are not seen to exclude each other and to cover everything")]
    NotPartition,
    #[error("an action that stands alone has company")]
    NotAlone,
    #[error("an edge of a split flowgraph has {0} steps")]
    NotSplit(usize),
    #[error("{found} bits where {expected} are expected")]
    Width { expected: u32, found: u32 },
    #[error("a cast from {from} to {to} bits")]
    Cast { from: u32, to: u32 },
    #[error("a float of {0} bits")]
    Format(u32),
    #[error("a conversion of floats from {from} to {to} bits")]
    FloatCast { from: u32, to: u32 },
    #[error("an assignment without targets")]
    EmptyAssign,
    #[error("a parallel assignment writes {0} twice")]
    AssignedTwice(RegId),
    #[error("{found} arguments where {expected} are expected")]
    ArgumentCount { expected: usize, found: usize },
    #[error("a result where there is none, or none where there is one")]
    ResultMismatch,
    #[error("{found} bytes where {expected} are expected")]
    InitializerBytes { expected: u64, found: usize },
    #[error("the address at byte {0} overlaps another, is out of order or out of the global")]
    InitializerAddress(u64),
    #[error("an initializer mentions {0}")]
    InitializerReg(RegId),
}

/// Checks all invariants of the module head.
///
/// # Errors
/// Every broken invariant, in the order of the program.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut check = Check {
        program,
        errors: Vec::new(),
    };
    check.program();
    if check.errors.is_empty() {
        Ok(())
    } else {
        Err(check.errors)
    }
}

struct Check<'a> {
    program: &'a Program,
    errors: Vec<VerifyError>,
}

impl<'a> Check<'a> {
    fn fault(&mut self, place: FaultLocation, fault: Fault) {
        self.errors.push(VerifyError { place, fault });
    }

    fn program(&mut self) {
        let program = self.program;
        if !matches!(program.pointer_bits, 32 | 64) {
            self.fault(
                FaultLocation::Program,
                Fault::PointerBits(program.pointer_bits),
            );
        }
        if program.functions.get(program.main.index()).is_none() {
            self.fault(FaultLocation::Program, Fault::NoSuchFunction(program.main));
        }
        let mut names = BTreeSet::new();
        for global in &program.globals {
            if !names.insert(&global.name) {
                let global = global.name.clone();
                self.fault(FaultLocation::Global { global }, Fault::NameTaken);
            }
        }
        for function in &program.functions {
            if !names.insert(&function.name) {
                let function = function.name.clone();
                self.fault(FaultLocation::Function { function }, Fault::NameTaken);
            }
        }
        for global in &program.globals {
            self.initializer(&global.name, global.bytes, &global.initializer);
        }
        for function in &program.functions {
            self.function(function);
        }
    }

    fn initializer(&mut self, name: &str, size: u64, initializer: &Initializer) {
        let Initializer::Bytes { bytes, addresses } = initializer else {
            return;
        };
        let place = || FaultLocation::Global {
            global: name.to_owned(),
        };
        if bytes.len() as u64 != size {
            self.fault(
                place(),
                Fault::InitializerBytes {
                    expected: size,
                    found: bytes.len(),
                },
            );
        }
        let mut free = 0;
        for (offset, address) in addresses {
            let end = offset.saturating_add(u64::from(self.program.pointer_bits / 8));
            if *offset < free || end > size {
                self.fault(place(), Fault::InitializerAddress(*offset));
            }
            free = end;
            let mut reg = None;
            address.for_each_reg(&mut |used| reg = Some(used));
            if let Some(reg) = reg {
                self.fault(place(), Fault::InitializerReg(reg));
                continue;
            }
            // Without registers any function serves to check the widths.
            if let Some(function) = self.program.functions.first() {
                let widths = Widths {
                    program: self.program,
                    function,
                };
                if let Err(fault) = widths.expect(address, self.program.pointer_bits) {
                    self.fault(place(), fault);
                }
            }
        }
    }

    fn function(&mut self, function: &'a Function) {
        let name = &function.name;
        let place = || FaultLocation::Function {
            function: name.clone(),
        };
        self.regs(function);
        let mut params = BTreeSet::new();
        for &param in &function.params {
            if param.index() >= function.regs.len() {
                self.fault(place(), Fault::NoSuchReg(param));
            }
            if !params.insert(param) {
                self.fault(place(), Fault::ParameterTwice(param));
            }
        }
        if function.entry.index() >= function.n_nodes() {
            self.fault(place(), Fault::NoSuchNode(function.entry));
            return;
        }
        let mut names = BTreeSet::new();
        let reachable = reachable(function);
        for node in function.node_ids() {
            let data = function.node(node);
            let here = || FaultLocation::Node {
                function: name.clone(),
                node: data.name.clone(),
            };
            if !names.insert(&data.name) {
                self.fault(here(), Fault::NameTaken);
            }
            self.span(data.span, here);
            if !reachable.contains(node.index()) {
                self.fault(here(), Fault::Unreachable);
            }
            if node == function.entry && function.out_edges(node).is_empty() {
                self.fault(here(), Fault::FallsOff);
            }
        }
        let widths = Widths {
            program: self.program,
            function,
        };
        let before = self.errors.len();
        for edge in function.edge_ids() {
            self.edge(&widths, edge);
        }
        if self.errors.len() == before {
            for node in function.node_ids() {
                self.branching(function, node);
            }
        }
    }

    fn regs(&mut self, function: &Function) {
        let mut names = BTreeSet::new();
        for reg in &function.regs {
            let place = || FaultLocation::Reg {
                function: function.name.clone(),
                reg: reg.name.clone(),
            };
            if !names.insert(&reg.name) {
                self.fault(place(), Fault::NameTaken);
            }
            if reg.bits == 0 {
                self.fault(place(), Fault::NoBits);
            }
            if reg.pointer && reg.bits != self.program.pointer_bits {
                self.fault(
                    place(),
                    Fault::PointerReg {
                        expected: self.program.pointer_bits,
                        found: reg.bits,
                    },
                );
            }
        }
    }

    fn span(&mut self, span: Span, place: impl Fn() -> FaultLocation) {
        if span.line != 0 && span.file as usize >= self.program.files.len() {
            self.fault(place(), Fault::NoSuchFile(span.file));
        }
    }

    fn edge(&mut self, widths: &Widths<'a>, edge: EdgeId) {
        let function = widths.function;
        let (source, target) = function.endpoints(edge);
        let steps = &function.edge(edge).steps;
        let name = |node| function.node(node).name.clone();
        let place = || FaultLocation::Edge {
            function: function.name.clone(),
            edge,
            source: name(source),
            target: name(target),
        };
        let at_step = |step| FaultLocation::Step {
            function: function.name.clone(),
            edge,
            source: name(source),
            target: name(target),
            step,
        };
        if self.program.granularity == Granularity::Split && steps.len() > 1 {
            self.fault(place(), Fault::NotSplit(steps.len()));
        }
        if steps.len() > 1 && steps.iter().any(|step| step.action.stands_alone()) {
            self.fault(place(), Fault::NotAlone);
        }
        let leaves = steps.iter().any(|step| step.action.leaves_function());
        let at_end = function.out_edges(target).is_empty();
        if at_end && !leaves {
            self.fault(place(), Fault::FallsOff);
        }
        if leaves && !at_end {
            self.fault(place(), Fault::GoesOn);
        }
        for (position, step) in steps.iter().enumerate() {
            if let Err(fault) = widths.action(&step.action) {
                self.fault(at_step(position), fault);
            }
            self.span(step.span, || at_step(position));
        }
    }

    fn branching(&mut self, function: &Function, node: NodeId) {
        let edges = function.out_edges(node);
        if edges.len() < 2 {
            return;
        }
        let place = FaultLocation::Node {
            function: function.name.clone(),
            node: function.node(node).name.clone(),
        };
        let conditions: Option<Vec<&Expr>> = edges
            .iter()
            .map(|&edge| match &function.edge(edge).steps.first()?.action {
                Action::Assume(condition) => Some(condition),
                _ => None,
            })
            .collect();
        match conditions {
            None => self.fault(place, Fault::NoCondition),
            Some(conditions) => {
                let bits = self.program.pointer_bits;
                if !branching::is_partition(&conditions, &function.regs, bits) {
                    self.fault(place, Fault::NotPartition);
                }
            }
        }
    }
}

/// The locations that paths from the entry reach, by [`NodeId::index`].
pub(super) fn reachable(function: &Function) -> BitSet {
    let mut found = BitSet::new(function.n_nodes());
    found.insert(function.entry.index());
    let mut pending = vec![function.entry];
    while let Some(node) = pending.pop() {
        for &edge in function.out_edges(node) {
            let target = function.target(edge);
            if found.insert(target.index()) {
                pending.push(target);
            }
        }
    }
    found
}
