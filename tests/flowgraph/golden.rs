//! Golden files: `tests/golden/flowgraph/NAME.flow` in, `NAME.report` and `NAME.dot` out.

use compact_se::flowgraph::cycles::EnumerationEnd;
use compact_se::flowgraph::cycles::PrefixChoice;
use compact_se::flowgraph::{
    Function, NodeId, Program, ProgramFacts, enumerate_cycles, merge_straight_edges, verify,
};
use std::fmt::Write;
use std::path::PathBuf;

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/flowgraph")
        .join(file)
}

/// The program of a golden file, verified.
fn load(name: &str) -> Program {
    let text = std::fs::read_to_string(path(&format!("{name}.flow"))).unwrap();
    let program: Program = text
        .parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    if let Err(errors) = verify(&program) {
        panic!("{name}: {}", errors[0]);
    }
    program
}

/// Compares with the golden file, or renews it.
fn check(file: &str, found: &str) {
    let path = path(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, found).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{file}: {error}; UPDATE_GOLDEN=1 makes it"));
    similar_asserts::assert_eq!(expected, found.to_owned());
}

fn list(function: &Function, nodes: impl IntoIterator<Item = NodeId>) -> String {
    let names: Vec<&str> = nodes
        .into_iter()
        .map(|node| function.node(node).name.as_str())
        .collect();
    names.join(" ")
}

/// Everything that the room computes about a program, as text.
fn report(program: &Program) -> String {
    let mut out = String::new();
    let facts = ProgramFacts::from(program);
    let distances = facts.distances();
    writeln!(out, "{program}").unwrap();
    for id in program.function_ids() {
        let function = program.function(id);
        writeln!(out, "== {}", function.name).unwrap();
        let found = enumerate_cycles(function, 100, |_, _| PrefixChoice::GoOn);
        assert_eq!(found.end, EnumerationEnd::Complete);
        for cycle in &found.cycles {
            write!(out, "cycle {}", cycle.describe_core(function)).unwrap();
            for exit in &cycle.exits {
                let (source, target) = function.endpoints(exit.edge);
                let ends = list(function, [source, target]).replace(' ', " -> ");
                write!(out, "; exit at {}: {ends}", exit.position).unwrap();
            }
            writeln!(out).unwrap();
        }
        let nest = function.loops();
        for natural in &nest.loops {
            let body = natural.body.iter().map(|n| NodeId(n.try_into().unwrap()));
            write!(
                out,
                "loop {}, depth {}: {}",
                function.node(natural.header).name,
                natural.depth,
                list(function, body)
            )
            .unwrap();
            match natural.lines {
                Some(lines) => writeln!(out, "; lines {} to {}", lines.first, lines.last),
                None => writeln!(out),
            }
            .unwrap();
        }
        let liveness = function.liveness();
        for node in function.node_ids() {
            let live: Vec<&str> = liveness
                .regs_at(function, node)
                .map(|reg| function.reg(reg).name.as_str())
                .collect();
            let show = |distance: Option<u32>| distance.map_or("-".to_owned(), |d| d.to_string());
            writeln!(
                out,
                "at {}: live {}; target {} within {}, return {}",
                function.node(node).name,
                live.join(" "),
                show(distances.anywhere(id, node)),
                show(distances.within(id, node)),
                show(distances.to_return(id, node)),
            )
            .unwrap();
        }
        let compact = merge_straight_edges(function);
        writeln!(out, "merged: {}\n", list(&compact, compact.node_ids())).unwrap();
    }
    out
}

fn golden(name: &str) {
    let program = load(name);
    check(&format!("{name}.report"), &report(&program));
    check(&format!("{name}.dot"), &program.to_dot());
    let printed = program.to_string();
    let again: Program = printed.parse().unwrap();
    assert_eq!(again, program, "what was printed reads as the same program");
    assert_eq!(again.to_string(), printed);
}

/// The cores as in the captions of the paper's figures.
fn cores(name: &str) -> Vec<String> {
    let program = load(name);
    let function = program.function(program.main);
    let found = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::GoOn);
    found
        .cycles
        .iter()
        .map(|cycle| cycle.describe_core(function).replace(' ', ""))
        .collect()
}

