//! Bodies for functions that are declared but not defined.
//!
//! | declared function | becomes |
//! |---|---|
//! | `malloc`, `aligned_alloc`, `calloc`, `realloc`, `free` | the runtime's |
//! | `memcpy`, `memmove`, `memset` | LLVM's intrinsic |
//! | `exit`, `abort`, `__assert_fail`, … | stays; the lowering ends the path |
//! | `__VERIFIER_assume`, `compact_se_assume`, `klee_assume`, `__CPROVER_assume` | an assumption |
//! | `__CPROVER_assert` and the like | an assertion |
//! | `compact_se_witness_cut` | a cut, for proofs by invariants |
//! | `compact_se_make_symbolic`, `compact_se_i32(name)`, … | named inputs |
//! | other functions of the C library, and other tools' words ([`owner`]) | unsupported when called |
//! | functions of the C++ library, and what throws or catches exceptions ([`cplusplus`]) | the same |
//! | undefined functions that take pointers | unsupported when called, unless [`ForeignFunctions::WithoutEffect`] is chosen |
//! | everything else, `__VERIFIER_nondet_*` among it | an arbitrary result, no effect |
//!
//! Library functions with a model are defined before (`models`); functions of a symbolic environment, and
//! those that read standard input, are unchanged (`environment`).

use super::super::sanitizer::{Operation, failure};
use super::super::symbols::{briefly, in_source};
use super::super::{External, ExternalResult, ForeignFunctions, LoadOptions};
use super::cplusplus;
use super::environment::Outside;
use super::ir::{Ir, Ty, Value};
use super::library::{Owner, owner};
use super::models::{is_known_with_environment, name_in_programs};
use super::{CALLED_BY_CODE, RUNTIME_PREFIX};
use inkwell::llvm_sys::LLVMTypeKind;

/// Functions that end the program; the lowering knows them by name, the C library provides them
/// for the replay.
pub(in crate::llvm) const EXIT_FUNCTIONS: [&str; 1] = ["exit"];
pub(in crate::llvm) const QUICK_EXIT_FUNCTIONS: [&str; 3] = ["_exit", "_Exit", "quick_exit"];
pub(in crate::llvm) const ABORT_FUNCTIONS: [&str; 1] = ["abort"];
/// What models of the C library call where a signal ends the program.
pub(super) const KILL_FUNCTION: &str = "__compact_se_killed";
pub(in crate::llvm) const ASSERT_FUNCTIONS: [&str; 4] = [
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "__assert_rtn",
];

const MEMORY_FUNCTIONS: [(&str, &str); 7] = [
    ("malloc", "malloc"),
    ("aligned_alloc", "aligned_alloc"),
    ("memalign", "aligned_alloc"),
    ("calloc", "calloc"),
    ("realloc", "realloc"),
    ("free", "free"),
    ("cfree", "free"),
];

/// The functions of the C library whose bodies are intrinsics have other names: natively these
/// intrinsics are calls of the library, which is not to be the function itself.
const MEMORY_PREFIX: &str = "compact_se_";

/// Whether the runtime has a separate function for one that gives or takes memory.
pub(super) fn is_memory_function(name: &str) -> bool {
    MEMORY_FUNCTIONS.iter().any(|(c, _)| *c == name)
}

/// Defines functions that the program calls without a definition. Returns notes about them.
pub(super) fn define_externals(
    ir: &Ir<'_>,
    options: &LoadOptions,
    outside: Outside,
    notes: &mut Vec<String>,
) -> Vec<External> {
    let mut inputs = Vec::new();
    for function in ir.functions() {
        let name = function.name();
        let ours = name.starts_with("llvm.") || name.starts_with(RUNTIME_PREFIX);
        if outside.leaves(&name) {
            with_prototype(ir, function);
            continue;
        }
        if function.is_declaration() && !ours && !function.users().is_empty() {
            let function = with_prototype(ir, function);
            if let Some(result) = define_function(ir, function, &name, options, notes) {
                inputs.push(External {
                    name,
                    symbol: None,
                    result,
                });
            }
        }
    }
    inputs
}

