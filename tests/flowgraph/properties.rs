//! Clever algorithms against slow obvious ones, on random programs.

use super::generate::{any_program, valid_program};
use compact_se::flowgraph::cycles::{EnumerationEnd, PrefixChoice};
use compact_se::flowgraph::distance::distances;
use compact_se::flowgraph::{
    Action, Callee, Cycle, CycleWalk, Dominators, EdgeId, Entries, Expr, Function, FunctionBuilder,
    FunctionId, Granularity, NodeId, Program, ProgramFacts, RegId, Span, Step, enumerate_cycles,
    enumerate_cycles_from, merge_straight_edges, remove_unreachable, verify,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

const N_SEEDS: u64 = 1500;

/// Runs a check on the functions of many random programs, valid ones among them.
fn for_functions(check: impl Fn(u64, &Function)) {
    for seed in 0..N_SEEDS {
        for program in [any_program(seed), valid_program(seed)] {
            for function in &program.functions {
                check(seed, function);
            }
        }
    }
}

fn targets(function: &Function, node: NodeId) -> Vec<NodeId> {
    let out = function.out_edges(node).iter();
    out.map(|&edge| function.target(edge)).collect()
}

/// The locations that paths from `start` reach without passing `without`.
fn reach(function: &Function, start: NodeId, without: Option<NodeId>) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(node) = pending.pop() {
        if Some(node) != without && found.insert(node) {
            pending.extend(targets(function, node));
        }
    }
    found
}

#[test]
fn printed_programs_read_back() {
    for seed in 0..N_SEEDS {
        for program in [any_program(seed), valid_program(seed)] {
            let text = program.to_string();
            let back: Program = match text.parse() {
                Ok(back) => back,
                Err(error) => panic!("seed {seed}: {error}\n{text}"),
            };
            assert_eq!(back, program, "seed {seed}\n{text}");
            assert_eq!(back.to_string(), text, "seed {seed}");
        }
    }
}

#[test]
fn made_to_be_valid_is_valid() {
    for seed in 0..N_SEEDS {
        let program = valid_program(seed);
        if let Err(errors) = verify(&program) {
            panic!("seed {seed}: {}\n{program}", errors[0]);
        }
    }
}

#[test]
fn verify_survives_anything() {
    let mut n_broken = 0;
    for seed in 0..N_SEEDS {
        let program = any_program(seed);
        n_broken += u32::from(verify(&program).is_err());
        assert!(program.to_dot().ends_with("}\n"));
    }
    assert!(n_broken > 100, "random programs are usually broken");
}

/// Definition 1, literally: all edge sequences without repeated locations, and for each closed
/// one every edge into its entry.
fn cores_by_definition(function: &Function) -> BTreeSet<Vec<EdgeId>> {
    fn extend(function: &Function, path: &mut Vec<EdgeId>, found: &mut BTreeSet<Vec<EdgeId>>) {
        let entry = function.source(path[0]);
        let end = function.target(path[path.len() - 1]);
        if end == entry {
            let last = path[path.len() - 1];
            let enters = |edge: EdgeId| function.target(edge) == entry && edge != last;
            if function.edge_ids().any(enters) {
                found.insert(path.clone());
            }
            return;
        }
        if path.iter().any(|&edge| function.source(edge) == end) {
            return;
        }
        for &edge in function.out_edges(end) {
            path.push(edge);
            extend(function, path, found);
            path.pop();
        }
    }
    let mut found = BTreeSet::new();
    for edge in function.edge_ids() {
        extend(function, &mut vec![edge], &mut found);
    }
    found
}

