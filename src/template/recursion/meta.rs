//! Meta-edges: a function in which recursive calls, or the returns from them, are edges of a loop.
//!
//! Locations, edges and registers of the function keep their handles; further ones are appended. So results
//! of Algorithm 1 for the loop carry over to the function.
//!
//! # Source
//! arXiv 1201.4715, Section 2 ("a meta-edge labelled by an action simulating the effect of the
//! function call") and Section 5.2.

use crate::NoTemplate;
use flowgraph::{
    Action, Callee, EdgeId, Expr, Function, FunctionBuilder, FunctionId, Liveness, NodeId, Program,
    RegId, Span, Step,
};
use semantics::CallSite;
use std::sync::Arc;
use term::{Bv, CmpOp};

/// The calls of a function to itself, ascending.
pub(super) fn sites_of(function: &Function, id: FunctionId) -> Vec<CallSite> {
    let edges = function.edge_ids();
    let sites = edges.filter_map(|edge| match &function.edge(edge).steps.first()?.action {
        Action::Call {
            dst,
            callee: Callee::Direct(callee),
            ..
        } if *callee == id => Some(CallSite {
            edge,
            return_to: function.target(edge),
            dst: *dst,
        }),
        _ => None,
    });
    sites.collect()
}

/// A program in which a function has meta-edges.
pub(super) struct Unrolled {
    pub program: Program,
    pub liveness: Arc<Liveness>,
    /// Where each iteration begins.
    pub header: NodeId,
    /// A location without edges, at which what is wanted of the iterations is live.
    pub outside: NodeId,
    /// For each call but the last, a register of width 1: the frame waits there, if not at one
    /// before.
    pub waits_at: Vec<RegId>,
    /// Registers of frames that are read behind some call, but for its result.
    pub locals: Vec<RegId>,
    /// In a descent, where these are kept for the frame that waits; in the same order.
    pub kept: Vec<RegId>,
    /// In an ascent, the value that is returned.
    pub result: Option<RegId>,
}

/// The function with these calls as edges to its entry, which keep what the frame will be asked
/// for.
///
/// # Errors
/// If its entry is not a place where only calls lead to.
pub(super) fn descending(
    program: &Program,
    id: FunctionId,
    liveness: &Liveness,
    sites: &[CallSite],
) -> Result<Unrolled, NoTemplate> {
    let function = program.function(id);
    check(function, liveness)?;
    let locals = locals_of(function, liveness, sites);
    let mut builder = copy_of(function);
    let kept: Vec<RegId> = locals
        .iter()
        .map(|reg| {
            let data = function.reg(*reg);
            builder.add_reg(&data.name, data.bits, false)
        })
        .collect();
    let waits_at = add_flags(&mut builder, sites);
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        let steps = &function.edge(edge).steps;
        let Some(number) = sites.iter().position(|site| site.edge == edge) else {
            builder.add_edge(source, target, steps.clone());
            continue;
        };
        let Action::Call { args, .. } = &steps[0].action else {
            continue;
        };
        let params = function.params.iter().copied().zip(args.iter().cloned());
        let locals = locals.iter().map(|local| Expr::Reg(*local));
        let flags = (0..).zip(&waits_at).map(|(position, flag)| {
            let here = Expr::Const(Bv::truth(position == number));
            (*flag, here)
        });
        let call = params.chain(kept.iter().copied().zip(locals)).chain(flags);
        let call: Vec<(RegId, Expr)> = call.collect();
        let steps = match call.is_empty() {
            true => Vec::new(),
            false => vec![Step::new(Action::Assign(call), steps[0].span)],
        };
        builder.add_edge(source, function.entry, steps);
    }
    let outside = builder.add_node("frames", Span::UNKNOWN);
    let unrolled = builder.finish();
    let wanted: Vec<RegId> = kept.iter().chain(&waits_at).copied().collect();
    let liveness = liveness.extended(&unrolled, |node| {
        let is_wanted = node == outside || node == function.entry;
        if is_wanted {
            wanted.clone()
        } else {
            Vec::new()
        }
    });
    Ok(Unrolled {
        header: function.entry,
        liveness: Arc::new(liveness),
        outside,
        waits_at,
        locals,
        kept,
        result: None,
        program: with_function(program, id, unrolled),
    })
}

