//! Task definitions: the files of a program, and its expected verdicts.
//!
//! # Source
//! The task-definition format of BenchExec, versions 1.0 and 2.0: YAML with `input_files` (a name
//! or a list, relative to the file), `properties` (a `property_file`, perhaps an
//! `expected_verdict`) and, from 2.0 on, `options` (`language`, `data_model`).

use super::property::{PropertyError, Specification};
use frontend::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use yaml_serde::{Deserializer, Value};

/// A task definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The file that it was read from.
    pub path: PathBuf,
    /// Files of the program, relative to where the process runs; not empty.
    pub inputs: Vec<PathBuf>,
    pub properties: Vec<TaskProperty>,
    /// ILP32 where the task says nothing, as in the tasks of format 1.0.
    pub data_model: DataModel,
}

/// A property that a task is meant for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// Relative to where the process runs.
    pub file: PathBuf,
    /// `None`: the answer is not scored.
    pub expected: Option<bool>,
}

/// The property of a task that can be decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenProperty {
    pub property: Specification,
    pub file: PathBuf,
    pub expected: Option<bool>,
}

/// Why a task is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TaskError {
    #[error("{path}: cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("{path}: not valid YAML: {reason}")]
    Yaml { path: PathBuf, reason: String },
    #[error("{path}: not a task definition: {reason}")]
    Malformed { path: PathBuf, reason: String },
    #[error("{path}: {what} is not supported")]
    NotSupported { path: PathBuf, what: String },
    #[error("{path}: the task has no property that is supported: {properties}")]
    NoQuestion { path: PathBuf, properties: String },
    #[error("{path}: the task has several properties ({properties}); choose one with --property")]
    SeveralQuestions { path: PathBuf, properties: String },
    #[error(transparent)]
    Property(#[from] PropertyError),
}

impl Task {
    /// Reads a task definition.
    ///
    /// # Errors
    /// If the file cannot be read, is no task definition, or wants another language than C.
    pub fn read(path: &Path) -> Result<Task, TaskError> {
        let text = std::fs::read_to_string(path).map_err(|error| TaskError::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Task::parse(&text, path)
    }

    /// Reads the text of a task definition that stands, or would stand, at `path`.
    ///
    /// # Errors
    /// If it is no task definition, or wants another language than C.
    pub fn parse(text: &str, path: &Path) -> Result<Task, TaskError> {
        let documents: Result<Vec<Value>, _> = Deserializer::from_str(text)
            .map(Value::deserialize)
            .collect();
        let documents = documents.map_err(|error| TaskError::Yaml {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let reader = Reader { path };
        let [document] = documents.as_slice() else {
            return Err(reader.malformed("it has not one YAML document"));
        };
        if !document.is_mapping() {
            return Err(reader.malformed("it is not a mapping"));
        }
        reader.check_version(document)?;
        Ok(Task {
            path: path.to_owned(),
            inputs: reader.inputs(document)?,
            properties: reader.properties(document)?,
            data_model: reader.data_model(document)?,
        })
    }

    /// The one property of the task that is `unreach-call`, found by reading the property files; in
    /// a task without it the one that can be decided.
    ///
    /// # Errors
    /// If there is none, or several that are worded differently; if none of the property files
    /// can be read.
    pub fn question(&self) -> Result<ChosenProperty, TaskError> {
        let mut found: Vec<ChosenProperty> = Vec::new();
        let mut refused = Vec::new();
        for entry in &self.properties {
            match Specification::read(&entry.file) {
                Ok(property) => {
                    if !found.iter().any(|known| known.property == property) {
                        found.push(ChosenProperty {
                            property,
                            file: entry.file.clone(),
                            expected: entry.expected,
                        });
                    }
                }
                Err(error) => refused.push(error),
            }
        }
        let is_unreach_call =
            |question: &ChosenProperty| matches!(question.property, Specification::UnreachCall(_));
        if found.iter().any(is_unreach_call) {
            found.retain(is_unreach_call);
        }
        let names: Vec<&str> = found.iter().map(|one| one.property.name()).collect();
        let names = names.join(", ");
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(question), None) => Ok(question),
            (Some(_), Some(_)) => Err(TaskError::SeveralQuestions {
                path: self.path.clone(),
                properties: names,
            }),
            (None, _) => {
                // A file that is missing may be the one that is wanted.
                let unreadable = refused
                    .iter()
                    .find(|error| matches!(error, PropertyError::Unreadable { .. }));
                match unreadable {
                    Some(error) => Err(error.clone().into()),
                    None => Err(self.without_question()),
                }
            }
        }
    }

    /// The task's expected verdict for a property file that was chosen by hand: the verdict of that file, or
    /// else of any file with the same property.
    #[must_use]
    pub fn expected(&self, file: &Path, property: &Specification) -> Option<bool> {
        let same_file = |entry: &&TaskProperty| matches!((entry.file.canonicalize(), file.canonicalize()), (Ok(a), Ok(b)) if a == b);
        let same =
            |entry: &&TaskProperty| Specification::read(&entry.file).as_ref() == Ok(property);
        let entry = self.properties.iter().find(same_file);
        entry
            .or_else(|| self.properties.iter().find(same))
            .and_then(|entry| entry.expected)
    }

    fn without_question(&self) -> TaskError {
        let names: Vec<String> = self
            .properties
            .iter()
            .filter_map(|entry| entry.file.file_stem())
            .map(|stem| stem.to_string_lossy().into_owned())
            .collect();
        TaskError::NoQuestion {
            path: self.path.clone(),
            properties: if names.is_empty() {
                "it names no properties".to_owned()
            } else {
                format!("it names {}", names.join(", "))
            },
        }
    }
}

/// Reads parts of a document.
struct Reader<'p> {
    path: &'p Path,
}

