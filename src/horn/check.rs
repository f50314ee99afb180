//! Whether conjuncts are inductive over bit-vectors, and prove the program.
//!
//! Each predicate gets the conjuncts that are guessed for it. A clause holds if its premises, with
//! the conjuncts of their predicates, imply those of its head; one that is not implied is dropped,
//! until all clauses hold. Then the predicates have all states that the program reaches, and the
//! program is proved if no clause leads to a violation.

use super::signs::Signs;
use super::system::{Atom, Clause, Head, Parameter, PredicateId, System};
use flowgraph::{Expr, RegId};
use invariants::{Argument, Houdini, Meaning, Step, implied};
use property::Reason;
use solver::horn::{Formula, Operator};
use solver::{Answer, Limits, Query, Solver};
use std::convert::Infallible;
use std::rc::Rc;
use term::{CmpOp, Sort, TermId, TermPool};

/// What is guessed of each predicate: all these hold.
pub(super) type Guess = invariants::Guess<Rc<Formula>>;

/// What a check came to.
pub(super) enum Checked {
    /// The rest of the guess is inductive, and nothing violates the property.
    Proved {
        guess: Guess,
        /// Undefined behaviour that the guess does not exclude.
        undefined: Vec<Reason>,
    },
    /// The rest of the guess is inductive, but does not exclude all violations.
    Open(Guess),
}

/// A check that goes on clause by clause.
pub(super) struct Check {
    instances: Vec<Instance>,
    /// A step is a clause with a predicate at its head.
    houdini: Houdini<Rc<Formula>>,
    /// The clause of each step.
    clauses: Vec<usize>,
    /// What is inductive already.
    known: Guess,
}

impl Check {
    /// Whether something of the guess was dropped.
    pub fn has_dropped(&self) -> bool {
        self.houdini.has_dropped
    }
}

/// The clauses with a predicate at their head, and the steps that they are between predicates.
pub(super) fn steps(system: &System) -> (Vec<usize>, Vec<Step>) {
    let clauses = system.clauses.iter().enumerate();
    let steps = clauses.filter_map(|(number, clause)| {
        let Head::Reached(atom) = &clause.head else {
            return None;
        };
        let from = clause.atoms.iter().map(|atom| atom.predicate.0).collect();
        let to = atom.predicate.0;
        Some((number, Step { from, to }))
    });
    steps.unzip()
}

/// Asks the solver chain about clauses.
pub(super) struct Checker<'a> {
    pub system: &'a System,
    pub pool: &'a mut TermPool,
    pub solver: &'a mut dyn Solver,
    /// Of each query.
    pub limits: Limits,
    pub n_queries: u64,
}

/// A clause as terms over fresh symbols.
struct Instance {
    atoms: Vec<(PredicateId, Vec<TermId>)>,
    conditions: Vec<TermId>,
    /// What is reached.
    head: Option<(PredicateId, Vec<TermId>)>,
}

