use std::time::Duration;

use super::raw::{Context, version};
use super::run::{Checked, Flavour, Parameter, RawSolver};
use super::watchdog::{Stopped, Watchdog};
use super::{INCREMENTAL_PARAMETERS, Z3, Z3Policy, ask_script, link as link_to_z3};
use crate::backend::{Backend, BackendQuery, Found, Manner, Said};
use crate::random_terms::{Generator, brute_force};
use crate::{
    Answer, ArrayTheory, Deadline, Interrupt, Limits, LinkStatistics, Query, Solver, Statistics,
    UnknownReason, confirms,
};
use ::limits::ThreadClock;
use term::{BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp, Sort, TermId, TermPool, Work, float};

#[test]
fn the_loaded_library_is_5_4() {
    let (major, minor, ..) = version();
    assert_eq!((major, minor), (5, 4));
}

/// The trap: a parameter that Z3 does not know, or of the wrong type, makes it drop the next
/// assertion without a word.
#[test]
fn a_refused_parameter_is_an_error_and_not_a_lost_assertion() {
    let ctx = Context::new();
    let flavours = [
        Flavour::Incremental,
        Flavour::Default,
        Flavour::Prepared,
        Flavour::Logic("QF_BVFP"),
    ];
    for flavour in flavours {
        for parameter in [
            ("no_such_parameter", Parameter::Uint(1)),
            ("timeout", Parameter::Bool(true)),
        ] {
            assert!(
                RawSolver::new(&ctx, flavour, &[parameter]).is_err(),
                "{flavour:?} {parameter:?}"
            );
        }
    }
}

#[test]
fn accepted_parameters_keep_all_assertions() {
    let ctx = Context::new();
    let solver = RawSolver::new(&ctx, Flavour::Incremental, INCREMENTAL_PARAMETERS).unwrap();
    let before = solver.n_assertions();
    solver.assert(&ctx.truth(false)).unwrap();
    assert_eq!(solver.n_assertions(), before + 1);
    assert_eq!(solver.check().unwrap(), Checked::Unsat);
}

/// The trap: `:rlimit` as an option of one context limits all contexts that are made later.
#[test]
fn the_limit_of_a_script_is_its_own() {
    let pool = TermPool::new();
    let cubes =
        "(declare-const x Int) (declare-const y Int) (declare-const z Int) (assert (> y 20000))
        (assert (> x z)) (assert (= (+ (* x x x) (* z z z)) (+ 33 (* y y y))))";
    let limits = Limits::default().within_work(&pool, Work::millis(50));
    let said = ask_script(&pool, (cubes, ""), true, &limits).unwrap();
    assert!(matches!(said, Said::Limit), "the limit holds");
    assert_eq!(z3::get_global_param("rlimit").as_deref(), Some("0"));
}

fn options() -> Vec<Z3Policy> {
    let mut all = Vec::new();
    for arrays in [ArrayTheory::Arrays, ArrayTheory::Functions] {
        for stacks in [true, false] {
            all.push(Z3Policy {
                arrays,
                stacks,
                max_memo: 400,
                ..Z3Policy::default()
            });
        }
    }
    all
}

/// Asks about a random walk of conjuncts, as neighbouring states do, and compares with all
/// assignments tried.
fn compare_with_brute_force(seeds: std::ops::Range<u64>, width: u32, quantifiers: bool) {
    let limits = Limits::default();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for options in options() {
        for seed in seeds.clone() {
            let mut pool = TermPool::new();
            let mut link = link_to_z3(options.clone());
            let mut generator = Generator::new(&mut pool, seed, width, 2, 1);
            generator.quantifiers = quantifiers;
            let symbols: Vec<_> = generator.symbols();
            let mut path: Vec<TermId> = Vec::new();
            for _ in 0..6 {
                path.truncate(generator.rng.usize(0..=path.len()));
                path.push(generator.truth(&mut pool, 3));
                let expected = brute_force(&pool, &symbols, &path);
                match link.check(&mut pool, &Query::new(&path, &limits)) {
                    Answer::Sat(_) => {
                        n_sat += 1;
                        assert!(expected.is_some(), "seed {seed}, {options:?}");
                    }
                    Answer::Unsat(_) => {
                        n_unsat += 1;
                        assert!(expected.is_none(), "seed {seed}, {options:?}");
                        path.pop();
                    }
                    // Only the model of a quantified query may have a shape that is not read.
                    Answer::Unknown(reason) => {
                        assert!(quantifiers, "seed {seed}: {reason}");
                    }
                }
            }
        }
    }
    assert!(n_sat > 20 && n_unsat > 20, "{n_sat} sat, {n_unsat} unsat");
}

