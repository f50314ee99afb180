//! Types and variables from debug information.
//!
//! The invariants are those of [`ir`](super::ir).

use super::values::Value;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::{
    LLVMDisposeValueMetadataEntries, LLVMGetGlobalParent, LLVMGetModuleContext,
    LLVMGlobalCopyAllMetadata, LLVMIsAMDNode, LLVMMetadataAsValue,
    LLVMValueMetadataEntriesGetMetadata,
};
use inkwell::llvm_sys::debuginfo::LLVMMetadataKind::{
    LLVMDIBasicTypeMetadataKind, LLVMDICompositeTypeMetadataKind, LLVMDIDerivedTypeMetadataKind,
    LLVMDIGlobalVariableExpressionMetadataKind,
};
use inkwell::llvm_sys::debuginfo::{
    LLVMDIFlagArtificial, LLVMDIFlagStaticMember, LLVMDIGlobalVariableExpressionGetVariable,
    LLVMDITypeGetFlags, LLVMDITypeGetOffsetInBits, LLVMDITypeGetSizeInBits, LLVMGetDINodeTag,
    LLVMGetMetadataKind, LLVMGetSubprogram,
};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use std::collections::BTreeMap;

/// Kinds of types in debug information (DWARF 5, section 7.5.3).
pub mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

impl Value {
    /// The kind of a node of debug information, as DWARF numbers them; `None` if it has none.
    pub fn debug_tag(self) -> Option<u16> {
        let tag = unsafe { LLVMGetDINodeTag(self.as_metadata_node()?) };
        (tag != 0).then_some(tag)
    }

    /// The size of a type of debug information, in bits.
    pub fn debug_bits(self) -> Option<u64> {
        Some(unsafe { LLVMDITypeGetSizeInBits(self.as_debug_type()?) })
    }

    /// Where a member of a structure begins, in bits.
    pub fn debug_offset(self) -> Option<u64> {
        Some(unsafe { LLVMDITypeGetOffsetInBits(self.as_debug_type()?) })
    }

    /// Whether a member of a class is the compiler's own, such as the pointer to a table of virtual functions.
    pub fn is_artificial(self) -> bool {
        let flags = self.as_debug_type();
        flags.is_some_and(|ty| unsafe { LLVMDITypeGetFlags(ty) } & LLVMDIFlagArtificial != 0)
    }

    /// Whether a member of a class belongs to none of its objects.
    fn is_static(self) -> bool {
        let flags = self.as_debug_type();
        flags.is_some_and(|ty| unsafe { LLVMDITypeGetFlags(ty) } & LLVMDIFlagStaticMember != 0)
    }

    /// The type that a global variable has in debug information.
    pub fn debug_type(self) -> Option<Value> {
        let mut n_entries = 0;
        let context = unsafe { LLVMGetModuleContext(LLVMGetGlobalParent(self.0)) };
        let entries = unsafe { LLVMGlobalCopyAllMetadata(self.0, &mut n_entries) };
        let attached: Vec<LLVMMetadataRef> = (0..n_entries)
            .filter_map(|index| u32::try_from(index).ok())
            .map(|index| unsafe { LLVMValueMetadataEntriesGetMetadata(entries, index) })
            .collect();
        unsafe { LLVMDisposeValueMetadataEntries(entries) };
        let variable = attached.into_iter().find_map(|node| unsafe {
            let is_variable = matches!(
                LLVMGetMetadataKind(node),
                LLVMDIGlobalVariableExpressionMetadataKind
            );
            is_variable.then(|| LLVMDIGlobalVariableExpressionGetVariable(node))
        })?;
        // A DIGlobalVariable's operands are scope, name, file, type, …
        let variable = Value(unsafe { LLVMMetadataAsValue(context, variable) });
        variable.metadata_operands().get(3).copied()?
    }

    /// The type of a function in debug information.
    pub fn subprogram_type(self) -> Option<Value> {
        let subprogram = unsafe { LLVMGetSubprogram(self.0) };
        if subprogram.is_null() {
            return None;
        }
        let context = unsafe { LLVMGetModuleContext(LLVMGetGlobalParent(self.0)) };
        // A DISubprogram's operands are file, scope, name, linkage name, type, …
        let subprogram = Value(unsafe { LLVMMetadataAsValue(context, subprogram) });
        subprogram.metadata_operands().get(4).copied()?
    }

    /// The type behind other names and qualifiers.
    pub fn unqualified_type(self) -> Option<Value> {
        match self.debug_tag()? {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::ATOMIC | tag::ENUMERATION => {
                self.base_type()?.unqualified_type()
            }
            _ => Some(self),
        }
    }

    /// The type that a type is made from. Its operands are file, scope, name, base type, elements, …
    pub fn base_type(self) -> Option<Value> {
        self.metadata_operands().get(3).copied()?
    }

    /// The members of a structure, the dimensions of an array.
    pub fn type_elements(self) -> Vec<Value> {
        let elements = self.metadata_operands().get(4).copied().flatten();
        let elements = elements.map_or(Vec::new(), Value::metadata_operands);
        elements.into_iter().flatten().collect()
    }

    /// The elements of an array in a dimension; `None` if unknown.
    pub fn dimension(self) -> Option<u64> {
        let count = self.metadata_operands().first().copied().flatten();
        count.and_then(Value::as_i64)?.try_into().ok()
    }

    /// The name of a member.
    pub fn member_name(self) -> String {
        let name = self.metadata_operands().get(2).copied().flatten();
        name.and_then(Value::metadata_text).unwrap_or_default()
    }

    /// Whether a part of a structure is a member of each object, or what it has of a class that it is
    /// derived from.
    pub fn is_member(self) -> bool {
        let tag = self.debug_tag();
        matches!(tag, Some(tag::MEMBER | tag::INHERITANCE)) && !self.is_static()
    }

    fn as_metadata_node(self) -> Option<LLVMMetadataRef> {
        unsafe { (!LLVMIsAMDNode(self.0).is_null()).then(|| self.as_metadata()) }
    }

    fn as_debug_type(self) -> Option<LLVMMetadataRef> {
        let node = self.as_metadata_node()?;
        let kind = unsafe { LLVMGetMetadataKind(node) };
        let is_type = matches!(
            kind,
            LLVMDIBasicTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
        );
        is_type.then_some(node)
    }
}

/// Where variables lie, with their names and types.
pub type Variables = BTreeMap<Value, (String, Value)>;

/// The local variables of a function. Needs debug information in intrinsics (`Ir::set_debug_records(false)`).
pub fn local_variables(function: Value) -> Variables {
    let instructions = function.instructions().into_iter();
    let notes = instructions.filter(|one| one.callee_name().as_deref() == Some("llvm.dbg.declare"));
    notes
        .filter_map(|note| {
            let place = note.operand(0).metadata_operands().first().copied()??;
            // A DILocalVariable's operands are scope, name, file, type, …
            let variable = note.operand(1).metadata_operands();
            let name = variable.get(1).copied()??.metadata_text()?;
            Some((place, (name, variable.get(3).copied()??)))
        })
        .collect()
}

/// The array to whose first element a pointer points.
pub fn whole(pointer: Value) -> Value {
    let is_first = pointer.is_instruction()
        && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
        && (pointer.operands().iter().skip(1)).all(|index| index.as_i64() == Some(0));
    if is_first {
        pointer.operand(0)
    } else {
        pointer
    }
}
