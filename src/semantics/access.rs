//! Loads, stores and stack allocation, with their bounds checks.

use super::machine::{Accesses, Machine, address_symbol};
use super::state::{Exceeded, State};
use super::step::{Admission, EdgeRun, MemoryFault, PathEnd};
use flowgraph::{RegId, Span};
use memory::{Arbitrary, Base, Object, ObjectId, ObjectInfo, ObjectKind, Pointer};
use term::{CastOp, CmpOp, TermId, TermPool};

/// The effect of an access on the object.
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
        self.write_keeping_cells(run, &mut state, (pointer, length), bytes, |run, state| {
            let Pointer { object, offset } = pointer;
            state.memory.write(run.pool, object, offset, value);
        });
        Some(state)
    }

    /// Writes `length` bytes at a pointer into bounds by `write`, in cells of so many bytes. Where the
    /// place is unknown, the object becomes an array; cells that are no part of an array, as the other
    /// fields of a structure, and that the path condition keeps apart from what is written, stay cells, so
    /// that a pointer among them keeps its object.
    pub(super) fn write_keeping_cells(
        &self,
        run: &mut EdgeRun,
        state: &mut State,
        (to, length): (Pointer, TermId),
        bytes: u32,
        write: impl FnOnce(&mut EdgeRun, &mut State),
    ) {
        if run.pool.is_const(to.offset) && run.pool.is_const(length) {
            return write(run, state);
        }
        let kept = cells_apart(run, state, (to, length), bytes);
        if kept.is_empty() {
            return write(run, state);
        }
        let kept = state.memory.object_mut(to.object).take_cells(&kept);
        write(run, state);
        let object = state.memory.object_mut(to.object);
        for (offset, value) in kept {
            object.write_at(run.pool, offset, value);
        }
    }

    /// Ends the part of the state in which `length` bytes at `pointer` (as wide as a pointer) may
    /// not be accessed, and gives the rest. The part that is out of bounds is left out where
    /// accesses are assumed to be in bounds.
    pub(super) fn check_access(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        pointer: Pointer,
        length: TermId,
        access: Access,
    ) -> Option<State> {
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        let fault = match object.info.kind {
            // Machines allow it; the bytes are the compiler's.
            ObjectKind::Function if access == Access::Read => {
                return self.unsupported(run, state, "read of the code of a function");
            }
            ObjectKind::Function => Some(MemoryFault::NotData),
            ObjectKind::Constant | ObjectKind::Literal if access == Access::Write => {
                Some(MemoryFault::WriteToConstant)
            }
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
            | ObjectKind::Literal
            | ObjectKind::Heap(_)
            | ObjectKind::Foreign => (!object.alive).then_some(MemoryFault::UseAfterFree),
        };
        if let Some(fault) = fault {
            let end = PathEnd::Fault(fault, run.span);
            run.end(state, end);
            return None;
        }
        let inside = object.in_bounds(run.pool, pointer.offset, length);
        let exceeded = Exceeded {
            offset: pointer.offset,
            length,
            bytes: object.info.bytes,
        };
        match self.accesses {
            Accesses::Checked => {
                let outside = run.pool.not(inside);
                let end = PathEnd::Fault(MemoryFault::OutOfBounds, run.span);
                state.exceeded = Some(exceeded);
                let mut state = self.exclude(run, state, outside, end)?;
                state.exceeded = None;
                Some(state)
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

    /// Adds a variable, or what is allocated while the function runs; the frame may have its room.
    pub(super) fn alloca(
        &self,
        run: &mut EdgeRun,
        state: State,
        dst: RegId,
        (bytes, align): (TermId, u64),
        (name, has_room): (&str, bool),
    ) -> Option<State> {
        let is_possible = self.is_allocatable(run.pool, bytes);
        let state = self.assume(run, state, is_possible)?;
        let mut state = self.take_room(run, state, bytes, has_room)?;
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

    /// Whether an object may have so many bytes: fewer than half of the address space.
    pub(super) fn is_allocatable(&self, pool: &mut TermPool, bytes: TermId) -> TermId {
        let largest = self.pointer_sized(pool, (1 << (self.program.pointer_bits - 1)) - 1);
        pool.compare(CmpOp::Ule, bytes, largest)
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
        let address = address_symbol(pool, self.program.pointer_bits, name, align);
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

/// Of more cells than this it is not asked whether a write touches them.
const MOST_CELLS_APART: usize = 256;

/// The offsets of cells of another width than `bytes`, or with the address of an object, that the
/// write of a block cannot touch: all of these, or else those with an address, or none.
fn cells_apart(
    run: &mut EdgeRun,
    state: &State,
    (to, length): (Pointer, TermId),
    bytes: u32,
) -> Vec<u64> {
    let object = state
        .memory
        .object(to.object)
        .expect("a resolved object is in memory");
    if object.content.n_cells() > MOST_CELLS_APART {
        return Vec::new();
    }
    let mut fields = Vec::new();
    let mut addresses = Vec::new();
    for (offset, value) in object.content.cells() {
        let size = run.pool.width(value) / 8;
        let symbols = run.pool.symbols_of(value);
        let is_address = symbols
            .iter()
            .any(|symbol| state.memory.object(*symbol).is_some());
        if is_address {
            addresses.push((offset, size));
        }
        if is_address || size != bytes {
            fields.push((offset, size));
        }
    }
    if fields.len() == addresses.len() {
        fields.clear();
    }
    for cells in [fields, addresses] {
        let touched = touches(run.pool, &cells, (to.offset, length));
        if !cells.is_empty()
            && run.oracle.admits(run.pool, &state.path_cond, touched) == Admission::Infeasible
        {
            return cells.into_iter().map(|(offset, _)| offset).collect();
        }
    }
    Vec::new()
}

/// The condition that a block within bounds shares a byte with some of the cells, given by offset and
/// size in bytes, ascending.
fn touches(
    pool: &mut TermPool,
    cells: &[(u64, u32)],
    (offset, length): (TermId, TermId),
) -> TermId {
    let width = pool.width(offset);
    let mut stretches: Vec<(u64, u64)> = Vec::new();
    for (start, size) in cells {
        let end = start + u64::from(*size);
        match stretches.last_mut() {
            Some((_, last)) if *last == *start => *last = end,
            Some(_) | None => stretches.push((*start, end)),
        }
    }
    let behind = pool.add(offset, length);
    let mut touched = TermId::FALSE;
    for (start, end) in stretches {
        let (start, end) = (pool.bv(width, start), pool.bv(width, end));
        let begins_before = pool.compare(CmpOp::Ult, offset, end);
        let ends_behind = pool.compare(CmpOp::Ugt, behind, start);
        let both = pool.and(begins_before, ends_behind);
        touched = pool.or(touched, both);
    }
    touched
}
