//! Marks the target with a call of `__compact_se_target`, before any pass can move, copy or delete the code.

use super::super::symbols::{in_source, nearest};
use super::super::target::{DEFAULT_FUNCTIONS, DEFAULT_LABEL, KLEE_ERROR, KLEE_REPORTERS};
use super::super::{Goals, LoadError, LoadOptions, TargetPlace, TargetReport, TargetSpec};
use super::RUNTIME_PREFIX;
use super::called_at::DebugLocation;
use super::cplusplus::functions_called;
use super::ir::{Block, Ir, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{BTreeMap, BTreeSet};

/// Marks what the options name; whether the program has a target then.
pub(super) fn mark_target(
    ir: &Ir<'_>,
    options: &LoadOptions,
    is_in_source: &dyn Fn(&TargetSpec) -> Result<bool, LoadError>,
    notes: &mut Vec<String>,
) -> Result<bool, LoadError> {
    let mut has_target = false;
    for name in &options.further_targets {
        has_target |= mark_function(ir, name);
    }
    if options.goals != Goals::Nothing {
        // Nobody defines what they do, but that the program ends there.
        for name in DEFAULT_FUNCTIONS {
            if ir.function(name).is_some_and(Value::is_declaration) {
                has_target |= mark_function(ir, name);
            }
        }
    }
    let targets = options.target.parts().iter();
    for target in targets {
        if mark(ir, target) {
            has_target = true;
        } else if is_in_source(sought(target, options))? {
            if let Some(name) = target
                .functions()
                .into_iter()
                .find(|name| is_of_compiler(name))
            {
                return Err(LoadError::Refused {
                    what: format!(
                        "the target {name} is a compiler builtin, whose calls do not remain in the \
                         code; name the line of a call, as FILE:LINE"
                    ),
                });
            }
            has_target = true;
            notes.push(format!(
                "clang generated no code for the target {target}, since no path reaches it"
            ));
        } else if *target == TargetSpec::Default && options.default_may_be_missing {
            // There are other goals, whatever a model reports.
            for name in DEFAULT_FUNCTIONS {
                let mut functions = functions_called(ir, name).into_iter();
                if functions.any(|function| !function.is_declaration()) {
                    notes.push(format!(
                        "{name} is defined but never called, so it cannot be a target"
                    ));
                }
            }
        } else if marks_model(ir, target) || is_by_default(target) && mark_defaults(ir, |_| true) {
            has_target = true;
        } else if *target == TargetSpec::All && options.target.parts().len() > 1 {
            notes.push("the program has none of the default targets".to_owned());
        } else if options.allow_missing_target {
            notes.push(format!(
                "the program has no target {target}, so it cannot be reached"
            ));
        } else {
            return Err(LoadError::MissingTarget {
                target: target.to_string(),
                present: match target {
                    TargetSpec::Line { file, line } => describe_lines(ir, file, *line),
                    _ => describe_names(ir, target),
                },
            });
        }
    }
    Ok(has_target)
}

/// Whether a function is one that compilers make code of by themselves, without a call.
fn is_of_compiler(name: &str) -> bool {
    let beginnings = ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"];
    beginnings
        .iter()
        .any(|beginning| name.starts_with(beginning))
}

/// Whether [`mark_models`] will find this target.
fn marks_model(ir: &Ir<'_>, target: &TargetSpec) -> bool {
    let has_reporter = || {
        KLEE_REPORTERS
            .iter()
            .any(|name| ir.function(name).is_some())
    };
    is_by_default(target) && has_reporter()
}

fn is_by_default(target: &TargetSpec) -> bool {
    matches!(target, TargetSpec::Default | TargetSpec::All)
}

/// Marks default targets that came with the models, which only report errors of the program.
pub(super) fn mark_models(ir: &Ir<'_>, options: &LoadOptions) {
    let is_asked = options.target.parts().iter().any(is_by_default);
    if is_asked && !calls_target(ir, KLEE_ERROR) {
        mark_function(ir, KLEE_ERROR);
    }
}

fn calls_target(ir: &Ir<'_>, name: &str) -> bool {
    let target = format!("{RUNTIME_PREFIX}target");
    let instructions = ir.function(name).map(Value::instructions);
    let mut instructions = instructions.into_iter().flatten();
    instructions.any(|instruction| instruction.callee_name().as_ref() == Some(&target))
}

/// Where the target is reached, as far as places are known. Comes behind all marking: calls of functions have
/// their places still.
pub(super) fn target_places(ir: &Ir<'_>, target: &TargetSpec) -> Vec<TargetPlace> {
    let mut places = Vec::new();
    ir.set_debug_records(false);
    add_places(ir, target, &mut places);
    ir.set_debug_records(true);
    places
}

fn add_places(ir: &Ir<'_>, target: &TargetSpec, places: &mut Vec<TargetPlace>) {
    let mut add = |name: &str, instructions: Vec<Value>| {
        let known = instructions
            .into_iter()
            .filter_map(|it| place_of(ir, it, name));
        let before = places.len();
        places.extend(known);
        places.len() > before
    };
    match target {
        TargetSpec::Default | TargetSpec::All => {
            for name in DEFAULT_FUNCTIONS {
                add(name, calls_of(ir, name));
            }
            add(DEFAULT_LABEL, with_label(ir, DEFAULT_LABEL));
            add_places_of_reporters(ir, places);
        }
        TargetSpec::Name(name) => {
            let _ = add(name, calls_of(ir, name)) || add(name, with_label(ir, name));
        }
        TargetSpec::Function(name) => {
            add(name, calls_of(ir, name));
        }
        TargetSpec::Label(name) => {
            add(name, with_label(ir, name));
        }
        TargetSpec::Line { file, line } => {
            add(&target.to_string(), on_line(ir, file, *line));
        }
        TargetSpec::EachOf(targets) => {
            for target in targets {
                add_places(ir, target, places);
            }
        }
    }
}

/// Models that report errors do so where the program calls them.
fn add_places_of_reporters(ir: &Ir<'_>, places: &mut Vec<TargetPlace>) {
    for reporter in KLEE_REPORTERS {
        let Some(model) = ir.function(reporter) else {
            continue;
        };
        let report = model.instructions().into_iter().find_map(report_of);
        for call in calls_of(ir, reporter) {
            places.extend(place_of(ir, call, reporter).map(|place| TargetPlace {
                report: report.clone(),
                ..place
            }));
        }
    }
}

/// An instruction as a place at which a target is reached.
fn place_of(ir: &Ir<'_>, instruction: Value, name: &str) -> Option<TargetPlace> {
    let shown = DebugLocation::of(instruction)?.shown(ir);
    Some(TargetPlace {
        file: shown.file,
        line: shown.line,
        column: shown.column,
        name: name.to_owned(),
        report: report_of(instruction),
    })
}

/// The message of a call of `klee_report_error`, if it is constant.
fn report_of(call: Value) -> Option<TargetReport> {
    if call.callee_name()? != KLEE_ERROR {
        return None;
    }
    let arguments = call.call_arguments();
    let text = |position: usize| arguments.get(position)?.c_string();
    Some(TargetReport {
        message: text(2)?,
        suffix: text(3)?,
    })
}

/// The direct calls of the functions of this name.
fn calls_of(ir: &Ir<'_>, name: &str) -> Vec<Value> {
    let functions = functions_called(ir, name).into_iter();
    let calls = functions.flat_map(|function| {
        let users = function.users().into_iter();
        users.filter(move |user| user.is_instruction() && user.callee() == Some(function))
    });
    calls.collect()
}

/// Marks the target; false if the program does not have it.
fn mark(ir: &Ir<'_>, target: &TargetSpec) -> bool {
    match target {
        TargetSpec::Default => {
            mark_defaults(ir, |name| is_used(ir, name)) || mark_label(ir, DEFAULT_LABEL)
        }
        TargetSpec::All => {
            let has_function = mark_defaults(ir, |_| true);
            let has_label = mark_label(ir, DEFAULT_LABEL);
            has_function || has_label
        }
        TargetSpec::Name(name) => mark_function(ir, name) || mark_label(ir, name),
        TargetSpec::Function(name) => mark_function(ir, name),
        TargetSpec::Label(name) => mark_label(ir, name),
        TargetSpec::Line { file, line } => mark_line(ir, file, *line),
        TargetSpec::EachOf(targets) => {
            let marked: Vec<bool> = targets.iter().map(|target| mark(ir, target)).collect();
            !marked.contains(&false)
        }
    }
}

/// What is searched for in the source where there is no code of a target: where there are no other targets, a
/// definition of a default target counts, even if it is never called.
fn sought<'t>(target: &'t TargetSpec, options: &LoadOptions) -> &'t TargetSpec {
    if *target == TargetSpec::Default && !options.default_may_be_missing {
        &TargetSpec::All
    } else {
        target
    }
}

