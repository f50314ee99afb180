//! Suites of tests: a folder with every test in each format.
//!
//! | file | |
//! |---|---|
//! | `metadata.xml`, `testcase-N.xml` | Test-Comp: what input functions return, in order |
//! | `testN.ktest` | KLEE: the bytes of all inputs; N has six digits |
//! | `harness-N.c` | C: defines the functions that the program lacks, and starts it with its arguments, input, files |

use super::artefacts::{Written, make_folder};
use super::inputs::inputs;
use super::ktest::KTest;
use super::places::Sources;
use super::task::{Task, shown};
use super::{WitnessError, harness, testcomp};
use frontend::{Loaded, is_of_environment};
use std::path::Path;
use symex::Witness;

const FORMS: [(&str, &str); 3] = [
    ("testcase-", ".xml"),
    ("test", ".ktest"),
    ("harness-", ".c"),
];

/// A test of a suite.
#[derive(Clone, Copy, Debug)]
pub struct SuiteTest<'w> {
    pub witness: &'w Witness,
    /// Whether it leads to an error of the program.
    pub covers_error: bool,
}

/// The tests of a program.
pub struct Suite<'a> {
    pub task: &'a Task,
    pub loaded: &'a Loaded,
    pub tests: Vec<SuiteTest<'a>>,
}

impl Suite<'_> {
    /// Writes all files into a folder, which is made if need be. Tests that an earlier suite left
    /// there are taken away.
    ///
    /// # Errors
    /// If files cannot be read or written, or the program is not C.
    pub fn write(&self, folder: &Path) -> Result<Written, WitnessError> {
        clear_folder(folder, &FORMS)?;
        let sources = Sources::read(&self.task.files)?;
        let mut written = Written::default();
        written.put(
            &folder.join("metadata.xml"),
            &testcomp::metadata(self.task)?,
        )?;
        let mut notes = Vec::new();
        for (number, test) in (1..).zip(&self.tests) {
            self.write_test(folder, number, *test, &sources, &mut written, &mut notes)?;
        }
        let loaded = self.loaded;
        if loaded.environment.is_some() {
            let why = "test cases have no arguments, standard input or files; .ktest files and \
                       harnesses support them";
            notes.push(why.to_owned());
        }
        // Tests of one program lack the same things.
        let mut seen = std::collections::BTreeSet::new();
        notes.retain(|note| seen.insert(without_value(note).to_owned()));
        written.notes = notes;
        Ok(written)
    }

    fn write_test(
        &self,
        folder: &Path,
        number: usize,
        test: SuiteTest,
        sources: &Sources,
        written: &mut Written,
        notes: &mut Vec<String>,
    ) -> Result<(), WitnessError> {
        let loaded = self.loaded;
        let (inputs, of_environment): (Vec<_>, Vec<_>) = inputs(loaded, test.witness, sources)
            .into_iter()
            .partition(|input| !is_of_environment(&input.input.name));
        let testcase = testcomp::testcase(loaded, &inputs, test.covers_error, notes)?;
        written.put(&folder.join(format!("testcase-{number}.xml")), &testcase)?;
        let program = self.task.files.first().map(|file| shown(file));
        let environment = loaded.environment.as_ref();
        let environment = environment.map(|environment| (environment, &*of_environment));
        let ktest = KTest::of_inputs(&program.unwrap_or_default(), environment, &inputs)?
            .with_input(loaded, test.witness);
        written.put(
            &folder.join(format!("test{number:06}.ktest")),
            &ktest.to_bytes(),
        )?;
        let text = harness::harness(self.task, (loaded, test.witness), sources, &inputs, notes)?;
        written.put(&folder.join(format!("harness-{number}.c")), text.as_bytes())
    }
}

/// A note without the value of the input that it is about.
fn without_value(note: &str) -> &str {
    note.rsplit_once(" = ").map_or(note, |(before, _)| before)
}

/// Makes a folder, or removes the files that a suite of ours may have left there: those with such a beginning and
/// end, and a number between.
pub(super) fn clear_folder(folder: &Path, forms: &[(&str, &str)]) -> Result<(), WitnessError> {
    make_folder(folder)?;
    remove_earlier(folder, forms).map_err(WitnessError::cannot_write(folder))
}

fn remove_earlier(folder: &Path, forms: &[(&str, &str)]) -> std::io::Result<()> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let is_ours = name.is_some_and(|name| {
            forms.iter().any(|(start, end)| {
                let rest = name.strip_prefix(start);
                rest.and_then(|rest| rest.strip_suffix(end))
                    .is_some_and(is_number)
            })
        });
        if is_ours {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
