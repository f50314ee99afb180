//! Prints programs in text form.

use super::names::{Align, Name, Names, Quoted};
use crate::{
    Function, Global, Granularity, Initializer, Program, RegData, RegId, Span, Step, Storage,
    handle_count,
};
use std::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = Names::global(self);
        let granularity = match self.granularity {
            Granularity::Split => "split",
            Granularity::Block => "block",
        };
        writeln!(
            f,
            "program {granularity} pointers {} main {}",
            self.pointer_bits,
            names.function(self.main)
        )?;
        for file in &self.files {
            writeln!(f, "file {}", Quoted(file))?;
        }
        for global in &self.globals {
            write_global(f, names, global)?;
        }
        for function in &self.functions {
            writeln!(f)?;
            write_function(f, self.names(function), function)?;
        }
        Ok(())
    }
}

fn write_global(f: &mut Formatter<'_>, names: Names<'_>, global: &Global) -> fmt::Result {
    let storage = match global.storage {
        Storage::Variable => "",
        Storage::Constant => " const",
        Storage::Literal => " literal",
    };
    write!(
        f,
        "global @{} {}{}{storage} ",
        Name(&global.name),
        global.bytes,
        Align(global.align)
    )?;
    match &global.initializer {
        Initializer::Zero => write!(f, "zero")?,
        Initializer::Extern => write!(f, "extern")?,
        Initializer::Bytes { bytes, addresses } => {
            write!(f, "hex \"")?;
            for byte in bytes {
                write!(f, "{byte:02x}")?;
            }
            write!(f, "\"")?;
            for (offset, address) in addresses {
                write!(f, ", {offset} = {}", names.expr(address))?;
            }
        }
    }
    writeln!(f)
}

fn write_function(f: &mut Formatter<'_>, names: Names<'_>, function: &Function) -> fmt::Result {
    // Parameters that are the first registers in order are declared where they are listed.
    let declared = function
        .params
        .iter()
        .zip(0..)
        .all(|(&param, position)| param == RegId(position));
    write!(f, "fn @{}(", Name(&function.name))?;
    for (position, &param) in function.params.iter().enumerate() {
        if position > 0 {
            write!(f, ", ")?;
        }
        write!(f, "{}", names.reg(param))?;
        if declared {
            write!(f, ": {}", Type(function.reg(param)))?;
        }
    }
    write!(f, ")")?;
    if let Some(bits) = function.result_bits {
        write!(f, " -> i{bits}")?;
    }
    if function.entry.index() != 0 {
        write!(f, " entry {}", names.node(function.entry))?;
    }
    writeln!(f, " {{")?;
    let n_declared = if declared { function.params.len() } else { 0 };
    for (index, reg) in function.regs.iter().enumerate().skip(n_declared) {
        let id = RegId(handle_count(index));
        writeln!(f, "  reg {}: {}", names.reg(id), Type(reg))?;
    }
    for node in function.node_ids() {
        let data = function.node(node);
        write!(f, "  node {}{}", names.node(node), SpanSuffix(data.span))?;
        if let Some(last_line) = data.loop_end {
            write!(f, " to {last_line}")?;
        }
        writeln!(f)?;
    }
    for edge in function.edge_ids() {
        let (source, target) = function.endpoints(edge);
        write!(f, "  {} -> {}", names.node(source), names.node(target))?;
        match function.edge(edge).steps.as_slice() {
            [] => writeln!(f)?,
            [step] => {
                write!(f, ": ")?;
                write_step(f, names, step)?;
            }
            steps => {
                writeln!(f, ":")?;
                for step in steps {
                    write!(f, "    ")?;
                    write_step(f, names, step)?;
                }
            }
        }
    }
    writeln!(f, "}}")
}

fn write_step(f: &mut Formatter<'_>, names: Names<'_>, step: &Step) -> fmt::Result {
    writeln!(f, "{}{}", names.action(&step.action), SpanSuffix(step.span))
}

struct Type<'a>(&'a RegData);

impl Display for Type<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.0.pointer { 'p' } else { 'i' };
        write!(f, "{kind}{}", self.0.bits)
    }
}

/// ` at 3:5 in 1`, nothing for [`Span::UNKNOWN`], no file for file 0.
struct SpanSuffix(Span);

impl Display for SpanSuffix {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SpanSuffix(span) = *self;
        if span == Span::UNKNOWN {
            return Ok(());
        }
        write!(f, " at {}:{}", span.line, span.column)?;
        if span.file != 0 {
            write!(f, " in {}", span.file)?;
        }
        Ok(())
    }
}
