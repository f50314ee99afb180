//! Marks coverage goals: a call of `__compact_se_goal` with its number at each goal, before any pass can
//! move, copy or delete the code.
//!
//! C is compiled with clang's own counters for coverage, so that each condition of llvm-cov is a branching of
//! the bitcode, and goals without code are recognised by counters that are never incremented. The counters
//! themselves are removed.
//!
//! # Invariants
//! - A goal is passed whenever its side of the branching is taken, its line begun, or its call made;
//!   no critical edges are left before.
//! - A number is the position of a goal in the returned list.

use super::super::regions::{Position, Region, Regions};
use super::super::source_path;
use super::super::symbols::in_source;
use super::super::target::DEFAULT_FUNCTIONS;
use super::super::{Goal, GoalKind, Goals, Side, WithoutCode};
use super::RUNTIME_PREFIX;
use super::ir::{Block, Ir, Value};
use flowgraph::is_of_library;
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::{BTreeMap, BTreeSet};
use term::without_number;

/// Prefix of clang's counters.
const COUNTER: &str = "llvm.instrprof.";

/// Clang's name of the block behind the counter of a label to which the code before it falls through. The
/// jumps there are for the counter's sake, and have the place of that code.
const PAST_COUNTER: &str = "skipcount";

/// The head of a function has at most so many lines.
const HEAD_LINES: usize = 8;

/// So many instructions, at most, turn a value of the source into a condition.
const MOST_TESTS: usize = 4;

/// Clang's names of blocks where a condition held.
const WHERE_TRUE: [&str; 6] = [
    "if.then",
    "for.body",
    "while.body",
    "cond.true",
    "land.",
    "do.body",
];
/// Clang's names of blocks where it did not.
const WHERE_FALSE: [&str; 7] = [
    "if.else",
    "if.end",
    "for.end",
    "while.end",
    "cond.false",
    "lor.lhs.false",
    "lor.rhs",
];

/// Marks what is wanted; gives the goals by number.
pub(super) fn mark_goals(ir: &Ir<'_>, wanted: Goals, regions: &[&Regions]) -> Vec<Goal> {
    ir.set_debug_records(false);
    let mut marking = Marking {
        ir,
        goals: Vec::new(),
        conditions: BTreeMap::new(),
    };
    let mut with_code = BTreeSet::new();
    for function in ir.definitions() {
        let name = source_name(function);
        if function.name().starts_with(RUNTIME_PREFIX) {
            continue;
        }
        let counted = take_counters(function);
        let file = function.instructions().into_iter().find_map(|instruction| {
            let (file, line, _) = instruction.source_place();
            (line > 0).then_some(file)
        });
        let file = file.unwrap_or_default();
        if is_of_library(&source_path(None, &file)) {
            continue;
        }
        let of_function = regions_of(function, &name, &file, regions);
        with_code.insert(name.clone());
        let source = SourceFunction {
            name: in_source(&name).into_owned(),
            lines: lines_of(&file),
            file,
            regions: of_function.map_or(&[][..], |found| found.all.as_slice()),
        };
        let blocks = function.blocks();
        let calls = function.instructions();
        if wanted.has_lines() {
            marking.lines(&source, &blocks);
            marking.lines_without_code(&source, &counted);
        }
        if wanted.has_branches() {
            for block in blocks {
                marking.branching(&source, block);
            }
            marking.without_code(&source, &counted);
        }
        if wanted == Goals::ErrorCalls {
            marking.calls(&source, &calls);
        }
    }
    if wanted.has_lines() {
        for unused in regions {
            let is_of_library = is_of_library(&source_path(None, &unused.file.to_string_lossy()));
            if !with_code.contains(&unused.function) && !is_of_library {
                marking.unused(unused);
            }
        }
    }
    delete_counters(ir);
    ir.set_debug_records(true);
    marking.goals
}

