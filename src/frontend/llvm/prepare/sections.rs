//! Sections as arrays: the linker defines `__start_NAME` and `__stop_NAME` for sections with variables whose
//! name is a C identifier.
//!
//! The variables of such a section become the elements of one array, in the linker's order: by file, and
//! within a file by definition.
//!
//! # Deliberately absent
//! Variables of different types, between which there may be gaps: their sections stay without bounds, so that
//! uses of these are unsupported.

use super::ir::{Ir, Value};

const START: &str = "__start_";
const STOP: &str = "__stop_";

/// Gives each section whose bounds the program uses these bounds.
pub(super) fn bound_sections(ir: &Ir<'_>) {
    let is_bound = |global: &Value| global.is_declaration() && !global.users().is_empty();
    let bounds: Vec<Value> = ir.globals().into_iter().filter(is_bound).collect();
    for bound in bounds {
        let name = bound.name();
        let section = [START, STOP]
            .into_iter()
            .find_map(|it| name.strip_prefix(it));
        if let Some(section) = section {
            // Both bounds have got their places with the first.
            if bound.is_declaration() && !bound.users().is_empty() {
                bound_section(ir, section);
            }
        }
    }
}

fn bound_section(ir: &Ir<'_>, section: &str) {
    let is_in = |global: &Value| !global.is_declaration() && global.section() == section;
    let members: Vec<Value> = ir.globals().into_iter().filter(is_in).collect();
    let Some(first) = members.first() else {
        return;
    };
    let ty = first.value_type();
    let size = ir.size_of(ty);
    let lies_without_gaps = |member: &Value| {
        member.value_type() == ty
            && size.is_multiple_of(member.alignment().max(1))
            && !member.is_thread_local()
    };
    let contents: Vec<Value> = members
        .iter()
        .filter_map(|member| member.initializer())
        .collect();
    if size == 0 || contents.len() != members.len() || !members.iter().all(lies_without_gaps) {
        return;
    }
    // What is told to stay is used.
    for global in ir.globals() {
        if ["llvm.used", "llvm.compiler.used"].contains(&global.name().as_str()) {
            global.delete_global();
        }
    }
    let array = ir.array(ty, members.len() as u64);
    let whole = ir.add_global(
        &format!("section.{section}"),
        array,
        ir.aggregate(array, &contents),
    );
    whole.set_alignment(u32::try_from(first.alignment()).unwrap_or(1));
    if members.iter().all(|member| member.is_constant_global()) {
        whole.set_constant();
    }
    let mut offset = 0;
    for member in members {
        member.replace_uses(ir.constant_offset(whole, offset));
        member.delete_global();
        offset += i64::try_from(size).unwrap_or(0);
    }
    for (bound, offset) in [(START, 0), (STOP, offset)] {
        let name = format!("{bound}{section}");
        let mut globals = ir.globals().into_iter();
        if let Some(bound) = globals.find(|global| global.name() == name) {
            bound.replace_uses(ir.constant_offset(whole, offset));
            bound.delete_global();
        }
    }
}
