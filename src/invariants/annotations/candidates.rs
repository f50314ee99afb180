//! Candidates for annotations of loops: conditions that runs of the loop's body needed.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use term::{CmpOp, Term, TermId, TermPool};

/// Conditions in order of their discovery.
pub(super) type Candidates = IndexSet<TermId, FxBuildHasher>;

/// Proposes the conjuncts of a condition, and what its comparisons say, or something stronger or weaker:
/// where it needs a ≠ b because a < b, say, it is a < b that holds again.
pub(super) fn propose(pool: &mut TermPool, condition: TermId, most: usize, found: &mut Candidates) {
    let conjuncts = pool.conjuncts(condition);
    for conjunct in &conjuncts {
        add(pool, *conjunct, most, found);
        for disjunct in pool.disjuncts(*conjunct) {
            add(pool, disjunct, most, found);
        }
    }
    for (op, a, b) in comparisons(pool, condition) {
        let mut ops = vec![(op, a, b)];
        match op {
            CmpOp::Eq => {
                for order in [CmpOp::Slt, CmpOp::Ult] {
                    ops.extend([(order, a, b), (order, b, a)]);
                }
            }
            CmpOp::Slt => ops.push((CmpOp::Sle, a, b)),
            CmpOp::Sle => ops.push((CmpOp::Slt, a, b)),
            CmpOp::Ult => ops.push((CmpOp::Ule, a, b)),
            CmpOp::Ule => ops.push((CmpOp::Ult, a, b)),
            _ => {}
        }
        for (op, a, b) in ops {
            let holds = pool.compare(op, a, b);
            let negated = pool.not(holds);
            add(pool, holds, most, found);
            add(pool, negated, most, found);
        }
    }
}

fn add(pool: &TermPool, candidate: TermId, most: usize, found: &mut Candidates) {
    if !pool.is_const(candidate) && found.len() < most {
        found.insert(candidate);
    }
}

/// All comparisons of numbers in a condition.
fn comparisons(pool: &TermPool, condition: TermId) -> Vec<(CmpOp, TermId, TermId)> {
    let mut seen = Candidates::default();
    let mut stack = vec![condition];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Term::Compare(op, a, b) = pool.view(term)
            && pool.width(a) > 1
            && pool.is_closed(term)
        {
            found.push((op, a, b));
        }
        pool.for_each_operand(term, |operand| stack.push(operand));
    }
    found
}
