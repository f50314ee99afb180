//! The task that a witness is checked against, and its source with changes.

use super::CheckError;
use crate::WitnessError;
use crate::claim::Claim;
use crate::instrument::{Insertions, Macros, expression};
use crate::places::{Sources, read};
use crate::task::{sha256, shown};
use crate::yaml::{Entry, Metadata, Place};
use analysis::{AnalysisOptions, CheckChoice, Technique, Techniques};
use flowgraph::{Program, Span};
use frontend::source_text::{Position, SourceText};
use frontend::{DataModel, TargetSpec, macros};
use process::Folder;
use property::{Checks, Subproperty};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use symex::Report;

/// A task of one C file, about which a witness claims something.
pub struct Checked {
    pub(crate) source: SourceText,
    file: PathBuf,
    macros: Arc<Macros>,
    /// What the witness is about, or the analysis for which one is written.
    pub(super) claim: Claim,
    pub(super) options: AnalysisOptions,
}

/// The program with changes, in a folder of its own.
pub(super) struct Changed {
    pub options: AnalysisOptions,
    /// Where what was inserted stands in it, in order.
    inserted: Vec<Range<usize>>,
    _folder: Folder,
}

impl Checked {
    /// Compares the metadata of an entry with the task.
    ///
    /// # Errors
    /// [`CheckError`] if they do not fit together, or the task has several files.
    pub fn new(entry: &Entry, options: &AnalysisOptions) -> Result<Checked, CheckError> {
        let mut checked = Checked::read(options)?;
        check_hash(&entry.metadata, &checked.file)?;
        let options = &mut checked.options;
        let claimed = &entry.metadata.task.data_model;
        let claimed_model = match claimed.as_str() {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            _ => {
                let what = format!("{claimed} is not a data model");
                return Err(WitnessError::Malformed(what).into());
            }
        };
        let wanted = *options.load.data_model.get_or_insert(claimed_model);
        if wanted != claimed_model {
            return Err(CheckError::OtherDataModel {
                claimed: claimed.clone(),
                wanted: wanted.to_string(),
            });
        }
        let specification = &entry.metadata.task.specification;
        let claim = Claim::parse(specification)
            .ok_or_else(|| CheckError::UnknownProperty(specification.trim().to_owned()))?;
        checked.about(claim, entry.entry_type == "violation_sequence")?;
        checked.with_macros()
    }

    /// Takes what the witness is about as the question, or compares it with the question of a task: who denies a
    /// property may deny a part of it.
    fn about(&mut self, claim: Claim, is_denied: bool) -> Result<(), CheckError> {
        let options = &mut self.options;
        let asked = match options.checks {
            CheckChoice::These(checks) => checks,
            CheckChoice::Usual => Checks::NONE,
        };
        let load = &mut options.load;
        let is_of_task = load.target != TargetSpec::Default;
        match &claim {
            Claim::Unreached(target) => {
                if load.target.is_nothing() {
                    return Err(CheckError::OtherProperty {
                        claimed: claim.to_string(),
                        wanted: Claim::of_analysis(&load.target, asked).to_string(),
                    });
                }
                if !is_of_task {
                    load.target = target.clone();
                }
            }
            Claim::NoErrors(formulas) => {
                let checks = Subproperty::checks_for(formulas);
                let is_asked = |check| asked.contains(check);
                let is_part = load.target.is_nothing() && checks.iter().all(is_asked);
                let is_whole = asked.iter().all(|check| checks.contains(check));
                if is_of_task && !(is_part && (is_denied || is_whole)) {
                    return Err(CheckError::OtherProperty {
                        claimed: claim.to_string(),
                        wanted: Claim::of_analysis(&load.target, asked).to_string(),
                    });
                }
                load.target = TargetSpec::EachOf(Vec::new());
                load.allow_missing_target = true;
                options.checks = CheckChoice::These(checks);
                options.is_strict |= formulas.iter().any(|one| *one != Subproperty::NoOverflow);
            }
        }
        self.claim = claim;
        Ok(())
    }

    /// The program of these options.
    ///
    /// # Errors
    /// If it is not one C file that can be read.
    pub fn of_program(options: &AnalysisOptions) -> Result<Checked, CheckError> {
        Checked::read(options)?.with_macros()
    }

    /// The same when the data model is known, which the macros depend on.
    fn with_macros(mut self) -> Result<Checked, CheckError> {
        let found = macros(&self.options.load, &self.file)?;
        self.macros = Arc::new(Macros::new(found));
        Ok(self)
    }

    fn read(options: &AnalysisOptions) -> Result<Checked, CheckError> {
        let [file] = options.load.inputs.as_slice() else {
            return Err(CheckError::SeveralFiles);
        };
        let is_c = file.extension().is_some_and(|e| e == "c" || e == "i");
        if !is_c {
            return Err(WitnessError::NotC { path: file.clone() }.into());
        }
        let checks = match options.checks {
            CheckChoice::These(checks) => checks,
            CheckChoice::Usual => Checks::NONE,
        };
        Ok(Checked {
            source: read(file)?,
            file: file.clone(),
            macros: Arc::default(),
            claim: Claim::of_analysis(&options.load.target, checks),
            options: options.clone(),
        })
    }

    /// What must not be reached.
    pub(crate) fn target(&self) -> &TargetSpec {
        &self.options.load.target
    }

