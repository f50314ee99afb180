//! Options for the compiler, in the syntax of C compilers.

use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use frontend::{OptionUse, use_of_option};
use std::ffi::OsString;
use std::path::PathBuf;

/// How C files are compiled.
#[derive(Debug, Default)]
pub struct CompilerArguments {
    /// C standard, for example `gnu89`.
    pub standard: Option<String>,
    /// For clang, in the order of the command line.
    pub arguments: Vec<String>,
    /// About options that are ignored.
    pub notes: Vec<String>,
    pub compile_commands: Option<PathBuf>,
}

/// The options as clap knows them; the order among them is not here.
#[derive(Args, Debug)]
#[command(next_help_heading = "How C files are compiled")]
struct CompilerOptions {
    /// C standard, for example gnu89; -std=gnu89 is the same
    #[arg(long, value_name = "STANDARD")]
    std: Option<String>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,

    /// A folder of headers
    #[arg(short = 'I', value_name = "DIR")]
    include_folder: Vec<String>,

    /// A file that is included first; -include FILE is the same
    #[arg(long, value_name = "FILE")]
    include: Vec<String>,

    /// A folder of system headers; -isystem DIR is the same
    #[arg(long, value_name = "DIR")]
    isystem: Vec<String>,

    /// Accepted and ignored: clang never optimises what is analysed
    #[arg(short = 'O', value_name = "LEVEL")]
    optimisation: Vec<String>,

    /// Accepted and ignored, as is -w: warnings are not shown, so that -Werror refuses nothing; -Wp,… goes to clang's
    /// preprocessor
    #[arg(short = 'W', value_name = "WARNING")]
    warning: Vec<String>,

    #[arg(short = 'w', action = ArgAction::Count, hide = true)]
    no_warnings: u8,

    /// Accepted and ignored, also as -pedantic-errors; -pedantic is the same
    #[arg(long, action = ArgAction::Count)]
    pedantic: u8,

    /// Accepted and ignored, with any level: lines and variables are always known
    #[arg(short = 'g', action = ArgAction::Count)]
    debug: u8,

    /// Options that change the meaning of the program are honoured (-fsigned-char, -fshort-enums,
    /// -fno-builtin, …), options for code generation are accepted and ignored
    #[arg(short = 'f', value_name = "OPTION")]
    option: Vec<String>,

    /// The same for options of the machine (-m32, -mms-bitfields, -march=native, …)
    #[arg(short = 'm', value_name = "OPTION")]
    machine: Vec<String>,

    /// Accepted and ignored: functions of the C library are known without it, those of other libraries are not
    #[arg(short = 'l', value_name = "LIBRARY")]
    library: Vec<String>,

    /// C90, or C++98, without extensions; -ansi is the same
    #[arg(long, action = ArgAction::Count)]
    ansi: u8,

    /// Define the macros of programs with threads; -pthread is the same
    #[arg(long, action = ArgAction::Count)]
    pthread: u8,

    /// A further argument for clang, for example --clang-arg=-fsigned-char
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    clang_arg: Vec<String>,

    /// Take macros, folders of headers and the standard of each C file from this
    /// compile_commands.json, as CMake, Meson and Bear write it
    #[arg(long, value_name = "FILE")]
    compile_commands: Option<PathBuf>,
}

/// Long options that compilers take with one hyphen.
const WITH_ONE_HYPHEN: [&str; 5] = ["-include", "-isystem", "-ansi", "-pedantic", "-pthread"];

/// Options whose value may look like an option.
const WITH_ANY_VALUE: [&str; 2] = ["--arg", "--clang-arg"];

/// The command line with the options of compilers as clap reads them: `-std=c99` as `--std=c99`,
/// `-include` as `--include`, `-O` as `-O1`.
pub fn as_clap_reads(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut reads_options = true;
    let mut is_value = false;
    arguments
        .map(|argument| {
            reads_options &= argument != "--";
            let was_value = std::mem::replace(
                &mut is_value,
                WITH_ANY_VALUE.iter().any(|option| argument == *option),
            );
            match argument.to_str() {
                Some(text) if reads_options && !was_value => {
                    as_clap_reads_one(text).unwrap_or(argument)
                }
                _ => argument,
            }
        })
        .collect()
}

/// The same for one word, where clap reads it otherwise.
fn as_clap_reads_one(text: &str) -> Option<OsString> {
    if text.starts_with("-std=") || WITH_ONE_HYPHEN.contains(&text) {
        return Some(format!("-{text}").into());
    }
    match text {
        // A level, or a group of warnings, is no word of its own.
        "-O" => Some("-O1".into()),
        "-W" => Some("-Wextra".into()),
        "-pedantic-errors" => Some("--pedantic".into()),
        _ if text.starts_with("-g") => Some("-g".into()),
        _ => None,
    }
}

