//! Slope B: bounded quantifiers over linear atoms are eliminated, exactly, under wrap-around.
//!
//! ∀τ<k. P(τ) for each conjunct P of the body, with k = 0 making it true:
//! - `unused`: P without τ: k = 0 ∨ P;
//! - `ne`: a + c·τ ≠ b with c = 2^e·odd: 2^e does not divide b − a, or
//!   ((b − a)/2^e)·odd⁻¹ mod 2^(w−e), which is the first solution, is at least k;
//! - `eq`: a + c·τ = b: k = 0, or k = 1 and a = b;
//! - `monotone`: an ordering between v(τ) = a + c·τ and a side without τ. Without wrap-around v is monotone,
//!   so P(0) and P(k−1) are enough. With wrap-around and |c| = 2^e, v takes the least and the greatest
//!   element of a's residue class mod 2^e, and these are enough. For other c the quantifier stays in the
//!   wrapping case, together with P at MAX−|c|+1 and MIN+|c|−1, which follow from it, since v takes a value
//!   beyond each;
//! - `symbolic-step`: v(τ) = a + τ·d: the same; the quantifier stays in the wrapping case.
//!
//! Orderings may also look at v through an extension. A sign-extension keeps the order of its operator; a
//! zero-extension turns the signed order into the unsigned one. Conjuncts of other shapes stay under the
//! quantifier. No side conditions.

use super::Binders;
use super::progression::{Progression, Slope, mentions, progression, resize};
use term::{CastOp, CmpOp, SymbolId, Term, TermId, TermPool, word};

/// A truth value with the same meaning in which positive quantifiers over linear atoms are
/// eliminated; existential ones are left alone.
pub(super) fn eliminate_positive(
    pool: &mut TermPool,
    binders: &mut Binders,
    term: TermId,
) -> TermId {
    if !pool.has_quantifier(term) {
        return term;
    }
    let conjuncts = pool.conjuncts(term);
    if conjuncts.len() > 1 {
        let parts: Vec<TermId> = conjuncts
            .iter()
            .map(|part| eliminate_positive(pool, binders, *part))
            .collect();
        return pool.conj(parts);
    }
    let disjuncts = pool.disjuncts(term);
    if disjuncts.len() > 1 {
        let parts: Vec<TermId> = disjuncts
            .iter()
            .map(|part| eliminate_positive(pool, binders, *part))
            .collect();
        return pool.disj(parts);
    }
    match pool.view(term) {
        Term::ForAll { .. } => eliminate(pool, binders, term),
        Term::Not(inner) => match pool.view(inner) {
            Term::Compare(..) => eliminate_inside(pool, binders, term),
            _ => term,
        },
        Term::Compare(..) => eliminate_inside(pool, binders, term),
        _ => term,
    }
}

/// Without the quantifiers of values that a comparison compares, as far as nothing of them is left.
fn eliminate_inside(pool: &mut TermPool, binders: &mut Binders, comparison: TermId) -> TermId {
    pool.replace_binders(comparison, &mut |pool, binder| {
        if !matches!(pool.view(binder), Term::ForAll { .. }) {
            return None;
        }
        let free = eliminate(pool, binders, binder);
        (!pool.has_quantifier(free)).then_some(free)
    })
}

/// The same for one quantifier, equivalent to it.
pub(super) fn eliminate(pool: &mut TermPool, binders: &mut Binders, quantified: TermId) -> TermId {
    let Term::ForAll { limit, .. } = pool.view(quantified) else {
        unreachable!("a universal quantifier is eliminated")
    };
    let (tau, body) = binders.open(pool, quantified);
    let mut done = Vec::new();
    let mut kept = Vec::new();
    for part in pool.conjuncts(body) {
        match eliminate_atom(pool, tau, limit, part) {
            Some(free) => done.push(free),
            None => kept.push(part),
        }
    }
    if !kept.is_empty() {
        let kept = pool.conj(kept);
        done.push(pool.forall_below(tau, limit, kept));
    }
    pool.conj(done)
}

/// ∀τ<limit. atom; a quantifier may be left where the module's head says so.
pub(super) fn eliminate_atom(
    pool: &mut TermPool,
    tau: SymbolId,
    limit: TermId,
    atom: TermId,
) -> Option<TermId> {
    let zero = zero_of(pool, limit);
    let never = pool.eq(limit, zero);
    if !mentions(pool, atom, tau) {
        // rule: unused
        return Some(pool.or(never, atom));
    }
    if pool.width(limit) > 64 {
        return None;
    }
    match pool.view(atom) {
        Term::Compare(CmpOp::Eq, lhs, rhs) => {
            let difference = difference(pool, lhs, rhs, tau)?;
            let Slope::Constant(_) = difference.step else {
                return None;
            };
            // rule: eq
            let one = pool.bv(pool.width(limit), 1);
            let once = pool.eq(limit, one);
            let zero = zero_of(pool, difference.base);
            let first = pool.eq(difference.base, zero);
            let first = pool.and(once, first);
            Some(pool.or(never, first))
        }
        Term::Not(inner) => {
            let Term::Compare(CmpOp::Eq, lhs, rhs) = pool.view(inner) else {
                return None;
            };
            let difference = difference(pool, lhs, rhs, tau)?;
            let Slope::Constant(step) = difference.step else {
                return None;
            };
            // rule: ne
            Some(never_zero(pool, difference.base, step, limit))
        }
        Term::Compare(op, lhs, rhs) => ordering(pool, tau, limit, atom, (op, lhs, rhs)),
        _ => None,
    }
}