#[test]
fn enumeration_finds_the_cores_of_definition_1() {
    let mut n_cores = 0;
    for_functions(|seed, function| {
        let found = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::GoOn);
        assert_eq!(found.end, EnumerationEnd::Complete);
        let cores: BTreeSet<Vec<EdgeId>> = found
            .cycles
            .iter()
            .map(|cycle| cycle.core.clone())
            .collect();
        assert_eq!(cores.len(), found.cycles.len(), "seed {seed}: none twice");
        assert_eq!(cores, cores_by_definition(function), "seed {seed}");
        for cycle in &found.cycles {
            assert_eq!(cycle.entry, function.source(cycle.core[0]));
            let on_core: Vec<NodeId> = cycle.nodes(function).collect();
            let expected: BTreeSet<EdgeId> = function
                .edge_ids()
                .filter(|edge| {
                    on_core.contains(&function.source(*edge)) && !cycle.core.contains(edge)
                })
                .collect();
            let exits: BTreeSet<EdgeId> = cycle.exits.iter().map(|exit| exit.edge).collect();
            assert_eq!(exits, expected, "seed {seed}");
            assert_eq!(exits.len(), cycle.exits.len());
            for exit in &cycle.exits {
                assert_eq!(on_core[exit.position], function.source(exit.edge));
            }
        }
        let entries = function.node_ids().flat_map(|entry| {
            let mut walk = CycleWalk::at(function, entry);
            let mut cycles = Vec::new();
            while let Some(event) = walk.step() {
                if let compact_se::flowgraph::cycles::WalkEvent::Core(cycle) = event {
                    cycles.push(cycle);
                }
            }
            cycles
        });
        assert_eq!(
            entries.collect::<Vec<_>>(),
            found.cycles,
            "seed {seed}: entry by entry"
        );
    });
    for seed in 0..N_SEEDS {
        for function in &valid_program(seed).functions {
            n_cores += cores_by_definition(function).len();
        }
    }
    assert!(n_cores > 500, "{n_cores} cores are enough to say something");
}

#[test]
fn from_headers_each_core_comes_once() {
    let (n_from_header, n_others) = (Cell::new(0), Cell::new(0));
    for_functions(|seed, function| {
        let nest = function.loops();
        let mut all = enumerate_cycles_from(function, Entries::All, usize::MAX);
        let mut some = enumerate_cycles_from(function, Entries::Headers, usize::MAX);
        assert_eq!(some.end, EnumerationEnd::Complete);
        // Nothing dominates a location that is not reachable.
        let reachable = reach(function, function.entry, None);
        all.cycles.retain(|cycle| reachable.contains(&cycle.entry));
        some.cycles.retain(|cycle| reachable.contains(&cycle.entry));
        let edges = |cycle: &Cycle| cycle.core.iter().copied().collect::<BTreeSet<EdgeId>>();
        let cores: BTreeSet<_> = all.cycles.iter().map(edges).collect();
        let found: BTreeSet<_> = some.cycles.iter().map(edges).collect();
        assert_eq!(found, cores, "seed {seed}: no core is lost");
        for core in &cores {
            let of_core = |cycle: &&Cycle| edges(cycle) == *core;
            let rotations: Vec<&Cycle> = all.cycles.iter().filter(of_core).collect();
            let kept: Vec<&Cycle> = some.cycles.iter().filter(of_core).collect();
            let firsts = rotations.iter();
            let firsts = firsts.filter(|cycle| cycle.is_from_first_entry(function));
            assert_eq!(firsts.count(), 1, "seed {seed}");
            assert_eq!(kept[0].n_entries(function), rotations.len(), "seed {seed}");
            // A back edge leads to the header of a loop around the core, which may be where only a
            // call comes in besides.
            let back = nest.loops.iter().find(|natural| {
                let mut back_edges = natural.back_edges.iter();
                let is_entry = function.in_edges(natural.header).len() >= 2;
                is_entry && back_edges.any(|edge| core.contains(edge))
            });
            if let Some(natural) = back {
                assert_eq!(kept.len(), 1, "seed {seed}");
                assert_eq!(kept[0].entry, natural.header, "seed {seed}");
                n_from_header.set(n_from_header.get() + 1);
            } else {
                assert_eq!(kept, rotations, "seed {seed}");
                n_others.set(n_others.get() + 1);
            }
        }
    });
    let n = (n_from_header.get(), n_others.get());
    assert!(
        n.0 > 500 && n.1 > 100,
        "{n:?} cores are enough to say something"
    );
}

