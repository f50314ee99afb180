//! Constrained Horn clauses over the integers, solved by Spacer: is there an interpretation of the predicates
//! under which all clauses hold?
//!
//! ```text
//! clauses in SMT-LIB 2, logic HORN --Z3--> define-fun for each predicate --> Interpretation
//! ```
//!
//! # Invariants
//! - An interpretation is unchecked output of Z3; its users check it.
//!
//! # Source
//! Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for Recursive Programs*, CAV 2014.

use super::backend::{Said, ask_horn, ask_script};
use super::smtlib::integers::values;
use super::smtlib::sexpr::{Sexpr, parse};
use super::{Limits, UnknownReason};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;
use term::TermPool;

/// A formula, or a number, over the parameters of a predicate. Parts may be shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula {
    /// The parameter of this position.
    Parameter(usize),
    Number(BigInt),
    Truth(bool),
    Apply(Operator, Vec<Rc<Formula>>),
}

/// The operators of SMT-LIB's core and integers, as Z3 prints them in interpretations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Not,
    And,
    Or,
    Implies,
    /// Of two truth values or two numbers.
    Equal,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    IfThenElse,
    Add,
    /// Of one number its negation.
    Subtract,
    Multiply,
    /// Rounded down for positive divisors.
    Divide,
    /// Not negative.
    Modulo,
}

impl Operator {
    const ALL: [Operator; 15] = [
        Operator::Not,
        Operator::And,
        Operator::Or,
        Operator::Implies,
        Operator::Equal,
        Operator::LessEqual,
        Operator::Less,
        Operator::GreaterEqual,
        Operator::Greater,
        Operator::IfThenElse,
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Modulo,
    ];

    /// As SMT-LIB writes it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Not => "not",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Implies => "=>",
            Operator::Equal => "=",
            Operator::LessEqual => "<=",
            Operator::Less => "<",
            Operator::GreaterEqual => ">=",
            Operator::Greater => ">",
            Operator::IfThenElse => "ite",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "div",
            Operator::Modulo => "mod",
        }
    }
}

/// The interpretations of the predicates, by name. A missing predicate is arbitrary.
pub type Interpretation = BTreeMap<String, Rc<Formula>>;

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// Under this interpretation all clauses hold.
    Interpreted(Interpretation),
    /// There is none.
    Contradiction,
    Unknown(UnknownReason),
}

/// Asks Spacer about declarations and assertions in the logic `HORN`.
#[must_use]
pub fn ask(pool: &TermPool, clauses: &str, limits: &Limits) -> HornAnswer {
    match ask_horn(pool, clauses, limits) {
        Ok(Said::Unsat) => HornAnswer::Contradiction,
        Ok(Said::Sat(printed)) => match interpretation(&printed) {
            Some(read) => HornAnswer::Interpreted(read),
            None => gave_up("its interpretation has quantifiers or other operators"),
        },
        Ok(Said::Limit) => HornAnswer::Unknown(limits.reached(pool).unwrap_or(UnknownReason::Work)),
        Ok(Said::Unknown) => gave_up("it knows no answer"),
        Err(error) => HornAnswer::Unknown(limits.reached(pool).unwrap_or(error)),
    }
}

/// Whether claims follow from premises, over the integers.
pub struct ImplicationQuery {
    /// Constants by name, with their sorts.
    pub declared: Vec<(String, &'static str)>,
    pub premises: Vec<String>,
    /// With the numbers by which they are distinguished.
    pub claims: Vec<(usize, String)>,
}

/// The status of claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Consequence {
    /// All follow from the premises.
    All,
    /// These do not, with one model that refutes them; at least one.
    Refuted(BTreeSet<usize>),
    Unknown,
}

