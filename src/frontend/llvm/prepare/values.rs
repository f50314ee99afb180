//! Handles to values, blocks and types, with their attributes from LLVM's C API.
//!
//! The invariants are those of [`ir`](super::ir).

use super::super::source_path;
use super::ir::count;
use inkwell::llvm_sys::debuginfo::{
    LLVMDILocationGetInlinedAt, LLVMDILocationGetScope, LLVMGetMetadataKind, LLVMGetSubprogram,
    LLVMInstructionGetDebugLoc, LLVMMetadataKind, LLVMSetSubprogram,
};
use inkwell::llvm_sys::{
    LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMTailCallKind, LLVMTypeKind,
};
#[allow(
    clippy::wildcard_imports,
    reason = "a hundred C functions, each with the prefix LLVM"
)]
use inkwell::llvm_sys::{core::*, prelude::*};
use std::ffi::{CStr, CString, c_uint};

/// A value: function, global, instruction, parameter, constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Value(pub(super) LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Block(pub(super) LLVMBasicBlockRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ty(pub(super) LLVMTypeRef);

pub(super) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no zero bytes are left")
}

/// # Safety
/// `pointer` points to `len` bytes, or is null.
pub(super) unsafe fn text_at(pointer: *const std::ffi::c_char, len: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

pub(super) fn chain<T: Copy>(
    first: T,
    is_end: impl Fn(T) -> bool,
    next: impl Fn(T) -> T,
) -> Vec<T> {
    let mut all = Vec::new();
    let mut here = first;
    while !is_end(here) {
        all.push(here);
        here = next(here);
    }
    all
}

impl Ty {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// 0 for other types.
    pub fn int_bits(self) -> u32 {
        if self.kind() == LLVMTypeKind::LLVMIntegerTypeKind {
            unsafe { LLVMGetIntTypeWidth(self.0) }
        } else {
            0
        }
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }

    /// Type and number of elements of a vector type of fixed length.
    pub fn elements(self) -> Option<(Ty, u32)> {
        (self.kind() == LLVMTypeKind::LLVMVectorTypeKind)
            .then(|| unsafe { (Ty(LLVMGetElementType(self.0)), LLVMGetVectorSize(self.0)) })
    }

    pub fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }

    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Integers, pointers and floats whose bits are all in memory.
    pub fn is_scalar(self) -> bool {
        matches!(
            self.kind(),
            LLVMTypeKind::LLVMIntegerTypeKind
                | LLVMTypeKind::LLVMPointerTypeKind
                | LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMBFloatTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMFP128TypeKind
                | LLVMTypeKind::LLVMX86_FP80TypeKind
        )
    }

    /// Floats of more than 64 bits: those of the x87, and quadruple precision.
    pub fn is_long_float(self) -> bool {
        matches!(
            self.kind(),
            LLVMTypeKind::LLVMX86_FP80TypeKind | LLVMTypeKind::LLVMFP128TypeKind
        )
    }

    /// Floats of 16 bits: half precision and bfloat.
    pub fn is_short_float(self) -> bool {
        matches!(
            self.kind(),
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind
        )
    }

    /// Floats whose value this tool knows: half, single and double precision.
    pub fn is_float(self) -> bool {
        matches!(
            self.kind(),
            LLVMTypeKind::LLVMHalfTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
        )
    }

    /// Whether a function type ends in `...`.
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// Parameters of a function type, without variable ones.
    pub fn n_params(self) -> usize {
        usize::try_from(unsafe { LLVMCountParamTypes(self.0) }).expect("u32 fits usize")
    }

    /// Result of a function type.
    pub fn result(self) -> Ty {
        Ty(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    /// Element of an array or vector type.
    pub fn element(self) -> Ty {
        Ty(unsafe { LLVMGetElementType(self.0) })
    }

    pub fn is_array(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMArrayTypeKind
    }

    /// Number of a struct's fields.
    pub fn n_fields(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }

    pub fn field(self, index: u32) -> Ty {
        Ty(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }
}

impl Value {
    pub fn name(self) -> String {
        let mut len = 0;
        unsafe { text_at(LLVMGetValueName2(self.0, &mut len), len) }
    }

    pub fn ty(self) -> Ty {
        Ty(unsafe { LLVMTypeOf(self.0) })
    }

    /// Type of a function (not of its address) or of a global variable's content.
    pub fn value_type(self) -> Ty {
        Ty(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn set_internal(self) {
        unsafe {
            LLVMSetLinkage(self.0, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetVisibility(
                self.0,
                inkwell::llvm_sys::LLVMVisibility::LLVMDefaultVisibility,
            );
            // An alias has none, and must not be asked.
            if LLVMIsAGlobalAlias(self.0).is_null() {
                inkwell::llvm_sys::comdat::LLVMSetComdat(self.0, std::ptr::null_mut());
            }
        }
    }

    /// Gives way to a definition of the same name in another module.
    pub fn set_weak(self) {
        unsafe { LLVMSetLinkage(self.0, LLVMLinkage::LLVMWeakAnyLinkage) }
    }

    /// Whether this is a definition for optimisers only, in addition to another one.
    pub fn is_inline_definition(self) -> bool {
        unsafe { LLVMGetLinkage(self.0) == LLVMLinkage::LLVMAvailableExternallyLinkage }
    }

    /// Whether a function has debug information.
    pub fn has_debug_information(self) -> bool {
        unsafe { !LLVMGetSubprogram(self.0).is_null() }
    }

    /// Takes the debug information of a declaration away: a body may not have it.
    pub fn clear_debug_information(self) {
        unsafe { LLVMSetSubprogram(self.0, std::ptr::null_mut()) }
    }

    /// Not `constant`.
    pub fn set_variable(self) {
        unsafe { LLVMSetGlobalConstant(self.0, 0) }
    }

    /// Whether a load or store, and nothing else is this, must happen as it stands.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// Whether a multiplication is said not to wrap as one of unsigned numbers.
    pub fn never_wraps(self) -> bool {
        self.is_instruction()
            && self.opcode() == LLVMOpcode::LLVMMul
            // SAFETY: an instruction that has the flag.
            && unsafe { LLVMGetNUW(self.0) != 0 }
    }

    /// For an addition, subtraction, multiplication or shift.
    pub fn clear_no_wrap_flags(self) {
        // SAFETY: these are the instructions that have the flags.
        unsafe {
            LLVMSetNSW(self.0, 0);
            LLVMSetNUW(self.0, 0);
        }
    }

    pub fn set_volatile(self, volatile: bool) {
        unsafe { LLVMSetVolatile(self.0, i32::from(volatile)) }
    }

    pub fn is_global_variable(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() }
    }

    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Declared weakly: its address is null if it is undefined.
    pub fn may_be_null(self) -> bool {
        self.is_declaration()
            && unsafe { LLVMGetLinkage(self.0) } == LLVMLinkage::LLVMExternalWeakLinkage
    }

    pub fn is_internal(self) -> bool {
        matches!(
            unsafe { LLVMGetLinkage(self.0) },
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        )
    }

    pub fn initializer(self) -> Option<Value> {
        let value = unsafe { LLVMGetInitializer(self.0) };
        (!value.is_null()).then_some(Value(value))
    }

    pub fn set_initializer(self, value: Value) {
        unsafe { LLVMSetInitializer(self.0, value.0) }
    }

    /// The section that it lies in; empty where the compiler chooses.
    pub fn section(self) -> String {
        unsafe {
            let name = LLVMGetSection(self.0);
            match name.is_null() {
                true => String::new(),
                false => CStr::from_ptr(name).to_string_lossy().into_owned(),
            }
        }
    }

    /// In bytes; 0 where its type tells it.
    pub fn alignment(self) -> u64 {
        unsafe { LLVMGetAlignment(self.0).into() }
    }

    pub fn set_constant(self) {
        unsafe { LLVMSetGlobalConstant(self.0, 1) }
    }

    pub fn clear_extern(self) {
        unsafe { LLVMSetExternallyInitialized(self.0, 0) }
    }

    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// A parameter of a function.
    pub fn is_argument(self) -> bool {
        unsafe { !LLVMIsAArgument(self.0).is_null() }
    }

    /// The text of a constant that is the address of a C string.
    pub fn c_string(self) -> Option<String> {
        unsafe {
            if LLVMIsAGlobalVariable(self.0).is_null() {
                return None;
            }
            let content = LLVMGetInitializer(self.0);
            if content.is_null() {
                return None;
            }
            // LLVM may be asked whether it is a string only if it is a sequence of numbers; zeros
            // alone are none.
            if LLVMIsAConstantDataSequential(content).is_null() {
                let ty = Ty(LLVMTypeOf(content));
                let is_empty =
                    LLVMIsNull(content) != 0 && ty.is_array() && ty.element().int_bits() == 8;
                return is_empty.then(String::new);
            }
            if LLVMIsConstantString(content) == 0 {
                return None;
            }
            let mut len = 0;
            let text = LLVMGetAsString(content, &mut len);
            let text = text_at(text, len);
            Some(text.trim_end_matches('\0').to_owned())
        }
    }

    /// The same of a text of wide characters; what is no character of Unicode is U+FFFD.
    pub fn wide_string(self) -> Option<String> {
        if !self.is_global_variable() {
            return None;
        }
        let content = self.initializer()?;
        let ty = content.ty();
        if !ty.is_array() || ![16, 32].contains(&ty.element().int_bits()) {
            return None;
        }
        let codes = content.elements().into_iter().flatten();
        let codes = codes.map(Value::as_i64).collect::<Option<Vec<i64>>>()?;
        let text = codes.iter().take_while(|code| **code != 0);
        let decode = |code: &i64| u32::try_from(*code).ok().and_then(char::from_u32);
        let text = text.map(|code| decode(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        Some(text.collect())
    }

    pub fn is_instruction(self) -> bool {
        unsafe { !LLVMIsAInstruction(self.0).is_null() }
    }

    /// The address of a label, which refers to its function.
    pub fn is_block_address(self) -> bool {
        unsafe { !LLVMIsABlockAddress(self.0).is_null() }
    }

    pub fn is_function(self) -> bool {
        unsafe { !LLVMIsAFunction(self.0).is_null() }
    }

    pub fn is_constant_expression(self) -> bool {
        unsafe { !LLVMIsAConstantExpr(self.0).is_null() }
    }

    /// A struct, array or vector constant that is built from operands.
    pub fn is_aggregate_constant(self) -> bool {
        unsafe {
            !LLVMIsAConstantStruct(self.0).is_null()
                || !LLVMIsAConstantArray(self.0).is_null()
                || !LLVMIsAConstantVector(self.0).is_null()
        }
    }

    pub fn is_constant_int(self) -> bool {
        unsafe { !LLVMIsAConstantInt(self.0).is_null() }
    }

    /// Whether it is a constant float of 16 bits, of half precision or bfloat.
    pub fn is_short_float(self) -> bool {
        unsafe { !LLVMIsAConstantFP(self.0).is_null() && self.ty().is_short_float() }
    }

    /// Whether it is a constant float of more than 64 bits.
    pub fn is_long_float(self) -> bool {
        unsafe { !LLVMIsAConstantFP(self.0).is_null() && self.ty().is_long_float() }
    }

    /// The elements of an aggregate constant; `None` where it has none of its own (zeros, undefined
    /// values).
    pub fn elements(self) -> Option<impl Iterator<Item = Value>> {
        let is_listed = self.is_aggregate_constant()
            || unsafe { !LLVMIsAConstantDataSequential(self.0).is_null() };
        let element = move |index| Value(unsafe { LLVMGetAggregateElement(self.0, index) });
        is_listed.then(|| {
            (0..)
                .map(element)
                .take_while(|element| !element.0.is_null())
        })
    }

    /// An element of a constant that lists its elements.
    pub fn element(self, index: u32) -> Option<Value> {
        // SAFETY: asked of such constants only.
        let element = self
            .is_aggregate_constant()
            .then(|| unsafe { LLVMGetAggregateElement(self.0, index) });
        element.filter(|element| !element.is_null()).map(Value)
    }

    /// Whether it is the constant zero of its type.
    pub fn is_zero(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// The value of an integer constant of at most 64 bits, sign-extended.
    pub fn as_i64(self) -> Option<i64> {
        (self.is_constant_int() && self.ty().int_bits() <= 64)
            .then(|| unsafe { LLVMConstIntGetSExtValue(self.0) })
    }

    /// Undef or poison.
    pub fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }

    pub fn is_poison(self) -> bool {
        unsafe { LLVMIsPoison(self.0) != 0 }
    }

    /// As LLVM prints it.
    pub fn print(self) -> String {
        unsafe {
            let text = LLVMPrintValueToString(self.0);
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            owned
        }
    }

    pub fn params(self) -> Vec<Value> {
        let n = unsafe { LLVMCountParams(self.0) };
        (0..n)
            .map(|i| Value(unsafe { LLVMGetParam(self.0, i) }))
            .collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let all = unsafe {
            chain(
                LLVMGetFirstBasicBlock(self.0),
                |b| b.is_null(),
                |b| LLVMGetNextBasicBlock(b),
            )
        };
        all.into_iter().map(Block).collect()
    }

    /// All instructions of a function, in order.
    pub fn instructions(self) -> Vec<Value> {
        self.blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .collect()
    }

    /// Of a comparison of integers or pointers: whether it is one by order.
    pub fn is_by_order(self) -> bool {
        // SAFETY: it is such a comparison.
        let predicate = unsafe { LLVMGetICmpPredicate(self.0) };
        !matches!(
            predicate,
            LLVMIntPredicate::LLVMIntEQ | LLVMIntPredicate::LLVMIntNE
        )
    }

    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// Opcode of a constant expression.
    pub fn constant_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    pub fn operands(self) -> Vec<Value> {
        let n = unsafe { LLVMGetNumOperands(self.0) };
        (0..c_uint::try_from(n).unwrap_or(0))
            .map(|i| Value(unsafe { LLVMGetOperand(self.0, i) }))
            .collect()
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn set_operand(self, index: usize, value: Value) {
        unsafe { LLVMSetOperand(self.0, count(index), value.0) }
    }

    /// Who uses this value, once for each use.
    pub fn users(self) -> Vec<Value> {
        let uses = unsafe {
            chain(
                LLVMGetFirstUse(self.0),
                |u| u.is_null(),
                |u| LLVMGetNextUse(u),
            )
        };
        uses.into_iter()
            .map(|u| Value(unsafe { LLVMGetUser(u) }))
            .collect()
    }

    /// Whether this compares `value` with zero: for equality (true) or inequality (false).
    pub fn zero_test(self, value: Value) -> Option<bool> {
        let is_comparison = self.is_instruction() && self.opcode() == LLVMOpcode::LLVMICmp;
        if !is_comparison || self.operand(0) != value || self.operand(1).as_i64() != Some(0) {
            return None;
        }
        match unsafe { LLVMGetICmpPredicate(self.0) } {
            LLVMIntPredicate::LLVMIntEQ => Some(true),
            LLVMIntPredicate::LLVMIntNE => Some(false),
            _ => None,
        }
    }

    pub fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    pub fn parent(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    /// Where this instruction stores, if it stores.
    pub fn stored_to(self) -> Option<Value> {
        let stores = self.is_instruction() && self.opcode() == LLVMOpcode::LLVMStore;
        stores.then(|| self.operand(1))
    }

    /// Of a variable, in bytes.
    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }

    pub fn is_alloca(self) -> bool {
        unsafe { !LLVMIsAAllocaInst(self.0).is_null() }
    }

    /// Whether an instruction is in no inner block of its function, as far as debug information tells.
    pub fn is_in_outermost_block(self) -> bool {
        // SAFETY: places have a scope.
        unsafe {
            let place = LLVMInstructionGetDebugLoc(self.0);
            place.is_null()
                || LLVMDILocationGetInlinedAt(place).is_null()
                    && matches!(
                        LLVMGetMetadataKind(LLVMDILocationGetScope(place)),
                        LLVMMetadataKind::LLVMDISubprogramMetadataKind
                    )
        }
    }

    /// Name of the function that a call calls directly.
    pub fn callee_name(self) -> Option<String> {
        self.callee().map(Value::name)
    }

    /// The function that a call calls directly.
    pub fn callee(self) -> Option<Value> {
        if !matches!(
            self.opcode(),
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr
        ) {
            return None;
        }
        let callee = Value(unsafe { LLVMGetCalledValue(self.0) });
        callee.is_function().then_some(callee)
    }

    /// Calls another function of the same type.
    pub fn set_callee(self, callee: Value) {
        let operand = unsafe { LLVMGetNumOperands(self.0) } - 1;
        unsafe { LLVMSetOperand(self.0, operand.cast_unsigned(), callee.0) }
    }

    /// Text and constraints of the inline assembly that this is a call of.
    pub fn assembly(self) -> Option<(String, String)> {
        if self.opcode() != LLVMOpcode::LLVMCall {
            return None;
        }
        // SAFETY: a call has a callee, and the texts have these lengths.
        unsafe {
            let callee = LLVMGetCalledValue(self.0);
            if LLVMIsAInlineAsm(callee).is_null() {
                return None;
            }
            let (mut len, mut constraints_len) = (0, 0);
            let text = LLVMGetInlineAsmAsmString(callee, &mut len);
            let constraints = LLVMGetInlineAsmConstraintString(callee, &mut constraints_len);
            Some((text_at(text, len), text_at(constraints, constraints_len)))
        }
    }

    /// Whether this is a call that a return has to follow, which takes the place of its function's frame.
    pub fn is_must_tail(self) -> bool {
        // SAFETY: asked of calls only.
        self.opcode() == LLVMOpcode::LLVMCall
            && unsafe { LLVMGetTailCallKind(self.0) } == LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// Takes an instruction without uses out of its block; no handle to it may be used again.
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// The function type that a call calls with.
    pub fn called_type(self) -> Ty {
        Ty(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub fn call_arguments(self) -> Vec<Value> {
        let n = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..n).map(|i| self.operand(i)).collect()
    }

    pub fn allocated_type(self) -> Ty {
        Ty(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub fn gep_source_type(self) -> Ty {
        Ty(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        let n = unsafe { LLVMCountIncoming(self.0) };
        (0..n)
            .map(|i| unsafe {
                (
                    Value(LLVMGetIncomingValue(self.0, i)),
                    Block(LLVMGetIncomingBlock(self.0, i)),
                )
            })
            .collect()
    }

    /// Operands of the metadata node behind a metadata operand; `None` where one is null.
    pub fn metadata_operands(self) -> Vec<Option<Value>> {
        unsafe {
            if LLVMIsAMDNode(self.0).is_null() && LLVMIsAValueAsMetadata(self.0).is_null() {
                return Vec::new();
            }
            let n = LLVMGetMDNodeNumOperands(self.0) as usize;
            let mut operands = vec![std::ptr::null_mut(); n];
            LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands
                .into_iter()
                .map(|operand| (!operand.is_null()).then_some(Value(operand)))
                .collect()
        }
    }

    /// The value behind a metadata operand.
    pub fn as_metadata(self) -> LLVMMetadataRef {
        unsafe { LLVMValueAsMetadata(self.0) }
    }

    /// The text of a metadata string.
    pub fn metadata_text(self) -> Option<String> {
        unsafe {
            if LLVMIsAMDString(self.0).is_null() {
                return None;
            }
            let mut len = 0;
            let text = LLVMGetMDString(self.0, &mut len);
            Some(text_at(text, len as usize))
        }
    }

    /// Path as [`source_path`] has it, line and column; 0 is unknown.
    pub fn source_place(self) -> (String, u32, u32) {
        unsafe {
            let (mut len, mut directory_len) = (0, 0);
            let file = LLVMGetDebugLocFilename(self.0, &mut len);
            let file = text_at(file, len as usize);
            let directory = LLVMGetDebugLocDirectory(self.0, &mut directory_len);
            let directory = text_at(directory, directory_len as usize);
            let line = LLVMGetDebugLocLine(self.0);
            let path = source_path(Some(&directory), &file);
            (path, line, LLVMGetDebugLocColumn(self.0))
        }
    }

    /// Of an unused variable, or one whose uses do not matter.
    pub fn delete_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }

    /// Of an unused declaration.
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Path as clang was given it, and line; line 0 is unknown.
    pub fn source_line(self) -> (String, u32) {
        unsafe {
            let mut len = 0;
            let file = LLVMGetDebugLocFilename(self.0, &mut len);
            (text_at(file, len as usize), LLVMGetDebugLocLine(self.0))
        }
    }
}

impl Block {
    pub fn name(self) -> String {
        unsafe {
            CStr::from_ptr(LLVMGetBasicBlockName(self.0))
                .to_string_lossy()
                .into_owned()
        }
    }

    pub fn instructions(self) -> Vec<Value> {
        let all = unsafe {
            chain(
                LLVMGetFirstInstruction(self.0),
                |i| i.is_null(),
                |i| LLVMGetNextInstruction(i),
            )
        };
        all.into_iter().map(Value).collect()
    }

    pub fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    pub fn terminator(self) -> Option<Value> {
        let terminator = unsafe { LLVMGetBasicBlockTerminator(self.0) };
        (!terminator.is_null()).then_some(Value(terminator))
    }

    /// The blocks that end in a branch to this one.
    pub fn predecessors(self) -> Vec<Block> {
        // SAFETY: the terminators of a function's blocks are in blocks.
        let users = Value(unsafe { LLVMBasicBlockAsValue(self.0) }).users();
        let branches = users.into_iter().filter(|user| user.is_instruction());
        branches.map(Value::parent).collect()
    }

    pub fn successors(self) -> Vec<Block> {
        let Some(terminator) = self.terminator() else {
            return Vec::new();
        };
        unsafe {
            (0..LLVMGetNumSuccessors(terminator.0))
                .map(|i| Block(LLVMGetSuccessor(terminator.0, i)))
                .collect()
        }
    }

    /// The first instruction that is neither a phi nor, with `skip_allocas`, an alloca.
    pub fn first_insertion_point(self, skip_allocas: bool) -> Value {
        self.instructions()
            .into_iter()
            .find(|instruction| match instruction.opcode() {
                LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMLandingPad => false,
                LLVMOpcode::LLVMAlloca => !skip_allocas,
                _ => true,
            })
            .expect("blocks of a verified module end in a terminator")
    }
}
