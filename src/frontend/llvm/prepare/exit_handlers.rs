//! Handlers that a program registers by `atexit` run where it ends.
//!
//! A call of the model in `exit.c` comes before each return from `main` and each call of `exit`. Where
//! other ways lead to `exit`, or `main` is called, nobody knows where the program ends: `atexit` is
//! unsupported then.
//!
//! Comes before the models are linked.

use super::externals::unsupported_function;
use super::ir::{Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;

/// What runs the handlers.
const RUN_HANDLERS: &str = "compact_se_run_exit_handlers";

pub(super) fn run_exit_handlers(ir: &Ir<'_>) {
    let atexit = ir.function("atexit");
    let Some(atexit) = atexit.filter(|it| it.is_declaration() && !it.users().is_empty()) else {
        return;
    };
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
    if !main.users().is_empty() || !exits.iter().all(is_call_of_exit) {
        for call in atexit.users() {
            if call.is_instruction() {
                ir.before(call);
                let what = "atexit where exit or main is called by pointer, or main by the program";
                ir.call(unsupported_function(ir), &[ir.text(what)], "");
            }
        }
        return;
    }
    let returns = main.instructions().into_iter();
    let returns = returns.filter(|instruction| instruction.opcode() == LLVMOpcode::LLVMRet);
    let handlers = ir.declare(RUN_HANDLERS, ir.void(), &[]);
    for end in returns.chain(exits) {
        ir.before(end);
        ir.call(handlers, &[], "");
    }
}
