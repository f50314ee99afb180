//! Theorems 2 and 3, leaf by leaf: a compact leaf with its path counters fixed is the classic
//! leaves that it replaces, and each classic leaf is such a leaf.
//!
//! A node of either tree is known by its *way*, the locations on the path to it, and by how it
//! ends. Below a template the core stands in the way as often as κ says. For each number of
//! iterations the solver shows that the path conditions of the nodes with one way are equivalent,
//! inputs being the same in the same order, and that live registers and memory are equal under
//! them. Where recursion is folded, leaves are compared by their ends instead ([`by_ends`]).
//! [`follow`](super::follow) compares the same trees with real executions, without a solver.

mod by_ends;

use super::run::{Reach, Technique, tree, tree_in};
use compact_se::flowgraph::{EdgeId, Program};
use compact_se::memory::{Arbitrary, Base, Memory, ObjectId, ObjectKind};
use compact_se::property::Reason;
use compact_se::semantics::{InputEvent, Location, PathEnd, State};
use compact_se::solver::{Answer, Limits, Query, Solver, SolverOptions};
use compact_se::symex::{ExecutionTree, NodeKind, Report, TreeNodeId};
use compact_se::template::Region;
use compact_se::term::{Sort, Substitution, SymbolId, TermId, TermPool, Work};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How much was compared.
#[derive(Default, Clone, Copy, Debug)]
pub struct Compared {
    /// Ways with nodes in both trees.
    pub equal: usize,
    /// Those of them with a template on the way.
    pub folded: usize,
    /// Ways with a compact node only: no input takes them.
    pub impossible: usize,
    /// Classic leaves without a compact leaf, because κ repeats its states or a tree was cut or
    /// left open there.
    pub beyond: usize,
    /// Questions that the solver left open.
    pub open: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.equal += other.equal;
        self.folded += other.folded;
        self.impossible += other.impossible;
        self.beyond += other.beyond;
        self.open += other.open;
    }
}

/// Locations, and how the path ends behind them; `None` for a node from which it goes on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Way {
    locations: Vec<Location>,
    end: Option<String>,
}

/// A node, with a number of iterations for each path counter on the path to it.
#[derive(Clone)]
struct Passage {
    node: TreeNodeId,
    iterations: Vec<(TermId, u64)>,
}

type Ways = BTreeMap<Way, Vec<Passage>>;

/// Locations on the path to a node, and the numbers of iterations that put them there.
#[derive(Clone, Default)]
struct Walk {
    locations: Vec<Location>,
    iterations: Vec<(TermId, u64)>,
}

/// Compares the trees of a program on all ways that both have in full.
///
/// # Panics
/// If they differ; `context` is part of the message.
pub fn compare(program: &Program, reach: Reach, context: &str) -> Compared {
    compare_with(program, Technique::Cycles, reach, context)
}

/// The same for trees with folded recursion or whole loops, by whatever technique, where iterations
/// read no inputs; other trees are compared if they have templates of cycles only.
///
/// # Panics
/// If they differ.
pub fn compare_with(
    program: &Program,
    technique: Technique,
    reach: Reach,
    context: &str,
) -> Compared {
    let mut classic = tree(program, Technique::Classic, reach);
    // Both runs begin by making the same symbols in an empty pool, those for addresses, so the
    // second may go on in the pool of the first: one solver can ask about both trees.
    let pool = std::mem::take(&mut classic.pool);
    let mut compact = tree_in(pool, program, technique, reach);
    let folds_recursion = folds(&compact, |region| matches!(region, Region::Recursion(_)));
    let folds_loops = folds(&compact, |region| matches!(region, Region::Loop(_)));
    if technique != Technique::Cycles && !folds_recursion && !folds_loops {
        return Compared::default();
    }
    if folds_loops && reads_in_iterations(&compact) {
        // Paths through one iteration read different inputs.
        return Compared::default();
    }
    let pool = std::mem::take(&mut compact.pool);
    let classic = Tree::new(program, &classic, reach);
    let compact = Tree::new(program, &compact, reach);
    let mut comparison = Comparison {
        classic: &classic,
        compact: &compact,
        program,
        pool,
        solver: SolverOptions::default().build(),
        limits: Limits {
            work: Some(Work::millis(500)),
            ..Limits::default()
        },
        compared: Compared::default(),
        context,
    };
    if folds_loops && !comparison.reads_the_same() {
        return Compared::default();
    }
    if folds_recursion || folds_loops {
        comparison.run_by_ends();
    } else {
        comparison.run();
    }
    comparison.compared
}

