//! Checkpoints: the data from which a run that was ended by a limit can resume.
//!
//! ```text
//! {"kind": "compact-se checkpoint", "version": 2, …}    the head, one line
//! {"classic": {…}, …}                                   the solver's answers
//! ```
//!
//! Runs are deterministic, so that only the expensive part has to be kept, the answers of the solver
//! ([`Transcript`]). The head binds them to the program as it is executed, to all relevant options, and to
//! the version of the tool: otherwise the queries would differ.

use super::Environment;
use super::record::Settings;
use analysis::{AnalysisOptions, CheckChoice};
use flowgraph::Program;
use frontend::TargetSpec;
use property::Check;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use solver::transcript::Transcript;
use std::collections::{BTreeMap, BTreeSet};

const KIND: &str = "compact-se checkpoint";
const VERSION: u32 = 2;

/// Settings that say how far a run may go, not what it does.
const LIMITS: [&str; 3] = ["timeout_s", "memory_mb", "jobs"];

/// The settings of a record that are separate options, and what they are called there. Each `true` and `false` is
/// one that is given or not.
const OPTIONS: [(&str, &str); 12] = [
    ("technique", "--techniques"),
    ("without", "--without"),
    ("hints", "--hints"),
    ("granularity", "--granularity"),
    ("search", "--search"),
    ("merge", "--merge"),
    ("seed", "--seed"),
    ("query_work_s", "--query-work"),
    ("query_time_s", "--query-timeout"),
    ("max_path_steps", "--max-path-steps"),
    ("signed_overflow", "--signed-overflow"),
    ("assume_in_bounds", "--assume-in-bounds"),
];

/// So many differences are named.
const MOST_DIFFERENCES: usize = 5;

/// The key of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    kind: String,
    version: u32,
    /// Tool and solver.
    tool: String,
    /// The options, by name.
    options: BTreeMap<String, String>,
    /// Of the flowgraph.
    program: String,
    /// Of the answers, as they stand in the file.
    digest: String,
}

/// The key of the answers of a run, before its program is known.
#[derive(Clone, Debug)]
pub struct CheckpointKey {
    tool: String,
    options: BTreeMap<String, String>,
}

/// The content of a file that fits an analysis.
#[derive(Debug)]
pub struct Checkpoint {
    program: String,
    transcript: Transcript,
}

/// Why a file is of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("it is not a checkpoint of compact-se; name another file")]
    Foreign,
    #[error("it is damaged: its end is missing or was changed; remove it to restart the analysis")]
    Damaged,
    #[error(
        "it was written by {there} in version {version} of the format, this is {here}: remove it to \
         restart the analysis"
    )]
    Tool {
        there: String,
        version: u32,
        here: String,
    },
    #[error(
        "it belongs to an analysis with other options: {}. Use the same options, name another file, or \
         remove this one to restart the analysis",
        .0.join(", ")
    )]
    Options(Vec<String>),
    #[error(
        "the program or its compilation has changed since it was written: remove it to restart the analysis"
    )]
    Program,
}

impl CheckpointKey {
    /// The key of these options.
    #[must_use]
    pub fn of(options: &AnalysisOptions, environment: &Environment) -> CheckpointKey {
        let settings = serde_json::to_value(Settings::of(options)).unwrap_or_default();
        let mut named = BTreeMap::new();
        flatten("", &settings, &mut named);
        named.retain(|name, _| !LIMITS.contains(&name.as_str()));
        for (name, option) in OPTIONS {
            if let Some(value) = named.remove(name) {
                named.insert(option.to_owned(), value);
            }
        }
        let load = &options.load;
        let files = load.inputs.iter().map(|file| file.display().to_string());
        let entry = load.entry.as_ref();
        let pointers = entry.map(|entry| entry.pointer_bytes.to_string());
        let others = [
            ("the program", files.collect::<Vec<_>>().join(" ")),
            ("--target", target_in_words(&load.target)),
            (
                "--function",
                entry.map_or("main", |entry| &entry.name).to_owned(),
            ),
            (
                "--pointer-objects",
                pointers.unwrap_or_else(|| NONE.to_owned()),
            ),
            ("--check", checks_in_words(options.checks)),
            ("--all", in_words(options.execution.all_errors).to_owned()),
        ];
        named.extend(others.map(|(name, value)| (name.to_owned(), value)));
        CheckpointKey {
            tool: format!("{} with {}", environment.tool, environment.solver),
            options: named,
        }
    }