/// Clang's regions of a function; of one in a header those that clang gives it in each file that
/// includes the header, where all of them are the same.
fn regions_of<'r>(
    function: Value,
    name: &str,
    file: &str,
    regions: &[&'r Regions],
) -> Option<&'r Regions> {
    let is_in = |regions: &Regions| same_file(file, &regions.file.to_string_lossy());
    let mut named = regions.iter().copied().filter(|one| one.function == name);
    if regions.iter().any(|regions| is_in(regions)) {
        return named.find(|regions| is_in(regions));
    }
    let first = named.next()?;
    let body = first.all.first()?;
    let is_within = |instruction: Value| {
        let (of, line, _) = instruction.source_place();
        // Parameters stand before the body.
        let is_near = line <= body.to.0 && line as usize + HEAD_LINES >= body.from.0 as usize;
        of != file || line == 0 || is_near
    };
    let fits = function.instructions().into_iter().all(is_within);
    (fits && named.all(|other| other.all == first.all)).then_some(first)
}

/// A function as the source has it.
struct SourceFunction<'r> {
    name: String,
    file: String,
    /// The file's text, where it can be read.
    lines: Vec<String>,
    regions: &'r [Region],
}

fn lines_of(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Without the number that tells functions of one name in several files apart.
fn source_name(function: Value) -> String {
    without_number(&function.name(), '.').to_owned()
}

fn same_file(here: &str, there: &str) -> bool {
    let (here, there) = (
        here.trim_start_matches("./"),
        there.trim_start_matches("./"),
    );
    here == there || here.ends_with(&format!("/{there}")) || there.ends_with(&format!("/{here}"))
}

/// Takes clang's counters out of a function; the numbers of those that are counted up there.
fn take_counters(function: Value) -> BTreeSet<u32> {
    let mut counted = BTreeSet::new();
    for instruction in function.instructions() {
        let is_counter = |name: &String| name.starts_with(COUNTER);
        if instruction.callee_name().as_ref().is_some_and(is_counter) {
            let number = instruction.operand(3).as_i64();
            counted.extend(number.and_then(|number| u32::try_from(number).ok()));
            instruction.erase();
        }
    }
    counted
}

/// Deletes what belongs to the counters.
fn delete_counters(ir: &Ir<'_>) {
    // Unused code is dropped later, unless it is marked as used.
    for name in ["llvm.used", "llvm.compiler.used"] {
        if let Some(list) = ir
            .globals()
            .into_iter()
            .find(|global| global.name() == name)
        {
            list.delete_global();
        }
    }
    for function in ir.functions() {
        if function.name().starts_with(COUNTER) && function.users().is_empty() {
            function.delete_function();
        }
    }
}

struct Marking<'i, 'm> {
    ir: &'i Ir<'m>,
    goals: Vec<Goal>,
    /// The goals of conditions that clang's regions have. Of one with `?:` clang branches in each arm; all
    /// of these branchings lead to the same two blocks.
    conditions: BTreeMap<Condition, [u64; 2]>,
}

/// A condition of the source: file, beginning and end, and where it leads if it holds and if not.
type Condition = (String, Position, Position, [Block; 2]);

impl Marking<'_, '_> {
    /// Adds a goal; gives its number.
    fn add(&mut self, goal: Goal) -> u64 {
        self.goals.push(goal);
        self.goals.len() as u64 - 1
    }

    /// A call before this instruction.
    fn mark(&self, instruction: Value, number: u64) {
        self.ir.before(instruction);
        self.call(number);
    }

    fn call(&self, number: u64) {
        let ir = self.ir;
        let goal = ir.declare(&format!("{RUNTIME_PREFIX}goal"), ir.void(), &[ir.int(32)]);
        ir.call(goal, &[ir.constant(ir.int(32), number)], "");
    }

    /// A call in each block before the first instruction of each of its lines.
    fn lines(&mut self, source: &SourceFunction, blocks: &[Block]) {
        let mut numbers: BTreeMap<(String, u32), u64> = BTreeMap::new();
        for block in blocks {
            let mut seen = BTreeSet::new();
            let mut next = block.successors().into_iter();
            let falls_through = next.any(|next| next.name().starts_with(PAST_COUNTER));
            for instruction in block.instructions() {
                let is_code = !matches!(
                    instruction.opcode(),
                    LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMLandingPad
                );
                let is_note = |name: String| name.starts_with("llvm.dbg.");
                let is_jump = instruction.opcode() == LLVMOpcode::LLVMBr;
                if !is_code
                    || (is_jump && falls_through)
                    || instruction.callee_name().is_some_and(is_note)
                {
                    continue;
                }
                let (file, line, _) = instruction.source_place();
                if line == 0 || !seen.insert((file.clone(), line)) {
                    continue;
                }
                let number = match numbers.get(&(file.clone(), line)) {
                    Some(number) => *number,
                    None => {
                        let goal = source.goal(GoalKind::Line, &file, (line, 0), None);
                        let number = self.add(goal);
                        numbers.insert((file, line), number);
                        number
                    }
                };
                self.mark(instruction, number);
            }
        }
    }

    /// The sides of the branchings in a block: at its end, and those without separate blocks.
    fn branching(&mut self, source: &SourceFunction, block: Block) {
        for instruction in block.instructions() {
            if instruction.opcode() == LLVMOpcode::LLVMSelect
                && instruction.operand(0).ty().int_bits() == 1
            {
                self.choice(source, instruction);
            }
        }
        let Some(end) = block.terminator() else {
            return;
        };
        let successors = block.successors();
        match end.opcode() {
            LLVMOpcode::LLVMBr if successors.len() == 2 => {
                let is_of_checks = successors.iter().any(|to| is_of_checks(*to));
                if !is_of_checks && !source.is_joined(end.operand(0)) {
                    self.condition(source, end, &successors);
                }
            }
            LLVMOpcode::LLVMSwitch => self.cases(source, end, &successors),
            _ => {}
        }
    }

    fn condition(&mut self, source: &SourceFunction, end: Value, successors: &[Block]) {
        let (file, position, extent) = source.place(end.operand(0), end);
        let [first, second] = [successors[0], successors[1]];
        let text = extent.and_then(|to| source.text(&file, position, to));
        let names = || leads_to_the_other(&clang_name(first), &clang_name(second));
        let is_negated = match text {
            // Of the arms, each of which may be a negation, or none.
            Some(text) if text.contains('?') => names(),
            // Clang branches on what is after `!`, where it does not compute the negation.
            Some(text) => is_negation(&text) && !is_computed_negation(end.operand(0)),
            None => names(),
        };
        let (at_true, at_false) = match is_negated {
            true => (second, first),
            false => (first, second),
        };
        let known = extent.map(|to| {
            let leads_to = [past_split(at_true), past_split(at_false)];
            (file.clone(), position, to, leads_to)
        });
        let numbers = known.as_ref().and_then(|known| self.conditions.get(known));
        let numbers = numbers.copied().unwrap_or_else(|| {
            [Side::True, Side::False].map(|side| {
                let goal = source.goal(GoalKind::Branch(side), &file, position, extent);
                self.add(goal)
            })
        });
        if let Some(known) = known {
            self.conditions.insert(known, numbers);
        }
        for (to, number) in [at_true, at_false].into_iter().zip(numbers) {
            self.at_beginning(to, end, number);
        }
    }

    fn cases(&mut self, source: &SourceFunction, end: Value, successors: &[Block]) {
        let (file, position, extent) = source.place(end.operand(0), end);
        let operands = end.operands();
        for (index, to) in successors.iter().enumerate() {
            let side = match index {
                0 => Side::Default,
                _ => Side::Case(operands[2 * index].as_i64().unwrap_or_default()),
            };
            let goal = source.goal(GoalKind::Branch(side), &file, position, extent);
            let number = self.add(goal);
            self.at_beginning(*to, end, number);
        }
    }

    /// A call at the beginning of a block, with the place of the branching that leads there.
    fn at_beginning(&self, block: Block, branching: Value, number: u64) {
        self.ir.before(block.first_insertion_point(true));
        self.ir.at_place_of(branching);
        self.call(number);
    }

    /// Both sides of a choice between two values: a function of the condition, which is inlined.
    fn choice(&mut self, source: &SourceFunction, select: Value) {
        let (file, position, extent) = source.place(select.operand(0), select);
        let sides = [Side::True, Side::False].map(|side| {
            let goal = source.goal(GoalKind::Branch(side), &file, position, extent);
            self.add(goal)
        });
        let ir = self.ir;
        let name = format!("{RUNTIME_PREFIX}choice.{}", sides[0]);
        let function = ir.declare(&name, ir.void(), &[ir.int(1)]);
        let entry = ir.append_block(function, "entry");
        let blocks = sides.map(|_| ir.append_block(function, "side"));
        ir.at_no_place();
        ir.at_end(entry);
        ir.branch(function.params()[0], blocks[0], blocks[1]);
        for (block, number) in blocks.into_iter().zip(sides) {
            ir.at_end(block);
            self.call(number);
            ir.ret(None);
        }
        function.set_internal();
        ir.add_attribute(function, "alwaysinline", 0);
        ir.before(select);
        ir.call(function, &[select.operand(0)], "");
    }

    fn calls(&mut self, source: &SourceFunction, instructions: &[Value]) {
        for call in instructions {
            let Some(name) = call.callee_name() else {
                continue;
            };
            if DEFAULT_FUNCTIONS.contains(&name.as_str()) {
                let (file, line, column) = call.source_place();
                let kind = GoalKind::Call(name);
                let goal = source.goal(kind, &file, (line, column), None);
                let number = self.add(goal);
                self.mark(*call, number);
            }
        }
    }

    /// The branchings of which clang made no code; `counted` are the counters that it did count up.
    fn without_code(&mut self, source: &SourceFunction, counted: &BTreeSet<u32>) {
        // What has no extent comes from macros of the system.
        let has_extent = |region: &&Region| region.is_branching && region.from < region.to;
        let branchings = source.regions.iter().filter(has_extent);
        for region in branchings {
            let (sides, why): (&[Side], _) = if region.counters.is_empty() {
                (&[Side::Excluded], WithoutCode::ConstantCondition)
            } else if region.counters.is_disjoint(counted) {
                // Both its counts are made of counters that stay 0. One such counter says nothing: what
                // follows a jump that has no code is counted without it.
                (&[Side::True, Side::False], WithoutCode::NothingLeadsThere)
            } else {
                continue;
            };
            for side in sides {
                let kind = GoalKind::Branch(*side);
                let mut goal = source.goal(kind, &source.file, region.from, Some(region.to));
                goal.without_code = Some(why);
                self.add(goal);
            }
        }
    }

    /// The lines of blocks of which clang made no code.
    fn lines_without_code(&mut self, source: &SourceFunction, counted: &BTreeSet<u32>) {
        let is_dropped = |region: &&Region| {
            !region.is_branching
                && region.counters.len() == 1
                && region.counters.is_disjoint(counted)
        };
        let mut lines = BTreeSet::new();
        for region in source.regions.iter().filter(is_dropped) {
            // A block begins on the line of its condition.
            let first = region.from.0 + u32::from(region.from.0 < region.to.0);
            lines.extend(first..=region.to.0);
        }
        self.without_code_on(source, lines, WithoutCode::NothingLeadsThere);
    }

    /// Lines that have something to execute, as far as their text tells, and no code.
    fn without_code_on(
        &mut self,
        source: &SourceFunction,
        lines: impl IntoIterator<Item = u32>,
        why: WithoutCode,
    ) {
        let text = std::fs::read_to_string(&source.file).unwrap_or_default();
        let text: Vec<&str> = text.lines().collect();
        for line in lines {
            let is_known = |goal: &Goal| {
                goal.kind == GoalKind::Line && goal.line == line && goal.file == source.file
            };
            let shown = (line as usize)
                .checked_sub(1)
                .and_then(|index| text.get(index));
            let shown = shown.map_or("", |text| text.trim());
            let is_comment = ["//", "/*", "*"].iter().any(|mark| shown.starts_with(mark));
            let has_words = shown.contains(|c: char| c.is_ascii_alphanumeric());
            if has_words && !is_comment && !self.goals.iter().any(is_known) {
                let mut goal = source.goal(GoalKind::Line, &source.file, (line, 0), None);
                goal.without_code = Some(why);
                self.add(goal);
            }
        }
    }

    /// A function of the file of which clang made no code; clang names those of headers too.
    fn unused(&mut self, unused: &Regions) {
        let Some(body) = unused.all.first() else {
            return;
        };
        let text = std::fs::read_to_string(&unused.file).unwrap_or_default();
        let to_body = text.lines().take(body.from.0 as usize);
        let mut before = to_body.skip((body.from.0 as usize).saturating_sub(HEAD_LINES));
        let name = in_source(&unused.function);
        let last = name.rsplit("::").next().unwrap_or_default();
        if !before.any(|line| line.contains(last)) {
            return;
        }
        let source = SourceFunction {
            name: name.to_string(),
            file: unused.file.to_string_lossy().into_owned(),
            lines: Vec::new(),
            regions: &[],
        };
        let lines = body.from.0..=body.to.0;
        self.without_code_on(&source, lines, WithoutCode::UnusedFunction);
    }
}

impl SourceFunction<'_> {
    fn goal(&self, kind: GoalKind, file: &str, at: Position, end: Option<Position>) -> Goal {
        Goal {
            kind,
            function: self.name.clone(),
            file: file.to_owned(),
            line: at.0,
            column: at.1,
            end,
            without_code: None,
        }
    }

    /// The text from one position to another, of one line; `None` if it cannot be read.
    fn text(&self, file: &str, from: Position, to: Position) -> Option<String> {
        if file != self.file || from.0 != to.0 {
            return None;
        }
        let line = self.lines.get((from.0 as usize).checked_sub(1)?)?;
        let range = (from.1 as usize).checked_sub(1)?..(to.1 as usize).checked_sub(1)?;
        line.get(range).map(str::to_owned)
    }

    /// Where the first `?` stands that is in no brackets, in an expression that begins at this position of
    /// the file.
    fn question_mark(&self, from: Position) -> Option<Position> {
        let lines = self
            .lines
            .iter()
            .zip(1..)
            .skip((from.0 as usize).saturating_sub(1));
        let mut depth = 0u32;
        let mut is_comment = false;
        for (line, number) in lines {
            let first = match number == from.0 {
                true => (from.1 as usize).saturating_sub(1),
                false => 0,
            };
            let line = line.as_bytes();
            let mut quote = None;
            let mut at = first;
            while let Some(c) = line.get(at).copied() {
                let two = &line[at..line.len().min(at + 2)];
                at += 1;
                match (quote, c) {
                    (Some(_), b'\\') => at += 1,
                    (Some(open), _) if open == c => quote = None,
                    (Some(_), _) => {}
                    (None, _) if is_comment || two == b"/*" => {
                        is_comment = two != b"*/";
                        at += usize::from(!is_comment || two == b"/*");
                    }
                    (None, _) if two == b"//" => break,
                    (None, b'"' | b'\'') => quote = Some(c),
                    (None, b'(' | b'[' | b'{') => depth += 1,
                    (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
                    (None, b';') if depth == 0 => return None,
                    (None, b'?') if depth == 0 => return Some((number, u32::try_from(at).ok()?)),
                    (None, _) => {}
                }
            }
        }
        None
    }

    /// Whether a condition is what `&&` or `||` gives, whose operands have separate branchings: as
    /// clang compiles for coverage, each of them has.
    fn is_joined(&self, condition: Value) -> bool {
        let is_join = condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMPHI;
        is_join && !self.regions.is_empty()
    }

    /// Where a condition stands, as clang's regions have it where they do: file, beginning and end.
    fn place(&self, condition: Value, branching: Value) -> (String, Position, Option<Position>) {
        let of = |value: Value| {
            let (file, line, column) = value.source_place();
            (line > 0).then_some((file, (line, column)))
        };
        let region_of = |value: Value| {
            let (file, position) = of(value)?;
            if file != self.file {
                return None;
            }
            // What `?:` gives stands where its condition begins, which may be a region too.
            let mark = match is_choice(value) {
                true => self.question_mark(position)?,
                false => position,
            };
            let around = self.regions.iter().filter(|region| {
                region.is_branching && region.contains(position) && region.contains(mark)
            });
            // The smallest: conditions of `?:` may stand within others.
            around.max_by_key(|region| (region.from, std::cmp::Reverse(region.to)))
        };
        // The test of an operand of `&&` may stand at the operator, and what it tests where it is.
        let mut values = vec![condition];
        while let Some(last) = values.last().copied()
            && is_test(last)
            && values.len() <= MOST_TESTS
        {
            values.push(last.operand(0));
        }
        let innermost = values.last().copied().unwrap_or(condition);
        values.reverse();
        // What is behind macros of the system may have no place.
        let mut value = innermost;
        while values.len() <= 2 * MOST_TESTS && value.is_instruction() && !is_choice(value) {
            match value.operands().first() {
                Some(operand) => value = *operand,
                None => break,
            }
            values.push(value);
        }
        let instructions = values.into_iter().filter(|value| value.is_instruction());
        if let Some(region) = instructions.into_iter().find_map(region_of) {
            return (self.file.clone(), region.from, Some(region.to));
        }
        let known = condition.is_instruction().then(|| of(condition)).flatten();
        match known.or_else(|| of(branching)) {
            Some((file, position)) => (file, position, None),
            None => (self.file.clone(), (0, 0), None),
        }
    }
}

/// The block to which an edge leads, through a block that only splits the edge.
fn past_split(block: Block) -> Block {
    match (
        block.name().ends_with("_crit_edge"),
        block.successors().as_slice(),
    ) {
        (true, [only]) => *only,
        _ => block,
    }
}

/// Clang's name of the block to which an edge leads.
fn clang_name(block: Block) -> String {
    past_split(block).name()
}

/// Whether a value is what `?:` gives, or an operator that joins two others.
fn is_choice(value: Value) -> bool {
    value.is_instruction() && matches!(value.opcode(), LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMSelect)
}

/// Whether an instruction only makes a condition of a value of the source, or a number of a condition.
fn is_test(value: Value) -> bool {
    value.is_instruction()
        && match value.opcode() {
            LLVMOpcode::LLVMZExt | LLVMOpcode::LLVMTrunc => true,
            LLVMOpcode::LLVMICmp | LLVMOpcode::LLVMFCmp => value.operand(1).is_zero(),
            LLVMOpcode::LLVMXor => value.ty().int_bits() == 1,
            _ => false,
        }
}

/// Whether an expression of C is the negation of an operand without operators of its own.
fn is_negation(text: &str) -> bool {
    let operand = text.trim_start_matches(['!', ' ']);
    let n_leading = text[..text.len() - operand.len()].matches('!').count();
    let mut depth = 0i32;
    let mut before = ' ';
    for c in operand.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            // Of `->`.
            '>' if before == '-' => {}
            _ if before == '-' && depth == 0 => return false,
            '=' | '<' | '>' | '+' | '*' | '/' | '%' | '&' | '|' | '^' | '?' if depth == 0 => {
                return false;
            }
            _ => {}
        }
        before = c;
    }
    n_leading % 2 == 1
}

