//! Program states.

use super::folded::FoldedCalls;
use super::input::InputLog;
use crate::flowgraph::{EdgeId, FunctionId, NodeId, RegId};
use crate::memory::{Memory, ObjectId};
use crate::term::{TermId, TermPool};
use std::rc::Rc;

/// A program location l.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    pub function: FunctionId,
    pub node: NodeId,
}

/// A program state (l, θ, φ) with its call stack. θ is `frame`, `callers` and `memory`.
#[derive(Clone)]
pub struct State {
    pub location: Location,
    pub frame: Frame,
    /// The frames of the callers, the innermost first.
    pub callers: rpds::List<Frame>,
    pub memory: Memory,
    pub path_cond: PathCondition,
    pub inputs: InputLog,
    /// The branchings passed in more than one feasible way, the latest first.
    pub decisions: rpds::List<Decision>,
}

/// A choice on a path: the edge taken where several were feasible, or left a template by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    pub function: FunctionId,
    pub edge: EdgeId,
    /// The path counter, where the edge was reached through a template.
    pub kappa: Option<TermId>,
}

/// The registers of a call.
#[derive(Clone)]
pub struct Frame {
    /// Indexed by [`RegId`]; what was not assigned yet is 0.
    regs: Rc<Vec<TermId>>,
    /// Objects of this frame, in order of allocation.
    pub allocas: Rc<Vec<ObjectId>>,
    /// Where the caller goes on, and the register for the result.
    pub return_to: Option<(Location, Option<RegId>)>,
    /// Frames of the same function between this one and the caller.
    pub folded: Option<FoldedCalls>,
}

impl Frame {
    /// A frame with these values of the registers.
    #[must_use]
    pub fn new(regs: Rc<Vec<TermId>>, return_to: Option<(Location, Option<RegId>)>) -> Frame {
        Frame {
            regs,
            allocas: Rc::default(),
            return_to,
            folded: None,
        }
    }

    /// The value of a register.
    #[must_use]
    pub fn get(&self, reg: RegId) -> TermId {
        self.regs[reg.index()]
    }

    /// How many registers there are.
    #[must_use]
    pub fn n_regs(&self) -> usize {
        self.regs.len()
    }

    /// Assigns a register.
    pub fn set(&mut self, reg: RegId, value: TermId) {
        Rc::make_mut(&mut self.regs)[reg.index()] = value;
    }

    /// The same frame with further registers of these values.
    #[must_use]
    pub fn extended(&self, further: impl IntoIterator<Item = TermId>) -> Frame {
        let mut frame = self.clone();
        Rc::make_mut(&mut frame.regs).extend(further);
        frame
    }

    /// Notes an object that dies with the frame.
    pub fn push_alloca(&mut self, object: ObjectId) {
        Rc::make_mut(&mut self.allocas).push(object);
    }
}

/// A path condition φ: a conjunction of terms of width 1, the latest first.
#[derive(Clone, Default)]
pub struct PathCondition {
    conjuncts: rpds::List<TermId>,
}

impl PathCondition {
    /// φ ∧ condition.
    pub fn assume(&mut self, pool: &TermPool, condition: TermId) {
        for conjunct in pool.conjuncts(condition) {
            if !pool.is_true(conjunct) {
                self.conjuncts.push_front_mut(conjunct);
            }
        }
    }

    /// Whether this condition was assumed last, so that φ implies it as it stands.
    #[must_use]
    pub fn ends_with(&self, pool: &TermPool, condition: TermId) -> bool {
        let conjuncts = pool.conjuncts(condition);
        let latest = self.conjuncts.iter().take(conjuncts.len());
        !conjuncts.is_empty() && latest.eq(conjuncts.iter().rev())
    }

    /// Whether this condition was assumed, so that φ implies it as it stands.
    #[must_use]
    pub fn contains(&self, pool: &TermPool, condition: TermId) -> bool {
        let conjuncts = pool.conjuncts(condition);
        let is_known = |conjunct: &TermId| {
            pool.is_true(*conjunct) || self.conjuncts.iter().any(|known| known == conjunct)
        };
        conjuncts.iter().all(is_known)
    }

    /// The conjuncts, the oldest first.
    #[must_use]
    pub fn to_vec(&self) -> Vec<TermId> {
        let mut conjuncts: Vec<TermId> = self.conjuncts.iter().copied().collect();
        conjuncts.reverse();
        conjuncts
    }

    /// How many conjuncts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// Whether φ is *true*.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }
}
