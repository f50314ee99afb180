//! The policy: the numbers that steer an analysis, with a part for each of the rooms that they steer.
//!
//! Each part belongs to the room that uses it, where its fields are documented: effect, unit, default and the reason
//! for it. Together they can be read from a file (`--policy`), and stand in the record of each run.
//!
//! A number is in the policy if it is a trade between one program and another: how much work goes where, in which
//! order, when something is given up. Other constants are not: weights of the clock of work, widths and sizes of
//! machine and formats, bounds that keep memory or recursion small, and lengths of texts. They stand at the head of
//! the module that uses them, with the reason.

use super::{AnalysisOptions, CoverPolicy, NecessaryPolicy, Paces};
use horn::HornPolicy;
use serde::{Deserialize, Serialize};
use solver::SolverPolicy;
use symex::{ExecutionPolicy, QueryWork};
use template::{AutomatonPolicy, TemplateWork};
use term::Work;

/// All numbers that steer. What a file leaves out has its default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    pub analysis: AnalysisPolicy,
    /// Work for queries.
    pub queries: QueryWork,
    pub execution: ExecutionPolicy,
    pub solver: SolverPolicy,
}

/// The numbers that say how much of the work goes into which technique.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalysisPolicy {
    /// The work of a slice, after which another technique may run. Default: 20 ms.
    pub slice: Work,
    /// Of the techniques behind the first tier.
    pub paces: Paces,
    /// Necessary conditions, interleaved with other techniques.
    pub necessary: NecessaryPolicy,
    /// Covering.
    pub cover: CoverPolicy,
    /// Work for computing templates; `None` for no limit.
    pub templates: Option<TemplateWork>,
    /// Path dependency automata.
    pub automata: AutomatonPolicy,
    /// Proofs by Horn clauses.
    pub horn: HornPolicy,
}

impl Default for AnalysisPolicy {
    fn default() -> AnalysisPolicy {
        AnalysisPolicy {
            slice: Work::millis(20),
            paces: Paces::default(),
            necessary: NecessaryPolicy::default(),
            cover: CoverPolicy::default(),
            templates: Some(TemplateWork::default()),
            automata: AutomatonPolicy::default(),
            horn: HornPolicy::default(),
        }
    }
}

impl AnalysisOptions {
    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy {
            analysis: self.policy.clone(),
            queries: self.execution.budget.queries.clone(),
            execution: self.execution.policy.clone(),
            solver: self.solver.policy.clone(),
        }
    }

    /// Puts a policy in force.
    pub fn follow(&mut self, policy: Policy) {
        self.policy = policy.analysis;
        self.execution.budget.queries = policy.queries;
        self.execution.policy = policy.execution;
        self.solver.policy = policy.solver;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::LoadOptions;
    use symex::SubsumptionPolicy;

    #[test]
    fn what_a_file_leaves_out_has_its_default() {
        let text = r#"{"execution": {"folding": {"progress_first": 3}}, "queries": {"growth": 2}}"#;
        let policy: Policy = serde_json::from_str(text).expect("the names are right");
        let mut options = AnalysisOptions::new(LoadOptions::new(["a.c"]));
        options.follow(policy);
        let policy = options.policy();
        assert_eq!(policy.execution.folding.progress_first, 3);
        assert_eq!(policy.queries.growth, 2);
        assert_eq!(policy.queries.first, QueryWork::default().first);
        assert_eq!(policy.execution.subsumption, SubsumptionPolicy::default());
    }

    #[test]
    fn a_name_that_is_not_known_is_an_error() {
        let refused = serde_json::from_str::<Policy>(r#"{"foldings": {}}"#);
        let message = refused.expect_err("there are no foldings").to_string();
        assert!(message.contains("foldings"), "{message}");
    }
}
