//! Appending actions to a flowgraph at either granularity.
//!
//! # Invariants
//! - `here` is the node where the next action goes; it is `None` after the path has ended.
//! - With `Granularity::Split` every edge has at most one action and nothing is pending.
//! - With `Granularity::Block` `pending` are the steps of the edge that leaves `here` next.

use super::expr;
use flowgraph::{
    Action, EndKind, Expr, Function, FunctionBuilder, Granularity, NodeId, RegId, Span, Step,
};

pub(super) struct Emitter {
    pub builder: FunctionBuilder,
    granularity: Granularity,
    here: Option<NodeId>,
    pending: Vec<Step>,
    end: Option<NodeId>,
    /// Name of the block, for the nodes inside it.
    block: String,
    n_inside: u32,
}

/// One branch of a branching.
pub(super) struct Arm {
    /// Width 1.
    pub condition: Expr,
    /// Done after the condition was found true.
    pub steps: Vec<Step>,
    pub to: NodeId,
}

impl Emitter {
    pub fn new(name: &str, granularity: Granularity) -> Emitter {
        Emitter {
            builder: FunctionBuilder::new(name),
            granularity,
            here: None,
            pending: Vec::new(),
            end: None,
            block: String::new(),
            n_inside: 0,
        }
    }

    /// Continues at this node.
    pub fn start_block(&mut self, node: NodeId, name: &str) {
        debug_assert!(self.pending.is_empty(), "the block before was finished");
        self.here = Some(node);
        name.clone_into(&mut self.block);
        self.n_inside = 0;
    }

    pub fn has_ended(&self) -> bool {
        self.here.is_none()
    }

    /// The node where the next action goes.
    fn here(&self) -> NodeId {
        self.here
            .expect("actions come before the end of their block")
    }

    /// A new node inside the block.
    fn inside(&mut self, span: Span) -> NodeId {
        self.n_inside += 1;
        let name = format!("{}.{}", self.block, self.n_inside);
        self.builder.add_node(&name, span)
    }

    /// An action that may share its edge with others.
    pub fn push(&mut self, action: Action, span: Span) {
        match self.granularity {
            Granularity::Split => self.alone(action, span),
            Granularity::Block => self.pending.push(Step::new(action, span)),
        }
    }

    pub fn assign(&mut self, dst: RegId, value: Expr, span: Span) {
        self.push(Action::Assign(vec![(dst, value)]), span);
    }

    /// Ends the edge, if it has steps.
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let steps = std::mem::take(&mut self.pending);
            let span = steps.last().map_or(Span::default(), |step| step.span);
            let next = self.inside(span);
            self.builder.add_edge(self.here(), next, steps);
            self.here = Some(next);
        }
    }

    /// An action that stands alone on its edge.
    pub fn alone(&mut self, action: Action, span: Span) {
        self.flush();
        let next = self.inside(span);
        self.builder
            .add_edge(self.here(), next, vec![Step::new(action, span)]);
        self.here = Some(next);
    }

    /// The action with which a path ends or the function returns.
    pub fn last(&mut self, action: Action, span: Span) {
        self.flush();
        let end = self.end();
        self.builder
            .add_edge(self.here(), end, vec![Step::new(action, span)]);
        self.here = None;
    }

    fn end(&mut self) -> NodeId {
        let builder = &mut self.builder;
        *self
            .end
            .get_or_insert_with(|| builder.add_node("end", Span::default()))
    }

    /// Goes to another block.
    pub fn jump(&mut self, steps: Vec<Step>, to: NodeId) {
        let mut all = std::mem::take(&mut self.pending);
        all.extend(steps);
        self.chain(self.here(), all, to);
        self.here = None;
    }

    /// Branches; the conditions exclude each other and cover everything.
    pub fn branch(&mut self, arms: Vec<Arm>, span: Span) {
        self.flush();
        let here = self.here();
        for arm in arms {
            let mut steps = vec![Step::new(Action::Assume(arm.condition), span)];
            steps.extend(arm.steps);
            self.chain(here, steps, arm.to);
        }
        self.here = None;
    }

    /// An edge with these steps, or a chain of edges with one step each.
    fn chain(&mut self, from: NodeId, mut steps: Vec<Step>, to: NodeId) {
        let mut from = from;
        if self.granularity == Granularity::Split {
            let last = steps.split_off(steps.len().saturating_sub(1));
            for step in steps {
                let next = self.inside(step.span);
                self.builder.add_edge(from, next, vec![step]);
                from = next;
            }
            steps = last;
        }
        self.builder.add_edge(from, to, steps);
    }

    /// Ends the path where `bad` (width 1) holds, and continues otherwise.
    pub fn guard(&mut self, bad: &Expr, kind: EndKind, span: Span) {
        self.flush();
        let here = self.here();
        let trap = self.inside(span);
        let assume = |condition: Expr| Step::new(Action::Assume(condition), span);
        self.builder.add_edge(here, trap, vec![assume(bad.clone())]);
        let end = self.end();
        self.builder
            .add_edge(trap, end, vec![Step::new(Action::End(kind), span)]);
        let good = assume(expr::not(bad));
        match self.granularity {
            Granularity::Block => self.pending.push(good),
            Granularity::Split => {
                let next = self.inside(span);
                self.builder.add_edge(here, next, vec![good]);
                self.here = Some(next);
            }
        }
    }

    /// `dst := condition`; with `Granularity::Split` a branching whose arms assign 1 and 0
    /// (ATVA 2013, Appendix C, Figure 4).
    pub fn assign_condition(&mut self, dst: RegId, condition: Expr, span: Span) {
        if self.granularity == Granularity::Block || matches!(condition, Expr::Const(_)) {
            self.assign(dst, condition, span);
            return;
        }
        let join = self.inside(span);
        let arm = |condition: Expr, value: u64| Arm {
            condition,
            steps: vec![Step::new(
                Action::Assign(vec![(dst, expr::int(1, value))]),
                span,
            )],
            to: join,
        };
        let negation = expr::not(&condition);
        self.branch(vec![arm(condition, 1), arm(negation, 0)], span);
        self.here = Some(join);
    }

    pub fn finish(self) -> Function {
        debug_assert!(self.here.is_none(), "every block ends");
        self.builder.finish()
    }
}
