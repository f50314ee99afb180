//! A program without its checks of one kind.
//!
//! A check is a branching of which one edge leads to an end of that kind and to nothing else. Without it the
//! other edge is always taken. Locations, edges and registers are preserved, so that facts about the program
//! without checks carry over to the original.
//!
//! # Invariants
//! - Every execution of the program that no check ends is an execution of the program without the checks.

use super::compact::Copy;
use super::{Action, BitSet, EdgeId, EndKind, Expr, Function, Program, RegId, Step};
use std::sync::Arc;
use term::Bv;

/// The program without its checks that end paths so; `None` where it has none.
#[must_use]
pub fn without_checks(program: &Program, kind: EndKind) -> Option<Program> {
    let mut changed = program.clone();
    let mut has_checks = false;
    for function in &mut changed.functions {
        if let Some(unchecked) = unchecked(function, kind) {
            *function = Arc::new(unchecked);
            has_checks = true;
        }
    }
    has_checks.then_some(changed)
}

fn unchecked(function: &Function, kind: EndKind) -> Option<Function> {
    let ends = function.sure_ends();
    let fails = |edge: EdgeId| ends.end_after(edge).is_some_and(|(end, _)| end == kind);
    let mut steps: Vec<Vec<Step>> = function
        .edge_ids()
        .map(|edge| function.edge(edge).steps.clone())
        .collect();
    let mut has_checks = false;
    for node in function.node_ids() {
        let &[one, other] = function.out_edges(node) else {
            continue;
        };
        let (fails, passes) = match (fails(one), fails(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            (true, true) | (false, false) => continue,
        };
        let [fails, passes] = [fails, passes].map(|edge: EdgeId| edge.index());
        if !(is_conditional(&steps[fails]) && is_conditional(&steps[passes])) {
            continue;
        }
        steps[fails][0].action = Action::Assume(Expr::Const(Bv::new(1, 0)));
        steps[passes][0].action = Action::Assume(Expr::Const(Bv::new(1, 1)));
        has_checks = true;
    }
    if !has_checks {
        return None;
    }
    eliminate_dead_stores(&mut steps, function.regs.len());
    let mut steps = steps.into_iter();
    Some(Copy::with_steps(function, |_| {
        steps.next().unwrap_or_default()
    }))
}

fn is_conditional(steps: &[Step]) -> bool {
    matches!(
        steps.first(),
        Some(Step {
            action: Action::Assume(_),
            ..
        })
    )
}

/// Leaves assignments out whose register is not read anywhere.
fn eliminate_dead_stores(steps: &mut [Vec<Step>], n_registers: usize) {
    loop {
        let mut read = BitSet::new(n_registers);
        for step in steps.iter().flatten() {
            step.action.for_each_use(&mut |reg: RegId| {
                read.insert(reg.index());
            });
        }
        let mut has_changed = false;
        for step in steps.iter_mut().flatten() {
            if let Action::Assign(pairs) = &mut step.action {
                let before = pairs.len();
                pairs.retain(|(reg, _)| read.contains(reg.index()));
                has_changed |= pairs.len() < before;
            }
        }
        for edge in steps.iter_mut() {
            edge.retain(|step| !matches!(&step.action, Action::Assign(pairs) if pairs.is_empty()));
        }
        if !has_changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{target_places, verify};

    #[test]
    fn the_check_and_what_it_computes_are_gone() {
        let program: Program = "program block pointers 64 main @main\n\
             file \"a.c\"\n\
             fn @main() {\n\
               reg %x: i32\n\
               reg %fits: i1\n\
               reg %note: i1\n\
               a -> b:\n\
                 %x = input \"x\"\n\
                   %fits = %x <s 7:32\n\
               b -> c: assume %fits != false\n\
               b -> e:\n\
                 assume %fits == false\n\
                 %note = %fits\n\
               c -> d: target at 3:1\n\
               d -> g: return\n\
               e -> f: end signed_overflow\n\
             }\n"
        .parse()
        .unwrap();
        assert!(without_checks(&program, EndKind::Abort).is_none());
        let free = without_checks(&program, EndKind::SignedOverflow).unwrap();
        assert_eq!(verify(&free), Ok(()));
        assert_eq!(target_places(&free), target_places(&program));
        let text = free.to_string();
        assert!(!text.contains("%fits ="), "{text}");
        assert!(text.contains("%x = input"), "{text}");
    }
}
