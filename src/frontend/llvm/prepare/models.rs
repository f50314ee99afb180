//! The C models of library functions, and the headers for programs, embedded in the executable.
//!
//! # Invariants
//! - A model is linked only if the program declares but does not define one of its functions; a definition of
//!   the program takes precedence over a model.

use super::super::arguments::{GIVEN_ENVIRONMENT, MODEL, MODEL_FOLDER, depends_on_environment};
use super::super::compile::{CPLUSPLUS_HEADER, CPROVER_HEADER, Compiler, LATER_HEADER, find_clang};
use super::super::{DataModel, External, InputKind, LoadError, StandIn, StandInKind, compiled};
use super::LlvmFile;
use super::environment::{self, Outside};
use super::externals::{begin_body, is_memory_function, kind_of, unsupported_function};
use super::formats::{COUNTED_PREFIX, READING_PREFIX};
use super::ir::{Ir, RUNTIME_PREFIX, TEXT_PREFIX, Ty, Value};
use super::read;
use crate::llvm::symbols::in_source;
use inkwell::context::Context;
use inkwell::module::Module;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Headers for programs, by their paths behind `#include`.
const HEADERS: [(&str, &str); 5] = [
    (
        "compact_se.h",
        include_str!("../../../../runtime/include/compact_se.h"),
    ),
    (
        "klee/klee.h",
        include_str!("../../../../runtime/include/klee/klee.h"),
    ),
    (
        CPROVER_HEADER,
        include_str!("../../../../runtime/include/cprover.h"),
    ),
    (
        LATER_HEADER,
        include_str!("../../../../runtime/include/later.h"),
    ),
    (
        CPLUSPLUS_HEADER,
        include_str!("../../../../runtime/include/cplusplus.h"),
    ),
];

/// A C file of models.
struct Model {
    name: &'static str,
    text: &'static str,
    /// What its functions are in the place of those of the C library; `None` for what only `main`
    /// and other models use, and for the words of other tools.
    stand_in: Option<StandInKind>,
    /// Whether what happens in it has a separate place in the source. Else it happens where the
    /// program calls the function, as inputs must.
    has_places: bool,
    fits: Fits,
}

/// For which programs a model is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fits {
    All,
    /// Those that may be started in any way.
    Arbitrary,
    /// Those with a symbolic environment ([`super::environment`]).
    Environment,
}

impl Model {
    fn is_for(&self, has_environment: bool) -> bool {
        match self.fits {
            Fits::All => true,
            Fits::Arbitrary => !has_environment,
            Fits::Environment => has_environment,
        }
    }
}

macro_rules! model {
    ($name:literal, $stand_in:expr, $has_places:literal) => {
        model!($name, $stand_in, $has_places, All)
    };
    ($name:literal, $stand_in:expr, $has_places:literal, $fits:ident) => {
        Model {
            name: $name,
            text: include_str!(concat!("../../../../runtime/models/", $name)),
            stand_in: $stand_in,
            has_places: $has_places,
            fits: Fits::$fits,
        }
    };
}

const MODELS: [Model; 29] = [
    model!("cplusplus.c", Some(StandInKind::Model), false),
    model!("cprover.c", None, false),
    model!("ctype.c", Some(StandInKind::Model), true),
    model!("dates.c", Some(StandInKind::Model), true),
    model!("errno.c", Some(StandInKind::Model), false),
    model!("exit.c", Some(StandInKind::Model), true),
    model!("files.c", Some(StandInKind::NoEffect), false, Arbitrary),
    model!("floats.c", Some(StandInKind::Model), true),
    model!("getopt.c", Some(StandInKind::Model), true),
    model!("inet.c", Some(StandInKind::Model), true),
    model!("klee.c", None, false),
    model!("lines.c", Some(StandInKind::Model), true, Arbitrary),
    model!("locale.c", Some(StandInKind::Model), true),
    model!("messages.c", Some(StandInKind::Model), true),
    model!("numbers.c", Some(StandInKind::Model), true),
    model!("print.c", Some(StandInKind::Model), true),
    model!("reads.c", None, false),
    model!("scan.c", Some(StandInKind::Model), true),
    model!("search.c", Some(StandInKind::Model), true),
    model!("signals.c", Some(StandInKind::Model), true),
    model!("start.c", None, false, Arbitrary),
    model!("stdio.c", Some(StandInKind::NoEffect), false),
    model!("stdlib.c", Some(StandInKind::Model), true),
    model!("streams.c", Some(StandInKind::Model), true, Environment),
    model!("string.c", Some(StandInKind::Model), true),
    model!("system.c", Some(StandInKind::Inputs), false),
    model!("terminal.c", Some(StandInKind::Inputs), false, Arbitrary),
    model!("threads.c", Some(StandInKind::Model), true),
    model!("wide.c", Some(StandInKind::Model), true),
];

