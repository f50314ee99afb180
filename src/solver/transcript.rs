//! Transcript: replays the solver's answers of an earlier run (checkpoint and resume).
//!
//! A run may record its answers ([`Transcript`]), and a later run over the same program may start from them.
//! A recorded query gets the recorded answer and advances the work clock by the recorded amount, so that the
//! later run repeats the earlier one in less time. A query without a record is solved.
//!
//! Queries are identified by the [fingerprints](Fingerprints) of their conjuncts. A repeated query gets its
//! answers in their order.
//!
//! The link is above those that take time without creating visible terms, and below those that create terms,
//! so that the pool gets the same terms in both runs.
//!
//! # Invariants
//! - Answers ended by a limit of the run or a signal are not recorded.
//! - `Unknown` for lack of work is replayed only if as much work is left.
//! - Each technique has its own transcript, since the order of queries differs.

use super::{Answer, LinkStatistics, Query, Solver, UnknownReason};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::{
    ArrayValue, Assignment, Bv, Fingerprint, Fingerprints, SymbolId, SymbolValue, TermPool, Work,
    short,
};

/// The answers of a run, by technique.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transcript {
    techniques: BTreeMap<String, Answers>,
}

/// The answers to each query, in their order.
type Answers = BTreeMap<String, Vec<Entry>>;

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Entry {
    /// That it took.
    work: Work,
    /// The work that was left for it, where that is limited.
    left: Option<Work>,
    given: Given,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Given {
    Sat(Vec<(SymbolId, Value)>),
    /// The positions of the conjuncts of the core, where one is known.
    Unsat(Option<Vec<usize>>),
    Unknown(Why),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Value {
    Bits(Bv),
    /// The value everywhere but at these indices.
    Array(Bv, Vec<(Bv, Bv)>),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    Work,
    GaveUp(String),
    Unconfirmed,
}

/// The replayed answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Repeated {
    pub n_answers: u64,
    /// That the answers had taken.
    pub work: Work,
}

/// The recorded answers of a technique, and the part replayed in this run.
#[derive(Default)]
struct Course {
    answers: Answers,
    /// Of each query, how many of its answers have been given.
    given: BTreeMap<String, usize>,
    repeated: Repeated,
}

/// The transcript of a run while it continues. Clones are the same transcript.
#[derive(Clone, Default)]
pub struct Transcripts {
    courses: Arc<Mutex<BTreeMap<String, Arc<Mutex<Course>>>>>,
    technique: String,
}

impl std::fmt::Debug for Transcripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transcripts").finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Transcripts {
    /// Begins with the answers of an earlier run.
    #[must_use]
    pub fn after(earlier: Transcript) -> Transcripts {
        let courses = earlier.techniques.into_iter().map(|(name, answers)| {
            let course = Course {
                answers,
                ..Course::default()
            };
            (name, Arc::new(Mutex::new(course)))
        });
        Transcripts {
            courses: Arc::new(Mutex::new(courses.collect())),
            technique: String::new(),
        }
    }

    /// The same for the solvers of a technique.
    #[must_use]
    pub fn of(&self, technique: &str) -> Transcripts {
        Transcripts {
            courses: Arc::clone(&self.courses),
            technique: technique.to_owned(),
        }
    }

    /// The answers until now, including earlier runs.
    #[must_use]
    pub fn transcript(&self) -> Transcript {
        let courses = locked(&self.courses);
        let answers = courses
            .iter()
            .map(|(name, course)| (name.clone(), locked(course).answers.clone()));
        Transcript {
            techniques: answers.collect(),
        }
    }

    /// The answers replayed until now.
    #[must_use]
    pub fn repeated(&self) -> Repeated {
        let courses = locked(&self.courses);
        let all = courses.values().map(|course| locked(course).repeated);
        all.fold(Repeated::default(), |sum, one| Repeated {
            n_answers: sum.n_answers + one.n_answers,
            work: sum.work + one.work,
        })
    }

    fn course(&self) -> Arc<Mutex<Course>> {
        let mut courses = locked(&self.courses);
        Arc::clone(courses.entry(self.technique.clone()).or_default())
    }
}

/// See the module's head.
pub struct Transcribed<S> {
    course: Arc<Mutex<Course>>,
    fingerprints: Fingerprints,
    statistics: LinkStatistics,
    below: S,
}

