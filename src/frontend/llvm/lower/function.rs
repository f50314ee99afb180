//! One function: registers for all results, then block by block.

use super::emitter::Emitter;
use super::layout::Scalar;
use super::operands::count_uses;
use super::{Lowered, Refusal, Tables, expr, symbols};
use flowgraph::{Action, Builtin, Expr, Function, Granularity, NodeId, RegId, Span};
use indexmap::{IndexMap, IndexSet};
use llvm_ir::function::ParameterAttribute;
use llvm_ir::{BasicBlock, HasDebugLoc, Instruction, Name, Operand, Terminator, Type};

/// How a result is held.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Reg(RegId),
    /// An aggregate: a register for each scalar.
    Leaves(Vec<RegId>),
    /// Fused into its only use.
    Expr(Expr),
}

/// Instructions that are fused into one branch at most; `verify` examines all combinations of the
/// comparisons in a condition.
const MAX_FUSED: usize = 8;

/// State of lowering one function.
pub(super) struct Lowerer<'t, 'm> {
    pub tables: &'t Tables<'m>,
    pub function: &'t llvm_ir::Function,
    pub emit: Emitter,
    pub slots: IndexMap<Name, Slot>,
    pub uses: IndexMap<Name, u32>,
    /// Comparisons and the like that are used only by their block's branch.
    fused: IndexSet<Name>,
    nodes: IndexMap<Name, NodeId>,
    /// Blocks by the names that people see.
    shown: IndexMap<String, Name>,
    /// Blocks that have a node and are not lowered yet.
    todo: Vec<Name>,
}

pub(super) fn lower_function(tables: &Tables<'_>, function: &llvm_ir::Function) -> Function {
    let mut lowerer = Lowerer {
        tables,
        function,
        emit: Emitter::new(&function.name, tables.granularity),
        slots: IndexMap::new(),
        uses: count_uses(function),
        fused: IndexSet::new(),
        nodes: IndexMap::new(),
        shown: IndexMap::new(),
        todo: Vec::new(),
    };
    lowerer
        .emit
        .builder
        .set_result_bits(tables.packed_bits(&function.return_type));
    let refused = lowerer.make_params().err();
    lowerer.find_fused();
    lowerer.make_registers();
    let blocks: IndexMap<&Name, &BasicBlock> = function
        .basic_blocks
        .iter()
        .map(|block| (&block.name, block))
        .collect();
    let first = &function.basic_blocks[0];
    let entry = lowerer.node(&first.name);
    lowerer.emit.builder.set_entry(entry);
    if let Some(Refusal(what)) = refused {
        lowerer.todo.clear();
        lowerer.emit.start_block(entry, "entry");
        lowerer
            .emit
            .last(Action::Unsupported(what), Span::default());
        return lowerer.emit.finish();
    }
    let mut is_first = true;
    while let Some(name) = lowerer.todo.pop() {
        let node = lowerer.nodes[&name];
        let shown = lowerer.shown_block(&name);
        lowerer.emit.start_block(node, &shown);
        if is_first {
            lowerer.copy_by_value_params();
            is_first = false;
        }
        lowerer.lower_block(blocks[&name]);
    }
    lowerer.emit.finish()
}

