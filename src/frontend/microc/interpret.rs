//! The interpreter: the reference semantics of microc, and the replay of witnesses.
//!
//! It interprets the syntax tree and shares nothing else with the lowering, so that each tests the other.
//! Variables and allocations live in cells that are never freed, as in the thesis (Section 5.3.1): a pointer
//! to a variable of a function that has returned can still be followed.
//!
//! Operands are evaluated from left to right; in an assignment first the value, then the place.

use super::ast::{
    BinaryOperator, Expression, ExpressionKind, Function, Position, Program, Statement,
    StatementKind,
};
use super::integer::Integer;
use super::marks::Marks;
use super::targets::Targets;
use ::replay::LanguageError;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::time::Instant;

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End<N> {
    /// `main` returned this.
    Returned(N),
    Error(LanguageError, Position),
    /// A target was reached.
    Target(Position),
    /// There was no further input.
    EndOfInput(Position),
    /// A limit was reached; which one.
    Limit(&'static str),
    /// The loop here goes around for ever.
    Endless(Position),
}

/// The inputs and limits of a run.
pub trait World<N> {
    /// The next number; `None` at the end.
    fn input(&mut self) -> Option<N>;
    fn output(&mut self, value: &N);

    /// A goal of coverage was passed.
    fn pass(&mut self, _goal: u32) {}
}

/// The limits of a run. Default: no limit of time and steps, no target, no goals.
#[derive(Clone, Copy, Default, Debug)]
pub struct RunOptions<'a> {
    pub deadline: Option<Instant>,
    /// Statements and expressions that are executed, rounded up to thousands.
    pub steps: Option<u64>,
    /// Whether the run ends where a loop comes back to a state that was there before, in which case it
    /// would never end.
    pub notice_endless: bool,
    /// Where the run ends.
    pub targets: Option<&'a Targets>,
    /// Where it passes goals of coverage.
    pub marks: Option<&'a Marks>,
}

/// Nested statements, operations and calls.
const MOST_LEVELS: usize = 400_000;
/// Bytes of the stack that a level takes at most; more where the code is not optimised.
const LEVEL: usize = if cfg!(debug_assertions) { 5120 } else { 1280 };
const STACK: usize = MOST_LEVELS * LEVEL;
/// Cells of variables, arrays and records together.
const MOST_CELLS: usize = 1 << 24;
/// Where there are more cells, states of a loop are not compared.
const MOST_CELLS_COMPARED: usize = 256;
/// The clock is examined once in so many evaluations.
const BETWEEN_LOOKS: u32 = 1024;

/// Runs a program that is well typed, on a separate thread.
///
/// # Errors
/// If the system gives no thread with so large a stack.
///
/// # Panics
/// If the program is not well typed, or `arguments` are not as many as the parameters of `main`.
pub fn run<N: Integer, W: World<N> + Send>(
    program: &Program,
    arguments: &[N],
    world: &mut W,
    options: &RunOptions<'_>,
) -> std::io::Result<End<N>> {
    std::thread::scope(|scope| {
        let body = || Machine::new(program, world, options).run(arguments);
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, body)?;
        Ok(thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// A value. Copies of an array and of a record share their elements and fields.
#[derive(Clone, PartialEq, Debug)]
enum Value<'p, N> {
    Number(N),
    Null,
    /// To the cell of this number.
    Pointer(usize),
    /// Its elements are in cells that follow one another.
    Array {
        first: usize,
        length: usize,
    },
    /// Its fields are, in the order in which they were written.
    Record {
        first: usize,
        fields: &'p [super::ast::Field],
    },
}

impl<N: Integer> Value<'_, N> {
    fn number(self) -> N {
        match self {
            Value::Number(number) => number,
            Value::Null | Value::Pointer(_) | Value::Array { .. } | Value::Record { .. } => {
                panic!("a well-typed program has a number here")
            }
        }
    }
}

/// A function with the positions of its variables in the frame.
struct Callee<'p> {
    function: &'p Function,
    slots: IndexMap<&'p str, usize, FxBuildHasher>,
    /// Whether pointers to its variables are made.
    makes_references: bool,
}

/// The variables of a call.
#[derive(Clone, Copy)]
struct Frame<'m, 'p> {
    callee: &'m Callee<'p>,
    first: usize,
}

impl Frame<'_, '_> {
    fn cell(self, name: &str) -> usize {
        self.first + self.callee.slots[name]
    }
}