/// Whether claims follow from premises.
#[must_use]
pub fn consequence(pool: &TermPool, question: &ImplicationQuery, limits: &Limits) -> Consequence {
    let mut text = String::new();
    for (name, sort) in &question.declared {
        let _ = writeln!(text, "(declare-const {name} {sort})");
    }
    for premise in &question.premises {
        let _ = writeln!(text, "(assert {premise})");
    }
    let mut names = String::new();
    for (number, claim) in &question.claims {
        let _ = writeln!(text, "(define-const {CLAIM}{number} Bool {claim})");
        let _ = write!(names, " {CLAIM}{number}");
    }
    let _ = writeln!(text, "(assert (not (and true{names})))");
    let values = format!("(get-value ({}))", names.trim_start());
    match ask_script(pool, (&text, &values), false, limits) {
        Ok(Said::Unsat) => Consequence::All,
        Ok(Said::Sat(printed)) => match false_claims(&printed) {
            Some(found) if !found.is_empty() => Consequence::Refuted(found),
            _ => Consequence::Unknown,
        },
        _ => Consequence::Unknown,
    }
}

/// The numbers of the claims whose value was printed as false.
fn false_claims(printed: &str) -> Option<BTreeSet<usize>> {
    let values = values(printed)?;
    let refuted = values.iter().filter(|(_, value)| *value == "false");
    refuted
        .map(|(name, _)| name.strip_prefix(CLAIM)?.parse().ok())
        .collect()
}

/// The prefix of the names of claims.
const CLAIM: &str = "claim";

fn gave_up(why: &str) -> HornAnswer {
    HornAnswer::Unknown(UnknownReason::GaveUp(why.to_owned()))
}

/// The definitions in what Z3 printed; `None` if something in it is not understood.
fn interpretation(printed: &str) -> Option<Interpretation> {
    let parsed = parse(printed).ok()?;
    let [model] = parsed.as_slice() else {
        return None;
    };
    let mut found = Interpretation::new();
    for definition in model.list()? {
        let [word, name, parameters, _sort, body] = definition.list()? else {
            return None;
        };
        if word.atom()? != "define-fun" {
            return None;
        }
        let mut scope = Scope::default();
        for (position, parameter) in parameters.list()?.iter().enumerate() {
            let name = parameter.list()?.first()?.atom()?;
            scope
                .values
                .insert(name.to_owned(), Rc::new(Formula::Parameter(position)));
        }
        found.insert(name.atom()?.to_owned(), scope.read(body)?);
    }
    Some(found)
}

/// The scope at a position of a text.
#[derive(Clone, Default)]
struct Scope {
    values: BTreeMap<String, Rc<Formula>>,
}

impl Scope {
    fn read(&self, text: &Sexpr) -> Option<Rc<Formula>> {
        if let Some(word) = text.atom() {
            return Some(match word {
                "true" => Rc::new(Formula::Truth(true)),
                "false" => Rc::new(Formula::Truth(false)),
                _ => match self.values.get(word) {
                    Some(value) => Rc::clone(value),
                    None => Rc::new(Formula::Number(word.parse().ok()?)),
                },
            });
        }
        let parts = text.list()?;
        let (head, operands) = parts.split_first()?;
        let head = head.atom()?;
        if head == "let" {
            let [bindings, body] = operands else {
                return None;
            };
            let mut inner = self.clone();
            for binding in bindings.list()? {
                let [name, value] = binding.list()? else {
                    return None;
                };
                inner
                    .values
                    .insert(name.atom()?.to_owned(), self.read(value)?);
            }
            return inner.read(body);
        }
        let operator = Operator::ALL.into_iter().find(|one| one.symbol() == head)?;
        let operands: Option<Vec<Rc<Formula>>> =
            operands.iter().map(|operand| self.read(operand)).collect();
        let operands = operands?;
        if let (Operator::Subtract, [only]) = (operator, operands.as_slice())
            && let Formula::Number(value) = &**only
        {
            return Some(Rc::new(Formula::Number(-value)));
        }
        Some(Rc::new(Formula::Apply(operator, operands)))
    }
}

