//! Random programs, well typed, with the parameters of the thesis (Sections 5.1 and 6.1).
//!
//! All variables have values before they are used. Statements and expressions are drawn with equal
//! probabilities but for loops, whose probabilities are given. Arrays are indexed by numbers below
//! the length that the variable had at first, so that accesses are out of bounds only behind an
//! assignment of a shorter array.
//!
//! With [`Generator::guarded`], as Section 7.1 asks for, programs have many expressions that may
//! fail and few that do: divisions, accesses at any index and dereferences are after a
//! condition under which they succeed, which is left out at one place in [`UNGUARDED_ONCE_IN`].
//!
//! The same parameters give the same program.

use frontend::microc::ast::{
    BinaryOperator, Expression, ExpressionKind, Field, Function, Name, Position, Program,
    Statement, StatementKind,
};
use num_bigint::BigInt;

/// Of guarded operations, one in so many lacks its guard.
pub const UNGUARDED_ONCE_IN: u32 = 20;

/// The parameters; the names in brackets are those of the thesis.
#[derive(Clone, PartialEq, Debug)]
pub struct Generator {
    pub seed: u64,
    /// That a statement is a loop that counts a variable up to another (`forLoopGenProb`).
    /// Default: 0.10.
    pub for_loops: f64,
    /// That it is a loop with any condition (`loopGenProb`). Default: 0.15.
    pub loops: f64,
    /// Nested blocks (`maxBlockDepth`). Default: 3.
    pub block_depth: u32,
    /// Statements of a function, at most (`maxTopLvlStmtsCount`). Default: 10.
    pub top_level_statements: u32,
    /// Maximum number of statements of a block (`maxStmtsWithinABlock`). Default: 5.
    pub block_statements: u32,
    /// A statement that fails if it is reached (`errorGuaranteed`). Default: no.
    pub error_guaranteed: bool,
    /// Divisions (`generateDivisions`). Default: no.
    pub divisions: bool,
    /// Operations that may fail, behind conditions. Default: no.
    pub guarded: bool,
    /// Maximum number of functions in addition to `main`; each calls only earlier ones. Default: 0, as in the thesis.
    pub functions: u32,
}

impl Default for Generator {
    fn default() -> Generator {
        Generator {
            seed: 1,
            for_loops: 0.10,
            loops: 0.15,
            block_depth: 3,
            top_level_statements: 10,
            block_statements: 5,
            error_guaranteed: false,
            divisions: false,
            guarded: false,
            functions: 0,
        }
    }
}

impl Generator {
    /// Makes a program.
    #[must_use]
    pub fn program(&self) -> Program {
        let mut making = Making {
            options: self,
            random: fastrand::Rng::with_seed(self.seed),
            functions: Vec::new(),
            numbers: Vec::new(),
            arrays: Vec::new(),
            block_depth: 0,
            n_statements: 0,
        };
        let n_functions = match self.functions {
            0 => 0,
            most => making.random.u32(0..=most),
        };
        let mut functions = Vec::new();
        for index in 0..n_functions {
            let n_parameters = making.random.usize(0..3);
            let function = making.function(&format!("f{index}"), n_parameters);
            making
                .functions
                .push((function.name.text.clone(), n_parameters));
            functions.push(function);
        }
        let mut main = making.function("main", 0);
        if self.error_guaranteed {
            making.plant_error(&mut main);
        }
        functions.push(main);
        Program { functions }
    }
}

/// From so many statements on, none has a block any more.
const MOST_STATEMENTS: u32 = 50_000;
/// Expressions are no deeper.
const EXPRESSION_DEPTH: u32 = 3;

struct Making<'g> {
    options: &'g Generator,
    random: fastrand::Rng,
    /// Functions made so far, with the number of their parameters.
    functions: Vec<(String, usize)>,
    /// Variables of the current function that hold numbers.
    numbers: Vec<String>,
    /// Those that hold arrays of numbers, with their first lengths.
    arrays: Vec<(String, usize)>,
    block_depth: u32,
    n_statements: u32,
}