impl Reader<'_> {
    fn malformed(&self, reason: impl Into<String>) -> TaskError {
        TaskError::Malformed {
            path: self.path.to_owned(),
            reason: reason.into(),
        }
    }

    fn not_supported(&self, what: String) -> TaskError {
        TaskError::NotSupported {
            path: self.path.to_owned(),
            what,
        }
    }

    /// A path that a task names, seen from where the process runs.
    fn resolve_path(&self, name: &str) -> PathBuf {
        match self.path.parent() {
            Some(folder) => folder.join(name),
            None => PathBuf::from(name),
        }
    }

    fn check_version(&self, document: &Value) -> Result<(), TaskError> {
        // Written without quotes it is a number.
        let version = match document.get("format_version") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) if number.is_f64() => number.to_string(),
            Some(Value::Number(number)) => format!("{number}.0"),
            Some(_) => return Err(self.malformed("format_version is not a version")),
            None => return Err(self.malformed("it has no format_version")),
        };
        if version.starts_with("1.") || version.starts_with("2.") {
            return Ok(());
        }
        Err(self.not_supported(format!("format_version {version}")))
    }

    fn inputs(&self, document: &Value) -> Result<Vec<PathBuf>, TaskError> {
        let what = "input_files is neither a file name nor a list of them";
        let node = document
            .get("input_files")
            .ok_or_else(|| self.malformed("it has no input_files"))?;
        let inputs: Vec<PathBuf> = match (node.as_str(), node.as_sequence()) {
            (Some(name), _) => vec![self.resolve_path(name)],
            (None, Some(list)) => list
                .iter()
                .map(|item| item.as_str().map(|name| self.resolve_path(name)))
                .collect::<Option<_>>()
                .ok_or_else(|| self.malformed(what))?,
            (None, None) => return Err(self.malformed(what)),
        };
        if inputs.is_empty() {
            return Err(self.malformed("input_files is empty"));
        }
        Ok(inputs)
    }

    fn properties(&self, document: &Value) -> Result<Vec<TaskProperty>, TaskError> {
        let list = match document.get("properties") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(node) => node
                .as_sequence()
                .ok_or_else(|| self.malformed("properties is not a list"))?,
        };
        let entry = |node: &Value| {
            let file = node
                .get("property_file")
                .and_then(Value::as_str)
                .ok_or_else(|| self.malformed("a property has no property_file"))?;
            let expected = match node.get("expected_verdict") {
                None | Some(Value::Null) => None,
                // `false(unreach-call)` and `unknown` are allowed as well.
                Some(verdict) => match (verdict.as_bool(), verdict.as_str()) {
                    (Some(verdict), _) => Some(verdict),
                    (None, Some("unknown")) => None,
                    (None, Some(text)) if text.starts_with("false(") => Some(false),
                    _ => return Err(self.malformed("an expected_verdict is not a verdict")),
                },
            };
            Ok(TaskProperty {
                file: self.resolve_path(file),
                expected,
            })
        };
        list.iter().map(entry).collect()
    }

    fn data_model(&self, document: &Value) -> Result<DataModel, TaskError> {
        let Some(options) = document.get("options") else {
            return Ok(DataModel::Ilp32);
        };
        if let Some(language) = options.get("language") {
            match language.as_str() {
                Some("C") => {}
                Some(other) => return Err(self.not_supported(format!("the language {other}"))),
                None => return Err(self.malformed("the language is not a name")),
            }
        }
        match options.get("data_model").map(Value::as_str) {
            None | Some(Some("ILP32")) => Ok(DataModel::Ilp32),
            Some(Some("LP64")) => Ok(DataModel::Lp64),
            Some(Some(other)) => Err(self.not_supported(format!("the data model {other}"))),
            Some(None) => Err(self.malformed("the data model is not a name")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Task, TaskError> {
        Task::parse(text, Path::new("tasks/t.yml"))
    }

    #[test]
    fn version_1_says_nothing_of_the_data_model() {
        let task = parse(
            "format_version: '1.0'\n\n# a comment\ninput_files: 'a.i'\nproperties:\n  \
             - property_file: ../p/unreach-call.prp\n    expected_verdict: false\n  \
             - property_file: ../p/coverage.prp\n",
        )
        .unwrap();
        assert_eq!(task.inputs, [PathBuf::from("tasks/a.i")]);
        assert_eq!(task.data_model, DataModel::Ilp32);
        let expected: Vec<_> = task.properties.iter().map(|p| p.expected).collect();
        assert_eq!(expected, [Some(false), None]);
        assert_eq!(
            task.properties[0].file,
            PathBuf::from("tasks/../p/unreach-call.prp")
        );
    }

    #[test]
    fn any_way_of_writing_yaml_will_do() {
        let task = parse(
            "%YAML 1.2\n---\n{\"format_version\": 2.0, input_files: [a.c, \"b.c\"],\n \
             properties: [{property_file: &p u.prp, expected_verdict: true},\n \
             {property_file: *p}],\n options: {language: C, data_model: LP64}}\n...\n",
        )
        .unwrap();
        assert_eq!(
            task.inputs,
            [PathBuf::from("tasks/a.c"), PathBuf::from("tasks/b.c")]
        );
        assert_eq!(task.data_model, DataModel::Lp64);
        assert_eq!(task.properties[1].file, task.properties[0].file);
        let block = parse(
            "format_version: \"2.0\"\ninput_files:\n  - a.c\noptions:\n  data_model:\n    ILP32\n",
        )
        .unwrap();
        assert_eq!(block.inputs, [PathBuf::from("tasks/a.c")]);
        assert!(block.properties.is_empty());
    }

    #[test]
    fn what_is_no_task_is_said() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("a: [").contains("not valid YAML"));
        assert!(message("[]").ends_with("it is not a mapping"));
        assert!(message("").ends_with("it is not a mapping"));
        assert!(message("a: b\n---\nc: d").ends_with("it has not one YAML document"));
        assert!(message("input_files: a.c").ends_with("it has no format_version"));
        assert!(message("format_version: '3.0'\ninput_files: a.c").contains("format_version 3.0"));
        assert!(message("format_version: '2.0'").ends_with("it has no input_files"));
        assert!(message("format_version: '2.0'\ninput_files: []").ends_with("is empty"));
        assert!(message("format_version: '2.0'\ninput_files: [{}]").contains("neither"));
        let java = "format_version: '2.0'\ninput_files: a\noptions: {language: Java}";
        assert!(message(java).ends_with("the language Java is not supported"));
        let model = "format_version: '2.0'\ninput_files: a\noptions: {data_model: LLP64}";
        assert!(message(model).ends_with("the data model LLP64 is not supported"));
        let verdict = "format_version: '1.0'\ninput_files: a\nproperties:\n  - property_file: p\n    expected_verdict: 7";
        assert!(message(verdict).ends_with("not a verdict"));
    }
}
