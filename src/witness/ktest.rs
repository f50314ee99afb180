//! `.ktest` files, version 3: the bytes of all inputs, as KLEE writes and replays them.
//!
//! Numbers in the file are 32 bits wide, big endian; the bytes of an object are in the order of
//! the target machine.

use super::WitnessError;
use super::inputs::Input;
use analysis::surroundings;
use frontend::{Loaded, ProgramArgument, SymbolicEnvironment};
use symex::{InputValue, Witness};

const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;
/// No object gets larger than this.
const MOST_BYTES: u64 = 1 << 26;

/// The content of a `.ktest` file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KTest {
    /// The command line of the program, its name first.
    pub arguments: Vec<String>,
    pub objects: Vec<KTestObject>,
}

/// An object that was made symbolic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KTestObject {
    pub name: String,
    /// Little endian where the object is a number.
    pub bytes: Vec<u8>,
}

impl KTest {
    /// All inputs, memory that the program never wrote among them, but for what the program does
    /// not ask for. Those of a symbolic environment have the names and sizes that KLEE's POSIX
    /// runtime gives them, and the options that make them so are the arguments.
    pub(super) fn of_inputs(
        program: &str,
        environment: Option<(&SymbolicEnvironment, &[Input])>,
        inputs: &[Input],
    ) -> Result<KTest, WitnessError> {
        let mut test = KTest {
            arguments: vec![program.to_owned()],
            objects: Vec::new(),
        };
        if let Some((environment, inputs)) = environment {
            test.arguments.extend(options_of_klee(environment));
            for input in inputs {
                test.objects.extend(object_of_klee(input)?);
            }
            test.objects.push(KTestObject {
                name: "model_version".to_owned(),
                bytes: 1u32.to_le_bytes().to_vec(),
            });
        }
        let asked = inputs.iter().filter(|input| !input.is_placed());
        for input in asked {
            test.objects.push(KTestObject {
                name: object_name(input).to_owned(),
                bytes: bytes_of(input)?,
            });
        }
        Ok(test)
    }

    /// The same with the standard input that the program reads where that may be anything.
    pub(super) fn with_input(mut self, loaded: &Loaded, witness: &Witness) -> KTest {
        let read = surroundings(loaded, witness).filter(|_| loaded.environment.is_none());
        let stdin = read.map(|read| read.stdin).unwrap_or_default();
        if !stdin.is_empty() {
            let options = ["--sym-stdin".to_owned(), stdin.len().to_string()];
            self.arguments.extend(options);
            let object = KTestObject {
                name: "stdin".to_owned(),
                bytes: stdin,
            };
            self.objects.insert(0, object);
        }
        self
    }

    /// The bytes of the file.
    ///
    /// # Panics
    /// If a name or an object has 4 GB or more.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        let number = |file: &mut Vec<u8>, value: usize| {
            let value = u32::try_from(value).expect("parts of a test are small");
            file.extend(value.to_be_bytes());
        };
        file.extend(VERSION.to_be_bytes());
        number(&mut file, self.arguments.len());
        for argument in &self.arguments {
            number(&mut file, argument.len());
            file.extend(argument.as_bytes());
        }
        // Neither symbolic arguments nor their length.
        number(&mut file, 0);
        number(&mut file, 0);
        number(&mut file, self.objects.len());
        for object in &self.objects {
            number(&mut file, object.name.len());
            file.extend(object.name.as_bytes());
            number(&mut file, object.bytes.len());
            file.extend(&object.bytes);
        }
        file
    }
}

/// As KLEE's runtime is told of arguments and standard input; it has no names of files to choose.
fn options_of_klee(environment: &SymbolicEnvironment) -> Vec<String> {
    let mut options = Vec::new();
    for argument in &environment.arguments {
        match argument {
            ProgramArgument::Text(text) => options.push(text.clone()),
            ProgramArgument::Symbolic(most) => {
                options.extend(["--sym-arg".to_owned(), most.to_string()]);
            }
            ProgramArgument::Several {
                least,
                most,
                length,
            } => {
                options.push("--sym-args".to_owned());
                options.extend([least, most, length].map(u32::to_string));
            }
        }
    }
    if environment.stdin_bytes > 0 {
        options.push("--sym-stdin".to_owned());
        options.push(environment.stdin_bytes.to_string());
    }
    options
}

/// An input of the environment; `None` for what the system chooses.
fn object_of_klee(input: &Input) -> Result<Option<KTestObject>, WitnessError> {
    let name = input.name().trim_start_matches('@');
    let mut bytes = bytes_of(input)?;
    let name = if let Some(file) = name.strip_prefix("file:") {
        format!("{file}-data")
    } else if name.starts_with("n_args") {
        "n_args".to_owned()
    } else if name.starts_with("arg") {
        bytes.push(0);
        name.to_owned()
    } else if name == "stdin" && !bytes.is_empty() {
        name.to_owned()
    } else {
        return Ok(None);
    };
    Ok(Some(KTestObject { name, bytes }))
}

/// The function whose result it is; the name that the program gave it where it could.
fn object_name<'i>(input: &'i Input) -> &'i str {
    match &input.input.call {
        Some(function) if !function.starts_with("compact_se_") => function,
        Some(_) | None => input.name(),
    }
}

/// The bytes of an input in memory.
pub(super) fn bytes_of(input: &Input) -> Result<Vec<u8>, WitnessError> {
    match &input.input.value {
        InputValue::Value(value) => {
            let n_bytes = value.width().div_ceil(8);
            let byte = |position: u32| {
                let width = (value.width() - position * 8).min(8);
                let byte = value.extract(position * 8, width).to_u64();
                u8::try_from(byte.unwrap_or_default()).unwrap_or_default()
            };
            Ok((0..n_bytes).map(byte).collect())
        }
        InputValue::Memory {
            bytes,
            default,
            chunks,
            address: _,
        } => {
            let too_large = || WitnessError::TooLarge {
                name: input.input.name.clone(),
                bytes: *bytes,
            };
            if *bytes > MOST_BYTES {
                return Err(too_large());
            }
            let size = usize::try_from(*bytes).map_err(|_| too_large())?;
            let mut content = vec![*default; size];
            for (offset, chunk) in chunks {
                let start = usize::try_from(*offset).map_err(|_| too_large())?;
                if let Some(place) = content.get_mut(start..start + chunk.len()) {
                    place.copy_from_slice(chunk);
                }
            }
            Ok(content)
        }
    }
}
