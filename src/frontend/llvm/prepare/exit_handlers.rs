//! Handlers that a program registers by `atexit`, or C++ by `__cxa_atexit` for static variables, and
//! destructors, run where the program ends; those by `at_quick_exit` where it calls `quick_exit`.
//!
//! A call of the model in `exit.c` comes before each return from `main` and each call of `exit`. If `exit` is
//! reachable otherwise, or `main` is called, the ends of the program are unknown: `atexit` is then
//! unsupported, and a program with destructors is refused.
//!
//! Runs before the models are linked, and after `start`, which registers the destructors.

use super::super::LoadError;
use super::externals::unsupported_function;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// The function that runs the handlers.
const RUN_HANDLERS: &str = "compact_se_run_exit_handlers";
const RUN_QUICK_HANDLERS: &str = "compact_se_run_quick_exit_handlers";
/// The function that registers a destructor.
pub(super) const ADD_DESTRUCTOR: &str = "compact_se_add_destructor";

pub(super) fn run_exit_handlers(ir: &Ir<'_>) -> Result<(), LoadError> {
    run_quick_exit_handlers(ir);
    let registering = ["atexit", "__cxa_atexit"].map(|name| ir.function(name));
    let has_destructors = is_used(ir.function(ADD_DESTRUCTOR));
    if !registering.into_iter().any(is_used) && !has_destructors {
        return Ok(());
    }
    let main = ir
        .function("main")
        .expect("checked before: main is defined");
    let is_label = |user: &Value| user.is_block_address();
    let exits = plain_calls(ir, "exit");
    let (Some(exits), true) = (exits, main.users().iter().all(is_label)) else {
        if has_destructors {
            return Err(LoadError::Refused {
                what: "it has destructors, and exit or main is called by pointer, or main by the \
                       program"
                    .to_owned(),
            });
        }
        let what = "atexit where exit or main is called by pointer, or main by the program";
        refuse_calls(ir, registering, what);
        return Ok(());
    };
    let returns = main.instructions().into_iter();
    let returns = returns.filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet);
    run_before(ir, RUN_HANDLERS, returns.chain(exits));
    Ok(())
}

fn run_quick_exit_handlers(ir: &Ir<'_>) {
    let registering = ["at_quick_exit", "__cxa_at_quick_exit"].map(|name| ir.function(name));
    if registering.into_iter().any(is_used) {
        match plain_calls(ir, "quick_exit") {
            Some(ends) => run_before(ir, RUN_QUICK_HANDLERS, ends),
            None => refuse_calls(
                ir,
                registering,
                "at_quick_exit where quick_exit is called by pointer",
            ),
        }
    }
}

fn is_used(function: Option<Value>) -> bool {
    function.is_some_and(|it| it.is_declaration() && !it.users().is_empty())
}

/// The calls of a function that the program does not define; `None` where it is used in another way.
fn plain_calls(ir: &Ir<'_>, name: &str) -> Option<Vec<Value>> {
    let function = ir.function(name).filter(|it| it.is_declaration());
    let users = function.map(Value::users).unwrap_or_default();
    let is_call = |user: &Value| {
        user.is_instruction()
            && user.callee() == function
            && !user
                .call_arguments()
                .iter()
                .any(|argument| Some(*argument) == function)
    };
    users.iter().all(is_call).then_some(users)
}

fn run_before(ir: &Ir<'_>, handlers: &str, ends: impl IntoIterator<Item = Value>) {
    let handlers = ir.declare(handlers, ir.void(), &[]);
    for end in ends {
        ir.before(end);
        ir.call(handlers, &[], "");
    }
}

fn refuse_calls(ir: &Ir<'_>, registering: [Option<Value>; 2], what: &str) {
    let calls = registering.into_iter().flatten().flat_map(Value::users);
    for call in calls.filter(|user| user.is_instruction()) {
        ir.before(call);
        ir.call(unsupported_function(ir), &[ir.text(what)], "");
    }
}
