//! Stretches (concrete execution): parts of a path on which all values read are known, executed on machine words.
//!
//! ```text
//! State --registers, pages, on first read--> words --code--> words --changes--> State
//! ```
//!
//! A stretch follows one path along whole edges. It ends before an edge that words cannot execute like an
//! ordinary step: an operand is unknown, the path ends, faults, reads an input or allocates, or the operation
//! is on floats or on numbers wider than words. Unknown values can be copied. The code of a function is
//! generated when the first stretch reaches it.
//!
//! # Invariants
//! - The state at the end equals that of ordinary steps: the same terms, cell by cell. Only
//!   [`FlatArray`](memory::FlatArray)s may be rebuilt later.
//! - On each edge of the stretch the ordinary step has exactly one successor and needs no query.
//!
//! # Deliberately absent
//! No oracle, no templates, no search: the caller decides whether a stretch pays off.

mod bytes;
mod code;
mod run;
mod value;

use self::bytes::Bytes;
use self::code::{Code, compile};
use self::run::{Interpreter, Rows};
use self::value::Names;
use super::{Location, Machine, State};
use flowgraph::{BitSet, FunctionId};
use std::rc::Rc;
use std::sync::Arc;
use term::TermPool;

/// Runs stretches of one program.
pub struct Stretcher {
    /// By function: the locations at which a stretch may end for others to look at the state.
    places: Arc<[BitSet]>,
    code: Vec<Option<Rc<Code>>>,
    names: Names,
    bytes: Bytes,
    rows: Rows,
}

/// The loop, or the call, that a stretch stays in.
#[derive(Clone, Copy)]
pub struct Scope<'l> {
    pub function: FunctionId,
    /// How many callers the function has there.
    pub depth: usize,
    /// The nodes of the loop; those of the whole function if `None`.
    pub body: Option<&'l BitSet>,
}

impl Scope<'_> {
    /// Whether a location is inside, calls included; `depth` is how many callers there are.
    #[must_use]
    pub fn contains(&self, depth: usize, location: Location) -> bool {
        let is_in_body = |body: &BitSet| body.contains(location.node.index());
        depth > self.depth
            || depth == self.depth
                && location.function == self.function
                && self.body.is_none_or(is_in_body)
    }
}

/// How far a stretch may go.
pub struct Reach<'l> {
    /// It ends at the first place outside.
    pub scope: Scope<'l>,
    /// Edges.
    pub n_steps: u64,
    /// Whether it ends at the n-th place on its path, from 1.
    pub is_due: &'l dyn Fn(u32) -> bool,
    /// Whether time or memory is used up; asked now and then.
    pub is_over: &'l mut dyn FnMut() -> bool,
}

/// Why a stretch ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It is outside of its scope.
    Left,
    /// It is inside still, and the next edge is for an ordinary step.
    Halted,
    /// It came to a place that was due.
    Due,
    /// A limit.
    Spent,
}

/// A stretch.
pub struct Stretch {
    /// The state at its end.
    pub state: State,
    pub ending: Ending,
    /// Edges.
    pub n_steps: u64,
    pub n_actions: u64,
    /// Places gone by, without that where it ended.
    pub n_places: u32,
    /// About so many bytes of memory were written.
    pub n_bytes: usize,
}

impl Stretcher {
    /// For a program with these places, by function. Each endless path has to come by places again
    /// and again.
    #[must_use]
    pub fn new(places: impl Into<Arc<[BitSet]>>) -> Stretcher {
        let places = places.into();
        Stretcher {
            code: places.iter().map(|_| None).collect(),
            places,
            names: Names::default(),
            bytes: Bytes::default(),
            rows: Rows::default(),
        }
    }

    /// Whether stretches may end at this location for others to look at the state.
    #[must_use]
    pub fn is_place(&self, location: Location) -> bool {
        self.places[location.function.index()].contains(location.node.index())
    }

    /// The stretch that begins with a state; none if words cannot execute its first edge.
    pub fn run(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        state: &State,
        mut reach: Reach,
    ) -> Option<Stretch> {
        let mut run = Interpreter::new(machine, pool, self, state);
        let ending = run.run(&mut reach);
        if run.n_steps == 0 {
            return None;
        }
        let (n_steps, n_actions, n_places) = (run.n_steps, run.n_actions, run.n_places);
        let n_bytes = run.stretcher.bytes.n_changed();
        Some(Stretch {
            state: run.finish(),
            ending,
            n_steps,
            n_actions,
            n_places,
            n_bytes,
        })
    }

    fn code(&mut self, machine: &Machine, function: FunctionId) -> Rc<Code> {
        let index = function.index();
        if let Some(code) = &self.code[index] {
            return Rc::clone(code);
        }
        let data = &machine.program.functions[index];
        let code = Rc::new(compile(machine, &mut self.names, data, &self.places[index]));
        self.code[index] = Some(Rc::clone(&code));
        code
    }
}
