//! Sizes and offsets of types in memory, by the module's data layout.

use super::{Lowered, Refusal};
use inkwell::AddressSpace;
use inkwell::context::Context;
use inkwell::targets::TargetData;
use inkwell::types::{AnyType, AnyTypeEnum, BasicTypeEnum, FloatType};
use llvm_ir::types::{FPType, NamedStructDef, Typed};
use llvm_ir::{Module, Type, TypeRef};
use std::num::NonZeroU32;

/// How a value of a type is held in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    pub bits: u32,
    pub pointer: bool,
}

/// A field of an aggregate that is a scalar, and where it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    pub scalar: Scalar,
    /// Bytes from the beginning of the aggregate.
    pub offset: u64,
}

/// Aggregates of more scalars than this are not held in registers.
const MAX_LEAVES: usize = 64;

pub(super) struct Layout<'m> {
    module: &'m Module,
    context: Context,
    data: TargetData,
}

fn round_up(value: u64, alignment: u64) -> u64 {
    value.next_multiple_of(alignment.max(1))
}

impl<'m> Layout<'m> {
    pub fn new(module: &'m Module) -> Layout<'m> {
        Layout {
            module,
            context: Context::create(),
            data: TargetData::create(&module.data_layout.layout_str),
        }
    }

    pub fn pointer_bits(&self) -> u32 {
        self.data.get_pointer_byte_size(None) * 8
    }

    pub fn type_of<T: Typed>(&self, value: &T) -> TypeRef {
        self.module.type_of(value)
    }

    /// Bits of a value that is held in one register: integers, pointers, floats and vectors.
    pub fn scalar(&self, ty: &Type) -> Option<Scalar> {
        let plain = |bits: u32| {
            Some(Scalar {
                bits,
                pointer: false,
            })
        };
        match ty {
            Type::IntegerType { bits } => plain(*bits),
            Type::PointerType { addr_space: 0 } => Some(Scalar {
                bits: self.pointer_bits(),
                pointer: true,
            }),
            Type::FPType(kind) => plain(match kind {
                FPType::Half | FPType::BFloat => 16,
                FPType::Single => 32,
                FPType::Double => 64,
                FPType::X86_FP80 => 80,
                FPType::FP128 | FPType::PPC_FP128 => 128,
            }),
            Type::VectorType {
                element_type,
                num_elements,
                scalable: false,
            } => {
                let element = self.scalar(element_type)?;
                let n = u32::try_from(*num_elements).ok()?;
                if element.bits % 8 == 0 {
                    plain(element.bits.checked_mul(n)?)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// The same, for an operand that must be a scalar.
    pub fn expect_scalar(&self, ty: &Type) -> Lowered<Scalar> {
        self.scalar(ty)
            .ok_or_else(|| Refusal::new(format!("value of type {ty}")))
    }

    /// All scalars of a type, in order.
    pub fn leaves(&self, ty: &Type) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut leaves)?;
        Some(leaves)
    }

    fn collect_leaves(&self, ty: &Type, offset: u64, leaves: &mut Vec<Leaf>) -> Option<()> {
        if let Some(scalar) = self.scalar(ty) {
            leaves.push(Leaf { scalar, offset });
            return (leaves.len() <= MAX_LEAVES).then_some(());
        }
        if let Type::ArrayType {
            element_type,
            num_elements,
        } = ty
        {
            let size = self.size(element_type)?;
            for index in 0..*num_elements {
                self.collect_leaves(element_type, offset + size * index as u64, leaves)?;
            }
            return Some(());
        }
        for (field, at) in self.fields(ty)? {
            self.collect_leaves(&field, offset + at, leaves)?;
        }
        Some(())
    }

    /// Number of scalars that come before field or element `index`, and its type.
    pub fn leaves_before(&self, ty: &Type, index: u32) -> Option<(usize, TypeRef)> {
        if let Type::ArrayType { element_type, .. } = ty {
            let n = self.leaves(element_type)?.len();
            return Some((n * index as usize, element_type.clone()));
        }
        let fields = self.fields(ty)?;
        let mut before = 0;
        for (field, _) in &fields[..index as usize] {
            before += self.leaves(field)?.len();
        }
        Some((before, fields.get(index as usize)?.0.clone()))
    }

    /// A struct's fields with their offsets in bytes.
    pub fn fields(&self, ty: &Type) -> Option<Vec<(TypeRef, u64)>> {
        match ty {
            Type::StructType {
                element_types,
                is_packed,
            } => {
                let mut offset = 0;
                let mut fields = Vec::new();
                for field in element_types {
                    if !is_packed {
                        offset = round_up(offset, self.alignment(field)?);
                    }
                    fields.push((field.clone(), offset));
                    offset = offset.checked_add(self.size(field)?)?;
                }
                Some(fields)
            }
            Type::NamedStructType { name } => match self.module.types.named_struct_def(name)? {
                NamedStructDef::Defined(definition) => self.fields(definition),
                NamedStructDef::Opaque => None,
            },
            _ => None,
        }
    }

    /// Bytes from one element of an array of this type to the next; `None` for types without a
    /// size.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::ArrayType {
                element_type,
                num_elements,
            } => self.size(element_type)?.checked_mul(*num_elements as u64),
            Type::StructType {
                element_types,
                is_packed,
            } => {
                let fields = self.fields(ty)?;
                let end = match (fields.last(), element_types.last()) {
                    (Some((last, offset)), Some(_)) => offset.checked_add(self.size(last)?)?,
                    _ => 0,
                };
                if *is_packed {
                    Some(end)
                } else {
                    Some(round_up(end, self.alignment(ty)?))
                }
            }
            Type::NamedStructType { name } => match self.module.types.named_struct_def(name)? {
                NamedStructDef::Defined(definition) => self.size(definition),
                NamedStructDef::Opaque => None,
            },
            _ => Some(self.data.get_abi_size(&self.primitive(ty)?)),
        }
    }