/// The reason for an early end of a run.
enum Ended {
    Error(LanguageError, Position),
    Target(Position),
    EndOfInput(Position),
    Limit(&'static str),
    Endless(Position),
}

/// Looks for a state of a loop that was there before, by Brent's algorithm: a state is compared with the
/// last one of which the number of the iteration was a power of two.
struct Repetition<'p, N> {
    n_iterations: u64,
    /// How many inputs were read, and the contents of all cells.
    earlier: Option<(u64, Vec<Option<Value<'p, N>>>)>,
}

type Evaluated<T> = Result<T, Ended>;

struct Machine<'p, 'w, N, W> {
    functions: IndexMap<&'p str, Callee<'p>, FxBuildHasher>,
    store: Store<'p, 'w, N, W>,
}

/// The mutable state of a running program.
struct Store<'p, 'w, N, W> {
    cells: Vec<Option<Value<'p, N>>>,
    world: &'w mut W,
    options: &'w RunOptions<'w>,
    levels: usize,
    until_look: u32,
    steps: u64,
    /// How many inputs were read.
    n_inputs: u64,
}

impl<'p, 'w, N: Integer, W: World<N>> Machine<'p, 'w, N, W> {
    fn new(
        program: &'p Program,
        world: &'w mut W,
        options: &'w RunOptions<'w>,
    ) -> Machine<'p, 'w, N, W> {
        let callee = |function: &'p Function| {
            let names = function.locals().map(|name| name.text.as_str());
            let slots = names.enumerate().map(|(slot, name)| (name, slot)).collect();
            let mut makes_references = false;
            function.for_each_expression(&mut |expression| {
                makes_references |= matches!(expression.kind, ExpressionKind::Reference { .. });
            });
            let callee = Callee {
                function,
                slots,
                makes_references,
            };
            (function.name.text.as_str(), callee)
        };
        Machine {
            functions: program.functions.iter().map(callee).collect(),
            store: Store {
                cells: Vec::new(),
                world,
                options,
                levels: 0,
                until_look: BETWEEN_LOOKS,
                steps: 0,
                n_inputs: 0,
            },
        }
    }

    fn run(mut self, arguments: &[N]) -> End<N> {
        let main = &self.functions["main"];
        let arguments: Vec<_> = arguments.iter().cloned().map(Value::Number).collect();
        assert_eq!(
            arguments.len(),
            main.function.parameters.len(),
            "main gets an argument for each parameter"
        );
        match self.store.call(&self.functions, main, arguments) {
            Ok(value) => End::Returned(value.number()),
            Err(Ended::Error(error, at)) => End::Error(error, at),
            Err(Ended::Target(at)) => End::Target(at),
            Err(Ended::EndOfInput(at)) => End::EndOfInput(at),
            Err(Ended::Limit(which)) => End::Limit(which),
            Err(Ended::Endless(at)) => End::Endless(at),
        }
    }
}

type Functions<'p> = IndexMap<&'p str, Callee<'p>, FxBuildHasher>;