/// A function that is only declared, but whose address is taken: it calls itself by name.
pub(super) fn lower_stub(tables: &Tables<'_>, name: &str) -> Function {
    let mut emit = Emitter::new(name, tables.granularity);
    let declaration = tables
        .module
        .func_declarations
        .iter()
        .find(|d| d.name == name);
    let mut args = Vec::new();
    let mut result = None;
    if let Some(declaration) = declaration {
        for (number, param) in declaration.parameters.iter().enumerate() {
            if let Some(scalar) = tables.layout.scalar(&param.ty) {
                let name = format!("arg{number}");
                let reg = emit.builder.add_param(&name, scalar.bits, scalar.pointer);
                args.push((expr::reg(reg), scalar.bits));
            }
        }
        result = tables.layout.scalar(&declaration.return_type);
        emit.builder
            .set_result_bits(tables.packed_bits(&declaration.return_type));
    }
    let dst = result.map(|scalar| emit.builder.add_reg("result", scalar.bits, scalar.pointer));
    let entry = emit.builder.add_node("entry", Span::default());
    emit.start_block(entry, "entry");
    match tables.known_call(
        &mut emit,
        name,
        &args,
        dst,
        &[name.to_owned()],
        Span::default(),
    ) {
        Ok(true) => {
            if !emit.has_ended() {
                emit.last(Action::Return(dst.map(expr::reg)), Span::default());
            }
        }
        Ok(false) => emit.last(
            Action::Unsupported(format!("call of {name}")),
            Span::default(),
        ),
        Err(Refusal(what)) => emit.last(Action::Unsupported(what), Span::default()),
    }
    emit.finish()
}

/// LLVM's name, or `b3` for a block without one.
fn block_name(name: &Name) -> String {
    match name {
        Name::Name(name) => name.to_string(),
        Name::Number(number) => format!("b{number}"),
    }
}

/// LLVM's name, or `t3` for a result without one.
pub(super) fn value_name(name: &Name) -> String {
    match name {
        Name::Name(name) => name.to_string(),
        Name::Number(number) => format!("t{number}"),
    }
}

impl Tables<'_> {
    /// Bits of a function's result: an aggregate is packed into one number, its first scalar in
    /// the low bits. `None` for `void` and for what is not lowered.
    pub(super) fn packed_bits(&self, ty: &Type) -> Option<u32> {
        if matches!(ty, Type::VoidType) {
            return None;
        }
        let leaves = self.layout.leaves(ty)?;
        let bits: u32 = leaves.iter().map(|leaf| leaf.scalar.bits).sum();
        (bits > 0).then_some(bits)
    }
}

impl Lowerer<'_, '_> {
    pub fn span_of(&self, item: &impl HasDebugLoc) -> Span {
        self.tables.span(item.get_debug_loc().as_ref())
    }

    fn make_params(&mut self) -> Lowered<()> {
        // main's parameters are inputs in its body.
        if self.function.name == "main" {
            return Ok(());
        }
        for param in &self.function.parameters {
            let name = value_name(&param.name);
            let leaves = self
                .tables
                .layout
                .leaves(&param.ty)
                .ok_or_else(|| Refusal::new(format!("parameter of type {}", param.ty)))?;
            let mut regs = Vec::new();
            for leaf in &leaves {
                let Scalar { bits, pointer } = leaf.scalar;
                regs.push(self.emit.builder.add_param(&name, bits, pointer));
            }
            let is_scalar = self.tables.layout.scalar(&param.ty).is_some();
            let slot = match regs.as_slice() {
                [reg] if is_scalar => Slot::Reg(*reg),
                _ => Slot::Leaves(regs),
            };
            self.slots.insert(param.name.clone(), slot);
        }
        Ok(())
    }

    /// A `byval` parameter points to a copy that the callee owns.
    fn copy_by_value_params(&mut self) {
        if self.function.name == "main" {
            return;
        }
        let pointer_bits = self.tables.layout.pointer_bits();
        for param in &self.function.parameters {
            let by_value = param
                .attributes
                .iter()
                .find_map(|attribute| match attribute {
                    ParameterAttribute::ByVal(ty) => Some(ty),
                    _ => None,
                });
            let (Some(ty), Some(Slot::Reg(original))) = (by_value, self.slots.get(&param.name))
            else {
                continue;
            };
            let original = *original;
            let Some(size) = self.tables.layout.size(ty) else {
                continue;
            };
            let name = value_name(&param.name);
            let copy = self
                .emit
                .builder
                .add_reg(&format!("{name}.copy"), pointer_bits, true);
            let bytes = expr::int(pointer_bits, size);
            let align = (param.attributes.iter())
                .find_map(|attribute| match attribute {
                    ParameterAttribute::Alignment(align) => Some(*align),
                    _ => None,
                })
                .unwrap_or(1);
            let span = Span::default();
            self.emit.push(
                Action::Alloca {
                    dst: copy,
                    bytes: bytes.clone(),
                    align,
                    name,
                },
                span,
            );
            self.emit.push(
                Action::Builtin {
                    dst: None,
                    builtin: Builtin::MemCopy,
                    args: vec![expr::reg(copy), expr::reg(original), bytes],
                    name: None,
                },
                span,
            );
            self.slots.insert(param.name.clone(), Slot::Reg(copy));
        }
    }

