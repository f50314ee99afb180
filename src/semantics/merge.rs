//! Merging of two states.
//!
//! ```text
//! state --+--> (l, θ that is one or the other by a selector, φ of one or the other)
//! state --+
//! ```
//!
//! Two states that parted at a branching and meet at a location become one state: each of its concrete states
//! belongs to the first state if the *selector* holds, and to the second otherwise. The selector is the
//! condition at which they parted. If no condition holds on one side and fails on the other, it is a fresh
//! symbol, so that the sides need not be mutually exclusive, which they may not be with path counters.
//!
//! Only live registers count. The common part of both path conditions is kept; the other conjuncts of a side
//! become implications by the selector, one by one, so that conjuncts about different inputs stay
//! independent. The inputs and decisions of both sides are kept ([`Sides`]): a model of the merged state
//! determines the side.
//!
//! # Invariants
//! - The concrete states of the merged state are exactly the union of those of both states, up to the values
//!   of dead registers.
//!
//! # Source
//! Rozhoň, *Nested loops and path explosion in symbolic execution*, Sections 4.3 and 5.4.3.1.

use super::input::InputEvent;
use super::machine::Machine;
use super::state::{Decision, PathCondition, Sides, State, oldest};
use flowgraph::RegId;
use memory::{Held, Memory, ObjectId, ObjectKind, Pointer};
use std::rc::Rc;
use term::{Sort, Term, TermId, TermPool, Work};

/// What a state was where paths part, as far as all of them continue from it: how much was assumed,
/// read and decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting {
    n_conjuncts: usize,
    n_inputs: usize,
    n_decisions: usize,
}

impl Parting {
    /// At this state.
    #[must_use]
    pub fn at(state: &State) -> Parting {
        Parting {
            n_conjuncts: state.path_cond.len(),
            n_inputs: state.inputs.len(),
            n_decisions: state.decisions.len(),
        }
    }
}

impl PathCondition {
    /// The conjuncts that were assumed since a state parted, the oldest first.
    #[must_use]
    pub fn since_parting(&self, parting: Parting) -> Vec<TermId> {
        self.since(parting.n_conjuncts)
    }
}

/// The holder of a value in which two states differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A live register of the running function.
    Register(RegId),
    /// A cell of memory.
    Cell,
    /// The whole content of an object, which is an array.
    Content,
}

/// A value in which two states differ, of the same sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    pub place: Holder,
    pub first: TermId,
    pub second: TermId,
}

/// Whether two states that differ in this may be merged.
pub type Accepts<'a> = dyn FnMut(&mut TermPool, &Difference) -> bool + 'a;

/// Queries whether two conjuncts exclude each other, in the search for a selector.
const MOST_PAIRS: usize = 64;

impl Machine<'_> {
    /// Two states as one; `parting` is that of a state from which both came. `None` if they are at
    /// different places, or if `accepts` refuses a difference, or if their memories differ in
    /// more than values.
    pub fn merge(
        &self,
        pool: &mut TermPool,
        (first, second): (&State, &State),
        parting: Parting,
        accepts: &mut Accepts,
    ) -> Option<State> {
        pool.count_work(Work::PROJECTED_FRAME * first.callers.len() as u64);
        let is_same_place = first.location == second.location
            && first.frame.return_to == second.frame.return_to
            && first.frame.allocas == second.frame.allocas
            && first.frame.folded.is_none()
            && second.frame.folded.is_none()
            && first.callers.len() == second.callers.len()
            && first.frame.stack == second.frame.stack
            && (first.callers.iter().zip(second.callers.iter()))
                .all(|(mine, theirs)| mine.is_same(theirs));
        if !is_same_place {
            return None;
        }
        // A block that only one side has allocated would be lost on the other.
        let is_block = |object: &ObjectId| {
            let sides = [&first.memory, &second.memory];
            let object = sides.iter().find_map(|memory| memory.object(*object));
            object.is_some_and(|object| {
                object.alive && matches!(object.info.kind, ObjectKind::Heap(_))
            })
        };
        if self.follows_blocks
            && first
                .memory
                .unshared(&second.memory)
                .any(|id| is_block(&id))
        {
            return None;
        }
        // Most states that are not merged differ in some register, which costs least to look at.
        let function = self.program.function(first.location.function);
        let live = function.liveness().at(first.location.node).iter();
        let mut registers = Vec::new();
        for reg in live.filter_map(|reg| u32::try_from(reg).ok().map(RegId)) {
            let difference = Difference {
                place: Holder::Register(reg),
                first: first.frame.get(reg),
                second: second.frame.get(reg),
            };
            if difference.first != difference.second {
                if !accepts(pool, &difference) {
                    return None;
                }
                registers.push((reg, difference));
            }
        }
        let mut alternative = Alternative::of(pool, &first.path_cond, &second.path_cond, parting);
        let blend = Blend {
            selector: alternative.selector,
            pointer_bits: self.program.pointer_bits,
            memories: (&first.memory, &second.memory),
        };
        let mut merged = first.clone();
        for (reg, difference) in registers {
            let value = blend.value(pool, difference.first, difference.second);
            merged.frame.set(reg, value);
        }
        merged.memory =
            first
                .memory
                .merge(pool, &second.memory, &mut |pool, held, mine, theirs| {
                    let place = match held {
                        Held::Cell => Holder::Cell,
                        Held::Array => Holder::Content,
                    };
                    let difference = Difference {
                        place,
                        first: mine,
                        second: theirs,
                    };
                    accepts(pool, &difference).then(|| match held {
                        Held::Cell => blend.value(pool, mine, theirs),
                        Held::Array => blend.array(pool, mine, theirs),
                    })
                })?;
        merged.path_cond = alternative.path_condition(pool, &first.path_cond);
        let selector = alternative.selector;
        merged.inputs = oldest(&first.inputs, parting.n_inputs);
        if let Some(sides) =
            Sides::of_lists(selector, (&first.inputs, &second.inputs), parting.n_inputs)
        {
            merged
                .inputs
                .push_front_mut(InputEvent::Either(Rc::new(sides)));
        }
        let decisions = (&first.decisions, &second.decisions);
        merged.decisions = oldest(&first.decisions, parting.n_decisions);
        if let Some(sides) = Sides::of_lists(selector, decisions, parting.n_decisions) {
            merged
                .decisions
                .push_front_mut(Decision::Either(Rc::new(sides)));
        }
        Some(merged)
    }
}

