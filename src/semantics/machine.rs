//! The program in memory: addresses of globals and functions, the initial state.

use super::input::{GivenInput, GivenInputs, InputEvent};
use super::state::{Frame, Location, PathCondition, State};
use super::unwritten::Unwritten;
use flowgraph::{
    BitSet, Expr, FunctionId, GlobalId, GoalId, Initializer, Program, RegId, Span, Stack, Storage,
};
use indexmap::IndexMap;
use memory::{Arbitrary, Base, Memory, Object, ObjectId, ObjectInfo, ObjectKind, addresses};
use rustc_hash::FxBuildHasher;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use term::{BinOp, Sort, TermId, TermPool};

/// The effect of accesses out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Accesses {
    /// They end there, by a fault.
    #[default]
    Checked,
    /// They are left out: every access that is made is in bounds.
    AssumedInBounds,
}

/// A program with the address symbols of its globals and functions.
pub struct Machine<'p> {
    pub program: &'p Program,
    /// Default: accesses are checked.
    pub accesses: Accesses,
    /// Whether variables stay known that are pointed to after their function has returned, so that
    /// accesses to them are told from accesses to anything. Default: no.
    pub keeps_dangling: bool,
    /// Whether it matters which blocks of the heap are alive, so that states that differ in that are
    /// told apart. Default: no.
    pub follows_blocks: bool,
    /// The stack, at whose end executions fault. Default: it has none.
    pub stack: Option<Stack>,
    /// The most of it that an execution had in use so far, at least; [`u64::MAX`] where calls were not counted.
    pub deepest: Cell<u64>,
    /// Uninitialised values, if their uses are checked. Default: they are not.
    pub(super) unwritten: Option<Unwritten>,
    /// Inputs that are known. Default: none.
    given: Option<GivenInputs>,
    globals: Vec<ObjectId>,
    functions: Vec<ObjectId>,
    function_at: IndexMap<ObjectId, FunctionId, FxBuildHasher>,
    /// For each function its registers before anything is assigned: zeros of their widths, since
    /// behind a template, which leaves out what is dead, the program may still compute with them.
    unassigned: Vec<Rc<Vec<TermId>>>,
    /// The goals of coverage that paths are to tell of. Default: none.
    open_goals: RefCell<BitSet>,
    /// Actions executed so far, by all states.
    pub n_actions: Cell<u64>,
}

impl<'p> Machine<'p> {
    /// Makes the address symbols.
    #[must_use]
    pub fn new(pool: &mut TermPool, program: &'p Program) -> Machine<'p> {
        let bits = program.pointer_bits;
        let globals: Vec<ObjectId> = program
            .globals
            .iter()
            .map(|global| address_symbol(pool, bits, &global.name, global.align))
            .collect();
        let functions: Vec<ObjectId> = program
            .functions
            .iter()
            .map(|function| address_symbol(pool, bits, &function.name, 1))
            .collect();
        let function_at = (0..)
            .map(FunctionId)
            .zip(&functions)
            .map(|(id, object)| (*object, id))
            .collect();
        let unassigned = program
            .functions
            .iter()
            .map(|function| {
                let zeros = function.regs.iter().map(|reg| pool.bv(reg.bits, 0));
                Rc::new(zeros.collect())
            })
            .collect();
        Machine {
            program,
            accesses: Accesses::default(),
            keeps_dangling: false,
            follows_blocks: false,
            stack: None,
            deepest: Cell::new(0),
            unwritten: None,
            given: None,
            globals,
            functions,
            function_at,
            unassigned,
            open_goals: RefCell::new(BitSet::new(0)),
            n_actions: Cell::new(0),
        }
    }

    /// The same machine with another meaning of accesses out of bounds.
    #[must_use]
    pub fn with_accesses(self, accesses: Accesses) -> Machine<'p> {
        Machine { accesses, ..self }
    }

