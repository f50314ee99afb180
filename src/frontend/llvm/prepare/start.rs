//! The state when `main` starts: its parameters, variables that are only declared, and effects of constructors.
//!
//! | | becomes |
//! |---|---|
//! | functions with the attribute `constructor` | calls when `main` starts, by their priorities |
//! | functions with the attribute `destructor` | calls where the program ends ([`exit_handlers`]) |
//! | `argc`, `argv` | any arguments that a system could pass, by the model in `start.c`; with a symbolic environment its arguments ([`environment`](super::environment)) |
//! | a third parameter of `main` | unsupported, where it is read |
//! | `stdin`, `stdout`, `stderr` | a separate object each |
//! | variables of a model (`optind`) | defined by the model |
//! | variables of the run-time support of C++ | see [`cplusplus`] |
//! | other variables of the C library | unsupported, where they are used |
//! | other undefined variables | arbitrary content |
//! | the same of unknown type | an address |
//!
//! Runs before the models are linked.

use super::super::LoadError;
use super::super::symbols::briefly;
use super::cplusplus;
use super::environment::Outside;
use super::exit_handlers;
use super::externals::{begin_body, one_word, uninit_function, unsupported, unsupported_function};
use super::ir::{Ir, Value};
use super::library::{Owner, owner};
use super::{RUNTIME_PREFIX, models};
use inkwell::llvm_sys::LLVMOpcode;

/// Variables of the C library that hold streams, by their numbers.
const STANDARD_STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];
/// In bytes; that of those which `runtime/models/files.c` opens.
const SIZE_OF_STREAM: u64 = 216;

/// The table of functions that run before `main`: priority, function, what it belongs to.
const CONSTRUCTORS: &str = "llvm.global_ctors";
/// The same of those that run behind it.
const DESTRUCTORS: &str = "llvm.global_dtors";

/// More destructors than the model in `exit.c` has room for are refused.
const MOST_DESTRUCTORS: usize = 32;

/// The depth of calls up to which unused parameters of `main` are recognised.
const MOST_CALLS: u32 = 8;

/// Gives `main`'s parameters and the variables without a definition their values.
pub(super) fn define_start(
    ir: &Ir<'_>,
    outside: Outside,
    notes: &mut Vec<String>,
) -> Result<(), LoadError> {
    let externs: Vec<Value> = ir
        .globals()
        .into_iter()
        .filter(|global| global.is_declaration() && !global.users().is_empty())
        .filter(|global| {
            let name = global.name();
            let is_modelled = outside.has_stream(&name) || models::will_define(ir, &name);
            !is_modelled && !name.starts_with("llvm.")
        })
        .collect();
    let main = ir
        .function("main")
        .expect("checked before: main is defined");
    let constructors = functions_in(ir, CONSTRUCTORS)?;
    let destructors = functions_in(ir, DESTRUCTORS)?;
    if destructors.len() > MOST_DESTRUCTORS {
        return Err(LoadError::Refused {
            what: format!("it has more than {MOST_DESTRUCTORS} destructors"),
        });
    }
    let has_inputs = !externs.is_empty()
        || !main.params().is_empty()
        || !constructors.is_empty()
        || !destructors.is_empty();
    let is_called = main
        .users()
        .into_iter()
        .any(|user| !user.is_block_address());
    if has_inputs && is_called {
        return Err(LoadError::Refused {
            what: "main is called or its address is taken, and it has parameters or the program \
                   has constructors, destructors or variables without a definition"
                .to_owned(),
        });
    }
    if has_inputs {
        let start = main.blocks()[0].first_insertion_point(true);
        for global in externs {
            ir.before(start);
            define_global(ir, global, notes);
        }
        ir.before(start);
        let mut instructions = main.instructions().into_iter();
        if let Some(placed) = instructions.find(|instruction| instruction.source_line().1 > 0) {
            ir.at_place_of(placed);
        }
        for destructor in destructors {
            let add = ir.declare(exit_handlers::ADD_DESTRUCTOR, ir.void(), &[ir.pointer()]);
            ir.call(add, &[destructor], "");
        }
        for constructor in constructors {
            ir.call(constructor, &[], "");
        }
        check_parameters(&main.params())?;
        if outside != Outside::Given {
            ir.before(start);
            define_parameters(ir, &main.params());
        }
    }
    Ok(())
}

/// What runs before `main`, in its order: the smallest priority first, else as it is written; what runs
/// behind it, in the reverse of its order. The table is taken out of the program.
fn functions_in(ir: &Ir<'_>, table: &str) -> Result<Vec<Value>, LoadError> {
    let mut globals = ir.globals().into_iter();
    let Some(table) = globals.find(|global| global.name() == table) else {
        return Ok(Vec::new());
    };
    let mut functions = Vec::new();
    for entry in table.initializer().map(Value::operands).unwrap_or_default() {
        let (priority, function) = (entry.operand(0).as_i64(), entry.operand(1));
        let (Some(priority), true, true) = (
            priority,
            function.is_function(),
            function.params().is_empty(),
        ) else {
            return Err(LoadError::Refused {
                what: "a constructor or destructor has parameters, or is no function".to_owned(),
            });
        };
        functions.push((priority, function));
    }
    functions.sort_by_key(|(priority, _)| *priority);
    table.delete_global();
    Ok(functions
        .into_iter()
        .map(|(_, function)| function)
        .collect())
}

