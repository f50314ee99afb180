//! Query count estimation: the number of solver queries about each variable (thesis, Sections 4.3.1 and 5.4.3.2).
//!
//! The cost of a variable before a statement is the number of solver queries that mention it there, and in
//! later statements. There is one query at each condition, about the variables in it, at each access to an
//! element, about those of the index, and at each division, about those of the divisor. An assignment that
//! does not use a variable's old value ends its queries. The analysis is intraprocedural.
//!
//! Going backwards through a statement does a ↦ m·a + p to the cost a of each variable (`Effect`), and
//! so does going through statements in a row, through both sides of a branching, and through a loop any
//! number of times. So the effect of a loop's body is computed once, whatever κ is, and the time is
//! linear in the size of a function times the depth of its loops: the thesis goes through the bodies of
//! nested loops κ to the power of their depth times, which took longer than 30 s for most of its large
//! programs (Table 6.2).
//!
//! Listing 4.8 of the thesis leaves the query of line 9 out of its numbers there; the text and the
//! other lines count it.

use frontend::microc::ast::{
    BinaryOperator, Expression, ExpressionKind, Function, Position, Statement, StatementKind,
};
use frontend::microc::head;
use std::collections::BTreeMap;
use std::time::Instant;

/// How loops are estimated, whose number of iterations is unknown.
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

/// The backward effect of a statement on costs.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Effect {
    steps: BTreeMap<String, AffineCost>,
    /// For variables that the statement does not mention.
    others: AffineCost,
}

/// The effect on the cost a of a variable: factor · a + plus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct AffineCost {
    factor: u64,
    plus: u64,
}

impl Effect {
    /// Costs stay as they are.
    const NONE: Effect = Effect {
        steps: BTreeMap::new(),
        others: AffineCost { factor: 1, plus: 0 },
    };

    /// Nothing is asked, wherever that leads.
    const NEVER: Effect = Effect {
        steps: BTreeMap::new(),
        others: AffineCost { factor: 0, plus: 0 },
    };

    fn step(&self, name: &str) -> AffineCost {
        self.steps.get(name).copied().unwrap_or(self.others)
    }

    /// AffineCost by step with another.
    fn with(&self, other: &Effect, join: impl Fn(AffineCost, AffineCost) -> AffineCost) -> Effect {
        let names = self.steps.keys().chain(other.steps.keys());
        Effect {
            steps: names
                .map(|name| (name.clone(), join(self.step(name), other.step(name))))
                .collect(),
            others: join(self.others, other.others),
        }
    }
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

    /// The largest cost that counts. Sums and products that are cut off there are those of the numbers
    /// without it, cut off at the end.
    fn most(&self) -> u64 {
        match self.estimation {
            Estimation::LatticeBased { most } => most,
            Estimation::Recursive { .. } => u64::MAX,
        }
    }

    fn sum(&self, costs: Costs, others: &Costs) -> Costs {
        let mut sum = costs;
        for (name, cost) in others {
            let total = sum.entry(name.clone()).or_default();
            *total = total.saturating_add(*cost).min(self.most());
        }
        sum
    }

    /// Both effects, as where a branching leads to both.
    fn both(&self, left: &Effect, right: &Effect) -> Effect {
        let most = self.most();
        left.with(right, |left, right| AffineCost {
            factor: left.factor.saturating_add(right.factor).min(most),
            plus: left.plus.saturating_add(right.plus).min(most),
        })
    }

    /// The effect of a statement with that of those behind it.
    fn before(&self, effect: &Effect, behind: &Effect) -> Effect {
        let most = self.most();
        effect.with(behind, |step, behind| AffineCost {
            factor: step.factor.saturating_mul(behind.factor).min(most),
            plus: (step.factor.saturating_mul(behind.plus))
                .saturating_add(step.plus)
                .min(most),
        })
    }

