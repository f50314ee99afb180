//! Code for sanitizers in the prepared module, which the flowgraph does not need.

use super::super::sanitizer::{HANDLER_PREFIX, Operation};
use super::RUNTIME_PREFIX;
use super::called_at::DebugLocation;
use super::externals::{ABORT_FUNCTIONS, KILL_FUNCTION};
use super::ir::{Ir, TEXT_PREFIX, Value};
use super::values::Block;
use inkwell::llvm_sys::LLVMOpcode;

/// What checks tell their handlers (places, types, operands that are too wide to be passed by value)
/// are no objects of the program. Whether there are checks.
pub(super) fn hide_descriptions(ir: &Ir<'_>) -> bool {
    let mut open: Vec<(Value, Operation)> = Vec::new();
    let functions = ir.functions().into_iter();
    for handler in functions.filter(|function| function.name().starts_with(HANDLER_PREFIX)) {
        let calls = handler.users().into_iter();
        for call in calls.filter(|user| user.is_instruction()) {
            let arguments = call.call_arguments();
            let Some((description, operands)) = arguments.split_first() else {
                continue;
            };
            open.push((*description, operation_of(*description)));
            if handler.name().contains("missing_return")
                && let Some((line, column)) = place_of(*description)
            {
                // The end of the function has the place of any statement before it.
                DebugLocation::set_line(ir, call, line, column);
            }
            for operand in operands {
                hide_operand(ir, *operand);
            }
        }
    }
    let is_checked = !open.is_empty();
    let mut number = 0;
    while let Some((value, operation)) = open.pop() {
        let parts = if value.is_global_variable() && !value.name().starts_with(TEXT_PREFIX) {
            let suffix = operation.suffix();
            value.set_name(&format!("{TEXT_PREFIX}check.{number}{suffix}"));
            number += 1;
            value.initializer().into_iter().collect()
        } else if value.is_aggregate_constant() {
            value.operands()
        } else {
            Vec::new()
        };
        open.extend(parts.into_iter().map(|part| (part, Operation::Other)));
    }
    is_checked
}

/// The line and column in a check's description.
fn place_of(description: Value) -> Option<(u32, u32)> {
    let place = *description.initializer()?.operands().first()?;
    let fields = place.is_aggregate_constant().then(|| place.operands())?;
    let number = |index: usize| u32::try_from(fields.get(index)?.as_i64()?).ok();
    Some((number(1)?, number(2)?))
}

/// What a check's description tells of its operation: behind the place stands the type, a kind (0 for
/// integers, 1 for floats) and a number, whose lowest bit decides whether an integer is signed.
fn operation_of(description: Value) -> Operation {
    let field = |value: Value, index: usize| -> Option<Value> {
        let fields = value.initializer()?;
        let is_record = fields.is_aggregate_constant() && fields.ty().is_struct();
        is_record.then(|| fields.operands().get(index).copied())?
    };
    let Some(ty) = field(description, 1).filter(|ty| ty.is_global_variable()) else {
        return Operation::Other;
    };
    let number = |index| field(ty, index).and_then(Value::as_i64);
    match (number(0), number(1)) {
        (Some(0), Some(about)) if about & 1 == 0 => Operation::Unsigned,
        (Some(1), _) => Operation::Float,
        _ => Operation::Other,
    }
}

/// An operand that handlers only are told by the address of a variable, which holds nothing else: the
/// variable becomes one that the flowgraph does not have.
fn hide_operand(ir: &Ir<'_>, told: Value) {
    let is_address = told.is_instruction() && told.opcode() == LLVMOpcode::LLVMPtrToInt;
    if !is_address || !told.operand(0).is_alloca() {
        return;
    }
    // The address may be the program's own number: `(long)&x / 4` is told as it is.
    let is_handler = |user: &Value| {
        let callee = user.callee_name();
        callee.is_some_and(|name| name.starts_with(HANDLER_PREFIX))
    };
    if !told.users().iter().all(is_handler) {
        return;
    }
    let variable = told.operand(0);
    let is_told_only =
        |user: &Value| *user == told || user.stored_to().is_some_and(|to| to == variable);
    if !variable.users().iter().all(is_told_only) {
        return;
    }
    let ty = variable.allocated_type();
    let name = format!("{TEXT_PREFIX}operand");
    let hidden = ir.add_global(&name, ty, ir.zero(ty));
    variable.replace_uses(hidden);
    variable.erase();
}