#[test]
fn answers_agree_with_brute_force() {
    compare_with_brute_force(0..25, 2, false);
}

#[test]
fn answers_at_width_one_agree_with_brute_force() {
    compare_with_brute_force(100..110, 1, false);
}

#[test]
fn constant_factors_are_exact() {
    let mut pool = TermPool::new();
    let limits = Limits::default();
    let x = pool.fresh("x", Sort::Bv(6));
    let y = pool.fresh("y", Sort::Bv(6));
    let mut link = link_to_z3(Z3Policy::default());
    for factor in 1..64 {
        let constant = pool.bv(6, factor);
        // With a second summand, that the equation is not solved before Z3 sees it.
        let product = pool.mul(constant, x);
        let sum = pool.add(product, y);
        for (at, other) in [(1, 0), (5, 17), (63, 2)] {
            let right = (factor * at + other) % 64;
            for value in [right, right ^ 1] {
                let [at, other, value] = [at, other, value].map(|n| pool.bv(6, n));
                let conjuncts = [pool.eq(x, at), pool.eq(y, other), pool.eq(sum, value)];
                let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
                assert_eq!(
                    answer.is_sat(),
                    pool.as_u64(value) == Some(right),
                    "{factor}"
                );
                assert_eq!(answer.is_unsat(), !answer.is_sat(), "{factor}");
            }
        }
    }
}

/// A variable of one bit is a truth in Z3.
#[test]
fn quantifiers_over_one_bit_are_translated() {
    let mut pool = TermPool::new();
    let limits = Limits::default();
    let limit = pool.fresh("limit", Sort::Bv(1));
    let words = Sort::Array { index: 1, value: 8 };
    let array = pool.fresh("array", words);
    let tau = pool.symbol("tau", Sort::Bv(1));
    let element = pool.select(array, pool.symbol_term(tau));
    let three = pool.bv(8, 3);
    let other = pool.ne(element, three);
    let all = pool.forall_below(tau, limit, other);
    let zero = pool.bv(1, 0);
    let first = pool.select(array, zero);
    let found = pool.eq(first, three);
    for conjuncts in [vec![all, found, limit], vec![all, found]] {
        let is_possible = conjuncts.len() == 2;
        let mut link = link_to_z3(Z3Policy::default());
        match link.check(&mut pool, &Query::new(&conjuncts, &limits)) {
            Answer::Sat(_) => assert!(is_possible),
            Answer::Unsat(_) => assert!(!is_possible),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn native_quantifiers_agree_with_brute_force() {
    compare_with_brute_force(200..220, 2, true);
}

/// x·y = a prime: contradictory, and takes minutes to find out.
fn hard(pool: &mut TermPool) -> Vec<TermId> {
    let (x, y) = (pool.fresh("x", Sort::Bv(64)), pool.fresh("y", Sort::Bv(64)));
    let mut conjuncts = Vec::new();
    for factor in [x, y] {
        let (one, limit) = (pool.bv(64, 1), pool.bv(64, 1 << 31));
        conjuncts.push(pool.ult(one, factor));
        conjuncts.push(pool.ult(factor, limit));
    }
    let product = pool.mul(x, y);
    let number = pool.bv(64, (1 << 61) - 1);
    conjuncts.push(pool.eq(product, number));
    conjuncts
}

/// Of this thread: a busy machine does not change it.
fn processor_time() -> Duration {
    let clock = ThreadClock::of_this_thread().expect("the thread has a clock");
    clock.read().expect("the thread runs")
}

#[test]
fn the_deadline_stops_a_check_and_the_link_lives_on() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let conjuncts = hard(&mut pool);
    let limits = Limits {
        deadline: Deadline::after(Duration::from_millis(700)),
        ..Limits::default()
    };
    let start = processor_time();
    let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
    assert!(
        matches!(answer, Answer::Unknown(UnknownReason::Timeout)),
        "{answer:?}"
    );
    let took = processor_time() - start;
    assert!(took < Duration::from_secs(4), "{took:?}");
    let answer = link.check(&mut pool, &Query::new(&conjuncts[..4], &Limits::default()));
    assert!(answer.is_sat(), "{answer:?}");
}

#[test]
fn work_ends_a_check_always_at_the_same_place() {
    let run = || {
        let mut pool = TermPool::new();
        let mut link = link_to_z3(Z3Policy::default());
        let conjuncts = hard(&mut pool);
        let limits = Limits::default().within_work(&pool, Work::millis(500));
        let before = pool.work();
        let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
        assert!(
            matches!(answer, Answer::Unknown(UnknownReason::Work)),
            "{answer:?}"
        );
        let work = pool.work() - before;
        assert!(work >= Work::millis(500), "{work}");
        assert!(work < Work::millis(550), "{work}");
        // The solver continues as it was left, and is the same each time.
        let more = Limits::default().within_work(&pool, Work::millis(200));
        let answer = link.check(&mut pool, &Query::new(&conjuncts, &more));
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Work)));
        let answer = link.check(&mut pool, &Query::new(&conjuncts[..4], &Limits::default()));
        (
            pool.work(),
            answer.model().map(|model| format!("{model:?}")),
        )
    };
    let first = run();
    assert!(first.1.is_some());
    assert_eq!(first, run());
}

