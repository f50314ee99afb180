//! One step: from a location along its outgoing edges.

use super::dangling::keep_dangling;
use super::input::{InputEvent, InputSite};
use super::machine::Machine;
use super::place::{callers_of, place_of};
use super::state::{Decision, Location, PathCondition, State};
use flowgraph::{Action, Callee, EdgeId, EndKind, Expr, FunctionId, NodeId, RegId, Span};
use memory::{LOWEST_ADDRESS, ObjectKind, Pointer};
use term::{TermId, TermPool, Work};

/// Decides whether a path can continue.
pub trait Oracle {
    /// Whether some input satisfies path_cond ∧ condition. The path condition is satisfiable.
    fn admits(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        condition: TermId,
    ) -> Admission;

    /// Whether an access through a pointer of unknown origin continues with a separate object behind the
    /// pointer, in addition to ending the path as not supported.
    fn makes_objects(&self) -> bool {
        false
    }

    /// Whether a limit of the run is reached: no query will be decided any more, and what is
    /// being computed is not needed.
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// An oracle's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Admission {
    Feasible,
    Infeasible,
    /// The solver could not say.
    Unknown,
}

/// The oracle that takes everything for feasible that is not false as it stands, nor the opposite of
/// what was assumed: an action that comes again for the other case of a pointer would come again and
/// again.
pub struct Trusting;

impl Oracle for Trusting {
    fn admits(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        condition: TermId,
    ) -> Admission {
        let opposite = pool.not(condition);
        if path_cond.contains(pool, opposite) {
            Admission::Infeasible
        } else {
            Admission::Feasible
        }
    }
}

/// The outcome of a step.
#[derive(Clone)]
pub enum Outcome {
    /// Arrived at the next location.
    Running(State),
    /// The path is over.
    Ended(State, PathEnd),
    /// The oracle could not say whether this state exists. If it does, the path continues from it,
    /// or is over where `then` says so.
    Undecided {
        state: State,
        then: Option<PathEnd>,
        span: Span,
    },
}

/// The successors of one state, in the order of the edges.
pub type Successors = Vec<Outcome>;

/// Why a path is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// `main` returned.
    Returned,
    /// The program assumes what does not hold; only paths that carry goals of coverage tell of it.
    Assumed(Span),
    /// The target is reached, by the call at this place where it is a function.
    Target(Span),
    /// An end that the program asked for.
    Program(EndKind, Span),
    /// An access that C does not define.
    Fault(MemoryFault, Span),
    /// The engine has no semantics for this; named for the user.
    Unsupported(String, Span),
    /// The solver could not decide whether this state exists: a failed leaf of the tree.
    Undecided(Span),
}

/// A faulty access to memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryFault {
    NullPointer,
    /// At an address that no object has, as null less an offset, or `(T *)-1`.
    NoAddress,
    OutOfBounds,
    UseAfterFree,
    /// Of a variable whose function has returned.
    UseAfterReturn,
    /// Of a variable whose block was left, where that is searched for.
    UseAfterScope,
    WriteToConstant,
    /// A pointer to a function was read or written.
    NotData,
    /// A pointer to data was called.
    NotCode,
    /// `free` or `realloc` of something that `malloc` did not give.
    InvalidFree,
    /// `free` or `realloc` of what was freed before.
    DoubleFree,
    /// Memory is freed in another way than it was allocated, as what `new` gave by `free`; or with
    /// another size.
    MismatchedFree,
    /// `memcpy` between blocks that overlap.
    OverlappingCopy,
    /// Pointers to different objects are compared by order, or subtracted; where that is searched for.
    OtherObject,
    /// The stack has no room for a call or for what is allocated on it, where it has an end.
    StackOverflow,
    /// A value that was not written decides a branching, is an address, or is what `main` returns;
    /// where that is searched for.
    UninitialisedUse,
}