    fn alignment(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::ArrayType { element_type, .. } => self.alignment(element_type),
            Type::StructType {
                is_packed: true, ..
            } => Some(1),
            Type::StructType { element_types, .. } => {
                let mut alignment = 1;
                for field in element_types {
                    alignment = alignment.max(self.alignment(field)?);
                }
                Some(alignment)
            }
            Type::NamedStructType { name } => match self.module.types.named_struct_def(name)? {
                NamedStructDef::Defined(definition) => self.alignment(definition),
                NamedStructDef::Opaque => None,
            },
            _ => Some(u64::from(self.data.get_abi_alignment(&self.primitive(ty)?))),
        }
    }

    /// LLVM's own type, to ask for its size.
    fn primitive(&self, ty: &Type) -> Option<AnyTypeEnum<'_>> {
        let basic: BasicTypeEnum<'_> = match ty {
            Type::IntegerType { bits } => self
                .context
                .custom_width_int_type(NonZeroU32::new(*bits)?)
                .ok()?
                .into(),
            Type::PointerType { addr_space } => {
                let space = AddressSpace::try_from(*addr_space).ok()?;
                self.context.ptr_type(space).into()
            }
            Type::FPType(kind) => self.float(*kind).into(),
            Type::VectorType {
                element_type,
                num_elements,
                scalable: false,
            } => {
                let n = u32::try_from(*num_elements).ok()?;
                match self.primitive(element_type)? {
                    AnyTypeEnum::IntType(element) => element.vec_type(n).into(),
                    AnyTypeEnum::FloatType(element) => element.vec_type(n).into(),
                    AnyTypeEnum::PointerType(element) => element.vec_type(n).into(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(basic.as_any_type_enum())
    }

    fn float(&self, kind: FPType) -> FloatType<'_> {
        match kind {
            FPType::Half | FPType::BFloat => self.context.f16_type(),
            FPType::Single => self.context.f32_type(),
            FPType::Double => self.context.f64_type(),
            FPType::X86_FP80 => self.context.x86_f80_type(),
            FPType::FP128 => self.context.f128_type(),
            FPType::PPC_FP128 => self.context.ppc_f128_type(),
        }
    }
}