/// In bitcode from elsewhere LLVM's intrinsics stand for calls of functions that the program may define. Where a
/// file was compiled to call these, as we compile, they stand for other copies.
pub(super) fn call_own_functions(ir: &Ir<'_>) {
    for name in CALLED_BY_CODE {
        let own = ir.function(name).filter(|own| !own.is_declaration());
        let Some(own) = own.filter(|own| own.params().len() == 3) else {
            continue;
        };
        let is_for_it = |function: &Value| function.name().starts_with(&format!("llvm.{name}."));
        let intrinsics = ir.functions().into_iter().filter(is_for_it);
        for call in intrinsics.flat_map(Value::users) {
            let caller = call.parent().function();
            let is_other = ir
                .text_attribute(caller, &format!("no-builtin-{name}"))
                .is_some()
                || ir.text_attribute(caller, "no-builtins").is_some();
            if is_other || caller == own {
                continue;
            }
            ir.before(call);
            let arguments = call.call_arguments().into_iter().zip(own.params());
            let arguments: Vec<Value> = arguments
                .map(|(argument, param)| ir.convert_from_int(argument, param.ty(), ""))
                .collect();
            ir.call(own, &arguments, "");
            call.erase();
        }
    }
}

/// A function that is declared without a prototype gets that of its first call, so that it can be
/// inlined there.
fn with_prototype(ir: &Ir<'_>, function: Value) -> Value {
    if !function.value_type().is_variadic() || !function.params().is_empty() {
        return function;
    }
    let call = function
        .users()
        .into_iter()
        .filter(|user| user.is_instruction() && user.callee() == Some(function))
        .find(|call| !call.called_type().is_variadic());
    match call {
        Some(call) => ir.with_type(function, call.called_type()),
        None => function,
    }
}

/// What is to be told of the function, where a harness has to define it.
fn define_function(
    ir: &Ir<'_>,
    function: Value,
    name: &str,
    options: &LoadOptions,
    notes: &mut Vec<String>,
) -> Option<ExternalResult> {
    let ends = EXIT_FUNCTIONS
        .iter()
        .chain(&QUICK_EXIT_FUNCTIONS)
        .chain(&ABORT_FUNCTIONS)
        .chain(&ASSERT_FUNCTIONS);
    if ends.into_iter().any(|end| *end == name) || failure(name, Operation::Other).is_some() {
        return None;
    }
    if let Some((_, runtime)) = MEMORY_FUNCTIONS.iter().find(|(c, _)| *c == name) {
        function.replace_uses(memory_function(ir, runtime));
        return None;
    }
    let params: Vec<Ty> = function.params().into_iter().map(Value::ty).collect();
    let result = function.value_type().result();
    match (name, params.as_slice()) {
        ("memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk", &[to, from, bytes, ..])
            if to.is_pointer() && from.is_pointer() && bytes.int_bits() > 0 =>
        {
            let params = begin_body(ir, function);
            function.set_name(&format!("{MEMORY_PREFIX}memmove"));
            if name.contains("memcpy") {
                ir.memcpy(params[0], params[1], params[2]);
            } else {
                ir.memmove(params[0], params[1], params[2]);
            }
            return_value(ir, result, params[0]);
        }
        ("memset" | "__memset_chk", &[to, byte, bytes, ..])
            if to.is_pointer() && byte.int_bits() > 0 && bytes.int_bits() > 0 =>
        {
            let params = begin_body(ir, function);
            function.set_name(&format!("{MEMORY_PREFIX}memset"));
            let byte = ir.convert_from_int(params[1], ir.int(8), "");
            ir.memset(params[0], byte, params[2]);
            return_value(ir, result, params[0]);
        }
        (name, &[condition]) if is_assumption(name) && condition.int_bits() > 0 => {
            let params = begin_body(ir, function);
            assume(ir, ir.is_not_zero(params[0]));
            return_arbitrary(ir, result, name, Origin::Undefined);
        }
        // Called without a prototype.
        (name, _) if is_assumption(name) => {
            function.replace_uses(assume_function(ir));
        }
        (name, &[condition, ..]) if is_assertion(name) && condition.int_bits() > 0 => {
            let params = begin_body(ir, function);
            define_assertion(ir, function, params[0]);
        }
        ("compact_se_witness_cut", _) => {
            let cut = ir.declare(&format!("{RUNTIME_PREFIX}cut"), ir.void(), &[]);
            function.replace_uses(cut);
        }
        ("compact_se_make_symbolic", &[to, bytes, text])
            if to.is_pointer() && bytes == ir.size_type() && text.is_pointer() =>
        {
            function.replace_uses(uninit_function(ir));
        }
        (_, &[text]) if is_named_input(name) && text.is_pointer() => {
            let params = begin_body(ir, function);
            match input_with_name(ir, result, params[0], Giver::Call(name), "input") {
                Some(value) => ir.ret(Some(value)),
                None => unsupported(ir, &format!("call of {name}")),
            }
            return Some(kind_of(result));
        }
        _ => {
            let takes_pointers = params.iter().any(|ty| ty.is_pointer());
            // Which arguments a function without a prototype takes, its calls tell.
            let called_with_pointers = function.users().into_iter().any(|user| {
                user.callee() == Some(function)
                    && user
                        .call_arguments()
                        .iter()
                        .any(|arg| arg.ty().is_pointer())
            });
            let may_write = takes_pointers || called_with_pointers;
            let never_returns = ir.has_attribute(function, "noreturn");
            begin_body(ir, function);
            if owner(name) != Owner::Nobody {
                let shown = name_in_programs(name);
                let hint = if is_known_with_environment(name) {
                    " (modelled with --sym-stdin, --sym-file or --sym-arg)"
                } else {
                    ""
                };
                let is_wide = |ty: &Ty| ty.kind() == LLVMTypeKind::LLVMX86_FP80TypeKind;
                let computes_wide = is_wide(&result) || params.iter().any(is_wide);
                let what = match (jump_between_functions(name), cplusplus::reason(name)) {
                    (Some(jump), _) => {
                        format!(
                            "call of {jump} in a program that calls main, or that blocks signals which \
                             sigsetjmp saves, or that uses setjmp or longjmp differently from <setjmp.h>"
                        )
                    }
                    (None, Some(reason)) => reason,
                    (None, None) if computes_wide => {
                        format!("call of {shown}, which uses long double")
                    }
                    (None, None) => format!("call of {shown}{hint}"),
                };
                unsupported(ir, &what);
                return None;
            }
            if may_write && options.foreign_functions == ForeignFunctions::Unsupported {
                unsupported(ir, &format!("call of {}", briefly(name)));
                return Some(ExternalResult::Refused);
            }
            if may_write {
                notes.push(format!(
                    "{} has no body; it is assumed to have no effect and to return any value",
                    briefly(name)
                ));
            }
            if never_returns {
                end_elsewhere(ir);
                return None;
            }
            return_arbitrary(ir, result, name, Origin::Call);
            return Some(kind_of(result));
        }
    }
    None
}

