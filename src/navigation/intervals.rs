//! The paper's interval abstraction: intervals that contain the counters of all solutions of a system.
//!
//! ```text
//! constraints --linear over the integers?--> comparisons --narrowed to a fixed point--> Intervals
//! ```
//!
//! The paper's constraints are over ℕ, ours over machine integers. So a comparison is used only if neither
//! side can wrap around within the current intervals: then it holds over the integers. Other comparisons are
//! skipped; this is sound, since intervals only grow. Terms that are not sums (inputs, remainders, …) have
//! intervals like counters.
//!
//! # Invariants
//! - Each solution of the conjuncts gives each term a value within its interval. [`NoSolution`] only if there is none.
//!
//! # Deliberately absent
//! Sets of intervals, as in the paper: a disjunction gives the hull of the intervals of its sides. No
//! solution is chosen from them: counters that are independent in intervals are seldom independent in the
//! system.
//!
//! # Source
//! Obdržálek, Trtík, *Efficient Loop Navigation for Symbolic Execution*, ATVA 2011, Section 3.3.

use indexmap::IndexMap;
use term::{BinOp, CastOp, CmpOp, Interval, Linear, LinearSum, Term, TermId, TermPool, Work, word};

/// Passes over all constraints; a chain of more gets only some of its bounds.
const MAX_PASSES: usize = 16;
/// Disjunctions in disjunctions beyond this are left out.
const MAX_DEPTH: u32 = 4;
/// Work for a comparison in a pass.
const COMPARISON: Work = Work::units(60);

/// No integers satisfy the conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoSolution;

/// Inclusive bounds of terms, read as unsigned numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Intervals(IndexMap<TermId, Interval>);

/// The meaning of a conjunct.
enum Constraint {
    Compare(Comparison),
    /// One of the conjunctions holds.
    Either(Vec<Vec<Constraint>>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
}

struct Comparison {
    relation: Relation,
    is_signed: bool,
    /// Bits of both sides.
    width: u32,
    lhs: Sum,
    rhs: Sum,
}

/// A side of a comparison over the integers, equal to the side modulo 2^width.
type Sum = LinearSum<TermId>;

impl Intervals {
    /// The intervals of all terms that the conjuncts compare.
    pub fn of(pool: &TermPool, conjuncts: &[TermId]) -> Result<Intervals, NoSolution> {
        let read = conjuncts
            .iter()
            .filter_map(|conjunct| Constraint::read(pool, *conjunct, MAX_DEPTH));
        let constraints: Vec<Constraint> = read.collect();
        let mut intervals = Intervals(IndexMap::new());
        for constraint in &constraints {
            constraint.each_term(&mut |term| {
                let whole = || Interval::new(pool.umin(term).into(), pool.umax(term).into());
                intervals.0.entry(term).or_insert_with(whole);
            });
        }
        for _ in 0..MAX_PASSES {
            let mut is_narrower = false;
            for constraint in &constraints {
                is_narrower |= intervals.narrow(pool, constraint)?;
            }
            if !is_narrower {
                break;
            }
        }
        Ok(intervals)
    }

    /// Narrows the intervals by a constraint; whether any became narrower.
    fn narrow(&mut self, pool: &TermPool, constraint: &Constraint) -> Result<bool, NoSolution> {
        match constraint {
            Constraint::Compare(comparison) => {
                pool.count_work(COMPARISON);
                self.compare(comparison)
            }
            Constraint::Either(sides) => self.either(pool, sides),
        }
    }

    fn either(&mut self, pool: &TermPool, sides: &[Vec<Constraint>]) -> Result<bool, NoSolution> {
        let mut hull: Option<Intervals> = None;
        for side in sides {
            let mut within = self.clone();
            let mut constraints = side.iter();
            if constraints.any(|constraint| within.narrow(pool, constraint).is_err()) {
                continue;
            }
            hull = Some(match hull {
                None => within,
                Some(hull) => hull.joined(&within),
            });
        }
        let hull = hull.ok_or(NoSolution)?;
        let is_narrower = hull != *self;
        *self = hull;
        Ok(is_narrower)
    }

