//! `compact-se svcomp`: does a task satisfy its property?

use super::analyze::{self, AnalysisRequest};
use super::arguments::SvcompArguments;
use ::svcomp::{Specification, Task, verdict_line};
use analysis::{AnalysisOptions, CheckChoice, SignedOverflow};
use anyhow::{Context, Result, bail};
use frontend::{DataModel, ForeignFunctions, LoadOptions, Sanitizer};
use property::{Check, Property, UndefinedBehaviour};
use report::{AnalysisRecord, summary};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Decides the property and prints the verdict line, then what supports it.
///
/// # Errors
/// If task, property or program cannot be loaded, or a file not be written.
pub(super) fn run(arguments: &SvcompArguments) -> Result<ExitCode> {
    arguments.artefacts.check_writable(&arguments.files)?;
    analyze::analyze_and_report(arguments.json.as_deref(), &arguments.files, || {
        let asked = asked(&arguments.files, arguments.property.as_deref())?;
        let (property, expected) = (asked.property.clone(), asked.expected);
        Ok(AnalysisRequest {
            checkpoint: None,
            output: None,
            options: options(arguments, asked)?,
            artefacts: &arguments.artefacts,
            answer: Arc::new(move |record| text(record, &property, expected)),
        })
    })
}

fn text(record: &AnalysisRecord, property: &Specification, expected: Option<bool>) -> String {
    let mut text = format!("{}\n", verdict_line(record, property));
    if let Some(expected) = expected {
        text.push_str(&format!("the task expects: {expected}\n"));
    }
    text.push_str(&summary::support(record));
    text
}

/// The request that the arguments describe.
fn options(arguments: &SvcompArguments, asked: Asked) -> Result<AnalysisOptions> {
    let Asked {
        mut load, property, ..
    } = asked;
    load.data_model = arguments.data_model.or(load.data_model);
    load.standard.clone_from(&arguments.std);
    load.granularity = arguments.granularity;
    match arguments.signed_overflow {
        Some(SignedOverflow::Wrap) => load.sanitizers.clear(),
        Some(SignedOverflow::Undefined | SignedOverflow::Error) => {
            load.sanitizers = vec![Sanitizer::Overflow];
        }
        None if arguments.undefined_is_open => load.sanitizers.clear(),
        None => {}
    }
    let mut options = arguments.execution.analysis_options(load)?;
    options.execution.property = Property::unreachable(if arguments.undefined_is_open {
        UndefinedBehaviour::KeepsOpen
    } else {
        UndefinedBehaviour::Ends
    });
    ask(&mut options, &property);
    Ok(options)
}

/// Looks for the errors that a property is about.
pub(super) fn ask(options: &mut AnalysisOptions, property: &Specification) {
    if !matches!(property, Specification::UnreachCall(_)) {
        let is_source = options.load.inputs.iter().all(|file| is_c(file));
        // Bitcode does not tell where blocks end; such a program is not proved.
        let checks = property.checks().iter();
        let checks = checks.filter(|check| is_source || *check != Check::Scope);
        options.checks = CheckChoice::These(checks.collect());
    }
    options.is_strict = property.is_about_memory();
}

/// Whether a file is a task definition.
pub(super) fn is_task(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "yml" || ending == "yaml")
}

fn is_c(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending == "c" || ending == "i")
}

/// A task.
pub(super) struct Asked {
    pub load: LoadOptions,
    pub property: Specification,
    /// The expectation of the task.
    pub expected: Option<bool>,
}

/// The program that the files are or define, with its property, and what the task
/// expects.
///
/// # Errors
/// If task or property cannot be read, or the property is not known.
pub(super) fn asked(files: &[PathBuf], property: Option<&Path>) -> Result<Asked> {
    let named = property
        .map(|file| Specification::read(file).map(|property| (file, property)))
        .transpose()?;
    let (inputs, data_model, property, expected) = match files.iter().find(|file| is_task(file)) {
        Some(_) if files.len() > 1 => {
            bail!("a task definition names all files of the program; further files are not allowed")
        }
        Some(file) => {
            let task = Task::read(file)?;
            let (property, expected) = match named {
                Some((file, property)) => {
                    let expected = task.expected(file, &property);
                    (property, expected)
                }
                None => {
                    let question = task.question()?;
                    (question.property, question.expected)
                }
            };
            (task.inputs, task.data_model, property, expected)
        }
        None => {
            let (_, property) = named.context(
                "--property is missing: without a task definition the property has to be named",
            )?;
            (files.to_vec(), DataModel::Ilp32, property, None)
        }
    };
    let mut load = LoadOptions::new(inputs);
    load.data_model = Some(data_model);
    load.target = property.target(&load.inputs);
    // No error means that it is not reached.
    load.allow_missing_target = true;
    // The property is about the executions that C defines. Bitcode does not tell signed operations.
    if load.inputs.iter().all(|file| is_c(file)) {
        load.sanitizers = vec![Sanitizer::Overflow];
    }
    // As all verifiers of the competition take them: what a task does not define has no effect.
    load.foreign_functions = ForeignFunctions::WithoutEffect;
    // The competition's programs have stacks without end.
    load.stack = None;
    Ok(Asked {
        load,
        property,
        expected,
    })
}
