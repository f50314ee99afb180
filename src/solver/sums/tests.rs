use super::{SumPolicy, Sums};
use crate::quantifiers::{QuantifierPolicy, Quantifiers};
use crate::random_terms::{Generator, brute_force};
use crate::smtlib;
use crate::z3::{self, Z3Policy};
use crate::{Answer, Limits, Link, Query, Solver, SolverOptions, confirms};
use term::{CastOp, Sort, SymbolId, TermId, TermPool, Work};

fn below() -> Box<dyn Solver> {
    let z3 = Box::new(z3::link(Z3Policy::default()));
    Box::new(Quantifiers::new(QuantifierPolicy::default(), z3))
}

/// Every step left out once, and Z3 alone.
fn chains() -> Vec<(&'static str, Box<dyn Solver>)> {
    let with = |change: fn(&mut SumPolicy)| -> Box<dyn Solver> {
        let mut options = SumPolicy::default();
        change(&mut options);
        Box::new(Sums::new(options, below()))
    };
    let native = SolverOptions {
        without: [Link::Sums, Link::Quantifiers].into(),
        ..SolverOptions::default()
    };
    vec![
        ("all", with(|_| {})),
        ("without facts", with(|o| o.facts = false)),
        ("without expansion", with(|o| o.max_instances = 0)),
        ("as functions", with(|o| o.max_questions = 0)),
        ("native", native.build()),
    ]
}

/// Agreement with brute force; gives how many were decided.
fn compare(name: &str, solver: &mut dyn Solver, seeds: std::ops::Range<u64>, arrays: usize) -> u32 {
    let limits = Limits {
        work: Some(Work::seconds(1)),
        ..Limits::default()
    };
    let mut n_decided = 0;
    for seed in seeds {
        // A separate pool: a chain serves one pool for its whole life.
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 2, 2, arrays);
        generator.sums = true;
        generator.quantifiers = seed % 2 == 0;
        let n = generator.rng.usize(1..=3);
        let conjuncts: Vec<TermId> = (0..n).map(|_| generator.truth(&mut pool, 4)).collect();
        let symbols: Vec<SymbolId> = generator.symbols();
        let expected = brute_force(&pool, &symbols, &conjuncts).is_some();
        let limits = limits.within_work(&pool, Work::seconds(1));
        match solver.check(&mut pool, &Query::new(&conjuncts, &limits)) {
            Answer::Sat(model) => {
                assert!(expected, "{name}: seed {seed} is unsatisfiable");
                assert!(confirms(&pool, &conjuncts, &model), "{name}: seed {seed}");
                n_decided += 1;
            }
            Answer::Unsat(_) => {
                let shown: Vec<String> = conjuncts
                    .iter()
                    .map(|c| pool.display(*c).to_string())
                    .collect();
                assert!(!expected, "{name}: seed {seed} is satisfiable: {shown:?}");
                n_decided += 1;
            }
            Answer::Unknown(_) => {}
        }
    }
    n_decided
}

#[test]
fn every_chain_agrees_with_brute_force() {
    // A chain for each formula: it remembers terms of its pool.
    for position in 0..chains().len() {
        let mut decided = 0;
        let mut total = 0;
        let seeds = if position == 0 { 0..120 } else { 0..12 };
        for seed in seeds {
            let (name, mut solver) = chains().swap_remove(position);
            decided += compare(
                name,
                &mut *solver,
                seed..seed + 1,
                usize::from(seed % 3 == 0),
            );
            total += 1;
        }
        let name = chains()[position].0;
        println!("{name}: {decided} of {total}");
        if position == 0 {
            assert!(decided * 100 >= total * 98, "{name}: {decided} of {total}");
        }
    }
}

/// Counters over the cells of an array of bytes.
struct Lab {
    pool: TermPool,
    array: TermId,
    tau: SymbolId,
    t: TermId,
    n: TermId,
    solver: Box<dyn Solver>,
}