/// Clang checks the element of `a[n]++`, `(a[n]) = 1`, and of complex numbers and structures that are copied, as an
/// address, which may be that behind the end. Where the element is read or written, it may not.
pub(super) fn check_accessed_ends(ir: &Ir<'_>) {
    let handler = format!("{HANDLER_PREFIX}out_of_bounds");
    let reports = |block: &Block| {
        let mut called = block
            .instructions()
            .into_iter()
            .filter_map(Value::callee_name);
        called.any(|name| name.starts_with(&handler))
    };
    for block in ir.definitions().into_iter().flat_map(Value::blocks) {
        if let ([within, beyond], Some(branch)) = (&block.successors()[..], block.terminator())
            && reports(beyond)
            && let Some((index, n_elements)) = accessed_element(ir, *within)
        {
            let condition = branch.operand(0);
            let is_comparison =
                condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMICmp;
            let is_end = |value: Value| value.as_i64() == Some(n_elements.cast_signed());
            if is_end(index) {
                branch.set_operand(0, ir.zero(condition.ty()));
            } else if is_comparison && is_end(condition.operand(1)) {
                let last = ir.constant(condition.operand(1).ty(), n_elements - 1);
                ir.before(branch);
                branch.set_operand(0, ir.is_at_most(condition.operand(0), last));
            }
        }
    }
}

/// The index of the first element of an array that a block computes or has as a constant, if it is read or written
/// there, and the number of elements.
fn accessed_element(ir: &Ir<'_>, block: Block) -> Option<(Value, u64)> {
    let is_element = |one: Value| one.opcode() == LLVMOpcode::LLVMGetElementPtr;
    let mut instructions = block.instructions().into_iter();
    let (element, is_accessed) = instructions.find_map(|one| match is_element(one) {
        true => Some((one, is_accessed(ir, one, block))),
        false => Some((constant_element(one)?, true)),
    })?;
    let array = element.gep_source_type();
    if !array.is_array() || !is_accessed {
        return None;
    }
    let n_elements = ir.size_of(array).checked_div(ir.size_of(array.element()))?;
    (n_elements > 0).then(|| (element.operand(2), n_elements))
}

/// The address of an element of a global array that an instruction accesses.
fn constant_element(instruction: Value) -> Option<Value> {
    let addresses = match instruction.opcode() {
        LLVMOpcode::LLVMLoad => vec![instruction.operand(0)],
        LLVMOpcode::LLVMStore => vec![instruction.operand(1)],
        LLVMOpcode::LLVMCall if is_copy(instruction) => instruction.call_arguments()[..2].to_vec(),
        _ => Vec::new(),
    };
    addresses.into_iter().find(|address| {
        address.is_constant_expression()
            && address.constant_opcode() == LLVMOpcode::LLVMGetElementPtr
            && address.gep_source_type().is_array()
            && matches!(address.operands()[..], [_, first, _] if first.is_zero())
    })
}

fn is_copy(call: Value) -> bool {
    let copies = |name: String| name.starts_with("llvm.memcpy.");
    call.callee_name().is_some_and(copies)
}

/// Whether a block reads or writes what an address of its own, or a part of that, leads to.
fn is_accessed(ir: &Ir<'_>, address: Value, block: Block) -> bool {
    let array = address.gep_source_type();
    let is_copied = |call: &Value| {
        array.is_array()
            && array.element().is_struct()
            && is_copy(*call)
            && call.call_arguments()[2].as_i64() == Some(ir.size_of(array.element()).cast_signed())
    };
    address.users().iter().any(|user| {
        user.parent() == block
            && match user.opcode() {
                LLVMOpcode::LLVMLoad => true,
                LLVMOpcode::LLVMStore => user.stored_to() == Some(address),
                LLVMOpcode::LLVMGetElementPtr => is_accessed(ir, *user, block),
                LLVMOpcode::LLVMCall => is_copied(user),
                _ => false,
            }
    })
}