impl Checker<'_> {
    /// Of a guess nothing is dropped yet; what is known is inductive.
    pub fn begin(&mut self, guess: Guess, known: Guess) -> Check {
        let system = self.system;
        let instances: Vec<Instance> = (system.clauses.iter())
            .map(|clause| self.instance(clause))
            .collect();
        let (clauses, steps) = steps(system);
        Check {
            instances,
            houdini: Houdini::new(guess, steps),
            clauses,
            known,
        }
    }

    /// Drops what one more clause shows not to be inductive; once all clauses hold, whether the rest
    /// proves the program.
    pub fn go_on(&mut self, check: &mut Check) -> Option<Checked> {
        let Check {
            instances,
            houdini,
            clauses,
            known,
        } = check;
        if !houdini.is_inductive() {
            let Ok(()) = houdini.go_on(|step, guess| {
                let stay = self.staying(&instances[clauses[step]], guess, known);
                Ok::<_, Infallible>(stay)
            });
            return None;
        }
        let mut guess = std::mem::take(&mut houdini.guess);
        for (guess, known) in guess.iter_mut().zip(known) {
            guess.extend(known.iter().cloned());
        }
        Some(self.conclude(check, guess))
    }

    /// Whether an inductive guess proves the program.
    fn conclude(&mut self, check: &Check, guess: Guess) -> Checked {
        let mut undefined = Vec::new();
        for (clause, instance) in self.system.clauses.iter().zip(&check.instances) {
            match &clause.head {
                Head::Reached(_) => {}
                Head::Violation => {
                    if !self.is_excluded(instance, &guess) {
                        return Checked::Open(guess);
                    }
                }
                Head::Undefined(reason) => {
                    if !undefined.contains(reason) && !self.is_excluded(instance, &guess) {
                        undefined.push(reason.clone());
                    }
                }
            }
        }
        Checked::Proved { guess, undefined }
    }

    /// Whether nothing satisfies the premises of a clause; without products first, which take long.
    fn is_excluded(&mut self, instance: &Instance, guess: &Guess) -> bool {
        let linear = self.premises(instance, &[guess], Facts::Linear);
        let all = self.premises(instance, &[guess], Facts::All);
        self.is_contradiction(&linear) || all != linear && self.is_contradiction(&all)
    }

    /// For each claim about the head of a clause whether its premises imply it. Of claims without products those with
    /// products are no premises.
    fn staying(&mut self, instance: &Instance, guess: &Guess, known: &Guess) -> Vec<bool> {
        let Some((predicate, terms)) = &instance.head else {
            return Vec::new();
        };
        let claims = &guess[predicate.0];
        if claims.is_empty() {
            return Vec::new();
        }
        let premises = self.premises(instance, &[guess, known], Facts::Linear);
        let with_products = self.premises(instance, &[guess, known], Facts::All);
        let parameters = &self.system.predicates[predicate.0].parameters;
        let held = arguments(&self.system.signs, parameters, terms);
        let mut meaning = Meaning::new(self.pool, &held);
        let truths: Vec<TermId> = (claims.iter())
            .map(|claim| meaning.truth(claim).unwrap_or(TermId::FALSE))
            .collect();
        let (products, linear): (Vec<usize>, Vec<usize>) =
            (0..claims.len()).partition(|number| has_product(&claims[*number]));
        let mut stay = vec![false; claims.len()];
        let terms: Vec<TermId> = linear.iter().map(|number| truths[*number]).collect();
        for (number, stays) in linear.into_iter().zip(self.implied(&premises, &terms)) {
            stay[number] = stays;
        }
        // Products take long: each is asked about by itself.
        for number in products {
            stay[number] = self.implied(&with_products, &[truths[number]]) == [true];
        }
        stay
    }

    /// For each claim whether the premises imply it.
    fn implied(&mut self, premises: &[TermId], claims: &[TermId]) -> Vec<bool> {
        let Checker {
            pool,
            solver,
            limits,
            n_queries,
            ..
        } = self;
        implied(pool, premises, claims, &mut |pool, conjuncts, _| {
            *n_queries += 1;
            solver.check(pool, &Query::new(conjuncts, limits))
        })
    }

    /// Whether nothing satisfies the conjuncts; false where that is not known.
    fn is_contradiction(&mut self, conjuncts: &[TermId]) -> bool {
        self.n_queries += 1;
        let query = Query::new(conjuncts, &self.limits);
        matches!(self.solver.check(self.pool, &query), Answer::Unsat(_))
    }

    /// The conditions of a clause, and what is guessed of its atoms. A conjunct that has no form is
    /// left out, which makes the premises weaker.
    fn premises(&mut self, instance: &Instance, guesses: &[&Guess], facts: Facts) -> Vec<TermId> {
        let mut found = instance.conditions.clone();
        for (guess, (predicate, terms)) in guesses
            .iter()
            .flat_map(|guess| instance.atoms.iter().map(move |atom| (guess, atom)))
        {
            let parameters = &self.system.predicates[predicate.0].parameters;
            let held = arguments(&self.system.signs, parameters, terms);
            let mut meaning = Meaning::new(self.pool, &held);
            let truths: Vec<TermId> = (guess[predicate.0].iter())
                .filter(|conjunct| facts == Facts::All || !has_product(conjunct))
                .filter_map(|conjunct| meaning.truth(conjunct))
                .collect();
            for truth in truths {
                found.extend(self.pool.conjuncts(truth));
            }
        }
        found
    }

    fn instance(&mut self, clause: &Clause) -> Instance {
        let mut values: Vec<Option<TermId>> = vec![None; clause.variables.len()];
        let pool = &mut *self.pool;
        let mut conditions = Vec::new();
        for condition in &clause.conditions {
            if let Some((variable, value)) = definition(condition)
                && values[variable].is_none()
                && !is_argument(&clause.atoms, variable)
            {
                let value = term(pool, clause, &mut values, value);
                values[variable] = Some(value);
                continue;
            }
            let condition = term(pool, clause, &mut values, condition);
            conditions.extend(pool.conjuncts(condition));
        }
        let mut applied = |atom: &Atom| {
            let arguments = atom.arguments.iter();
            let arguments = arguments.map(|argument| term(pool, clause, &mut values, argument));
            (atom.predicate, arguments.collect())
        };
        Instance {
            atoms: clause.atoms.iter().map(&mut applied).collect(),
            head: match &clause.head {
                Head::Reached(atom) => Some(applied(atom)),
                Head::Violation | Head::Undefined(_) => None,
            },
            conditions,
        }
    }
}

