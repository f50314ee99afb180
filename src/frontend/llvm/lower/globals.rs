//! Global variables and their contents.

use super::{Lowered, Refusal, Tables, expr};
use flowgraph::{Expr, Global, Initializer, Storage};
use llvm_ir::constant::Float;
use llvm_ir::module::{GlobalVariable, UnnamedAddr};
use llvm_ir::{Constant, Name};

/// Larger contents than this are not spelt out byte by byte.
const MAX_BYTES: u64 = 1 << 28;

/// A variable whose content cannot be lowered gets arbitrary content, and a note.
pub(super) fn lower_global(
    tables: &Tables<'_>,
    variable: &GlobalVariable,
    notes: &mut Vec<String>,
) -> Global {
    let name = match &variable.name {
        Name::Name(name) => name.to_string(),
        Name::Number(number) => format!("global.{number}"),
    };
    let Some(constant) = &variable.initializer else {
        return Global {
            name,
            bytes: 0,
            align: 1,
            storage: Storage::Variable,
            initializer: Initializer::Extern,
        };
    };
    let bytes = tables
        .layout
        .size(&tables.layout.type_of(constant))
        .unwrap_or(0);
    let initializer = content(tables, constant, bytes).unwrap_or_else(|Refusal(what)| {
        notes.push(format!(
            "{name} has arbitrary content: its initialiser holds {what}"
        ));
        Initializer::Extern
    });
    Global {
        name,
        bytes,
        align: u64::from(variable.alignment.max(1)),
        storage: match (variable.is_constant, variable.unnamed_addr) {
            (true, Some(UnnamedAddr::Global)) => Storage::Literal,
            (true, Some(UnnamedAddr::Local) | None) => Storage::Constant,
            (false, _) => Storage::Variable,
        },
        initializer,
    }
}

fn content(tables: &Tables<'_>, constant: &Constant, bytes: u64) -> Lowered<Initializer> {
    if matches!(
        constant,
        Constant::AggregateZero(_) | Constant::Null(_) | Constant::Undef(_) | Constant::Poison(_)
    ) {
        return Ok(Initializer::Zero);
    }
    if bytes > MAX_BYTES {
        return Err(Refusal::new("too many bytes"));
    }
    let mut image = Image {
        tables,
        bytes: vec![0; usize::try_from(bytes).expect("below the limit")],
        addresses: Vec::new(),
    };
    image.write(constant, 0)?;
    image.addresses.sort_by_key(|(offset, _)| *offset);
    if image.addresses.is_empty() && image.bytes.iter().all(|byte| *byte == 0) {
        return Ok(Initializer::Zero);
    }
    Ok(Initializer::Bytes {
        bytes: image.bytes,
        addresses: image.addresses,
    })
}

struct Image<'t, 'm> {
    tables: &'t Tables<'m>,
    bytes: Vec<u8>,
    addresses: Vec<(u64, Expr)>,
}

impl Image<'_, '_> {
    fn write(&mut self, constant: &Constant, offset: u64) -> Lowered<()> {
        let layout = &self.tables.layout;
        match constant {
            Constant::AggregateZero(_)
            | Constant::Null(_)
            | Constant::Undef(_)
            | Constant::Poison(_) => Ok(()),
            Constant::Int { bits, value } => {
                self.write_word(*value, u64::from(bits.div_ceil(8)), offset);
                Ok(())
            }
            Constant::Float(Float::Single(value)) => {
                self.write_word(value.to_bits().into(), 4, offset);
                Ok(())
            }
            Constant::Float(Float::Double(value)) => {
                self.write_word(value.to_bits(), 8, offset);
                Ok(())
            }
            Constant::Struct { values, .. } => {
                let fields = layout
                    .fields(&layout.type_of(constant))
                    .ok_or_else(|| Refusal::new("a struct without a size"))?;
                for (value, (_, at)) in values.iter().zip(fields) {
                    self.write(value, offset + at)?;
                }
                Ok(())
            }
            Constant::Array { elements, .. } | Constant::Vector(elements) => {
                let mut at = offset;
                for element in elements {
                    self.write(element, at)?;
                    let size = layout.size(&layout.type_of(element));
                    at += size.ok_or_else(|| Refusal::new("elements without a size"))?;
                }
                Ok(())
            }
            _ => self.write_address(constant, offset),
        }
    }

    fn write_word(&mut self, value: u64, n_bytes: u64, offset: u64) {
        let bytes = value.to_le_bytes().into_iter().chain(std::iter::repeat(0));
        let start = usize::try_from(offset).expect("inside the image");
        let n_bytes = usize::try_from(n_bytes).expect("integers are short");
        for (to, byte) in self.bytes[start..start + n_bytes].iter_mut().zip(bytes) {
            *to = byte;
        }
    }

    fn write_address(&mut self, constant: &Constant, offset: u64) -> Lowered<()> {
        let layout = &self.tables.layout;
        let bits = layout.expect_scalar(&layout.type_of(constant))?.bits;
        let value = self.tables.constant(constant)?;
        if let Expr::Const(value) = &value
            && let Some(value) = value.to_u64()
        {
            self.write_word(value, u64::from(bits.div_ceil(8)), offset);
            return Ok(());
        }
        if bits != layout.pointer_bits() {
            return Err(Refusal::new("an address in an integer of another width"));
        }
        self.addresses
            .push((offset, expr::add(value, expr::int(bits, 0))));
        Ok(())
    }
}