#[test]
fn answers_count_their_work() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let conjuncts = hard(&mut pool);
    let before = pool.work();
    let answer = link.check(&mut pool, &Query::new(&conjuncts[..4], &Limits::default()));
    assert!(answer.is_sat(), "{answer:?}");
    let work = pool.work() - before;
    assert!(work > Work::ZERO && work < Work::millis(500), "{work}");
}

#[test]
fn the_flag_stops_a_check() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let conjuncts = hard(&mut pool);
    let interrupt = Interrupt::new();
    let limits = Limits {
        interrupt: interrupt.clone(),
        ..Limits::default()
    };
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupt.raise();
    });
    let start = processor_time();
    let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
    raiser.join().unwrap();
    assert!(
        matches!(answer, Answer::Unknown(UnknownReason::Interrupted)),
        "{answer:?}"
    );
    let took = processor_time() - start;
    assert!(took < Duration::from_secs(4), "{took:?}");
    let answer = link.check(&mut pool, &Query::new(&conjuncts[..4], &Limits::default()));
    assert!(answer.is_sat(), "{answer:?}");
}

#[test]
fn the_flag_stops_conjuncts_that_are_taken_in() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    // Each product becomes many thousand gates when the next conjunct is pushed.
    let conjuncts: Vec<TermId> = (0..600)
        .map(|_| {
            let [a, b, c] = ["a", "b", "c"].map(|name| pool.fresh(name, Sort::Bv(64)));
            let product = pool.binary(BinOp::Mul, a, b);
            let product = pool.binary(BinOp::Mul, product, a);
            pool.eq(product, c)
        })
        .collect();
    let interrupt = Interrupt::new();
    let limits = Limits {
        interrupt: interrupt.clone(),
        ..Limits::default()
    };
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        interrupt.raise();
    });
    let start = processor_time();
    let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
    raiser.join().unwrap();
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    let took = processor_time() - start;
    assert!(took < Duration::from_secs(4), "{took:?}");
    let stacks = &link.backend.session().stacks;
    assert!(stacks.is_empty(), "the context is left");
    let answer = link.check(&mut pool, &Query::new(&conjuncts[..1], &Limits::default()));
    assert!(answer.is_sat(), "{answer:?}");
}

/// Another trap: an interrupt that comes when no check is running makes Z3 drop the next assertion,
/// without an error. Today's wrong answer; right would be `Unsat`. The link therefore leaves a
/// context in which it fired, see `a_spoilt_context_is_left`.
#[test]
fn a_stray_interrupt_loses_an_assertion() {
    let ctx = Context::new();
    let solver = RawSolver::new(&ctx, Flavour::Incremental, INCREMENTAL_PARAMETERS).unwrap();
    ctx.interrupt_handle().fire();
    solver.assert(&ctx.truth(false)).unwrap();
    assert_eq!(solver.check().unwrap(), Checked::Sat);
}

