//! Branchings joined into one: which ones, and that executions stay what they are.

use compact_se::flowgraph::{
    Action, Expr, Function, FunctionBuilder, FunctionId, Granularity, NodeId, Program, RegId, Span,
    Step, join_branchings, remove_unreachable, verify,
};
use compact_se::term::{BinOp, Bv, CmpOp};
use std::sync::Arc;

fn program_of(function: Function) -> Program {
    Program {
        pointer_bits: 32,
        granularity: Granularity::Block,
        functions: vec![Arc::new(function)],
        globals: Vec::new(),
        main: FunctionId(0),
        files: Vec::new(),
    }
}

/// The edges of `main` after joining, one a line.
fn joined(body: &str) -> String {
    let text = format!("program block pointers 32 main @f\n{body}");
    let mut program: Program = text.parse().unwrap();
    verify(&program).unwrap();
    program.functions = (program.functions.iter())
        .map(|function| Arc::new(join_branchings(function)))
        .collect();
    assert_eq!(verify(&program), Ok(()), "{program}");
    let printed = program.to_string();
    let edges = printed.lines().filter(|line| line.contains(" -> "));
    edges.map(|line| line.trim().to_owned() + "\n").collect()
}

#[test]
fn operands_of_or_and_of_and_become_one_condition() {
    let or = joined(
        "fn @f(%a: i8, %b: i8) {
  reg %d: i8
  start -> yes: assume %a <u 3:8
  start -> second: assume %a >=u 3:8
  second -> second.1: %d = %a - %b
  second.1 -> yes: assume %d == 0:8
  second.1 -> third: assume %d != 0:8
  third -> no: assume %b <u 9:8; %b = %d
  third -> yes: assume %b >=u 9:8
  yes -> end: return
  no -> end: return
}
",
    );
    assert!(
        or.contains("start -> yes: assume (%a <u 3:8) | (((%a - %b) == 0:8) | (%b >=u 9:8))\n"),
        "{or}"
    );
    assert_eq!(or.lines().count(), 4, "{or}");
    let and = joined(
        "fn @f(%a: i8, %b: i8) {
  start -> no: assume %a <u 3:8
  start -> second: assume %a >=u 3:8
  second -> yes: assume %b == 0:8
  second -> no: assume %b != 0:8
  yes -> end: return
  no -> end: return
}
",
    );
    assert!(
        and.contains("start -> yes: assume (%a >=u 3:8) & (%b == 0:8)\n"),
        "{and}"
    );
}

#[test]
fn values_of_conditions_need_no_branching() {
    let value = joined(
        "fn @f(%a: i8, %b: i8) {
  reg %r: i1
  reg %s: i8
  start -> join: assume %a <u 3:8; %r = 1:1
  start -> second: assume %a >=u 3:8
  second -> second.1: %s = %b + 1:8
  second.1 -> join: %r = %s == 0:8
  join -> yes: assume %r == 1:1
  join -> no: assume %r != 1:1
  yes -> end: return
  no -> end: return
}
",
    );
    assert!(
        value.contains("start -> join: %r = (%a <u 3:8) | ((%b + 1:8) == 0:8)\n"),
        "{value}"
    );
    // Numbers are as they were.
    stays(
        "fn @f(%a: i8, %b: i8) {
  reg %r: i8
  start -> join: assume %a <u 3:8; %r = 1:8
  start -> second: assume %a >=u 3:8
  second -> join: %r = %b
  join -> yes: assume %r == 1:8
  join -> no: assume %r != 1:8
  yes -> end: return
  no -> end: return
}
",
    );
}

/// A branching behind another one, with what is different from the joined ones above.
fn stays(body: &str) {
    let edges = joined(body);
    assert!(!edges.contains('|') && !edges.contains('&'), "{edges}");
}

