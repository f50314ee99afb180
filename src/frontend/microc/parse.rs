//! The parser, by the grammar in `grammar.pest`.

use super::ast::{
    BinaryOperator, Diagnostic, Expression, ExpressionId, ExpressionKind, Field, Function, Name,
    Position, Program, Statement, StatementKind,
};
use super::nesting;
use num_bigint::BigInt;
use pest::Parser as _;
use pest::error::{Error, ErrorVariant, LineColLocation};
use pest::iterators::Pair;

#[derive(pest_derive::Parser)]
#[grammar = "microc/grammar.pest"]
struct Grammar;

/// The program in a text; its expressions are numbered. Names are not looked up yet.
///
/// # Errors
/// A syntax error with its location.
pub fn parse(text: &str) -> Result<Program, Diagnostic> {
    nesting::check(text)?;
    let mut pairs = Grammar::parse(Rule::program, text).map_err(|error| refusal(&error))?;
    let mut builder = Builder::default();
    let functions = pairs
        .next()
        .into_iter()
        .flat_map(parts)
        .map(|function| builder.function(function))
        .collect::<Result<_, _>>()?;
    Ok(Program { functions })
}

/// All expressions of a parsed program have smaller numbers than this.
pub(super) fn n_expressions(program: &Program) -> usize {
    let mut count = 0;
    for function in &program.functions {
        function.for_each_expression(&mut |expression| {
            count = count.max(expression.id.0 as usize + 1);
        });
    }
    count
}

fn refusal(error: &Error<Rule>) -> Diagnostic {
    let (LineColLocation::Pos((line, column)) | LineColLocation::Span((line, column), _)) =
        error.line_col;
    let at = position((line, column));
    let message = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } if !positives.is_empty() => {
            let mut expected: Vec<&str> = positives.iter().map(|rule| name(*rule)).collect();
            expected.sort_unstable();
            expected.dedup();
            let found = error.line().chars().skip(column.saturating_sub(1));
            let found: String = found.collect();
            let found = match found.split_whitespace().next() {
                Some(word) => format!(", found `{}`", first_token(word)),
                None => String::new(),
            };
            format!("expected {}{found}", one_of(&expected))
        }
        ErrorVariant::ParsingError { .. } => "this is not microc".to_owned(),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    Diagnostic::new(at, message)
}

fn first_token(word: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts_with_word = word.starts_with(is_word);
    let token = word.chars().take_while(|c| is_word(*c) == starts_with_word);
    token.take(if starts_with_word { 40 } else { 1 }).collect()
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [firsts @ .., last] => format!("{} or {last}", firsts.join(", ")),
    }
}

/// The name of a grammar rule for people.
fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::EOI | Rule::end_of_file => "the end of the file",
        Rule::program => "a program",
        Rule::function => "a function",
        Rule::variables | Rule::var_word => "`var`",
        Rule::statement | Rule::while_loop | Rule::branching | Rule::assignment => "a statement",
        Rule::output | Rule::output_word | Rule::while_word | Rule::if_word => "a statement",
        Rule::block => "a block",
        Rule::return_word => "`return`",
        Rule::else_word => "`else`",
        Rule::input | Rule::input_word | Rule::null | Rule::null_word | Rule::alloc_word => {
            "an expression"
        }
        Rule::expression
        | Rule::equality
        | Rule::relational
        | Rule::additive
        | Rule::multiplicative
        | Rule::unary
        | Rule::dereference
        | Rule::reference
        | Rule::negation
        | Rule::allocation
        | Rule::postfix
        | Rule::primary
        | Rule::array
        | Rule::record
        | Rule::parenthesised
        | Rule::number => "an expression",
        Rule::field => "a field",
        Rule::field_access | Rule::element_access | Rule::call => "`.`, `[` or `(`",
        Rule::logical_operator
        | Rule::equality_operator
        | Rule::relational_operator
        | Rule::additive_operator
        | Rule::multiplicative_operator => "an operator",
        Rule::identifier => "a name",
        Rule::open => "`(`",
        Rule::close => "`)`",
        Rule::open_bracket => "`[`",
        Rule::close_bracket => "`]`",
        Rule::open_brace => "`{`",
        Rule::close_brace => "`}`",
        Rule::comma => "`,`",
        Rule::semicolon => "`;`",
        Rule::colon => "`:`",
        Rule::dot => "`.`",
        Rule::assign => "`=`",
        Rule::star => "`*`",
        Rule::ampersand => "`&`",
        Rule::bang => "`!`",
        Rule::WHITESPACE | Rule::COMMENT | Rule::continues | Rule::keyword => "a blank",
    }
}

