//! The choice of functions to inline.
//!
//! # Invariants
//! - Every cycle of calls has a function that is not inlined; the engine has a call stack for it.
//! - Functions marked `cold` are not inlined: they are seldom called, and other paths need not carry their variables.
//!
//! Mutually recursive functions whose cycles all pass through one of them are inlined into that one, which
//! then calls itself: only self-recursion is folded.
//! - After inlining, the program has at most about [`GROWTH_LIMIT`] instructions, or as many as before.

use super::super::symbols::briefly;
use super::RUNTIME_PREFIX;
use super::ir::{Ir, Value};
use std::collections::{BTreeMap, BTreeSet};

const GROWTH_LIMIT: usize = 20_000;
/// Largest functions to inline, tried in this order until the program is small enough.
const SIZE_LIMITS: [usize; 6] = [usize::MAX, 2_000, 500, 100, 30, 0];

/// Marks functions `alwaysinline`, or removes that mark. Those in `framed` are called.
pub(super) fn choose_inlining(
    ir: &Ir<'_>,
    inline: bool,
    framed: BTreeSet<Value>,
    notes: &mut Vec<String>,
) {
    let mut graph = CallGraph::new(ir);
    graph.recursive.extend(framed);
    let chosen = if inline {
        graph.choose()
    } else {
        BTreeSet::new()
    };
    for function in graph.functions.keys() {
        for attribute in ["optnone", "noinline", "alwaysinline"] {
            ir.remove_attribute(*function, attribute);
        }
        if chosen.contains(function) {
            ir.add_attribute(*function, "alwaysinline", 0);
        } else {
            ir.add_attribute(*function, "noinline", 0);
        }
    }
    if inline {
        let mut kept = graph.functions_in_use();
        kept.retain(|function| !chosen.contains(function) && function.name() != "main");
        // Models have no debug information: where the program has it, their names are left out.
        let is_described = |function: &Value| function.subprogram_type().is_some();
        if graph.functions.keys().any(is_described) {
            kept.retain(is_described);
        }
        notes.extend(note_of(&graph, kept));
    }
}

/// The note about functions that stay calls: the largest by name, and the number of the others.
fn note_of(graph: &CallGraph, mut kept: Vec<Value>) -> Option<String> {
    if kept.is_empty() {
        return None;
    }
    kept.sort_by_cached_key(|function| {
        let size = graph.functions[function].size;
        (std::cmp::Reverse(size), function.name())
    });
    let others = kept.len().saturating_sub(NAMED);
    kept.truncate(NAMED);
    let names = kept.into_iter().map(Value::name);
    let mut names: Vec<String> = names.map(|name| briefly(&name)).collect();
    names.sort();
    names.dedup();
    let names = names.join(", ");
    Some(match others {
        0 => format!("not inlined: {names}"),
        1 => format!("not inlined: {names}, and another function"),
        _ => format!("not inlined: {names}, and {others} smaller functions"),
    })
}

/// At most so many functions are named in a note.
const NAMED: usize = 8;

struct FunctionInfo {
    size: usize,
    /// Called directly, once for each call.
    callees: Vec<Value>,
}

struct CallGraph {
    functions: BTreeMap<Value, FunctionInfo>,
    /// Functions that are not to be inlined: that can call themselves, or that need a frame.
    recursive: BTreeSet<Value>,
    /// Functions that are seldom called.
    cold: BTreeSet<Value>,
    main: Option<Value>,
}

impl CallGraph {
    fn new(ir: &Ir<'_>) -> CallGraph {
        let mut functions = BTreeMap::new();
        for function in ir.definitions() {
            if function.name().starts_with(RUNTIME_PREFIX) {
                continue;
            }
            let instructions = function.instructions();
            let callees = instructions
                .iter()
                .filter_map(|instruction| instruction.callee())
                .filter(|callee| !callee.is_declaration())
                .collect();
            functions.insert(
                function,
                FunctionInfo {
                    size: instructions.len(),
                    callees,
                },
            );
        }
        let mut graph = CallGraph {
            functions,
            recursive: BTreeSet::new(),
            cold: BTreeSet::new(),
            main: ir.function("main"),
        };
        graph.cold = (graph.functions.keys().copied())
            .filter(|&function| ir.has_attribute(function, "cold"))
            .collect();
        graph.recursive = graph
            .functions
            .keys()
            .copied()
            .filter(|&function| graph.calls(function, function, None))
            .collect();
        graph.break_circles();
        graph
    }