/// The pointer and the record of a function; each has one of both.
const POINTER: &str = "p";
const RECORD: &str = "r";
const FIELDS: [&str; 2] = ["x", "y"];

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        at: Position::default(),
    }
}

fn make(kind: ExpressionKind) -> Expression {
    Expression::new(Position::default(), kind)
}

fn number(value: i64) -> Expression {
    make(ExpressionKind::Number {
        value: BigInt::from(value),
    })
}

fn variable(text: &str) -> Expression {
    make(ExpressionKind::Variable {
        name: text.to_owned(),
    })
}

fn dereference(pointer: Expression) -> Expression {
    make(ExpressionKind::Dereference {
        pointer: Box::new(pointer),
    })
}

fn element(array: &str, index: Expression) -> Expression {
    make(ExpressionKind::Element {
        array: Box::new(variable(array)),
        index: Box::new(index),
    })
}

fn field(name_of_field: &str) -> Expression {
    make(ExpressionKind::Field {
        record: Box::new(variable(RECORD)),
        name: name(name_of_field),
    })
}

fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    make(ExpressionKind::Binary {
        operator,
        left: Box::new(left),
        right: Box::new(right),
    })
}

fn statement(kind: StatementKind) -> Statement {
    Statement {
        at: Position::default(),
        kind,
    }
}

fn assign(target: Expression, value: Expression) -> Statement {
    statement(StatementKind::Assignment { target, value })
}

fn branch(condition: Expression, then: Statement, otherwise: Option<Statement>) -> Statement {
    statement(StatementKind::If {
        condition,
        then: Box::new(then),
        otherwise: otherwise.map(Box::new),
    })
}

