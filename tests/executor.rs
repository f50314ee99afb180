//! The executor through its public interface: orders of the queue, choice of templates, limits,
//! failed leaves, states that are deferred, Ctrl-C.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use compact_se::flowgraph::{FunctionId, Program, verify};
use compact_se::limits::Interrupt;
use compact_se::property::Reason;
use compact_se::solver::{Answer, Query, Solver, SolverOptions, Statistics, UnknownReason};
use compact_se::symex::{
    Budget, Confirmation, ExecutionOptions, Executor, Exhausted, NodeKind, QueryWork, Report,
    SearchStrategy, TemplateChoice, Verdict,
};
use compact_se::template::{Folding, Region, TemplateTable};
use compact_se::term::{TermPool, Work};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

fn program(text: &str) -> Program {
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    program
}

/// A branching of three ways; the middle one is next to the target, which no input reaches.
const FORK: &str = "program block pointers 32 main @main\n\
    fn @main(%p: i8) -> i8 {\n\
    reg %q: i8\n\
    fork -> a: assume %p == 1:8\n\
    fork -> b: assume %p == 2:8\n\
    fork -> c: assume (%p != 1:8) & (%p != 2:8)\n\
    a -> a1: %q = 1:8\n\
    a1 -> a2: %q = 2:8\n\
    a2 -> last: %q = 3:8\n\
    b -> last: %q = 4:8\n\
    c -> c1: %q = 5:8\n\
    c1 -> last: %q = 6:8\n\
    last -> hit: assume %q == 9:8\n\
    last -> miss: assume %q != 9:8\n\
    hit -> stop: target\n\
    stop -> end: return 0:8\n\
    miss -> end: return 1:8\n}\n";

/// Counts to a symbolic bound; the target asks for a number that is not reached.
const COUNT: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32) -> i32 {\n\
    reg %i: i32\n\
    start -> head: %i = 0:32\n\
    head -> body: assume %i <s %n\n\
    head -> out: assume %i >=s %n\n\
    body -> head: %i = %i + 4:32\n\
    out -> hit: assume %i == 15:32\n\
    out -> miss: assume %i != 15:32\n\
    hit -> stop: target\n\
    stop -> end: return 0:32\n\
    miss -> end: return 1:32\n}\n";

/// Two cores from one entry, so that there is something to choose.
const TWO_CORES: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i8, %x: i8) -> i8 {\n\
    reg %i: i8\nreg %s: i8\n\
    start -> head: %i = 0:8; %s = 0:8\n\
    head -> body: assume %i <u %n\n\
    head -> out: assume %i >=u %n\n\
    body -> left: assume %i <u %x\n\
    body -> right: assume %i >=u %x\n\
    left -> join: %s = %s + 1:8\n\
    right -> join: %s = %s + 2:8\n\
    join -> head: %i = %i + 1:8\n\
    out -> end: return %s\n}\n";

/// A loop in a loop; the outer one counts in steps that it reads from outside.
const NESTED: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32, %m: i32) -> i32 {\n\
    reg %i: i32\nreg %j: i32\n\
    start -> head: %i = 0:32\n\
    head -> body: assume %i <u %n\n\
    head -> out: assume %i >=u %n\n\
    body -> inner: %j = 0:32\n\
    inner -> step: assume %j <u %m\n\
    inner -> done: assume %j >=u %m\n\
    step -> inner: %j = %j + 1:32\n\
    done -> head: %i = %i + 1:32\n\
    out -> end: return %i\n}\n";

fn run_with(
    text: &str,
    solver: Box<dyn Solver>,
    table: TemplateTable,
    options: ExecutionOptions,
) -> Report {
    let program = program(text);
    Executor::new(&program, solver, table, options).run(&mut |_| Confirmation::Skipped, &mut |_| ())
}

fn run(text: &str, table: TemplateTable, options: ExecutionOptions) -> Report {
    run_with(text, SolverOptions::default().build(), table, options)
}

fn recorded(search: SearchStrategy) -> ExecutionOptions {
    ExecutionOptions {
        search,
        subsumption: false,
        record_tree: Some(1000),
        ..ExecutionOptions::default()
    }
}

