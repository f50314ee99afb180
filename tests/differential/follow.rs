//! A concrete run takes exactly one path of an execution tree, and finds its own values there.
//!
//! At every node the conditions on the edges to the children are evaluated under the run's
//! inputs. Below a template each number of iterations κ is tried: exactly one pair of child and κ
//! may hold, and it must be the number of iterations that the run really does. Where the run goes
//! on, the node's location, live registers and memory must be the run's; where it ends, the node
//! must be a leaf that ends in the same way.
//!
//! At a leaf that another node subsumes the solver has to find values with which that node has the
//! same live registers and memory, or the same distances of counters from their bounds. From these
//! a run with the same further inputs must take as many edges to the same end, and is followed
//! there.

use super::interpreter::{Inputs, Moment, Run, RunEnd, address, run_from};
use compact_se::flowgraph::{
    DifferenceLiveness, EdgeId, GlobalId, Liveness, Loop, NodeId, Order, Program, RegId,
};
use compact_se::memory::{Base, ObjectId};
use compact_se::semantics::{Decision, InputEvent, PathEnd, State};
use compact_se::solver::{Answer, Limits, Query, Solver, SolverOptions};
use compact_se::symex::{ExecutionTree, NodeKind, Report, TreeNode, TreeNodeId};
use compact_se::template::Region;
use compact_se::term::{
    ArrayValue, Assignment, BinOp, Bv, CmpOp, SymbolId, SymbolValue, Term, TermId, TermPool,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Where following a run came to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// At the end of the run.
    End,
    /// Where the tree or the run was cut for its length.
    Cut,
    /// At a leaf that the solver could not decide.
    Undecided,
    /// At a template whose κ is too narrow for the iterations of the run. All that many iterations
    /// lead to the same states as fewer iterations on other inputs: the tree has the states, not
    /// the run.
    Repeats,
}

/// Follows runs of one program through one tree.
pub struct Follower<'a> {
    program: &'a Program,
    pool: &'a mut TermPool,
    tree: &'a ExecutionTree,
    children: Vec<Vec<TreeNodeId>>,
    liveness: Arc<Liveness>,
    differences: Arc<DifferenceLiveness>,
    /// From this node on, children may be missing.
    complete_below: u32,
    solver: Box<dyn Solver>,
    /// Headers of loops whose exits are the ways through an automaton.
    automata: BTreeSet<NodeId>,
    /// Leaves at which a run went on from the node that subsumes them.
    pub n_subsumed: usize,
}

/// What the run has fixed so far.
#[derive(Clone, Default)]
struct Known {
    values: Assignment,
    arrays: BTreeMap<SymbolId, ArrayValue>,
    n_inputs: u64,
}

impl Known {
    fn set_element(&mut self, array: SymbolId, index: Bv, value: Bv) {
        let default = Bv::zero(value.width());
        let content = self
            .arrays
            .entry(array)
            .or_insert_with(|| ArrayValue::constant(default));
        content.entries.insert(index, value);
        self.values.set_array(array, content.clone());
    }
}

/// Where the run leaves a core.
struct Way {
    iterations: u64,
    /// Whether the run was stopped in the core, so that it may do more iterations than that.
    unfinished: bool,
    /// The moment at which the last iteration is left; the run may end on the edge from there.
    at: usize,
}

