//! `setjmp` and `longjmp` become returns and branches.
//!
//! ```text
//! setjmp(buffer)     buffer := (token of this call of the function, number of the place); result 0
//! longjmp(buffer, v) pending := buffer, v; return
//! after each call that may jump, if a jump is pending:
//!     is it this call's token? the jump is done: continue after the setjmp with the result v
//!     else                      return
//! ```
//!
//! The code after a `setjmp` is copied for jumps, which never return 0 ([`resume`]).
//!
//! So frames are left one after another, with their variables, and later passes only see ordinary control
//! flow: a jump back is a loop like any other, and techniques need not support jumps.
//!
//! A token is the number of a call of a function that calls `setjmp`, counted from 1 at its first `setjmp`. A
//! buffer without a token was never set; a token of no active call belongs to a call that has returned. Both
//! are undefined behaviour (C23 7.13.2.1), and executions end at
//! [`LOST_JUMP_FUNCTION`].
//!
//! Variables that are changed between `setjmp` and `longjmp` keep their last value, as in unoptimised machine
//! code; in C they are indeterminate unless they are volatile.
//!
//! If the program calls `main`, declares one of these functions with another type, calls `setjmp` indirectly,
//! or needs saved signal masks (`sigsetjmp`, and `sigprocmask` in the same program), jumps are not supported:
//! calls of them are refused ([`externals`]).
//!
//! Runs after the models, some of which call the program's functions, and before any pass.

mod resume;

use super::ir::{Block, Ir, Ty, Value};
use super::{LOST_JUMP_FUNCTION, externals};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::BTreeSet;

const SETTING: [&str; 4] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];
const JUMPING: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Of a buffer: its token, and behind that the number of the place.
const TOKEN_BYTES: u64 = 8;

/// The jumps of a program, with its blocks split where they may begin and arrive.
pub(super) struct Jumps {
    pending: Pending,
    functions: Vec<Function>,
}

/// A function in which jumps may arrive, or through which they may lead.
struct Function {
    function: Value,
    /// Where it keeps the token of its call, if it calls `setjmp`.
    token: Option<Value>,
    places: Vec<ResumePoint>,
    /// The last instructions of their blocks, but for a branch.
    calls: Vec<Value>,
}

/// Where a `setjmp` stood; its number is its index.
struct ResumePoint {
    result: Value,
    /// Reads the result, at the beginning of a block.
    resumed: Value,
}

/// The pending jump, in globals.
#[derive(Clone, Copy)]
struct Pending {
    token: Value,
    place: Value,
    value: Value,
}

impl Jumps {
    /// Finds the jumps and splits blocks for them; `None` if there are none, or they cannot be followed.
    pub fn find(ir: &Ir<'_>) -> Option<Jumps> {
        let declared = |names: &[&str]| -> Vec<Value> {
            let functions = names.iter().filter_map(|name| ir.function(name));
            let is_meant = |it: &Value| it.is_declaration() && !it.users().is_empty();
            functions.filter(is_meant).collect()
        };
        let (setting, jumping) = (declared(&SETTING), declared(&JUMPING));
        // There a jump would have to be lost, and is not seen.
        let is_called_back = ir.function("main").is_none_or(|main| {
            let mut instructions = main.instructions().into_iter();
            !main.users().is_empty() || instructions.any(Value::is_must_tail)
        });
        let can_be_followed = setting.iter().all(|it| sets_a_buffer(ir, *it))
            && jumping.iter().all(|it| jumps_by_a_buffer(ir, *it));
        if (setting.is_empty() && jumping.is_empty()) || is_called_back || !can_be_followed {
            return None;
        }
        let (word, int) = (ir.int(64), ir.int(32));
        let global = |name: &str, ty: Ty| ir.add_global(name, ty, ir.zero(ty));
        let pending = Pending {
            token: global("compact_se_jump_token", word),
            place: global("compact_se_jump_place", int),
            value: global("compact_se_jump_value", int),
        };
        let tokens = global("compact_se_jump_tokens", word);
        for function in &jumping {
            pending.define_jump(ir, *function);
        }
        let may_jump = MayJump::from(ir, &jumping);
        // Instructions are moved, and what debuggers are told of them with them.
        ir.set_debug_records(false);
        let mut functions = Vec::new();
        for function in ir.definitions() {
            let instructions = function.instructions().into_iter();
            let (mut settings, mut calls) = (Vec::new(), Vec::new());
            for call in instructions.filter(|it| it.opcode() == LLVMOpcode::LLVMCall) {
                if call.callee().is_some_and(|it| setting.contains(&it)) {
                    settings.push(call);
                } else if may_jump.by(call) && !call.is_must_tail() {
                    calls.push(call);
                }
            }
            if settings.is_empty() && calls.is_empty() {
                continue;
            }
            let jumps = calls.iter().filter(|call| {
                let callee = call.callee();
                callee.is_some_and(|it| jumping.contains(&it))
            });
            for call in settings.iter().chain(jumps) {
                clear_local_buffer(ir, function, *call);
            }
            let token = (!settings.is_empty()).then(|| local(ir, function, word, "jump.token"));
            for call in &calls {
                ir.remove_call_attribute(*call, "noreturn");
                ir.split_after(*call);
            }
            let numbered = settings.into_iter().enumerate();
            let places = numbered
                .filter_map(|(number, call)| {
                    Some(set(ir, (function, call), (number, token?), tokens))
                })
                .collect();
            functions.push(Function {
                function,
                token,
                places,
                calls,
            });
        }
        ir.set_debug_records(true);
        for function in &may_jump.functions {
            ir.remove_attribute(*function, "noreturn");
            ir.remove_attribute(*function, "willreturn");
        }
        Some(Jumps { pending, functions })
    }