/// Marks those of the functions that are targets by default; false if there is none.
fn mark_defaults(ir: &Ir<'_>, is_meant: impl Fn(&str) -> bool) -> bool {
    let marked = DEFAULT_FUNCTIONS.map(|name| is_meant(name) && mark_function(ir, name));
    marked.contains(&true)
}

/// Whether a function of this name is called, or its address taken: that it is to be kept
/// (`__attribute__((used))`) is neither.
fn is_used(ir: &Ir<'_>, name: &str) -> bool {
    let keeps = |list: &Value| ["llvm.used", "llvm.compiler.used"].contains(&list.name().as_str());
    let is_list = |user: &Value| !user.is_instruction() && user.users().iter().any(keeps);
    let mut functions = functions_called(ir, name).into_iter();
    functions.any(|function| !function.users().iter().all(is_list))
}

fn target_call(ir: &Ir<'_>) {
    let target = ir.declare(&format!("{RUNTIME_PREFIX}target"), ir.void(), &[]);
    ir.call(target, &[], "");
}

/// A call of the function counts, whatever it does. Nothing happens behind the target, so the
/// function needs no body of its own; without debug information the target stands where the call
/// stands.
///
/// In C++ every function counts that is called so.
fn mark_function(ir: &Ir<'_>, name: &str) -> bool {
    if name.starts_with("llvm.") {
        return false;
    }
    let functions = functions_called(ir, name);
    for &function in &functions {
        mark_one(ir, function, name);
    }
    !functions.is_empty()
}

