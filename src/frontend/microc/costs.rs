//! Query count estimation: how often a variable will be asked about (thesis, Sections 4.3.1 and
//! 5.4.3.2).
//!
//! The cost of a variable before a statement is the number of solver queries that mention it there,
//! and those before everything that may come next. A query is asked at each condition, about the
//! variables in it, at each access to an element, about those of the index, and at each division,
//! about those of the divisor. An assignment of a variable to which its value is of no use ends what is
//! asked about it. Functions are looked at one by one.
//!
//! Listing 4.8 of the thesis leaves the query of line 9 out of its numbers there; the text and the
//! other lines count it.

use super::ast::{
    BinaryOperator, Expression, ExpressionKind, Function, Position, Statement, StatementKind,
};
use super::print::head;
use std::collections::BTreeMap;
use std::time::Instant;

/// What is done about loops, of which nobody knows how often they go around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimation {
    /// Each goes around at most so often (κ).
    Recursive { kappa: u32 },
    /// No cost counts beyond this, so that there is a fixed point. The thesis takes 10.
    LatticeBased { most: u64 },
}

/// Queries by variable; those that are never asked about are left out.
pub type Costs = BTreeMap<String, u64>;

/// The costs before a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementCosts {
    pub at: Position,
    pub text: String,
    pub costs: Costs,
}

/// The costs before each statement of a function, in the order of the text; `None` if that takes
/// longer than until the deadline.
#[must_use]
pub fn costs(
    function: &Function,
    estimation: Estimation,
    deadline: Option<Instant>,
) -> Option<Vec<StatementCosts>> {
    let mut pass = Pass {
        estimation,
        deadline,
        found: BTreeMap::new(),
    };
    let at_return = Costs::new();
    let after = pass.add_queries(&function.result, None, at_return);
    let text = format!("return {}", function.result);
    pass.note(function.result.at, text, &after);
    pass.all(&function.body, after)?;
    Some(pass.found.into_values().collect())
}

/// Goes backwards through a function.
struct Pass {
    estimation: Estimation,
    deadline: Option<Instant>,
    found: BTreeMap<Position, StatementCosts>,
}

impl Pass {
    fn note(&mut self, at: Position, text: String, costs: &Costs) {
        let costs = costs.clone();
        self.found.insert(at, StatementCosts { at, text, costs });
    }

    fn sum(&self, costs: Costs, others: &Costs) -> Costs {
        let mut sum = costs;
        for (name, cost) in others {
            let total = sum.entry(name.clone()).or_default();
            *total = total.saturating_add(*cost);
            if let Estimation::LatticeBased { most } = self.estimation {
                *total = (*total).min(most);
            }
        }
        sum
    }

    /// Adds the queries of an expression, and that of the condition if it is one.
    fn add_queries(
        &self,
        expression: &Expression,
        condition: Option<&Expression>,
        costs: Costs,
    ) -> Costs {
        let mut costs = costs;
        if let Some(condition) = condition {
            costs = self.sum(costs, &asked_about(condition));
        }
        expression.for_each(&mut |part| {
            let asked = match &part.kind {
                ExpressionKind::Element { index, .. } => asked_about(index),
                ExpressionKind::Binary {
                    operator: BinaryOperator::Divide,
                    right,
                    ..
                } => asked_about(right),
                _ => return,
            };
            costs = self.sum(std::mem::take(&mut costs), &asked);
        });
        costs
    }

    /// The costs before statements with these behind them.
    fn all(&mut self, statements: &[Statement], after: Costs) -> Option<Costs> {
        let mut costs = after;
        for statement in statements.iter().rev() {
            costs = self.statement(statement, costs)?;
        }
        Some(costs)
    }

