//! Stack usage, for a stack of limited size.
//!
//! A frame takes its space when its function is called, including its variables. Variables of symbolic size,
//! or allocated after a function's first edge, take space at their allocation, and release it where the stack
//! is restored. Every number is a lower bound: objects of unknown size are not counted.

use super::machine::Machine;
use super::state::{Frame, State};
use super::step::{Admission, EdgeRun, MemoryFault, PathEnd};
use flowgraph::FunctionId;
use memory::{Memory, ObjectId};
use term::{CmpOp, TermId, TermPool};

impl Machine<'_> {
    /// The stack usage after a call, if `used` bytes were in use before; `None` on stack overflow.
    pub(super) fn stack_after_call(&self, used: u64, callee: FunctionId) -> Option<u64> {
        let Some(stack) = &self.stack else {
            return Some(0);
        };
        let used = used.saturating_add(stack.frame(callee));
        self.deepest.set(used.max(self.deepest.get()));
        (used <= stack.bytes).then_some(used)
    }

    /// Takes room for what is allocated, unless the frame has it; executions without it end.
    pub(super) fn take_room(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        bytes: TermId,
        has_room: bool,
    ) -> Option<State> {
        let Some(stack) = &self.stack else {
            return Some(state);
        };
        let used = match run.pool.as_u64(bytes) {
            // That of `main` may have none itself.
            Some(_) if has_room => state.frame.stack,
            Some(bytes) => state.frame.stack.saturating_add(bytes),
            None => {
                let far = stack.quarter().saturating_sub(state.frame.stack);
                let far = self.pointer_sized(run.pool, far);
                let is_near = run.pool.compare(CmpOp::Ult, far, bytes);
                let admission = run.oracle.admits(run.pool, &state.path_cond, is_near);
                if admission != Admission::Infeasible {
                    self.deepest.set(u64::MAX);
                }
                let room = stack.bytes.saturating_sub(state.frame.stack);
                let room = self.pointer_sized(run.pool, room);
                let is_beyond = run.pool.compare(CmpOp::Ult, room, bytes);
                let end = PathEnd::Fault(MemoryFault::StackOverflow, run.span);
                return run.exclude(state, is_beyond, end);
            }
        };
        self.deepest.set(used.max(self.deepest.get()));
        if used > stack.bytes {
            let end = PathEnd::Fault(MemoryFault::StackOverflow, run.span);
            run.end(state, end);
            return None;
        }
        state.frame.stack = used;
        Some(state)
    }
}

/// Gives back the room of an object that was allocated while its function ran.
pub(super) fn give_back(pool: &TermPool, frame: &mut Frame, memory: &Memory, object: ObjectId) {
    let bytes = memory.object(object).map(|object| object.info.bytes);
    let bytes = bytes.and_then(|bytes| pool.as_u64(bytes));
    frame.stack = frame.stack.saturating_sub(bytes.unwrap_or(0));
}