    /// The hull of both; they are of the same terms.
    fn joined(mut self, other: &Intervals) -> Intervals {
        for (interval, (_, other)) in self.0.values_mut().zip(&other.0) {
            *interval = interval.hull(other);
        }
        self
    }

    fn compare(&mut self, comparison: &Comparison) -> Result<bool, NoSolution> {
        let sides = self
            .exact(&comparison.lhs, comparison)
            .zip(self.exact(&comparison.rhs, comparison));
        let Some((lhs, rhs)) = sides else {
            return Ok(false);
        };
        let Some(difference) = lhs.minus(&rhs) else {
            return Ok(false);
        };
        match comparison.relation {
            Relation::AtMost => self.at_most(&difference, 0),
            Relation::Less => self.at_most(&difference, -1),
            Relation::Equal => {
                let is_narrower = self.at_most(&difference, 0)?;
                match difference.scaled(-1) {
                    Some(negated) => Ok(self.at_most(&negated, 0)? | is_narrower),
                    None => Ok(is_narrower),
                }
            }
            Relation::Different => self.not_zero(&difference),
        }
    }

    /// A side of a comparison as the number that is compared; `None` where it may wrap around.
    fn exact(&self, sum: &Sum, comparison: &Comparison) -> Option<Sum> {
        let modulus = 1i128 << comparison.width;
        let all = Interval::reading(comparison.width, comparison.is_signed);
        let of = |term: &TermId| Some(self.0[term]);
        let (low, high) = (sum.least(&of)?, sum.greatest(&of)?);
        let shift = low
            .checked_sub(all.low)?
            .div_euclid(modulus)
            .checked_mul(modulus)?;
        let mut exact = sum.clone();
        exact.add_number(-shift)?;
        (high - shift <= all.high).then_some(exact)
    }

    /// The intervals that sum ≤ most implies for its terms.
    fn at_most(&mut self, sum: &Sum, most: i128) -> Result<bool, NoSolution> {
        let lowest = sum.least(&|term| Some(self.0[term]));
        let Some(slack) = lowest.and_then(|lowest| most.checked_sub(lowest)) else {
            return Ok(false);
        };
        if slack < 0 {
            return Err(NoSolution);
        }
        let mut is_narrower = false;
        for (term, coefficient) in sum.terms() {
            // The others are at least what they are at their lowest.
            let steps = slack / coefficient.abs();
            let Interval { low, high } = &mut self.0[term];
            if *coefficient > 0 && steps < *high - *low {
                *high = *low + steps;
                is_narrower = true;
            } else if *coefficient < 0 && steps < *high - *low {
                *low = *high - steps;
                is_narrower = true;
            }
        }
        Ok(is_narrower)
    }

    /// The intervals that sum ≠ 0 implies for its terms.
    fn not_zero(&mut self, sum: &Sum) -> Result<bool, NoSolution> {
        if sum.as_number() == Some(0) {
            return Err(NoSolution);
        }
        let Some((term, root)) = sum.root() else {
            return Ok(false);
        };
        let interval = &mut self.0[term];
        if interval.as_point() == Some(&root) {
            return Err(NoSolution);
        }
        let before = *interval;
        interval.low += i128::from(interval.low == root);
        interval.high -= i128::from(interval.high == root);
        Ok(*interval != before)
    }
}

impl Constraint {
    /// The meaning of a conjunct that is a comparison or a disjunction of comparisons.
    fn read(pool: &TermPool, term: TermId, depth: u32) -> Option<Constraint> {
        match pool.view(term) {
            Term::Compare(op, lhs, rhs) => {
                let relation = match op {
                    CmpOp::Eq => Relation::Equal,
                    CmpOp::Ult | CmpOp::Slt => Relation::Less,
                    CmpOp::Ule | CmpOp::Sle => Relation::AtMost,
                    CmpOp::Ne | CmpOp::Ugt | CmpOp::Uge | CmpOp::Sgt | CmpOp::Sge => return None,
                };
                let is_signed = matches!(op, CmpOp::Slt | CmpOp::Sle);
                Comparison::read(pool, relation, is_signed, (lhs, rhs)).map(Constraint::Compare)
            }
            Term::Not(inner) => match pool.view(inner) {
                Term::Compare(CmpOp::Eq, lhs, rhs) => {
                    let different = Relation::Different;
                    Comparison::read(pool, different, false, (lhs, rhs)).map(Constraint::Compare)
                }
                _ => None,
            },
            Term::Binary(BinOp::Or, ..) if pool.width(term) == 1 && depth > 0 => {
                let mut sides = Vec::new();
                collect(pool, BinOp::Or, term, &mut sides);
                let side = |side: TermId| {
                    let mut conjuncts = Vec::new();
                    collect(pool, BinOp::And, side, &mut conjuncts);
                    let read = conjuncts
                        .into_iter()
                        .filter_map(|conjunct| Constraint::read(pool, conjunct, depth - 1));
                    read.collect()
                };
                Some(Constraint::Either(sides.into_iter().map(side).collect()))
            }
            _ => None,
        }
    }

