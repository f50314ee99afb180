//! Preparation: LLVM files to one module that both the lowering and the native replay read.
//!
//! ```text
//! read, link --> no landing pads --> main, if another function is the entry --> mark the target --> sizes of arrays are
//! checked --> what main starts with --> link models --> assembly without effect goes --> jumps become branches --> what is
//! asked of compilers is answered --> bodies for what has none --> numbers for labels --> variable arguments in
//! memory --> inputs for what is uninitialised --> vectors by elements --> partial operations are kept --> canonical
//! constants --> inline, mem2reg, dead code --> globals of main alone become registers --> inputs for
//! what is still undefined --> names of C --> prepared bitcode
//! prepared bitcode --> link the symbolic environment, if there is one --> analysed bitcode
//! ```
//!
//! # Invariants of the prepared module
//! - It verifies. Everything but `main` is internal.
//! - Functions without a body are LLVM's intrinsics, the runtime's (`__compact_se_*`) and those
//!   that end the program (`exit`, `abort`, `__assert_fail`, …), handlers of checks among them; and
//!   those of a symbolic environment, which a replay calls in the C library.
//! - No scalar operand is `undef` or `poison`: it is the result of an input call.
//! - Constant address arithmetic counts bytes; integer constants beyond 64 bits are calls of
//!   `__compact_se_wide`.

#![expect(unsafe_code, reason = "calls of LLVM's C interface")]

mod assembly;
mod build;
mod called_at;
mod canonical;
mod cplusplus;
mod debug_types;
mod described;
mod entry;
mod environment;
mod escape;
mod exit_handlers;
mod externals;
mod formats;
mod frames;
mod function_types;
mod goals;
mod held;
mod inline;
mod input;
mod input_types;
mod ir;
mod jumps;
mod labels;
mod library;
mod localise;
mod loops;
mod mark;
mod names;
mod observed;
mod observer;
mod partial;
mod pointers;
pub(super) mod models;
mod read;
mod return_addresses;
mod sanitized;
mod signature;
mod scopes;
mod sections;
mod sizes;
mod sse;
mod start;
mod undefined;
mod uninitialised;
mod values;
mod variadic;
mod vectors;
mod weak;

pub(super) use externals::{
    ABORT_FUNCTIONS, ASSERT_FUNCTIONS, EXIT_FUNCTIONS, QUICK_EXIT_FUNCTIONS,
};
pub(super) use ir::{
    ARRAY_SIZE_FUNCTION, LOST_JUMP_FUNCTION, OPERATION_PREFIX, RUNTIME_PREFIX, TEXT_PREFIX,
    UNDEFINED_FUNCTION,
};
pub(super) use library::of_library;
pub(super) use loops::SourceLoop;
pub(super) use read::{Functions, KEPT_PREFIX, data_model_of, functions_of};

use super::regions::Regions;
use super::{
    ArraySizes, DataModel, External, Frames, Globals, Goal, Goals, InputKind, InputType, LoadError,
    LoadOptions, Sanitizer, StandIn, TargetPlace, TargetSpec, Variables,
};
use environment::Outside;
use escape::Sought;
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, InitializationConfig, RelocMode, Target, TargetMachine};
use ir::Ir;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file that LLVM reads.
#[derive(Clone, Debug)]
pub(super) struct LlvmFile {
    pub path: PathBuf,
    /// The user's file that it comes from.
    pub shown: PathBuf,
    /// `C` if we compiled it, without optimisation.
    pub kind: InputKind,
    /// What clang says of the branchings in its text, where goals are requested.
    pub regions: Vec<Regions>,
    /// Functions that give way to definitions in other files: inline definitions.
    pub inline: Vec<String>,
    /// Notes about its text.
    pub notes: Vec<String>,
}

/// The name of the program's own `main` if another function is the entry.
const FORMER_MAIN: &str = "main.of.program";

/// Functions that the machine's code calls where a program copies or fills memory. A replay is not to find
/// those of the program by these names.
const CALLED_BY_CODE: [&str; 3] = ["memcpy", "memmove", "memset"];

/// The prepared program with calls of an observer before its accesses, where these are checked.
pub(super) const OBSERVED_FILE: &str = "observed.bc";

