//! Accesses through pointers of unknown origin: objects that are created on first use (lazy initialisation).
//!
//! A value that the program read from outside, or never assigned, may be any pointer. An access through it
//! ends one path as not supported, which excludes the verdict *unreachable*, and continues on another path on
//! which the value points into a separate object with arbitrary content, which no other pointer of the
//! program refers to.
//!
//! ```text
//! value v --> path ended: not supported
//!        |--> v is null, or else is no address: path ended by a fault
//!        \--> v = constant address, &object = that address − half of its size
//! ```
//!
//! A value that cannot be a pointer, whatever the program read (a number, or an index times a size: a null
//! pointer with an offset), ends the path. If it is [no address](addresses) it traps like the null pointer.
//! Below [`USUAL_LOWEST`] it traps unless the program requested memory there, which the replay shows.
//!
//! The address is a constant, so that a native run can put such an object there before the program
//! starts; the object is then an input like any other.
//!
//! # Deliberately absent
//! No pointers into known objects, nor to functions. No claim that the object exists: facts that hold only if
//! it does not exist cannot be found in this way.
//!
//! # Source
//! Khurshid, Păsăreanu, Visser, *Generalized Symbolic Execution for Model Checking and Testing*,
//! TACAS 2003 (lazy initialisation); Ramos, Engler, *Under-Constrained Symbolic Execution*,
//! USENIX Security 2015. Both let such a pointer be null or an alias too.

use super::input::InputEvent;
use super::machine::Machine;
use super::state::{State, noted_by_any};
use super::step::{EdgeRun, MemoryFault, PathEnd};
use flowgraph::Span;
use memory::{
    Arbitrary, Base, LOWEST_ADDRESS, Memory, Object, ObjectId, ObjectKind, Pointer, USUAL_LOWEST,
    addresses,
};
use term::{CmpOp, SymbolId, Term, TermId, TermPool};

/// The size of an object, of which nothing is known: what a program reaches by a pointer is
/// smaller, in both directions, since the pointer may be to a member of something larger.
const OBJECT_BYTES: u64 = 1 << 16;
/// Where the first object lies: Linux puts programs and libraries elsewhere.
const FIRST_ADDRESS: u64 = 0x2000_0000;
/// The same in programs of 32 bits, where AddressSanitizer has its shadow memory below.
const FIRST_ADDRESS_OF_32_BITS: u64 = 0x4000_0000;
/// How far apart two objects lie.
const DISTANCE: u64 = 1 << 20;
/// What is open where a value is freed that may be the address of a block.
const FREE_OF_VALUE: &str = "free of a pointer of unknown origin";
/// No path gets more objects; all fit below the addresses of a 32-bit program.
const MOST_OBJECTS: u64 = 256;