#[test]
fn cutting_a_prefix_drops_exactly_its_extensions() {
    for_functions(|seed, function| {
        let all = cores_by_definition(function);
        // Any property of a prefix will do.
        let bad = |edges: &[EdgeId]| {
            let mix = edges.iter().fold(seed, |mix, edge| {
                (mix ^ u64::from(edge.0))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(17)
            });
            mix % 4 == 0
        };
        let mut states: Vec<EdgeId> = Vec::new();
        let mut of_entry = None;
        let found = enumerate_cycles(function, usize::MAX, |entry, edges| {
            assert_eq!(function.source(edges[0]), entry);
            assert!(
                all.iter().any(|core| core.starts_with(edges)),
                "seed {seed}: no core begins with {edges:?}"
            );
            // The promise to callers that keep a stack.
            if of_entry != Some(entry) {
                of_entry = Some(entry);
                states.clear();
            }
            states.truncate(edges.len() - 1);
            states.push(edges[edges.len() - 1]);
            assert_eq!(states, edges, "seed {seed}");
            if bad(edges) {
                PrefixChoice::Cut
            } else {
                PrefixChoice::GoOn
            }
        });
        let expected: BTreeSet<&Vec<EdgeId>> = all
            .iter()
            .filter(|core| !(1..=core.len()).any(|len| bad(&core[..len])))
            .collect();
        let cores: BTreeSet<&Vec<EdgeId>> = found.cycles.iter().map(|cycle| &cycle.core).collect();
        assert_eq!(cores, expected, "seed {seed}");
    });
}

/// Whether the register's value before step `position` of `edge` influences anything, by search
/// forwards along the data flow.
fn is_live_by_search(function: &Function, start: (EdgeId, usize), reg: RegId) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![(start, reg)];
    let mentions = |expr: &Expr, reg: RegId| {
        let mut found = false;
        expr.for_each_reg(&mut |used| found |= used == reg);
        found
    };
    while let Some(((edge, position), reg)) = pending.pop() {
        if !seen.insert(((edge, position), reg)) {
            continue;
        }
        let Some(Step { action, .. }) = function.edge(edge).steps.get(position) else {
            let next = function.out_edges(function.target(edge)).iter();
            pending.extend(next.map(|&edge| ((edge, 0), reg)));
            continue;
        };
        let mut flows_to = Vec::new();
        if let Action::Assign(pairs) = action {
            let to = pairs.iter().filter(|(_, value)| mentions(value, reg));
            flows_to.extend(to.map(|(dst, _)| *dst));
        } else {
            let mut used = false;
            action.for_each_expr(&mut |expr| used |= mentions(expr, reg));
            if used {
                return true;
            }
        }
        let mut overwritten = false;
        action.for_each_def(&mut |dst| overwritten |= dst == reg);
        if !overwritten {
            flows_to.push(reg);
        }
        if !action.leaves_function() {
            pending.extend(flows_to.into_iter().map(|reg| ((edge, position + 1), reg)));
        }
    }
    false
}

#[test]
fn liveness_is_what_a_search_along_the_data_flow_finds() {
    let (mut n_live, mut n_dead) = (0, 0);
    let count = std::cell::RefCell::new((&mut n_live, &mut n_dead));
    for_functions(|seed, function| {
        let liveness = function.liveness();
        for node in function.node_ids() {
            for reg in function.reg_ids() {
                let expected = function
                    .out_edges(node)
                    .iter()
                    .any(|&edge| is_live_by_search(function, (edge, 0), reg));
                assert_eq!(
                    liveness.is_live(node, reg),
                    expected,
                    "seed {seed}, {node}, {reg}"
                );
                let mut count = count.borrow_mut();
                if expected {
                    *count.0 += 1;
                } else {
                    *count.1 += 1;
                }
            }
        }
    });
    assert!(
        n_live > 1000 && n_dead > 1000,
        "{n_live} live, {n_dead} dead"
    );
}

