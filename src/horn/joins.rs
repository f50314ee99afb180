//! Clauses without predicates at joins.
//!
//! Where paths join, a predicate stands for the states of all of them. Most joins are of a few short paths, as
//! behind `a && b`: there the clauses that come to the join and those that go on from it can be put together, a
//! clause a path, and what is known on a path (`b` holds where the conjunction does) needs no invariant. A
//! predicate goes where that makes no more clauses than there were; those at loop headers, entries of functions
//! and results stay, since cycles go through them.
//!
//! # Source
//! Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, *Software Model Checking via Large-Block Encoding*, FMCAD
//! 2009.

use super::system::{Atom, Clause, Head, Place, Predicate, PredicateId};
use flowgraph::{Expr, Program, RegId};
use std::collections::BTreeMap;
use term::CmpOp;

/// No clause is put together that has more variables: each is read again in every question about the clause.
const MOST_VARIABLES: usize = 400;

/// Puts clauses together where that makes no more of them.
pub(super) fn join(
    program: &Program,
    mut predicates: Vec<Predicate>,
    clauses: Vec<Clause>,
) -> (Vec<Predicate>, Vec<Clause>) {
    let mut graph = Graph::new(predicates.len(), clauses);
    let mut stays = vec![true; predicates.len()];
    for (number, predicate) in predicates.iter().enumerate() {
        stays[number] = is_needed(program, predicate) || !graph.drop_predicate(PredicateId(number));
    }
    let mut n_before = 0;
    let numbers: Vec<usize> = (stays.iter())
        .map(|stays| {
            n_before += usize::from(*stays);
            n_before.saturating_sub(1)
        })
        .collect();
    let mut stays = stays.iter();
    predicates.retain(|_| stays.next() == Some(&true));
    let mut clauses: Vec<Clause> = graph.clauses.into_iter().flatten().collect();
    for clause in &mut clauses {
        let head = match &mut clause.head {
            Head::Reached(atom) => Some(atom),
            Head::Violation | Head::Undefined(_) => None,
        };
        for atom in clause.atoms.iter_mut().chain(head) {
            atom.predicate = PredicateId(numbers[atom.predicate.0]);
        }
    }
    (predicates, clauses)
}

/// Whether cycles may go through a predicate.
fn is_needed(program: &Program, predicate: &Predicate) -> bool {
    let Place::Node(node) = predicate.place else {
        return true;
    };
    let function = program.function(predicate.function);
    let nest = function.loops();
    node == function.entry
        || nest.loops.iter().any(|natural| natural.header == node)
        || (nest.irreducible.iter()).any(|edge| function.target(*edge) == node)
}

/// Clauses, by the predicates that they come from and lead to.
struct Graph {
    /// Those that were put together with others are gone.
    clauses: Vec<Option<Clause>>,
    /// For each predicate the clauses of which it is a premise, and those of which it is the head; some of them
    /// may be gone.
    premise_of: Vec<Vec<usize>>,
    head_of: Vec<Vec<usize>>,
}

impl Graph {
    fn new(n_predicates: usize, clauses: Vec<Clause>) -> Graph {
        let mut graph = Graph {
            clauses: Vec::with_capacity(clauses.len()),
            premise_of: vec![Vec::new(); n_predicates],
            head_of: vec![Vec::new(); n_predicates],
        };
        clauses.into_iter().for_each(|clause| graph.add(clause));
        graph
    }

    fn add(&mut self, clause: Clause) {
        let number = self.clauses.len();
        for atom in &clause.atoms {
            self.premise_of[atom.predicate.0].push(number);
        }
        if let Head::Reached(atom) = &clause.head {
            self.head_of[atom.predicate.0].push(number);
        }
        self.clauses.push(Some(clause));
    }

    /// The clauses of these that are there, with their numbers.
    fn left<'g>(&'g self, numbers: &'g [usize]) -> Vec<(usize, &'g Clause)> {
        let clauses = numbers.iter();
        let clauses = clauses.filter_map(|number| Some((*number, self.clauses[*number].as_ref()?)));
        clauses.collect()
    }

    /// Puts the clauses that come to a predicate together with those that go on from it; whether that was
    /// done. It is not if there would be more clauses, if one would be too large, or if the predicate is not the
    /// only premise somewhere.
    fn drop_predicate(&mut self, predicate: PredicateId) -> bool {
        let coming = self.left(&self.head_of[predicate.0]);
        let going = self.left(&self.premise_of[predicate.0]);
        if going.iter().any(|(_, clause)| clause.atoms.len() > 1) {
            return false;
        }
        let mut joint = Vec::new();
        for (_, first) in &coming {
            for (_, second) in &going {
                if first.variables.len() + second.variables.len() > MOST_VARIABLES {
                    return false;
                }
                let both = joined(first, second);
                if !both.conditions.iter().any(is_false) {
                    joint.push(both);
                }
                if joint.len() > coming.len() + going.len() {
                    return false;
                }
            }
        }
        let gone: Vec<usize> = coming
            .iter()
            .chain(&going)
            .map(|(number, _)| *number)
            .collect();
        for number in gone {
            self.clauses[number] = None;
        }
        joint.into_iter().for_each(|clause| self.add(clause));
        true
    }
}

/// Whether a condition on constants never holds.
fn is_false(condition: &Expr) -> bool {
    match condition {
        Expr::Const(value) => value.is_zero(),
        Expr::Compare(op, lhs, rhs) => match (op, &**lhs, &**rhs) {
            (CmpOp::Eq, Expr::Const(lhs), Expr::Const(rhs)) => lhs != rhs,
            (CmpOp::Ne, Expr::Const(lhs), Expr::Const(rhs)) => lhs == rhs,
            _ => false,
        },
        _ => false,
    }
}

