//! Removal of objects that are never read.
//!
//! If `p = alloc 7` is in a loop and `p` is overwritten before any read, each iteration would add an object,
//! so that no two states of the loop would be equal and no template would describe it.
//!
//! An object is *unread* if its pointer has only these uses:
//! - values are stored to constant places within the object, which cannot fail;
//! - it is assigned to registers that are dead ([`super::liveness`]).
//!
//! # Invariants
//! - A removed action cannot fail, end the path or be observed: allocations by [`Builtin::Calloc`] of
//!   constant size always succeed, and unread objects are neither freed nor compared.
//! - Locations and edges are preserved.

use super::compact::Copy;
use super::liveness::before_step;
use super::{Action, Builtin, Expr, Function, RegId, Step};
use std::collections::BTreeMap;
use term::BinOp;

/// The function without such objects; addresses have `pointer_bits` bits.
#[must_use]
pub fn remove_unread_objects(function: &Function, pointer_bits: u32) -> Function {
    let unread = unread_objects(function, pointer_bits);
    if unread.is_empty() {
        return function.clone();
    }
    Copy::with_steps(function, |edge| {
        let steps = function.edge(edge).steps.iter();
        steps.filter_map(|step| without(step, &unread)).collect()
    })
}

/// Pointers to objects, each with the bytes of its object.
type Objects = BTreeMap<RegId, u64>;

fn unread_objects(function: &Function, pointer_bits: u32) -> Objects {
    let mut objects = made_once(function);
    if objects.is_empty() {
        return objects;
    }
    let liveness = function.liveness();
    let mut read = Vec::new();
    for edge in function.edge_ids() {
        let mut live = liveness.at(function.target(edge)).clone();
        for step in function.edge(edge).steps.iter().rev() {
            match &step.action {
                Action::Store { address, value } => {
                    let bytes = value.bits(&function.regs, pointer_bits).div_ceil(8);
                    if !is_within(address, u64::from(bytes), &objects) {
                        address.for_each_reg(&mut |reg| read.push(reg));
                    }
                    value.for_each_reg(&mut |reg| read.push(reg));
                }
                Action::Assign(pairs) => {
                    let needed = pairs.iter().filter(|(dst, _)| live.contains(dst.index()));
                    needed.for_each(|(_, value)| value.for_each_reg(&mut |reg| read.push(reg)));
                }
                other => other.for_each_use(&mut |reg| read.push(reg)),
            }
            for reg in read.drain(..) {
                objects.remove(&reg);
            }
            before_step(step, &mut live);
        }
    }
    objects
}

/// The objects of constant size whose pointer comes from one place only.
fn made_once(function: &Function) -> Objects {
    let mut n_definitions: BTreeMap<RegId, usize> = BTreeMap::new();
    let mut objects = Objects::new();
    let edges = function.edge_ids().map(|edge| function.edge(edge));
    for step in edges.flat_map(|edge| &edge.steps) {
        step.action.for_each_def(&mut |reg| {
            *n_definitions.entry(reg).or_default() += 1;
        });
        objects.extend(object_of(&step.action));
    }
    objects.retain(|reg, _| n_definitions[reg] == 1 && !function.params.contains(reg));
    objects
}

/// The pointer that the action makes to an object of constant size, and its bytes.
fn object_of(action: &Action) -> Option<(RegId, u64)> {
    let Action::Builtin {
        dst: Some(pointer),
        builtin: Builtin::Calloc,
        args,
        ..
    } = action
    else {
        return None;
    };
    let [Expr::Const(count), Expr::Const(size)] = args.as_slice() else {
        return None;
    };
    let bytes = count.to_u64()?.checked_mul(size.to_u64()?)?;
    Some((*pointer, bytes))
}

/// Whether a store of so many bytes to this address is certainly within one of the objects.
fn is_within(address: &Expr, bytes: u64, objects: &Objects) -> bool {
    let (pointer, offset) = match address {
        Expr::Reg(pointer) => (pointer, Some(0)),
        Expr::Binary(BinOp::Add, pointer, offset) => match (&**pointer, &**offset) {
            (Expr::Reg(pointer), Expr::Const(offset)) => (pointer, offset.to_u64()),
            _ => return false,
        },
        _ => return false,
    };
    let end = offset.and_then(|offset| offset.checked_add(bytes));
    objects
        .get(pointer)
        .is_some_and(|size| end.is_some_and(|end| end <= *size))
}

/// The step without what is done for unread objects; `None` if nothing is left of it.
fn without(step: &Step, unread: &Objects) -> Option<Step> {
    let is_unread = |expr: &Expr| {
        let mut is_unread = false;
        expr.for_each_reg(&mut |reg| is_unread |= unread.contains_key(&reg));
        is_unread
    };
    let mut step = step.clone();
    match &mut step.action {
        Action::Builtin { dst: Some(dst), .. } if unread.contains_key(dst) => return None,
        Action::Store { address, .. } if is_unread(address) => return None,
        Action::Assign(pairs) => {
            let n_pairs = pairs.len();
            pairs.retain(|(_, value)| !is_unread(value));
            if pairs.is_empty() && n_pairs > 0 {
                return None;
            }
        }
        _ => {}
    }
    Some(step)
}
