//! Escape analysis: functions whose variables may be referenced after they have returned.
//!
//! If such a function is inlined, its variables become those of the caller and live on. It stays a call if
//! accesses to memory are checked, so that the variables die with their frame. It also stays a call if an
//! address is returned or becomes a number: the variables of the next call may lie at the same address.
//!
//! ```text
//! variable --address arithmetic, phi, select, a pointer variable of the same function--> addresses
//! addresses --returned, stored elsewhere, passed to a function that does so--> it escapes
//! ```
//!
//! The analysis is conservative: unknown uses escape. A false escape only costs the inlining of a function.

use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{BTreeMap, BTreeSet};

/// Which variables are searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sought {
    /// Those that may be accessed after their function has returned.
    Accessible,
    /// Those whose address may be compared then.
    Comparable,
}

/// The functions of the program of which a variable escapes.
pub(super) fn functions_with_escaping_variables(ir: &Ir<'_>, sought: Sought) -> BTreeSet<Value> {
    let mut escapes = Escapes::default();
    let functions = ir.definitions().into_iter();
    functions
        .filter(|function| {
            let instructions = function.instructions().into_iter();
            let mut variables = instructions.filter(|instruction| instruction.is_alloca());
            variables.any(|variable| {
                let fate = escapes.fate(variable);
                let is_accessible = fate.is_kept && sought == Sought::Accessible;
                is_accessible || fate.is_returned || fate.is_number
            })
        })
        .collect()
}

/// The fate of an address outside of its function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Fate {
    is_returned: bool,
    /// In memory that outlives the call, as far as is known.
    is_kept: bool,
    /// It becomes a number of which more than the distance to another address is used.
    is_number: bool,
}

const KEPT: Fate = Fate {
    is_returned: false,
    is_kept: true,
    is_number: false,
};

/// What is known of parameters; those that are being examined count as kept.
#[derive(Default)]
struct Escapes {
    params: BTreeMap<Value, Fate>,
}

impl Escapes {
    fn of_param(&mut self, param: Value) -> Fate {
        if let Some(fate) = self.params.get(&param) {
            return *fate;
        }
        self.params.insert(param, KEPT);
        let fate = self.fate(param);
        self.params.insert(param, fate);
        fate
    }

    /// The fate of an address held by a variable or parameter.
    fn fate(&mut self, address: Value) -> Fate {
        let mut flow = Flow::default();
        flow.is_address(address);
        while let Some((value, role)) = flow.todo.pop() {
            for user in value.users() {
                if self.use_by(user, value, role, &mut flow).is_none() {
                    return Fate {
                        is_number: flow.fate.is_number,
                        ..KEPT
                    };
                }
            }
        }
        flow.fate
    }

    /// Follows one use; `None` where the address is kept, or may be.
    fn use_by(&mut self, user: Value, value: Value, role: Role, flow: &mut Flow) -> Option<()> {
        use LLVMOpcode as Op;
        if !user.is_instruction() {
            return None;
        }
        match user.opcode() {
            Op::LLVMGetElementPtr | Op::LLVMPHI | Op::LLVMSelect | Op::LLVMBitCast => {
                flow.add(user, role);
            }
            Op::LLVMICmp => {}
            Op::LLVMPtrToInt if role == Role::Address => {
                let is_distance = |user: &Value| {
                    user.is_instruction() && matches!(user.opcode(), Op::LLVMSub | Op::LLVMICmp)
                };
                if !user.users().iter().all(is_distance) {
                    flow.fate.is_number = true;
                    return None;
                }
            }
            Op::LLVMLoad if role == Role::Holder => flow.is_address(user),
            Op::LLVMLoad => {}
            Op::LLVMStore if user.operand(0) != value => {}
            Op::LLVMStore if role == Role::Address => {
                let holder = variable_of(user.operand(1))?;
                flow.add(holder, Role::Holder);
            }
            Op::LLVMRet if role == Role::Address => flow.fate.is_returned = true,
            Op::LLVMCall if role == Role::Address => self.pass_argument(user, value, flow)?,
            _ => return None,
        }
        Some(())
    }

    /// An address is an argument of a call.
    fn pass_argument(&mut self, call: Value, address: Value, flow: &mut Flow) -> Option<()> {
        let callee = call.callee()?;
        let name = callee.name();
        if callee.is_declaration() {
            // Intrinsics and the runtime look at memory and keep no address.
            let looks = name.starts_with("llvm.") || name.starts_with(super::RUNTIME_PREFIX);
            return looks.then_some(());
        }
        let params = callee.params();
        let arguments = call.call_arguments().into_iter().enumerate();
        for (number, _) in arguments.filter(|(_, argument)| *argument == address) {
            let fate = self.of_param(*params.get(number)?);
            flow.fate.is_number |= fate.is_number;
            if fate.is_kept {
                return None;
            }
            if fate.is_returned {
                flow.is_address(call);
            }
        }
        Some(())
    }
}

/// The relation of a value to the followed address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    /// It may be the address, or one within the same variable.
    Address,
    /// It points into a variable that may hold the address.
    Holder,
}

/// The position of an address.
#[derive(Default)]
struct Flow {
    seen: BTreeSet<(Value, Role)>,
    todo: Vec<(Value, Role)>,
    fate: Fate,
}

impl Flow {
    fn is_address(&mut self, value: Value) {
        self.add(value, Role::Address);
    }

    fn add(&mut self, value: Value, role: Role) {
        if self.seen.insert((value, role)) {
            self.todo.push((value, role));
        }
    }
}

/// The variable of the function into which a pointer points.
fn variable_of(pointer: Value) -> Option<Value> {
    let mut base = pointer;
    while base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    base.is_alloca().then_some(base)
}
