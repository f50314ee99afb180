//! A module being prepared: a thin layer over LLVM's C API.
//!
//! inkwell's own types panic on values that C programs do contain (metadata operands, labels), so
//! the preparation uses the C API below them.
//!
//! # Invariants
//! - A handle is used only while its module lives, and never after `erase`; [`Ir`] borrows the
//!   module, and handles do not leave `prepare`.
//! - All calls come from the one thread of the loading process.

use super::values::{c_text, chain, text_at};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMOpcode, LLVMTypeKind};
#[allow(
    clippy::wildcard_imports,
    reason = "a hundred C functions, each with the prefix LLVM"
)]
use inkwell::llvm_sys::{core::*, prelude::*, target::*};
use inkwell::module::Module;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_uint;
use std::marker::PhantomData;

pub(super) use super::values::{Block, Ty, Value};

/// Prefix of the functions that are the interface between program, engine and replay library.
pub(in crate::llvm) const RUNTIME_PREFIX: &str = "__compact_se_";
/// Prefix of the functions that do one operation, so that no pass drops it ([`partial`](super::partial)).
pub(in crate::llvm) const OPERATION_PREFIX: &str = "__compact_se_op.";
/// The function that stands for an operation whose result is undefined whatever the input.
pub(in crate::llvm) const UNDEFINED_FUNCTION: &str = "__compact_se_undefined";
/// The function that stands for a `longjmp` whose buffer was never set, or was set by a call that is over.
pub(in crate::llvm) const LOST_JUMP_FUNCTION: &str = "__compact_se_lost_jump";
/// The function that ends executions with an array on the stack of a size that it cannot have.
pub(in crate::llvm) const ARRAY_SIZE_FUNCTION: &str = "__compact_se_array_size";
/// Prefix of the constants that hold names for messages; they are no globals of the program.
pub(in crate::llvm) const TEXT_PREFIX: &str = "__compact_se_text.";

/// The attribute of parameters and results that C does not let be indeterminate.
const NO_UNDEF: &str = "noundef";

/// A module being prepared.
pub(super) struct Ir<'m> {
    module: LLVMModuleRef,
    pub(super) context: LLVMContextRef,
    pub(super) builder: LLVMBuilderRef,
    data: LLVMTargetDataRef,
    texts: RefCell<BTreeMap<String, Value>>,
    _module: PhantomData<&'m ()>,
}