/// An interrupt of a check loses nothing when it comes too late, nor when it comes too early.
#[test]
fn a_stray_interrupt_of_a_check_is_harmless() {
    let ctx = Context::new();
    let solver = RawSolver::new(&ctx, Flavour::Incremental, INCREMENTAL_PARAMETERS).unwrap();
    solver.interrupt_handle().fire();
    solver.assert(&ctx.truth(true)).unwrap();
    assert_eq!(solver.check().unwrap(), Checked::Sat);
    solver.interrupt_handle().fire();
    solver.assert(&ctx.truth(false)).unwrap();
    assert_eq!(solver.check().unwrap(), Checked::Unsat);
}

/// Z3 hears an interrupt of a check where it searches, if the machine lets it: of several attempts one is
/// enough.
#[test]
fn a_check_that_was_stopped_keeps_context_and_stack() {
    let kept = (0..20).any(|_| {
        let mut pool = TermPool::new();
        // One turn, which the deadline ends on a busy machine too.
        let mut link = link_to_z3(Z3Policy {
            incremental: Work::seconds(3600),
            ..Z3Policy::default()
        });
        let mut conjuncts = hard(&mut pool);
        let before = link.backend.session().ctx.clone();
        let limits = Limits::default().within(Duration::from_millis(50));
        let answer = link.check(&mut pool, &Query::new(&conjuncts, &limits));
        assert!(
            matches!(answer, Answer::Unknown(UnknownReason::Timeout)),
            "{answer:?}"
        );
        if link.backend.session().ctx != before {
            return false;
        }
        assert_eq!(link.backend.session().stacks[0].asserted, conjuncts);
        // The stack still knows what was asserted first.
        conjuncts.push(pool.not(conjuncts[0]));
        let answer = link.check(&mut pool, &Query::new(&conjuncts, &Limits::default()));
        assert!(answer.is_unsat(), "{answer:?}");
        link.backend.session().ctx == before
    });
    assert!(kept);
}

#[test]
fn a_spoilt_context_is_left() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let conjuncts = hard(&mut pool);
    let before = link.backend.session().ctx.clone();
    link.backend.session().spoilt.set(true);
    link.check(&mut pool, &Query::new(&conjuncts[..4], &Limits::default()));
    assert!(link.backend.session().ctx != before);
    assert!(!link.backend.session().spoilt.get());
}

#[test]
fn what_a_check_does_not_hear_is_stopped_through_the_context() {
    let ctx = Context::new();
    let solver = RawSolver::new(&ctx, Flavour::Incremental, INCREMENTAL_PARAMETERS).unwrap();
    let watchdog = Watchdog::new(&ctx);
    let limits = Limits::default().within(Duration::from_millis(1));
    // No check runs, so that none can hear.
    let handle = Some(solver.interrupt_handle());
    let ((), stopped) = watchdog.guard(&limits, None, handle, || {
        std::thread::sleep(Duration::from_millis(500));
    });
    assert_eq!(stopped, Stopped::Context);
    // Nor does it count what it does.
    let clock = ThreadClock::of_this_thread().unwrap();
    let work = Some(Work::millis(10));
    let ((), stopped) = watchdog.guard(&Limits::default(), work, None, || {
        let start = clock.read().unwrap();
        while clock.read().unwrap() < start + Duration::from_secs(3) {}
    });
    assert_eq!(stopped, Stopped::Context);
    let ((), stopped) = watchdog.guard(&Limits::default(), None, None, || ());
    assert_eq!(stopped, Stopped::No);
}

#[test]
fn terms_may_be_deep() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let x = pool.fresh("x", Sort::Bv(8));
    let y = pool.fresh("y", Sort::Bv(8));
    let mut term = x;
    for i in 0..20_000 {
        term = pool.binary(if i % 2 == 0 { BinOp::Xor } else { BinOp::Add }, term, y);
    }
    let zero = pool.bv(8, 0);
    let query = [pool.eq(term, zero)];
    let limits = Limits::default().within(Duration::from_secs(60));
    // The answer does not matter: neither the translation nor the evaluator may overflow.
    let answer = link.check(&mut pool, &Query::new(&query, &limits));
    assert!(!answer.is_unsat(), "x = y = 0 is a solution");
}

