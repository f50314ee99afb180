//! Which files are wanted, and writing them.

use super::inputs::{Input, inputs};
use super::ktest::KTest;
use super::places::Sources;
use super::task::{Task, shown};
use super::yaml::to_yaml;
use super::{WitnessError, correctness, harness, klee, testcomp, violation};
use analysis::{Analysis, AnalysisOptions, wrap_around};
use frontend::{Loaded, is_cplusplus, is_of_environment};
use process::write_whole;
use std::path::{Path, PathBuf};
use symex::{Accesses, Verdict, Witness};

/// The files to write beside a verdict. Default: none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Artefacts {
    /// A witness of format 2.0.
    pub witness: Option<PathBuf>,
    /// A folder for a Test-Comp test suite; it is made if need be.
    pub test_suite: Option<PathBuf>,
    /// A test in KLEE's format.
    pub ktest: Option<PathBuf>,
    /// A C file that defines the functions which the program lacks.
    pub harness: Option<PathBuf>,
    /// A folder like KLEE's; it is made if need be.
    pub output_dir: Option<PathBuf>,
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    pub files: Vec<PathBuf>,
    /// What a format could not express, a sentence each.
    pub notes: Vec<String>,
}

impl Artefacts {
    /// Whether no file is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Artefacts::default()
    }

    /// Writes the files that fit the verdict: for *reachable* all that are wanted, for
    /// *unreachable* the witness. `options` are those of the analysis.
    ///
    /// # Errors
    /// [`WitnessError::NotReplayed`] for an unconfirmed *reachable*, and if files cannot be read
    /// or written, the program is not C, or places in it are not known.
    pub fn write(
        &self,
        task: &Task,
        options: &AnalysisOptions,
        analysis: &Analysis,
    ) -> Result<Written, WitnessError> {
        let mut written = match &analysis.report.verdict {
            Verdict::Reachable(witness) if !self.is_empty() => {
                if !analysis.replayed {
                    return Err(WitnessError::NotReplayed);
                }
                self.write_reachable(task, options, &analysis.loaded, witness)?
            }
            Verdict::Unreachable => self.write_unreachable(task, options, analysis)?,
            Verdict::Reachable(_) | Verdict::Unknown => Written::default(),
        };
        if let Some(folder) = &self.output_dir {
            write_like_klee(folder, task, analysis, &mut written)?;
        }
        Ok(written)
    }

    /// Why a witness that is wanted cannot be written, where the language is the reason.
    fn why_no_witness(&self, task: &Task) -> Option<String> {
        self.witness.as_ref()?;
        let file = task.files.iter().find(|file| is_cplusplus(file))?;
        let file = file.display();
        Some(format!(
            "no witness is written: {file} is C++, and the format is for C"
        ))
    }

    fn write_unreachable(
        &self,
        task: &Task,
        options: &AnalysisOptions,
        analysis: &Analysis,
    ) -> Result<Written, WitnessError> {
        let mut written = Written::default();
        if self.witness.is_some() && task.specification.is_empty() {
            let why = "no witness is written: no property of SV-COMP matches these checks";
            written.notes.push(why.to_owned());
            return Ok(written);
        }
        let assumed = if options.execution.accesses == Accesses::AssumedInBounds {
            Some("accesses are in bounds")
        } else if options.load.environment.is_some() {
            Some("the program is started as the options say")
        } else {
            None
        };
        if let Some(why) = self.why_no_witness(task) {
            written.notes.push(why);
        } else if let (Some(_), Some(assumed)) = (&self.witness, assumed) {
            let why = format!("no witness is written: the verdict assumes that {assumed}");
            written.notes.push(why);
        } else if let Some(path) = &self.witness {
            match correctness::entry(task, options, analysis)? {
                Ok(entry) => written.put(path, to_yaml(&[entry])?.as_bytes())?,
                Err(why) => written.notes.push(format!("no witness is written: {why}")),
            }
        }
        Ok(written)
    }

    fn write_reachable(
        &self,
        task: &Task,
        options: &AnalysisOptions,
        loaded: &Loaded,
        witness: &Witness,
    ) -> Result<Written, WitnessError> {
        let sources = Sources::read(&task.files)?;
        let (inputs, of_environment): (Vec<_>, Vec<_>) = inputs(loaded, witness, &sources)
            .into_iter()
            .partition(|input| !is_of_environment(&input.input.name));
        let mut written = Written::default();
        let is_started_with = loaded.environment.is_some() || !of_environment.is_empty();
        if is_started_with && (self.witness.is_some() || self.test_suite.is_some()) {
            let why = "witnesses and test suites have no arguments, standard input or files; --ktest \
                       and --harness support them";
            written.notes.push(why.to_owned());
        }
        if let Some(why) = self.why_no_witness(task) {
            written.notes.push(why);
        } else if let Some(path) = &self.witness {
            let notes = &mut written.notes;
            let mut entry = violation::entry(task, loaded, witness, &sources, &inputs, notes)?;
            if let Some(what) = wrap_around(options, witness) {
                let description = format!("signed arithmetic wraps around on the path: {what}");
                notes.push(description.clone());
                entry.metadata.producer.description = Some(description);
            }
            written.put(path, to_yaml(&[entry])?.as_bytes())?;
        }
        if let Some(folder) = &self.test_suite {
            make_folder(folder)?;
            let testcase = testcomp::testcase(loaded, &inputs, true, &mut written.notes)?;
            written.put(&folder.join("metadata.xml"), &testcomp::metadata(task)?)?;
            written.put(&folder.join("testcase-1.xml"), &testcase)?;
        }
        if let Some(path) = &self.ktest {
            let test = ktest(task, (loaded, witness), &of_environment, &inputs)?;
            let placed = inputs.iter().filter(|input| input.is_placed());
            let program = &loaded.program;
            let lacks = placed.map(|i| format!("no .ktest file has {}", i.description(program)));
            written.notes.extend(lacks);
            written.put(path, &test.to_bytes())?;
        }
        if let Some(path) = &self.harness {
            let notes = &mut written.notes;
            let text = harness::harness(task, (loaded, witness), &sources, &inputs, notes)?;
            written.put(path, text.as_bytes())?;
        }
        Ok(written)
    }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), WitnessError> {
    std::fs::create_dir_all(folder).map_err(WitnessError::cannot_write(folder))
}