impl<'a> Follower<'a> {
    /// For a report with a tree.
    pub fn new(program: &'a Program, report: &'a mut Report) -> Follower<'a> {
        let tree = report.tree.as_ref().expect("the tree was recorded");
        let is_full = tree.n_omitted() > 0 || report.statistics.n_waiting > 0;
        let main = program.function(program.main);
        let last_parent = tree.nodes().last().and_then(|(_, node)| node.parent);
        Follower {
            program,
            pool: &mut report.pool,
            tree,
            children: tree.children(),
            liveness: Arc::clone(main.liveness()),
            differences: Arc::clone(main.differences()),
            complete_below: match last_parent {
                Some(parent) if is_full => parent.0,
                Some(_) | None => u32::MAX,
            },
            automata: report
                .table
                .computed_loops()
                .filter(|(_, record)| record.templates.iter().any(|one| one.is_by_automaton()))
                .map(|(_, record)| record.natural.header)
                .collect(),
            solver: SolverOptions::default().build(),
            n_subsumed: 0,
        }
    }

    /// Follows a run from the root.
    ///
    /// # Panics
    /// If tree and run contradict each other; `context` is part of the message.
    pub fn follow(&mut self, inputs: &Inputs, run: &Run, context: &str) -> Arrival {
        let (mut id, root) = self.tree.nodes().next().expect("a tree has a root");
        let mut known = self.known_at_start(inputs, &root.state);
        let mut at = 0;
        let mut run = Cow::Borrowed(run);
        loop {
            let node = self.tree.node(id);
            self.compare(node, &run.moments[at], &known, context);
            if node.kind == NodeKind::TooLong || id.0 >= self.complete_below {
                return Arrival::Cut;
            }
            let children = self.children[id.0 as usize].clone();
            if let NodeKind::Subsumed(by) = node.kind {
                let Some(by) = by else {
                    return Arrival::Cut;
                };
                known = self.known_at_covering(by, &run.moments[at], &known, context);
                run = Cow::Owned(self.run_on(by, &run, at, &known, inputs, context));
                (id, at) = (by, 0);
                self.n_subsumed += 1;
                continue;
            }
            if children.is_empty() && run.end == RunEnd::Limit {
                // A loop that is never left.
                return Arrival::Cut;
            }
            let region = children.first().and_then(|child| self.region_of(*child));
            let (chosen, next) = match region {
                None => (self.classic(node, &children, &known, inputs), at + 1),
                Some((region, kappa)) => {
                    let way = match &region {
                        Region::Core(core) => exit(&run, at, core),
                        Region::Loop(natural) => exit_of_loop(&run, at, natural),
                        Region::Recursion(_) => panic!("the programs have one function"),
                    };
                    if self.passes_all(&children, kappa, &way, context) {
                        return Arrival::Repeats;
                    }
                    let found = self.folded(node, &children, kappa, &way, &known, inputs, context);
                    (found, way.at + 1)
                }
            };
            let Some((child, after)) = chosen else {
                // No child takes the run up: it must end here without a word.
                return match run.end {
                    RunEnd::Blocked if next >= run.moments.len() => Arrival::End,
                    RunEnd::Limit if next >= run.moments.len() => Arrival::Cut,
                    end => panic!("{context}: no child of {id:?} takes up a run that ends {end:?}"),
                };
            };
            known = after;
            let ended = match &self.tree.node(child).kind {
                NodeKind::Leaf(PathEnd::Undecided(_)) => return Arrival::Undecided,
                NodeKind::Leaf(end) => Some(end.clone()),
                NodeKind::Inner
                | NodeKind::TooLong
                | NodeKind::Subsumed(_)
                | NodeKind::Refuted
                | NodeKind::Hopeless
                | NodeKind::Annotated => None,
                NodeKind::Merged(_) => panic!("nothing is merged here"),
            };
            if let Some(end) = ended {
                assert_eq!(
                    next,
                    run.moments.len(),
                    "{context}: the path ends, the run does not"
                );
                assert!(
                    is_same_end(&end, run.end),
                    "{context}: the path ends {end:?}, the run {:?}",
                    run.end
                );
                let state = &self.tree.node(child).state;
                let last = state.decisions.first().and_then(Decision::taken);
                let last = last.map(|(_, edge)| edge);
                assert!(
                    core_is_left(last, run.last_edge, self.tree.node(child)),
                    "{context}: the path ends on {last:?}, the run on {:?}",
                    run.last_edge
                );
                // A template does not say what memory holds where it ends a path.
                if self.tree.node(child).template.is_none() {
                    self.compare_memory(state, &run.memory, &known, context);
                }
                return Arrival::End;
            }
            if next >= run.moments.len() {
                assert_eq!(
                    run.end,
                    RunEnd::Limit,
                    "{context}: the run ends, the path goes on"
                );
                return Arrival::Cut;
            }
            id = child;
            at = next;
        }
    }

    /// Values with which a node that subsumes another is at the moment in which the run is there.
    fn known_at_covering(
        &mut self,
        by: TreeNodeId,
        moment: &Moment,
        known: &Known,
        context: &str,
    ) -> Known {
        let state = &self.tree.node(by).state;
        assert_eq!(state.location.node, moment.node, "{context}: {by:?}");
        let mut conjuncts = state.path_cond.to_vec();
        let function = self.program.function(self.program.main);
        let live = self.differences.at(moment.node);
        let mut same: BTreeSet<RegId> = function
            .reg_ids()
            .filter(|reg| live.by_value.contains(reg.index()))
            .collect();
        for pair in &live.by_difference {
            let [counter, bound] = [pair.counter, pair.bound].map(|reg| &moment.regs[reg.index()]);
            let op = match pair.order {
                Order::Unsigned => Some(CmpOp::Ule),
                Order::Signed => Some(CmpOp::Sle),
                Order::Equality => None,
            };
            if op.is_some_and(|op| !Bv::compare(op, counter, bound)) {
                // Only their values tell how the run goes on.
                same.extend([pair.counter, pair.bound]);
                continue;
            }
            let distance = Bv::binary(BinOp::Sub, bound, counter);
            let distance = self.pool.constant(&distance);
            let [counter, bound] = [pair.counter, pair.bound].map(|reg| state.frame.get(reg));
            if let Some(op) = op {
                conjuncts.push(self.pool.compare(op, counter, bound));
            }
            let here = self.pool.sub(bound, counter);
            conjuncts.push(self.pool.eq(here, distance));
        }
        for reg in same {
            let value = self.pool.constant(&moment.regs[reg.index()]);
            conjuncts.push(self.pool.eq(state.frame.get(reg), value));
        }
        let mut memory = state.memory.clone();
        for (global, bytes) in self.program.global_ids().zip(&moment.memory) {
            let id = self.object_of(state, global);
            let place = self.pool.constant(&address(self.program, global));
            let symbol = self.pool.symbol_term(id);
            conjuncts.push(self.pool.eq(symbol, place));
            for (offset, byte) in (0..).zip(bytes) {
                let at = self.pool.bv(self.program.pointer_bits, offset);
                let value = memory.read(self.pool, id, at, 1);
                let byte = self.pool.bv(8, u64::from(*byte));
                conjuncts.push(self.pool.eq(value, byte));
            }
        }
        let limits = Limits {
            timeout: Some(Duration::from_secs(20)),
            ..Limits::default()
        };
        let query = Query::new(&conjuncts, &limits);
        let answer = self.solver.check(self.pool, &query);
        let Answer::Sat(model) = answer else {
            panic!("{context}: {by:?} does not subsume the run at {moment:?}: {answer:?}");
        };
        let mut found = Known {
            values: (*model).clone(),
            arrays: BTreeMap::new(),
            n_inputs: known.n_inputs,
        };
        for (symbol, value) in model.iter() {
            if let SymbolValue::Array(array) = value {
                found.arrays.insert(symbol, array.clone());
            }
        }
        found
    }

    /// The rest of the run, done from the node that subsumes the run's.
    fn run_on(
        &self,
        by: TreeNodeId,
        run: &Run,
        at: usize,
        known: &Known,
        inputs: &Inputs,
        context: &str,
    ) -> Run {
        let state = &self.tree.node(by).state;
        let function = self.program.function(self.program.main);
        let mut moment = run.moments[at].clone();
        for reg in self.liveness.regs_at(function, moment.node) {
            let value = self.pool.evaluate(state.frame.get(reg), &known.values);
            moment.regs[reg.index()] = value.unwrap();
        }
        let rest = run.moments.len() - at;
        let n_most = if run.end == RunEnd::Limit {
            rest - 1
        } else {
            rest + 1
        };
        let again = run_from(self.program, inputs, moment, n_most);
        assert_eq!(again.end, run.end, "{context}: the run from {by:?} ends");
        assert_eq!(
            again.moments.len(),
            rest,
            "{context}: edges of the run from {by:?}"
        );
        again
    }

    fn object_of(&self, state: &State, global: GlobalId) -> ObjectId {
        let name = &self.program.global(global).name;
        let mut objects = state.memory.objects();
        let found = objects.find(|(_, object)| object.info.name == *name);
        found.expect("globals are in memory").0
    }

    /// Addresses, arbitrary content of globals, and the parameters of `main`.
    fn known_at_start(&self, inputs: &Inputs, root: &State) -> Known {
        let mut known = Known::default();
        for global in self.program.global_ids() {
            let data = self.program.global(global);
            let found = root
                .memory
                .objects()
                .find(|(_, object)| object.info.name == data.name);
            let (id, object) = found.expect("globals are in memory");
            known.values.set(id, address(self.program, global));
            let Base::Arbitrary(content) = object.content.base() else {
                continue;
            };
            let Some((symbol, cell_bytes)) = content.symbol() else {
                continue;
            };
            for start in (0..data.bytes).step_by(cell_bytes as usize) {
                let bytes = (start..start + u64::from(cell_bytes)).rev();
                let cell = bytes.fold(0, |cell, at| cell << 8 | u64::from(inputs.byte(global, at)));
                let index = Bv::new(self.program.pointer_bits, start);
                known.set_element(symbol, index, Bv::new(cell_bytes * 8, cell));
            }
        }
        let events: Vec<InputEvent> = root.inputs.iter().cloned().collect();
        for event in events.iter().rev() {
            self.learn(&mut known, event, inputs);
        }
        known
    }

    /// Takes the values of one event from the run's inputs. κ is known already.
    fn learn(&self, known: &mut Known, event: &InputEvent, inputs: &Inputs) {
        match event {
            InputEvent::Value { term, .. } => {
                let value = inputs.value(known.n_inputs, self.pool.width(*term));
                known.n_inputs += 1;
                self.learn_value(known, *term, value);
            }
            InputEvent::Iterations { kappa, arrays } => {
                let iterations = self.number(known, *kappa);
                let index_bits = self.pool.width(*kappa);
                for iteration in 0..iterations {
                    for (array, _) in arrays.iter() {
                        let symbol = self.pool.as_symbol(*array).expect("arrays are symbols");
                        let bits = match self.pool.symbol_sort(symbol) {
                            compact_se::term::Sort::Array { value, .. } => value,
                            compact_se::term::Sort::Bv(_) => panic!("arrays are arrays"),
                        };
                        let value = inputs.value(known.n_inputs, bits);
                        known.n_inputs += 1;
                        known.set_element(symbol, Bv::new(index_bits, iteration), value);
                    }
                }
            }
            InputEvent::Memory { .. } => panic!("the tests allocate nothing"),
            InputEvent::Either(_) => panic!("nothing is merged here"),
        }
    }

    fn learn_value(&self, known: &mut Known, term: TermId, value: Bv) {
        match self.pool.view(term) {
            Term::Symbol(symbol) => known.values.set(symbol, value),
            Term::Select(array, index) => {
                let array = self.pool.as_symbol(array).expect("arrays are symbols");
                let index = self.pool.evaluate(index, &known.values).unwrap();
                known.set_element(array, index, value);
            }
            _ => panic!("an input is a symbol or an element of an array"),
        }
    }

    fn number(&self, known: &Known, term: TermId) -> u64 {
        let value = self.pool.evaluate(term, &known.values).unwrap();
        value.to_u64().unwrap()
    }

    fn region_of(&self, child: TreeNodeId) -> Option<(Region, TermId)> {
        self.tree.node(child).template.clone()
    }

    /// What is known when the run goes to this child.
    fn known_at(
        &self,
        parent: &TreeNode,
        child: TreeNodeId,
        known: &Known,
        inputs: &Inputs,
    ) -> Known {
        let mut known = known.clone();
        let child = self.tree.node(child);
        let n_new = child.state.inputs.len() - parent.state.inputs.len();
        let new: Vec<InputEvent> = child.state.inputs.iter().take(n_new).cloned().collect();
        for event in new.iter().rev() {
            self.learn(&mut known, event, inputs);
        }
        known
    }

    fn holds(&self, child: TreeNodeId, known: &Known) -> Option<bool> {
        for conjunct in self.tree.edge_condition(child) {
            match self.pool.evaluate(conjunct, &known.values) {
                Ok(value) if value.is_zero() => return Some(false),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        Some(true)
    }

    /// The child that a classic step of the run leads to.
    fn classic(
        &self,
        parent: &TreeNode,
        children: &[TreeNodeId],
        known: &Known,
        inputs: &Inputs,
    ) -> Option<(TreeNodeId, Known)> {
        let mut taken = children.iter().filter_map(|child| {
            let known = self.known_at(parent, *child, known, inputs);
            let holds = self
                .holds(*child, &known)
                .expect("classic conditions have values");
            holds.then_some((*child, known))
        });
        let first = taken.next();
        assert!(taken.next().is_none(), "two children take up a run");
        first
    }

    /// Whether κ cannot count the iterations of the run, which is right only where iterations read
    /// inputs: without, a state that comes again never leaves the core.
    fn passes_all(&self, children: &[TreeNodeId], kappa: TermId, way: &Way, context: &str) -> bool {
        let bits = self.pool.width(kappa);
        let largest = u64::MAX >> (64 - bits.min(64));
        if way.unfinished || way.iterations <= largest {
            return false;
        }
        let reads = |child: &TreeNodeId| {
            let inputs = &self.tree.node(*child).state.inputs;
            let iterations = |event: &InputEvent| matches!(event, InputEvent::Iterations { kappa: of, .. } if *of == kappa);
            inputs.iter().any(iterations)
        };
        assert!(
            children.iter().any(reads),
            "{context}: κ of {bits} bits cannot count {} iterations",
            way.iterations
        );
        true
    }

    /// The child that the run leads to on this way; no other pair of child and number of iterations
    /// may hold.
    #[allow(
        clippy::too_many_arguments,
        reason = "a step of the run and what is known of it"
    )]
    fn folded(
        &self,
        parent: &TreeNode,
        children: &[TreeNodeId],
        kappa: TermId,
        way: &Way,
        known: &Known,
        inputs: &Inputs,
        context: &str,
    ) -> Option<(TreeNodeId, Known)> {
        let symbol = self.pool.as_symbol(kappa).expect("κ is a symbol");
        let bits = self.pool.width(kappa);
        let mut found = None;
        let mut candidates = candidates(way.iterations, bits);
        if way.unfinished {
            candidates.retain(|candidate| *candidate <= way.iterations);
        }
        for candidate in candidates {
            let most = self
                .automata
                .contains(&parent.state.location.node)
                .then_some(candidate);
            let mut with_kappa = known.clone();
            with_kappa.values.set(symbol, Bv::new(bits, candidate));
            for child in children {
                let kind = &self.tree.node(*child).kind;
                if matches!(kind, NodeKind::Leaf(PathEnd::Unsupported(..))) {
                    // More iterations than κ counts: the run goes on, and is cut or repeats.
                    continue;
                }
                for with_inner in self.with_inner_iterations(parent, *child, &with_kappa, most) {
                    let known = self.known_at(parent, *child, &with_inner, inputs);
                    if self.holds(*child, &known) == Some(true) {
                        assert!(
                            candidate == way.iterations && !way.unfinished,
                            "{context}: {child:?} takes the run up after {candidate} iterations, not {}",
                            way.iterations
                        );
                        assert!(found.is_none(), "{context}: two exits take up a run");
                        found = Some((*child, known));
                    }
                }
            }
        }
        found
    }

    /// With each choice of numbers of iterations for the inner loops that a child leaves, or the
    /// phases, which have so many together at the most.
    fn with_inner_iterations(
        &self,
        parent: &TreeNode,
        child: TreeNodeId,
        known: &Known,
        most: Option<u64>,
    ) -> Vec<Known> {
        let decisions = &self.tree.node(child).state.decisions;
        let n_new = decisions.len() - parent.state.decisions.len();
        let mut choices = vec![(known.clone(), most)];
        // The first is the template's own.
        for decision in decisions.iter().take(n_new).skip(1) {
            let counter = decision.kappa().expect("an inner loop has a counter");
            let symbol = self.pool.as_symbol(counter).expect("κ is a symbol");
            let bits = self.pool.width(counter);
            let largest = (u64::MAX >> (64 - bits)).min(600);
            choices = choices
                .iter()
                .flat_map(|(known, most)| {
                    (0..=most.unwrap_or(largest).min(largest)).map(move |iterations| {
                        let mut known = known.clone();
                        known.values.set(symbol, Bv::new(bits, iterations));
                        (known, most.map(|most| most - iterations))
                    })
                })
                .collect();
        }
        choices.into_iter().map(|(known, _)| known).collect()
    }

    fn compare(&mut self, node: &TreeNode, moment: &Moment, known: &Known, context: &str) {
        assert_eq!(
            node.state.location.node, moment.node,
            "{context}: another location"
        );
        assert_eq!(known.n_inputs, moment.n_inputs, "{context}: inputs read");
        let function = self.program.function(self.program.main);
        for reg in self.liveness.regs_at(function, moment.node) {
            let value = self.pool.evaluate(node.state.frame.get(reg), &known.values);
            assert_eq!(
                value.unwrap(),
                moment.regs[reg.index()],
                "{context}: register {} at {}",
                function.reg(reg).name,
                function.node(moment.node).name
            );
        }
        self.compare_memory(&node.state, &moment.memory, known, context);
    }

    fn compare_memory(&mut self, state: &State, memory: &[Vec<u8>], known: &Known, context: &str) {
        let mut symbolic = state.memory.clone();
        for (global, bytes) in self.program.global_ids().zip(memory) {
            let name = &self.program.global(global).name;
            let found = state
                .memory
                .objects()
                .find(|(_, object)| object.info.name == *name);
            let (id, object) = found.expect("globals are in memory");
            if let Base::Arbitrary(content) = object.content.base()
                && content.symbol().is_none()
            {
                // Nothing has read it in any path, so it has no symbol to compare.
                continue;
            }
            for (offset, byte) in (0..).zip(bytes) {
                let at = self.pool.bv(self.program.pointer_bits, offset);
                let value = symbolic.read(self.pool, id, at, 1);
                let value = self.pool.evaluate(value, &known.values).unwrap();
                assert_eq!(
                    value,
                    Bv::new(8, u64::from(*byte)),
                    "{context}: {name}[{offset}]"
                );
            }
        }
    }
}