impl<T: Clone> Sides<T> {
    /// What two lists, the latest first, have beyond so many elements; `None` if that is nothing.
    fn of_lists(
        selector: TermId,
        (first, second): (&rpds::List<T>, &rpds::List<T>),
        n_common: usize,
    ) -> Option<Sides<T>> {
        let newer = |list: &rpds::List<T>| {
            let n_newer = list.len().saturating_sub(n_common);
            let mut newer: Vec<T> = list.iter().take(n_newer).cloned().collect();
            newer.reverse();
            newer
        };
        let sides = Sides {
            selector,
            first: newer(first),
            second: newer(second),
        };
        (!sides.first.is_empty() || !sides.second.is_empty()).then_some(sides)
    }
}

/// Two path conditions as one.
struct Alternative {
    /// Conjuncts at the beginning of both.
    n_common: usize,
    /// Further ones that both have.
    shared: Vec<TermId>,
    /// Conditions of the first side that do not hold on the second one.
    selector: TermId,
    /// Further conditions of each side.
    first: Vec<TermId>,
    second: Vec<TermId>,
}

impl Alternative {
    fn of(
        pool: &mut TermPool,
        first: &PathCondition,
        second: &PathCondition,
        parting: Parting,
    ) -> Alternative {
        let mut n_common = parting.n_conjuncts;
        let (mut first, mut second) = (first.since(n_common), second.since(n_common));
        let alike = first
            .iter()
            .zip(&second)
            .take_while(|(mine, theirs)| mine == theirs);
        let n_alike = alike.count();
        n_common += n_alike;
        first.drain(..n_alike);
        second.drain(..n_alike);
        let in_both = |conjunct: &TermId| second.contains(conjunct);
        let shared: Vec<TermId> = first.iter().copied().filter(in_both).collect();
        first.retain(|conjunct| !shared.contains(conjunct));
        second.retain(|conjunct| !shared.contains(conjunct));
        let selector = Alternative::selector(pool, &first, &second);
        let fails = pool.not(selector);
        first.retain(|conjunct| *conjunct != selector);
        second.retain(|conjunct| *conjunct != fails);
        Alternative {
            n_common,
            shared,
            selector,
            first,
            second,
        }
    }

    /// A condition that follows from the first conjuncts, and its negation from the second ones; a
    /// fresh symbol if none is found.
    fn selector(pool: &mut TermPool, first: &[TermId], second: &[TermId]) -> TermId {
        for conjunct in first {
            let negated = pool.not(*conjunct);
            if second.contains(&negated) {
                return *conjunct;
            }
        }
        let pairs = first
            .iter()
            .flat_map(|mine| second.iter().map(move |theirs| (*mine, *theirs)));
        for (mine, theirs) in pairs.take(MOST_PAIRS) {
            let both = pool.and(mine, theirs);
            if pool.is_false(both) {
                return mine;
            }
        }
        pool.fresh("side", Sort::Bv(1))
    }

