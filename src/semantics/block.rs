//! Operations on blocks of bytes: copies, fills, arbitrary content.
//!
//! A block of constant size is copied cell by cell. A block of symbolic size becomes an array comprehension,
//! λj. ite(j lies in the block, new content, old content), as for loops that write, so that no state is
//! split.

use super::access::Access;
use super::input::InputEvent;
use super::machine::Machine;
use super::state::State;
use super::step::{EdgeRun, MemoryFault, PathEnd};
use memory::{Arbitrary, Base, FlatArray, Pointer};
use std::ops::ControlFlow;
use term::{Sort, TermId, TermPool, Work};

impl Machine<'_> {
    /// `memmove`, or `memcpy`.
    pub(super) fn copy(
        &self,
        run: &mut EdgeRun,
        state: State,
        [to, from, bytes]: [TermId; 3],
        may_overlap: bool,
        position: usize,
    ) -> Option<State> {
        let bytes = self.to_pointer_width(run.pool, bytes);
        let state = match self.with_bytes(run, state, bytes, &[to, from], position - 1) {
            ControlFlow::Continue(state) => state,
            ControlFlow::Break(done) => return done,
        };
        let (state, from) = self.resolve(run, state, from, position - 1)?;
        let (state, to) = self.resolve(run, state, to, position - 1)?;
        let state = self.check_access(run, state, from, bytes, Access::Read)?;
        let mut state = self.check_access(run, state, to, bytes, Access::Write)?;
        if !may_overlap {
            state = self.check_overlap(run, state, to, from, bytes)?;
        }
        if from.object == to.object {
            self.copy_bytes(run.pool, &mut state, to, from, bytes);
        } else {
            self.write_keeping_cells(run, &mut state, (to, bytes), 1, |run, state| {
                self.copy_bytes(run.pool, state, to, from, bytes);
            });
        }
        Some(state)
    }

    /// The state in which a block has bytes. A block of none may be anywhere, at null and in freed memory
    /// too: it breaks with the state behind the action, where that is the only one, and else with that which
    /// executes it again.
    fn with_bytes(
        &self,
        run: &mut EdgeRun,
        state: State,
        bytes: TermId,
        pointers: &[TermId],
        again: usize,
    ) -> ControlFlow<Option<State>, State> {
        let nothing = self.pointer_sized(run.pool, 0);
        let is_nothing = run.pool.eq(bytes, nothing);
        if run.pool.is_true(is_nothing) {
            return ControlFlow::Break(Some(state));
        }
        let are_there = pointers.iter().all(|pointer| {
            let pointer = Pointer::resolve(run.pool, &state.memory, *pointer);
            let object = pointer.and_then(|pointer| state.memory.object(pointer.object));
            object.is_some_and(|object| object.alive)
        });
        if are_there || run.pool.is_false(is_nothing) {
            return ControlFlow::Continue(state);
        }
        let is_something = run.pool.not(is_nothing);
        let something = self.assume(run, state.clone(), is_something);
        match (self.assume(run, state, is_nothing), something) {
            (Some(nothing), Some(something)) => {
                run.pending.push((nothing, again));
                ControlFlow::Continue(something)
            }
            (None, Some(something)) => ControlFlow::Continue(something),
            (nothing, None) => ControlFlow::Break(nothing),
        }
    }

    /// Ends the part of a state in which two blocks overlap and are not the same.
    fn check_overlap(
        &self,
        run: &mut EdgeRun,
        state: State,
        to: Pointer,
        from: Pointer,
        bytes: TermId,
    ) -> Option<State> {
        if to.object != from.object {
            return Some(state);
        }
        let (ahead, behind) = (
            run.pool.sub(to.offset, from.offset),
            run.pool.sub(from.offset, to.offset),
        );
        let (ahead, behind) = (run.pool.ult(ahead, bytes), run.pool.ult(behind, bytes));
        let is_near = run.pool.or(ahead, behind);
        let differ = run.pool.ne(to.offset, from.offset);
        let overlap = run.pool.and(differ, is_near);
        let end = PathEnd::Fault(MemoryFault::OverlappingCopy, run.span);
        self.exclude(run, state, overlap, end)
    }

    /// Copies within bounds.
    pub(super) fn copy_bytes(
        &self,
        pool: &mut TermPool,
        state: &mut State,
        to: Pointer,
        from: Pointer,
        bytes: TermId,
    ) {
        if let Some(n_bytes) = pool.as_u64(bytes) {
            return self.copy_cells(pool, state, to, from, n_bytes);
        }
        let wished = usual_cell_bytes(state, from);
        let source = state.memory.object_mut(from.object).flatten(pool, wished);
        self.replace_block(pool, state, (to, bytes), |pool, position, width| {
            let offset = pool.add(from.offset, position);
            source.read(pool, offset, width)
        });
    }

    /// Replaces a block of symbolic size by `value` of the position in the block and the bytes of a
    /// cell. Cells are as wide as the object's where the block consists of such, else one byte.
    fn replace_block(
        &self,
        pool: &mut TermPool,
        state: &mut State,
        (to, bytes): (Pointer, TermId),
        value: impl Fn(&mut TermPool, TermId, u32) -> TermId,
    ) {
        let wished = usual_cell_bytes(state, to);
        let object = state.memory.object_mut(to.object);
        let old = object.flatten(pool, wished);
        let cell = u64::from(old.cell_bytes);
        let consists_of_cells = cell.is_power_of_two()
            && pool.is_multiple_of(to.offset, cell)
            && pool.is_multiple_of(bytes, cell);
        let width = if consists_of_cells { old.cell_bytes } else { 1 };
        let sort = Sort::Bv(self.program.pointer_bits);
        let index = pool.symbol_multiple_of("j", sort, u64::from(width));
        let at = pool.symbol_term(index);
        let position = pool.sub(at, to.offset);
        let new = value(pool, position, width);
        let is_inside = pool.ult(position, bytes);
        let kept = old.read(pool, at, width);
        let cell = pool.ite(is_inside, new, kept);
        let flat = FlatArray {
            array: pool.lambda(index, cell),
            cell_bytes: width,
        };
        object.reset(Base::Array(flat));
    }

    /// Copies within bounds, cell by cell where both offsets are constants, so that each value
    /// arrives as wide as it was written.
    fn copy_cells(
        &self,
        pool: &mut TermPool,
        state: &mut State,
        to: Pointer,
        from: Pointer,
        n_bytes: u64,
    ) {
        let mut values = Vec::new();
        let mut position = 0;
        while position < n_bytes {
            let bytes = self.piece(pool, state, from, position, n_bytes - position);
            let shift = self.pointer_sized(pool, position);
            let offset = pool.add(from.offset, shift);
            values.push((shift, state.memory.read(pool, from.object, offset, bytes)));
            position += u64::from(bytes);
        }
        pool.count_work(Work::COPIED_CELL * values.len() as u64);
        for (shift, value) in values {
            let offset = pool.add(to.offset, shift);
            state.memory.write(pool, to.object, offset, value);
        }
    }

    /// How many bytes to copy at once: the cell that stands there, or what is usual.
    fn piece(
        &self,
        pool: &mut TermPool,
        state: &State,
        from: Pointer,
        position: u64,
        left: u64,
    ) -> u32 {
        let usual = usual_cell_bytes(state, from);
        let Some(start) = pool.as_u64(from.offset) else {
            let aligned = pool.is_multiple_of(from.offset, u64::from(usual))
                && position.is_multiple_of(u64::from(usual));
            return if aligned && left >= u64::from(usual) {
                usual
            } else {
                1
            };
        };
        let start = start.wrapping_add(position);
        let object = state
            .memory
            .object(from.object)
            .expect("a resolved object is in memory");
        object.content.piece_at(pool, start, left)
    }

    /// `memset`.
    pub(super) fn fill(
        &self,
        run: &mut EdgeRun,
        state: State,
        [to, byte, bytes]: [TermId; 3],
        position: usize,
    ) -> Option<State> {
        let bytes = self.to_pointer_width(run.pool, bytes);
        let state = match self.with_bytes(run, state, bytes, &[to], position - 1) {
            ControlFlow::Continue(state) => state,
            ControlFlow::Break(done) => return done,
        };
        let (state, to) = self.resolve(run, state, to, position - 1)?;
        let mut state = self.check_access(run, state, to, bytes, Access::Write)?;
        if self.covers(run.pool, &state, to, bytes) && run.pool.as_u64(byte) == Some(0) {
            state.memory.object_mut(to.object).reset(Base::Zero);
            return Some(state);
        }
        self.write_keeping_cells(run, &mut state, (to, bytes), 1, |run, state| {
            self.fill_bytes(run.pool, state, (to, bytes), byte);
        });
        Some(state)
    }

    /// Fills a block within bounds.
    fn fill_bytes(
        &self,
        pool: &mut TermPool,
        state: &mut State,
        (to, bytes): (Pointer, TermId),
        byte: TermId,
    ) {
        let Some(n_bytes) = pool.as_u64(bytes) else {
            return self.replace_block(pool, state, (to, bytes), |pool, _, width| {
                (1..width).fold(byte, |word, _| pool.concat(byte, word))
            });
        };
        let word = (1..4).fold(byte, |word, _| pool.concat(byte, word));
        let aligned = pool.is_multiple_of(to.offset, 4);
        let mut done = 0;
        while done < n_bytes {
            let value = if aligned && n_bytes - done >= 4 {
                word
            } else {
                byte
            };
            let shift = self.pointer_sized(pool, done);
            let offset = pool.add(to.offset, shift);
            pool.count_work(Work::COPIED_CELL);
            state.memory.write(pool, to.object, offset, value);
            done += u64::from(pool.width(value) / 8);
        }
    }

    /// Whether the bytes are all of the object.
    fn covers(&self, pool: &TermPool, state: &State, pointer: Pointer, bytes: TermId) -> bool {
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        pool.as_u64(pointer.offset) == Some(0) && object.info.bytes == bytes
    }

    /// Arbitrary content, which is an input.
    pub(super) fn make_arbitrary(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
        (name, is_unwritten): (Option<&str>, bool),
        bytes: TermId,
        position: usize,
    ) -> Option<State> {
        let bytes = self.to_pointer_width(run.pool, bytes);
        if run.pool.as_u64(bytes) == Some(0) {
            return Some(state);
        }
        let (state, pointer) = self.resolve(run, state, pointer, position - 1)?;
        let mut state = self.check_access(run, state, pointer, bytes, Access::Write)?;
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        let name = name.unwrap_or(&object.info.name);
        let content = Arbitrary::new(name.to_owned());
        let n_bytes = run.pool.as_u64(bytes);
        if is_unwritten {
            self.note_unwritten_content(run.pool, &content, n_bytes);
        }
        let given = self
            .next_given(&state)
            .and_then(|given| given.content(n_bytes));
        if self.covers(run.pool, &state, pointer, bytes) {
            state
                .memory
                .object_mut(pointer.object)
                .reset(given.unwrap_or(Base::Arbitrary(content.clone())));
        } else if let Some(n_bytes) = n_bytes {
            for position in 0..n_bytes {
                let shift = self.pointer_sized(run.pool, position);
                let byte = match &given {
                    Some(Base::Bytes(bytes)) => {
                        let byte = usize::try_from(position).map_or(0, |position| bytes[position]);
                        run.pool.bv(8, byte.into())
                    }
                    _ => content.read(run.pool, shift, 1),
                };
                let offset = run.pool.add(pointer.offset, shift);
                state.memory.write(run.pool, pointer.object, offset, byte);
            }
        } else {
            let block = (pointer, bytes);
            self.replace_block(run.pool, &mut state, block, |pool, position, width| {
                content.read(pool, position, width)
            });
        }
        state.inputs.push_front_mut(InputEvent::Memory {
            bytes,
            content,
            address: None,
            site: run.site,
        });
        Some(state)
    }
}

/// How wide the cells of a pointer's object usually are.
fn usual_cell_bytes(state: &State, pointer: Pointer) -> u32 {
    let object = state
        .memory
        .object(pointer.object)
        .expect("a resolved object is in memory");
    object.content.usual_cell_bytes()
}