    /// Functions that `main` calls, directly or not, and those that anything points to.
    fn functions_in_use(&self) -> Vec<Value> {
        let is_pointed_to = |function: Value| {
            let mut users = function.users().into_iter();
            users.any(|user| !(user.is_instruction() && user.callee() == Some(function)))
        };
        let functions = self.functions.keys().copied();
        let mut in_use: BTreeSet<Value> = functions
            .filter(|&function| Some(function) == self.main || is_pointed_to(function))
            .collect();
        let mut open: Vec<Value> = in_use.iter().copied().collect();
        while let Some(function) = open.pop() {
            for &callee in &self.functions[&function].callees {
                if self.functions.contains_key(&callee) && in_use.insert(callee) {
                    open.push(callee);
                }
            }
        }
        in_use.into_iter().collect()
    }

    /// Leaves of functions that call each other one that calls itself, where every circle passes
    /// it.
    fn break_circles(&mut self) {
        let main = self.main;
        let mut open = self.recursive.clone();
        while let Some(function) = open.pop_first() {
            let circle: Vec<Value> = (self.recursive.iter().copied())
                .filter(|&other| {
                    self.calls(function, other, None) && self.calls(other, function, None)
                })
                .collect();
            open.retain(|other| !circle.contains(other));
            let breaks = |&by: &Value| {
                let mut others = circle.iter().filter(|other| **other != by);
                others.all(|&other| Some(other) != main && !self.calls(other, other, Some(by)))
            };
            let n_calls = |of: &Value| {
                let callees = self.functions.values().flat_map(|info| &info.callees);
                callees.filter(|callee| *callee == of).count()
            };
            let kept = circle.iter().copied().filter(breaks);
            let kept = kept.max_by_key(|by| (n_calls(by), std::cmp::Reverse(by.name())));
            if let Some(kept) = kept {
                self.recursive
                    .retain(|other| *other == kept || !circle.contains(other));
            }
        }
    }

    /// Whether `caller` calls `callee`, directly or through others but `without` this one.
    fn calls(&self, caller: Value, callee: Value, without: Option<Value>) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo = vec![caller];
        while let Some(here) = todo.pop() {
            for next in self
                .functions
                .get(&here)
                .into_iter()
                .flat_map(|info| &info.callees)
            {
                if *next == callee {
                    return true;
                }
                if Some(*next) != without && seen.insert(*next) {
                    todo.push(*next);
                }
            }
        }
        false
    }

    fn may_inline(&self, function: Value) -> bool {
        Some(function) != self.main
            && !self.recursive.contains(&function)
            && !self.cold.contains(&function)
    }

    fn choose(&self) -> BTreeSet<Value> {
        for limit in SIZE_LIMITS {
            let mut sizes = BTreeMap::new();
            for function in self.functions.keys() {
                self.inlined_size(*function, limit, &mut sizes);
            }
            let is_chosen =
                |function: &Value| self.may_inline(*function) && sizes[function] <= limit;
            let total = self
                .functions
                .keys()
                .filter(|function| !is_chosen(function))
                .map(|function| sizes[function])
                .fold(0usize, usize::saturating_add);
            if total <= GROWTH_LIMIT || limit == 0 {
                return self.functions.keys().copied().filter(is_chosen).collect();
            }
        }
        BTreeSet::new()
    }

    /// Instructions of a function after the chosen ones among its callees were inlined.
    fn inlined_size(
        &self,
        function: Value,
        limit: usize,
        sizes: &mut BTreeMap<Value, usize>,
    ) -> usize {
        if let Some(&size) = sizes.get(&function) {
            return size;
        }
        let Some(info) = self.functions.get(&function) else {
            return 0;
        };
        let mut size = info.size;
        for callee in &info.callees {
            if !self.may_inline(*callee) {
                continue;
            }
            let inner = self.inlined_size(*callee, limit, sizes);
            if inner <= limit {
                size = size.saturating_add(inner);
            }
        }
        sizes.insert(function, size);
        size
    }
}