    /// Marks all functions but those in which jumps arrive as not to be optimised, and says which
    /// it has marked. There, a value that is computed before `setjmp` may be used where a jump arrives, so that
    /// it has to be in memory.
    pub fn shield_others(&self, ir: &Ir<'_>) -> Vec<(Value, &'static str)> {
        let arrive = |function: &Value| {
            let mut all = self.functions.iter();
            all.any(|it| it.function == *function && it.token.is_some())
        };
        let mut marked = Vec::new();
        for function in ir.definitions() {
            if arrive(&function) {
                ir.remove_attribute(function, "optnone");
            } else if !ir.has_attribute(function, "alwaysinline") {
                for attribute in ["noinline", "optnone"] {
                    if !ir.has_attribute(function, attribute) {
                        ir.add_attribute(function, attribute, 0);
                        marked.push((function, attribute));
                    }
                }
            }
        }
        marked
    }

    /// Puts a branch behind each call that may jump.
    pub fn follow(&self, ir: &Ir<'_>) {
        for function in &self.functions {
            let reachable = function.places_before_calls();
            for (call, places) in function.calls.iter().zip(reachable) {
                self.continue_after(ir, function, *call, &places);
            }
        }
    }

    /// `places` are those that may have been passed before the call.
    fn continue_after(&self, ir: &Ir<'_>, here: &Function, call: Value, places: &BTreeSet<usize>) {
        let pending = &self.pending;
        let block = |name: &str| ir.append_block(here.function, name);
        let behind = call.parent().successors()[0];
        let end = terminator(call.parent());
        let (jumped, left) = (block("jumped"), block("left"));
        ir.before(end);
        ir.at_place_of(call);
        let token = ir.load(ir.int(64), pending.token);
        ir.branch(ir.is_not_zero(token), jumped, behind);
        end.erase();
        ir.at_end(jumped);
        match here.token.filter(|_| !places.is_empty()) {
            None => ir.jump(left),
            Some(own) => {
                let (arrived, nowhere) = (block("arrived"), block("nowhere"));
                let own = ir.load(ir.int(64), own);
                ir.branch(ir.equals(own, token), arrived, left);
                ir.at_end(arrived);
                ir.store(ir.zero(ir.int(64)), pending.token);
                let number = ir.load(ir.int(32), pending.place);
                let value = ir.load(ir.int(32), pending.value);
                let cases = places.iter().map(|place| {
                    let number = u64::try_from(*place).expect("usize fits u64");
                    (ir.constant(ir.int(32), number), block("resumed"))
                });
                let cases: Vec<(Value, Block)> = cases.collect();
                ir.switch(number, nowhere, &cases);
                for (place, (_, case)) in places.iter().zip(&cases) {
                    let place = &here.places[*place];
                    ir.at_end(*case);
                    resume::resume(ir, place, value);
                }
                ir.at_end(nowhere);
                lose(ir);
            }
        }
        ir.at_end(left);
        let result = here.function.value_type().result();
        if here.function.name() == "main" {
            lose(ir);
        } else if result.is_void() {
            ir.ret(None);
        } else {
            ir.ret(Some(ir.zero(result)));
        }
    }
}

