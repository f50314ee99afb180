//! First-class aggregates: structs and arrays as values, a register for each scalar.

use super::function::Lowerer;
use super::{Lowered, Refusal};
use flowgraph::Span;
use llvm_ir::instruction::{ExtractValue, InsertValue};
use llvm_ir::{Operand, Type};
use std::ops::Range;

impl Lowerer<'_, '_> {
    /// Which of an aggregate's scalars belong to the part that these indices name.
    fn part(&self, aggregate: &Operand, indices: &[u32]) -> Lowered<Range<usize>> {
        let refusal = |ty: &Type| Refusal::new(format!("value of type {ty}"));
        let layout = &self.tables.layout;
        let mut ty = layout.type_of(aggregate);
        let mut start = 0;
        for &index in indices {
            let (before, inner) = layout
                .leaves_before(&ty, index)
                .ok_or_else(|| refusal(&ty))?;
            start += before;
            ty = inner;
        }
        let len = layout.leaves(&ty).ok_or_else(|| refusal(&ty))?.len();
        Ok(start..start + len)
    }

    pub fn lower_extract_value(&mut self, extract: &ExtractValue, span: Span) -> Lowered<()> {
        let part = self.part(&extract.aggregate, &extract.indices)?;
        let values = self.leaves(&extract.aggregate)?;
        let values = values
            .get(part)
            .ok_or_else(|| Refusal::new("extractvalue"))?
            .to_vec();
        self.assign_all(&extract.dest, values, span)
    }

    pub fn lower_insert_value(&mut self, insert: &InsertValue, span: Span) -> Lowered<()> {
        let part = self.part(&insert.aggregate, &insert.indices)?;
        let mut values = self.leaves(&insert.aggregate)?;
        let element = self.leaves(&insert.element)?;
        if part.end > values.len() || part.len() != element.len() {
            return Err(Refusal::new("insertvalue"));
        }
        values.splice(part, element);
        self.assign_all(&insert.dest, values, span)
    }
}