    /// The content of a file.
    #[must_use]
    pub fn write(&self, program: &str, transcript: &Transcript) -> Vec<u8> {
        let answers = serde_json::to_vec(transcript).unwrap_or_default();
        let head = Head {
            kind: KIND.to_owned(),
            version: VERSION,
            tool: self.tool.clone(),
            options: self.options.clone(),
            program: program.to_owned(),
            digest: digest(&answers),
        };
        let mut text = serde_json::to_vec(&head).unwrap_or_default();
        text.push(b'\n');
        text.extend(answers);
        text
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// If it is no checkpoint, a part of one, or one of another analysis or tool.
    pub fn read(&self, text: &[u8]) -> Result<Checkpoint, CheckpointError> {
        let end = text.iter().position(|byte| *byte == b'\n');
        let (line, answers) = match end {
            Some(end) => (&text[..end], &text[end + 1..]),
            None => (text, &[][..]),
        };
        let is_ours = line.starts_with(format!("{{\"kind\":\"{KIND}\"").as_bytes());
        if !is_ours {
            return Err(CheckpointError::Foreign);
        }
        let head: Value = serde_json::from_slice(line).map_err(|_| CheckpointError::Damaged)?;
        let version = head["version"]
            .as_u64()
            .and_then(|it| u32::try_from(it).ok());
        let (version, there) = (version.unwrap_or(0), head["tool"].as_str().unwrap_or("?"));
        if version != VERSION || there != self.tool {
            return Err(CheckpointError::Tool {
                there: there.to_owned(),
                version,
                here: self.tool.clone(),
            });
        }
        let head: Head = serde_json::from_value(head).map_err(|_| CheckpointError::Damaged)?;
        if head.digest != digest(answers) {
            return Err(CheckpointError::Damaged);
        }
        let differences = differences(&head.options, &self.options);
        if !differences.is_empty() {
            return Err(CheckpointError::Options(differences));
        }
        let transcript = serde_json::from_slice(answers).map_err(|_| CheckpointError::Damaged)?;
        Ok(Checkpoint {
            program: head.program,
            transcript,
        })
    }
}

impl Checkpoint {
    /// The answers.
    #[must_use]
    pub fn transcript(&self) -> Transcript {
        self.transcript.clone()
    }

    /// Checks that the answers are about this program, given by its [`digest_of`].
    ///
    /// # Errors
    /// If they are about another.
    pub fn check(&self, program: &str) -> Result<(), CheckpointError> {
        if self.program == program {
            Ok(())
        } else {
            Err(CheckpointError::Program)
        }
    }
}

/// The identity of a program.
#[must_use]
pub fn digest_of(program: &Program) -> String {
    digest(program.to_string().as_bytes())
}

fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Of an option that is not given.
const NONE: &str = "not given";

fn in_words(is_given: bool) -> &'static str {
    if is_given { "given" } else { NONE }
}

fn target_in_words(target: &TargetSpec) -> String {
    match target {
        TargetSpec::Default => NONE.to_owned(),
        TargetSpec::All => "all".to_owned(),
        named if named.is_nothing() => "nothing".to_owned(),
        named => named.to_string(),
    }
}

fn checks_in_words(checks: CheckChoice) -> String {
    match checks {
        CheckChoice::Usual => NONE.to_owned(),
        CheckChoice::These(checks) if checks.is_empty() => "nothing".to_owned(),
        CheckChoice::These(checks) => {
            let names: Vec<&str> = checks.iter().map(Check::name).collect();
            names.join(" and ")
        }
    }
}

/// The leaves of a JSON value, by their paths, as people write them.
fn flatten(path: &str, value: &Value, named: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(&format!("{path}{dot}{name}"), value, named);
            }
        }
        other => {
            named.insert(path.to_owned(), value_in_words(other));
        }
    }
}