#[test]
fn wide_words_and_powers_are_exact() {
    let mut pool = TermPool::new();
    let mut link = link_to_z3(Z3Policy::default());
    let limits = Limits::default();
    let k = pool.fresh("k", Sort::Bv(16));
    let base = Bv::new(100, 3);
    let power = pool.power(&base, k);
    let value = base.pow(&Bv::new(16, 40_000));
    let value = pool.constant(&value);
    let bound = pool.bv(16, 41_000);
    let query = [pool.eq(power, value), pool.ult(k, bound)];
    let answer = link.check(&mut pool, &Query::new(&query, &limits));
    let model = answer.model().expect("3^40000 is a power of 3");
    assert_eq!(
        pool.evaluate(power, model).unwrap(),
        base.pow(&Bv::new(16, 40_000))
    );
    // An even base reaches 0 and stays there.
    let even = pool.power(&Bv::new(8, 6), k);
    let (zero, seven) = (pool.bv(8, 0), pool.bv(16, 7));
    let query = [pool.ne(even, zero), pool.ult(seven, k)];
    assert!(
        link.check(&mut pool, &Query::new(&query, &limits))
            .is_unsat()
    );
}

/// The value of every operation on given floats in Z3 is the evaluator's: the operation on symbols
/// that have these values is that value and no other.
#[test]
fn floats_are_those_of_the_evaluator() {
    let special = |bits: u32| {
        let one = (float::infinity(bits) / 2) & float::infinity(bits);
        let sign = 1u64 << (bits - 1);
        let infinity = float::infinity(bits);
        vec![
            0,
            sign,
            1,
            sign | 1,
            one,
            one | sign,
            one | 1,
            infinity,
            sign | infinity,
            infinity | 1,
            sign | float::quiet(bits) | 5,
        ]
    };
    let mut rng = fastrand::Rng::with_seed(5);
    for bits in [16, 32, 64] {
        for _ in 0..25 {
            let mut pool = TermPool::new();
            let mut link = link_to_z3(Z3Policy::default());
            let mut value = || match rng.u8(0..3) {
                0 => special(bits)[rng.usize(0..11)],
                1 => rng.u64(..) >> (64 - bits),
                // Near each other, so that comparisons and rounding are met.
                _ => special(bits)[4] + rng.u64(0..4),
            };
            let (x, y) = (value(), value());
            let (a, b) = (
                pool.fresh("a", Sort::Bv(bits)),
                pool.fresh("b", Sort::Bv(bits)),
            );
            let (fixed_a, fixed_b) = (pool.bv(bits, x), pool.bv(bits, y));
            let mut pairs = Vec::new();
            for op in FloatOp::ALL {
                pairs.push((
                    pool.float_binary(op, a, b),
                    pool.float_binary(op, fixed_a, fixed_b),
                ));
            }
            let formats = [16, 32, 64].into_iter().filter(|to| *to != bits);
            let resized = formats.map(|to| (FloatCast::Resize, to));
            let others = FloatCast::ALL.map(|op| (op, bits));
            for (op, to) in others.into_iter().chain(resized) {
                pairs.push((pool.float_cast(op, to, a), pool.float_cast(op, to, fixed_a)));
            }
            let narrow = pool.float_cast(FloatCast::ToSigned, 8, a);
            let expected = pool.float_cast(FloatCast::ToSigned, 8, fixed_a);
            pairs.push((narrow, expected));
            for (operation, expected) in pairs {
                let same = pool.eq(operation, expected);
                let all = [pool.eq(a, fixed_a), pool.eq(b, fixed_b), same];
                let answer = link.check(&mut pool, &Query::new(&all, &Limits::default()));
                let text = pool.display(same).to_string();
                assert!(answer.is_sat(), "{text} at {x:#x} {y:#x}: {answer:?}");
                let all = [all[0], all[1], pool.not(same)];
                let answer = link.check(&mut pool, &Query::new(&all, &Limits::default()));
                let unsat = matches!(answer, Answer::Unsat(_));
                assert!(unsat, "{text} at {x:#x} {y:#x}: {answer:?}");
            }
        }
    }
}

