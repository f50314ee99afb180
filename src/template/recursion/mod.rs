//! Templates of recursion: in two parts, which share κ.
//!
//! ```text
//! function --calls as edges to the entry--> loop --Algorithm 1--> descent: κ calls, exits
//!          --returns as edges behind the call--> loop --Algorithm 1--> ascent: κ returns
//! state at the entry ⋄ descent --> states in frame κ, with a record of the κ frames below
//! state at a return with a record ⋄ ascent --> the state behind the return of frame 0
//! ```
//!
//! The *meta-edges* of the paper, which simulate the effect of a call and that of a return, make an
//! ordinary loop of each phase ([`meta`]), so that either gets its template by Algorithm 1. What
//! frames hold when the way back passes them is the closed form, in the descent, of the registers
//! that are read there; in the ascent frame κ − 1 − τ is passed in iteration τ.
//!
//! The record is a [`FoldedFrames`](semantics::FoldedFrames). The ascent is computed anew
//! for the objects that pointers point into at the return, and where it has no template then,
//! returns are classic, frame by frame. If it has none for the states for which the descent is
//! computed, there is no template at all, as in the paper.
//!
//! What calls add up behind a pointer that is handed down is a cell, where its offset is a constant
//! ([`offsets`](super::offsets)); on the way back cells are elements of arrays.
//!
//! Where returns hand the result on and do nothing else, frames are not told apart: nothing is
//! recorded, and κ is as wide as that of a loop (*tail*). Else κ counts frames, and is no narrower
//! than the calls that are possible, since each depth may have an effect of its own.
//!
//! Not folded: frames with objects of their own, calls of other functions that are not inlined,
//! functions whose way back calls them again (Fibonacci, Ackermann), inputs on the way back.
//!
//! # Source
//! arXiv 1201.4715, Sections 2, 3 and 5.2.

mod ascent;
mod compute;
mod meta;
mod notation;
mod table;

pub use table::RecursionRecord;
pub(super) use table::Recursions;

pub use ascent::{Ascended, Ascent};

use super::{Folding, Template, TemplateExit};
use flowgraph::EdgeId;
use meta::Unrolled;
use semantics::FoldedFrames;

/// A template of recursion.
pub struct RecursionTemplate {
    /// From the entry of the function to frame κ.
    pub descent: Template,
    /// The states that call once more after κ calls.
    pub deeper: TemplateExit,
    pub returns: Returns,
}

/// What the returns from the calls do.
pub enum Returns {
    /// They hand the result on.
    Tail,
    /// Each frame may have a say.
    Frames {
        /// The registers of frame κ, over the entry symbols of the descent.
        frames: FoldedFrames,
        /// For what is known at the entry.
        ascent: Box<Ascent>,
    },
}

/// Iterations of calls or of returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecursionRegion {
    pub phase: Phase,
    /// The recursive calls, ascending.
    pub calls: Vec<EdgeId>,
    /// Names of locations as in [`super::Region::locations`].
    pub locations: Vec<String>,
    /// Whether all paths are merged or one is folded.
    pub folding: Folding,
}

/// The two parts of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Calls.
    Descent,
    /// Returns.
    Ascent,
}

impl Phase {
    /// What its iterations are, for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Descent => "calls",
            Phase::Ascent => "returns",
        }
    }
}