/// The body of a function from outside that never returns: the program ends there, or continues for ever.
fn end_elsewhere(ir: &Ir<'_>) {
    let int = ir.int(32);
    let end = ir.declare(QUICK_EXIT_FUNCTIONS[0], ir.void(), &[int]);
    ir.call(end, &[ir.zero(int)], "");
    ir.unreachable();
}

/// The result of a call with a result of this type.
pub(super) fn kind_of(result: Ty) -> ExternalResult {
    match result.kind() {
        LLVMTypeKind::LLVMVoidTypeKind => ExternalResult::Nothing,
        LLVMTypeKind::LLVMIntegerTypeKind => ExternalResult::Integer(result.int_bits()),
        LLVMTypeKind::LLVMPointerTypeKind => ExternalResult::Pointer,
        LLVMTypeKind::LLVMFloatTypeKind => ExternalResult::Float(32),
        LLVMTypeKind::LLVMDoubleTypeKind => ExternalResult::Float(64),
        LLVMTypeKind::LLVMX86_FP80TypeKind => ExternalResult::Float(80),
        _ => ExternalResult::Refused,
    }
}

/// `(condition)`: only executions count in which it is not zero.
fn is_assumption(name: &str) -> bool {
    matches!(
        name,
        "__VERIFIER_assume" | "compact_se_assume" | "klee_assume" | "__CPROVER_assume"
    )
}

/// `(condition, description)`: an assertion that CBMC knows.
fn is_assertion(name: &str) -> bool {
    matches!(
        name,
        "__CPROVER_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition"
    )
}

/// The rest of a body: where the condition is zero, an assertion has failed.
fn define_assertion(ir: &Ir<'_>, function: Value, condition: Value) {
    let holds = ir.append_block(function, "holds");
    let fails = ir.append_block(function, "fails");
    ir.branch(ir.is_not_zero(condition), holds, fails);
    ir.at_end(fails);
    let (int, pointer) = (ir.int(32), ir.pointer());
    let params = [pointer, pointer, int, pointer];
    let fail = ir.declare(ASSERT_FUNCTIONS[0], ir.void(), &params);
    ir.call(fail, &params.map(|ty| ir.zero(ty)), "");
    ir.unreachable();
    ir.at_end(holds);
    let result = function.value_type().result();
    return_arbitrary(ir, result, "result", Origin::Undefined);
}

