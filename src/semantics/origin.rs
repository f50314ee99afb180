//! Accesses through pointers of unknown origin: objects that come into being when they are used.
//!
//! A value that the program read from outside, or never assigned, may be any pointer. An access
//! through it ends the path as not supported, which keeps the verdict from being *unreachable*,
//! and goes on besides in the case that the value points into an object of its own: arbitrary
//! content that no other pointer of the program leads to.
//!
//! ```text
//! value v --> path ended: not supported
//!        \--> v = constant address, &object = that address − half of its size
//! ```
//!
//! A value that is no pointer, whatever the program read (a number, or an index times a size: a null pointer with an
//! offset), ends the path. Below [`LOWEST_ADDRESS`] it traps as the null pointer does.
//!
//! The address is a constant, so that a native run can put such an object there before the program
//! starts; the object is then an input like any other.
//!
//! # Deliberately absent
//! No pointers into known objects, nor to functions. No claim that the object is there: what holds
//! only if it is not can not be found out in this way.
//!
//! # Source
//! Khurshid, Păsăreanu, Visser, *Generalized Symbolic Execution for Model Checking and Testing*,
//! TACAS 2003 (lazy initialisation); Ramos, Engler, *Under-Constrained Symbolic Execution*,
//! USENIX Security 2015. Both let such a pointer be null or an alias too.

use super::input::InputEvent;
use super::machine::Machine;
use super::state::State;
use super::step::{EdgeRun, MemoryFault, PathEnd};
use crate::flowgraph::Span;
use crate::memory::{Arbitrary, Base, LOWEST_ADDRESS, Memory, ObjectKind, Pointer};
use crate::term::{CmpOp, Term, TermId, TermPool};

/// The size of an object, of which nothing is known: what a program reaches by a pointer is
/// smaller, in both directions, since the pointer may be to a member of something larger.
const OBJECT_BYTES: u64 = 1 << 16;
/// Where the first object lies: Linux puts programs and libraries elsewhere.
const FIRST_ADDRESS: u64 = 0x2000_0000;
/// The same in programs of 32 bits, where AddressSanitizer has its shadow memory below.
const FIRST_ADDRESS_OF_32_BITS: u64 = 0x4000_0000;
/// How far apart two objects lie.
const DISTANCE: u64 = 1 << 20;
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
            self.end_at_number(run, state, pointer, what);
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

    /// Ends the path, which accesses what is no pointer.
    fn end_at_number(&self, run: &mut EdgeRun, state: State, number: TermId, what: String) {
        let span = run.span;
        if !run.pool.is_const(number) {
            let lowest = self.pointer_sized(run.pool, LOWEST_ADDRESS);
            let near = run.pool.compare(CmpOp::Ult, number, lowest);
            if let Some(null) = self.assume(run, state.clone(), near) {
                run.end(null, PathEnd::Fault(MemoryFault::NullPointer, span));
            }
            let far = run.pool.not(near);
            if let Some(other) = self.assume(run, state, far) {
                run.end(other, PathEnd::Unsupported(what, span));
            }
            return;
        }
        run.end(state, PathEnd::Unsupported(what, span));
    }
}

/// What an access at a value is that no part of can be a pointer; `None` of others.
fn number_in_words(pool: &TermPool, memory: &Memory, value: TermId) -> Option<String> {
    if let Some(number) = pool.as_u64(value) {
        return Some(format!(
            "access at {number:#x}, which is a null pointer with an offset, or an integer"
        ));
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