    /// The same machine with variables kept that are pointed to after their function has returned.
    #[must_use]
    pub fn keeping_dangling(self, keeps_dangling: bool) -> Machine<'p> {
        Machine {
            keeps_dangling,
            ..self
        }
    }

    /// The same machine with states told apart by which blocks of the heap are alive.
    #[must_use]
    pub fn following_blocks(self, follows_blocks: bool) -> Machine<'p> {
        Machine {
            follows_blocks,
            ..self
        }
    }

    /// The same machine with a stack that has an end.
    #[must_use]
    pub fn with_stack(self, stack: Option<Stack>) -> Machine<'p> {
        Machine { stack, ..self }
    }

    /// The same machine that ends executions which use what they have not written.
    #[must_use]
    pub fn finding_unwritten(self, finds: bool) -> Machine<'p> {
        Machine {
            unwritten: finds.then(Unwritten::default),
            ..self
        }
    }

    /// The same machine for executions with these inputs only.
    #[must_use]
    pub fn with_inputs(self, given: Option<GivenInputs>) -> Machine<'p> {
        Machine { given, ..self }
    }

    /// The same machine, whose paths tell of these goals of coverage.
    #[must_use]
    pub fn with_open_goals(self, open_goals: BitSet) -> Machine<'p> {
        Machine {
            open_goals: RefCell::new(open_goals),
            ..self
        }
    }

    /// Whether paths are to tell of this goal.
    #[must_use]
    pub fn is_open_goal(&self, goal: GoalId) -> bool {
        self.open_goals.borrow().contains(goal.index())
    }

    /// How many goals paths are to tell of; goals are closed, and none is opened again.
    #[must_use]
    pub fn n_open_goals(&self) -> usize {
        self.open_goals.borrow().len()
    }

    /// Paths need not tell of this goal any more.
    pub fn close_goal(&self, goal: GoalId) {
        self.open_goals.borrow_mut().remove(goal.index());
    }

    /// Facts about the next input of a state. Whether inputs have values that are known before the program
    /// runs.
    pub(super) fn has_given_inputs(&self) -> bool {
        self.given.is_some()
    }

    pub(super) fn next_given(&self, state: &State) -> Option<&GivenInput> {
        self.given.as_ref()?.get(state.inputs.len())
    }

    /// The value of the next input: a fresh symbol, where nothing is known of it.
    pub(super) fn next_value(
        &self,
        pool: &mut TermPool,
        state: &State,
        name: &str,
        bits: u32,
    ) -> TermId {
        let given = self.next_given(state).and_then(|given| given.value(bits));
        match given {
            Some(value) => pool.constant(value),
            None => pool.fresh(name, Sort::Bv(bits)),
        }
    }

    /// The same machine for a program that differs in one function only.
    #[must_use]
    pub fn over<'q>(
        &self,
        pool: &mut TermPool,
        program: &'q Program,
        changed: FunctionId,
    ) -> Machine<'q> {
        let mut unassigned = self.unassigned.clone();
        let regs = program.function(changed).regs.iter();
        unassigned[changed.index()] = Rc::new(regs.map(|reg| pool.bv(reg.bits, 0)).collect());
        Machine {
            program,
            accesses: self.accesses,
            keeps_dangling: self.keeps_dangling,
            follows_blocks: self.follows_blocks,
            stack: self.stack.clone(),
            deepest: Cell::new(0),
            unwritten: self.unwritten.clone(),
            given: self.given.clone(),
            globals: self.globals.clone(),
            functions: self.functions.clone(),
            function_at: self.function_at.clone(),
            unassigned,
            open_goals: RefCell::new(BitSet::new(0)),
            n_actions: Cell::new(0),
        }
    }

    /// The object of a global.
    #[must_use]
    pub fn global_object(&self, global: GlobalId) -> ObjectId {
        self.globals[global.index()]
    }

    /// The object that stands for a function's address.
    #[must_use]
    pub fn function_object(&self, function: FunctionId) -> ObjectId {
        self.functions[function.index()]
    }

    /// The function at the start of this object, if it is one.
    #[must_use]
    pub fn function_at(&self, object: ObjectId) -> Option<FunctionId> {
        self.function_at.get(&object).copied()
    }

    /// A number as wide as a pointer.
    pub fn pointer_sized(&self, pool: &mut TermPool, value: u64) -> TermId {
        pool.bv(self.program.pointer_bits, value)
    }

    /// The state in which the program starts: at the entry of `main`, globals initialised, the
    /// parameters of `main` arbitrary.
    pub fn initial_state(&self, pool: &mut TermPool) -> State {
        let mut state = self.state_at_entry(self.program.main);
        state.memory = self.initial_memory(pool);
        let main = &self.program.functions[self.program.main.index()];
        for param in &main.params {
            let data = &main.regs[param.index()];
            let value = self.next_value(pool, &state, &data.name, data.bits);
            state.frame.set(*param, value);
            state.inputs.push_front_mut(InputEvent::Value {
                term: value,
                site: None,
            });
        }
        state
    }

    /// A state at the entry of a function, with nothing in memory.
    #[must_use]
    pub fn state_at_entry(&self, id: FunctionId) -> State {
        let function = &self.program.functions[id.index()];
        let mut frame = self.new_frame(id, None);
        frame.stack = self.stack.as_ref().map_or(0, |stack| stack.frame(id));
        State {
            location: Location {
                function: id,
                node: function.entry,
            },
            frame,
            callers: rpds::List::new(),
            memory: Memory::default(),
            path_cond: PathCondition::default(),
            inputs: rpds::List::new(),
            decisions: rpds::List::new(),
            goals: rpds::List::new(),
            exceeded: None,
        }
    }

    /// The frame of a call: no register is assigned.
    pub(super) fn new_frame(
        &self,
        id: FunctionId,
        return_to: Option<(Location, Option<RegId>)>,
    ) -> Frame {
        Frame::new(Rc::clone(&self.unassigned[id.index()]), return_to)
    }

    fn initial_memory(&self, pool: &mut TermPool) -> Memory {
        let mut memory = Memory::default();
        for (function, address) in self.program.functions.iter().zip(&self.functions) {
            let info = ObjectInfo {
                address: *address,
                bytes: self.pointer_sized(pool, 1),
                name: function.name.clone(),
                kind: ObjectKind::Function,
                place: Span::UNKNOWN,
            };
            memory.insert(Object::new(info, Base::Zero));
        }
        for (global, address) in self.program.globals.iter().zip(&self.globals) {
            let kind = match global.storage {
                Storage::Variable => ObjectKind::Global,
                Storage::Constant => ObjectKind::Constant,
                Storage::Literal => ObjectKind::Literal,
            };
            let info = ObjectInfo {
                address: *address,
                bytes: self.pointer_sized(pool, global.bytes),
                name: global.name.clone(),
                kind,
                place: Span::UNKNOWN,
            };
            let base = match &global.initializer {
                Initializer::Zero => Base::Zero,
                Initializer::Bytes { bytes, .. } => Base::Bytes(bytes.as_slice().into()),
                Initializer::Extern => Base::Arbitrary(Arbitrary::new(global.name.clone())),
            };
            memory.insert(Object::new(info, base));
        }
        for (global, object) in self.program.globals.iter().zip(&self.globals) {
            if let Initializer::Bytes { addresses, .. } = &global.initializer {
                for (offset, expr) in addresses {
                    let value = self.address_constant(pool, expr);
                    let offset = self.pointer_sized(pool, *offset);
                    memory.write(pool, *object, offset, value);
                }
            }
        }
        memory
    }

    /// The value of an initialiser's address expression.
    fn address_constant(&self, pool: &mut TermPool, expr: &Expr) -> TermId {
        let no_registers = self.state_at_entry(self.program.main);
        debug_assert!(
            !matches!(
                expr,
                Expr::Reg(_) | Expr::Binary(BinOp::UDiv | BinOp::SDiv, ..)
            ),
            "an initialiser mentions no registers"
        );
        self.evaluate(pool, &no_registers, expr)
    }
}

/// The symbol for the address of an object, a multiple of a power of two.
pub(super) fn address_symbol(pool: &mut TermPool, bits: u32, name: &str, align: u64) -> ObjectId {
    let name = format!("&{name}");
    pool.symbol_within(&name, Sort::Bv(bits), align, addresses(bits))
}