/// The parts of a rule that mean something: without keywords and punctuation.
fn parts(pair: Pair<'_, Rule>) -> impl Iterator<Item = Pair<'_, Rule>> {
    pair.into_inner().filter(|pair| {
        !matches!(
            pair.as_rule(),
            Rule::end_of_file
                | Rule::var_word
                | Rule::return_word
                | Rule::if_word
                | Rule::else_word
                | Rule::while_word
                | Rule::output_word
                | Rule::alloc_word
                | Rule::open
                | Rule::close
                | Rule::open_bracket
                | Rule::close_bracket
                | Rule::open_brace
                | Rule::close_brace
                | Rule::comma
                | Rule::semicolon
                | Rule::colon
                | Rule::dot
                | Rule::assign
                | Rule::star
                | Rule::ampersand
                | Rule::bang
        )
    })
}

fn position((line, column): (usize, usize)) -> Position {
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Position {
        line: small(line),
        column: small(column),
    }
}

fn place(pair: &Pair<'_, Rule>) -> Position {
    position(pair.line_col())
}

fn identifier(pair: &Pair<'_, Rule>) -> Name {
    Name {
        text: pair.as_str().to_owned(),
        at: place(pair),
    }
}

/// Makes the tree of pairs; each rule has the parts that the grammar says.
#[derive(Default)]
struct Builder {
    n_expressions: u32,
}

type Built<T> = Result<T, Diagnostic>;

/// The next part of a rule; the grammar guarantees it.
fn next<'p>(parts: &mut impl Iterator<Item = Pair<'p, Rule>>) -> Pair<'p, Rule> {
    parts.next().expect("the grammar has this part")
}

