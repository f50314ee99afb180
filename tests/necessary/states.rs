//! Necessary conditions of states, in a search for what is not covered, against the classic tree and
//! runs of random programs.

use super::parse;
use super::theorems::{Graph, n_programs, number};
use compact_se::flowgraph::{BitSet, GoalId, NodeId, Program};
use compact_se::necessary::StateConditionPolicy;
use compact_se::property::{Property, UndefinedBehaviour};
use compact_se::solver::SolverOptions;
use compact_se::symex::{
    Advance, Advancing, Budget, Confirmation, ExecutionOptions, ExecutionPolicy, Executor,
    InputValue, SearchStrategy, Verdict, WantedGoals, WitnessInput,
};
use compact_se::template::TemplateTable;
use compact_se::term::Work;
use fastrand::Rng;

/// Each state at a loop is asked about.
fn eager() -> StateConditionPolicy {
    StateConditionPolicy {
        patience: Work::ZERO,
        at_least: Work::seconds(10),
        ..StateConditionPolicy::default()
    }
}

fn options(search: SearchStrategy) -> ExecutionOptions {
    ExecutionOptions {
        search,
        policy: ExecutionPolicy {
            state_conditions: eager(),
            ..ExecutionPolicy::default()
        },
        budget: Budget {
            work: Some(Work::seconds(1)),
            ..Budget::default()
        },
        ..ExecutionOptions::default()
    }
}

fn executor(program: &Program, options: ExecutionOptions) -> Executor<'_> {
    let solver = SolverOptions::default().build();
    Executor::new(program, solver, TemplateTable::empty(), options)
}

/// Whether a run with these inputs reaches the target.
fn reaches(graph: &Graph, inputs: &[WitnessInput]) -> bool {
    let mut values = inputs.iter().map(|input| match &input.value {
        InputValue::Value(value) => u8::try_from(value.to_u64().unwrap()).unwrap(),
        InputValue::Memory { .. } => panic!("the programs read numbers only"),
    });
    let first = [values.next().unwrap(), values.next().unwrap()];
    // What the path does not read is any.
    graph.reaches_reading(first, &mut || values.next().unwrap_or(0)) == Some(true)
}

fn graphs() -> impl Iterator<Item = (Graph, Rng)> {
    let seed = number("NECESSARY_SEED", 1);
    let programs = 0..n_programs();
    programs.filter_map(move |program| {
        let mut rng = Rng::with_seed((seed + 7) << 40 | program);
        let graph = Graph::random(&mut rng);
        graph.reaches_target().then_some((graph, rng))
    })
}

#[test]
fn closed_states_lead_to_no_target_and_models_do() {
    let (mut n_closed, mut n_guesses, mut n_hits) = (0, 0, 0);
    for (graph, mut rng) in graphs() {
        let text = graph.text();
        let program = parse("random", &text);
        let without = ExecutionOptions {
            state_conditions: false,
            ..options(SearchStrategy::Coverage(1))
        };
        let confirm = &mut |_: &_| Confirmation::Skipped;
        let plain = executor(&program, without).run(confirm, &mut |_| ());
        assert_eq!(plain.statistics.conditions.n_asked, 0);
        let mut asking = executor(&program, options(SearchStrategy::Coverage(1)));
        while asking.advance(Work::units(u64::MAX), confirm, &mut |_| ()) == Advance::Goes {}
        while let Some(inputs) = asking.next_guess() {
            n_guesses += 1;
            n_hits += u64::from(reaches(&graph, &inputs));
        }
        let report = Box::new(asking).finish();
        let conditions = &report.statistics.conditions;
        n_closed += conditions.n_closed;
        let blamed: u64 = conditions.closed_by.values().sum();
        assert!(blamed >= conditions.n_closed, "each has its reason");
        match (&plain.verdict, &report.verdict) {
            (Verdict::Unreachable, Verdict::Reachable(_))
            | (Verdict::Reachable(_), Verdict::Unreachable) => {
                panic!("with and without conditions of states differ:\n{text}")
            }
            (_, Verdict::Unreachable) => {
                for _ in 0..500 {
                    let inputs = [rng.u8(..), rng.u8(..)];
                    let reaches = graph.reaches(inputs, &mut rng);
                    assert_ne!(reaches, Some(true), "for {inputs:?}:\n{text}");
                }
            }
            (_, Verdict::Reachable(_) | Verdict::Unknown) => {}
        }
    }
    assert!(n_closed > 0, "no state was ever closed");
    assert!(
        n_hits * 2 > n_guesses && n_hits > 0,
        "{n_hits} of {n_guesses} models reach the target"
    );
}

