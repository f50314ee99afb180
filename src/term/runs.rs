//! Runs: intervals of iterations of a quantifier or sum in which a value changes linearly.
//!
//! From iteration τ on, a value v is often v + n·slope modulo 2^w in iteration τ + n, for a while:
//! an index, a counter, a cell of an array that has the same value in most places. Evaluation takes
//! such a run in one step, so that its cost follows the number of different cells, not the number
//! of iterations.
//!
//! # Invariants
//! - A run includes at least the current iteration; a value that is not known to continue has a run of one iteration.
//! - Within its length a run is exact, wrap-around included.
//! - Widths are 1..=64; values that are wider, and arrays, have slope 0.

use super::CmpOp;
use super::bv::word::{inverse, mask, sign_bit, signed};

/// How a value continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LinearRun {
    /// The increment per iteration, modulo 2^w.
    pub slope: u64,
    /// For so many iterations, the present one included; at least 1. `u64::MAX` is for ever.
    pub length: u64,
}

/// A value of w ≤ 64 bits and how it continues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub value: u64,
    pub run: LinearRun,
}

impl LinearRun {
    /// The same value in all iterations.
    pub const CONSTANT: LinearRun = LinearRun {
        slope: 0,
        length: u64::MAX,
    };
    /// Known for the present iteration only.
    pub const ONCE: LinearRun = LinearRun {
        slope: 0,
        length: 1,
    };

    /// The same value for so many iterations.
    pub fn constant_for(length: u64) -> LinearRun {
        LinearRun { slope: 0, length }
    }

    /// The same, for at most so many iterations.
    pub fn at_most(self, length: u64) -> LinearRun {
        LinearRun {
            length: self.length.min(length),
            ..self
        }
    }

    /// For how long the value stays what it is.
    pub fn still(self) -> u64 {
        if self.slope == 0 { self.length } else { 1 }
    }
}

/// The slope, read as a signed number: the way in which a value moves.
fn way(width: u32, slope: u64) -> i128 {
    i128::from(signed(width, slope))
}

/// Iterations in which `value + n·way` stays in `least..=greatest`.
fn iterations_within(value: i128, way: i128, least: i128, greatest: i128) -> u64 {
    let room = match way {
        0 => return u64::MAX,
        1.. => greatest - value,
        _ => value - least,
    };
    length(room / way.abs() + 1)
}

fn length(iterations: i128) -> u64 {
    u64::try_from(iterations).unwrap_or(u64::MAX)
}

/// Iterations until the unsigned number wraps around.
fn until_wrap(width: u32, moving: Moving) -> u64 {
    let Moving { value, run } = moving;
    let greatest = i128::from(mask(width));
    iterations_within(value.into(), way(width, run.slope), 0, greatest)
}

/// Iterations until the signed number does.
fn until_signed_wrap(width: u32, moving: Moving) -> u64 {
    let from_least = moving.value.wrapping_add(sign_bit(width)) & mask(width);
    let moving = Moving {
        value: from_least,
        ..moving
    };
    until_wrap(width, moving)
}

/// The run of a zero-extension.
pub(super) fn zero_extended(width: u32, to: u32, moving: Moving) -> LinearRun {
    let run = moving.run.at_most(until_wrap(width, moving));
    resized(width, to, run)
}

/// The run of a sign-extension.
pub(super) fn sign_extended(width: u32, to: u32, moving: Moving) -> LinearRun {
    let run = moving.run.at_most(until_signed_wrap(width, moving));
    resized(width, to, run)
}

#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "two's complement is meant"
)]
fn resized(width: u32, to: u32, run: LinearRun) -> LinearRun {
    if run.slope == 0 {
        return run;
    }
    if to > 64 {
        return LinearRun::ONCE;
    }
    LinearRun {
        slope: way(width, run.slope) as u64 & mask(to),
        ..run
    }
}

/// The run of the bits from `low` on, `piece` of them.
pub(super) fn extracted(width: u32, low: u32, piece: u32, moving: Moving) -> LinearRun {
    let Moving { value, run } = moving;
    if run.slope.trailing_zeros() >= low {
        return LinearRun {
            slope: run.slope >> low & mask(piece),
            ..run
        };
    }
    // The same bits until there is a carry from those below.
    let below = i128::from(mask(low));
    let fraction = i128::from(value) & below;
    let still = iterations_within(fraction, way(width, run.slope), 0, below);
    LinearRun::constant_for(run.length.min(still))
}