impl Function {
    /// For each call the places that may have been passed before it in the same call of the function: what
    /// leads from them to it, by jumps besides.
    fn places_before_calls(&self) -> Vec<BTreeSet<usize>> {
        let mut before = vec![BTreeSet::new(); self.calls.len()];
        loop {
            let mut grows = false;
            for (number, place) in self.places.iter().enumerate() {
                let seen = self.blocks_after(place.resumed.parent(), &before);
                for (call, places) in self.calls.iter().zip(&mut before) {
                    grows |= seen.contains(&call.parent()) && places.insert(number);
                }
            }
            if !grows {
                return before;
            }
        }
    }

    fn blocks_after(&self, from: Block, before: &[BTreeSet<usize>]) -> BTreeSet<Block> {
        let mut seen = BTreeSet::from([from]);
        let mut todo = vec![from];
        while let Some(block) = todo.pop() {
            let calls = self.calls.iter().zip(before);
            let jumps = calls.filter(|(call, _)| call.parent() == block);
            let jumps = jumps.flat_map(|(_, places)| places);
            let arrive = jumps.map(|place| self.places[*place].resumed.parent());
            for next in block.successors().into_iter().chain(arrive) {
                if seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        seen
    }
}

impl Pending {
    /// The body of `void longjmp(buffer, value)`.
    fn define_jump(self, ir: &Ir<'_>, function: Value) {
        let params = externals::begin_body(ir, function);
        ir.at_no_place();
        let (buffer, value) = (params[0], params[1]);
        let (set, unset) = (
            ir.append_block(function, "set"),
            ir.append_block(function, "unset"),
        );
        let token = ir.load(ir.int(64), buffer);
        token.set_alignment(1);
        let place = ir.load(ir.int(32), ir.offset(buffer, TOKEN_BYTES));
        place.set_alignment(1);
        ir.branch(ir.is_not_zero(token), set, unset);
        ir.at_end(unset);
        lose(ir);
        ir.at_end(set);
        let one = ir.constant(ir.int(32), 1);
        let value = ir.select(ir.is_not_zero(value), value, one);
        ir.store(token, self.token);
        ir.store(place, self.place);
        ir.store(value, self.value);
        ir.ret(None);
    }
}

/// Calls that may end in a jump.
struct MayJump {
    functions: BTreeSet<Value>,
    /// Whether calls by pointer may.
    by_pointer: bool,
}

impl MayJump {
    fn from(ir: &Ir<'_>, jumping: &[Value]) -> MayJump {
        let mut may_jump = MayJump {
            functions: jumping.iter().copied().collect(),
            by_pointer: false,
        };
        loop {
            let n_before = may_jump.functions.len();
            let had_pointers = may_jump.by_pointer;
            may_jump.by_pointer |= may_jump.functions.iter().any(|it| is_pointed_to(*it));
            for function in ir.definitions() {
                let mut instructions = function.instructions().into_iter();
                if !may_jump.functions.contains(&function)
                    && instructions.any(|instruction| may_jump.by(instruction))
                {
                    may_jump.functions.insert(function);
                }
            }
            if may_jump.functions.len() == n_before && may_jump.by_pointer == had_pointers {
                return may_jump;
            }
        }
    }

    /// Whether this instruction is a call that may.
    fn by(&self, instruction: Value) -> bool {
        instruction.opcode() == LLVMOpcode::LLVMCall
            && match instruction.callee() {
                Some(callee) => self.functions.contains(&callee),
                None => self.by_pointer,
            }
    }
}

/// Whether a function is used in any other way than that it is called.
fn is_pointed_to(function: Value) -> bool {
    !function
        .users()
        .into_iter()
        .all(|user| calls(user, function))
}

/// Whether this is a call of the function that does not pass its address.
fn calls(user: Value, function: Value) -> bool {
    user.is_instruction()
        && user.opcode() == LLVMOpcode::LLVMCall
        && user.callee() == Some(function)
        && !user.call_arguments().contains(&function)
}

/// Whether all uses are calls `int setjmp(buffer, …)` that need not bring back which signals are blocked.
fn sets_a_buffer(ir: &Ir<'_>, function: Value) -> bool {
    let changes = ir.function("sigprocmask");
    let has_masks = changes.is_some_and(|it| !it.users().is_empty());
    function.users().into_iter().all(|user| {
        let saves_mask = |call: Value| call.call_arguments().get(1).is_some_and(|it| !it.is_zero());
        calls(user, function)
            && !(has_masks && saves_mask(user))
            && user.ty() == ir.int(32)
            && user
                .call_arguments()
                .first()
                .is_some_and(|it| it.ty().is_pointer())
    })
}

/// Whether it is declared as `void longjmp(buffer, int)`.
fn jumps_by_a_buffer(ir: &Ir<'_>, function: Value) -> bool {
    let params: Vec<Ty> = function.params().into_iter().map(Value::ty).collect();
    function.value_type().result().is_void() && params == [ir.pointer(), ir.int(32)]
}

/// A `setjmp` becomes stores; the code after it reads its result.
fn set(
    ir: &Ir<'_>,
    (function, call): (Value, Value),
    (number, token): (usize, Value),
    tokens: Value,
) -> ResumePoint {
    let (word, int) = (ir.int(64), ir.int(32));
    let result = local(ir, function, int, "setjmp.result");
    ir.split_after(call);
    ir.before(call);
    let known = ir.load(word, token);
    let is_new = ir.equals(known, ir.zero(word));
    let latest = ir.load(word, tokens);
    let next = ir.add(latest, ir.convert_from_int(is_new, word, ""));
    ir.store(next, tokens);
    let own = ir.select(is_new, next, known);
    ir.store(own, token);
    let buffer = call.call_arguments()[0];
    ir.store(own, buffer).set_alignment(1);
    let number = u64::try_from(number).expect("usize fits u64");
    let place = ir.offset(buffer, TOKEN_BYTES);
    ir.store(ir.constant(int, number), place).set_alignment(1);
    ir.store(ir.zero(int), result);
    ir.before(call.parent().successors()[0].first_insertion_point(false));
    ir.at_place_of(call);
    let resumed = ir.load(int, result);
    call.replace_uses(resumed);
    call.erase();
    ResumePoint { result, resumed }
}

/// A variable that is 0 when the function is entered.
fn local(ir: &Ir<'_>, function: Value, ty: Ty, name: &str) -> Value {
    let entry = function.blocks()[0];
    ir.before(entry.first_insertion_point(false));
    ir.at_no_place();
    let variable = ir.alloca(ty, name);
    ir.before(entry.first_insertion_point(true));
    ir.at_no_place();
    ir.store(ir.zero(ty), variable);
    variable
}

/// The buffer of a `setjmp` or `longjmp`, where it is a variable of the function, is one that was never
/// set when that is entered.
fn clear_local_buffer(ir: &Ir<'_>, function: Value, call: Value) {
    let mut base = call.call_arguments()[0];
    while base.is_instruction() && base.opcode() == LLVMOpcode::LLVMGetElementPtr {
        base = base.operand(0);
    }
    let entry = function.blocks()[0];
    let is_buffer = base.is_instruction()
        && base.is_alloca()
        && base.parent() == entry
        && base.operand(0).as_i64() == Some(1)
        && base.allocated_type().is_array();
    if is_buffer {
        ir.before(entry.first_insertion_point(true));
        ir.at_no_place();
        let bytes = ir.constant(ir.size_type(), ir.size_of(base.allocated_type()));
        ir.memset(base, ir.zero(ir.int(8)), bytes);
    }
}

/// Ends an execution, at the builder's position, whose jump arrives nowhere.
fn lose(ir: &Ir<'_>) {
    let lost = ir.declare(LOST_JUMP_FUNCTION, ir.void(), &[]);
    if lost.is_declaration() && !ir.has_attribute(lost, "noinline") {
        ir.define_trap(lost);
        ir.add_attribute(lost, "noinline", 0);
    }
    ir.call(lost, &[], "");
    ir.unreachable();
}

fn terminator(block: Block) -> Value {
    block
        .terminator()
        .expect("blocks of a verified module end in a terminator")
}
