//! The body of a natural loop, executed once from its header over all paths.
//!
//! Each path ends back at the header, outside of the loop, or within the iteration (fault,
//! assumption, target). An inner loop is, in this order,
//!
//! 1. one deterministic step by its own template, where the conditions of each of its exits
//!    determine its number of iterations in closed form (ISSTA 2012, Section 3.4);
//! 2. unrolled, if it ends within [`MOST_ITERATIONS`];
//! 3. a reason for refusal.
//!
//! A path that the oracle cannot decide is kept: its condition is part of its guard, so that the iteration stays exact.

use super::apply::Application;
use super::determined::{Left, needed_part};
use super::entry::Entry;
use super::iteration::IterationExit;
use super::{ExitTarget, NoTemplate, Template};
use flowgraph::{EdgeId, Loop, LoopId, LoopNest, Span};
use semantics::{Admission, Machine, Oracle, Outcome, PathCondition, PathEnd, State};
use std::rc::Rc;
use term::{TermId, TermPool, Work};

/// No inner loop is unrolled on a path for more iterations than this.
const MOST_ITERATIONS: u32 = 64;

/// An iteration has at most so many paths.
const MOST_PATHS: usize = 512;

/// A body is explored with at most so much work.
const MOST_WORK: Work = Work::seconds(3);

/// The paths of one iteration.
#[derive(Clone)]
pub(super) struct Explored {
    /// Those that come back to the header.
    pub back: Vec<State>,
    /// Those that do not.
    pub ways: Vec<IterationExit>,
    /// The first line of the loop.
    pub span: Span,
}

/// Gives the template of an inner loop for the shape of a state at its header.
pub(super) type InnerTemplates<'a> = dyn FnMut(&mut TermPool, &mut dyn Oracle, &State, LoopId) -> Result<Rc<Template>, NoTemplate>
    + 'a;

/// A loop of a function.
#[derive(Clone, Copy)]
pub(super) struct InNest<'a> {
    pub nest: &'a LoopNest,
    pub natural: &'a Loop,
}

/// The exits of an inner loop as outcomes of one step, by edge, and those whose number of inner
/// iterations is open.
type InnerWays = (Vec<(EdgeId, Outcome)>, Vec<IterationExit>);

/// A path that is still inside the loop.
struct Open {
    state: State,
    /// Inner loops that are unrolled on this path, with their iterations so far and why.
    unrolled: Vec<(LoopId, u32, NoTemplate)>,
}

struct Explorer<'a> {
    machine: &'a Machine<'a>,
    at: InNest<'a>,
    inner: &'a mut InnerTemplates<'a>,
    entry: &'a State,
    span: Span,
    open: Vec<Open>,
    back: Vec<State>,
    ways: Vec<IterationExit>,
}

/// Takes what cannot be decided for feasible.
struct Lenient<'a>(&'a mut dyn Oracle);

impl Oracle for Lenient<'_> {
    fn admits(
        &mut self,
        pool: &mut TermPool,
        path_cond: &PathCondition,
        condition: TermId,
    ) -> Admission {
        match self.0.admits(pool, path_cond, condition) {
            Admission::Infeasible => Admission::Infeasible,
            Admission::Feasible | Admission::Unknown => Admission::Feasible,
        }
    }

    fn is_exhausted(&self) -> bool {
        self.0.is_exhausted()
    }
}

/// Executes the body of a loop once.
///
/// # Errors
/// Why that is not possible.
pub(super) fn explore<'a>(
    machine: &'a Machine<'a>,
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    entry: &'a Entry,
    at: InNest<'a>,
    inner: &'a mut InnerTemplates<'a>,
) -> Result<Explored, NoTemplate> {
    let mut explorer = Explorer {
        machine,
        at,
        inner,
        entry: &entry.state,
        span: span_of(machine, entry, at.natural),
        open: vec![Open {
            state: entry.state.clone(),
            unrolled: Vec::new(),
        }],
        back: Vec::new(),
        ways: Vec::new(),
    };
    explorer.run(pool, &mut Lenient(oracle))?;
    Ok(Explored {
        back: explorer.back,
        ways: explorer.ways,
        span: explorer.span,
    })
}

/// The first place of a loop that is known.
fn span_of(machine: &Machine, entry: &Entry, natural: &Loop) -> Span {
    let id = entry.state.location.function;
    let function = &machine.program.functions[id.index()];
    let header = function.node(natural.header).span;
    let edges = function.out_edges(natural.header).iter();
    let spans = edges.flat_map(|edge| &function.edge(*edge).steps);
    std::iter::once(header)
        .chain(spans.map(|step| step.span))
        .find(|span| span.line > 0)
        .unwrap_or_default()
}

