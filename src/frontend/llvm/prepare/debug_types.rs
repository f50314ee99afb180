//! What LLVM's C API tells about types in debug information.
//!
//! The invariants are those of [`ir`](super::ir).

use super::values::Value;
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
    LLVMDIFlagStaticMember, LLVMDIGlobalVariableExpressionGetVariable, LLVMDITypeGetFlags,
    LLVMDITypeGetOffsetInBits, LLVMDITypeGetSizeInBits, LLVMGetDINodeTag, LLVMGetMetadataKind,
    LLVMGetSubprogram,
};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;

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

    /// Whether a member of a class belongs to none of its objects.
    pub fn is_static(self) -> bool {
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