fn mark_one(ir: &Ir<'_>, function: Value, name: &str) {
    if function.is_declaration() || name != "main" {
        let function = if function.is_declaration() {
            function
        } else {
            ir.replacement(function)
        };
        let no_return = ir.has_attribute(function, "noreturn");
        function.clear_debug_information();
        ir.at_end(ir.append_block(function, "entry"));
        target_call(ir);
        let result = function.value_type().result();
        if no_return {
            ir.unreachable();
        } else if result.is_void() {
            ir.ret(None);
        } else {
            ir.ret(Some(ir.zero(result)));
        }
    } else {
        ir.before(function.blocks()[0].first_insertion_point(true));
        target_call(ir);
    }
}

/// Marks a C label in every function that has it: by its debug information, and where there is
/// none by the name of its block.
fn mark_label(ir: &Ir<'_>, label: &str) -> bool {
    ir.set_debug_records(false);
    let found = mark_before(ir, &with_label(ir, label));
    ir.set_debug_records(true);
    found
}

/// Marks these instructions; false if there are none.
fn mark_before(ir: &Ir<'_>, places: &[Value]) -> bool {
    for &place in places {
        ir.before(place);
        target_call(ir);
    }
    !places.is_empty()
}

/// The first instruction behind a C label in each function that has it; debug records are instructions then.
fn with_label(ir: &Ir<'_>, label: &str) -> Vec<Value> {
    let mut places: Vec<Value> = Vec::new();
    for function in ir.definitions() {
        for instruction in function.instructions() {
            if label_of(instruction).as_deref() == Some(label) {
                places.push(instruction);
            }
        }
        if !function.has_debug_information()
            && let Some(block) = block_of_label(function, label)
        {
            places.push(block.first_insertion_point(false));
        }
    }
    places
}

