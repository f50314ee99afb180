//! Golden execution trees: linSrch of ATVA 2013, Figure 1(b), cut at a depth, and 1(c).
//!
//! The files are renewed by `UPDATE_GOLDEN=1 cargo test --test all tree::`; read the difference.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use compact_se::flowgraph::Program;
use compact_se::report::{Sources, TreeView};
use compact_se::solver::SolverOptions;
use compact_se::symex::{
    Confirmation, ExecutionOptions, Executor, MergeStrategy, NodeKind, Report,
};
use compact_se::template::{Folding, TemplateTable};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/tree")
        .join(name)
}

fn linsrch() -> Program {
    let text = std::fs::read_to_string(golden("linsrch.flow")).unwrap();
    text.parse().unwrap()
}

fn execute(program: &Program, table: TemplateTable, options: ExecutionOptions) -> Report {
    let executor = Executor::new(program, SolverOptions::default().build(), table, options);
    executor.run(&mut |_| Confirmation::Skipped, &mut |_| ())
}

fn view(program: &Program, report: &Report, title: &str) -> TreeView {
    let source = "linSrch(A, n, x)\n\nfor (i = 0; i < n; i++)\n  if (A[i] == x)\n";
    let sources = Sources::new(program, |name| {
        (name == "linsrch.c").then(|| source.to_owned())
    });
    let tree = report.tree.as_ref().unwrap();
    let terms = (&report.pool, &BTreeMap::new());
    TreeView::new(title.to_owned(), tree, program, terms, &sources)
}

fn compact() -> (Program, Report) {
    let program = linsrch();
    let options = ExecutionOptions {
        record_tree: Some(1000),
        ..ExecutionOptions::default()
    };
    let report = execute(&program, TemplateTable::new(1000, Folding::Cycles), options);
    (program, report)
}

/// The infinite classic tree, every path cut after 12 steps.
fn classic() -> (Program, Report) {
    let program = linsrch();
    let mut options = ExecutionOptions {
        record_tree: Some(1000),
        ..ExecutionOptions::default()
    };
    options.budget.path_steps = 12;
    let report = execute(&program, TemplateTable::empty(), options);
    (program, report)
}