/// What follows from two clauses: the head of the first is the premise of the second.
pub(super) fn joined(first: &Clause, second: &Clause) -> Clause {
    let offset = first.variables.len();
    let Head::Reached(reached) = &first.head else {
        unreachable!("only what is reached is a premise");
    };
    let parameters = second.atoms.iter().flat_map(|atom| &atom.arguments);
    let handed: BTreeMap<RegId, Expr> = parameters
        .zip(&reached.arguments)
        .filter_map(|(parameter, value)| match (parameter, value) {
            (Expr::Reg(reg), Expr::Reg(_) | Expr::Const(_)) => Some((*reg, value.clone())),
            _ => None,
        })
        .collect();
    let further = |expr: &Expr| {
        expr.replace_regs(&|reg| {
            let value = handed.get(&reg).cloned();
            Some(value.unwrap_or_else(|| variable(reg.index() + offset)))
        })
    };
    let computed = second.atoms.iter().flat_map(|atom| &atom.arguments);
    let computed = computed
        .zip(&reached.arguments)
        .filter(|(_, value)| !is_simple(value))
        .map(|(parameter, value)| equal(further(parameter), value.clone()));
    Clause {
        variables: [&first.variables[..], &second.variables].concat(),
        slots: [&first.slots[..], &second.slots].concat(),
        atoms: first.atoms.clone(),
        conditions: (first.conditions.iter().cloned())
            .chain(computed)
            .chain(second.conditions.iter().map(further))
            .collect(),
        head: second.head.with(&further),
    }
}

pub(super) fn is_simple(value: &Expr) -> bool {
    matches!(value, Expr::Reg(_) | Expr::Const(_))
}

impl Head {
    /// The same about changed values.
    pub(super) fn with(&self, change: &dyn Fn(&Expr) -> Expr) -> Head {
        match self {
            Head::Reached(atom) => Head::Reached(Atom {
                predicate: atom.predicate,
                arguments: atom.arguments.iter().map(change).collect(),
            }),
            Head::Violation => Head::Violation,
            Head::Undefined(reason) => Head::Undefined(reason.clone()),
        }
    }
}

pub(super) fn variable(number: usize) -> Expr {
    Expr::Reg(RegId(u32::try_from(number).unwrap_or(u32::MAX)))
}

pub(super) fn equal(lhs: Expr, rhs: Expr) -> Expr {
    Expr::Compare(CmpOp::Eq, Box::new(lhs), Box::new(rhs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowgraph::RegData;
    use term::Bv;

    /// A clause over one variable of one bit.
    fn clause(from: usize, conditions: Vec<Expr>, head: Head) -> Clause {
        Clause {
            variables: vec![RegData {
                name: "both".to_owned(),
                bits: 1,
                pointer: false,
            }],
            slots: Vec::new(),
            atoms: vec![Atom {
                predicate: PredicateId(from),
                arguments: vec![variable(0)],
            }],
            conditions,
            head,
        }
    }

    fn reached(predicate: usize, value: Expr) -> Head {
        Head::Reached(Atom {
            predicate: PredicateId(predicate),
            arguments: vec![value],
        })
    }

    fn bit(value: u64) -> Expr {
        Expr::Const(Bv::new(1, value))
    }

    /// Clauses over three predicates without the second, if it goes.
    fn without_the_second(clauses: &[Clause]) -> Option<Vec<Clause>> {
        let mut graph = Graph::new(3, clauses.to_vec());
        let goes = graph.drop_predicate(PredicateId(1));
        goes.then(|| graph.clauses.into_iter().flatten().collect())
    }

    #[test]
    fn what_is_known_on_a_path_stays_with_it() {
        let is = |value| equal(variable(0), bit(value));
        let clauses = [
            clause(0, vec![is(0)], reached(1, bit(0))),
            clause(0, vec![is(1)], reached(1, variable(0))),
            clause(1, vec![is(1)], Head::Violation),
            clause(1, vec![is(0)], reached(0, variable(0))),
        ];
        let joined = without_the_second(&clauses).expect("there are three instead of four");
        let premises = |clause: &Clause| clause.conditions.clone();
        let violations: Vec<&Clause> = joined
            .iter()
            .filter(|clause| matches!(clause.head, Head::Violation))
            .collect();
        // The first path does not lead there.
        let [violation] = violations[..] else {
            panic!("{violations:?}");
        };
        assert_eq!(premises(violation), [is(1), is(1)]);
        assert_eq!(joined.len(), 3);
        let goes_by = |clause: &Clause| {
            let mut atoms = clause.atoms.iter();
            atoms.any(|atom| atom.predicate == PredicateId(1))
        };
        assert!(!joined.iter().any(goes_by));
    }

    #[test]
    fn no_more_clauses_are_made() {
        let three =
            |from, to| (0..3).map(move |_| clause(from, Vec::new(), reached(to, variable(0))));
        let clauses: Vec<Clause> = three(0, 1).chain(three(1, 2)).collect();
        assert!(without_the_second(&clauses).is_none());
        let clauses: Vec<Clause> = three(0, 1).chain(three(1, 2).take(1)).collect();
        assert_eq!(
            without_the_second(&clauses).map(|joined| joined.len()),
            Some(3)
        );
    }

    #[test]
    fn no_clause_becomes_too_large() {
        let mut clauses = [
            clause(0, Vec::new(), reached(1, variable(0))),
            clause(1, Vec::new(), reached(2, variable(0))),
        ];
        assert_eq!(
            without_the_second(&clauses).map(|joined| joined.len()),
            Some(1)
        );
        let many = clauses[0].variables[0].clone();
        clauses[0].variables = vec![many; MOST_VARIABLES];
        assert!(without_the_second(&clauses).is_none());
    }
}