/// The block that clang makes of a C label, by its name. Names are unique in a function, so a label
/// `entry` gets a number behind it, because the first block has that name.
fn block_of_label(function: Value, label: &str) -> Option<Block> {
    let blocks = function.blocks();
    let (first, others) = blocks.split_first()?;
    let taken = first.name() == label;
    others.iter().copied().find(|block| {
        let name = block.name();
        name.strip_prefix(label).is_some_and(|rest| {
            let number = rest.bytes().all(|byte| byte.is_ascii_digit());
            number && rest.is_empty() != taken
        })
    })
}

/// The C label that an `llvm.dbg.label` names.
fn label_of(instruction: Value) -> Option<String> {
    if instruction.callee_name()? != "llvm.dbg.label" {
        return None;
    }
    // A DILabel's operands are scope, name, file.
    instruction
        .operand(0)
        .metadata_operands()
        .get(1)
        .copied()
        .flatten()?
        .metadata_text()
}

/// Marks the first instruction of the line in every function that has code there.
fn mark_line(ir: &Ir<'_>, file: &str, line: u32) -> bool {
    mark_before(ir, &on_line(ir, file, line))
}

/// The first instruction of the line in each function that has code there.
fn on_line(ir: &Ir<'_>, file: &str, line: u32) -> Vec<Value> {
    let places = ir.definitions().into_iter().filter_map(|function| {
        let mut code = function
            .instructions()
            .into_iter()
            .filter(|&it| is_code(it));
        code.find(|instruction| {
            let (path, at) = instruction.source_line();
            at == line && same_file(&path, file)
        })
    });
    places.collect()
}

fn is_code(instruction: Value) -> bool {
    !matches!(
        instruction.opcode(),
        LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLandingPad
    )
}

fn same_file(path: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_start_matches("./");
    let path = path.trim_start_matches("./");
    path == wanted || path.ends_with(&format!("/{wanted}")) || wanted.ends_with(&format!("/{path}"))
}

/// For the message: labels and functions that could be targets.
fn describe_names(ir: &Ir<'_>, target: &TargetSpec) -> String {
    ir.set_debug_records(false);
    let mut labels = BTreeSet::new();
    for function in ir.definitions() {
        labels.extend(function.instructions().into_iter().filter_map(label_of));
    }
    ir.set_debug_records(true);
    let functions: Vec<String> = ir
        .functions()
        .into_iter()
        .map(Value::name)
        .filter(|name| !name.starts_with("llvm."))
        .map(|name| in_source(&name).into_owned())
        .collect();
    let present: Vec<String> = labels.iter().chain(&functions).cloned().collect();
    let missing = match target {
        TargetSpec::Name(name) | TargetSpec::Function(name) | TargetSpec::Label(name) => name,
        _ => "",
    };
    let near = match nearest(missing, &present) {
        Some(near) => format!("did you mean {near}? "),
        None => String::new(),
    };
    let labels = if labels.is_empty() {
        "no labels".to_owned()
    } else {
        format!("the labels {}", shorten(labels.into_iter().collect()))
    };
    format!(
        "{near}it has {labels} and the functions {}",
        shorten(functions)
    )
}

/// For the message: the lines with code next to the wanted one.
fn describe_lines(ir: &Ir<'_>, file: &str, line: u32) -> String {
    let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let (path, at) = instruction.source_line();
            if at != 0 && is_code(instruction) {
                lines.entry(path).or_default().insert(at);
            }
        }
    }
    let Some((path, lines_there)) = lines.iter().find(|(path, _)| same_file(path, file)) else {
        if lines.is_empty() {
            return "it has no line numbers; compile it with -g".to_owned();
        }
        return format!("it has code from {}", shorten(lines.into_keys().collect()));
    };
    let near: Vec<String> = [
        lines_there.range(..line).next_back(),
        lines_there.range(line + 1..).next(),
    ]
    .into_iter()
    .flatten()
    .map(u32::to_string)
    .collect();
    format!(
        "the nearest lines of {path} with code are {}",
        near.join(" and ")
    )
}

fn shorten(names: Vec<String>) -> String {
    const SHOWN: usize = 20;
    let rest = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names.into_iter().take(SHOWN).collect();
    if rest == 0 {
        shown.join(", ")
    } else {
        format!("{} and {rest} more", shown.join(", "))
    }
}