    /// With `Granularity::Block`: comparisons, and the Boolean glue that C compilers put around
    /// them, that only the branch of the same block uses.
    fn find_fused(&mut self) {
        if self.tables.granularity == Granularity::Split {
            return;
        }
        for block in &self.function.basic_blocks {
            let Terminator::CondBr(branch) = &block.term else {
                continue;
            };
            let results: IndexMap<&Name, &Instruction> = block
                .instrs
                .iter()
                .filter_map(|instruction| Some((instruction.try_get_result()?, instruction)))
                .collect();
            let mut todo = vec![&branch.condition];
            let mut n_fused = 0;
            while let Some(operand) = todo.pop() {
                if n_fused == MAX_FUSED {
                    break;
                }
                let Operand::LocalOperand { name, .. } = operand else {
                    continue;
                };
                if self.uses.get(name) != Some(&1) {
                    continue;
                }
                let Some(instruction) = results.get(name) else {
                    continue;
                };
                if !self.is_boolean_glue(instruction) {
                    continue;
                }
                self.fused.insert(name.clone());
                n_fused += 1;
                match instruction {
                    Instruction::ICmp(op) => todo.extend([&op.operand0, &op.operand1]),
                    Instruction::Xor(op) => todo.extend([&op.operand0, &op.operand1]),
                    Instruction::And(op) => todo.extend([&op.operand0, &op.operand1]),
                    Instruction::Or(op) => todo.extend([&op.operand0, &op.operand1]),
                    Instruction::ZExt(op) => todo.push(&op.operand),
                    _ => {}
                }
            }
        }
    }

    fn is_boolean_glue(&self, instruction: &Instruction) -> bool {
        let is_bool = |operand: &Operand| {
            matches!(
                *self.tables.layout.type_of(operand),
                Type::IntegerType { bits: 1 }
            )
        };
        match instruction {
            Instruction::ICmp(op) => {
                let ty = self.tables.layout.type_of(&op.operand0);
                matches!(*ty, Type::IntegerType { .. } | Type::PointerType { .. })
            }
            Instruction::Xor(op) => is_bool(&op.operand0),
            Instruction::And(op) => is_bool(&op.operand0),
            Instruction::Or(op) => is_bool(&op.operand0),
            Instruction::ZExt(op) => is_bool(&op.operand),
            _ => false,
        }
    }

    /// Registers for all results: phis are assigned before their block is lowered.
    fn make_registers(&mut self) {
        for block in &self.function.basic_blocks {
            for instruction in &block.instrs {
                let Some(name) = instruction.try_get_result() else {
                    continue;
                };
                if self.fused.contains(name) {
                    continue;
                }
                let ty = self.tables.layout.type_of(instruction);
                if matches!(*ty, Type::VoidType) {
                    continue;
                }
                if let Some(slot) = self.new_slot(&value_name(name), &ty) {
                    self.slots.insert(name.clone(), slot);
                }
            }
        }
    }

    /// `None` for types that are not held in registers.
    fn new_slot(&mut self, name: &str, ty: &Type) -> Option<Slot> {
        if let Some(Scalar { bits, pointer }) = self.tables.layout.scalar(ty) {
            return Some(Slot::Reg(self.emit.builder.add_reg(name, bits, pointer)));
        }
        let leaves = self.tables.layout.leaves(ty)?;
        let regs = leaves.iter().enumerate().map(|(number, leaf)| {
            let name = format!("{name}.f{number}");
            self.emit
                .builder
                .add_reg(&name, leaf.scalar.bits, leaf.scalar.pointer)
        });
        Some(Slot::Leaves(regs.collect()))
    }