impl std::fmt::Display for MemoryFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            MemoryFault::NullPointer => "null pointer access",
            MemoryFault::NoAddress => "access at an address outside of all objects",
            MemoryFault::OutOfBounds => "access out of bounds",
            MemoryFault::UseAfterFree => "access to freed memory",
            MemoryFault::UseAfterReturn => "access to a variable of a function that has returned",
            MemoryFault::UseAfterScope => "access to a variable that is out of scope",
            MemoryFault::WriteToConstant => "write to a constant",
            MemoryFault::NotData => "access to a function as data",
            MemoryFault::NotCode => "call of an address of data",
            MemoryFault::InvalidFree => "free of memory that is not from malloc",
            MemoryFault::DoubleFree => "double free",
            MemoryFault::MismatchedFree => {
                "free that does not match the allocation, or with a different size"
            }
            MemoryFault::OverlappingCopy => "memcpy between overlapping blocks",
            MemoryFault::OtherObject => "order or difference of pointers to different objects",
            MemoryFault::StackOverflow => "stack overflow",
            MemoryFault::UninitialisedUse => "use of an uninitialised value",
        })
    }
}

/// A run along one edge: states that still have actions of the edge before them, and what has
/// come out so far.
pub(super) struct EdgeRun<'a> {
    pub pool: &'a mut TermPool,
    pub oracle: &'a mut dyn Oracle,
    pub span: Span,
    /// The action that is executed.
    pub site: InputSite,
    /// States split off at an action, with the position of the action that they execute next.
    pub pending: Vec<(State, usize)>,
    pub successors: &'a mut Successors,
}

impl EdgeRun<'_> {
    /// Ends a path.
    pub fn end(&mut self, state: State, end: PathEnd) {
        self.successors.push(Outcome::Ended(state, end));
    }

    /// Adds a state that has arrived at the next location.
    pub fn arrive(&mut self, state: State) {
        self.successors.push(Outcome::Running(state));
    }

    /// Splits off the part of a state in which `fault` holds, ends it with `end`, and gives the
    /// rest of the state if there is one.
    pub fn exclude(&mut self, mut state: State, fault: TermId, end: PathEnd) -> Option<State> {
        if self.pool.is_false(fault) {
            return Some(state);
        }
        let admitted = self.oracle.admits(self.pool, &state.path_cond, fault);
        if admitted == Admission::Infeasible {
            return Some(state);
        }
        let mut faulty = state.clone();
        faulty.path_cond.assume(self.pool, fault);
        match admitted {
            Admission::Feasible => self.end(faulty, end),
            Admission::Unknown | Admission::Infeasible => {
                let then = Some(end);
                let span = self.span;
                self.successors.push(Outcome::Undecided {
                    state: faulty,
                    then,
                    span,
                });
            }
        }
        let fine = self.pool.not(fault);
        match self.oracle.admits(self.pool, &state.path_cond, fine) {
            Admission::Feasible => {
                state.path_cond.assume(self.pool, fine);
                Some(state)
            }
            Admission::Infeasible => None,
            Admission::Unknown => {
                state.path_cond.assume(self.pool, fine);
                self.end(state, PathEnd::Undecided(self.span));
                None
            }
        }
    }
}