    fn each_term(&self, visit: &mut dyn FnMut(TermId)) {
        match self {
            Constraint::Compare(Comparison { lhs, rhs, .. }) => {
                let terms = lhs.terms().keys().chain(rhs.terms().keys());
                terms.for_each(|term| visit(*term));
            }
            Constraint::Either(sides) => {
                let all = sides.iter().flatten();
                all.for_each(|constraint| constraint.each_term(visit));
            }
        }
    }
}

impl Comparison {
    fn read(
        pool: &TermPool,
        relation: Relation,
        is_signed: bool,
        (lhs, rhs): (TermId, TermId),
    ) -> Option<Comparison> {
        let width = pool.width(lhs);
        if !(2..=64).contains(&width) {
            return None;
        }
        Some(Comparison {
            relation,
            is_signed,
            width,
            lhs: sum(pool, &pool.linear(lhs))?,
            rhs: sum(pool, &pool.linear(rhs))?,
        })
    }
}

fn sum(pool: &TermPool, linear: &Linear) -> Option<Sum> {
    let signed = |number| word::number(linear.width, number, true);
    let mut sum = Sum::constant(signed(linear.constant));
    for (coefficient, term) in &linear.terms {
        sum.add(signed(*coefficient), unextended(pool, *term))?;
    }
    Some(sum)
}

/// The term whose value this one has, with fewer bits.
fn unextended(pool: &TermPool, term: TermId) -> TermId {
    match pool.view(term) {
        Term::Cast(CastOp::ZExt, inner) => inner,
        _ => term,
    }
}

/// The operands of nested conjunctions or disjunctions.
fn collect(pool: &TermPool, op: BinOp, term: TermId, operands: &mut Vec<TermId>) {
    match pool.view(term) {
        Term::Binary(found, lhs, rhs) if found == op => {
            collect(pool, op, lhs, operands);
            collect(pool, op, rhs, operands);
        }
        _ => operands.push(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use solver::confirms;
    use term::{Assignment, Bv, Sort};

    /// A conjunct over three counters of four bits, which are extended to eight.
    fn conjunct(pool: &mut TermPool, counters: &[TermId], rng: &mut Rng) -> TermId {
        if rng.u8(0..4) == 0 {
            let sides = [0; 2].map(|_| conjunct(pool, counters, rng));
            return if rng.u8(0..4) == 0 {
                pool.and(sides[0], sides[1])
            } else {
                pool.or(sides[0], sides[1])
            };
        }
        let mut side = || {
            let mut sum = pool.bv(8, rng.u64(..));
            if rng.bool() {
                sum = pool.bv(8, rng.u64(0..20));
            }
            for counter in counters {
                let factor = [0, 0, 1, 1, 2, 5, 255][rng.usize(0..7)];
                let factor = pool.bv(8, factor);
                let wide = pool.cast(CastOp::ZExt, 8, *counter);
                let product = pool.mul(factor, wide);
                sum = pool.add(sum, product);
            }
            sum
        };
        let (lhs, rhs) = (side(), side());
        match rng.u8(0..6) {
            0 => pool.compare(CmpOp::Ult, lhs, rhs),
            1 => pool.compare(CmpOp::Ule, lhs, rhs),
            2 => pool.compare(CmpOp::Slt, lhs, rhs),
            3 => pool.compare(CmpOp::Sle, lhs, rhs),
            4 => pool.compare(CmpOp::Eq, lhs, rhs),
            _ => pool.compare(CmpOp::Ne, lhs, rhs),
        }
    }

    /// Against all values of the counters: none that is a solution is outside.
    #[test]
    fn all_solutions_of_random_systems_are_within() {
        let mut rng = Rng::with_seed(1);
        let (mut n_without, mut n_refuted, mut n_narrower) = (0, 0, 0);
        for _ in 0..400 {
            let mut pool = TermPool::default();
            let counters = ["k0", "k1", "k2"].map(|name| pool.fresh(name, Sort::Bv(4)));
            let conjuncts: Vec<TermId> = (0..rng.usize(1..5))
                .map(|_| conjunct(&mut pool, &counters, &mut rng))
                .collect();
            let found = Intervals::of(&pool, &conjuncts);
            let mut n_solutions = 0;
            for values in 0..1u64 << 12 {
                let values = [values & 15, values >> 4 & 15, values >> 8];
                let mut model = Assignment::default();
                for (counter, value) in counters.iter().zip(values) {
                    let symbol = pool.as_symbol(*counter).expect("counters are symbols");
                    model.set(symbol, Bv::new(4, value));
                }
                if !confirms(&pool, &conjuncts, &model) {
                    continue;
                }
                n_solutions += 1;
                let intervals = found.as_ref().expect("there is a solution");
                for (counter, value) in counters.iter().zip(values) {
                    if let Some(interval) = intervals.0.get(counter) {
                        assert!(interval.contains(&i128::from(value)));
                    }
                }
            }
            n_without += usize::from(n_solutions == 0);
            n_refuted += usize::from(found.is_err());
            let is_narrower = |intervals: Intervals| {
                let all = intervals.0.values();
                all.map(|interval| interval.high - interval.low + 1)
                    .product::<i128>()
                    < 1 << 12
            };
            n_narrower += usize::from(found.is_ok_and(is_narrower));
        }
        assert!(
            n_refuted > 20 && n_narrower > 100,
            "{n_refuted} of {n_without} refuted, {n_narrower} narrower"
        );
    }

    #[test]
    fn steps_up_and_down_come_to_the_only_solution() {
        let mut pool = TermPool::default();
        let [up, down] = ["k0", "k1"].map(|name| pool.fresh(name, Sort::Bv(8)));
        let [three, four] = [3, 4].map(|number| pool.bv(32, number));
        let [wide_up, wide_down] = [up, down].map(|counter| pool.cast(CastOp::ZExt, 32, counter));
        // 3·κ₀ − κ₁ ≥ 4 with at most two iterations up and none or two down.
        let steps = pool.mul(three, wide_up);
        let sum = pool.sub(steps, wide_down);
        let two = pool.bv(32, 2);
        let conjuncts = [
            pool.compare(CmpOp::Sge, sum, four),
            pool.compare(CmpOp::Ule, wide_up, two),
            pool.compare(CmpOp::Uge, wide_down, two),
        ];
        let intervals = Intervals::of(&pool, &conjuncts).expect("κ₀ = κ₁ = 2 is a solution");
        assert_eq!(
            [up, down].map(|counter| intervals.0[&counter]),
            [Interval::point(2); 2]
        );
        let more = [
            conjuncts[0],
            conjuncts[1],
            pool.compare(CmpOp::Ugt, wide_down, two),
        ];
        assert_eq!(Intervals::of(&pool, &more), Err(NoSolution));
    }
}