/// The inputs of `compact_se.h`, and that of `klee.h`.
fn is_named_input(name: &str) -> bool {
    const TYPES: [&str; 15] = [
        "bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "char", "int", "uint",
        "long", "ulong", "size",
    ];
    name == "klee_int"
        || name
            .strip_prefix("compact_se_")
            .is_some_and(|ty| TYPES.contains(&ty))
}

/// Gives a declaration an empty body and builds there. Its parameters.
pub(super) fn begin_body(ir: &Ir<'_>, function: Value) -> Vec<Value> {
    for attribute in [
        "noreturn",
        "memory",
        "readnone",
        "readonly",
        "willreturn",
        "speculatable",
    ] {
        ir.remove_attribute(function, attribute);
    }
    function.clear_debug_information();
    ir.at_end(ir.append_block(function, "entry"));
    function.params()
}

fn return_value(ir: &Ir<'_>, result: Ty, value: Value) {
    if result.is_void() {
        ir.ret(None);
    } else if value.ty() == result {
        ir.ret(Some(value));
    } else {
        return_arbitrary(ir, result, "result", Origin::Undefined);
    }
}

/// Where an arbitrary value comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It is what a call of a function without a body returns. The input stays where the program
    /// does not use it, so that witnesses can count the calls.
    Call,
    /// It is indeterminate. The input is removed where the program does not use it.
    Undefined,
}

fn return_arbitrary(ir: &Ir<'_>, result: Ty, name: &str, origin: Origin) {
    let call = (origin == Origin::Call).then_some(name);
    let name = &*in_source(name);
    let giver = call.map_or(Giver::World, Giver::Call);
    if result.is_void() {
        ir.ret(None);
    } else if let Some(value) = input_with_name(ir, result, ir.text(&one_word(name)), giver, name) {
        ir.ret(Some(value));
    } else if let Some(value) = input_of_fields(ir, result, name, call) {
        ir.ret(Some(value));
    } else {
        unsupported(ir, &format!("result of {name}"));
    }
}

/// Ends the path here, and with it the block.
pub(super) fn unsupported(ir: &Ir<'_>, what: &str) {
    ir.call(unsupported_function(ir), &[ir.text(what)], "");
    ir.unreachable();
}

/// An arbitrary value of this type, as the result of an input call at the builder's position;
/// `None` for types that no input function fits.
pub(super) fn input(ir: &Ir<'_>, ty: Ty, name: &str) -> Option<Value> {
    let name = one_word(name);
    input_with_name(ir, ty, ir.text(&name), Giver::World, &name)
}

/// The same for what a variable holds that the program has not given a value.
pub(super) fn unwritten(ir: &Ir<'_>, ty: Ty, name: &str) -> Option<Value> {
    let name = one_word(name);
    input_with_name(ir, ty, ir.text(&name), Giver::Unwritten, &name)
}

/// Where an input comes from.
#[derive(Clone, Copy)]
enum Giver<'a> {
    World,
    /// The function whose result it is.
    Call(&'a str),
    /// Nobody: the program reads what it has not written.
    Unwritten,
}

/// An arbitrary struct of scalars, as small structs and 128-bit integers are returned: one input
/// for each field, the halves of a 128-bit integer from one input.
fn input_of_fields(ir: &Ir<'_>, ty: Ty, name: &str, call: Option<&str>) -> Option<Value> {
    if !ty.is_struct() {
        return None;
    }
    let giver = call.map_or(Giver::World, Giver::Call);
    let fields: Vec<Ty> = (0..ty.n_fields()).map(|index| ty.field(index)).collect();
    let int64 = ir.int(64);
    let values = if name.contains("int128") && fields == [int64, int64] {
        let whole = input_with_name(ir, ir.int(128), ir.text(&one_word(name)), giver, name)?;
        let high = ir.shift_right(whole, 64);
        [whole, high]
            .map(|half| ir.convert_from_int(half, int64, ""))
            .to_vec()
    } else if fields.iter().all(|field| field.is_scalar()) {
        fields
            .iter()
            .map(|field| input(ir, *field, name))
            .collect::<Option<_>>()?
    } else {
        return None;
    };
    Some(ir.build_struct(ty, &values))
}

/// Names in records hold no white space.
pub(super) fn one_word(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    if name.is_empty() {
        "value".to_owned()
    } else {
        name
    }
}