#[test]
fn models_respect_what_symbols_are_multiples_of() {
    for options in options() {
        let mut pool = TermPool::new();
        let symbol = pool.symbol_multiple_of("&a", Sort::Bv(8), 16);
        let address = pool.symbol_term(symbol);
        // Of the multiples of 16 only 0x30 lies between.
        let (low, high) = (pool.bv(8, 0x21), pool.bv(8, 0x3f));
        let conjuncts = [pool.ule(low, address), pool.ule(address, high)];
        let limits = Limits::default();
        let answer = link_to_z3(options.clone()).check(&mut pool, &Query::new(&conjuncts, &limits));
        let Answer::Sat(model) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(pool.evaluate(address, &model), Ok(Bv::new(8, 0x30)));
        // Of those below 0x40 that are not below 0x18, and not 0x30.
        let symbol = pool.symbol_within("&b", Sort::Bv(8), 8, 0x18..0x40);
        let address = pool.symbol_term(symbol);
        let (low, bit) = (pool.bv(8, 0x31), pool.bv(8, 0x80));
        let negative = pool.or(address, bit);
        let conjuncts = [pool.ule(low, address), pool.ne(negative, address)];
        let answer = link_to_z3(options).check(&mut pool, &Query::new(&conjuncts, &limits));
        let Answer::Sat(model) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(pool.evaluate(address, &model), Ok(Bv::new(8, 0x38)));
    }
}

/// The product in twice as many bits says the same.
#[test]
fn products_that_fit_are_those_that_are_the_same_in_more_bits() {
    for width in [2, 3, 6, 8] {
        for is_square in [false, true] {
            let mut pool = TermPool::new();
            let x = pool.fresh("x", Sort::Bv(width));
            let y = if is_square {
                x
            } else {
                pool.fresh("y", Sort::Bv(width))
            };
            let product = pool.binary(BinOp::Mul, x, y);
            let wrapped = pool.cast(CastOp::SExt, 2 * width, product);
            let [wide_x, wide_y] = [x, y].map(|factor| pool.cast(CastOp::SExt, 2 * width, factor));
            let exact = pool.binary(BinOp::Mul, wide_x, wide_y);
            let fits = pool.eq(wrapped, exact);
            assert!(pool.fitting_product(fits).is_some());
            let most = pool.bv_signed(2 * width, (1 << (width - 1)) - 1);
            let least = pool.bv_signed(2 * width, -(1 << (width - 1)));
            let not_above = pool.compare(CmpOp::Sle, exact, most);
            let not_below = pool.compare(CmpOp::Sle, least, exact);
            let within = pool.and(not_above, not_below);
            for holds in [true, false] {
                let [fits, within] =
                    [fits, within].map(|one| if holds { one } else { pool.not(one) });
                for conjuncts in [vec![fits], vec![within]] {
                    let mut solver = link_to_z3(Z3Policy::default());
                    let answer =
                        solver.check(&mut pool, &Query::new(&conjuncts, &Limits::default()));
                    assert!(answer.is_sat(), "{width} {holds}: {answer:?}");
                }
                let other = pool.not(within);
                let mut solver = link_to_z3(Z3Policy::default());
                let conjuncts = [fits, other];
                let answer = solver.check(&mut pool, &Query::new(&conjuncts, &Limits::default()));
                assert!(
                    matches!(answer, Answer::Unsat(_)),
                    "{width} {holds}: {answer:?}"
                );
            }
        }
    }
}

/// Bits that the product may exceed, and another factor.
#[test]
fn what_is_no_check_of_a_product_is_none() {
    let mut pool = TermPool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.fresh(name, Sort::Bv(4)));
    let product = pool.binary(BinOp::Mul, x, y);
    for (other, bits, is_one) in [(y, 8, true), (y, 9, true), (y, 7, false), (z, 8, false)] {
        let wrapped = pool.cast(CastOp::SExt, bits, product);
        let [lhs, rhs] = [x, other].map(|factor| pool.cast(CastOp::SExt, bits, factor));
        let exact = pool.binary(BinOp::Mul, lhs, rhs);
        let fits = pool.eq(wrapped, exact);
        assert_eq!(pool.fitting_product(fits).is_some(), is_one, "{bits} bits");
    }
}

fn n_small_numbers(solver: &dyn Solver) -> u64 {
    let mut all = Statistics::new();
    solver.statistics(&mut all);
    let events = all.iter().flat_map(|link| link.events.iter());
    let small = events.filter(|(event, _)| event.as_str() == "small numbers");
    small.map(|(_, n)| n).sum()
}

