//! Solves one SMT-LIB 2 file with a solver chain: the command `compact-se solve`.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::smtlib::{self, Script, SmtError, Status};
use super::{Answer, Limits, Query, SolverOptions, Statistics, UnknownReason};
use term::{Assignment, SymbolValue, TermPool};

/// The result for a file.
#[derive(Clone, Debug)]
pub struct SolveReport {
    /// The answer.
    pub verdict: Verdict,
    /// The status in the file.
    pub expected: Option<Status>,
    /// Time without reading.
    pub time: Duration,
    /// Statistics of the links.
    pub statistics: Statistics,
}

/// The answer, without handles into a pool.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Satisfiable; the values of the declared symbols, in order of declaration.
    Sat(Vec<(String, SymbolValue)>),
    /// Unsatisfiable.
    Unsat,
    /// Open.
    Unknown(UnknownReason),
}

/// Why a file cannot be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The file cannot be read.
    #[error("reading {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        #[source]
        source: std::io::Error,
    },
    /// The file is not a script that is understood.
    #[error("reading {}", path.display())]
    Script {
        /// The file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: SmtError,
    },
}

impl SolveReport {
    /// False iff the file says sat and the answer is unsat, or the reverse.
    #[must_use]
    pub fn agrees(&self) -> bool {
        !matches!(
            (&self.verdict, self.expected),
            (Verdict::Sat(_), Some(Status::Unsat)) | (Verdict::Unsat, Some(Status::Sat))
        )
    }
}

/// Solves a file, within limits.
///
/// # Errors
/// [`SolveError::File`] when it cannot be read, [`SolveError::Script`] when it is not understood.
pub fn solve_file(
    path: &Path,
    config: &SolverOptions,
    limits: &Limits,
) -> Result<SolveReport, SolveError> {
    let text = std::fs::read_to_string(path).map_err(|source| SolveError::File {
        path: path.to_owned(),
        source,
    })?;
    solve_text(&text, config, limits).map_err(|source| SolveError::Script {
        path: path.to_owned(),
        source,
    })
}

/// Solves a script, within limits.
///
/// ```
/// use compact_se_solver::{Limits, SolverOptions, Verdict, solve_text};
/// let script = "(declare-const x (_ BitVec 8)) (assert (bvult x #x00)) (check-sat)";
/// let report = solve_text(script, &SolverOptions::default(), &Limits::default())?;
/// assert!(matches!(report.verdict, Verdict::Unsat));
/// # Ok::<(), compact_se_solver::smtlib::SmtError>(())
/// ```
///
/// # Errors
/// When the script is not understood.
pub fn solve_text(
    text: &str,
    config: &SolverOptions,
    limits: &Limits,
) -> Result<SolveReport, SmtError> {
    let mut pool = TermPool::new();
    let script = smtlib::read(&mut pool, text)?;
    let mut solver = config.build();
    let start = Instant::now();
    let answer = solver.check(&mut pool, &Query::new(&script.assertions, limits));
    let time = start.elapsed();
    let mut statistics = Statistics::new();
    solver.statistics(&mut statistics);
    let verdict = match answer {
        Answer::Sat(model) => Verdict::Sat(values(&pool, &script, &model)),
        Answer::Unsat(_) => Verdict::Unsat,
        Answer::Unknown(reason) => Verdict::Unknown(reason),
    };
    Ok(SolveReport {
        verdict,
        expected: script.status,
        time,
        statistics,
    })
}

/// The value of every declared symbol; those that the model leaves open are 0.
fn values(pool: &TermPool, script: &Script, model: &Rc<Assignment>) -> Vec<(String, SymbolValue)> {
    use term::{ArrayValue, Bv, Sort};
    script
        .symbols
        .iter()
        .map(|(name, symbol)| {
            let value =
                model
                    .get(*symbol)
                    .cloned()
                    .unwrap_or_else(|| match pool.symbol_sort(*symbol) {
                        Sort::Bv(width) => SymbolValue::Bits(Bv::zero(width)),
                        Sort::Array { value, .. } => {
                            SymbolValue::Array(ArrayValue::constant(Bv::zero(value)))
                        }
                    });
            (name.clone(), value)
        })
        .collect()
}