fn folds(report: &Report, of_kind: impl Fn(&Region) -> bool) -> bool {
    let mut nodes = report.tree.as_ref().expect("the tree was recorded").nodes();
    nodes.any(|(_, node)| {
        let template = node.template.as_ref();
        template.is_some_and(|(region, _)| of_kind(region))
    })
}

fn reads_in_iterations(report: &Report) -> bool {
    let mut nodes = report.tree.as_ref().expect("the tree was recorded").nodes();
    nodes.any(|(_, node)| {
        let mut inputs = node.state.inputs.iter();
        inputs.any(|event| matches!(event, InputEvent::Iterations { .. }))
    })
}

/// A tree, and how far it is whole.
struct Tree<'a> {
    program: &'a Program,
    tree: &'a ExecutionTree,
    /// Every way of at most so many locations is in the tree.
    whole: usize,
    /// Whether the solver left a node open.
    is_open: bool,
    /// States that the budget left in the queue.
    n_waiting: usize,
}

impl<'a> Tree<'a> {
    fn new(program: &'a Program, report: &'a Report, reach: Reach) -> Tree<'a> {
        let tree = report.tree.as_ref().expect("the tree was recorded");
        let mut found = Tree {
            program,
            tree,
            whole: usize::try_from(reach.steps).unwrap(),
            is_open: report
                .reasons
                .iter()
                .any(|(reason, _)| matches!(reason, Reason::Undecided(_))),
            n_waiting: report.statistics.n_waiting,
        };
        let is_cut = tree.n_omitted() > 0 || report.statistics.n_waiting > 0;
        if is_cut && let Some((last, _)) = tree.nodes().last() {
            // Breadth first: all nodes above the last are there. A leaf adds no location, and a
            // step of the tree at least one.
            found.whole = found.whole.min(found.path(last).len().saturating_sub(2));
        }
        found
    }

    /// The nodes from the root to this one.
    fn path(&self, id: TreeNodeId) -> Vec<TreeNodeId> {
        let parent = |id: &TreeNodeId| self.tree.node(*id).parent;
        let mut path: Vec<TreeNodeId> = std::iter::successors(Some(id), parent).collect();
        path.reverse();
        path
    }

    fn state(&self, id: TreeNodeId) -> &'a State {
        &self.tree.node(id).state
    }

    fn is_folded(&self, id: TreeNodeId) -> bool {
        let mut path = self.path(id).into_iter();
        path.any(|id| self.tree.node(id).template.is_some())
    }

    /// All nodes that satisfy `wanted`, by way; ways of more than `most` locations are left out.
    fn ways(&self, most: usize, wanted: impl Fn(&Tree<'_>, TreeNodeId) -> bool) -> Ways {
        let mut ways = Ways::new();
        for (id, node) in self.tree.nodes() {
            let end = match &node.kind {
                NodeKind::Inner => None,
                NodeKind::Subsumed(_)
                | NodeKind::Refuted
                | NodeKind::Hopeless
                | NodeKind::Annotated => {
                    panic!("nothing is closed here")
                }
                NodeKind::Merged(_) => panic!("nothing is merged here"),
                NodeKind::Leaf(PathEnd::Undecided(_)) | NodeKind::TooLong => continue,
                NodeKind::Leaf(end) => Some(end_name(end)),
            };
            if !wanted(self, id) {
                continue;
            }
            for walk in self.walks(id, most) {
                let way = Way {
                    locations: walk.locations,
                    end: end.clone(),
                };
                let iterations = walk.iterations;
                ways.entry(way).or_default().push(Passage {
                    node: id,
                    iterations,
                });
            }
        }
        ways
    }

    /// The walks to a node, one for each choice of numbers of iterations.
    fn walks(&self, id: TreeNodeId, most: usize) -> Vec<Walk> {
        let mut walks = vec![Walk::default()];
        for id in self.path(id) {
            let node = self.tree.node(id);
            if let Some((Region::Core(core), kappa)) = &node.template {
                let around = walks.iter();
                walks = around
                    .flat_map(|walk| self.around(id, core, *kappa, walk, most))
                    .collect();
            }
            if !matches!(node.kind, NodeKind::Leaf(_)) {
                for walk in &mut walks {
                    walk.locations.push(node.state.location);
                }
            }
            walks.retain(|walk| walk.locations.len() <= most);
        }
        walks
    }

    /// From the entry of a core, where `to_entry` ends, to the place where this child of a template
    /// leaves it, for each number of iterations that fits.
    fn around(
        &self,
        child: TreeNodeId,
        core: &[EdgeId],
        kappa: TermId,
        to_entry: &Walk,
        most: usize,
    ) -> Vec<Walk> {
        let left_by = self.state(child).decisions.first().expect("an exit");
        let (left, edge) = left_by.taken().expect("paths are not merged");
        let function = self.program.function(left);
        let along: Vec<Location> = core
            .iter()
            .map(|edge| Location {
                function: left,
                node: function.source(*edge),
            })
            .collect();
        let exit = function.source(edge);
        let position = along.iter().position(|location| location.node == exit);
        let position = position.expect("the exit leaves the core");
        let mut found = Vec::new();
        let mut here = to_entry.locations.clone();
        for n_iterations in 0.. {
            if here.len() > most {
                break;
            }
            let mut walk = Walk {
                locations: here.clone(),
                iterations: to_entry.iterations.clone(),
            };
            walk.locations.extend(&along[1..=position]);
            walk.iterations.push((kappa, n_iterations));
            found.push(walk);
            here.extend(along[1..].iter().chain(&along[..1]));
        }
        found
    }
}

