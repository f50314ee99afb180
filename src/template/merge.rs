//! Merging of all paths of an iteration: values become case distinctions over the paths' guards.

use super::cases::{Case, any, choose};
use super::comprehension::stores_over;
use super::compute::{cells_of, written};
use super::entry::Entry;
use super::explore::Explored;
use super::iteration::{Iteration, IterationExit};
use super::{ExitTarget, MemoryObstacle, NoTemplate};
use flowgraph::{NodeId, RegId, Span};
use indexmap::IndexMap;
use memory::{Base, FlatArray, Memory, ObjectId, Pointer};
use semantics::{InputEvent, InputLog, InputSite, PathCondition, State};
use term::{SymbolId, TermId, TermPool};

/// The iteration of all paths that come back, and the exits; ways of the same effect are one.
pub(super) fn merge(
    pool: &mut TermPool,
    entry: &Entry,
    explored: Explored,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
) -> Result<(Iteration, Vec<IterationExit>), NoTemplate> {
    let Explored {
        mut back,
        ways,
        span,
    } = explored;
    let Some(first) = back.first() else {
        return Err(NoTemplate::Infeasible);
    };
    let inputs = inputs_of(pool, first, span)?;
    for path in &mut back {
        let own = inputs_of(pool, path, span)?;
        let same_sorts = own.len() == inputs.len()
            && own
                .iter()
                .zip(&inputs)
                .all(|(own, input)| pool.symbol_sort(*own) == pool.symbol_sort(*input));
        if !same_sorts {
            return Err(NoTemplate::PathsDiffer {
                what: "the inputs that they read",
                span,
            });
        }
        rename(pool, entry, path, &own, &inputs);
    }
    let merger = Merger {
        entry,
        guards: back.iter().map(|path| path.path_cond.to_vec()).collect(),
        span,
    };
    let mut end = entry.state.clone();
    end.inputs = inputs_of_all(&back);
    let guards = merger.guards.iter().cloned();
    let stay = any(
        pool,
        guards.map(|guard| Case { guard, gives: () }).collect(),
    );
    end.path_cond.assume(pool, stay);
    end.memory = merger.memory(pool, &back)?;
    for reg in live(entry.state.location.node) {
        let values = back.iter().map(|path| path.frame.get(reg)).collect();
        let start = entry.state.frame.get(reg);
        let value = merger.value(pool, start, values);
        end.frame.set(reg, value);
    }
    let iteration = Iteration { end, span };
    let ways = merge_ways(pool, entry, ways, &inputs, span, live)?;
    Ok((iteration, ways))
}

/// The inputs of all paths, which have the same names; where paths read one at different places,
/// its place is not known.
fn inputs_of_all(paths: &[State]) -> InputLog {
    let site_of = |path: &State, position: usize| match path.inputs.iter().nth(position) {
        Some(InputEvent::Value { site, .. }) => *site,
        Some(InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_))
        | None => None,
    };
    let Some(first) = paths.first() else {
        return InputLog::new();
    };
    let events = first.inputs.iter().enumerate();
    let mut events: Vec<InputEvent> = events
        .map(|(position, event)| match event {
            InputEvent::Value { term, site } => InputEvent::Value {
                term: *term,
                site: site.filter(|site| {
                    let mut others = paths.iter();
                    others.all(|path| site_of(path, position) == Some(*site))
                }),
            },
            other @ (InputEvent::Memory { .. }
            | InputEvent::Iterations { .. }
            | InputEvent::Either(_)) => other.clone(),
        })
        .collect();
    events.reverse();
    events
        .into_iter()
        .fold(InputLog::new(), |log, event| log.push_front(event))
}

/// The symbols that a path read from outside, in order.
fn inputs_of(pool: &TermPool, path: &State, span: Span) -> Result<Vec<SymbolId>, NoTemplate> {
    let mut inputs = Vec::with_capacity(path.inputs.len());
    for event in path.inputs.iter() {
        match event {
            InputEvent::Value { term, .. } => inputs.push(
                pool.as_symbol(*term)
                    .expect("an input of an iteration is a symbol"),
            ),
            InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => {
                return Err(NoTemplate::Allocates(span));
            }
        }
    }
    inputs.reverse();
    Ok(inputs)
}