impl Drop for Ir<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `new`, owned by this value alone.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl<'m> Ir<'m> {
    pub fn new(module: &'m Module<'_>) -> Ir<'m> {
        let module = module.as_mut_ptr();
        // SAFETY: the module is alive as long as this value.
        unsafe {
            let context = LLVMGetModuleContext(module);
            Ir {
                module,
                context,
                builder: LLVMCreateBuilderInContext(context),
                data: LLVMGetModuleDataLayout(module),
                texts: RefCell::default(),
                _module: PhantomData,
            }
        }
    }

    /// The module itself, for the parts of the C API that have no method here.
    pub(super) fn module(&self) -> LLVMModuleRef {
        self.module
    }

    pub fn functions(&self) -> Vec<Value> {
        // SAFETY: see the invariants of this module; so for every `unsafe` here.
        let all = unsafe {
            chain(
                LLVMGetFirstFunction(self.module),
                |f| f.is_null(),
                |f| LLVMGetNextFunction(f),
            )
        };
        all.into_iter().map(Value).collect()
    }

    /// Functions with a body.
    pub fn definitions(&self) -> Vec<Value> {
        let mut all = self.functions();
        all.retain(|function| !function.is_declaration());
        all
    }

    pub fn globals(&self) -> Vec<Value> {
        let all = unsafe {
            chain(
                LLVMGetFirstGlobal(self.module),
                |g| g.is_null(),
                |g| LLVMGetNextGlobal(g),
            )
        };
        all.into_iter().map(Value).collect()
    }

    /// Aliases with what they stand for.
    pub fn aliases(&self) -> Vec<(Value, Value)> {
        let all = unsafe {
            chain(
                LLVMGetFirstGlobalAlias(self.module),
                |g| g.is_null(),
                |g| LLVMGetNextGlobalAlias(g),
            )
        };
        all.into_iter()
            .map(|alias| (Value(alias), Value(unsafe { LLVMAliasGetAliasee(alias) })))
            .collect()
    }

    pub fn has_ifuncs(&self) -> bool {
        unsafe { !LLVMGetFirstGlobalIFunc(self.module).is_null() }
    }

    /// Assembly outside of functions.
    pub fn module_assembly(&self) -> String {
        let mut len = 0;
        unsafe {
            let text = LLVMGetModuleInlineAsm(self.module, &mut len);
            text_at(text, len)
        }
    }

    pub fn clear_module_assembly(&self) {
        unsafe { LLVMSetModuleInlineAsm2(self.module, c"".as_ptr(), 0) }
    }

    pub fn function(&self, name: &str) -> Option<Value> {
        let name = c_text(name);
        let function = unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) };
        (!function.is_null()).then_some(Value(function))
    }

    /// The function of this name, declared if need be.
    pub fn declare(&self, name: &str, result: Ty, params: &[Ty]) -> Value {
        self.function(name).unwrap_or_else(|| {
            let text = c_text(name);
            Value(unsafe {
                LLVMAddFunction(self.module, text.as_ptr(), function_type(result, params).0)
            })
        })
    }

    /// The same with further arguments, which vary.
    pub fn declare_variadic(&self, name: &str, result: Ty, params: &[Ty]) -> Value {
        self.function(name).unwrap_or_else(|| {
            let text = c_text(name);
            let ty = type_of_function(result, params, true);
            Value(unsafe { LLVMAddFunction(self.module, text.as_ptr(), ty.0) })
        })
    }

    /// A declaration of the type that another function has.
    pub fn declare_like(&self, name: &str, other: Value) -> Value {
        self.function(name).unwrap_or_else(|| {
            let text = c_text(name);
            Value(unsafe { LLVMAddFunction(self.module, text.as_ptr(), other.value_type().0) })
        })
    }

    /// A declaration of this function type in the place of `function`.
    pub fn with_type(&self, function: Value, ty: Ty) -> Value {
        let name = function.name();
        unsafe {
            LLVMSetValueName2(function.0, c"".as_ptr(), 0);
            let text = c_text(&name);
            let new = LLVMAddFunction(self.module, text.as_ptr(), ty.0);
            LLVMReplaceAllUsesWith(function.0, new);
            LLVMDeleteFunction(function.0);
            Value(new)
        }
    }

    /// A declaration that replaces a definition, which is no longer used.
    pub fn replacement(&self, function: Value) -> Value {
        let name = function.name();
        let body = format!("{name}.replaced");
        unsafe {
            LLVMSetValueName2(function.0, body.as_ptr().cast(), body.len());
            let text = c_text(&name);
            let new = LLVMAddFunction(self.module, text.as_ptr(), function.value_type().0);
            LLVMReplaceAllUsesWith(function.0, new);
            Value(new)
        }
    }

    pub fn add_global(&self, name: &str, ty: Ty, initializer: Value) -> Value {
        let name = c_text(name);
        unsafe {
            let global = LLVMAddGlobal(self.module, ty.0, name.as_ptr());
            LLVMSetInitializer(global, initializer.0);
            LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage);
            Value(global)
        }
    }

    /// A variable with this content, of another type, in the place of one with the same layout.
    pub fn replace_global(&self, global: Value, initializer: Value) {
        let name = global.name();
        global.set_name("");
        let new = self.add_global(&name, initializer.ty(), initializer).0;
        // SAFETY: both are variables of this module, and the metadata is used before it is disposed of.
        unsafe {
            let mut n = 0;
            let metadata = LLVMGlobalCopyAllMetadata(global.0, &mut n);
            for index in 0..u32::try_from(n).unwrap_or(0) {
                let kind = LLVMValueMetadataEntriesGetKind(metadata, index);
                let node = LLVMValueMetadataEntriesGetMetadata(metadata, index);
                LLVMGlobalSetMetadata(new, kind, node);
            }
            LLVMDisposeValueMetadataEntries(metadata);
            LLVMSetLinkage(new, LLVMGetLinkage(global.0));
            LLVMSetVisibility(new, LLVMGetVisibility(global.0));
            LLVMSetUnnamedAddress(new, LLVMGetUnnamedAddress(global.0));
            LLVMSetGlobalConstant(new, LLVMIsGlobalConstant(global.0));
            LLVMSetThreadLocalMode(new, LLVMGetThreadLocalMode(global.0));
            LLVMSetAlignment(new, LLVMGetAlignment(global.0));
            LLVMReplaceAllUsesWith(global.0, new);
        }
        global.delete_global();
    }

    /// What metadata of this kind says of a function or a variable.
    pub fn metadata_of(&self, of: Value, kind: &str) -> Option<Value> {
        let name = c_text(kind);
        // SAFETY: the entries are read before they are disposed of.
        unsafe {
            let len = count(name.as_bytes().len());
            let wanted = LLVMGetMDKindIDInContext(self.context, name.as_ptr(), len);
            let mut n = 0;
            let entries = LLVMGlobalCopyAllMetadata(of.0, &mut n);
            let mut found = None;
            for index in 0..u32::try_from(n).unwrap_or(0) {
                if LLVMValueMetadataEntriesGetKind(entries, index) == wanted {
                    let node = LLVMValueMetadataEntriesGetMetadata(entries, index);
                    found = Some(Value(LLVMMetadataAsValue(self.context, node)));
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// A constant C string, one for each text, for names in inputs and messages.
    pub fn text(&self, text: &str) -> Value {
        if let Some(&known) = self.texts.borrow().get(text) {
            return known;
        }
        let bytes = c_text(text);
        let global = unsafe {
            let len = bytes.as_bytes().len();
            let value = Value(LLVMConstStringInContext2(
                self.context,
                bytes.as_ptr(),
                len,
                0,
            ));
            let name = format!("{TEXT_PREFIX}{}", self.texts.borrow().len());
            let global = self.add_global(&name, value.ty(), value);
            LLVMSetGlobalConstant(global.0, 1);
            LLVMSetUnnamedAddress(
                global.0,
                inkwell::llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr,
            );
            global
        };
        self.texts.borrow_mut().insert(text.to_owned(), global);
        global
    }

    /// Whether debug information stands in calls of intrinsics (`false`) or in records. New
    /// code that reads debug information needs the former.
    pub fn set_debug_records(&self, records: bool) {
        unsafe {
            inkwell::llvm_sys::core::LLVMSetIsNewDbgInfoFormat(self.module, i32::from(records))
        }
    }

    // --- Types ---

    pub fn int(&self, bits: u32) -> Ty {
        Ty(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    pub fn pointer(&self) -> Ty {
        Ty(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    pub fn void(&self) -> Ty {
        Ty(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    pub fn array(&self, element: Ty, n_elements: u64) -> Ty {
        Ty(unsafe { LLVMArrayType2(element.0, n_elements) })
    }

    /// Integers side by side that a float of more than 64 bits has the size and alignment of.
    pub fn words_of_long_float(&self, ty: Ty) -> (Ty, u64) {
        let bytes = self.size_of(ty);
        match bytes % 8 {
            0 => (self.int(64), bytes / 8),
            _ => (self.int(32), bytes / 4),
        }
    }

    /// The type with integers in the place of each float of 16 bits and of more than 64.
    pub fn words_for_floats(&self, ty: Ty) -> Ty {
        if ty.is_short_float() {
            return self.int(16);
        }
        if ty.is_long_float() {
            let (word, n_words) = self.words_of_long_float(ty);
            return match self.alignment_of(ty) > self.alignment_of(word) {
                // Vectors are aligned to their size.
                true => {
                    Ty(unsafe { LLVMVectorType(word.0, c_uint::try_from(n_words).unwrap_or(2)) })
                }
                false => self.array(word, n_words),
            };
        }
        match ty.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => {
                let (element, n) = (ty.element(), unsafe { LLVMGetArrayLength2(ty.0) });
                self.array(self.words_for_floats(element), n)
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                let (element, n) = (ty.element(), unsafe { LLVMGetVectorSize(ty.0) });
                let element = self.words_for_floats(element);
                Ty(unsafe { LLVMVectorType(element.0, n) })
            }
            LLVMTypeKind::LLVMStructTypeKind => {
                let fields: Vec<Ty> = (0..ty.n_fields()).map(|index| ty.field(index)).collect();
                let words = fields.iter().map(|field| self.words_for_floats(*field));
                let words: Vec<Ty> = words.collect();
                if words == fields {
                    return ty;
                }
                let mut words: Vec<LLVMTypeRef> = words.iter().map(|word| word.0).collect();
                let (first, n) = (words.as_mut_ptr(), count(words.len()));
                Ty(unsafe {
                    LLVMStructTypeInContext(self.context, first, n, LLVMIsPackedStruct(ty.0))
                })
            }
            _ => ty,
        }
    }

    /// A constant array, vector or struct without a name of this type.
    pub fn aggregate(&self, ty: Ty, elements: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = elements.iter().map(|element| element.0).collect();
        let (first, n) = (raw.as_mut_ptr(), count(raw.len()));
        Value(unsafe {
            if ty.is_array() {
                LLVMConstArray2(ty.element().0, first, n.into())
            } else if ty.is_struct() {
                LLVMConstStructInContext(self.context, first, n, LLVMIsPackedStruct(ty.0))
            } else {
                LLVMConstVector(first, n)
            }
        })
    }

    /// A constant struct of these fields.
    pub fn record(&self, fields: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = fields.iter().map(|field| field.0).collect();
        let (first, n) = (raw.as_mut_ptr(), count(raw.len()));
        Value(unsafe { LLVMConstStructInContext(self.context, first, n, 0) })
    }

    /// A constant array of so many times the same.
    pub fn array_of(&self, element: Value, n_elements: u64) -> Value {
        let n = usize::try_from(n_elements).expect("arrays are short");
        let mut elements = vec![element.0; n];
        let ty = element.ty().0;
        Value(unsafe { LLVMConstArray2(ty, elements.as_mut_ptr(), n_elements) })
    }

    pub fn pointer_bits(&self) -> u32 {
        unsafe { LLVMPointerSize(self.data) * 8 }
    }

    /// The integer type of a pointer's width.
    pub fn size_type(&self) -> Ty {
        self.int(self.pointer_bits())
    }

    pub fn little_endian(&self) -> bool {
        let order = unsafe { LLVMByteOrder(self.data) };
        order == LLVMByteOrdering::LLVMLittleEndian
    }

    /// Bytes from one element of an array of this type to the next.
    pub fn size_of(&self, ty: Ty) -> u64 {
        unsafe { LLVMABISizeOfType(self.data, ty.0) }
    }

    pub fn bits_of(&self, ty: Ty) -> u64 {
        unsafe { LLVMSizeOfTypeInBits(self.data, ty.0) }
    }

    /// In bytes, as the ABI has it.
    pub fn alignment_of(&self, ty: Ty) -> u64 {
        unsafe { LLVMABIAlignmentOfType(self.data, ty.0) }.into()
    }

    pub fn offset_of(&self, structure: Ty, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.data, structure.0, field) }
    }

    // --- Constants ---

    pub fn constant(&self, ty: Ty, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(ty.0, value, 0) })
    }

    pub fn zero(&self, ty: Ty) -> Value {
        Value(unsafe { LLVMConstNull(ty.0) })
    }

    /// The address that an integer constant as wide as a pointer is.
    pub fn constant_pointer(&self, address: Value) -> Value {
        Value(unsafe { LLVMConstIntToPtr(address.0, self.pointer().0) })
    }

    /// Another constant takes the place of a label's address.
    pub fn replace_label(&self, function: Value, label: Block, with: Value) {
        Value(unsafe { LLVMBlockAddress(function.0, label.0) }).replace_uses(with);
    }

    /// `base` plus a constant number of bytes.
    pub fn constant_offset(&self, base: Value, bytes: i64) -> Value {
        let mut index = unsafe { LLVMConstInt(self.size_type().0, bytes.cast_unsigned(), 1) };
        Value(unsafe { LLVMConstGEP2(self.int(8).0, base.0, &mut index, 1) })
    }

    /// Bytes that address arithmetic with constant indices adds; `operands` are the base and the
    /// indices. `None` if an index is no constant.
    pub fn constant_gep_offset(&self, gep: Value, operands: &[Value]) -> Option<i64> {
        let mut ty = gep.gep_source_type();
        let mut offset = 0i64;
        for (position, index) in operands[1..].iter().enumerate() {
            let index = index.as_i64()?;
            let scaled = |ty: Ty| Some(index.wrapping_mul(i64::try_from(self.size_of(ty)).ok()?));
            if position == 0 {
                offset = offset.wrapping_add(scaled(ty)?);
            } else if ty.is_struct() {
                let field = u32::try_from(index).ok()?;
                offset = offset.wrapping_add_unsigned(self.offset_of(ty, field));
                ty = ty.field(field);
            } else if ty.is_array() {
                ty = ty.element();
                offset = offset.wrapping_add(scaled(ty)?);
            } else {
                return None;
            }
        }
        Some(offset)
    }

    /// The constant with these operands instead of its own; `None` where that is not known here.
    pub fn rebuild_constant(&self, constant: Value, operands: &[Value]) -> Option<Value> {
        let ty = constant.ty();
        let mut raw: Vec<LLVMValueRef> = operands.iter().map(|operand| operand.0).collect();
        let n = count(raw.len());
        let rebuilt = unsafe {
            if constant.is_aggregate_constant() {
                if ty.is_array() {
                    LLVMConstArray2(ty.element().0, raw.as_mut_ptr(), u64::from(n))
                } else if ty.is_struct() && LLVMIsLiteralStruct(ty.0) == 0 {
                    LLVMConstNamedStruct(ty.0, raw.as_mut_ptr(), n)
                } else if ty.is_struct() {
                    let packed = LLVMIsPackedStruct(ty.0);
                    LLVMConstStructInContext(self.context, raw.as_mut_ptr(), n, packed)
                } else {
                    LLVMConstVector(raw.as_mut_ptr(), n)
                }
            } else {
                match (constant.constant_opcode(), raw.as_slice()) {
                    (LLVMOpcode::LLVMPtrToInt, &[a]) => LLVMConstPtrToInt(a, ty.0),
                    (LLVMOpcode::LLVMIntToPtr, &[a]) => LLVMConstIntToPtr(a, ty.0),
                    (LLVMOpcode::LLVMBitCast, &[a]) => LLVMConstBitCast(a, ty.0),
                    (LLVMOpcode::LLVMAddrSpaceCast, &[a]) => LLVMConstAddrSpaceCast(a, ty.0),
                    (LLVMOpcode::LLVMTrunc, &[a]) => LLVMConstTrunc(a, ty.0),
                    (LLVMOpcode::LLVMAdd, &[a, b]) => LLVMConstAdd(a, b),
                    (LLVMOpcode::LLVMSub, &[a, b]) => LLVMConstSub(a, b),
                    (LLVMOpcode::LLVMMul, &[a, b]) => LLVMConstMul(a, b),
                    (LLVMOpcode::LLVMXor, &[a, b]) => LLVMConstXor(a, b),
                    _ => return None,
                }
            }
        };
        Some(Value(rebuilt))
    }

    // --- Attributes ---

    pub fn add_attribute(&self, function: Value, name: &str, value: u64) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            assert!(kind != 0, "LLVM has the attribute {name}");
            let attribute = LLVMCreateEnumAttribute(self.context, kind, value);
            LLVMAddAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub fn remove_attribute(&self, function: Value, name: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMRemoveEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, kind);
        }
    }

    /// Removes an attribute of a call itself, not of its function.
    pub fn remove_call_attribute(&self, call: Value, name: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMRemoveCallSiteEnumAttribute(call.0, LLVMAttributeFunctionIndex, kind);
        }
    }

    /// What a call passes in memory for an argument that is its address (`byval`): its type, and its
    /// alignment in bytes.
    pub fn by_value_argument(&self, call: Value, index: usize) -> Option<(Ty, u64)> {
        let attribute = |name: &str| unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            // The result stands before the arguments.
            let attribute = LLVMGetCallSiteEnumAttribute(call.0, count(index) + 1, kind);
            (!attribute.is_null()).then_some(attribute)
        };
        let ty = unsafe { LLVMGetTypeAttributeValue(attribute("byval")?) };
        let alignment =
            attribute("align").map_or(1, |align| unsafe { LLVMGetEnumAttributeValue(align) });
        Some((Ty(ty), alignment))
    }

    /// The type that an attribute of a function's parameter has: what `byval` or `sret` points to.
    pub fn type_at_parameter(&self, function: Value, index: usize, name: &str) -> Option<Ty> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            // The result stands before the parameters.
            let attribute = LLVMGetEnumAttributeAtIndex(function.0, count(index) + 1, kind);
            (!attribute.is_null()).then(|| Ty(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// Gives a call's argument an attribute with a type, as the function's parameter has it.
    pub fn add_type_to_argument(&self, call: Value, index: usize, (name, ty): (&str, Ty)) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateTypeAttribute(self.context, kind, ty.0);
            LLVMAddCallSiteAttribute(call.0, count(index) + 1, attribute);
        }
    }

    /// Whether C does not let an argument be indeterminate (`noundef`).
    pub fn is_argument_defined(&self, call: Value, index: usize) -> bool {
        let position = count(index) + 1;
        // SAFETY: the call has an argument there.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NO_UNDEF.as_ptr().cast(), NO_UNDEF.len());
            !LLVMGetCallSiteEnumAttribute(call.0, position, kind).is_null()
        }
    }

    /// Lets a function's parameter be no indeterminate value.
    pub fn define_parameter(&self, function: Value, index: usize) {
        // SAFETY: the function has a parameter there.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NO_UNDEF.as_ptr().cast(), NO_UNDEF.len());
            let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
            LLVMAddAttributeAtIndex(function.0, count(index) + 1, attribute);
        }
    }

    /// Marks an instruction by metadata of this name.
    pub fn mark(&self, instruction: Value, name: &str) {
        // SAFETY: the node is of this context.
        unsafe {
            let node = LLVMMDNodeInContext2(self.context, std::ptr::null_mut(), 0);
            let node = LLVMMetadataAsValue(self.context, node);
            LLVMSetMetadata(instruction.0, self.metadata_kind(name), node);
        }
    }

    /// Whether an instruction was marked so.
    pub fn is_marked(&self, instruction: Value, name: &str) -> bool {
        // SAFETY: asked of instructions only.
        unsafe { !LLVMGetMetadata(instruction.0, self.metadata_kind(name)).is_null() }
    }

    fn metadata_kind(&self, name: &str) -> c_uint {
        let text = name.as_ptr().cast();
        // SAFETY: the text has this length.
        unsafe { LLVMGetMDKindIDInContext(self.context, text, count(name.len())) }
    }

    pub fn has_attribute(&self, function: Value, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(function.0, LLVMAttributeFunctionIndex, kind).is_null()
        }
    }

    /// The text of an attribute that is one.
    pub fn text_attribute(&self, function: Value, name: &str) -> Option<String> {
        let mut length = 0;
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                function.0,
                LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                count(name.len()),
            );
            if attribute.is_null() {
                return None;
            }
            let text = LLVMGetStringAttributeValue(attribute, &mut length);
            let bytes = std::slice::from_raw_parts(text.cast(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

pub(super) fn count(len: usize) -> c_uint {
    c_uint::try_from(len).expect("operand counts are small")
}

pub(super) fn function_type(result: Ty, params: &[Ty]) -> Ty {
    type_of_function(result, params, false)
}

fn type_of_function(result: Ty, params: &[Ty], is_variadic: bool) -> Ty {
    let mut params: Vec<LLVMTypeRef> = params.iter().map(|param| param.0).collect();
    let n = count(params.len());
    Ty(unsafe { LLVMFunctionType(result.0, params.as_mut_ptr(), n, is_variadic.into()) })
}
