//! The inputs of a witness as C sees them: calls with values of C types, and memory.

use super::places::{Sources, Spot};
use flowgraph::Program;
use frontend::{DataModel, ExternalResult, Loaded};
use symex::{InputValue, Witness, WitnessInput};
use term::Bv;

/// What a function gives back, in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CType {
    /// As it is written in front of a function's name.
    pub text: &'static str,
    pub kind: Kind,
}

/// How the bits of a value are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Pointer,
    Float,
    Double,
}

/// The type that the name of an input function promises (rules of SV-COMP; CBMC's custom;
/// `compact_se.h`; the C library's headers), with its bits.
fn promised(function: &str, data_model: DataModel) -> Option<(CType, u32)> {
    use Kind::{Bool, Double, Float, Pointer, Signed, Unsigned};
    let word = match data_model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    let nondet = ["__VERIFIER_nondet_", "nondet_"];
    let nondet = nondet
        .iter()
        .find_map(|prefix| function.strip_prefix(prefix));
    let (text, kind, bits) = if let Some(name) = nondet {
        match name {
            "bool" => ("_Bool", Bool, 1),
            "char" => ("char", Signed, 8),
            "short" => ("short", Signed, 16),
            "int" => ("int", Signed, 32),
            "long" => ("long", Signed, word),
            "longlong" | "loff_t" => ("long long", Signed, 64),
            "int128" => ("__int128", Signed, 128),
            "uchar" | "u8" => ("unsigned char", Unsigned, 8),
            "ushort" | "u16" => ("unsigned short", Unsigned, 16),
            "uint" | "unsigned" | "u32" => ("unsigned int", Unsigned, 32),
            "ulong" | "size_t" | "pthread_t" | "sector_t" => ("unsigned long", Unsigned, word),
            "ulonglong" => ("unsigned long long", Unsigned, 64),
            "uint128" => ("unsigned __int128", Unsigned, 128),
            "float" => ("float", Float, 32),
            "double" => ("double", Double, 64),
            "pointer" | "pchar" => ("void *", Pointer, word),
            _ => return None,
        }
    } else if let Some(name) = function.strip_prefix("compact_se_") {
        match name {
            "bool" => ("_Bool", Bool, 1),
            "i8" => ("signed char", Signed, 8),
            "char" => ("char", Signed, 8),
            "i16" => ("short", Signed, 16),
            "i32" | "int" => ("int", Signed, 32),
            "i64" => ("long long", Signed, 64),
            "long" => ("long", Signed, word),
            "u8" => ("unsigned char", Unsigned, 8),
            "u16" => ("unsigned short", Unsigned, 16),
            "u32" | "uint" => ("unsigned int", Unsigned, 32),
            "u64" => ("unsigned long long", Unsigned, 64),
            "ulong" | "size" => ("unsigned long", Unsigned, word),
            _ => return None,
        }
    } else {
        match function {
            "klee_int" => ("int", Signed, 32),
            "klee_choose" | "klee_get_obj_size" => ("unsigned long", Unsigned, word),
            "clock" | "random" => ("long", Signed, word),
            "arc4random" | "arc4random_uniform" => ("unsigned int", Unsigned, 32),
            _ => return None,
        }
    };
    Some((CType { text, kind }, bits))
}

/// The C type of a function's result: what its name promises where the program agrees with that
/// about the width, else what the program declares. `None` for what has no such type.
pub(super) fn c_type(
    function: &str,
    result: ExternalResult,
    data_model: DataModel,
    sources: &Sources,
) -> Option<CType> {
    let promised = promised(function, data_model);
    let of_kind = |text, kind| Some(CType { text, kind });
    match result {
        ExternalResult::Nothing | ExternalResult::Refused => None,
        ExternalResult::Pointer => of_kind("void *", Kind::Pointer),
        ExternalResult::Float(32) => of_kind("float", Kind::Float),
        ExternalResult::Float(64) => of_kind("double", Kind::Double),
        ExternalResult::Float(_) => None,
        ExternalResult::Integer(bits) => {
            if let Some((ty, width)) = promised
                && width == bits
            {
                return Some(ty);
            }
            let declared = |words: &[&str]| sources.any(|text| text.declared_with(function, words));
            let unsigned = declared(&["unsigned", "size_t", "uint32_t", "uint64_t", "u32"]);
            match (bits, unsigned) {
                (1, _) => of_kind("_Bool", Kind::Bool),
                (8, false) => of_kind("signed char", Kind::Signed),
                (16, false) => of_kind("short", Kind::Signed),
                (32, false) => of_kind("int", Kind::Signed),
                (64, false) => of_kind("long long", Kind::Signed),
                (128, false) => of_kind("__int128", Kind::Signed),
                (8, true) => of_kind("unsigned char", Kind::Unsigned),
                (16, true) => of_kind("unsigned short", Kind::Unsigned),
                (32, true) => of_kind("unsigned int", Kind::Unsigned),
                (64, true) => of_kind("unsigned long long", Kind::Unsigned),
                (128, true) => of_kind("unsigned __int128", Kind::Unsigned),
                _ => None,
            }
        }
    }
}

