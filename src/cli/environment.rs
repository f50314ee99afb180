//! The options for symbolic arguments, standard input and files, in the place of KLEE's.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use frontend::{ProgramArgument, SymbolicEnvironment, SymbolicFile};
use std::ffi::OsStr;
use std::path::PathBuf;

/// No text and no file is larger.
const MOST_BYTES: i64 = 1 << 20;
/// No more arguments, each of which is an object.
const MOST_ARGUMENTS: u32 = 256;

/// Arguments, standard input and files of the program.
#[derive(Debug, Default)]
pub struct EnvironmentArguments {
    /// In the order of the command line.
    arguments: Vec<ProgramArgument>,
    stdin: Option<u32>,
    files: Vec<SymbolicFile>,
}

/// The options as clap knows them; the order among them is not here.
#[derive(Args, Debug)]
#[command(next_help_heading = "How the program is started [default: with any arguments]")]
struct StartOptions {
    /// A known argument of the program, after those given so far
    #[arg(long = "arg", value_name = "TEXT", allow_hyphen_values = true)]
    arg: Vec<String>,

    /// A symbolic argument of at most N characters
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_BYTES))]
    sym_arg: Vec<u32>,

    /// MIN to MAX symbolic arguments of at most N characters each
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "N"], value_parser = clap::value_parser!(u32).range(0..=MOST_BYTES))]
    sym_args: Vec<u32>,

    /// Standard input is a file of exactly N symbolic bytes; without this option, but with another
    /// one of these, it is empty
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_BYTES))]
    sym_stdin: Option<u32>,

    /// The working folder has a file NAME of exactly N symbolic bytes; may be given several times
    #[arg(long, num_args = 2, value_names = ["NAME", "N"])]
    sym_file: Vec<String>,
}

impl EnvironmentArguments {
    /// The environment of a program of these files; `None` if none of the options was given.
    pub fn of_program(&self, files: &[PathBuf]) -> Option<SymbolicEnvironment> {
        if self.arguments.is_empty() && self.stdin.is_none() && self.files.is_empty() {
            return None;
        }
        let name = files.first().and_then(|file| file.file_stem());
        let name = name.and_then(OsStr::to_str).unwrap_or("program");
        Some(SymbolicEnvironment {
            program: name.to_owned(),
            arguments: self.arguments.clone(),
            stdin_bytes: self.stdin.unwrap_or(0),
            files: self.files.clone(),
        })
    }

    fn of_options(
        options: &StartOptions,
        matches: &ArgMatches,
    ) -> Result<EnvironmentArguments, Error> {
        let invalid = |text: String| Error::raw(ErrorKind::ValueValidation, format!("{text}\n"));
        let at =
            |id: &str| -> Vec<usize> { matches.indices_of(id).into_iter().flatten().collect() };
        let texts = options.arg.iter().cloned().map(ProgramArgument::Text);
        let mut arguments: Vec<(usize, ProgramArgument)> =
            at("arg").into_iter().zip(texts).collect();
        let symbolic = options
            .sym_arg
            .iter()
            .copied()
            .map(ProgramArgument::Symbolic);
        arguments.extend(at("sym_arg").into_iter().zip(symbolic));
        let firsts = at("sym_args").into_iter().step_by(3);
        for (position, numbers) in firsts.zip(options.sym_args.chunks_exact(3)) {
            let (least, most, length) = (numbers[0], numbers[1], numbers[2]);
            if least > most {
                return Err(invalid(format!(
                    "--sym-args {least} {most} {length}: MIN is larger than MAX"
                )));
            }
            let several = ProgramArgument::Several {
                least,
                most,
                length,
            };
            arguments.push((position, several));
        }
        arguments.sort_by_key(|(position, _)| *position);
        let arguments: Vec<ProgramArgument> = arguments.into_iter().map(|(_, one)| one).collect();
        let count = |argument: &ProgramArgument| match argument {
            ProgramArgument::Text(_) | ProgramArgument::Symbolic(_) => 1,
            ProgramArgument::Several { most, .. } => u64::from(*most),
        };
        if arguments.iter().map(count).sum::<u64>() > u64::from(MOST_ARGUMENTS) {
            return Err(invalid(format!(
                "more than {MOST_ARGUMENTS} arguments of the program"
            )));
        }
        let mut files = Vec::new();
        for file in options.sym_file.chunks_exact(2) {
            let (name, size) = (file[0].clone(), &file[1]);
            let bytes = size
                .parse()
                .ok()
                .filter(|bytes| i64::from(*bytes) <= MOST_BYTES);
            let bytes = bytes.ok_or_else(|| {
                invalid(format!(
                    "--sym-file {name} {size}: {size} is not a size in bytes, up to {MOST_BYTES}"
                ))
            })?;
            files.push(SymbolicFile { name, bytes });
        }
        Ok(EnvironmentArguments {
            arguments,
            stdin: options.sym_stdin,
            files,
        })
    }
}

impl FromArgMatches for EnvironmentArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        EnvironmentArguments::of_options(&StartOptions::from_arg_matches(matches)?, matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = EnvironmentArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EnvironmentArguments {
    fn augment_args(command: Command) -> Command {
        // The heading is for these options only.
        StartOptions::augment_args(command).next_help_heading(None::<&str>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        StartOptions::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(options: &[&str]) -> Result<EnvironmentArguments, Error> {
        let command = StartOptions::augment_args(Command::new("analyze"));
        let options = ["analyze"].iter().chain(options);
        EnvironmentArguments::from_arg_matches(&command.try_get_matches_from(options)?)
    }

    #[test]
    fn arguments_stand_in_the_order_of_the_options() {
        let options = "--sym-args 0 1 2 --arg -v --sym-arg 3 --sym-args 1 2 4 --arg x";
        let options: Vec<&str> = options.split(' ').collect();
        let several = |least, most, length| ProgramArgument::Several {
            least,
            most,
            length,
        };
        assert_eq!(
            parsed(&options).unwrap().arguments,
            [
                several(0, 1, 2),
                ProgramArgument::Text("-v".to_owned()),
                ProgramArgument::Symbolic(3),
                several(1, 2, 4),
                ProgramArgument::Text("x".to_owned()),
            ]
        );
    }

    #[test]
    fn numbers_are_checked() {
        for options in [
            "--sym-args 2 1 3",
            "--sym-args 1 2",
            "--sym-args 0 1000 1",
            "--sym-arg x",
            "--sym-file A",
            "--sym-file A x",
            "--sym-file A 9999999",
        ] {
            let options: Vec<&str> = options.split(' ').collect();
            assert!(parsed(&options).is_err(), "{options:?}");
        }
    }

    #[test]
    fn without_options_there_is_no_environment() {
        assert!(parsed(&[]).unwrap().of_program(&[]).is_none());
        let some = parsed(&["--sym-stdin", "0"]).unwrap();
        assert!(some.of_program(&["a/prog.c".into()]).unwrap().program == "prog");
    }
}
