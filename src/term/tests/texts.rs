//! The exact text, its parser's errors, and SMT-LIB against Z3.

use super::oracle::{Generator, World};
use super::parse::ParseError;
use crate::{Bv, FloatCast, FloatOp, Sort, Term, TermId, TermPool, float};

fn parse(text: &str) -> Result<String, ParseError> {
    let mut pool = TermPool::new();
    let term = pool.parse(text)?;
    Ok(pool.display(term).to_string())
}

#[test]
fn texts_are_readable() {
    let mut pool = TermPool::new();
    let (x, a) = (
        pool.fresh("κ", Sort::Bv(32)),
        pool.fresh(
            "strange |name\\",
            Sort::Array {
                index: 32,
                value: 8,
            },
        ),
    );
    let four = pool.bv(32, 4);
    let index = pool.add(x, four);
    let read = pool.select(a, index);
    let extended = pool.cast(crate::CastOp::SExt, 32, read);
    let term = pool.ult(index, extended);
    let text = pool.to_text(term);
    assert_eq!(
        text,
        "symbol κ 32;\nsymbol |strange \\|name\\\\| [32]8;\n\
         let %0 = (sum 4:32 (1 κ));\n\
         (ult %0 (sext 32 (select |strange \\|name\\\\| %0)))"
    );
    assert_eq!(pool.parse(&text), Ok(term));
    // In a new pool the symbols are made.
    let mut other = TermPool::new();
    let again = other.parse(&text).expect("own text");
    assert_eq!(other.to_text(again), text);
}

#[test]
fn any_text_gives_a_canonical_term() {
    assert_eq!(parse("symbol x 8; (sub (add x 3:8) x)"), Ok("3".into()));
    assert_eq!(parse("symbol x 8; (sum 1:8 (2 x) (254 x))"), Ok("1".into()));
    assert_eq!(parse("symbol let 8; (add let let)"), Ok("2*let".into()));
    assert_eq!(
        parse("symbol x 4; (forall x (ult #0:4 5:4))"),
        Ok("∀τ<x: τ < 5".into())
    );
}