impl<S: Solver> Transcribed<S> {
    /// Writes down what `below` answers.
    #[must_use]
    pub fn new(transcripts: &Transcripts, below: S) -> Transcribed<S> {
        Transcribed {
            course: transcripts.course(),
            fingerprints: Fingerprints::default(),
            statistics: LinkStatistics::new("transcript"),
            below,
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if let Some(reason) = query.limits.reached(pool) {
            return Answer::Unknown(reason);
        }
        let question = self.name(pool, query);
        let left = query.limits.work_left(pool);
        let (course, start) = (Arc::clone(&self.course), pool.work());
        if let Some(entry) = locked(&course).next(&question, left) {
            self.statistics.hits += 1;
            pool.count_work(entry.work);
            return entry.given.answer(query);
        }
        let answer = self.below.check(pool, query);
        if let Some(given) = Given::of(&answer, query) {
            let work = pool.work() - start;
            let entry = Entry { work, left, given };
            locked(&course).add(question, entry);
        }
        answer
    }

    fn name(&mut self, pool: &TermPool, query: &Query<'_>) -> String {
        let mut digest = Sha256::new();
        digest.update(format!("{:?} {}", query.need, query.known_sat_prefix));
        for conjunct in query.conjuncts {
            digest.update(self.fingerprints.of(pool, *conjunct));
        }
        let print: Fingerprint = short(digest);
        format!("{:032x}", u128::from_be_bytes(print))
    }
}

counted_link!(Transcribed<S>);

impl Course {
    /// The next answer to a query for which so much work is left, if it is known.
    fn next(&mut self, question: &str, left: Option<Work>) -> Option<Entry> {
        let answers = self.answers.get(question)?;
        let n_given = self.given.get(question).copied().unwrap_or(0);
        let entry = answers.get(n_given)?;
        let fits = match entry.given {
            Given::Unknown(Why::Work) => entry.left == left,
            Given::Sat(_) | Given::Unsat(_) | Given::Unknown(_) => {
                left.is_none_or(|left| entry.work <= left)
            }
        };
        if !fits {
            return None;
        }
        let entry = entry.clone();
        self.given.insert(question.to_owned(), n_given + 1);
        self.repeated.n_answers += 1;
        self.repeated.work += entry.work;
        Some(entry)
    }

    /// Writes down an answer in the place of what was known from there on.
    fn add(&mut self, question: String, entry: Entry) {
        let n_given = self.given.entry(question.clone()).or_default();
        let answers = self.answers.entry(question).or_default();
        answers.truncate(*n_given);
        answers.push(entry);
        *n_given += 1;
    }
}

impl Given {
    /// What is written down of an answer, unless it is one about this run only.
    fn of(answer: &Answer, query: &Query<'_>) -> Option<Given> {
        Some(match answer {
            Answer::Sat(model) => {
                let values = model
                    .iter()
                    .map(|(symbol, value)| (symbol, Value::of(value)));
                Given::Sat(values.collect())
            }
            Answer::Unsat(core) => Given::Unsat(core.as_ref().and_then(|core| {
                let place = |term| query.conjuncts.iter().position(|it| it == term);
                core.iter().map(place).collect()
            })),
            Answer::Unknown(UnknownReason::Work) => Given::Unknown(Why::Work),
            Answer::Unknown(UnknownReason::GaveUp(why)) => Given::Unknown(Why::GaveUp(why.clone())),
            Answer::Unknown(UnknownReason::Unconfirmed) => Given::Unknown(Why::Unconfirmed),
            Answer::Unknown(
                UnknownReason::Timeout | UnknownReason::Interrupted | UnknownReason::Failed(_),
            ) => return None,
        })
    }

