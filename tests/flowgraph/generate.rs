//! Random programs by seed.

use compact_se::flowgraph::{
    Action, Builtin, Callee, EndKind, Expr, Function, FunctionBuilder, FunctionId, Global,
    GlobalId, GoalId, Granularity, Initializer, NodeId, Program, RegId, Span, Step, Storage,
    remove_unreachable,
};
use compact_se::term::{BinOp, Bv, CastOp, CmpOp, FloatCast, FloatOp};
use fastrand::Rng;
use std::sync::Arc;

const NAMES: [&str; 12] = [
    "a",
    "if.then",
    "for.cond$2",
    "x#1",
    "reg",
    "node",
    "return",
    "with space",
    "quo\"te",
    "",
    "back\\slash",
    "line\nend",
];

fn name(rng: &mut Rng) -> &'static str {
    NAMES[rng.usize(..NAMES.len())]
}

fn span(rng: &mut Rng) -> Span {
    if rng.bool() {
        return Span::UNKNOWN;
    }
    Span {
        file: rng.u32(0..2),
        line: rng.u32(0..9),
        column: rng.u32(0..3),
    }
}

fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.usize(..items.len())]
}

/// Any expression: widths need not fit.
pub fn expr(rng: &mut Rng, n_regs: u32, depth: u32) -> Expr {
    let sub = |rng: &mut Rng| Box::new(expr(rng, n_regs, depth.saturating_sub(1)));
    let n_cases = if depth == 0 { 5 } else { 12 };
    match rng.u32(0..n_cases) {
        0 | 1 => Expr::Reg(RegId(rng.u32(0..n_regs))),
        2 => {
            let width = pick(rng, &[1, 2, 8, 32, 63, 64, 65, 128]);
            let low = Bv::new(width, rng.u64(..));
            Expr::Const(if rng.bool() { low } else { low.not() })
        }
        3 => Expr::Global(GlobalId(rng.u32(0..2))),
        4 => Expr::Function(FunctionId(rng.u32(0..2))),
        5 | 6 => Expr::Binary(
            pick(
                rng,
                &[
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::UDiv,
                    BinOp::SDiv,
                    BinOp::URem,
                    BinOp::SRem,
                    BinOp::Shl,
                    BinOp::LShr,
                    BinOp::AShr,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                ],
            ),
            sub(rng),
            if rng.bool() {
                sub(rng)
            } else {
                Box::new(Expr::truth(rng.bool()))
            },
        ),
        7 => Expr::Compare(
            pick(
                rng,
                &[
                    CmpOp::Eq,
                    CmpOp::Ne,
                    CmpOp::Ult,
                    CmpOp::Ule,
                    CmpOp::Ugt,
                    CmpOp::Uge,
                    CmpOp::Slt,
                    CmpOp::Sle,
                    CmpOp::Sgt,
                    CmpOp::Sge,
                ],
            ),
            sub(rng),
            sub(rng),
        ),
        8 => Expr::Cast(
            pick(rng, &[CastOp::Trunc, CastOp::ZExt, CastOp::SExt]),
            rng.u32(1..99),
            sub(rng),
        ),
        9 => Expr::FloatBinary(pick(rng, &FloatOp::ALL), sub(rng), sub(rng)),
        10 => Expr::FloatCast(pick(rng, &FloatCast::ALL), rng.u32(1..99), sub(rng)),
        _ => Expr::Ite(sub(rng), sub(rng), sub(rng)),
    }
}