impl Builder {
    fn function(&mut self, pair: Pair<'_, Rule>) -> Built<Function> {
        // Names before the first brace are the function's and its parameters'.
        let mut names = Vec::new();
        let (mut variables, mut body, mut result) = (Vec::new(), Vec::new(), None);
        for part in parts(pair) {
            match part.as_rule() {
                Rule::identifier => names.push(identifier(&part)),
                Rule::variables => variables.extend(parts(part).map(|name| identifier(&name))),
                Rule::statement => body.push(self.statement(part)?),
                _ => result = Some(self.expression(part)?),
            }
        }
        let parameters = names.split_off(1);
        Ok(Function {
            name: names.remove(0),
            parameters,
            variables,
            body,
            result: result.expect("the grammar demands a return"),
        })
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Built<Statement> {
        let at = place(&pair);
        let pair = next(&mut parts(pair));
        let rule = pair.as_rule();
        let mut inner = parts(pair);
        let kind = match rule {
            Rule::output => StatementKind::Output {
                value: self.expression(next(&mut inner))?,
            },
            Rule::while_loop => StatementKind::While {
                condition: self.expression(next(&mut inner))?,
                body: Box::new(self.statement(next(&mut inner))?),
            },
            Rule::branching => StatementKind::If {
                condition: self.expression(next(&mut inner))?,
                then: Box::new(self.statement(next(&mut inner))?),
                otherwise: match inner.next() {
                    Some(otherwise) => Some(Box::new(self.statement(otherwise)?)),
                    None => None,
                },
            },
            Rule::block => StatementKind::Block {
                statements: inner
                    .map(|statement| self.statement(statement))
                    .collect::<Built<_>>()?,
            },
            _ => {
                let target = self.expression(next(&mut inner))?;
                if !matches!(
                    target.kind,
                    ExpressionKind::Variable { .. }
                        | ExpressionKind::Dereference { .. }
                        | ExpressionKind::Field { .. }
                        | ExpressionKind::Element { .. }
                ) {
                    let message = "this cannot be assigned to: it is not a variable, dereference, field or element";
                    return Err(Diagnostic::new(target.at, message));
                }
                StatementKind::Assignment {
                    target,
                    value: self.expression(next(&mut inner))?,
                }
            }
        };
        Ok(Statement { at, kind })
    }

    fn make(&mut self, at: Position, kind: ExpressionKind) -> Expression {
        let id = ExpressionId(self.n_expressions);
        self.n_expressions += 1;
        Expression { id, at, kind }
    }

    fn expression(&mut self, pair: Pair<'_, Rule>) -> Built<Expression> {
        let at = place(&pair);
        let rule = pair.as_rule();
        let kind = match rule {
            Rule::expression
            | Rule::equality
            | Rule::relational
            | Rule::additive
            | Rule::multiplicative => return self.operations(pair),
            Rule::unary | Rule::primary | Rule::parenthesised => {
                return self.expression(next(&mut parts(pair)));
            }
            Rule::postfix => return self.postfix(pair),
            Rule::dereference => ExpressionKind::Dereference {
                pointer: Box::new(self.expression(next(&mut parts(pair)))?),
            },
            Rule::reference => ExpressionKind::Reference {
                name: identifier(&next(&mut parts(pair))),
            },
            Rule::negation => ExpressionKind::Not {
                operand: Box::new(self.expression(next(&mut parts(pair)))?),
            },
            Rule::allocation => ExpressionKind::Alloc {
                value: Box::new(self.expression(next(&mut parts(pair)))?),
            },
            Rule::input => ExpressionKind::Input,
            Rule::null => ExpressionKind::Null,
            Rule::number => {
                let value: BigInt = pair.as_str().parse().expect("the grammar gives digits");
                ExpressionKind::Number { value }
            }
            Rule::identifier => ExpressionKind::Variable {
                name: pair.as_str().to_owned(),
            },
            Rule::array => ExpressionKind::Array {
                elements: self.expressions(parts(pair))?,
            },
            Rule::record => {
                let mut fields = Vec::new();
                for field in parts(pair) {
                    let mut inner = parts(field);
                    let name = identifier(&next(&mut inner));
                    let value = self.expression(next(&mut inner))?;
                    fields.push(Field { name, value });
                }
                ExpressionKind::Record { fields }
            }
            other => unreachable!("{other:?} is not an expression"),
        };
        Ok(self.make(at, kind))
    }

    fn expressions<'p>(
        &mut self,
        pairs: impl Iterator<Item = Pair<'p, Rule>>,
    ) -> Built<Vec<Expression>> {
        pairs.map(|pair| self.expression(pair)).collect()
    }

    /// Operands with operators between them, which apply from left to right.
    fn operations(&mut self, pair: Pair<'_, Rule>) -> Built<Expression> {
        let mut inner = parts(pair);
        let mut left = self.expression(next(&mut inner))?;
        while let Some(symbol) = inner.next() {
            let right = self.expression(next(&mut inner))?;
            let operator = BinaryOperator::ALL
                .into_iter()
                .find(|operator| operator.symbol() == symbol.as_str())
                .expect("the grammar has these operators");
            let kind = ExpressionKind::Binary {
                operator,
                left: Box::new(left),
                right: Box::new(right),
            };
            left = self.make(place(&symbol), kind);
        }
        Ok(left)
    }

    fn postfix(&mut self, pair: Pair<'_, Rule>) -> Built<Expression> {
        let mut inner = parts(pair);
        let mut base = self.expression(next(&mut inner))?;
        for access in inner {
            let at = place(&access);
            let kind = match access.as_rule() {
                Rule::field_access => ExpressionKind::Field {
                    record: Box::new(base),
                    name: identifier(&next(&mut parts(access))),
                },
                Rule::element_access => ExpressionKind::Element {
                    array: Box::new(base),
                    index: Box::new(self.expression(next(&mut parts(access)))?),
                },
                _ => {
                    let ExpressionKind::Variable { name } = base.kind else {
                        let message = "only a function can be called, by its name";
                        return Err(Diagnostic::new(at, message));
                    };
                    let function = Name {
                        text: name,
                        at: base.at,
                    };
                    let arguments = self.expressions(parts(access))?;
                    let kind = ExpressionKind::Call {
                        function,
                        arguments,
                    };
                    base = self.make(base.at, kind);
                    continue;
                }
            };
            base = self.make(at, kind);
        }
        Ok(base)
    }
}
