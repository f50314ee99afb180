//! The inputs that a path has read, in order.

use super::state::{Noted, Sides};
use flowgraph::{Action, EdgeId, FunctionId, Program, Step};
use memory::{Arbitrary, Base};
use std::rc::Rc;
use std::sync::Arc;
use term::{Bv, TermId};

/// The inputs read by a path, the latest first.
pub type InputLog = rpds::List<InputEvent>;

/// The action that reads an input: step number `position` of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputSite {
    pub function: FunctionId,
    pub edge: EdgeId,
    pub position: usize,
}

impl InputSite {
    /// The step itself.
    #[must_use]
    pub fn step(self, program: &Program) -> Option<&Step> {
        let function = &program.functions[self.function.index()];
        function.edge(self.edge).steps.get(self.position)
    }

    /// The function of the program whose call the input is the result of, if it is one.
    #[must_use]
    pub fn call(self, program: &Program) -> Option<&str> {
        match &self.step(program)?.action {
            Action::Input { call, .. } => call.as_deref(),
            _ => None,
        }
    }
}

/// One read, or the reads of all iterations of a folded loop.
#[derive(Clone, Debug)]
pub enum InputEvent {
    /// A value: a symbol, or the element of a template's input array. Parameters of `main` have
    /// no site.
    Value {
        term: TermId,
        site: Option<InputSite>,
    },
    /// A block of memory: its size in bytes and its content.
    Memory {
        bytes: TermId,
        content: Rc<Arbitrary>,
        /// Where it lies, if it is there before the program starts.
        address: Option<u64>,
        site: InputSite,
    },
    /// κ iterations of a loop, each of which reads from these arrays, in this order; the arrays are
    /// indexed by iteration.
    Iterations {
        kappa: TermId,
        arrays: Rc<[(TermId, Option<InputSite>)]>,
    },
    /// Those of two paths that were merged.
    Either(Rc<Sides<InputEvent>>),
}

impl Noted for InputEvent {
    fn sides(&self) -> Option<&Sides<InputEvent>> {
        match self {
            InputEvent::Either(sides) => Some(sides),
            InputEvent::Value { .. }
            | InputEvent::Memory { .. }
            | InputEvent::Iterations { .. } => None,
        }
    }
}

/// The value of an input that is known before the program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenInput {
    Value(Bv),
    /// The bytes of a block of memory.
    Memory(Arc<[u8]>),
    /// Known to be read, but not what it is.
    Arbitrary,
}

/// The first inputs of a path, in the order in which they are read; what is read behind them is
/// arbitrary.
pub type GivenInputs = Arc<[GivenInput]>;

impl GivenInput {
    /// The value as a number of this width, if it is one.
    pub(super) fn value(&self, bits: u32) -> Option<&Bv> {
        match self {
            GivenInput::Value(value) if value.width() == bits => Some(value),
            _ => None,
        }
    }

    /// The content of an object of this many bytes, if that is what is given.
    pub(super) fn content(&self, bytes: Option<u64>) -> Option<Base> {
        match self {
            GivenInput::Memory(given) if Some(given.len() as u64) == bytes => {
                Some(Base::Bytes(Rc::from(&**given)))
            }
            _ => None,
        }
    }
}
