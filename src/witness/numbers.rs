//! Tests of programs in microc: numbers, as `compact-se microc run` takes them.
//!
//! | file | |
//! |---|---|
//! | `testN.input` | what `input` reads, in order, a number a line; N has six digits |
//! | `testN.args` | the arguments of `main`, separated by commas, where it has parameters |

use super::WitnessError;
use super::artefacts::Written;
use super::suite::clear_folder;
use std::path::Path;
use symex::{InputValue, Witness};

/// Writes tests into a folder, which is made if need be. Tests that an earlier run left there are taken away.
///
/// # Errors
/// If files cannot be written.
pub fn write_numbers<'w>(
    folder: &Path,
    tests: impl IntoIterator<Item = &'w Witness>,
) -> Result<Written, WitnessError> {
    clear_folder(folder, &[("test", ".input"), ("test", ".args")])?;
    let mut written = Written::default();
    for (number, test) in (1..).zip(tests) {
        let (mut arguments, mut inputs) = (Vec::new(), String::new());
        for input in &test.inputs {
            let InputValue::Value(value) = &input.value else {
                continue;
            };
            let value = value.to_i64().unwrap_or_default();
            match input.call {
                Some(_) => inputs.push_str(&format!("{value}\n")),
                None => arguments.push(value.to_string()),
            }
        }
        let path = folder.join(format!("test{number:06}.input"));
        written.put(&path, inputs.as_bytes())?;
        if !arguments.is_empty() {
            let path = folder.join(format!("test{number:06}.args"));
            written.put(&path, format!("{}\n", arguments.join(",")).as_bytes())?;
        }
    }
    Ok(written)
}