#[test]
fn no_goal_is_lost_with_the_states_that_are_closed() {
    let (mut n_closed, mut n_covered, mut n_hits) = (0, 0, 0);
    for (graph, mut rng) in graphs() {
        let text = graph.text().replace(": target\n", ": goal 0\n");
        let program = parse("random", &text);
        let mut open = BitSet::new(1);
        open.insert(0);
        let options = ExecutionOptions {
            goals: WantedGoals { open, patience: 64 },
            ..options(SearchStrategy::Klee(1))
        };
        let mut is_covered = false;
        let confirm = &mut |witness: &compact_se::symex::Witness| {
            assert_eq!(witness.goals, [GoalId(0)]);
            let passes = reaches(&graph, &witness.inputs);
            is_covered |= passes;
            Confirmation::Passed(if passes { vec![GoalId(0)] } else { Vec::new() })
        };
        let report = executor(&program, options).run(confirm, &mut |_| ());
        n_closed += report.statistics.conditions.n_closed;
        n_hits += report.statistics.conditions.n_hits;
        n_covered += u64::from(is_covered);
        if matches!(report.verdict, Verdict::Unreachable) && !is_covered {
            for _ in 0..500 {
                let inputs = [rng.u8(..), rng.u8(..)];
                let reaches = graph.reaches(inputs, &mut rng);
                assert_ne!(reaches, Some(true), "for {inputs:?}:\n{text}");
            }
        }
    }
    assert!(n_closed > 0, "no state was ever closed");
    assert!(
        n_covered > 0 && n_hits > 0,
        "{n_covered} covered, {n_hits} by models"
    );
}

#[test]
fn states_are_closed_by_the_loop_that_is_to_blame() {
    // The first loop may count to anything; the second ends as soon as it has come to the bound.
    let text = "program block pointers 32 main @main\n\n\
        fn @main(%n: i32) -> i32 {\n  reg %i: i32\n  reg %j: i32\n  reg %k: i32\n  \
        start -> one: assume %n <u 1000:32; %i = 0:32; %j = 0:32\n  \
        start -> end: assume %n >=u 1000:32\n  \
        one -> one: assume %i <u %n; %i = %i + 1:32\n  \
        one -> two: assume %i >=u %n\n  \
        two -> two: assume %j <u %n; %j = %j + 2:32\n  \
        two -> check: assume %j >=u %n; %k = %n + 1:32\n  \
        check -> lt: assume %j >u %k\n  \
        check -> end: assume %j <=u %k\n  \
        lt -> end: target\n  \
        end -> out: return 0:32\n}\n";
    let program = parse("blame", text);
    let report = executor(&program, options(SearchStrategy::Coverage(1)))
        .run(&mut |_| Confirmation::Skipped, &mut |_| ());
    assert!(matches!(report.verdict, Verdict::Unreachable));
    let conditions = &report.statistics.conditions;
    let function = program.function(program.main);
    let name = |header: &NodeId| function.node(*header).name.as_str();
    let mut loops = conditions.closed_by.iter();
    let second = loops.find(|(header, _)| header.as_ref().map(name) == Some("two"));
    let (header, n_states) = second.expect("the second loop is to blame");
    assert_eq!(*n_states, conditions.n_closed);
    assert_eq!(program.loop_number(program.main, header.unwrap()), Some(2));
}

/// A loop, behind which something happens if it was left at more than 6, and the target is out of reach.
fn open_behind_a_loop(step: &str) -> Program {
    let text = format!(
        "program block pointers 32 main @main\nglobal @G 8 zero\n\n\
         fn @main(%n: i32) -> i32 {{\n  reg %i: i32\n  reg %b: i8\n  \
         start -> one: %i = 0:32\n  \
         one -> one: assume %i <u %n; %i = %i + 2:32\n  \
         one -> large: assume %i >=u %n\n  \
         large -> ready: assume %i >u 6:32\n  \
         large -> check: assume %i <=u 6:32\n  \
         ready -> {step}\n  \
         check -> lt: assume %i == 3:32\n  \
         check -> end: assume %i != 3:32\n  \
         lt -> end: target\n  \
         end -> out: return 0:32\n}}\n"
    );
    parse("open", &text)
}

#[test]
fn nothing_is_closed_where_something_else_is_open() {
    let program = open_behind_a_loop("check: %b = load @G + %i");
    let report = executor(&program, options(SearchStrategy::Coverage(1)))
        .run(&mut |_| Confirmation::Skipped, &mut |_| ());
    assert!(matches!(report.verdict, Verdict::Unknown));
    assert_eq!(report.statistics.conditions.closed_by.get(&None), None);
    // The same without anything behind the loop.
    let program = open_behind_a_loop("check: %b = 0:8");
    let report = executor(&program, options(SearchStrategy::Coverage(1)))
        .run(&mut |_| Confirmation::Skipped, &mut |_| ());
    assert!(matches!(report.verdict, Verdict::Unreachable));
    assert!(report.statistics.conditions.n_closed > 0);
}

#[test]
fn the_run_tells_of_undefined_behaviour_behind_all_states() {
    let program = open_behind_a_loop("dead: end signed_overflow");
    let options = ExecutionOptions {
        property: Property::unreachable(UndefinedBehaviour::Ends),
        ..options(SearchStrategy::Coverage(1))
    };
    let report = executor(&program, options).run(&mut |_| Confirmation::Skipped, &mut |_| ());
    assert!(!report.undefined.is_empty());
}