impl Explorer<'_> {
    fn run(&mut self, pool: &mut TermPool, oracle: &mut dyn Oracle) -> Result<(), NoTemplate> {
        let end = pool.work() + MOST_WORK;
        let mut is_start = true;
        while let Some(mut path) = self.open.pop() {
            let n_paths = self.open.len() + self.back.len() + self.ways.len();
            if n_paths > MOST_PATHS || pool.work() > end {
                return Err(NoTemplate::TooManyPaths(self.span));
            }
            if oracle.is_exhausted() {
                return Err(NoTemplate::Limit(self.span));
            }
            let inner = self.at.nest.by_header(path.state.location.node);
            if !is_start && let Some(id) = inner {
                let position = path.unrolled.iter().position(|(known, ..)| *known == id);
                if let Some(position) = position {
                    let (_, iterations, why) = &mut path.unrolled[position];
                    *iterations += 1;
                    if *iterations > MOST_ITERATIONS {
                        return Err(why.clone());
                    }
                } else {
                    match self.fold_inner(pool, oracle, &path.state, id) {
                        Ok((outcomes, ways)) => {
                            self.sort(outcomes, &path.unrolled)?;
                            self.ways.extend(ways);
                            continue;
                        }
                        Err(why) => {
                            let why = self.inner_refusal(why, id);
                            path.unrolled.push((id, 0, why));
                        }
                    }
                }
            }
            is_start = false;
            let outcomes = self.machine.step_by_edge(pool, oracle, path.state);
            self.sort(outcomes, &path.unrolled)?;
        }
        Ok(())
    }

    fn inner_refusal(&self, why: NoTemplate, id: LoopId) -> NoTemplate {
        if let NoTemplate::InnerLoop { .. } = why {
            return why;
        }
        let lines = self.at.nest.loops[id.index()].lines;
        let span = lines.map_or(self.span, |lines| Span {
            file: lines.file,
            line: lines.first,
            column: 0,
        });
        NoTemplate::InnerLoop {
            why: why.to_string(),
            span,
        }
    }

    /// Puts each outcome where it belongs.
    fn sort(
        &mut self,
        outcomes: Vec<(EdgeId, Outcome)>,
        unrolled: &[(LoopId, u32, NoTemplate)],
    ) -> Result<(), NoTemplate> {
        let function = self.entry.location.function;
        // The first one is to be taken up first.
        for (edge, outcome) in outcomes.into_iter().rev() {
            let at = || self.machine.edge_span(function, edge);
            match outcome {
                Outcome::Undecided { span, .. } => return Err(NoTemplate::Undecided(span)),
                Outcome::Ended(state, end) => {
                    match &end {
                        PathEnd::Unsupported(what, span) => {
                            return Err(NoTemplate::Unsupported {
                                what: what.clone(),
                                span: *span,
                            });
                        }
                        PathEnd::Undecided(span) => return Err(NoTemplate::Undecided(*span)),
                        PathEnd::Returned if function != self.machine.program.main => {
                            return Err(NoTemplate::Calls(at()));
                        }
                        PathEnd::Returned
                        | PathEnd::Assumed(_)
                        | PathEnd::Target(_)
                        | PathEnd::Program(..)
                        | PathEnd::Fault(..) => {}
                    }
                    let target = ExitTarget::End(end);
                    self.ways.push(IterationExit {
                        edge,
                        state,
                        target,
                        inner: Vec::new(),
                    });
                }
                Outcome::Running(state) => {
                    if state.location.function != function || !state.callers.is_empty() {
                        return Err(NoTemplate::Calls(at()));
                    }
                    if !state.frame.allocas.is_empty() {
                        return Err(NoTemplate::Allocates(at()));
                    }
                    let node = state.location.node;
                    if node == self.at.natural.header {
                        self.back.push(state);
                    } else if self.at.natural.body.contains(node.index()) {
                        let unrolled = unrolled.to_vec();
                        self.open.push(Open { state, unrolled });
                    } else {
                        let target = ExitTarget::Location(state.location);
                        self.ways.push(IterationExit {
                            edge,
                            state,
                            target,
                            inner: Vec::new(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// The exits of an inner loop, as one step. On those that end the path or leave the outer
    /// loop as well, the number of iterations may stay open: it is one of the last iteration.
    fn fold_inner(
        &mut self,
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        state: &State,
        id: LoopId,
    ) -> Result<InnerWays, NoTemplate> {
        let template = (self.inner)(pool, oracle, state, id)?;
        let reads = |template: &Template| {
            let mut exits = template.exits.iter();
            !template.inputs.is_empty() || exits.any(|exit| !exit.last_inputs.is_empty())
        };
        let refuse = |why: &str| NoTemplate::InnerLoop {
            why: why.to_owned(),
            span: self.machine.edge_span(
                template.entry.function,
                self.at.nest.loops[id.index()].back_edges[0],
            ),
        };
        if reads(&template) {
            return Err(refuse("it reads inputs"));
        }
        let mut outcomes = Vec::new();
        let mut ways = Vec::new();
        let application = Application::new(pool, &template, state);
        for exit in &template.exits {
            let mut inner = application.inner(pool, exit);
            let Left {
                application: mut left,
                condition,
                open,
            } = Left::of(pool, oracle, &application, state, exit);
            inner.extend(open.map(|counter| (exit.edge, counter)));
            if oracle.admits(pool, &state.path_cond, condition) == Admission::Infeasible {
                continue;
            }
            let condition = needed_part(pool, oracle, state, condition, open);
            let next = left.leave(pool, exit, condition);
            if inner.is_empty() {
                let outcome = match &exit.target {
                    ExitTarget::Location(_) => Outcome::Running(next),
                    ExitTarget::End(end) => Outcome::Ended(next, end.clone()),
                };
                outcomes.push((exit.edge, outcome));
                continue;
            }
            // What is open stays so in the last iteration only.
            let goes_on = match &exit.target {
                ExitTarget::Location(location) => {
                    self.at.natural.body.contains(location.node.index())
                }
                ExitTarget::End(end) => matches!(
                    end,
                    PathEnd::Unsupported(..) | PathEnd::Undecided(_) | PathEnd::Returned
                ),
            };
            if goes_on {
                return Err(refuse("the number of its iterations is not determined"));
            }
            ways.push(IterationExit {
                edge: exit.edge,
                state: next,
                target: exit.target.clone(),
                inner,
            });
        }
        Ok((outcomes, ways))
    }
}
