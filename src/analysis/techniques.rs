//! The techniques of an analysis, and which of them it uses.

use crate::symex::SearchStrategy;
use serde::{Deserialize, Serialize};

/// A way to decide whether the target is reachable; each decides some programs alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Technique {
    /// Execution by templates where there are some, states nearest to the target first.
    Compact,
    /// Execution iteration by iteration, nearest and newest states in turn.
    Classic,
    /// A proof by induction: every loop is cut. It proves *unreachable* or nothing.
    Induction,
    /// What inputs have to satisfy, with a formula for all iterations of each loop: it proves
    /// *unreachable*, or guesses inputs.
    Necessary,
    /// A proof by invariants and summaries that solve constrained Horn clauses. It proves
    /// *unreachable* or nothing.
    Horn,
}

impl Technique {
    /// All of them, in the order in which ties between them are decided.
    pub const ALL: [Technique; 5] = [
        Technique::Compact,
        Technique::Classic,
        Technique::Induction,
        Technique::Necessary,
        Technique::Horn,
    ];

    /// `compact`, `classic`, `induction`, `necessary` or `horn`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Technique::Compact => "compact",
            Technique::Classic => "classic",
            Technique::Induction => "induction",
            Technique::Necessary => "necessary",
            Technique::Horn => "horn",
        }
    }

    /// The order of its states where none is asked for.
    #[must_use]
    pub fn search(self) -> SearchStrategy {
        match self {
            Technique::Compact | Technique::Induction | Technique::Necessary | Technique::Horn => {
                SearchStrategy::Nearest
            }
            Technique::Classic => SearchStrategy::NearestAndNewest,
        }
    }

    /// Whether it may go through all executions, so that why it did not decide is why nobody does.
    #[must_use]
    pub fn is_complete(self) -> bool {
        match self {
            Technique::Compact | Technique::Classic => true,
            Technique::Induction | Technique::Necessary | Technique::Horn => false,
        }
    }

    /// Techniques of one lane share its work; lanes have the same.
    pub(super) fn lane(self) -> u32 {
        match self {
            Technique::Compact => 0,
            Technique::Classic | Technique::Induction => 1,
            Technique::Necessary => 2,
            Technique::Horn => 3,
        }
    }
}

/// Techniques that are used beside each other: at least one, each once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Techniques(Vec<Technique>);

impl Techniques {
    /// Those that are used where none is named: all but [`Technique::Horn`], whose effect on all task
    /// sets is not measured yet.
    #[must_use]
    pub fn usual() -> Techniques {
        let usual = Technique::ALL.into_iter();
        Techniques(usual.filter(|one| *one != Technique::Horn).collect())
    }

    /// One technique alone.
    #[must_use]
    pub fn only(technique: Technique) -> Techniques {
        Techniques(vec![technique])
    }

    /// These; `None` where that is no technique.
    #[must_use]
    pub fn of(wanted: impl Fn(Technique) -> bool) -> Option<Techniques> {
        let chosen: Vec<Technique> = Technique::ALL.into_iter().filter(|t| wanted(*t)).collect();
        (!chosen.is_empty()).then_some(Techniques(chosen))
    }

    /// Whether a technique is among them.
    #[must_use]
    pub fn contains(&self, technique: Technique) -> bool {
        self.0.contains(&technique)
    }

    /// In the order of [`Technique::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = Technique> + '_ {
        self.0.iter().copied()
    }

    /// `default` for all, else their names with `+` between.
    #[must_use]
    pub fn name(&self) -> String {
        if *self == Techniques::usual() {
            return "default".to_owned();
        }
        let names: Vec<&str> = self.iter().map(Technique::name).collect();
        names.join("+")
    }
}