fn zero_of(pool: &mut TermPool, term: TermId) -> TermId {
    let width = pool.width(term);
    pool.bv(width, 0)
}

/// lhs − rhs as a progression, whose step is not 0.
fn difference(pool: &mut TermPool, lhs: TermId, rhs: TermId, tau: SymbolId) -> Option<Progression> {
    let width = pool.width(lhs);
    if !(2..=64).contains(&width) {
        return None;
    }
    let difference = pool.sub(lhs, rhs);
    let found = progression(pool, difference, tau)?;
    (found.step != Slope::Constant(0)).then_some(found)
}

/// ∀τ<limit. base + step·τ ≠ 0, for a step that is not 0.
fn never_zero(pool: &mut TermPool, base: TermId, step: u64, limit: TermId) -> TermId {
    let width = pool.width(base);
    let power = step.trailing_zeros();
    let target = pool.neg(base);
    let quotient = pool.extract(power, width - power, target);
    let factor = pool.bv(width - power, word::inverse(step >> power));
    let first = pool.mul(quotient, factor);
    let common = pool.width(limit).max(width - power);
    let (first, limit) = (resize(pool, first, common), resize(pool, limit, common));
    let late = pool.ule(limit, first);
    if power == 0 {
        return late;
    }
    let low = pool.extract(0, power, target);
    let zero = pool.bv(power, 0);
    let indivisible = pool.ne(low, zero);
    pool.or(indivisible, late)
}

/// An ordering of a progression and a side without τ.
struct Ordering {
    op: CmpOp,
    /// The progression is on the left.
    on_left: bool,
    other: TermId,
    /// The extension through which the progression is compared.
    extension: Option<(CastOp, u32)>,
    /// Whether the progression's values are ordered as signed numbers.
    signed: bool,
}

impl Ordering {
    /// P for a value of the progression.
    fn holds_at(&self, pool: &mut TermPool, value: TermId) -> TermId {
        let value = match self.extension {
            Some((op, width)) => pool.cast(op, width, value),
            None => value,
        };
        if self.on_left {
            pool.compare(self.op, value, self.other)
        } else {
            pool.compare(self.op, self.other, value)
        }
    }

    /// Least and greatest value of a width.
    fn range(&self, width: u32) -> (u64, u64) {
        let ones = u64::MAX >> (64 - width);
        if self.signed {
            (1 << (width - 1), ones >> 1)
        } else {
            (0, ones)
        }
    }
}

fn ordering(
    pool: &mut TermPool,
    tau: SymbolId,
    limit: TermId,
    atom: TermId,
    (op, lhs, rhs): (CmpOp, TermId, TermId),
) -> Option<TermId> {
    let on_left = match (mentions(pool, lhs, tau), mentions(pool, rhs, tau)) {
        (true, false) => true,
        (false, true) => false,
        _ => return None,
    };
    let (side, other) = if on_left { (lhs, rhs) } else { (rhs, lhs) };
    let signed_op = matches!(op, CmpOp::Slt | CmpOp::Sle);
    let mut shape = Ordering {
        op,
        on_left,
        other,
        extension: None,
        signed: signed_op,
    };
    let values = match progression(pool, side, tau) {
        Some(values) => values,
        None => {
            let Term::Cast(extension, inner) = pool.view(side) else {
                return None;
            };
            match extension {
                // Values stay not negative: the order is the unsigned one, whatever the operator.
                CastOp::ZExt => shape.signed = false,
                // Keeps both orders.
                CastOp::SExt => {}
                CastOp::Trunc => return None,
            }
            shape.extension = Some((extension, pool.width(side)));
            progression(pool, inner, tau)?
        }
    };
    let width = pool.width(values.base);
    if !(2..=64).contains(&width) {
        return None;
    }
    let zero = zero_of(pool, limit);
    let never = pool.eq(limit, zero);
    let one = pool.bv(pool.width(limit), 1);
    let last_iteration = pool.sub(limit, one);
    let cut = resize(pool, last_iteration, width);
    let last = values.at(pool, cut);
    let first_holds = shape.holds_at(pool, values.base);
    let last_holds = shape.holds_at(pool, last);
    let ends = pool.and(first_holds, last_holds);
    let (nowrap, wrapping) = match values.step {
        // rule: monotone
        Slope::Constant(step) => {
            let nowrap = nowrap_constant(pool, &shape, values.base, step, last_iteration)?;
            let size = magnitude(step, width);
            let wrapping = if size.is_power_of_two() {
                class_ends(pool, &shape, values.base, size.trailing_zeros())
            } else {
                let (least, greatest) = shape.range(width);
                let high = pool.bv(width, greatest.wrapping_sub(size - 1));
                let low = pool.bv(width, least.wrapping_add(size - 1));
                let high_holds = shape.holds_at(pool, high);
                let low_holds = shape.holds_at(pool, low);
                let rest = pool.forall_below(tau, limit, atom);
                pool.conj([ends, high_holds, low_holds, rest])
            };
            (nowrap, wrapping)
        }
        // rule: symbolic-step
        Slope::Symbolic(step) => {
            let nowrap = nowrap_symbolic(pool, &shape, values.base, step, last_iteration)?;
            let rest = pool.forall_below(tau, limit, atom);
            (nowrap, pool.and(ends, rest))
        }
    };
    let straight = pool.and(nowrap, ends);
    let wraps = pool.not(nowrap);
    let wrapped = pool.and(wraps, wrapping);
    Some(pool.disj([never, straight, wrapped]))
}

