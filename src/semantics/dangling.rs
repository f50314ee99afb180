//! Dangling pointers: variables that are referenced after their function has returned.
//!
//! Using an address that is known to belong to such a variable is an error, not an access through a pointer
//! of unknown origin. If no check needs them, the variables are dropped.

use super::state::State;
use memory::{Base, ObjectId};
use std::rc::Rc;
use term::{TermId, TermPool};

/// Variables of the frame that is about to be left, whose addresses the result or memory holds: they
/// are dead from now on, and stay in memory as such.
pub(super) fn keep_dangling(pool: &mut TermPool, state: &mut State, result: Option<TermId>) {
    let allocas = Rc::clone(&state.frame.allocas);
    if allocas.is_empty() {
        return;
    }
    let others = state.memory.objects();
    let others = others.filter(|(id, object)| object.alive && !allocas.contains(id));
    let held = others.flat_map(|(_, object)| {
        let array = match object.content.base() {
            Base::Array(flat) => Some(flat.array),
            Base::Zero | Base::Bytes(_) | Base::Arbitrary(_) | Base::Entry(_) => None,
        };
        let cells = object.content.cells().map(|(_, value)| value);
        cells.chain(array)
    });
    let mut dangling: Vec<ObjectId> = Vec::new();
    for value in held.chain(result) {
        if pool.is_const(value) {
            continue;
        }
        let symbols = pool.symbols_of(value);
        dangling.extend(symbols.iter().filter(|symbol| allocas.contains(symbol)));
    }
    if dangling.is_empty() {
        return;
    }
    let dies = |object: &&ObjectId| !dangling.contains(object);
    state.frame.allocas = Rc::new(allocas.iter().filter(dies).copied().collect());
    for object in dangling {
        state.memory.object_mut(object).alive = false;
    }
}
