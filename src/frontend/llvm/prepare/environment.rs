//! The symbolic environment: arguments, standard input and files, by the model in `environment.c`; without
//! one, standard input by that in `input.c` ([`input`]).
//!
//! ```text
//! prepared module --> clone --> link the model --> parameters of main --> inline --> what is lowered
//! ```
//!
//! The prepared module only declares the functions of the model: a replay is started with real arguments and
//! files, and uses the C library. So its inputs are those of the lowered module without those of the model,
//! which are marked by their names.
//!
//! # Invariants
//! - No later pass over the program could drop or add an input.

use super::super::{DataModel, LoadError, LoadOptions};
use super::externals::define_externals;
use super::ir::{Ir, RUNTIME_PREFIX, Value};
use super::{
    canonical, inline, input, internalise, make_registers, models, partial, run_passes, start,
};
use super::{undefined, verify};
use inkwell::context::Context;
use inkwell::module::Module;
use std::path::{Path, PathBuf};

const MODEL: &str = "environment.c";
const TEXT: &str = include_str!("../../../../runtime/models/environment.c");

/// The purpose of the environment, and its files.
pub(super) struct EnvironmentContext<'p> {
    pub data_model: DataModel,
    /// Whether accesses to memory are checked.
    pub checks_memory: bool,
    /// For scratch files.
    pub folder: &'p Path,
    /// For the result.
    pub output: &'p Path,
}

/// Where a program gets what it reads from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outside {
    /// From models that are part of a replay; it reads single characters of standard input at most.
    Arbitrary,
    /// The same, and from a standard input of any content.
    Read,
    /// From a symbolic environment.
    Given,
}

impl Outside {
    /// Comes before anything is defined that the program only declares.
    pub(super) fn of(options: &LoadOptions, ir: &Ir<'_>) -> Outside {
        if options.environment.is_some() {
            Outside::Given
        } else if input::is_needed(&models::undefined_functions(ir)) {
            Outside::Read
        } else {
            Outside::Arbitrary
        }
    }

    /// Whether a replay calls the C library's function of this name, and what is analysed the model's.
    pub(super) fn leaves(self, function: &str) -> bool {
        match self {
            Outside::Arbitrary => false,
            Outside::Read => input::reads(function),
            Outside::Given => defines(function),
        }
    }

    /// Whether a stream of the C library is that in a replay.
    pub(super) fn has_stream(self, variable: &str) -> bool {
        match self {
            Outside::Arbitrary => false,
            Outside::Read => variable == "stdin",
            Outside::Given => ["stdin", "stdout", "stderr"].contains(&variable),
        }
    }

    /// What *unreachable* takes for granted, a clause each.
    pub(super) fn assumed(self) -> &'static [&'static str] {
        match self {
            Outside::Arbitrary | Outside::Given => &[],
            Outside::Read => &input::ASSUMED,
        }
    }
}

/// Whether the model of an environment defines a function of this name.
pub(super) fn defines(name: &str) -> bool {
    models::defines(TEXT, name)
}

/// Writes the program together with its environment.
pub(super) fn link_environment<'c>(
    context: &'c Context,
    prepared: &Module<'c>,
    options: &LoadOptions,
    place: &EnvironmentContext<'_>,
) -> Result<(), LoadError> {
    let program = prepared.clone();
    let (name, text) = match &options.environment {
        Some(environment) => {
            let uses_errno = Ir::new(&program)
                .function("__errno_location")
                .is_some_and(|function| !function.users().is_empty());
            let head = if uses_errno {
                "#define USES_ERRNO\n"
            } else {
                ""
            };
            (MODEL, environment.head() + head + TEXT)
        }
        None => {
            let text = input::model_for(&Ir::new(&program), place.data_model);
            (input::MODEL, text)
        }
    };
    // What is called in the program stays so: frames may be told apart.
    let called = {
        let ir = Ir::new(&program);
        let called = ir.definitions().into_iter();
        let called = called.filter(|function| ir.has_attribute(*function, "noinline"));
        called.map(Value::name).collect::<Vec<_>>()
    };
    let model = prepare_model(context, (name, &text), options, place)?;
    // Functions of the runtime that both have are one.
    for module in [&program, &model] {
        for function in Ir::new(module).definitions() {
            if function.name().starts_with(RUNTIME_PREFIX) {
                function.set_weak();
            }
        }
    }
    program
        .link_in_module(model)
        .map_err(|error| LoadError::Link {
            path: PathBuf::from(name),
            reason: error.to_string(),
        })?;
    {
        let ir = Ir::new(&program);
        start_with(&ir, options.environment.is_some());
        internalise(&ir);
        // Whatever is to be told of functions that stay was told of the program.
        let mut notes = Vec::new();
        let called = called.iter().filter_map(|name| ir.function(name));
        inline::choose_inlining(&ir, options.inline, called.collect(), &mut notes);
    }
    verify(&program, "with its environment")?;
    run_passes(&program, "always-inline,globaldce")?;
    verify(&program, "after the passes over its environment")?;
    if !program.write_bitcode_to_path(place.output) {
        return Err(LoadError::system(
            "write the bitcode that is analysed",
            &place.output.display(),
        ));
    }
    Ok(())
}

/// The model as the program was prepared, without what concerns inputs of the program. Its variables
/// are all initialised.
fn prepare_model<'c>(
    context: &'c Context,
    (name, text): (&str, &str),
    options: &LoadOptions,
    place: &EnvironmentContext<'_>,
) -> Result<Module<'c>, LoadError> {
    let (data_model, folder) = (place.data_model, place.folder);
    let model = models::compile_text(context, name, text, &["-g0"], data_model, folder)?;
    models::link_readers(context, &model, data_model, place.checks_memory, folder)?;
    {
        let ir = Ir::new(&model);
        models::hide_texts(&ir, name);
        define_externals(&ir, options, Outside::Arbitrary, &mut Vec::new());
        partial::keep_partial_operations(&ir);
        canonical::make_constants_canonical(&ir)?;
    }
    make_registers(&model)?;
    undefined::fill_undefined(&Ir::new(&model));
    for function in Ir::new(&model).definitions() {
        if !function.is_internal() {
            function.set_weak();
        }
    }
    Ok(model)
}

/// The code before `main`, and its parameters where they are given.
fn start_with(ir: &Ir<'_>, is_given: bool) {
    let main = ir
        .function("main")
        .expect("checked before: main is defined");
    let params: Vec<Value> = main.params();
    ir.before(main.blocks()[0].first_insertion_point(true));
    let begin = ir.declare("compact_se_environment_start", ir.void(), &[]);
    ir.call(begin, &[], "");
    if is_given {
        start::define_parameters(ir, &params);
    }
}
