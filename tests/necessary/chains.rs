//! Chains and constraint systems: the figures of ATVA 2011, and navigation against classic
//! execution on random programs.

use super::theorems::{Graph, n_programs, number};
use super::{PROPERTY, parse};
use compact_se::flowgraph::{Action, ChainForm, Program};
use compact_se::limits::Interrupt;
use compact_se::navigation::{ChainSystems, NavigationPolicy};
use compact_se::semantics::Machine;
use compact_se::solver::{Limits, Query, SolverOptions};
use compact_se::symex::{
    Budget, Confirmation, ExecutionOptions, ExecutionPolicy, Executor, Report, SearchStrategy,
    Verdict,
};
use compact_se::template::TemplateTable;
use compact_se::term::{TermId, TermPool, Work};
use fastrand::Rng;
use std::path::PathBuf;

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/chains")
        .join(file)
}

fn load(name: &str) -> Program {
    parse(
        name,
        &std::fs::read_to_string(path(&format!("{name}.flow"))).unwrap(),
    )
}

fn check_golden(file: &str, found: &str) {
    let file = path(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&file, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 makes it", file.display()));
    assert_eq!(found, expected, "{}", file.display());
}

fn form(program: &Program) -> ChainForm<'_> {
    let function = program.function(program.main);
    let is_target = |edge| {
        let steps = &function.edge(edge).steps;
        steps.iter().any(|step| step.action == Action::Target)
    };
    let form = ChainForm::of(function, &is_target, 100);
    assert_eq!(form.check(), Ok(()));
    form
}

/// The systems as text, and whether those of root chains have a solution.
fn systems(program: &Program) -> (String, Vec<Option<bool>>) {
    let mut pool = TermPool::new();
    let machine = Machine::new(&mut pool, program);
    let systems = ChainSystems::of(&machine, &mut pool, PROPERTY, &Interrupt::new(), 100);
    let mut solver = SolverOptions::default().build();
    let limits = Limits::default();
    let roots = systems.systems.iter();
    let roots = roots.filter(|system| systems.form.chain(system.chain).is_root());
    let answers: Vec<Option<bool>> = roots
        .map(|system| {
            let all: Vec<TermId> = system
                .bounds
                .iter()
                .copied()
                .chain([system.condition])
                .collect();
            let all: Vec<TermId> = all.iter().flat_map(|part| pool.conjuncts(*part)).collect();
            let answer = solver.check(&mut pool, &Query::new(&all, &limits));
            assert!(answer.is_sat() || answer.is_unsat());
            Some(answer.is_sat())
        })
        .collect();
    let view = systems.view(&mut pool, program, &answers);
    assert_eq!(systems.check(&pool), Ok(()));
    (view.to_text(), answers)
}

#[test]
fn figure_1_has_the_chains_c0_to_c4() {
    let program = load("figure1");
    let form = form(&program);
    assert_eq!((form.n_root(), form.chains().len()), (1, 5));
    let (_, root) = form.chains().next().unwrap();
    let subchains: Vec<Vec<u32>> = root
        .loops
        .iter()
        .map(|node| node.chains.iter().map(|chain| chain.0).collect())
        .collect();
    assert_eq!(subchains, [[1, 2], [3, 4]]);
    check_golden("figure1-chains.txt", &form.display(&program));
    check_golden("figure1.dot", &form.to_dot(&program));
}

#[test]
fn figure_2_has_six_constraints() {
    let (text, answers) = systems(&load("figure1"));
    assert_eq!(answers, [Some(true)]);
    assert!(
        text.contains("  (6) ") && !text.contains("  (7) "),
        "{text}"
    );
    check_golden("figure1.txt", &text);
}

#[test]
fn section_2_3_is_refuted_before_execution() {
    let text = std::fs::read_to_string(path("figure1.flow")).unwrap();
    let text = text
        .replace("%a >s 12:32", "%a >s 17:32")
        .replace("%a <=s 12:32", "%a <=s 17:32");
    let program = parse("figure1", &text);
    let (_, answers) = systems(&program);
    assert_eq!(answers, [Some(false)]);
    let report = execute(&program, SearchStrategy::Navigate);
    assert!(matches!(report.verdict, Verdict::Unreachable));
    assert_eq!(report.statistics.n_visited, 0);
}

#[test]
fn counters_of_inner_chains_have_a_reset_chain() {
    let (text, answers) = systems(&load("eqcnt"));
    assert_eq!(answers, [Some(true)]);
    check_golden("eqcnt.txt", &text);
}

#[test]
fn what_held_before_is_said_of_the_last_execution() {
    let program = load("steps");
    let (text, answers) = systems(&program);
    assert_eq!(answers, [Some(true)], "{text}");
    check_golden("steps.txt", &text);
    let report = execute(&program, SearchStrategy::Navigate);
    assert!(matches!(report.verdict, Verdict::Reachable(_)));
}

