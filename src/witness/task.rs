//! What a witness says about the task and its producer.

use super::WitnessError;
use super::yaml::{Metadata, Producer, TaskEntry};
use flowgraph::EndKind;
use frontend::source_text::SourceText;
use frontend::{DataModel, TargetSpec};
use property::{Checks, ErrorKind, Subproperty};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A verification task, as witnesses cite it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The C files, as the user named them.
    pub files: Vec<PathBuf>,
    /// The text of the property file.
    pub specification: String,
    pub data_model: DataModel,
    /// The command that produced the answer, if it is to be told.
    pub command_line: Option<String>,
}

impl Task {
    /// The task of reaching this target; the default is looked for in the files.
    #[must_use]
    pub fn of_target(files: &[PathBuf], target: &TargetSpec, data_model: DataModel) -> Task {
        let call = |name: &str| format!("CHECK( init(main()), LTL(G ! call({name}())) )");
        let label = |name: &str| format!("CHECK( init(main()), LTL(G ! label({name})) )");
        let specification = match target {
            TargetSpec::Default | TargetSpec::All => match default_target(files) {
                Some(function) => call(function),
                None => label("ERROR"),
            },
            TargetSpec::Name(name) if is_label(files, name) => label(name),
            TargetSpec::Name(name) | TargetSpec::Function(name) => call(name),
            TargetSpec::Label(name) => label(name),
            TargetSpec::EachOf(targets) => {
                let each = targets
                    .iter()
                    .map(|target| Task::of_target(files, target, data_model).specification);
                each.collect::<Vec<_>>().join("\n")
            }
            TargetSpec::Line { file, line } => {
                format!("CHECK( init(main()), LTL(G ! line({file}:{line})) )")
            }
        };
        Task {
            files: files.to_vec(),
            specification,
            data_model,
            command_line: None,
        }
    }

    /// The same for the property that an error of this kind violates, in the words of SV-COMP where
    /// it has some.
    #[must_use]
    pub fn with_error(mut self, kind: ErrorKind) -> Task {
        let formula = match (kind, kind.facts().subproperty) {
            (ErrorKind::Target, _) => return self,
            (_, Some(formula)) => formula.text(),
            (ErrorKind::Program(EndKind::AssertFail), None) => "G ! call(__assert_fail())",
            (_, None) => "G def-behavior",
        };
        self.specification = format!("CHECK( init(main()), LTL({formula}) )");
        self
    }

    /// The same for the properties of SV-COMP that hold where these checks find nothing; without a target there are no
    /// others.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Task {
        let formulas = Subproperty::shown_by(checks).into_iter();
        let each =
            formulas.map(|formula| format!("CHECK( init(main()), LTL({}) )", formula.text()));
        self.specification = each.collect::<Vec<_>>().join("\n");
        self
    }

    /// The metadata of a new entry: a fresh identifier, the time, the hashes of the files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn metadata(&self) -> Result<Metadata, WitnessError> {
        let mut hashes = BTreeMap::new();
        for file in &self.files {
            hashes.insert(shown(file), sha256(file)?);
        }
        Ok(Metadata {
            format_version: "2.0".to_owned(),
            uuid: uuid::Uuid::new_v4().to_string(),
            creation_time: now(),
            producer: Producer {
                name: "compact-se".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                configuration: None,
                description: None,
                command_line: self.command_line.clone(),
            },
            task: TaskEntry {
                input_files: self.files.iter().map(|file| shown(file)).collect(),
                input_file_hashes: hashes,
                specification: self.specification.clone(),
                data_model: self.data_model.to_string(),
                language: "C".to_owned(),
            },
        })
    }
}

/// Whether a name stands somewhere in the files with this mark behind it.
fn has_name_before(files: &[PathBuf], name: &str, mark: u8) -> bool {
    let mut texts = files.iter().filter_map(|file| SourceText::read(file).ok());
    texts.any(|text| text.has_name_before(name, mark))
}

/// The function that is the target by default, as far as the files tell.
fn default_target(files: &[PathBuf]) -> Option<&'static str> {
    [
        "reach_error",
        "__VERIFIER_error",
        "compact_se_target",
        "klee_report_error",
    ]
    .into_iter()
    .find(|name| has_name_before(files, name, b'('))
}

/// Whether a name is a label of the files and nothing that is called.
fn is_label(files: &[PathBuf], name: &str) -> bool {
    has_name_before(files, name, b':') && !has_name_before(files, name, b'(')
}

/// A file's name as witnesses cite it.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The time in UTC to the second, as in ISO 8601.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    let seconds = jiff::Timestamp::from_second(now.as_second());
    seconds.unwrap_or(now).to_string()
}

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub(super) fn sha256(path: &Path) -> Result<String, WitnessError> {
    let bytes = std::fs::read(path).map_err(WitnessError::cannot_read(path))?;
    let digest = Sha256::digest(&bytes);
    Ok(digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
