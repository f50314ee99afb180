//! What clauses say of accesses to memory, and of addresses in expressions.

use super::{Atom, Builder, GoesOn, Path, Refusal, ValueOf};
use crate::cells::{At, CellId, Holds, ObjectId, compares_addresses};
use flowgraph::{Builtin, Expr, FunctionId, RegData, RegId, Span};
use num_traits::ToPrimitive;
use semantics::{MemoryFault, PathEnd};
use term::{BinOp, Bv, CastOp, CmpOp};

/// A place in an object.
enum Place {
    /// In bytes.
    Fixed(u64),
    /// In units of the object, over the variables of the clause.
    Any(Expr),
}

/// What happens to an array of which one element stands for all.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// It holds what the atom of this position says, which is about the state before the path.
    Before(usize),
    /// It is what the atom of this position makes of it, which is about a call.
    Call(usize),
    /// An element of this number gets this value.
    Store(Expr, Expr),
    /// Elements from the first number to before the second get this value.
    Fill(u64, u64, Bv),
    /// It becomes arbitrary.
    Forget,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// A variable of a clause has this value.
pub(super) fn define(path: &mut Path, variable: &Expr, value: Expr) {
    if let (Expr::Reg(variable), Expr::Cast(CastOp::SExt | CastOp::ZExt, ..)) = (variable, &value)
        && let Some(magnitude) = magnitude(path, &value)
    {
        path.magnitudes.insert(*variable, magnitude);
    }
    let equal = Expr::Compare(CmpOp::Eq, Box::new(variable.clone()), Box::new(value));
    path.conditions.push(equal);
}

/// What the absolute value of an expression is at most, read as signed, if nothing in it wraps around at
/// that size.
fn magnitude(path: &Path, expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Const(value) => value.to_bigint().to_i64().map(i64::unsigned_abs),
        Expr::Cast(CastOp::SExt | CastOp::ZExt, _, of) => match &**of {
            Expr::Reg(reg) => 1u64.checked_shl(path.variables[reg.index()].bits),
            _ => None,
        },
        Expr::Reg(reg) => path.magnitudes.get(reg).copied(),
        Expr::Binary(BinOp::Add | BinOp::Sub, lhs, rhs) => {
            magnitude(path, lhs)?.checked_add(magnitude(path, rhs)?)
        }
        Expr::Binary(BinOp::Mul, of, factor) if matches!(**factor, Expr::Const(_)) => {
            magnitude(path, of)?.checked_mul(magnitude(path, factor)?)
        }
        _ => None,
    }
}

fn compare(op: CmpOp, lhs: &Expr, rhs: Expr) -> Expr {
    Expr::Compare(op, Box::new(lhs.clone()), Box::new(rhs))
}

fn choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::Ite(Box::new(condition), Box::new(then), Box::new(otherwise))
}

