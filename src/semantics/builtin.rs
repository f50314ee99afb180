//! Heap operations; for operations on blocks of bytes see [`block`](super::block).

use super::input::InputEvent;
use super::machine::Machine;
use super::room::give_back;
use super::state::{Noted, State, noted_by_any};
use super::step::{Admission, EdgeRun, MemoryFault, PathEnd, is_near_null};
use flowgraph::{Builtin, RegId};
use memory::{Allocator, Arbitrary, Base, ObjectId, ObjectKind, Pointer};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use term::{CastOp, SymbolId, TermId, TermPool};

/// `malloc` gives multiples of this, on the machines that we know.
const HEAP_ALIGNMENT: u64 = 16;

impl Machine<'_> {
    pub(super) fn builtin(
        &self,
        run: &mut EdgeRun,
        state: State,
        (dst, name): (Option<RegId>, Option<&str>),
        builtin: Builtin,
        args: &[TermId],
        position: usize,
    ) -> Option<State> {
        let heap = name.unwrap_or("heap");
        match (builtin, args) {
            (Builtin::Malloc, [bytes]) => {
                let bytes = self.to_pointer_width(run.pool, *bytes);
                let is_possible = self.is_allocatable(run.pool, bytes);
                let state = match self.allocation(run, state, dst, is_possible, position) {
                    ControlFlow::Continue(state) => state,
                    ControlFlow::Break(failed) => return failed,
                };
                let sized = (bytes, HEAP_ALIGNMENT);
                let by = (Allocator::Malloc, heap);
                let (mut state, object) = self.malloc(run, state, sized, by);
                self.set_pointer(run.pool, &mut state, dst, object);
                Some(state)
            }
            (Builtin::AlignedAlloc | Builtin::New | Builtin::NewArray, [alignment, bytes]) => {
                let by = match builtin {
                    Builtin::New => Allocator::New,
                    Builtin::NewArray => Allocator::NewArray,
                    _ => Allocator::Malloc,
                };
                let alignment = run.pool.as_u64(*alignment);
                let Some(align) = alignment.filter(|align| align.is_power_of_two()) else {
                    let what = "allocation with an alignment that is not a constant power of two";
                    return self.unsupported(run, state, what);
                };
                let bytes = self.to_pointer_width(run.pool, *bytes);
                let is_possible = self.is_allocatable(run.pool, bytes);
                let state = if by == Allocator::Malloc {
                    match self.allocation(run, state, dst, is_possible, position) {
                        ControlFlow::Continue(state) => state,
                        ControlFlow::Break(failed) => return failed,
                    }
                } else {
                    // It would throw.
                    self.assume(run, state, is_possible)?
                };
                let sized = (bytes, align.max(HEAP_ALIGNMENT));
                let (mut state, object) = self.malloc(run, state, sized, (by, heap));
                self.set_pointer(run.pool, &mut state, dst, object);
                Some(state)
            }
            (Builtin::Calloc | Builtin::SystemCalloc, [count, bytes]) => {
                let by = match builtin {
                    Builtin::SystemCalloc => Allocator::System,
                    _ => Allocator::Malloc,
                };
                self.calloc(run, state, (dst, by, heap), [*count, *bytes], position)
            }
            (Builtin::Realloc, [pointer, bytes]) => {
                let bytes = self.to_pointer_width(run.pool, *bytes);
                self.realloc(run, state, (dst, heap), *pointer, bytes, position)
            }
            (Builtin::Free, [pointer]) => {
                let by = (Allocator::Malloc, None);
                self.free(run, state, *pointer, by, position)
            }
            (Builtin::SystemFree, [pointer]) => {
                let by = (Allocator::System, None);
                self.free(run, state, *pointer, by, position)
            }
            (Builtin::Delete, [pointer, bytes]) => {
                let by = (Allocator::New, Some(*bytes));
                self.free(run, state, *pointer, by, position)
            }
            (Builtin::DeleteArray, [pointer, bytes]) => {
                let by = (Allocator::NewArray, Some(*bytes));
                self.free(run, state, *pointer, by, position)
            }
            (Builtin::MemCopy | Builtin::MemCopyApart, [to, from, bytes]) => {
                let may_overlap = builtin == Builtin::MemCopy;
                self.copy(run, state, [*to, *from, *bytes], may_overlap, position)
            }
            (Builtin::MemSet, [to, byte, bytes]) => {
                self.fill(run, state, [*to, *byte, *bytes], position)
            }
            (Builtin::Uninit | Builtin::Unwritten, [pointer, bytes]) => {
                let is_unwritten = builtin == Builtin::Unwritten;
                let content = (name, is_unwritten);
                self.make_arbitrary(run, state, *pointer, content, *bytes, position)
            }
            (Builtin::ScopeBegin | Builtin::ScopeEnd, [pointer]) => {
                let (mut state, pointer) = self.resolve(run, state, *pointer, position - 1)?;
                state.memory.object_mut(pointer.object).alive = builtin == Builtin::ScopeBegin;
                Some(state)
            }
            (Builtin::Use, [bits]) => {
                self.end_use_by(run, &state, *bits);
                Some(state)
            }
            (Builtin::Pair, [one, other]) => self.pair(run, state, [*one, *other], position - 1),
            (Builtin::HasSize, [pointer, bytes]) => {
                let (state, pointer) = self.resolve(run, state, *pointer, position - 1)?;
                self.has_size(run, state, pointer, *bytes)
            }
            (Builtin::IsSymbolic, [value, answer]) => self.is_symbolic(run, state, *value, *answer),
            (Builtin::StackSave, []) => {
                let mut state = state;
                let depth = self.pointer_sized(run.pool, state.frame.allocas.len() as u64);
                if let Some(dst) = dst {
                    state.frame.set(dst, depth);
                }
                Some(state)
            }
            (Builtin::StackRestore, [token]) => {
                let mut state = state;
                let depth = run
                    .pool
                    .as_u64(*token)
                    .and_then(|depth| usize::try_from(depth).ok());
                let depth = depth.unwrap_or(state.frame.allocas.len());
                let allocas = Rc::make_mut(&mut state.frame.allocas);
                let later = allocas.split_off(depth.min(allocas.len()));
                for object in later {
                    give_back(run.pool, &mut state.frame, &state.memory, object);
                    state.memory.remove(object);
                }
                Some(state)
            }
            (
                Builtin::Malloc
                | Builtin::AlignedAlloc
                | Builtin::Calloc
                | Builtin::SystemCalloc
                | Builtin::Realloc
                | Builtin::Free
                | Builtin::SystemFree
                | Builtin::New
                | Builtin::NewArray
                | Builtin::Delete
                | Builtin::DeleteArray
                | Builtin::MemCopy
                | Builtin::MemCopyApart
                | Builtin::MemSet
                | Builtin::Uninit
                | Builtin::Unwritten
                | Builtin::ScopeBegin
                | Builtin::ScopeEnd
                | Builtin::StackSave
                | Builtin::StackRestore
                | Builtin::Use
                | Builtin::Pair
                | Builtin::HasSize
                | Builtin::IsSymbolic,
                _,
            ) => self.unsupported(
                run,
                state,
                "a memory operation with the wrong number of arguments",
            ),
        }
    }

    pub(super) fn unsupported(&self, run: &mut EdgeRun, state: State, what: &str) -> Option<State> {
        let end = PathEnd::Unsupported(what.to_owned(), run.span);
        run.end(state, end);
        None
    }

    pub(super) fn to_pointer_width(&self, pool: &mut TermPool, value: TermId) -> TermId {
        let bits = self.program.pointer_bits;
        if pool.width(value) > bits {
            pool.cast(CastOp::Trunc, bits, value)
        } else {
            pool.cast(CastOp::ZExt, bits, value)
        }
    }

    fn set_pointer(
        &self,
        pool: &TermPool,
        state: &mut State,
        dst: Option<RegId>,
        object: ObjectId,
    ) {
        if let Some(dst) = dst {
            state.frame.set(dst, pool.symbol_term(object));
        }
    }

    /// The state in which an allocation succeeds, as it does wherever it is possible. Where it may be
    /// impossible, the state in which it gives null executes the action again; where it is for sure, that is
    /// the state behind it.
    fn allocation(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        dst: Option<RegId>,
        is_possible: TermId,
        position: usize,
    ) -> ControlFlow<Option<State>, State> {
        if run.pool.is_true(is_possible) {
            return ControlFlow::Continue(state);
        }
        let is_impossible = run.pool.not(is_possible);
        let admission = (run.oracle).admits(run.pool, &state.path_cond, is_impossible);
        if admission == Admission::Infeasible {
            state.path_cond.assume(run.pool, is_possible);
            return ControlFlow::Continue(state);
        }
        let mut failed = state.clone();
        failed.path_cond.assume(run.pool, is_impossible);
        let failed = if admission == Admission::Feasible {
            Some(failed)
        } else {
            run.end(failed, PathEnd::Undecided(run.span));
            None
        };
        if let Some(state) = self.assume(run, state, is_possible) {
            run.pending
                .extend(failed.map(|failed| (failed, position - 1)));
            return ControlFlow::Continue(state);
        }
        ControlFlow::Break(failed.map(|mut failed| {
            if let Some(dst) = dst {
                failed.frame.set(dst, self.pointer_sized(run.pool, 0));
            }
            failed
        }))
    }

    /// A heap object with arbitrary content, which is an input, of so many bytes and at a multiple
    /// of a power of two; what gives it, and its name.
    fn malloc(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        (bytes, align): (TermId, u64),
        (by, name): (Allocator, &str),
    ) -> (State, ObjectId) {
        let content = Arbitrary::new(name.to_owned());
        let size = run.pool.as_u64(bytes);
        self.note_unwritten_content(run.pool, &content, size);
        let given = self
            .next_given(&state)
            .and_then(|given| given.content(size));
        state.inputs.push_front_mut(InputEvent::Memory {
            bytes,
            content: content.clone(),
            address: None,
            site: run.site,
        });
        let base = given.unwrap_or(Base::Arbitrary(content));
        let object = self.allocate(
            run.pool,
            &mut state,
            name,
            (bytes, align),
            (ObjectKind::Heap(by), run.span),
            base,
        );
        (state, object)
    }

    fn calloc(
        &self,
        run: &mut EdgeRun,
        state: State,
        (dst, by, name): (Option<RegId>, Allocator, &str),
        [count, bytes]: [TermId; 2],
        position: usize,
    ) -> Option<State> {
        // In twice the width the product does not wrap around.
        let bits = self.program.pointer_bits;
        let count = run.pool.cast(CastOp::ZExt, 2 * bits, count);
        let bytes = run.pool.cast(CastOp::ZExt, 2 * bits, bytes);
        let product = run.pool.mul(count, bytes);
        let bytes = run.pool.cast(CastOp::Trunc, bits, product);
        let exact = run.pool.cast(CastOp::ZExt, 2 * bits, bytes);
        let fits = run.pool.eq(exact, product);
        let is_allocatable = self.is_allocatable(run.pool, bytes);
        let is_possible = run.pool.and(fits, is_allocatable);
        let mut state = match self.allocation(run, state, dst, is_possible, position) {
            ControlFlow::Continue(state) => state,
            ControlFlow::Break(failed) => return failed,
        };
        let object = self.allocate(
            run.pool,
            &mut state,
            name,
            (bytes, HEAP_ALIGNMENT),
            (ObjectKind::Heap(by), run.span),
            Base::Zero,
        );
        self.set_pointer(run.pool, &mut state, dst, object);
        Some(state)
    }

    fn realloc(
        &self,
        run: &mut EdgeRun,
        state: State,
        (dst, name): (Option<RegId>, &str),
        pointer: TermId,
        bytes: TermId,
        position: usize,
    ) -> Option<State> {
        let is_possible = self.is_allocatable(run.pool, bytes);
        let (state, old) = self.freed(run, state, pointer, position - 1)?;
        let Some(old) = old else {
            let by = (Allocator::Malloc, name);
            let state = match self.allocation(run, state, dst, is_possible, position) {
                ControlFlow::Continue(state) => state,
                ControlFlow::Break(failed) => return failed,
            };
            let (mut state, object) = self.malloc(run, state, (bytes, HEAP_ALIGNMENT), by);
            self.set_pointer(run.pool, &mut state, dst, object);
            return Some(state);
        };
        let zero = self.pointer_sized(run.pool, 0);
        let is_nothing = run.pool.eq(bytes, zero);
        let mut state = state;
        if self.follows_blocks {
            let what = "realloc to no bytes, which frees the block in some C libraries";
            let end = PathEnd::Unsupported(what.to_owned(), run.span);
            state = self.exclude(run, state, is_nothing, end)?;
        } else if !run.pool.is_false(is_nothing) {
            let is_something = run.pool.not(is_nothing);
            let other = self.assume(run, state.clone(), is_something);
            if let Some(mut state) = self.assume(run, state, is_nothing) {
                // As the platform's library does it.
                run.pending.extend(other.map(|other| (other, position - 1)));
                if let Some(dst) = dst {
                    state.frame.set(dst, zero);
                }
                let by = (Allocator::Malloc, None);
                return self.free(run, state, pointer, by, position);
            }
            state = other?;
        }
        let state = self.check_freeable(run, state, old, (Allocator::Malloc, None))?;
        let state = match self.allocation(run, state, dst, is_possible, position) {
            ControlFlow::Continue(state) => state,
            ControlFlow::Break(failed) => return failed,
        };
        let old_bytes = state
            .memory
            .object(old.object)
            .map(|object| object.info.bytes);
        let old_bytes = old_bytes.expect("a resolved object is in memory");
        let shrinks = run.pool.ult(bytes, old_bytes);
        let kept = run.pool.ite(shrinks, bytes, old_bytes);
        let by = (Allocator::Malloc, name);
        let (mut state, object) = self.malloc(run, state, (bytes, HEAP_ALIGNMENT), by);
        let start = self.pointer_sized(run.pool, 0);
        let to = Pointer {
            object,
            offset: start,
        };
        self.copy_bytes(run.pool, &mut state, to, old, kept);
        state.memory.object_mut(old.object).alive = false;
        self.set_pointer(run.pool, &mut state, dst, object);
        Some(state)
    }

    /// Frees a block in the way that fits blocks of one allocator. A size that is told has to be that of the block;
    /// all ones tell none.
    fn free(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
        by: (Allocator, Option<TermId>),
        position: usize,
    ) -> Option<State> {
        let (state, pointer) = self.freed(run, state, pointer, position - 1)?;
        let Some(pointer) = pointer else {
            return Some(state);
        };
        let mut state = self.check_freeable(run, state, pointer, by)?;
        state.memory.object_mut(pointer.object).alive = false;
        Some(state)
    }

    /// Ends where two pointers are to different objects. Null is in no object, and is compared with any pointer.
    fn pair(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointers: [TermId; 2],
        again: usize,
    ) -> Option<State> {
        let [one, other] = pointers;
        let (state, one) = self.part_of(run, state, one, again)?;
        let (state, other) = self.part_of(run, state, other, again)?;
        if [one, other]
            .iter()
            .any(|part| is_near_null(run.pool, *part))
        {
            return Some(state);
        }
        let targets = [one, other].map(|part| Pointer::resolve(run.pool, &state.memory, part));
        let end = match targets {
            [Some(one), Some(other)] if one.object == other.object => return Some(state),
            [Some(_), Some(_)] => PathEnd::Fault(MemoryFault::OtherObject, run.span),
            _ => {
                let what = "comparison of a pointer of unknown origin".to_owned();
                run.end(state.clone(), PathEnd::Unsupported(what, run.span));
                return Some(state);
            }
        };
        run.end(state, end);
        None
    }

    /// Continues where the object of a pointer has so many bytes. A pointer that is not to the start of an object
    /// is an error for KLEE, of a kind that no sanitizer confirms.
    fn has_size(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: Pointer,
        bytes: TermId,
    ) -> Option<State> {
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        let (size, is_alive) = (object.info.bytes, object.alive);
        if object.info.kind == ObjectKind::Function || !is_alive {
            let what = "size of an address outside of live memory";
            return self.unsupported(run, state, what);
        }
        let zero = self.pointer_sized(run.pool, 0);
        let is_inside = run.pool.ne(pointer.offset, zero);
        let what = "size of memory by a pointer that does not point to its start".to_owned();
        let end = PathEnd::Unsupported(what, run.span);
        let state = self.exclude(run, state, is_inside, end)?;
        let holds = run.pool.eq(size, bytes);
        self.assume(run, state, holds)
    }

    /// A value is symbolic if it depends on inputs. That is told of one path from the program's start: not where a
    /// step stands for many paths, and not where inputs are given.
    fn is_symbolic(
        &self,
        run: &mut EdgeRun,
        state: State,
        value: TermId,
        answer: TermId,
    ) -> Option<State> {
        // Addresses are unknown numbers, not inputs.
        let symbols = run.pool.symbols_of(value);
        let symbols = symbols.iter().copied();
        let symbols: Vec<SymbolId> = symbols
            .filter(|symbol| !run.pool.symbol_name(*symbol).starts_with('&'))
            .collect();
        let is_symbolic = !symbols.is_empty();
        let is_one_path = state.decisions.iter().all(|one| one.sides().is_none());
        let inputs = inputs_read(run.pool, &state);
        let is_told = is_one_path && symbols.iter().all(|symbol| inputs.contains(symbol));
        if self.has_given_inputs() || is_symbolic && !is_told {
            let what = "klee_is_symbolic of a value that stands for several paths";
            return self.unsupported(run, state, what);
        }
        let told = self.pointer_sized(run.pool, is_symbolic.into());
        let holds = run.pool.eq(answer, told);
        self.assume(run, state, holds)
    }

    /// Ends the part of a state in which the pointer is not the start of a block, and all of it where the
    /// block was freed before, or is another allocator's.
    fn check_freeable(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: Pointer,
        (by, told): (Allocator, Option<TermId>),
    ) -> Option<State> {
        let object = state
            .memory
            .object(pointer.object)
            .expect("a resolved object is in memory");
        let (kind, bytes, is_alive) = (object.info.kind, object.info.bytes, object.alive);
        let ObjectKind::Heap(allocator) = kind else {
            let end = PathEnd::Fault(MemoryFault::InvalidFree, run.span);
            run.end(state, end);
            return None;
        };
        let zero = self.pointer_sized(run.pool, 0);
        let is_inside = run.pool.ne(pointer.offset, zero);
        let invalid = PathEnd::Fault(MemoryFault::InvalidFree, run.span);
        let state = self.exclude(run, state, is_inside, invalid)?;
        if !is_alive {
            let end = PathEnd::Fault(MemoryFault::DoubleFree, run.span);
            run.end(state, end);
            return None;
        }
        let mismatch = PathEnd::Fault(MemoryFault::MismatchedFree, run.span);
        if !allocator.fits(by) {
            let is_of_system = allocator == Allocator::System || by == Allocator::System;
            let invalid = PathEnd::Fault(MemoryFault::InvalidFree, run.span);
            run.end(state, if is_of_system { invalid } else { mismatch });
            return None;
        }
        let unknown = self.pointer_sized(run.pool, u64::MAX);
        match told.filter(|told| *told != unknown) {
            Some(told) => {
                let differs = run.pool.ne(told, bytes);
                self.exclude(run, state, differs, mismatch)
            }
            None => Some(state),
        }
    }
}

/// The symbols that stand for inputs which a path has read one by one.
fn inputs_read(pool: &mut TermPool, state: &State) -> BTreeSet<SymbolId> {
    let mut read = BTreeSet::new();
    for event in noted_by_any(&state.inputs) {
        match event {
            InputEvent::Value { term, .. } => read.extend(pool.symbols_of(*term).iter()),
            InputEvent::Memory { content, .. } => {
                read.extend(content.symbol().map(|(symbol, _)| symbol));
            }
            InputEvent::Iterations { .. } | InputEvent::Either(_) => {}
        }
    }
    read
}