/// Variables of the C library that a model defines, with functions that bring it.
const VARIABLES: [&str; 4] = ["optarg", "opterr", "optind", "optopt"];
const WITH_VARIABLES: [&str; 3] = ["getopt", "getopt_long", "getopt_long_only"];

/// What models call where they change errno, or may do so.
const ERRNO_HOOKS: [&str; 3] = [
    "compact_se_may_set_errno",
    "compact_se_set_errno",
    "compact_se_set_errno_if",
];

/// LLVM's intrinsic for a product and a sum, which are rounded once where the processor can do that.
const PRODUCT_AND_SUM: &str = "fmuladd";

/// Models of functions of math.h, where clang calls LLVM's intrinsic in their place.
const MATHEMATICS: [(&str, &str); 15] = [
    ("ceil", "ceil"),
    ("floor", "floor"),
    ("trunc", "trunc"),
    ("rint", "rint"),
    ("nearbyint", "nearbyint"),
    ("round", "round"),
    ("roundeven", "roundeven"),
    ("minnum", "compact_se_fmin"),
    ("maxnum", "compact_se_fmax"),
    ("fma", "fma"),
    (PRODUCT_AND_SUM, "fma"),
    ("lround", "lround"),
    ("llround", "llround"),
    ("lrint", "lrint"),
    ("llrint", "llrint"),
];

/// Writes the headers into `folder` and gives the folder to search for them.
pub(in crate::llvm) fn write_headers(folder: &Path) -> Result<PathBuf, LoadError> {
    let include = folder.join("include");
    let write = || {
        for (name, text) in HEADERS {
            let header = include.join(name);
            if let Some(folder) = header.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(header, text)?;
        }
        Ok(())
    };
    write().map_err(|error: std::io::Error| LoadError::system("write the headers", &error))?;
    Ok(include)
}

/// The linked models.
pub(super) struct Library {
    /// Functions of the C library that the program calls and that the models define.
    pub stand_ins: Vec<StandIn>,
    /// Those of them whose results are inputs, where a harness can give the results.
    pub externals: Vec<External>,
    /// Names of the functions that the linked models define.
    pub functions: BTreeSet<String>,
}

/// What models call of a symbolic environment where they write to descriptors; nobody reads files back
/// where there is none.
const OUTPUT_HOOKS: [&str; 1] = ["compact_se_only_output_to"];

/// What models call of `reads.c`, which is there where accesses to memory are checked.
const READING_HOOKS: [&str; 5] = [
    "compact_se_reads_text",
    "compact_se_reads_wide_text",
    "compact_se_reads_bytes",
    "compact_se_uses_stream",
    "compact_se_closes_stream",
];

/// Whether a model that will be linked defines this variable.
pub(super) fn will_define(ir: &Ir<'_>, variable: &str) -> bool {
    VARIABLES.contains(&variable)
        && (undefined_functions(ir).iter()).any(|name| WITH_VARIABLES.contains(&name.as_str()))
}