#[test]
fn dominators_and_loops_by_definition() {
    for_functions(|seed, function| {
        let dominators = Dominators::of(function);
        let reachable = reach(function, function.entry, None);
        let dominates = |by: NodeId, node: NodeId| {
            reachable.contains(&node) && !reach(function, function.entry, Some(by)).contains(&node)
        };
        for by in function.node_ids() {
            for node in function.node_ids() {
                assert_eq!(
                    dominators.dominates(by, node),
                    dominates(by, node),
                    "seed {seed}"
                );
            }
        }
        let nest = function.loops();
        let is_back = |edge: EdgeId| {
            let (source, target) = function.endpoints(edge);
            dominates(target, source)
        };
        let headers: BTreeSet<NodeId> = function
            .edge_ids()
            .filter(|&edge| is_back(edge))
            .map(|edge| function.target(edge))
            .collect();
        let found: Vec<NodeId> = nest.loops.iter().map(|natural| natural.header).collect();
        assert_eq!(
            found,
            headers.iter().copied().collect::<Vec<_>>(),
            "seed {seed}"
        );
        for natural in &nest.loops {
            let header = natural.header;
            let in_body = |node: NodeId| {
                node == header
                    || reachable.contains(&node)
                        && reach(function, node, Some(header)).iter().any(|&from| {
                            natural
                                .back_edges
                                .iter()
                                .any(|&edge| function.source(edge) == from)
                        })
            };
            let back: Vec<EdgeId> = function
                .edge_ids()
                .filter(|&edge| function.target(edge) == header && is_back(edge))
                .collect();
            assert_eq!(natural.back_edges, back, "seed {seed}");
            for node in function.node_ids() {
                assert_eq!(
                    natural.body.contains(node.index()),
                    in_body(node),
                    "seed {seed}"
                );
            }
            for edge in function.edge_ids() {
                let (source, target) = function.endpoints(edge);
                let leaves = in_body(source) && !in_body(target);
                assert_eq!(natural.exit_edges.contains(&edge), leaves, "seed {seed}");
            }
        }
        for node in function.node_ids() {
            let around: Vec<usize> = (0..nest.loops.len())
                .filter(|&index| nest.loops[index].body.contains(node.index()))
                .collect();
            let innermost = around
                .iter()
                .min_by_key(|&&index| nest.loops[index].body.len());
            assert_eq!(
                nest.innermost(node).map(|id| id.index()),
                innermost.copied(),
                "seed {seed}"
            );
            assert_eq!(nest.depth(node) as usize, around.len(), "seed {seed}");
        }
        // Without back edges the reachable part is acyclic iff no edge is irreducible.
        let forward = function.edge_ids().filter(|&edge| !is_back(edge));
        let cut: Vec<(NodeId, NodeId)> = forward
            .map(|edge| function.endpoints(edge))
            .filter(|(source, _)| reachable.contains(source))
            .collect();
        let mut left: BTreeSet<NodeId> = reachable.clone();
        while let Some(&node) = left.iter().find(|&&node| {
            !cut.iter()
                .any(|(from, to)| *to == node && left.contains(from))
        }) {
            left.remove(&node);
        }
        assert_eq!(left.is_empty(), nest.irreducible.is_empty(), "seed {seed}");
    });
}

/// A location with its callers, innermost first.
type Stack = Vec<(FunctionId, NodeId)>;

/// The stacks behind one edge, and whether a target is on it.
fn successors(program: &Program, stack: &Stack) -> Vec<(bool, Stack)> {
    let (id, node) = stack[0];
    let function = program.function(id);
    let mut taken = BTreeSet::new();
    for function in &program.functions {
        for edge in function.edge_ids() {
            for step in &function.edge(edge).steps {
                step.action.for_each_expr(&mut |expr| {
                    expr.for_each(&mut |part| {
                        if let Expr::Function(id) = part {
                            taken.insert(*id);
                        }
                    });
                });
            }
        }
    }
    let mut found = Vec::new();
    for &edge in function.out_edges(node) {
        let target = function.target(edge);
        let mut next = stack.clone();
        next[0] = (id, target);
        match function.edge(edge).steps.first().map(|step| &step.action) {
            Some(Action::Call { callee, .. }) => {
                let callees: Vec<FunctionId> = match callee {
                    Callee::Direct(id) => vec![*id],
                    Callee::Indirect(_) => taken.iter().copied().collect(),
                };
                for callee in callees {
                    let mut inside = next.clone();
                    inside.insert(0, (callee, program.function(callee).entry));
                    found.push((false, inside));
                }
            }
            Some(Action::Return(_)) => {
                next.remove(0);
                if !next.is_empty() {
                    found.push((false, next));
                }
            }
            Some(Action::End(_) | Action::Unsupported(_)) => {}
            Some(Action::Target) => found.push((true, next)),
            _ => found.push((false, next)),
        }
    }
    found
}