/// The results of the preparation.
#[derive(Serialize, Deserialize)]
pub(super) struct Outcome {
    pub data_model: DataModel,
    pub externals: Vec<External>,
    pub stand_ins: Vec<StandIn>,
    pub input_types: BTreeMap<String, InputType>,
    pub assumed: Vec<String>,
    pub notes: Vec<String>,
    /// Whether the program has a target.
    pub has_target: bool,
    /// Where the targets stand.
    pub target_places: Vec<TargetPlace>,
    /// Whether clang has put checks into it.
    pub is_instrumented: bool,
    /// The goals to cover.
    pub goals: Vec<Goal>,
    /// The variables of each function, in bytes, by its name.
    pub frames: BTreeMap<String, u64>,
    /// Where loops stand in the source, for the lowering.
    #[serde(skip)]
    pub loops: Vec<SourceLoop>,
    /// The module to lower, if it is not the prepared bitcode.
    pub analysed: Option<PathBuf>,
}

/// Prepares the program of `files` and writes it to `output`; `folder` is for scratch files.
/// `is_in_source` is asked where the files do not have a target.
pub(super) fn prepare(
    options: &LoadOptions,
    files: &[LlvmFile],
    is_in_source: &dyn Fn(&TargetSpec) -> Result<bool, LoadError>,
    folder: &Path,
    output: &Path,
) -> Result<Outcome, LoadError> {
    let context = Context::create();
    let notes = files.iter().flat_map(|file| file.notes.iter().cloned());
    let mut notes: Vec<String> = notes.collect();
    let module = read::read_and_link(&context, files)?;
    let shown = &files[0].shown;
    let data_model = read::check_machine(&module, shown, options.data_model)?;
    check_program(&Ir::new(&module), shown, options.entry.is_none())?;
    sections::bound_sections(&Ir::new(&module));
    externals::call_own_functions(&Ir::new(&module));
    let mut frames = frames::sizes_of_variables(&Ir::new(&module));
    if options.entry.is_some() {
        // The arguments of the entry function are in ours.
        frames.remove("main");
    }
    for function in Ir::new(&module).definitions() {
        // Passes leave such functions as they are.
        Ir::new(&module).remove_attribute(function, "optnone");
    }
    let words = cplusplus::name_words_as_in_c(&Ir::new(&module), &mut notes);
    if cplusplus::has_exceptions(&Ir::new(&module)) {
        // What throws ends the path, so that calls return or the path has ended.
        run_passes(&module, "function(lower-invoke)")?;
    } else {
        let ir = Ir::new(&module);
        cplusplus::end_where_library_throws(&ir);
        cplusplus::end_where_program_throws(&ir);
    }
    let mut input_types = input_types::input_types(&Ir::new(&module), options.entry.as_ref());
    if let Some(entry) = &options.entry {
        let behind = entry::start_at(&Ir::new(&module), entry, &mut notes)?;
        input_types.extend(input_types::pointee_types(&behind));
    }
    let assumed = pointers::point_to_functions(&Ir::new(&module), &mut notes);
    let goals = match options.goals {
        Goals::Nothing => Vec::new(),
        wanted => {
            run_passes(&module, "function(break-crit-edges)")?;
            let regions: Vec<&Regions> = files.iter().flat_map(|file| &file.regions).collect();
            goals::mark_goals(&Ir::new(&module), wanted, &regions)
        }
    };
    let has_target = mark::mark_target(&Ir::new(&module), options, is_in_source, &mut notes)?;
    weak::resolve_weak(&Ir::new(&module), &mut notes)?;
    function_types::compare_functions(&Ir::new(&module));
    // Frames are distinguished where accesses are checked.
    let checks_memory = match options.frames {
        Frames::Merged => false,
        Frames::Kept => true,
        Frames::KeptWithoutTarget => !has_target,
    };
    if options.array_sizes == ArraySizes::Checked {
        sizes::check_sizes(&Ir::new(&module), checks_memory);
    }
    sanitized::allow_wrap_around(&Ir::new(&module));
    let is_instrumented = sanitized::hide_descriptions(&Ir::new(&module));
    sanitized::check_accessed_ends(&Ir::new(&module));
    let outside;
    {
        let ir = Ir::new(&module);
        outside = Outside::of(options, &ir);
        start::define_start(&ir, outside, &mut notes)?;
        formats::refuse_formats(&ir, checks_memory);
        exit_handlers::run_exit_handlers(&ir)?;
    }
    let library = models::link_models(
        &context,
        &module,
        data_model,
        (outside, checks_memory),
        folder,
    )?;
    mark::mark_models(&Ir::new(&module), options);
    let target_places = mark::target_places(&Ir::new(&module), &options.target);
    let mut externals = library.externals;
    resolve_aliases(&Ir::new(&module));
    assembly::remove_what_does_nothing(&Ir::new(&module));
    return_addresses::choose_addresses_of_frames(&Ir::new(&module));
    follow_jumps(&module)?;
    let asked_of_compilers = ["llvm.objectsize.", "llvm.is.constant."];
    let functions = Ir::new(&module).functions();
    if (functions.iter().map(|function| function.name())).any(|name| {
        asked_of_compilers
            .iter()
            .any(|prefix| name.starts_with(prefix))
    }) {
        // While variables are in memory, as clang answers without optimisation.
        run_passes(&module, "function(lower-constant-intrinsics)")?;
    }
    {
        let ir = Ir::new(&module);
        if options.sanitizers.contains(&Sanitizer::Uses) {
            observed::mark_uses(&ir, &library.functions);
        }
        if options.sanitizers.contains(&Sanitizer::Pairs) {
            observed::mark_pairs(&ir, &library.functions);
        }
        externals.extend(externals::define_externals(
            &ir, options, outside, &mut notes,
        ));
        labels::number_labels(&ir);
        variadic::pass_variable_arguments(&ir);
        ir.set_debug_records(false);
        uninitialised::fill_locals(&ir);
        ir.set_debug_records(true);
        if vectors::are_used(&ir) {
            vectors::keep_loads(&ir);
            vectors::expand_reductions(&ir);
            sse::expand(&ir);
            run_passes(&module, vectors::PASS)?;
            vectors::begin_with_zero(&ir);
        }
        if options.variables == Variables::Held {
            held::hold_variables(&ir);
        }
        if options.sanitizers.contains(&Sanitizer::Scope) {
            scopes::keep_variables_of_blocks(&ir);
        }
        partial::keep_partial_operations(&ir);
        canonical::make_constants_canonical(&ir)?;
        internalise(&ir);
        let sought = if checks_memory {
            Sought::Accessible
        } else {
            Sought::Comparable
        };
        let mut framed = escape::functions_with_escaping_variables(&ir, sought);
        if checks_memory && options.stack.is_some() {
            framed.extend(frames::functions_with_many(&ir, &frames));
        }
        inline::choose_inlining(&ir, options.inline, framed, &mut notes);
    }
    verify(&module, "after the preparation")?;
    // Twice, because mem2reg resolves function pointers that were passed to inlined functions.
    run_passes(&module, "always-inline")?;
    make_registers(&module)?;
    run_passes(&module, "always-inline,globaldce")?;
    if options.globals == Globals::Localised {
        localise::localise_globals(&Ir::new(&module));
    }
    make_registers(&module)?;
    run_passes(&module, "globaldce")?;
    let loops = {
        let ir = Ir::new(&module);
        called_at::place_models_at_calls(&ir, &library.functions);
        undefined::fill_undefined(&ir);
        ir.set_debug_records(false);
        names::name_after_variables(&ir);
        ir.set_debug_records(true);
        sanitized::mark_for_sanitizers(&ir);
        sanitized::mark_ends(&ir);
        loops::source_loops(&ir)
    };
    verify(&module, "after the passes")?;
    if !module.write_bitcode_to_path(output) {
        return Err(LoadError::system(
            "write the prepared bitcode",
            &output.display(),
        ));
    }
    let analysed = if outside == Outside::Arbitrary {
        None
    } else {
        let analysed = folder.join("analysed.bc");
        let place = environment::EnvironmentContext {
            data_model,
            checks_memory,
            folder,
            output: &analysed,
        };
        environment::link_environment(&context, &module, options, &place)?;
        Some(analysed)
    };
    if checks_memory {
        observer::observe_accesses(&Ir::new(&module));
        let observed = folder.join(OBSERVED_FILE);
        if !module.write_bitcode_to_path(&observed) {
            return Err(LoadError::system(
                "write the observed bitcode",
                &observed.display(),
            ));
        }
    }
    for external in &mut externals {
        external.symbol = words.get(&external.name).cloned();
    }
    Ok(Outcome {
        data_model,
        externals,
        stand_ins: library.stand_ins,
        input_types,
        assumed: (assumed.into_iter().chain(outside.assumed().iter().copied()))
            .map(str::to_owned)
            .collect(),
        notes,
        has_target,
        target_places,
        is_instrumented,
        goals,
        frames,
        loops,
        analysed,
    })
}