/// `name` is the input's name as the program has it, `register` what to call the result.
fn input_with_name(
    ir: &Ir<'_>,
    ty: Ty,
    name: Value,
    giver: Giver<'_>,
    register: &str,
) -> Option<Value> {
    if !ty.is_scalar() {
        return None;
    }
    let bits = ir.bits_of(ty);
    let width = [8u32, 16, 32, 64, 128]
        .into_iter()
        .find(|&width| bits <= u64::from(width))?;
    // The replay library has no 128-bit integers on 32-bit machines.
    if width == 128 && ir.pointer_bits() == 32 {
        return None;
    }
    let plain = match giver {
        Giver::Unwritten => "unwritten_i",
        Giver::World | Giver::Call(_) => "input_i",
    };
    let value = match giver {
        Giver::Call(call) => {
            let function_name = format!("{RUNTIME_PREFIX}call_i{width}");
            let params = [ir.pointer(), ir.pointer()];
            let function = ir.declare(&function_name, ir.int(width), &params);
            ir.call(function, &[name, ir.text(call)], register)
        }
        Giver::World | Giver::Unwritten => {
            let function_name = format!("{RUNTIME_PREFIX}{plain}{width}");
            let function = ir.function(&function_name).unwrap_or_else(|| {
                let function = ir.declare(&function_name, ir.int(width), &[ir.pointer()]);
                // A call whose result is not needed may be removed.
                ir.add_attribute(function, "willreturn", 0);
                ir.add_attribute(function, "nounwind", 0);
                ir.add_attribute(function, "memory", MEMORY_INACCESSIBLE_READ);
                function
            });
            ir.call(function, &[name], register)
        }
    };
    let value = if ty.int_bits() == 0 && bits != u64::from(width) {
        let exact = ir.int(u32::try_from(bits).expect("at most 128"));
        ir.convert_from_int(value, exact, "")
    } else {
        value
    };
    Some(ir.convert_from_int(value, ty, ""))
}

/// LLVM's encoding of `memory(inaccessiblemem: read)`: two bits a location, 1 is "reads", and
/// inaccessible memory is the second location.
const MEMORY_INACCESSIBLE_READ: u64 = 1 << 2;

pub(super) fn uninit_function(ir: &Ir<'_>) -> Value {
    filling_function(ir, "uninit")
}

/// The same for memory that the program has not written.
pub(super) fn unwritten_function(ir: &Ir<'_>) -> Value {
    filling_function(ir, "unwritten")
}

fn filling_function(ir: &Ir<'_>, name: &str) -> Value {
    ir.declare(
        &format!("{RUNTIME_PREFIX}{name}"),
        ir.void(),
        &[ir.pointer(), ir.size_type(), ir.pointer()],
    )
}

fn assume_function(ir: &Ir<'_>) -> Value {
    ir.declare(&format!("{RUNTIME_PREFIX}assume"), ir.void(), &[ir.int(32)])
}

/// `condition` has width 1.
pub(super) fn assume(ir: &Ir<'_>, condition: Value) {
    let condition = ir.convert_from_int(condition, ir.int(32), "");
    ir.call(assume_function(ir), &[condition], "");
}

fn memory_function(ir: &Ir<'_>, name: &str) -> Value {
    let (size, pointer) = (ir.size_type(), ir.pointer());
    let (result, params): (Ty, &[Ty]) = match name {
        "malloc" => (pointer, &[size]),
        "aligned_alloc" | "calloc" => (pointer, &[size, size]),
        "realloc" => (pointer, &[pointer, size]),
        _ => (ir.void(), &[pointer]),
    };
    ir.declare(&format!("{RUNTIME_PREFIX}{name}"), result, params)
}

/// Defined in the module, since the replay library does not know it: a replay never gets there.
pub(super) fn unsupported_function(ir: &Ir<'_>) -> Value {
    let name = format!("{RUNTIME_PREFIX}unsupported");
    let function = ir.declare(&name, ir.void(), &[ir.pointer()]);
    if function.is_declaration() {
        ir.define_trap(function);
        ir.add_attribute(function, "noinline", 0);
    }
    function
}

/// What the program calls where [`jumps`](super::jumps) are not followed that is `setjmp`, `longjmp` or
/// similar functions of the C library.
fn jump_between_functions(name: &str) -> Option<&'static str> {
    Some(match name {
        "setjmp" | "_setjmp" => "setjmp",
        "sigsetjmp" | "__sigsetjmp" => "sigsetjmp",
        "longjmp" | "_longjmp" | "__longjmp_chk" => "longjmp",
        "siglongjmp" => "siglongjmp",
        _ => return None,
    })
}