fn check(name: &str, text: &str) {
    let path = golden(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    similar_asserts::assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn the_compact_tree_is_figure_1c() {
    let (program, report) = compact();
    assert_eq!(
        report.verdict.name(),
        "unreachable",
        "the tree is closed and has no target"
    );
    let view = view(&program, &report, "linSrch, compact");
    check("linsrch_compact.txt", &view.to_text(usize::MAX));
    check("linsrch_compact.dot", &view.to_dot());
    let made: Vec<&str> = view
        .nodes
        .iter()
        .filter(|node| node.template.is_some())
        .map(|node| node.location.as_str())
        .collect();
    assert_eq!(
        made,
        ["f", "e"],
        "one successor for each exit of the template"
    );
}

#[test]
fn the_classic_tree_is_figure_1b() {
    let (program, report) = classic();
    assert_eq!(report.verdict.name(), "unknown", "the tree is infinite");
    let view = view(&program, &report, "linSrch, classic");
    check("linsrch_classic.txt", &view.to_text(usize::MAX));
    check("linsrch_classic.dot", &view.to_dot());
    assert!(view.nodes.iter().all(|node| node.template.is_none()));
}

#[test]
fn a_node_tells_its_source_and_its_state() {
    let (program, report) = compact();
    let view = view(&program, &report, "linSrch, compact");
    let found = view.nodes.iter().find(|node| node.location == "e").unwrap();
    assert_eq!(
        found.registers.len(),
        1,
        "only i is live: {:?}",
        found.registers
    );
    assert_eq!(found.registers[0].0, "i");
    assert_eq!(
        found.registers[0].1,
        found.template.as_ref().unwrap().kappa,
        "i = κ"
    );
    let entry = view.nodes.iter().find(|node| node.location == "b").unwrap();
    assert_eq!(
        (entry.place.as_str(), entry.source.as_str()),
        ("linsrch.c:3:3", "for (i = 0; i < n; i++)")
    );
}

#[test]
fn a_full_tree_says_so_and_has_no_orphans() {
    let program = linsrch();
    let mut options = ExecutionOptions {
        record_tree: Some(9),
        ..ExecutionOptions::default()
    };
    options.budget.path_steps = 20;
    let report = execute(&program, TemplateTable::empty(), options);
    let tree = report.tree.as_ref().unwrap();
    assert_eq!(tree.len(), 9);
    assert!(tree.n_omitted() > 0);
    assert_eq!(
        tree.nodes()
            .filter(|(_, node)| node.parent.is_none())
            .count(),
        1,
        "only the root"
    );
    assert!(tree.nodes().all(|(_, node)| node.kind != NodeKind::TooLong));
    let text = view(&program, &report, "t").to_text(usize::MAX);
    assert!(
        text.contains("only the first 9 nodes are recorded"),
        "{text}"
    );
}

#[test]
fn trees_are_the_same_on_every_run() {
    let page = || {
        let (program, report) = compact();
        view(&program, &report, "linSrch, compact").to_html()
    };
    assert_eq!(page(), page());
}

/// Two loops up to `k`, each folded on the way to the end.
#[test]
fn path_counters_are_no_variables() {
    let text = "program block pointers 64 main @main\n\
        fn @main(%k: i8) -> i8 {\n\
        reg %i: i8\nreg %j: i8\n\
        start -> first: %i = 0:8\n\
        first -> first: assume %i <u %k; %i = %i + 1:8\n\
        first -> second: assume %i >=u %k; %j = 0:8\n\
        second -> second: assume %j <u %k; %j = %j + 1:8\n\
        second -> end: assume %j >=u %k; return %j\n}\n";
    let program: Program = text.parse().unwrap();
    let options = ExecutionOptions {
        record_tree: Some(1000),
        ..ExecutionOptions::default()
    };
    let table = TemplateTable::new(1000, Folding::Cycles);
    let report = execute(&program, table, options);
    let view = view(&program, &report, "two loops");
    let templates = view.nodes.iter().filter_map(|node| node.template.as_ref());
    let counters: Vec<&str> = templates.map(|made| made.kappa.as_str()).collect();
    assert_eq!(counters, ["κ", "κ₂"], "{}", view.to_text(usize::MAX));
    let conditions = view.nodes.iter().flat_map(|node| &node.condition);
    let conditions: Vec<&str> = conditions.map(String::as_str).collect();
    assert!(conditions.contains(&"k ≤ κ"), "{conditions:?}");
    assert!(conditions.contains(&"k ≤ κ₂"), "{conditions:?}");
}

/// Two sides of a branching that become one state behind it.
const SIDES: &str = "program block pointers 64 main @main
fn @main(%c: i8, %d: i8) -> i8 {
  reg %s: i8
  start -> fork: %s = 0:8
  fork -> left: assume %c == 1:8
  fork -> join: assume %c != 1:8
  left -> join: %s = 4:8
  join -> last: %s = %s + %d
  last -> end: return %s
}
";

#[test]
fn merged_nodes_name_the_node_that_goes_on() {
    let program: Program = SIDES.parse().unwrap();
    for merging in [MergeStrategy::Aggressive, MergeStrategy::Dynamic] {
        let options = ExecutionOptions {
            record_tree: Some(100),
            merging,
            ..ExecutionOptions::default()
        };
        let report = execute(&program, TemplateTable::empty(), options);
        assert_eq!(report.statistics.merging.n_merged, 1);
        let tree = report.tree.as_ref().unwrap();
        let merged: Vec<_> = (tree.nodes())
            .filter_map(|(id, node)| match node.kind {
                NodeKind::Merged(into) => Some((id, into.expect("the tree is not full"))),
                _ => None,
            })
            .collect();
        let [(one, into), (other, same)] = merged.as_slice() else {
            panic!("two nodes become one, not {}", merged.len());
        };
        assert_eq!(into, same);
        let location = |id| tree.node(id).state.location;
        assert_eq!(location(*one), location(*into));
        assert_eq!(location(*other), location(*into));
        // It hangs where the two parted, and adds nothing to what was assumed there.
        let fork = tree.node(*into).parent.unwrap();
        let function = program.function(location(fork).function);
        assert_eq!(function.node(location(fork).node).name, "fork");
        assert!(tree.edge_condition(*into).is_empty());
        let view = view(&program, &report, "sides");
        let text = view.to_text(usize::MAX);
        assert!(
            text.contains(&format!("merged into state {}", into.0)),
            "{text}"
        );
        assert!(view.to_dot().contains("label=\"merged\""));
    }
}

/// What the page shows when its script runs, and after a search; `None` where there is no node.
fn run_page(html: &str, word: &str) -> Option<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, html).unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tree_page.js");
    let command = std::process::Command::new("node")
        .arg(script)
        .arg(&page)
        .arg(word)
        .output();
    let Ok(output) = command else {
        #[allow(clippy::print_stderr, reason = "a test that does nothing says so")]
        {
            eprintln!("skipped: there is no node to run the page's script");
        }
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn texts(value: &serde_json::Value) -> Vec<&str> {
    let texts = value.as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn the_page_shows_lines_conditions_in_c_and_the_way_to_a_node() {
    let (program, report) = compact();
    let view = view(&program, &report, "linSrch, compact");
    let in_c = view.nodes.iter().flat_map(|node| &node.condition_in_c);
    let in_c: Vec<&str> = in_c.map(String::as_str).collect();
    assert!(in_c.contains(&"κ < n"), "{in_c:?}");
    assert!(in_c.contains(&"x == heap[κ]"), "{in_c:?}");
    assert_eq!(view.files.len(), 1);
    let Some(seen) = run_page(&view.to_html(), "x == heap") else {
        return;
    };
    let labels = seen["first"]["labels"].to_string();
    assert!(
        labels.contains("linsrch.c:3  for (i = 0; i < n; i++)"),
        "{labels}"
    );
    let conditions = seen["first"]["conditions"].to_string();
    assert!(conditions.contains("n >= 0"), "{conditions}");
    // The search finds the leaf whose condition it is, and shows the way there.
    let searched = &seen["searched"];
    assert_eq!(
        searched["count"], "1 node",
        "the other exit has x != heap[τ] only"
    );
    let way = texts(&searched["way"]);
    assert!(way.len() >= 3, "{way:?}");
    assert!(way.last().unwrap().contains("x == heap[κ]"), "{way:?}");
    assert_eq!(texts(&searched["selected"]), way[way.len() - 1..]);
    let lines = texts(&searched["lines"]);
    assert!(
        lines.contains(&"3for (i = 0; i < n; i++)"),
        "the way goes by the loop: {lines:?}"
    );
    assert_eq!(searched["hits"], 1);
    // In the papers' notation.
    let conditions = texts(&seen["byPapers"]["conditions"]);
    assert!(conditions.contains(&"-1 <ₛ n"), "{conditions:?}");
}