fn lab() -> Lab {
    let mut pool = TermPool::new();
    let array = pool.fresh(
        "A",
        Sort::Array {
            index: 32,
            value: 8,
        },
    );
    let tau = pool.symbol("tau", Sort::Bv(32));
    let t = pool.symbol_term(tau);
    let n = pool.fresh("n", Sort::Bv(32));
    let solver = SolverOptions {
        query_work: Some(Work::seconds(20)),
        ..SolverOptions::default()
    }
    .build();
    Lab {
        pool,
        array,
        tau,
        t,
        n,
        solver,
    }
}

impl Lab {
    /// A(τ) = value.
    fn hit(&mut self, value: u64) -> TermId {
        let read = self.pool.select(self.array, self.t);
        let value = self.pool.bv(8, value);
        self.pool.eq(read, value)
    }

    /// Number of τ < limit with a truth value, of 32 bits.
    fn count(&mut self, limit: TermId, truth: TermId) -> TermId {
        let bit = self.pool.cast(CastOp::ZExt, 32, truth);
        self.pool.sum_below(self.tau, limit, bit)
    }

    fn number(&mut self, value: u64) -> TermId {
        self.pool.bv(32, value)
    }

    fn check(&mut self, conjuncts: &[TermId]) -> Answer {
        let answer = self
            .solver
            .check(&mut self.pool, &Query::new(conjuncts, &Limits::default()));
        if let Answer::Sat(model) = &answer {
            assert!(confirms(&self.pool, conjuncts, model));
        }
        answer
    }

    #[track_caller]
    fn expect(&mut self, sat: bool, conjuncts: &[TermId]) {
        let answer = self.check(conjuncts);
        assert!(
            if sat {
                answer.is_sat()
            } else {
                answer.is_unsat()
            },
            "{answer:?}"
        );
    }
}

#[test]
fn a_counter_reaches_what_its_iterations_allow() {
    let mut l = lab();
    let hit = l.hit(7);
    let n = l.n;
    let count = l.count(n, hit);
    let (twenty, limit) = (l.number(20), l.number(100));
    let many = l.pool.ult(twenty, count);
    let few_iterations = l.pool.ule(l.n, limit);
    l.expect(true, &[many, few_iterations]);
    let twenty_one = l.number(21);
    let exactly = l.pool.eq(l.n, twenty_one);
    l.expect(true, &[many, exactly]);
    let too_few = l.pool.ule(l.n, twenty);
    l.expect(false, &[many, too_few]);
    // More than the iterations, whatever these are.
    let more = l.pool.ult(l.n, count);
    l.expect(false, &[more]);
}

#[test]
fn disjoint_guards_share_the_iterations() {
    let mut l = lab();
    let (a, b) = (l.hit(1), l.hit(2));
    let n = l.n;
    let (count_a, count_b) = (l.count(n, a), l.count(n, b));
    let both = l.pool.add(count_a, count_b);
    let more = l.pool.ult(l.n, both);
    l.expect(false, &[more]);
    let all = l.pool.eq(l.n, both);
    let (two, three) = (l.number(2), l.number(3));
    let enough = [l.pool.ult(two, count_a), l.pool.ult(three, count_b), all];
    l.expect(true, &enough);
    // A guard and its negation use up all iterations.
    let not_a = l.pool.not(a);
    let rest = l.count(n, not_a);
    let total = l.pool.add(count_a, rest);
    let differs = l.pool.ne(total, l.n);
    l.expect(false, &[differs]);
}

#[test]
fn quantifiers_and_sums_over_the_same_cells() {
    let mut l = lab();
    let hit = l.hit(7);
    let n = l.n;
    let count = l.count(n, hit);
    let miss = l.pool.not(hit);
    let none = l.pool.forall_below(l.tau, l.n, miss);
    let zero = l.number(0);
    let some = l.pool.ne(count, zero);
    l.expect(false, &[none, some]);
    let all = l.pool.forall_below(l.tau, l.n, hit);
    let nine = l.number(9);
    let ten = l.pool.ult(nine, count);
    l.expect(true, &[all, ten]);
    let not_all = l.pool.ne(count, l.n);
    l.expect(false, &[all, not_all]);
}

