//! Case distinctions: conditions and values over several paths.
//!
//! Each case has a guard, a list of conjuncts; guards are mutually exclusive. Guards of paths with a common
//! prefix begin with the same conjuncts and differ first in a condition and its negation, so that common
//! conjuncts are factored out and the rest is decided branch by branch.

use term::{TermId, TermPool};

/// A path's guard and what it gives.
#[derive(Clone)]
pub struct Case<T> {
    /// Conjuncts.
    pub guard: Vec<TermId>,
    pub gives: T,
}

/// How cases part.
enum Parting<T> {
    /// By a condition: where it holds, and where it does not.
    Condition(TermId, Vec<Case<T>>, Vec<Case<T>>),
    /// The first case against all others.
    First(TermId, T, Vec<Case<T>>),
}

/// The condition that some guard holds.
pub fn any<T: Copy>(pool: &mut TermPool, mut cases: Vec<Case<T>>) -> TermId {
    if cases.is_empty() {
        return TermId::FALSE;
    }
    if cases.iter().any(|case| case.guard.is_empty()) {
        return TermId::TRUE;
    }
    let common = take_common(&mut cases);
    let rest = if cases.iter().any(|case| case.guard.is_empty()) {
        TermId::TRUE
    } else {
        match part(pool, cases) {
            Parting::Condition(condition, then, otherwise) => {
                let then = any(pool, then);
                let otherwise = any(pool, otherwise);
                if then == otherwise {
                    then
                } else {
                    let not_condition = pool.not(condition);
                    // c ∧ a ∨ ¬c ∧ true is a ∨ ¬c.
                    let left = if pool.is_true(otherwise) {
                        then
                    } else {
                        pool.and(condition, then)
                    };
                    let right = if pool.is_true(then) {
                        otherwise
                    } else {
                        pool.and(not_condition, otherwise)
                    };
                    pool.or(left, right)
                }
            }
            Parting::First(guard, _, others) => {
                let others = any(pool, others);
                pool.or(guard, others)
            }
        }
    };
    pool.conj(common.into_iter().chain([rest]))
}

/// The value of the case that holds, provided that one holds.
///
/// # Panics
/// If there is no case.
pub(super) fn choose(pool: &mut TermPool, mut cases: Vec<Case<TermId>>) -> TermId {
    let first = cases.first().expect("there is a case to choose").gives;
    if cases.iter().all(|case| case.gives == first) {
        return first;
    }
    take_common(&mut cases);
    if let Some(certain) = cases.iter().find(|case| case.guard.is_empty()) {
        return certain.gives;
    }
    match part(pool, cases) {
        Parting::Condition(condition, then, otherwise) => {
            let then = choose(pool, then);
            let otherwise = choose(pool, otherwise);
            pool.ite(condition, then, otherwise)
        }
        Parting::First(guard, value, others) => {
            let others = choose(pool, others);
            pool.ite(guard, value, others)
        }
    }
}

/// Takes the conjuncts that all guards have out of them.
fn take_common<T>(cases: &mut [Case<T>]) -> Vec<TermId> {
    let Some((first, others)) = cases.split_first() else {
        return Vec::new();
    };
    let common: Vec<TermId> = first
        .guard
        .iter()
        .filter(|conjunct| others.iter().all(|case| case.guard.contains(conjunct)))
        .copied()
        .collect();
    for case in cases {
        case.guard.retain(|conjunct| !common.contains(conjunct));
    }
    common
}

/// Parts at least two cases, none of whose guards is empty.
fn part<T: Copy>(pool: &mut TermPool, mut cases: Vec<Case<T>>) -> Parting<T> {
    let candidates = cases[0].guard.clone();
    for condition in candidates {
        let negated = pool.not(condition);
        let decided =
            |case: &Case<T>| case.guard.contains(&condition) || case.guard.contains(&negated);
        if !cases.iter().all(decided) {
            continue;
        }
        let (mut then, mut otherwise): (Vec<Case<T>>, Vec<Case<T>>) = cases
            .iter()
            .cloned()
            .partition(|case| case.guard.contains(&condition));
        if otherwise.is_empty() {
            continue;
        }
        for case in then.iter_mut().chain(&mut otherwise) {
            case.guard
                .retain(|conjunct| *conjunct != condition && *conjunct != negated);
        }
        return Parting::Condition(condition, then, otherwise);
    }
    let first = cases.remove(0);
    if let [only] = first.guard.as_slice() {
        // The others are examined where it does not hold.
        let negated = pool.not(*only);
        for case in &mut cases {
            case.guard.retain(|conjunct| *conjunct != negated);
        }
    }
    let guard = pool.conj(first.guard);
    Parting::First(guard, first.gives, cases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    fn case(guard: &[TermId], gives: TermId) -> Case<TermId> {
        Case {
            guard: guard.to_vec(),
            gives,
        }
    }

    #[test]
    fn branches_that_cover_everything_leave_what_they_share() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.fresh(name, Sort::Bv(1)));
        let [not_b, not_c] = [b, c].map(|condition| pool.not(condition));
        let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bv(8)));
        let cases = vec![
            case(&[a, b], x),
            case(&[a, not_b, c], y),
            case(&[a, not_b, not_c], x),
        ];
        assert_eq!(any(&mut pool, cases.clone()), a);
        let inner = pool.ite(c, y, x);
        let expected = pool.ite(b, x, inner);
        assert_eq!(choose(&mut pool, cases), expected);
    }

    #[test]
    fn a_missing_branch_stays_a_condition() {
        let mut pool = TermPool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.fresh(name, Sort::Bv(1)));
        let not_b = pool.not(b);
        let x = pool.fresh("x", Sort::Bv(8));
        let cases = vec![case(&[a, b], x), case(&[a, not_b, c], x)];
        let b_or_c = pool.or(b, c);
        let expected = pool.and(a, b_or_c);
        assert_eq!(any(&mut pool, cases.clone()), expected);
        assert_eq!(choose(&mut pool, cases), x);
    }

    #[test]
    fn three_ways_of_a_switch() {
        let mut pool = TermPool::new();
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bv(1)));
        let [not_a, not_b] = [a, b].map(|condition| pool.not(condition));
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.fresh(name, Sort::Bv(8)));
        let cases = vec![case(&[a], x), case(&[b], y), case(&[not_a, not_b], z)];
        assert_eq!(any(&mut pool, cases.clone()), TermId::TRUE);
        let inner = pool.ite(b, y, z);
        let expected = pool.ite(a, x, inner);
        assert_eq!(choose(&mut pool, cases), expected);
    }
}
