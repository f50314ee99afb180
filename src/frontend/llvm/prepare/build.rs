//! An instruction builder whose position stays until the next `before` or `at_end`.
//!
//! The invariants are those of [`ir`](super::ir).

use super::ir::{Ir, count};
use super::values::{Block, Ty, Value, c_text};
use inkwell::llvm_sys::debuginfo::LLVMInstructionSetDebugLoc;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind};
#[allow(
    clippy::wildcard_imports,
    reason = "a hundred C functions, each with the prefix LLVM"
)]
use inkwell::llvm_sys::{core::*, prelude::*};

impl Ir<'_> {
    /// Builds before this instruction, with its place in the source.
    pub fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction.0);
            LLVMSetInstDebugLocationOrNot(self.builder, instruction.0);
        }
    }

    /// Builds with the place in the source of this instruction.
    pub fn at_place_of(&self, instruction: Value) {
        unsafe { LLVMSetInstDebugLocationOrNot(self.builder, instruction.0) }
    }

    /// Builds without a place in the source.
    pub fn at_no_place(&self) {
        // SAFETY: no location is a location.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, std::ptr::null_mut()) }
    }

    pub fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) }
    }

    pub fn append_block(&self, function: Value, name: &str) -> Block {
        let name = c_text(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr()) })
    }

    pub fn call(&self, function: Value, args: &[Value], name: &str) -> Value {
        let ty = Ty(unsafe { LLVMGlobalGetValueType(function.0) });
        let name = if ty.result() == self.void() {
            c_text("")
        } else {
            c_text(name)
        };
        let mut args: Vec<LLVMValueRef> = args.iter().map(|arg| arg.0).collect();
        Value(unsafe {
            LLVMBuildCall2(
                self.builder,
                ty.0,
                function.0,
                args.as_mut_ptr(),
                count(args.len()),
                name.as_ptr(),
            )
        })
    }

    pub fn alloca(&self, ty: Ty, name: &str) -> Value {
        let name = c_text(name);
        Value(unsafe { LLVMBuildAlloca(self.builder, ty.0, name.as_ptr()) })
    }

    pub fn store(&self, value: Value, address: Value) -> Value {
        Value(unsafe { LLVMBuildStore(self.builder, value.0, address.0) })
    }

    pub fn load(&self, ty: Ty, address: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.builder, ty.0, address.0, c"".as_ptr()) })
    }

    /// The address so many bytes behind another.
    pub fn offset(&self, address: Value, bytes: u64) -> Value {
        let (int8, mut index) = (self.int(8), self.constant(self.size_type(), bytes).0);
        Value(unsafe {
            LLVMBuildGEP2(self.builder, int8.0, address.0, &mut index, 1, c"".as_ptr())
        })
    }

    /// As wide as a pointer.
    pub fn pointer_to_int(&self, address: Value) -> Value {
        let ty = self.size_type();
        Value(unsafe { LLVMBuildPtrToInt(self.builder, address.0, ty.0, c"".as_ptr()) })
    }

    pub fn switch(&self, value: Value, otherwise: Block, cases: &[(Value, Block)]) {
        unsafe {
            let switch = LLVMBuildSwitch(self.builder, value.0, otherwise.0, count(cases.len()));
            for (case, block) in cases {
                LLVMAddCase(switch, case.0, block.0);
            }
        }
    }

    pub fn ret(&self, value: Option<Value>) {
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            };
        }
    }

    /// Goes to `then` where `condition`, of width 1, holds, else to `otherwise`.
    pub fn branch(&self, condition: Value, then: Block, otherwise: Block) {
        // SAFETY: value and blocks belong to this module.
        unsafe {
            LLVMBuildCondBr(self.builder, condition.0, then.0, otherwise.0);
        }
    }

    pub fn jump(&self, to: Block) {
        // SAFETY: the block belongs to this module.
        unsafe {
            LLVMBuildBr(self.builder, to.0);
        }
    }

    /// What follows an instruction that ends no block becomes a separate block. The builder's
    /// position is lost; debug information has to be in intrinsics.
    pub fn split_after(&self, instruction: Value) {
        // The block stays the code after, so that the phis of its successors stay as they are.
        let behind = instruction.parent();
        let end = behind
            .terminator()
            .expect("blocks of a verified module end in a terminator");
        self.at_no_place();
        unsafe {
            let before = LLVMInsertBasicBlockInContext(self.context, behind.0, c"".as_ptr());
            // A block without an end has no successors whose phis would be changed.
            LLVMInstructionRemoveFromParent(end.0);
            LLVMReplaceAllUsesWith(
                LLVMBasicBlockAsValue(behind.0),
                LLVMBasicBlockAsValue(before),
            );
            self.append(behind, end);
            for moved in behind.instructions() {
                LLVMInstructionRemoveFromParent(moved.0);
                self.append(Block(before), moved);
                if moved == instruction {
                    break;
                }
            }
            self.at_end(Block(before));
            self.jump(behind);
        }
    }

    /// Puts an instruction that is in no block to the end of one.
    fn append(&self, block: Block, instruction: Value) {
        self.at_end(block);
        let name = c_text(&instruction.name());
        // SAFETY: the instruction belongs to this module and to no block.
        unsafe { LLVMInsertIntoBuilderWithName(self.builder, instruction.0, name.as_ptr()) }
    }

    pub fn unreachable(&self) {
        unsafe {
            LLVMBuildUnreachable(self.builder);
        }
    }

    /// Truncates, extends with zeros, or turns an integer into a pointer or a float of its size.
    pub fn convert_from_int(&self, value: Value, to: Ty, name: &str) -> Value {
        let name = c_text(name);
        let (name, from) = (name.as_ptr(), value.ty());
        Value(unsafe {
            match to.kind() {
                _ if from == to => value.0,
                LLVMTypeKind::LLVMPointerTypeKind => {
                    LLVMBuildIntToPtr(self.builder, value.0, to.0, name)
                }
                LLVMTypeKind::LLVMIntegerTypeKind if from.int_bits() > to.int_bits() => {
                    LLVMBuildTrunc(self.builder, value.0, to.0, name)
                }
                LLVMTypeKind::LLVMIntegerTypeKind => {
                    LLVMBuildZExt(self.builder, value.0, to.0, name)
                }
                _ => LLVMBuildBitCast(self.builder, value.0, to.0, name),
            }
        })
    }

    /// The bits of a scalar that is not wider, extended with zeros.
    pub fn bits_as_int(&self, value: Value, to: Ty) -> Value {
        let from = value.ty();
        let int = match from.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => value,
            LLVMTypeKind::LLVMPointerTypeKind => self.pointer_to_int(value),
            _ => {
                let bits = u32::try_from(self.bits_of(from)).expect("scalars are short");
                let ty = self.int(bits).0;
                Value(unsafe { LLVMBuildBitCast(self.builder, value.0, ty, c"".as_ptr()) })
            }
        };
        self.convert_from_int(int, to, "")
    }

    /// Width 1.
    pub fn is_not_zero(&self, value: Value) -> Value {
        let zero = self.zero(value.ty());
        Value(unsafe {
            LLVMBuildICmp(
                self.builder,
                LLVMIntPredicate::LLVMIntNE,
                value.0,
                zero.0,
                c"".as_ptr(),
            )
        })
    }

    /// Width 1.
    pub fn equals(&self, lhs: Value, rhs: Value) -> Value {
        let predicate = LLVMIntPredicate::LLVMIntEQ;
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, lhs.0, rhs.0, c"".as_ptr()) })
    }

    /// Width 1; as unsigned numbers.
    pub fn is_at_most(&self, lhs: Value, rhs: Value) -> Value {
        let predicate = LLVMIntPredicate::LLVMIntULE;
        Value(unsafe { LLVMBuildICmp(self.builder, predicate, lhs.0, rhs.0, c"".as_ptr()) })
    }

    pub fn add(&self, lhs: Value, rhs: Value) -> Value {
        Value(unsafe { LLVMBuildAdd(self.builder, lhs.0, rhs.0, c"".as_ptr()) })
    }

    /// An operation of two operands.
    pub fn binary(&self, opcode: LLVMOpcode, lhs: Value, rhs: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.builder, opcode, lhs.0, rhs.0, c"".as_ptr()) })
    }

    /// An element of a vector.
    pub fn element(&self, vector: Value, index: u32) -> Value {
        let index = self.constant(self.int(32), u64::from(index));
        Value(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, c"".as_ptr()) })
    }

    /// The vector with this element.
    pub fn with_element(&self, vector: Value, element: Value, index: u32) -> Value {
        let index = self.constant(self.int(32), u64::from(index));
        // SAFETY: vector and element belong to this module.
        Value(unsafe {
            LLVMBuildInsertElement(self.builder, vector.0, element.0, index.0, c"".as_ptr())
        })
    }

    /// The bits of a value as another type of its width.
    pub fn bit_cast(&self, value: Value, ty: Ty) -> Value {
        // SAFETY: value and type belong to this module.
        Value(unsafe { LLVMBuildBitCast(self.builder, value.0, ty.0, c"".as_ptr()) })
    }

    /// An integer, extended with its sign.
    pub fn sign_extend(&self, value: Value, ty: Ty) -> Value {
        // SAFETY: value and type belong to this module.
        Value(unsafe { LLVMBuildSExt(self.builder, value.0, ty.0, c"".as_ptr()) })
    }

    /// `then` where `condition`, of width 1, holds, else `otherwise`.
    pub fn select(&self, condition: Value, then: Value, otherwise: Value) -> Value {
        let (then, otherwise) = (then.0, otherwise.0);
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, then, otherwise, c"".as_ptr()) })
    }

    /// Zeros come in above.
    pub fn shift_right(&self, value: Value, amount: u64) -> Value {
        let amount = self.constant(value.ty(), amount);
        Value(unsafe { LLVMBuildLShr(self.builder, value.0, amount.0, c"".as_ptr()) })
    }

    pub fn build_struct(&self, ty: Ty, fields: &[Value]) -> Value {
        let mut built = unsafe { LLVMGetPoison(ty.0) };
        for (index, field) in fields.iter().enumerate() {
            built = unsafe {
                let index = count(index);
                LLVMBuildInsertValue(self.builder, built, field.0, index, c"".as_ptr())
            };
        }
        Value(built)
    }

    pub fn multiply(&self, lhs: Value, rhs: Value) -> Value {
        Value(unsafe { LLVMBuildMul(self.builder, lhs.0, rhs.0, c"".as_ptr()) })
    }

    pub fn memmove(&self, to: Value, from: Value, bytes: Value) {
        unsafe {
            LLVMBuildMemMove(self.builder, to.0, 1, from.0, 1, bytes.0);
        }
    }

    pub fn memcpy(&self, to: Value, from: Value, bytes: Value) {
        unsafe {
            LLVMBuildMemCpy(self.builder, to.0, 1, from.0, 1, bytes.0);
        }
    }

    pub fn memset(&self, to: Value, byte: Value, bytes: Value) {
        unsafe {
            LLVMBuildMemSet(self.builder, to.0, byte.0, bytes.0, 1);
        }
    }

    /// The body of `i128 f(i64 high, i64 low)` that gives high · 2^64 + low.
    pub fn define_wide(&self, function: Value) {
        let block = self.append_block(function, "entry");
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderAtEnd(builder, block.0);
            let (int128, name) = (self.int(128), c"".as_ptr());
            let high = LLVMBuildZExt(builder, LLVMGetParam(function.0, 0), int128.0, name);
            let low = LLVMBuildZExt(builder, LLVMGetParam(function.0, 1), int128.0, name);
            let high = LLVMBuildShl(builder, high, self.constant(int128, 64).0, name);
            LLVMBuildRet(builder, LLVMBuildOr(builder, high, low, name));
            LLVMDisposeBuilder(builder);
        }
    }

    /// The body of a function that does what this instruction does, with its parameters in the place
    /// of the operands; of a call's arguments only the first is no constant.
    pub fn define_as(&self, function: Value, instruction: Value) {
        let block = self.append_block(function, "entry");
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderAtEnd(builder, block.0);
            let copy = LLVMInstructionClone(instruction.0);
            let is_call = !LLVMIsACallInst(copy).is_null();
            let n_params = if is_call { 1 } else { usize::MAX };
            for (index, param) in function.params().into_iter().take(n_params).enumerate() {
                LLVMSetOperand(copy, count(index), param.0);
            }
            LLVMInstructionSetDebugLoc(copy, std::ptr::null_mut());
            LLVMInsertIntoBuilder(builder, copy);
            LLVMBuildRet(builder, copy);
            LLVMDisposeBuilder(builder);
        }
    }

    /// The same instruction, with the builder's place in the source and with others in the place of
    /// its operands.
    pub fn copy(&self, instruction: Value, operand: impl Fn(Value) -> Value) -> Value {
        let name = c_text(&instruction.name());
        // SAFETY: the copy has as many operands, and is in no block before.
        unsafe {
            let copy = LLVMInstructionClone(instruction.0);
            for (index, old) in instruction.operands().into_iter().enumerate() {
                LLVMSetOperand(copy, count(index), operand(old).0);
            }
            LLVMInsertIntoBuilderWithName(self.builder, copy, name.as_ptr());
            Value(copy)
        }
    }

    /// The body of `void f(…)` that traps.
    pub fn define_trap(&self, function: Value) {
        let trap = self.declare("llvm.trap", self.void(), &[]);
        let block = self.append_block(function, "entry");
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderAtEnd(builder, block.0);
            let ty = LLVMGlobalGetValueType(trap.0);
            LLVMBuildCall2(builder, ty, trap.0, std::ptr::null_mut(), 0, c"".as_ptr());
            LLVMBuildUnreachable(builder);
            LLVMDisposeBuilder(builder);
        }
    }
}

/// The builder takes over the instruction's place in the source.
///
/// # Safety
/// Both belong to the same living module.
#[allow(non_snake_case, reason = "stands beside the C API's functions")]
unsafe fn LLVMSetInstDebugLocationOrNot(builder: LLVMBuilderRef, instruction: LLVMValueRef) {
    // SAFETY: by the caller.
    unsafe {
        let location = inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(instruction);
        LLVMSetCurrentDebugLocation2(builder, location);
    }
}