/// ∀τ<n. Σσ<τ. zext(A(σ) = 7) ≤ 2: the counter stays low in every iteration.
#[test]
fn sums_below_quantifiers() {
    let mut l = lab();
    let hit = l.hit(7);
    let outer = l.pool.symbol("outer", Sort::Bv(32));
    let o = l.pool.symbol_term(outer);
    let prefix = l.count(o, hit);
    let (two, four) = (l.number(2), l.number(4));
    let low = l.pool.ule(prefix, two);
    let stays = l.pool.forall_below(outer, l.n, low);
    let n = l.n;
    let total = l.count(n, hit);
    let three = l.pool.ult(two, total);
    l.expect(true, &[stays, three]);
    // One iteration adds at most one.
    let small = l.number(12);
    let few = l.pool.ule(l.n, small);
    let four_hits = l.pool.ule(four, total);
    l.expect(false, &[stays, four_hits, few]);
}

#[test]
fn sums_of_values_and_several_limits() {
    let mut l = lab();
    let read = l.pool.select(l.array, l.t);
    let value = l.pool.cast(CastOp::ZExt, 32, read);
    let total = l.pool.sum_below(l.tau, l.n, value);
    let goal = l.number(1000);
    let reached = l.pool.eq(total, goal);
    l.expect(true, &[reached]);
    let three = l.number(3);
    let few = l.pool.ule(l.n, three);
    l.expect(false, &[reached, few]);
    // More iterations do not make it smaller.
    let m = l.pool.fresh("m", Sort::Bv(32));
    let longer = l.pool.sum_below(l.tau, m, value);
    let more = l.pool.ule(l.n, m);
    let limit = l.number(1 << 20);
    let small = l.pool.ule(m, limit);
    let less = l.pool.ult(longer, total);
    l.expect(false, &[more, small, less]);
}

/// A loop from the second cell on, behind one that wrote all of them: what was there before does not matter.
#[test]
fn the_rest_of_the_question_decides_guards() {
    let mut l = lab();
    let one = l.number(1);
    let there = l.pool.add(l.t, one);
    let is_written = l.pool.ult(there, l.n);
    let before = l.pool.select(l.array, there);
    let before = l.pool.cast(CastOp::ZExt, 32, before);
    let read = l.pool.ite(is_written, one, before);
    let others = l.pool.sub(l.n, one);
    let total = l.pool.sum_below(l.tau, others, read);
    let some = l.pool.slt(one, l.n);
    let wrong = l.pool.ne(total, others);
    l.expect(false, &[some, wrong]);
    let right = l.pool.eq(total, others);
    l.expect(true, &[some, right]);
    // Where a choice beside the sum makes sure that there are cells to read.
    let there_are = l.pool.ult(others, l.n);
    let none = l.number(0);
    let sum = l.pool.ite(there_are, total, none);
    let expected = l.pool.ite(there_are, others, none);
    let wrong_too = l.pool.ne(sum, expected);
    l.expect(false, &[wrong_too]);
    // Where nothing was written.
    let above = l.pool.ule(l.n, l.t);
    let read = l.pool.ite(above, before, one);
    let total = l.pool.sum_below(l.tau, others, read);
    let wrong = l.pool.ne(total, others);
    l.expect(false, &[some, wrong]);
}

/// Odd numbers of 32 bits, extended to 64, with the sum of n of them, which is right where n is small.
struct Odd {
    number: TermId,
    square: TermId,
    is_few: TermId,
}

impl Odd {
    fn new(l: &mut Lab) -> Odd {
        let (one, two, few) = (l.number(1), l.number(2), l.number(1_000_000));
        let odd = l.pool.mul(two, l.t);
        let odd = l.pool.add(odd, one);
        let n = l.n;
        Odd {
            number: l.pool.cast(CastOp::SExt, 64, odd),
            square: Odd::square(l, n),
            is_few: l.pool.ult(n, few),
        }
    }

    fn square(l: &mut Lab, n: TermId) -> TermId {
        let wide = l.pool.cast(CastOp::ZExt, 64, n);
        l.pool.mul(wide, wide)
    }
}