/// The function with its returns as edges to a location before the code after these calls.
pub(super) fn ascending(
    program: &Program,
    id: FunctionId,
    liveness: &Liveness,
    sites: &[CallSite],
) -> Unrolled {
    let function = program.function(id);
    let locals = locals_of(function, liveness, sites);
    let mut builder = copy_of(function);
    let pointer = sites.iter().filter_map(|site| site.dst);
    let pointer = pointer.into_iter().any(|dst| function.reg(dst).pointer);
    let result = function
        .result_bits
        .map(|bits| builder.add_reg("result", bits, pointer));
    let waits_at = add_flags(&mut builder, sites);
    let header = builder.add_node("returned", Span::UNKNOWN);
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        let steps = &function.edge(edge).steps;
        match steps.first().map(|step| &step.action) {
            Some(Action::Return(value)) => {
                let value = result.zip(value.clone());
                let assign = value.map(|pair| Step::new(Action::Assign(vec![pair]), steps[0].span));
                builder.add_edge(source, header, assign.into_iter().collect());
            }
            _ => {
                builder.add_edge(source, target, steps.clone());
            }
        }
    }
    let mut here = header;
    for (number, site) in sites.iter().enumerate() {
        let span = function.edge(site.edge).steps[0].span;
        let mut steps = Vec::new();
        let mut next = None;
        if let Some(flag) = waits_at.get(number) {
            let waits = |truth| {
                let flag = Box::new(Expr::Reg(*flag));
                let truth = Box::new(Expr::Const(Bv::truth(truth)));
                Step::new(Action::Assume(Expr::Compare(CmpOp::Eq, flag, truth)), span)
            };
            steps.push(waits(true));
            let elsewhere = builder.add_node("returned", Span::UNKNOWN);
            next = Some((elsewhere, vec![waits(false)]));
        }
        if let Some((dst, result)) = site.dst.zip(result) {
            steps.push(Step::new(
                Action::Assign(vec![(dst, Expr::Reg(result))]),
                span,
            ));
        }
        builder.add_edge(here, site.return_to, steps);
        if let Some((elsewhere, steps)) = next {
            builder.add_edge(here, elsewhere, steps);
            here = elsewhere;
        }
    }
    let outside = builder.add_node("above", Span::UNKNOWN);
    builder.set_entry(header);
    let unrolled = builder.finish();
    let results: Vec<RegId> = result.into_iter().collect();
    let at_header: Vec<RegId> = results
        .iter()
        .chain(&waits_at)
        .chain(&locals)
        .copied()
        .collect();
    let liveness = liveness.extended(&unrolled, |node| {
        if node == outside {
            results.clone()
        } else if node == header {
            at_header.clone()
        } else {
            Vec::new()
        }
    });
    Unrolled {
        header,
        liveness: Arc::new(liveness),
        outside,
        waits_at,
        locals,
        kept: Vec::new(),
        result,
        program: with_function(program, id, unrolled),
    }
}

/// Nothing but calls leads to the entry, and nothing but parameters is read there.
fn check(function: &Function, liveness: &Liveness) -> Result<(), NoTemplate> {
    let span = function.node(function.entry).span;
    let mut live = liveness.regs_at(function, function.entry);
    if !function.in_edges(function.entry).is_empty() {
        let why = "the entry of the function is in a loop";
        return Err(NoTemplate::Recursion { why, span });
    }
    if !live.all(|reg| function.params.contains(&reg)) {
        let why = "the function reads a variable that it has not assigned";
        return Err(NoTemplate::Recursion { why, span });
    }
    Ok(())
}

/// The registers that are read behind some call, but for its own result.
fn locals_of(function: &Function, liveness: &Liveness, sites: &[CallSite]) -> Vec<RegId> {
    let mut locals: Vec<RegId> = Vec::new();
    for site in sites {
        let live = liveness.regs_at(function, site.return_to);
        locals.extend(live.filter(|reg| function.result_bits.is_none() || site.dst != Some(*reg)));
    }
    locals.sort_unstable();
    locals.dedup();
    locals
}

/// Registers and locations of a function, without edges.
fn copy_of(function: &Function) -> FunctionBuilder {
    let mut builder = FunctionBuilder::new(&function.name);
    for reg in &function.regs {
        builder.add_reg(&reg.name, reg.bits, reg.pointer);
    }
    builder.set_params(function.params.clone());
    builder.set_result_bits(function.result_bits);
    for node in function.node_ids() {
        let data = function.node(node);
        builder.copy_node(data);
    }
    builder.set_entry(function.entry);
    builder
}

fn add_flags(builder: &mut FunctionBuilder, sites: &[CallSite]) -> Vec<RegId> {
    let n_flags = sites.len().saturating_sub(1);
    let flags = (0..n_flags).map(|_| builder.add_reg("waits", 1, false));
    flags.collect()
}

fn with_function(program: &Program, id: FunctionId, function: Function) -> Program {
    let mut program = program.clone();
    program.functions[id.index()] = Arc::new(function);
    program
}

/// The simple cyclic paths from a location back to it, in the order of the edges; at most so many,
/// found in so many steps.
pub(super) fn cores_through(
    function: &Function,
    header: NodeId,
    n_most: usize,
) -> Vec<Vec<EdgeId>> {
    const MOST_STEPS: usize = 100_000;
    let mut cores = Vec::new();
    let mut path: Vec<EdgeId> = Vec::new();
    // Positions of the edges to look at next, one more than edges on the path.
    let mut positions = vec![0];
    let mut on_path = vec![false; function.n_nodes()];
    for _ in 0..MOST_STEPS {
        let Some(position) = positions.last_mut() else {
            break;
        };
        let here = path.last().map_or(header, |edge| function.target(*edge));
        let Some(edge) = function.out_edges(here).get(*position).copied() else {
            positions.pop();
            if let Some(edge) = path.pop() {
                on_path[function.target(edge).index()] = false;
            }
            continue;
        };
        *position += 1;
        let target = function.target(edge);
        if target == header {
            path.push(edge);
            cores.push(path.clone());
            path.pop();
            if cores.len() >= n_most {
                break;
            }
        } else if !on_path[target.index()] {
            on_path[target.index()] = true;
            path.push(edge);
            positions.push(0);
        }
    }
    cores
}