/// Any action: widths need not fit.
pub fn action(rng: &mut Rng, n_regs: u32) -> Action {
    let reg = |rng: &mut Rng| RegId(rng.u32(0..n_regs));
    let maybe = |rng: &mut Rng| rng.bool().then(|| RegId(rng.u32(0..n_regs)));
    let value = |rng: &mut Rng| expr(rng, n_regs, 2);
    let values = |rng: &mut Rng| (0..rng.u32(0..3)).map(|_| expr(rng, n_regs, 2)).collect();
    match rng.u32(0..14) {
        0 => Action::Assume(value(rng)),
        1..=4 => {
            let mut targets: Vec<u32> = (0..n_regs).collect();
            rng.shuffle(&mut targets);
            targets.truncate(rng.usize(0..3));
            Action::Assign(
                targets
                    .into_iter()
                    .map(|reg| (RegId(reg), value(rng)))
                    .collect(),
            )
        }
        5 => Action::Load {
            dst: reg(rng),
            address: value(rng),
        },
        6 => Action::Store {
            address: value(rng),
            value: value(rng),
        },
        7 => Action::Alloca {
            dst: reg(rng),
            bytes: value(rng),
            align: 1 << rng.u32(0..8),
            name: name(rng).to_owned(),
        },
        8 => Action::Input {
            dst: reg(rng),
            name: name(rng).to_owned(),
            call: rng.bool().then(|| name(rng).to_owned()),
            unwritten: rng.bool(),
        },
        9 => Action::Call {
            dst: maybe(rng),
            callee: if rng.bool() {
                Callee::Direct(FunctionId(rng.u32(0..2)))
            } else {
                Callee::Indirect(value(rng))
            },
            args: values(rng),
        },
        10 => Action::Return(rng.bool().then(|| value(rng))),
        11 => Action::Builtin {
            dst: maybe(rng),
            builtin: pick(
                rng,
                &[
                    Builtin::Malloc,
                    Builtin::AlignedAlloc,
                    Builtin::Calloc,
                    Builtin::Realloc,
                    Builtin::Free,
                    Builtin::SystemCalloc,
                    Builtin::SystemFree,
                    Builtin::MemCopy,
                    Builtin::MemSet,
                    Builtin::Uninit,
                    Builtin::Unwritten,
                    Builtin::ScopeBegin,
                    Builtin::ScopeEnd,
                    Builtin::StackSave,
                    Builtin::StackRestore,
                ],
            ),
            args: values(rng),
            name: rng.bool().then(|| name(rng).to_owned()),
        },
        12 if rng.bool() => Action::Cut,
        12 if rng.bool() => Action::Goal(GoalId(rng.u32(0..9))),
        12 => Action::Target,
        _ => match rng.u32(0..2) {
            0 => Action::End(pick(
                rng,
                &[
                    EndKind::Exit,
                    EndKind::Abort,
                    EndKind::AssertFail,
                    EndKind::DivisionTrap,
                    EndKind::DivisionOverflow,
                    EndKind::QuotientOverflow,
                    EndKind::Overshift,
                    EndKind::FloatOverflow,
                    EndKind::SignedOverflow,
                    EndKind::UndefinedShift,
                    EndKind::ChangedByConversion,
                    EndKind::ArraySize,
                    EndKind::Unreachable,
                ],
            )),
            _ => Action::Unsupported(name(rng).to_owned()),
        },
    }
}

/// Any graph with any steps: only names and handles are right.
pub fn any_function(rng: &mut Rng, name_hint: &str) -> Function {
    let mut builder = FunctionBuilder::new(name_hint);
    let n_regs = rng.u32(1..6);
    for _ in 0..n_regs {
        let bits = pick(rng, &[1, 8, 32, 64, 200]);
        builder.add_reg(name(rng), bits, rng.bool());
    }
    let mut params: Vec<RegId> = (0..n_regs).map(RegId).collect();
    if rng.bool() {
        rng.shuffle(&mut params);
    }
    params.truncate(rng.usize(0..4));
    builder.set_params(params);
    builder.set_result_bits(rng.bool().then_some(32));
    let n_nodes = rng.u32(1..8);
    for _ in 0..n_nodes {
        let place = span(rng);
        builder.add_node(name(rng), place);
    }
    builder.set_entry(NodeId(if rng.bool() { 0 } else { rng.u32(0..n_nodes) }));
    for _ in 0..rng.u32(0..2 * n_nodes + 2) {
        let (source, target) = (NodeId(rng.u32(0..n_nodes)), NodeId(rng.u32(0..n_nodes)));
        let steps = (0..rng.u32(0..4))
            .map(|_| Step::new(action(rng, n_regs), span(rng)))
            .collect();
        builder.add_edge(source, target, steps);
    }
    builder.finish()
}

/// Two such functions and two globals.
pub fn any_program(seed: u64) -> Program {
    let rng = &mut Rng::with_seed(seed);
    let functions = vec![
        any_function(rng, "main"),
        any_function(rng, name(&mut rng.clone())),
    ];
    let mut globals = vec![
        Global {
            name: "table".to_owned(),
            bytes: rng.u64(0..9),
            align: 1 << rng.u32(0..8),
            storage: any_storage(rng),
            initializer: if rng.bool() {
                Initializer::Zero
            } else {
                Initializer::Extern
            },
        },
        Global {
            name: "quo\"ted table".to_owned(),
            bytes: 8,
            align: 1,
            storage: any_storage(rng),
            initializer: Initializer::Bytes {
                bytes: (0..rng.u32(0..9)).map(|_| rng.u8(..)).collect(),
                addresses: vec![(rng.u64(0..4), Expr::Global(GlobalId(0)))],
            },
        },
    ];
    if rng.bool() {
        globals.swap(0, 1);
    }
    Program {
        pointer_bits: pick(rng, &[32, 64]),
        granularity: pick(rng, &[Granularity::Split, Granularity::Block]),
        functions: functions.into_iter().map(Arc::new).collect(),
        globals,
        main: FunctionId(rng.u32(0..2)),
        files: vec!["a.c".to_owned(), "b \"c\".c".to_owned()],
    }
}