#[test]
fn what_does_not_wrap_around_adds_up_in_a_wider_type() {
    let mut l = lab();
    let odd = Odd::new(&mut l);
    let total = l.pool.sum_below(l.tau, l.n, odd.number);
    let wrong = l.pool.ne(total, odd.square);
    l.expect(false, &[odd.is_few, wrong]);
    // In a byte they wrap around behind 128 iterations.
    let byte = l.pool.extract(0, 8, odd.number);
    let byte = l.pool.cast(CastOp::ZExt, 64, byte);
    let total = l.pool.sum_below(l.tau, l.n, byte);
    let wrong = l.pool.ne(total, odd.square);
    for (most, is_possible) in [(100, false), (200, true)] {
        let most = l.number(most);
        let is_below = l.pool.ule(l.n, most);
        l.expect(is_possible, &[is_below, wrong]);
    }
}

/// What is so in a case is not taken for so in the other.
#[test]
fn a_case_decides_no_more_than_itself() {
    let mut l = lab();
    let odd = Odd::new(&mut l);
    let byte = l.pool.extract(0, 8, odd.number);
    let byte = l.pool.cast(CastOp::ZExt, 64, byte);
    let total = l.pool.sum_below(l.tau, l.n, byte);
    let [few, many] = [100, 150].map(|number| l.number(number));
    let (is_few, is_many) = (l.pool.eq(l.n, few), l.pool.eq(l.n, many));
    let either = l.pool.or(is_few, is_many);
    let small = l.pool.fresh("small", Sort::Bv(64));
    let five = l.pool.bv(64, 5);
    let is_small = l.pool.ule(small, five);
    let total_of_many = l.pool.ite(is_few, small, total);
    // The bytes of 128 odd numbers, and of 22 more.
    for (number, is_possible) in [(128 * 128 + 22 * 22, true), (150 * 150, false)] {
        let number = l.pool.bv(64, number);
        let is_it = l.pool.eq(total_of_many, number);
        l.expect(is_possible, &[either, is_small, is_it]);
    }
}

/// Inside a quantifier, its variable is below its limit: without that, nothing is known of the sum.
#[test]
fn summands_are_decided_where_the_quantifiers_around_are() {
    let mut l = lab();
    let odd = Odd::new(&mut l);
    let j = l.pool.symbol("j", Sort::Bv(32));
    let at = l.pool.symbol_term(j);
    let total = l.pool.sum_below(l.tau, at, odd.number);
    let expected = Odd::square(&mut l, at);
    let is_right = l.pool.eq(total, expected);
    let all_are = l.pool.forall_below(j, l.n, is_right);
    let not_all = l.pool.not(all_are);
    l.expect(false, &[odd.is_few, not_all]);
}

#[test]
fn the_first_iteration_may_add_something_else() {
    let mut l = lab();
    let odd = Odd::new(&mut l);
    let (zero, one) = (l.number(0), l.number(1));
    let is_first = l.pool.eq(l.t, zero);
    let (six, seven) = (l.pool.bv(64, 6), l.pool.bv(64, 7));
    let summand = l.pool.ite(is_first, seven, odd.number);
    let total = l.pool.sum_below(l.tau, l.n, summand);
    let expected = l.pool.add(odd.square, six);
    let wrong = l.pool.ne(total, expected);
    let some = l.pool.ule(one, l.n);
    l.expect(false, &[odd.is_few, some, wrong]);
    let right = l.pool.eq(total, expected);
    l.expect(true, &[odd.is_few, some, right]);
}

/// The last number first: how many iterations there are takes a choice, which the rest decides.
#[test]
fn elements_add_up_from_both_ends() {
    let mut l = lab();
    let array = Sort::Array {
        index: 32,
        value: 8,
    };
    let array = l.pool.fresh("a", array);
    let element = l.pool.select(array, l.t);
    let forwards = l.pool.sum_below(l.tau, l.n, element);
    let (zero, one) = (l.number(0), l.number(1));
    let some = l.pool.ult(zero, l.n);
    let iterations = l.pool.ite(some, l.n, zero);
    let last = l.pool.sub(iterations, one);
    let index = l.pool.sub(last, l.t);
    let element = l.pool.select(array, index);
    let backwards = l.pool.sum_below(l.tau, iterations, element);
    let differ = l.pool.ne(forwards, backwards);
    l.expect(false, &[some, differ]);
}

