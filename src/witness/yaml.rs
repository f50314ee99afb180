//! The witness formats 2.0 and 2.1: entries as they stand in YAML.
//!
//! Reading accepts what other tools write: unknown fields are ignored, optional ones may be
//! missing. What a value means is decided by those who use it.

use super::WitnessError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An entry of a witness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// `violation_sequence` or `invariant_set`.
    pub entry_type: String,
    pub metadata: Metadata,
    pub content: Vec<Item>,
}

/// Who made the entry, when, and for which task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Metadata {
    pub format_version: String,
    pub uuid: String,
    /// ISO 8601.
    pub creation_time: String,
    pub producer: Producer,
    pub task: TaskEntry,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Producer {
    pub name: String,
    #[serde(default)]
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskEntry {
    pub input_files: Vec<String>,
    /// SHA-256 in hexadecimal, by file.
    pub input_file_hashes: BTreeMap<String, String>,
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    pub language: String,
}

/// An element of the content of an entry: exactly one of the three.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Item {
    /// Of a `violation_sequence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Vec<Point>>,
    /// Of an `invariant_set`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Invariant>,
    /// Of an `invariant_set` of format 2.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Contract>,
}

/// What a function requires of its calls, and ensures when it returns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contract {
    /// `function_contract`.
    #[serde(rename = "type")]
    pub kind: String,
    pub location: Place,
    #[serde(deserialize_with = "scalar")]
    pub requires: String,
    /// `\result` is what it returns, `\at(x, Old)` what x was when it was called.
    #[serde(deserialize_with = "scalar")]
    pub ensures: String,
    /// `ext_c_expression`.
    pub format: String,
}

/// An element of a segment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    pub waypoint: Waypoint,
}

/// What an execution passes, or must not pass.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Waypoint {
    /// `assumption`, `branching`, `function_enter`, `function_return` or `target`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `follow` or `avoid`.
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    pub location: Place,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Constraint {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(deserialize_with = "scalar")]
    pub value: String,
}

/// A place in a file of the task; lines and columns count from 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub file_name: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// An invariant of a loop or a location.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant` or `location_invariant`.
    #[serde(rename = "type")]
    pub kind: String,
    pub location: Place,
    #[serde(deserialize_with = "scalar")]
    pub value: String,
    /// `c_expression`.
    pub format: String,
}

/// A text; YAML reads an unquoted `1` or `true` as something else.
fn scalar<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    use yaml_serde::Value;
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(value) => Ok(value.to_string()),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => Err(
            serde::de::Error::custom("the value of a constraint is a text"),
        ),
    }
}

/// Entries as YAML.
///
/// # Errors
/// [`WitnessError::Yaml`] if the writer fails.
pub fn to_yaml(entries: &[Entry]) -> Result<String, WitnessError> {
    Ok(yaml_serde::to_string(entries)?)
}

/// Reads the entries of a witness.
///
/// # Errors
/// [`WitnessError::Malformed`] if the text is no witness of format 2.0.
pub fn from_yaml(text: &str) -> Result<Vec<Entry>, WitnessError> {
    let malformed = |error: yaml_serde::Error| WitnessError::Malformed(error.to_string());
    let value: yaml_serde::Value = yaml_serde::from_str(text).map_err(malformed)?;
    if !value.is_sequence() {
        return Err(WitnessError::Malformed(
            "a witness is a list of entries".to_owned(),
        ));
    }
    let entries: Vec<Entry> = yaml_serde::from_value(value).map_err(malformed)?;
    if entries.is_empty() {
        return Err(WitnessError::Malformed("it has no entries".to_owned()));
    }
    for entry in &entries {
        let version = &entry.metadata.format_version;
        if version != "2.0" && version != "2.1" {
            return Err(WitnessError::Malformed(format!(
                "it has format {version}, known are 2.0 and 2.1"
            )));
        }
    }
    Ok(entries)
}