/// The locations of the inner nodes and leaves, in the order in which the executor made them.
fn order(text: &str, options: ExecutionOptions) -> Vec<String> {
    let parsed = program(text);
    let report = run(text, TemplateTable::empty(), options);
    assert_eq!(report.verdict.name(), "unreachable");
    let tree = report.tree.unwrap();
    let function = parsed.function(parsed.main);
    tree.nodes()
        .filter(|(_, node)| node.kind == NodeKind::Inner)
        .map(|(_, node)| function.node(node.state.location.node).name.clone())
        .collect()
}

#[test]
fn breadth_first_takes_the_oldest() {
    let found = order(FORK, recorded(SearchStrategy::Bfs));
    let expected = "fork a b c a1 last c1 a2 miss last last miss miss";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn depth_first_takes_the_newest() {
    let found = order(FORK, recorded(SearchStrategy::Dfs));
    let expected = "fork a b c c1 last miss last miss a1 a2 last miss";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn nearest_goes_towards_the_target() {
    let found = order(FORK, recorded(SearchStrategy::Nearest));
    assert_eq!(found[..4].join(" "), "fork a b c");
    // Of the three, b has the shortest way.
    assert_eq!(found[4], "last", "{found:?}");
}

#[test]
fn a_seed_fixes_the_random_order() {
    let orders: Vec<Vec<String>> = (0..8)
        .map(|seed| order(FORK, recorded(SearchStrategy::Random(seed))))
        .collect();
    let again = order(FORK, recorded(SearchStrategy::Random(3)));
    assert_eq!(orders[3], again);
    assert!(
        orders.iter().any(|order| *order != again),
        "seeds make no difference"
    );
}

/// The cores of the templates that were applied, in order.
fn applied(choice: TemplateChoice) -> Vec<usize> {
    let options = ExecutionOptions {
        template_choice: choice,
        record_tree: Some(60),
        budget: Budget {
            path_steps: 6,
            ..Budget::default()
        },
        ..recorded(SearchStrategy::Bfs)
    };
    let report = run(TWO_CORES, TemplateTable::new(10, Folding::Cycles), options);
    let nodes = report.tree.unwrap();
    let cores = nodes.nodes().filter_map(|(_, node)| node.template.as_ref());
    // Either core has the same length; the second edge after the branching tells them apart.
    let second = |region: &Region| match region {
        Region::Core(core) => core[1].index(),
        Region::Loop(_) | Region::Recursion(_) => panic!("only cycles are folded"),
    };
    cores.map(|(core, _)| second(core)).collect()
}

#[test]
fn the_first_template_or_a_random_one() {
    let first = applied(TemplateChoice::FirstFit);
    assert!(first.len() > 4, "{first:?}");
    assert_eq!(first, applied(TemplateChoice::FirstFit));
    let random = applied(TemplateChoice::Random(7));
    assert_eq!(random, applied(TemplateChoice::Random(7)));
    let some: Vec<Vec<usize>> = (0..8).map(TemplateChoice::Random).map(applied).collect();
    assert!(
        some.iter().any(|cores| *cores != first),
        "seeds make no difference: {some:?}"
    );
}

/// How often a path passed the header of the outer loop before a cycle around the inner one was
/// folded there, at the least.
fn iterations_before_folding_around_the_inner_loop(subsumption: bool) -> Option<usize> {
    let options = ExecutionOptions {
        subsumption,
        record_tree: Some(300),
        budget: Budget {
            path_steps: 120,
            ..Budget::default()
        },
        ..ExecutionOptions::default()
    };
    let report = run(NESTED, TemplateTable::new(10, Folding::Cycles), options);
    let parsed = program(NESTED);
    let function = parsed.function(FunctionId(0));
    let name = |node| function.node(node).name.as_str();
    let tree = report.tree.unwrap();
    let outer = tree.nodes().filter(|(_, node)| match &node.template {
        Some((Region::Core(core), _)) => {
            let mut sources = core.iter().map(|edge| name(function.source(*edge)));
            sources.any(|source| source == "head")
        }
        _ => false,
    });
    let passed = outer.map(|(_, node)| {
        let above = std::iter::successors(node.parent, |id| tree.node(*id).parent);
        let at_head = above.filter(|id| name(tree.node(*id).state.location.node) == "head");
        at_head.count()
    });
    passed.min()
}

#[test]
fn inner_loops_are_folded_before_cycles_around_them() {
    assert_eq!(
        iterations_before_folding_around_the_inner_loop(false),
        Some(1)
    );
    let later = iterations_before_folding_around_the_inner_loop(true).unwrap();
    assert!(later > 5, "{later}");
}

#[test]
fn templates_can_be_computed_first() {
    let options = ExecutionOptions {
        templates_first: true,
        subsumption: false,
        ..ExecutionOptions::default()
    };
    let report = run(COUNT, TemplateTable::new(10, Folding::Cycles), options);
    assert_eq!(report.verdict.name(), "unreachable");
    assert_eq!(report.statistics.table.n_cycles, 1);
    assert!(report.statistics.n_applications > 0);
}

fn with_budget(budget: Budget) -> ExecutionOptions {
    ExecutionOptions {
        budget,
        subsumption: false,
        ..ExecutionOptions::default()
    }
}

fn has(report: &Report, wanted: impl Fn(&Reason) -> bool) -> bool {
    report.reasons.iter().any(|(reason, _)| wanted(reason))
}

#[test]
fn the_time_is_kept() {
    let budget = Budget {
        time: Duration::from_millis(400),
        ..Budget::default()
    };
    let started = Instant::now();
    let report = run(COUNT, TemplateTable::empty(), with_budget(budget));
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(report.verdict.name(), "unknown");
    assert_eq!(
        report.exhausted().unwrap().to_string(),
        "out of time (--timeout)"
    );
    assert!(report.statistics.n_states > 1);
}

#[test]
fn the_work_is_kept_and_ends_the_run_at_the_same_state() {
    let run = || {
        let budget = Budget {
            work: Some(Work::millis(5)),
            ..Budget::default()
        };
        let report = run(COUNT, TemplateTable::empty(), with_budget(budget));
        assert_eq!(report.exhausted(), Some(Exhausted::Work));
        assert!(report.statistics.work >= Work::millis(5));
        assert!(report.statistics.work < Work::millis(7));
        (report.statistics.n_states, report.statistics.work)
    };
    assert_eq!(run(), run());
}

#[test]
fn the_memory_is_kept() {
    let budget = Budget {
        memory: 1,
        time: Duration::from_secs(20),
        ..Budget::default()
    };
    let report = run(COUNT, TemplateTable::empty(), with_budget(budget));
    assert_eq!(
        report.exhausted().unwrap().to_string(),
        "out of memory (--memory)"
    );
}

#[test]
fn long_paths_are_cut_and_counted() {
    let budget = Budget {
        path_steps: 9,
        ..Budget::default()
    };
    let report = run(COUNT, TemplateTable::empty(), with_budget(budget));
    assert_eq!(report.verdict.name(), "unknown");
    assert!(has(&report, |reason| *reason == Reason::PathTooLong));
    assert_eq!(report.statistics.depth, 9);
    let budget = Budget {
        path_steps: 9,
        ..Budget::default()
    };
    let folded = run(
        COUNT,
        TemplateTable::new(10, Folding::Cycles),
        with_budget(budget),
    );
    assert_eq!(
        folded.verdict.name(),
        "unreachable",
        "a template is one step"
    );
}

#[test]
fn the_interrupt_ends_the_run() {
    let interrupt = Interrupt::new();
    let budget = Budget {
        interrupt: interrupt.clone(),
        time: Duration::from_secs(20),
        ..Budget::default()
    };
    let program = program(COUNT);
    let executor = Executor::new(
        &program,
        SolverOptions::default().build(),
        TemplateTable::empty(),
        with_budget(budget),
    );
    let started = Instant::now();
    let report = executor.run(&mut |_| Confirmation::Skipped, &mut |statistics| {
        if statistics.n_states > 20 {
            interrupt.raise();
        }
    });
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(report.exhausted().unwrap().to_string(), "interrupted");
    assert!(report.statistics.n_waiting > 0);
}

/// Answers like the solver below it, but leaves open what it is given too little work for.
struct Hesitant {
    below: Box<dyn Solver>,
    patience: Work,
    n_refused: Rc<Cell<usize>>,
}

impl Solver for Hesitant {
    fn check(&mut self, pool: &mut TermPool, query: &Query<'_>) -> Answer {
        if query.limits.work.is_some_and(|work| work < self.patience) {
            self.n_refused.set(self.n_refused.get() + 1);
            return Answer::Unknown(UnknownReason::Work);
        }
        self.below.check(pool, query)
    }

    fn statistics(&self, statistics: &mut Statistics) {
        self.below.statistics(statistics);
    }
}

fn hesitant(text: &str, patience: Work, budget: Budget) -> (Report, usize) {
    let options = ExecutionOptions {
        budget,
        ..recorded(SearchStrategy::Bfs)
    };
    hesitant_with(text, patience, options)
}

fn hesitant_with(text: &str, patience: Work, options: ExecutionOptions) -> (Report, usize) {
    let n_refused = Rc::new(Cell::new(0));
    let solver = Hesitant {
        below: SolverOptions::default().build(),
        patience,
        n_refused: Rc::clone(&n_refused),
    };
    let report = run_with(text, Box::new(solver), TemplateTable::empty(), options);
    (report, n_refused.get())
}

fn first_query_of_10_ms() -> QueryWork {
    QueryWork {
        first: Some(Work::millis(10)),
        ..QueryWork::default()
    }
}

#[test]
fn states_that_were_deferred_get_more_work() {
    let budget = Budget {
        queries: first_query_of_10_ms(),
        ..Budget::default()
    };
    let (report, n_refused) = hesitant(FORK, Work::millis(500), budget);
    assert!(n_refused > 3, "10, 40 and 160 ms are too little");
    assert_eq!(report.verdict.name(), "unreachable");
    assert_eq!(report.statistics.n_failed_queries, 0);
    assert_eq!(report.tree.unwrap().n_failed_leaves(), 0);
}

/// With 1 for the input it comes to the target, with others it counts for ever.
const ENDLESS: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32) -> i32 {\n\
    reg %i: i32\n\
    fork -> hit: assume %n == 1:32\n\
    fork -> count: assume %n != 1:32\n\
    count -> count: %i = %i + 1:32\n\
    hit -> stop: target\n\
    stop -> end: return 0:32\n}\n";

#[test]
fn states_that_were_deferred_have_their_turn() {
    let budget = Budget {
        queries: first_query_of_10_ms(),
        time: Duration::from_secs(20),
        ..Budget::default()
    };
    let (report, _) = hesitant(ENDLESS, Work::millis(100), budget);
    assert_eq!(report.verdict.name(), "reachable");
}

/// Counts to an input; the target asks for three iterations.
const COUNT_TO_THREE: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32) -> i32 {\n\
    reg %i: i32\n\
    start -> head: %i = 0:32\n\
    head -> body: assume %i <s %n\n\
    head -> out: assume %i >=s %n\n\
    body -> head: %i = %i + 1:32\n\
    out -> hit: assume %i == 3:32\n\
    out -> miss: assume %i != 3:32\n\
    hit -> stop: target\n\
    stop -> end: return 0:32\n\
    miss -> end: return 1:32\n}\n";