/// There, a choice beside the sum tells how many iterations there are.
#[test]
fn summands_are_decided_below_quantifiers_too() {
    let mut l = lab();
    let odd = Odd::new(&mut l);
    let j = l.pool.symbol("j", Sort::Bv(32));
    let at = l.pool.symbol_term(j);
    let one = l.number(1);
    let before = l.pool.sub(at, one);
    let total = l.pool.sum_below(l.tau, before, odd.number);
    let zero = l.pool.bv(64, 0);
    let is_inside = l.pool.ult(before, l.n);
    let total = l.pool.ite(is_inside, total, zero);
    let expected = Odd::square(&mut l, before);
    let expected = l.pool.ite(is_inside, expected, zero);
    let is_right = l.pool.eq(total, expected);
    let all_are = l.pool.forall_below(j, l.n, is_right);
    let not_all = l.pool.not(all_are);
    l.expect(false, &[odd.is_few, not_all]);
}

/// What is impossible without the sums is refuted before anything is found out about them; the
/// query is asked only where the new conjunct is without sums.
#[test]
fn a_contradiction_beside_the_sums_is_found_first() {
    let mut l = lab();
    let hit = l.hit(7);
    let count = l.count(l.n, hit);
    let (twenty, limit) = (l.number(20), l.number(100));
    let many = l.pool.ult(twenty, count);
    let few_iterations = l.pool.ule(l.n, limit);
    let m = l.pool.fresh("m", Sort::Bv(32));
    let square = l.pool.mul(m, m);
    let mask = l.number(3);
    let rest = l.pool.and(l.n, mask);
    let is_square = l.pool.eq(l.n, square);
    let is_no_square = l.pool.eq(rest, mask);
    let n_refuted = |l: &Lab| {
        let mut links = Vec::new();
        l.solver.statistics(&mut links);
        let sums = links.iter().find(|link| link.link == "sums");
        let events = &sums.expect("the chain has the link").events;
        let event = events
            .iter()
            .find(|(name, _)| name == "refuted without sums");
        event.map_or(0, |(_, n)| *n)
    };
    l.expect(false, &[many, is_square, is_no_square]);
    assert_eq!(n_refuted(&l), 1);
    let too_many = l.pool.ult(l.n, count);
    let conjuncts = [few_iterations, too_many];
    let limits = Limits::default();
    let answer = l
        .solver
        .check(&mut l.pool, &Query::branch(&conjuncts, &limits));
    assert!(answer.is_unsat(), "{answer:?}");
    assert_eq!(n_refuted(&l), 1);
}

/// A logged query has the recurrence instead of the sum, and the same answer.
#[test]
fn logged_questions_define_sums() {
    for seed in 0..40 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 2, 2, 1);
        generator.sums = true;
        let term = generator.truth(&mut pool, 4);
        if !pool.has_sum(term) {
            continue;
        }
        let symbols: Vec<SymbolId> = pool.symbols_of(term).to_vec();
        let expected = brute_force(&pool, &symbols, &[term]).is_some();
        let text = pool.to_smt2(&[term]);
        let mut other = TermPool::new();
        let script = smtlib::read(&mut other, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert!(script.assertions.iter().all(|a| !other.has_sum(*a)));
        let limits = Limits::default().within_work(&other, Work::seconds(5));
        let query = Query::new(&script.assertions, &limits);
        match below().check(&mut other, &query) {
            Answer::Sat(_) => assert!(expected, "seed {seed}: {text}"),
            Answer::Unsat(_) => assert!(!expected, "seed {seed}: {text}"),
            Answer::Unknown(_) => {}
        }
    }
}