    fn path_condition(&mut self, pool: &mut TermPool, first: &PathCondition) -> PathCondition {
        let mut path_cond = first.before(self.n_common);
        for conjunct in &self.shared {
            path_cond.assume(pool, *conjunct);
        }
        let fails = pool.not(self.selector);
        for conjunct in &self.first {
            let demanded = pool.or(fails, *conjunct);
            path_cond.assume(pool, demanded);
        }
        for conjunct in &self.second {
            let demanded = pool.or(self.selector, *conjunct);
            path_cond.assume(pool, demanded);
        }
        path_cond
    }
}

/// Stores on one side that are searched for above the content of the other.
const MOST_STORES: usize = 16;

/// Makes values that are the first or the second one.
struct Blend<'a> {
    selector: TermId,
    pointer_bits: u32,
    memories: (&'a Memory, &'a Memory),
}

impl Blend<'_> {
    /// A bit-vector. Pointers into one object stay one, with an offset that is a choice.
    fn value(&self, pool: &mut TermPool, first: TermId, second: TermId) -> TermId {
        if pool.width(first) != self.pointer_bits {
            return self.number(pool, first, second);
        }
        let (mine, theirs) = self.memories;
        let ends = (
            Pointer::resolve(pool, mine, first),
            Pointer::resolve(pool, theirs, second),
        );
        match ends {
            (Some(one), Some(other)) if one.object == other.object => {
                let object = one.object;
                let offset = self.number(pool, one.offset, other.offset);
                Pointer { object, offset }.term(pool)
            }
            (None, None) => self.number(pool, first, second),
            (Some(_), _) | (_, Some(_)) => pool.ite(self.selector, first, second),
        }
    }

    /// What the sides have in common stays outside of the choice, so that a sum over many branchings
    /// stays a sum.
    fn number(&self, pool: &mut TermPool, first: TermId, second: TermId) -> TermId {
        let (common, first, second) = without_common(pool, first, second);
        let choice = pool.ite(self.selector, first, second);
        match common {
            Some(common) => pool.add(common, choice),
            None => choice,
        }
    }

    /// An array. Where one side has stored into what the other has, the stores are chosen.
    fn array(&self, pool: &mut TermPool, first: TermId, second: TermId) -> TermId {
        let (below, stores, is_first) = if let Some(stores) = stores_above(pool, second, first) {
            (second, stores, true)
        } else if let Some(stores) = stores_above(pool, first, second) {
            (first, stores, false)
        } else {
            return pool.ite(self.selector, first, second);
        };
        stores.into_iter().fold(below, |array, (index, value)| {
            let kept = pool.select(array, index);
            let value = if is_first {
                pool.ite(self.selector, value, kept)
            } else {
                pool.ite(self.selector, kept, value)
            };
            pool.store(array, index, value)
        })
    }
}

/// The common part of two numbers as sums, if any, and the rest of each.
pub fn without_common(
    pool: &mut TermPool,
    first: TermId,
    second: TermId,
) -> (Option<TermId>, TermId, TermId) {
    let parts = |pool: &TermPool, term: TermId| match pool.linear_terms(term) {
        Some(parts) => parts.to_vec(),
        None if pool.is_const(term) => Vec::new(),
        None => vec![(1, term)],
    };
    let width = pool.width(first);
    if width == 1 {
        return (None, first, second);
    }
    let (mine, theirs) = (parts(pool, first), parts(pool, second));
    let mut common: Option<TermId> = None;
    for (coefficient, part) in mine.into_iter().filter(|part| theirs.contains(part)) {
        let coefficient = pool.bv(width, coefficient);
        let product = pool.mul(coefficient, part);
        common = Some(match common {
            Some(common) => pool.add(common, product),
            None => product,
        });
    }
    let Some(common) = common else {
        return (None, first, second);
    };
    let first = pool.sub(first, common);
    let second = pool.sub(second, common);
    (Some(common), first, second)
}

/// The stores that make one array of another, the first to be made first.
fn stores_above(pool: &TermPool, below: TermId, array: TermId) -> Option<Vec<(TermId, TermId)>> {
    let mut stores = Vec::new();
    let mut array = array;
    while array != below {
        let Term::Store(inner, index, value) = pool.view(array) else {
            return None;
        };
        if stores.len() == MOST_STORES {
            return None;
        }
        stores.push((index, value));
        array = inner;
    }
    stores.reverse();
    Some(stores)
}