impl Builder<'_> {
    /// An expression over the registers of the function, over the variables of the clause. Addresses are
    /// arbitrary, but for their differences and comparisons within an object.
    pub(super) fn value(&self, path: &mut Path, expr: &Expr) -> Expr {
        let function = self.program.function(path.function);
        if !self.has_addresses(path, expr) {
            return path.replaced(function, &self.signs, expr);
        }
        let part = |path: &mut Path, of: &Expr| Box::new(self.value(path, of));
        match expr {
            Expr::Compare(op, lhs, rhs) => {
                if let Some(known) = self.compared(path, *op, lhs, rhs) {
                    return known;
                }
                Expr::Compare(*op, part(path, lhs), part(path, rhs))
            }
            Expr::Binary(op, lhs, rhs) => {
                if *op == BinOp::Sub
                    && let (Some((object, from)), Some((other, to))) = (
                        self.memory.offset(path.function, lhs),
                        self.memory.offset(path.function, rhs),
                    )
                    && object == other
                {
                    let from = path.replaced(function, &self.signs, &from);
                    let to = path.replaced(function, &self.signs, &to);
                    let difference = Expr::Binary(BinOp::Sub, Box::new(from), Box::new(to));
                    let unit = self.memory.object(object).unit;
                    return self.times(difference, unit);
                }
                Expr::Binary(*op, part(path, lhs), part(path, rhs))
            }
            Expr::Cast(op, bits, of) => Expr::Cast(*op, *bits, part(path, of)),
            Expr::Ite(condition, then, otherwise) => Expr::Ite(
                part(path, condition),
                part(path, then),
                part(path, otherwise),
            ),
            Expr::Const(_) => expr.clone(),
            Expr::Reg(_)
            | Expr::Global(_)
            | Expr::Function(_)
            | Expr::FloatBinary(..)
            | Expr::FloatCast(..) => {
                let bits = expr.bits(&function.regs, self.program.pointer_bits);
                path.unknown(&self.signs, bits)
            }
        }
    }

    /// Whether an expression has addresses of objects that are known, or of others, in it.
    fn has_addresses(&self, path: &Path, expr: &Expr) -> bool {
        let mut found = false;
        expr.for_each(&mut |part| {
            found |= match part {
                Expr::Reg(reg) => matches!(
                    self.memory.register(path.function, *reg),
                    Holds::Offset { .. }
                ),
                Expr::Global(_) | Expr::Function(_) => true,
                _ => false,
            };
        });
        found
    }

    /// A comparison of addresses: within an object as offsets compare, and none of them is null.
    fn compared(&self, path: &mut Path, op: CmpOp, lhs: &Expr, rhs: &Expr) -> Option<Expr> {
        let function = self.program.function(path.function);
        let (one, other) = (
            self.memory.offset(path.function, lhs),
            self.memory.offset(path.function, rhs),
        );
        let is_null = |expr: &Expr| matches!(expr, Expr::Const(value) if value.is_zero());
        let (condition, known) = match (one, other) {
            (Some((object, one)), Some((second, other)))
                if object == second && compares_addresses(op) =>
            {
                let one = path.replaced(function, &self.signs, &one);
                let other = path.replaced(function, &self.signs, &other);
                let are_within =
                    Expr::all([self.is_beside(object, &one), self.is_beside(object, &other)]);
                (are_within, compare(op, &one, other))
            }
            (Some((object, offset)), None) if is_null(rhs) => {
                let known = match op {
                    CmpOp::Eq | CmpOp::Ule => false,
                    CmpOp::Ne | CmpOp::Ugt => true,
                    _ => return None,
                };
                let offset = path.replaced(function, &self.signs, &offset);
                (self.is_beside(object, &offset), Expr::truth(known))
            }
            _ => return None,
        };
        let unknown = path.unknown(&self.signs, 1);
        Some(choice(condition, known, unknown))
    }

    /// Whether an offset is within an object, or just behind it.
    fn is_beside(&self, object: ObjectId, offset: &Expr) -> Expr {
        let n = self.memory.object(object).n_units();
        if let Expr::Const(value) = offset {
            return Expr::truth(value.to_u64().is_some_and(|value| value <= n));
        }
        Expr::all([
            compare(CmpOp::Sge, offset, self.memory.number(0)),
            compare(CmpOp::Sle, offset, self.memory.number(n)),
        ])
    }

    fn times(&self, value: Expr, factor: u64) -> Expr {
        if factor == 1 {
            return value;
        }
        Expr::Binary(
            BinOp::Mul,
            Box::new(value),
            Box::new(self.memory.number(factor)),
        )
    }

    /// The place of an access of so many bytes; the path goes on only where it lies within its object.
    /// `None` if it does not at all.
    fn place(
        &mut self,
        path: &mut Path,
        address: &Expr,
        bytes: u64,
        access: Access,
        span: Span,
    ) -> Result<Option<(ObjectId, Place)>, Refusal> {
        let Holds::Offset { object, fixed } = self.memory.holds(path.function, address) else {
            return Err(Refusal::Pointer);
        };
        let data = self.memory.object(object);
        let (size, unit) = (data.bytes, data.unit);
        if access == Access::Write && data.is_constant {
            self.end(path, &PathEnd::Fault(MemoryFault::WriteToConstant, span));
            return Ok(None);
        }
        let out_of_bounds = PathEnd::Fault(MemoryFault::OutOfBounds, span);
        if let Some(offset) = fixed {
            if offset.checked_add(bytes).is_none_or(|end| end > size) {
                self.end(path, &out_of_bounds);
                return Ok(None);
            }
            return Ok(Some((object, Place::Fixed(offset))));
        }
        let function = self.program.function(path.function);
        let offset = match self.memory.offset(path.function, address) {
            Some((_, offset)) => path.replaced(function, &self.signs, &offset),
            None => path.unknown(&self.signs, self.program.pointer_bits),
        };
        // As many places are allowed, from 0 on.
        let n = if bytes > size {
            0
        } else {
            (size - bytes) / unit + 1
        };
        let within = Expr::all([
            compare(CmpOp::Sge, &offset, self.memory.number(0)),
            compare(CmpOp::Slt, &offset, self.memory.number(n)),
        ]);
        let outside = Expr::any([
            compare(CmpOp::Slt, &offset, self.memory.number(0)),
            compare(CmpOp::Sge, &offset, self.memory.number(n)),
        ]);
        let mut beyond = path.clone();
        beyond.conditions.push(outside);
        self.end(&beyond, &out_of_bounds);
        let bytes = magnitude(path, &offset).and_then(|most| most.checked_mul(unit));
        let half = 1u64 << (self.program.pointer_bits - 1);
        let may_wrap = unit > 1 && bytes.is_none_or(|bytes| bytes >= half);
        if may_wrap && n > 0 {
            // A product that wraps around may come back into the object: nothing is proved of that.
            let bytes = self.times(offset.clone(), unit);
            let last = self.memory.number((n - 1) * unit);
            beyond.conditions.push(compare(CmpOp::Ule, &bytes, last));
            self.clause(beyond, super::Head::Violation);
        }
        path.conditions.push(within);
        Ok(Some((object, Place::Any(offset))))
    }

    pub(super) fn load(
        &mut self,
        path: &mut Path,
        dst: RegId,
        address: &Expr,
        span: Span,
    ) -> Result<GoesOn, Refusal> {
        let data = self.program.function(path.function).reg(dst);
        let (bits, bytes) = (data.bits, u64::from(data.bits.div_ceil(8)));
        let Some((object, place)) = self.place(path, address, bytes, Access::Read, span)? else {
            return Ok(GoesOn::No);
        };
        let value = match self.as_element(object, place) {
            Place::Fixed(offset) => self.read(path, object, offset, bytes),
            Place::Any(offset) => self.read_any(path, object, &offset, bytes),
        };
        let value = value.map(|value| {
            let width = u32::try_from(bytes * 8).unwrap_or(u32::MAX);
            if width == bits {
                value
            } else {
                Expr::Cast(CastOp::Trunc, bits, Box::new(value))
            }
        });
        // What is read of an address says nothing about offsets.
        path.values[dst.index()] = value.map(|value| self.named(path, dst, value));
        Ok(GoesOn::Yes)
    }

    pub(super) fn store(
        &mut self,
        path: &mut Path,
        address: &Expr,
        value: &Expr,
        span: Span,
    ) -> Result<GoesOn, Refusal> {
        let function = self.program.function(path.function);
        let bits = value.bits(&function.regs, self.program.pointer_bits);
        let bytes = u64::from(bits.div_ceil(8));
        let width = bits.div_ceil(8) * 8;
        let value = self.value(path, value);
        let value = if width == bits {
            value
        } else {
            Expr::Cast(CastOp::ZExt, width, Box::new(value))
        };
        let Some((object, place)) = self.place(path, address, bytes, Access::Write, span)? else {
            return Ok(GoesOn::No);
        };
        match self.as_element(object, place) {
            Place::Fixed(offset) => {
                self.forget(path, object, offset, bytes);
                if let Some(cell) = self.cell_at(object, offset, bytes) {
                    self.set(path, cell, value);
                }
            }
            Place::Any(offset) => self.write_any(path, object, &offset, bytes, &value),
        }
        Ok(GoesOn::Yes)
    }

    /// A fixed place of an array of which one element stands for all is one as any other.
    fn as_element(&self, object: ObjectId, place: Place) -> Place {
        match place {
            Place::Fixed(offset) if self.memory.element(object).is_some() => {
                Place::Any(self.memory.number(offset / self.memory.object(object).unit))
            }
            place => place,
        }
    }

    fn cell_at(&self, object: ObjectId, offset: u64, bytes: u64) -> Option<CellId> {
        let mut cells = self.memory.cells_of(object);
        cells.find(|id| {
            let cell = self.memory.cell(*id);
            cell.at == At::Fixed(offset) && cell.bytes == bytes
        })
    }

    /// What so many bytes at an offset hold; `None` if that is arbitrary.
    fn read(&self, path: &mut Path, object: ObjectId, offset: u64, bytes: u64) -> Option<Expr> {
        if let Some(value) = (self.memory).constant(self.program, object, offset, bytes) {
            return Some(Expr::Const(value));
        }
        let cell = self.cell_at(object, offset, bytes)?;
        Some(self.cell(path, cell))
    }

    /// The cells that offsets in units of an object tell apart, if accesses of so many bytes are to one of
    /// them or to no cell.
    fn elements(&self, object: ObjectId, bytes: u64) -> Option<Vec<(CellId, u64)>> {
        let unit = self.memory.object(object).unit;
        let cells = self.memory.cells_of(object);
        let element = |id: CellId| {
            let cell = self.memory.cell(id);
            let offset = cell.offset()?;
            (cell.bytes == unit && offset % unit == 0).then_some((id, offset / unit))
        };
        (unit == bytes).then(|| cells.filter_map(element).collect())
    }

    fn read_any(
        &self,
        path: &mut Path,
        object: ObjectId,
        offset: &Expr,
        bytes: u64,
    ) -> Option<Expr> {
        if self.memory.element(object).is_some() {
            let n = path.changes.get(&object).map_or(0, Vec::len);
            let unit = self.memory.object(object).unit;
            return if bytes == unit {
                self.element_at(path, object, n, offset)
            } else {
                None
            };
        }
        let elements = self.elements(object, bytes)?;
        let n = self.memory.object(object).n_units();
        let has_all = u64::try_from(elements.len()).is_ok_and(|known| known == n);
        let mut value = None;
        for (cell, number) in elements {
            let data = self.memory.cell(cell);
            let held = self.read(path, object, data.offset()?, data.bytes)?;
            value = Some(match value {
                None if has_all => held,
                None => {
                    let other = path.unknown(&self.signs, data.bits());
                    choice(
                        compare(CmpOp::Eq, offset, self.memory.number(number)),
                        held,
                        other,
                    )
                }
                Some(other) => choice(
                    compare(CmpOp::Eq, offset, self.memory.number(number)),
                    held,
                    other,
                ),
            });
        }
        value
    }

    fn write_any(
        &self,
        path: &mut Path,
        object: ObjectId,
        offset: &Expr,
        bytes: u64,
        value: &Expr,
    ) {
        let Some(elements) = self.elements(object, bytes) else {
            return self.forget(path, object, 0, u64::MAX);
        };
        if let Some((element, number)) = self.memory.element(object) {
            let before = self.cell(path, element);
            let number = self.cell(path, number);
            let is_it = compare(CmpOp::Eq, offset, number);
            self.set(path, element, choice(is_it, value.clone(), before));
            let changes = path.changes.entry(object).or_default();
            return changes.push(Change::Store(offset.clone(), value.clone()));
        }
        for cell in self.memory.cells_of(object) {
            // What is copied elsewhere need not be an element.
            if elements.iter().all(|(element, _)| *element != cell) {
                path.cells[cell.0] = None;
            }
        }
        for (cell, number) in elements {
            let before = self.cell(path, cell);
            let is_it = compare(CmpOp::Eq, offset, self.memory.number(number));
            self.set(path, cell, choice(is_it, value.clone(), before));
        }
    }

    /// A cell holds a value from now on.
    fn set(&self, path: &mut Path, cell: CellId, value: Expr) {
        path.cells[cell.0] = None;
        if matches!(value, Expr::Reg(_) | Expr::Const(_)) {
            path.cells[cell.0] = Some(value);
            return;
        }
        let variable = self.cell(path, cell);
        define(path, &variable, value);
    }

    /// So many bytes of an object become arbitrary.
    pub(super) fn forget(&self, path: &mut Path, object: ObjectId, offset: u64, bytes: u64) {
        for cell in self.memory.cells_of(object) {
            if self.memory.cell(cell).overlaps(offset, bytes) {
                path.cells[cell.0] = None;
            }
        }
        if self.memory.element(object).is_some() {
            path.changes.insert(object, vec![Change::Forget]);
        }
    }

    /// An array begins, with an element of some number that stands for all.
    pub(super) fn make_array(&self, path: &mut Path, object: ObjectId) {
        let Some((element, number)) = self.memory.element(object) else {
            return;
        };
        path.cells[element.0] = None;
        path.cells[number.0] = None;
        path.changes.insert(object, vec![Change::Forget]);
        let number = self.cell(path, number);
        let n = self.memory.object(object).n_units();
        path.conditions.extend([
            compare(CmpOp::Sge, &number, self.memory.number(0)),
            compare(CmpOp::Slt, &number, self.memory.number(n)),
        ]);
    }

    /// A path begins at a location, with what is known of arrays there.
    pub(super) fn continue_arrays(&self, path: &mut Path) {
        for cell in self.memory.visible(path.function) {
            let data = self.memory.cell(cell);
            if data.at == At::Element {
                path.changes.insert(data.object, vec![Change::Before(0)]);
            }
        }
    }

    /// A call, of which the last atom tells, changes arrays.
    pub(super) fn change_arrays(&self, path: &mut Path, callee: FunctionId) {
        let atom = path.atoms.len() - 1;
        for cell in self.memory.changed(callee) {
            let data = self.memory.cell(cell);
            if data.at == At::Element {
                let changes = path.changes.entry(data.object).or_default();
                changes.push(Change::Call(atom));
            }
        }
    }

    /// What the element of a number holds after the first `n` changes of an array; `None` if that is
    /// arbitrary. What atoms say of the element that stands for all they say of this one.
    fn element_at(
        &self,
        path: &mut Path,
        object: ObjectId,
        n: usize,
        number: &Expr,
    ) -> Option<Expr> {
        let change = path.changes.get(&object)?.get(n.checked_sub(1)?)?.clone();
        match change {
            Change::Forget => None,
            Change::Store(at, value) if at == *number => Some(value),
            Change::Store(at, value) => {
                let before = self.element_at(path, object, n - 1, number);
                let before = before.unwrap_or_else(|| self.any_element(path, object));
                Some(choice(compare(CmpOp::Eq, number, at), value, before))
            }
            Change::Fill(first, end, value) => {
                let before = self.element_at(path, object, n - 1, number);
                let before = before.unwrap_or_else(|| self.any_element(path, object));
                let is_filled = self.is_between(number, first, end);
                Some(choice(is_filled, Expr::Const(value), before))
            }
            Change::Before(atom) => Some(self.instance(path, object, atom, number, None)),
            Change::Call(atom) => {
                let before = self.element_at(path, object, n - 1, number);
                Some(self.instance(path, object, atom, number, before.as_ref()))
            }
        }
    }

    fn is_between(&self, number: &Expr, first: u64, end: u64) -> Expr {
        Expr::all([
            compare(CmpOp::Sge, number, self.memory.number(first)),
            compare(CmpOp::Slt, number, self.memory.number(end)),
        ])
    }

    fn any_element(&self, path: &mut Path, object: ObjectId) -> Expr {
        let bits = u32::try_from(self.memory.object(object).unit * 8).unwrap_or(u32::MAX);
        path.unknown(&self.signs, bits)
    }

    /// What an atom says of the element of this number, by a further atom.
    fn instance(
        &self,
        path: &mut Path,
        object: ObjectId,
        atom: usize,
        number: &Expr,
        before: Option<&Expr>,
    ) -> Expr {
        let known = path.instances.get(&atom).cloned().unwrap_or_default();
        let mut known: Vec<(Expr, Expr)> = (known.into_iter())
            .filter(|(of, _, _)| *of == object)
            .map(|(_, number, value)| (number, value))
            .collect();
        if let Some((_, value)) = known.iter().find(|(known, _)| known == number) {
            return value.clone();
        }
        let Atom {
            predicate,
            mut arguments,
        } = path.atoms[atom].clone();
        let parameters = &self.predicates[predicate.0].parameters;
        let cell = |id: CellId| {
            let cell = self.memory.cell(id);
            (cell.object == object).then_some(cell.at)
        };
        let value = {
            let data = parameters
                .iter()
                .find_map(|parameter| match parameter.value {
                    ValueOf::Cell(id) if cell(id) == Some(At::Element) => {
                        Some((parameter.data.clone(), parameter.slot))
                    }
                    _ => None,
                });
            let Some((data, slot)) = data else {
                return self.any_element(path, object);
            };
            path.variable(data, slot)
        };
        let mut held = (None, None);
        for (argument, parameter) in arguments.iter_mut().zip(parameters) {
            match parameter.value {
                ValueOf::Cell(id) if cell(id) == Some(At::Element) => {
                    held.1 = Some(std::mem::replace(argument, value.clone()));
                }
                ValueOf::Cell(id) | ValueOf::CellBefore(id) if cell(id) == Some(At::Number) => {
                    held.0 = Some(std::mem::replace(argument, number.clone()));
                }
                ValueOf::CellBefore(id) if cell(id) == Some(At::Element) => {
                    *argument = match before {
                        Some(before) => before.clone(),
                        None => path.variable(parameter.data.clone(), parameter.slot),
                    };
                }
                _ => {}
            }
        }
        if let (Some(number), Some(value)) = held {
            known.push((number, value));
        }
        // The same element has the same value.
        for (other, held) in known {
            path.conditions.push(Expr::any([
                compare(CmpOp::Ne, number, other),
                compare(CmpOp::Eq, &value, held),
            ]));
        }
        path.atoms.push(Atom {
            predicate,
            arguments,
        });
        let instances = path.instances.entry(atom).or_default();
        instances.push((object, number.clone(), value.clone()));
        value
    }

    pub(super) fn builtin(
        &mut self,
        path: &mut Path,
        builtin: Builtin,
        args: &[Expr],
        span: Span,
    ) -> Result<GoesOn, Refusal> {
        let ((Builtin::Uninit | Builtin::Unwritten, [to, bytes])
        | (Builtin::MemSet | Builtin::MemCopy | Builtin::MemCopyApart, [to, _, bytes])) =
            (builtin, args)
        else {
            return Err(Refusal::Allocation);
        };
        let Expr::Const(bytes) = bytes else {
            return Err(Refusal::Extent);
        };
        let bytes = bytes.to_u64().ok_or(Refusal::Extent)?;
        if bytes == 0 {
            return Err(Refusal::Extent);
        }
        let Some((object, place)) = self.place(path, to, bytes, Access::Write, span)? else {
            return Ok(GoesOn::No);
        };
        let Place::Fixed(offset) = place else {
            return Err(Refusal::Extent);
        };
        let within: Vec<CellId> = (self.memory.cells_of(object))
            .filter(|cell| self.memory.cell(*cell).is_within(offset, bytes))
            .collect();
        match (builtin, args) {
            (Builtin::MemSet, [_, Expr::Const(byte), _]) => {
                let byte = byte.to_u64().ok_or(Refusal::Extent)?;
                if let Some((element, number)) = self.memory.element(object) {
                    let unit = self.memory.object(object).unit;
                    if offset % unit == 0 && bytes % unit == 0 {
                        let (first, end) = (offset / unit, (offset + bytes) / unit);
                        let bits = self.memory.cell(element).bits();
                        let value = repeated(byte, bits);
                        let number = self.cell(path, number);
                        let is_filled = self.is_between(&number, first, end);
                        let before = self.cell(path, element);
                        let after = choice(is_filled, Expr::Const(value.clone()), before);
                        self.set(path, element, after);
                        let changes = path.changes.entry(object).or_default();
                        changes.push(Change::Fill(first, end, value));
                        return Ok(GoesOn::Yes);
                    }
                }
                self.forget(path, object, offset, bytes);
                for cell in within {
                    let bits = self.memory.cell(cell).bits();
                    let value = repeated(byte, bits);
                    self.set(path, cell, Expr::Const(value));
                }
            }
            (Builtin::MemCopy | Builtin::MemCopyApart, [_, from, _]) => {
                let Some((source, place)) = self.place(path, from, bytes, Access::Read, span)?
                else {
                    return Ok(GoesOn::No);
                };
                let Place::Fixed(begin) = place else {
                    return Err(Refusal::Extent);
                };
                if source == object {
                    return Err(Refusal::Extent);
                }
                let mut values = Vec::new();
                for cell in within {
                    let data = self.memory.cell(cell).clone();
                    let at = data.offset().map(|at| at - offset + begin);
                    let value = at.and_then(|at| self.read(path, source, at, data.bytes));
                    values.push((cell, value));
                }
                self.forget(path, object, offset, bytes);
                for (cell, value) in values {
                    if let Some(value) = value {
                        self.set(path, cell, value);
                    }
                }
            }
            _ => self.forget(path, object, offset, bytes),
        }
        Ok(GoesOn::Yes)
    }
}

/// A number of so many bits of which all bytes are the same.
fn repeated(byte: u64, bits: u32) -> Bv {
    let mut value = Bv::zero(bits);
    let byte = Bv::new(bits, byte & 0xff);
    for at in 0..bits / 8 {
        let shift = Bv::new(bits, u64::from(at * 8));
        let part = Bv::binary(BinOp::Shl, &byte, &shift);
        value = Bv::binary(BinOp::Or, &value, &part);
    }
    value
}

/// The name of what is not known, for a parameter that has none.
pub(super) fn unknown(bits: u32) -> RegData {
    RegData {
        name: "!unknown".to_owned(),
        bits,
        pointer: false,
    }
}
