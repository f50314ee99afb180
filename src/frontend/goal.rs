//! Coverage goals: the places that tests should pass.
//!
//! A goal is a location in the source, however often its code was copied by inlining. Paths of the engine
//! report passing it ([`Action::Goal`](flowgraph::Action::Goal)), and so do replays, by the same calls in the
//! same bitcode.

use serde::{Deserialize, Serialize};

/// Which goals are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Goals {
    #[default]
    Nothing,
    /// Both sides of each branching, and each case of a `switch`.
    Branches,
    /// Each line that has code.
    Lines,
    BranchesAndLines,
    /// Each call of the functions that are targets by default, as `reach_error`.
    ErrorCalls,
}

impl Goals {
    /// Those that can be asked for.
    pub const OPTIONS: [Goals; 4] = [
        Goals::BranchesAndLines,
        Goals::Branches,
        Goals::Lines,
        Goals::ErrorCalls,
    ];

    /// By option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Goals::Nothing => "nothing",
            Goals::Branches => "branches",
            Goals::Lines => "lines",
            Goals::BranchesAndLines => "all",
            Goals::ErrorCalls => "error-call",
        }
    }

    /// What they are, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Goals::Nothing => "Nothing",
            Goals::Branches => "Sides of conditions, cases of switches",
            Goals::Lines => "Lines that have code",
            Goals::BranchesAndLines => "Branches and lines",
            Goals::ErrorCalls => "Calls of reach_error and similar functions",
        }
    }

    /// Whether sides of branchings are among them.
    #[must_use]
    pub fn has_branches(self) -> bool {
        matches!(self, Goals::Branches | Goals::BranchesAndLines)
    }

    /// Whether lines are among them.
    #[must_use]
    pub fn has_lines(self) -> bool {
        matches!(self, Goals::Lines | Goals::BranchesAndLines)
    }
}

/// A place that tests are to pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Goal {
    pub kind: GoalKind,
    /// The function of the source.
    pub function: String,
    /// Path as it was given to clang, if that was below the working folder; empty where the bitcode
    /// has no places.
    pub file: String,
    /// 0 where it is not known; so is `column`.
    pub line: u32,
    pub column: u32,
    /// Behind the last character of the condition, line and column, where clang tells.
    pub end: Option<(u32, u32)>,
    /// Why clang made no code of it, so that no execution comes there.
    pub without_code: Option<WithoutCode>,
}

/// The kind of the goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GoalKind {
    /// A side of a branching.
    Branch(Side),
    /// Something that the line has code of.
    Line,
    /// A call of this function.
    Call(String),
}

/// A side of a branching.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Side {
    True,
    False,
    /// A `case` of a `switch`.
    Case(i64),
    /// The `default` of a `switch`, or behind it where it has none.
    Default,
    /// That which the constant value of the condition excludes.
    Excluded,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Side::True => f.write_str("true"),
            Side::False => f.write_str("false"),
            Side::Case(value) => write!(f, "case {value}"),
            Side::Default => f.write_str("default"),
            Side::Excluded => f.write_str("other side"),
        }
    }
}

/// Why there is no code of a part of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum WithoutCode {
    /// The condition is a constant.
    ConstantCondition,
    /// It is after a constant condition, or behind a jump.
    NothingLeadsThere,
    /// Nobody uses the function.
    UnusedFunction,
}

impl std::fmt::Display for WithoutCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WithoutCode::ConstantCondition => "the condition is constant",
            WithoutCode::NothingLeadsThere => "no path reaches it",
            WithoutCode::UnusedFunction => "the function is unused",
        })
    }
}