fn is_computed_negation(condition: Value) -> bool {
    condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMXor
}

/// Whether the first successor is where the condition of the source does not hold, as for `!x`, by
/// clang's names of the two.
fn leads_to_the_other(first: &str, second: &str) -> bool {
    let is_one_of = |name: &str, names: &[&str]| names.iter().any(|start| name.starts_with(start));
    let first_is_true = is_one_of(first, &WHERE_TRUE) && !first.starts_with("land.end");
    let second_is_false = is_one_of(second, &WHERE_FALSE) || second.starts_with("land.end");
    if first_is_true || second_is_false {
        return false;
    }
    is_one_of(first, &WHERE_FALSE)
        || first.starts_with("land.end")
        || (is_one_of(second, &WHERE_TRUE) && !second.starts_with("land.end"))
}

/// Clang's names of blocks behind conditions that the source does not have: checks, and in C++ what
/// `delete`, arrays of objects, pointers to members, casts and static variables ask.
const GENERATED: [&str; 10] = [
    "handler.",
    "trap",
    "delete.",
    "arrayctor.",
    "arraydestroy.",
    "new.",
    "memptr.",
    "cast.",
    "dynamic_cast.",
    "init.check",
];

/// Whether a block belongs to a check that clang put in, or what else the source does not ask.
fn is_of_checks(block: Block) -> bool {
    let name = block.name();
    name == "init" || GENERATED.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::is_negation;

    #[test]
    fn negations_are_told_from_what_begins_with_one() {
        for text in ["!x", "! p->next", "!(a == b)", "!f(a + 1)", "!!!x"] {
            assert!(is_negation(text), "{text}");
        }
        for text in ["x", "!x == y", "!!x", "x != 3", "!a & b", "f(!x)"] {
            assert!(!is_negation(text), "{text}");
        }
    }
}
