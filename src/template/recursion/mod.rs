//! Templates of recursion, in two parts that share κ.
//!
//! ```text
//! function --calls as edges to the entry--> loop --Algorithm 1--> descent: κ calls, exits
//!          --returns as edges after the call--> loop --Algorithm 1--> ascent: κ returns
//! state at the entry ⋄ descent --> states in frame κ, with a record of the κ frames below
//! state at a return with a record ⋄ ascent --> the state after the return of frame 0
//! ```
//!
//! The *meta-edges* of the paper, which simulate the effect of a call and that of a return, turn each phase
//! into an ordinary loop ([`meta`]), so that each gets its template by Algorithm 1. The content of frames on
//! the return path is given by the closed forms, in the descent, of the registers that are read there;
//! iteration τ of the ascent passes frame κ − 1 − τ.
//!
//! The record is a [`FoldedFrames`]. The ascent is recomputed for the objects that
//! pointers point into at the return; if it has no template then, returns are classic, frame by frame. If it
//! has none for the states of the descent, there is no template at all, as in the paper.
//!
//! A total that calls accumulate through a pointer argument is a cell if its offset is a constant
//! ([`offsets`](super::offsets)); on the return path cells are elements of arrays.
//!
//! If returns only pass the result on (*tail* recursion), frames are not distinguished: no frame is recorded,
//! and κ is as wide as that of a loop. Otherwise κ counts frames, and is wide enough for all possible calls,
//! since each depth may have a different effect.
//!
//! Not folded: frames with separate objects, calls of other functions that are not inlined, functions
//! whose return path calls them again (Fibonacci, Ackermann), inputs on the return path.
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

/// The effect of the returns from the calls.
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
    /// Its iterations, for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Descent => "calls",
            Phase::Ascent => "returns",
        }
    }
}