/// Links the models of what the program calls and does not define. What is left to the C library in a
/// replay stays as it is.
pub(super) fn link_models<'c>(
    context: &'c Context,
    module: &Module<'c>,
    data_model: DataModel,
    (outside, checks_memory): (Outside, bool),
    folder: &Path,
) -> Result<Library, LoadError> {
    let has_environment = outside == Outside::Given;
    name_mathematics(&Ir::new(module));
    let called = undefined_functions(&Ir::new(module));
    let uses_errno = called.iter().any(|name| name == "__errno_location");
    let mut linked = [false; MODELS.len()];
    let mut functions = BTreeSet::new();
    // A model may need another one.
    loop {
        let ir = Ir::new(module);
        if !uses_errno {
            define_empty(&ir, &ERRNO_HOOKS);
        }
        if !has_environment {
            define_empty(&ir, &OUTPUT_HOOKS);
        }
        if !checks_memory {
            define_empty(&ir, &READING_HOOKS);
        }
        let mut wanted = undefined_functions(&ir);
        wanted.retain(|name| !outside.leaves(name));
        let next = (0..MODELS.len()).find(|&index| {
            !linked[index]
                && MODELS[index].is_for(has_environment)
                && wanted.iter().any(|name| defines(MODELS[index].text, name))
        });
        let Some(index) = next else {
            break;
        };
        linked[index] = true;
        let of = (data_model, has_environment);
        functions.append(&mut link(context, module, &MODELS[index], of, folder)?);
    }
    let ir = Ir::new(module);
    // Models may declare it.
    unsupported_function(&ir);
    Ok(Library {
        stand_ins: stand_ins(&called, outside),
        externals: asking_functions(&ir, &called),
        functions,
    })
}

/// Links a model; the functions that are defined by it only.
fn link<'c>(
    context: &'c Context,
    module: &Module<'c>,
    model: &Model,
    (data_model, has_environment): (DataModel, bool),
    folder: &Path,
) -> Result<BTreeSet<String>, LoadError> {
    let ir = Ir::new(module);
    let compiled = compile(context, model, data_model, has_environment, folder)?;
    let mut functions = BTreeSet::new();
    for function in Ir::new(&compiled).definitions() {
        if !function.is_internal() {
            function.set_weak();
        }
        let name = function.name();
        let is_defined = (ir.function(&name)).is_some_and(|known| !known.is_declaration());
        if !is_defined {
            functions.insert(name);
        }
    }
    if !model.has_places {
        hide_texts(&Ir::new(&compiled), model.name);
    }
    module
        .link_in_module(compiled)
        .map_err(|error| LoadError::Link {
            path: PathBuf::from(model.name),
            reason: read::in_words(&error.to_string()),
        })?;
    Ok(functions)
}

/// Functions of `reads.c` called by the environment.
pub(super) fn link_readers<'c>(
    context: &'c Context,
    environment: &Module<'c>,
    data_model: DataModel,
    checks_memory: bool,
    folder: &Path,
) -> Result<(), LoadError> {
    if !checks_memory {
        define_empty(&Ir::new(environment), &READING_HOOKS);
        return Ok(());
    }
    let is_reader = |model: &&Model| {
        let mut hooks = READING_HOOKS.iter();
        hooks.all(|hook| defines(model.text, hook))
    };
    let readers = MODELS.iter().find(is_reader);
    let readers = readers.expect("the hooks are of a model");
    link(context, environment, readers, (data_model, true), folder)?;
    Ok(())
}

/// Calls of intrinsics that stand for functions of the C library call these. The program does not
/// define them: clang calls its definitions by name.
fn name_mathematics(ir: &Ir<'_>) {
    let intrinsics = ir.functions().into_iter();
    for intrinsic in intrinsics.filter(|function| !function.users().is_empty()) {
        let name = intrinsic.name();
        let Some((kind, types)) =
            (name.strip_prefix("llvm.")).and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        let Some((_, function)) = MATHEMATICS.iter().find(|(known, _)| *known == kind) else {
            continue;
        };
        let suffix = match types.rsplit('.').next() {
            Some("f64") => "",
            Some("f32") => "f",
            _ => continue,
        };
        let params: Vec<Ty> = intrinsic.params().into_iter().map(Value::ty).collect();
        let result = intrinsic.value_type().result();
        let function = ir.declare(&format!("{function}{suffix}"), result, &params);
        let is_rounded_twice = |call: &Value| {
            kind == PRODUCT_AND_SUM && !has_fused_products(ir, call.parent().function())
        };
        for call in intrinsic.users() {
            if is_rounded_twice(&call) {
                continue;
            }
            ir.before(call);
            let value = ir.call(function, &call.call_arguments(), "");
            call.replace_uses(value);
            call.erase();
        }
    }
}