impl Machine<'_> {
    /// `computeClassicSuccessors` of Algorithm 2, with its lines 20 to 25: the successors of a
    /// state that are not infeasible. Those that the oracle cannot decide are ended as
    /// [`PathEnd::Undecided`], or given as [`Outcome::Undecided`] where they can be asked for
    /// again.
    pub fn step(&self, pool: &mut TermPool, oracle: &mut dyn Oracle, state: State) -> Successors {
        self.step_along(pool, oracle, state, &mut |_, _| ())
    }

    /// [`Machine::step`], with the edge of each successor.
    ///
    /// # Panics
    /// If a step has a successor before its first edge: a defect.
    pub fn step_by_edge(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: State,
    ) -> Vec<(EdgeId, Outcome)> {
        let mut starts: Vec<(EdgeId, usize)> = Vec::new();
        let mut note = |edge, n_before| starts.push((edge, n_before));
        let successors = self.step_along(pool, oracle, state, &mut note);
        let mut edges = starts.into_iter().peekable();
        let mut current = None;
        let mut by_edge = Vec::with_capacity(successors.len());
        for (position, outcome) in successors.into_iter().enumerate() {
            while let Some((edge, _)) = edges.next_if(|(_, start)| *start <= position) {
                current = Some(edge);
            }
            let edge = current.expect("an edge is noted before its successors come");
            by_edge.push((edge, outcome));
        }
        by_edge
    }

    /// One step; `note` hears of each edge and of how many successors come before its own.
    fn step_along(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: State,
        note: &mut dyn FnMut(EdgeId, usize),
    ) -> Successors {
        let function = &self.program.functions[state.location.function.index()];
        let edges = function.out_edges(state.location.node);
        let mut successors = Successors::with_capacity(edges.len());
        if let [edge] = edges {
            note(*edge, 0);
            self.run_edge(pool, oracle, state, *edge, 0, &mut successors);
            return successors;
        }
        let mut open = Vec::with_capacity(edges.len());
        for edge in edges {
            let condition = self.edge_condition(pool, &state, *edge);
            // A state that was deferred at this branching comes back with the condition assumed; it
            // must not be asked about again, or it might be deferred for ever.
            if pool.is_true(condition) || state.path_cond.ends_with(pool, condition) {
                note(*edge, 0);
                self.run_edge(pool, oracle, state, *edge, 1, &mut successors);
                return successors;
            }
            if !pool.is_false(condition) {
                open.push((*edge, condition));
            }
        }
        self.branch(pool, oracle, &state, &open, &mut successors, note);
        successors
    }

    /// The condition in front of an edge of a branching.
    fn edge_condition(&self, pool: &mut TermPool, state: &State, edge: EdgeId) -> TermId {
        let function = &self.program.functions[state.location.function.index()];
        match function.edge(edge).steps.first().map(|step| &step.action) {
            Some(Action::Assume(condition)) => self.evaluate(pool, state, condition),
            _ => TermId::TRUE,
        }
    }

    /// Goes along each feasible one of several edges. Their conditions exclude each other and
    /// cover everything that is open.
    fn branch(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        open: &[(EdgeId, TermId)],
        successors: &mut Successors,
        note: &mut dyn FnMut(EdgeId, usize),
    ) {
        for (edge, condition) in open {
            if self.unwritten.is_some() {
                let span = self.edge_span(state.location.function, *edge);
                let n_before = successors.len();
                note(*edge, n_before);
                self.end_use(pool, oracle, state, *condition, span, successors);
                if successors.len() > n_before {
                    break;
                }
            }
        }
        let mut admitted = Vec::with_capacity(open.len());
        for (position, (edge, condition)) in open.iter().enumerate() {
            let is_last = position + 1 == open.len();
            // The path condition is satisfiable, so where all others are infeasible the last is
            // implied.
            let admission = if is_last && admitted.is_empty() {
                Admission::Feasible
            } else {
                oracle.admits(pool, &state.path_cond, *condition)
            };
            if admission != Admission::Infeasible {
                admitted.push((*edge, *condition, admission));
            }
        }
        let is_implied = admitted.len() == 1;
        for (edge, condition, admission) in admitted {
            note(edge, successors.len());
            let mut next = state.clone();
            if !is_implied {
                next.path_cond.assume(pool, condition);
                let function = state.location.function;
                next.decisions.push_front_mut(Decision::Edge {
                    function,
                    edge,
                    callers: callers_of(state),
                    kappa: None,
                });
            }
            if admission == Admission::Unknown && !is_implied {
                let span = self.edge_span(state.location.function, edge);
                successors.push(Outcome::Undecided {
                    state: next,
                    then: None,
                    span,
                });
            } else {
                self.run_edge(pool, oracle, next, edge, 1, successors);
            }
        }
    }

    /// Where an edge's first action stands in the source.
    #[must_use]
    pub fn edge_span(&self, function: FunctionId, edge: EdgeId) -> Span {
        let function = &self.program.functions[function.index()];
        function
            .edge(edge)
            .steps
            .first()
            .map(|step| step.span)
            .unwrap_or_default()
    }

    /// Goes along one given edge of a path, its condition included (`executePath` of
    /// Algorithm 1 for one edge). The edge leaves the state's location.
    pub fn follow(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: State,
        edge: EdgeId,
    ) -> Successors {
        let mut successors = Successors::new();
        self.run_edge(pool, oracle, state, edge, 0, &mut successors);
        successors
    }

    /// Executes the action of this position of an edge alone. States that continue are where they were,
    /// or where a call or a return leads.
    pub fn act_at(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: State,
        edge: EdgeId,
        position: usize,
    ) -> Successors {
        let function = &self.program.functions[state.location.function.index()];
        let step = &function.edge(edge).steps[position];
        let (_, target) = function.endpoints(edge);
        let mut successors = Successors::new();
        let site = InputSite {
            function: state.location.function,
            edge,
            position,
        };
        let mut run = EdgeRun {
            pool,
            oracle,
            span: place_of(self.program, &state, step.span),
            site,
            pending: vec![(state, position)],
            successors: &mut successors,
        };
        while let Some((state, _)) = run.pending.pop() {
            run.pool.count_work(Work::ACTION);
            let flow = self.act(&mut run, state, &step.action, target, position + 1);
            if let Some(Flow::Next(state) | Flow::Arrived(state)) = flow {
                run.successors.push(Outcome::Running(state));
            }
        }
        successors
    }

    /// Executes the actions of an edge from position `first` on.
    fn run_edge(
        &self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: State,
        edge: EdgeId,
        first: usize,
        successors: &mut Successors,
    ) {
        let function = &self.program.functions[state.location.function.index()];
        let steps = &function.edge(edge).steps;
        let (_, target) = function.endpoints(edge);
        let span = Span::default();
        let site = InputSite {
            function: state.location.function,
            edge,
            position: first,
        };
        let mut run = EdgeRun {
            pool,
            oracle,
            span,
            site,
            pending: vec![(state, first)],
            successors,
        };
        while let Some((mut state, first)) = run.pending.pop() {
            let mut position = first;
            let arrived = loop {
                let Some(step) = steps.get(position) else {
                    state.location.node = target;
                    break Some(state);
                };
                self.n_actions.set(self.n_actions.get() + 1);
                run.pool.count_work(Work::ACTION);
                run.span = place_of(self.program, &state, step.span);
                run.site.position = position;
                position += 1;
                match self.act(&mut run, state, &step.action, target, position) {
                    Some(Flow::Next(next)) => state = next,
                    Some(Flow::Arrived(next)) => break Some(next),
                    None => break None,
                }
            };
            if let Some(state) = arrived {
                run.successors.push(Outcome::Running(state));
            }
        }
    }

    /// Executes one action; `position` is that of the action after it, `target` the end of the
    /// edge.
    fn act(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        action: &Action,
        target: NodeId,
        position: usize,
    ) -> Option<Flow> {
        match action {
            Action::Assume(condition) => {
                let condition = self.evaluate(run.pool, &state, condition);
                let before = (!state.goals.is_empty()).then(|| state.clone());
                let n_ended = run.successors.len();
                let next = self.assume(run, state, condition);
                if let (None, Some(before)) = (&next, before)
                    && run.successors.len() == n_ended
                {
                    let span = run.span;
                    run.end(before, PathEnd::Assumed(span));
                }
                next.map(Flow::Next)
            }
            Action::Assign(assignments) => {
                if let [(reg, expr)] = assignments.as_slice() {
                    let value = self.evaluate(run.pool, &state, expr);
                    state.frame.set(*reg, value);
                } else {
                    let values: Vec<(RegId, TermId)> = assignments
                        .iter()
                        .map(|(reg, expr)| (*reg, self.evaluate(run.pool, &state, expr)))
                        .collect();
                    for (reg, value) in values {
                        state.frame.set(reg, value);
                    }
                }
                Some(Flow::Next(state))
            }
            Action::Load { dst, address } => {
                let address = self.evaluate(run.pool, &state, address);
                self.load(run, state, *dst, address, position)
                    .map(Flow::Next)
            }
            Action::Store { address, value } => {
                let address = self.evaluate(run.pool, &state, address);
                let value = self.evaluate(run.pool, &state, value);
                self.store(run, state, address, value, position)
                    .map(Flow::Next)
            }
            Action::Input {
                dst,
                name,
                unwritten,
                ..
            } => {
                let bits =
                    self.program.functions[state.location.function.index()].regs[dst.index()].bits;
                let value = self.next_value(run.pool, &state, name, bits);
                if *unwritten {
                    self.note_unwritten(run.pool, value);
                }
                state.inputs.push_front_mut(InputEvent::Value {
                    term: value,
                    site: Some(run.site),
                });
                state.frame.set(*dst, value);
                Some(Flow::Next(state))
            }
            Action::Alloca {
                dst,
                bytes,
                align,
                name,
            } => {
                let function = &self.program.functions[state.location.function.index()];
                let is_first = state.location.node == function.entry;
                let has_room = is_first && matches!(bytes, Expr::Const(_));
                let bytes = self.evaluate(run.pool, &state, bytes);
                self.alloca(run, state, *dst, (bytes, *align), (name, has_room))
                    .map(Flow::Next)
            }
            Action::Builtin {
                dst,
                builtin,
                args,
                name,
            } => {
                let args: Vec<TermId> = args
                    .iter()
                    .map(|arg| self.evaluate(run.pool, &state, arg))
                    .collect();
                let name = name.as_deref();
                self.builtin(run, state, (*dst, name), *builtin, &args, position)
                    .map(Flow::Next)
            }
            Action::Call { dst, callee, args } => {
                let args: Vec<TermId> = args
                    .iter()
                    .map(|arg| self.evaluate(run.pool, &state, arg))
                    .collect();
                self.call(run, state, *dst, callee, args, target, position)
                    .map(Flow::Arrived)
            }
            Action::Return(value) => {
                let value = value
                    .as_ref()
                    .map(|value| self.evaluate(run.pool, &state, value));
                self.return_from(run, state, value).map(Flow::Arrived)
            }
            Action::Cut => Some(Flow::Next(state)),
            Action::Goal(goal) => {
                if self.is_open_goal(*goal) {
                    state.goals.push_front_mut(*goal);
                }
                Some(Flow::Next(state))
            }
            Action::Target => {
                let span = run.span;
                run.end(state, PathEnd::Target(span));
                None
            }
            Action::End(kind) => {
                let span = run.span;
                run.end(state, PathEnd::Program(*kind, span));
                None
            }
            Action::Unsupported(what) => {
                let span = run.span;
                run.end(state, PathEnd::Unsupported(what.clone(), span));
                None
            }
        }
    }

    /// Restricts a state; gives nothing where the condition is infeasible, and ends the path
    /// where the oracle cannot say.
    pub(super) fn assume(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        condition: TermId,
    ) -> Option<State> {
        if run.pool.is_true(condition) {
            return Some(state);
        }
        let admission = run.oracle.admits(run.pool, &state.path_cond, condition);
        if admission == Admission::Infeasible {
            return None;
        }
        state.path_cond.assume(run.pool, condition);
        if admission == Admission::Unknown {
            run.end(state, PathEnd::Undecided(run.span));
            return None;
        }
        Some(state)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the parts of a call action and where it stands"
    )]
    fn call(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        dst: Option<RegId>,
        callee: &Callee,
        args: Vec<TermId>,
        target: NodeId,
        position: usize,
    ) -> Option<State> {
        let callee = match callee {
            Callee::Direct(function) => *function,
            Callee::Indirect(pointer) => {
                let pointer = self.evaluate(run.pool, &state, pointer);
                let (next, pointer) = self.resolve(run, state, pointer, position - 1)?;
                state = next;
                let is_start = run.pool.as_u64(pointer.offset) == Some(0);
                match self.function_at(pointer.object).filter(|_| is_start) {
                    Some(function) => function,
                    None => {
                        let object = state.memory.object(pointer.object);
                        let is_data =
                            object.is_some_and(|object| object.info.kind != ObjectKind::Function);
                        let end = if is_data {
                            PathEnd::Fault(MemoryFault::NotCode, run.span)
                        } else {
                            let what = "call of a pointer into a function".to_owned();
                            PathEnd::Unsupported(what, run.span)
                        };
                        run.end(state, end);
                        return None;
                    }
                }
            }
        };
        let function = &self.program.functions[callee.index()];
        let return_to = Location {
            node: target,
            ..state.location
        };
        let widths = args.iter().map(|value| run.pool.width(*value));
        if !self.fits(callee, widths, dst, return_to.function) {
            let what = format!(
                "call of {} with types that differ from its definition",
                function.name
            );
            let span = run.span;
            run.end(state, PathEnd::Unsupported(what, span));
            return None;
        }
        let Some(stack) = self.stack_after_call(state.frame.stack, callee) else {
            let end = PathEnd::Fault(MemoryFault::StackOverflow, run.span);
            run.end(state, end);
            return None;
        };
        let mut frame = self.new_frame(callee, Some((return_to, dst)));
        frame.stack = stack;
        for (param, value) in function.params.iter().zip(args) {
            frame.set(*param, value);
        }
        let caller = std::mem::replace(&mut state.frame, frame);
        state.callers.push_front_mut(caller);
        state.location = Location {
            function: callee,
            node: function.entry,
        };
        Some(state)
    }

    /// Whether arguments and result of a call have the callee's widths; C lets a call through a
    /// pointer or without a prototype go wrong here.
    pub(super) fn fits(
        &self,
        callee: FunctionId,
        widths: impl ExactSizeIterator<Item = u32>,
        dst: Option<RegId>,
        caller: FunctionId,
    ) -> bool {
        let function = &self.program.functions[callee.index()];
        let n_args = widths.len();
        let widths_agree = function
            .params
            .iter()
            .zip(widths)
            .all(|(param, width)| function.regs[param.index()].bits == width);
        let result_agrees = dst.is_none_or(|dst| {
            let bits = self.program.functions[caller.index()].regs[dst.index()].bits;
            function.result_bits == Some(bits)
        });
        function.params.len() <= n_args && widths_agree && result_agrees
    }

    fn return_from(
        &self,
        run: &mut EdgeRun,
        mut state: State,
        value: Option<TermId>,
    ) -> Option<State> {
        if let Some(folded) = state.frame.folded.take() {
            return self.return_to_folded(run, state, &folded, value);
        }
        if state.frame.return_to.is_none() {
            if let Some(value) = value {
                self.end_use_by(run, &state, value);
            }
            run.end(state, PathEnd::Returned);
            return None;
        }
        if self.keeps_dangling {
            keep_dangling(run.pool, &mut state, value);
        }
        self.leave_frame(state, value)
    }

    /// The object and offset of a pointer. A pointer that depends on conditions splits the
    /// state: the other parts wait in `run.pending` to execute the action at `again` again.
    pub(super) fn resolve(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
        again: usize,
    ) -> Option<(State, Pointer)> {
        let (state, pointer) = self.part_of(run, state, pointer, again)?;
        match Pointer::resolve(run.pool, &state.memory, pointer) {
            Some(pointer) => Some((state, pointer)),
            None => self.resolve_unknown(run, state, pointer),
        }
    }

    /// The part of a pointer that depends on no condition, and its part of the state; as for
    /// [`resolve`](Machine::resolve).
    pub(super) fn part_of(
        &self,
        run: &mut EdgeRun,
        state: State,
        pointer: TermId,
        again: usize,
    ) -> Option<(State, TermId)> {
        let is_known = Pointer::resolve(run.pool, &state.memory, pointer).is_some();
        if is_known || is_near_null(run.pool, pointer) {
            return Some((state, pointer));
        }
        let Some((condition, then, otherwise)) = run.pool.split_condition_of_parts(pointer) else {
            return Some((state, pointer));
        };
        let negated = run.pool.not(condition);
        let other = self.assume(run, state.clone(), negated);
        let Some(other) = other else {
            let state = self.assume(run, state, condition)?;
            return self.part_of(run, state, then, again);
        };
        match self.assume(run, state, condition) {
            Some(state) => {
                // The register holds the conditional pointer still, but under the path
                // condition only one of its cases is possible when the action comes again.
                run.pending.push((other, again));
                self.part_of(run, state, then, again)
            }
            None => self.part_of(run, other, otherwise, again),
        }
    }
}

/// Whether an address is so close to null that no object lies there.
pub(super) fn is_near_null(pool: &TermPool, address: TermId) -> bool {
    pool.as_u64(address)
        .is_some_and(|address| address < LOWEST_ADDRESS)
}

/// How a state continues after an action.
enum Flow {
    /// To the next action of the edge.
    Next(State),
    /// To another location already.
    Arrived(State),
}