impl Machine<'_> {
    /// An access through a pointer that resolves to nothing.
    pub(super) fn resolve_unknown(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
    ) -> Option<(State, Pointer)> {
        if let Some(what) = number_in_words(run.pool, &state.memory, pointer) {
            self.end_at_number(run, &state, pointer, what);
            return None;
        }
        let what = "access through a pointer of unknown origin".to_owned();
        let end = PathEnd::Unsupported(what, run.span);
        let value = Pointer::unknown_origin(run.pool, &state.memory, pointer)
            .filter(|value| run.pool.is_closed(*value));
        let number = state.memory.n_targets() as u64;
        let Some(value) = value.filter(|_| run.oracle.makes_objects() && number < MOST_OBJECTS)
        else {
            run.end(state, end);
            return None;
        };
        if !self.is_no_null(run.pool, &state, value)
            && !self.end_below(run, &state, pointer, LOWEST_ADDRESS)
        {
            self.end_above(run, &state, pointer);
        }
        // Even where the value can be nothing else: that an object is there is not known.
        run.end(state.clone(), end);
        let first = match self.program.pointer_bits {
            32 => FIRST_ADDRESS_OF_32_BITS,
            _ => FIRST_ADDRESS,
        };
        let address = first + number * DISTANCE;
        let middle = self.pointer_sized(run.pool, OBJECT_BYTES / 2);
        let pointed = self.pointer_sized(run.pool, address + OBJECT_BYTES / 2);
        let points = run.pool.eq(value, pointed);
        let mut state = self.assume(run, state, points)?;
        let name = format!("object at {address:#x}");
        let bytes = self.pointer_sized(run.pool, OBJECT_BYTES);
        let content = Arbitrary::new(name.clone());
        state.inputs.push_front_mut(InputEvent::Memory {
            bytes,
            content: content.clone(),
            address: Some(address),
            site: run.site,
        });
        let base = Base::Arbitrary(content);
        let kind = (ObjectKind::Foreign, Span::UNKNOWN);
        let object = self.allocate(run.pool, &mut state, &name, (bytes, 1), kind, base);
        let start = run.pool.symbol_term(object);
        let address = self.pointer_sized(run.pool, address);
        let lies = run.pool.eq(start, address);
        state.path_cond.assume(run.pool, lies);
        let target = Pointer {
            object,
            offset: middle,
        };
        state.memory.set_target(value, target);
        let beyond = run.pool.sub(pointer, value);
        let offset = run.pool.add(middle, beyond);
        Some((state, Pointer { object, offset }))
    }

    /// Whether a value is not taken to be null: it is made of the address of an object, or was read from what the
    /// arguments of an entry function point to, where no pointer is null.
    fn is_no_null(&self, pool: &mut TermPool, state: &State, value: TermId) -> bool {
        let symbols = pool.symbols_of(value);
        let is_object = |symbol: &SymbolId| state.memory.object(*symbol).is_some();
        symbols.iter().any(is_object) || self.is_promised(pool, state, value)
    }

    /// Whether a value was read from what the arguments of an entry function point to: such memory is made at no place
    /// of the source.
    fn is_promised(&self, pool: &mut TermPool, state: &State, value: TermId) -> bool {
        let symbols = pool.symbols_of(value);
        noted_by_any(&state.inputs).into_iter().any(|event| {
            let InputEvent::Memory {
                content,
                address,
                site,
                ..
            } = event
            else {
                return false;
            };
            let is_read = |(symbol, _)| symbols.contains(&symbol);
            if !content.symbol().is_some_and(is_read) {
                return false;
            }
            if address.is_none() {
                let step = site.step(self.program);
                return step.is_some_and(|step| step.span.line == 0);
            }
            // What it points to in turn.
            let is_behind = |target: &Pointer| {
                let object = state.memory.object(target.object);
                object.is_some_and(|object| object.info.name == content.name)
            };
            let mut behind = state
                .memory
                .targets()
                .filter(|(_, target)| is_behind(target));
            behind.any(|(pointer, _)| pointer != value && self.is_promised(pool, state, pointer))
        })
    }

    /// Ends the path, which accesses what is no pointer.
    fn end_at_number(&self, run: &mut EdgeRun, state: &State, number: TermId, what: String) {
        self.end_below(run, state, number, USUAL_LOWEST);
        self.end_above(run, state, number);
        let known = addresses(self.program.pointer_bits);
        let [lowest, end] = [known.start, known.end].map(|at| self.pointer_sized(run.pool, at));
        let is_above = run.pool.compare(CmpOp::Uge, number, lowest);
        let is_below = run.pool.ult(number, end);
        let is_address = run.pool.and(is_above, is_below);
        self.end_where(run, state, is_address, |span| {
            PathEnd::Unsupported(what, span)
        });
    }

    /// Ends the part of a state in which an access is at an address below this one: through the null pointer, with an
    /// offset or without. Whether there is one.
    fn end_below(&self, run: &mut EdgeRun, state: &State, address: TermId, lowest: u64) -> bool {
        let lowest = self.pointer_sized(run.pool, lowest);
        let is_near = run.pool.ult(address, lowest);
        let end = |span| PathEnd::Fault(MemoryFault::NullPointer, span);
        self.end_where(run, state, is_near, end)
    }

    /// Ends the part of a state in which an access is above all addresses. Whether there is one.
    fn end_above(&self, run: &mut EdgeRun, state: &State, address: TermId) -> bool {
        let end = addresses(self.program.pointer_bits).end;
        let end = self.pointer_sized(run.pool, end);
        let is_far = run.pool.compare(CmpOp::Uge, address, end);
        let end = |span| PathEnd::Fault(MemoryFault::NoAddress, span);
        self.end_where(run, state, is_far, end)
    }

    fn end_where(
        &self,
        run: &mut EdgeRun,
        state: &State,
        condition: TermId,
        end: impl FnOnce(Span) -> PathEnd,
    ) -> bool {
        if run.pool.is_false(condition) {
            return false;
        }
        let Some(state) = self.assume(run, state.clone(), condition) else {
            return false;
        };
        let end = end(run.span);
        run.end(state, end);
        true
    }

    /// The pointer that is freed, or `None` where it is null. Of a value without provenance that is not null, the
    /// path ends: each is a bad free, unless it is the address of a block.
    pub(super) fn freed(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
        again: usize,
    ) -> Option<(State, Option<Pointer>)> {
        let (state, value) = self.part_of(run, state, pointer, again)?;
        if let Some(pointer) = Pointer::resolve(run.pool, &state.memory, value) {
            return Some((state, Some(pointer)));
        }
        if run.pool.as_u64(value) == Some(0) {
            return Some((state, None));
        }
        if !run.oracle.makes_objects() {
            // Not all blocks are known.
            run.end(
                state,
                PathEnd::Unsupported(FREE_OF_VALUE.to_owned(), run.span),
            );
            return None;
        }
        let null = self.pointer_sized(run.pool, 0);
        let is_null = run.pool.eq(value, null);
        let is_other = run.pool.not(is_null);
        let other = self.assume(run, state.clone(), is_other);
        if let Some(null) = self.assume(run, state, is_null) {
            run.pending.extend(other.map(|other| (other, again)));
            return Some((null, None));
        }
        self.end_free_of_value(run, &other?, value);
        None
    }

    /// Ends a path that frees what is not known to be a pointer.
    fn end_free_of_value(&self, run: &mut EdgeRun, state: &State, value: TermId) {
        let is_block =
            |object: &Object| object.alive && matches!(object.info.kind, ObjectKind::Heap(_));
        let objects = state.memory.objects();
        let blocks: Vec<ObjectId> = objects
            .filter(|(_, object)| is_block(object))
            .map(|(id, _)| id)
            .collect();
        let mut is_some = TermId::FALSE;
        for block in blocks {
            let start = run.pool.symbol_term(block);
            let is_this = run.pool.eq(value, start);
            is_some = run.pool.or(is_some, is_this);
        }
        let is_none = run.pool.not(is_some);
        let bad = |span| PathEnd::Fault(MemoryFault::InvalidFree, span);
        self.end_where(run, state, is_none, bad);
        let open = |span| PathEnd::Unsupported(FREE_OF_VALUE.to_owned(), span);
        self.end_where(run, state, is_some, open);
    }
}

