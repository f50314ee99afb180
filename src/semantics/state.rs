//! Program states.

use super::folded::FoldedCalls;
use super::input::InputLog;
use flowgraph::{EdgeId, FunctionId, GoalId, NodeId, RegId};
use memory::{Memory, ObjectId};
use std::rc::Rc;
use term::{TermId, TermPool};

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
    /// Coverage goals without known inputs that the path passed, the latest first; finding such inputs removes them.
    pub goals: rpds::List<GoalId>,
    /// The access out of bounds at which the path ends, if it ends there.
    pub exceeded: Option<Exceeded>,
}

/// An access out of the bounds of its object: all terms are as wide as a pointer.
#[derive(Clone, Copy, Debug)]
pub struct Exceeded {
    pub offset: TermId,
    /// The bytes that are accessed.
    pub length: TermId,
    /// The size of the object.
    pub bytes: TermId,
}

impl State {
    /// Where it is, and where its callers continue, the innermost first.
    pub fn locations(&self) -> impl Iterator<Item = Location> + '_ {
        let frames = std::iter::once(&self.frame).chain(self.callers.iter());
        let callers = frames.flat_map(|frame| {
            let folded = frame.folded.iter();
            let folded = folded.flat_map(FoldedCalls::return_locations);
            folded.chain(frame.return_to.map(|(location, _)| location))
        });
        std::iter::once(self.location).chain(callers)
    }
}

/// A choice on a path.
#[derive(Clone, Debug)]
pub enum Decision {
    /// The edge taken where several were feasible, or left a template by.
    Edge {
        function: FunctionId,
        edge: EdgeId,
        /// Where the callers continue, as [`callers_of`](super::callers_of) has them.
        callers: Vec<Location>,
        /// The path counter, where the edge was reached through a template.
        kappa: Option<TermId>,
    },
    /// Those of two paths that were merged.
    Either(Rc<Sides<Decision>>),
}

impl Decision {
    /// The edge that was taken; `None` for those of two paths.
    #[must_use]
    pub fn taken(&self) -> Option<(FunctionId, EdgeId)> {
        match self {
            Decision::Edge { function, edge, .. } => Some((*function, *edge)),
            Decision::Either(_) => None,
        }
    }

    /// The path counter of the template that was left.
    #[must_use]
    pub fn kappa(&self) -> Option<TermId> {
        match self {
            Decision::Edge { kappa, .. } => *kappa,
            Decision::Either(_) => None,
        }
    }
}

/// The notes of two merged paths since they parted, each in order.
#[derive(Clone, Debug)]
pub struct Sides<T> {
    /// Of width 1: whether it was the first path.
    pub selector: TermId,
    pub first: Vec<T>,
    pub second: Vec<T>,
}

/// A note of a path, possibly of one of two merged paths.
pub trait Noted: Sized {
    /// What each of the merged paths noted, if it is that.
    fn sides(&self) -> Option<&Sides<Self>>;
}

impl Noted for Decision {
    fn sides(&self) -> Option<&Sides<Decision>> {
        match self {
            Decision::Either(sides) => Some(sides),
            Decision::Edge { .. } => None,
        }
    }
}

/// What one path noted, in order, where `is_first` says which of two merged paths it is by their
/// selector; `log` has the latest first.
pub fn noted_by<T: Noted>(
    log: &rpds::List<T>,
    mut is_first: impl FnMut(TermId) -> bool,
) -> Vec<&T> {
    unfold(log, |sides, open| {
        let side = if is_first(sides.selector) {
            &sides.first
        } else {
            &sides.second
        };
        open.extend(side.iter().rev());
    })
}

/// The notes of all merged paths.
pub fn noted_by_any<T: Noted>(log: &rpds::List<T>) -> Vec<&T> {
    unfold(log, |sides, open| {
        open.extend(sides.second.iter().rev());
        open.extend(sides.first.iter().rev());
    })
}

/// `open_up` puts what is to be examined in the place of two sides, the last first.
fn unfold<'a, T: Noted>(
    log: &'a rpds::List<T>,
    mut open_up: impl FnMut(&'a Sides<T>, &mut Vec<&'a T>),
) -> Vec<&'a T> {
    let mut open: Vec<&T> = log.iter().collect();
    let mut noted = Vec::with_capacity(open.len());
    while let Some(next) = open.pop() {
        match next.sides() {
            Some(sides) => open_up(sides, &mut open),
            None => noted.push(next),
        }
    }
    noted
}

/// The registers of a call.
#[derive(Clone)]
pub struct Frame {
    /// Indexed by [`RegId`]; what was not assigned yet is 0.
    regs: Rc<Vec<TermId>>,
    /// Objects of this frame, in order of allocation.
    pub allocas: Rc<Vec<ObjectId>>,
    /// Where the caller continues, and the register for the result.
    pub return_to: Option<(Location, Option<RegId>)>,
    /// Frames of the same function between this one and the caller.
    pub folded: Option<FoldedCalls>,
    /// Bytes of the stack that it and its callers have in use at least, where the stack has an end.
    pub stack: u64,
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
            stack: 0,
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

    /// Whether both hold the same, and continue at the same place.
    #[must_use]
    pub fn is_same(&self, other: &Frame) -> bool {
        (Rc::ptr_eq(&self.regs, &other.regs) || self.regs == other.regs)
            && self.allocas == other.allocas
            && self.return_to == other.return_to
            && self.folded.is_none()
            && other.folded.is_none()
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

    /// The conjuncts that were assumed when there were so many already, the oldest first.
    #[must_use]
    pub(super) fn since(&self, n_conjuncts: usize) -> Vec<TermId> {
        let n_newer = self.len().saturating_sub(n_conjuncts);
        let mut newer: Vec<TermId> = self.conjuncts.iter().take(n_newer).copied().collect();
        newer.reverse();
        newer
    }

    /// φ as it was when it had so many conjuncts.
    #[must_use]
    pub(super) fn before(&self, n_conjuncts: usize) -> PathCondition {
        PathCondition {
            conjuncts: oldest(&self.conjuncts, n_conjuncts),
        }
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

/// A list, the latest first, as it was when it had so many elements.
pub(super) fn oldest<T>(list: &rpds::List<T>, n_elements: usize) -> rpds::List<T> {
    let mut list = list.clone();
    while list.len() > n_elements {
        list.drop_first_mut();
    }
    list
}
