//! Loads, stores and stack allocation, with their bounds checks.

use super::machine::{Accesses, Machine};
use super::state::State;
use super::step::{Admission, EdgeRun, MemoryFault, PathEnd};
use crate::flowgraph::{RegId, Span};
use crate::memory::{Arbitrary, Base, Object, ObjectId, ObjectInfo, ObjectKind, Pointer};
use crate::term::{CastOp, CmpOp, Sort, TermId, TermPool};

/// What an access does to the object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Machine<'_> {
    pub(super) fn load(
        &self,
        run: &mut EdgeRun,
        state: State,
        dst: RegId,
        address: TermId,
        position: usize,
    ) -> Option<State> {
        let bits = self.program.functions[state.location.function.index()].regs[dst.index()].bits;
        let bytes = bits.div_ceil(8);
        self.end_use_by(run, &state, address);
        let (state, pointer) = self.resolve(run, state, address, position - 1)?;
        let length = self.pointer_sized(run.pool, u64::from(bytes));
        let mut state = self.check_access(run, state, pointer, length, Access::Read)?;
        let value = state
            .memory
            .read(run.pool, pointer.object, pointer.offset, bytes);
        let value = run.pool.cast(CastOp::Trunc, bits, value);
        state.frame.set(dst, value);
        Some(state)
    }

    pub(super) fn store(
        &self,
        run: &mut EdgeRun,
        state: State,
        address: TermId,
        value: TermId,
        position: usize,
    ) -> Option<State> {
        let bytes = run.pool.width(value).div_ceil(8);
        self.end_use_by(run, &state, address);
        let (state, pointer) = self.resolve(run, state, address, position - 1)?;
        let length = self.pointer_sized(run.pool, u64::from(bytes));
        let mut state = self.check_access(run, state, pointer, length, Access::Write)?;
        let value = run.pool.cast(CastOp::ZExt, bytes * 8, value);
        state
            .memory
            .write(run.pool, pointer.object, pointer.offset, value);
        Some(state)
    }

    /// Ends the part of the state in which `length` bytes at `pointer` (as wide as a pointer) may
    /// not be accessed, and gives the rest. The part that is out of bounds is left out where
    /// accesses are assumed to be in bounds.
    pub(super) fn check_access(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: Pointer,
        length: TermId,
        access: Access,
    ) -> Option<State> {
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        let fault = match object.info.kind {
            ObjectKind::Function => Some(MemoryFault::NotData),
            ObjectKind::Constant if access == Access::Write => Some(MemoryFault::WriteToConstant),
            ObjectKind::Stack => (!object.alive).then(|| {
                let mut frames = std::iter::once(&state.frame).chain(state.callers.iter());
                if frames.any(|frame| frame.allocas.contains(&pointer.object)) {
                    MemoryFault::UseAfterScope
                } else {
                    MemoryFault::UseAfterReturn
                }
            }),
            ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::Heap(_)
            | ObjectKind::Foreign => (!object.alive).then_some(MemoryFault::UseAfterFree),
        };
        if let Some(fault) = fault {
            let end = PathEnd::Fault(fault, run.span);
            run.end(state, end);
            return None;
        }
        let inside = object.in_bounds(run.pool, pointer.offset, length);
        match self.accesses {
            Accesses::Checked => {
                let outside = run.pool.not(inside);
                let end = PathEnd::Fault(MemoryFault::OutOfBounds, run.span);
                self.exclude(run, state, outside, end)
            }
            Accesses::AssumedInBounds => self.assume_new(run, state, inside),
        }
    }

    /// Restricts a state to what the path condition does not say already.
    fn assume_new(&self, run: &mut EdgeRun, state: State, condition: TermId) -> Option<State> {
        let negated = run.pool.not(condition);
        match run.oracle.admits(run.pool, &state.path_cond, negated) {
            Admission::Infeasible => Some(state),
            Admission::Feasible | Admission::Unknown => self.assume(run, state, condition),
        }
    }

    /// [`EdgeRun::exclude`], for the case that the fault is certain.
    pub(super) fn exclude(
        &self,
        run: &mut EdgeRun,
        state: State,
        fault: TermId,
        end: PathEnd,
    ) -> Option<State> {
        if run.pool.is_true(fault) {
            run.end(state, end);
            return None;
        }
        run.exclude(state, fault, end)
    }

    pub(super) fn alloca(
        &self,
        run: &mut EdgeRun,
        state: State,
        dst: RegId,
        (bytes, align): (TermId, u64),
        name: &str,
    ) -> Option<State> {
        let mut state = self.assume_allocatable(run, state, bytes)?;
        let content = Arbitrary::new(name.to_owned());
        let size = run.pool.as_u64(bytes);
        self.note_unwritten_content(run.pool, &content, size);
        let object = self.allocate(
            run.pool,
            &mut state,
            name,
            (bytes, align),
            (ObjectKind::Stack, run.span),
            Base::Arbitrary(content),
        );
        state.frame.push_alloca(object);
        let address = run.pool.symbol_term(object);
        state.frame.set(dst, address);
        Some(state)
    }

    /// Allocation never fails, so that a path on which it would have to is no path: sizes are
    /// below half of the address space.
    pub(super) fn assume_allocatable(
        &self,
        run: &mut EdgeRun,
        state: State,
        bytes: TermId,
    ) -> Option<State> {
        let largest = self.pointer_sized(run.pool, (1 << (self.program.pointer_bits - 1)) - 1);
        let possible = run.pool.compare(CmpOp::Ule, bytes, largest);
        self.assume(run, state, possible)
    }

    /// Adds a new object of so many bytes to memory, at a multiple of a power of two; it is allocated
    /// at a place in the source.
    pub(super) fn allocate(
        &self,
        pool: &mut TermPool,
        state: &mut State,
        name: &str,
        (bytes, align): (TermId, u64),
        (kind, place): (ObjectKind, Span),
        content: Base,
    ) -> ObjectId {
        let sort = Sort::Bv(self.program.pointer_bits);
        let address = pool.symbol_multiple_of(&format!("&{name}"), sort, align);
        let info = ObjectInfo {
            address,
            bytes,
            name: name.to_owned(),
            kind,
            place,
        };
        state.memory.insert(Object::new(info, content))
    }
}