    /// The same, to be checked with this technique.
    pub(crate) fn with(&self, technique: Technique) -> Checked {
        let mut options = self.options.clone();
        options.techniques = Techniques::only(technique);
        Checked {
            source: self.source.clone(),
            file: self.file.clone(),
            macros: self.macros.clone(),
            claim: self.claim.clone(),
            options,
        }
    }

    /// An [`expression`] of a witness that has no effects in this program, whose macros count; says
    /// what is wrong with it otherwise.
    pub(super) fn expression(&self, text: &str, result: Option<&str>) -> Result<String, String> {
        let written = expression(text, result)?;
        self.macros.check(&written)?;
        Ok(written)
    }

    /// Whether what the program has between these tokens has no effects by its macros.
    pub(super) fn check_macros(&self, tokens: Range<usize>) -> Result<(), String> {
        let words: Vec<&str> = tokens.map(|token| self.source.word(token)).collect();
        self.macros.check(&words.join(" "))
    }

    /// The token that a place names; without a column the first of its line.
    ///
    /// # Errors
    /// If the place is in a file that is not the task's.
    pub(super) fn token(&self, place: &Place) -> Result<Option<usize>, CheckError> {
        let name = |path: &Path| path.file_name().map(ToOwned::to_owned);
        let is_named = !place.file_name.is_empty();
        if is_named && name(Path::new(&place.file_name)) != name(&self.file) {
            return Err(CheckError::OtherFile {
                file: place.file_name.clone(),
            });
        }
        Ok(self.source.token_at(Position {
            line: place.line,
            column: place.column.unwrap_or(1),
        }))
    }

    /// The tokens that a place may mean that begins at this one: without a column those of its line.
    pub(super) fn tokens_at(
        &self,
        place: &Place,
        token: usize,
    ) -> impl Iterator<Item = usize> + Clone {
        let n_tokens = place.column.map_or(usize::MAX, |_| 1);
        self.source.rest_of_line(token).take(n_tokens)
    }

    /// Writes the program with insertions and `prelude` before it.
    ///
    /// # Errors
    /// If files cannot be written.
    pub(super) fn changed(
        &self,
        prelude: &str,
        insertions: Insertions,
    ) -> Result<Changed, CheckError> {
        let cannot_make = WitnessError::cannot_write(&std::env::temp_dir());
        let folder = Folder::new("compact-se-check-").map_err(cannot_make)?;
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        let path = folder.path().join(name);
        let (text, mut inserted) = insertions.apply(&self.source.text);
        let text = format!("{prelude}\n{text}");
        for place in &mut inserted {
            *place = place.start + prelude.len() + 1..place.end + prelude.len() + 1;
        }
        std::fs::write(&path, text).map_err(WitnessError::cannot_write(&path))?;
        let mut options = self.options.clone();
        options.load.inputs = vec![path];
        if let Some(parent) = self.file.parent() {
            let parent = if parent.as_os_str().is_empty() {
                Path::new(".")
            } else {
                parent
            };
            let load = &mut options.load;
            // Of the program, which lies elsewhere.
            load.clang_args = load.arguments_for(&self.file)?;
            (load.standard, load.compile_commands) = (None, None);
            let arguments = &mut load.clang_args;
            arguments.push("-iquote".to_owned());
            arguments.push(parent.display().to_string());
        }
        Ok(Changed {
            options,
            inserted,
            _folder: folder,
        })
    }
}

/// Where an execution of a changed program ended in undefined behaviour or a trap.
pub(super) enum EndedAt {
    /// In the program itself.
    Program,
    /// In what was inserted: the token, and the end of the inserted text.
    Inserted { token: usize, end: usize },
    /// Nobody knows.
    Unknown,
}

impl Changed {
    /// Where executions ended because C defines nothing further or the machine traps. What ends in
    /// an inserted expression may not count as an execution of the program that is over.
    pub fn ends(&self, sources: &Sources, program: &Program, report: &Report) -> Vec<EndedAt> {
        let reasons = report.undefined.iter().chain(report.reasons.iter());
        let undefined = reasons.filter(|(reason, _)| reason.is_undefined_behaviour());
        let spans = undefined.map(|(reason, _)| reason.span().unwrap_or_default());
        spans
            .chain(report.traps.iter().copied())
            .map(|span| self.end_at(sources, program, span))
            .collect()
    }

    /// Where something ended that ended at this place.
    pub fn end_at(&self, sources: &Sources, program: &Program, span: Span) -> EndedAt {
        let Some(spot) = sources.spot(program, span) else {
            return EndedAt::Unknown;
        };
        let start = spot.file.source.tokens[spot.token].start;
        let around = self.inserted.iter().find(|place| place.contains(&start));
        around.map_or(EndedAt::Program, |place| EndedAt::Inserted {
            token: spot.token,
            end: place.end,
        })
    }
}

fn check_hash(metadata: &Metadata, file: &Path) -> Result<(), CheckError> {
    let found = sha256(file)?;
    let hashes = &metadata.task.input_file_hashes;
    let name = |path: &Path| path.file_name().map(ToOwned::to_owned);
    let claimed = hashes
        .iter()
        .find(|(claimed, _)| name(Path::new(claimed)) == name(file));
    match claimed {
        Some((_, hash)) if hash.eq_ignore_ascii_case(&found) => Ok(()),
        Some((_, hash)) => Err(CheckError::OtherProgram {
            file: shown(file),
            found,
            claimed: hash.clone(),
        }),
        None => Err(CheckError::OtherFile {
            file: hashes.keys().cloned().collect::<Vec<_>>().join(", "),
        }),
    }
}
