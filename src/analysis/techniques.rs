//! The techniques of an analysis, and their selection.

use serde::{Deserialize, Serialize};
use symex::SearchStrategy;
use term::Work;

/// A way to decide whether the target is reachable; each decides some programs alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Technique {
    /// Compact execution: with templates of loops, states nearest to the target first.
    Compact,
    /// Classic execution: loops iteration by iteration, nearest and newest states in turn.
    Classic,
    /// A proof by induction: every loop is cut. It proves *unreachable* or nothing.
    Induction,
    /// What inputs have to satisfy, with a formula for all iterations of each loop: it proves
    /// *unreachable*, or guesses inputs.
    Necessary,
    /// A proof by invariants and summaries that solve constrained Horn clauses. It proves
    /// *unreachable* or nothing.
    Horn,
    /// Classic execution: loops iteration by iteration, the states first that constraint systems lead to the
    /// target; states that they refute are closed.
    Navigation,
    /// Classic execution in which states that meet soon and differ in little are merged.
    Merging,
    /// A proof by k-induction: every loop is cut, and k iterations are examined together. It proves
    /// *unreachable* or nothing.
    #[serde(rename = "k-induction")]
    KInduction,
    /// Classic execution in which finished subtrees annotate locations with what they needed; states that
    /// imply that are closed.
    Annotations,
}

/// How techniques keep behind the first tier: compact and classic execution, and induction, each at the same pace
/// unless it is idle. With these defaults the later ones have together less than the work of
/// one of the first tier, which is a quarter of all, so that what one of the first tier decides takes four times
/// its work at most, on two threads twice its time; with Horn clauses and k-induction, where programs have loops
/// that they know, half of one more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Paces {
    /// Classic execution goes ahead alone until it asks its first query about inputs, for so much work at
    /// most. What has no inputs takes no longer so than by classic execution alone; loops without end that
    /// others would fold cost less than a tenth of a second. Default: 250 ms; 0 lets all begin together.
    pub ahead: Work,
    /// Necessary conditions. Default: one part in three.
    pub necessary: Pace,
    /// Proofs by Horn clauses. Default: one part in two.
    pub horn: Pace,
    /// Loop navigation. Default: one part in three.
    pub navigation: Pace,
    /// Execution with merging. Default: one part in eight.
    pub merging: Pace,
    /// Proofs by k-induction. Default: one part in eight.
    pub k_induction: Pace,
    /// Execution with annotations. Default: one part in eight.
    pub annotations: Pace,
    /// Where the stack has an end, techniques that do not count calls begin so much later: they prove
    /// programs whose calls do not fit, as far as they know. Default: 2 s, in which classic execution makes a
    /// million calls.
    pub uncounted: Work,
    /// Techniques whose own means have no effect.
    pub idle: Idle,
}

/// How a technique keeps behind that does not bring anything: compact execution that has not applied a
/// template so far, merging that has not merged, both of which are nothing but classic execution once more, and
/// induction for which nothing about elements of arrays has held in an iteration, since its proofs by bounds of
/// registers take less. Where induction never keeps behind, what classic execution decides later takes up to four
/// tenths longer (`scripts/libraries.py --only punycode_decode`); where it always does, sorting programs take five
/// times as long as by induction alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Idle {
    /// Its work before that counts. Default: 2 s, which computing templates may take in any case. Measured
    /// with `analyze tests/corpus/automata/tested_at_the_end.c`, whose template takes most of the work: 3.5 s
    /// by default, 5.3 s with 50 ms, 1.3 s by compact execution alone; what classic execution decides takes
    /// up to a fifth longer (`scripts/libraries.py`).
    pub grace: Work,
    /// From then on, until there is an effect, it continues at one part in so many of its pace. Default:
    /// one in two. Behind it, the technique catches up.
    pub part: u64,
}

impl Default for Idle {
    fn default() -> Idle {
        Idle {
            grace: Work::seconds(2),
            part: 2,
        }
    }
}

impl Idle {
    /// What the work of a technique counts that had an effect for the first time at `effect`. From then on
    /// it goes twice as fast, until it has caught up.
    pub(super) fn counted(&self, work: Work, effect: Option<Work>) -> Work {
        let idle = effect.map_or(work, |effect| effect.min(work));
        let (behind, since) = (self.lag(idle), work - idle);
        work + behind - behind.min(since / 2)
    }

