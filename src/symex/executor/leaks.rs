//! Leak checks at the ends of paths.
//!
//! Heap blocks are checked where the program ends by a return from `main`, when only globals can refer to
//! them, or by `exit`, when variables of active functions may refer to them as well. It is unknown whether
//! such a variable is in scope in C, and which values are no longer in registers, so that a block without a
//! reference from a global is lost if a replay confirms it, and otherwise doubtful. `abort`, `_Exit`, failed
//! assertions and traps need no cleanup.
//!
//! # Invariants
//! - A path that ends with a block that may be lost has an error, or keeps the verdict open.

use super::{Confirmation, Executor, Witness};
use crate::options::Losses;
use flowgraph::{EndKind, NodeId, Span};
use property::{Check, ErrorKind, Reason, Violation};
use semantics::{
    Admission, Decision, Fate, Leak, MemoryFault, Oracle as _, PathEnd, Roots, State, blocks, fates,
};
use std::ops::ControlFlow;
use term::TermId;

/// So often a replay is asked whether a block is lost that is allocated at one place.
const MOST_DOUBTS: u32 = 3;

/// How the end of a path ends the program.
enum End {
    /// All functions have returned.
    Returned,
    /// Functions run, and the program ends properly.
    Exit,
    /// Nothing is cleaned up.
    Broken,
}

impl Executor<'_> {
    /// What the blocks that are left mean where a path ends. Where a folded loop ends it nothing is
    /// known of memory.
    pub(super) fn judge_blocks(
        &mut self,
        state: &State,
        end: &PathEnd,
        is_folded: bool,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let checks = self.run.options.property.checks;
        if !checks.follows_blocks() {
            return ControlFlow::Continue(());
        }
        let (end, place) = match end {
            PathEnd::Returned => (End::Returned, Span::UNKNOWN),
            PathEnd::Program(EndKind::Exit, place) => (End::Exit, *place),
            PathEnd::Program(
                EndKind::QuickExit
                | EndKind::Abort
                | EndKind::Killed
                | EndKind::AssertFail
                | EndKind::DivisionTrap
                | EndKind::DivisionOverflow
                | EndKind::Uninitialised,
                place,
            )
            | PathEnd::Fault(MemoryFault::NullPointer | MemoryFault::NoAddress, place) => {
                (End::Broken, *place)
            }
            PathEnd::Program(..)
            | PathEnd::Assumed(_)
            | PathEnd::Target(_)
            | PathEnd::Fault(..)
            | PathEnd::Unsupported(..)
            | PathEnd::Undecided(_) => return ControlFlow::Continue(()),
        };
        let roots = match end {
            End::Returned => Roots::Globals,
            End::Exit => Roots::Everything,
            End::Broken => {
                self.note_left(state, is_folded, place);
                return ControlFlow::Continue(());
            }
        };
        if is_folded {
            self.reasons.add(folded(place));
            return ControlFlow::Continue(());
        }
        if checks.contains(Check::Leak) {
            self.judge_losses(state, roots, confirm)?;
        }
        if checks.contains(Check::Cleanup) {
            for block in blocks(&state.memory) {
                let violation = left(Leak::NotFreed, block.place);
                if self.run.options.property.is_violated_by(violation) {
                    self.found(state, violation, None, confirm)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn judge_losses(
        &mut self,
        state: &State,
        roots: Roots,
        confirm: &mut dyn FnMut(&Witness) -> Confirmation,
    ) -> ControlFlow<()> {
        let program = self.run.machine.program;
        for (block, fate) in fates(&mut self.run.pool, program, state, roots) {
            let violation = left(Leak::Lost, block.place);
            if !self.run.options.property.is_violated_by(violation) {
                continue;
            }
            let (lost, is_exact) = match fate {
                Fate::Kept => continue,
                Fate::Lost => (TermId::TRUE, true),
                Fate::Doubtful { lost, is_exact } => (lost, is_exact),
            };
            let pool = &mut self.run.pool;
            let admission = match lost {
                TermId::TRUE => Admission::Feasible,
                _ => self.run.oracle.admits(pool, &state.path_cond, lost),
            };
            match admission {
                Admission::Infeasible => {}
                Admission::Unknown => self.reasons.add(Reason::Undecided(block.place)),
                Admission::Feasible => {
                    let mut state = state.clone();
                    state.path_cond.assume(&self.run.pool, lost);
                    if is_exact && roots == Roots::Globals {
                        self.found(&state, violation, None, confirm)?;
                        continue;
                    }
                    let doubt = in_doubt(roots, block.place);
                    let n_doubts = self.doubts.entry(block.place).or_default();
                    *n_doubts += 1;
                    if *n_doubts > MOST_DOUBTS {
                        self.reasons.add(doubt);
                    } else {
                        self.found(&state, violation, Some(doubt), confirm)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Records lost blocks at a place that each infinite path passes, if such losses count.
    pub(super) fn note_losses(&mut self, state: &State) {
        let is_asked = self.run.options.losses == Losses::Anywhere;
        let explored = self.run.explored.as_ref();
        if is_asked && explored.is_none_or(|explored| explored.is_place(state.location)) {
            self.note_lost(state, state.location.node);
        }
    }

    /// Notes what is left where the program is broken off, where that counts.
    fn note_left(&mut self, state: &State, is_folded: bool, place: Span) {
        if self.run.options.losses != Losses::Anywhere {
            return;
        }
        if is_folded {
            self.losses.add(folded(place));
            return;
        }
        if self.run.options.property.checks.contains(Check::Cleanup)
            && let Some(block) = blocks(&state.memory).next()
        {
            let what = "the cleanup check where the program is aborted";
            let reason = Reason::Unsupported(what.to_owned(), block.place);
            self.losses.add(reason);
        }
        // What was read on other ways on from the last choice is in scope.
        let decision = state.decisions.first().and_then(Decision::taken);
        let chosen = decision.filter(|(function, _)| *function == state.location.function);
        let node = chosen.map(|(function, edge)| {
            let function = self.run.machine.program.function(function);
            function.endpoints(edge).0
        });
        self.note_lost(state, node.unwrap_or(state.location.node));
    }

    fn note_lost(&mut self, state: &State, node: NodeId) {
        if !self.run.options.property.checks.contains(Check::Leak) {
            return;
        }
        let program = self.run.machine.program;
        let roots = Roots::Readable(node);
        for (block, fate) in fates(&mut self.run.pool, program, state, roots) {
            if fate != Fate::Kept {
                let what = "the leak check where the program does not terminate, or is aborted";
                let reason = Reason::Unsupported(what.to_owned(), block.place);
                self.losses.add(reason);
            }
        }
    }
}

fn left(leak: Leak, place: Span) -> Violation {
    Violation {
        kind: ErrorKind::Leak(leak),
        place,
    }
}

fn folded(place: Span) -> Reason {
    let what = "the leak check where a folded loop ends the program";
    Reason::Unsupported(what.to_owned(), place)
}

fn in_doubt(roots: Roots, place: Span) -> Reason {
    let what = match roots {
        Roots::Everything => {
            "the leak check at exit of memory that is allocated here: a function that still runs may \
             hold it in a variable"
        }
        Roots::Globals | Roots::Readable(_) => {
            "the leak check of memory that is allocated here: an element of an array may point to it"
        }
    };
    Reason::Unsupported(what.to_owned(), place)
}
