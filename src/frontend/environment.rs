//! The symbolic environment of a program: arguments, standard input, files.
//!
//! ```text
//! options --SymbolicEnvironment--> inputs whose names begin with '@' --witness--> Surroundings
//! ```
//!
//! Such inputs are not records of a replay: the replay is started with them.
//!
//! # Source
//! The options `--sym-arg`, `--sym-args`, `--sym-stdin` and `--sym-files` of KLEE's POSIX runtime
//! (Cadar, Dunbar, Engler, *KLEE*, OSDI 2008), with their meaning: an argument has at most so many
//! characters, standard input and files exactly so many bytes.

use ::replay::Surroundings;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// First letter of the names of inputs that belong to the environment.
const MARK: char = '@';

/// The content of standard input.
const STDIN: &str = "@stdin";

/// Arguments, standard input and files of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymbolicEnvironment {
    /// The program's name: `argv[0]`.
    pub program: String,
    /// What is after it, in order.
    pub arguments: Vec<ProgramArgument>,
    /// Size of standard input in bytes; 0 for an empty one.
    pub stdin_bytes: u32,
    /// The files in the working folder, in which no other files are.
    pub files: Vec<SymbolicFile>,
}

/// Something among the arguments of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ProgramArgument {
    /// A known text, without zeros.
    Text(String),
    /// At most so many characters.
    Symbolic(u32),
    /// `least` to `most` arguments of at most `length` characters each.
    Several { least: u32, most: u32, length: u32 },
}

/// A file in the working folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SymbolicFile {
    /// Without slashes.
    pub name: String,
    /// Its size.
    pub bytes: u32,
}

/// Whether an input of this name is what the program is started with, or what its system chooses,
/// and is not asked for in a replay.
#[must_use]
pub fn is_of_environment(input: &str) -> bool {
    input.starts_with(MARK)
}

impl SymbolicEnvironment {
    /// Whether files can be made so.
    ///
    /// # Errors
    /// The problem and a remedy.
    pub fn check(&self) -> Result<(), String> {
        for (position, file) in self.files.iter().enumerate() {
            let name = &file.name;
            if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\0']) {
                return Err(format!(
                    "{name:?} is not the name of a file in the working folder; use a name without a slash, such as A"
                ));
            }
            if name.len() > 255 {
                return Err(format!("{name} is longer than 255 bytes"));
            }
            if self.files[..position]
                .iter()
                .any(|other| other.name == *name)
            {
                return Err(format!("{name} is given twice"));
            }
        }
        Ok(())
    }

    /// The C text that stands in front of `runtime/models/environment.c`.
    pub(crate) fn head(&self) -> String {
        let mut arguments = format!("TEXT({})", c_string(self.program.as_bytes()));
        let (mut n_symbolic, mut n_counts, mut most) = (0, 0, 1u64);
        for argument in &self.arguments {
            let _ = match argument {
                ProgramArgument::Text(text) => {
                    most += 1;
                    write!(arguments, " TEXT({})", c_string(text.as_bytes()))
                }
                ProgramArgument::Symbolic(length) => {
                    most += 1;
                    n_symbolic += 1;
                    let name = argument_name(n_symbolic - 1);
                    write!(arguments, " SYMBOLIC(\"{name}\", {length})")
                }
                ProgramArgument::Several {
                    least,
                    most: at_most,
                    length,
                } => {
                    let mut text = String::new();
                    for position in 0..*at_most {
                        let name = argument_name(n_symbolic);
                        n_symbolic += 1;
                        let _ = write!(
                            text,
                            " OPTIONAL({position}, SYMBOLIC(\"{name}\", {length}))"
                        );
                    }
                    most += u64::from(*at_most);
                    n_counts += 1;
                    let name = count_name(n_counts - 1);
                    write!(arguments, " SEVERAL(\"{name}\", {least}, {at_most},{text})")
                }
            };
        }
        let files: Vec<String> = (self.files.iter())
            .map(|file| {
                let name = c_string(file.name.as_bytes());
                let input = c_string(file_input(&file.name).as_bytes());
                format!("FILE_OF({name}, {input}, {})", file.bytes)
            })
            .collect();
        format!(
            "#define ARGUMENTS {arguments}\n#define MOST_ARGC {most}\n#define FILES {}\n#define \
             STDIN_BYTES {}\n",
            files.join(" "),
            self.stdin_bytes
        )
    }

    /// What the program is started with, from the inputs of a witness: `number` and `content` give
    /// the number and the bytes of an input by its name, where it has one; what it has not is zero.
    #[must_use]
    pub fn surroundings(
        &self,
        number: &dyn Fn(&str) -> Option<u64>,
        content: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Surroundings {
        let mut arguments = vec![self.program.clone().into_bytes()];
        let (mut n_symbolic, mut n_counts) = (0, 0);
        let text = |position: usize| {
            let mut text = content(&argument_name(position)).unwrap_or_default();
            let end = text.iter().position(|byte| *byte == 0);
            text.truncate(end.unwrap_or(text.len()));
            text
        };
        for argument in &self.arguments {
            match argument {
                ProgramArgument::Text(text) => arguments.push(text.clone().into_bytes()),
                ProgramArgument::Symbolic(_) => {
                    arguments.push(text(n_symbolic));
                    n_symbolic += 1;
                }
                ProgramArgument::Several { least, most, .. } => {
                    let count = number(&count_name(n_counts)).unwrap_or(u64::from(*least));
                    n_counts += 1;
                    for position in 0..*most as usize {
                        if (position as u64) < count {
                            arguments.push(text(n_symbolic + position));
                        }
                    }
                    n_symbolic += *most as usize;
                }
            }
        }
        let sized = |name: &str, bytes: u32| {
            let mut content = content(name).unwrap_or_default();
            content.resize(bytes as usize, 0);
            content
        };
        Surroundings {
            arguments,
            stdin: sized(STDIN, self.stdin_bytes),
            stdin_is_folder: false,
            files: (self.files.iter())
                .map(|file| {
                    (
                        file.name.clone(),
                        sized(&file_input(&file.name), file.bytes),
                    )
                })
                .collect(),
        }
    }

    /// The assumptions of *unreachable*, a clause each.
    #[must_use]
    pub fn clauses(&self) -> Vec<String> {
        let mut argv = c_string(self.program.as_bytes());
        for argument in &self.arguments {
            let _ = match argument {
                ProgramArgument::Text(text) => write!(argv, ", {}", c_string(text.as_bytes())),
                ProgramArgument::Symbolic(most) => write!(argv, ", at most {most} characters"),
                ProgramArgument::Several {
                    least,
                    most,
                    length,
                } => write!(
                    argv,
                    ", {least} to {most} times at most {length} characters"
                ),
            };
        }
        let mut clauses = vec![format!("argv is {{{argv}}}")];
        clauses.push(match self.stdin_bytes {
            0 => "stdin is empty".to_owned(),
            bytes => format!("stdin has {bytes} bytes"),
        });
        let files: Vec<String> = (self.files.iter())
            .map(|file| format!("{} of {} bytes", file.name, file.bytes))
            .collect();
        clauses.push(if files.is_empty() {
            "the working folder is empty".to_owned()
        } else {
            format!("the working folder has only {}", files.join(", "))
        });
        clauses.push("writing to files succeeds".to_owned());
        clauses
    }
}