/// The run of `high` above the `low_width` bits of `low`, `width` bits together.
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "two's complement is meant"
)]
pub(super) fn concatenated(width: u32, low_width: u32, high: LinearRun, low: Moving) -> LinearRun {
    let length = high
        .length
        .min(low.run.length)
        .min(until_wrap(low_width, low));
    let slope =
        (high.slope << low_width).wrapping_add(way(low_width, low.run.slope) as u64) & mask(width);
    LinearRun { slope, length }
}

/// The run of a comparison's truth.
pub(super) fn compared(op: CmpOp, width: u32, lhs: Moving, rhs: Moving) -> LinearRun {
    let length = lhs.run.length.min(rhs.run.length);
    let stays = match op {
        CmpOp::Eq | CmpOp::Ne => until_equality_changes(width, lhs, rhs),
        // a ≥ b is not a < b, which changes with it.
        CmpOp::Ult | CmpOp::Uge => until_order_changes(width, lhs, rhs, false),
        CmpOp::Ule | CmpOp::Ugt => until_order_changes(width, lhs, rhs, true),
        CmpOp::Slt | CmpOp::Sge => until_signed_order_changes(width, lhs, rhs, false),
        CmpOp::Sle | CmpOp::Sgt => until_signed_order_changes(width, lhs, rhs, true),
    };
    LinearRun::constant_for(length.min(stays))
}

fn until_equality_changes(width: u32, lhs: Moving, rhs: Moving) -> u64 {
    let slope = lhs.run.slope.wrapping_sub(rhs.run.slope) & mask(width);
    let missing = rhs.value.wrapping_sub(lhs.value) & mask(width);
    if slope == 0 {
        return u64::MAX;
    }
    if missing == 0 {
        return 1;
    }
    // The first n with n·slope = missing modulo 2^w.
    let power = slope.trailing_zeros();
    if missing.trailing_zeros() < power {
        return u64::MAX;
    }
    let first = (missing >> power).wrapping_mul(inverse(slope >> power));
    first & mask(width - power)
}

fn until_signed_order_changes(width: u32, lhs: Moving, rhs: Moving, or_equal: bool) -> u64 {
    // The order of signed numbers is that of their distances from the least one.
    let [lhs, rhs] = [lhs, rhs].map(|moving| Moving {
        value: moving.value.wrapping_add(sign_bit(width)) & mask(width),
        ..moving
    });
    until_order_changes(width, lhs, rhs, or_equal)
}

fn until_order_changes(width: u32, lhs: Moving, rhs: Moving, or_equal: bool) -> u64 {
    let straight = until_wrap(width, lhs).min(until_wrap(width, rhs));
    // a ≤ b is a − b < 1 and a < b is a − b < 0.
    let ahead = i128::from(lhs.value) - i128::from(rhs.value) - i128::from(or_equal);
    let way = way(width, lhs.run.slope) - way(width, rhs.run.slope);
    let stays = if ahead < 0 {
        iterations_within(ahead, way.max(0), i128::MIN, -1)
    } else {
        iterations_within(ahead, way.min(0), 0, i128::MAX)
    };
    straight.min(stays)
}

/// How long an index keeps away from the cells on its way: `next` is the nearest cell that lies
/// ahead, in the direction of the slope, before a wrap-around.
pub(super) fn until_cell(
    width: u32,
    index: Moving,
    next: impl Fn(Direction) -> Option<u64>,
) -> u64 {
    let way = way(width, index.run.slope);
    let length_until = |cell: u64| {
        let distance = i128::from(cell) - i128::from(index.value);
        // Rounded up: a run ends where the cell is reached or passed.
        let iterations = (distance.abs() + way.abs() - 1) / way.abs();
        length(iterations)
    };
    let cell = match way {
        0 => return index.run.length,
        1.. => next(Direction::Up),
        _ => next(Direction::Down),
    };
    let until = cell.map_or(u64::MAX, length_until);
    index.run.length.min(until).min(until_wrap(width, index))
}

/// Where an index moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Up,
    Down,
}

/// v + (v + slope) + … for so many iterations, modulo 2^64.
#[expect(clippy::cast_possible_truncation, reason = "modulo 2^64 is meant")]
pub(super) fn sum(value: u64, slope: u64, iterations: u64) -> u64 {
    let n = u128::from(iterations);
    let pairs = (n * n.saturating_sub(1) / 2) as u64;
    value
        .wrapping_mul(iterations)
        .wrapping_add(slope.wrapping_mul(pairs))
}