impl CompilerArguments {
    fn of_options(
        options: CompilerOptions,
        matches: &ArgMatches,
    ) -> Result<CompilerArguments, Error> {
        let mut arguments: Vec<(usize, Vec<String>)> = Vec::new();
        let all = [
            ("define", "-D", options.define),
            ("undefine", "-U", options.undefine),
            ("include_folder", "-I", options.include_folder),
            ("include", "-include", options.include),
            ("isystem", "-isystem", options.isystem),
            ("clang_arg", "", options.clang_arg),
        ];
        for (id, option, values) in all {
            let positions = matches.indices_of(id).into_iter().flatten();
            for (position, value) in positions.zip(values) {
                let option = (!option.is_empty()).then(|| option.to_owned());
                arguments.push((position, option.into_iter().chain([value]).collect()));
            }
        }
        let warnings = matches.indices_of("warning").into_iter().flatten();
        for (position, value) in warnings.zip(options.warning) {
            let says_what_is_compiled = value.starts_with("p,");
            arguments.extend(says_what_is_compiled.then(|| (position, vec![format!("-W{value}")])));
        }
        let mut notes = Vec::new();
        let lettered = [
            ("optimisation", "-O", options.optimisation),
            ("option", "-f", options.option),
            ("machine", "-m", options.machine),
        ];
        for (id, letter, values) in lettered {
            let positions = matches.indices_of(id).into_iter().flatten();
            for (position, value) in positions.zip(values) {
                let option = format!("{letter}{value}");
                match use_of_option(&option) {
                    OptionUse::Passed => arguments.push((position, vec![option])),
                    OptionUse::Ignored => {}
                    OptionUse::Noted(note) => notes.push(note),
                    OptionUse::Refused(why) => {
                        return Err(Error::raw(ErrorKind::InvalidValue, format!("{why}\n")));
                    }
                }
            }
        }
        let flags = [
            ("ansi", "-ansi", options.ansi),
            ("pthread", "-pthread", options.pthread),
        ];
        for (id, option, times) in flags {
            let position = matches.indices_of(id).and_then(Iterator::last);
            arguments.extend((times > 0).then(|| (position.unwrap_or(0), vec![option.to_owned()])));
        }
        arguments.sort_by_key(|(position, _)| *position);
        Ok(CompilerArguments {
            standard: options.std,
            arguments: arguments.into_iter().flat_map(|(_, words)| words).collect(),
            notes,
            compile_commands: options.compile_commands,
        })
    }
}

impl FromArgMatches for CompilerArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let options = CompilerOptions::from_arg_matches(matches)?;
        CompilerArguments::of_options(options, matches)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = CompilerArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CompilerArguments {
    fn augment_args(command: Command) -> Command {
        // The heading is for these options only.
        CompilerOptions::augment_args(command).next_help_heading(None::<&str>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        CompilerOptions::augment_args_for_update(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(options: &str) -> CompilerArguments {
        let command = CompilerOptions::augment_args(Command::new("analyze"));
        let options = ["analyze"].into_iter().chain(options.split(' '));
        let options = as_clap_reads(options.map(OsString::from));
        let matches = command.try_get_matches_from(options).unwrap();
        CompilerArguments::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn options_are_those_of_compilers() {
        let options = "-DN=5 -D M -UM -Isrc -I inc -include a.h -isystem sys -O2 -O -std=c99 \
                       --clang-arg=-fsigned-char -DM=2";
        let parsed = parsed(options);
        assert_eq!(parsed.standard.as_deref(), Some("c99"));
        assert_eq!(
            parsed.arguments.join(" "),
            "-D N=5 -D M -U M -I src -I inc -include a.h -isystem sys -fsigned-char -D M=2"
        );
    }

    #[test]
    fn options_about_warnings_and_code_are_accepted() {
        let options = "-Wall -W -Wno-unused -Wp,-DN=5 -w -g -g3 -ggdb -pedantic -pedantic-errors -ansi \
                       -pthread -lm -Werror -DM -Wl,--gc-sections -fPIC -fno-strict-aliasing \
                       -funsigned-char -fsanitize=address -m32 -mno-red-zone";
        let parsed = parsed(options);
        assert_eq!(parsed.standard, None);
        assert_eq!(
            parsed.arguments.join(" "),
            "-Wp,-DN=5 -ansi -pthread -D M -funsigned-char -m32"
        );
        assert_eq!(parsed.notes.len(), 1, "of -fsanitize");
    }

    #[test]
    fn values_and_what_stands_behind_two_hyphens_are_left_alone() {
        let arguments = ["-std=c99", "--arg", "-go", "--", "-std=c99"].map(OsString::from);
        let read = as_clap_reads(arguments.into_iter());
        let expected = ["--std=c99", "--arg", "-go", "--", "-std=c99"].map(OsString::from);
        assert_eq!(read, expected);
    }
}