    /// The node of a block; the block is then lowered some time.
    pub fn node(&mut self, name: &Name) -> NodeId {
        if let Some(&node) = self.nodes.get(name) {
            return node;
        }
        let block = self
            .function
            .basic_blocks
            .iter()
            .find(|block| block.name == *name)
            .expect("branches go to blocks of the function");
        let span = block
            .instrs
            .iter()
            .filter(|instruction| !matches!(instruction, Instruction::Phi(_)))
            .map(|instruction| self.span_of(instruction))
            .find(|span| span.line != 0)
            .unwrap_or_else(|| self.span_of(&block.term));
        let name_of_block = block_name(name);
        let known = self.tables.loop_at(&self.function.name, &name_of_block);
        let (span, last_line) = known.map_or((span, None), |(at, last)| (at, Some(last)));
        let shown = self.shown_block(name);
        let node = self.emit.builder.add_node(&shown, span);
        if let Some(last_line) = last_line {
            self.emit.builder.set_loop_end(node, last_line);
        }
        self.nodes.insert(name.clone(), node);
        self.todo.push(name.clone());
        node
    }

    /// The name of a block for people: inlining names some after the function's symbol.
    fn shown_block(&mut self, name: &Name) -> String {
        let plain = block_name(name);
        let shown = match plain.split_once('.') {
            Some((symbol, rest)) => format!("{}.{rest}", symbols::in_source(symbol)),
            None => plain.clone(),
        };
        match self.shown.entry(shown) {
            indexmap::map::Entry::Occupied(known) if known.get() != name => plain,
            entry => {
                let shown = entry.key().clone();
                entry.or_insert_with(|| name.clone());
                shown
            }
        }
    }

    fn lower_block(&mut self, block: &BasicBlock) {
        for instruction in &block.instrs {
            let span = self.span_of(instruction);
            if let Err(Refusal(what)) = self.lower_instruction(instruction, span) {
                self.emit.last(Action::Unsupported(what), span);
            }
            if self.emit.has_ended() {
                return;
            }
        }
        let span = self.span_of(&block.term);
        if let Err(Refusal(what)) = self.lower_terminator(block, span) {
            self.emit.last(Action::Unsupported(what), span);
        }
    }

    fn lower_instruction(&mut self, instruction: &Instruction, span: Span) -> Lowered<()> {
        match instruction {
            Instruction::Phi(_) | Instruction::Fence(_) => Ok(()),
            Instruction::Alloca(alloca) => self.lower_alloca(alloca, span),
            Instruction::Load(load) => self.lower_load(load, span),
            Instruction::Store(store) => self.lower_store(store, span),
            Instruction::GetElementPtr(gep) => self.lower_gep(gep, span),
            Instruction::AtomicRMW(rmw) => self.lower_atomic_rmw(rmw, span),
            Instruction::CmpXchg(exchange) => self.lower_compare_exchange(exchange, span),
            Instruction::ExtractValue(extract) => self.lower_extract_value(extract, span),
            Instruction::InsertValue(insert) => self.lower_insert_value(insert, span),
            Instruction::Select(select) => self.lower_select(select, span),
            Instruction::Freeze(freeze) => {
                let values = self.leaves(&freeze.operand)?;
                self.assign_all(&freeze.dest, values, span)
            }
            Instruction::ICmp(compare) => self.lower_icmp(compare, span),
            Instruction::Call(call) => self.lower_call(call, span),
            _ if self.lower_binary(instruction, span)? => Ok(()),
            _ if self.lower_cast(instruction, span)? => Ok(()),
            _ if self.lower_float(instruction, span)? => Ok(()),
            _ if self.lower_element(instruction, span)? => Ok(()),
            _ => Err(Refusal::new(mnemonic(instruction))),
        }
    }