    /// The work of a technique that counts so much.
    pub(super) fn work_of(&self, counted: Work, effect: Option<Work>) -> Work {
        if let Some(effect) = effect
            && let behind = self.lag(effect)
            && counted > effect + behind
        {
            let since = counted - effect - behind;
            return effect + since + behind.min(since);
        }
        let idle = counted.saturating_sub(self.grace) / self.part.max(1);
        counted - idle * (self.part.max(1) - 1)
    }

    /// How far behind its work a technique is that has had no effect so far.
    fn lag(&self, work: Work) -> Work {
        work.saturating_sub(self.grace) * (self.part.max(1) - 1)
    }
}

/// How a technique keeps behind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Others do so much work before it begins: what they decide by then, they decide alone. Default:
    /// 50 ms.
    pub delay: Work,
    /// From then on it has one part in so many of the work of the technique that is furthest.
    pub part: u64,
}

impl Default for Paces {
    fn default() -> Paces {
        let pace = |part| Pace {
            delay: Work::millis(50),
            part,
        };
        Paces {
            ahead: Work::millis(250),
            necessary: pace(3),
            horn: pace(2),
            navigation: pace(3),
            merging: pace(8),
            k_induction: pace(8),
            annotations: pace(8),
            uncounted: Work::seconds(2),
            idle: Idle::default(),
        }
    }
}

impl Paces {
    /// That of a technique; `None` for those that never keep behind.
    pub(super) fn of(&self, technique: Technique) -> Option<&Pace> {
        match technique {
            Technique::Compact | Technique::Classic | Technique::Induction => None,
            Technique::Necessary => Some(&self.necessary),
            Technique::Horn => Some(&self.horn),
            Technique::Navigation => Some(&self.navigation),
            Technique::Merging => Some(&self.merging),
            Technique::KInduction => Some(&self.k_induction),
            Technique::Annotations => Some(&self.annotations),
        }
    }
}

impl Pace {
    /// The reading of the clock of a technique that has done this work.
    pub(super) fn clock(&self, work: Work) -> Work {
        self.delay + work * self.part.max(1)
    }

    /// The work of a technique at this reading of its clock.
    pub(super) fn work_by(&self, clock: Work) -> Work {
        clock.saturating_sub(self.delay) / self.part.max(1)
    }
}

impl Technique {
    /// All of them, in the order in which ties between them are decided.
    pub const ALL: [Technique; 9] = [
        Technique::Compact,
        Technique::Classic,
        Technique::Induction,
        Technique::Necessary,
        Technique::Horn,
        Technique::Navigation,
        Technique::Merging,
        Technique::KInduction,
        Technique::Annotations,
    ];

    /// `compact`, `classic`, `induction`, `necessary`, `horn`, `navigation`, `merging`, `k-induction` or
    /// `annotations`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Technique::Compact => "compact",
            Technique::Classic => "classic",
            Technique::Induction => "induction",
            Technique::Necessary => "necessary",
            Technique::Horn => "horn",
            Technique::Navigation => "navigation",
            Technique::Merging => "merging",
            Technique::KInduction => "k-induction",
            Technique::Annotations => "annotations",
        }
    }

    /// What it does, in a line.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Technique::Compact => "Compact execution: with templates of loops",
            Technique::Classic => "Classic execution: loops iteration by iteration",
            Technique::Induction => "Proof by induction: every loop is cut",
            Technique::Necessary => {
                "Necessary conditions: a formula for all iterations of each loop, whose models are tried"
            }
            Technique::Horn => {
                "Proof by invariants and summaries that solve constrained Horn clauses"
            }
            Technique::Navigation => "Classic execution in the order of `--search navigate`",
            Technique::Merging => "Classic execution with `--merge dynamic`",
            Technique::KInduction => {
                "Proof by k-induction: every loop is cut, with several iterations at a time"
            }
            Technique::Annotations => {
                "Classic execution with annotations: finished paths annotate locations with the conditions that they \
                 needed, and states that imply an annotation are closed"
            }
        }
    }

    /// The order of its states where none is asked for.
    #[must_use]
    pub fn search(self) -> SearchStrategy {
        match self {
            Technique::Compact | Technique::Necessary | Technique::Horn => SearchStrategy::Nearest,
            Technique::Induction | Technique::KInduction => SearchStrategy::Innermost,
            Technique::Classic | Technique::Merging => SearchStrategy::NearestAndNewest,
            Technique::Navigation => SearchStrategy::Navigate,
            Technique::Annotations => SearchStrategy::FewestIterations,
        }
    }

    /// Whether it may cover all executions, so that its reasons for *unknown* are those of the verdict.
    #[must_use]
    pub fn is_complete(self) -> bool {
        match self {
            Technique::Compact
            | Technique::Classic
            | Technique::Navigation
            | Technique::Merging
            | Technique::Annotations => true,
            Technique::Induction
            | Technique::Necessary
            | Technique::Horn
            | Technique::KInduction => false,
        }
    }

    /// Whether its runs know which memory is left where the program ends.
    #[must_use]
    pub fn follows_blocks(self) -> bool {
        match self {
            Technique::Compact | Technique::Classic | Technique::Merging => true,
            Technique::Induction
            | Technique::Necessary
            | Technique::Horn
            | Technique::Navigation
            | Technique::KInduction
            | Technique::Annotations => false,
        }
    }

    /// Whether its runs know how much of the stack is in use: those that go from call to call do.
    pub(super) fn counts_calls(self) -> bool {
        self.is_complete()
    }

    /// Whether its runs go through each iteration of a loop, as it is.
    #[must_use]
    pub fn is_iterative(self) -> bool {
        match self {
            Technique::Classic | Technique::Merging => true,
            Technique::Compact
            | Technique::Induction
            | Technique::Necessary
            | Technique::Horn
            | Technique::Navigation
            | Technique::KInduction
            | Technique::Annotations => false,
        }
    }

    /// Whether it cuts loops, so that it proves *unreachable* or nothing.
    pub(super) fn cuts_loops(self) -> bool {
        matches!(self, Technique::Induction | Technique::KInduction)
    }
}