#[test]
fn what_does_more_than_compute_stays() {
    stays(
        "fn @f(%p: p32, %a: i8) {
  reg %b: i8
  start -> yes: assume %a <u 3:8
  start -> second: assume %a >=u 3:8
  second -> second.1: %b = load %p
  second.1 -> yes: assume %b == 0:8
  second.1 -> no: assume %b != 0:8
  yes -> end: return
  no -> end: return
}
",
    );
}

#[test]
fn conditions_on_pointers_stay() {
    stays(
        "fn @f(%p: p32, %q: p32, %a: i8) {
  start -> yes: assume %a <u 3:8
  start -> second: assume %a >=u 3:8
  second -> yes: assume %p <u %q
  second -> no: assume %p >=u %q
  yes -> end: return
  no -> end: return
}
",
    );
}

#[test]
fn different_values_for_the_join_stay() {
    stays(
        "fn @f(%a: i8, %b: i8) -> i8 {
  reg %x: i8
  start -> yes: assume %a <u 3:8; %x = 1:8
  start -> second: assume %a >=u 3:8
  second -> yes: assume %b == 0:8; %x = 2:8
  second -> no: assume %b != 0:8
  yes -> end: return %x
  no -> end: return 0:8
}
",
    );
}

#[test]
fn what_is_needed_later_is_not_assigned_on_one_way_only() {
    stays(
        "fn @f(%a: i8, %b: i8) -> i8 {
  start -> yes: assume %a <u 3:8
  start -> second: assume %a >=u 3:8; %b = 7:8
  second -> yes: assume %b == %a
  second -> no: assume %b != %a
  yes -> end: return %b
  no -> end: return 0:8
}
",
    );
}

#[test]
fn exits_of_loops_keep_their_conditions() {
    stays(
        "fn @f(%a: i8, %b: i8) {
  reg %i: i8
  start -> head: %i = 0:8
  head -> done: assume %i == %a
  head -> second: assume %i != %a
  second -> done: assume %i == %b
  second -> body: assume %i != %b
  body -> head: %i = %i + 1:8
  done -> end: return
}
",
    );
}

#[test]
fn another_way_to_the_second_operand_keeps_it() {
    stays(
        "fn @f(%a: i8, %b: i8) {
  start -> second: assume %a == 0:8; %b = 1:8
  start -> first: assume %a != 0:8
  first -> yes: assume %a <u 3:8
  first -> second: assume %a >=u 3:8
  second -> yes: assume %b == 0:8
  second -> no: assume %b != 0:8
  yes -> end: return
  no -> end: return
}
",
    );
}

/// Two registers of 3 bits.
const BITS: u32 = 3;

fn random_value(rng: &mut fastrand::Rng) -> Expr {
    let reg = |rng: &mut fastrand::Rng| Expr::Reg(RegId(rng.u32(..2)));
    match rng.u32(..3) {
        0 => Expr::Const(Bv::new(BITS, rng.u64(..8))),
        1 => reg(rng),
        _ => Expr::Binary(BinOp::Add, Box::new(reg(rng)), Box::new(reg(rng))),
    }
}

