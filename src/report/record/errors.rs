//! Errors, with the arguments and files of the program and the path to them.

use super::inputs::InputRecord;
use super::place;
use crate::Sources;
use analysis::surroundings;
use flowgraph::Program;
use frontend::{Loaded, TargetPlace, TargetSpec, c_string, is_of_environment};
use property::ErrorKind;
use replay::Surroundings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use symex::{PathStep, Witness};

/// An error of the program, or a way to the target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramError {
    /// `target`, or the check that found it: `assertions`, `memory accesses`, …
    pub kind: String,
    /// The error in a few words.
    pub text: String,
    /// Its number in the Common Weakness Enumeration, `476`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwe: Option<u16>,
    /// The property of SV-COMP, or the part of one, that it violates: `valid-deref`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subproperty: Option<String>,
    /// `file:line:column`; empty where the source is not known.
    pub place: String,
    /// Which target is reached, where several were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The program's message by `klee_report_error`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The kind of error that the program says it is, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
    /// The sanitizer's report in the replay, if there was one.
    pub report: Option<String>,
    /// Arguments, standard input and files, if they are symbolic by option.
    #[serde(default)]
    pub started_with: Option<StartRecord>,
    pub inputs: Vec<InputRecord>,
    pub path: Vec<StepRecord>,
}

/// Arguments, standard input and files of a program; texts are C string literals.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StartRecord {
    /// The program's name first.
    pub argv: Vec<String>,
    pub stdin: String,
    /// In the place of `stdin`: reading it fails.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stdin_is_folder: bool,
    /// Those in its working folder, by name.
    pub files: BTreeMap<String, String>,
}

impl StartRecord {
    fn of(surroundings: &Surroundings) -> StartRecord {
        let files = surroundings.files.iter();
        StartRecord {
            argv: surroundings
                .arguments
                .iter()
                .map(|text| c_string(text))
                .collect(),
            stdin: c_string(&surroundings.stdin),
            stdin_is_folder: surroundings.stdin_is_folder,
            files: files
                .map(|(name, content)| (name.clone(), c_string(content)))
                .collect(),
        }
    }
}

/// What the program is started with where that is symbolic by option, and the inputs for which it asks.
pub(crate) fn given_to(
    witness: &Witness,
    loaded: &Loaded,
) -> (Option<StartRecord>, Vec<InputRecord>) {
    let started_with = surroundings(loaded, witness).as_ref().map(StartRecord::of);
    let asked = witness.inputs.iter();
    let asked = asked.filter(|input| !is_of_environment(&input.name));
    let inputs = asked.map(|input| InputRecord::of(input, &loaded.input_types));
    (started_with, inputs.collect())
}

/// An error as a record; `asked` is the target that was requested.
pub(crate) fn error_of(
    witness: &Witness,
    asked: &TargetSpec,
    loaded: &Loaded,
    sources: &Sources,
) -> ProgramError {
    ProgramError::of(witness, asked, loaded, sources)
}

impl ProgramError {
    pub(super) fn of(
        witness: &Witness,
        asked: &TargetSpec,
        loaded: &Loaded,
        sources: &Sources,
    ) -> ProgramError {
        let (program, steps) = (&loaded.program, witness.path.iter());
        let here: Vec<&TargetPlace> = match witness.error {
            ErrorKind::Target => loaded.targets_at(witness.target).collect(),
            ErrorKind::Program(_) | ErrorKind::Memory(_) | ErrorKind::Leak(_) => Vec::new(),
        };
        let names: Vec<&str> = here.iter().map(|target| target.name.as_str()).collect();
        let target = (witness.error == ErrorKind::Target)
            .then(|| asked.name_among_several(&names))
            .flatten();
        let report = here.into_iter().find_map(|target| target.report.clone());
        let (started_with, inputs) = given_to(witness, loaded);
        let facts = witness.error.facts();
        ProgramError {
            kind: match facts.checks {
                [] => "target".to_owned(),
                [check, ..] => check.name().to_owned(),
            },
            text: match (&report, &target) {
                (Some(report), _) => format!("{} ({})", report.message, report.suffix),
                (None, Some(name)) => format!("the target {name} is reached"),
                (None, None) => witness.error.to_string(),
            },
            cwe: facts.cwe,
            subproperty: facts.subproperty.map(|part| part.name().to_owned()),
            place: place(program, witness.target),
            target,
            message: report.as_ref().map(|report| report.message.clone()),
            suffix: report.map(|report| report.suffix),
            report: witness.report.clone(),
            started_with,
            inputs,
            path: steps
                .map(|step| StepRecord::of(step, program, sources))
                .collect(),
        }
    }
}

/// A choice on the path: where the program had several ways to continue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepRecord {
    /// `file:line:column`; empty where the source is not known.
    pub place: String,
    pub function: String,
    /// The source line.
    pub source: String,
    /// Name of the location where the edge leads.
    pub to: String,
    /// How often the loop was gone around that was folded here, in decimal.
    pub iterations: Option<String>,
}

impl StepRecord {
    fn of(step: &PathStep, program: &Program, sources: &Sources) -> StepRecord {
        StepRecord {
            place: place(program, step.span),
            function: step.function.clone(),
            source: sources.line(step.span).to_owned(),
            to: step.to.clone(),
            iterations: step
                .iterations
                .as_ref()
                .map(|iterations| iterations.to_biguint().to_string()),
        }
    }
}