impl Formula {
    /// The conjuncts of a formula, as far as its shape shows them.
    #[must_use]
    pub fn conjuncts(self: &Rc<Formula>) -> Vec<Rc<Formula>> {
        let mut found = Vec::new();
        let mut pending = vec![(Rc::clone(self), true)];
        while let Some((formula, positive)) = pending.pop() {
            match (&*formula, positive) {
                (Formula::Truth(value), _) if *value == positive => {}
                (Formula::Apply(Operator::Not, parts), _) => {
                    pending.extend(parts.iter().map(|part| (Rc::clone(part), !positive)));
                }
                (Formula::Apply(Operator::And, parts), true)
                | (Formula::Apply(Operator::Or, parts), false) => {
                    let parts = parts.iter().rev();
                    pending.extend(parts.map(|part| (Rc::clone(part), positive)));
                }
                (_, true) => found.push(formula),
                (_, false) => {
                    let negated = Formula::Apply(Operator::Not, vec![formula]);
                    found.push(Rc::new(negated));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Work;

    const COUNTING: &str = "(set-logic HORN)
        (declare-fun p (Int Int) Bool)
        (assert (forall ((n Int)) (p 0 n)))
        (assert (forall ((x Int) (n Int)) (=> (and (p x n) (< x n)) (p (+ x 1) n))))";

    fn asked(query: &str, work: Work) -> HornAnswer {
        let pool = TermPool::new();
        let limits = Limits::default().within_work(&pool, work);
        ask(&pool, &format!("{COUNTING}{query}"), &limits)
    }

    #[test]
    fn an_interpretation_is_read() {
        let query = "(assert (forall ((x Int) (n Int)) (=> (and (p x n) (< x 0)) false)))";
        let HornAnswer::Interpreted(found) = asked(query, Work::seconds(5)) else {
            panic!("x is never negative");
        };
        let meaning = &found["p"];
        assert!(!meaning.conjuncts().is_empty(), "{meaning:?}");
    }

    #[test]
    fn a_contradiction_is_told_and_work_is_limited() {
        let query = "(assert (forall ((x Int) (n Int)) (=> (and (p x n) (> x 3)) false)))";
        assert_eq!(asked(query, Work::seconds(5)), HornAnswer::Contradiction);
        let little = asked(query, Work::micros(20));
        assert_eq!(little, HornAnswer::Unknown(UnknownReason::Work));
    }

    #[test]
    fn a_model_refutes_several_claims_at_once() {
        let pool = TermPool::new();
        let asked = |claims: &[&str]| {
            let claims = claims.iter().map(|claim| (*claim).to_owned()).enumerate();
            let question = ImplicationQuery {
                declared: vec![("x".to_owned(), "Int"), ("b".to_owned(), "Bool")],
                premises: vec!["(= x 7)".to_owned(), "b".to_owned()],
                claims: claims.collect(),
            };
            consequence(&pool, &question, &Limits::default())
        };
        assert_eq!(asked(&["(> x 6)", "b"]), Consequence::All);
        let refuted = Consequence::Refuted(BTreeSet::from([1, 2]));
        assert_eq!(asked(&["(> x 6)", "(< x 7)", "(not b)"]), refuted);
        assert_eq!(asked(&["(> y 6)"]), Consequence::Unknown);
    }

    #[test]
    fn shared_parts_negations_and_conjuncts_are_read() {
        let printed = "((define-fun p ((a Int) (b Bool)) Bool
            (let ((c (<= a (- 3)))) (and (not (or b c)) (= (mod a 2) 1) true))))";
        let found = interpretation(printed).expect("it is an interpretation");
        let conjuncts = found["p"].conjuncts();
        assert_eq!(conjuncts.len(), 3, "{conjuncts:?}");
        let bound = Formula::Apply(
            Operator::LessEqual,
            vec![
                Rc::new(Formula::Parameter(0)),
                Rc::new(Formula::Number(BigInt::from(-3))),
            ],
        );
        let negated = Formula::Apply(Operator::Not, vec![Rc::new(bound)]);
        assert!(conjuncts.contains(&Rc::new(negated)), "{conjuncts:?}");
        assert_eq!(
            interpretation("((define-fun p () Bool (exists ((x Int)) true)))"),
            None
        );
    }
}