#[test]
fn counters_of_inner_chains_are_bounded_by_products() {
    let program = load("nest");
    let (text, answers) = systems(&program);
    assert_eq!(answers, [Some(true)], "{text}");
    check_golden("nest.txt", &text);
    let report = execute(&program, SearchStrategy::Navigate);
    assert!(matches!(report.verdict, Verdict::Reachable(_)));
}

#[test]
fn what_held_before_counts_inner_chains_too() {
    let (text, answers) = systems(&load("before"));
    assert_eq!(answers, [Some(true)], "{text}");
    check_golden("before.txt", &text);
}

#[test]
fn nothing_is_refuted_where_something_else_is_open() {
    // The target is out of reach, but an access need not be in bounds.
    let text = "program block pointers 32 main @main\nglobal @G 8 zero\n\n\
        fn @main(%n: i32) -> i32 {\n  reg %b: i8\n  \
        start -> read: assume %n >u 5:32\n  \
        start -> end: assume %n <=u 5:32\n  \
        read -> check: %b = load @G + %n\n  \
        check -> lt: assume %n == 3:32\n  \
        check -> end: assume %n != 3:32\n  \
        lt -> end: target\n  \
        end -> out: return 0:32\n}\n";
    let report = execute(&parse("open", text), SearchStrategy::Navigate);
    assert!(matches!(report.verdict, Verdict::Unknown));
    assert_eq!(report.statistics.navigation.n_refuted, 0);
}

#[test]
fn nothing_is_refuted_by_questions_without_an_answer() {
    let options = ExecutionOptions {
        policy: ExecutionPolicy {
            navigation: NavigationPolicy {
                work_at_first: Work::units(1),
                work: Work::units(1),
                ..NavigationPolicy::default()
            },
            ..ExecutionPolicy::default()
        },
        ..options(SearchStrategy::Navigate)
    };
    let program = load("figure1");
    let solver = SolverOptions::default().build();
    let executor = Executor::new(&program, solver, TemplateTable::empty(), options);
    let report = executor.run(&mut |_| Confirmation::Skipped, &mut |_| ());
    assert!(matches!(report.verdict, Verdict::Reachable(_)));
}

#[test]
fn navigation_goes_straight_to_the_target() {
    for (name, most) in [("figure1", 200), ("eqcnt", 140)] {
        let report = execute(&load(name), SearchStrategy::Navigate);
        assert!(matches!(report.verdict, Verdict::Reachable(_)), "{name}");
        let statistics = &report.statistics;
        assert!(
            statistics.n_visited <= statistics.depth + 12 && statistics.n_visited <= most,
            "{name}: {} states on the way, of {}",
            statistics.n_visited,
            statistics.depth
        );
    }
}

fn options(search: SearchStrategy) -> ExecutionOptions {
    ExecutionOptions {
        search,
        budget: Budget {
            work: Some(Work::seconds(1)),
            ..Budget::default()
        },
        ..ExecutionOptions::default()
    }
}

fn execute(program: &Program, search: SearchStrategy) -> Report {
    let options = options(search);
    let solver = SolverOptions::default().build();
    let executor = Executor::new(program, solver, TemplateTable::empty(), options);
    executor.run(&mut |_| Confirmation::Skipped, &mut |_| ())
}

#[test]
fn navigation_agrees_with_the_classic_tree_and_with_runs() {
    let n_programs = n_programs();
    let seed = number("NECESSARY_SEED", 1);
    let (mut n_decided, mut n_refuted) = (0, 0);
    for program in 0..n_programs {
        let mut rng = Rng::with_seed(!seed << 32 | program);
        let graph = Graph::random(&mut rng);
        if !graph.reaches_target() {
            continue;
        }
        let text = graph.text();
        let parsed = parse("random", &text);
        let classic = execute(&parsed, SearchStrategy::Nearest);
        let navigated = execute(&parsed, SearchStrategy::Navigate);
        n_refuted += navigated.statistics.navigation.n_refuted;
        match (&classic.verdict, &navigated.verdict) {
            (Verdict::Unreachable, Verdict::Reachable(_))
            | (Verdict::Reachable(_), Verdict::Unreachable) => {
                panic!("classic execution and navigation differ:\n{text}")
            }
            (_, Verdict::Unreachable) => {
                n_decided += 1;
                for _ in 0..2_000 {
                    let inputs = [rng.u8(..), rng.u8(..)];
                    assert_ne!(
                        graph.reaches(inputs, &mut rng),
                        Some(true),
                        "unreachable, but for {inputs:?}:\n{text}"
                    );
                }
            }
            (_, Verdict::Reachable(_)) => n_decided += 1,
            (_, Verdict::Unknown) => {}
        }
    }
    assert!(n_decided * 3 > n_programs, "only {n_decided} are decided");
    assert!(n_refuted > 0, "no state was ever refuted");
}