/// Whether a function is for processors that round a product and a sum once (`-mfma`, `-march=haswell`).
fn has_fused_products(ir: &Ir<'_>, function: Value) -> bool {
    let features = ir.text_attribute(function, "target-features");
    features.is_some_and(|features| features.split(',').any(|feature| feature == "+fma"))
}

/// Names of functions that are used and not defined.
pub(super) fn undefined_functions(ir: &Ir<'_>) -> Vec<String> {
    ir.functions()
        .into_iter()
        .filter(|function| function.is_declaration() && !function.users().is_empty())
        .map(Value::name)
        .collect()
}

/// These functions do nothing, as far as they are not defined.
fn define_empty(ir: &Ir<'_>, names: &[&str]) {
    let functions = names.iter().filter_map(|name| ir.function(name));
    for function in functions.filter(|it| it.is_declaration()) {
        begin_body(ir, function);
        ir.ret(None);
    }
}

/// The constant texts of a model are names for messages, not objects of the program.
pub(super) fn hide_texts(ir: &Ir<'_>, model: &str) {
    for (number, global) in ir.globals().into_iter().enumerate() {
        if global.is_constant_global() && global.c_string().is_some() {
            global.set_name(&format!("{TEXT_PREFIX}{model}.{number}"));
        }
    }
}

fn stand_ins(called: &[String], outside: Outside) -> Vec<StandIn> {
    let has_environment = outside == Outside::Given;
    let is_native = |name: &str| outside.leaves(name);
    let mut all: Vec<StandIn> = called
        .iter()
        // The preparation calls some itself.
        .filter(|name| !is_native(name) && !name_in_programs(name).starts_with("compact_se_"))
        .filter_map(|name| {
            let by = if is_memory_function(name) {
                StandInKind::Model
            } else {
                let mut models = MODELS.iter().filter(|model| model.is_for(has_environment));
                let model = models.find(|model| defines(model.text, name))?;
                model.stand_in?
            };
            let name = name_in_programs(name).into_owned();
            Some(StandIn { by, name })
        })
        .collect();
    all.sort();
    // Operators of C++ have several forms.
    all.dedup();
    all
}

/// Whether a program with a symbolic environment may call this function.
pub(super) fn is_known_with_environment(name: &str) -> bool {
    let mut models = MODELS.iter().filter(|one| one.fits == Fits::Environment);
    environment::defines(name) || models.any(|one| defines(one.text, name))
}

/// What programs call a function of the C library, which headers may give another name.
pub(super) fn name_in_programs(name: &str) -> Cow<'_, str> {
    let prefixes = [COUNTED_PREFIX, READING_PREFIX, "__isoc99_", "__isoc23_"];
    let mut names = prefixes.into_iter().filter_map(|it| name.strip_prefix(it));
    names.next().map_or_else(|| in_source(name), Cow::Borrowed)
}

/// The called functions that do nothing but ask for their result.
fn asking_functions(ir: &Ir<'_>, called: &[String]) -> Vec<External> {
    let asks = |function: &Value| {
        let mut callees = function.instructions().into_iter();
        callees.any(|instruction| {
            let callee = instruction.callee_name();
            callee.is_some_and(|callee| callee.starts_with(&format!("{RUNTIME_PREFIX}call_i")))
        })
    };
    let gives_its_result_only =
        |function: &Value| !function.params().into_iter().any(|p| p.ty().is_pointer());
    called
        .iter()
        .filter_map(|name| ir.function(name))
        .filter(|function| !function.is_declaration())
        .filter(|function| asks(function) && gives_its_result_only(function))
        .map(|function| External {
            name: function.name(),
            symbol: None,
            result: kind_of(function.value_type().result()),
        })
        .collect()
}