/// The arguments that a predicate is applied to.
fn arguments(signs: &Signs, parameters: &[Parameter], terms: &[TermId]) -> Vec<Argument> {
    let each = parameters.iter().zip(terms);
    each.map(|(parameter, term)| Argument {
        term: *term,
        is_unsigned: signs.is_unsigned(parameter.slot),
    })
    .collect()
}

/// Which conjuncts are premises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Facts {
    All,
    /// Those without products of parameters.
    Linear,
}

/// Whether a formula has a product of parameters.
fn has_product(formula: &Formula) -> bool {
    let Formula::Apply(operator, parts) = formula else {
        return false;
    };
    let unknown = parts.iter();
    let unknown = unknown.filter(|part| !matches!(***part, Formula::Number(_)));
    *operator == Operator::Multiply && unknown.count() > 1
        || parts.iter().any(|part| has_product(part))
}

/// Variable and value of a condition that may define a variable.
fn definition(condition: &Expr) -> Option<(usize, &Expr)> {
    let Expr::Compare(CmpOp::Eq, variable, value) = condition else {
        return None;
    };
    let Expr::Reg(variable) = &**variable else {
        return None;
    };
    let mut is_own = false;
    value.for_each_reg(&mut |reg| is_own |= reg == *variable);
    (!is_own).then_some((variable.index(), value))
}

/// The conditions of a clause that define variables which are arguments of no atom, each once and in order.
pub(super) fn definitions(clause: &Clause) -> Vec<(RegId, &Expr)> {
    let mut found: Vec<(RegId, &Expr)> = Vec::new();
    for condition in &clause.conditions {
        if let Expr::Compare(_, variable, _) = condition
            && let Expr::Reg(reg) = **variable
            && let Some((number, value)) = definition(condition)
            && !is_argument(&clause.atoms, number)
            && !found.iter().any(|(known, _)| *known == reg)
        {
            found.push((reg, value));
        }
    }
    found
}

fn is_argument(atoms: &[Atom], variable: usize) -> bool {
    let is_it = |expr: &Expr| matches!(expr, Expr::Reg(reg) if reg.index() == variable);
    let mut arguments = atoms.iter().flat_map(|atom| &atom.arguments);
    arguments.any(is_it)
}

/// An expression over the variables of a clause; those without a value get a symbol.
fn term(
    pool: &mut TermPool,
    clause: &Clause,
    values: &mut [Option<TermId>],
    expr: &Expr,
) -> TermId {
    match expr {
        Expr::Const(value) => pool.constant(value),
        Expr::Reg(reg) => {
            let data = &clause.variables[reg.index()];
            *values[reg.index()].get_or_insert_with(|| pool.fresh(&data.name, Sort::Bv(data.bits)))
        }
        Expr::Binary(op, lhs, rhs) => {
            let lhs = term(pool, clause, values, lhs);
            let rhs = term(pool, clause, values, rhs);
            pool.binary(*op, lhs, rhs)
        }
        Expr::Compare(op, lhs, rhs) => {
            let lhs = term(pool, clause, values, lhs);
            let rhs = term(pool, clause, values, rhs);
            pool.compare(*op, lhs, rhs)
        }
        Expr::Cast(op, bits, of) => {
            let of = term(pool, clause, values, of);
            pool.cast(*op, *bits, of)
        }
        Expr::Ite(condition, then, otherwise) => {
            let condition = term(pool, clause, values, condition);
            let then = term(pool, clause, values, then);
            let otherwise = term(pool, clause, values, otherwise);
            pool.ite(condition, then, otherwise)
        }
        Expr::FloatBinary(..) | Expr::FloatCast(..) | Expr::Global(_) | Expr::Function(_) => {
            unreachable!("programs with pointers or floats have no clauses")
        }
    }
}