/// What an access at a value is that no part of can be a pointer; `None` of others.
fn number_in_words(pool: &TermPool, memory: &Memory, value: TermId) -> Option<String> {
    if let Some(number) = pool.as_u64(value) {
        let of_what = if number < USUAL_LOWEST {
            "which is a null pointer with an offset, or an integer"
        } else {
            "an address of the platform"
        };
        return Some(format!("access at {number:#x}, {of_what}"));
    }
    let is_address = |part: TermId| {
        let symbol = pool.as_symbol(part);
        symbol.is_some_and(|symbol| memory.object(symbol).is_some())
    };
    let is_number = match pool.linear_terms(value) {
        Some(parts) => (parts.iter())
            .all(|(times, part)| (*times != 1 || is_from_table(pool, *part)) && !is_address(*part)),
        None => is_from_table(pool, value),
    };
    is_number
        .then(|| "access through a null pointer with an index, or through an integer".to_owned())
}

/// Whether a value is made of what was looked up in tables of numbers, as in a constant array: the
/// addresses among its entries are stored above the table.
fn is_from_table(pool: &TermPool, value: TermId) -> bool {
    match pool.view(value) {
        Term::Select(array, _) => matches!(pool.view(array), Term::Table(_)),
        Term::Concat { high, low } => [high, low]
            .into_iter()
            .all(|part| pool.is_const(part) || is_from_table(pool, part)),
        Term::Cast(_, part) | Term::Extract { of: part, .. } => is_from_table(pool, part),
        _ => false,
    }
}