/// The test of inputs, of which some are those of the environment.
fn ktest(
    task: &Task,
    (loaded, witness): (&Loaded, &Witness),
    of_environment: &[Input],
    inputs: &[Input],
) -> Result<KTest, WitnessError> {
    let program = task.files.first().map(|file| shown(file));
    let environment = loaded.environment.as_ref();
    let environment = environment.map(|environment| (environment, of_environment));
    let test = KTest::of_inputs(&program.unwrap_or_default(), environment, inputs)?;
    Ok(test.with_input(loaded, witness))
}

/// A folder with a test for each error that was found.
fn write_like_klee(
    folder: &Path,
    task: &Task,
    analysis: &Analysis,
    written: &mut Written,
) -> Result<(), WitnessError> {
    make_folder(folder)?;
    let Analysis { loaded, report, .. } = analysis;
    let worst = match &report.verdict {
        Verdict::Reachable(worst) => Some(&**worst),
        Verdict::Unreachable | Verdict::Unknown => None,
    };
    let errors: Vec<&Witness> = worst.into_iter().chain(&report.further_errors).collect();
    let sources = Sources::read(&task.files)?;
    for (number, error) in (1..).zip(&errors) {
        let (inputs, of_environment): (Vec<_>, Vec<_>) = inputs(loaded, error, &sources)
            .into_iter()
            .partition(|input| !is_of_environment(&input.input.name));
        let test = ktest(task, (loaded, error), &of_environment, &inputs)?;
        klee::write_error(folder, number, (loaded, error), &test, written)?;
    }
    klee::write_info(folder, task, analysis, errors.len(), written)
}

impl Written {
    pub(super) fn put(&mut self, path: &Path, content: &[u8]) -> Result<(), WitnessError> {
        write_whole(path, content).map_err(WitnessError::cannot_write(path))?;
        self.files.push(path.to_owned());
        Ok(())
    }
}