fn verify(module: &Module<'_>, when: &str) -> Result<(), LoadError> {
    module.verify().map_err(|error| LoadError::Internal {
        what: format!(
            "invalid bitcode {when}: {}",
            error.to_string().replace('\n', " ")
        ),
    })
}

/// Constructs that make the whole program unsupported.
fn check_program(ir: &Ir<'_>, shown: &Path, needs_main: bool) -> Result<(), LoadError> {
    let refuse = |what: &str| {
        Err(LoadError::Refused {
            what: what.to_owned(),
        })
    };
    if needs_main && ir.function("main").is_none_or(|main| main.is_declaration()) {
        return Err(LoadError::MissingMain {
            path: shown.to_owned(),
        });
    }
    if ir.has_ifuncs() {
        return refuse("it has indirect functions (ifunc)");
    }
    let assembly = ir.module_assembly();
    // Versions of symbols are for linkers.
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with(".symver");
    match assembly.lines().map(str::trim).find(is_code) {
        Some(line) => {
            return refuse(&format!("it has assembly outside of functions: {line}"));
        }
        None => ir.clear_module_assembly(),
    }
    for function in ir.functions() {
        let is_ours = function.name() == UNDEFINED_FUNCTION && function.is_declaration();
        if function.name().starts_with(RUNTIME_PREFIX) && !is_ours {
            return refuse(&format!(
                "{} is a name of the runtime library; was this bitcode already prepared by compact-se?",
                function.name()
            ));
        }
    }
    if let Some(label) = labels::of_threads(ir) {
        return refuse(&format!(
            "the label {label} starts a thread in CBMC, and such threads are not supported"
        ));
    }
    Ok(())
}

