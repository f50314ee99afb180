//! Enumeration: queries with few possible values are decided by trying all of them.
//!
//! Parsers query one byte after another, and a cipher of one unknown byte has 256 keys however long its
//! formula is. If a query has few unknowns, and these are narrow or have narrow bounds (`domain`), its
//! conjuncts are compiled ([`Program`]) and evaluated for all values, which decides the query exactly.
//! Conjuncts about a single unknown narrow its values first. Enumerations that cost less than translating the
//! query for the link below run before that link, more expensive ones after it had
//! [`EnumerationPolicy::patience`]. For an unknown that occurs only in remainders, one value per remainder
//! is enough (`remainders`). If all combinations are too many, equations between two unknowns may leave few
//! pairs (`join`).
//!
//! # Invariants
//! - `Unsat` only if no combination of values is left; each combination that was skipped fails together with
//!   one that was tried.
//! - The unknown parts are bit-vector symbols, and cells of arrays that nothing else reads.

mod domain;
mod join;
mod remainders;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use self::domain::Domain;
use self::join::Join;
use self::remainders::UsesOf;
use super::elements::{Element, ElementsOf};
use super::{Answer, Limits, LinkStatistics, Query, Solver, UnknownReason, confirms};
use term::{ArrayValue, Assignment, Bv, Program, Sort, TermId, TermPool, Work};

/// Settings of the link.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct EnumerationPolicy {
    /// Work for which the values are tried before anybody else is asked. Default: 100 µs, as much
    /// as Z3 needs to begin.
    pub at_once: Work,
    /// Additional work for each operator. Default: 10 µs, less than Z3 needs to turn an operator of a long
    /// formula into bits.
    pub at_once_for_operator: Work,
    /// The same for each entry of a table that is read. Default: 2 µs; Z3 reads a table as a tree of
    /// choices, about 20 µs an entry.
    pub at_once_for_entry: Work,
    /// The same for each operation on floating-point numbers. Default: 20 ms, an estimate from below of
    /// what Z3 takes for one, which becomes thousands of gates.
    pub at_once_for_float: Work,
    /// Tables with so many entries in all are worth some values anywhere between the first and the last,
    /// where all are too many. Default: 4,096, of which Z3 reads a tree for 80 ms.
    pub sampled_from: u64,
    /// Work that the link below has before more is tried. Default: 200 ms.
    pub patience: Work,
    /// The most work for trying values after that. Default: 20 s.
    pub most: Work,
    /// The most values of one unknown part, as a power of two. Default: 16.
    pub part_bits: u32,
    /// The most unknown parts. Default: 8.
    pub parts: usize,
}

impl Default for EnumerationPolicy {
    fn default() -> EnumerationPolicy {
        EnumerationPolicy {
            at_once: Work::micros(100),
            at_once_for_operator: Work::micros(10),
            at_once_for_entry: Work::micros(2),
            at_once_for_float: Work::millis(20),
            sampled_from: 1 << 12,
            patience: Work::millis(200),
            most: Work::seconds(20),
            part_bits: 16,
            parts: 8,
        }
    }
}

/// Operators of a query that is compiled.
const MOST_STEPS: usize = 1 << 18;
/// So many pairs of values between examines the limits.
const PAIRS_AT_ONCE: usize = 1 << 12;
/// The work of trying values after which limits are examined.
const CHUNK: Work = Work::millis(10);

/// See the module's head.
pub struct Enumeration {
    options: EnumerationPolicy,
    below: Box<dyn Solver>,
    elements: ElementsOf,
    uses: UsesOf,
    statistics: LinkStatistics,
}

/// An unknown part of a query.
#[derive(Clone, Copy)]
struct Part {
    element: Element,
    term: TermId,
    width: u32,
    domain: Domain,
}

/// The work that may be spent on a program.
#[derive(Clone, Copy)]
struct Allowance {
    fixed: Work,
    for_step: Work,
    for_entry: Work,
    for_float: Work,
}

impl Allowance {
    fn of(self, program: &Program) -> Work {
        self.fixed
            + self.for_step * program.len() as u64
            + self.for_entry * program.n_entries()
            + self.for_float * program.n_floats()
    }
}

impl Enumeration {
    /// Asks `below` what has too many values.
    #[must_use]
    pub fn new(options: EnumerationPolicy, below: Box<dyn Solver>) -> Enumeration {
        Enumeration {
            options,
            below,
            elements: ElementsOf::default(),
            uses: UsesOf::default(),
            statistics: LinkStatistics::new("enumeration"),
        }
    }

