//! Scoring, by the rules of 2013 and of today.

use ::svcomp::Answer;

/// Points for each kind of decided answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub correct_true: i64,
    pub correct_false: i64,
    pub wrong_false: i64,
    pub wrong_true: i64,
}

impl Rules {
    /// SV-COMP 2013.
    pub const OF_2013: Rules = Rules {
        correct_true: 2,
        correct_false: 1,
        wrong_false: -4,
        wrong_true: -8,
    };

    /// SV-COMP since 2017.
    pub const OF_TODAY: Rules = Rules {
        correct_true: 2,
        correct_false: 1,
        wrong_false: -16,
        wrong_true: -32,
    };

    /// Points for an answer; none where nothing is expected.
    #[must_use]
    pub fn points(self, expected: Option<bool>, answer: Answer) -> i64 {
        match (expected, answer) {
            (Some(true), Answer::True) => self.correct_true,
            (Some(false), Answer::False) => self.correct_false,
            (Some(true), Answer::False) => self.wrong_false,
            (Some(false), Answer::True) => self.wrong_true,
            (None, _) | (_, Answer::Unknown) => 0,
        }
    }

    /// Points for the right answer.
    #[must_use]
    pub fn most(self, expected: Option<bool>) -> i64 {
        match expected {
            Some(true) => self.correct_true,
            Some(false) => self.correct_false,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_cost_more_than_right_ones_bring() {
        for (rules, wrong_false, wrong_true) in
            [(Rules::OF_2013, -4, -8), (Rules::OF_TODAY, -16, -32)]
        {
            assert_eq!(rules.points(Some(true), Answer::True), 2);
            assert_eq!(rules.points(Some(false), Answer::False), 1);
            assert_eq!(rules.points(Some(true), Answer::False), wrong_false);
            assert_eq!(rules.points(Some(false), Answer::True), wrong_true);
            assert_eq!(rules.points(Some(false), Answer::Unknown), 0);
            assert_eq!(rules.points(None, Answer::True), 0);
        }
    }

    #[test]
    fn the_points_of_2013_sum_to_122() {
        let most = |n: i64, expected| n * Rules::OF_2013.most(Some(expected));
        assert_eq!(most(43, true) + most(36, false), 122);
    }
}