fn argument_name(position: usize) -> String {
    format!("{MARK}arg{position:02}")
}

fn count_name(position: usize) -> String {
    format!("{MARK}n_args{position:02}")
}

fn file_input(name: &str) -> String {
    format!("{MARK}file:{name}")
}

/// A C string literal.
#[must_use]
pub fn c_string(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(byte));
            }
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            // Else "??=" would be a trigraph.
            b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> SymbolicEnvironment {
        SymbolicEnvironment {
            program: "prog".to_owned(),
            arguments: vec![
                ProgramArgument::Text("-x".to_owned()),
                ProgramArgument::Several {
                    least: 0,
                    most: 2,
                    length: 4,
                },
                ProgramArgument::Symbolic(3),
            ],
            stdin_bytes: 2,
            files: vec![SymbolicFile {
                name: "A".to_owned(),
                bytes: 1,
            }],
        }
    }

    #[test]
    fn arguments_keep_their_order() {
        let number = |name: &str| (name == "@n_args00").then_some(1);
        let content = |name: &str| match name {
            "@arg00" => Some(b"12\0x".to_vec()),
            "@arg01" => Some(b"not counted".to_vec()),
            "@arg02" => Some(b"abc".to_vec()),
            "@file:A" => Some(b"z".to_vec()),
            _ => None,
        };
        let found = environment().surroundings(&number, &content);
        let arguments: Vec<&[u8]> = found.arguments.iter().map(Vec::as_slice).collect();
        assert_eq!(arguments, [&b"prog"[..], b"-x", b"12", b"abc"]);
        assert_eq!(found.stdin, [0, 0]);
        assert_eq!(found.files, [("A".to_owned(), b"z".to_vec())]);
    }

    #[test]
    fn the_head_names_every_input_once() {
        assert_eq!(
            environment().head(),
            "#define ARGUMENTS TEXT(\"prog\") TEXT(\"-x\") SEVERAL(\"@n_args00\", 0, 2, \
             OPTIONAL(0, SYMBOLIC(\"@arg00\", 4)) OPTIONAL(1, SYMBOLIC(\"@arg01\", 4))) \
             SYMBOLIC(\"@arg02\", 3)\n#define MOST_ARGC 5\n#define FILES FILE_OF(\"A\", \
             \"@file:A\", 1)\n#define STDIN_BYTES 2\n"
        );
    }

    #[test]
    fn texts_are_c() {
        assert_eq!(
            c_string(b"a\"\\\n\x01\xff?"),
            "\"a\\\"\\\\\\n\\001\\377\\?\""
        );
    }

    #[test]
    fn files_lie_in_the_working_folder() {
        for name in ["", ".", "..", "a/b", "/etc/passwd"] {
            let mut environment = environment();
            environment.files[0].name = name.to_owned();
            assert!(environment.check().is_err(), "{name}");
        }
        let mut twice = environment();
        twice.files.push(twice.files[0].clone());
        assert!(twice.check().is_err() && environment().check().is_ok());
    }
}