#[test]
fn agrees_with_brute_force_where_small_numbers_are_tried() {
    let mut n_small = 0;
    for seed in 0..200 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 6, 2, 0);
        let n = generator.rng.usize(1..=3);
        let conjuncts: Vec<TermId> = (0..n).map(|_| generator.truth(&mut pool, 4)).collect();
        let expected = brute_force(&pool, &generator.symbols(), &conjuncts).is_some();
        let mut solver = link_to_z3(Z3Policy {
            incremental: Work::ZERO,
            ..Z3Policy::default()
        });
        match solver.check(&mut pool, &Query::new(&conjuncts, &Limits::default())) {
            Answer::Sat(model) => {
                assert!(expected, "seed {seed} is unsatisfiable");
                assert!(confirms(&pool, &conjuncts, &model), "seed {seed}");
            }
            Answer::Unsat(_) => assert!(!expected, "seed {seed} is satisfiable"),
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
        }
        n_small += n_small_numbers(&solver);
    }
    assert!(n_small > 20, "{n_small}");
}

/// i·i < j·j and j < i, where neither square overflows.
#[test]
fn squares_that_do_not_overflow_are_compared_soon() {
    let mut pool = TermPool::new();
    let [i, j] = ["i", "j"].map(|name| pool.fresh(name, Sort::Bv(32)));
    let mut conjuncts = Vec::new();
    let mut squares = Vec::new();
    for number in [i, j] {
        let wide = pool.cast(CastOp::SExt, 64, number);
        let exact = pool.binary(BinOp::Mul, wide, wide);
        let square = pool.cast(CastOp::Trunc, 32, exact);
        let wrapped = pool.cast(CastOp::SExt, 64, square);
        conjuncts.push(pool.eq(wrapped, exact));
        squares.push(square);
    }
    conjuncts.push(pool.compare(CmpOp::Slt, squares[0], squares[1]));
    conjuncts.push(pool.compare(CmpOp::Slt, j, i));
    let mut solver = link_to_z3(Z3Policy::default());
    let limits = Limits::default().within_work(&pool, Work::seconds(1));
    let answer = solver.check(&mut pool, &Query::new(&conjuncts, &limits));
    assert!(answer.is_sat(), "{answer:?}");
    assert_eq!(n_small_numbers(&solver), 1);
}

/// The work of a query that Z3 prepares.
fn work_of_preparing(pool: &mut TermPool, conjuncts: &[TermId], limits: &Limits) -> Work {
    let question = BackendQuery {
        conjuncts,
        about: conjuncts,
        manner: Manner::Prepared,
        limits,
    };
    let before = pool.work();
    let mut z3 = Z3::new(Z3Policy::default());
    z3.ask(pool, &question, &mut LinkStatistics::new("z3"));
    pool.work() - before
}

/// The trap: Z3's own choice of tactics for bit-vectors examines the memory of the process.
#[test]
fn work_does_not_depend_on_memory_that_others_hold() {
    let work = || {
        let mut pool = TermPool::new();
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bv(32)));
        let product = pool.mul(a, b);
        let of = pool.bv(32, 35);
        let least = pool.bv(32, 3);
        let conjuncts = [
            pool.compare(CmpOp::Slt, least, a),
            pool.eq(product, of),
            pool.compare(CmpOp::Slt, a, b),
        ];
        work_of_preparing(&mut pool, &conjuncts, &Limits::default())
    };
    let alone = work();
    let other = Context::new();
    let _held = other.text(90_000_000);
    assert_eq!(work(), alone);
}

/// Tactics translate products to bits without looking at a limit.
#[test]
fn translations_of_products_are_work() {
    let mut pool = TermPool::new();
    let names = ["a", "b", "c", "d"];
    let mut conjuncts = Vec::new();
    for name in names {
        let [x, y, z] = [0; 3].map(|_| pool.fresh(name, Sort::Bv(64)));
        let product = pool.mul(x, y);
        conjuncts.push(pool.eq(product, z));
        conjuncts.push(pool.ult(x, y));
    }
    assert_eq!(pool.products(&conjuncts), names.len() as u64 * 64 * 64);
    let limits = Limits::default().within_work(&pool, Work::micros(1));
    let work = work_of_preparing(&mut pool, &conjuncts, &limits);
    assert!(work > Work::millis(40), "{work}");
}