impl Kind {
    /// The value as a number in a test case or a constraint; `None` for NaN and infinities.
    pub fn number(self, value: &Bv) -> Option<String> {
        match self {
            Kind::Bool => Some(u8::from(value.extract(0, 1).to_u64() == Some(1)).to_string()),
            Kind::Signed => Some(value.to_bigint().to_string()),
            Kind::Unsigned | Kind::Pointer => Some(value.to_biguint().to_string()),
            Kind::Float => {
                let value = f32::from_bits(u32::try_from(value.to_u64()?).ok()?);
                value.is_finite().then(|| format!("{value:e}f"))
            }
            Kind::Double => {
                let value = f64::from_bits(value.to_u64()?);
                value.is_finite().then(|| format!("{value:e}"))
            }
        }
    }
}

/// Where an input of a witness comes from.
pub(super) enum Origin<'w> {
    /// A call of a function without a body, with the type of its result.
    Call { function: &'w str, ty: CType },
    /// A call of `compact_se_make_symbolic` or `klee_make_symbolic`.
    MadeSymbolic,
    /// A scalar variable that is not initialised where it is declared.
    Variable,
    /// `malloc` and its kin, arrays and structs, parameters of `main`, results of functions that
    /// have an effect, reads of what was never written.
    Other,
}

/// An input with what the source tells about it.
pub(super) struct Input<'w, 's> {
    pub input: &'w WitnessInput,
    pub origin: Origin<'w>,
    pub spot: Option<Spot<'s>>,
}

impl Input<'_, '_> {
    /// The name in the source, without the number that tells inputs of one name apart.
    pub fn name(&self) -> &str {
        base_name(self.input)
    }

    /// The number, where the input is one.
    pub fn number(&self) -> Option<&Bv> {
        match &self.input.value {
            InputValue::Value(value) => Some(value),
            InputValue::Memory { .. } => None,
        }
    }

    /// Whether it is memory that lies somewhere before the program starts, and not asked for.
    pub fn is_placed(&self) -> bool {
        match self.input.value {
            InputValue::Memory { address, .. } => address.is_some(),
            InputValue::Value(_) => false,
        }
    }

    /// What people are told about an input that a format cannot give to the program.
    pub fn description(&self, program: &Program) -> String {
        let place = if self.input.span.line == 0 {
            String::new()
        } else {
            format!(" ({})", program.describe(self.input.span))
        };
        match &self.input.value {
            InputValue::Value(value) => {
                format!("{}{place} = {}", self.name(), value.to_bigint())
            }
            InputValue::Memory { bytes, .. } => {
                format!("{}{place}, {bytes} bytes", self.name())
            }
        }
    }
}

fn base_name(input: &WitnessInput) -> &str {
    input.name.split('#').next().unwrap_or_default()
}

/// All inputs in order.
pub(super) fn inputs<'w, 's>(
    loaded: &Loaded,
    witness: &'w Witness,
    sources: &'s Sources,
) -> Vec<Input<'w, 's>> {
    let all = witness.inputs.iter().map(|input| {
        let spot = sources.spot(&loaded.program, input.span);
        let origin = match &input.call {
            Some(function) => call_origin(loaded, function, sources),
            None => spot.map_or(Origin::Other, |spot| other_origin(spot, input)),
        };
        Input {
            input,
            origin,
            spot,
        }
    });
    all.collect()
}

fn call_origin<'w>(loaded: &Loaded, function: &'w str, sources: &Sources) -> Origin<'w> {
    let external = loaded.externals.iter().find(|e| e.name == function);
    let ty = external.and_then(|e| c_type(function, e.result, loaded.data_model, sources));
    match ty {
        Some(ty) => Origin::Call { function, ty },
        None => Origin::Other,
    }
}

fn other_origin<'w>(spot: Spot<'_>, input: &WitnessInput) -> Origin<'w> {
    let source = &spot.file.source;
    match input.value {
        InputValue::Memory { .. }
            if matches!(
                source.word(spot.token),
                "compact_se_make_symbolic" | "klee_make_symbolic"
            ) =>
        {
            Origin::MadeSymbolic
        }
        InputValue::Value(_)
            if source.word(spot.token) == base_name(input)
                && (source.is_mark(spot.token + 1, b';')
                    || source.is_mark(spot.token + 1, b',')) =>
        {
            Origin::Variable
        }
        InputValue::Value(_) | InputValue::Memory { .. } => Origin::Other,
    }
}