/// How often a run goes iteration a core from a moment on.
fn exit(run: &Run, from: usize, core: &[EdgeId]) -> Way {
    let mut at = from;
    let mut expected = core.iter().cycle();
    while let Some(moment) = run.moments.get(at + 1) {
        if moment.edge != expected.next().copied() {
            break;
        }
        at += 1;
    }
    let iterations = (at - from) / core.len();
    Way {
        iterations: u64::try_from(iterations).unwrap(),
        unfinished: run.end == RunEnd::Limit && at + 1 == run.moments.len(),
        at,
    }
}

/// How often a run comes back to the header of a loop before it leaves the loop.
fn exit_of_loop(run: &Run, from: usize, natural: &Loop) -> Way {
    let mut at = from;
    let mut iterations = 0;
    while let Some(moment) = run.moments.get(at + 1) {
        if !natural.body.contains(moment.node.index()) {
            break;
        }
        at += 1;
        iterations += u64::from(moment.node == natural.header);
    }
    Way {
        iterations,
        unfinished: run.end == RunEnd::Limit && at + 1 == run.moments.len(),
        at,
    }
}

/// Numbers of iterations to try: those around the true one, the smallest, the largest, some
/// between.
fn candidates(iterations: u64, bits: u32) -> Vec<u64> {
    let largest = u64::MAX >> (64 - bits.min(64));
    let mut all: Vec<u64> = (0..24)
        .chain(iterations.saturating_sub(3)..iterations + 4)
        .collect();
    all.extend([32, 64, 100, 127, 128, 129, 200, 255, 256, 257, 511, largest]);
    all.retain(|candidate| *candidate <= largest.min(4000));
    all.sort_unstable();
    all.dedup();
    all
}

fn is_same_end(path: &PathEnd, run: RunEnd) -> bool {
    match path {
        PathEnd::Returned => run == RunEnd::Returned,
        PathEnd::Target(_) => run == RunEnd::Target,
        PathEnd::Program(kind, _) => run == RunEnd::Program(*kind),
        PathEnd::Fault(..) => run == RunEnd::Fault,
        PathEnd::Assumed(_) | PathEnd::Unsupported(..) | PathEnd::Undecided(_) => false,
    }
}

/// Below a template the last decision is the edge on which the core was left.
fn core_is_left(decided: Option<EdgeId>, run: Option<EdgeId>, node: &TreeNode) -> bool {
    node.template.is_none() || decided == run
}
