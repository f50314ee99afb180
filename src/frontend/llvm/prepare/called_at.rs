//! Maps locations within models of the C library, and within headers of the C++ library, to the program's calls.
//!
//! Inlining leaves a chain of locations: a line of the model, called at another line of a model, called at a
//! line of the program, … The innermost location of the program is meaningful for people. It gets a
//! pseudo-file whose name has the executed function of the C library ([`called_at`]).
//!
//! Runs after inlining. Variables of models keep their names.

use super::ir::Ir;
use super::models::name_in_programs;
use super::values::{Value, c_text, text_at};
use crate::llvm::source_path;
use flowgraph::{called_at, file_of_call, is_of_library};
use inkwell::llvm_sys::core::LLVMMetadataAsValue;
use inkwell::llvm_sys::debuginfo::{
    LLVMCreateDIBuilder, LLVMDIBuilderCreateDebugLocation, LLVMDIBuilderCreateFile,
    LLVMDIBuilderCreateLexicalBlockFile, LLVMDIBuilderFinalize, LLVMDIFileGetDirectory,
    LLVMDIFileGetFilename, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt,
    LLVMDILocationGetLine, LLVMDILocationGetScope, LLVMDIScopeGetFile, LLVMDisposeDIBuilder,
    LLVMGetMetadataKind, LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc, LLVMMetadataKind,
};
use inkwell::llvm_sys::prelude::{LLVMDIBuilderRef, LLVMMetadataRef};
use std::collections::BTreeSet;

/// `models` has the names of the functions that models define.
pub(super) fn place_models_at_calls(ir: &Ir<'_>, models: &BTreeSet<String>) {
    let places = Places::new(ir);
    let is_of_header = |function: &Value| {
        let instructions = function.instructions().into_iter();
        let mut places = instructions.filter_map(DebugLocation::of);
        places.find_map(|place| match place.inlined_at() {
            Some(_) => None,
            None => Some(is_of_library(&place.file())),
        }) == Some(true)
    };
    let mut models = models.clone();
    models.extend(
        ir.definitions()
            .into_iter()
            .filter(is_of_header)
            .map(Value::name),
    );
    for function in ir.definitions() {
        let is_of_model = models.contains(&function.name());
        for instruction in function.instructions() {
            let Some(place) = DebugLocation::of(instruction) else {
                continue;
            };
            if let Some((function, call)) = place.call_of_program(ir) {
                places.set(instruction, &call, &function);
            } else if !is_of_model
                && let Some(callee) = instruction.callee_name()
                && models.contains(&callee)
                && instruction.callee().is_some_and(|it| !it.is_declaration())
            {
                places.set(instruction, &place, &callee);
            }
        }
    }
}

/// The place in the source of an instruction, or of a call through which it was inlined.
pub(super) struct DebugLocation(pub(super) LLVMMetadataRef);

/// A place for people.
pub(super) struct Shown {
    pub file: String,
    /// 0 where it is not known, as the column.
    pub line: u32,
    pub column: u32,
}

impl DebugLocation {
    pub(super) fn of(instruction: Value) -> Option<DebugLocation> {
        // SAFETY: as the invariants of `ir` have it; so for every `unsafe` here.
        let place = unsafe { LLVMInstructionGetDebugLoc(instruction.0) };
        (!place.is_null()).then_some(DebugLocation(place))
    }

    /// Moves an instruction that has a place to this line and column of the same function.
    pub(super) fn set_line(ir: &Ir<'_>, instruction: Value, line: u32, column: u32) {
        let Some(place) = DebugLocation::of(instruction) else {
            return;
        };
        unsafe {
            let call = LLVMDILocationGetInlinedAt(place.0);
            let scope = place.scope();
            let moved = LLVMDIBuilderCreateDebugLocation(ir.context, line, column, scope, call);
            LLVMInstructionSetDebugLoc(instruction.0, moved);
        }
    }

    fn scope(&self) -> LLVMMetadataRef {
        unsafe { LLVMDILocationGetScope(self.0) }
    }

