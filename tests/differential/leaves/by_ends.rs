//! The comparison of leaves where recursion or whole loops are folded.
//!
//! Frames that come and go in one step have no way of their own, nor have iterations that stand for
//! several paths, so leaves are known by how they
//! end. For each compact leaf, with numbers for its path counters, the solver shows that its path
//! condition implies that of some classic leaf with this end, and that memory is equal wherever
//! both hold; for each classic leaf with few calls and iterations that some compact leaf with few iterations is
//! there.

use super::{Comparison, Fixed, Passage, Tree, Way, end_name};
use compact_se::semantics::PathEnd;
use compact_se::solver::{Answer, Query};
use compact_se::symex::{NodeKind, TreeNodeId};
use compact_se::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The most iterations of a path counter.
const MOST_ITERATIONS: u64 = 4;
/// The most choices of numbers for the counters of one leaf.
const MOST_CHOICES: usize = 200;

/// What the solver says of an implication.
#[derive(PartialEq, Eq)]
enum Implied {
    Yes,
    No,
    Open,
}

impl Tree<'_> {
    /// Nodes that wanted one step more than there are, and nodes at which paths end.
    fn ends(&self) -> (Vec<TreeNodeId>, Vec<(TreeNodeId, String)>) {
        let mut unfinished = Vec::new();
        let mut leaves = Vec::new();
        for (id, node) in self.tree.nodes() {
            match &node.kind {
                NodeKind::Inner
                | NodeKind::Subsumed(_)
                | NodeKind::Refuted
                | NodeKind::Hopeless
                | NodeKind::Annotated => {}
                NodeKind::Merged(_) => panic!("nothing is merged here"),
                NodeKind::TooLong | NodeKind::Leaf(PathEnd::Undecided(_)) => unfinished.push(id),
                NodeKind::Leaf(end) => leaves.push((id, end_name(end))),
            }
        }
        (unfinished, leaves)
    }

    /// A node with each choice of few iterations for the counters on the path to it; `None` if
    /// there are too many choices.
    fn passages(&self, id: TreeNodeId, is_symbol: impl Fn(TermId) -> bool) -> Option<Vec<Passage>> {
        let path = self.path(id).into_iter();
        let of_templates = path
            .filter_map(|id| self.tree.node(id).template.as_ref())
            .map(|(_, kappa)| *kappa);
        // Those of phases and of inner loops that are left.
        let decisions = self.state(id).decisions.iter();
        let further = decisions.filter_map(|decision| decision.kappa());
        let counters: BTreeSet<TermId> = of_templates
            .chain(further)
            .filter(|kappa| is_symbol(*kappa))
            .collect();
        let mut choices = vec![Vec::new()];
        for counter in counters {
            if choices.len() > MOST_CHOICES {
                return None;
            }
            let longer = choices.iter().flat_map(|choice: &Vec<(TermId, u64)>| {
                (0..=MOST_ITERATIONS).map(move |iterations| {
                    let mut choice = choice.clone();
                    choice.push((counter, iterations));
                    choice
                })
            });
            choices = longer.collect();
        }
        let passage = |iterations| Passage {
            node: id,
            iterations,
        };
        Some(choices.into_iter().map(passage).collect())
    }

    /// Frames on the path to a node, or visits of one location, at the most.
    fn repetitions(&self, id: TreeNodeId) -> usize {
        let mut visits = BTreeMap::new();
        let mut most = 0;
        for id in self.path(id) {
            let state = self.state(id);
            let n_callers = state.callers.len();
            let n_visits = visits.entry((n_callers, state.location)).or_insert(0);
            *n_visits += 1;
            most = most.max(*n_visits).max(n_callers);
        }
        most
    }
}