    /// The value of a scalar operand.
    pub fn operand(&self, operand: &Operand) -> Lowered<Expr> {
        match operand {
            Operand::LocalOperand { name, ty } => match self.slots.get(name) {
                Some(Slot::Reg(reg)) => Ok(expr::reg(*reg)),
                Some(Slot::Expr(value)) => Ok(value.clone()),
                Some(Slot::Leaves(_)) | None => Err(Refusal::new(format!("value of type {ty}"))),
            },
            Operand::ConstantOperand(constant) => self.tables.constant(constant),
            Operand::MetadataOperand => Err(Refusal::new("metadata")),
        }
    }

    /// Bits of a scalar operand.
    pub fn operand_bits(&self, operand: &Operand) -> Lowered<u32> {
        let ty = self.tables.layout.type_of(operand);
        Ok(self.tables.layout.expect_scalar(&ty)?.bits)
    }

    /// The scalars of an operand, in order; one if it is a scalar itself.
    pub fn leaves(&self, operand: &Operand) -> Lowered<Vec<Expr>> {
        match operand {
            Operand::LocalOperand { name, .. } => match self.slots.get(name) {
                Some(Slot::Leaves(regs)) => Ok(regs.iter().copied().map(expr::reg).collect()),
                _ => Ok(vec![self.operand(operand)?]),
            },
            Operand::ConstantOperand(constant) => self.tables.constant_leaves(constant),
            Operand::MetadataOperand => Err(Refusal::new("metadata")),
        }
    }

    /// The register of a scalar result.
    pub fn dst(&self, name: &Name) -> Lowered<RegId> {
        match self.slots.get(name) {
            Some(Slot::Reg(reg)) => Ok(*reg),
            _ => Err(Refusal::new("result of an aggregate type")),
        }
    }

    /// The registers of a result.
    pub fn dst_leaves(&self, name: &Name) -> Lowered<Vec<RegId>> {
        match self.slots.get(name) {
            Some(Slot::Reg(reg)) => Ok(vec![*reg]),
            Some(Slot::Leaves(regs)) => Ok(regs.clone()),
            Some(Slot::Expr(_)) | None => Err(Refusal::new("result of an unsupported type")),
        }
    }

    /// Gives a scalar result its value; a fused one only remembers it.
    pub fn assign(&mut self, name: &Name, value: Expr, span: Span) -> Lowered<()> {
        if self.fused.contains(name) {
            self.slots.insert(name.clone(), Slot::Expr(value));
            return Ok(());
        }
        let dst = self.dst(name)?;
        self.emit.assign(dst, value, span);
        Ok(())
    }

    /// Gives a result the values of its scalars.
    pub fn assign_all(&mut self, name: &Name, values: Vec<Expr>, span: Span) -> Lowered<()> {
        let regs = self.dst_leaves(name)?;
        if regs.len() != values.len() {
            return Err(Refusal::new("aggregates of different shape"));
        }
        let assignments: Vec<(RegId, Expr)> = regs.into_iter().zip(values).collect();
        if !assignments.is_empty() {
            self.emit.push(Action::Assign(assignments), span);
        }
        Ok(())
    }

    /// Whether the result is needed.
    pub fn is_used(&self, name: &Name) -> bool {
        self.uses.get(name).is_some_and(|uses| *uses > 0)
    }

    pub fn is_fused(&self, name: &Name) -> bool {
        self.fused.contains(name)
    }
}

/// LLVM's name of an instruction that is not lowered.
fn mnemonic(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::FRem(_) => "frem",
        Instruction::ShuffleVector(_) => "shufflevector",
        Instruction::AddrSpaceCast(_) => "addrspacecast",
        Instruction::VAArg(_) => "va_arg",
        Instruction::LandingPad(_) => "landingpad",
        Instruction::CatchPad(_) => "catchpad",
        Instruction::CleanupPad(_) => "cleanuppad",
        _ => "vector arithmetic",
    }
}