impl Making<'_> {
    fn function(&mut self, function_name: &str, n_parameters: usize) -> Function {
        let parameters: Vec<String> = (0..n_parameters).map(|i| format!("n{i}")).collect();
        let n_numbers = self.random.usize(2..=4);
        let n_arrays = self.random.usize(1..=2);
        let variables: Vec<String> = (0..n_numbers).map(|i| format!("v{i}")).collect();
        let mut body = Vec::new();
        self.numbers = parameters.clone();
        self.arrays.clear();
        for variable_name in &variables {
            let value = if self.random.u8(0..3) == 0 {
                make(ExpressionKind::Input)
            } else {
                self.literal()
            };
            body.push(assign(variable(variable_name), value));
        }
        self.numbers.extend(variables);
        for index in 0..n_arrays {
            let (array, length) = (format!("a{index}"), self.random.usize(1..=5));
            let elements = (0..length).map(|_| self.literal()).collect();
            body.push(assign(
                variable(&array),
                make(ExpressionKind::Array { elements }),
            ));
            self.arrays.push((array, length));
        }
        let fields = FIELDS.map(|field| Field {
            name: name(field),
            value: self.literal(),
        });
        body.push(assign(
            variable(RECORD),
            make(ExpressionKind::Record {
                fields: fields.into(),
            }),
        ));
        let pointer = self.pointer();
        body.push(assign(variable(POINTER), pointer));
        let n_statements = self
            .random
            .u32(1..=self.options.top_level_statements.max(1));
        body.extend((0..n_statements).map(|_| self.statement()));
        let result = self.expression(EXPRESSION_DEPTH);
        let declared = self.numbers[n_parameters..].iter().map(String::as_str);
        let arrays = self.arrays.iter().map(|(array, _)| array.as_str());
        let others = [RECORD, POINTER];
        Function {
            name: name(function_name),
            variables: declared.chain(arrays).chain(others).map(name).collect(),
            parameters: parameters.iter().map(|text| name(text)).collect(),
            body,
            result,
        }
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.usize(0..from.len())].clone()
    }

    fn literal(&mut self) -> Expression {
        number(self.random.i64(-5..=10))
    }

    fn number_name(&mut self) -> String {
        let names = std::mem::take(&mut self.numbers);
        let picked = self.pick(&names);
        self.numbers = names;
        picked
    }

    fn array(&mut self) -> (String, usize) {
        let arrays = std::mem::take(&mut self.arrays);
        let picked = self.pick(&arrays);
        self.arrays = arrays;
        picked
    }

    /// A pointer that is not null.
    fn pointer(&mut self) -> Expression {
        if self.random.bool() {
            let to = self.number_name();
            make(ExpressionKind::Reference { name: name(&to) })
        } else {
            let value = self.expression(1);
            make(ExpressionKind::Alloc {
                value: Box::new(value),
            })
        }
    }

    /// A number.
    fn expression(&mut self, depth: u32) -> Expression {
        let n_kinds = if depth == 0 { 4 } else { 8 };
        match self.random.u32(0..n_kinds) {
            0 => self.literal(),
            1 => {
                let picked = self.number_name();
                variable(&picked)
            }
            2 => {
                let (array, length) = self.array();
                let index = self.random.usize(0..length);
                element(&array, number(i64::try_from(index).unwrap_or(0)))
            }
            3 => match self.random.u8(0..4) {
                0 => make(ExpressionKind::Input),
                1 if !self.options.guarded => dereference(variable(POINTER)),
                _ => {
                    let picked = self.pick(&FIELDS);
                    field(picked)
                }
            },
            4 => {
                let operand = self.expression(depth - 1);
                make(ExpressionKind::Not {
                    operand: Box::new(operand),
                })
            }
            5 if !self.functions.is_empty() => {
                let functions = std::mem::take(&mut self.functions);
                let (function, n_parameters) = self.pick(&functions);
                self.functions = functions;
                let arguments = (0..n_parameters)
                    .map(|_| self.expression(depth - 1))
                    .collect();
                make(ExpressionKind::Call {
                    function: name(&function),
                    arguments,
                })
            }
            _ => {
                let operator = loop {
                    let operator = self.pick(&BinaryOperator::ALL);
                    if operator != BinaryOperator::Divide || self.options.divisions {
                        break operator;
                    }
                };
                let left = self.expression(depth - 1);
                let right = self.expression(depth - 1);
                binary(operator, left, right)
            }
        }
    }

    fn block(&mut self) -> Statement {
        self.block_depth += 1;
        let n_statements = self.random.u32(1..=self.options.block_statements.max(1));
        let statements = (0..n_statements).map(|_| self.statement()).collect();
        self.block_depth -= 1;
        statement(StatementKind::Block { statements })
    }

    fn statement(&mut self) -> Statement {
        self.n_statements += 1;
        let may_nest =
            self.block_depth < self.options.block_depth && self.n_statements < MOST_STATEMENTS;
        let kind = self.random.f64();
        if may_nest && kind < self.options.for_loops {
            return self.for_loop();
        }
        if may_nest && kind < self.options.for_loops + self.options.loops {
            let condition = self.expression(EXPRESSION_DEPTH);
            let body = Box::new(self.block());
            return statement(StatementKind::While { condition, body });
        }
        let n_kinds = if may_nest { 8 } else { 7 };
        match self.random.u32(0..n_kinds) {
            0 => {
                let value = self.expression(EXPRESSION_DEPTH);
                statement(StatementKind::Output { value })
            }
            1 => {
                let (array, length) = self.array();
                let index = self.random.usize(0..length);
                let target = element(&array, number(i64::try_from(index).unwrap_or(0)));
                assign(target, self.expression(EXPRESSION_DEPTH))
            }
            2 => {
                let (array, length) = self.array();
                // Now and then shorter than at first.
                let length = if self.random.u8(0..4) == 0 {
                    self.random.usize(1..=length)
                } else {
                    length
                };
                let elements = (0..length).map(|_| self.expression(1)).collect();
                assign(variable(&array), make(ExpressionKind::Array { elements }))
            }
            3 => {
                let picked = self.pick(&FIELDS);
                assign(field(picked), self.expression(EXPRESSION_DEPTH))
            }
            4 => {
                let pointer = self.pointer();
                let value = if self.options.guarded && self.random.bool() {
                    make(ExpressionKind::Null)
                } else {
                    pointer
                };
                assign(variable(POINTER), value)
            }
            5 if self.options.guarded => self.guarded_operation(),
            5 | 6 => {
                let target = self.number_name();
                assign(variable(&target), self.expression(EXPRESSION_DEPTH))
            }
            _ => {
                let condition = self.expression(EXPRESSION_DEPTH);
                let then = self.block();
                let otherwise = self.random.bool().then(|| self.block());
                branch(condition, then, otherwise)
            }
        }
    }

    /// A loop that counts one variable up to another.
    fn for_loop(&mut self) -> Statement {
        let counter = self.number_name();
        let bound = self.number_name();
        let body = self.block();
        let StatementKind::Block { mut statements } = body.kind else {
            unreachable!("a block was made")
        };
        let next = binary(BinaryOperator::Add, variable(&counter), number(1));
        statements.push(assign(variable(&counter), next));
        statement(StatementKind::While {
            condition: binary(BinaryOperator::Less, variable(&counter), variable(&bound)),
            body: Box::new(statement(StatementKind::Block { statements })),
        })
    }

    /// An operation that may fail, behind a condition under which it does not, mostly.
    fn guarded_operation(&mut self) -> Statement {
        let target = variable(&self.number_name());
        let operand = self.number_name();
        let (condition, operation) = match self.random.u32(0..3) {
            0 => (
                binary(BinaryOperator::NotEqual, variable(&operand), number(0)),
                binary(
                    BinaryOperator::Divide,
                    self.expression(1),
                    variable(&operand),
                ),
            ),
            1 => {
                let (array, length) = self.array();
                let length = number(i64::try_from(length).unwrap_or(0));
                let lower = binary(BinaryOperator::LessOrEqual, number(0), variable(&operand));
                let upper = binary(BinaryOperator::Less, variable(&operand), length);
                (
                    binary(BinaryOperator::And, lower, upper),
                    element(&array, variable(&operand)),
                )
            }
            _ => (
                binary(
                    BinaryOperator::NotEqual,
                    variable(POINTER),
                    make(ExpressionKind::Null),
                ),
                dereference(variable(POINTER)),
            ),
        };
        let operation = assign(target, operation);
        if self.random.u32(0..UNGUARDED_ONCE_IN) == 0 {
            operation
        } else {
            branch(condition, operation, None)
        }
    }

    /// Puts a statement that fails at any place among those of `main`, in any block.
    fn plant_error(&mut self, main: &mut Function) {
        // Behind the initial assignments.
        let first = self.numbers.len() + self.arrays.len() + 2;
        let (array, length) = self.array();
        let value = match self.random.u32(0..4) {
            0 => binary(BinaryOperator::Divide, number(1), number(0)),
            1 => element(&array, number(i64::try_from(length).unwrap_or(0))),
            2 => dereference(make(ExpressionKind::Null)),
            _ => {
                main.variables.push(name("unset"));
                variable("unset")
            }
        };
        let failing = assign(variable(&self.number_name()), value);
        self.plant(&mut main.body, first, failing);
    }

    fn plant(&mut self, statements: &mut Vec<Statement>, first: usize, failing: Statement) {
        let at = self.random.usize(first..=statements.len());
        let nested = statements
            .get_mut(at)
            .and_then(|next| match &mut next.kind {
                StatementKind::While { body, .. } => Some(body),
                StatementKind::If { then, .. } => Some(then),
                _ => None,
            });
        match nested.map(|body| &mut body.kind) {
            Some(StatementKind::Block { statements }) if self.random.bool() => {
                self.plant(statements, 0, failing);
            }
            _ => statements.insert(at, failing),
        }
    }
}