/// Techniques that are interleaved: at least one, each once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Techniques(Vec<Technique>);

impl Techniques {
    /// Those that are used where none is named: all but annotations, which have to be asked for.
    #[must_use]
    pub fn usual() -> Techniques {
        let all = Technique::ALL.into_iter();
        Techniques(all.filter(|one| *one != Technique::Annotations).collect())
    }

    /// One technique alone.
    ///
    /// ```
    /// use compact_se_analysis::{Technique, Techniques};
    /// let classic = Techniques::only(Technique::Classic);
    /// assert_eq!(classic.name(), "classic");
    /// ```
    #[must_use]
    pub fn only(technique: Technique) -> Techniques {
        Techniques(vec![technique])
    }

    /// These; `None` where that is no technique.
    #[must_use]
    pub fn of(wanted: impl Fn(Technique) -> bool) -> Option<Techniques> {
        let chosen: Vec<Technique> = Technique::ALL.into_iter().filter(|t| wanted(*t)).collect();
        (!chosen.is_empty()).then_some(Techniques(chosen))
    }

    /// Whether a technique is among them.
    #[must_use]
    pub fn contains(&self, technique: Technique) -> bool {
        self.0.contains(&technique)
    }

    /// In the order of [`Technique::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = Technique> + '_ {
        self.0.iter().copied()
    }

    /// `default` for all, else their names with `+` between.
    #[must_use]
    pub fn name(&self) -> String {
        if *self == Techniques::usual() {
            return "default".to_owned();
        }
        let names: Vec<&str> = self.iter().map(Technique::name).collect();
        names.join("+")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_what_keeps_behind_goes_faster() {
        let pace = Pace {
            delay: Work::units(10),
            part: 3,
        };
        for (work, clock) in [(0, 10), (1, 13), (100, 310)] {
            assert_eq!(pace.clock(Work::units(work)), Work::units(clock));
            assert_eq!(pace.work_by(Work::units(clock)), Work::units(work));
        }
        assert_eq!(pace.work_by(Work::units(5)), Work::ZERO);
        assert_eq!(pace.work_by(Work::units(312)), Work::units(100));
    }

    #[test]
    fn work_without_effect_counts_twice_after_a_while() {
        let idle = Idle {
            grace: Work::units(100),
            part: 2,
        };
        let effect = Some(Work::units(300));
        let counted = |work, effect| idle.counted(Work::units(work), effect).as_units();
        assert_eq!(counted(80, None), 80);
        assert_eq!(counted(300, None), 500);
        assert_eq!(counted(300, effect), 500);
        assert_eq!(counted(350, effect), 525);
        assert_eq!(counted(700, effect), 700);
        assert_eq!(counted(900, effect), 900);
        assert_eq!(counted(350, Some(Work::units(50))), 350);
        for effect in [None, effect, Some(Work::units(50))] {
            for work in (0..1000).step_by(10).map(Work::units) {
                assert_eq!(idle.work_of(idle.counted(work, effect), effect), work);
            }
        }
    }
}