impl<'p, N: Integer, W: World<N>> Store<'p, '_, N, W> {
    fn look(&mut self) -> Evaluated<()> {
        self.until_look -= 1;
        if self.until_look == 0 {
            self.until_look = BETWEEN_LOOKS;
            self.steps += u64::from(BETWEEN_LOOKS);
            if self.options.steps.is_some_and(|most| self.steps >= most) {
                return Err(Ended::Limit("steps"));
            }
            let deadline = self.options.deadline;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Ended::Limit("time"));
            }
        }
        Ok(())
    }

    /// Goes one level deeper.
    fn enter(&mut self) -> Evaluated<()> {
        self.look()?;
        self.levels += 1;
        if self.levels > MOST_LEVELS {
            return Err(Ended::Limit("depth of calls"));
        }
        Ok(())
    }

    fn reach(&self, at: Position) -> Evaluated<()> {
        match self.options.targets {
            Some(targets) if targets.contains(at) => Err(Ended::Target(at)),
            Some(_) | None => Ok(()),
        }
    }

    fn pass(&mut self, goal: impl FnOnce(&Marks) -> Option<u32>) {
        if let Some(goal) = self.options.marks.and_then(goal) {
            self.world.pass(goal);
        }
    }

    /// Cells with these contents; gives the first.
    fn allocate(
        &mut self,
        contents: impl IntoIterator<Item = Option<Value<'p, N>>>,
    ) -> Evaluated<usize> {
        let first = self.cells.len();
        self.cells.extend(contents);
        if self.cells.len() > MOST_CELLS {
            return Err(Ended::Limit("memory"));
        }
        Ok(first)
    }

    fn call(
        &mut self,
        functions: &Functions<'p>,
        callee: &Callee<'p>,
        arguments: Vec<Value<'p, N>>,
    ) -> Evaluated<Value<'p, N>> {
        self.enter()?;
        self.reach(callee.function.name.at)?;
        let variables = callee.function.variables.iter().map(|_| None);
        let first = self.allocate(arguments.into_iter().map(Some).chain(variables))?;
        let frame = Frame { callee, first };
        for statement in &callee.function.body {
            self.statement(functions, frame, statement)?;
        }
        self.reach(callee.function.result.at)?;
        self.pass(|marks| marks.of_result(&callee.function.result));
        let result = self.evaluate(functions, frame, &callee.function.result)?;
        if !callee.makes_references && self.cells.len() == first + callee.slots.len() {
            // Nothing can point to them, and nothing lies behind them.
            self.cells.truncate(first);
        }
        self.levels -= 1;
        Ok(result)
    }

    fn statement(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        statement: &'p Statement,
    ) -> Evaluated<()> {
        self.enter()?;
        self.reach(statement.at)?;
        self.pass(|marks| marks.of_statement(statement));
        match &statement.kind {
            StatementKind::Output { value } => {
                let value = self.evaluate(functions, frame, value)?.number();
                self.world.output(&value);
            }
            StatementKind::While { condition, body } => {
                let mut repetition = self.options.notice_endless.then(|| Repetition {
                    n_iterations: 0,
                    earlier: None,
                });
                while self.holds(functions, frame, condition)? {
                    self.statement(functions, frame, body)?;
                    if let Some(repetition) = &mut repetition
                        && self.state_repeats(repetition)
                    {
                        return Err(Ended::Endless(statement.at));
                    }
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.holds(functions, frame, condition)? {
                    self.statement(functions, frame, then)?;
                } else if let Some(otherwise) = otherwise {
                    self.statement(functions, frame, otherwise)?;
                }
            }
            StatementKind::Block { statements } => {
                for statement in statements {
                    self.statement(functions, frame, statement)?;
                }
            }
            StatementKind::Assignment { target, value } => {
                let value = self.evaluate(functions, frame, value)?;
                let cell = self.place(functions, frame, target)?;
                self.cells[cell] = Some(value);
            }
        }
        self.levels -= 1;
        Ok(())
    }

    /// Whether a loop that has done one more iteration is in a state in which it was before. Everything
    /// else that its run depends on is outside of it and stays as it is.
    fn state_repeats(&self, repetition: &mut Repetition<'p, N>) -> bool {
        if self.cells.len() > MOST_CELLS_COMPARED {
            return false;
        }
        repetition.n_iterations += 1;
        let earlier = repetition.earlier.as_ref();
        let is_same = earlier
            .is_some_and(|(n_inputs, cells)| *n_inputs == self.n_inputs && *cells == self.cells);
        if repetition.n_iterations.is_power_of_two() {
            repetition.earlier = Some((self.n_inputs, self.cells.clone()));
        }
        is_same
    }

    fn holds(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        condition: &'p Expression,
    ) -> Evaluated<bool> {
        let value = self.evaluate(functions, frame, condition)?.number();
        Ok(!value.is_zero())
    }

    /// The cell that an expression names.
    fn place(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        expression: &'p Expression,
    ) -> Evaluated<usize> {
        let at = expression.at;
        match &expression.kind {
            ExpressionKind::Variable { name } => Ok(frame.cell(name)),
            ExpressionKind::Dereference { pointer } => {
                match self.evaluate(functions, frame, pointer)? {
                    Value::Pointer(cell) => Ok(cell),
                    Value::Null => Err(Ended::Error(LanguageError::NullDereference, at)),
                    Value::Number(_) | Value::Array { .. } | Value::Record { .. } => {
                        panic!("a well-typed program dereferences pointers")
                    }
                }
            }
            ExpressionKind::Field { record, name } => {
                let Value::Record { first, fields } = self.evaluate(functions, frame, record)?
                else {
                    panic!("a well-typed program has a record here")
                };
                let index = fields.iter().position(|field| field.name.text == name.text);
                Ok(first + index.expect("a well-typed record has the field"))
            }
            ExpressionKind::Element { array, index } => {
                let Value::Array { first, length } = self.evaluate(functions, frame, array)? else {
                    panic!("a well-typed program has an array here")
                };
                let index = self.evaluate(functions, frame, index)?.number().to_u64();
                let index = index.and_then(|index| usize::try_from(index).ok());
                match index.filter(|index| *index < length) {
                    Some(index) => Ok(first + index),
                    None => Err(Ended::Error(LanguageError::OutOfBounds, at)),
                }
            }
            _ => panic!("the parser accepts places only"),
        }
    }

    fn evaluate(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        expression: &'p Expression,
    ) -> Evaluated<Value<'p, N>> {
        self.enter()?;
        let value = match &expression.kind {
            ExpressionKind::Number { value } => {
                Value::Number(N::literal(value).expect("literals are checked before"))
            }
            ExpressionKind::Null => Value::Null,
            ExpressionKind::Input => match self.world.input() {
                Some(number) => {
                    self.n_inputs += 1;
                    Value::Number(number)
                }
                None => return Err(Ended::EndOfInput(expression.at)),
            },
            ExpressionKind::Variable { .. }
            | ExpressionKind::Dereference { .. }
            | ExpressionKind::Field { .. }
            | ExpressionKind::Element { .. } => {
                let cell = self.place(functions, frame, expression)?;
                match &self.cells[cell] {
                    Some(value) => value.clone(),
                    None => {
                        return Err(Ended::Error(LanguageError::Uninitialised, expression.at));
                    }
                }
            }
            ExpressionKind::Reference { name } => Value::Pointer(frame.cell(&name.text)),
            ExpressionKind::Alloc { value } => {
                let value = self.evaluate(functions, frame, value)?;
                Value::Pointer(self.allocate([Some(value)])?)
            }
            ExpressionKind::Not { operand } => {
                let holds = self.holds(functions, frame, operand)?;
                Value::Number(N::truth(!holds))
            }
            ExpressionKind::Binary {
                operator,
                left,
                right,
            } => self.operate(functions, frame, (*operator, expression.at), left, right)?,
            ExpressionKind::Array { elements } => {
                let values = self.evaluate_all(functions, frame, &mut elements.iter())?;
                let length = values.len();
                let first = self.allocate(values.into_iter().map(Some))?;
                Value::Array { first, length }
            }
            ExpressionKind::Record { fields } => {
                let parts = &mut fields.iter().map(|field| &field.value);
                let values = self.evaluate_all(functions, frame, parts)?;
                let first = self.allocate(values.into_iter().map(Some))?;
                Value::Record { first, fields }
            }
            ExpressionKind::Call {
                function,
                arguments,
            } => {
                let arguments = self.evaluate_all(functions, frame, &mut arguments.iter())?;
                self.call(functions, &functions[function.text.as_str()], arguments)?
            }
        };
        if let Value::Number(number) = &value {
            let side = usize::from(number.is_zero());
            self.pass(|marks| marks.of_condition(expression).map(|sides| sides[side]));
        }
        self.levels -= 1;
        Ok(value)
    }

    fn evaluate_all(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        expressions: &mut dyn Iterator<Item = &'p Expression>,
    ) -> Evaluated<Vec<Value<'p, N>>> {
        expressions
            .map(|expression| self.evaluate(functions, frame, expression))
            .collect()
    }

    fn operate(
        &mut self,
        functions: &Functions<'p>,
        frame: Frame<'_, 'p>,
        (operator, at): (BinaryOperator, Position),
        left: &'p Expression,
        right: &'p Expression,
    ) -> Evaluated<Value<'p, N>> {
        if let BinaryOperator::And | BinaryOperator::Or = operator {
            let decides = operator == BinaryOperator::Or;
            let holds = if self.holds(functions, frame, left)? == decides {
                decides
            } else {
                self.holds(functions, frame, right)?
            };
            return Ok(Value::Number(N::truth(holds)));
        }
        let left = self.evaluate(functions, frame, left)?;
        let right = self.evaluate(functions, frame, right)?;
        let (left, right) = match (left, right) {
            (Value::Number(left), Value::Number(right)) => (left, right),
            (left, right) => {
                let same = match (left, right) {
                    (Value::Null, Value::Null) => true,
                    (Value::Pointer(left), Value::Pointer(right)) => left == right,
                    _ => false,
                };
                let holds = same == (operator == BinaryOperator::Equal);
                return Ok(Value::Number(N::truth(holds)));
            }
        };
        Ok(Value::Number(match operator {
            BinaryOperator::Add => left.add(&right),
            BinaryOperator::Subtract => left.subtract(&right),
            BinaryOperator::Multiply => left.multiply(&right),
            BinaryOperator::Divide if right.is_zero() => {
                return Err(Ended::Error(LanguageError::DivisionByZero, at));
            }
            BinaryOperator::Divide => left.divide(&right),
            BinaryOperator::Equal => N::truth(left == right),
            BinaryOperator::NotEqual => N::truth(left != right),
            BinaryOperator::Less => N::truth(left < right),
            BinaryOperator::LessOrEqual => N::truth(left <= right),
            BinaryOperator::Greater => N::truth(left > right),
            BinaryOperator::GreaterOrEqual => N::truth(left >= right),
            BinaryOperator::And | BinaryOperator::Or => unreachable!("handled above"),
        }))
    }
}