/// How a path ends, without the place.
fn end_name(end: &PathEnd) -> String {
    match end {
        PathEnd::Returned => "returns".to_owned(),
        PathEnd::Assumed(_) => "assumption".to_owned(),
        PathEnd::Target(_) => "target".to_owned(),
        PathEnd::Program(kind, _) => format!("{kind:?}"),
        PathEnd::Fault(fault, _) => format!("{fault:?}"),
        PathEnd::Unsupported(what, _) => what.clone(),
        PathEnd::Undecided(_) => "undecided".to_owned(),
    }
}

struct Comparison<'a> {
    program: &'a Program,
    classic: &'a Tree<'a>,
    compact: &'a Tree<'a>,
    pool: TermPool,
    solver: Box<dyn Solver>,
    limits: Limits,
    compared: Compared,
    context: &'a str,
}

impl Comparison<'_> {
    fn run(&mut self) {
        let most = self.classic.whole;
        let classic = self.classic.ways(most, |_, _| true);
        // Every leaf, and the nodes right below a template.
        let compact = self.compact.ways(most, |tree, id| {
            let node = tree.tree.node(id);
            // Where κ counts no further a path is given up; the classic one goes on.
            let is_given_up = matches!(node.kind, NodeKind::Leaf(PathEnd::Unsupported(..)));
            !is_given_up && (node.kind != NodeKind::Inner || node.template.is_some())
        });
        let is_whole = !self.compact.is_open && !self.classic.is_open;
        for (way, passages) in &compact {
            let replaced = classic.get(way).map_or(&[][..], Vec::as_slice);
            if is_whole || !replaced.is_empty() {
                self.compare_way(way, passages, replaced);
            }
        }
        for way in classic.keys().filter(|way| way.end.is_some()) {
            if compact.contains_key(way) {
                continue;
            }
            assert!(
                !is_whole || self.compact.whole < way.locations.len() || self.may_repeat(most),
                "{}: no compact leaf for {}",
                self.context,
                self.describe(way)
            );
            self.compared.beyond += 1;
        }
    }

    /// Whether some κ counts fewer iterations than ways of this length can have, which is right
    /// only where iterations read inputs: all that many iterations lead to the states of fewer
    /// iterations on other inputs.
    fn may_repeat(&self, most: usize) -> bool {
        let nodes = self.compact.tree.nodes();
        nodes.into_iter().any(|(_, node)| {
            node.template.as_ref().is_some_and(|(region, kappa)| {
                let Region::Core(core) = region else {
                    return false;
                };
                let bits = self.pool.width(*kappa);
                let reads = node.state.inputs.iter().any(
                    |event| matches!(event, InputEvent::Iterations { kappa: of, .. } if of == kappa),
                );
                reads && bits < 32 && most / core.len() >= 1 << bits
            })
        })
    }

    fn compare_way(&mut self, way: &Way, compact: &[Passage], classic: &[Passage]) {
        let compact: Vec<Fixed> = compact.iter().filter_map(|p| self.fix(p)).collect();
        let Some(first) = compact.first() else {
            // κ cannot count so many iterations.
            return;
        };
        let mut one_of = Vec::new();
        for fixed in &compact {
            let mut sides = Vec::new();
            for passage in classic {
                let state = self.classic.state(passage.node);
                let Some(translated) = self.translate(state, fixed) else {
                    self.compared.open += 1;
                    return;
                };
                sides.push(translated);
            }
            let conditions: Vec<TermId> = sides.iter().map(|side| side.condition).collect();
            let any = self.pool.disj(conditions);
            self.demand(
                way,
                "a compact node has no classic one",
                fixed.condition,
                any,
            );
            for mut side in sides {
                self.compare_states(way, fixed, &mut side);
            }
            one_of.push((fixed.condition, any));
        }
        // Where the compact nodes read the same inputs, they replace the classic nodes together.
        if compact.iter().all(|fixed| fixed.inputs == first.inputs) {
            let conditions: Vec<TermId> = one_of.iter().map(|(condition, _)| *condition).collect();
            let any = self.pool.disj(conditions);
            self.demand(way, "a classic node has no compact one", one_of[0].1, any);
        }
        if classic.is_empty() {
            self.compared.impossible += 1;
        } else {
            self.compared.equal += 1;
            let folded = compact
                .iter()
                .any(|fixed| self.compact.is_folded(fixed.node));
            self.compared.folded += usize::from(folded);
        }
    }

    /// A compact node with these numbers of iterations; `None` where κ cannot count them.
    fn fix(&mut self, passage: &Passage) -> Option<Fixed> {
        let state = self.compact.state(passage.node);
        let mut kappas = Kappas::default();
        for (kappa, iterations) in &passage.iterations {
            let bits = self.pool.width(*kappa);
            if bits < 64 && iterations >> bits != 0 {
                return None;
            }
            let symbol = self.pool.as_symbol(*kappa).expect("κ is a symbol");
            kappas.0.insert(symbol, self.pool.bv(bits, *iterations));
        }
        let conjuncts = state.path_cond.to_vec();
        let conjuncts: Vec<TermId> = conjuncts
            .into_iter()
            .map(|conjunct| self.pool.substitute(conjunct, &mut kappas))
            .collect();
        let condition = self.pool.conj(conjuncts);
        let inputs = self.inputs(state, &mut kappas, &passage.iterations);
        Some(Fixed {
            node: passage.node,
            kappas,
            condition,
            inputs,
        })
    }

    /// The inputs of a path, in order; those of folded iterations one by one.
    fn inputs(
        &mut self,
        state: &State,
        kappas: &mut Kappas,
        iterations: &[(TermId, u64)],
    ) -> Vec<Input> {
        let mut events: Vec<InputEvent> = state.inputs.iter().cloned().collect();
        events.reverse();
        let mut inputs = Vec::new();
        for event in events {
            match event {
                InputEvent::Value { term, .. } => {
                    inputs.push(Input::Value(self.pool.substitute(term, kappas)));
                }
                InputEvent::Memory { content, .. } => inputs.push(Input::Memory(content)),
                InputEvent::Either(_) => panic!("nothing is merged here"),
                InputEvent::Iterations { kappa, arrays } => {
                    let (_, n_iterations) = iterations.iter().find(|(of, _)| *of == kappa).unwrap();
                    let bits = self.pool.width(kappa);
                    for iteration in 0..*n_iterations {
                        let index = self.pool.bv(bits, iteration);
                        for (array, _) in arrays.iter() {
                            inputs.push(Input::Value(self.pool.select(*array, index)));
                        }
                    }
                }
            }
        }
        inputs
    }

    /// A classic state in the symbols of a compact one; `None` where the symbols of memory have
    /// other widths, so that one cannot stand for the other.
    fn translate(&mut self, state: &State, fixed: &Fixed) -> Option<Side> {
        let inputs = self.inputs(state, &mut Kappas::default(), &[]);
        assert_eq!(
            inputs.len(),
            fixed.inputs.len(),
            "{}: another number of inputs",
            self.context
        );
        let mut meaning = Meaning {
            pointer_bits: self.program.pointer_bits,
            values: BTreeMap::new(),
            contents: BTreeMap::new(),
            is_mixed: false,
        };
        for (ours, theirs) in inputs.iter().zip(&fixed.inputs) {
            match (ours, theirs) {
                (Input::Value(ours), Input::Value(theirs)) => {
                    let symbol = self.pool.as_symbol(*ours).expect("inputs are symbols");
                    meaning.values.insert(symbol, *theirs);
                }
                (Input::Memory(ours), Input::Memory(theirs)) => {
                    meaning.content(&mut self.pool, ours, theirs);
                }
                _ => panic!("{}: inputs of another kind", self.context),
            }
        }
        let root = |tree: &Tree<'_>| tree.state(TreeNodeId(0)).memory.clone();
        let (ours, theirs) = (root(self.classic), root(self.compact));
        for ((_, ours), (_, theirs)) in ours.objects().zip(theirs.objects()) {
            if let (Base::Arbitrary(ours), Base::Arbitrary(theirs)) =
                (ours.content.base(), theirs.content.base())
            {
                meaning.content(&mut self.pool, ours, theirs);
            }
        }
        let compact = &self.compact.state(fixed.node).memory;
        for ((ours, _), (theirs, _)) in state.memory.objects().zip(compact.objects()) {
            meaning.values.insert(ours, self.pool.symbol_term(theirs));
        }
        let conjuncts = state.path_cond.to_vec();
        let conjuncts: Vec<TermId> = conjuncts
            .into_iter()
            .map(|conjunct| self.pool.substitute(conjunct, &mut meaning))
            .collect();
        let condition = self.pool.conj(conjuncts);
        (!meaning.is_mixed).then(|| Side {
            state: state.clone(),
            condition,
            meaning,
        })
    }

    /// Live registers and memory are equal wherever both nodes exist.
    fn compare_states(&mut self, way: &Way, fixed: &Fixed, side: &mut Side) {
        let node = self.compact.tree.node(fixed.node);
        if way.end.is_some() && node.template.is_some() {
            // A template does not say what memory holds where it ends a path.
            return;
        }
        let mut kappas = fixed.kappas.clone();
        let mut differences = Vec::new();
        if way.end.is_none() {
            let location = node.state.location;
            let function = self.program.function(location.function);
            for reg in function.liveness().regs_at(function, location.node) {
                let ours = node.state.frame.get(reg);
                let theirs = side.state.frame.get(reg);
                let ours = self.pool.substitute(ours, &mut kappas);
                let theirs = self.pool.substitute(theirs, &mut side.meaning);
                differences.push(self.pool.ne(ours, theirs));
            }
        }
        let (ours, theirs) = (node.state.memory.clone(), side.state.memory.clone());
        let objects: Vec<(ObjectId, ObjectId)> = pairs(&ours, &theirs);
        let (mut ours, mut theirs) = (ours, theirs);
        for (left, right) in objects {
            for offset in 0..self.n_bytes(&ours, left) {
                let at = self.pool.bv(self.program.pointer_bits, offset);
                let left = ours.read(&mut self.pool, left, at, 1);
                let right = theirs.read(&mut self.pool, right, at, 1);
                let left = self.pool.substitute(left, &mut kappas);
                let right = self.pool.substitute(right, &mut side.meaning);
                differences.push(self.pool.ne(left, right));
            }
        }
        if side.meaning.is_mixed {
            self.compared.open += 1;
            return;
        }
        let different = self.pool.disj(differences);
        let both = self.pool.and(fixed.condition, side.condition);
        let equal = self.pool.not(different);
        self.demand(way, "registers or memory differ", both, equal);
    }

    /// How many bytes of an object are compared.
    fn n_bytes(&self, memory: &Memory, id: ObjectId) -> u64 {
        let object = memory.object(id).expect("objects are in memory");
        if object.info.kind == ObjectKind::Function || !object.alive {
            return 0;
        }
        self.pool.as_u64(object.info.bytes).unwrap_or(16).min(40)
    }

    /// given → wanted, for all inputs.
    fn demand(&mut self, way: &Way, otherwise: &str, given: TermId, wanted: TermId) {
        if given == wanted {
            return;
        }
        let not_wanted = self.pool.not(wanted);
        let conjuncts = [given, not_wanted];
        let query = Query::new(&conjuncts, &self.limits);
        match self.solver.check(&mut self.pool, &query) {
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => self.compared.open += 1,
            Answer::Sat(_) => panic!(
                "{}: {otherwise}: {}\n{}\nwithout\n{}",
                self.context,
                self.describe(way),
                self.pool.display(given),
                self.pool.display(wanted)
            ),
        }
    }

    fn describe(&self, way: &Way) -> String {
        let names = way.locations.iter().map(|location| {
            let function = self.program.function(location.function);
            function.node(location.node).name.clone()
        });
        let names: Vec<String> = names.collect();
        format!("{} {:?}", names.join(" "), way.end)
    }
}

