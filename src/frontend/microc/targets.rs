//! The targets of an analysis in a microc program.

use super::ast::{Function, Position, Program};
use crate::{TargetPlace, TargetSpec};
use std::collections::BTreeMap;

/// Places that are reached when what stands there is executed: a statement, the expression of a
/// `return`, or a function, by the place of its name; with what people call them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Targets(BTreeMap<Position, String>);

impl Targets {
    /// Whether this place is a target.
    #[must_use]
    pub fn contains(&self, at: Position) -> bool {
        self.0.contains_key(&at)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The places of targets in this file.
    #[must_use]
    pub fn places(&self, file: &str) -> Vec<TargetPlace> {
        let each = self.0.iter().map(|(at, name)| TargetPlace {
            file: file.to_owned(),
            line: at.line,
            column: at.column,
            name: name.clone(),
            report: None,
        });
        each.collect()
    }

    /// The targets in a program, which is in the file of this name. The default target of C does not
    /// exist in microc. Whatever is not found is given back.
    ///
    /// # Errors
    /// The first target that the program does not have.
    pub fn find<'s>(
        program: &Program,
        file: &str,
        spec: &'s TargetSpec,
    ) -> Result<Targets, &'s TargetSpec> {
        let mut found = Targets::default();
        found.add(program, file, spec)?;
        Ok(found)
    }

    fn add<'s>(
        &mut self,
        program: &Program,
        file: &str,
        spec: &'s TargetSpec,
    ) -> Result<(), &'s TargetSpec> {
        let place = match spec {
            TargetSpec::Default | TargetSpec::All => return Ok(()),
            TargetSpec::EachOf(all) => {
                return all.iter().try_for_each(|one| self.add(program, file, one));
            }
            TargetSpec::Name(name) | TargetSpec::Function(name) => {
                program.function(name).map(|function| function.name.at)
            }
            TargetSpec::Label(_) => None,
            TargetSpec::Line { file: wanted, line } => {
                let is_file = file == wanted
                    || file
                        .strip_suffix(wanted.as_str())
                        .is_some_and(|before| before.ends_with('/'));
                is_file.then(|| first_on_line(program, *line)).flatten()
            }
        };
        self.0.insert(place.ok_or(spec)?, spec.to_string());
        Ok(())
    }
}

/// The first statement, or the returned expression, on a line.
fn first_on_line(program: &Program, line: u32) -> Option<Position> {
    let mut places = Vec::new();
    for Function { body, result, .. } in &program.functions {
        places.push(result.at);
        for statement in body {
            statement.for_each(&mut |part| places.push(part.at));
        }
    }
    places.into_iter().filter(|at| at.line == line).min()
}