/// Gives the inputs of a path the names that they have on another one, where the sorts agree.
fn rename(
    pool: &mut TermPool,
    entry: &Entry,
    path: &mut State,
    own: &[SymbolId],
    names: &[SymbolId],
) {
    let mut theta: IndexMap<SymbolId, TermId> = IndexMap::new();
    for (own, name) in own.iter().zip(names) {
        if own != name && pool.symbol_sort(*own) == pool.symbol_sort(*name) {
            theta.insert(*own, pool.symbol_term(*name));
        }
    }
    if theta.is_empty() {
        return;
    }
    let path_cond = pool.conj(path.path_cond.to_vec());
    let path_cond = pool.substitute(path_cond, &mut theta);
    path.path_cond = PathCondition::default();
    path.path_cond.assume(pool, path_cond);
    let inputs: Vec<InputEvent> = path.inputs.iter().cloned().collect();
    path.inputs = rpds::List::new();
    for event in inputs.into_iter().rev() {
        path.inputs.push_front_mut(match event {
            InputEvent::Value { term, site } => InputEvent::Value {
                term: pool.substitute(term, &mut theta),
                site,
            },
            other @ (InputEvent::Memory { .. }
            | InputEvent::Iterations { .. }
            | InputEvent::Either(_)) => other,
        });
    }
    for reg in (0..path.frame.n_regs()).filter_map(|index| u32::try_from(index).ok()) {
        let value = path.frame.get(RegId(reg));
        let renamed = pool.substitute(value, &mut theta);
        if renamed != value {
            path.frame.set(RegId(reg), renamed);
        }
    }
    for id in written(&entry.state.memory, &path.memory) {
        let Some(object) = path.memory.object(id) else {
            continue;
        };
        let base = match object.content.base() {
            Base::Array(flat) => Base::Array(FlatArray {
                array: pool.substitute(flat.array, &mut theta),
                ..*flat
            }),
            other => other.clone(),
        };
        let cells: Vec<(u64, TermId)> = object.content.cells().collect();
        path.memory.object_mut(id).reset(base);
        for (offset, value) in cells {
            let value = pool.substitute(value, &mut theta);
            let at = pool.bv(pool.width(pool.symbol_term(id)), offset);
            path.memory.write(pool, id, at, value);
        }
    }
}

/// The paths of an iteration that come back.
struct Merger<'a> {
    entry: &'a Entry,
    guards: Vec<Vec<TermId>>,
    span: Span,
}

