//! Which functions call which.

use super::system::Refusal;
use flowgraph::{Action, Callee, FunctionId, Program};
use std::collections::BTreeSet;

/// The calls of a program by name.
pub(super) struct Calls {
    /// `main` and what it calls, each once, in the order in which they are met.
    pub functions: Vec<FunctionId>,
    /// Caller and callee, each pair once.
    pub pairs: Vec<(FunctionId, FunctionId)>,
}

impl Calls {
    /// # Errors
    /// [`Refusal::IndirectCall`].
    pub fn of(program: &Program) -> Result<Calls, Refusal> {
        let (mut functions, mut pairs) = (vec![program.main], Vec::new());
        let mut next = 0;
        while let Some(caller) = functions.get(next).copied() {
            next += 1;
            let function = program.function(caller);
            let mut callees = BTreeSet::new();
            for step in (function.edge_ids()).flat_map(|edge| &function.edge(edge).steps) {
                match &step.action {
                    Action::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => callees.insert(*callee),
                    Action::Call { .. } => return Err(Refusal::IndirectCall),
                    _ => continue,
                };
            }
            for callee in callees {
                pairs.push((caller, callee));
                if !functions.contains(&callee) {
                    functions.push(callee);
                }
            }
        }
        Ok(Calls { functions, pairs })
    }

    /// Whether a function is called.
    pub fn has_callers(&self, function: FunctionId) -> bool {
        self.pairs.iter().any(|(_, callee)| *callee == function)
    }

    /// Whether a function calls another, or what it calls does.
    pub fn reaches(&self, from: FunctionId, to: FunctionId) -> bool {
        let mut seen = BTreeSet::new();
        let mut pending = vec![from];
        while let Some(next) = pending.pop() {
            for (_, callee) in self.pairs.iter().filter(|(caller, _)| *caller == next) {
                if *callee == to {
                    return true;
                }
                if seen.insert(*callee) {
                    pending.push(*callee);
                }
            }
        }
        false
    }
}