impl Comparison<'_> {
    /// Compares all leaves; both trees have to be there up to a number of steps.
    pub(super) fn run_by_ends(&mut self) {
        let is_cut = |tree: &Tree<'_>| tree.tree.n_omitted() > 0 || tree.n_waiting > 0;
        if is_cut(self.classic) || is_cut(self.compact) {
            return;
        }
        let (classic_unfinished, classic) = self.classic.ends();
        let (compact_unfinished, compact) = self.compact.ends();
        let Some(unfinished) = self.fixed(compact_unfinished.iter().copied()) else {
            return;
        };
        let mut by_end: Vec<(String, Vec<Fixed>)> = Vec::new();
        for (id, end) in &compact {
            let Some(fixed) = self.fixed([*id].into_iter()) else {
                return;
            };
            for fixed in &fixed {
                self.compare_compact(fixed, end, &classic, &classic_unfinished);
            }
            match by_end.iter_mut().find(|(name, _)| name == end) {
                Some((_, all)) => all.extend(fixed),
                None => by_end.push((end.clone(), fixed)),
            }
        }
        for (id, end) in &classic {
            if self.classic.repetitions(*id) > usize::try_from(MOST_ITERATIONS).unwrap() {
                continue;
            }
            let same_end = by_end.iter().find(|(name, _)| name == end);
            let leaves = same_end.map_or(&[][..], |(_, all)| all.as_slice());
            self.compare_classic(*id, end, leaves, &unfinished);
        }
    }

    /// Whether all compact leaves read the same inputs, so that their path conditions are about the
    /// same values.
    pub(super) fn reads_the_same(&mut self) -> bool {
        let (unfinished, leaves) = self.compact.ends();
        let leaves = leaves.into_iter().map(|(id, _)| id);
        let Some(all) = self.fixed(leaves.chain(unfinished)) else {
            return false;
        };
        let mut pairs = all.iter().zip(all.iter().skip(1));
        pairs.all(|(one, next)| one.inputs == next.inputs)
    }

    fn fixed(&mut self, nodes: impl Iterator<Item = TreeNodeId>) -> Option<Vec<Fixed>> {
        let mut all = Vec::new();
        for id in nodes {
            let passages = self
                .compact
                .passages(id, |term| self.pool.as_symbol(term).is_some())?;
            all.extend(passages.iter().filter_map(|passage| self.fix(passage)));
        }
        Some(all)
    }

    /// A compact leaf is some of the classic leaves with the same end.
    fn compare_compact(
        &mut self,
        fixed: &Fixed,
        end: &str,
        classic: &[(TreeNodeId, String)],
        unfinished: &[TreeNodeId],
    ) {
        if self.pool.is_false(fixed.condition) {
            return;
        }
        let way = Way {
            locations: vec![self.compact.state(fixed.node).location],
            end: Some(end.to_owned()),
        };
        let mut conditions = Vec::new();
        for (id, _) in classic.iter().filter(|(_, name)| name == end) {
            let Some(mut side) = self.translate(self.classic.state(*id), fixed) else {
                self.compared.open += 1;
                return;
            };
            conditions.push(side.condition);
            let both = self.pool.and(fixed.condition, side.condition);
            if self.implies(both, TermId::FALSE) != Implied::Yes {
                self.compare_states(&way, fixed, &mut side);
            }
        }
        let some = self.pool.disj(conditions);
        match self.implies(fixed.condition, some) {
            Implied::Yes => {
                let is_possible = self.implies(fixed.condition, TermId::FALSE) != Implied::Yes;
                self.compared.equal += usize::from(is_possible);
                let is_folded = is_possible && self.compact.is_folded(fixed.node);
                self.compared.folded += usize::from(is_folded);
            }
            Implied::Open => self.compared.open += 1,
            Implied::No => {
                let mut longer = vec![some];
                for id in unfinished {
                    let side = self.translate(self.classic.state(*id), fixed);
                    longer.extend(side.map(|side| side.condition));
                }
                let some = self.pool.disj(longer);
                self.demand(
                    &way,
                    "a compact leaf has no classic one",
                    fixed.condition,
                    some,
                );
                self.compared.beyond += 1;
            }
        }
    }

    /// A classic leaf is some of the compact leaves with the same end.
    fn compare_classic(
        &mut self,
        id: TreeNodeId,
        end: &str,
        compact: &[Fixed],
        unfinished: &[Fixed],
    ) {
        let Some(first) = compact.first().or(unfinished.first()) else {
            panic!("{}: no compact leaf ends {end}", self.context);
        };
        let way = Way {
            locations: vec![self.classic.state(id).location],
            end: Some(end.to_owned()),
        };
        let Some(side) = self.translate(self.classic.state(id), first) else {
            self.compared.open += 1;
            return;
        };
        let conditions: Vec<TermId> = compact
            .iter()
            .chain(unfinished)
            .map(|fixed| fixed.condition)
            .collect();
        let some = self.pool.disj(conditions);
        self.demand(
            &way,
            "a classic leaf has no compact one",
            side.condition,
            some,
        );
        self.compared.equal += 1;
    }

    fn implies(&mut self, given: TermId, wanted: TermId) -> Implied {
        if given == wanted {
            return Implied::Yes;
        }
        let not_wanted = self.pool.not(wanted);
        let conjuncts = [given, not_wanted];
        let query = Query::new(&conjuncts, &self.limits);
        match self.solver.check(&mut self.pool, &query) {
            Answer::Unsat(_) => Implied::Yes,
            Answer::Sat(_) => Implied::No,
            Answer::Unknown(_) => Implied::Open,
        }
    }
}