impl Merger<'_> {
    /// A value at the end of the iteration; `start` is what it was at the entry.
    fn value(&self, pool: &mut TermPool, start: TermId, values: Vec<TermId>) -> TermId {
        if values.iter().all(|value| *value == values[0]) {
            return values[0];
        }
        let memory = &self.entry.state.memory;
        let mut offsets = Vec::with_capacity(values.len());
        let mut object = None;
        for value in &values {
            match Pointer::resolve(pool, memory, *value) {
                Some(pointer) if object.is_none_or(|object| object == pointer.object) => {
                    object = Some(pointer.object);
                    offsets.push(pointer.offset);
                }
                Some(_) | None => break,
            }
        }
        match object {
            Some(object) if offsets.len() == values.len() => {
                let before = Pointer::resolve(pool, memory, start);
                let before = before.filter(|before| before.object == object);
                let start = before.map_or(start, |before| before.offset);
                let offset = self.number(pool, start, offsets);
                Pointer { object, offset }.term(pool)
            }
            Some(_) | None => self.number(pool, start, values),
        }
    }

    /// As a change of the value at the entry, where no path's change depends on that value.
    fn number(&self, pool: &mut TermPool, start: TermId, values: Vec<TermId>) -> TermId {
        let Some(symbol) = pool.as_symbol(start).filter(|_| pool.width(start) > 1) else {
            return self.choice(pool, values);
        };
        let changes: Vec<TermId> = values.iter().map(|value| pool.sub(*value, start)).collect();
        let moves_alone = changes
            .iter()
            .all(|change| !pool.symbols_of(*change).contains(&symbol));
        if moves_alone {
            let change = self.choice(pool, changes);
            return pool.add(start, change);
        }
        self.choice(pool, values)
    }

    fn choice(&self, pool: &mut TermPool, values: Vec<TermId>) -> TermId {
        let guards = self.guards.iter().cloned();
        let cases = guards.zip(values);
        let cases = cases.map(|(guard, gives)| Case { guard, gives });
        choose(pool, cases.collect())
    }

    /// Memory at the end of the iteration.
    fn memory(&self, pool: &mut TermPool, back: &[State]) -> Result<Memory, NoTemplate> {
        let before = &self.entry.state.memory;
        let mut objects: Vec<ObjectId> = back
            .iter()
            .flat_map(|path| written(before, &path.memory))
            .collect();
        objects.sort_unstable();
        objects.dedup();
        let mut memory = before.clone();
        for id in objects {
            let mut width = None;
            for path in back {
                let Some((old, new)) = before.object(id).zip(path.memory.object(id)) else {
                    return Err(NoTemplate::Allocates(self.span));
                };
                if old.alive != new.alive {
                    return Err(NoTemplate::Allocates(self.span));
                }
                if let Base::Array(flat) = new.content.base()
                    && *width.get_or_insert(flat.cell_bytes) != flat.cell_bytes
                {
                    return Err(self.writes_array(&new.info.name, MemoryObstacle::Widths));
                }
            }
            match width {
                Some(width) => {
                    let flat = self.array(pool, back, id, width)?;
                    memory.object_mut(id).reset(Base::Array(flat));
                }
                None => self.cells(pool, back, id, &mut memory)?,
            }
        }
        Ok(memory)
    }

    fn writes_array(&self, object: &str, why: MemoryObstacle) -> NoTemplate {
        NoTemplate::WritesArray {
            object: object.to_owned(),
            why,
            span: self.span,
        }
    }

    /// Merges an object that is written at constant offsets only.
    fn cells(
        &self,
        pool: &mut TermPool,
        back: &[State],
        id: ObjectId,
        memory: &mut Memory,
    ) -> Result<(), NoTemplate> {
        let mut places: Vec<(u64, u32)> = back
            .iter()
            .flat_map(|path| cells_of(pool, &path.memory, id))
            .collect();
        places.sort_unstable();
        places.dedup();
        let overlap = places
            .windows(2)
            .any(|pair| pair[1].0 < pair[0].0 + u64::from(pair[0].1));
        if overlap {
            return Err(NoTemplate::PathsDiffer {
                what: "how wide the values are that they write",
                span: self.span,
            });
        }
        let mut before = self.entry.state.memory.clone();
        for (offset, bytes) in places {
            let at = pool.bv(pool.width(pool.symbol_term(id)), offset);
            let start = before.read(pool, id, at, bytes);
            let mut values = Vec::with_capacity(back.len());
            for path in back {
                values.push(path.memory.clone().read(pool, id, at, bytes));
            }
            let value = self.value(pool, start, values);
            memory.write(pool, id, at, value);
        }
        Ok(())
    }

    /// Merges an object that some path writes at an offset that is not constant: a chain of
    /// stores over the entry content, each of which keeps the cell on paths without it.
    fn array(
        &self,
        pool: &mut TermPool,
        back: &[State],
        id: ObjectId,
        width: u32,
    ) -> Result<FlatArray, NoTemplate> {
        let content = self.entry.content_symbol(pool, id, width);
        let refuse = |why| {
            let object = self.entry.state.memory.object(id);
            self.writes_array(object.map_or("", |object| object.info.name.as_str()), why)
        };
        // Each offset with its value on each path, in an order that is that of every path.
        let mut stores: Vec<(TermId, Vec<Option<TermId>>)> = Vec::new();
        for (number, path) in back.iter().enumerate() {
            let flat = path.memory.clone().object_mut(id).flatten(pool, width);
            if flat.cell_bytes != width {
                return Err(refuse(MemoryObstacle::Widths));
            }
            let own = stores_over(pool, content, flat.array)
                .ok_or_else(|| refuse(MemoryObstacle::Whole))?;
            let mut position = 0;
            for (offset, value) in own {
                let found = stores[position..].iter().position(|(at, _)| *at == offset);
                let place = match found {
                    Some(found) => position + found,
                    None => {
                        stores.push((offset, vec![None; back.len()]));
                        stores.len() - 1
                    }
                };
                stores[place].1[number] = Some(value);
                position = place + 1;
            }
        }
        let mut array = pool.symbol_term(content);
        for (offset, values) in stores {
            let kept = pool.select(array, offset);
            let values = values.into_iter().map(|value| value.unwrap_or(kept));
            let value = self.choice(pool, values.collect());
            array = pool.store(array, offset, value);
        }
        Ok(FlatArray {
            array,
            cell_bytes: width,
        })
    }
}

/// Makes one of the ways that leave by the same edge to the same state.
fn merge_ways(
    pool: &mut TermPool,
    entry: &Entry,
    ways: Vec<IterationExit>,
    inputs: &[SymbolId],
    span: Span,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
) -> Result<Vec<IterationExit>, NoTemplate> {
    let mut groups: Vec<(IterationExit, Vec<Case<()>>)> = Vec::new();
    for mut way in ways {
        let own = inputs_of(pool, &way.state, span)?;
        rename(pool, entry, &mut way.state, &own, inputs);
        let case = Case {
            guard: way.state.path_cond.to_vec(),
            gives: (),
        };
        let known = groups
            .iter_mut()
            .find(|(known, _)| same_effect(entry, known, &way, live));
        match known {
            Some((_, cases)) => cases.push(case),
            None => groups.push((way, vec![case])),
        }
    }
    let mut merged = Vec::with_capacity(groups.len());
    for (mut way, cases) in groups {
        let condition = any(pool, cases);
        way.state.path_cond = PathCondition::default();
        way.state.path_cond.assume(pool, condition);
        merged.push(way);
    }
    Ok(merged)
}

