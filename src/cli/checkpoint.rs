//! `--checkpoint FILE`: a run that was ended by a limit resumes when the command is repeated.

use super::output;
use ::flowgraph::Program;
use analysis::AnalysisOptions;
use anyhow::{Context, Result};
use process::write_whole;
use report::checkpoint::{Checkpoint, CheckpointKey, digest_of};
use report::record::CheckpointRecord;
use report::{AnalysisRecord, Environment};
use solver::transcript::Transcripts;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The checkpoint of a run. Clones are the same one.
#[derive(Clone)]
pub(super) struct Keeper {
    path: PathBuf,
    question: CheckpointKey,
    earlier: Option<Arc<Checkpoint>>,
    transcripts: Transcripts,
    /// What tells the program from others, once it is loaded.
    program: Arc<OnceLock<String>>,
}

impl Keeper {
    /// Continues from the file, if it is there.
    ///
    /// # Errors
    /// If it cannot be read, is not a checkpoint, or belongs to another analysis.
    pub fn open(path: &Path, options: &AnalysisOptions) -> Result<Keeper> {
        let question = CheckpointKey::of(options, &Environment::current(None));
        let cannot = || format!("cannot resume from {}", path.display());
        let earlier = match std::fs::read(path) {
            Ok(text) => Some(question.read(&text).with_context(cannot)?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(cannot),
        };
        let transcript = earlier.as_ref().map(Checkpoint::transcript);
        Ok(Keeper {
            path: path.to_owned(),
            question,
            earlier: earlier.map(Arc::new),
            transcripts: Transcripts::after(transcript.unwrap_or_default()),
            program: Arc::default(),
        })
    }

    /// Where answers are written down.
    pub fn transcripts(&self) -> Transcripts {
        self.transcripts.clone()
    }

    /// The program is loaded.
    ///
    /// # Errors
    /// If it is another than that of the file.
    pub fn begin(&self, program: &Program) -> Result<()> {
        let digest = digest_of(program);
        if let Some(earlier) = &self.earlier {
            let cannot = || format!("cannot resume from {}", self.path.display());
            earlier.check(&digest).with_context(cannot)?;
        }
        // A program is loaded once.
        let _ = self.program.set(digest);
        Ok(())
    }

    /// Writes the file where a limit has ended the run, and says so in the record. A file that cannot be written
    /// does not make the verdict worse, so it is only told.
    pub fn conclude(&self, record: &mut AnalysisRecord) {
        let repeated = self.transcripts.repeated();
        let mut written = false;
        if let Some(program) = self.program.get()
            && record.is_ended_by_limit()
        {
            let text = self.question.write(program, &self.transcripts.transcript());
            match write_whole(&self.path, &text) {
                Ok(()) => written = true,
                Err(error) => {
                    let file = self.path.display();
                    let message = format!("nothing was written to {file}: {error}");
                    output::warning(&message);
                    record.notes.push(message);
                }
            }
        }
        record.checkpoint = Some(CheckpointRecord {
            file: self.path.display().to_string(),
            resumed: self.earlier.is_some(),
            repeated_answers: repeated.n_answers,
            repeated_work_s: repeated.work.as_seconds(),
            written,
        });
    }
}
