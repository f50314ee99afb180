use super::{SmtError, Status, read};
use crate::random_terms::Generator;
use term::{Assignment, Bv, Sort, Term, TermPool};

/// The value of one assertion when all symbols are 0.
fn value(text: &str) -> bool {
    let mut pool = TermPool::new();
    let script = read(&mut pool, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(script.assertions.len(), 1);
    pool.evaluate(script.assertions[0], &Assignment::new())
        .unwrap()
        .is_ones()
}

#[test]
fn operators_mean_what_the_standard_says() {
    let truths = [
        "(= #xf0 (concat #b1111 #x0))",
        "(= (_ bv7 4) (bvadd #x3 #x2 #x2))",
        "(= ((_ extract 5 2) #xb4) #xd)",
        "(= ((_ sign_extend 4) #x9) #xf9)",
        "(= ((_ zero_extend 4) #x9) #x09)",
        "(= ((_ rotate_left 1) #x9) #x3)",
        "(= ((_ rotate_right 1) #x9) #xc)",
        "(= ((_ repeat 2) #x9) #x99)",
        "(= (bvsmod #xd #x2) #x1)",
        "(= (bvsmod #x3 #xe) #xf)",
        "(= (bvsmod #x3 #x0) #x3)",
        "(= (bvsmod #xd #x0) #xd)",
        "(= (bvsrem #xd #x2) #xf)",
        "(= (bvudiv #x5 #x0) #xf)",
        "(= (bvcomp #x5 #x5) #b1)",
        "(= (bvnand #xc #xa) #x7)",
        "(= (bvnor #xc #xa) #x1)",
        "(= (bvxnor #xc #xa) #x9)",
        "(and (bvslt #xf #x0) (bvult #x0 #xf) (bvsge #x0 #xf) (bvugt #xf #x0))",
        "(=> true false true)",
        "(not (=> true false))",
        "(xor true false)",
        "(distinct #x1 #x2 #x3)",
        "(not (distinct #x1 #x2 #x1))",
        "(ite (= #x1 #x1) true false)",
        "(let ((a #x1) (b #x2)) (let ((a b)) (= a #x2)))",
        "(= (select (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x07) #x1 #x08) #x2) #x07)",
        "(! (= #x1 #x1) :named foo)",
        "(forall ((t (_ BitVec 4))) (=> (bvult t #x5) (bvult t #x7)))",
        "(not (forall ((t (_ BitVec 4))) (=> (bvult t #x8) (bvult t #x7))))",
        "(exists ((t (_ BitVec 4))) (and (bvult t #x8) (= t #x7)))",
        "(not (exists ((t (_ BitVec 4))) (and (bvult t #x7) (= t #x7))))",
        "(forall ((t (_ BitVec 4))) (or (= t #x2) (not (= (bvmul t #x3) #x6))))",
        "(forall ((t (_ BitVec 3)) (u (_ BitVec 3))) (= (bvadd t u) (bvadd u t)))",
        "(exists ((t (_ BitVec 3)) (u (_ BitVec 3))) (= (bvsub t u) #b101))",
    ];
    for text in truths {
        assert!(value(&format!("(assert {text})")), "{text}");
    }
}

#[test]
fn a_guard_becomes_the_limit() {
    let mut pool = TermPool::new();
    let text = "(declare-fun k () (_ BitVec 32)) (declare-fun A ((_ BitVec 32)) (_ BitVec 8))
        (assert (forall ((t (_ BitVec 32))) (=> (bvult t (bvadd k k)) (= (A t) #x00))))
        (assert (forall ((t (_ BitVec 32))) (or (= (A t) #x00) (not (bvult t k)))))
        (assert (forall ((t (_ BitVec 32))) (=> (bvult t (_ bv9 32)) (= (A t) #x00))))
        (assert (forall ((t (_ BitVec 32))) (= (A t) #x00)))";
    let script = read(&mut pool, text).unwrap();
    let k = pool.symbol_term(script.symbols[0].1);
    let double = pool.add(k, k);
    let nine = pool.bv(32, 9);
    let all = pool.bv(33, 1 << 32);
    for (assertion, expected) in script.assertions.iter().zip([double, k, nine, all]) {
        match pool.view(*assertion) {
            Term::ForAll { limit, .. } => assert_eq!(limit, expected),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn functions_are_arrays_over_their_joined_arguments() {
    let mut pool = TermPool::new();
    let text = "(set-info :status unsat)
        (declare-fun f ((_ BitVec 4) (_ BitVec 8)) (_ BitVec 2))
        (define-fun g ((x (_ BitVec 4))) (_ BitVec 2) (f x #x00))
        (define-fun one () (_ BitVec 4) #x1)
        (assert (= (g one) #b11)) (check-sat)";
    let script = read(&mut pool, text).unwrap();
    assert_eq!(script.status, Some(Status::Unsat));
    let (name, symbol) = &script.symbols[0];
    assert_eq!(name, "f");
    assert_eq!(
        pool.symbol_sort(*symbol),
        Sort::Array {
            index: 12,
            value: 2
        }
    );
    let array = pool.symbol_term(*symbol);
    let index = pool.constant(&Bv::new(12, 0x100));
    let read_term = pool.select(array, index);
    let three = pool.bv(2, 3);
    assert_eq!(script.assertions, [pool.eq(read_term, three)]);
}

#[test]
fn errors_name_the_line() {
    let cases = [
        (
            "(assert x)",
            SmtError::Undeclared {
                line: 1,
                name: "x".to_owned(),
            },
        ),
        (
            "\n(assert (bvadd #x1 #x22))",
            SmtError::Operands {
                line: 2,
                operator: "bvadd".to_owned(),
            },
        ),
        (
            "(assert #x1)",
            SmtError::Operands {
                line: 1,
                operator: "assert".to_owned(),
            },
        ),
        (
            "(declare-fun i () Int)",
            SmtError::Unsupported {
                line: 1,
                what: "this sort".to_owned(),
            },
        ),
        (
            "(push 1)",
            SmtError::Unsupported {
                line: 1,
                what: "push".to_owned(),
            },
        ),
        (
            "foo",
            SmtError::Syntax {
                line: 1,
                what: "a command is expected",
            },
        ),
        (
            "(assert (foo #x1))",
            SmtError::Undeclared {
                line: 1,
                name: "foo".to_owned(),
            },
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&mut TermPool::new(), text), Err(expected), "{text}");
    }
    let deep = format!(
        "(assert {}true{})",
        "(not ".repeat(5_000),
        ")".repeat(5_000)
    );
    assert_eq!(
        read(&mut TermPool::new(), &deep),
        Err(SmtError::TooDeep { line: 1 })
    );
}

/// What the term room writes is read as the same truth value.
#[test]
fn written_terms_are_read_back() {
    for seed in 0..60 {
        let mut pool = TermPool::new();
        let mut generator = Generator::new(&mut pool, seed, 3, 2, 1);
        generator.quantifiers = true;
        let term = generator.truth(&mut pool, 4);
        let text = pool.to_smt2(&[term]);
        let mut other = TermPool::new();
        let script = read(&mut other, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
        for _ in 0..20 {
            let (mut here, mut there) = (Assignment::new(), Assignment::new());
            for symbol in &generator.words {
                let value = Bv::new(3, generator.rng.u64(0..8));
                here.set(*symbol, value.clone());
                if let Some(symbol) = other.symbol_named(pool.symbol_name(*symbol)) {
                    there.set(symbol, value);
                }
            }
            let expected = pool.evaluate(term, &here).unwrap();
            let found = script
                .assertions
                .iter()
                .all(|a| other.evaluate(*a, &there).unwrap().is_ones());
            assert_eq!(found, expected.is_ones(), "seed {seed}: {text}");
        }
    }
}