fn value_in_words(value: &Value) -> String {
    match value {
        Value::Null => NONE.to_owned(),
        Value::Bool(is_given) => in_words(*is_given).to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => NONE.to_owned(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(value_in_words).collect();
            items.join(",")
        }
        Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// The differing options: the first ones, and the number of the others.
fn differences(there: &BTreeMap<String, String>, here: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let differ = names
        .into_iter()
        .filter(|name| there.get(*name) != here.get(*name));
    let value = |options: &BTreeMap<String, String>, name: &String| {
        options
            .get(name)
            .map_or_else(|| NONE.to_owned(), Clone::clone)
    };
    let mut told: Vec<String> = differ
        .map(|name| {
            let (there, here) = (value(there, name), value(here, name));
            format!("{name} was {there} and is {here}")
        })
        .collect();
    if let Some(more) = told
        .len()
        .checked_sub(MOST_DIFFERENCES)
        .filter(|&more| more > 0)
    {
        told.truncate(MOST_DIFFERENCES);
        told.push(format!("and {more} more"));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::LoadOptions;
    use std::time::Duration;
    use symex::SearchStrategy;

    fn question(change: impl FnOnce(&mut AnalysisOptions)) -> CheckpointKey {
        let mut options = AnalysisOptions::new(LoadOptions::new(["a.c"]));
        change(&mut options);
        CheckpointKey::of(&options, &Environment::current(None))
    }

    #[test]
    fn what_was_written_is_read_with_other_limits() {
        let written = question(|_| ()).write("p", &Transcript::default());
        let longer = question(|options| {
            options.execution.budget.time = Duration::from_secs(12_345);
            options.jobs = 7;
        });
        let read = longer.read(&written).expect("the question is the same");
        assert_eq!(read.transcript(), Transcript::default());
        assert_eq!(read.check("p"), Ok(()));
        assert_eq!(read.check("q"), Err(CheckpointError::Program));
    }

    #[test]
    fn other_options_are_named() {
        let written = question(|_| ()).write("p", &Transcript::default());
        let other = question(|options| {
            options.search = Some(SearchStrategy::Dfs);
            options.execution.all_errors = true;
        });
        let error = other.read(&written).expect_err("the options differ");
        let expected = [
            "--all was not given and is given",
            "--search was default and is dfs",
        ];
        assert_eq!(
            error,
            CheckpointError::Options(expected.map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn another_question_is_told_in_words() {
        let written = question(|_| ()).write("p", &Transcript::default());
        let other = question(|options| {
            options.load.inputs = vec!["b.c".into()];
            options.load.target = TargetSpec::Name("found".to_owned());
            options.checks = CheckChoice::These([Check::Memory].into_iter().collect());
        });
        let error = other
            .read(&written)
            .expect_err("the question differs")
            .to_string();
        let expected = "--check was nothing and is memory accesses, --target was not given and is found, the \
                        program was a.c and is b.c. Use the same";
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_no_whole_checkpoint_is_refused() {
        let question = question(|_| ());
        let written = question.write("p", &Transcript::default());
        let text = String::from_utf8(written.clone()).expect("a checkpoint is text");
        let read = |text: &[u8]| question.read(text).map(|_| ()).unwrap_err();
        assert_eq!(read(b""), CheckpointError::Foreign);
        assert_eq!(read(b"int main(void) {}\n"), CheckpointError::Foreign);
        assert_eq!(read(b"{\"format\": 1}\n"), CheckpointError::Foreign);
        assert_eq!(
            read(&written[..written.len() - 1]),
            CheckpointError::Damaged
        );
        assert_eq!(read(&written[..100]), CheckpointError::Damaged);
        let changed = text.replace("\"version\":2", "\"version\":3");
        assert!(matches!(
            read(changed.as_bytes()),
            CheckpointError::Tool { version: 3, .. }
        ));
        let changed = text.replace("\"tool\":\"compact-se", "\"tool\":\"old");
        assert!(matches!(
            read(changed.as_bytes()),
            CheckpointError::Tool { .. }
        ));
    }
}