/// Fewest edges from the stack to a target, if at most `limit`, by search through whole stacks.
fn distance_by_search(program: &Program, start: Stack, limit: u32) -> Option<u32> {
    let mut layer = BTreeSet::from([start]);
    let mut seen = layer.clone();
    for distance in 1..=limit {
        let mut next = BTreeSet::new();
        for stack in &layer {
            for (hit, behind) in successors(program, stack) {
                if hit {
                    return Some(distance);
                }
                if seen.insert(behind.clone()) {
                    next.insert(behind);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn distances_to_targets_are_exact_for_whole_stacks() {
    const LIMIT: u32 = 9;
    let mut n_through_calls = 0;
    for seed in 0..N_SEEDS {
        let program = valid_program(seed);
        let facts = ProgramFacts::from(&program);
        let distances = facts.distances();
        let places: Stack = program
            .function_ids()
            .flat_map(|id| program.function(id).node_ids().map(move |node| (id, node)))
            .collect();
        for (index, &place) in places.iter().enumerate() {
            let caller = places[(index * 7 + 3) % places.len()];
            for stack in [vec![place], vec![place, caller]] {
                let expected = distance_by_search(&program, stack.clone(), LIMIT);
                let found = distances.on_stack(stack.iter().copied());
                match found {
                    Some(distance) if distance <= LIMIT => {
                        assert_eq!(expected, found, "seed {seed}")
                    }
                    _ => assert_eq!(expected, None, "seed {seed}"),
                }
                if stack.len() == 1 {
                    assert_eq!(found, distances.within(place.0, place.1), "seed {seed}");
                }
            }
            let anywhere = distances.anywhere(place.0, place.1);
            let within = distances.within(place.0, place.1);
            assert!(anywhere.is_some() || within.is_none(), "seed {seed}");
            if let (Some(near), Some(far)) = (anywhere, within) {
                assert!(near <= far, "seed {seed}");
            }
            n_through_calls += u32::from(anywhere.is_some() && within.is_none());
        }
        // `anywhere` is below every real continuation: behind each call of the function.
        for caller in program.function_ids() {
            let function = program.function(caller);
            for edge in function.edge_ids() {
                let steps = &function.edge(edge).steps;
                let Some(Action::Call {
                    callee: Callee::Direct(callee),
                    ..
                }) = steps.first().map(|step| &step.action)
                else {
                    continue;
                };
                for node in program.function(*callee).node_ids() {
                    let stack = [(*callee, node), (caller, function.target(edge))];
                    if let Some(real) = distances.on_stack(stack) {
                        let bound = distances.anywhere(*callee, node);
                        assert!(bound.is_some_and(|bound| bound <= real), "seed {seed}");
                    }
                }
            }
        }
    }
    assert!(n_through_calls > 50, "{n_through_calls}");
}

#[test]
fn distances_in_one_function_count_edges() {
    for_functions(|seed, function| {
        let goals: Vec<NodeId> = function.node_ids().filter(|node| node.0 % 3 == 1).collect();
        let found = distances(function, goals.iter().copied());
        for node in function.node_ids() {
            let nearest = targets(function, node)
                .into_iter()
                .filter_map(|target| found[target.index()])
                .min();
            let expected = if goals.contains(&node) {
                Some(0)
            } else {
                nearest.map(|d| d + 1)
            };
            assert_eq!(found[node.index()], expected, "seed {seed}");
            let reaches = reach(function, node, None)
                .iter()
                .any(|node| goals.contains(node));
            assert_eq!(found[node.index()].is_some(), reaches, "seed {seed}");
        }
    });
}

/// The cores as what they do, rotations and all.
fn cores_as_steps(function: &Function) -> Vec<Vec<Step>> {
    let found = enumerate_cycles(function, usize::MAX, |_, _| PrefixChoice::GoOn);
    let mut cores: Vec<Vec<Step>> = found
        .cycles
        .iter()
        .map(|cycle| {
            let edges = cycle.core.iter();
            edges
                .flat_map(|&edge| function.edge(edge).steps.clone())
                .collect()
        })
        .collect();
    cores.sort_by_key(|steps| format!("{steps:?}"));
    cores
}

#[test]
fn merging_keeps_validity_and_cycles() {
    let mut n_removed = 0;
    for seed in 0..N_SEEDS {
        let mut program = valid_program(seed);
        let before = program.clone();
        for function in &mut program.functions {
            *function = Arc::new(merge_straight_edges(function));
        }
        assert_eq!(verify(&program), Ok(()), "seed {seed}\n{before}\n{program}");
        for (old, new) in before.functions.iter().zip(&program.functions) {
            assert_eq!(cores_as_steps(old), cores_as_steps(new), "seed {seed}");
            assert_eq!(
                &merge_straight_edges(new),
                &**new,
                "seed {seed}: once is enough"
            );
            n_removed += old.n_nodes() - new.n_nodes();
        }
    }
    assert!(n_removed > 100, "{n_removed}");
    // Whatever the graph, no cyclic path vanishes.
    for_functions(|seed, function| {
        let new = merge_straight_edges(function);
        let cyclic = |function: &Function| {
            function.edge_ids().any(|edge| {
                reach(function, function.target(edge), None).contains(&function.source(edge))
            })
        };
        assert_eq!(cyclic(function), cyclic(&new), "seed {seed}");
        assert_eq!(
            cores_as_steps(function),
            cores_as_steps(&new),
            "seed {seed}"
        );
    });
}

#[test]
fn removing_unreachable_locations_keeps_the_rest() {
    for_functions(|seed, function| {
        let new = remove_unreachable(function);
        let kept: Vec<&str> = new
            .node_ids()
            .map(|node| new.node(node).name.as_str())
            .collect();
        let reachable: Vec<&str> = reach(function, function.entry, None)
            .into_iter()
            .map(|node| function.node(node).name.as_str())
            .collect();
        assert_eq!(kept, reachable, "seed {seed}");
        assert_eq!(new.node(new.entry), function.node(function.entry));
    });
}

#[test]
fn branches_keep_edges_of_their_own() {
    let text = "program block pointers 32 main @f
fn @f(%a: i32) {
  start -> head: %a = 1:32
  head -> yes: assume %a == 0:32
  head -> no: assume %a != 0:32; %a = 2:32
  yes -> yes2: %a = 3:32
  yes2 -> join: %a = 4:32
  no -> join: %a = 5:32
  join -> ERROR: assume %a <u 9:32
  ERROR -> ERROR
}
";
    let program: Program = text.parse().unwrap();
    verify(&program).unwrap();
    let merged = merge_straight_edges(program.function(program.main));
    let names: Vec<&str> = merged
        .node_ids()
        .map(|node| merged.node(node).name.as_str())
        .collect();
    assert_eq!(names, ["start", "head", "yes", "join", "ERROR"]);
}

#[test]
fn long_functions_need_no_deep_stack() {
    const LEN: u32 = 60_000;
    let mut builder = FunctionBuilder::new("f");
    let reg = builder.add_param("a", 1, false);
    let nodes: Vec<NodeId> = (0..LEN)
        .map(|index| builder.add_node(&format!("n{index}"), Span::UNKNOWN))
        .collect();
    for pair in nodes[..nodes.len() - 1].windows(2) {
        builder.add_edge(pair[0], pair[1], Vec::new());
    }
    let (head, last, end) = (nodes[1], nodes[nodes.len() - 2], nodes[nodes.len() - 1]);
    let condition = Expr::Reg(reg);
    let assume = |condition| vec![Step::new(Action::Assume(condition), Span::UNKNOWN)];
    let exit = builder.add_node("exit", Span::UNKNOWN);
    builder.add_edge(last, head, assume(condition.clone()));
    builder.add_edge(last, exit, assume(condition.negate()));
    builder.add_edge(
        exit,
        end,
        vec![Step::new(Action::Return(None), Span::UNKNOWN)],
    );
    let program = Program {
        pointer_bits: 32,
        granularity: Granularity::Split,
        functions: vec![Arc::new(builder.finish())],
        globals: Vec::new(),
        main: FunctionId(0),
        files: Vec::new(),
    };
    assert_eq!(verify(&program), Ok(()));
    let function = program.function(program.main);
    let found = enumerate_cycles(function, 10, |_, _| PrefixChoice::GoOn);
    assert_eq!(found.cycles.len(), 1);
    assert_eq!(found.cycles[0].core.len(), LEN as usize - 2);
    assert_eq!(function.loops().loops[0].body.len(), LEN as usize - 2);
    assert!(function.liveness().is_live(head, reg));
    let facts = ProgramFacts::from(&program);
    let distances = facts.distances();
    assert_eq!(distances.to_return(program.main, nodes[0]), Some(LEN));
    let merged = merge_straight_edges(function);
    let names: Vec<&str> = merged
        .node_ids()
        .map(|node| merged.node(node).name.as_str())
        .collect();
    assert_eq!(names, ["n0", "n1", "n59998", "n59999", "exit"]);
    let text = program.to_string();
    assert_eq!(text.parse::<Program>().as_ref(), Ok(&program));
}