    /// Queries that are asked before what has this effect.
    fn asking(&self, queries: &Costs, behind: &Effect) -> Effect {
        let mut asking = Effect::NONE;
        for (name, cost) in queries {
            let plus = (*cost).min(self.most());
            asking
                .steps
                .insert(name.clone(), AffineCost { factor: 1, plus });
        }
        self.before(&asking, behind)
    }

    fn apply(&self, effect: &Effect, costs: &Costs) -> Costs {
        let names = effect.steps.keys().chain(costs.keys());
        let cost = |name: &String| {
            let AffineCost { factor, plus } = effect.step(name);
            let behind = costs.get(name).copied().unwrap_or_default();
            let cost = factor.saturating_mul(behind).saturating_add(plus);
            (cost > 0).then(|| (name.clone(), cost.min(self.most())))
        };
        names.filter_map(cost).collect()
    }

    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The effect of a statement; `None` if that takes longer than until the deadline.
    fn effect(&self, statement: &Statement) -> Option<Effect> {
        if self.is_late() {
            return None;
        }
        let queries = |expression: &Expression, condition: Option<&Expression>| {
            self.add_queries(expression, condition, Costs::new())
        };
        Some(match &statement.kind {
            StatementKind::Output { value } => self.asking(&queries(value, None), &Effect::NONE),
            StatementKind::Block { statements } => {
                let mut effect = Effect::NONE;
                for statement in statements.iter().rev() {
                    effect = self.before(&self.effect(statement)?, &effect);
                }
                effect
            }
            StatementKind::Assignment { target, value } => {
                let mut effect = Effect::NONE;
                if let Some(name) = overwritten(target, value) {
                    let never = Effect::NEVER.others;
                    effect.steps.insert(name.to_owned(), never);
                }
                let effect = self.asking(&queries(value, None), &effect);
                self.asking(&queries(target, None), &effect)
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let other = match otherwise {
                    Some(otherwise) => self.effect(otherwise)?,
                    None => Effect::NONE,
                };
                let both = self.both(&self.effect(then)?, &other);
                self.asking(&queries(condition, Some(condition)), &both)
            }
            StatementKind::While { condition, body } => {
                let leaving = self.asking(&queries(condition, Some(condition)), &Effect::NONE);
                let body = self.effect(body)?;
                let (first, most) = match self.estimation {
                    Estimation::Recursive { kappa } => (leaving.clone(), kappa),
                    Estimation::LatticeBased { .. } => (Effect::NEVER, u32::MAX),
                };
                self.repeated(first, most, |effect| {
                    self.both(&self.before(&body, effect), &leaving)
                })?
            }
        })
    }