/// Objects of two states on one way: made in the same order, so of the same rank.
fn pairs(left: &Memory, right: &Memory) -> Vec<(ObjectId, ObjectId)> {
    let left = left.objects().map(|(id, _)| id);
    left.zip(right.objects().map(|(id, _)| id)).collect()
}

/// A compact node whose path counters are numbers.
struct Fixed {
    node: TreeNodeId,
    kappas: Kappas,
    condition: TermId,
    inputs: Vec<Input>,
}

/// A classic node in the symbols of a compact one.
struct Side {
    state: State,
    condition: TermId,
    meaning: Meaning,
}

#[derive(Clone)]
enum Input {
    Value(TermId),
    Memory(Rc<Arbitrary>),
}

impl PartialEq for Input {
    fn eq(&self, other: &Input) -> bool {
        match (self, other) {
            (Input::Value(a), Input::Value(b)) => a == b,
            (Input::Memory(a), Input::Memory(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Numbers for path counters.
#[derive(Clone, Default)]
struct Kappas(BTreeMap<SymbolId, TermId>);

impl Substitution for Kappas {
    fn symbol(&mut self, _: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        self.0.get(&symbol).copied()
    }

    fn select(&mut self, _: &mut TermPool, _: SymbolId, _: TermId) -> Option<TermId> {
        None
    }
}

/// What the classic symbols are in the compact tree.
struct Meaning {
    pointer_bits: u32,
    values: BTreeMap<SymbolId, TermId>,
    contents: BTreeMap<SymbolId, (Rc<Arbitrary>, u32)>,
    is_mixed: bool,
}

impl Meaning {
    fn content(&mut self, pool: &mut TermPool, ours: &Arbitrary, theirs: &Rc<Arbitrary>) {
        let cell_bytes = theirs.symbol().map_or(1, |(_, bytes)| bytes);
        let (symbol, cell_bytes) = ours.symbol().unwrap_or_else(|| {
            // Nobody has read it; the first to read it decides its cells.
            let start = pool.bv(self.pointer_bits, 0);
            let _ = ours.read(pool, start, cell_bytes);
            ours.symbol().expect("it was read")
        });
        let content = (Rc::clone(theirs), cell_bytes);
        self.contents.insert(symbol, content);
    }
}

impl Substitution for Meaning {
    fn symbol(&mut self, pool: &mut TermPool, symbol: SymbolId) -> Option<TermId> {
        if let Some(value) = self.values.get(&symbol) {
            return Some(*value);
        }
        let (content, cell_bytes) = self.contents.get(&symbol)?;
        if content.symbol().is_none()
            && let Sort::Array { index, .. } = pool.symbol_sort(symbol)
        {
            let start = pool.bv(index, 0);
            let _ = content.read(pool, start, *cell_bytes);
        }
        match content.symbol() {
            Some((symbol, bytes)) if bytes == *cell_bytes => Some(pool.symbol_term(symbol)),
            _ => {
                self.is_mixed = true;
                None
            }
        }
    }

    fn select(&mut self, pool: &mut TermPool, array: SymbolId, index: TermId) -> Option<TermId> {
        let (content, cell_bytes) = self.contents.get(&array)?;
        Some(content.read(pool, index, *cell_bytes))
    }
}
