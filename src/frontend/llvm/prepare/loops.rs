//! Source lines of loops.
//!
//! Clang records the begin and end of a `for`, `while` or `do` at the branch back to its header. The
//! instructions in the loop do not show them once functions are inlined, even into its condition. Loops in
//! models of the C library are located at the program's call.
//!
//! Loops by `goto` have no such record.

use super::called_at::DebugLocation;
use super::ir::Ir;
use super::values::{Block, Value};
use inkwell::llvm_sys::core::{LLVMGetMDKindIDInContext, LLVMGetMetadata};
use inkwell::llvm_sys::debuginfo::{LLVMGetMetadataKind, LLVMMetadataKind};

/// A loop of the source.
pub(in crate::llvm) struct SourceLoop {
    pub function: String,
    /// The name of its header.
    pub header: String,
    /// As places in functions of models are called.
    pub file: String,
    /// Where it begins.
    pub line: u32,
    pub column: u32,
    /// The last of its lines.
    pub last_line: u32,
}

/// The loops of all functions that are left.
pub(super) fn source_loops(ir: &Ir<'_>) -> Vec<SourceLoop> {
    let mut loops = Vec::new();
    for function in ir.definitions() {
        let blocks = function.blocks();
        for (position, block) in blocks.iter().enumerate() {
            let header = header_after(*block, &blocks[..=position]);
            let Some((header, [begin, end])) = header.zip(ends_of_loop(ir, *block)) else {
                continue;
            };
            let (begin, end) = (begin.shown(ir), end.shown(ir));
            let is_one = begin.file == end.file && begin.line > 0 && begin.line <= end.line;
            if is_one {
                loops.push(SourceLoop {
                    function: function.name(),
                    header: header.name(),
                    file: begin.file,
                    line: begin.line,
                    column: begin.column,
                    last_line: end.line,
                });
            }
        }
    }
    loops
}

/// Where the loop to whose header this block leads back begins and ends.
fn ends_of_loop(ir: &Ir<'_>, latch: Block) -> Option<[DebugLocation; 2]> {
    const KIND: &std::ffi::CStr = c"llvm.loop";
    let branch = latch.terminator()?;
    // SAFETY: as the invariants of `ir` have it.
    let note = unsafe {
        let kind = LLVMGetMDKindIDInContext(ir.context, KIND.as_ptr(), 9);
        LLVMGetMetadata(branch.0, kind)
    };
    if note.is_null() {
        return None;
    }
    let operands = Value(note).metadata_operands().into_iter().flatten();
    let places = operands.map(Value::as_metadata).filter(|operand| {
        // SAFETY: as above; an operand that is there is metadata.
        let kind = unsafe { LLVMGetMetadataKind(*operand) };
        matches!(kind, LLVMMetadataKind::LLVMDILocationMetadataKind)
    });
    let places: Vec<DebugLocation> = places.map(DebugLocation).collect();
    places.try_into().ok()
}

/// The header to which a block leads back, one of those before it, perhaps by blocks that do nothing
/// else.
fn header_after(latch: Block, before: &[Block]) -> Option<Block> {
    latch.successors().into_iter().find_map(|successor| {
        let mut next = successor;
        while !before.contains(&next) {
            let is_only_passed = next.instructions().len() == 1;
            match next.successors().as_slice() {
                [only] if is_only_passed && *only != next => next = *only,
                _ => return None,
            }
        }
        Some(next)
    })
}
