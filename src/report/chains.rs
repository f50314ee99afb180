//! Chains and constraint systems of a program.

use super::Environment;
use super::record::ProgramRecord;
use navigation::ChainsView;
use serde::{Deserialize, Serialize};

/// The result of `compact-se chains`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ChainsRecord {
    /// Version of this layout, 2.
    pub format: u32,
    pub environment: Environment,
    pub program: ProgramRecord,
    /// Root chains, and all.
    pub root_chains: usize,
    pub chains: usize,
    /// Whether there are more chains than were examined.
    pub cut: bool,
    /// Edges of all chains together.
    pub edges: usize,
    /// Root chains without a solution, or whose condition fails without counters.
    pub eliminated: usize,
    /// Root chains of which the solver did not say whether there is a solution.
    pub undecided: usize,
    /// Constraints of the systems of root chains that are left.
    pub constraints: usize,
    /// Seconds for the chains.
    pub chains_s: f64,
    /// Seconds for the systems, and for asking which have a solution.
    pub systems_s: f64,
    /// Everything in the paper's notation, part by part.
    pub view: ChainsView,
}

impl ChainsRecord {
    /// As text: chains, functions, systems, numbers.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n", self.view.to_text(), self.numbers())
    }

    /// How many chains and constraints there are.
    #[must_use]
    pub fn numbers(&self) -> String {
        let more = if self.cut { ", and more" } else { "" };
        format!(
            "{} chains{more}, {} of them root chains; {} eliminated, {} constraints left",
            self.chains, self.root_chains, self.eliminated, self.constraints
        )
    }
}
