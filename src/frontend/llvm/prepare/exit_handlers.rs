//! Handlers that a program registers by `atexit`, or C++ by `__cxa_atexit` for static variables, and
//! destructors, run where it ends.
//!
//! A call of the model in `exit.c` comes before each return from `main` and each call of `exit`. Where
//! other ways lead to `exit`, or `main` is called, nobody knows where the program ends: `atexit` is
//! unsupported then, and a program with destructors is refused.
//!
//! Comes before the models are linked, and behind `start`, which registers the destructors.

use super::super::LoadError;
use super::externals::unsupported_function;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// What runs the handlers.
const RUN_HANDLERS: &str = "compact_se_run_exit_handlers";
/// What registers a destructor.
pub(super) const ADD_DESTRUCTOR: &str = "compact_se_add_destructor";

pub(super) fn run_exit_handlers(ir: &Ir<'_>) -> Result<(), LoadError> {
    let is_used = |function: Option<Value>| {
        function.is_some_and(|it| it.is_declaration() && !it.users().is_empty())
    };
    let registering = ["atexit", "__cxa_atexit"].map(|name| ir.function(name));
    let has_destructors = is_used(ir.function(ADD_DESTRUCTOR));
    if !registering.into_iter().any(is_used) && !has_destructors {
        return Ok(());
    }
    let main = ir
        .function("main")
        .expect("checked before: main is defined");
    let exit = ir.function("exit").filter(|exit| exit.is_declaration());
    let exits = exit.map(Value::users).unwrap_or_default();
    let is_call_of_exit = |user: &Value| {
        user.is_instruction()
            && user.callee_name().as_deref() == Some("exit")
            && !user
                .call_arguments()
                .iter()
                .any(|argument| Some(*argument) == exit)
    };
    let is_label = |user: &Value| user.is_block_address();
    if !main.users().iter().all(is_label) || !exits.iter().all(is_call_of_exit) {
        if has_destructors {
            return Err(LoadError::Refused {
                what: "it has destructors, and exit or main is called by pointer, or main by the \
                       program"
                    .to_owned(),
            });
        }
        let calls = registering.into_iter().flatten().flat_map(Value::users);
        for call in calls {
            if call.is_instruction() {
                ir.before(call);
                let what = "atexit where exit or main is called by pointer, or main by the program";
                ir.call(unsupported_function(ir), &[ir.text(what)], "");
            }
        }
        return Ok(());
    }
    let returns = main.instructions().into_iter();
    let returns = returns.filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet);
    let handlers = ir.declare(RUN_HANDLERS, ir.void(), &[]);
    for end in returns.chain(exits) {
        ir.before(end);
        ir.call(handlers, &[], "");
    }
    Ok(())
}