/// A state that was deferred at a branching stands where its parent does and is a part of it.
#[test]
fn states_that_were_deferred_are_not_subsumed_by_their_parents() {
    let budget = Budget {
        queries: first_query_of_10_ms(),
        ..Budget::default()
    };
    let options = ExecutionOptions {
        budget,
        subsumption: true,
        ..recorded(SearchStrategy::Bfs)
    };
    let (report, n_refused) = hesitant_with(COUNT_TO_THREE, Work::millis(100), options);
    assert!(
        n_refused > 8,
        "each iteration asks twice, with 10 and 40 ms"
    );
    assert_eq!(report.verdict.name(), "reachable");
}

/// Reads the second of the two bytes of an input, or somewhere else.
const ACCESS: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32) -> i32 {\n\
    reg %a: i32\n\
    reg %v: i8\n\
    start -> got: %a = alloca 2:32 \"a\"; store 1:8 to %a + %n; %v = load %a + %n\n\
    got -> stop: target\n\
    stop -> end: return 0:32\n}\n";

#[test]
fn steps_with_open_questions_are_done_again() {
    let budget = Budget {
        queries: first_query_of_10_ms(),
        ..Budget::default()
    };
    let (report, n_refused) = hesitant(ACCESS, Work::millis(100), budget);
    assert!(n_refused > 2, "10 and 40 ms are too little");
    assert_eq!(report.verdict.name(), "reachable");
    assert_eq!(report.statistics.n_failed_queries, 0);
    assert_eq!(report.tree.unwrap().n_failed_leaves(), 0);
}

#[test]
fn what_stays_open_is_a_failed_leaf() {
    let budget = Budget {
        queries: QueryWork {
            most: Work::millis(100),
            ..first_query_of_10_ms()
        },
        ..Budget::default()
    };
    let (report, _) = hesitant(FORK, Work::seconds(1), budget);
    assert_eq!(
        report.verdict.name(),
        "unknown",
        "nothing is known of what failed"
    );
    assert!(has(&report, |reason| matches!(
        reason,
        Reason::Undecided(_)
    )));
    assert!(report.statistics.n_failed_queries > 0);
    assert!(report.tree.unwrap().n_failed_leaves() > 0);
    assert_eq!(report.statistics.n_waiting, 0);
}

/// Whether two numbers have this product is too hard; the path would end there.
const CHECKED: &str = "program block pointers 64 main @main\n\
    fn @main(%x: i64, %y: i64) -> i64 {\n\
    start -> low: assume 1:64 <u %x; assume 1:64 <u %y\n\
    low -> go: assume %x <u 4294967296:64; assume %y <u 4294967296:64\n\
    go -> fails: assume (%x * %y) == 4611685975477714963:64\n\
    go -> on: assume (%x * %y) != 4611685975477714963:64\n\
    fails -> over: end signed_overflow\n\
    on -> hit: assume %x == 1:64\n\
    on -> miss: assume %x != 1:64\n\
    hit -> stop: target\n\
    stop -> over: return 0:64\n\
    miss -> over: return 1:64\n}\n";

#[test]
fn nothing_depends_on_whether_an_end_is_met_that_nobody_asks_about() {
    let budget = Budget {
        queries: QueryWork {
            most: Work::millis(100),
            ..first_query_of_10_ms()
        },
        ..Budget::default()
    };
    let of = |end: &str| {
        let text = CHECKED.replace("signed_overflow", end);
        hesitant(&text, Work::ZERO, budget.clone()).0
    };
    let report = of("signed_overflow");
    assert_eq!(report.verdict.name(), "unreachable");
    assert_eq!(report.statistics.n_failed_queries, 0);
    assert!(!report.undefined.is_empty(), "it may be met");
    let report = of("abort");
    assert_eq!(report.verdict.name(), "unreachable");
    assert!(report.undefined.is_empty());
    let report = of("overshift");
    assert_eq!(report.verdict.name(), "unknown", "this keeps it open");
}

/// Reached with 15 in the input.
const REACHED: &str = "program block pointers 32 main @main\n\
    fn @main(%n: i32) -> i32 {\n\
    start -> hit: assume %n == 15:32\n\
    start -> miss: assume %n != 15:32\n\
    hit -> stop: target\n\
    stop -> end: return 0:32\n\
    miss -> end: return 1:32\n}\n";

fn confirmed(confirmation: &Confirmation) -> Report {
    let program = program(REACHED);
    let executor = Executor::new(
        &program,
        SolverOptions::default().build(),
        TemplateTable::empty(),
        ExecutionOptions::default(),
    );
    executor.run(&mut |_| confirmation.clone(), &mut |_| ())
}

#[test]
fn only_a_confirmed_witness_is_reachable() {
    let Verdict::Reachable(witness) = confirmed(&Confirmation::Confirmed(None)).verdict else {
        panic!("it is reachable");
    };
    assert_eq!(witness.inputs.len(), 1);
    assert_eq!(witness.inputs[0].name, "n");
    let refuted = confirmed(&Confirmation::Refuted("it went elsewhere".to_owned()));
    assert_eq!(refuted.verdict.name(), "unknown");
    assert!(has(&refuted, |reason| matches!(
        reason,
        Reason::NotConfirmed(_)
    )));
    let stopped = confirmed(&Confirmation::Stopped("processor time".to_owned()));
    assert_eq!(stopped.verdict.name(), "unknown");
    assert!(has(&stopped, |reason| matches!(
        reason,
        Reason::ReplayTooLong(_)
    )));
    let impossible = confirmed(&Confirmation::Impossible("no clang".to_owned()));
    assert_eq!(impossible.verdict.name(), "unknown");
    assert!(has(&impossible, |reason| matches!(
        reason,
        Reason::NotReplayable(_)
    )));
}
