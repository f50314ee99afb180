//! Debug information for generated functions into which functions of the program are inlined.
//!
//! Code that is inlined into a function without debug information has no lines in the executable, so that
//! sanitizers could not report its location.

use super::ir::Ir;
use super::values::Value;
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderCreateCompileUnit, LLVMDIBuilderCreateDebugLocation,
    LLVMDIBuilderCreateFunction, LLVMDIBuilderCreateSubroutineType, LLVMDIBuilderFinalize,
    LLVMDIScopeGetFile, LLVMDWARFEmissionKind, LLVMDWARFSourceLanguage, LLVMDisposeDIBuilder,
    LLVMGetSubprogram, LLVMInstructionSetDebugLoc, LLVMSetSubprogram,
};

/// Gives a function, and each of its instructions, line 0 of the file in which `callee` is, if that is known.
pub(super) fn describe_as_caller(ir: &Ir<'_>, function: Value, callee: Value) {
    if !callee.has_debug_information() {
        return;
    }
    let name = function.name();
    let empty = c"".as_ptr();
    // SAFETY: as the invariants of `ir` have it; texts are given with their lengths.
    unsafe {
        let file = LLVMDIScopeGetFile(LLVMGetSubprogram(callee.0));
        let builder = LLVMCreateDIBuilder(ir.module());
        let unit = LLVMDIBuilderCreateCompileUnit(
            builder,
            LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC,
            file,
            empty,
            0,
            0,
            empty,
            0,
            0,
            empty,
            0,
            LLVMDWARFEmissionKind::LLVMDWARFEmissionKindFull,
            0,
            0,
            0,
            empty,
            0,
            empty,
            0,
        );
        let ty = LLVMDIBuilderCreateSubroutineType(builder, file, std::ptr::null_mut(), 0, 0);
        let subprogram = LLVMDIBuilderCreateFunction(
            builder,
            unit,
            name.as_ptr().cast(),
            name.len(),
            empty,
            0,
            file,
            0,
            ty,
            0,
            1,
            0,
            0,
            0,
        );
        LLVMSetSubprogram(function.0, subprogram);
        for instruction in function.instructions() {
            let place = LLVMDIBuilderCreateDebugLocation(
                ir.context,
                0,
                0,
                subprogram,
                std::ptr::null_mut(),
            );
            LLVMInstructionSetDebugLoc(instruction.0, place);
        }
        LLVMDIBuilderFinalize(builder);
        LLVMDisposeDIBuilder(builder);
    }
}