#[test]
fn figure1() {
    golden("figure1");
    assert_eq!(cores("figure1"), ["bcdb"]);
    let program = load("figure1");
    let function = program.function(program.main);
    let found = enumerate_cycles(function, 1, |_, _| PrefixChoice::GoOn);
    let exits: Vec<(usize, &str)> = found.cycles[0]
        .exits
        .iter()
        .map(|exit| {
            let target = function.target(exit.edge);
            (exit.position, function.node(target).name.as_str())
        })
        .collect();
    assert_eq!(exits, [(0, "f"), (1, "e")]);
}

#[test]
fn figure2_has_the_four_cores_of_its_caption() {
    golden("figure2");
    let mut found = cores("figure2");
    found.sort();
    assert_eq!(found, ["abcea", "abdea", "eabce", "eabde"]);
}

#[test]
fn figure3_has_the_seven_cores_of_its_caption() {
    golden("figure3");
    let mut found = cores("figure3");
    found.sort();
    let caption = [
        "abcda", "abceda", "cdabc", "cedabc", "cefgc", "dabcd", "dabced",
    ];
    assert_eq!(found, caption);
}

#[test]
fn figure4() {
    golden("figure4");
    let found = cores("figure4");
    assert_eq!(found.len(), 4, "two branches, and the join is an entry too");
}

#[test]
fn calls_and_all_other_syntax() {
    golden("calls");
}

#[test]
fn comparisons_in_a_loop_multiply_cycles_and_pruning_takes_them_back() {
    // Appendix C: k comparisons in a loop. Head and joins are entries, with 2^k cores each.
    let k = 6;
    let mut text = String::from("program split pointers 32 main @f\nfn @f(%a: i32) {\n");
    text.push_str("  start -> j0\n");
    for i in 0..k {
        let next = i + 1;
        writeln!(text, "  j{i} -> t{i}: assume %a == 5:32").unwrap();
        writeln!(text, "  j{i} -> f{i}: assume %a != 5:32").unwrap();
        writeln!(text, "  t{i} -> j{next}").unwrap();
        writeln!(text, "  f{i} -> j{next}").unwrap();
    }
    writeln!(
        text,
        "  j{k} -> j0: assume %a <u 9:32\n  j{k} -> last: assume %a >=u 9:32"
    )
    .unwrap();
    text.push_str("  last -> end: return\n}\n");
    let program: Program = text.parse().unwrap();
    verify(&program).unwrap();
    let function = program.function(program.main);
    let all = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::GoOn);
    assert_eq!(all.cycles.len(), (k + 1) << k);
    // The same comparison k times: only two ways through are feasible.
    let mut n_asked = 0;
    let feasible = enumerate_cycles(function, usize::MAX, |_, edges| {
        n_asked += 1;
        let taken = |first: char| {
            edges.iter().any(|&edge| {
                let target = function.target(edge);
                function.node(target).name.starts_with(first)
            })
        };
        if taken('t') && taken('f') {
            PrefixChoice::Cut
        } else {
            PrefixChoice::GoOn
        }
    });
    assert_eq!(feasible.end, EnumerationEnd::Complete);
    assert_eq!(feasible.cycles.len(), (k + 1) * 2);
    assert!(n_asked < 7 * 6 * k * k, "{n_asked} prefixes");
    // A limit is never silent.
    let limited = enumerate_cycles(function, 10, |_, _| PrefixChoice::GoOn);
    assert_eq!(limited.end, EnumerationEnd::Limit);
    assert_eq!(limited.cycles, all.cycles[..10]);
    let exact = enumerate_cycles(function, all.cycles.len(), |_, _| PrefixChoice::GoOn);
    assert_eq!(exact.end, EnumerationEnd::Complete);
    let stopped = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::Stop);
    assert_eq!(
        (stopped.end, stopped.cycles.len()),
        (EnumerationEnd::Stopped, 0)
    );
}

#[test]
fn parallel_edges_make_cores_of_their_own() {
    let text = "program block pointers 32 main @f
fn @f(%a: i32) {
  start -> a
  a -> b: assume %a == 1:32
  a -> b: assume %a == 2:32
  a -> a: assume !((%a == 1:32) | (%a == 2:32))
  b -> a
}
";
    let program: Program = text.parse().unwrap();
    verify(&program).unwrap();
    let function = program.function(program.main);
    let found = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::GoOn);
    let cores: Vec<String> = found
        .cycles
        .iter()
        .map(|cycle| cycle.describe_core(function))
        .collect();
    // b is an entry, as each of the two edges into it is not the last edge of the other's core.
    assert_eq!(
        cores,
        [
            "a -e1- b a",
            "a -e2- b a",
            "a a",
            "b a -e1- b",
            "b a -e2- b"
        ]
    );
    let exits: Vec<usize> = found.cycles.iter().map(|cycle| cycle.exits.len()).collect();
    assert_eq!(exits, [2, 2, 2, 2, 2]);
}