/// Arithmetic wraps: what is said of results that do not wrap would let passes assume what
/// is not checked.
pub(super) fn allow_wrap_around(ir: &Ir<'_>) {
    for function in ir.definitions() {
        for instruction in function.instructions() {
            let may_say_so = matches!(
                instruction.opcode(),
                LLVMOpcode::LLVMAdd
                    | LLVMOpcode::LLVMSub
                    | LLVMOpcode::LLVMMul
                    | LLVMOpcode::LLVMShl
            );
            if may_say_so {
                instruction.clear_no_wrap_flags();
            }
        }
    }
}

/// Marks what `AddressSanitizer` and `MemorySanitizer` instrument where a replay asks for it: all that is the program's.
pub(super) fn mark_for_sanitizers(ir: &Ir<'_>) {
    for function in ir.definitions() {
        ir.add_attribute(function, "sanitize_address", 0);
        ir.add_attribute(function, "sanitize_memory", 0);
    }
}

/// Lets a replay tell where the program ends itself by a signal, and lets `UndefinedBehaviorSanitizer`'s
/// library report code marked as unreachable, in bitcode too. For the flowgraph both are ends already.
pub(super) fn mark_ends(ir: &Ir<'_>) {
    let mut number = 0;
    for function in ir.definitions() {
        for instruction in function.instructions() {
            if is_abort(instruction) {
                let (_, line, column) = instruction.source_place();
                let int = ir.int(32);
                let mark = ir.declare(&format!("{RUNTIME_PREFIX}ends_at"), ir.void(), &[int, int]);
                ir.before(instruction);
                let place = [line, column].map(|number| ir.constant(int, number.into()));
                ir.call(mark, &place, "");
            } else if instruction.opcode() == LLVMOpcode::LLVMUnreachable {
                number += u64::from(report_unreachable(ir, function, instruction, number));
            }
        }
    }
}

/// Whether an instruction ends the program by a signal.
fn is_abort(instruction: Value) -> bool {
    let is_outside = instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().is_some_and(Value::is_declaration);
    is_outside
        && instruction.callee_name().is_some_and(|name| {
            let of_traps = ["llvm.trap", "llvm.ubsantrap", "llvm.debugtrap"];
            ABORT_FUNCTIONS.contains(&name.as_str())
                || of_traps.contains(&name.as_str())
                || name == KILL_FUNCTION
        })
}

/// Puts a report before an `unreachable`, unless something stands there that is an end by itself. Whether it
/// did.
fn report_unreachable(ir: &Ir<'_>, function: Value, unreachable: Value, number: u64) -> bool {
    let before = unreachable.parent().instructions();
    let is_end = before.iter().rev().nth(1).is_some_and(|call| {
        let name = (call.opcode() == LLVMOpcode::LLVMCall).then(|| call.callee_name());
        let is_ours = |name: String| {
            [HANDLER_PREFIX, RUNTIME_PREFIX]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        };
        is_abort(*call) || name.flatten().is_some_and(is_ours)
    });
    if is_end {
        return false;
    }
    // The end of a function has no place: that of what stands before it is the nearest.
    let has_place = |instruction: &Value| instruction.source_place().1 != 0;
    let nearest = || {
        let instructions = function.instructions().into_iter();
        let before = instructions.take_while(|instruction| *instruction != unreachable);
        before.filter(has_place).last()
    };
    let placed = match has_place(&unreachable) {
        true => unreachable,
        false => nearest().unwrap_or(unreachable),
    };
    let (file, line, column) = placed.source_place();
    let int = ir.int(32);
    let place = [line, column].map(|number| ir.constant(int, number.into()));
    let fields = [ir.text(&file), place[0], place[1]];
    let fields = ir.record(&fields);
    let name = format!("{TEXT_PREFIX}unreachable.{number}");
    // No constant: the library writes there which places it has reported.
    let description = ir.add_global(&name, fields.ty(), fields);
    let handler = format!("{HANDLER_PREFIX}builtin_unreachable");
    let handler = ir.declare(&handler, ir.void(), &[ir.pointer()]);
    ir.before(unreachable);
    ir.at_place_of(placed);
    ir.call(handler, &[description], "");
    true
}
