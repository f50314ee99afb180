//! The classification of loops by Table 4.2 of the thesis.

use super::body::Body;
use term::{Term, TermId, TermPool};

/// How the paths of a loop follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interleaving {
    /// No path comes back once another one has taken over.
    Sequential,
    /// Paths take turns: each for a number of iterations that is the same in every turn.
    Periodic,
    /// Neither.
    Irregular,
}

impl Interleaving {
    /// `sequential`, `periodic` or `irregular`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Interleaving::Sequential => "sequential",
            Interleaving::Periodic => "periodic",
            Interleaving::Irregular => "irregular",
        }
    }
}

/// The compared expressions of a loop's conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conditions {
    /// Each is E ~ 0, where each path changes E by a separate number that no path changes.
    InductionVariables,
    /// Some are not.
    Others,
}

impl Conditions {
    /// What they are over.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Conditions::InductionVariables => "induction variables only",
            Conditions::Others => "not only induction variables",
        }
    }
}

/// Section 4.4.2.2: a condition is brought to the form E ~ 0, and what each path adds to E must not
/// depend on what the loop changes or reads.
pub(super) fn classify_conditions(body: &Body, pool: &mut TermPool) -> Conditions {
    let mut atoms = Vec::new();
    for path in &body.paths {
        collect_atoms(pool, path.effect.condition, &mut atoms);
    }
    let predictable = atoms.into_iter().all(|atom| {
        body.ids()
            .all(|path| is_predictable(body, pool, path, atom))
    });
    if predictable {
        Conditions::InductionVariables
    } else {
        Conditions::Others
    }
}

fn collect_atoms(pool: &mut TermPool, condition: TermId, atoms: &mut Vec<TermId>) {
    if let Term::Not(inner) = pool.view(condition) {
        return collect_atoms(pool, inner, atoms);
    }
    for parts in [pool.conjuncts(condition), pool.disjuncts(condition)] {
        if parts.len() > 1 {
            for part in parts {
                collect_atoms(pool, part, atoms);
            }
            return;
        }
    }
    if !pool.is_const(condition) && !atoms.contains(&condition) {
        atoms.push(condition);
    }
}

fn is_predictable(body: &Body, pool: &mut TermPool, path: super::PathId, atom: TermId) -> bool {
    if !body.get(path).stays {
        return true;
    }
    let state = body.after_one(path);
    let change = match pool.view(atom) {
        Term::Compare(_, left, right) => {
            let difference = pool.sub(left, right);
            let after = body.in_state(pool, state, difference);
            pool.sub(after, difference)
        }
        _ => {
            // Anything else has to stay as it is.
            return body.in_state(pool, state, atom) == atom;
        }
    };
    let symbols = pool.symbols_of(change).to_vec();
    let own = body.entry.symbols();
    symbols.into_iter().all(|symbol| {
        own.contains_key(&symbol)
            && body.ids().filter(|path| body.get(*path).stays).all(|path| {
                let value = pool.symbol_term(symbol);
                body.in_state(pool, body.after_one(path), value) == value
            })
    })
}