#[test]
fn a_loop_that_only_a_call_enters_has_no_entering_edge() {
    let text = "program block pointers 32 main @f\nfn @f() {\n  a -> b\n  b -> a\n}\n";
    let program: Program = text.parse().unwrap();
    let function = program.function(program.main);
    let found = enumerate_cycles(function, 10, |_, _| PrefixChoice::GoOn);
    assert_eq!(found.cycles, []);
}

#[test]
fn texts_that_are_no_programs() {
    let head = "program block pointers 32 main @f\n";
    let in_function = |line: &str| format!("{head}fn @f(%a: i32) {{\n  x -> y: {line}\n}}\n");
    let cases = [
        (
            String::new(),
            "line 0, column 0: expected a line `program …`, found the end of the text",
        ),
        (
            head.to_owned(),
            "line 1, column 32: there is no function @f",
        ),
        (
            format!("{head}fn @f() {{\n"),
            "line 0, column 0: expected `}`, found the end of the text",
        ),
        (
            format!("{head}fn @f(%a) {{\n}}\n"),
            "line 2, column 7: there is no register %a",
        ),
        (
            format!("{head}global @f 4 zero\nfn @f() {{\n}}\n"),
            "line 3, column 4: the function or global @f is declared twice",
        ),
        (
            format!("{head}fn @f() {{\n  node a\n  node a\n}}\n"),
            "line 4, column 8: the location a is declared twice",
        ),
        (
            format!("{head}fn @f(%a: i1, %a: i2) {{\n}}\n"),
            "line 2, column 15: the register %a is declared twice",
        ),
        (
            format!("{head}fn @f() entry z {{\n  a -> b\n}}\n"),
            "line 2, column 15: there is no location z",
        ),
        (
            format!("{head}fn @f() {{\n  target\n}}\n"),
            "line 3, column 3: expected `reg`, `node` or an edge, found target",
        ),
        (
            in_function("%b = 1:32"),
            "line 3, column 11: there is no register %b",
        ),
        (
            in_function("%a = 4294967296:32"),
            "line 3, column 16: 4294967296 does not fit into 32 bits",
        ),
        (
            in_function("%a = -2147483649:32"),
            "line 3, column 16: -2147483649 does not fit into 32 bits",
        ),
        (
            in_function("%a = 1:0"),
            "line 3, column 18: expected a number of bits, found 0",
        ),
        (
            in_function("%a = %a + 1:32 + 2:32"),
            "line 3, column 26: expected the end of the line, found +",
        ),
        (
            in_function("%a = (%a + 1:32"),
            "line 3, column 24: expected ), found the end of the line",
        ),
        (
            in_function("call @g()"),
            "line 3, column 16: there is no function @g",
        ),
        (
            in_function("end soon"),
            "line 3, column 15: expected how the path ends, found soon",
        ),
        (
            in_function("unsupported \"x"),
            "line 3, column 25: the string does not end on its line",
        ),
        (
            in_function("unsupported \"\\q\""),
            "line 3, column 25: unknown escape in a string",
        ),
        (
            in_function("%a = ?"),
            "line 3, column 16: unexpected character '?'",
        ),
        (
            in_function("% = 1:32"),
            "line 3, column 12: a name is missing",
        ),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Program>().expect_err(&text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn constants_are_read_signed_and_unsigned() {
    let text = "program block pointers 32 main @f
fn @f(%a: i8) -> i8 {
  a -> b: %a = 255:8
  b -> c: %a = -1:8
  c -> d: assume 1:1 == true
  d -> end: return -128:8
}
";
    let program: Program = text.parse().unwrap();
    let function = program.function(program.main);
    let [first, second] = [0, 1].map(|n| &function.edge(compact_se::flowgraph::EdgeId(n)).steps);
    assert_eq!(first[0].action, second[0].action);
    assert!(program.to_string().contains("assume true == true"));
}