fn same_effect(
    entry: &Entry,
    one: &IterationExit,
    other: &IterationExit,
    live: &dyn Fn(NodeId) -> Vec<RegId>,
) -> bool {
    let open = !one.inner.is_empty() || !other.inner.is_empty();
    if open || one.edge != other.edge || one.target != other.target {
        return false;
    }
    let values = |way: &IterationExit| -> Vec<Option<(TermId, Option<InputSite>)>> {
        let events = way.state.inputs.iter();
        let values = events.map(|event| match event {
            InputEvent::Value { term, site } => Some((*term, *site)),
            InputEvent::Memory { .. } | InputEvent::Iterations { .. } | InputEvent::Either(_) => {
                None
            }
        });
        values.collect()
    };
    if values(one) != values(other) {
        return false;
    }
    let ExitTarget::Location(location) = one.target else {
        return true;
    };
    let same_registers = live(location.node)
        .into_iter()
        .all(|reg| one.state.frame.get(reg) == other.state.frame.get(reg));
    let (left, right) = (&one.state.memory, &other.state.memory);
    same_registers
        && written(left, right).into_iter().all(|id| {
            left.object(id).zip(right.object(id)).is_some_and(|(a, b)| {
                let same_base = match (a.content.base(), b.content.base()) {
                    (Base::Array(a), Base::Array(b)) => a == b,
                    (Base::Entry(_), Base::Entry(_)) => true,
                    _ => false,
                };
                same_base && a.alive == b.alive && a.content.cells().eq(b.content.cells())
            })
        })
        && {
            // A way that removed or made an object is distinguished from one that did not.
            let entry = &entry.state.memory;
            written(entry, left).len() == written(entry, right).len()
        }
}

/// The symbols of a merged iteration that are neither its entry's nor addresses, sizes or inputs.
pub(super) fn mentions_others(
    pool: &mut TermPool,
    entry: &Entry,
    iteration: &Iteration,
    ways: &[IterationExit],
    live: &dyn Fn(NodeId) -> Vec<RegId>,
) -> Option<SymbolId> {
    let mut terms: Vec<TermId> = Vec::new();
    let mut inputs: Vec<SymbolId> = Vec::new();
    // Each occurs in an exit only: a path whose counter is open is not followed any further.
    let counters: Vec<SymbolId> = ways
        .iter()
        .flat_map(|way| way.inner.iter().map(|(_, counter)| *counter))
        .collect();
    let states = ways.iter().map(|way| {
        let node = match way.target {
            ExitTarget::Location(location) => Some(location.node),
            ExitTarget::End(_) => None,
        };
        (&way.state, node)
    });
    let header = entry.state.location.node;
    for (state, node) in states.chain([(&iteration.end, Some(header))]) {
        terms.extend(state.path_cond.to_vec());
        for event in state.inputs.iter() {
            if let InputEvent::Value { term, .. } = event {
                inputs.extend(pool.as_symbol(*term));
            }
        }
        let Some(node) = node else { continue };
        terms.extend(live(node).into_iter().map(|reg| state.frame.get(reg)));
        for id in written(&entry.state.memory, &state.memory) {
            let Some(object) = state.memory.object(id) else {
                continue;
            };
            terms.extend(object.content.cells().map(|(_, value)| value));
            if let Base::Array(flat) = object.content.base() {
                terms.push(flat.array);
            }
        }
    }
    let own = entry.symbols();
    let mut sizes: Vec<SymbolId> = Vec::new();
    for (_, object) in entry.state.memory.objects() {
        sizes.extend(pool.symbols_of(object.info.bytes).iter());
    }
    let mut seen: Vec<SymbolId> = Vec::new();
    for term in terms {
        for symbol in pool.symbols_of(term).iter() {
            if !seen.contains(symbol) {
                seen.push(*symbol);
            }
        }
    }
    seen.into_iter().find(|symbol| {
        !own.contains_key(symbol)
            && entry.state.memory.object(*symbol).is_none()
            && !sizes.contains(symbol)
            && !inputs.contains(symbol)
            && !counters.contains(symbol)
    })
}
