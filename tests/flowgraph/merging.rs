//! What merging needs to know of a function: where ways meet, and query counts.

use compact_se::flowgraph::query_counts::{Estimate, LoopEstimate, Ways};
use compact_se::flowgraph::{Extent, Function, Meeting, Program, QueryCounts, verify};

fn main_of(text: &str) -> Function {
    let text = format!("program block pointers 64 main @main\n{text}");
    let program: Program = text.parse().unwrap();
    verify(&program).unwrap();
    Function::clone(program.function(program.main))
}

const ARMS: &str = "fn @main(%c: i1, %d: i1) -> i8 {
  reg %u: i8
  a -> b: %u = 0:8
  b -> then: assume %c
  b -> else: assume !%c
  then -> inner: %u = 0:8
  inner -> failed: assume %d
  inner -> join: assume !%d
  failed -> stop: end abort
  else -> join: %u = 0:8
  join -> end: return 0:8
}
";

#[test]
fn an_arm_that_fails_meets_nobody() {
    let function = main_of(ARMS);
    let node = |name: &str| function.node_by_name(name).unwrap();
    let meets = |name: &str| function.post_dominators().immediate(node(name));
    let join = Some(Meeting::At(node("join")));
    assert_eq!(meets("b"), join);
    assert_eq!(meets("inner"), join);
    assert_eq!(meets("failed"), None);
    assert_eq!(meets("join"), Some(Meeting::AtReturn));
    let extent = |name: &str, most| {
        let post_dominators = function.post_dominators();
        post_dominators.extent(&function, node(name), most)
    };
    let expected = Extent {
        n_locations: 5,
        has_cycle: false,
        has_call: false,
    };
    assert_eq!(extent("b", 8), Some(expected));
    assert_eq!(extent("b", 4), None);
}

/// The loops of listing 4.8 of the thesis, without its arrays.
const LOOPS: &str = "fn @main(%r: i32, %arg: i32, %argc: i32, %s: i32) -> i32 {
  reg %i: i32
  reg %u: i8
  start -> outer: %u = 0:8
  outer -> body: assume %arg <s %argc
  outer -> out: assume %arg >=s %argc
  body -> inner: %i = 0:32
  inner -> count: assume %i <s %arg
  inner -> next: assume %i >=s %arg
  count -> inner: %i = %i + 1:32
  next -> outer: %arg = %arg + 1:32
  out -> yes: assume %r == 0:32
  out -> no: assume %r != 0:32
  yes -> last: %u = 0:8
  no -> last: %u = 0:8
  last -> end: return 0:32
}
";

#[test]
fn queries_are_counted_as_in_the_thesis() {
    let function = main_of(LOOPS);
    let counts = |loops, ways, at: &str| -> Vec<u32> {
        let counts = QueryCounts::of(&function, Estimate { loops, ways }).unwrap();
        let node = function.node_by_name(at).unwrap();
        let count = |name| counts.of_register(node, function.reg_by_name(name).unwrap());
        ["r", "arg", "argc", "i"].map(count).to_vec()
    };
    let once = LoopEstimate::Iterations(1);
    // Without an iteration of the outer loop: one query about its condition, one about r.
    assert_eq!(counts(once, Ways::Sum, "next"), [1, 1, 1, 0]);
    // The inner loop is left at once, or after one iteration.
    assert_eq!(counts(once, Ways::Sum, "count"), [1, 2, 1, 1]);
    assert_eq!(counts(once, Ways::Sum, "inner"), [2, 4, 2, 2]);
    assert_eq!(counts(once, Ways::Sum, "body"), [2, 4, 2, 0]);
    assert_eq!(counts(once, Ways::Sum, "outer"), [3, 5, 3, 0]);
    // On one path the inner loop is asked about twice, the outer one twice, r once.
    assert_eq!(counts(once, Ways::Most, "outer"), [1, 4, 2, 0]);
    let capped = LoopEstimate::AtMost(10);
    assert_eq!(counts(capped, Ways::Sum, "outer"), [10, 10, 10, 0]);
    assert_eq!(counts(capped, Ways::Most, "outer"), [1, 10, 10, 0]);
    assert_eq!(counts(capped, Ways::Sum, "out"), [1, 0, 0, 0]);
}