/// A program that passes `verify`: functions without parameters over a few registers of 32
/// bits, with branchings, switches, calls, targets and ends.
pub fn valid_program(seed: u64) -> Program {
    let rng = &mut Rng::with_seed(seed);
    let n_functions = rng.u32(1..4);
    let functions: Vec<Function> = (0..n_functions)
        .map(|index| valid_function(rng, &format!("f{index}"), n_functions))
        .collect();
    Program {
        pointer_bits: 32,
        granularity: Granularity::Block,
        functions: functions.into_iter().map(Arc::new).collect(),
        globals: Vec::new(),
        main: FunctionId(0),
        files: Vec::new(),
    }
}

fn valid_function(rng: &mut Rng, name: &str, n_functions: u32) -> Function {
    let mut builder = FunctionBuilder::new(name);
    let n_regs = 3;
    for index in 0..n_regs {
        builder.add_reg(&format!("r{index}"), 32, false);
    }
    let step = |action| Step::new(action, Span::UNKNOWN);
    let n_nodes = rng.u32(1..9);
    let nodes: Vec<NodeId> = (0..n_nodes)
        .map(|index| builder.add_node(&format!("n{index}"), Span::UNKNOWN))
        .collect();
    let end = builder.add_node("end", Span::UNKNOWN);
    for &node in &nodes {
        let reg = |rng: &mut Rng| RegId(rng.u32(0..n_regs));
        let value = |rng: &mut Rng| match rng.u32(0..3) {
            0 => Expr::Const(Bv::new(32, rng.u64(0..5))),
            1 => Expr::Reg(reg(rng)),
            _ => Expr::Binary(
                BinOp::Add,
                Box::new(Expr::Reg(reg(rng))),
                Box::new(Expr::Reg(reg(rng))),
            ),
        };
        let body = |rng: &mut Rng| -> Vec<Step> {
            (0..rng.u32(0..3))
                .map(|_| {
                    step(match rng.u32(0..5) {
                        0 => Action::Load {
                            dst: reg(rng),
                            address: value(rng),
                        },
                        1 => Action::Store {
                            address: value(rng),
                            value: value(rng),
                        },
                        _ => Action::Assign(vec![(reg(rng), value(rng))]),
                    })
                })
                .collect()
        };
        let next = |rng: &mut Rng| nodes[rng.usize(..nodes.len())];
        match rng.u32(0..13) {
            0 | 12 => {
                let last = match rng.u32(0..4) {
                    0 => Action::End(EndKind::Exit),
                    _ => Action::Return(None),
                };
                builder.add_edge(node, end, vec![step(last)]);
            }
            1 | 2 => {
                let callee = if rng.u32(0..6) == 0 {
                    Callee::Indirect(Expr::Function(FunctionId(rng.u32(0..n_functions))))
                } else {
                    Callee::Direct(FunctionId(rng.u32(0..n_functions)))
                };
                let call = Action::Call {
                    dst: None,
                    callee,
                    args: Vec::new(),
                };
                builder.add_edge(node, next(rng), vec![step(call)]);
            }
            3 => {
                builder.add_edge(node, next(rng), vec![step(Action::Target)]);
            }
            4..=7 => {
                let condition = Expr::Compare(
                    pick(rng, &[CmpOp::Eq, CmpOp::Ult, CmpOp::Sge]),
                    Box::new(Expr::Reg(reg(rng))),
                    Box::new(value(rng)),
                );
                for condition in [condition.clone(), condition.negate()] {
                    let mut steps = vec![step(Action::Assume(condition))];
                    steps.extend(body(rng));
                    builder.add_edge(node, next(rng), steps);
                }
            }
            8 => {
                let scrutinee = Expr::Reg(reg(rng));
                let equals = |case: u64| {
                    Expr::Compare(
                        CmpOp::Eq,
                        Box::new(scrutinee.clone()),
                        Box::new(Expr::Const(Bv::new(32, case))),
                    )
                };
                let n_cases = rng.u64(1..4);
                let mut conditions: Vec<Expr> = (0..n_cases).map(equals).collect();
                conditions.push(Expr::any((0..n_cases).map(equals)).negate());
                for condition in conditions {
                    let mut steps = vec![step(Action::Assume(condition))];
                    steps.extend(body(rng));
                    builder.add_edge(node, next(rng), steps);
                }
            }
            _ => {
                let steps = body(rng);
                builder.add_edge(node, next(rng), steps);
            }
        }
    }
    remove_unreachable(&builder.finish())
}

fn any_storage(rng: &mut Rng) -> Storage {
    let all = [Storage::Variable, Storage::Constant, Storage::Literal];
    all[rng.usize(..all.len())]
}
