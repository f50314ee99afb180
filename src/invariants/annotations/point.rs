//! Program points, and symbols for the registers there.

use super::Map;
use flowgraph::{FunctionId, RegId};
use semantics::{Frame, Location, Machine, State};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, Substitution, SymbolId, TermId, TermPool};

/// Where a caller goes on, and the register for the result.
type Return = (Location, Option<RegId>);

/// A location in a context of calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    pub location: Location,
    /// Where the callers go on, the innermost first.
    returns: Rc<[Return]>,
}

impl Point {
    /// That of a state; `None` where frames of it are folded.
    pub fn of(state: &State) -> Option<Point> {
        let mut returns = Vec::new();
        for frame in std::iter::once(&state.frame).chain(state.callers.iter()) {
            if frame.folded.is_some() {
                return None;
            }
            returns.extend(frame.return_to);
        }
        Some(Point {
            location: state.location,
            returns: returns.into(),
        })
    }

    /// How many calls are around it.
    pub fn level(&self) -> usize {
        self.returns.len()
    }

    /// Where the frame of this level is, if the point is in it or in a call from it, in the same
    /// context as `other`, whose innermost frame has the level.
    pub fn within(&self, other: &Point) -> Option<Location> {
        let deeper = self.level().checked_sub(other.level())?;
        if self.returns[deeper..] != other.returns[..] {
            return None;
        }
        let location = match deeper.checked_sub(1) {
            None => self.location,
            Some(caller) => self.returns[caller].0,
        };
        (location.function == other.location.function).then_some(location)
    }
}

/// A symbol for each register of each frame of a point; frames of the same function at the same level
/// share them.
#[derive(Default)]
pub(super) struct Registers {
    frames: Map<(usize, FunctionId), Frame>,
    /// The frame, counted from that of `main`, and the register.
    places: Map<SymbolId, (usize, RegId)>,
    /// Symbols for what is read behind a point.
    read: BTreeSet<SymbolId>,
}

impl Registers {
    /// The state of a point whose registers hold anything, with nothing in memory.
    pub fn general(&mut self, machine: &Machine, pool: &mut TermPool, point: &Point) -> State {
        let mut state = machine.state_at_entry(point.location.function);
        state.location = point.location;
        let mut frames = Vec::new();
        let mut function = point.location.function;
        let mut level = point.level();
        for return_to in &*point.returns {
            let mut frame = self.frame(machine, pool, level, function);
            frame.return_to = Some(*return_to);
            frames.push(frame);
            function = return_to.0.function;
            level -= 1;
        }
        frames.push(self.frame(machine, pool, level, function));
        let mut frames = frames.into_iter();
        if let Some(frame) = frames.next() {
            state.frame = frame;
        }
        for caller in frames.rev() {
            state.callers.push_front_mut(caller);
        }
        state
    }

    fn frame(
        &mut self,
        machine: &Machine,
        pool: &mut TermPool,
        level: usize,
        function: FunctionId,
    ) -> Frame {
        if let Some(frame) = self.frames.get(&(level, function)) {
            return frame.clone();
        }
        let data = machine.program.function(function);
        let mut frame = machine.state_at_entry(function).frame;
        for reg in data.reg_ids() {
            let symbol = pool.symbol(&data.reg(reg).name, Sort::Bv(data.reg(reg).bits));
            self.places.insert(symbol, (level, reg));
            frame.set(reg, pool.symbol_term(symbol));
        }
        self.frames.insert((level, function), frame.clone());
        frame
    }

    /// A condition on the registers of a state's point, of the state's values.
    pub fn instance(&self, pool: &mut TermPool, condition: TermId, state: &State) -> TermId {
        let mut frames: Vec<&Frame> = vec![&state.frame];
        frames.extend(state.callers.iter());
        frames.reverse();
        let mut values = Values {
            places: &self.places,
            frames,
        };
        pool.substitute(condition, &mut values)
    }

    /// Notes that a symbol stands for what is read behind a point.
    pub fn note_read(&mut self, symbols: &[SymbolId]) {
        self.read.extend(symbols);
    }

    /// Whether a condition mentions nothing that is read behind its point.
    pub fn is_about_state(&self, pool: &mut TermPool, condition: TermId) -> bool {
        let symbols = pool.symbols_of(condition);
        !symbols.iter().any(|symbol| self.read.contains(symbol))
    }
}

/// The values of a state, for the symbols of its registers.
struct Values<'a> {
    places: &'a Map<SymbolId, (usize, RegId)>,
    /// That of `main` first.
    frames: Vec<&'a Frame>,
}

impl Substitution for Values<'_> {
    fn symbol(&mut self, _: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        let (level, reg) = self.places.get(&symbol)?;
        Some(self.frames[*level].get(*reg))
    }
}