/// Branchings one after the other, each with an edge to one of two locations; both return.
fn random_chain(rng: &mut fastrand::Rng) -> Function {
    let mut builder = FunctionBuilder::new("f");
    for name in ["a", "b"] {
        builder.add_param(name, BITS, false);
    }
    builder.set_result_bits(Some(BITS));
    let n_branchings = rng.u32(2..6);
    let nodes: Vec<NodeId> = (0..n_branchings)
        .map(|number| builder.add_node(&format!("n{number}"), Span::UNKNOWN))
        .collect();
    let ends: Vec<NodeId> = (0..3)
        .map(|number| builder.add_node(&format!("end{number}"), Span::UNKNOWN))
        .collect();
    let gone = builder.add_node("gone", Span::UNKNOWN);
    let step = |action| Step::new(action, Span::UNKNOWN);
    for (index, node) in nodes.iter().enumerate() {
        let op = if rng.bool() { CmpOp::Ult } else { CmpOp::Eq };
        let (left, right) = (random_value(rng), random_value(rng));
        let condition = Expr::Compare(op, Box::new(left), Box::new(right));
        let mut goes_on = vec![step(Action::Assume(condition.clone().negate()))];
        if rng.u32(..4) == 0 {
            let assigned = vec![(RegId(rng.u32(..2)), random_value(rng))];
            goes_on.push(step(Action::Assign(assigned)));
        }
        let leaves = vec![step(Action::Assume(condition))];
        let next = nodes.get(index + 1).copied().unwrap_or(ends[2]);
        let end = ends[usize::from(rng.u32(..4) == 0)];
        if rng.bool() {
            builder.add_edge(*node, end, leaves);
            builder.add_edge(*node, next, goes_on);
        } else {
            builder.add_edge(*node, next, goes_on);
            builder.add_edge(*node, end, leaves);
        }
    }
    for (number, end) in ends.iter().enumerate() {
        // The first end reads a register, the others do not.
        let result = if number == 0 {
            Expr::Reg(RegId(0))
        } else {
            Expr::Const(Bv::new(BITS, 0))
        };
        builder.add_edge(*end, gone, vec![step(Action::Return(Some(result)))]);
    }
    remove_unreachable(&builder.finish())
}

fn value(expr: &Expr, regs: [u64; 2]) -> u64 {
    match expr {
        Expr::Const(value) => value.to_u64().unwrap(),
        Expr::Reg(reg) => regs[reg.index()],
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(a, regs), value(b, regs));
            match op {
                BinOp::Add => (a + b) % 8,
                BinOp::And => a & b,
                BinOp::Or => a | b,
                BinOp::Xor => a ^ b,
                other => panic!("{other:?}"),
            }
        }
        Expr::Compare(op, a, b) => {
            let (a, b) = (value(a, regs), value(b, regs));
            u64::from(match op {
                CmpOp::Eq => a == b,
                CmpOp::Ne => a != b,
                CmpOp::Ult => a < b,
                CmpOp::Uge => a >= b,
                other => panic!("{other:?}"),
            })
        }
        other => panic!("{other:?}"),
    }
}

/// The location before the return, and what is returned.
fn execute(function: &Function, mut regs: [u64; 2]) -> (String, u64) {
    let mut node = function.entry;
    loop {
        let passed = function.out_edges(node).iter().find(|edge| {
            let steps = &function.edge(**edge).steps;
            steps.iter().all(|step| match &step.action {
                Action::Assume(condition) => value(condition, regs) == 1,
                _ => true,
            })
        });
        let passed = *passed.expect("one condition holds");
        for step in &function.edge(passed).steps {
            match &step.action {
                Action::Assign(pairs) => {
                    let before = regs;
                    for (dst, assigned) in pairs {
                        regs[dst.index()] = value(assigned, before);
                    }
                }
                Action::Return(Some(result)) => {
                    return (function.node(node).name.clone(), value(result, regs));
                }
                _ => {}
            }
        }
        node = function.target(passed);
    }
}

#[test]
fn executions_stay_what_they_are() {
    let mut n_joined = 0;
    for seed in 0..300 {
        let function = random_chain(&mut fastrand::Rng::with_seed(seed));
        let before = program_of(function.clone());
        assert_eq!(verify(&before), Ok(()), "seed {seed}\n{before}");
        let after = program_of(join_branchings(&function));
        assert_eq!(verify(&after), Ok(()), "seed {seed}\n{before}\n{after}");
        n_joined += function.n_nodes() - after.functions[0].n_nodes();
        for (a, b) in (0..8).flat_map(|a| (0..8).map(move |b| (a, b))) {
            assert_eq!(
                execute(&function, [a, b]),
                execute(&after.functions[0], [a, b]),
                "seed {seed}, a = {a}, b = {b}\n{before}\n{after}"
            );
        }
    }
    assert!(n_joined > 200, "{n_joined}");
}