    /// Where the function was called that was inlined here.
    fn inlined_at(&self) -> Option<DebugLocation> {
        let call = unsafe { LLVMDILocationGetInlinedAt(self.0) };
        (!call.is_null()).then_some(DebugLocation(call))
    }

    /// Its name as [`source_path`] has it.
    fn file(&self) -> String {
        unsafe {
            let file = LLVMDIScopeGetFile(self.scope());
            if file.is_null() {
                return String::new();
            }
            let (mut len, mut directory_len) = (0, 0);
            let name = LLVMDIFileGetFilename(file, &mut len);
            let name = text_at(name, len as usize);
            let directory = LLVMDIFileGetDirectory(file, &mut directory_len);
            source_path(Some(&text_at(directory, directory_len as usize)), &name)
        }
    }

    /// The name of the function that it is in.
    fn function(&self, ir: &Ir<'_>) -> Option<String> {
        let mut scope = self.scope();
        loop {
            let kind = unsafe { LLVMGetMetadataKind(scope) };
            let operands =
                Value(unsafe { LLVMMetadataAsValue(ir.context, scope) }).metadata_operands();
            // The operands of a scope are its file, the scope around it, its name, …
            if matches!(kind, LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
                let name = operands.get(2).copied()??.metadata_text();
                // In C++ the symbol tells more.
                let symbol = operands.get(3).copied().flatten();
                return symbol.and_then(Value::metadata_text).or(name);
            }
            scope = operands.get(1).copied()??.as_metadata();
        }
    }

    /// If it is in a model or a header of the C++ library, the call of the program that led there, with the
    /// function that is called.
    fn call_of_program(&self, ir: &Ir<'_>) -> Option<(String, DebugLocation)> {
        let mut model = DebugLocation(self.0);
        if !is_of_library(&model.file()) {
            return None;
        }
        loop {
            let call = model.inlined_at()?;
            if !is_of_library(&call.file()) {
                return Some((model.function(ir)?, call));
            }
            model = call;
        }
    }
}

impl DebugLocation {
    /// The place for people: in a model that of the call.
    pub(super) fn shown(&self, ir: &Ir<'_>) -> Shown {
        match self.call_of_program(ir) {
            Some((function, call)) => Shown {
                file: called_at(&name_in_programs(&function), file_of_call(&call.file())),
                ..call.as_it_is()
            },
            None => self.as_it_is(),
        }
    }

    fn as_it_is(&self) -> Shown {
        Shown {
            file: self.file(),
            line: unsafe { LLVMDILocationGetLine(self.0) },
            column: unsafe { LLVMDILocationGetColumn(self.0) },
        }
    }
}

/// Makes places.
struct Places<'a, 'm> {
    ir: &'a Ir<'m>,
    builder: LLVMDIBuilderRef,
}

impl<'a, 'm> Places<'a, 'm> {
    fn new(ir: &'a Ir<'m>) -> Places<'a, 'm> {
        Places {
            builder: unsafe { LLVMCreateDIBuilder(ir.module()) },
            ir,
        }
    }

    /// The instruction is one of `function`, called at this place.
    fn set(&self, instruction: Value, call: &DebugLocation, function: &str) {
        let file = call.file();
        let name = c_text(&called_at(&name_in_programs(function), file_of_call(&file)));
        unsafe {
            let file = LLVMDIBuilderCreateFile(
                self.builder,
                name.as_ptr(),
                name.as_bytes().len(),
                c"".as_ptr(),
                0,
            );
            let scope = LLVMDIBuilderCreateLexicalBlockFile(self.builder, call.scope(), file, 0);
            let place = LLVMDIBuilderCreateDebugLocation(
                self.ir.context,
                LLVMDILocationGetLine(call.0),
                LLVMDILocationGetColumn(call.0),
                scope,
                LLVMDILocationGetInlinedAt(call.0),
            );
            LLVMInstructionSetDebugLoc(instruction.0, place);
        }
    }
}

impl Drop for Places<'_, '_> {
    fn drop(&mut self) {
        unsafe {
            LLVMDIBuilderFinalize(self.builder);
            LLVMDisposeDIBuilder(self.builder);
        }
    }
}
