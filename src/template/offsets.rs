//! Templates for constant offsets.
//!
//! A template holds for all offsets of the pointers in registers. An access through such a pointer is an
//! access to an element of an array, and if an iteration reads an element that the previous one has written,
//! as in `while (*p < n) *p = *p + 1`, no comprehension describes the array. If such a pointer does not move
//! and its offset is a constant, the same access is to a *cell*, whose value has a closed form like a
//! register; the template is then valid for this offset.

use super::entry::{Assumed, constant_offset};
use super::{NoTemplate, Template};
use flowgraph::RegId;
use semantics::{Machine, State};
use term::TermPool;

/// For so many offsets one loop has separate templates: those of the members of a structure, not
/// of the elements of a long array.
const MOST_TEMPLATES: usize = 8;

/// Whether a template may be one for the offsets of its model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offsets {
    Any,
    /// Where there is none for any.
    Constant,
}

impl Offsets {
    /// What the next template of a loop, cycle or recursion that has these may be.
    pub fn after<'t>(templates: impl IntoIterator<Item = &'t Template>) -> Offsets {
        let own = templates
            .into_iter()
            .filter(|template| !template.shape.offsets.is_empty());
        if own.count() < MOST_TEMPLATES {
            Offsets::Constant
        } else {
            Offsets::Any
        }
    }
}

/// Computes a template for any offsets, and where memory stands in the way, for those of the model.
/// `live` are the registers that are live at the entry.
///
/// # Errors
/// Why there is none: that for any offsets.
pub(super) fn for_offsets<T>(
    machine: &Machine,
    pool: &mut TermPool,
    model: &State,
    live: &[RegId],
    offsets: Offsets,
    compute: &mut dyn FnMut(&mut TermPool, Assumed) -> Result<T, NoTemplate>,
) -> Result<T, NoTemplate> {
    let of_any = compute(pool, Assumed::default());
    let may_help = matches!(
        of_any,
        Err(NoTemplate::WritesArray { .. } | NoTemplate::InnerLoop { .. })
    );
    if !may_help || offsets == Offsets::Any {
        return of_any;
    }
    let function = &machine.program.functions[model.location.function.index()];
    let mut pointers = live.to_vec();
    pointers.retain(|reg| {
        function.regs[reg.index()].pointer
            && constant_offset(pool, &model.memory, model.frame.get(*reg)).is_some()
    });
    if pointers.is_empty() {
        return of_any;
    }
    let of_these = compute(
        pool,
        Assumed {
            fixed: pointers.into_iter().collect(),
            ..Assumed::default()
        },
    );
    of_these.or(of_any)
}