#[test]
fn errors_say_what_and_where() {
    assert_eq!(parse(""), Err(ParseError::End { expected: "a term" }));
    assert_eq!(
        parse("(add 1:8"),
        Err(ParseError::End { expected: "a term" })
    );
    assert_eq!(
        parse("x"),
        Err(ParseError::UnknownName {
            at: 0,
            name: "x".into()
        })
    );
    assert_eq!(
        parse("(not %3)"),
        Err(ParseError::UnknownName {
            at: 5,
            name: "%3".into()
        })
    );
    let operands = |at, operator: &str| {
        Err(ParseError::Operands {
            at,
            operator: operator.into(),
        })
    };
    assert_eq!(parse("(not (add 1:8 1:9))"), operands(5, "add"));
    assert_eq!(parse("(frobnicate 1:8)"), operands(0, "frobnicate"));
    assert_eq!(parse("(extract 4 5 1:8)"), operands(0, "extract"));
    assert_eq!(parse("(extract 4294967295 2 1:8)"), operands(0, "extract"));
    assert_eq!(parse("(zext 4 1:8)"), operands(0, "zext"));
    assert_eq!(parse("(select 1:8 1:8)"), operands(0, "select"));
    assert_eq!(parse("(ite 2:2 1:8 1:8)"), operands(0, "ite"));
    assert_eq!(
        parse("symbol x 8; (forall x (ult #0:4 5:4))"),
        operands(12, "forall")
    );
    assert_eq!(parse("#0:8"), Err(ParseError::Unbound));
    assert_eq!(parse("(add #1:8 1:8)"), Err(ParseError::Unbound));
    for text in [
        "1:0",
        "256:8",
        "1:99999999",
        ")",
        "(1 2:8)",
        "1:8 1:8",
        "7",
        "symbol x;",
        "(5)",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    let mut pool = TermPool::new();
    pool.symbol("x", Sort::Bv(8));
    assert_eq!(
        pool.parse("symbol x 9; x"),
        Err(ParseError::OtherSort {
            name: "x".into(),
            known: Sort::Bv(8),
            declared: Sort::Bv(9)
        })
    );
}

#[test]
fn damaged_texts_do_not_panic() {
    let mut generator = Generator::new(21, &[1, 3, 4, 8, 65]);
    generator.arrays = true;
    generator.quantifiers = true;
    for _ in 0..1500 {
        let mut world = World::default();
        let term = generator.tree(4, 4).build(&mut world);
        let mut bytes = world.pool.to_text(term).into_bytes();
        for _ in 0..=generator.rng.usize(0..3) {
            let at = generator.rng.usize(0..bytes.len());
            match generator.rng.u8(0..3) {
                0 => bytes[at] = b" ()#%:;=[]|0123456789axy"[generator.rng.usize(0..24)],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.truncate(at.max(1)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut pool = TermPool::new();
        if let Ok(term) = pool.parse(&text) {
            let text = pool.to_text(term);
            assert_eq!(pool.parse(&text), Ok(term), "{text}");
        }
    }
}

#[test]
fn names_are_unique() {
    let mut pool = TermPool::new();
    let names: Vec<String> = (0..4)
        .map(|_| {
            let symbol = pool.symbol("x", Sort::Bv(8));
            pool.symbol_name(symbol).to_owned()
        })
        .collect();
    assert_eq!(names, ["x", "x#1", "x#2", "x#3"]);
    let taken = pool.symbol("x#4", Sort::Bv(8));
    let next = pool.symbol("x", Sort::Bv(8));
    assert_ne!(pool.symbol_name(taken), pool.symbol_name(next));
    assert_eq!(
        pool.symbol_named("x#2").map(|s| pool.symbol_name(s)),
        Some("x#2")
    );
}

#[test]
fn handles_hold_constants_of_any_width() {
    let mut pool = TermPool::new();
    for width in 1..=130 {
        for value in [
            0,
            1,
            2,
            (1 << 55) + 3,
            (1 << 56) - 1,
            1 << 56,
            1 << 57,
            u64::MAX >> 1,
            u64::MAX,
        ] {
            let bits = Bv::new(width, value);
            let (term, again) = (pool.bv(width, value), pool.constant(&bits));
            assert_eq!(term, again);
            assert_eq!(pool.as_const(term), Some(bits.clone()));
            assert_eq!(pool.width(term), width);
            assert_eq!(pool.sort(term), Sort::Bv(width));
            assert_eq!(pool.as_u64(term), bits.word());
            assert_eq!(pool.view(term), Term::Constant(bits));
        }
    }
    assert_eq!(pool.bv(1, 1), TermId::TRUE);
    assert_eq!(pool.bv(1, 0), TermId::FALSE);
    let n_nodes = pool.n_nodes();
    for value in 0..1000 {
        pool.bv(64, value);
        pool.bv_signed(64, -1000 + value.cast_signed());
    }
    assert_eq!(pool.n_nodes(), n_nodes, "small constants are no nodes");
}

#[test]
fn z3_agrees_with_the_evaluator() {
    let mut generator = Generator::new(22, &[1, 2, 3, 4, 8]);
    generator.arrays = true;
    generator.quantifiers = true;
    for _ in 0..400 {
        let mut world = World::default();
        let width = [1, 3, 4][generator.rng.usize(0..3)];
        let term = generator.tree(width, 5).build(&mut world);
        let env = generator.environment();
        let assignment = world.assignment(&env);
        let value = world
            .pool
            .evaluate(term, &assignment)
            .expect("small quantifiers");
        let value = world.pool.constant(&value);
        let mut assertions = vec![world.pool.eq(term, value)];
        for (symbol, expected) in assignment.iter() {
            let symbol = world.pool.symbol_term(symbol);
            match expected {
                crate::SymbolValue::Bits(expected) => {
                    let expected = world.pool.constant(expected);
                    assertions.push(world.pool.eq(symbol, expected));
                }
                crate::SymbolValue::Array(array) => {
                    for (index, entry) in &array.entries {
                        let (index, entry) =
                            (world.pool.constant(index), world.pool.constant(entry));
                        let read = world.pool.select(symbol, index);
                        assertions.push(world.pool.eq(read, entry));
                    }
                }
            }
        }
        let script = world.pool.to_smt2(&assertions);
        let solver = z3::Solver::new();
        solver.from_string(script.as_str());
        assert_eq!(solver.check(), z3::SatResult::Sat, "{script}");
        assertions[0] = world.pool.not(assertions[0]);
        if assertions[0] != TermId::FALSE {
            let script = world.pool.to_smt2(&assertions);
            let solver = z3::Solver::new();
            solver.from_string(script.as_str());
            assert_eq!(solver.check(), z3::SatResult::Unsat, "{script}");
        }
    }
}

/// What the evaluator says of floats is what scripts say of them.
#[test]
fn floats_in_scripts_are_those_of_the_evaluator() {
    const FORMATS: [u32; 3] = [16, 32, 64];
    let mut rng = fastrand::Rng::with_seed(7);
    for bits in FORMATS.repeat(8) {
        let mut pool = TermPool::new();
        let infinity = float::infinity(bits);
        let mut value = || match rng.u8(0..3) {
            0 => rng.u64(..) >> (64 - bits),
            1 => infinity | rng.u64(0..2) << (bits - 1) | rng.u64(..8),
            _ => ((infinity / 2) & infinity) + rng.u64(0..4),
        };
        let (x, y) = (value(), value());
        let [a, b] = ["a", "b"].map(|name| pool.fresh(name, Sort::Bv(bits)));
        let (fixed_a, fixed_b) = (pool.bv(bits, x), pool.bv(bits, y));
        let mut pairs = Vec::new();
        for op in FloatOp::ALL {
            let expected = pool.float_binary(op, fixed_a, fixed_b);
            pairs.push((pool.float_binary(op, a, b), expected));
        }
        for (op, to) in FloatCast::ALL
            .into_iter()
            .flat_map(|op| FORMATS.map(|to| (op, to)))
        {
            if op.takes(bits, to) {
                let expected = pool.float_cast(op, to, fixed_a);
                pairs.push((pool.float_cast(op, to, a), expected));
            }
        }
        for (operation, expected) in pairs {
            let same = pool.eq(operation, expected);
            let assertions = [pool.eq(a, fixed_a), pool.eq(b, fixed_b), pool.not(same)];
            let script = pool.to_smt2(&assertions);
            let solver = z3::Solver::new();
            solver.from_string(script.as_str());
            assert_eq!(solver.check(), z3::SatResult::Unsat, "{script}");
        }
    }
}

/// Other solvers take printable ASCII only; names that differ stay different.
#[test]
fn names_in_scripts_are_ascii() {
    let mut pool = TermPool::new();
    let names = [
        "κ", "κ#2", "kappa", "{kappa}", "τ", "a|b", "a\\b", "a_b", "ä",
    ];
    let mut conjuncts = Vec::new();
    for name in names {
        let symbol = pool.fresh(name, Sort::Bv(8));
        let seven = pool.bv(8, 7);
        conjuncts.push(pool.eq(symbol, seven));
    }
    let script = pool.to_smt2(&conjuncts);
    assert!(script.is_ascii(), "{script}");
    let declared = script
        .lines()
        .filter(|line| line.starts_with("(declare-const "));
    let declared: Vec<&str> = declared.collect();
    assert_eq!(declared[0], "(declare-const |{kappa}| (_ BitVec 8))");
    assert_eq!(declared[1], "(declare-const |{kappa}#2| (_ BitVec 8))");
    let different: std::collections::BTreeSet<&str> = declared.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "{script}");
    let solver = z3::Solver::new();
    solver.from_string(script.as_str());
    assert_eq!(solver.check(), z3::SatResult::Sat, "{script}");
}