/// The product in more bits that a check for overflow compares with is not translated.
#[test]
fn checks_for_overflow_are_as_much_work_as_the_product() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bv(32)));
    let product = pool.mul(x, y);
    let wrapped = pool.cast(CastOp::SExt, 64, product);
    let [lhs, rhs] = [x, y].map(|factor| pool.cast(CastOp::SExt, 64, factor));
    let exact = pool.binary(BinOp::Mul, lhs, rhs);
    let fits = pool.eq(wrapped, exact);
    assert_eq!(pool.products(&[fits]), 2 * 32 * 32);
}

/// x^(2^n) by n squares.
fn squares(pool: &mut TermPool, x: TermId, n: u32) -> TermId {
    (0..n).fold(x, |power, _| pool.mul(power, power))
}

/// The trap: Z3 writes products in products out, each time in memory of its own, and nothing stops it.
#[test]
fn squares_in_a_row_are_no_trap() {
    let mut pool = TermPool::new();
    let x = pool.fresh("x", Sort::Bv(32));
    let power = squares(&mut pool, x, 40);
    let ends = [3u64, 1].map(|value| {
        let value = pool.bv(32, value);
        pool.eq(power, value)
    });
    assert_eq!(pool.most_factors(&ends), 1 << 40);
    let limits = Limits::default();
    for manner in [Manner::Neighbouring, Manner::Anew, Manner::Prepared] {
        for (end, is_sat) in ends.into_iter().zip([false, true]) {
            let conjuncts = [end];
            let question = BackendQuery {
                conjuncts: &conjuncts,
                about: &conjuncts,
                manner,
                limits: &limits,
            };
            let mut z3 = Z3::new(Z3Policy::default());
            match z3.ask(&mut pool, &question, &mut LinkStatistics::new("z3")) {
                Found::Sat(model) => {
                    let model = model.unwrap();
                    assert!(is_sat && confirms(&pool, &conjuncts, &model), "{manner:?}");
                }
                Found::Unsat => assert!(!is_sat, "{manner:?}"),
                Found::Unknown(reason) => panic!("{manner:?}: {reason}"),
            }
        }
    }
    let question = BackendQuery {
        conjuncts: &ends[..1],
        about: &ends[..1],
        manner: Manner::Quantified,
        limits: &limits,
    };
    let mut z3 = Z3::new(Z3Policy::default());
    let found = z3.ask(&mut pool, &question, &mut LinkStatistics::new("z3"));
    assert!(matches!(found, Found::Unknown(UnknownReason::GaveUp(_))));
}

#[test]
fn products_of_many_factors_are_exact() {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.fresh(name, Sort::Bv(4)));
    let symbols = [x, y].map(|symbol| pool.as_symbol(symbol).unwrap());
    let three = pool.bv(4, 3);
    let mut random = fastrand::Rng::with_seed(1);
    let mut link = link_to_z3(Z3Policy::default());
    let (mut n_sat, mut n_unsat) = (0, 0);
    for _ in 0..60 {
        let sum = pool.add(x, y);
        let mut terms = vec![x, y, sum];
        for _ in 0..8 {
            let [a, b] = [0; 2].map(|_| terms[random.usize(..terms.len())]);
            let product = pool.mul(a, b);
            let scaled = pool.mul(three, product);
            terms.push(if random.bool() { product } else { scaled });
        }
        let value = pool.bv(4, random.u64(..16));
        let [first, second] = [random.usize(3..terms.len()), terms.len() - 1].map(|n| terms[n]);
        let conjuncts = [pool.ne(first, x), pool.eq(second, value)];
        let expected = brute_force(&pool, &symbols, &conjuncts);
        match link.check(&mut pool, &Query::new(&conjuncts, &Limits::default())) {
            Answer::Sat(_) => {
                assert!(expected.is_some());
                n_sat += 1;
            }
            Answer::Unsat(_) => {
                assert!(expected.is_none());
                n_unsat += 1;
            }
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
    assert!(n_sat > 10 && n_unsat > 10, "{n_sat} sat, {n_unsat} unsat");
}
