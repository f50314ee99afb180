//! The stack of a program: its size, and a lower bound on the bytes that each call takes.
//!
//! A call takes its variables, as clang lays them out without optimisation, the address to which it returns
//! and a saved register, rounded up to [`ALIGNMENT`]. Other compiler-generated slots and frames of inlined
//! functions are not counted, so that the count never exceeds the real use. Measured, in bytes per call: 16
//! for `void f(void) { f(); }`, 32 for
//! `int f(int a) { return f(a + 1); }` (16 in a program of 32 bits), as counted.

use super::{Action, Callee, Expr, FunctionId, Initializer, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Frames begin at multiples of this.
const ALIGNMENT: u64 = 16;

/// A stack with an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// How large it is.
    pub bytes: u64,
    /// A call's return address and saved frame pointer, in bytes.
    call: u64,
    /// The variables of each function, by [`FunctionId`], in bytes.
    variables: Arc<[u64]>,
}

impl Stack {
    /// A stack for a program with pointers of so many bits, whose functions have variables of so many bytes.
    #[must_use]
    pub fn new(bytes: u64, pointer_bits: u32, variables: impl Into<Arc<[u64]>>) -> Stack {
        Stack {
            bytes,
            call: u64::from(2 * pointer_bits / 8),
            variables: variables.into(),
        }
    }

    /// What a call of a function takes at least, without what it allocates while it runs.
    #[must_use]
    pub fn frame(&self, function: FunctionId) -> u64 {
        let variables = self.variables.get(function.index()).copied();
        let bytes = self.call.saturating_add(variables.unwrap_or(0));
        bytes
            .checked_next_multiple_of(ALIGNMENT)
            .unwrap_or(u64::MAX)
    }

    /// What may be in use while the end is far: a quarter of it.
    #[must_use]
    pub fn quarter(&self) -> u64 {
        self.bytes / 4
    }

    /// The number of calls of a function with which the stack certainly ends that has this much in use.
    #[must_use]
    pub fn calls_beyond(&self, used: u64, function: FunctionId) -> u64 {
        self.bytes.saturating_sub(used) / self.frame(function) + 1
    }

    /// Whether the frames of a program may exceed the stack: they do not if no function calls itself, directly or
    /// not, nothing is allocated on the stack while functions run, and the frames of any chain of calls fit.
    #[must_use]
    pub fn may_end(&self, program: &Program) -> bool {
        allocates_while_it_runs(program)
            || !self.deepest(program).is_ok_and(|most| most <= self.bytes)
    }

    /// A function that may call itself, directly or not, if there is one.
    #[must_use]
    pub fn recursive(&self, program: &Program) -> Option<FunctionId> {
        self.deepest(program).err()
    }

    /// The most that a chain of calls takes.
    ///
    /// # Errors
    /// A function on a chain that may be endless.
    fn deepest(&self, program: &Program) -> Result<u64, FunctionId> {
        let calls = Calls::of(program);
        let mut known = vec![Depth::Unknown; program.functions.len()];
        let mut open = vec![program.main];
        while let Some(&function) = open.last() {
            match known[function.index()] {
                Depth::Known(_) => {
                    open.pop();
                }
                Depth::Unknown => {
                    known[function.index()] = Depth::Open;
                    for callee in &calls.callees[function.index()] {
                        match known[callee.index()] {
                            Depth::Unknown => open.push(*callee),
                            Depth::Open => return Err(*callee),
                            Depth::Known(_) => {}
                        }
                    }
                }
                Depth::Open => {
                    let mut most = 0;
                    for callee in &calls.callees[function.index()] {
                        match known[callee.index()] {
                            Depth::Known(depth) => most = depth.max(most),
                            Depth::Open | Depth::Unknown => return Err(*callee),
                        }
                    }
                    let depth = self.frame(function).saturating_add(most);
                    known[function.index()] = Depth::Known(depth);
                    open.pop();
                }
            }
        }
        match known[program.main.index()] {
            Depth::Known(depth) => Ok(depth),
            Depth::Open | Depth::Unknown => Err(program.main),
        }
    }
}

#[derive(Clone, Copy)]
enum Depth {
    Unknown,
    /// Calls below are being examined.
    Open,
    Known(u64),
}

/// Who may call whom.
struct Calls {
    /// By [`FunctionId`]; a call by pointer may call each function whose address is taken and that has at
    /// most parameters than there are arguments.
    callees: Vec<BTreeSet<FunctionId>>,
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let mut pointed_to = BTreeSet::new();
        let mut note = |expr: &Expr| {
            expr.for_each(&mut |part| {
                if let Expr::Function(function) = part {
                    pointed_to.insert(*function);
                }
            });
        };
        for global in &program.globals {
            if let Initializer::Bytes { addresses, .. } = &global.initializer {
                addresses.iter().for_each(|(_, address)| note(address));
            }
        }
        for (_, action) in actions(program) {
            action.for_each_expr(&mut note);
        }
        let mut callees = vec![BTreeSet::new(); program.functions.len()];
        for (function, action) in actions(program) {
            match action {
                Action::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => {
                    callees[function.index()].insert(*callee);
                }
                Action::Call {
                    callee: Callee::Indirect(_),
                    args,
                    ..
                } => {
                    let n_params = |callee: FunctionId| program.function(callee).params.len();
                    let possible = pointed_to.iter().copied();
                    let possible = possible.filter(|callee| n_params(*callee) <= args.len());
                    callees[function.index()].extend(possible);
                }
                _ => {}
            }
        }
        Calls { callees }
    }
}

/// Whether an allocation has a size that is not a number, or is after a function's first edge.
fn allocates_while_it_runs(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        function.edge_ids().any(|edge| {
            let is_first = function.endpoints(edge).0 == function.entry;
            let mut steps = function.edge(edge).steps.iter();
            steps.any(|step| {
                matches!(&step.action, Action::Alloca { bytes, .. }
                    if !is_first || !matches!(bytes, Expr::Const(_)))
            })
        })
    })
}

fn actions(program: &Program) -> impl Iterator<Item = (FunctionId, &Action)> {
    program.function_ids().flat_map(move |id| {
        let function = program.function(id);
        let edges = function.edge_ids().map(move |edge| function.edge(edge));
        let steps = edges.flat_map(|edge| edge.steps.iter());
        steps.map(move |step| (id, &step.action))
    })
}
