//! Statistics of each link.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Answer;
use term::{TermPool, Work};

/// Counts of one link.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct LinkStatistics {
    /// Name of the link.
    pub link: String,
    /// Queries that reached it.
    pub queries: u64,
    /// Queries that it answered without the link below.
    pub hits: u64,
    /// Answers `Sat`.
    pub sat: u64,
    /// Answers `Unsat`.
    pub unsat: u64,
    /// Answers `Unknown`: failed queries.
    pub unknown: u64,
    /// Time spent, links below included, in seconds.
    pub seconds: f64,
    /// The longest query, in seconds.
    pub longest: f64,
    /// Work done, links below included.
    #[serde(default)]
    pub work: Work,
    /// The work of the query that took most.
    #[serde(default)]
    pub most_work: Work,
    /// Counts of the link's own events, by name.
    pub events: Vec<(String, u64)>,
}

/// All links, top first.
pub type Statistics = Vec<LinkStatistics>;

/// When a query began.
#[derive(Clone, Copy)]
pub(super) struct Start {
    time: Instant,
    work: Work,
}

impl Start {
    /// Now.
    pub(super) fn now(pool: &TermPool) -> Start {
        Start {
            time: Instant::now(),
            work: pool.work(),
        }
    }

    /// Seconds since then.
    pub(super) fn seconds(self) -> f64 {
        self.time.elapsed().as_secs_f64()
    }
}

impl LinkStatistics {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(link: &str) -> LinkStatistics {
        LinkStatistics {
            link: link.to_owned(),
            ..LinkStatistics::default()
        }
    }

    /// Counts a query that began at `start`.
    pub(super) fn count(&mut self, pool: &TermPool, start: Start, answer: &Answer) {
        self.queries += 1;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat(_) => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
        let work = pool.work() - start.work;
        self.work += work;
        self.most_work = self.most_work.max(work);
        let seconds = start.seconds();
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
    }

    /// Counts an event of the link's own.
    pub(super) fn event(&mut self, name: &str) {
        match self.events.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => self.events.push((name.to_owned(), 1)),
        }
    }

    /// Count of an event, 0 when it never happened.
    #[must_use]
    pub fn events_named(&self, name: &str) -> u64 {
        self.events
            .iter()
            .find(|(known, _)| known == name)
            .map_or(0, |(_, count)| *count)
    }

    /// Time spent, links below included.
    #[must_use]
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

impl fmt::Display for LinkStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} queries, {} hits, {} sat, {} unsat, {} unknown, {:.3} s, longest {:.3} s",
            self.link,
            self.queries,
            self.hits,
            self.sat,
            self.unsat,
            self.unknown,
            self.seconds,
            self.longest
        )?;
        for (name, count) in &self.events {
            write!(f, ", {name} {count}")?;
        }
        Ok(())
    }
}