    fn answer(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        let Some(parts) = self.parts(pool, query.conjuncts) else {
            return self.below.check(pool, query);
        };
        if let Some(answer) = self.within(pool, query, &parts, self.at_once()) {
            self.statistics.event("tried at once");
            return answer;
        }
        let left = query.limits.work_left(pool);
        if left.is_some_and(|left| left <= self.options.patience) {
            return self.below.check(pool, query);
        }
        let limits = query.limits.within_work(pool, self.options.patience);
        let brief = Query {
            limits: &limits,
            ..*query
        };
        let answer = self.below.check(pool, &brief);
        let is_open = matches!(
            answer,
            Answer::Unknown(UnknownReason::Work | UnknownReason::GaveUp(_))
        );
        if !is_open || query.limits.reached(pool).is_some() {
            return answer;
        }
        let left = query.limits.work_left(pool);
        let most = left.map_or(self.options.most, |left| left.min(self.options.most));
        let most = Allowance {
            fixed: most,
            for_step: Work::ZERO,
            for_entry: Work::ZERO,
            for_float: Work::ZERO,
        };
        if let Some(answer) = self.within(pool, query, &parts, most) {
            self.statistics.event("tried after the link below");
            return answer;
        }
        self.below.check(pool, query)
    }

    fn at_once(&self) -> Allowance {
        Allowance {
            fixed: self.options.at_once,
            for_step: self.options.at_once_for_operator,
            for_entry: self.options.at_once_for_entry,
            for_float: self.options.at_once_for_float,
        }
    }

    /// The unknown parts, where they are few and have few values.
    fn parts(&mut self, pool: &mut TermPool, conjuncts: &[TermId]) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        for conjunct in conjuncts {
            if pool.has_quantifier(*conjunct) || pool.has_sum(*conjunct) {
                return None;
            }
            let elements = self.elements.get(pool, *conjunct).clone();
            for element in elements.all.iter() {
                if parts.iter().any(|part| part.element == *element) {
                    continue;
                }
                if parts.len() == self.options.parts {
                    return None;
                }
                let (term, width) = unknown(pool, *element)?;
                let bits = self.options.part_bits;
                let domain = Domain::of(pool, term, bits, conjuncts);
                let domain = domain.or_else(|| match element {
                    Element::Whole(symbol) => {
                        self.uses.domain(pool, *symbol, term, bits, conjuncts)
                    }
                    Element::Cell(..) => None,
                })?;
                parts.push(Part {
                    element: *element,
                    term,
                    width,
                    domain,
                });
            }
        }
        (!parts.is_empty()).then_some(parts)
    }

    /// The answer, if trying all values takes no more work than is allowed.
    fn within(
        &mut self,
        pool: &mut TermPool,
        query: &Query<'_>,
        parts: &[Part],
        most: Allowance,
    ) -> Option<Answer> {
        let mut about: Vec<Vec<TermId>> = vec![Vec::new(); parts.len()];
        let mut rest = Vec::new();
        for conjunct in query.conjuncts {
            let elements = &self.elements.get(pool, *conjunct).all;
            match &**elements {
                [only] => {
                    let part = parts.iter().position(|part| part.element == *only)?;
                    about[part].push(*conjunct);
                }
                _ => rest.push(*conjunct),
            }
        }
        let leaves: Vec<TermId> = parts.iter().map(|part| part.term).collect();
        let whole = pool.compile(query.conjuncts, &leaves, MOST_STEPS)?;
        let most = most.of(&whole);
        let mut room = Vec::new();
        let mut values: Vec<Vec<u64>> = Vec::new();
        for (part, about) in parts.iter().zip(about) {
            let n_values = part.domain.n_values();
            let program = pool.compile(&about, &[part.term], MOST_STEPS)?;
            if program.work() * n_values > most {
                return None;
            }
            pool.count_work(program.work() * n_values);
            let chunk = chunk(&program);
            let mut possible = Vec::new();
            for (number, value) in (0..n_values).zip(part.domain.values()) {
                if number.is_multiple_of(chunk) && query.limits.exceeded() {
                    let reason = query.limits.reached(pool);
                    return Some(Answer::Unknown(
                        reason.unwrap_or(UnknownReason::Interrupted),
                    ));
                }
                if program.holds(&[value], &mut room) {
                    possible.push(value);
                }
            }
            if possible.is_empty() {
                return Some(Answer::Unsat(None));
            }
            values.push(possible);
        }
        let program = pool.compile(&rest, &leaves, MOST_STEPS)?;
        let combinations = n_combinations(&values);
        let found = if rest.is_empty() || program.work() * combinations <= most {
            search(pool, &program, &values, query.limits)
        } else {
            let join = Join::of(pool, &mut self.elements, parts, &rest, MOST_STEPS);
            let searched = join.and_then(|join| {
                search_pairs(pool, &program, &join, &values, (query.limits, most))
            });
            if let Some(found) = searched {
                self.statistics.event("by equations between two parts");
                found
            } else {
                if whole.n_entries() < self.options.sampled_from {
                    return None;
                }
                Ok(Some(sample(pool, &program, &values, most)?))
            }
        };
        match found {
            Ok(Some(found)) => {
                let model = assignment(pool, parts, &found);
                let is_confirmed = confirms(pool, query.conjuncts, &model);
                debug_assert!(is_confirmed, "programs are exact");
                is_confirmed.then(|| Answer::Sat(Rc::new(model)))
            }
            Ok(None) => Some(Answer::Unsat(None)),
            Err(reason) => Some(Answer::Unknown(reason)),
        }
    }
}

