//! Source locations for people: an event in a model of the C library, or in a function without debug
//! information, is located at the program's call.
//!
//! Inlined models have such locations already; for called models the call stack gives them.

use super::state::{Location, State};
use super::step::PathEnd;
use flowgraph::{Action, Callee, FunctionId, Program, Span};

/// So many calls around a step are examined; models of the C library call no deeper.
const DEEPEST: usize = 6;

/// Where the callers of a state continue, the innermost first, at most so many that a place can be told.
#[must_use]
pub fn callers_of(state: &State) -> Vec<Location> {
    callers(state).take(DEEPEST).collect()
}

fn callers(state: &State) -> impl Iterator<Item = Location> {
    let frames = std::iter::once(&state.frame).chain(state.callers.iter());
    frames.filter_map(|frame| frame.return_to.map(|(location, _)| location))
}

/// The place of a step that a state is about to make.
#[must_use]
pub fn place_of(program: &Program, state: &State, span: Span) -> Span {
    if is_for_people(program, span) {
        span
    } else {
        let callers = callers(state).take(DEEPEST);
        place_after_call(program, state.location.function, callers, span)
    }
}

fn is_for_people(program: &Program, span: Span) -> bool {
    span.line > 0 && !program.is_in_library(span)
}

/// The place of a step of `function`, whose `callers` continue there, the innermost first.
#[must_use]
pub fn place_after_call(
    program: &Program,
    function: FunctionId,
    callers: impl IntoIterator<Item = Location>,
    span: Span,
) -> Span {
    if is_for_people(program, span) {
        return span;
    }
    let mut callee = function;
    for caller in callers {
        match call_before(program, callee, caller) {
            Some(call) if is_for_people(program, call) => return call,
            _ => callee = caller.function,
        }
    }
    span
}

/// The place of the call behind which a caller continues.
fn call_before(program: &Program, callee: FunctionId, caller: Location) -> Option<Span> {
    let function = program.function(caller.function);
    let edges = function.in_edges(caller.node).iter();
    let calls = edges.filter_map(|edge| {
        let step = function.edge(*edge).steps.last()?;
        match &step.action {
            Action::Call {
                callee: Callee::Direct(called),
                ..
            } => Some((Some(*called), step.span)),
            Action::Call { .. } => Some((None, step.span)),
            _ => None,
        }
    });
    let mut calls: Vec<_> = calls.collect();
    // Several calls may continue at one place.
    calls.sort_by_key(|(called, _)| *called != Some(callee));
    calls.first().map(|(_, span)| *span)
}

impl PathEnd {
    /// The same with the place where that is for people: the end of this state's path.
    #[must_use]
    pub fn placed(self, program: &Program, state: &State) -> PathEnd {
        let place = |span| place_of(program, state, span);
        match self {
            PathEnd::Returned => PathEnd::Returned,
            PathEnd::Assumed(span) => PathEnd::Assumed(place(span)),
            PathEnd::Target(span) => PathEnd::Target(place(span)),
            PathEnd::Program(kind, span) => PathEnd::Program(kind, place(span)),
            PathEnd::Fault(fault, span) => PathEnd::Fault(fault, place(span)),
            PathEnd::Unsupported(what, span) => PathEnd::Unsupported(what, place(span)),
            PathEnd::Undecided(span) => PathEnd::Undecided(place(span)),
        }
    }
}
