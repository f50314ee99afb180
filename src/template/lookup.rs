//! Templates by shape: the cached results for one core, loop or recursion, including refusals.

use super::table::{Refused, RegisterShape};
use super::{NoTemplate, RecursionTemplate, Shape, Template};
use semantics::{Oracle, State};
use std::rc::Rc;
use term::{TermPool, Work};

/// A template that applies to states of one shape.
pub(super) trait Shaped {
    fn shape(&self) -> &Shape;
}

impl Shaped for Template {
    fn shape(&self) -> &Shape {
        &self.shape
    }
}

impl Shaped for RecursionTemplate {
    fn shape(&self) -> &Shape {
        &self.descent.shape
    }
}

/// The cached result for the shape of a state.
pub(super) enum Known<T> {
    /// Its template, or why there is none.
    Computed(Result<Rc<T>, NoTemplate>),
    /// Nothing yet.
    New(RegisterShape),
}

/// Looks for the template that applies to a state; `shape` gives what its registers point into.
pub(super) fn look_up<T: Shaped>(
    templates: &[Rc<T>],
    refused: &Refused,
    pool: &mut TermPool,
    state: &State,
    shape: impl FnOnce(&mut TermPool) -> RegisterShape,
) -> Known<T> {
    pool.count_work(Work::MATCHED_ENTRY * (1 + templates.len() as u64));
    let mut fitting = templates.iter();
    if let Some(known) = fitting.find(|template| template.shape().matches(pool, state)) {
        return Known::Computed(Ok(Rc::clone(known)));
    }
    let shape = shape(pool);
    match refused.get(&shape) {
        Some(reason) => Known::Computed(Err(reason.clone())),
        None => Known::New(shape),
    }
}

/// Keeps what was computed for a shape.
pub(super) fn keep<T>(
    templates: &mut Vec<Rc<T>>,
    refused: &mut Refused,
    oracle: &dyn Oracle,
    shape: RegisterShape,
    result: Result<T, NoTemplate>,
) -> Result<Rc<T>, NoTemplate> {
    match result {
        Ok(template) => {
            let template = Rc::new(template);
            templates.push(Rc::clone(&template));
            Ok(template)
        }
        Err(reason) => {
            // What a limit cut short says nothing about the shape.
            if !oracle.is_exhausted() {
                refused.insert(shape, reason.clone());
            }
            Err(reason)
        }
    }
}
