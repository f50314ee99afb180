//! The policy: all tuning parameters of an analysis.
//!
//! Each group belongs to the room that uses it, which documents its fields: effect, unit, default and reason.
//! The policy can be read from a file (`--policy`), and is part of the record of each run.

use super::{AnalysisOptions, CoverPolicy, NecessaryPolicy, Paces};
use ::necessary::StateConditionPolicy;
use horn::HornPolicy;
use navigation::NavigationPolicy;
use serde::{Deserialize, Serialize};
use solver::Z3Options;
use solver::cache::CacheOptions;
use solver::enumeration::EnumerationOptions;
use solver::integers::IntegerOptions;
use solver::products::ProductOptions;
use solver::quantifiers::QuantifierOptions;
use solver::sums::SumOptions;
use symex::{
    AnnotationPolicy, FoldingPolicy, MergingPolicy, QueryWork, StretchPolicy, SubsumptionPolicy,
};
use template::{AutomatonPolicy, TemplateWork};
use term::Work;

/// All numbers that steer. What a file leaves out has its default.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The work of a slice, after which it may be another technique's turn. Default: 20 ms.
    pub slice: Work,
    /// Of the techniques that keep behind the others.
    pub paces: Paces,
    /// Necessary conditions as a technique of the portfolio.
    pub necessary: NecessaryPolicy,
    /// Covering.
    pub cover: CoverPolicy,
    /// Work for queries.
    pub queries: QueryWork,
    /// Work for computing templates.
    pub templates: TemplateWork,
    /// Path dependency automata.
    pub automata: AutomatonPolicy,
    /// Proofs by Horn clauses.
    pub horn: HornPolicy,
    /// When templates are used.
    pub folding: FoldingPolicy,
    /// Closing of subsumed states.
    pub subsumption: SubsumptionPolicy,
    /// Annotations of locations.
    pub annotations: AnnotationPolicy,
    /// Merging of states that meet.
    pub merging: MergingPolicy,
    /// Paths without choice.
    pub stretch: StretchPolicy,
    /// Loop navigation.
    pub navigation: NavigationPolicy,
    /// Necessary conditions of states, in a search for what is not covered.
    pub state_conditions: StateConditionPolicy,
    /// The solver's earlier answers.
    pub cache: CacheOptions,
    /// Elimination of bounded sums.
    pub sums: SumOptions,
    /// Elimination of bounded quantifiers.
    pub quantifiers: QuantifierOptions,
    /// Trying of values where few bits are unknown.
    pub enumeration: EnumerationOptions,
    /// Integer arithmetic in addition to bit-vectors.
    pub integers: IntegerOptions,
    /// The solver: products of unknown numbers as numbers of their own.
    pub products: ProductOptions,
    /// Z3.
    pub z3: Z3Options,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            slice: Work::millis(20),
            paces: Paces::default(),
            necessary: NecessaryPolicy::default(),
            cover: CoverPolicy::default(),
            queries: QueryWork::default(),
            templates: TemplateWork::default(),
            automata: AutomatonPolicy::default(),
            horn: HornPolicy::default(),
            folding: FoldingPolicy::default(),
            subsumption: SubsumptionPolicy::default(),
            annotations: AnnotationPolicy::default(),
            merging: MergingPolicy::default(),
            stretch: StretchPolicy::default(),
            navigation: NavigationPolicy::default(),
            state_conditions: StateConditionPolicy::default(),
            cache: CacheOptions::default(),
            sums: SumOptions::default(),
            quantifiers: QuantifierOptions::default(),
            enumeration: EnumerationOptions::default(),
            integers: IntegerOptions::default(),
            products: ProductOptions::default(),
            z3: Z3Options::default(),
        }
    }
}

impl AnalysisOptions {
    /// The policy that is in force.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let (execution, solver) = (&self.execution, &self.solver);
        Policy {
            slice: self.slice,
            paces: self.paces.clone(),
            necessary: self.necessary.clone(),
            cover: self.cover.clone(),
            queries: execution.budget.queries.clone(),
            templates: self.template_work.unwrap_or_default(),
            automata: self.automata,
            horn: self.horn.clone(),
            folding: execution.folding.clone(),
            subsumption: execution.subsuming.clone(),
            annotations: execution.annotating.clone(),
            merging: execution.merging_policy.clone(),
            stretch: execution.stretch.clone(),
            navigation: execution.navigation.clone(),
            state_conditions: execution.outlooks.clone(),
            cache: solver.cache.clone(),
            sums: solver.sums.clone(),
            quantifiers: solver.quantifiers.clone(),
            enumeration: solver.enumeration.clone(),
            integers: solver.integers.clone(),
            products: solver.products.clone(),
            z3: solver.z3.clone(),
        }
    }

    /// Puts a policy in force.
    pub fn follow(&mut self, policy: Policy) {
        self.slice = policy.slice;
        self.paces = policy.paces;
        self.necessary = policy.necessary;
        self.cover = policy.cover;
        self.template_work = Some(policy.templates);
        self.automata = policy.automata;
        self.horn = policy.horn;
        self.execution.budget.queries = policy.queries;
        self.execution.folding = policy.folding;
        self.execution.subsuming = policy.subsumption;
        self.execution.annotating = policy.annotations;
        self.execution.merging_policy = policy.merging;
        self.execution.stretch = policy.stretch;
        self.execution.navigation = policy.navigation;
        self.execution.outlooks = policy.state_conditions;
        self.solver.cache = policy.cache;
        self.solver.sums = policy.sums;
        self.solver.quantifiers = policy.quantifiers;
        self.solver.enumeration = policy.enumeration;
        self.solver.integers = policy.integers;
        self.solver.products = policy.products;
        self.solver.z3 = policy.z3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::LoadOptions;

    #[test]
    fn what_a_file_leaves_out_has_its_default() {
        let text = r#"{"folding": {"progress_first": 3}, "queries": {"growth": 2}}"#;
        let policy: Policy = serde_json::from_str(text).expect("the names are right");
        let mut options = AnalysisOptions::new(LoadOptions::new(["a.c"]));
        options.follow(policy);
        let policy = options.policy();
        assert_eq!(policy.folding.progress_first, 3);
        assert_eq!(policy.queries.growth, 2);
        assert_eq!(policy.queries.first, QueryWork::default().first);
        assert_eq!(policy.subsumption, SubsumptionPolicy::default());
    }

    #[test]
    fn a_name_that_is_not_known_is_an_error() {
        let refused = serde_json::from_str::<Policy>(r#"{"foldings": {}}"#);
        let message = refused.expect_err("there are no foldings").to_string();
        assert!(message.contains("foldings"), "{message}");
    }
}