/// An unknown part as a term, with its width; `None` for a whole array, and for addresses.
fn unknown(pool: &mut TermPool, element: Element) -> Option<(TermId, u32)> {
    let term = match element {
        Element::Whole(symbol) => {
            if pool.is_restricted(symbol) {
                return None;
            }
            pool.symbol_term(symbol)
        }
        Element::Cell(array, index) => {
            let array = pool.symbol_term(array);
            pool.select(array, index)
        }
    };
    let Sort::Bv(width) = pool.sort(term) else {
        return None;
    };
    Some((term, width))
}

/// So many runs of a program between examines the limits.
fn chunk(program: &Program) -> u64 {
    (CHUNK.as_units() / program.work().as_units().max(1)).max(1)
}

fn n_combinations(values: &[Vec<u64>]) -> u64 {
    let sizes = values.iter().map(|values| values.len() as u64);
    sizes.fold(1, u64::saturating_mul)
}

/// The same as [`search`] among the pairs that equations leave; `None` if that takes more work than is
/// allowed.
fn search_pairs(
    pool: &TermPool,
    program: &Program,
    join: &Join,
    values: &[Vec<u64>],
    (limits, most): (&Limits, Work),
) -> Option<Result<Option<Vec<u64>>, UnknownReason>> {
    let joined = join.parts.map(|part| values[part].as_slice());
    let work = join.work(joined.map(<[u64]>::len));
    if work > most {
        return None;
    }
    pool.count_work(work);
    let mut values = values.to_vec();
    let pairs = {
        let mut others = values.clone();
        join.parts.iter().for_each(|part| others[*part].clear());
        others.retain(|values| !values.is_empty());
        let for_pair = program.work() * n_combinations(&others);
        join.pairs(joined, most.as_units() / for_pair.as_units().max(1))?
    };
    for (number, pair) in pairs.into_iter().enumerate() {
        if number.is_multiple_of(PAIRS_AT_ONCE) && limits.exceeded() {
            let reason = limits.reached(pool);
            return Some(Err(reason.unwrap_or(UnknownReason::Interrupted)));
        }
        for (part, value) in join.parts.iter().zip(pair) {
            values[*part].clear();
            values[*part].push(value);
        }
        match search(pool, program, &values, limits) {
            Ok(None) => {}
            decided => return Some(decided),
        }
    }
    Some(Ok(None))
}

/// A combination of values for which the program holds, of as many as the work allows, linearly strewn.
fn sample(pool: &TermPool, program: &Program, values: &[Vec<u64>], most: Work) -> Option<Vec<u64>> {
    /// The golden ratio of 2^64: its multiples leave no large gaps.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    let n_combinations = n_combinations(values);
    let n_tries = (most.as_units() / program.work().as_units().max(1)).min(n_combinations);
    let mut room = Vec::with_capacity(program.len());
    let mut n_tried = 0;
    let found = (0..n_tries).find_map(|number| {
        n_tried += 1;
        let strewn = u128::from(number.wrapping_mul(STRIDE)) * u128::from(n_combinations);
        let mut rest = u64::try_from(strewn >> 64).expect("it is below the number of combinations");
        let mut leaves = Vec::with_capacity(values.len());
        for values in values {
            let n_values = values.len() as u64;
            let position = usize::try_from(rest % n_values).expect("it is a position");
            leaves.push(values[position]);
            rest /= n_values;
        }
        program.holds(&leaves, &mut room).then_some(leaves)
    });
    pool.count_work(program.work() * n_tried);
    found
}

