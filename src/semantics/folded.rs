//! Frames of recursive calls that a template has folded into one record.
//!
//! After the descent of a recursion the stack holds κ frames of one function. Known are only their number
//! and, for each frame, the registers that the return path reads, as terms over the number τ of the frame,
//! where 0 is the outermost. A return into the record either leaves it, if no frame is left, or continues in
//! frame κ − 1, which is removed from it. This is exact classic execution; the ascent of a template consumes
//! the whole record in one step.
//!
//! # Source
//! arXiv 1201.4715, Section 2: the call stack record of a recursion template and its parameter.

use super::machine::Machine;
use super::state::{Frame, Location, State};
use super::step::{EdgeRun, PathEnd};
use flowgraph::{EdgeId, FunctionId, NodeId, RegId};
use indexmap::IndexMap;
use std::rc::Rc;
use term::{SymbolId, TermId, TermPool};

/// Frames between a frame and that of its caller; they all belong to the function of the former.
#[derive(Clone)]
pub struct FoldedCalls {
    /// How many, unsigned; as wide as the number of a frame.
    pub count: TermId,
    pub frames: Rc<FoldedFrames>,
}

/// The content of the folded frames.
pub struct FoldedFrames {
    pub function: FunctionId,
    /// Where a frame may wait; not empty.
    pub sites: Vec<CallSite>,
    /// For each site but the last: frame τ waits there, if not at one before (width 1).
    pub waits_at: Vec<TermId>,
    /// The number τ of a frame.
    pub number: SymbolId,
    /// The registers that are read behind some site, but for its result, in frame τ.
    pub locals: Vec<(RegId, TermId)>,
}

/// A recursive call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub edge: EdgeId,
    /// Where the function continues.
    pub return_to: NodeId,
    /// The register for the result.
    pub dst: Option<RegId>,
}

impl FoldedFrames {
    /// A term over τ for a given frame.
    pub fn at(&self, pool: &mut TermPool, term: TermId, number: TermId) -> TermId {
        let mut theta = IndexMap::from([(self.number, number)]);
        pool.substitute(term, &mut theta)
    }
}

impl FoldedCalls {
    /// Where the frames continue.
    pub fn return_locations(&self) -> impl Iterator<Item = Location> + '_ {
        let function = self.frames.function;
        let sites = self.frames.sites.iter();
        sites.map(move |site| Location {
            function,
            node: site.return_to,
        })
    }
}

impl Machine<'_> {
    /// The frame's objects die.
    pub fn drop_allocas(&self, state: &mut State) {
        let allocas = Rc::clone(&state.frame.allocas);
        for object in allocas.iter() {
            state.memory.remove(*object);
        }
        state.frame.allocas = Rc::default();
    }

    /// The state behind the return of a frame with nothing folded below it; `None` where it is
    /// that of `main`.
    ///
    /// # Panics
    /// If a frame has a return address and no caller: a defect.
    #[must_use]
    pub fn leave_frame(&self, mut state: State, value: Option<TermId>) -> Option<State> {
        let (location, dst) = state.frame.return_to?;
        self.drop_allocas(&mut state);
        let caller = state
            .callers
            .first()
            .expect("a frame with a return address has a caller")
            .clone();
        state.callers = state
            .callers
            .drop_first()
            .expect("a frame with a return address has a caller");
        state.frame = caller;
        if let (Some(dst), Some(value)) = (dst, value) {
            state.frame.set(dst, value);
        }
        state.location = location;
        Some(state)
    }

    /// A frame of a function in place of a state's own, which has the same caller.
    #[must_use]
    pub fn frame_instead(&self, state: &State, function: FunctionId) -> Frame {
        let mut frame = self.new_frame(function, state.frame.return_to);
        // At least, since frames between them and this one take room too.
        frame.stack = state.frame.stack;
        frame
    }

    /// The return of a frame with folded frames below it: past all of them, where there are none,
    /// or into the innermost one.
    pub(super) fn return_to_folded(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        folded: &FoldedCalls,
        value: Option<TermId>,
    ) -> Option<State> {
        self.drop_allocas(&mut state);
        state.frame.folded = None;
        let zero = run.pool.bv(run.pool.width(folded.count), 0);
        let is_none = run.pool.eq(folded.count, zero);
        if let Some(past) = self.assume(run, state.clone(), is_none) {
            match self.leave_frame(past.clone(), value) {
                Some(next) => run.arrive(next),
                None => run.end(past, PathEnd::Returned),
            }
        }
        let is_some = run.pool.not(is_none);
        let mut state = self.assume(run, state, is_some)?;
        let frames = Rc::clone(&folded.frames);
        let one = run.pool.bv(run.pool.width(folded.count), 1);
        let number = run.pool.sub(folded.count, one);
        let (last, others) = frames.sites.split_last()?;
        for (site, waits) in others.iter().zip(&frames.waits_at) {
            let waits = frames.at(run.pool, *waits, number);
            if let Some(here) = self.assume(run, state.clone(), waits) {
                let next = self.frame_at(run.pool, here, &frames, number, *site, value);
                run.arrive(next);
            }
            let goes_on = run.pool.not(waits);
            state = self.assume(run, state, goes_on)?;
        }
        Some(self.frame_at(run.pool, state, &frames, number, *last, value))
    }

    /// Continues in a folded frame that waits at a site.
    fn frame_at(
        &self,
        pool: &mut TermPool,
        mut state: State,
        frames: &Rc<FoldedFrames>,
        number: TermId,
        site: CallSite,
        value: Option<TermId>,
    ) -> State {
        let mut frame = self.frame_instead(&state, frames.function);
        for (reg, local) in &frames.locals {
            let local = frames.at(pool, *local, number);
            frame.set(*reg, local);
        }
        if let (Some(dst), Some(value)) = (site.dst, value) {
            frame.set(dst, value);
        }
        frame.folded = Some(FoldedCalls {
            count: number,
            frames: Rc::clone(frames),
        });
        state.frame = frame;
        state.location = Location {
            function: frames.function,
            node: site.return_to,
        };
        state
    }
}
