//! States closed by necessary conditions, by responsible loop, for people and machines.

use super::place;
use crate::summary::grouped;
use ::necessary::StateConditionStatistics;
use flowgraph::Program;
use serde::{Deserialize, Serialize};

/// States that the necessary condition of a loop closed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClosingRecord {
    /// The number of the loop, as `explain` counts them; none where no counter was needed, as where
    /// closed forms alone exclude what follows.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// `file:line:column` of its header; empty where the source is not known.
    pub place: String,
    /// States that were closed since nothing that matters can come, where predicates with the counters of
    /// this loop were needed to see that.
    pub states: u64,
}

impl ClosingRecord {
    pub(crate) fn all(
        statistics: &StateConditionStatistics,
        program: &Program,
    ) -> Vec<ClosingRecord> {
        let function = program.function(program.main);
        let closed_by = statistics.closed_by.iter();
        let records = closed_by.map(|(header, states)| ClosingRecord {
            number: header.and_then(|header| program.loop_number(program.main, header)),
            place: header.map_or_else(String::new, |header| {
                place(program, function.node(header).span)
            }),
            states: *states,
        });
        records.collect()
    }

    /// A line for people.
    #[must_use]
    pub fn in_words(&self) -> String {
        let states = match self.states {
            1 => "1 state".to_owned(),
            states => format!("{} states", grouped(states)),
        };
        match (self.number, self.place.as_str()) {
            (Some(number), "") => {
                format!("closed by the necessary condition of loop {number}: {states}")
            }
            (Some(number), place) => {
                format!("closed by the necessary condition of loop {number} ({place}): {states}")
            }
            (None, _) => {
                format!("closed by a necessary condition without counters of loops: {states}")
            }
        }
    }
}