    fn statement(&mut self, statement: &Statement, after: Costs) -> Option<Costs> {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return None;
        }
        let costs = match &statement.kind {
            StatementKind::Output { value } => self.add_queries(value, None, after),
            StatementKind::Block { statements } => return self.all(statements, after),
            StatementKind::Assignment { target, value } => {
                let mut costs = after;
                if let ExpressionKind::Variable { name } = &target.kind
                    && !asked_about(value).contains_key(name)
                {
                    costs.remove(name);
                }
                let costs = self.add_queries(value, None, costs);
                self.add_queries(target, None, costs)
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let other = match otherwise {
                    Some(otherwise) => self.statement(otherwise, after.clone())?,
                    None => after.clone(),
                };
                let then = self.statement(then, after)?;
                let both = self.sum(then, &other);
                self.add_queries(condition, Some(condition), both)
            }
            StatementKind::While { condition, body } => {
                let leaving = self.add_queries(condition, Some(condition), after);
                match self.estimation {
                    Estimation::Recursive { kappa } => {
                        let mut costs = leaving.clone();
                        for _ in 0..kappa {
                            let inside = self.statement(body, costs)?;
                            costs = self.sum(inside, &leaving);
                        }
                        costs
                    }
                    Estimation::LatticeBased { .. } => {
                        let mut costs = Costs::new();
                        loop {
                            let inside = self.statement(body, costs.clone())?;
                            let next = self.sum(inside, &leaving);
                            if next == costs {
                                break costs;
                            }
                            costs = next;
                        }
                    }
                }
            }
        };
        self.note(statement.at, head(statement), &costs);
        Some(costs)
    }
}

/// One query about each variable in an expression.
fn asked_about(expression: &Expression) -> Costs {
    let mut costs = Costs::new();
    expression.for_each(&mut |part| {
        if let ExpressionKind::Variable { name } = &part.kind {
            costs.insert(name.clone(), 1);
        }
    });
    costs
}

#[cfg(test)]
mod tests {
    use super::{Costs, Estimation, costs};
    use crate::frontend::microc::parse;

    /// Listing 4.8 of the thesis.
    const LISTING: &str = "main() {
  var r, arg, argc, argv, i;


  r = 1;
  arg = 1;
  argc = input;
  argv = [];
  if (arg < argc) {

    if (argv[input]) {

      r = 0;

      arg = arg + 1;

    }
  }
  while (arg < argc) {

    i = 0;

    while (argv[arg][i] != 0) {

      i = i + 1;

      output argv[arg][i];

    }
    arg = arg + 1;
  }
  if (r) {
    output 10;
  }
  return 0;
}
";

    fn on_line(line: u32, estimation: Estimation) -> Costs {
        let program = parse(LISTING).unwrap();
        let all = costs(&program.functions[0], estimation, None).unwrap();
        let on_line = all.into_iter().find(|costs| costs.at.line == line);
        on_line.unwrap().costs
    }

    #[test]
    fn costs_of_the_thesis() {
        let kappa = Estimation::Recursive { kappa: 1 };
        for (line, wanted) in [
            // The thesis leaves out the query of line 9 here and before.
            (5, &[][..]),
            (6, &[("r", 6)]),
            (7, &[("r", 6), ("arg", 25)]),
            (8, &[("r", 6), ("arg", 25), ("argc", 10)]),
            (9, &[("r", 6), ("arg", 25), ("argc", 10), ("argv", 7)]),
            (11, &[("r", 3), ("arg", 16), ("argc", 6), ("argv", 5)]),
            (13, &[("arg", 8), ("argc", 3), ("argv", 2)]),
            (19, &[("r", 3), ("arg", 8), ("argc", 3), ("argv", 2)]),
            (
                23,
                &[("r", 2), ("arg", 7), ("argc", 2), ("argv", 2), ("i", 5)],
            ),
            (
                25,
                &[("r", 1), ("arg", 4), ("argc", 1), ("argv", 1), ("i", 3)],
            ),
            (
                27,
                &[("r", 1), ("arg", 4), ("argc", 1), ("argv", 1), ("i", 3)],
            ),
            (30, &[("r", 1), ("arg", 1), ("argc", 1)]),
            (32, &[("r", 1)]),
        ] {
            let wanted: Costs = wanted
                .iter()
                .map(|(name, n)| ((*name).to_owned(), *n))
                .collect();
            assert_eq!(on_line(line, kappa), wanted, "line {line}");
        }
    }

    #[test]
    fn more_iterations_cost_more_and_a_limit_is_kept() {
        let twice = on_line(19, Estimation::Recursive { kappa: 2 });
        assert!(twice["arg"] > 8);
        let limited = on_line(19, Estimation::LatticeBased { most: 10 });
        assert_eq!(limited["arg"], 10);
        assert!(limited.values().all(|cost| *cost <= 10));
    }
}
