//! Expressions: lowered to a value without side effects, or to a branching. Operations that can fail, read or
//! write become actions on the way.

use super::function::{Lowerer, Variable, equals_zero};
use super::{NUMBER_BITS, POINTER_BITS, bits, bytes, span};
use crate::microc::ast::{BinaryOperator, Expression, ExpressionKind, Position};
use crate::microc::integer::Integer;
use crate::microc::types::Shape;
use flowgraph::{Action, EndKind, Expr, NodeId, RegId};
use term::{BinOp, Bv, CastOp, CmpOp};

impl<'p> Lowerer<'_, 'p> {
    /// The value of an expression, of 32 or 64 bits. It reads registers only, and none that changes
    /// before the statement ends.
    pub(super) fn value(&mut self, expression: &'p Expression) -> Expr {
        let at = expression.at;
        match &expression.kind {
            ExpressionKind::Number { value } => {
                let value = i32::literal(value).expect("literals are checked before");
                Expr::Const(Bv::from_i64(NUMBER_BITS, i64::from(value)))
            }
            ExpressionKind::Null => Expr::Const(Bv::zero(POINTER_BITS)),
            ExpressionKind::Input => {
                let dst = self.builder.add_reg("input", NUMBER_BITS, false);
                let action = Action::Input {
                    dst,
                    name: "input".to_owned(),
                    call: Some("input".to_owned()),
                    unwritten: false,
                };
                self.act(action, at);
                Expr::Reg(dst)
            }
            ExpressionKind::Variable { name } => self.variable_value(expression, name),
            ExpressionKind::Alloc { value } => {
                let value = self.value(value);
                let pointer = self.new_cell("alloc", at);
                self.store_cell(Expr::Reg(pointer), value, at);
                Expr::Reg(pointer)
            }
            ExpressionKind::Reference { name } => match self.variable(&name.text) {
                Variable::Cell { pointer, .. } => Expr::Reg(pointer),
                Variable::Register { .. } | Variable::Promoted { .. } | Variable::Alias { .. } => {
                    unreachable!("a variable to which any pointer is made is a cell")
                }
            },
            ExpressionKind::Dereference { pointer } => {
                if let Some(register) = self.alias(pointer) {
                    return self.copied(register, at);
                }
                let pointer = self.value(pointer);
                self.check_cell(pointer.clone(), at);
                self.load(pointer, self.tables.types.of(expression), at)
            }
            ExpressionKind::Field { .. } | ExpressionKind::Element { .. } => {
                let address = self.address(expression);
                self.load(address, self.tables.types.of(expression), at)
            }
            ExpressionKind::Array { elements } => {
                let shape = elements
                    .first()
                    .map_or(Shape::Number, |element| self.tables.types.of(element));
                let values: Vec<Expr> =
                    elements.iter().map(|element| self.value(element)).collect();
                let size = bytes(shape);
                let total = size * values.len() as u64;
                let array = self.allocate("array", total, at);
                for (index, value) in (0..).zip(values) {
                    let address = offset(Expr::Reg(array), index * size);
                    self.act(Action::Store { address, value }, at);
                }
                Expr::Reg(array)
            }
            ExpressionKind::Record { fields } => {
                let values: Vec<Expr> = fields
                    .iter()
                    .map(|field| self.value(&field.value))
                    .collect();
                let layout = self.layout(expression);
                let total = layout
                    .last()
                    .map_or(0, |(_, shape, start)| start + bytes(*shape));
                let record = self.allocate("record", total, at);
                for (field, value) in fields.iter().zip(values) {
                    let start = start_of(&layout, &field.name.text);
                    let address = offset(Expr::Reg(record), start);
                    self.act(Action::Store { address, value }, at);
                }
                Expr::Reg(record)
            }
            ExpressionKind::Call {
                function,
                arguments,
            } => self.call(function, arguments),
            ExpressionKind::Binary {
                operator,
                left,
                right,
            } if is_arithmetic(*operator) => self.arithmetic((*operator, at), left, right),
            ExpressionKind::Binary { .. } | ExpressionKind::Not { .. } => {
                let condition = self.condition(expression);
                Expr::Cast(CastOp::ZExt, NUMBER_BITS, Box::new(condition))
            }
        }
    }

    fn variable_value(&mut self, expression: &'p Expression, name: &str) -> Expr {
        let at = expression.at;
        let scope = self.scopes.last().expect("a function is being lowered");
        let function = scope.function.name.text.as_str();
        let is_uncertain = self.tables.uncertain[function].is_use(expression.id);
        let shape = self.tables.types.variable(function, name);
        let variable = self.variable(name);
        let flag = match variable {
            Variable::Register { flag, .. }
            | Variable::Promoted { flag, .. }
            | Variable::Cell { flag, .. } => flag,
            Variable::Alias { .. } => unreachable!("such a parameter is only followed"),
        };
        if let Some(flag) = flag.filter(|_| is_uncertain) {
            let is_unset = Expr::Reg(flag).negate();
            self.end_where(is_unset, EndKind::Uninitialised, at);
        }
        match variable {
            Variable::Register { value, .. } => Expr::Reg(value),
            Variable::Promoted { value, .. } | Variable::Alias { value } => self.copied(value, at),
            Variable::Cell { pointer, .. } => {
                if is_uncertain && flag.is_none() {
                    self.check_cell(Expr::Reg(pointer), at);
                }
                self.load(Expr::Reg(pointer), shape, at)
            }
        }
    }

    /// The current value of a register.
    fn copied(&mut self, register: RegId, at: Position) -> Expr {
        let data = self.builder.reg(register);
        let (bits, pointer) = (data.bits, data.pointer);
        let copy = self.builder.add_reg("copy", bits, pointer);
        let pairs = vec![(copy, Expr::Reg(register))];
        self.act(Action::Assign(pairs), at);
        Expr::Reg(copy)
    }

    fn load(&mut self, address: Expr, shape: Shape, at: Position) -> Expr {
        let width = bits(shape);
        let dst = self.builder.add_reg("loaded", width, width == POINTER_BITS);
        self.act(Action::Load { dst, address }, at);
        Expr::Reg(dst)
    }

    /// Stores a value at a dereference, field or element.
    pub(super) fn assign_in_memory(&mut self, target: &'p Expression, value: Expr) {
        let at = target.at;
        if let ExpressionKind::Dereference { pointer } = &target.kind {
            if let Some(register) = self.alias(pointer) {
                return self.act(Action::Assign(vec![(register, value)]), at);
            }
            let pointer = self.value(pointer);
            self.store_cell(pointer, value, at);
        } else {
            let address = self.address(target);
            self.act(Action::Store { address, value }, at);
        }
    }

    /// The address of a field or an element, not checked.
    fn address(&mut self, expression: &'p Expression) -> Expr {
        match &expression.kind {
            ExpressionKind::Field { record, name } => {
                let start = start_of(&self.layout(record), &name.text);
                let base = self.value(record);
                offset(base, start)
            }
            ExpressionKind::Element { array, index } => {
                let base = self.value(array);
                let index = self.value(index);
                let size = bytes(self.tables.types.of(expression));
                if let Expr::Const(index) = &index {
                    let index = index.cast(CastOp::SExt, POINTER_BITS);
                    let size = Bv::new(POINTER_BITS, size);
                    let start = Expr::Const(Bv::binary(BinOp::Mul, &index, &size));
                    return binary(BinOp::Add, base, start);
                }
                let wide = Expr::Cast(CastOp::SExt, POINTER_BITS, Box::new(index));
                let size = Expr::Const(Bv::new(POINTER_BITS, size));
                binary(BinOp::Add, base, binary(BinOp::Mul, wide, size))
            }
            _ => unreachable!("only fields and elements have addresses of their own"),
        }
    }

    /// The fields of a record in memory: names, shapes and the bytes before them.
    fn layout(&self, record: &Expression) -> Vec<(String, Shape, u64)> {
        let mut start = 0;
        let mut layout = Vec::new();
        for (name, shape) in self.tables.types.fields(record) {
            // A field lies at a multiple of its size.
            start = u64::next_multiple_of(start, bytes(shape));
            layout.push((name.to_owned(), shape, start));
            start += bytes(shape);
        }
        layout
    }

    fn arithmetic(
        &mut self,
        (operator, at): (BinaryOperator, Position),
        left: &'p Expression,
        right: &'p Expression,
    ) -> Expr {
        let left = self.value(left);
        let right = self.value(right);
        let operator = match operator {
            BinaryOperator::Add => BinOp::Add,
            BinaryOperator::Subtract => BinOp::Sub,
            BinaryOperator::Multiply => BinOp::Mul,
            _ => {
                let is_zero = equals_zero(right.clone(), NUMBER_BITS);
                self.end_where(is_zero, EndKind::DivisionTrap, at);
                BinOp::SDiv
            }
        };
        binary(operator, left, right)
    }

    /// A number as a condition of width 1: whether it is not zero.
    fn condition(&mut self, expression: &'p Expression) -> Expr {
        match &expression.kind {
            ExpressionKind::Not { operand } => self.condition(operand).negate(),
            ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            } => {
                if !self.tables.marks.have_sides() && self.only_computes(right) {
                    let left = self.condition(left);
                    let right = self.condition(right);
                    let joint = if *operator == BinaryOperator::And {
                        BinOp::And
                    } else {
                        BinOp::Or
                    };
                    return binary(joint, left, right);
                }
                let at = expression.at;
                let holds = self.builder.add_reg("holds", 1, false);
                let [yes, no, behind] = ["yes", "no", "behind"].map(|name| self.node(name, at));
                self.decide(expression, yes, no);
                for (node, value) in [(yes, true), (no, false)] {
                    self.here = node;
                    self.act(Action::Assign(vec![(holds, Expr::truth(value))]), at);
                    self.builder.add_edge(self.here, behind, Vec::new());
                }
                self.here = behind;
                Expr::Reg(holds)
            }
            ExpressionKind::Binary {
                operator,
                left,
                right,
            } if !is_arithmetic(*operator) => {
                let left = self.value(left);
                let right = self.value(right);
                Expr::Compare(comparison(*operator), Box::new(left), Box::new(right))
            }
            _ => equals_zero(self.value(expression), NUMBER_BITS).negate(),
        }
    }

    /// Goes one way where a condition is not zero, the other where it is.
    pub(super) fn decide(&mut self, condition: &'p Expression, then: NodeId, otherwise: NodeId) {
        match &condition.kind {
            ExpressionKind::Not { operand } => self.decide(operand, otherwise, then),
            ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                left,
                right,
            } => {
                let next = self.node("operand", right.at);
                if *operator == BinaryOperator::And {
                    self.decide(left, next, otherwise);
                } else {
                    self.decide(left, then, next);
                }
                self.here = next;
                self.decide(right, then, otherwise);
            }
            _ => {
                let value = self.condition(condition);
                let at = condition.at;
                let Some(goals) = self.tables.marks.of_condition(condition) else {
                    return self.branch(value, then, otherwise, span(at));
                };
                let sides = [self.node("side", at), self.node("side", at)];
                self.branch(value, sides[0], sides[1], span(at));
                for ((side, goal), to) in sides.into_iter().zip(goals).zip([then, otherwise]) {
                    self.here = side;
                    self.pass(Some(goal), at);
                    self.jump(to);
                }
            }
        }
    }

    /// Whether the expression does nothing but compute numbers: it reads no input and no memory,
    /// makes nothing and cannot err.
    fn only_computes(&self, expression: &Expression) -> bool {
        let scope = self.scopes.last().expect("a function is being lowered");
        let uncertain = &self.tables.uncertain[scope.function.name.text.as_str()];
        let mut only_computes = true;
        expression.for_each(&mut |part| {
            only_computes &= self.tables.types.of(part) == Shape::Number
                && match &part.kind {
                    ExpressionKind::Number { .. } | ExpressionKind::Not { .. } => true,
                    ExpressionKind::Variable { name } => {
                        matches!(self.variable(name), Variable::Register { .. })
                            && !uncertain.is_use(part.id)
                    }
                    ExpressionKind::Binary { operator, .. } => *operator != BinaryOperator::Divide,
                    ExpressionKind::Null
                    | ExpressionKind::Reference { .. }
                    | ExpressionKind::Input
                    | ExpressionKind::Alloc { .. }
                    | ExpressionKind::Dereference { .. }
                    | ExpressionKind::Array { .. }
                    | ExpressionKind::Record { .. }
                    | ExpressionKind::Field { .. }
                    | ExpressionKind::Element { .. }
                    | ExpressionKind::Call { .. } => false,
                };
        });
        only_computes
    }
}

fn is_arithmetic(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
    )
}

fn comparison(operator: BinaryOperator) -> CmpOp {
    match operator {
        BinaryOperator::Equal => CmpOp::Eq,
        BinaryOperator::NotEqual => CmpOp::Ne,
        BinaryOperator::Less => CmpOp::Slt,
        BinaryOperator::LessOrEqual => CmpOp::Sle,
        BinaryOperator::Greater => CmpOp::Sgt,
        BinaryOperator::GreaterOrEqual => CmpOp::Sge,
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::And
        | BinaryOperator::Or => unreachable!("{operator} does not compare"),
    }
}

fn binary(operator: BinOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

/// So many bytes behind a pointer.
fn offset(base: Expr, bytes: u64) -> Expr {
    if bytes == 0 {
        return base;
    }
    binary(BinOp::Add, base, Expr::Const(Bv::new(POINTER_BITS, bytes)))
}

fn start_of(layout: &[(String, Shape, u64)], name: &str) -> u64 {
    let field = layout.iter().find(|(field, _, _)| field == name);
    field.expect("a well-typed record has the field").2
}
