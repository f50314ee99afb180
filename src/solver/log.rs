//! Query log: writes the queries that reach it as SMT-LIB 2 files.
//!
//! `000042-unsat.smt2` is the 42nd query; its head has the answer and the time it took. `compact-se solve`
//! reads the files. A failed write is counted and is no error, so that a full disk does not change verdicts.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use super::{Answer, LinkStatistics, Query, Solver, Start, Statistics};
use term::TermPool;

/// See the module's head.
pub struct Log<S> {
    folder: PathBuf,
    below: S,
    statistics: LinkStatistics,
}

impl<S: Solver> Log<S> {
    /// Writes into `folder`, which is made when it is missing.
    #[must_use]
    pub fn new(folder: PathBuf, below: S) -> Log<S> {
        let mut statistics = LinkStatistics::new("log");
        if fs::create_dir_all(&folder).is_err() {
            statistics.event("folder not made");
        }
        Log {
            folder,
            below,
            statistics,
        }
    }

    fn write(&mut self, pool: &mut TermPool, query: &Query<'_>, answer: &Answer, seconds: f64) {
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let mut text = String::new();
        let _ = writeln!(text, "; {seconds:.6} s");
        if let Answer::Unknown(reason) = answer {
            let _ = writeln!(text, "; {reason}");
        }
        let _ = writeln!(text, "(set-info :status {status})");
        text.push_str(&pool.to_smt2(query.conjuncts));
        let name = format!("{:06}-{status}.smt2", self.statistics.queries);
        if fs::write(self.folder.join(name), text).is_err() {
            self.statistics.event("file not written");
        }
    }
}

impl<S: Solver> Solver for Log<S> {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let start = Start::now(pool);
        let answer = self.below.check(pool, query);
        self.statistics.count(pool, start, &answer);
        self.write(pool, query, &answer, start.seconds());
        answer
    }

    fn statistics(&self, out: &mut Statistics) {
        out.push(self.statistics.clone());
        self.below.statistics(out);
    }
}