/// The first combination of values for which the program holds.
fn search(
    pool: &TermPool,
    program: &Program,
    values: &[Vec<u64>],
    limits: &Limits,
) -> Result<Option<Vec<u64>>, UnknownReason> {
    let mut positions = vec![0; values.len()];
    let mut leaves: Vec<u64> = values.iter().map(|values| values[0]).collect();
    let mut room = Vec::with_capacity(program.len());
    let mut n_tried = 0u64;
    let chunk = chunk(program);
    loop {
        n_tried += 1;
        if program.holds(&leaves, &mut room) {
            pool.count_work(program.work() * (n_tried % chunk));
            return Ok(Some(leaves));
        }
        if n_tried.is_multiple_of(chunk) {
            pool.count_work(program.work() * chunk);
            if limits.exceeded() {
                return Err(limits.reached(pool).unwrap_or(UnknownReason::Interrupted));
            }
        }
        // The next combination, the last part moving fastest.
        let moved = (0..values.len()).rev().find(|part| {
            positions[*part] += 1;
            if positions[*part] == values[*part].len() {
                positions[*part] = 0;
            }
            leaves[*part] = values[*part][positions[*part]];
            positions[*part] > 0
        });
        if moved.is_none() {
            pool.count_work(program.work() * (n_tried % chunk));
            return Ok(None);
        }
    }
}

fn assignment(pool: &TermPool, parts: &[Part], values: &[u64]) -> Assignment {
    let mut assignment = Assignment::new();
    for (part, value) in parts.iter().zip(values) {
        let value = Bv::new(part.width, *value);
        match part.element {
            Element::Whole(symbol) => assignment.set(symbol, value),
            Element::Cell(symbol, index) => {
                let cells = assignment.array(symbol).cloned();
                let mut cells = cells.unwrap_or_else(|| ArrayValue::constant(Bv::zero(part.width)));
                let index = pool.as_const(index).expect("cells have constant indices");
                cells.entries.insert(index, value);
                assignment.set_array(symbol, cells);
            }
        }
    }
    assignment
}