    fn answer(self, query: &Query<'_>) -> Answer {
        match self {
            Given::Sat(values) => {
                let mut model = Assignment::new();
                for (symbol, value) in values {
                    match value {
                        Value::Bits(bits) => model.set(symbol, bits),
                        Value::Array(default, entries) => {
                            let entries = entries.into_iter().collect();
                            model.set_array(symbol, ArrayValue { default, entries });
                        }
                    }
                }
                Answer::Sat(Rc::new(model))
            }
            Given::Unsat(core) => Answer::Unsat(core.map(|core| {
                let conjunct = |place: usize| query.conjuncts.get(place).copied();
                core.into_iter().filter_map(conjunct).collect()
            })),
            Given::Unknown(Why::Work) => Answer::Unknown(UnknownReason::Work),
            Given::Unknown(Why::GaveUp(why)) => Answer::Unknown(UnknownReason::GaveUp(why)),
            Given::Unknown(Why::Unconfirmed) => Answer::Unknown(UnknownReason::Unconfirmed),
        }
    }
}

impl Value {
    fn of(value: &SymbolValue) -> Value {
        match value {
            SymbolValue::Bits(bits) => Value::Bits(bits.clone()),
            SymbolValue::Array(array) => {
                let entries = array.entries.iter();
                let entries = entries.map(|(index, value)| (index.clone(), value.clone()));
                Value::Array(array.default.clone(), entries.collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, SolverOptions, confirms};
    use term::{BinOp, CmpOp, Sort, TermId};

    /// x·y = 1,018,081 with 1 < x ≤ y, and below 2^32 too, or that it is 1,018,081 + 1 where x is even.
    fn questions(pool: &mut TermPool) -> [Vec<TermId>; 2] {
        let [x, y] = ["x", "y"].map(|name| {
            let symbol = pool.symbol(name, Sort::Bv(64));
            pool.symbol_term(symbol)
        });
        let product = pool.binary(BinOp::Mul, x, y);
        let (wanted, one) = (pool.bv(64, 1_018_081), pool.bv(64, 1));
        let most = pool.bv(64, 1 << 20);
        let is_product = pool.compare(CmpOp::Eq, product, wanted);
        let is_more = pool.compare(CmpOp::Ult, one, x);
        let is_ordered = pool.compare(CmpOp::Ule, x, y);
        let is_small = pool.compare(CmpOp::Ult, y, most);
        let is_equal = pool.compare(CmpOp::Ult, y, x);
        [
            vec![is_product, is_more, is_ordered, is_small],
            vec![is_product, is_ordered, is_equal],
        ]
    }

    /// The answers of a run that begins with a transcript: what it was told, its work, its own transcript.
    fn run(earlier: Transcript) -> (Vec<Answer>, Work, Transcript, Repeated) {
        let transcripts = Transcripts::after(earlier);
        let config = SolverOptions {
            transcripts: Some(transcripts.of("classic")),
            ..SolverOptions::default()
        };
        let (mut pool, mut solver) = (TermPool::new(), config.build());
        let questions = questions(&mut pool);
        let limits = Limits::default();
        let ask = |conjuncts: &Vec<TermId>| {
            let answer = solver.check(&mut pool, &Query::new(conjuncts, &limits));
            if let Answer::Sat(model) = &answer {
                assert!(confirms(&pool, conjuncts, model));
            }
            answer
        };
        let answers = questions.iter().map(ask).collect();
        let work = pool.work();
        (
            answers,
            work,
            transcripts.transcript(),
            transcripts.repeated(),
        )
    }

    #[test]
    fn a_second_run_is_answered_as_the_first_and_asks_nobody() {
        let (first, work, written, repeated) = run(Transcript::default());
        assert!(first[0].is_sat() && first[1].is_unsat());
        assert_eq!(repeated, Repeated::default());
        let text = serde_json::to_string(&written).expect("a transcript is JSON");
        let read: Transcript = serde_json::from_str(&text).expect("and can be read");
        assert_eq!(read, written);
        let (second, same_work, written_again, repeated) = run(read);
        assert_eq!(first[0].model(), second[0].model());
        assert!(second[1].is_unsat());
        assert_eq!(work, same_work);
        assert_eq!(written, written_again);
        assert!(repeated.n_answers > 0 && repeated.work > Work::ZERO);
    }

    #[test]
    fn answers_are_those_to_the_same_question() {
        let mut course = Course::default();
        let entry = |left, given| Entry {
            work: Work::units(10),
            left: Some(Work::units(left)),
            given,
        };
        course.add("a".to_owned(), entry(10, Given::Unknown(Why::Work)));
        course.add("a".to_owned(), entry(50, Given::Unsat(None)));
        course.given.clear();
        let left = |units| Some(Work::units(units));
        assert_eq!(course.next("b", left(10)), None);
        assert_eq!(course.next("a", left(20)), None, "more work may decide it");
        assert!(course.next("a", left(10)).is_some());
        assert_eq!(course.next("a", left(9)), None, "it takes more than that");
        assert!(course.next("a", left(11)).is_some());
        assert_eq!(course.next("a", None), None);
    }

    #[test]
    fn what_ended_for_a_limit_of_the_run_is_asked_anew() {
        let limits = Limits::default();
        for reason in [UnknownReason::Timeout, UnknownReason::Interrupted] {
            let answer = Answer::Unknown(reason);
            assert_eq!(Given::of(&answer, &Query::new(&[], &limits)), None);
        }
    }
}