/// Whether a model's text defines a function: its name followed by `(` in a line that begins a
/// definition, or behind the `(` of a line that begins with a macro. That it is only roughly so
/// costs time at most.
pub(super) fn defines(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.lines().any(|line| {
        line.starts_with(is_word)
            && !line.starts_with("static ")
            && line.split_once('(').is_some_and(|(head, tail)| {
                let is_macro = head.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                if is_macro {
                    let end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
                    return &tail[..end] == name;
                }
                head.ends_with(name)
                    && !head[..head.len() - name.len()].ends_with(is_word)
                    && !tail.ends_with(';')
            })
    })
}

/// A model as bitcode: the executable has it compiled, if that could be done when it was built.
fn compile<'c>(
    context: &'c Context,
    model: &Model,
    data_model: DataModel,
    has_environment: bool,
    folder: &Path,
) -> Result<Module<'c>, LoadError> {
    let mut arguments = vec![data_model.clang_flag()];
    if has_environment && depends_on_environment(model.text) {
        arguments.push(GIVEN_ENVIRONMENT);
    }
    let module = match compiled::find(model.name, &arguments) {
        Some(bitcode) => {
            let path = folder.join(format!("{}.bc", model.name));
            std::fs::write(&path, bitcode)
                .map_err(|error| LoadError::system("write a model", &error))?;
            read_model(context, model.name, path)
        }
        None => {
            let further = &arguments[1..];
            compile_text(context, model.name, model.text, further, data_model, folder)
        }
    }?;
    if !model.has_places {
        module.strip_debug_info();
    }
    Ok(module)
}

/// Compiles C that is not the program's.
pub(super) fn compile_text<'c>(
    context: &'c Context,
    name: &str,
    text: &str,
    arguments: &[&str],
    data_model: DataModel,
    folder: &Path,
) -> Result<Module<'c>, LoadError> {
    let source = folder.join(name);
    let bitcode = folder.join(format!("{name}.bc"));
    std::fs::write(&source, text).map_err(|error| LoadError::system("write a model", &error))?;
    let compiler = Compiler {
        clang: find_clang()?,
        data_model,
        include: write_headers(folder)?,
    };
    let mut extra = vec![MODEL.to_owned()];
    let folder = folder.display();
    extra.push(format!("-ffile-prefix-map={folder}={MODEL_FOLDER}"));
    extra.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    compiler.compile(&source, &bitcode, &extra)?;
    read_model(context, name, bitcode)
}

fn read_model<'c>(
    context: &'c Context,
    name: &str,
    bitcode: PathBuf,
) -> Result<Module<'c>, LoadError> {
    let file = LlvmFile {
        regions: Vec::new(),
        inline: Vec::new(),
        notes: Vec::new(),
        path: bitcode,
        shown: PathBuf::from(name),
        kind: InputKind::Bitcode,
    };
    read::read_and_link(context, &[file])
}

#[cfg(test)]
mod tests {
    use super::{DataModel, GIVEN_ENVIRONMENT, MODEL_FOLDER, MODELS};
    use super::{compiled, depends_on_environment};
    use flowgraph::MODEL_FILES;

    #[test]
    fn models_come_compiled() {
        assert_eq!(format!("{MODEL_FOLDER}/"), MODEL_FILES);
        let flag = DataModel::Lp64.clang_flag();
        for model in MODELS {
            let is_there = |arguments: &[&str]| compiled::find(model.name, arguments).is_some();
            assert!(is_there(&[flag]), "{}", model.name);
            let has_another = is_there(&[flag, GIVEN_ENVIRONMENT]);
            assert_eq!(has_another, depends_on_environment(model.text));
        }
        assert!(compiled::find("nobody.c", &[flag]).is_none());
    }
}