counted_link!(Enumeration);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Statistics;
    use crate::random_terms::{Generator, brute_force};
    use term::{BinOp, CastOp, LookUpTable};

    /// Decides nothing, so that what is decided was decided above.
    struct Nothing;

    impl Solver for Nothing {
        fn check(&mut self, _: &mut TermPool, _: &Query<'_>) -> Answer {
            Answer::Unknown(UnknownReason::Work)
        }

        fn statistics(&self, _: &mut Statistics) {}
    }

    fn enumeration() -> Enumeration {
        Enumeration::new(EnumerationPolicy::default(), Box::new(Nothing))
    }

    #[test]
    fn answers_agree_with_brute_force() {
        let (mut n_sat, mut n_unsat) = (0, 0);
        for seed in 0..1500 {
            let mut pool = TermPool::new();
            let (n_words, n_arrays) = (2, usize::from(seed % 3 == 0));
            let mut generator = Generator::new(&mut pool, seed, 2, n_words, n_arrays);
            let conjuncts: Vec<TermId> = (0..3).map(|_| generator.truth(&mut pool, 3)).collect();
            let expected = brute_force(&pool, &generator.symbols(), &conjuncts);
            let limits = Limits::default();
            match enumeration().check(&mut pool, &Query::new(&conjuncts, &limits)) {
                Answer::Sat(model) => {
                    assert!(expected.is_some() && confirms(&pool, &conjuncts, &model));
                    n_sat += 1;
                }
                Answer::Unsat(_) => {
                    assert_eq!(expected, None, "seed {seed}");
                    n_unsat += 1;
                }
                Answer::Unknown(_) => {}
            }
        }
        assert!(n_sat > 300 && n_unsat > 300, "{n_sat} and {n_unsat}");
    }

    /// A formula of many rounds over two bytes, and the only values for which it holds.
    fn cipher(pool: &mut TermPool) -> (TermId, [u64; 2]) {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut entries: Vec<u64> = (0..256).collect();
        rng.shuffle(&mut entries);
        let table = pool.table(64, 8, LookUpTable::new(1, entries.clone()));
        let data = pool.fresh(
            "data",
            Sort::Array {
                index: 64,
                value: 8,
            },
        );
        let read = |pool: &mut TermPool, at: u64| {
            let at = pool.bv(64, at);
            pool.select(data, at)
        };
        let mut words = [read(pool, 0), read(pool, 1)];
        let mut expected = [0x17u64, 0xa9];
        let values = expected;
        for round in 0..40u64 {
            let sum = pool.binary(BinOp::Add, words[0], words[1]);
            let index = pool.cast(CastOp::ZExt, 64, sum);
            let mixed = pool.select(table, index);
            let number = pool.bv(8, round);
            words = [words[1], pool.xor(mixed, number)];
            let sum = usize::try_from((expected[0] + expected[1]) & 255).expect("a byte");
            expected = [expected[1], entries[sum] ^ round];
        }
        let goals = expected.map(|value| pool.bv(8, value));
        let (one, two) = (pool.eq(words[0], goals[0]), pool.eq(words[1], goals[1]));
        (pool.and(one, two), values)
    }

    #[test]
    fn long_formulas_of_two_bytes_are_decided() {
        let mut pool = TermPool::new();
        let (question, values) = cipher(&mut pool);
        let limits = Limits::default();
        let mut solver = enumeration();
        let answer = solver.check(&mut pool, &Query::new(&[question], &limits));
        let model = answer.model().expect("the values are a model");
        let symbol = pool.symbol_named("data").expect("made above");
        let cells = &model.array(symbol).expect("cells are read").entries;
        let found: Vec<u64> = cells.values().filter_map(Bv::to_u64).collect();
        assert_eq!(
            found, values,
            "rounds can be undone, so that there is one model"
        );
    }

    /// (a / 16)² = b / 8 − 3 in `double`, for two bytes of which a is signed; and the same with a number that no
    /// two bytes give.
    #[test]
    fn floats_made_of_two_bytes_are_decided_at_once() {
        use term::{FloatCast, FloatOp};
        for (shift, expected) in [(3.0f64, true), (2.999f64, false)] {
            let mut pool = TermPool::new();
            let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bv(8)));
            let constant = |pool: &mut TermPool, value: f64| pool.bv(64, value.to_bits());
            let x = pool.float_cast(FloatCast::FromSigned, 64, a);
            let y = pool.float_cast(FloatCast::FromUnsigned, 64, b);
            let (sixteen, eight) = (constant(&mut pool, 16.0), constant(&mut pool, 8.0));
            let x = pool.float_binary(FloatOp::Div, x, sixteen);
            let square = pool.float_binary(FloatOp::Mul, x, x);
            let y = pool.float_binary(FloatOp::Div, y, eight);
            let shift = constant(&mut pool, shift);
            let y = pool.float_binary(FloatOp::Sub, y, shift);
            let equal = pool.float_binary(FloatOp::Eq, square, y);
            let limits = Limits::default();
            let mut solver = enumeration();
            let answer = solver.check(&mut pool, &Query::new(&[equal], &limits));
            assert_eq!(answer.is_sat(), expected);
            assert_eq!(answer.is_unsat(), !expected);
            assert_eq!(solver.statistics.events_named("tried at once"), 1);
        }
    }

    /// t\[y\] = t\[x\] + 1 and x + y = 1000, and the same with ≠, for a random table with 65,536 entries.
    #[test]
    fn two_look_ups_in_a_large_table_are_decided_at_once() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut pool = TermPool::new();
        let entries: Vec<u64> = (0..1 << 16).map(|_| rng.u64(0..1 << 16)).collect();
        let solved = (0..=1000).any(|x| entries[1000 - x] == (entries[x] + 1) & 0xffff);
        let table = pool.table(64, 16, LookUpTable::new(1, entries));
        let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bv(16)));
        let read = |pool: &mut TermPool, index| {
            let index = pool.cast(CastOp::ZExt, 64, index);
            pool.select(table, index)
        };
        let (first, second) = (read(&mut pool, x), read(&mut pool, y));
        let one = pool.bv(16, 1u64);
        let next = pool.add(first, one);
        let equal = pool.eq(second, next);
        let [wide_x, wide_y] = [x, y].map(|term| pool.cast(CastOp::ZExt, 32, term));
        let (sum, thousand) = (pool.add(wide_x, wide_y), pool.bv(32, 1000u64));
        let line = pool.eq(sum, thousand);
        let limits = Limits::default();
        let ask = |pool: &mut TermPool, conjuncts: &[TermId]| {
            enumeration().check(pool, &Query::new(conjuncts, &limits))
        };
        match ask(&mut pool, &[equal, line]) {
            Answer::Sat(model) => {
                assert!(solved && confirms(&pool, &[equal, line], &model));
            }
            answer => assert!(!solved && matches!(answer, Answer::Unsat(_))),
        }
        let different = pool.not(equal);
        let model = ask(&mut pool, &[different]);
        let model = model.model().expect("most pairs differ");
        assert!(confirms(&pool, &[different], model));
    }

    #[test]
    fn the_limit_of_work_holds() {
        let mut pool = TermPool::new();
        let (question, _) = cipher(&mut pool);
        let limits = Limits {
            work_end: Some(pool.work() + Work::millis(1)),
            ..Limits::default()
        };
        let answer = enumeration().check(&mut pool, &Query::new(&[question], &limits));
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Work)));
    }
}