    /// Goes around so often, or until that changes nothing; `None` if it takes longer than until the
    /// deadline.
    fn repeated<T: PartialEq>(&self, first: T, most: u32, around: impl Fn(&T) -> T) -> Option<T> {
        let mut last = first;
        for _ in 0..most {
            if self.is_late() {
                return None;
            }
            let next = around(&last);
            if next == last {
                break;
            }
            last = next;
        }
        Some(last)
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
        if self.is_late() {
            return None;
        }
        let costs = match &statement.kind {
            StatementKind::Output { value } => self.add_queries(value, None, after),
            StatementKind::Block { statements } => return self.all(statements, after),
            StatementKind::Assignment { target, value } => {
                let mut costs = after;
                if let Some(name) = overwritten(target, value) {
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
                let effect = self.effect(body)?;
                let around = |costs: &Costs| self.sum(self.apply(&effect, costs), &leaving);
                // Behind the body, the first time that it is gone through.
                let behind = match self.estimation {
                    Estimation::Recursive { kappa: 0 } => None,
                    Estimation::Recursive { kappa } => {
                        Some(self.repeated(leaving.clone(), kappa - 1, around)?)
                    }
                    Estimation::LatticeBased { .. } => {
                        Some(self.repeated(Costs::new(), u32::MAX, around)?)
                    }
                };
                match behind {
                    Some(behind) => {
                        let inside = self.statement(body, behind)?;
                        self.sum(inside, &leaving)
                    }
                    None => leaving,
                }
            }
        };
        self.note(statement.at, head(statement), &costs);
        Some(costs)
    }
}

/// The variable that an assignment overwrites, where its value is of no use for that.
fn overwritten<'e>(target: &'e Expression, value: &Expression) -> Option<&'e str> {
    match &target.kind {
        ExpressionKind::Variable { name } if !asked_about(value).contains_key(name) => Some(name),
        _ => None,
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
    use super::{Costs, Estimation, Pass, Statement, StatementKind, costs};
    use crate::microc::Generator;
    use frontend::microc::parse;
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

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

    /// Goes through the bodies of loops as often as they go around, as the thesis does.
    fn one_by_one(statements: &[Statement], kappa: u32, most: u64, after: Costs) -> Costs {
        let pass = Pass {
            estimation: Estimation::LatticeBased { most },
            deadline: None,
            found: BTreeMap::new(),
        };
        let mut costs = after;
        for statement in statements.iter().rev() {
            let then = |statement: &Statement, costs: &Costs| {
                one_by_one(std::slice::from_ref(statement), kappa, most, costs.clone())
            };
            costs = match &statement.kind {
                StatementKind::Output { value } => pass.add_queries(value, None, costs),
                StatementKind::Block { statements } => one_by_one(statements, kappa, most, costs),
                StatementKind::Assignment { target, value } => {
                    if let Some(name) = super::overwritten(target, value) {
                        costs.remove(name);
                    }
                    let costs = pass.add_queries(value, None, costs);
                    pass.add_queries(target, None, costs)
                }
                StatementKind::If {
                    condition,
                    then: first,
                    otherwise,
                } => {
                    let other = otherwise.as_ref().map(|other| then(other, &costs));
                    let both = pass.sum(then(first, &costs), &other.unwrap_or(costs));
                    pass.add_queries(condition, Some(condition), both)
                }
                StatementKind::While { condition, body } => {
                    let leaving = pass.add_queries(condition, Some(condition), costs);
                    let mut costs = leaving.clone();
                    for _ in 0..kappa {
                        costs = pass.sum(then(body, &costs), &leaving);
                    }
                    costs
                }
            };
        }
        costs
    }

    #[test]
    fn effects_are_what_going_through_one_by_one_gives() {
        for seed in 0..60 {
            let generator = Generator {
                seed,
                divisions: true,
                loops: 0.3,
                block_depth: 3,
                ..Generator::default()
            };
            let text = generator.program().to_string();
            let program = parse(&text).unwrap();
            let function = &program.functions[0];
            let first = function.body[0].at;
            for (estimation, kappa, most) in [
                (Estimation::Recursive { kappa: 3 }, 3, u64::MAX),
                // So many iterations reach the fixed point.
                (Estimation::LatticeBased { most: 4 }, 6, 4),
            ] {
                let pass = Pass {
                    estimation,
                    deadline: None,
                    found: BTreeMap::new(),
                };
                let after = pass.add_queries(&function.result, None, Costs::new());
                let all = costs(function, estimation, None).unwrap();
                let of_first = all.into_iter().find(|costs| costs.at == first).unwrap();
                let wanted = one_by_one(&function.body, kappa, most, after);
                assert_eq!(of_first.costs, wanted, "{estimation:?}\n{text}");
            }
        }
    }

    #[test]
    fn many_iterations_of_nested_loops_take_no_longer() {
        let mut text = "main() { var x; x = input; ".to_owned();
        for _ in 0..12 {
            text.push_str("while (x) { if (x > 1) { x = x + 1; } ");
        }
        text.push_str(&"}".repeat(12));
        text.push_str(" return x; }");
        let program = parse(&text).unwrap();
        let deadline = Some(Instant::now() + Duration::from_secs(10));
        let estimation = Estimation::Recursive { kappa: 10 };
        let all = costs(&program.functions[0], estimation, deadline).expect("in time");
        let most = all.iter().filter_map(|costs| costs.costs.get("x")).max();
        assert!(most > Some(&1_000_000_000_000), "{most:?}");
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
