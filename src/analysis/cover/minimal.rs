//! Test-suite minimisation: few tests with the coverage of all.

use super::Test;
use flowgraph::BitSet;

/// Tests that cover what all of them cover, by the greedy choice: that which adds most comes first,
/// the earlier of two. They keep their order.
pub(super) fn needed(tests: Vec<Test>, n_goals: usize) -> Vec<Test> {
    let mut covered = BitSet::new(n_goals);
    let mut is_chosen = vec![false; tests.len()];
    loop {
        let gain = |test: &Test| {
            let new = test
                .goals
                .iter()
                .filter(|goal| !covered.contains(goal.index()));
            new.count()
        };
        let gains = tests.iter().map(gain).enumerate();
        let best = gains.max_by_key(|(number, gain)| (*gain, std::cmp::Reverse(*number)));
        let Some((number, 1..)) = best else {
            break;
        };
        is_chosen[number] = true;
        for goal in &tests[number].goals {
            covered.insert(goal.index());
        }
    }
    let chosen = tests.into_iter().zip(is_chosen);
    chosen
        .filter_map(|(test, chosen)| chosen.then_some(test))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowgraph::{GoalId, Span};
    use property::ErrorKind;
    use replay::ReplayOutcome;
    use symex::Witness;

    #[test]
    fn tests_that_others_make_needless_are_left_out() {
        let test = |goals: &[u32]| Test {
            witness: Witness {
                inputs: Vec::new(),
                path: Vec::new(),
                target: Span::UNKNOWN,
                error: ErrorKind::Target,
                report: None,
                goals: Vec::new(),
            },
            goals: goals.iter().copied().map(GoalId).collect(),
            outcome: ReplayOutcome::NotReached(0),
        };
        let tests = vec![test(&[0, 1]), test(&[0, 2, 3]), test(&[1, 2]), test(&[0])];
        let needed: Vec<usize> = needed(tests, 4)
            .iter()
            .map(|test| test.goals.len())
            .collect();
        assert_eq!(needed, [2, 3]);
    }
}
