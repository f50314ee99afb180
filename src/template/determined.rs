//! Exits of a template whose number of iterations the state determines (ISSTA 2012, Section 3.4).

use super::apply::Application;
use super::{Template, TemplateExit};
use indexmap::IndexMap;
use semantics::{Admission, Oracle, State};
use solver::determined_counter;
use term::{SymbolId, Term, TermId, TermPool};

/// A template applied to a state and left by one of its exits, after a number of iterations that is
/// a term over the state where its conditions determine one.
pub(super) struct Left<'a> {
    pub application: Application<'a>,
    /// When the state leaves by the exit.
    pub condition: TermId,
    /// The path counter, where nothing determines it.
    pub open: Option<SymbolId>,
}

impl<'a> Left<'a> {
    /// Leaves by an exit of the template, which has the shape of the state.
    pub fn by(
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        template: &'a Template,
        state: &'a State,
        exit: &TemplateExit,
    ) -> Left<'a> {
        let application = Application::new(pool, template, state);
        Left::of(pool, oracle, &application, state, exit)
    }

    /// Leaves an application by an exit.
    pub fn of(
        pool: &mut TermPool,
        oracle: &mut dyn Oracle,
        application: &Application<'a>,
        state: &State,
        exit: &TemplateExit,
    ) -> Left<'a> {
        if let Some(iterations) = application.iterations(pool, exit) {
            let mut application = application.with_iterations(iterations);
            return Left {
                condition: application.condition(pool, exit),
                application,
                open: None,
            };
        }
        let counter = pool
            .as_symbol(application.kappa)
            .expect("the path counter of a new application is a symbol");
        let mut application = application.with_iterations(application.kappa);
        let condition = application.condition(pool, exit);
        let conjuncts = pool.conjuncts(condition);
        let Some((iterations, rest)) = determined_counter(pool, &conjuncts, counter) else {
            return Left {
                application,
                condition,
                open: Some(counter),
            };
        };
        let iterations = certain_case(pool, oracle, state, iterations);
        let mut theta = IndexMap::from([(counter, iterations)]);
        let condition = pool.conj(rest);
        Left {
            condition: pool.substitute(condition, &mut theta),
            application: application.with_iterations(iterations),
            open: None,
        }
    }
}

/// The conjuncts of a condition that the path condition does not imply; of a counter that is open it
/// implies nothing.
pub(super) fn needed_part(
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    condition: TermId,
    open: Option<SymbolId>,
) -> TermId {
    let mut needed = Vec::new();
    for conjunct in pool.conjuncts(condition) {
        if open.is_some_and(|counter| pool.symbols_of(conjunct).contains(&counter)) {
            needed.push(conjunct);
            continue;
        }
        let negated = pool.not(conjunct);
        if oracle.admits(pool, &state.path_cond, negated) != Admission::Infeasible {
            needed.push(conjunct);
        }
    }
    pool.conj(needed)
}

/// A case distinction without the case that the path condition excludes.
fn certain_case(
    pool: &mut TermPool,
    oracle: &mut dyn Oracle,
    state: &State,
    term: TermId,
) -> TermId {
    let Term::Ite(condition, then, otherwise) = pool.view(term) else {
        return term;
    };
    if oracle.admits(pool, &state.path_cond, condition) == Admission::Infeasible {
        return otherwise;
    }
    let negated = pool.not(condition);
    if oracle.admits(pool, &state.path_cond, negated) == Admission::Infeasible {
        return then;
    }
    term
}