/// |step|, read as a signed number.
pub(super) fn magnitude(step: u64, width: u32) -> u64 {
    let mask = u64::MAX >> (64 - width);
    if step > mask >> 1 {
        step.wrapping_neg() & mask
    } else {
        step
    }
}

/// Room from the base to the end of the range in the direction of the step, as an unsigned number.
fn room(pool: &mut TermPool, shape: &Ordering, base: TermId, upwards: bool) -> TermId {
    let width = pool.width(base);
    let (least, greatest) = shape.range(width);
    if upwards {
        let greatest = pool.bv(width, greatest);
        pool.sub(greatest, base)
    } else {
        let least = pool.bv(width, least);
        pool.sub(base, least)
    }
}

/// base + step·last does not leave the range, computed without overflow: |step|·last ≤ room.
fn nowrap_constant(
    pool: &mut TermPool,
    shape: &Ordering,
    base: TermId,
    step: u64,
    last: TermId,
) -> Option<TermId> {
    let width = pool.width(base);
    let mask = u64::MAX >> (64 - width);
    let size = magnitude(step, width);
    let room = room(pool, shape, base, step <= mask >> 1);
    if size.is_power_of_two() {
        // last ≤ room / 2^e
        let power = size.trailing_zeros();
        let quotient = pool.extract(power, width - power, room);
        let common = pool.width(last).max(width - power);
        let (last, quotient) = (resize(pool, last, common), resize(pool, quotient, common));
        return Some(pool.ule(last, quotient));
    }
    let common = width.max(pool.width(last) + (64 - size.leading_zeros()));
    let (last, room) = (
        pool.cast(CastOp::ZExt, common, last),
        pool.cast(CastOp::ZExt, common, room),
    );
    let size = pool.bv(common, size);
    let way = pool.mul(last, size);
    Some(pool.ule(way, room))
}

/// The same for a step that is a term, read as a signed number.
fn nowrap_symbolic(
    pool: &mut TermPool,
    shape: &Ordering,
    base: TermId,
    step: TermId,
    last: TermId,
) -> Option<TermId> {
    let width = pool.width(base);
    let zero = zero_of(pool, step);
    let down = pool.slt(step, zero);
    let negated = pool.neg(step);
    let size = pool.ite(down, negated, step);
    let room_up = room(pool, shape, base, true);
    let room_down = room(pool, shape, base, false);
    let room = pool.ite(down, room_down, room_up);
    let common = width + pool.width(last);
    let size = pool.cast(CastOp::ZExt, common, size);
    let last = pool.cast(CastOp::ZExt, common, last);
    let room = pool.cast(CastOp::ZExt, common, room);
    let way = pool.mul(last, size);
    Some(pool.ule(way, room))
}

/// P at the least and the greatest number that equals the base mod 2^power.
fn class_ends(pool: &mut TermPool, shape: &Ordering, base: TermId, power: u32) -> TermId {
    let width = pool.width(base);
    let (least, greatest) = shape.range(width);
    let low = if power == 0 {
        pool.bv(width, 0)
    } else {
        let low = pool.extract(0, power, base);
        resize(pool, low, width)
    };
    let top = pool.bv(width, greatest >> power << power);
    let bottom = pool.bv(width, least);
    let (top, bottom) = (pool.add(top, low), pool.add(bottom, low));
    let (top, bottom) = (shape.holds_at(pool, top), shape.holds_at(pool, bottom));
    pool.and(top, bottom)
}