/// Uses of an alias become uses of what it stands for.
fn resolve_aliases(ir: &Ir<'_>) {
    // An alias of an alias needs a second iteration; cycles are invalid bitcode.
    for _ in 0..2 {
        for (alias, aliasee) in ir.aliases() {
            alias.replace_uses(aliasee);
        }
    }
    for (alias, _) in ir.aliases() {
        alias.set_internal();
    }
}

/// Jumps between functions become returns and branches.
fn follow_jumps(module: &Module<'_>) -> Result<(), LoadError> {
    let ir = Ir::new(module);
    let Some(jumps) = jumps::Jumps::find(&ir) else {
        return Ok(());
    };
    let shielded = jumps.shield_others(&ir);
    run_passes(module, "function(reg2mem)")?;
    for (function, attribute) in shielded {
        ir.remove_attribute(function, attribute);
    }
    jumps.follow(&ir);
    Ok(())
}

fn internalise(ir: &Ir<'_>) {
    let functions = ir.definitions().into_iter();
    for value in functions.chain(ir.globals()) {
        let name = value.name();
        if name != "main" && !name.starts_with("llvm.") && !value.is_declaration() {
            value.set_internal();
            if CALLED_BY_CODE.contains(&name.as_str()) {
                value.set_name(&format!("{name}.of.program"));
            }
        }
    }
}

/// Turns local variables into registers. Where that shows a pointer to be one to a variable, the
/// variable may become a register too.
fn make_registers(module: &Module<'_>) -> Result<(), LoadError> {
    loop {
        run_passes(module, "function(mem2reg,dce)")?;
        if !partial::release_safe_loads(&Ir::new(module)) {
            return Ok(());
        }
    }
}

fn run_passes(module: &Module<'_>, passes: &str) -> Result<(), LoadError> {
    Target::initialize_x86(&InitializationConfig {
        asm_parser: false,
        asm_printer: false,
        disassembler: false,
        base: true,
        info: true,
        machine_code: true,
    });
    let internal = |what: String| LoadError::Internal { what };
    let triple = module.get_triple();
    let machine: TargetMachine = Target::from_triple(&triple)
        .map_err(|error| internal(error.to_string()))?
        .create_target_machine(
            &triple,
            "generic",
            "",
            OptimizationLevel::None,
            RelocMode::Default,
            CodeModel::Default,
        )
        .ok_or_else(|| internal("LLVM knows no such machine".to_owned()))?;
    module
        .run_passes(passes, &machine, PassBuilderOptions::create())
        .map_err(|error| internal(format!("passes: {error}")))
}