fn define_global(ir: &Ir<'_>, global: Value, notes: &mut Vec<String>) {
    let ty = global.value_type();
    let name = global.name();
    if cplusplus::define_variable(ir, global) {
        return;
    }
    if !ty.is_sized() {
        stand_for_opaque(ir, global, notes);
        return;
    }
    global.clear_extern();
    let mut streams = (1..).zip(STANDARD_STREAMS);
    if let Some((number, _)) = streams.find(|(_, stream)| *stream == name) {
        global.set_initializer(ir.zero(ty));
        global.set_variable();
        let size = ir.size_type();
        let allocate = ir.declare(
            &format!("{RUNTIME_PREFIX}calloc_of_system"),
            ir.pointer(),
            &[size, size],
        );
        let bytes = ir.constant(size, SIZE_OF_STREAM);
        let stream = ir.call(allocate, &[ir.constant(size, 1), bytes], "");
        ir.store(stream, global);
        // For fileno of the model in files.c.
        ir.store(ir.constant(ir.int(32), number), stream);
        return;
    }
    global.set_initializer(ir.zero(ty));
    global.set_variable();
    if owner(&name) != Owner::Nobody {
        refuse_uses(
            ir,
            global,
            &if name.starts_with("_Z") {
                format!("use of the C++ library's variable {}", briefly(&name))
            } else {
                format!("use of the C library's variable {name}")
            },
        );
        return;
    }
    if ir.size_of(ty) == 0 {
        // An array without a length in C: the file that defines it says how long it is.
        let what = format!(
            "use of the variable {}, which is only declared and of unknown size",
            briefly(&name)
        );
        refuse_uses(ir, global, &what);
        return;
    }
    let bytes = ir.constant(ir.size_type(), ir.size_of(ty));
    ir.call(
        uninit_function(ir),
        &[global, bytes, ir.text(&one_word(&name))],
        "",
    );
    if cplusplus::is_type(&name) {
        return;
    }
    notes.push(format!(
        "{} is only declared: its content is arbitrary when main starts",
        briefly(&name)
    ));
}

/// A variable of which neither type nor size is known is an address only. A function has one, and no content
/// that a program can read or write.
fn stand_for_opaque(ir: &Ir<'_>, global: Value, notes: &mut Vec<String>) {
    let name = global.name();
    global.set_name("");
    let stand_in = ir.declare(&name, ir.void(), &[]);
    begin_body(ir, stand_in);
    unsupported(ir, &format!("call of the variable {}", briefly(&name)));
    global.replace_uses(stand_in);
    global.delete_global();
    notes.push(format!(
        "{} is only declared and of unknown type: only its address is known",
        briefly(&name)
    ));
}

/// Ends paths where the variable is used; at the builder's position where that is not known.
fn refuse_uses(ir: &Ir<'_>, global: Value, what: &str) {
    let users = global.users();
    let has_place = |user: &Value| user.is_instruction() && user.opcode() != LLVMOpcode::LLVMPHI;
    if users.iter().all(has_place) {
        for user in users {
            ir.before(user);
            ir.call(unsupported_function(ir), &[ir.text(what)], "");
        }
    } else {
        ir.call(unsupported_function(ir), &[ir.text(what)], "");
    }
}

fn check_parameters(params: &[Value]) -> Result<(), LoadError> {
    let is_usual = params.len() <= 3
        && params
            .iter()
            .enumerate()
            .all(|(number, param)| match number {
                0 => param.ty().int_bits() == 32,
                _ => param.ty().is_pointer(),
            });
    if !is_usual {
        return Err(LoadError::Refused {
            what: "main has parameters of other types than int, char ** and char **".to_owned(),
        });
    }
    Ok(())
}

/// Calls what gives the parameters their values, at the builder's position, where they are used.
pub(super) fn define_parameters(ir: &Ir<'_>, params: &[Value]) {
    let is_used = |index: usize| {
        params
            .get(index)
            .is_some_and(|param| is_read(*param, MOST_CALLS))
    };
    if is_used(0) || is_used(1) {
        let function = ir.declare("compact_se_main_argc", ir.int(32), &[]);
        let argc = ir.call(function, &[], "argc");
        params[0].replace_uses(argc);
        if is_used(1) {
            let function = ir.declare("compact_se_main_argv", ir.pointer(), &[ir.int(32)]);
            params[1].replace_uses(ir.call(function, &[argc], "argv"));
        }
    }
    if is_used(2) {
        let function = ir.declare("compact_se_main_envp", ir.pointer(), &[]);
        params[2].replace_uses(ir.call(function, &[], "envp"));
    }
}

/// Whether more becomes of a value than that it is kept in variables or handed to functions, so many
/// calls deep, where nobody does more with it.
fn is_read(value: Value, depth: u32) -> bool {
    value
        .users()
        .into_iter()
        .any(|user| match user.stored_to() {
            Some(variable) => variable == value || is_variable_read(variable, depth),
            None if user.opcode() == LLVMOpcode::LLVMCall => is_read_by_callee(user, value, depth),
            None => true,
        })
}

fn is_variable_read(variable: Value, depth: u32) -> bool {
    let is_read_by = |user: Value| match user.opcode() {
        LLVMOpcode::LLVMLoad => is_read(user, depth),
        LLVMOpcode::LLVMStore => user.stored_to() != Some(variable),
        _ => true,
    };
    !variable.is_alloca() || variable.users().into_iter().any(is_read_by)
}

/// Whether the function that is called reads the value.
fn is_read_by_callee(call: Value, value: Value, depth: u32) -> bool {
    let callee = call.callee().filter(|callee| !callee.is_declaration());
    let (Some(callee), Some(depth)) = (callee, depth.checked_sub(1)) else {
        return true;
    };
    let params = callee.params();
    let arguments = call.call_arguments().into_iter().enumerate();
    let mut handed = arguments.filter(|(_, argument)| *argument == value);
    handed.any(|(number, _)| {
        let param = params.get(number);
        param.is_none_or(|param| is_read(*param, depth))
    })
}
