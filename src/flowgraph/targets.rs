//! Splits a program with several targets into programs with one target each.
//!
//! # Invariants
//! - In a program with one target the other targets still end their paths, without being errors.

use super::compact::Copy;
use super::{Action, Expr, Function, Program, Span, Step};
use std::collections::BTreeSet;
use std::sync::Arc;
use term::Bv;

/// The places at which the program's graph has a target; copies by inlining are one.
#[must_use]
pub fn target_places(program: &Program) -> BTreeSet<Span> {
    let functions = program.functions.iter();
    let edges = functions.flat_map(|function| function.graph().edge_weights());
    let steps = edges.flat_map(|edge| &edge.steps);
    let targets = steps.filter(|step| step.action == Action::Target);
    targets.map(|step| step.span).collect()
}

/// The program in which the only target is that at this place.
#[must_use]
pub fn with_target_at(program: &Program, place: Span) -> Program {
    let mut changed = program.clone();
    for function in &mut changed.functions {
        *function = Arc::new(rewritten(function, place));
    }
    changed
}

fn rewritten(function: &Function, place: Span) -> Function {
    Copy::with_steps(function, |edge| {
        let steps = function.edge(edge).steps.iter().map(|step| {
            if step.action == Action::Target && step.span != place {
                Step::new(Action::Assume(Expr::Const(Bv::new(1, 0))), step.span)
            } else {
                step.clone()
            }
        });
        steps.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;

    #[test]
    fn one_target_is_left() {
        let program: Program = "program block pointers 64 main @main\n\
             file \"a.c\"\n\
             fn @main() {\n\
               reg %x: i32\n\
               a -> b: %x = input \"x\"\n\
               b -> c: assume (%x == 1:32)\n\
               b -> e: assume (%x != 1:32)\n\
               c -> d: target at 3:1\n\
               d -> g: return\n\
               e -> f: target at 7:1\n\
               f -> h: return\n\
             }\n"
        .parse()
        .unwrap();
        let places = target_places(&program);
        assert_eq!(places.len(), 2);
        for place in places {
            let one = with_target_at(&program, place);
            assert_eq!(verify(&one), Ok(()));
            assert_eq!(target_places(&one), BTreeSet::from([place]));
        }
    }
}
