//! Options of the executor.

use super::budget::Budget;
use super::executor::WantedGoals;
use super::hints::Hints;
use super::merging::MergeStrategy;
use super::queue::SearchStrategy;
use super::steering::ExecutionPolicy;
use flowgraph::Stack;
use invariants::CutHandling;
use property::{Property, UndefinedBehaviour};
use semantics::{Accesses, GivenInputs};

/// How Algorithm 2 chooses at line 9, among the templates for a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemplateChoice {
    /// Any, by this seed, as in the paper's experiments.
    Random(u64),
    /// The first in order of enumeration.
    FirstFit,
}

impl TemplateChoice {
    pub const ALL: [TemplateChoice; 2] = [TemplateChoice::FirstFit, TemplateChoice::Random(1)];

    /// By option and in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TemplateChoice::Random(_) => "random",
            TemplateChoice::FirstFit => "first",
        }
    }

    /// Which template is taken, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            TemplateChoice::Random(_) => "Any",
            TemplateChoice::FirstFit => "The first in order of enumeration",
        }
    }

    /// The seed of its random choices, where it makes any.
    #[must_use]
    pub fn seed(self) -> Option<u64> {
        match self {
            TemplateChoice::Random(seed) => Some(seed),
            TemplateChoice::FirstFit => None,
        }
    }
}

/// Where memory that is lost counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Losses {
    /// When the program ends by a return from `main` or `exit`.
    AtTheEnd,
    /// On paths as well that have no end or end by `abort`. These are not errors, but noted.
    Anywhere,
}

/// How to search.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
#[derive(Clone, Debug)]
pub struct ExecutionOptions {
    pub search: SearchStrategy,
    pub template_choice: TemplateChoice,
    pub budget: Budget,
    /// The numbers that steer.
    pub policy: ExecutionPolicy,
    /// What is asked. Default: whether the target is reachable; undefined behaviour keeps the
    /// verdict open.
    pub property: Property,
    /// The effect of accesses out of bounds. Default: they end by a fault.
    pub accesses: Accesses,
    /// The stack, at whose end executions fault. Default: it has none.
    pub stack: Option<Stack>,
    /// Inputs of which executions are left out that have others. Default: none.
    pub given_inputs: Option<GivenInputs>,
    /// Close states that are subsumed by states queued before. Default: yes.
    pub subsumption: bool,
    /// Close states that imply an annotation of their location. Default: no.
    pub annotations: bool,
    /// Which states that meet behind a branching become one. Default: none.
    pub merging: MergeStrategy,
    /// Hints: priorities for templates from necessary conditions and constraint systems. Default: nothing.
    pub hints: Hints,
    /// Ask about necessary conditions of states where a search for what is not covered
    /// ([`SearchStrategy::Coverage`], [`SearchStrategy::Klee`]) makes no progress. Default: yes.
    pub state_conditions: bool,
    /// Compute the templates of all cycles first, as the paper does, not when they are needed.
    pub templates_first: bool,
    /// The handling of [cuts](flowgraph::Action::Cut). Default: none.
    pub cuts: CutHandling,
    /// Keep the first so many nodes of the execution tree. Default: none.
    pub record_tree: Option<usize>,
    /// Go on after the first error, to one at each place. Default: no.
    pub all_errors: bool,
    /// Where memory that is lost counts, if that is searched for. Default: at the end of the program.
    pub losses: Losses,
    /// Coverage goals that need inputs, in addition to the property. Default: none.
    pub goals: WantedGoals,
}

impl Default for ExecutionOptions {
    fn default() -> ExecutionOptions {
        ExecutionOptions {
            search: SearchStrategy::Nearest,
            template_choice: TemplateChoice::Random(1),
            budget: Budget::default(),
            policy: ExecutionPolicy::default(),
            property: Property::unreachable(UndefinedBehaviour::KeepsOpen),
            accesses: Accesses::Checked,
            stack: None,
            given_inputs: None,
            subsumption: true,
            annotations: false,
            merging: MergeStrategy::default(),
            hints: Hints::default(),
            state_conditions: true,
            templates_first: false,
            cuts: CutHandling::Ignore,
            record_tree: None,
            all_errors: false,
            losses: Losses::AtTheEnd,
            goals: WantedGoals::default(),
        }
    }
}
