//! Work limits of queries, by their purpose.

use serde::{Deserialize, Serialize};
use term::Work;

/// Work for the queries of a run. All amounts are [`Work`], so that what is decided does not depend
/// on how busy the machine is; they read as times of the machine that its weights were measured on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryWork {
    /// The most for one query. Default: 20 s.
    pub most: Work,
    /// For a query at first. A state whose query takes more is deferred, and asked about with more
    /// and more work later, up to `most`; so that one hard query does not hold up the rest. `None`
    /// gives each query all its work at once. Default: 500 ms, within which nearly all queries of
    /// our programs are answered.
    pub first: Option<Work>,
    /// A deferred query gets so many times more each time. Default: 4.
    pub growth: u64,
    /// The share of all work that deferred queries get while other states wait, in percent.
    /// Default: 33.
    pub deferred_percent: u32,
    /// For a query about a template, which is computed once for all states. Default: 2 s.
    pub template: Work,
    /// For a query whether a state is subsumed. Default: 50 ms, since it is in addition to the path's queries.
    pub subsumption: Work,
    /// For a query about a candidate for an invariant. Default: 100 ms.
    pub candidate: Work,
    /// For one about elements of arrays, which has quantifiers. Default: 500 ms: what the largest of some
    /// elements has in common with them takes two thirds of it, and what is not known then seldom is
    /// after a second.
    pub elements: Work,
    /// For a query whether one counter or size of a witness can be small. Default: 1 s.
    pub small_size: Work,
}

impl Default for QueryWork {
    fn default() -> QueryWork {
        QueryWork {
            most: Work::seconds(20),
            first: Some(Work::millis(500)),
            growth: 4,
            deferred_percent: 33,
            template: Work::seconds(2),
            subsumption: Work::millis(50),
            candidate: Work::millis(100),
            elements: Work::millis(500),
            small_size: Work::seconds(1),
        }
    }
}

impl QueryWork {
    /// For a query at first.
    #[must_use]
    pub fn at_first(&self) -> Work {
        self.first.map_or(self.most, |first| first.min(self.most))
    }

    /// For a query that has had this work before.
    #[must_use]
    pub fn after(&self, before: Work) -> Work {
        (before * self.growth).min(self.most)
    }

    /// For a query about a template.
    #[must_use]
    pub fn for_template(&self) -> Work {
        match self.first {
            Some(_) => self.template.min(self.most),
            None => self.most,
        }
    }
}
